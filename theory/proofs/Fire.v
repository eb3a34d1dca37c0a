(* FIRE: a bias F(log(c n + 1)/(log(c max(L, threshold) + 1) + 10^-6)), for any function F (the network of the file) that is bounded
   on [0, 1] and continuous at 1; less its value at n = 0. *)
From Coq Require Import Reals Lra Lia ZArith List FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Asymptotics Steps Sums Contents Normalization Entropy Boundedness PowerLaws Distance Lengths Sphere Gradient BoundedScores.
Import ListNotations.
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
Proof. intros _. apply identity_steady. intros L n n'. reflexivity. Qed.
End Fire.

(** * The network of the file: one layer of m + 1 units max(0, a x + b) *)

Section Network.
Variables (c0 : R) (v a b : nat -> R) (m : nat).
Definition network (x : R) : R := c0 + sum_f_R0 (fun k => v k * Rmax 0 (a k * x + b k)) m.

Lemma unit_step x y p q : Rabs (Rmax 0 (p * x + q) - Rmax 0 (p * y + q)) <= Rabs p * Rabs (x - y).
Proof.
  rewrite <- Rabs_mult. replace (p * (x - y)) with ((p * x + q) - (p * y + q)) by ring. set (u := p * x + q). set (w := p * y + q).
  unfold Rmax. destruct (Rle_dec 0 u), (Rle_dec 0 w); unfold Rabs; repeat destruct (Rcase_abs _); lra.
Qed.

Definition steepness : R := sum_f_R0 (fun k => Rabs (v k) * Rabs (a k)) m.

Lemma network_step x y : Rabs (network x - network y) <= steepness * Rabs (x - y).
Proof.
  unfold network, steepness. set (u := fun k => v k * Rmax 0 (a k * x + b k)). set (w := fun k => v k * Rmax 0 (a k * y + b k)).
  replace (c0 + sum_f_R0 u m - (c0 + sum_f_R0 w m)) with (sum_f_R0 (fun k => u k - w k) m) by (rewrite minus_sum; ring).
  apply Rle_trans with (1 := sum_f_R0_triangle _ m).
  rewrite (Rmult_comm (sum_f_R0 _ _)), scal_sum. apply sum_Rle. intros k _. unfold u, w. rewrite <- Rmult_minus_distr_l, Rabs_mult, Rmult_assoc.
  apply Rmult_le_compat_l; [apply Rabs_pos|apply unit_step].
Qed.

Lemma network_bounded x : 0 <= x <= 1 -> Rabs (network x) <= steepness + Rabs (network 0).
Proof.
  intros hx. assert (g := network_step x 0). rewrite Rminus_0_r, (Rabs_pos_eq x) in g by lra.
  assert (s : 0 <= steepness) by (apply cond_pos_sum; intros; apply Rmult_le_pos; apply Rabs_pos).
  assert (t := Rabs_triang (network x - network 0) (network 0)). replace (network x - network 0 + network 0) with (network x) in t by ring. nra.
Qed.

Lemma network_continuous eps : 0 < eps -> exists delta, 0 < delta /\ forall x, 0 <= x <= 1 -> 1 - delta <= x -> Rabs (network x - network 1) <= eps.
Proof.
  intros he. assert (s : 0 <= steepness) by (apply cond_pos_sum; intros; apply Rmult_le_pos; apply Rabs_pos).
  exists (eps / (steepness + 1)). split; [apply Rdiv_lt_0_compat; lra|]. intros x hx hd. assert (g := network_step x 1).
  rewrite (Rabs_left1 (x - 1)) in g by lra. apply Rle_trans with (1 := g). apply Rle_trans with ((steepness + 1) * (eps / (steepness + 1))).
  - apply Rmult_le_compat; lra.
  - right. field. lra.
Qed.

Lemma network_falls x : 0 <= x -> (forall k, (k <= m)%nat -> v k <= 0 /\ 0 <= a k) -> network x <= network 0.
Proof.
  intros hx h. unfold network. apply Rplus_le_compat_l. apply sum_Rle. intros k hk. destruct (h k hk) as [h1 h2]. apply Rmult_le_compat_neg_l; [exact h1|].
  apply Rle_max_compat_l. nra.
Qed.

