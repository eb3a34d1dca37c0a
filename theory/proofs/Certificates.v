(* The rules of docs/certificates.md as check-properties --coq applies them: what a rule claims for all large n is one inequality
   0 <= E(n) near infinity, for each claim. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Orders Asymptotics Steps Sums Contents Normalization Entropy Boundedness Distance Lengths Sphere.
Import ListNotations.
Open Scope R_scope.

Lemma eventually_ladder k P : eventually P -> exists N, positive k (INR N) /\ forall n, (N <= n)%nat -> P n.
Proof.
  intros h. destruct (eventually_and _ _ (eventually_near _ (near_positive k)) h) as [N g]. exists N. split; [apply g; lia|].
  intros n hn. apply g. exact hn.
Qed.

(** * Sums: T1 and T2 *)

Section Sums.
Variables f b w : nat -> R.
Variable B : R.
Hypothesis hw : forall n, 0 <= B * w n.
Let l := plain f b w.
Let A (n : nat) : R := b n + Rabs (f n) * (B * w n).
Let a (n : nat) : R := b n - Rabs (f n) * (B * w n).

Definition converging (k : nat) (eta C : R) (s : nat -> R) (n : nat) : R := C - logs k (INR n) - (1 + eta) * iter (S k) (INR n) - s n.
Definition diverging (k : nat) (C : R) (s : nat -> R) (n : nat) : R := s n + C + logs (S k) (INR n).

Ltac ladder h k := let N := fresh "N" in let p := fresh "p" in let g := fresh "g" in
  destruct (eventually_ladder k _ h) as [N [p g]].

Theorem sum_converges_every_content k eta C : 0 < eta -> eventually (fun n => 0 <= converging k eta C A n) -> cn_every_content l B.
Proof using All. intros he h. ladder h k. apply (cn_every_content_holds f b w B k eta C N he p). intros n hn. assert (q := g n hn). unfold converging, A in q. lra. Qed.

Theorem sum_converges_some_content k eta C : 0 < eta -> eventually (fun n => 0 <= converging k eta C a n) -> cn_some_content l B.
Proof using All. intros he h. ladder h k. apply (cn_some_content_holds f b w B k eta C N he p hw). intros n hn. assert (q := g n hn). unfold converging, a in q. lra. Qed.

Theorem sum_converges_expected d k eta C : 0 < eta -> eventually (fun n => 0 <= converging k eta C A n) -> cn_expected l (sphere_moments d B l).
Proof using All.
  intros he h. ladder h k. apply (cn_expected_holds f b w B _ k eta C N he p (sphere_moments_within d B l hw)). intros n hn.
  assert (q := g n hn). unfold converging, A in q. lra.
Qed.

Theorem sum_diverges_every_content k C : eventually (fun n => 0 <= diverging k C A n) -> ~ cn_every_content l B.
Proof using All. intros h. ladder h k. apply (cn_every_content_fails f b w B k C N p hw). intros n hn. assert (q := g n hn). unfold diverging, A in q. lra. Qed.

Theorem sum_diverges_some_content k C : eventually (fun n => 0 <= diverging k C a n) -> ~ cn_some_content l B.
Proof using All. intros h. ladder h k. apply (cn_some_content_fails f b w B k C N p). intros n hn. assert (q := g n hn). unfold diverging, a in q. lra. Qed.

Theorem sum_diverges_expected d k C : eventually (fun n => 0 <= diverging k C b n) -> ~ cn_expected l (sphere_moments d B l).
Proof using All.
  intros h. ladder h k. apply (cn_expected_fails f b w B _ k C N p (sphere_moments_within d B l hw)). intros n hn.
  assert (q := g n hn). unfold diverging in q. lra.
Qed.

Theorem sum_diverges_limit k C : eventually (fun n => 0 <= diverging k C A n) -> ~ eb_limit l B.
Proof using All. intros h. ladder h k. apply (eb_limit_fails f b w B k C N p hw). intros n hn. assert (q := g n hn). unfold diverging, A in q. lra. Qed.

Theorem sum_diverges_entropy_some_content k C : eventually (fun n => 0 <= diverging k C a n) -> ~ eb_some_content l B.
Proof using All. intros h. ladder h k. apply (eb_some_content_fails f b w B k C N p). intros n hn. assert (q := g n hn). unfold diverging, a in q. lra. Qed.

Definition falling (k : nat) (eta C : R) (U : nat -> R) (n : nat) : R := C + U n - ln (U n) - logs k (INR n) - (1 + eta) * iter (S k) (INR n).

Theorem weighted_sum_converges_limit U k eta C : 0 < eta -> eventually (fun n => 0 <= U n - 1) -> eventually (fun n => 0 <= - A n - U n) ->
  eventually (fun n => 0 <= falling k eta C U n) -> eb_limit l B.
Proof using All.
  intros he h1 h2 h3. assert (h := eventually_and _ _ h1 (eventually_and _ _ h2 h3)). ladder h k. apply (eb_limit_holds f b w B U k eta C N he p).
  intros n hn. destruct (g n hn) as [q1 [q2 q3]]. unfold falling, A in *. repeat split; lra.
Qed.

Theorem weighted_sum_converges_uniform U k eta C : 0 < eta -> eventually (fun n => 0 <= U n - 1) -> eventually (fun n => 0 <= - A n - U n) ->
  eventually (fun n => 0 <= falling k eta C U n) -> eb_uniform l B.
Proof using All. intros he h1 h2 h3 c hc. apply (weighted_sum_converges_limit U k eta C he h1 h2 h3 c hc). Qed.

Theorem weighted_sum_converges_some_content U k eta C : 0 < eta -> eventually (fun n => 0 <= U n - 1) -> eventually (fun n => 0 <= - a n - U n) ->
  eventually (fun n => 0 <= falling k eta C U n) -> eb_some_content l B.
Proof using All.
  intros he h1 h2 h3. assert (h := eventually_and _ _ h1 (eventually_and _ _ h2 h3)). ladder h k. apply (eb_some_content_holds f b w B U k eta C N he p hw).
  intros n hn. destruct (g n hn) as [q1 [q2 q3]]. unfold falling, a in *. repeat split; lra.
Qed.

Lemma diverges_bounded e M k C : -1 <= e <= 1 -> eventually (fun n => 0 <= diverging k C (fun n => b n + e * (Rabs (f n) * (B * w n))) n) ->
  eventually (fun n => 0 <= M - (b n + e * (Rabs (f n) * (B * w n)))) -> ~ eb_uniform l B.
Proof using All.
  intros he h1 h2. assert (h := eventually_and _ _ h1 h2). ladder h k. apply (eb_uniform_fails_bounded f b w B e M k C N he p hw).
  intros n hn. destruct (g n hn) as [q1 q2]. unfold diverging in q1. lra.
Qed.

Theorem sum_diverges_bounded_b M k C : eventually (fun n => 0 <= diverging k C b n) -> eventually (fun n => 0 <= M - b n) -> ~ eb_uniform l B.
Proof using All.
  intros h1 h2. apply (diverges_bounded 0 M k C); [lra| |].
  - apply (eventually_imp _ _) with (2 := h1). intros n. unfold diverging. lra.
  - apply (eventually_imp _ _) with (2 := h2). intros n. lra.
Qed.

Theorem sum_diverges_bounded_above M k C : eventually (fun n => 0 <= diverging k C A n) -> eventually (fun n => 0 <= M - A n) -> ~ eb_uniform l B.
Proof using All.
  intros h1 h2. apply (diverges_bounded 1 M k C); [lra| |].
  - apply (eventually_imp _ _) with (2 := h1). intros n. unfold diverging, A. lra.
  - apply (eventually_imp _ _) with (2 := h2). intros n. unfold A. lra.
Qed.

Theorem sum_diverges_bounded_below M k C : eventually (fun n => 0 <= diverging k C a n) -> eventually (fun n => 0 <= M - a n) -> ~ eb_uniform l B.
Proof using All.
  intros h1 h2. apply (diverges_bounded (-1) M k C); [lra| |].
  - apply (eventually_imp _ _) with (2 := h1). intros n. unfold diverging, a. lra.
  - apply (eventually_imp _ _) with (2 := h2). intros n. unfold a. lra.
Qed.
End Sums.

(** * Scores whose gain mentions L alone: T3 *)

Section Lengths.
Variables F w : nat -> R.
Variable B : R.
Hypothesis hw : forall n, 0 <= B * w n.
Let l := {| gain := fun L _ => F L; bias := fun _ _ => 0; width := w; last := fun L => L |}.

Lemma lengths_whole : whole l.
Proof. intros L. reflexivity. Qed.

Lemma lengths_zero L n : bias l L n = 0.
Proof. reflexivity. Qed.
End Lengths.

(** * Distance: T4. The gain may mention L. *)

Section Distance.
Variable F : nat -> nat -> R.
Variables b w : nat -> R.
Let l := {| gain := F; bias := fun _ => b; width := w; last := fun L => L |}.

Lemma distance_sees_all : sees_all l.
Proof. intros n. apply le_n. Qed.

Lemma tails_in d B : (forall n, 0 < B * w n) -> tails_within (sphere_tails d B l) (fun n => B * w n).
Proof. intros h. apply (sphere_tails_within d B l). exact h. Qed.

Lemma stays_away c : eventually (fun n => 0 <= b n - c) \/ eventually (fun n => 0 <= - b n - c) -> eventually (fun n => c <= Rabs (b n)).
Proof.
  intros [h|h]; revert h; apply eventually_imp; intros n h.
  - assert (g := Rle_abs (b n)). lra.
  - assert (g := Rle_abs (- b n)). rewrite Rabs_Ropp in g. lra.
Qed.

Theorem bias_stays_literal c : 0 < c -> eventually (fun n => 0 <= b n - c) \/ eventually (fun n => 0 <= - b n - c) -> ldcp_literal l.
Proof. intros hc h. destruct (stays_away c h) as [N g]. apply (bias_stays l c N distance_sees_all hc). exact g. Qed.

Theorem bias_stays_likely d B c : (forall n, 0 < B * w n) -> 0 < c -> eventually (fun n => 0 <= b n - c) \/ eventually (fun n => 0 <= - b n - c) ->
  ldcp_probability l (sphere_tails d B l).
Proof. intros hw hc h. destruct (stays_away c h) as [N g]. apply (bias_stays_probability l _ _ c N (tails_in d B hw) distance_sees_all hc). exact g. Qed.

Theorem bias_stays_signed c : 0 < c -> eventually (fun n => 0 <= b n - c) -> ldcp_signed l.
Proof. intros hc [N g]. apply (bias_stays_positive l c N distance_sees_all hc). intros n hn. simpl. assert (q := g n hn). lra. Qed.

Theorem bias_vanishes_literal i : eventually (fun n => 0 <= / iter i (INR n) - b n) -> eventually (fun n => 0 <= / iter i (INR n) + b n) -> ~ ldcp_literal l.
Proof.
  intros h1 h2. destruct (eventually_and _ _ h1 h2) as [N g]. apply (bias_vanishes l i N). intros L n hn _. simpl. destruct (g n hn). apply Rabs_le. lra.
Qed.

Theorem bias_not_positive_signed i : eventually (fun n => 0 <= / iter i (INR n) - b n) -> ~ ldcp_signed l.
Proof. intros [N g]. apply (bias_not_positive l i N). intros L n hn _. simpl. assert (q := g n hn). lra. Qed.

Theorem bias_bounded_below_weight C : eventually (fun n => 0 <= b n + C) -> ldcp_weight l.
Proof. intros [N g]. apply (bias_bounded_below l (C + b 0%nat) N distance_sees_all). intros n hn. simpl. assert (q := g n hn). lra. Qed.

Theorem bias_sinks_weight i : eventually (fun n => 0 <= - b n - iter i (INR n)) -> ~ ldcp_weight l.
Proof.
  intros h. assert (h2 := eventually_near _ (iter_below i (/ 2) ltac:(lra))). assert (h3 := eventually_near _ (near_iter i _ (near_above (2 * Rabs (b 0%nat))))).
  destruct (eventually_and _ _ h (eventually_and _ _ h2 h3)) as [N g]. apply (bias_sinks l (S i) N). intros L n hn _. simpl. destruct (g n hn) as [q1 [q2 q3]].
  assert (q := Rle_abs (- b 0%nat)). rewrite Rabs_Ropp in q. lra.
Qed.

Lemma stays_size c B : 0 < B -> eventually (fun n => 0 <= Rabs (F n n) * w n - c) -> eventually (fun n => 2 * (c * B / 2) <= Rabs (F n n) * (B * w n)).
Proof. intros hB. apply eventually_imp. intros n h. nra. Qed.

Theorem content_stays_content d B c : 0 < B -> (forall n, 0 < B * w n) -> 0 < c -> eventually (fun n => 0 <= Rabs (F n n) * w n - c) -> ldcp_content l (sphere_tails d B l).
Proof.
  intros hB hw hc h. destruct (stays_size c B hB h) as [N g].
  apply (content_stays l _ _ (sphere_share d) (c * B / 2) N (tails_in d B hw) (sphere_tails_likely d B l hw) (sphere_share_positive d) distance_sees_all); [nra|exact g].
Qed.

Theorem content_stays_probability d B c : 0 < B -> (forall n, 0 < B * w n) -> 0 < c -> eventually (fun n => 0 <= Rabs (F n n) * w n - c) -> ldcp_probability l (sphere_tails d B l).
Proof.
  intros hB hw hc h. destruct (stays_size c B hB h) as [N g].
  apply (content_stays_likely l _ _ (sphere_share d) (c * B / 2) N (tails_in d B hw) (sphere_tails_likely d B l hw) (sphere_share_positive d) distance_sees_all); [nra|exact g].
Qed.
End Distance.

Section Vanishing.
Variables f b w : nat -> R.
Let l := plain f b w.

Theorem content_vanishes_content d B i : (forall n, 0 < B * w n) -> eventually (fun n => 0 <= / iter i (INR n) - Rabs (f n) * (B * w n)) -> ~ ldcp_content l (sphere_tails d B l).
Proof.
  intros hw [N g]. apply (content_vanishes l _ (fun n => B * w n) i N (sphere_tails_within d B l hw)). intros L n hn _. simpl. assert (q := g n hn). lra.
Qed.

Theorem both_vanish_probability d B i : (forall n, 0 < B * w n) -> eventually (fun n => 0 <= / iter i (INR n) - Rabs (f n) * (B * w n)) ->
  eventually (fun n => 0 <= / iter i (INR n) - b n) -> eventually (fun n => 0 <= / iter i (INR n) + b n) -> ~ ldcp_probability l (sphere_tails d B l).
Proof.
  intros hw h1 h2 h3. destruct (eventually_and _ _ h1 (eventually_and _ _ h2 h3)) as [N g].
  apply (both_vanish l _ (fun n => B * w n) i i N (sphere_tails_within d B l hw)). intros L n hn _. simpl. destruct (g n hn) as [q1 [q2 q3]].
  split; [apply Rabs_le; lra|lra].
Qed.
End Vanishing.
