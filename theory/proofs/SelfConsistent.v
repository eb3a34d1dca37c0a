(* APE's alpha, proportional to the entropy of the attention that depends on alpha: what is well defined, and what is not. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness Lengths Band.
Open Scope R_scope.

(* At the first token the entropy is 0, and with it alpha: the angle is 0/0. *)
Theorem paper_S1_first_token A : H A 0 = 0.
Proof.
  unfold H, Z, weight. simpl. unfold Z. simpl. rewrite ln_exp. assert (h := exp_pos (A 0%nat)). field. lra.
Qed.

Lemma H_continuous (A : R -> nat -> R) x L : (forall n, continuous (fun a => A a n) x) -> continuous (fun a => H (A a) L) x.
Proof.
  intros h. apply (continuous_ext (fun a => ln (Z (A a) L) + sum_f_R0 (fun n => - A a n * exp (A a n)) L * / Z (A a) L)).
  { intros a. symmetry. apply H_split. }
  assert (hz : continuous (fun a => Z (A a) L) x).
  { apply (sum_continuous (fun a n => exp (A a n))). intros n. apply (continuous_comp (fun a => A a n) exp); [apply h|apply exp_continuous]. }
  apply (continuous_plus (fun a => ln (Z (A a) L)) (fun a => sum_f_R0 (fun n => - A a n * exp (A a n)) L * / Z (A a) L)).
  - apply (continuous_comp (fun a => Z (A a) L) ln); [exact hz|]. apply (ex_derive_continuous ln). assert (q := Z_positive (A x) L). auto_derive. exact q.
  - apply (continuous_mult (fun a => sum_f_R0 (fun n => - A a n * exp (A a n)) L) (fun a => / Z (A a) L)).
    + apply (sum_continuous (fun a n => - A a n * exp (A a n))). intros n.
      apply (continuous_mult (fun a => - A a n) (fun a => exp (A a n))).
      * apply (continuous_opp (fun a => A a n)). apply h.
      * apply (continuous_comp (fun a => A a n) exp); [apply h|apply exp_continuous].
    + apply (continuous_comp (fun a => Z (A a) L) Rinv); [exact hz|]. apply (ex_derive_continuous Rinv). assert (q := Z_positive (A x) L).
      auto_derive. lra.
Qed.

(* between two positive values at which alpha is too small and too large, there is one at which it is right *)
Lemma between (A : R -> nat -> R) alpha0 L x y : (forall a n, 0 < a -> continuous (fun a => A a n) a) -> 0 < x -> x <= y ->
  (x <= alpha0 * H (A x) L /\ alpha0 * H (A y) L <= y) \/ (alpha0 * H (A x) L <= x /\ y <= alpha0 * H (A y) L) ->
  exists a, x <= a <= y /\ a = alpha0 * H (A a) L.
Proof.
  intros hA hx hxy h. set (g := fun t => alpha0 * H (A (exp t)) L - exp t).
  assert (hg : continuity g).
  { intros t. apply continuity_pt_filterlim. apply (continuous_minus (fun t => alpha0 * H (A (exp t)) L) exp); [|apply exp_continuous].
    apply (continuous_mult (fun _ => alpha0) (fun t => H (A (exp t)) L)); [apply continuous_const|].
    apply (continuous_comp exp (fun a => H (A a) L)); [apply exp_continuous|]. apply H_continuous. intros n. apply hA. apply exp_pos. }
  assert (ex : exp (ln x) = x) by (apply exp_ln; exact hx). assert (ey : exp (ln y) = y) by (apply exp_ln; lra).
  destruct (IVT_cor g (ln x) (ln y) hg) as [t [ht e]].
  - apply ln_mono; assumption.
  - unfold g. rewrite ex, ey. destruct h as [[h1 h2]|[h1 h2]]; nra.
  - exists (exp t). split; [|unfold g in e; lra]. rewrite <- ex at 1. rewrite <- ey. split; apply exp_le; lra.
Qed.

(* From two tokens on, for bounded scores that depend continuously on alpha > 0, there is a self-consistent alpha. *)
Theorem paper_S1_exists (A : R -> nat -> R) alpha0 L M : 0 < alpha0 -> (1 <= L)%nat ->
  (forall a n, 0 < a -> continuous (fun a => A a n) a) -> (forall a n, 0 < a -> Rabs (A a n) <= M) ->
  exists a, 0 < a /\ a = alpha0 * H (A a) L.
Proof.
  intros h0 hL hA hM. set (s := exp (- (2 * M))). assert (hM0 : 0 <= M) by (apply Rle_trans with (2 := hM 1 0%nat Rlt_0_1); apply Rabs_pos).
  assert (hs : 0 < s <= 1) by (split; [apply exp_pos|unfold s; rewrite <- exp_0; apply exp_le; lra]).
  assert (hl : 0 < ln (INR (S L))). { rewrite <- ln_1. apply ln_increasing; [lra|]. apply (lt_INR 1). lia. }
  assert (hp := lt_0_INR (S L) ltac:(lia)).
  assert (low : forall a, 0 < a -> s * ln (INR (S L)) <= H (A a) L).
  { intros a ha. apply H_spread; [exact hs|]. intros n hn. unfold weight.
    assert (z : Z (A a) L <= INR (S L) * exp M) by (apply Z_at_most; intros i _; apply Rle_trans with (1 := Rle_abs _); apply hM; exact ha).
    assert (k := Rle_abs (- A a n)). rewrite Rabs_Ropp in k. assert (k2 := hM a n ha). assert (zp := Z_positive (A a) L).
    apply Rle_trans with (exp (- M) / (INR (S L) * exp M)).
    - right. unfold s. replace (- (2 * M)) with (- M + - M) by ring. rewrite exp_plus. rewrite (exp_Ropp M). assert (e := exp_pos M). field. split; lra.
    - apply Rmult_le_compat; [left; apply exp_pos|left; apply Rinv_0_lt_compat; apply Rmult_lt_0_compat; [exact hp|apply exp_pos]|apply exp_le; lra|].
      apply Rinv_le_contravar; assumption. }
  set (x := alpha0 * (s * ln (INR (S L)))). set (y := alpha0 * ln (INR (S L))).
  assert (hx : 0 < x) by (unfold x; apply Rmult_lt_0_compat; [exact h0|apply Rmult_lt_0_compat; lra]).
  assert (hxy : x <= y) by (unfold x, y; apply Rmult_le_compat_l; [lra|nra]).
  destruct (between A alpha0 L x y hA hx hxy) as [a [h e]]; [|exists a; split; [lra|exact e]].
  left. split; [unfold x; apply Rmult_le_compat_l; [lra|apply low; exact hx]|unfold y; apply Rmult_le_compat_l; [lra|apply H_at_most]].
Qed.

(* It need not be the only one: two tokens, q and k with q.k/sqrt(d) = 2, one block that turns by n/alpha. *)
Definition pair (a : R) (n : nat) : R := 2 * cos (INR n / a).

Lemma pair_entropy a : H (pair a) 1 = ln (exp 2 + exp (2 * cos (/ a))) - (exp 2 * 2 + exp (2 * cos (/ a)) * (2 * cos (/ a))) / (exp 2 + exp (2 * cos (/ a))).
Proof.
  unfold H, Z, weight, Z, pair. simpl. unfold Rdiv. rewrite Rmult_0_l, cos_0, Rmult_1_l, Rmult_1_r.
  assert (h1 := exp_pos 2). assert (h2 := exp_pos (2 * cos (/ a))). field. lra.
Qed.

Theorem paper_S1_not_unique : exists a b, 0 < a /\ a < b /\ a = / 2 * H (pair a) 1 /\ b = / 2 * H (pair b) 1.
Proof.
  assert (hpi := PI2_3_2). assert (hpi4 := PI_4).
  assert (cont : forall a n, 0 < a -> continuous (fun a => pair a n) a).
  { intros a n ha. unfold pair. apply (ex_derive_continuous (fun a => 2 * cos (INR n / a))). auto_derive. lra. }
  assert (ln2 : 1 / 2 <= ln 2).
  { apply Rmult_le_reg_l with 2; [lra|]. replace (2 * ln 2) with (ln (2 * 2)) by (rewrite ln_mult by lra; ring).
    rewrite <- (ln_exp (2 * (1 / 2))). apply ln_mono; [apply exp_pos|]. replace (2 * (1 / 2)) with 1 by field. assert (q := exp_le_3). lra. }
  (* after one whole turn both tokens have the same score *)
  assert (high : H (pair (/ (2 * PI))) 1 = ln 2).
  { rewrite pair_entropy, Rinv_inv, cos_2PI, Rmult_1_r. assert (e := exp_pos 2).
    replace (exp 2 + exp 2) with (2 * exp 2) by ring. rewrite ln_mult, ln_exp by lra. field. lra. }
  (* after one and a half the second one has less *)
  assert (low : H (pair (/ (3 * PI))) 1 <= 5 * exp (- 4)).
  { rewrite pair_entropy, Rinv_inv. replace (3 * PI) with (2 * PI + PI) by ring. rewrite neg_cos, cos_2PI.
    replace (2 * - (1)) with (-2) by ring. assert (e := exp_pos (- 4)). assert (e2 := exp_pos 2).
    assert (q : exp (-2) = exp 2 * exp (- 4)) by (rewrite <- exp_plus; f_equal; ring). rewrite q.
    replace (exp 2 + exp 2 * exp (- 4)) with (exp 2 * (1 + exp (- 4))) by ring. rewrite ln_mult, ln_exp by lra.
    replace ((exp 2 * 2 + exp 2 * exp (- 4) * -2) / (exp 2 * (1 + exp (- 4)))) with (2 - 4 * (exp (- 4) / (1 + exp (- 4)))) by (field; lra).
    assert (k := ln_below (1 + exp (- 4)) ltac:(lra)). assert (k2 : exp (- 4) / (1 + exp (- 4)) <= exp (- 4)).
    { apply Rmult_le_reg_r with (1 + exp (- 4)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
    lra. }
  assert (small : 5 * exp (- 4) <= 1 / 6).
  { assert (q : exp (- 4) = / (exp (1 / 4) ^ 16)).
    { replace (exp (- 4)) with (/ exp 4) by (rewrite <- exp_Ropp; f_equal; ring). f_equal. rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp. f_equal. simpl. field. }
    assert (k := exp_above (1 / 4)). assert (k2 : (5 / 4) ^ 16 <= exp (1 / 4) ^ 16) by (apply pow_incr; lra).
    assert (k3 : / (exp (1 / 4) ^ 16) <= / ((5 / 4) ^ 16)) by (apply Rinv_le_contravar; [simpl; lra|exact k2]).
    assert (k4 : / ((5 / 4) ^ 16) <= 1 / 30) by (simpl; lra). lra. }
  assert (h3 : 1 / 12 <= / (3 * PI)).
  { replace (1 / 12) with (/ 12) by field. apply Rinv_le_contravar; lra. }
  assert (h32 : / (3 * PI) < / (2 * PI)).
  { apply Rinv_lt_contravar; [|lra]. apply Rmult_lt_0_compat; lra. }
  assert (h2 : / (2 * PI) <= 1 / 6).
  { replace (1 / 6) with (/ 6) by field. apply Rinv_le_contravar; lra. }
  destruct (between pair (/ 2) 1 (/ (3 * PI)) (/ (2 * PI)) cont) as [a [ha ea]]; [lra|lra|right; rewrite high; lra|].
  destruct (between pair (/ 2) 1 (/ (2 * PI)) 1 cont) as [b [hb eb]]; [lra|lra| |].
  { left. rewrite high. split; [lra|]. assert (q := H_at_most (pair 1) 1). assert (q2 := ln_below (INR 2) ltac:(simpl; lra)). simpl (INR 2) in *. lra. }
  exists a, b. repeat split; try lra; try assumption.
  destruct (Req_dec a b) as [e|e]; [exfalso|lra].
  assert (x : a = / (2 * PI)) by lra. rewrite x, high in ea. lra.
Qed.