(* ... and rises nowhere, but falls by the unit 0 *)
Lemma network_differs_first : (forall k, (k <= m)%nat -> v k <= 0 /\ 0 <= a k) -> v 0%nat < 0 -> 0 < a 0%nat -> 0 < a 0%nat + b 0%nat -> network 1 <> network 0.
Proof.
  intros h hv ha hs. apply Rlt_not_eq. unfold network. apply Rplus_lt_compat_l.
  assert (one : forall k, (k <= m)%nat -> v k * Rmax 0 (a k * 1 + b k) <= v k * Rmax 0 (a k * 0 + b k)).
  { intros k hk. destruct (h k hk) as [h1 h2]. apply Rmult_le_compat_neg_l; [exact h1|]. apply Rle_max_compat_l. lra. }
  assert (z : v 0%nat * Rmax 0 (a 0%nat * 1 + b 0%nat) < v 0%nat * Rmax 0 (a 0%nat * 0 + b 0%nat)).
  { apply Rmult_lt_gt_compat_neg_l; [exact hv|]. rewrite (Rmax_right 0 (a 0%nat * 1 + b 0%nat)) by lra. apply Rmax_lub_lt; lra. }
  clear h. induction m as [|i IH]; [exact z|]. simpl. apply Rplus_lt_le_compat; [apply IH; intros k hk; apply one; lia|apply one; lia].
Qed.

Variables (c threshold : R).
Hypotheses (hc : c > 0) (ht : threshold > 0).

(* as check-properties --coq writes it *)
Definition network_law : law := {| gain := fun L n => 1;
  bias := fun L n => c0 + sum_f_R0 (fun k => v k * Rmax 0 (a k * ln (c * INR n + 1) / (ln (c * Rmax (INR L) threshold + 1) + 1 / 1000000) + b k)) m
    - (c0 + sum_f_R0 (fun k => v k * Rmax 0 (b k)) m);
  width := fun n => 1; last := fun L => L |}.

Lemma network_is_fire : network_law = fire network c threshold.
Proof.
  unfold network_law, fire. f_equal. apply functional_extensionality. intros L. apply functional_extensionality. intros n.
  rewrite fire_start. unfold network, fire_position. apply f_equal2; apply f_equal; apply sum_equal; intros k _; apply f_equal; apply f_equal.
  - apply (f_equal (fun x => x + b k)). replace (/ 10 ^ 6) with (1 / 1000000) by (simpl; field). unfold Rdiv. ring.
  - ring.
Qed.

Ltac by_network := first [eassumption | exact network_bounded | exact network_continuous].

Theorem network_all_fail d B : 0 < B -> all_fail network_law B (sphere_moments d B network_law).
Proof. rewrite network_is_fire. intros hB. eapply fire_all_fail; by_network. Qed.

Theorem network_literal : network 1 <> network 0 -> ldcp_literal network_law.
Proof. rewrite network_is_fire. intros h. eapply fire_ldcp_literal; by_network. Qed.

Theorem network_signed : network 0 < network 1 -> ldcp_signed network_law.
Proof. rewrite network_is_fire. intros h. eapply fire_ldcp_signed; by_network. Qed.

Theorem network_not_signed : (forall k, (k <= m)%nat -> v k <= 0 /\ 0 <= a k) -> ~ ldcp_signed network_law.
Proof.
  intros h. rewrite network_is_fire. eapply fire_ldcp_signed; first [by_network | intros x hx; apply network_falls; [apply hx|exact h]].
Qed.

Theorem network_content d B : 0 < B -> ldcp_content network_law (sphere_tails d B network_law) /\
  ldcp_probability network_law (sphere_tails d B network_law) /\ ldcp_weight network_law.
Proof. rewrite network_is_fire. intros hB. eapply fire_ldcp_content; by_network. Qed.
End Network.

(* a table at the sums of row numbers *)
Lemma table_sum values i k v : nth (k + Z.to_nat i) values 0 = v -> (0 <= i)%Z -> table values (INR k + IZR i) = v.
Proof.
  intros h hi. rewrite INR_IZR_INZ, <- plus_IZR, table_at. rewrite Z2Nat.inj_add, Nat2Z.id by lia. exact h.
Qed.
Lemma table_index values k v : nth k values 0 = v -> table values (INR k) = v.
Proof. intros h. rewrite INR_IZR_INZ, table_at, Nat2Z.id. exact h. Qed.

(* one of the statements that H is made of *)
Ltac one_of H := unfold all_fail in H; repeat match type of H with _ /\ _ => let h := fresh "one" in destruct H as [h H] end; assumption.
Ltac rows := match goal with |- context [?t _] => match type of t with R -> R => is_var t; unfold t end end;
  repeat (rewrite (table_sum _ _ _ _ eq_refl) by lia); rewrite ?(table_index _ _ _ eq_refl), ?(table_row _ _ _ eq_refl).
Ltac look := cbv [nth Nat.add Z.to_nat Pos.to_nat Pos.iter_op].
(* forall k <= m, v k <= 0 and 0 <= a k *)
Ltac every_row := let k := fresh "k" in let h := fresh "h" in intros k h; cbv beta; rows;
  repeat (destruct k as [|k]; [look; lra | ]); exfalso; lia.
Ltac network_differs := apply network_differs_first; [every_row | cbv beta; rows; look; lra ..].
