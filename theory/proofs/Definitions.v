(* What the theorems of this folder speak of: scores, weights, entropy, and the four properties of positional encodings in
   each of their readings, as docs/readings.md has them. These lines have to be read to know what a theorem says; nothing
   else here has to be, because the proof assistant has checked the rest. Everything is about real numbers. INR n is the
   whole number n as a real, sum_f_R0 u L is u 0 + u 1 + ... + u L, Rabs x is |x|, ln is the natural logarithm,
   [x; y; z] is a list, "forall" and "exists" are "for all" and "there is", /\ is "and", <-> is "if and only if", ~ is "not". *)
From Coq Require Import Reals.
From Coq Require List.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* the whole number below x, x^p with 0 at x = 0, but 0^0 = 1, and the entry of a table in row x = 0, 1, 2, ... *)
Definition floor (x : R) : R := IZR (Int_part x).
Definition power (x p : R) : R := if Req_EM_T x 0 then (if Req_EM_T p 0 then 1 else 0) else Rpower x p.
Definition table (values : list R) (x : R) : R := List.nth (Z.to_nat (Int_part x)) values 0.

(** * Laws and scores *)

(* A query at length L sees the keys at distances 0, 1, ..., last L: all up to L, or the first W of them with a window.
   The score of the key at distance n is A(n) = f(n) c(n) + b(n), with gain f, content c and bias b; gain and bias may
   mention L, then the bias is taken less its value at distance 0. Contents satisfy |c(n)| <= B w(n), w being the width. *)
Record law := { gain : nat -> nat -> R; bias : nat -> nat -> R; width : nat -> R; last : nat -> nat }.

(* A law that does not mention L: all keys, or a window of W >= 1 keys. *)
Definition plain (f b w : nat -> R) : law := {| gain := fun _ => f; bias := fun _ => b; width := w; last := fun L => L |}.
Definition windowed (W : nat) (l : law) : law :=
  {| gain := gain l; bias := bias l; width := width l; last := fun L => Nat.min (last l L) (W - 1) |}.

(* Keys on both sides: the keys 0, 1, 2, 3, 4, ... are at distances 0, 1, 1, 2, 2, ..., each with a content of its own. *)
Definition distance (m : nat) : nat := Nat.div2 (m + 1).
Definition both_sides (l : law) : law := {| gain := fun L m => gain l L (distance m); bias := fun L m => bias l L (distance m);
  width := fun m => width l (distance m); last := fun L => (2 * last l L)%nat |}.

(* Gates along the path: the score at distance n has g 0 + ... + g (n - 1) added, a gate for each token between. *)
Definition sum_below (d : nat) (u : nat -> R) : R := match d with O => 0 | S m => sum_f_R0 u m end.
Definition gated (g : nat -> R) (l : law) : law :=
  {| gain := gain l; bias := fun L n => bias l L n + sum_below n g; width := width l; last := last l |}.

Definition score (l : law) (c : nat -> R) (L n : nat) : R := gain l L n * c n + bias l L n.
Definition content (l : law) (B : R) (c : nat -> R) : Prop := forall n, Rabs (c n) <= B * width l n.

(** * Weights, normalizer and entropy of the scores A 0, ..., A L *)

Definition Z (A : nat -> R) (L : nat) : R := sum_f_R0 (fun n => exp (A n)) L.
Definition weight (A : nat -> R) (L n : nat) : R := exp (A n) / Z A L.
Definition H (A : nat -> R) (L : nat) : R := ln (Z A L) - sum_f_R0 (fun n => weight A L n * A n) L.

(* "Z is finite": Z_L stays below a bound. Where scores do not mention L it rises with L, so this is convergence; where
   they do, it says that the upper limit is finite. The same for the entropy. *)
Definition Z_finite (l : law) (c : nat -> R) : Prop := exists M, forall L, Z (score l c L) (last l L) <= M.
Definition H_finite (l : law) (c : nat -> R) : Prop := exists M, forall L, H (score l c L) (last l L) <= M.

(** * Random content *)

(* E n u is the expectation of e^(u c(n)); T n t is the probability of c(n) >= t, and of c(n) <= -t. *)
Definition moments := nat -> R -> R.
Definition tails := nat -> R -> R.

(* The content of identity and rotations: q and k independent and uniform on spheres in d >= 2 dimensions, with
   |q||k|/sqrt(d) = B. The angle phi between them has a density proportional to sin(phi)^(d-2), and c = r cos(phi) with
   r = B w(n). *)
Definition sphere_mass (d : nat) (a : R) : R := RInt (fun phi => sin phi ^ (d - 2)) 0 a.
Definition sphere_moments (d : nat) (B : R) (l : law) : moments := fun n u =>
  RInt (fun phi => exp (u * (B * width l n) * cos phi) * sin phi ^ (d - 2)) 0 PI / sphere_mass d PI.
Definition sphere_tails (d : nat) (B : R) (l : law) : tails := fun n t =>
  sphere_mass d (acos (t / (B * width l n))) / sphere_mass d PI.

(* A soft cap s makes s tanh (c/s) of the content c. For -s < t < s that is at least t where c is at least s/2 ln ((s + t)/(s - t)). *)
Definition capped (s : R) (c : nat -> R) : nat -> R := fun n => s * tanh (c n / s).
Definition capped_moments (s : R) (d : nat) (B : R) (l : law) : moments := fun n u =>
  RInt (fun phi => exp (u * (s * tanh (B * width l n * cos phi / s))) * sin phi ^ (d - 2)) 0 PI / sphere_mass d PI.
