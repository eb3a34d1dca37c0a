(* Claims about normalization, entropy and long-distance correlation that were published with APE: those that are false, with
   the smallest repair, and those that are true. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness PowerLaws Distance Sphere LastTokens Lengths Rope Alibi AlibiEntropy Ape ApeTurns Gradient Rotation.
Open Scope R_scope.

(** * T1.i: a finite Z has a finite entropy *)

Definition slow (n : nat) : R := - ln (INR n + 2) - 2 * ln (ln (INR n + 2)).

(* 2 <= n, and log n, log log n are positive *)
Lemma slow_start : exists N, (2 <= N)%nat /\ forall n, (N <= n)%nat -> positive 2 (INR n) /\ 2 <= INR n /\
  ln (INR n) <= ln (INR n + 2) <= ln (INR n) + 1 /\
  ln (ln (INR n)) <= ln (ln (INR n + 2)) <= ln (ln (INR n)) + 1 /\ 1 < ln (INR n).
Proof.
  destruct (near_nat _ (near_and _ _ (near_positive 2) (near_above 2))) as [N1 [_ h1]].
  destruct (iter_unbounded 1 1) as [N2 [_ h2]]. exists (Nat.max 2 (Nat.max N1 N2)). split; [lia|]. intros n hn.
  destruct (h1 n ltac:(lia)) as [p x]. assert (l1 := h2 n ltac:(lia)). change (iter 1 (INR n)) with (ln (INR n)) in l1.
  assert (e := exp_ineq1 1 ltac:(lra)).
  assert (a : ln (INR n) <= ln (INR n + 2)) by (apply ln_mono; lra).
  assert (b : ln (INR n + 2) <= ln (INR n) + 1).
  { replace (ln (INR n) + 1) with (ln (INR n * exp 1)) by (rewrite ln_mult, ln_exp by (try apply exp_pos; lra); reflexivity). apply ln_mono; [lra|nra]. }
  repeat split; try assumption; try lra.
  - apply ln_mono; lra.
  - replace (ln (ln (INR n)) + 1) with (ln (ln (INR n) * exp 1)) by (rewrite ln_mult, ln_exp by (try apply exp_pos; lra); reflexivity).
    apply ln_mono; [lra|nra].
Qed.

Theorem paper_T1_i_refuted : exists A : nat -> R, (exists M, forall L, Z A L <= M) /\ ~ (exists M, forall L, H A L <= M).
Proof.
  exists slow. destruct slow_start as [N [hN1 hN]]. split.
  - apply (sum_converges slow 1 1 0 N Rlt_0_1).
    + apply positive_less. apply hN. apply le_n.
    + intros n hn. destruct (hN n hn) as [_ [_ [[a _] [[b _] _]]]]. cbv [logs iter]. unfold slow. lra.
  - apply not_bounded. apply (weighted_sum_diverges slow (fun n => - slow n) 1 2 N).
    + apply positive_less. apply hN. apply le_n.
    + intros n hn. destruct (hN n hn) as [p [x [[a b] [[c d] e]]]]. split; [lra|].
      assert (p2 := p 2%nat ltac:(lia)). change (0 < ln (ln (INR n))) in p2. unfold slow. split; [lra|].
      cbv [logs iter]. set (t := ln (INR n + 2)) in *.
      assert (g : ln t <= ln (- (- t - 2 * ln t))) by (apply ln_mono; lra). lra.
Qed.

(* what is missing is that the weighted sum is finite, too *)
Theorem paper_T1_i_repaired A : (exists M, forall L, Z A L <= M) -> (exists M, forall L, sum_f_R0 (fun n => Rabs (A n) * exp (A n)) L <= M) ->
  exists M, forall L, H A L <= M.
Proof. exact (H_bounded A). Qed.

(* it is where the scores stay below -(1 + eta) log n *)
Theorem paper_T1_i_repaired_power A eta N : 0 < eta -> (forall n, (N <= n)%nat -> A n <= - (1 + eta) * ln (INR n)) ->
  (exists M, forall L, Z A L <= M) /\ (exists M, forall L, H A L <= M).
Proof.
  intros he h. destruct (power_witness eta 0 he) as [N' [K [hN' hU]]].
  apply (weighted_sum_converges A (fun n => (1 + eta) * ln (INR n) - 0) 0 (eta / 2) K (Nat.max N N')); [lra|apply positive_nat; lia|].
  intros n hn. destruct (hU n ltac:(lia)) as [u1 u2]. assert (g := h n ltac:(lia)). cbv [logs iter]. lra.
Qed.

(** * T1.ii: a bounded entropy has a finite Z *)

Theorem paper_T1_ii_refuted : exists A : nat -> R, (exists M, forall L, H A L <= M) /\ ~ (exists M, forall L, Z A L <= M).
Proof.
  exists (fun n => INR n * ln 2). assert (h2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra). split.
  - apply (H_last_tokens _ (ln 2) 0 0 h2). intros L n _ _. lra.
  - apply not_bounded. apply (sum_diverges _ 0 0 1 (positive_nat 1 (le_n _))). intros n hn. cbv [logs iter].
    assert (q := ln_nonneg (INR n) (le_INR 1 n hn)). assert (q2 := pos_INR n). nra.
Qed.

Theorem paper_T1_ii_repaired A K : (forall n, A n <= K) -> (exists M, forall L, H A L <= M) -> exists M, forall L, Z A L <= M.
Proof.
  intros hK hH. destruct (unbounded_or_bounded (Z A)) as [h|h]; [exfalso|exact h].
  exact (not_bounded _ (H_unbounded_of_Z A K hK h) hH).
Qed.

(** * L1: long-distance correlation excludes convergent normalization *)

Theorem paper_L1_literal_refuted m B : 0 < m -> 0 < B -> ldcp_literal (alibi m) /\ cn_every_content (alibi m) B.
Proof. intros hm hB. split; [apply alibi_ldcp_literal|apply alibi_cn_every_content]; lra. Qed.

Theorem paper_L1_probability_refuted d m B : 0 < m -> 0 < B -> ldcp_probability (alibi m) (sphere_tails d B (alibi m)) /\ cn_every_content (alibi m) B.
Proof. intros hm hB. split; [apply alibi_ldcp_probability|apply alibi_cn_every_content]; lra. Qed.

Theorem paper_L1_content_refuted d m B : 0 < m -> 0 < B -> ldcp_content (alibi m) (sphere_tails d B (alibi m)) /\ cn_every_content (alibi m) B.
Proof. intros hm hB. split; [apply alibi_ldcp_content|apply alibi_cn_every_content]; lra. Qed.

Lemma far_bias f b w C : far (plain f b w) (fun L n => C <= bias (plain f b w) L n) -> ~ bounded (Z b).
Proof.
  intros hf hz. destruct (finite_Z_sinks b (C - 1) hz) as [N hN]. destruct (hf N) as [n [L [hn [_ g]]]]. simpl in g.
  assert (q := hN n hn). lra.
Qed.

Lemma far_bias_cn f b w B E C : (forall n, 0 <= B * w n) -> moments_within E (fun n => B * w n) ->
  far (plain f b w) (fun L n => C <= bias (plain f b w) L n) -> ~ cn_every_content (plain f b w) B /\ ~ cn_expected (plain f b w) E.
Proof.
  intros hw hE hf. assert (h := far_bias f b w C hf). split; intros g; apply h.
  - destruct (g (fun _ => 0) (no_content (plain f b w) B hw)) as [M hM]. exists M. intros L. apply Rle_trans with (2 := hM L).
    apply Z_le. intros n _. unfold score. simpl. lra.
  - destruct g as [M hM]. exists M. intros L. apply Rle_trans with (2 := hM L). apply sum_le. intros n _. simpl.
    rewrite <- (Rmult_1_r (exp (b n))) at 1. apply Rmult_le_compat_l; [left; apply exp_pos|apply hE].
Qed.

Theorem paper_L1_signed f b w B E : (forall n, 0 <= B * w n) -> moments_within E (fun n => B * w n) ->
  ldcp_signed (plain f b w) -> ~ cn_every_content (plain f b w) B /\ ~ cn_expected (plain f b w) E.
Proof. intros hw hE [C [_ hf]]. exact (far_bias_cn f b w B E C hw hE hf). Qed.

Lemma far_weight f b w : ldcp_weight (plain f b w) -> exists C, far (plain f b w) (fun L n => C <= bias (plain f b w) L n).
Proof.
  intros [C hf]. exists (b 0%nat - C). intros N. destruct (hf N) as [n [L [hn [hL g]]]]. exists n, L. repeat split; try assumption. simpl in *. lra.
Qed.

Theorem paper_L1_weight f b w B E : (forall n, 0 <= B * w n) -> moments_within E (fun n => B * w n) ->
  ldcp_weight (plain f b w) -> ~ cn_every_content (plain f b w) B /\ ~ cn_expected (plain f b w) E.
Proof. intros hw hE h. destruct (far_weight f b w h) as [C hf]. exact (far_bias_cn f b w B E C hw hE hf). Qed.

(* for some content it does where the gain is bounded, and need not where it is not *)
Theorem paper_L1_some_content f b w B M : (forall n, Rabs (f n) * (B * w n) <= M) ->
  ldcp_signed (plain f b w) \/ ldcp_weight (plain f b w) -> ~ cn_some_content (plain f b w) B.
Proof.
  intros hM h. assert (hf : exists C, far (plain f b w) (fun L n => C <= bias (plain f b w) L n)).
  { destruct h as [[C [_ hf]]|h]; [exists C; exact hf|apply far_weight; exact h]. }
  destruct hf as [C hf]. intros [c [hc hz]]. destruct (finite_Z_sinks (score (plain f b w) c 0) (C - M - 1) hz) as [N hN].
  destruct (hf N) as [n [L [hn [_ g]]]]. assert (q := hN n hn). destruct (score_between _ _ _ 0%nat n hc) as [k _].
  unfold below, reach in k. simpl in *. assert (hMn := hM n). lra.
Qed.

Theorem paper_L1_some_content_refuted : exists f b w, ldcp_signed (plain f b w) /\ ldcp_weight (plain f b w) /\ cn_some_content (plain f b w) 1.
Proof.
  exists (fun n => 2 * ln (INR n)), (fun _ => 1), (fun _ => 1). split; [|split].
  - apply (bias_stays_positive _ 1 0); [intros n; apply le_n|lra|intros n _; simpl; lra].
  - apply (bias_bounded_below _ 0 0); [intros n; apply le_n|intros n _; simpl; lra].
  - apply (cn_some_content_holds _ _ _ 1 0 1 1 1 Rlt_0_1 (positive_nat 1 (le_n _))); [intros; lra|]. intros n hn.
    assert (q := ln_nonneg (INR n) (le_INR 1 n hn)). cbv [logs iter]. rewrite Rabs_pos_eq by lra. lra.
Qed.

(** * P1: RoPE has neither a finite Z nor a bounded entropy *)

Theorem paper_P1 B c L : content rope B c -> INR (S L) * exp (- B) <= Z (score rope c L) L /\ ln (INR (S L)) - 2 * B <= H (score rope c L) L.
Proof.
  intros hc. assert (h : forall n, - B <= score rope c L n <= B).
  { intros n. assert (g := score_between rope B c L n hc). unfold below, above, reach in g. simpl in g. rewrite Rabs_R1 in g. simpl. lra. }
  assert (z := Z_at_least (score rope c L) (- B) L (fun n _ => proj1 (h n))). split; [exact z|].
  assert (g := H_at_least (score rope c L) B L (fun n _ => proj2 (h n))).
  assert (k : ln (INR (S L)) + - B <= ln (Z (score rope c L) L)).
  { rewrite <- (ln_exp (- B)), <- ln_mult by (try apply exp_pos; apply lt_0_INR; lia). apply ln_mono; [|exact z].
    apply Rmult_lt_0_compat; [apply lt_0_INR; lia|apply exp_pos]. }
  lra.
Qed.

(** * P4: ALiBi has both, and without content in closed form *)

Theorem paper_P4 m B : 0 < m -> 0 < B -> cn_every_content (alibi m) B /\ eb_limit (alibi m) B /\
  is_lim_seq (Z (bias (alibi m) 0)) (1 / (1 - exp (- m))) /\
  is_lim_seq (H (bias (alibi m) 0)) (- ln (1 - exp (- m)) - exp (- m) * ln (exp (- m)) / (1 - exp (- m))).
Proof.
  intros hm hB. split; [apply alibi_cn_every_content; lra|split; [apply alibi_eb_limit; lra|split]].
  - exact (alibi_normalizer m hm).
  - exact (alibi_entropy m hm).
Qed.

(** * P5: APE normalizes, has a bounded entropy and a gradient that feels distance; not as a multiple of k *)

Theorem paper_P5 lambda delta beta gamma B h base alpha0 : 0 < lambda -> 0 <= delta -> 0 <= beta -> 0 <= gamma -> 0 < B ->
  delta > 0 \/ gamma > 0 \/ beta > 1 -> (0 < h)%nat -> 1 < base -> 0 < alpha0 ->
  let l := ape lambda delta beta gamma in let W := rotation h (ape_angle (h + h) base alpha0 delta beta gamma) in
  cn_every_content l B /\ eb_limit l B /\ gps_norm (h + h) l W /\ gps_vector (h + h) l W /\ ~ gps_scalar (h + h) l W.
Proof.
  intros hl hd hb hg hB hr hh hbase ha l W. split; [|split; [|split; [|split]]].
  - apply ape_cn_every_content; assumption.
  - apply ape_eb_limit; assumption.
  - apply ape_gps_norm; assumption.
  - apply ape_gps_vector; assumption.
  - apply ape_gps_scalar; assumption.
Qed.

(* A step of its proof is false. *)
Theorem paper_P5_step_refuted lambda delta beta gamma B : 0 < lambda -> 0 < B ->
  ~ exists C0, forall c, content (ape lambda delta beta gamma) B c -> forall n,
    exp (score (ape lambda delta beta gamma) c 0 n) <= C0 / (1 + lambda * INR n) * exp (ape_bias delta beta gamma n).
Proof.
  intros hl hB [C0 h]. destruct (nfloor_ex (Rabs C0 / lambda)) as [n [_ hn]].
  { apply Rmult_le_pos; [apply Rabs_pos|left; apply Rinv_0_lt_compat; exact hl]. }
  assert (g := h (fun _ => 0) (no_content (ape lambda delta beta gamma) B ltac:(intros; simpl; lra)) (S n)).
  simpl (score _ _ _ _) in g. unfold score in g. simpl gain in g. simpl bias in g. rewrite Rmult_0_r, Rplus_0_l in g. rewrite <- (Rmult_1_l (exp _)) in g at 1.
  apply Rmult_le_reg_r in g; [|apply exp_pos]. assert (q := Rle_abs C0).
  assert (k : Rabs C0 < lambda * INR (S n)).
  { rewrite S_INR. apply (Rmult_lt_compat_l lambda) in hn; [|exact hl]. replace (lambda * (Rabs C0 / lambda)) with (Rabs C0) in hn by (field; lra). exact hn. }
  assert (p := pos_INR (S n)). assert (d : 0 < 1 + lambda * INR (S n)) by nra.
  apply (Rmult_le_compat_r (1 + lambda * INR (S n))) in g; [|lra]. unfold Rdiv in g. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l in g by lra. lra.
Qed.
