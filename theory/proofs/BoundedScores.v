(* Scores that stay bounded, also where they mention L: no reading of cn and eb holds. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness PowerLaws Distance Lengths Sphere Gradient Rotation Additive.
Open Scope R_scope.

Theorem bounded_all_fail l B E K : whole l -> (forall n, 0 <= B * width l n) -> moments_within E (fun n => B * width l n) ->
  (forall L n, (n <= L)%nat -> Rabs (bias l L n) + Rabs (gain l L n) * (B * width l n) <= K) -> all_fail l B E.
Proof.
  intros hl hw hE hK.
  assert (hs : forall c L n, content l B c -> (n <= L)%nat -> - K <= score l c L n <= K).
  { intros c L n hc hn. assert (g := score_between l B c L n hc). unfold below, above, reach in g. assert (k := hK L n hn).
    assert (k1 := Rle_abs (bias l L n)). assert (k2 := Rle_abs (- bias l L n)). rewrite Rabs_Ropp in k2. lra. }
  assert (big : forall M, exists L, M < ln (INR (S L))).
  { intros M. destruct (iter_unbounded 1 M) as [N [_ hN]]. exists N. assert (g := hN (S N) ltac:(lia)). exact g. }
  assert (hz : forall c, content l B c -> ~ Z_finite l c).
  { intros c hc [M hM]. destruct (big (ln (Rabs M + 1) + K)) as [L hL]. assert (g := hM L). rewrite hl in g.
    assert (z := Z_at_least (score l c L) (- K) L (fun n hn => proj1 (hs c L n hc hn))). assert (p := Rabs_pos M). assert (p2 := Rle_abs M).
    assert (q : Rabs M + 1 < INR (S L) * exp (- K)).
    { rewrite <- (exp_ln (Rabs M + 1)) by lra. rewrite <- (exp_ln (INR (S L))) by (apply lt_0_INR; lia). rewrite <- exp_plus. apply exp_increasing. lra. }
    lra. }
  assert (hh : forall c, content l B c -> ~ H_finite l c).
  { intros c hc [M hM]. destruct (big (M + 2 * K)) as [L hL]. assert (g := hM L). rewrite hl in g.
    assert (z := Z_at_least (score l c L) (- K) L (fun n hn => proj1 (hs c L n hc hn))).
    assert (k := H_at_least (score l c L) K L (fun n hn => proj2 (hs c L n hc hn))).
    assert (q : ln (INR (S L)) + - K <= ln (Z (score l c L) L)).
    { rewrite <- (ln_exp (- K)), <- ln_mult by (try apply exp_pos; apply lt_0_INR; lia). apply ln_mono; [|exact z].
      apply Rmult_lt_0_compat; [apply lt_0_INR; lia|apply exp_pos]. }
    lra. }
  assert (h0 := no_content l B hw). split; [|split; [|split; [|split; [|split]]]].
  - intros g. exact (hz _ h0 (g _ h0)).
  - intros [c [hc g]]. exact (hz c hc g).
  - intros [M hM]. destruct (big (ln (Rabs M + 1) + K)) as [L hL]. assert (g := hM L). rewrite hl in g.
    assert (z := Z_at_least (bias l L) (- K) L (fun n hn => ltac:(assert (k := hs _ L n h0 hn); unfold score in k; lra))).
    assert (p := Rabs_pos M). assert (p2 := Rle_abs M).
    assert (q : Rabs M + 1 < INR (S L) * exp (- K)).
    { rewrite <- (exp_ln (Rabs M + 1)) by lra. rewrite <- (exp_ln (INR (S L))) by (apply lt_0_INR; lia). rewrite <- exp_plus. apply exp_increasing. lra. }
    assert (r : Z (bias l L) L <= sum_f_R0 (fun n => exp (bias l L n) * E n (gain l L n)) L).
    { apply sum_le. intros n _. rewrite <- (Rmult_1_r (exp (bias l L n))) at 1. apply Rmult_le_compat_l; [left; apply exp_pos|apply hE]. }
    lra.
  - intros g. exact (hz _ h0 (proj1 (g _ h0))).
  - intros [c [hc [g _]]]. exact (hz c hc g).
  - intros g. exact (hh _ h0 (g _ h0)).
Qed.

(** * Rotations with a constant gain g > 0: block 0 turns by n radians *)

Section Rotary.
Variable g : R.
Hypothesis hg : 0 < g.
Definition rotary : law := plain (fun _ => g) (fun _ => 0) (fun _ => 1).

Theorem rotary_all_fail d B : 0 < B -> all_fail rotary B (sphere_moments d B rotary).
Proof.
  intros hB. apply (bounded_all_fail rotary B _ (g * B)); [intros L; reflexivity|intros; simpl; lra|apply sphere_moments_within; intros; simpl; lra|].
  intros L n _. simpl. rewrite Rabs_R0, Rabs_pos_eq by lra. lra.
Qed.

Theorem rotary_ldcp d B : 0 < B -> ~ ldcp_literal rotary /\ ~ ldcp_signed rotary /\ ldcp_probability rotary (sphere_tails d B rotary) /\
  ldcp_content rotary (sphere_tails d B rotary) /\ ldcp_weight rotary.
Proof.
  intros hB. assert (hp : 0 < g * B) by (apply Rmult_lt_0_compat; assumption).
  assert (small : forall n, (1 <= n)%nat -> 0 <= / iter 0 (INR n)) by (intros n hn; left; apply Rinv_0_lt_compat; change (0 < INR n); apply lt_0_INR; lia).
  assert (h1 : tails_within (sphere_tails d B rotary) (fun n => B * width rotary n)) by (apply sphere_tails_within; intros; simpl; lra).
  assert (h2 : tails_likely (sphere_tails d B rotary) (fun n => B * width rotary n) (sphere_share d)) by (apply sphere_tails_likely; intros; simpl; lra).
  assert (h3 : forall n, (0 <= n)%nat -> 2 * (g * B / 2) <= Rabs (gain rotary n n) * (B * width rotary n)) by (intros n _; simpl; rewrite Rabs_pos_eq; lra).
  assert (all : sees_all rotary) by (intros n; apply le_n). split; [|split; [|split; [|split]]].
  - apply (bias_vanishes rotary 0 1). intros L n hn _. simpl. rewrite Rabs_R0. apply small; exact hn.
  - apply (bias_not_positive rotary 0 1). intros L n hn _. apply small; exact hn.
  - apply (content_stays_likely rotary _ _ _ (g * B / 2) 0 h1 h2 (sphere_share_positive d) all ltac:(lra) h3).
  - apply (content_stays rotary _ _ _ (g * B / 2) 0 h1 h2 (sphere_share_positive d) all ltac:(lra) h3).
  - apply (bias_bounded_below rotary 0 0 all). intros n _. simpl. lra.
Qed.

Variables (h : nat) (theta : nat -> nat -> nat -> R).
Hypotheses (hh : (0 < h)%nat) (first : forall L n, theta L n 0%nat = INR n).

Theorem rotary_gps : gps_vector (h + h) rotary (rotation h theta) /\ ~ gps_norm (h + h) rotary (rotation h theta) /\ ~ gps_scalar (h + h) rotary (rotation h theta).
Proof.
  assert (pi := PI2_3_2). assert (d : forall L, theta L 1%nat 0%nat - theta L 0%nat 0%nat = 1) by (intros L; rewrite 2!first; simpl; ring).
  assert (seen : both_seen rotary 1 0 1) by (intros L hL; simpl; lia). split; [|split].
  - apply (turns h rotary theta hh 1 0 1 0 0%Z seen hh); [intros; simpl; apply Rmult_lt_0_compat; exact hg|intros; rewrite d; lra].
  - apply rotation_norm_fails; [exact hh|]. intros L n n'. reflexivity.
  - apply (turns_scalar h rotary theta hh 1 0 1 0 0%Z seen hh); [intros; simpl; apply Rmult_lt_0_compat; exact hg|intros; rewrite d; lra].
Qed.
End Rotary.

(** * A bias that is v from N on *)

Section Tail.
Variables (b : nat -> R) (v : R) (N : nat).
Hypothesis tail : forall n, (N <= n)%nat -> b n = v.

Theorem tail_all_fail d B : 0 < B -> all_fail (additive b) B (sphere_moments d B (additive b)).
Proof.
  intros hB. apply (additive_all_fail b d B (Rabs v) (Rabs v) (Nat.max 1 N) hB). intros n hn. rewrite tail by lia.
  assert (q := ln_nonneg (INR n) (le_INR 1 n ltac:(lia))). assert (k := Rle_abs v). assert (k2 := Rle_abs (- v)). rewrite Rabs_Ropp in k2. lra.
Qed.

Lemma tail_far (P : R -> Prop) : far (additive b) (fun L n => P (bias (additive b) L n)) -> P v.
Proof. intros h. destruct (h N) as [n [L [hn [_ q]]]]. simpl in q. rewrite tail in q by exact hn. exact q. Qed.

Theorem tail_ldcp d B : 0 < B -> (ldcp_literal (additive b) <-> v <> 0) /\ (ldcp_signed (additive b) <-> 0 < v) /\
  ldcp_probability (additive b) (sphere_tails d B (additive b)) /\ ldcp_content (additive b) (sphere_tails d B (additive b)) /\ ldcp_weight (additive b).
Proof.
  intros hB. split; [|split; [|split; [|split]]].
  - split; [intros [C [hC q]]|intros hv].
    + apply (tail_far (fun x => C <= Rabs x)) in q. intros e. rewrite e, Rabs_R0 in q. lra.
    + apply (bias_stays _ (Rabs v) N (additive_sees_all b) (Rabs_pos_lt v hv)). intros n hn. simpl. rewrite tail by exact hn. lra.
  - split; [intros [C [hC q]]|intros hv].
    + apply (tail_far (fun x => C <= x)) in q. lra.
    + apply (bias_stays_positive _ v N (additive_sees_all b) hv). intros n hn. simpl. rewrite tail by exact hn. lra.
  - apply additive_content; exact hB.
  - apply additive_content; exact hB.
  - apply (bias_bounded_below _ (Rabs (v - b 0%nat)) N (additive_sees_all b)). intros n hn. simpl. rewrite (tail n hn).
    assert (q := Rle_abs (- (v - b 0%nat))). rewrite Rabs_Ropp in q. lra.
Qed.
End Tail.
