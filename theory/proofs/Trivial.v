(* The rules no-content and one-key, and what bounded changes of the scores do to the entropy (U1 of docs/theorems.md). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Entropy Distance Gradient.
Open Scope R_scope.

(* scores without content: W = 0 *)
Definition nothing : matrices := fun _ _ _ _ => 0.

Theorem no_content_gps d l : ~ gps_vector d l nothing /\ ~ gps_norm d l nothing /\ ~ gps_scalar d l nothing.
Proof.
  assert (h : ~ gps_vector d l nothing) by (apply vector_fails; intros; unfold entry, nothing; ring).
  split; [exact h|split]; [intros g; apply h; apply vector_of_norm; exact g|intros [_ g]; exact (h g)].
Qed.

Theorem no_content_ldcp l T : tails_within T (fun _ => 0) -> ~ ldcp_content l T.
Proof.
  intros hT. apply (content_vanishes l T (fun _ => 0) 0 1 hT). intros L n hn _. rewrite Rmult_0_r. left. apply Rinv_0_lt_compat.
  change (0 < INR n). apply lt_0_INR. lia.
Qed.

(* a window of one key *)
Theorem one_key_gps d f b w W : ~ gps_vector d (windowed 1 (plain f b w)) W /\ ~ gps_norm d (windowed 1 (plain f b w)) W /\ ~ gps_scalar d (windowed 1 (plain f b w)) W.
Proof.
  assert (h : ~ gps_vector d (windowed 1 (plain f b w)) W).
  { apply vector_fails. intros L n n' i j hn hn' _ _. simpl in hn, hn'. replace n with 0%nat by lia. replace n' with 0%nat by lia. reflexivity. }
  split; [exact h|split]; [intros g; apply h; apply vector_of_norm; exact g|intros [_ g]; exact (h g)].
Qed.

(* Scores that differ by at most M *)
Theorem bounded_changes A A' M L : (forall n, (n <= L)%nat -> Rabs (A n - A' n) <= M) -> H A' L <= exp (2 * M) * H A L + 2 * M.
Proof.
  intros h. assert (hz := Z_positive A L). assert (hz' := Z_positive A' L).
  assert (close : forall n, (n <= L)%nat -> A n - M <= A' n <= A n + M).
  { intros n hn. assert (q := h n hn). apply Rabs_le_between in q. lra. }
  assert (zz : Z A L <= exp M * Z A' L /\ Z A' L <= exp M * Z A L).
  { split; unfold Z; rewrite <- sum_scale; apply sum_le; intros n hn; rewrite <- exp_plus; apply exp_le; assert (q := close n hn); lra. }
  assert (up : forall n, (n <= L)%nat -> weight A' L n <= exp (2 * M) * weight A L n).
  { intros n hn. unfold weight. apply Rle_trans with (exp M * exp (A n) * (exp M * / Z A L)).
    - apply Rmult_le_compat; [left; apply exp_pos|left; apply Rinv_0_lt_compat; exact hz'| |].
      + rewrite <- exp_plus. apply exp_le. assert (q := close n hn). lra.
      + apply Rmult_le_reg_r with (Z A' L * Z A L); [apply Rmult_lt_0_compat; assumption|].
        replace (/ Z A' L * (Z A' L * Z A L)) with (Z A L) by (field; lra).
        replace (exp M * / Z A L * (Z A' L * Z A L)) with (exp M * Z A' L) by (field; lra). apply zz.
    - right. replace (2 * M) with (M + M) by ring. rewrite exp_plus. unfold Rdiv. ring. }
  assert (lz : ln (Z A' L) <= M + ln (Z A L)).
  { replace (M + ln (Z A L)) with (ln (exp M * Z A L)) by (rewrite ln_mult, ln_exp by (try apply exp_pos; assumption); reflexivity). apply ln_mono; [assumption|apply zz]. }
  rewrite H_shannon. apply Rle_trans with (sum_f_R0 (fun n => exp (2 * M) * (- weight A L n * ln (weight A L n)) + 2 * M * weight A' L n) L).
  - apply sum_le. intros n hn. assert (p := weight_positive A L n). assert (p' := weight_positive A' L n). assert (u := up n hn).
    assert (l : - ln (weight A' L n) <= - ln (weight A L n) + 2 * M) by (rewrite 2!ln_weight; assert (q := close n hn); lra).
    assert (w1 := weight_le_1 A L n hn). assert (ll : 0 <= - ln (weight A L n)) by (assert (q := ln_below _ p); lra).
    apply Rle_trans with (weight A' L n * (- ln (weight A L n) + 2 * M)).
    + replace (- weight A' L n * ln (weight A' L n)) with (weight A' L n * - ln (weight A' L n)) by ring. apply Rmult_le_compat_l; lra.
    + replace (exp (2 * M) * (- weight A L n * ln (weight A L n))) with (exp (2 * M) * weight A L n * - ln (weight A L n)) by ring.
      assert (k : weight A' L n * - ln (weight A L n) <= exp (2 * M) * weight A L n * - ln (weight A L n)) by (apply Rmult_le_compat_r; assumption). lra.
  - rewrite (sum_linear (fun n => - weight A L n * ln (weight A L n)) (weight A' L)), weights_one, <- H_shannon. lra.
Qed.
