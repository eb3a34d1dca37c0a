(* Rotary position embedding: every reading. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness PowerLaws Distance Sphere Gradient Rotation.
Open Scope R_scope.

(* gain 1, bias 0, width 1; block j turns by base^(-2j/d) n *)
Definition rope : law := plain (fun _ => 1) (fun _ => 0) (fun _ => 1).
Definition rope_angle (d : nat) (base : R) (L n j : nat) : R := Rpower base (- 2 * INR j / INR d) * INR n.

Lemma rope_within d B : 0 < B -> moments_within (sphere_moments d B rope) (fun n => B * 1).
Proof. intros h. apply (sphere_moments_within d B rope). intros n. simpl. lra. Qed.

Theorem rope_all_fail d B : 0 < B -> all_fail rope B (sphere_moments d B rope).
Proof.
  intros h. apply (above_log _ _ _ B _ B 0 1); [intros; lra|apply rope_within; exact h|].
  intros n hn. assert (g := ln_nonneg (INR n) (le_INR 1 n hn)). rewrite Rabs_R1. lra.
Qed.

Theorem rope_cn_every_content B : 0 < B -> ~ cn_every_content rope B.
Proof. intros h. apply (rope_all_fail 2 B h). Qed.
Theorem rope_cn_some_content B : 0 < B -> ~ cn_some_content rope B.
Proof. intros h. apply (rope_all_fail 2 B h). Qed.
Theorem rope_cn_expected d B : 0 < B -> ~ cn_expected rope (sphere_moments d B rope).
Proof. intros h. apply (rope_all_fail d B h). Qed.
Theorem rope_eb_limit B : 0 < B -> ~ eb_limit rope B.
Proof. intros h. apply (rope_all_fail 2 B h). Qed.
Theorem rope_eb_some_content B : 0 < B -> ~ eb_some_content rope B.
Proof. intros h. apply (rope_all_fail 2 B h). Qed.
Theorem rope_eb_uniform B : 0 < B -> ~ eb_uniform rope B.
Proof. intros h. apply (rope_all_fail 2 B h). Qed.

Lemma rope_sees_all : sees_all rope.
Proof. intros n. apply le_n. Qed.

Lemma rope_vanishes : forall L n, (1 <= n)%nat -> (n <= last rope L)%nat -> Rabs (bias rope L n) <= / iter 0 (INR n).
Proof.
  intros L n hn _. simpl. rewrite Rabs_R0. left. apply Rinv_0_lt_compat. change (0 < INR n). apply lt_0_INR. lia.
Qed.

Theorem rope_ldcp_literal : ~ ldcp_literal rope.
Proof. apply (bias_vanishes rope 0 1). apply rope_vanishes. Qed.

Theorem rope_ldcp_signed : ~ ldcp_signed rope.
Proof.
  apply (bias_not_positive rope 0 1). intros L n hn hL. apply Rle_trans with (2 := rope_vanishes L n hn hL). apply Rle_abs.
Qed.

Theorem rope_ldcp_content d B : 0 < B -> ldcp_content rope (sphere_tails d B rope).
Proof.
  intros h. apply (content_stays rope _ (fun n => B * width rope n) (sphere_share d) (B / 2) 0).
  - apply sphere_tails_within. intros n. simpl. lra.
  - apply sphere_tails_likely. intros n. simpl. lra.
  - apply sphere_share_positive.
  - apply rope_sees_all.
  - lra.
  - intros n _. simpl. rewrite Rabs_R1. lra.
Qed.

Theorem rope_ldcp_probability d B : 0 < B -> ldcp_probability rope (sphere_tails d B rope).
Proof. intros h. exact (rope_ldcp_content d B h). Qed.

Theorem rope_ldcp_weight : ldcp_weight rope.
Proof. apply (bias_bounded_below rope 0 0 rope_sees_all). intros n _. simpl. lra. Qed.

Lemma rope_first_turn d base L : rope_angle d base L 1 0 - rope_angle d base L 0 0 = 1.
Proof.
  unfold rope_angle. replace (- 2 * INR 0 / INR d) with 0 by (simpl; unfold Rdiv; ring).
  simpl. unfold Rpower. rewrite Rmult_0_l, exp_0. ring.
Qed.

Lemma rope_sees n : both_seen rope n 0 n.
Proof. intros L hL. simpl. lia. Qed.

(* d = 2h dimensions *)
Theorem rope_gps_vector h base : (0 < h)%nat -> 1 < base -> gps_vector (h + h) rope (rotation h (rope_angle (h + h) base)).
Proof.
  intros hh hb. apply (turns h rope _ hh 1 0 1 0 0%Z (rope_sees 1) hh); [intros; simpl; lra|]. intros L _.
  rewrite rope_first_turn. assert (g := PI_RGT_0). assert (g2 := PI2_3_2). lra.
Qed.

Theorem rope_gps_norm h base : (0 < h)%nat -> 1 < base -> ~ gps_norm (h + h) rope (rotation h (rope_angle (h + h) base)).
Proof. intros hh hb. apply rotation_norm_fails; [exact hh|]. intros L n n'. reflexivity. Qed.

Theorem rope_gps_scalar h base : (0 < h)%nat -> 1 < base -> ~ gps_scalar (h + h) rope (rotation h (rope_angle (h + h) base)).
Proof.
  intros hh hb. apply (turns_scalar h rope _ hh 1 0 1 0 0%Z (rope_sees 1) hh); [intros; simpl; lra|]. intros L _.
  rewrite rope_first_turn. assert (g2 := PI2_3_2). lra.
Qed.
