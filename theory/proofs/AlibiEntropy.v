(* Normalizer and entropy of the bias -m n in closed form. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Entropy.
Open Scope R_scope.

Section Geometric.
Variable m : R.
Hypothesis hm : 0 < m.
Let r := exp (- m).
Let A (n : nat) : R := - m * INR n.

Lemma ratio : 0 < r < 1.
Proof. split; [apply exp_pos|]. unfold r. rewrite <- exp_0. apply exp_increasing. lra. Qed.

Lemma power n : exp (A n) = r ^ n.
Proof. unfold A, r. rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp. f_equal. ring. Qed.

Lemma Z_geometric L : Z A L = (1 - r * r ^ L) / (1 - r).
Proof.
  assert (h := ratio). induction L as [|L IH].
  - unfold Z. simpl sum_f_R0. rewrite power. simpl. field. lra.
  - unfold Z in *. rewrite sum_next, IH, power. simpl. field. lra.
Qed.

Lemma weighted_geometric L : sum_f_R0 (fun n => INR n * exp (A n)) L = (r - (INR L + 1) * (r * r ^ L) + INR L * (r * (r * r ^ L))) / ((1 - r) * (1 - r)).
Proof.
  assert (h := ratio). induction L as [|L IH].
  - simpl. field. lra.
  - rewrite sum_next, IH, power, S_INR. simpl. field. lra.
Qed.

Lemma limit_power : is_lim_seq (fun n => r ^ n) 0.
Proof. assert (h := ratio). apply is_lim_seq_geom. rewrite Rabs_pos_eq; lra. Qed.

Lemma limit_weighted_power : is_lim_seq (fun n => INR n * r ^ n) 0.
Proof.
  set (q := exp (- (m / 2))). assert (hq : 0 < q < 1) by (split; [apply exp_pos|unfold q; rewrite <- exp_0; apply exp_increasing; lra]).
  apply (is_lim_seq_le_le (fun _ => 0) _ (fun n => 2 / m * q ^ n)).
  - intros n. assert (h := ratio). assert (hr : 0 < r ^ n) by (apply pow_lt; lra). assert (hq' : 0 < q ^ n) by (apply pow_lt; lra).
    assert (hn := pos_INR n). split; [apply Rmult_le_pos; lra|].
    assert (e : r ^ n = q ^ n * q ^ n).
    { rewrite <- Rpow_mult_distr. f_equal. unfold r, q. rewrite <- exp_plus. f_equal. field. }
    assert (g : INR n * q ^ n <= 2 / m).
    { assert (k := exp_above (m / 2 * INR n)). assert (f : q ^ n * exp (m / 2 * INR n) = 1).
      { unfold q. rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp, <- exp_plus.
        replace (INR n * - (m / 2) + m / 2 * INR n) with 0 by ring. apply exp_0. }
      apply Rmult_le_reg_l with (m / 2); [lra|]. replace (m / 2 * (2 / m)) with 1 by (field; lra). rewrite <- f.
      replace (m / 2 * (INR n * q ^ n)) with (q ^ n * (m / 2 * INR n)) by ring. apply Rmult_le_compat_l; lra. }
    rewrite e. replace (INR n * (q ^ n * q ^ n)) with (INR n * q ^ n * q ^ n) by ring. apply Rmult_le_compat_r; lra.
  - apply is_lim_seq_const.
  - replace (Finite 0) with (Rbar_mult (2 / m) 0) by (simpl; f_equal; ring). apply is_lim_seq_scal_l. apply is_lim_seq_geom. rewrite Rabs_pos_eq; lra.
Qed.

Theorem alibi_normalizer : is_lim_seq (Z A) (1 / (1 - r)).
Proof.
  assert (h := ratio). apply (is_lim_seq_ext (fun L => / (1 - r) + - (r / (1 - r)) * r ^ L)).
  - intros L. rewrite Z_geometric. field. lra.
  - replace (Finite (1 / (1 - r))) with (Finite (/ (1 - r) + - (r / (1 - r)) * 0)) by (f_equal; field; lra).
    apply is_lim_seq_plus'; [apply is_lim_seq_const|]. apply (is_lim_seq_mult' (fun _ => - (r / (1 - r))) (fun L => r ^ L)); [apply is_lim_seq_const|exact limit_power].
Qed.

Lemma weighted_limit : is_lim_seq (sum_f_R0 (fun n => INR n * exp (A n))) (r / ((1 - r) * (1 - r))).
Proof.
  assert (h := ratio).
  apply (is_lim_seq_ext (fun L => r / ((1 - r) * (1 - r)) + (- (r / (1 - r)) / (1 - r) * r ^ L + (r * r - r) / ((1 - r) * (1 - r)) * (INR L * r ^ L)))).
  - intros L. rewrite weighted_geometric. field. lra.
  - replace (Finite (r / ((1 - r) * (1 - r))))
      with (Finite (r / ((1 - r) * (1 - r)) + (- (r / (1 - r)) / (1 - r) * 0 + (r * r - r) / ((1 - r) * (1 - r)) * 0))) by (f_equal; field; lra).
    apply is_lim_seq_plus'; [apply is_lim_seq_const|]. apply is_lim_seq_plus'.
    + apply (is_lim_seq_mult' (fun _ => _) (fun L => r ^ L)); [apply is_lim_seq_const|exact limit_power].
    + apply (is_lim_seq_mult' (fun _ => _) (fun L => INR L * r ^ L)); [apply is_lim_seq_const|exact limit_weighted_power].
Qed.

Theorem alibi_entropy : is_lim_seq (H A) (- ln (1 - r) - r * ln r / (1 - r)).
Proof.
  assert (h := ratio). apply (is_lim_seq_ext (fun L => ln (Z A L) + m * (sum_f_R0 (fun n => INR n * exp (A n)) L / Z A L))).
  - intros L. rewrite H_split. f_equal. rewrite (sum_equal (fun n => - A n * exp (A n)) (fun n => m * (INR n * exp (A n)))) by (intros; unfold A; ring).
    rewrite sum_scale. unfold Rdiv. ring.
  - replace (- ln (1 - r) - r * ln r / (1 - r)) with (ln (1 / (1 - r)) + m * (r / ((1 - r) * (1 - r)) / (1 / (1 - r)))).
    + apply is_lim_seq_plus'.
      * apply is_lim_seq_continuous; [|exact alibi_normalizer]. apply derivable_continuous_pt. exists (/ (1 / (1 - r))).
        apply derivable_pt_lim_ln. apply Rdiv_lt_0_compat; lra.
      * apply (is_lim_seq_mult' (fun _ => m)); [apply is_lim_seq_const|]. apply is_lim_seq_div'; [exact weighted_limit|exact alibi_normalizer|].
        apply Rgt_not_eq. apply Rdiv_lt_0_compat; lra.
    + unfold Rdiv at 1. rewrite Rmult_1_l, ln_Rinv by lra.
      assert (e : ln r = - m) by (unfold r; apply ln_exp). rewrite e. field. lra.
Qed.
End Geometric.
