(* Attention with linear biases: every reading, with its region. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness PowerLaws Distance Sphere Gradient.
Open Scope R_scope.

(* gain 1, bias -m n, width 1 *)
Definition alibi (m : R) : law := plain (fun _ => 1) (fun n => - m * INR n) (fun _ => 1).

Lemma alibi_within d m B : 0 < B -> moments_within (sphere_moments d B (alibi m)) (fun n => B * 1).
Proof. intros h. apply (sphere_moments_within d B (alibi m)). intros n. simpl. lra. Qed.

Theorem alibi_all_hold d m B : 0 < B -> 0 < m -> all_hold (alibi m) B (sphere_moments d B (alibi m)).
Proof.
  intros hB hm. destruct (near_nat _ (ln_below_line (m / 2) ltac:(lra))) as [N [hN1 hN]].
  apply (below_power _ _ _ B _ 1 B N); [lra|intros; lra|apply alibi_within; exact hB|].
  intros n hn. assert (h := hN n hn). rewrite Rabs_R1. lra.
Qed.

Theorem alibi_all_fail d m B : 0 < B -> m = 0 -> all_fail (alibi m) B (sphere_moments d B (alibi m)).
Proof.
  intros hB hm. apply (above_log _ _ _ B _ B 0 1); [intros; lra|apply alibi_within; exact hB|].
  intros n hn. assert (g := ln_nonneg (INR n) (le_INR 1 n hn)). rewrite Rabs_R1, hm. lra.
Qed.

(* A reading that holds for m > 0 and fails for m = 0 *)
Ltac region d m B :=
  let g := fresh in let h := fresh in
  intros hm hB; split;
    [intros g; destruct hm as [h|h]; [exact h|exfalso; revert g; apply (alibi_all_fail d m B hB (eq_sym h))]
    |intros g; apply (alibi_all_hold d m B hB g)].

Theorem alibi_cn_every_content m B : 0 <= m -> 0 < B -> (cn_every_content (alibi m) B <-> 0 < m).
Proof. region 2%nat m B. Qed.
Theorem alibi_cn_some_content m B : 0 <= m -> 0 < B -> (cn_some_content (alibi m) B <-> 0 < m).
Proof. region 2%nat m B. Qed.
Theorem alibi_cn_expected d m B : 0 <= m -> 0 < B -> (cn_expected (alibi m) (sphere_moments d B (alibi m)) <-> 0 < m).
Proof. region d m B. Qed.
Theorem alibi_eb_limit m B : 0 <= m -> 0 < B -> (eb_limit (alibi m) B <-> 0 < m).
Proof. region 2%nat m B. Qed.
Theorem alibi_eb_some_content m B : 0 <= m -> 0 < B -> (eb_some_content (alibi m) B <-> 0 < m).
Proof. region 2%nat m B. Qed.
Theorem alibi_eb_uniform m B : 0 <= m -> 0 < B -> (eb_uniform (alibi m) B <-> 0 < m).
Proof. region 2%nat m B. Qed.

Lemma alibi_sees_all m : sees_all (alibi m).
Proof. intros n. apply le_n. Qed.

Theorem alibi_ldcp_literal m : 0 <= m -> (ldcp_literal (alibi m) <-> 0 < m).
Proof.
  intros hm. split.
  - intros g. destruct hm as [h|h]; [exact h|exfalso]. revert g. apply (bias_vanishes _ 0 1). intros L n hn _. simpl.
    rewrite <- h, Ropp_0, Rmult_0_l, Rabs_R0. left. apply Rinv_0_lt_compat. change (0 < INR n). apply lt_0_INR. lia.
  - intros h. apply (bias_stays _ m 1 (alibi_sees_all m) h). intros n hn. simpl. assert (g := le_INR 1 n hn). simpl in g.
    rewrite Rabs_left1 by nra. nra.
Qed.

Theorem alibi_ldcp_signed m : 0 <= m -> ~ ldcp_signed (alibi m).
Proof.
  intros hm. apply (bias_not_positive _ 0 1). intros L n hn _. simpl. apply Rle_trans with 0.
  - assert (g := pos_INR n). nra.
  - left. apply Rinv_0_lt_compat. change (0 < INR n). apply lt_0_INR. lia.
Qed.

Theorem alibi_ldcp_content d m B : 0 <= m -> 0 < B -> ldcp_content (alibi m) (sphere_tails d B (alibi m)).
Proof.
  intros hm h. apply (content_stays _ _ (fun n => B * width (alibi m) n) (sphere_share d) (B / 2) 0).
  - apply sphere_tails_within. intros n. simpl. lra.
  - apply sphere_tails_likely. intros n. simpl. lra.
  - apply sphere_share_positive.
  - apply alibi_sees_all.
  - lra.
  - intros n _. simpl. rewrite Rabs_R1. lra.
Qed.

Theorem alibi_ldcp_probability d m B : 0 <= m -> 0 < B -> ldcp_probability (alibi m) (sphere_tails d B (alibi m)).
Proof.
  intros hm h. apply (content_stays_likely _ _ (fun n => B * width (alibi m) n) (sphere_share d) (B / 2) 0).
  - apply sphere_tails_within. intros n. simpl. lra.
  - apply sphere_tails_likely. intros n. simpl. lra.
  - apply sphere_share_positive.
  - apply alibi_sees_all.
  - lra.
  - intros n _. simpl. rewrite Rabs_R1. lra.
Qed.

Theorem alibi_ldcp_weight m : 0 <= m -> (ldcp_weight (alibi m) <-> m = 0).
Proof.
  intros hm. split.
  - intros g. destruct hm as [h|h]; [exfalso|symmetry; exact h]. revert g.
    destruct (near_nat _ (ln_below_line m h)) as [N [hN1 hN]]. apply (bias_sinks _ 1 N). intros L n hn _. simpl.
    change (iter 1 (INR n)) with (ln (INR n)). assert (g := hN n hn). lra.
  - intros h. apply (bias_bounded_below _ 0 0 (alibi_sees_all m)). intros n _. simpl. rewrite h. lra.
Qed.

Lemma alibi_steady m : steady (alibi m).
Proof. intros L n n'. reflexivity. Qed.

Theorem alibi_gps_vector d m : (0 < d)%nat -> ~ gps_vector d (alibi m) identity.
Proof. intros _. apply identity_steady, alibi_steady. Qed.

Theorem alibi_gps_norm d m : (0 < d)%nat -> ~ gps_norm d (alibi m) identity.
Proof. intros _. apply identity_steady, alibi_steady. Qed.

Theorem alibi_gps_scalar d m : (0 < d)%nat -> ~ gps_scalar d (alibi m) identity.
Proof. intros _. apply identity_steady, alibi_steady. Qed.
