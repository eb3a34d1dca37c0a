(* Laws that only add a bias: gain 1, width 1, no transform. What each of their verdicts takes is a claim about the bias. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness PowerLaws Distance Sphere Gradient.
Open Scope R_scope.

Definition additive (b : nat -> R) : law := plain (fun _ => 1) b (fun _ => 1).

Section Additive.
Variable b : nat -> R.
Let l := additive b.

Lemma additive_within d B : 0 < B -> moments_within (sphere_moments d B l) (fun n => B * 1).
Proof. intros h. apply (sphere_moments_within d B l). intros n. simpl. lra. Qed.

Theorem additive_all_hold d B eta C N : 0 < B -> 0 < eta -> (forall n, (N <= n)%nat -> b n <= C - (1 + eta) * ln (INR n)) ->
  all_hold l B (sphere_moments d B l).
Proof.
  intros hB he h. apply (below_power _ _ _ B _ eta (C + B) N he); [intros; lra|apply additive_within; exact hB|].
  intros n hn. assert (g := h n hn). rewrite Rabs_R1. lra.
Qed.

Theorem additive_all_fail d B C M N : 0 < B -> (forall n, (N <= n)%nat -> - C - ln (INR n) <= b n <= M) -> all_fail l B (sphere_moments d B l).
Proof.
  intros hB h. apply (above_log _ _ _ B _ (C + B) M N); [intros; lra|apply additive_within; exact hB|].
  intros n hn. assert (g := h n hn). rewrite Rabs_R1. lra.
Qed.

Lemma additive_sees_all : sees_all l.
Proof. intros n. apply le_n. Qed.

Theorem additive_content d B : 0 < B -> ldcp_content l (sphere_tails d B l) /\ ldcp_probability l (sphere_tails d B l).
Proof.
  intros hB. assert (h1 : tails_within (sphere_tails d B l) (fun n => B * width l n)) by (apply sphere_tails_within; intros; simpl; lra).
  assert (h2 : tails_likely (sphere_tails d B l) (fun n => B * width l n) (sphere_share d)) by (apply sphere_tails_likely; intros; simpl; lra).
  assert (h3 : forall n, (0 <= n)%nat -> 2 * (B / 2) <= Rabs (gain l n n) * (B * width l n)) by (intros n _; simpl; rewrite Rabs_R1; lra).
  split.
  - apply (content_stays l _ _ _ (B / 2) 0 h1 h2 (sphere_share_positive d) additive_sees_all ltac:(lra) h3).
  - apply (content_stays_likely l _ _ _ (B / 2) 0 h1 h2 (sphere_share_positive d) additive_sees_all ltac:(lra) h3).
Qed.

Theorem additive_not_positive : (forall n, b n <= 0) -> ~ ldcp_signed l.
Proof.
  intros h. apply (bias_not_positive l 0 1). intros L n hn _. simpl. apply Rle_trans with (1 := h n). left. apply Rinv_0_lt_compat.
  change (0 < INR n). apply lt_0_INR. lia.
Qed.

Theorem additive_sinks i N : (forall n, (N <= n)%nat -> b n <= b 0%nat - iter i (INR n)) -> ldcp_literal l /\ ~ ldcp_weight l.
Proof.
  intros h. split.
  - destruct (iter_unbounded i (1 + Rabs (b 0%nat))) as [K [_ hK]]. apply (bias_stays l 1 (Nat.max N K) additive_sees_all Rlt_0_1). intros n hn. simpl.
    assert (h1 := h n ltac:(lia)). assert (h2 := hK n ltac:(lia)). assert (h3 := Rle_abs (b 0%nat)). rewrite Rabs_left; lra.
  - apply (bias_sinks l i N). intros L n hn _. simpl. assert (g := h n hn). lra.
Qed.

Theorem additive_gps d : (0 < d)%nat -> ~ gps_vector d l identity /\ ~ gps_norm d l identity /\ ~ gps_scalar d l identity.
Proof. intros _. apply identity_steady. intros L n n'. reflexivity. Qed.
End Additive.
