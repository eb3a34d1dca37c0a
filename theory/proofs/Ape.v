(* Adaptive positional encoding: every reading but gps scalar (ApeTurns.v), with its region. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness PowerLaws Distance Sphere Gradient Rotation.
Open Scope R_scope.

(* gain 1/(1 + lambda n), bias -delta n - beta log(1 + n) - gamma sqrt(n), width 1 *)
Definition ape_bias (delta beta gamma : R) (n : nat) : R := - delta * INR n - beta * ln (1 + INR n) - gamma * sqrt (INR n).
Definition ape (lambda delta beta gamma : R) : law := plain (fun n => 1 / (1 + lambda * INR n)) (ape_bias delta beta gamma) (fun _ => 1).
(* block j turns by base^(-2j/d) n/(alpha0 (1 + H(n))), H(n) being the entropy of the bias alone, cut at n *)
Definition ape_angle (d : nat) (base alpha0 delta beta gamma : R) (L n j : nat) : R :=
  Rpower base (- 2 * INR j / INR d) * INR n / (alpha0 * (1 + H (ape_bias delta beta gamma) n)).

Section Ape.
Variables lambda delta beta gamma : R.
Hypotheses (hl : 0 < lambda) (hd : 0 <= delta) (hb : 0 <= beta) (hg : 0 <= gamma).
Let l := ape lambda delta beta gamma.

Lemma ape_gain n : 0 < gain l 0 n <= 1.
Proof.
  assert (h := pos_INR n). assert (1 <= 1 + lambda * INR n) by nra. simpl. split; [apply Rdiv_lt_0_compat; lra|].
  apply div_le; lra.
Qed.

Lemma ape_size n : Rabs (gain l 0 n) <= 1.
Proof. assert (h := ape_gain n). rewrite Rabs_pos_eq; lra. Qed.

Lemma ape_terms n : (1 <= n)%nat -> 0 <= ln (1 + INR n) /\ 0 <= sqrt (INR n) /\ 1 <= INR n /\ ln (INR n) <= ln (1 + INR n) <= 1 + ln (INR n).
Proof.
  intros hn. assert (h := le_INR 1 n hn). simpl in h. repeat split.
  - apply ln_nonneg; lra.
  - apply sqrt_pos.
  - exact h.
  - apply ln_mono; lra.
  - replace (1 + ln (INR n)) with (ln (exp 1 * INR n)) by (rewrite ln_mult, ln_exp by (try apply exp_pos; lra); reflexivity).
    apply ln_mono; [lra|]. assert (q := exp_ineq1 1 ltac:(lra)). nra.
Qed.

Lemma ape_bias_negative n : ape_bias delta beta gamma n <= 0.
Proof.
  unfold ape_bias. assert (h := pos_INR n). assert (g := sqrt_pos (INR n)). assert (q := ln_nonneg (1 + INR n) ltac:(lra)). nra.
Qed.

Lemma ape_within d B : 0 < B -> moments_within (sphere_moments d B l) (fun n => B * 1).
Proof. intros h. apply (sphere_moments_within d B l). intros n. simpl. lra. Qed.

Definition region : Prop := delta > 0 \/ gamma > 0 \/ beta > 1.

Theorem ape_all_hold d B : 0 < B -> region -> all_hold l B (sphere_moments d B l).
Proof.
  intros hB h.
  assert (hr : forall n, Rabs (1 / (1 + lambda * INR n)) * (B * 1) <= B) by (intros n; assert (g := ape_size n); simpl in g; nra).
  destruct h as [h|[h|h]].
  - destruct (near_nat _ (ln_below_line (delta / 2) ltac:(lra))) as [N [hN1 hN]].
    apply (below_power _ _ _ B _ 1 B N); [lra|intros; lra|apply ape_within; exact hB|].
    intros n hn. assert (q := hN n hn). destruct (ape_terms n ltac:(lia)) as [p1 [p2 [p3 _]]]. assert (q2 := hr n). unfold ape_bias. nra.
  - destruct (near_nat _ (ln_below_sqrt (gamma / 2) ltac:(lra))) as [N [hN1 hN]].
    apply (below_power _ _ _ B _ 1 B N); [lra|intros; lra|apply ape_within; exact hB|].
    intros n hn. assert (q := hN n hn). destruct (ape_terms n ltac:(lia)) as [p1 [p2 [p3 _]]]. assert (q2 := hr n). unfold ape_bias. nra.
  - apply (below_power _ _ _ B _ (beta - 1) B 1); [lra|intros; lra|apply ape_within; exact hB|].
    intros n hn. destruct (ape_terms n hn) as [p1 [p2 [p3 p4]]]. assert (q2 := hr n). unfold ape_bias. nra.
Qed.

Theorem ape_all_fail d B : 0 < B -> ~ region -> all_fail l B (sphere_moments d B l).
Proof.
  intros hB h. assert (hd0 : delta = 0) by (unfold region in h; destruct hd; [tauto|congruence]).
  assert (hg0 : gamma = 0) by (unfold region in h; destruct hg; [tauto|congruence]).
  assert (hb1 : beta <= 1) by (unfold region in h; destruct (Rle_lt_dec beta 1); [assumption|tauto]).
  apply (above_log _ _ _ B _ (1 + B) 0 1); [intros; lra|apply ape_within; exact hB|].
  intros n hn. destruct (ape_terms n hn) as [p1 [p2 [p3 p4]]]. split; [|apply ape_bias_negative].
  assert (hr : Rabs (1 / (1 + lambda * INR n)) * (B * 1) <= B) by (assert (g := ape_size n); simpl in g; nra).
  unfold ape_bias. rewrite hd0, hg0. nra.
Qed.

(* A reading that holds in the region and fails outside *)
Ltac by_region d B :=
  let h := fresh in let r := fresh in
  intros h; destruct (Classical_Prop.classic region) as [r|r];
    [split; [intros _; exact r|intros _; apply (ape_all_hold d B h r)]
    |split; [intros g; exfalso; revert g; apply (ape_all_fail d B h r)|intros q; destruct (r q)]].

Theorem ape_cn_every_content B : 0 < B -> (cn_every_content l B <-> delta > 0 \/ gamma > 0 \/ beta > 1).
Proof. by_region 2%nat B. Qed.
Theorem ape_cn_some_content B : 0 < B -> (cn_some_content l B <-> delta > 0 \/ gamma > 0 \/ beta > 1).
Proof. by_region 2%nat B. Qed.
Theorem ape_cn_expected d B : 0 < B -> (cn_expected l (sphere_moments d B l) <-> delta > 0 \/ gamma > 0 \/ beta > 1).
Proof. by_region d B. Qed.
Theorem ape_eb_limit B : 0 < B -> (eb_limit l B <-> delta > 0 \/ gamma > 0 \/ beta > 1).
Proof. by_region 2%nat B. Qed.
Theorem ape_eb_some_content B : 0 < B -> (eb_some_content l B <-> delta > 0 \/ gamma > 0 \/ beta > 1).
Proof. by_region 2%nat B. Qed.
Theorem ape_eb_uniform B : 0 < B -> (eb_uniform l B <-> delta > 0 \/ gamma > 0 \/ beta > 1).
Proof. by_region 2%nat B. Qed.

(** * Distance *)

Lemma ape_sees_all : sees_all l.
Proof. intros n. apply le_n. Qed.

Lemma ape_sinks : delta > 0 \/ beta > 0 \/ gamma > 0 ->
  exists i N, (1 <= N)%nat /\ forall n, (N <= n)%nat -> ape_bias delta beta gamma n <= - iter i (INR n).
Proof.
  intros [h|[h|h]].
  - destruct (near_nat _ (ln_below_line delta h)) as [N [hN1 hN]]. exists 1%nat, N. split; [exact hN1|]. intros n hn. assert (q := hN n hn).
    destruct (ape_terms n ltac:(lia)) as [p1 [p2 [p3 _]]]. change (iter 1 (INR n)) with (ln (INR n)). unfold ape_bias. nra.
  - destruct (near_nat _ (iter_below 1 beta h)) as [N [hN1 hN]]. exists 2%nat, N. split; [exact hN1|]. intros n hn. assert (q := hN n hn).
    destruct (ape_terms n ltac:(lia)) as [p1 [p2 [p3 p4]]]. change (iter 1 (INR n)) with (ln (INR n)) in q. unfold ape_bias. nra.
  - destruct (near_nat _ (ln_below_sqrt gamma h)) as [N [hN1 hN]]. exists 1%nat, N. split; [exact hN1|]. intros n hn. assert (q := hN n hn).
    destruct (ape_terms n ltac:(lia)) as [p1 [p2 [p3 _]]]. change (iter 1 (INR n)) with (ln (INR n)). unfold ape_bias. nra.
Qed.

Lemma ape_no_bias : ~ (delta > 0 \/ beta > 0 \/ gamma > 0) -> forall n, ape_bias delta beta gamma n = 0.
Proof.
  intros h n. assert (delta = 0) by (destruct hd; [tauto|congruence]). assert (beta = 0) by (destruct hb; [tauto|congruence]).
  assert (gamma = 0) by (destruct hg; [tauto|congruence]). unfold ape_bias. subst. ring.
Qed.

Lemma ape_bias_start : ape_bias delta beta gamma 0 = 0.
Proof. unfold ape_bias. simpl (INR 0). rewrite Rplus_0_r, ln_1, sqrt_0. ring. Qed.

Theorem ape_ldcp_literal : ldcp_literal l <-> delta > 0 \/ beta > 0 \/ gamma > 0.
Proof.
  destruct (Classical_Prop.classic (delta > 0 \/ beta > 0 \/ gamma > 0)) as [h|h]; split; try tauto; intros g.
  - destruct (ape_sinks h) as [i [N [hN1 hN]]]. destruct (iter_unbounded i 1) as [K [_ hK]].
    apply (bias_stays l 1 (Nat.max N K) ape_sees_all Rlt_0_1). intros n hn. simpl.
    assert (h1 := hN n ltac:(lia)). assert (h2 := hK n ltac:(lia)). rewrite Rabs_left by lra. lra.
  - exfalso. revert g. apply (bias_vanishes l 0 1). intros L n hn _. simpl. rewrite (ape_no_bias h), Rabs_R0.
    left. apply Rinv_0_lt_compat. change (0 < INR n). apply lt_0_INR. lia.
Qed.

Theorem ape_ldcp_signed : ~ ldcp_signed l.
Proof.
  apply (bias_not_positive l 0 1). intros L n hn _. simpl. apply Rle_trans with 0; [apply ape_bias_negative|].
  left. apply Rinv_0_lt_compat. change (0 < INR n). apply lt_0_INR. lia.
Qed.

(* |f| B is at most B/(lambda n): below 1/log n near infinity *)
Lemma ape_content_small B : 0 < B -> exists N, (1 <= N)%nat /\ forall n, (N <= n)%nat -> Rabs (1 / (1 + lambda * INR n)) * (B * 1) <= / iter 1 (INR n).
Proof.
  intros hB. destruct (near_nat _ (ln_below_line (lambda / B) ltac:(apply Rdiv_lt_0_compat; lra))) as [N [hN1 hN]].
  destruct (iter_unbounded 1 0) as [K [_ hK]]. exists (Nat.max N K). split; [lia|]. intros n hn.
  assert (h := hN n ltac:(lia)). assert (g := hK n ltac:(lia)). change (iter 1 (INR n)) with (ln (INR n)) in *.
  assert (hn1 := le_INR 1 n ltac:(lia)). simpl in hn1. assert (hp : 0 < 1 + lambda * INR n) by nra.
  rewrite Rabs_pos_eq by (left; apply Rdiv_lt_0_compat; lra).
  replace (1 / (1 + lambda * INR n) * (B * 1)) with (B / (1 + lambda * INR n)) by (field; lra).
  apply div_le; [exact hp|]. apply Rmult_le_reg_l with (ln (INR n)); [exact g|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  assert (e : B * ln (INR n) <= lambda * INR n).
  { replace (lambda * INR n) with (B * (lambda / B * INR n)) by (field; lra). apply Rmult_le_compat_l; lra. }
  lra.
Qed.

Lemma ape_tails d B : 0 < B -> tails_within (sphere_tails d B l) (fun n => B * width l n).
Proof. intros h. apply sphere_tails_within. intros n. simpl. lra. Qed.

Theorem ape_ldcp_content d B : 0 < B -> ~ ldcp_content l (sphere_tails d B l).
Proof.
  intros h. destruct (ape_content_small B h) as [N [hN1 hN]].
  apply (content_vanishes l _ (fun n => B * width l n) 1 N (ape_tails d B h)). intros L n hn _. apply hN; exact hn.
Qed.

Theorem ape_ldcp_probability d B : 0 < B -> (ldcp_probability l (sphere_tails d B l) <-> delta > 0 \/ beta > 0 \/ gamma > 0).
Proof.
  intros hB. destruct (Classical_Prop.classic (delta > 0 \/ beta > 0 \/ gamma > 0)) as [h|h]; split; try tauto; intros g.
  - destruct (ape_sinks h) as [i [N [hN1 hN]]]. destruct (iter_unbounded i 1) as [K [_ hK]].
    apply (bias_stays_probability l _ _ 1 (Nat.max N K) (ape_tails d B hB) ape_sees_all Rlt_0_1). intros n hn. simpl.
    assert (h1 := hN n ltac:(lia)). assert (h2 := hK n ltac:(lia)). rewrite Rabs_left by lra. lra.
  - exfalso. revert g. destruct (ape_content_small B hB) as [N [hN1 hN]].
    apply (both_vanish l _ (fun n => B * width l n) 0 1 N (ape_tails d B hB)). intros L n hn _. split.
    + simpl. rewrite (ape_no_bias h), Rabs_R0. left. apply Rinv_0_lt_compat. change (0 < INR n). apply lt_0_INR. lia.
    + apply hN; exact hn.
Qed.

Theorem ape_ldcp_weight : ldcp_weight l <-> delta = 0 /\ beta = 0 /\ gamma = 0.
Proof.
  destruct (Classical_Prop.classic (delta > 0 \/ beta > 0 \/ gamma > 0)) as [h|h]; split; intros g.
  - exfalso. revert g. destruct (ape_sinks h) as [i [N [hN1 hN]]]. apply (bias_sinks l i N). intros L n hn _. simpl.
    rewrite ape_bias_start, Rminus_0_r. apply hN; exact hn.
  - exfalso. lra.
  - lra.
  - apply (bias_bounded_below l 0 0 ape_sees_all). intros n _. simpl. rewrite 2!(ape_no_bias h). lra.
Qed.

(** * Gradient *)

Theorem ape_gps_norm h theta : (0 < h)%nat -> gps_norm (h + h) l (rotation h theta).
Proof.
  intros hh. apply (rotation_norm_holds h l theta hh 1 1 0); [intros L hL; simpl; lia|]. intros L _. simpl. apply Rlt_not_eq.
  rewrite Rmult_0_r, Rplus_0_r, Rmult_1_r, Rdiv_1, Rabs_R1. rewrite Rabs_pos_eq by (left; apply Rdiv_lt_0_compat; lra).
  apply Rmult_lt_reg_r with (1 + lambda); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Theorem ape_gps_vector h theta : (0 < h)%nat -> gps_vector (h + h) l (rotation h theta).
Proof. intros hh. apply vector_of_norm. apply ape_gps_norm; exact hh. Qed.
End Ape.
