(* Rules in residue classes as docs/certificates.md claims them: of n = M x + r, with iterated logarithms of n. *)
From Coq Require Import Reals Lra Lia PeanoNat.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness Classes.
Open Scope R_scope.

(* What is claimed of every class holds of all n: so every rule whose claims are about all classes is the rule itself. *)
Theorem every_class (P : nat -> Prop) M N : (0 < M)%nat -> (forall r, (r < M)%nat -> forall x, (N <= x)%nat -> P (M * x + r)%nat) ->
  forall n, (M * N <= n)%nat -> P n.
Proof.
  intros hM h n hn. rewrite (Nat.div_mod n M) by lia. apply h; [apply Nat.mod_upper_bound; lia|]. apply Nat.div_le_lower_bound; lia.
Qed.

(** * Iterated logarithms of M x + r and of x differ by a constant *)

Lemma iter_multiple a j : 1 <= a -> exists K, 0 <= K /\ near (fun x => iter (S j) (a * x) <= iter (S j) x + K).
Proof.
  intros ha. induction j as [|j [K [hK h]]].
  - exists (ln a). split; [apply ln_nonneg; exact ha|]. apply (near_imp (fun x => 0 < x)); [|apply near_above]. intros x hx. change (ln (a * x) <= ln x + ln a). rewrite ln_mult by lra. lra.
  - exists K. split; [exact hK|]. refine (near_imp _ _ _ (near_and _ _ h (near_and _ _ (near_iter (S j) _ (near_above 1)) (near_positive (S j))))).
    intros x [h1 [h2 h3]]. assert (x0 : 0 < x) by (apply (h3 0%nat); lia).
    assert (m : iter (S j) x <= iter (S j) (a * x)) by (apply (iter_mono (S j) x (a * x) h3); [nra|lia]).
    change (ln (iter (S j) (a * x)) <= ln (iter (S j) x) + K). apply Rle_trans with (ln (iter (S j) x * (1 + K))).
    + apply ln_mono; [lra|nra].
    + rewrite ln_mult by lra. assert (g := ln_below (1 + K) ltac:(lra)). lra.
Qed.

