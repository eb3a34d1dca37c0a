(* The rules window-converges and window-diverges: scores that mention L, in a window of W keys. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness Lengths.
Open Scope R_scope.

Lemma window_sum l W A C L : (1 <= W)%nat -> (forall n, (n <= last (windowed W l) L)%nat -> A n <= C) -> Z A (last (windowed W l) L) <= INR W * exp C.
Proof.
  intros hW h. apply Rle_trans with (1 := Z_at_most A C _ h). apply Rmult_le_compat_r; [left; apply exp_pos|]. apply le_INR. simpl. lia.
Qed.

(* window-converges, score above *)
Theorem window_converges_above l W B C N : (1 <= W)%nat ->
  (forall L n, (N <= L)%nat -> (n <= last (windowed W l) L)%nat -> above l B L n <= C) -> cn_every_content (windowed W l) B.
Proof.
  intros hW h c hc. apply (bounded_from _ (INR W * exp C) N). intros L hL. apply window_sum; [exact hW|]. intros n hn.
  apply Rle_trans with (above l B L n); [exact (proj2 (score_between l B c L n hc))|apply h; assumption].
Qed.

(* ... score below *)
Theorem window_converges_below l W B C N : (1 <= W)%nat -> steady_sign l -> (forall n, 0 <= B * width l n) ->
  (forall L n, (N <= L)%nat -> (n <= last (windowed W l) L)%nat -> below l B L n <= C) -> cn_some_content (windowed W l) B.
Proof.
  intros hW hs hw h. destruct (bottom_content l B hs hw) as [c [hc e]]. exists c. split; [exact hc|].
  apply (bounded_from _ (INR W * exp C) N). intros L hL. apply window_sum; [exact hW|]. intros n hn.
  change (score l c L n <= C). rewrite e. apply h; assumption.
Qed.

(* window-diverges: the score at one distance is not bounded *)
Lemma one_diverges l W c i N to : (to <= W - 1)%nat -> (forall L, (N <= L)%nat -> (to <= last l L)%nat) ->
  (forall L, (N <= L)%nat -> iter i (INR L) <= score l c L to) -> ~ Z_finite (windowed W l) c.
Proof.
  intros hW hl h [M hM]. destruct (iter_unbounded i (ln (Rabs M + 1))) as [K [hK1 hK]]. set (L := Nat.max N K).
  assert (q := Z_term (score l c L) (last (windowed W l) L) to ltac:(simpl; assert (k := hl L ltac:(unfold L; lia)); lia)).
  assert (q2 := hM L). change (Z (score l c L) (last (windowed W l) L) <= M) in q2.
  assert (h1 := hK L ltac:(unfold L; lia)). assert (h2 := Rabs_pos M). assert (h3 := Rle_abs M). assert (h4 := h L ltac:(unfold L; lia)).
  assert (h5 : Rabs M + 1 < exp (score l c L to)).
  { rewrite <- (exp_ln (Rabs M + 1)) at 1 by lra. apply exp_increasing. lra. }
  lra.
Qed.

Theorem window_diverges_above l W B i N to : (to <= W - 1)%nat -> (forall L, (N <= L)%nat -> (to <= last l L)%nat) ->
  steady_sign l -> (forall n, 0 <= B * width l n) -> (forall L, (N <= L)%nat -> iter i (INR L) <= above l B L to) ->
  ~ cn_every_content (windowed W l) B /\ ~ eb_limit (windowed W l) B.
Proof.
  intros hW hl hs hw h. destruct (top_content l B hs hw) as [c [hc e]].
  assert (g : ~ Z_finite (windowed W l) c) by (apply (one_diverges l W c i N to hW hl); intros L hL; rewrite e; apply h; exact hL).
  split; intros q; apply g; apply q; exact hc.
Qed.

Theorem window_diverges_below l W B i N to : (to <= W - 1)%nat -> (forall L, (N <= L)%nat -> (to <= last l L)%nat) ->
  (forall L, (N <= L)%nat -> iter i (INR L) <= below l B L to) -> ~ cn_some_content (windowed W l) B /\ ~ eb_some_content (windowed W l) B.
Proof.
  intros hW hl h. assert (g : forall c, content l B c -> ~ Z_finite (windowed W l) c).
  { intros c hc. apply (one_diverges l W c i N to hW hl). intros L hL. apply Rle_trans with (1 := h L hL). apply score_between; exact hc. }
  split; [intros [c [hc q]]|intros [c [hc [q _]]]]; exact (g c hc q).
Qed.
