(* T3 of docs/certificates.md as check-properties --coq applies it: a gain that mentions L alone, and no bias. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Asymptotics Steps Contents Lengths Sphere.
Import ListNotations.
Open Scope R_scope.

Section Lengths.
Variable F : nat -> R.
Variable B : R.
Hypothesis hB : 0 < B.
Let l := {| gain := fun L _ => F L; bias := fun _ _ => 0; width := fun _ => 1; last := fun L => L |}.
Let A (L : nat) : R := 0 + Rabs (F L) * (B * 1).
Let a (L : nat) : R := 0 - Rabs (F L) * (B * 1).

Lemma length_whole : whole l.
Proof. intros L. reflexivity. Qed.

Lemma length_width n : 0 <= B * width l n.
Proof. simpl. lra. Qed.

Lemma length_steady : (forall n, 0 <= F n) -> steady_sign l.
Proof. intros h. apply steady_positive. intros L n. apply h. Qed.

Theorem length_diverges_every_content i : (forall n, 0 <= F n) -> eventually (fun n => 0 <= A n + ln (INR n) - iter i (INR n)) -> ~ cn_every_content l B.
Proof using All.
  intros hF [N g]. apply (length_diverges_above l B i N length_whole (length_steady hF) length_width).
  intros L n hL _. assert (q := g L hL). unfold A in q. unfold above, reach. simpl. lra.
Qed.

Theorem length_diverges_limit i : (forall n, 0 <= F n) -> eventually (fun n => 0 <= A n + ln (INR n) - iter i (INR n)) -> ~ eb_limit l B.
Proof using All.
  intros hF [N g]. apply (length_diverges_above l B i N length_whole (length_steady hF) length_width).
  intros L n hL _. assert (q := g L hL). unfold A in q. unfold above, reach. simpl. lra.
Qed.

Theorem length_diverges_some_content i : eventually (fun n => 0 <= a n + ln (INR n) - iter i (INR n)) -> ~ cn_some_content l B.
Proof using All.
  intros [N g]. apply (length_diverges_below l B i N length_whole).
  intros L n hL _. assert (q := g L hL). unfold a in q. unfold below, reach. simpl. lra.
Qed.

Theorem length_diverges_entropy_some_content i : eventually (fun n => 0 <= a n + ln (INR n) - iter i (INR n)) -> ~ eb_some_content l B.
Proof using All.
  intros [N g]. apply (length_diverges_below l B i N length_whole).
  intros L n hL _. assert (q := g L hL). unfold a in q. unfold below, reach. simpl. lra.
Qed.

Theorem length_diverges_mean d i : eventually (fun n => 0 <= 0 + ln (INR n) - iter i (INR n)) -> ~ cn_expected l (sphere_moments d B l).
Proof using All.
  intros [N g]. apply (length_diverges_expected l B _ i N length_whole (sphere_moments_within d B l length_width)).
  intros L n hL _. assert (q := g L hL). simpl. lra.
Qed.

Theorem length_spread_uniform i : eventually (fun n => 0 <= ln (INR n) - iter i (INR n)) -> ~ eb_uniform l B.
Proof using All.
  intros [N g]. apply (length_spread l B (fun _ => 0) i N length_whole (no_content l B length_width)).
  intros L n n' hL _ _. assert (q := g L hL). unfold score. simpl. lra.
Qed.

Theorem length_converges_some_content C : (forall n, 0 <= F n) -> eventually (fun n => 0 <= C - a n - ln (1 + INR n)) -> cn_some_content l B.
Proof using All.
  intros hF [N g]. apply (length_converges_below l B C N length_whole (length_steady hF) length_width).
  intros L n hL _. assert (q := g L hL). unfold a in q. unfold below, reach. simpl. lra.
Qed.

Theorem length_levels_some_content C : eventually (fun n => 0 <= a n + ln (INR n) + C) -> ~ eb_some_content l B.
Proof using All.
  intros [N g]. apply (length_levels_below l B C (Nat.max 1 N) length_whole).
  intros L n hL _. assert (q := g L ltac:(lia)). unfold a in q. unfold below, reach. cbn [gain bias width l].
  assert (ln (INR L) <= ln (INR (S L))) by (apply ln_mono; [apply lt_0_INR; lia|apply le_INR; lia]). lra.
Qed.

Theorem length_weighted_some_content C : (forall n, 0 <= F n) -> eventually (fun n => 0 <= C - a n - ln (1 + INR n) - ln (1 + Rabs (a n))) -> eb_some_content l B.
Proof using All.
  intros hF [N g]. apply (length_weighted_converges l B C N length_whole (length_steady hF) length_width); [reflexivity|].
  intros L n hL _. assert (q := g L hL). unfold a in q. unfold below, reach. simpl. lra.
Qed.
End Lengths.

(* 0 <= gain at every length *)
Ltac gain_nonneg := let n := fresh "n" in let h := fresh "h" in intros n; assert (h := pos_INR n);
  first [solve [nonnegative] | gain_nonneg_by_notes]
with gain_nonneg_by_notes := note; first [lra | (timeout 60 nra) | (apply Rmult_le_pos; first [lra | (left; above_0)]) | (apply Rle_trans with (2 := Rmax_l _ _); lra)
    | (unfold Rdiv; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; above_0])].
