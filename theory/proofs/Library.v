(* More encodings of the library: nope, kerple-log, kerple-power, sliding-window, t5, yarn, every reading. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness PowerLaws Distance Windows Sphere Gradient Rotation Rope Additive BoundedScores.
Open Scope R_scope.

(** * nope: bias 0 *)

Definition nope : law := additive (fun _ => 0).

Theorem nope_all_fail d B : 0 < B -> all_fail nope B (sphere_moments d B nope).
Proof. intros hB. apply (additive_all_fail _ d B 0 0 1 hB). intros n hn. assert (g := ln_nonneg (INR n) (le_INR 1 n hn)). lra. Qed.

Theorem nope_ldcp d B : 0 < B -> ~ ldcp_literal nope /\ ~ ldcp_signed nope /\ ldcp_probability nope (sphere_tails d B nope) /\
  ldcp_content nope (sphere_tails d B nope) /\ ldcp_weight nope.
Proof.
  intros hB. split; [|split; [|split; [|split]]].
  - apply (bias_vanishes nope 0 1). intros L n hn _. simpl. rewrite Rabs_R0. left. apply Rinv_0_lt_compat. change (0 < INR n). apply lt_0_INR. lia.
  - apply additive_not_positive. intros. lra.
  - apply additive_content; exact hB.
  - apply additive_content; exact hB.
  - apply (bias_bounded_below nope 0 0 (additive_sees_all _)). intros n _. simpl. lra.
Qed.

Theorem nope_gps d : (0 < d)%nat -> ~ gps_vector d nope identity /\ ~ gps_norm d nope identity /\ ~ gps_scalar d nope identity.
Proof. apply additive_gps. Qed.

(** * kerple-log: bias -p log(1 + a n) *)

Section KerpleLog.
Variables p a : R.
Hypotheses (hp : 1 / 100 <= p) (ha : 1 / 100 <= a).
Definition kerple_log : law := additive (fun n => - p * ln (1 + a * INR n)).

Lemma kerple_log_between n : (1 <= n)%nat -> ln a + ln (INR n) <= ln (1 + a * INR n) <= ln (1 + a) + ln (INR n) /\ 0 <= ln (1 + a * INR n) /\ 0 <= ln (INR n).
Proof.
  intros hn. assert (h := le_INR 1 n hn). simpl in h. rewrite <- 2!ln_mult by lra. repeat split.
  - apply ln_mono; [nra|lra].
  - apply ln_mono; nra.
  - apply ln_nonneg. nra.
  - apply ln_nonneg. exact h.
Qed.

Theorem kerple_log_all_hold d B : 0 < B -> p > 1 -> all_hold kerple_log B (sphere_moments d B kerple_log).
Proof.
  intros hB h. apply (additive_all_hold _ d B (p - 1) (- p * ln a) 1 hB ltac:(lra)). intros n hn. destruct (kerple_log_between n hn) as [[k _] _]. nra.
Qed.

Theorem kerple_log_all_fail d B : 0 < B -> p <= 1 -> all_fail kerple_log B (sphere_moments d B kerple_log).
Proof.
  intros hB h. apply (additive_all_fail _ d B (ln (1 + a)) 0 1 hB). intros n hn. destruct (kerple_log_between n hn) as [[_ k] [k2 k3]]. nra.
Qed.

Lemma kerple_log_sinks : exists N, forall n, (N <= n)%nat -> - p * ln (1 + a * INR n) <= - p * ln (1 + a * INR 0) - iter 2 (INR n).
Proof.
  destruct (near_nat _ (near_and _ _ (iter_below 1 (p / 2) ltac:(lra)) (near_iter 1 _ (near_above (2 * Rabs (ln a)))))) as [N [hN1 hN]].
  exists N. intros n hn. destruct (hN n hn) as [h1 h2]. destruct (kerple_log_between n ltac:(lia)) as [[k _] _].
  change (iter 1 (INR n)) with (ln (INR n)) in *. assert (q := Rle_abs (- ln a)). rewrite Rabs_Ropp in q.
  simpl (INR 0). rewrite Rmult_0_r, Rplus_0_r, ln_1. nra.
Qed.

Theorem kerple_log_ldcp d B : 0 < B -> ldcp_literal kerple_log /\ ~ ldcp_signed kerple_log /\ ldcp_probability kerple_log (sphere_tails d B kerple_log) /\
  ldcp_content kerple_log (sphere_tails d B kerple_log) /\ ~ ldcp_weight kerple_log.
Proof.
  intros hB. destruct kerple_log_sinks as [N hN]. destruct (additive_sinks (fun n => - p * ln (1 + a * INR n)) 2 N hN) as [h1 h2].
  split; [exact h1|split; [|split; [|split; [|exact h2]]]].
  - apply additive_not_positive. intros n. assert (q := pos_INR n). assert (k := ln_nonneg (1 + a * INR n) ltac:(nra)). nra.
  - apply additive_content; exact hB.
  - apply additive_content; exact hB.
Qed.

Theorem kerple_log_gps d : (0 < d)%nat -> ~ gps_vector d kerple_log identity /\ ~ gps_norm d kerple_log identity /\ ~ gps_scalar d kerple_log identity.
Proof. apply additive_gps. Qed.
End KerpleLog.

(** * kerple-power: bias -a n^p, 0 at n = 0 *)

Section KerplePower.
Variables a p : R.
Hypotheses (ha : 1 / 100 <= a) (hp : 1 / 100 <= p <= 2).
Definition power_bias (n : nat) : R := match n with O => 0 | S _ => - a * Rpower (INR n) p end.
Definition kerple_power : law := additive power_bias.

Lemma power_above K : 0 < K -> exists N, (1 <= N)%nat /\ forall n, (N <= n)%nat -> power_bias n <= - K * ln (INR n).
Proof.
  intros hK. destruct (ln_below_line (p * a / K) ltac:(apply Rdiv_lt_0_compat; nra)) as [M hM].
  destruct (iter_unbounded 1 (Rabs M / p)) as [N [hN1 hN]]. exists N. split; [exact hN1|]. intros n hn.
  assert (h := hN n hn). change (iter 1 (INR n)) with (ln (INR n)) in h. destruct n as [|m]; [lia|]. set (x := INR (S m)) in *.
  assert (hx : M < Rpower x p).
  { unfold Rpower. assert (k := exp_above (p * ln x)). assert (q := Rle_abs M). apply (Rmult_lt_compat_l p) in h; [|lra].
    replace (p * (Rabs M / p)) with (Rabs M) in h by (field; lra). lra. }
  assert (g := hM _ hx). unfold Rpower in g at 1. rewrite ln_exp in g. unfold power_bias. fold x.
  apply (Rmult_le_compat_l (K / p)) in g; [|left; apply Rdiv_lt_0_compat; lra].
  replace (K / p * (p * ln x)) with (K * ln x) in g by (field; lra).
  replace (K / p * (p * a / K * Rpower x p)) with (a * Rpower x p) in g by (field; lra). lra.
Qed.

Lemma power_not_positive n : power_bias n <= 0.
Proof.
  destruct n as [|n]; [simpl; lra|]. change (power_bias (S n)) with (- a * Rpower (INR (S n)) p).
  assert (h : 0 < Rpower (INR (S n)) p) by apply exp_pos. nra.
Qed.

Theorem kerple_power_all_hold d B : 0 < B -> all_hold kerple_power B (sphere_moments d B kerple_power).
Proof.
  intros hB. destruct (power_above 2 ltac:(lra)) as [N [hN1 hN]]. apply (additive_all_hold _ d B 1 0 N hB ltac:(lra)). intros n hn. assert (g := hN n hn). lra.
Qed.

Theorem kerple_power_ldcp d B : 0 < B -> ldcp_literal kerple_power /\ ~ ldcp_signed kerple_power /\ ldcp_probability kerple_power (sphere_tails d B kerple_power) /\
  ldcp_content kerple_power (sphere_tails d B kerple_power) /\ ~ ldcp_weight kerple_power.
Proof.
  intros hB. destruct (power_above 1 ltac:(lra)) as [N [hN1 hN]].
  destruct (additive_sinks power_bias 1 N) as [h1 h2].
  { intros n hn. assert (g := hN n hn). change (iter 1 (INR n)) with (ln (INR n)). simpl (power_bias 0). lra. }
  split; [exact h1|split; [|split; [|split; [|exact h2]]]].
  - apply additive_not_positive. exact power_not_positive.
  - apply additive_content; exact hB.
  - apply additive_content; exact hB.
Qed.

Theorem kerple_power_gps d : (0 < d)%nat -> ~ gps_vector d kerple_power identity /\ ~ gps_norm d kerple_power identity /\ ~ gps_scalar d kerple_power identity.
Proof. apply additive_gps. Qed.
End KerplePower.

(** * sliding-window: RoPE with a window of W >= 1 keys *)

Definition sliding_window (W : nat) : law := windowed W rope.

Theorem sliding_window_cn_eb d W B : 0 < B -> (1 <= W)%nat -> all_hold (sliding_window W) B (sphere_moments d B (sliding_window W)).
Proof.
  intros hB hW. assert (hw : forall n : nat, 0 <= B * 1) by (intros; lra). split; [|split; [|split; [|split; [|split]]]].
  - apply window_cn_every_content.
  - apply window_cn_some_content; exact hw.
  - apply window_cn_expected.
  - apply window_eb_limit.
  - apply window_eb_some_content; exact hw.
  - apply window_eb_uniform; exact hW.
Qed.

Theorem sliding_window_ldcp W T : ~ ldcp_literal (sliding_window W) /\ ~ ldcp_signed (sliding_window W) /\ ~ ldcp_probability (sliding_window W) T /\
  ~ ldcp_content (sliding_window W) T /\ ~ ldcp_weight (sliding_window W).
Proof. apply window_ldcp. Qed.

Theorem sliding_window_gps h base W : (0 < h)%nat -> 1 < base -> (1 <= W)%nat ->
  let R := rotation h (rope_angle (h + h) base) in
  (gps_vector (h + h) (sliding_window W) R <-> (2 <= W)%nat) /\ ~ gps_norm (h + h) (sliding_window W) R /\ ~ gps_scalar (h + h) (sliding_window W) R.
Proof.
  intros hh hb hW R. assert (pi := PI2_3_2).
  assert (seen : (2 <= W)%nat -> both_seen (sliding_window W) 1 0 1) by (intros k L hL; change (0 <= Nat.min L (W - 1) /\ 1 <= Nat.min L (W - 1))%nat; lia).
  assert (one : W = 1%nat -> ~ gps_vector (h + h) (sliding_window W) R).
  { intros e. apply vector_fails. intros L n n' i j hn hn' _ _. simpl in hn, hn'. replace n with 0%nat by lia. replace n' with 0%nat by lia. reflexivity. }
  split; [split|split].
  - intros g. destruct (Nat.eq_dec W 1) as [e|e]; [destruct (one e g)|lia].
  - intros g. apply (turns h (sliding_window W) (rope_angle (h + h) base) hh 1 0 1 0 0%Z); [apply seen; lia|exact hh|intros; simpl; lra|intros; rewrite rope_first_turn; lra].
  - apply rotation_norm_fails; [exact hh|]. intros L n n'. reflexivity.
  - destruct (Nat.eq_dec W 1) as [e|e]; [apply scalar_fails_constant; exact (one e)|].
    apply (turns_scalar h (sliding_window W) (rope_angle (h + h) base) hh 1 0 1 0 0%Z); [apply seen; lia|exact hh|intros; simpl; lra|intros; rewrite rope_first_turn; lra].
Qed.

(** * t5: a value for each of 32 buckets, the last from distance 128 on *)

Definition t5_bucket (n : nat) : nat :=
  if Nat.ltb n 16 then n else if Nat.ltb n 128 then (16 + Z.to_nat (Int_part (16 * ln (INR n / 16) / ln 8)))%nat else 31%nat.
Definition t5 (values : nat -> R) : law := additive (fun n => values (t5_bucket n)).

Lemma t5_tail (values : nat -> R) n : (128 <= n)%nat -> values (t5_bucket n) = values 31%nat.
Proof.
  intros hn. unfold t5_bucket. rewrite (proj2 (Nat.ltb_ge n 16)), (proj2 (Nat.ltb_ge n 128)) by lia. reflexivity.
Qed.

Theorem t5_all_fail values d B : 0 < B -> all_fail (t5 values) B (sphere_moments d B (t5 values)).
Proof. exact (tail_all_fail _ _ 128 (t5_tail values) d B). Qed.

Theorem t5_ldcp values d B : 0 < B -> (ldcp_literal (t5 values) <-> values 31%nat <> 0) /\ (ldcp_signed (t5 values) <-> 0 < values 31%nat) /\
  ldcp_probability (t5 values) (sphere_tails d B (t5 values)) /\ ldcp_content (t5 values) (sphere_tails d B (t5 values)) /\ ldcp_weight (t5 values).
Proof. exact (tail_ldcp _ _ 128 (t5_tail values) d B). Qed.

Theorem t5_gps values d : (0 < d)%nat -> ~ gps_vector d (t5 values) identity /\ ~ gps_norm d (t5 values) identity /\ ~ gps_scalar d (t5 values) identity.
Proof. apply additive_gps. Qed.

(** * yarn: a constant gain, and angles whose frequencies are interpolated but in block 0 *)

Definition yarn_gain (factor : R) : R := (ln factor / 10 + 1) ^ 2.
Definition yarn_angle (d : nat) (base factor train beta_fast beta_slow : R) (L n j : nat) : R :=
  let turns := train * Rpower base (- 2 * INR j / INR d) in
  let block beta := INR d * ln (train / (2 * PI * beta)) / (2 * ln base) in
  let low := Rmax 0 (floor (block beta_fast)) in
  let high := Rmin (INR d - 1) (- floor (- block beta_slow)) in
  Rpower base (- 2 * INR j / INR d) * INR n *
    (if Nat.eqb j 0 then 1 else if Rle_dec (2 * PI * beta_fast) turns then 1 else if Rle_dec turns (2 * PI * beta_slow) then 1 / factor
     else 1 - (1 - 1 / factor) * (INR j - low) / (high - low)).

Lemma yarn_first d base factor train beta_fast beta_slow L n : yarn_angle d base factor train beta_fast beta_slow L n 0 = INR n.
Proof.
  unfold yarn_angle. simpl (Nat.eqb 0 0). cbv iota. replace (- 2 * INR 0 / INR d) with 0 by (simpl; unfold Rdiv; ring).
  unfold Rpower. rewrite Rmult_0_l, exp_0. ring.
Qed.

Lemma yarn_gain_positive factor : 1 <= factor -> 0 < yarn_gain factor.
Proof. intros h. unfold yarn_gain. apply pow_lt. assert (g := ln_nonneg factor h). lra. Qed.

Theorem yarn_all_fail factor d B : 1 <= factor -> 0 < B -> all_fail (rotary (yarn_gain factor)) B (sphere_moments d B (rotary (yarn_gain factor))).
Proof. intros hf. apply rotary_all_fail. apply yarn_gain_positive; exact hf. Qed.

Theorem yarn_ldcp factor d B : 1 <= factor -> 0 < B -> let l := rotary (yarn_gain factor) in
  ~ ldcp_literal l /\ ~ ldcp_signed l /\ ldcp_probability l (sphere_tails d B l) /\ ldcp_content l (sphere_tails d B l) /\ ldcp_weight l.
Proof. intros hf hB. apply rotary_ldcp; [apply yarn_gain_positive; exact hf|exact hB]. Qed.

Theorem yarn_gps h base factor train beta_fast beta_slow : (0 < h)%nat -> 1 <= factor ->
  let l := rotary (yarn_gain factor) in let W := rotation h (yarn_angle (h + h) base factor train beta_fast beta_slow) in
  gps_vector (h + h) l W /\ ~ gps_norm (h + h) l W /\ ~ gps_scalar (h + h) l W.
Proof. intros hh hf. apply rotary_gps; [apply yarn_gain_positive; exact hf|exact hh|apply yarn_first]. Qed.