Lemma logs_multiple a k : 1 <= a -> exists K, near (fun x => logs k (a * x) <= logs k x + K).
Proof.
  intros ha. induction k as [|k [K h]]; [exists 0; apply (near_imp (fun x => 0 < x)); [intros x hx; change (0 <= 0 + 0); lra|apply near_above]|].
  destruct (iter_multiple a k ha) as [K' [_ h']]. exists (K + K'). refine (near_imp _ _ _ (near_and _ _ h h')). intros x [h1 h2].
  change (logs k (a * x) + iter (S k) (a * x) <= logs k x + iter (S k) x + (K + K')). lra.
Qed.

Lemma logs_mono k x y : positive k x -> x <= y -> logs k x <= logs k y.
Proof.
  intros hp h. induction k as [|k IH]; [unfold logs; lra|].
  change (logs k x + iter (S k) x <= logs k y + iter (S k) y). assert (g := iter_mono (S k) x y hp h (S k) ltac:(lia)).
  assert (q := IH (positive_less k x hp)). lra.
Qed.

Lemma logs_class k M r : (0 < M)%nat -> exists K N, forall x, (N <= x)%nat -> logs k (INR (M * x + r)) <= logs k (INR x) + K.
Proof.
  intros hM. assert (ha : 1 <= INR (M + r)) by (apply (le_INR 1); lia). destruct (logs_multiple (INR (M + r)) k ha) as [K h].
  destruct (near_nat _ (near_and _ _ h (near_positive k))) as [N [hN1 hN]]. exists K, N. intros x hx. destruct (hN x hx) as [h1 _].
  destruct (hN (M * x + r)%nat ltac:(nia)) as [_ h2]. apply Rle_trans with (2 := h1). apply logs_mono; [exact h2|].
  rewrite <- mult_INR. apply le_INR. nia.
Qed.

(** * sum-diverges and weighted-sum-diverges in one class *)

Theorem sum_diverges_in_class A M r k C N : (0 < M)%nat -> positive k (INR N) ->
  (forall x, (N <= x)%nat -> - C - logs (S k) (INR (M * x + r)) <= A (M * x + r)%nat) -> class_diverges A M r.
Proof.
  intros hM hp h. destruct (logs_class (S k) M r hM) as [K [N' hK]]. exists k, (C + K), (Nat.max N N'). split; [apply (positive_from k N); [exact hp|lia]|].
  intros x hx. assert (g := h x ltac:(lia)). assert (q := hK x ltac:(lia)). lra.
Qed.

(* U e^(-U) is not summable in the class *)
Definition class_weight (A U : nat -> R) (M r k : nat) (C : R) (N : nat) : Prop := positive k (INR N) /\ forall x, (N <= x)%nat ->
  let n := (M * x + r)%nat in - U n <= A n /\ U n - ln (U n) <= C + logs (S k) (INR n).

Lemma weighted_class A U M r k C N K : (0 < M)%nat -> (forall n, (K <= n)%nat -> A n <= -1) -> class_weight A U M r k C N -> unbounded (H A).
Proof.
  intros hM hA [hp h]. apply (H_unbounded A K); [intros n hn; assert (g := hA n hn); lra|].
  apply (unbounded_class (weighted A) M r hM (weighted_nonneg A)). destruct (logs_class (S k) M r hM) as [D [N' hD]].
  assert (g := sum_diverges (fun x => - C - D - logs (S k) (INR x)) k (C + D) N hp (fun n hn => ltac:(simpl; lra))).
  apply (unbounded_compare _ (fun x => exp (- C - D - logs (S k) (INR x))) 1 (Nat.max N (Nat.max N' K))); [lra| | |exact g].
  - intros; left; apply exp_pos.
  - intros x hx. destruct (h x ltac:(lia)) as [h1 h2]. assert (h3 := hA (M * x + r)%nat ltac:(nia)). assert (h4 := hD x ltac:(lia)).
    rewrite Rmult_1_l. apply Rle_trans with (exp (- (U (M * x + r)%nat - ln (U (M * x + r)%nat)))); [apply exp_le; lra|].
    rewrite <- power_as_exp by lra. rewrite weighted_at by lra. apply weighted_falls; lra.
Qed.

Theorem eb_limit_fails_weighted_class f b w B U M r k C N : (0 < M)%nat -> (forall n, 0 <= B * w n) ->
  class_weight (fun n => b n + Rabs (f n) * (B * w n)) U M r k C N -> ~ eb_limit (plain f b w) B.
Proof.
  intros hM hw [hp h] g. destruct (top_content (plain f b w) B (steady_plain f b w) hw) as [c [hc e]]. destruct (g c hc) as [hz hh].
  destruct (finite_Z_sinks (score (plain f b w) c 0) (-1) hz) as [K hK]. revert hh. apply not_bounded.
  refine (weighted_class (score (plain f b w) c 0) U M r k C N K hM hK _). split; [exact hp|]. intros x hx. destruct (h x hx) as [h1 h2].
  split; [rewrite e; exact h1|exact h2].
Qed.

Theorem eb_some_content_fails_weighted_class f b w B U M r k C N : (0 < M)%nat ->
  class_weight (fun n => b n - Rabs (f n) * (B * w n)) U M r k C N -> ~ eb_some_content (plain f b w) B.
Proof.
  intros hM [hp h] [c [hc [hz hh]]]. destruct (finite_Z_sinks (score (plain f b w) c 0) (-1) hz) as [K hK]. revert hh. apply not_bounded.
  refine (weighted_class (score (plain f b w) c 0) U M r k C N K hM hK _). split; [exact hp|]. intros x hx. destruct (h x hx) as [h1 h2].
  split; [|exact h2]. destruct (score_between _ _ _ 0%nat (M * x + r)%nat hc) as [q _]. unfold below, reach in q. simpl in q. simpl. lra.
Qed.
