(* T1 of docs/certificates.md as rules for the readings of convergent normalization, for laws that do not mention L. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents.
Open Scope R_scope.

Lemma infinite_Z f b w c : unbounded (Z (score (plain f b w) c 0)) -> ~ Z_finite (plain f b w) c.
Proof. intros h g. apply (not_bounded _ h). exact g. Qed.

(* sum-converges, score above *)
Theorem cn_every_content_holds f b w B k eta C N : 0 < eta -> positive k (INR N) ->
  (forall n, (N <= n)%nat -> b n + Rabs (f n) * (B * w n) <= C - logs k (INR n) - (1 + eta) * iter (S k) (INR n)) ->
  cn_every_content (plain f b w) B.
Proof.
  intros he hp h c hc. refine (sum_converges (score (plain f b w) c 0) k eta C N he hp _). intros n hn.
  destruct (score_between _ _ _ 0%nat n hc) as [_ g]. assert (h' := h n hn). unfold above, reach in g. simpl in g. simpl. lra.
Qed.

(* sum-diverges, score above *)
Theorem cn_every_content_fails f b w B k C N : positive k (INR N) -> (forall n, 0 <= B * w n) ->
  (forall n, (N <= n)%nat -> - C - logs (S k) (INR n) <= b n + Rabs (f n) * (B * w n)) ->
  ~ cn_every_content (plain f b w) B.
Proof.
  intros hp hw h g. destruct (top_content (plain f b w) B (steady_plain f b w) hw) as [c [hc e]].
  apply (infinite_Z f b w c); [|apply g; exact hc].
  apply (sum_diverges _ k C N hp). intros n hn. rewrite e. apply h; exact hn.
Qed.

(* sum-converges, score below *)
Theorem cn_some_content_holds f b w B k eta C N : 0 < eta -> positive k (INR N) -> (forall n, 0 <= B * w n) ->
  (forall n, (N <= n)%nat -> b n - Rabs (f n) * (B * w n) <= C - logs k (INR n) - (1 + eta) * iter (S k) (INR n)) ->
  cn_some_content (plain f b w) B.
Proof.
  intros he hp hw h. destruct (bottom_content (plain f b w) B (steady_plain f b w) hw) as [c [hc e]].
  exists c. split; [exact hc|]. refine (sum_converges (score (plain f b w) c 0) k eta C N he hp _). intros n hn. rewrite e. apply h; exact hn.
Qed.

(* sum-diverges, score below *)
Theorem cn_some_content_fails f b w B k C N : positive k (INR N) ->
  (forall n, (N <= n)%nat -> - C - logs (S k) (INR n) <= b n - Rabs (f n) * (B * w n)) ->
  ~ cn_some_content (plain f b w) B.
Proof.
  intros hp h [c [hc g]]. revert g. apply infinite_Z. apply (sum_diverges _ k C N hp). intros n hn.
  destruct (score_between _ _ _ 0%nat n hc) as [g _]. assert (h' := h n hn). unfold below, reach in g. simpl in g. simpl. lra.
Qed.

(* What every-content and some-content have in common where one of them decides. *)
Lemma cn_some_of_every f b w B : (forall n, 0 <= B * w n) -> cn_every_content (plain f b w) B -> cn_some_content (plain f b w) B.
Proof. intros hw h. exists (fun _ => 0). assert (g := no_content (plain f b w) B hw). split; [exact g|apply h; exact g]. Qed.

(** * expected *)

(* Symmetric content within r(n): by convexity the expectation of e^(u c) is at least 1. *)
Definition moments_within (E : moments) (r : nat -> R) : Prop := forall n u, 1 <= E n u <= exp (Rabs u * r n).

Theorem cn_expected_holds f b w B E k eta C N : 0 < eta -> positive k (INR N) -> moments_within E (fun n => B * w n) ->
  (forall n, (N <= n)%nat -> b n + Rabs (f n) * (B * w n) <= C - logs k (INR n) - (1 + eta) * iter (S k) (INR n)) ->
  cn_expected (plain f b w) E.
Proof.
  intros he hp hE h.
  assert (hb := sum_converges (fun n => b n + Rabs (f n) * (B * w n)) k eta C N he hp h).
  apply (bounded_compare (fun n => exp (b n) * E n (f n)) (fun n => exp (b n + Rabs (f n) * (B * w n))) 1 0); [lra| | |exact hb].
  - intros; left; apply exp_pos.
  - intros n _. rewrite exp_plus, Rmult_1_l. apply Rmult_le_compat_l; [left; apply exp_pos|apply hE].
Qed.

Theorem cn_expected_fails f b w B E k C N : positive k (INR N) -> moments_within E (fun n => B * w n) ->
  (forall n, (N <= n)%nat -> - C - logs (S k) (INR n) <= b n) -> ~ cn_expected (plain f b w) E.
Proof.
  intros hp hE h g. revert g. apply not_bounded.
  apply (unbounded_compare (fun n => exp (b n) * E n (f n)) (fun n => exp (b n)) 1 0); [lra| | |].
  - intros; left; apply exp_pos.
  - intros n _. rewrite Rmult_1_l, <- (Rmult_1_r (exp (b n))) at 1. apply Rmult_le_compat_l; [left; apply exp_pos|apply hE].
  - apply (sum_diverges b k C N hp h).
Qed.

(* score mean: where content follows Laplace's law E e^(u c) ~ e^a / a^p, a = |u| B w (theorem X1 of docs/theorems.md is the
   hypothesis; for identity and rotations p = (d - 1)/2) *)
Theorem cn_expected_holds_mean f b w B E p kappa k eta C N : 0 < eta -> 0 < kappa -> positive k (INR N) ->
  (forall n u, 0 <= E n u) ->
  (forall n u, 1 <= Rabs u * (B * w n) -> E n u <= kappa * exp (Rabs u * (B * w n) - p * ln (Rabs u * (B * w n)))) ->
  (forall n, (N <= n)%nat -> 1 <= Rabs (f n) * (B * w n) /\
    b n + Rabs (f n) * (B * w n) - p * ln (Rabs (f n) * (B * w n)) <= C - logs k (INR n) - (1 + eta) * iter (S k) (INR n)) ->
  cn_expected (plain f b w) E.
Proof.
  intros he hk hp hE0 hE h.
  assert (hb := sum_converges (fun n => b n + Rabs (f n) * (B * w n) - p * ln (Rabs (f n) * (B * w n))) k eta C N he hp
    (fun n hn => proj2 (h n hn))).
  apply (bounded_compare (fun n => exp (b n) * E n (f n))
    (fun n => exp (b n + Rabs (f n) * (B * w n) - p * ln (Rabs (f n) * (B * w n)))) kappa N); [lra| | |exact hb].
  - intros; left; apply exp_pos.
  - intros n hn. replace (b n + Rabs (f n) * (B * w n) - p * ln (Rabs (f n) * (B * w n)))
      with (b n + (Rabs (f n) * (B * w n) - p * ln (Rabs (f n) * (B * w n)))) by ring.
    rewrite exp_plus, <- Rmult_assoc, (Rmult_comm kappa), Rmult_assoc.
    apply Rmult_le_compat_l; [left; apply exp_pos|apply hE; apply h; exact hn].
Qed.

Theorem cn_expected_fails_mean f b w B E p kappa k C N : 0 < kappa -> positive k (INR N) ->
  (forall n u, 1 <= Rabs u * (B * w n) -> kappa * exp (Rabs u * (B * w n) - p * ln (Rabs u * (B * w n))) <= E n u) ->
  (forall n, (N <= n)%nat -> 1 <= Rabs (f n) * (B * w n) /\
    - C - logs (S k) (INR n) <= b n + Rabs (f n) * (B * w n) - p * ln (Rabs (f n) * (B * w n))) ->
  ~ cn_expected (plain f b w) E.
Proof.
  intros hk hp hE h g. revert g. apply not_bounded.
  apply (unbounded_compare (fun n => exp (b n) * E n (f n))
    (fun n => exp (b n + Rabs (f n) * (B * w n) - p * ln (Rabs (f n) * (B * w n)))) kappa N); [exact hk| | |].
  - intros; left; apply exp_pos.
  - intros n hn. replace (b n + Rabs (f n) * (B * w n) - p * ln (Rabs (f n) * (B * w n)))
      with (b n + (Rabs (f n) * (B * w n) - p * ln (Rabs (f n) * (B * w n)))) by ring.
    rewrite exp_plus, <- Rmult_assoc, (Rmult_comm kappa), Rmult_assoc.
    apply Rmult_le_compat_l; [left; apply exp_pos|apply hE; apply h; exact hn].
  - apply (sum_diverges _ k C N hp). intros n hn. apply h; exact hn.
Qed.
