(* FIRE: a bias F(log(c n + 1)/(log(c max(L, threshold) + 1) + 10^-6)), for any function F (the network of the file) that is bounded
   on [0, 1] and continuous at 1; less its value at n = 0. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness PowerLaws Distance Lengths Sphere Gradient BoundedScores.
Open Scope R_scope.

Definition fire_position (c threshold : R) (L n : nat) : R := ln (c * INR n + 1) / (ln (c * Rmax (INR L) threshold + 1) + / 10 ^ 6).
Definition fire (F : R -> R) (c threshold : R) : law :=
  {| gain := fun _ _ => 1; bias := fun L n => F (fire_position c threshold L n) - F (fire_position c threshold L 0); width := fun _ => 1; last := fun L => L |}.

Section Fire.
Variables (F : R -> R) (c threshold K : R).
Hypotheses (hc : 0 < c) (ht : 0 < threshold) (bounded_F : forall x, 0 <= x <= 1 -> Rabs (F x) <= K)
  (continuous_F : forall eps, 0 < eps -> exists delta, 0 < delta /\ forall x, 0 <= x <= 1 -> 1 - delta <= x -> Rabs (F x - F 1) <= eps).
Let l := fire F c threshold.

Lemma million : 0 < / 10 ^ 6 < 1.
Proof. simpl. lra. Qed.

Lemma fire_below L : 0 < ln (c * Rmax (INR L) threshold + 1).
Proof. rewrite <- ln_1. apply ln_increasing; [lra|]. assert (g := Rmax_r (INR L) threshold). nra. Qed.

Lemma fire_start L : fire_position c threshold L 0 = 0.
Proof. unfold fire_position. simpl (INR 0). rewrite Rmult_0_r, Rplus_0_l, ln_1. unfold Rdiv. ring. Qed.

Lemma fire_range L n : (n <= L)%nat -> 0 <= fire_position c threshold L n <= 1.
Proof.
  intros hn. assert (m := million). assert (p := fire_below L). assert (i := pos_INR n). apply le_INR in hn. assert (g := Rmax_l (INR L) threshold).
  assert (h : ln (c * INR n + 1) <= ln (c * Rmax (INR L) threshold + 1)) by (apply ln_mono; nra).
  assert (h0 : 0 <= ln (c * INR n + 1)) by (apply ln_nonneg; nra). unfold fire_position. split.
  - apply Rmult_le_pos; [exact h0|left; apply Rinv_0_lt_compat; lra].
  - apply div_le_one; lra.
Qed.

Theorem fire_all_fail d B : 0 < B -> all_fail l B (sphere_moments d B l).
Proof.
  intros hB. apply (bounded_all_fail l B _ (2 * K + B)); [intros L; reflexivity|intros; simpl; lra|apply sphere_moments_within; intros; simpl; lra|].
  intros L n hn. simpl. rewrite Rabs_R1. assert (h1 := bounded_F _ (fire_range L n hn)). assert (h2 := bounded_F _ (fire_range L 0 ltac:(lia))).
  assert (t := Rabs_triang (F (fire_position c threshold L n)) (- F (fire_position c threshold L 0))). rewrite Rabs_Ropp in t. unfold Rminus. lra.
Qed.

(* the last token of a long text is at F(1) *)
Lemma fire_diagonal eps : 0 < eps -> exists N, forall n, (N <= n)%nat -> Rabs (bias l n n - (F 1 - F 0)) <= eps.
Proof.
  intros he. destruct (continuous_F eps he) as [delta [hd hF]].
  destruct (nfloor_ex (threshold + exp (/ delta) / c)) as [N [_ hN]].
  { assert (q := Rdiv_lt_0_compat _ _ (exp_pos (/ delta)) hc). lra. }
  exists (S N). intros n hn. simpl bias. rewrite fire_start.
  replace (F (fire_position c threshold n n) - F 0 - (F 1 - F 0)) with (F (fire_position c threshold n n) - F 1) by ring.
  apply hF; [apply fire_range; apply le_n|]. apply le_INR in hn. rewrite S_INR in hn. assert (q := Rdiv_lt_0_compat _ _ (exp_pos (/ delta)) hc).
  unfold fire_position. rewrite Rmax_left by lra. assert (m := million).
  assert (e : exp (/ delta) <= c * INR n + 1).
  { apply Rle_trans with (c * (exp (/ delta) / c)); [right; field; lra|]. nra. }
  assert (t : / delta <= ln (c * INR n + 1)) by (rewrite <- (ln_exp (/ delta)); apply ln_mono; [apply exp_pos|exact e]).
  assert (id := Rinv_0_lt_compat _ hd). set (y := ln (c * INR n + 1)) in *. set (a := / 10 ^ 6) in *.
  apply Rmult_le_reg_r with (y + a); [lra|]. replace (y / (y + a) * (y + a)) with y by (field; lra).
  assert (k : 1 <= delta * y). { apply (Rmult_le_compat_l delta) in t; [|lra]. rewrite Rinv_r in t by lra. exact t. } nra.
Qed.

Theorem fire_ldcp_literal : F 1 <> F 0 -> ldcp_literal l.
Proof.
  intros h. assert (hp := Rabs_pos_lt (F 1 - F 0) ltac:(lra)). destruct (fire_diagonal (Rabs (F 1 - F 0) / 2) ltac:(lra)) as [N hN].
  apply (bias_stays l (Rabs (F 1 - F 0) / 2) N); [intros n; apply le_n|lra|]. intros n hn. assert (g := hN n hn).
  assert (t := Rabs_triang_inv (F 1 - F 0) (F 1 - F 0 - bias l n n)). replace (F 1 - F 0 - (F 1 - F 0 - bias l n n)) with (bias l n n) in t by ring.
  rewrite (Rabs_minus_sym (F 1 - F 0) (bias l n n)) in t. lra.
Qed.

Theorem fire_ldcp_signed : (F 0 < F 1 -> ldcp_signed l) /\ ((forall x, 0 <= x <= 1 -> F x <= F 0) -> ~ ldcp_signed l).
Proof.
  split; intros h.
  - destruct (fire_diagonal ((F 1 - F 0) / 2) ltac:(lra)) as [N hN]. apply (bias_stays_positive l ((F 1 - F 0) / 2) N); [intros n; apply le_n|lra|].
    intros n hn. assert (g := hN n hn). apply Rabs_le_between in g. lra.
  - apply (bias_not_positive l 0 1). intros L n hn hL. simpl in hL |- *. rewrite fire_start. assert (g := h _ (fire_range L n hL)).
    apply Rle_trans with 0; [lra|]. left. apply Rinv_0_lt_compat. change (0 < INR n). apply lt_0_INR. lia.
Qed.

Theorem fire_ldcp_content d B : 0 < B -> ldcp_content l (sphere_tails d B l) /\ ldcp_probability l (sphere_tails d B l) /\ ldcp_weight l.
Proof.
  intros hB. assert (h1 : tails_within (sphere_tails d B l) (fun n => B * width l n)) by (apply sphere_tails_within; intros; simpl; lra).
  assert (h2 : tails_likely (sphere_tails d B l) (fun n => B * width l n) (sphere_share d)) by (apply sphere_tails_likely; intros; simpl; lra).
  assert (h3 : forall n, (0 <= n)%nat -> 2 * (B / 2) <= Rabs (gain l n n) * (B * width l n)) by (intros n _; simpl; rewrite Rabs_R1; lra).
  assert (all : sees_all l) by (intros n; apply le_n). split; [|split].
  - apply (content_stays l _ _ _ (B / 2) 0 h1 h2 (sphere_share_positive d) all ltac:(lra) h3).
  - apply (content_stays_likely l _ _ _ (B / 2) 0 h1 h2 (sphere_share_positive d) all ltac:(lra) h3).
  - apply (bias_bounded_below l (2 * K) 0 all). intros n _. simpl. rewrite fire_start. assert (k1 := bounded_F _ (fire_range n n (le_n _))).
    assert (k2 := bounded_F 0 ltac:(lra)). apply Rabs_le_between in k1. apply Rabs_le_between in k2. lra.
Qed.

Theorem fire_gps d : (0 < d)%nat -> ~ gps_vector d l identity /\ ~ gps_norm d l identity /\ ~ gps_scalar d l identity.
Proof.
  intros hd. assert (h : ~ gps_vector d l identity).
  { intros g. apply (identity_vector d l hd) in g. destruct g as [L [n [n' [_ [_ e]]]]]. apply e. reflexivity. }
  split; [exact h|split]; [intros g; apply h; apply vector_of_norm; exact g|intros [_ g]; exact (h g)].
Qed.
End Fire.
