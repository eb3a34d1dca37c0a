(* T5 of docs/certificates.md for rotations: turns, and a length that is that of the gain. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Gradient.
Open Scope R_scope.

(* d = 2 h; the block j < h holds the coordinates j and j + h *)
Section Blocks.
Variables (h : nat) (l : law) (theta : nat -> nat -> nat -> R).
Hypothesis some : (0 < h)%nat.

Lemma block_diagonal L n j : (j < h)%nat -> rotation h theta L n j j = cos (theta L n j).
Proof. intros hj. unfold rotation. rewrite Nat.eqb_refl, Nat.mod_small by exact hj. reflexivity. Qed.

Lemma block_lower L n j : (j < h)%nat -> rotation h theta L n (j + h)%nat j = sin (theta L n j).
Proof.
  intros hj. unfold rotation. rewrite (proj2 (Nat.eqb_neq (j + h) j)) by lia. rewrite (proj2 (Nat.eqb_neq j (j + h + h))) by lia.
  rewrite Nat.eqb_refl. reflexivity.
Qed.

Lemma apply_upper L n k i : (i < h)%nat -> sum_below (h + h) (fun j => rotation h theta L n i j * k j)
  = cos (theta L n i) * k i - sin (theta L n i) * k (i + h)%nat.
Proof.
  intros hi. rewrite (sum_below_two (h + h) _ i (i + h)); try lia.
  - rewrite block_diagonal by exact hi. unfold rotation. rewrite (proj2 (Nat.eqb_neq i (i + h))) by lia. rewrite Nat.eqb_refl. ring.
  - intros j hj e e'. unfold rotation. rewrite (proj2 (Nat.eqb_neq i j)), (proj2 (Nat.eqb_neq j (i + h))), (proj2 (Nat.eqb_neq i (j + h))) by lia. ring.
Qed.

Lemma apply_lower L n k i : (i < h)%nat -> sum_below (h + h) (fun j => rotation h theta L n (i + h)%nat j * k j)
  = sin (theta L n i) * k i + cos (theta L n i) * k (i + h)%nat.
Proof.
  intros hi. rewrite (sum_below_two (h + h) _ i (i + h)); try lia.
  - rewrite block_lower by exact hi. unfold rotation. rewrite Nat.eqb_refl.
    replace ((i + h) mod h)%nat with i; [ring|]. rewrite Nat.add_mod, Nat.mod_same, Nat.add_0_r, Nat.mod_mod, Nat.mod_small by lia. reflexivity.
  - intros j hj e e'. unfold rotation. rewrite (proj2 (Nat.eqb_neq (i + h) j)), (proj2 (Nat.eqb_neq j (i + h + h))), (proj2 (Nat.eqb_neq (i + h) (j + h))) by lia. ring.
Qed.

(* a rotation keeps lengths *)
Lemma rotation_square k L n : gradient_square (h + h) l (rotation h theta) k L n
  = gain l L n * gain l L n * (sum_below (h + h) (fun i => k i * k i) / INR (h + h)).
Proof.
  assert (hd := lt_0_INR (h + h) ltac:(lia)). assert (hs : 0 < sqrt (INR (h + h))) by (apply sqrt_lt_R0; exact hd).
  unfold gradient_square. rewrite 2!sum_below_split. rewrite <- sum_below_plus.
  replace (gain l L n * gain l L n * ((sum_below h (fun i => k i * k i) + sum_below h (fun i => k (i + h)%nat * k (i + h)%nat)) / INR (h + h)))
    with (gain l L n * gain l L n / INR (h + h) * (sum_below h (fun i => k i * k i) + sum_below h (fun i => k (i + h)%nat * k (i + h)%nat)))
    by (unfold Rdiv; ring).
  rewrite <- sum_below_plus, <- sum_below_scale. apply sum_below_equal. intros i hi. unfold gradient.
  rewrite apply_upper, apply_lower by exact hi. rewrite <- (sqrt_sqrt (INR (h + h))) at 5 by lra.
  assert (hc := sin2_cos2 (theta L n i)). unfold Rsqr in hc. set (c := cos (theta L n i)) in *. set (s := sin (theta L n i)) in *.
  replace (k i * k i + k (i + h)%nat * k (i + h)%nat) with ((s * s + c * c) * (k i * k i + k (i + h)%nat * k (i + h)%nat)) by (rewrite hc; ring).
  field. lra.
Qed.

Theorem rotation_norm_holds N n n' : both_seen l N n n' -> (forall L, (N <= L)%nat -> Rabs (gain l L n) <> Rabs (gain l L n')) ->
  gps_norm (h + h) l (rotation h theta).
Proof. apply norm_of_gain; [lia|apply rotation_square]. Qed.

Theorem rotation_norm_fails : steady l -> ~ gps_norm (h + h) l (rotation h theta).
Proof. intros g. apply norm_fails. intros k L n n' _ _. rewrite 2!rotation_square, (g L n n'). reflexivity. Qed.

(** * Turns *)

Lemma sin_between T q : IZR q * PI < T < (IZR q + 1) * PI -> sin T <> 0.
Proof.
  intros hT e. destruct (sin_eq_0_0 T e) as [k hk]. assert (hpi := PI_RGT_0). rewrite hk in hT. destruct hT as [h1 h2].
  apply Rmult_lt_reg_r in h1; [|exact hpi]. apply Rmult_lt_reg_r in h2; [|exact hpi].
  rewrite <- plus_IZR in h2. apply lt_IZR in h1. apply lt_IZR in h2. lia.
Qed.

Lemma cos_between T q : IZR q * (2 * PI) < T < (IZR q + 1) * (2 * PI) -> cos T <> 1.
Proof.
  intros hT e. apply (sin_between (T / 2) q); [lra|]. assert (g := cos_2a_sin (T / 2)). replace (2 * (T / 2)) with T in g by field.
  rewrite e in g. nra.
Qed.

(* the angle of block j changes by less than one whole turn beyond q of them *)
Theorem turns N n n' j q : both_seen l N n n' -> (j < h)%nat -> (forall L, (N <= L)%nat -> 0 < gain l L n * gain l L n') ->
  (forall L, (N <= L)%nat -> IZR q * (2 * PI) < theta L n' j - theta L n j < (IZR q + 1) * (2 * PI)) -> gps_vector (h + h) l (rotation h theta).
Proof.
  intros seen hj hf0 ht0. exists N. intros L hL. assert (hf := hf0 L hL). assert (ht := ht0 L hL). destruct (seen L hL) as [hn hn'].
  apply Classical_Prop.NNPP. intros hv.
  assert (same : forall i, (i < h + h)%nat -> entry l (rotation h theta) L n i j = entry l (rotation h theta) L n' i j).
  { intros i hi. apply Classical_Prop.NNPP. intros e. apply hv. exists (unit_vector j), n, n', i. repeat split; try assumption.
    rewrite 2!gradient_unit by lia. intros g. apply e. assert (hr := root_positive (h + h) ltac:(lia)).
    apply Rmult_eq_reg_r with (/ sqrt (INR (h + h))); [exact g|]. apply Rinv_neq_0_compat. lra. }
  assert (hc : gain l L n * cos (theta L n j) = gain l L n' * cos (theta L n' j)).
  { assert (e := same j ltac:(lia)). unfold entry in e. rewrite 2!block_diagonal in e by exact hj. exact e. }
  assert (hs : gain l L n * sin (theta L n j) = gain l L n' * sin (theta L n' j)).
  { assert (e := same (j + h)%nat ltac:(lia)). unfold entry in e. rewrite 2!block_lower in e by exact hj. exact e. }
  apply (cos_between _ q ht). rewrite cos_minus.
  set (f := gain l L n) in *. set (g := gain l L n') in *. set (t := theta L n j) in *. set (u := theta L n' j) in *.
  assert (p1 := sin2_cos2 t). assert (p2 := sin2_cos2 u). unfold Rsqr in *.
  assert (e : f = g).
  { assert (sq : f * f = g * g).
    { replace (f * f) with ((f * sin t) * (f * sin t) + (f * cos t) * (f * cos t)) by (replace (f * f) with (f * f * (sin t * sin t + cos t * cos t)) by (rewrite p1; ring); ring).
      rewrite hs, hc. replace (g * g) with (g * g * (sin u * sin u + cos u * cos u)) by (rewrite p2; ring). ring. }
    destruct (Req_dec f g) as [a|a]; [exact a|]. assert (f + g = 0); [|nra].
    apply Rmult_eq_reg_l with (f - g); [|lra]. replace ((f - g) * (f + g)) with (f * f - g * g) by ring. lra. }
  rewrite <- e in *. assert (f <> 0) by nra. apply Rmult_eq_reg_l in hc; [|assumption]. apply Rmult_eq_reg_l in hs; [|assumption].
  rewrite <- hc, <- hs. lra.
Qed.

(* ... by less than half a turn beyond q of them: scalar fails *)
Theorem turns_scalar N n n' j q : both_seen l N n n' -> (j < h)%nat -> (forall L, (N <= L)%nat -> 0 < gain l L n * gain l L n') ->
  (forall L, (N <= L)%nat -> IZR q * PI < theta L n' j - theta L n j < (IZR q + 1) * PI) -> ~ gps_scalar (h + h) l (rotation h theta).
Proof.
  intros seen hj hf0 ht0. apply (scalar_fails (h + h) l _ N n n' j j (j + h) j); try assumption; try lia.
  intros L hL. assert (ht := ht0 L hL). assert (hf := hf0 L hL). assert (hf1 : gain l L n <> 0) by nra. assert (hf2 : gain l L n' <> 0) by nra. unfold entry. rewrite 2!block_diagonal, 2!block_lower by exact hj. intros e. apply (sin_between _ q ht). rewrite sin_minus.
  assert (g : gain l L n * gain l L n' * (sin (theta L n' j) * cos (theta L n j) - cos (theta L n' j) * sin (theta L n j)) = 0) by lra.
  apply Rmult_integral in g. destruct g as [g|g]; [|exact g]. apply Rmult_integral in g. tauto.
Qed.
End Blocks.
