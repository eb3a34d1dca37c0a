(* Claims in residue classes (modulus M): n = M x + r, for each r below M, or for one r where the sum diverges. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness Gradient.
Open Scope R_scope.

Lemma blocks u M x : sum_below (M * S x) u = sum_below M (fun r => sum_f_R0 (fun i => u (M * i + r)%nat) x).
Proof.
  induction x as [|x IH].
  - rewrite Nat.mul_1_r. apply sum_below_equal. intros r _. simpl. rewrite Nat.mul_0_r. reflexivity.
  - replace (M * S (S x))%nat with (M * S x + M)%nat by lia. rewrite sum_below_split, IH, <- sum_below_plus.
    apply sum_below_equal. intros r _. rewrite sum_next. f_equal. f_equal. lia.
Qed.

Lemma bounds_together M (s : nat -> nat -> R) : (forall r, (r < M)%nat -> bounded (s r)) -> bounded (fun x => sum_below M (fun r => s r x)).
Proof.
  induction M as [|M IH]; intros h; [exists 0; intros; simpl; lra|]. destruct (IH ltac:(intros; apply h; lia)) as [K hK]. destruct (h M ltac:(lia)) as [K' hK'].
  exists (K + K'). intros x. rewrite sum_below_next. apply Rplus_le_compat; [apply hK|apply hK'].
Qed.

Theorem bounded_classes u M : (0 < M)%nat -> (forall n, 0 <= u n) ->
  (forall r, (r < M)%nat -> bounded (sum_f_R0 (fun x => u (M * x + r)%nat))) -> bounded (sum_f_R0 u).
Proof.
  intros hM hu h. destruct (bounds_together M (fun r => sum_f_R0 (fun x => u (M * x + r)%nat)) h) as [K hK]. exists K. intros L.
  apply Rle_trans with (2 := hK L). rewrite <- blocks. assert (e : exists m, (M * S L = S m)%nat /\ (L <= m)%nat) by (exists (M * S L - 1)%nat; split; nia).
  destruct e as [m [e hm]]. rewrite e. apply sum_mono; assumption.
Qed.

Theorem unbounded_class u M r : (0 < M)%nat -> (forall n, 0 <= u n) ->
  unbounded (sum_f_R0 (fun x => u (M * x + r)%nat)) -> unbounded (sum_f_R0 u).
Proof.
  intros hM hu h K. destruct (h K) as [x hx]. exists (M * x + r)%nat. apply Rlt_le_trans with (1 := hx). clear hx.
  induction x as [|x IH].
  - apply (sum_term u); [intros; apply hu|lia].
  - rewrite sum_next. apply Rle_trans with (sum_f_R0 u (M * x + r) + u (M * S x + r)%nat); [lra|].
    assert (e : exists m, (M * S x + r = S m)%nat /\ (M * x + r <= m)%nat) by (exists (M * S x + r - 1)%nat; split; nia).
    destruct e as [m [e hm]]. rewrite e, sum_next. apply Rplus_le_compat_r. apply sum_mono; assumption.
Qed.

(* what sum-converges and sum-diverges claim of a class *)
Definition class_converges (A : nat -> R) (M r : nat) : Prop := exists k eta C N, 0 < eta /\ positive k (INR N) /\
  forall x, (N <= x)%nat -> A (M * x + r)%nat <= C - logs k (INR x) - (1 + eta) * iter (S k) (INR x).
Definition class_diverges (A : nat -> R) (M r : nat) : Prop := exists k C N, positive k (INR N) /\
  forall x, (N <= x)%nat -> - C - logs (S k) (INR x) <= A (M * x + r)%nat.

Theorem sum_converges_classes A M : (0 < M)%nat -> (forall r, (r < M)%nat -> class_converges A M r) -> bounded (Z A).
Proof.
  intros hM h. apply (bounded_classes (fun n => exp (A n)) M hM); [intros; left; apply exp_pos|]. intros r hr.
  destruct (h r hr) as [k [eta [C [N [he [hp hA]]]]]]. exact (sum_converges (fun x => A (M * x + r)%nat) k eta C N he hp hA).
Qed.

Theorem sum_diverges_class A M r : (0 < M)%nat -> class_diverges A M r -> unbounded (Z A).
Proof.
  intros hM [k [C [N [hp hA]]]]. apply (unbounded_class (fun n => exp (A n)) M r hM); [intros; left; apply exp_pos|].
  exact (sum_diverges (fun x => A (M * x + r)%nat) k C N hp hA).
Qed.

(** * The readings *)

Lemma Z_bounded_by A A' : (forall n, A n <= A' n) -> bounded (Z A') -> bounded (Z A).
Proof. intros h [K hK]. exists K. intros L. apply Rle_trans with (2 := hK L). apply Z_le. intros n _. apply h. Qed.

Lemma Z_unbounded_by A A' : (forall n, A n <= A' n) -> unbounded (Z A) -> unbounded (Z A').
Proof. intros h hA K. destruct (hA K) as [L hL]. exists L. apply Rlt_le_trans with (1 := hL). apply Z_le. intros n _. apply h. Qed.

Theorem cn_every_content_holds_classes f b w B M : (0 < M)%nat ->
  (forall r, (r < M)%nat -> class_converges (fun n => b n + Rabs (f n) * (B * w n)) M r) -> cn_every_content (plain f b w) B.
Proof.
  intros hM h c hc. refine (Z_bounded_by (score (plain f b w) c 0) _ _ (sum_converges_classes _ M hM h)). intros n. apply (score_between _ _ _ 0%nat n hc).
Qed.

Theorem cn_every_content_fails_class f b w B M r : (0 < M)%nat -> (forall n, 0 <= B * w n) ->
  class_diverges (fun n => b n + Rabs (f n) * (B * w n)) M r -> ~ cn_every_content (plain f b w) B /\ ~ eb_limit (plain f b w) B.
Proof.
  intros hM hw h. destruct (top_content (plain f b w) B (steady_plain f b w) hw) as [c [hc e]].
  assert (g : ~ Z_finite (plain f b w) c).
  { apply infinite_Z. apply (Z_unbounded_by (fun n => b n + Rabs (f n) * (B * w n))); [|exact (sum_diverges_class _ M r hM h)].
    intros n. rewrite e. unfold above, reach. simpl. lra. }
  split; intros q; apply g; apply q; exact hc.
Qed.

Theorem cn_some_content_holds_classes f b w B M : (0 < M)%nat -> (forall n, 0 <= B * w n) ->
  (forall r, (r < M)%nat -> class_converges (fun n => b n - Rabs (f n) * (B * w n)) M r) -> cn_some_content (plain f b w) B.
Proof.
  intros hM hw h. destruct (bottom_content (plain f b w) B (steady_plain f b w) hw) as [c [hc e]]. exists c. split; [exact hc|].
  refine (Z_bounded_by (score (plain f b w) c 0) _ _ (sum_converges_classes _ M hM h)). intros n. rewrite e. unfold below, reach. simpl. lra.
Qed.

Theorem cn_some_content_fails_class f b w B M r : (0 < M)%nat ->
  class_diverges (fun n => b n - Rabs (f n) * (B * w n)) M r -> ~ cn_some_content (plain f b w) B /\ ~ eb_some_content (plain f b w) B.
Proof.
  intros hM h. assert (g : forall c, content (plain f b w) B c -> ~ Z_finite (plain f b w) c).
  { intros c hc. apply infinite_Z. apply (Z_unbounded_by (fun n => b n - Rabs (f n) * (B * w n))); [|exact (sum_diverges_class _ M r hM h)].
    intros n. apply (score_between _ _ _ 0%nat n hc). }
  split; [intros [c [hc q]]|intros [c [hc [q _]]]]; exact (g c hc q).
Qed.

Theorem cn_expected_holds_classes f b w B E M : (0 < M)%nat -> moments_within E (fun n => B * w n) ->
  (forall r, (r < M)%nat -> class_converges (fun n => b n + Rabs (f n) * (B * w n)) M r) -> cn_expected (plain f b w) E.
Proof.
  intros hM hE h. destruct (sum_converges_classes _ M hM h) as [K hK]. exists K. intros L. apply Rle_trans with (2 := hK L).
  apply sum_le. intros n _. simpl. rewrite exp_plus. apply Rmult_le_compat_l; [left; apply exp_pos|apply hE].
Qed.

Theorem cn_expected_fails_class f b w B E M r : (0 < M)%nat -> moments_within E (fun n => B * w n) ->
  class_diverges b M r -> ~ cn_expected (plain f b w) E.
Proof.
  intros hM hE h [K hK]. destruct (sum_diverges_class b M r hM h K) as [L hL]. assert (g := hK L). simpl in g.
  assert (q : Z b L <= sum_f_R0 (fun n => exp (b n) * E n (f n)) L); [|lra]. apply sum_le. intros n _.
  rewrite <- (Rmult_1_r (exp (b n))) at 1. apply Rmult_le_compat_l; [left; apply exp_pos|apply hE].
Qed.

(* weighted-sum-converges in classes *)
Definition class_weighted (A : nat -> R) (M r : nat) : Prop := exists U k eta C N, 0 < eta /\ positive k (INR N) /\
  forall x, (N <= x)%nat -> 1 <= U x /\ U x <= - A (M * x + r)%nat /\
    logs k (INR x) + (1 + eta) * iter (S k) (INR x) <= C + U x - ln (U x).

Theorem weighted_sum_converges_classes A M : (0 < M)%nat -> (forall r, (r < M)%nat -> class_weighted A M r) -> bounded (Z A) /\ bounded (H A).
Proof.
  intros hM h. assert (g : forall r, (r < M)%nat -> bounded (Z (fun x => A (M * x + r)%nat)) /\ bounded (sum_f_R0 (weighted (fun x => A (M * x + r)%nat)))).
  { intros r hr. destruct (h r hr) as [U [k [eta [C [N [he [hp hA]]]]]]]. exact (weighted_terms_converge (fun x => A (M * x + r)%nat) U k eta C N he hp hA). }
  assert (hz : bounded (Z A)).
  { apply (bounded_classes (fun n => exp (A n)) M hM); [intros; left; apply exp_pos|]. intros r hr. apply (g r hr). }
  split; [exact hz|]. apply H_bounded; [exact hz|]. apply (bounded_classes (weighted A) M hM); [apply weighted_nonneg|]. intros r hr. apply (g r hr).
Qed.

Theorem eb_limit_holds_classes f b w B M : (0 < M)%nat ->
  (forall r, (r < M)%nat -> class_weighted (fun n => b n + Rabs (f n) * (B * w n)) M r) -> eb_limit (plain f b w) B /\ eb_uniform (plain f b w) B.
Proof.
  intros hM h. assert (g : eb_limit (plain f b w) B).
  { intros c hc. refine (weighted_sum_converges_classes (score (plain f b w) c 0) M hM _). intros r hr.
    destruct (h r hr) as [U [k [eta [C [N [he [hp hA]]]]]]]. exists U, k, eta, C, N. split; [exact he|split; [exact hp|]]. intros x hx.
    destruct (hA x hx) as [u1 [u2 u3]]. destruct (score_between _ _ _ 0%nat (M * x + r)%nat hc) as [_ q]. unfold above, reach in q. simpl in q.
    split; [exact u1|split; [simpl in *; lra|exact u3]]. }
  split; [exact g|]. intros c hc. apply g; exact hc.
Qed.

Theorem eb_some_content_holds_classes f b w B M : (0 < M)%nat -> (forall n, 0 <= B * w n) ->
  (forall r, (r < M)%nat -> class_weighted (fun n => b n - Rabs (f n) * (B * w n)) M r) -> eb_some_content (plain f b w) B.
Proof.
  intros hM hw h. destruct (bottom_content (plain f b w) B (steady_plain f b w) hw) as [c [hc e]]. exists c. split; [exact hc|].
  refine (weighted_sum_converges_classes (score (plain f b w) c 0) M hM _). intros r hr.
  destruct (h r hr) as [U [k [eta [C [N [he [hp hA]]]]]]]. exists U, k, eta, C, N. split; [exact he|split; [exact hp|]]. intros x hx. rewrite e. apply hA; exact hx.
Qed.
