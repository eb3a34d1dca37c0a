(* Two cases that settle all readings of cn and eb at once: the largest scores stay below -(1 + eta) log n, or all scores
   stay above -log n and are bounded above. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness.
Open Scope R_scope.

(* the six readings, all holding and all failing *)
Definition all_hold (l : law) (B : R) (E : moments) : Prop :=
  cn_every_content l B /\ cn_some_content l B /\ cn_expected l E /\ eb_limit l B /\ eb_some_content l B /\ eb_uniform l B.
Definition all_fail (l : law) (B : R) (E : moments) : Prop :=
  ~ cn_every_content l B /\ ~ cn_some_content l B /\ ~ cn_expected l E /\ ~ eb_limit l B /\ ~ eb_some_content l B /\ ~ eb_uniform l B.

(* U = (1 + eta) log n - C is a witness for weighted-sum-converges with eta/2 *)
Lemma power_witness eta C : 0 < eta -> exists N K, (1 <= N)%nat /\ forall n, (N <= n)%nat ->
  1 <= (1 + eta) * ln (INR n) - C /\
  (1 + eta / 2) * ln (INR n) <= K + ((1 + eta) * ln (INR n) - C) - ln ((1 + eta) * ln (INR n) - C).
Proof.
  intros he. destruct (iter_unbounded 1 (Rmax 0 (1 + C))) as [N [hN1 hN]].
  set (s := 2 * (1 + eta) / eta). assert (hs : 0 < s) by (apply Rdiv_lt_0_compat; lra).
  exists N, (C - C / s - 1 + ln s). split; [exact hN1|]. intros n hn.
  assert (h := hN n hn). change (iter 1 (INR n)) with (ln (INR n)) in h. set (t := ln (INR n)) in *.
  assert (h1 := Rmax_l 0 (1 + C)). assert (h2 := Rmax_r 0 (1 + C)).
  assert (hu : 1 <= (1 + eta) * t - C) by nra. split; [exact hu|].
  set (U := (1 + eta) * t - C) in *.
  assert (g := ln_below (U / s) ltac:(apply Rdiv_lt_0_compat; lra)). unfold Rdiv in g at 1.
  rewrite ln_mult, ln_Rinv in g by (try apply Rinv_0_lt_compat; lra).
  assert (e : U / s = eta / 2 * t - C / s) by (unfold U, s; field; lra).
  assert (eU : U = (1 + eta) * t - C) by reflexivity. lra.
Qed.

Theorem below_power f b w B E eta C N : 0 < eta -> (forall n, 0 <= B * w n) -> moments_within E (fun n => B * w n) ->
  (forall n, (N <= n)%nat -> b n + Rabs (f n) * (B * w n) <= C - (1 + eta) * ln (INR n)) -> all_hold (plain f b w) B E.
Proof.
  intros he hw hE h. destruct (power_witness eta C he) as [N' [K [hN' hU]]].
  set (M := Nat.max N N').
  assert (hp : positive 0 (INR M)) by (apply positive_nat; unfold M; lia).
  assert (hc : forall n, (M <= n)%nat -> b n + Rabs (f n) * (B * w n) <= C - logs 0 (INR n) - (1 + eta) * iter 1 (INR n)).
  { intros n hn. change (logs 0 (INR n)) with 0. change (iter 1 (INR n)) with (ln (INR n)). rewrite Rminus_0_r. apply h. unfold M in hn. lia. }
  assert (cn := cn_every_content_holds f b w B 0 eta C M he hp hc).
  assert (eb : eb_limit (plain f b w) B).
  { apply (eb_limit_holds f b w B (fun n => (1 + eta) * ln (INR n) - C) 0 (eta / 2) K M ltac:(lra) hp).
    intros n hn. destruct (hU n ltac:(unfold M in hn; lia)) as [u1 u2]. assert (g := h n ltac:(unfold M in hn; lia)).
    change (logs 0 (INR n)) with 0. change (iter 1 (INR n)) with (ln (INR n)). lra. }
  assert (h0 := no_content (plain f b w) B hw). repeat split.
  - exact cn.
  - exists (fun _ => 0). split; [exact h0|apply cn; exact h0].
  - apply (cn_expected_holds f b w B E 0 eta C M he hp hE hc).
  - apply eb; assumption.
  - apply eb; assumption.
  - exists (fun _ => 0). split; [exact h0|apply eb; exact h0].
  - intros c hcc. apply eb; exact hcc.
Qed.

Theorem above_log f b w B E C M N : (forall n, 0 <= B * w n) -> moments_within E (fun n => B * w n) ->
  (forall n, (N <= n)%nat -> - C - ln (INR n) <= b n - Rabs (f n) * (B * w n) /\ b n <= M) -> all_fail (plain f b w) B E.
Proof.
  intros hw hE h. set (K := S N). assert (hp : positive 0 (INR K)) by (apply positive_nat; unfold K; lia).
  assert (ha : forall n, 0 <= Rabs (f n) * (B * w n)) by (intros n; apply Rmult_le_pos; [apply Rabs_pos|apply hw]).
  assert (hl : forall n, (K <= n)%nat -> - C - logs 1 (INR n) <= b n - Rabs (f n) * (B * w n)).
  { intros n hn. change (logs 1 (INR n)) with (0 + ln (INR n)). assert (g := h n ltac:(unfold K in hn; lia)). lra. }
  assert (hb : forall n, (K <= n)%nat -> - C - logs 1 (INR n) <= b n).
  { intros n hn. assert (g := hl n hn). assert (g' := ha n). lra. }
  assert (hu : forall n, (K <= n)%nat -> - C - logs 1 (INR n) <= b n + Rabs (f n) * (B * w n)).
  { intros n hn. assert (g := hl n hn). assert (g' := ha n). lra. }
  assert (fe := cn_every_content_fails f b w B 0 C K hp hw hu). assert (fs := cn_some_content_fails f b w B 0 C K hp hl).
  split; [exact fe|]. split; [exact fs|]. split; [apply (cn_expected_fails f b w B E 0 C K hp hE hb)|].
  split; [apply (eb_limit_fails f b w B 0 C K hp hw hu)|]. split; [apply (eb_some_content_fails f b w B 0 C K hp hl)|].
  apply (eb_uniform_fails_bounded f b w B 0 M 0 C K ltac:(lra) hp hw). intros n hn. rewrite Rmult_0_l, Rplus_0_r.
  split; [apply hb; exact hn|apply (h n); unfold K in hn; lia].
Qed.
