(* T2 of docs/certificates.md as rules for the readings of entropy boundedness, for laws that do not mention L. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy.
Open Scope R_scope.

(* Any share e of the extreme content is a content: e = 1 has the scores above, 0 the bias, -1 the scores below. *)
Lemma chosen_content f b w B e : -1 <= e <= 1 -> (forall n, 0 <= B * w n) ->
  exists c, content (plain f b w) B c /\ forall L n, score (plain f b w) c L n = b n + e * (Rabs (f n) * (B * w n)).
Proof.
  intros he hw. destruct (top_content (plain f b w) B (steady_plain f b w) hw) as [c [hc hs]].
  exists (fun n => e * c n). split.
  - intros n. rewrite Rabs_mult. assert (h := hc n). simpl in *. assert (Rabs e <= 1) by (apply Rabs_le; lra).
    assert (h2 := Rabs_pos (c n)). assert (h3 := Rabs_pos e). nra.
  - intros L n. assert (h := hs L n). unfold score, above, reach in h. simpl in h. unfold score. simpl. nra.
Qed.

(* weighted-sum-converges, score above *)
Theorem eb_limit_holds f b w B U k eta C N : 0 < eta -> positive k (INR N) ->
  (forall n, (N <= n)%nat -> 1 <= U n /\ U n <= - (b n + Rabs (f n) * (B * w n)) /\
    logs k (INR n) + (1 + eta) * iter (S k) (INR n) <= C + U n - ln (U n)) ->
  eb_limit (plain f b w) B.
Proof.
  intros he hp h c hc. refine (weighted_sum_converges (score (plain f b w) c 0) U k eta C N he hp _).
  intros n hn. destruct (h n hn) as [h1 [h2 h3]]. destruct (score_between _ _ _ 0%nat n hc) as [_ g].
  unfold above, reach in g. simpl in g. simpl. lra.
Qed.

Theorem eb_uniform_holds f b w B U k eta C N : 0 < eta -> positive k (INR N) ->
  (forall n, (N <= n)%nat -> 1 <= U n /\ U n <= - (b n + Rabs (f n) * (B * w n)) /\
    logs k (INR n) + (1 + eta) * iter (S k) (INR n) <= C + U n - ln (U n)) ->
  eb_uniform (plain f b w) B.
Proof. intros he hp h c hc. apply (eb_limit_holds f b w B U k eta C N he hp h c hc). Qed.

(* weighted-sum-converges, score below *)
Theorem eb_some_content_holds f b w B U k eta C N : 0 < eta -> positive k (INR N) -> (forall n, 0 <= B * w n) ->
  (forall n, (N <= n)%nat -> 1 <= U n /\ U n <= - (b n - Rabs (f n) * (B * w n)) /\
    logs k (INR n) + (1 + eta) * iter (S k) (INR n) <= C + U n - ln (U n)) ->
  eb_some_content (plain f b w) B.
Proof.
  intros he hp hw h. destruct (bottom_content (plain f b w) B (steady_plain f b w) hw) as [c [hc e]]. exists c. split; [exact hc|].
  refine (weighted_sum_converges (score (plain f b w) c 0) U k eta C N he hp _).
  intros n hn. rewrite e. apply h; exact hn.
Qed.

(* sum-diverges *)
Theorem eb_limit_fails f b w B k C N : positive k (INR N) -> (forall n, 0 <= B * w n) ->
  (forall n, (N <= n)%nat -> - C - logs (S k) (INR n) <= b n + Rabs (f n) * (B * w n)) -> ~ eb_limit (plain f b w) B.
Proof.
  intros hp hw h g. apply (cn_every_content_fails f b w B k C N hp hw h). intros c hc. apply g; exact hc.
Qed.

Theorem eb_some_content_fails f b w B k C N : positive k (INR N) ->
  (forall n, (N <= n)%nat -> - C - logs (S k) (INR n) <= b n - Rabs (f n) * (B * w n)) -> ~ eb_some_content (plain f b w) B.
Proof.
  intros hp h [c [hc [g _]]]. apply (cn_some_content_fails f b w B k C N hp h). exists c. split; assumption.
Qed.

(* weighted-sum-diverges *)
Theorem eb_uniform_fails_weighted f b w B e U k C N : -1 <= e <= 1 -> positive k (INR N) -> (forall n, 0 <= B * w n) ->
  (forall n, (N <= n)%nat -> - U n <= b n + e * (Rabs (f n) * (B * w n)) /\ b n + e * (Rabs (f n) * (B * w n)) <= -1 /\
    U n - ln (U n) <= C + logs (S k) (INR n)) ->
  ~ eb_uniform (plain f b w) B.
Proof.
  intros he hp hw h g. destruct (chosen_content f b w B e he hw) as [c [hc hs]]. revert g. intros g. assert (g' := g c hc). revert g'.
  apply not_bounded. refine (weighted_sum_diverges (score (plain f b w) c 0) U k C N hp _).
  intros n hn. rewrite hs. apply h; exact hn.
Qed.

Theorem eb_limit_fails_weighted f b w B U k C N : positive k (INR N) -> (forall n, 0 <= B * w n) ->
  (forall n, (N <= n)%nat -> - U n <= b n + Rabs (f n) * (B * w n) /\ b n + Rabs (f n) * (B * w n) <= -1 /\
    U n - ln (U n) <= C + logs (S k) (INR n)) ->
  ~ eb_limit (plain f b w) B.
Proof.
  intros hp hw h g. apply (eb_uniform_fails_weighted f b w B 1 U k C N ltac:(lra) hp hw).
  - intros n hn. rewrite Rmult_1_l. apply h; exact hn.
  - intros c hc. apply g; exact hc.
Qed.

Lemma finite_Z_sinks A M : bounded (Z A) -> exists N, forall n, (N <= n)%nat -> A n <= M.
Proof.
  intros [S hS]. destruct (ex_finite_lim_seq_incr (sum_n (fun n => exp (A n))) S) as [l hl].
  - intros n. rewrite sum_Sn. assert (h := exp_pos (A (Datatypes.S n))). unfold plus; simpl. lra.
  - intros n. rewrite sum_n_Reals. apply hS.
  - assert (h : is_lim_seq (fun n => exp (A n)) 0) by (apply ex_series_lim_0; exists l; exact hl).
    apply is_lim_seq_spec in h. destruct (h (mkposreal (exp M) (exp_pos M))) as [N hN]. exists N. intros n hn.
    assert (g := hN n hn). simpl in g. rewrite Rminus_0_r, Rabs_pos_eq in g by (left; apply exp_pos).
    left. apply exp_lt_inv. exact g.
Qed.

Theorem eb_some_content_fails_weighted f b w B U k C N : positive k (INR N) ->
  (forall n, (N <= n)%nat -> - U n <= b n - Rabs (f n) * (B * w n) /\ U n - ln (U n) <= C + logs (S k) (INR n)) ->
  ~ eb_some_content (plain f b w) B.
Proof.
  intros hp h [c [hc [hz hh]]]. destruct (finite_Z_sinks (score (plain f b w) c 0) (-1) hz) as [K hK].
  revert hh. apply not_bounded. refine (weighted_sum_diverges (score (plain f b w) c 0) U k C (Nat.max N K) _ _).
  - apply (positive_from k N); [exact hp|lia].
  - intros n hn. destruct (h n ltac:(lia)) as [h1 h2]. destruct (score_between _ _ _ 0%nat n hc) as [g _].
    unfold below, reach in g. simpl in g. split; [simpl; lra|split; [apply hK; lia|exact h2]].
Qed.

(* sum-diverges-bounded *)
Theorem eb_uniform_fails_bounded f b w B e M k C N : -1 <= e <= 1 -> positive k (INR N) -> (forall n, 0 <= B * w n) ->
  (forall n, (N <= n)%nat -> - C - logs (S k) (INR n) <= b n + e * (Rabs (f n) * (B * w n)) <= M) -> ~ eb_uniform (plain f b w) B.
Proof.
  intros he hp hw h g. destruct (chosen_content f b w B e he hw) as [c [hc hs]]. assert (g' := g c hc). revert g'.
  apply not_bounded. destruct (bound_from (score (plain f b w) c 0) M N) as [M' hM'].
  - intros n hn. rewrite hs. apply h; exact hn.
  - refine (H_unbounded_of_Z (score (plain f b w) c 0) M' hM' _). apply (sum_diverges _ k C N hp).
    intros n hn. rewrite hs. apply h; exact hn.
Qed.