Definition capped_tails (s : R) (d : nat) (B : R) (l : law) : tails := fun n t =>
  if Rle_dec s t then 0 else if Rle_dec t (- s) then 1 else sphere_tails d B l n (s / 2 * ln ((s + t) / (s - t))).

(* The probability of |f c + b| >= eps, from the tails of c. *)
Definition beyond (T : R -> R) (f b eps : R) : R :=
  if Req_EM_T f 0 then (if Rle_dec eps (Rabs b) then 1 else 0) else T ((eps - b) / Rabs f) + T ((eps + b) / Rabs f).

(** * Convergent normalization (cn) *)

Definition cn_every_content (l : law) (B : R) : Prop := forall c, content l B c -> Z_finite l c.
Definition cn_some_content (l : law) (B : R) : Prop := exists c, content l B c /\ Z_finite l c.
(* The expectation of Z_L is the sum of e^b E e^(f c). *)
Definition cn_expected (l : law) (E : moments) : Prop :=
  exists M, forall L, sum_f_R0 (fun n => exp (bias l L n) * E n (gain l L n)) (last l L) <= M.

(** * Entropy boundedness (eb) *)

Definition eb_limit (l : law) (B : R) : Prop := forall c, content l B c -> Z_finite l c /\ H_finite l c.
Definition eb_some_content (l : law) (B : R) : Prop := exists c, content l B c /\ Z_finite l c /\ H_finite l c.
Definition eb_uniform (l : law) (B : R) : Prop := forall c, content l B c -> H_finite l c.

(** * Long-distance correlation (ldcp) *)

(* P holds at infinitely many distances n, at a length that sees n. *)
Definition far (l : law) (P : nat -> nat -> Prop) : Prop :=
  forall N, exists n L, (N <= n)%nat /\ (n <= last l L)%nat /\ P L n.

(* Random content has expectation 0, so E A(n) = b(n). *)
Definition ldcp_literal (l : law) : Prop := exists C, 0 < C /\ far l (fun L n => C <= Rabs (bias l L n)).
Definition ldcp_signed (l : law) : Prop := exists C, 0 < C /\ far l (fun L n => C <= bias l L n).
Definition ldcp_probability (l : law) (T : tails) : Prop :=
  exists eps p, 0 < eps /\ 0 < p /\ far l (fun L n => p <= beyond (T n) (gain l L n) (bias l L n) eps).
Definition ldcp_content (l : law) (T : tails) : Prop :=
  exists eps p, 0 < eps /\ 0 < p /\ far l (fun L n => p <= beyond (T n) (gain l L n) 0 eps).
Definition ldcp_weight (l : law) : Prop := exists C, far l (fun L n => - C <= bias l L n - bias l L 0%nat).

(** * Gradient positional sensitivity (gps) *)

(* c(n) = q.W(n)k/sqrt(d); W L n i j is the entry of W(n) in row i and column j, both below d. *)
Definition matrices := nat -> nat -> nat -> nat -> R.

(* the derivative of A(n) by the coordinate i of q, and its length squared *)
Definition gradient (d : nat) (l : law) (W : matrices) (k : nat -> R) (L n i : nat) : R :=
  gain l L n * sum_below d (fun j => W L n i j * k j) / sqrt (INR d).
Definition gradient_square (d : nat) (l : law) (W : matrices) (k : nat -> R) (L n : nat) : R :=
  sum_below d (fun i => gradient d l W k L n i * gradient d l W k L n i).

(* at all large lengths L (at one and at all large ones are the same where L is mentioned nowhere) *)
Definition large (P : nat -> Prop) : Prop := exists N, forall L, (N <= L)%nat -> P L.

Definition gps_vector (d : nat) (l : law) (W : matrices) : Prop :=
  large (fun L => exists k n n' i, (n <= last l L)%nat /\ (n' <= last l L)%nat /\ (i < d)%nat /\
    gradient d l W k L n i <> gradient d l W k L n' i).
Definition gps_norm (d : nat) (l : law) (W : matrices) : Prop :=
  large (fun L => exists k n n', (n <= last l L)%nat /\ (n' <= last l L)%nat /\
    gradient_square d l W k L n <> gradient_square d l W k L n').
(* f(n) W(n) = phi(n) R with one matrix R, and not constant *)
Definition gps_scalar (d : nat) (l : law) (W : matrices) : Prop :=
  large (fun L => exists phi R, forall n i j, (n <= last l L)%nat -> (i < d)%nat -> (j < d)%nat -> gain l L n * W L n i j = phi n * R i j) /\
  gps_vector d l W.

(** * Matrices *)

(* no turn, and a rotation of the coordinates j and j + h, j < h = d/2, by the angle theta L n j *)
Definition identity : matrices := fun L n i j => if Nat.eqb i j then 1 else 0.
Definition rotation (h : nat) (theta : nat -> nat -> nat -> R) : matrices := fun L n i j =>
  if Nat.eqb i j then cos (theta L n (Nat.modulo i h))
  else if Nat.eqb j (i + h) then - sin (theta L n i)
  else if Nat.eqb i (j + h) then sin (theta L n j) else 0.

(* the matrices of keys on both sides *)
Definition both_ways (W : matrices) : matrices := fun L m => W L (distance m).
