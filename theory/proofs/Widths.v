(* Contents within a width that is at most that of another law: of matrices that shrink. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Steps Sums Contents.
Open Scope R_scope.

Section Narrow.
Variables f b w w' : nat -> R.
Variable B : R.
Hypothesis nonnegative : forall n, 0 <= B * w n.
Hypothesis narrow : forall n, B * w n <= B * w' n.
Let l : law := plain f b w.
Let l' : law := plain f b w'.

Lemma narrow_content c : content l B c -> content l' B c.
Proof using narrow. intros h n. apply Rle_trans with (1 := h n). apply narrow. Qed.

Lemma content_zero : content l B (fun _ => 0).
Proof using nonnegative. intros n. rewrite Rabs_R0. apply nonnegative. Qed.

Theorem narrow_cn_every_content : cn_every_content l' B -> cn_every_content l B.
Proof using narrow. intros h c hc. exact (h c (narrow_content c hc)). Qed.

Theorem narrow_cn_some_content : cn_every_content l' B -> cn_some_content l B.
Proof using All. intros h. exists (fun _ => 0). split; [apply content_zero|]. exact (h _ (narrow_content _ content_zero)). Qed.

Theorem narrow_eb_limit : eb_limit l' B -> eb_limit l B.
Proof using narrow. intros h c hc. exact (h c (narrow_content c hc)). Qed.

Theorem narrow_eb_some_content : eb_limit l' B -> eb_some_content l B.
Proof using All. intros h. exists (fun _ => 0). split; [apply content_zero|]. exact (h _ (narrow_content _ content_zero)). Qed.

Theorem narrow_eb_uniform : eb_uniform l' B -> eb_uniform l B.
Proof using narrow. intros h c hc. exact (h c (narrow_content c hc)). Qed.

Theorem narrow_not_cn_some_content : ~ cn_some_content l' B -> ~ cn_some_content l B.
Proof using narrow. intros n [c [hc h]]. apply n. exists c. split; [exact (narrow_content c hc)|exact h]. Qed.

Theorem narrow_not_cn_every_content : ~ cn_some_content l' B -> ~ cn_every_content l B.
Proof using All. intros n h. apply (narrow_not_cn_some_content n). exists (fun _ => 0). split; [exact content_zero|exact (h _ content_zero)]. Qed.

Theorem narrow_not_eb_limit : ~ cn_some_content l' B -> ~ eb_limit l B.
Proof using All. intros n h. apply (narrow_not_cn_every_content n). intros c hc. apply (h c hc). Qed.

Theorem narrow_not_eb_some_content : ~ eb_some_content l' B -> ~ eb_some_content l B.
Proof using narrow. intros n [c [hc h]]. apply n. exists c. split; [exact (narrow_content c hc)|exact h]. Qed.
End Narrow.

(** * The steps of check-properties --coq *)

Lemma power_at_most_1 x p : 0 < x <= 1 -> 0 <= p -> power x p <= 1.
Proof.
  intros [h g] hp. unfold power. destruct (Req_EM_T x 0); [lra|]. unfold Rpower. rewrite <- exp_0. apply exp_le. assert (q := ln_mono x 1 h g). rewrite ln_1 in q. nra.
Qed.

Lemma power_falls x p : 1 <= x -> p <= 0 -> power x p <= 1.
Proof. intros h hp. unfold power. destruct (Req_EM_T x 0); [lra|]. unfold Rpower. rewrite <- exp_0. apply exp_le. assert (q := ln_nonneg x h). nra. Qed.

Lemma size_at_most_1 x : 0 <= x -> x <= 1 -> Rabs x <= 1.
Proof. intros h g. rewrite Rabs_pos_eq by exact h. exact g. Qed.

Lemma below_first x y z : z <= x -> z <= Rmax x y.
Proof. intros h. apply Rle_trans with (1 := h). apply Rmax_l. Qed.

Lemma exp_at_most_1 x : x <= 0 -> exp x <= 1.
Proof. intros h. rewrite <- exp_0. apply exp_le. exact h. Qed.

Lemma product_not_positive x y : 0 <= x -> y <= 0 -> x * y <= 0.
Proof. intros h g. nra. Qed.

Ltac nonnegative_width := first [lra | match goal with
  | |- 0 <= Rmax _ _ => apply below_first; nonnegative_width
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 <= exp _ => left; apply exp_pos
  | _ => nonnegative
  end].
Ltac at_most_1 := match goal with
  | |- Rmax _ _ <= 1 => apply Rmax_lub; at_most_1
  | |- Rabs (cos _) <= 1 => apply Rabs_le, COS_bound
  | |- Rabs (sin _) <= 1 => apply Rabs_le, SIN_bound
  | |- Rabs _ <= 1 => apply size_at_most_1; [nonnegative_width | at_most_1]
  | |- power 0 _ <= 1 => rewrite power_0_at by (let q := fresh "q" in intros q; lra); lra
  | |- power _ _ <= 1 => first [apply power_at_most_1; [lra | nonnegative] | apply power_falls; lra]
  | |- exp _ <= 1 => apply exp_at_most_1; not_positive
  | _ => lra
  end
with not_positive := match goal with
  | |- INR _ * _ <= 0 => apply product_not_positive; [apply pos_INR | not_positive]
  | |- _ * INR _ <= 0 => rewrite Rmult_comm; not_positive
  | |- ?x - ?y <= 0 => assert (x <= 1) by at_most_1; lra
  | _ => lra
  end.
Ltac narrow B := let n := fresh "n" in intros n; assert (at_n := pos_INR n); apply (Rmult_le_compat_l B); [lra | at_most_1].
Ltac within_width B := let n := fresh "n" in intros n; apply Rmult_le_pos; [lra | nonnegative_width].
