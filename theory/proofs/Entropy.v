(* T2 of docs/certificates.md: weighted sums, and the entropy of the first L + 1 tokens. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents.
Open Scope R_scope.

(** * The entropy in other words *)

Lemma H_ext A A' L : (forall n, (n <= L)%nat -> A n = A' n) -> H A L = H A' L.
Proof.
  intros h. assert (z : Z A L = Z A' L) by (apply sum_equal; intros n hn; rewrite h by exact hn; reflexivity).
  unfold H. rewrite z. f_equal. apply sum_equal. intros n hn. unfold weight. rewrite z, h by exact hn. reflexivity.
Qed.

Lemma H_split A L : H A L = ln (Z A L) + sum_f_R0 (fun n => - A n * exp (A n)) L / Z A L.
Proof.
  unfold H. rewrite (sum_equal _ (fun n => - / Z A L * (- A n * exp (A n)))).
  - rewrite sum_scale. unfold Rdiv. ring.
  - intros n _. unfold weight, Rdiv. ring.
Qed.

Lemma weight_positive A L n : 0 < weight A L n.
Proof. apply Rmult_lt_0_compat; [apply exp_pos|apply Rinv_0_lt_compat, Z_positive]. Qed.

Lemma weights_one A L : sum_f_R0 (weight A L) L = 1.
Proof.
  unfold weight, Rdiv. rewrite (sum_equal _ (fun n => / Z A L * exp (A n))) by (intros; ring). rewrite sum_scale.
  fold (Z A L). apply Rinv_l. assert (h := Z_positive A L). lra.
Qed.

Lemma ln_weight A L n : ln (weight A L n) = A n - ln (Z A L).
Proof.
  assert (h := Z_positive A L). unfold weight, Rdiv.
  rewrite ln_mult, ln_Rinv, ln_exp by (try apply Rinv_0_lt_compat; try apply exp_pos; assumption). ring.
Qed.

(* Shannon's formula *)
Lemma H_shannon A L : H A L = sum_f_R0 (fun n => - weight A L n * ln (weight A L n)) L.
Proof.
  rewrite (sum_equal (fun n => - weight A L n * ln (weight A L n)) (fun n => ln (Z A L) * weight A L n + -1 * (weight A L n * A n)))
    by (intros; rewrite ln_weight; ring).
  rewrite (sum_linear (weight A L) (fun n => weight A L n * A n)), weights_one. unfold H. ring.
Qed.

Lemma weight_le_1 A L n : (n <= L)%nat -> weight A L n <= 1.
Proof.
  intros h. assert (g := Z_positive A L). unfold weight. apply Rmult_le_reg_r with (Z A L); [exact g|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra. apply Z_term; exact h.
Qed.

Lemma H_nonneg A L : 0 <= H A L.
Proof.
  rewrite H_shannon. apply sum_nonneg. intros n hn. assert (h := weight_positive A L n). assert (g := weight_le_1 A L n hn).
  assert (k := ln_below _ h). nra.
Qed.

(* Gibbs: for positive numbers r, H is at most ln (r 0 + ... + r L) - sum p ln r *)
Lemma H_gibbs A r L : (forall n, 0 < r n) -> H A L <= ln (sum_f_R0 r L) - sum_f_R0 (fun n => weight A L n * ln (r n)) L.
Proof.
  intros hr. set (R := sum_f_R0 r L).
  assert (hR : 0 < R).
  { apply Rlt_le_trans with (r 0%nat); [apply hr|]. apply (sum_term r); [intros; left; apply hr|lia]. }
  rewrite H_shannon.
  assert (g : sum_f_R0 (fun n => - weight A L n * ln (weight A L n)) L
              <= sum_f_R0 (fun n => 1 * (/ R * r n - weight A L n) + 1 * (ln R * weight A L n + -1 * (weight A L n * ln (r n)))) L).
  { apply sum_le. intros n _. assert (hp := weight_positive A L n). assert (hrn := hr n).
    assert (k := ln_below (r n / (R * weight A L n)) ltac:(apply Rdiv_lt_0_compat; [exact hrn|apply Rmult_lt_0_compat; assumption])).
    unfold Rdiv in k. rewrite ln_mult, ln_Rinv, ln_mult in k by repeat first [assumption | apply Rinv_0_lt_compat | apply Rmult_lt_0_compat].
    apply (Rmult_le_compat_l (weight A L n)) in k; [|lra].
    replace (weight A L n * (r n * / (R * weight A L n) - 1)) with (/ R * r n - weight A L n) in k by (field; lra).
    lra. }
  rewrite (sum_linear (fun n => / R * r n - weight A L n) (fun n => ln R * weight A L n + -1 * (weight A L n * ln (r n)))) in g.
  rewrite (sum_linear (weight A L) (fun n => weight A L n * ln (r n))) in g.
  rewrite (sum_equal (fun n => / R * r n - weight A L n) (fun n => / R * r n + -1 * weight A L n)) in g by (intros; ring).
  rewrite (sum_linear r (weight A L)), weights_one in g. fold R in g. rewrite Rinv_l in g by lra. lra.
Qed.

Theorem H_at_most A L : H A L <= ln (INR (S L)).
Proof.
  assert (h := H_gibbs A (fun _ => 1) L ltac:(intros; lra)). rewrite sum_constant, Rmult_1_l in h.
  rewrite (sum_equal (fun n => weight A L n * ln 1) (fun n => 0 * weight A L n)) in h by (intros; rewrite ln_1; ring).
  rewrite sum_scale in h. lra.
Qed.

(* Scores that are at most M *)
Theorem H_at_least A M L : (forall n, (n <= L)%nat -> A n <= M) -> ln (Z A L) - M <= H A L.
Proof.
  intros h. unfold H. assert (g : sum_f_R0 (fun n => weight A L n * A n) L <= sum_f_R0 (fun n => M * weight A L n) L).
  { apply sum_le. intros n hn. rewrite (Rmult_comm M). apply Rmult_le_compat_l; [left; apply weight_positive|apply h; exact hn]. }
  rewrite sum_scale, weights_one in g. lra.
Qed.

(** * Bounded entropy *)

Definition weighted (A : nat -> R) (n : nat) : R := Rabs (A n) * exp (A n).

Lemma weighted_nonneg A n : 0 <= weighted A n.
Proof. apply Rmult_le_pos; [apply Rabs_pos|left; apply exp_pos]. Qed.

Theorem H_bounded A : bounded (Z A) -> bounded (sum_f_R0 (weighted A)) -> bounded (H A).
Proof.
  intros [M1 h1] [M2 h2]. exists (ln M1 + M2 / exp (A 0%nat)). intros L. rewrite H_split.
  assert (hz := Z_positive A L). assert (h3 := Z_term A L 0 ltac:(lia)).
  assert (h4 : sum_f_R0 (fun n => - A n * exp (A n)) L <= M2).
  { apply Rle_trans with (2 := h2 L). apply sum_le. intros n _. apply Rmult_le_compat_r; [left; apply exp_pos|].
    rewrite <- Rabs_Ropp. apply Rle_abs. }
  assert (h5 : 0 <= M2) by (apply Rle_trans with (2 := h2 0%nat); apply (weighted_nonneg A 0)).
  apply Rplus_le_compat; [apply ln_mono; [assumption|apply h1]|].
  apply Rle_trans with (M2 / Z A L).
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; assumption|exact h4].
  - apply Rmult_le_compat_l; [exact h5|]. apply Rinv_le_contravar; [apply exp_pos|exact h3].
Qed.

(* t e^(-t) falls from t = 1 on *)
Lemma weighted_falls s t : 1 <= s -> s <= t -> t * exp (- t) <= s * exp (- s).
Proof.
  intros hs hst. apply Rmult_le_reg_r with (exp t); [apply exp_pos|].
  rewrite Rmult_assoc, <- exp_plus. replace (- t + t) with 0 by ring. rewrite exp_0, Rmult_1_r, Rmult_assoc, <- exp_plus.
  replace (- s + t) with (t - s) by ring. assert (h := exp_above (t - s)). nra.
Qed.

Lemma weighted_at A n : A n <= 0 -> weighted A n = - A n * exp (- - A n).
Proof. intros h. unfold weighted. rewrite Rabs_left1 by exact h. rewrite Ropp_involutive. reflexivity. Qed.

Lemma power_as_exp U : 0 < U -> U * exp (- U) = exp (- (U - ln U)).
Proof. intros h. replace (- (U - ln U)) with (ln U + - U) by ring. rewrite exp_plus, exp_ln by exact h. reflexivity. Qed.

(* From N on -A >= U >= 1, with the terms U e^(-U) summable by the ladder. *)
Theorem weighted_terms_converge (A U : nat -> R) k eta C N : 0 < eta -> positive k (INR N) ->
  (forall n, (N <= n)%nat -> 1 <= U n /\ U n <= - A n /\ logs k (INR n) + (1 + eta) * iter (S k) (INR n) <= C + U n - ln (U n)) ->
  bounded (Z A) /\ bounded (sum_f_R0 (weighted A)).
Proof.
  intros he hp hA. split.
  { apply (sum_converges A k eta C N he hp). intros n hn. destruct (hA n hn) as [u1 [u2 u3]]. assert (g := ln_nonneg _ u1). lra. }
  assert (h2 := sum_converges (fun n => - (U n - ln (U n))) k eta C N he hp
    (fun n hn => ltac:(destruct (hA n hn) as [u1 [u2 u3]]; simpl in *; lra))).
  apply (bounded_compare _ (fun n => exp (- (U n - ln (U n)))) 1 N); [lra| | |exact h2].
  - intros; left; apply exp_pos.
  - intros n hn. destruct (hA n hn) as [u1 [u2 u3]]. rewrite Rmult_1_l, <- power_as_exp by lra.
    rewrite weighted_at by lra. apply weighted_falls; assumption.
Qed.

Theorem weighted_sum_converges (A U : nat -> R) k eta C N : 0 < eta -> positive k (INR N) ->
  (forall n, (N <= n)%nat -> 1 <= U n /\ U n <= - A n /\ logs k (INR n) + (1 + eta) * iter (S k) (INR n) <= C + U n - ln (U n)) ->
  bounded (Z A) /\ bounded (H A).
Proof.
  intros he hp hA. destruct (weighted_terms_converge A U k eta C N he hp hA) as [h1 h2]. split; [exact h1|apply H_bounded; assumption].
Qed.

(** * Unbounded entropy *)

Theorem H_unbounded_of_Z A M : (forall n, A n <= M) -> unbounded (Z A) -> unbounded (H A).
Proof.
  intros hM hz K. destruct (hz (exp (K + M))) as [L hL]. exists L.
  assert (g := H_at_least A M L (fun n _ => hM n)).
  assert (h : K + M < ln (Z A L)). { rewrite <- (ln_exp (K + M)). apply ln_increasing; [apply exp_pos|exact hL]. } lra.
Qed.

(* finitely many values have a largest one *)
Lemma finite_max (u : nat -> R) N : exists M, forall n, (n <= N)%nat -> u n <= M.
Proof.
  induction N as [|N [K hK]]; [exists (u 0%nat); intros n h; replace n with 0%nat by lia; lra|].
  exists (Rmax K (u (S N))). intros n h. destruct (Nat.eq_dec n (S N)) as [e|e].
  - rewrite e. apply Rmax_r.
  - apply Rle_trans with K; [apply hK; lia|apply Rmax_l].
Qed.

Lemma bound_from (A : nat -> R) M N : (forall n, (N <= n)%nat -> A n <= M) -> exists M', forall n, A n <= M'.
Proof.
  intros h. destruct (finite_max A N) as [K hK]. exists (Rmax K M). intros n. destruct (Compare_dec.le_lt_dec n N) as [g|g].
  - apply Rle_trans with K; [apply hK; exact g|apply Rmax_l].
  - apply Rle_trans with M; [apply h; lia|apply Rmax_r].
Qed.

Lemma unbounded_or_bounded u : unbounded u \/ bounded u.
Proof.
  destruct (Classical_Prop.classic (bounded u)) as [h|h]; [right; exact h|left]. intros M.
  apply Classical_Pred_Type.not_all_not_ex. intros g. apply h. exists M. intros L.
  destruct (Rle_lt_dec (u L) M) as [k|k]; [exact k|destruct (g L k)].
Qed.

(* Where Z is finite, or scores are bounded above, an infinite weighted sum is an unbounded entropy. *)
Theorem H_unbounded A N : (forall n, (N <= n)%nat -> A n <= 0) -> unbounded (sum_f_R0 (weighted A)) -> unbounded (H A).
Proof.
  intros hN hw. destruct (unbounded_or_bounded (Z A)) as [hz|[S hS]].
  - destruct (bound_from A 0 N hN) as [M hM]. apply (H_unbounded_of_Z A M hM hz).
  - intros K. set (T := sum_f_R0 (weighted A) N).
    assert (hS0 : 0 < S) by (apply Rlt_le_trans with (Z A 0); [apply Z_positive|apply hS]).
    destruct (hw (2 * T + (Rabs (K - A 0%nat) + 1) * S)) as [L hL].
    assert (hT : 0 <= T) by (apply sum_nonneg; intros; apply weighted_nonneg).
    assert (hk := Rabs_pos (K - A 0%nat)). assert (hk' := Rle_abs (K - A 0%nat)). exists L.
    assert (hl : sum_f_R0 (weighted A) L - 2 * T <= sum_f_R0 (fun n => - A n * exp (A n)) L).
    { assert (hn : (N <= L)%nat).
      { destruct (Compare_dec.le_lt_dec N L) as [g|g]; [exact g|].
        assert (g2 : sum_f_R0 (weighted A) L <= T) by (apply sum_mono; [apply weighted_nonneg|lia]).
        assert (0 <= (Rabs (K - A 0%nat) + 1) * S) by (apply Rmult_le_pos; lra). lra. }
      clear hL. induction hn as [|m hm IH].
      - fold T. assert (g : - T <= sum_f_R0 (fun n => - A n * exp (A n)) N); [|lra].
        unfold T. rewrite <- (Rmult_1_l (sum_f_R0 _ N)), Ropp_mult_distr_l, <- sum_scale. apply sum_le. intros n _.
        assert (g := Rle_abs (A n)). assert (g2 := exp_pos (A n)). unfold weighted. nra.
      - rewrite 2!sum_next. rewrite (weighted_at A (Datatypes.S m)), Ropp_involutive by (apply hN; lia). lra. }
    rewrite H_split. assert (hz := Z_positive A L). assert (hzS := hS L).
    assert (h0 : A 0%nat <= ln (Z A L)).
    { rewrite <- (ln_exp (A 0%nat)). apply ln_mono; [apply exp_pos|apply Z_term; lia]. }
    assert (h3 : Rabs (K - A 0%nat) + 1 <= sum_f_R0 (fun n => - A n * exp (A n)) L / Z A L).
    { apply Rmult_le_reg_r with (Z A L); [exact hz|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rle_trans with ((Rabs (K - A 0%nat) + 1) * S); [apply Rmult_le_compat_l; lra|lra]. }
    lra.
Qed.

(* From N on -U <= A <= -1, and U e^(-U) is not summable by the ladder. *)
Theorem weighted_sum_diverges (A U : nat -> R) k C N : positive k (INR N) ->
  (forall n, (N <= n)%nat -> - U n <= A n /\ A n <= -1 /\ U n - ln (U n) <= C + logs (S k) (INR n)) -> unbounded (H A).
Proof.
  intros hp hA. apply (H_unbounded A N); [intros n hn; destruct (hA n hn) as [u1 [u2 u3]]; lra|].
  assert (h := sum_diverges (fun n => - (U n - ln (U n))) k C N hp
    (fun n hn => ltac:(destruct (hA n hn) as [u1 [u2 u3]]; simpl in *; lra))).
  apply (unbounded_compare _ (fun n => exp (- (U n - ln (U n)))) 1 N); [lra| | |exact h].
  - intros; left; apply exp_pos.
  - intros n hn. destruct (hA n hn) as [u1 [u2 u3]]. rewrite Rmult_1_l, <- power_as_exp by lra.
    rewrite weighted_at by lra. apply weighted_falls; lra.
Qed.
