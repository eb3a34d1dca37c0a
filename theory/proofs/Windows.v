(* The rule window: with a window of W keys all sums are finite, and nothing far is seen. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Distance.
Open Scope R_scope.

Lemma finitely_many (u : nat -> R) W : exists M, forall L, u (Nat.min L (W - 1)) <= M.
Proof. destruct (finite_max u (W - 1)) as [M hM]. exists M. intros L. apply hM. lia. Qed.

Theorem window_cn_every_content f b w W B : cn_every_content (windowed W (plain f b w)) B.
Proof. intros c _. exact (finitely_many (Z (score (plain f b w) c 0)) W). Qed.

Theorem window_cn_some_content f b w W B : (forall n, 0 <= B * w n) -> cn_some_content (windowed W (plain f b w)) B.
Proof. intros hw. exists (fun _ => 0). split; [intros n; rewrite Rabs_R0; apply hw|apply (window_cn_every_content f b w W B); intros n; rewrite Rabs_R0; apply hw]. Qed.

Theorem window_cn_expected f b w W E : cn_expected (windowed W (plain f b w)) E.
Proof. exact (finitely_many (sum_f_R0 (fun n => exp (b n) * E n (f n))) W). Qed.

Theorem window_eb_limit f b w W B : eb_limit (windowed W (plain f b w)) B.
Proof. intros c hc. split; [exact (window_cn_every_content f b w W B c hc)|exact (finitely_many (H (score (plain f b w) c 0)) W)]. Qed.

Theorem window_eb_some_content f b w W B : (forall n, 0 <= B * w n) -> eb_some_content (windowed W (plain f b w)) B.
Proof. intros hw. exists (fun _ => 0). split; [intros n; rewrite Rabs_R0; apply hw|]. apply (window_eb_limit f b w W B). intros n; rewrite Rabs_R0; apply hw. Qed.

(* uniform holds for scores that mention L, too: the entropy of W keys is at most log W *)
Theorem window_eb_uniform l W B : (1 <= W)%nat -> eb_uniform (windowed W l) B.
Proof.
  intros hW c _. exists (ln (INR W)). intros L. apply Rle_trans with (1 := H_at_most _ _). apply ln_mono; [apply lt_0_INR; lia|].
  apply le_INR. simpl. lia.
Qed.

Theorem window_sees_nothing_far l W P : ~ far (windowed W l) P.
Proof. intros h. destruct (h (S W)) as [n [L [hn [hL _]]]]. simpl in hL. lia. Qed.

Theorem window_ldcp l W T : ~ ldcp_literal (windowed W l) /\ ~ ldcp_signed (windowed W l) /\ ~ ldcp_probability (windowed W l) T /\
  ~ ldcp_content (windowed W l) T /\ ~ ldcp_weight (windowed W l).
Proof.
  repeat split.
  - intros [C [_ h]]. exact (window_sees_nothing_far l W _ h).
  - intros [C [_ h]]. exact (window_sees_nothing_far l W _ h).
  - intros [e [p [_ [_ h]]]]. exact (window_sees_nothing_far l W _ h).
  - intros [e [p [_ [_ h]]]]. exact (window_sees_nothing_far l W _ h).
  - intros [C h]. exact (window_sees_nothing_far l W _ h).
Qed.
