(* The extreme contents: every content has its scores between b - a and b + a, a = |f| B w, and both ends are contents. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums.
Open Scope R_scope.

(* a(n) = |f(n)| B w(n) at length L *)
Definition reach (l : law) (B : R) (L n : nat) : R := Rabs (gain l L n) * (B * width l n).
Definition above (l : law) (B : R) (L n : nat) : R := bias l L n + reach l B L n.
Definition below (l : law) (B : R) (L n : nat) : R := bias l L n - reach l B L n.

Lemma score_between l B c L n : content l B c -> below l B L n <= score l c L n <= above l B L n.
Proof.
  intros hc. unfold below, above, reach, score. assert (h := hc n).
  assert (g : Rabs (gain l L n * c n) <= Rabs (gain l L n) * (B * width l n)).
  { rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos|exact h]. }
  apply Rabs_le_between in g. lra.
Qed.

(* Where the sign of the gain at n is the same at all lengths, one content has the largest scores, and one the smallest. *)
Definition steady_sign (l : law) : Prop := exists s : nat -> R, forall n, (s n = 1 \/ s n = -1) /\ forall L, gain l L n = s n * Rabs (gain l L n).

Lemma steady_plain f b w : steady_sign (plain f b w).
Proof.
  exists (fun n => if Rle_dec 0 (f n) then 1 else -1). intros n. simpl. destruct (Rle_dec 0 (f n)) as [h|h].
  - split; [left; reflexivity|]. intros _. rewrite Rabs_pos_eq by exact h. ring.
  - split; [right; reflexivity|]. intros _. rewrite Rabs_left by lra. ring.
Qed.

Lemma steady_positive l : (forall L n, 0 <= gain l L n) -> steady_sign l.
Proof. intros h. exists (fun _ => 1). intros n. split; [left; reflexivity|]. intros L. rewrite Rabs_pos_eq by apply h. ring. Qed.

Lemma top_content l B : steady_sign l -> (forall n, 0 <= B * width l n) ->
  exists c, content l B c /\ forall L n, score l c L n = above l B L n.
Proof.
  intros [s hs] hw. exists (fun n => s n * (B * width l n)). split.
  - intros n. rewrite Rabs_mult, (Rabs_pos_eq (B * width l n)) by apply hw.
    destruct (hs n) as [[h|h] _]; rewrite h; [rewrite Rabs_R1|rewrite (Rabs_left (-1)) by lra]; lra.
  - intros L n. destruct (hs n) as [[h|h] g]; unfold score, above, reach; rewrite (g L) at 1; rewrite h; ring.
Qed.

Lemma bottom_content l B : steady_sign l -> (forall n, 0 <= B * width l n) ->
  exists c, content l B c /\ forall L n, score l c L n = below l B L n.
Proof.
  intros [s hs] hw. exists (fun n => - s n * (B * width l n)). split.
  - intros n. rewrite Rabs_mult, (Rabs_pos_eq (B * width l n)) by apply hw.
    destruct (hs n) as [[h|h] _]; rewrite h; [rewrite Rabs_Ropp, Rabs_R1|replace (- -1) with 1 by ring; rewrite Rabs_R1]; lra.
  - intros L n. destruct (hs n) as [[h|h] g]; unfold score, below, reach; rewrite (g L) at 1; rewrite h; ring.
Qed.

Lemma no_content l B : (forall n, 0 <= B * width l n) -> content l B (fun _ => 0).
Proof. intros h n. rewrite Rabs_R0. apply h. Qed.

Lemma Z_le A A' L : (forall n, (n <= L)%nat -> A n <= A' n) -> Z A L <= Z A' L.
Proof. intros h. apply sum_le. intros n hn. apply exp_le. apply h; exact hn. Qed.

Lemma Z_positive A L : 0 < Z A L.
Proof.
  apply Rlt_le_trans with (exp (A 0%nat)); [apply exp_pos|].
  apply (sum_term (fun n => exp (A n))); [intros; left; apply exp_pos|lia].
Qed.

Lemma Z_term A L n : (n <= L)%nat -> exp (A n) <= Z A L.
Proof. intros h. apply (sum_term (fun n => exp (A n))); [intros; left; apply exp_pos|exact h]. Qed.

Lemma Z_mono A L M : (L <= M)%nat -> Z A L <= Z A M.
Proof. apply sum_mono. intros; left; apply exp_pos. Qed.
