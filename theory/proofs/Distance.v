(* T4 of docs/certificates.md: the readings of long-distance correlation. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents.
Open Scope R_scope.

(* What is assumed of random content within r(n): it is symmetric, so c(n) <= 0 has at least the probability 1/2; and, where
   it is needed, |c| reaches r/2 in either direction with the probability p0. *)
Definition tails_within (T : tails) (r : nat -> R) : Prop :=
  forall n t, 0 <= T n t /\ (t <= 0 -> 1 / 2 <= T n t) /\ (r n < t -> T n t = 0).
Definition tails_likely (T : tails) (r : nat -> R) (p0 : R) : Prop := forall n t, t <= r n / 2 -> p0 <= T n t.

Definition sees_all (l : law) : Prop := forall n, (n <= last l n)%nat.

Lemma far_diagonal l (P : nat -> nat -> Prop) N : sees_all l -> (forall n, (N <= n)%nat -> P n n) -> far l P.
Proof. intros hl h K. exists (Nat.max N K), (Nat.max N K). repeat split; [lia|apply hl|apply h; lia]. Qed.

Lemma div_le x y s : 0 < s -> x <= y * s -> x / s <= y.
Proof. intros hs h. apply Rmult_le_reg_r with s; [exact hs|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact h. Qed.

Lemma div_gt x y s : 0 < s -> y * s < x -> y < x / s.
Proof. intros hs h. apply Rmult_lt_reg_r with s; [exact hs|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact h. Qed.

(* bias-stays *)
Theorem bias_stays l C N : sees_all l -> 0 < C -> (forall n, (N <= n)%nat -> C <= Rabs (bias l n n)) -> ldcp_literal l.
Proof. intros hl hC h. exists C. split; [exact hC|]. apply (far_diagonal l _ N hl h). Qed.

Lemma beyond_bias T r n f b C : tails_within T r -> 0 < C -> C <= Rabs b -> 1 / 2 <= beyond (T n) f b C.
Proof.
  intros hT hC hb. unfold beyond. destruct (Req_EM_T f 0) as [e|e].
  - destruct (Rle_dec C (Rabs b)) as [h|h]; lra.
  - assert (hf := Rabs_pos_lt f e). destruct (hT n ((C - b) / Rabs f)) as [p1 [p2 _]]. destruct (hT n ((C + b) / Rabs f)) as [q1 [q2 _]].
    unfold Rabs in hb at 1. destruct (Rcase_abs b) as [g|g].
    + assert (1 / 2 <= T n ((C + b) / Rabs f)) by (apply q2; apply div_le; [exact hf|lra]). lra.
    + assert (1 / 2 <= T n ((C - b) / Rabs f)) by (apply p2; apply div_le; [exact hf|lra]). lra.
Qed.

Theorem bias_stays_probability l T r C N : tails_within T r -> sees_all l -> 0 < C ->
  (forall n, (N <= n)%nat -> C <= Rabs (bias l n n)) -> ldcp_probability l T.
Proof.
  intros hT hl hC h. exists C, (1 / 2). split; [exact hC|split; [lra|]].
  apply (far_diagonal l _ N hl). intros n hn. apply (beyond_bias T r); [exact hT|exact hC|apply h; exact hn].
Qed.

(* bias-stays-positive *)
Theorem bias_stays_positive l C N : sees_all l -> 0 < C -> (forall n, (N <= n)%nat -> C <= bias l n n) -> ldcp_signed l.
Proof. intros hl hC h. exists C. split; [exact hC|]. apply (far_diagonal l _ N hl h). Qed.

Lemma small_later i eps : 0 < eps -> exists N, forall n, (N <= n)%nat -> / iter i (INR n) < eps /\ 0 < iter i (INR n).
Proof.
  intros he. destruct (iter_unbounded i (/ eps)) as [N [_ hN]]. exists N. intros n hn. assert (h := hN n hn).
  assert (g := Rinv_0_lt_compat _ he). split; [|lra].
  rewrite <- (Rinv_inv eps). apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra|exact h].
Qed.

(* bias-vanishes; the certificates have it for biases that do not mention L *)
Theorem bias_vanishes l i N : (forall L n, (N <= n)%nat -> (n <= last l L)%nat -> Rabs (bias l L n) <= / iter i (INR n)) -> ~ ldcp_literal l.
Proof.
  intros h [C [hC hf]]. destruct (small_later i C hC) as [K hK]. destruct (hf (Nat.max N K)) as [n [L [hn [hL g]]]].
  assert (g1 := h L n ltac:(lia) hL). assert (g2 := hK n ltac:(lia)). lra.
Qed.

(* bias-not-positive and length-bias-not-positive *)
Theorem bias_not_positive l i N : (forall L n, (N <= n)%nat -> (n <= last l L)%nat -> bias l L n <= / iter i (INR n)) -> ~ ldcp_signed l.
Proof.
  intros h [C [hC hf]]. destruct (small_later i C hC) as [K hK]. destruct (hf (Nat.max N K)) as [n [L [hn [hL g]]]].
  assert (g1 := h L n ltac:(lia) hL). assert (g2 := hK n ltac:(lia)). lra.
Qed.

(* content-stays and content-stays-likely: |f| r stays above 2 eps *)
Lemma beyond_content T r p0 n f b eps : tails_within T r -> tails_likely T r p0 -> 0 < eps -> 2 * eps <= Rabs f * r n ->
  p0 <= beyond (T n) f b eps.
Proof.
  intros hT hp he hf. unfold beyond. destruct (Req_EM_T f 0) as [e|e]; [rewrite e, Rabs_R0 in hf; lra|].
  assert (hf0 := Rabs_pos_lt f e). destruct (hT n ((eps - b) / Rabs f)) as [p1 _]. destruct (hT n ((eps + b) / Rabs f)) as [q1 _].
  destruct (Rle_lt_dec 0 b) as [g|g].
  - assert (p0 <= T n ((eps - b) / Rabs f)) by (apply hp; apply div_le; [exact hf0|lra]). lra.
  - assert (p0 <= T n ((eps + b) / Rabs f)) by (apply hp; apply div_le; [exact hf0|lra]). lra.
Qed.

Theorem content_stays l T r p0 eps N : tails_within T r -> tails_likely T r p0 -> 0 < p0 -> sees_all l -> 0 < eps ->
  (forall n, (N <= n)%nat -> 2 * eps <= Rabs (gain l n n) * r n) -> ldcp_content l T.
Proof.
  intros hT hp hp0 hl he h. exists eps, p0. split; [exact he|split; [exact hp0|]].
  apply (far_diagonal l _ N hl). intros n hn. apply (beyond_content T r); [exact hT|exact hp|exact he|apply h; exact hn].
Qed.

Theorem content_stays_likely l T r p0 eps N : tails_within T r -> tails_likely T r p0 -> 0 < p0 -> sees_all l -> 0 < eps ->
  (forall n, (N <= n)%nat -> 2 * eps <= Rabs (gain l n n) * r n) -> ldcp_probability l T.
Proof.
  intros hT hp hp0 hl he h. exists eps, p0. split; [exact he|split; [exact hp0|]].
  apply (far_diagonal l _ N hl). intros n hn. apply (beyond_content T r); [exact hT|exact hp|exact he|apply h; exact hn].
Qed.

Lemma beyond_none T r n f b eps : tails_within T r -> 0 < eps -> Rabs b < eps -> Rabs f * r n < eps - Rabs b -> beyond (T n) f b eps = 0.
Proof.
  intros hT he hb hf. unfold beyond. destruct (Req_EM_T f 0) as [e|e]; [destruct (Rle_dec eps (Rabs b)) as [h|h]; [lra|reflexivity]|].
  assert (hf0 := Rabs_pos_lt f e). assert (h1 := Rle_abs b). assert (h2 := Rle_abs (- b)). rewrite Rabs_Ropp in h2.
  destruct (hT n ((eps - b) / Rabs f)) as [_ [_ p]]. destruct (hT n ((eps + b) / Rabs f)) as [_ [_ q]].
  rewrite p, q; [lra| |]; apply div_gt; try exact hf0; lra.
Qed.

(* both-vanish *)
Theorem both_vanish l T r i j N : tails_within T r ->
  (forall L n, (N <= n)%nat -> (n <= last l L)%nat -> Rabs (bias l L n) <= / iter i (INR n) /\ Rabs (gain l L n) * r n <= / iter j (INR n)) ->
  ~ ldcp_probability l T.
Proof.
  intros hT h [eps [p [he [hp hf]]]]. destruct (small_later i (eps / 2) ltac:(lra)) as [K hK]. destruct (small_later j (eps / 2) ltac:(lra)) as [K' hK'].
  destruct (hf (Nat.max N (Nat.max K K'))) as [n [L [hn [hL g]]]].
  destruct (h L n ltac:(lia) hL) as [g1 g2]. destruct (hK n ltac:(lia)) as [k1 _]. destruct (hK' n ltac:(lia)) as [k2 _].
  rewrite (beyond_none T r) in g; try assumption; lra.
Qed.

(* content-vanishes *)
Theorem content_vanishes l T r i N : tails_within T r ->
  (forall L n, (N <= n)%nat -> (n <= last l L)%nat -> Rabs (gain l L n) * r n <= / iter i (INR n)) -> ~ ldcp_content l T.
Proof.
  intros hT h [eps [p [he [hp hf]]]]. destruct (small_later i eps he) as [K hK].
  destruct (hf (Nat.max N K)) as [n [L [hn [hL g]]]]. assert (g1 := h L n ltac:(lia) hL). destruct (hK n ltac:(lia)) as [k1 _].
  rewrite (beyond_none T r) in g; try assumption; rewrite ?Rabs_R0; lra.
Qed.

(* bias-bounded-below *)
Theorem bias_bounded_below l C N : sees_all l -> (forall n, (N <= n)%nat -> - C <= bias l n n - bias l n 0%nat) -> ldcp_weight l.
Proof. intros hl h. exists C. apply (far_diagonal l _ N hl h). Qed.

(* bias-sinks *)
Theorem bias_sinks l i N : (forall L n, (N <= n)%nat -> (n <= last l L)%nat -> bias l L n - bias l L 0%nat <= - iter i (INR n)) -> ~ ldcp_weight l.
Proof.
  intros h [C hf]. destruct (iter_unbounded i C) as [K [_ hK]]. destruct (hf (Nat.max N K)) as [n [L [hn [hL g]]]].
  assert (g1 := h L n ltac:(lia) hL). assert (g2 := hK n ltac:(lia)). lra.
Qed.
