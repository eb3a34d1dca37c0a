(* T5 of docs/certificates.md for any matrices: what M(n) = f(n) W(n) says of the gradient. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums.
Open Scope R_scope.

(** * Sums below d *)

Lemma sum_below_next d u : sum_below (S d) u = sum_below d u + u d.
Proof. destruct d as [|d]; [simpl; ring|reflexivity]. Qed.

Lemma sum_below_equal d u v : (forall i, (i < d)%nat -> u i = v i) -> sum_below d u = sum_below d v.
Proof. destruct d as [|d]; [reflexivity|]. intros h. apply sum_equal. intros n hn. apply h. lia. Qed.

Lemma sum_below_zero d u : (forall i, (i < d)%nat -> u i = 0) -> sum_below d u = 0.
Proof.
  induction d as [|d IH]; intros h; [reflexivity|]. rewrite sum_below_next, IH, h by (try lia; intros; apply h; lia). ring.
Qed.

Lemma sum_below_one d u a : (a < d)%nat -> (forall i, (i < d)%nat -> i <> a -> u i = 0) -> sum_below d u = u a.
Proof.
  induction d as [|d IH]; intros ha h; [lia|]. rewrite sum_below_next. destruct (Nat.eq_dec a d) as [e|e].
  - rewrite sum_below_zero by (intros; apply h; lia). rewrite e. ring.
  - rewrite IH by (try lia; intros; apply h; lia). rewrite (h d) by lia. ring.
Qed.

Lemma sum_below_two d u a b : (a < d)%nat -> (b < d)%nat -> a <> b -> (forall i, (i < d)%nat -> i <> a -> i <> b -> u i = 0) ->
  sum_below d u = u a + u b.
Proof.
  induction d as [|d IH]; intros ha hb hab h; [lia|]. rewrite sum_below_next.
  destruct (Nat.eq_dec a d) as [e|e]; [|destruct (Nat.eq_dec b d) as [e'|e']].
  - rewrite (sum_below_one d u b) by (try lia; intros; apply h; lia). rewrite e. ring.
  - rewrite (sum_below_one d u a) by (try lia; intros; apply h; lia). rewrite e'. ring.
  - rewrite IH by (try lia; intros; apply h; lia). rewrite (h d) by lia. ring.
Qed.

Lemma sum_below_scale d u s : sum_below d (fun i => s * u i) = s * sum_below d u.
Proof. destruct d as [|d]; [simpl; ring|apply sum_scale]. Qed.

Lemma sum_below_split h d u : sum_below (h + d) u = sum_below h u + sum_below d (fun i => u (i + h)%nat).
Proof.
  induction d as [|d IH]; [rewrite Nat.add_0_r; simpl; ring|].
  rewrite Nat.add_succ_r, 2!sum_below_next, IH, (Nat.add_comm h d). ring.
Qed.

Lemma sum_below_plus d u v : sum_below d (fun i => u i + v i) = sum_below d u + sum_below d v.
Proof.
  induction d as [|d IH]; [simpl; ring|]. rewrite 3!sum_below_next, IH. ring.
Qed.

(** * M(n) and the gradient *)

(* the entry of M(n) = f(n) W(n) *)
Definition entry (l : law) (W : matrices) (L n i j : nat) : R := gain l L n * W L n i j.

Definition unit_vector (a : nat) (j : nat) : R := if Nat.eqb j a then 1 else 0.

Lemma root_positive d : (0 < d)%nat -> 0 < sqrt (INR d).
Proof. intros h. apply sqrt_lt_R0. apply lt_0_INR. exact h. Qed.

Lemma gradient_unit d l W a L n i : (a < d)%nat -> gradient d l W (unit_vector a) L n i = entry l W L n i a / sqrt (INR d).
Proof.
  intros ha. unfold gradient, entry. rewrite (sum_below_one d _ a) by
    (try exact ha; intros j hj e; unfold unit_vector; rewrite (proj2 (Nat.eqb_neq j a) e); ring).
  unfold unit_vector. rewrite Nat.eqb_refl. unfold Rdiv. ring.
Qed.

Lemma gradient_entries d l W k L n i : gradient d l W k L n i = sum_below d (fun j => entry l W L n i j * k j) / sqrt (INR d).
Proof.
  unfold gradient, entry. rewrite <- sum_below_scale. f_equal. apply sum_below_equal. intros; ring.
Qed.

(* the distances n and n' are seen at all lengths from N on *)
Definition both_seen (l : law) (N n n' : nat) : Prop := forall L, (N <= L)%nat -> (n <= last l L)%nat /\ (n' <= last l L)%nat.

(* an entry that changes *)
Theorem vector_holds d l W N n n' i j : both_seen l N n n' -> (i < d)%nat -> (j < d)%nat ->
  (forall L, (N <= L)%nat -> entry l W L n i j <> entry l W L n' i j) -> gps_vector d l W.
Proof.
  intros hn hi hj h. exists N. intros L hL. specialize (h L hL). destruct (hn L hL). exists (unit_vector j), n, n', i. repeat split; try assumption.
  rewrite 2!gradient_unit by exact hj. intros g. apply h. assert (hr := root_positive d ltac:(lia)).
  apply Rmult_eq_reg_r with (/ sqrt (INR d)); [exact g|]. apply Rinv_neq_0_compat. lra.
Qed.

(* constant *)
Theorem vector_fails d l W : (forall L n n' i j, (n <= last l L)%nat -> (n' <= last l L)%nat -> (i < d)%nat -> (j < d)%nat ->
  entry l W L n i j = entry l W L n' i j) -> ~ gps_vector d l W.
Proof.
  intros h [L q]. destruct (q L (le_n L)) as [k [n [n' [i [hn [hn' [hi g]]]]]]]. apply g. rewrite 2!gradient_entries. f_equal.
  apply sum_below_equal. intros j hj. rewrite (h L n n' i j) by assumption. reflexivity.
Qed.

Theorem scalar_holds d l W phi R : gps_vector d l W ->
  (forall L n i j, (n <= last l L)%nat -> (i < d)%nat -> (j < d)%nat -> entry l W L n i j = phi L n * R L i j) -> gps_scalar d l W.
Proof. intros hv h. split; [|exact hv]. exists 0%nat. intros L _. exists (phi L), (R L). intros n i j. apply h. Qed.

Theorem scalar_fails_constant d l W : ~ gps_vector d l W -> ~ gps_scalar d l W.
Proof. intros h [_ g]. exact (h g). Qed.

(* two entries whose ratio changes: turns and stretches *)
Theorem scalar_fails d l W N n n' i j i' j' : both_seen l N n n' ->
  (i < d)%nat -> (j < d)%nat -> (i' < d)%nat -> (j' < d)%nat ->
  (forall L, (N <= L)%nat -> entry l W L n i j * entry l W L n' i' j' <> entry l W L n i' j' * entry l W L n' i j) -> ~ gps_scalar d l W.
Proof.
  intros hn hi hj hi' hj' h [[M g] _]. destruct (g (Nat.max N M) (Nat.le_max_r N M)) as [phi [R hR]]. assert (hL := Nat.le_max_l N M). destruct (hn _ hL).
  apply (h _ hL). unfold entry. rewrite (hR n i j), (hR n' i' j'), (hR n i' j'), (hR n' i j) by assumption. ring.
Qed.

(* the length of a column of M(n) changes *)
Theorem norm_holds d l W N n n' a : both_seen l N n n' -> (a < d)%nat ->
  (forall L, (N <= L)%nat -> sum_below d (fun i => entry l W L n i a * entry l W L n i a) <> sum_below d (fun i => entry l W L n' i a * entry l W L n' i a)) ->
  gps_norm d l W.
Proof.
  intros hn ha q. exists N. intros L hL. assert (h := q L hL). destruct (hn L hL). exists (unit_vector a), n, n'. repeat split; try assumption. intros g. apply h.
  assert (hr := root_positive d ltac:(lia)).
  assert (e : forall m, gradient_square d l W (unit_vector a) L m
    = / sqrt (INR d) * / sqrt (INR d) * sum_below d (fun i => entry l W L m i a * entry l W L m i a)).
  { intros m. unfold gradient_square. rewrite <- sum_below_scale. apply sum_below_equal. intros i hi.
    rewrite gradient_unit by exact ha. unfold Rdiv. ring. }
  rewrite 2!e in g. apply Rmult_eq_reg_l in g; [exact g|].
  apply Rmult_integral_contrapositive_currified; apply Rinv_neq_0_compat; lra.
Qed.

Theorem norm_fails d l W : (forall k L n n', (n <= last l L)%nat -> (n' <= last l L)%nat ->
  gradient_square d l W k L n = gradient_square d l W k L n') -> ~ gps_norm d l W.
Proof. intros h [L q]. destruct (q L (le_n L)) as [k [n [n' [hn [hn' g]]]]]. apply g. apply h; assumption. Qed.

(* a gradient that changes in length changes *)
Theorem vector_of_norm d l W : gps_norm d l W -> gps_vector d l W.
Proof.
  intros [N q]. exists N. intros L hL. destruct (q L hL) as [k [n [n' [hn [hn' g]]]]]. apply Classical_Prop.NNPP. intros hv. apply g. unfold gradient_square.
  apply sum_below_equal. intros i hi. assert (e : gradient d l W k L n i = gradient d l W k L n' i).
  { apply Classical_Prop.NNPP. intros e. apply hv. exists k, n, n', i. repeat split; assumption. }
  rewrite e. reflexivity.
Qed.

(** * No transform, or the same at every distance *)

Lemma identity_entry l L n i j : entry l identity L n i j = gain l L n * (if Nat.eqb i j then 1 else 0).
Proof. reflexivity. Qed.

Theorem identity_vector d l N n n' : (0 < d)%nat -> both_seen l N n n' -> (forall L, (N <= L)%nat -> gain l L n <> gain l L n') -> gps_vector d l identity.
Proof.
  intros hd hn h. apply (vector_holds d l identity N n n' 0 0 hn hd hd). intros L hL. rewrite 2!identity_entry. simpl. assert (q := h L hL). lra.
Qed.

Theorem identity_scalar d l : gps_vector d l identity -> gps_scalar d l identity.
Proof.
  intros h. apply (scalar_holds d l identity (gain l) (fun _ i j => if Nat.eqb i j then 1 else 0) h). intros L n i j _ _ _. reflexivity.
Qed.

(* a gain that does not depend on n *)
Definition steady (l : law) : Prop := forall L n n', gain l L n = gain l L n'.

Theorem identity_steady d l : steady l -> ~ gps_vector d l identity /\ ~ gps_norm d l identity /\ ~ gps_scalar d l identity.
Proof.
  intros h. assert (g : ~ gps_vector d l identity) by (apply vector_fails; intros L n n' i j _ _ _ _; rewrite 2!identity_entry, (h L n n'); reflexivity).
  split; [exact g|split]; [intros q; exact (g (vector_of_norm _ _ _ q))|exact (scalar_fails_constant _ _ _ g)].
Qed.

Lemma identity_square d l k L n : gradient_square d l identity k L n = gain l L n * gain l L n * (sum_below d (fun i => k i * k i) / INR d).
Proof.
  destruct d as [|d]; [unfold gradient_square; simpl; unfold Rdiv; ring|].
  set (D := S d). assert (hd := lt_0_INR D ltac:(unfold D; lia)). unfold gradient_square.
  replace (gain l L n * gain l L n * (sum_below D (fun i => k i * k i) / INR D))
    with (gain l L n * gain l L n / INR D * sum_below D (fun i => k i * k i)) by (unfold Rdiv; ring).
  rewrite <- sum_below_scale. apply sum_below_equal. intros i hi. unfold gradient. rewrite (sum_below_one D _ i hi).
  - unfold identity. rewrite Nat.eqb_refl. rewrite <- (sqrt_sqrt (INR D)) at 3 by lra.
    assert (hs : sqrt (INR D) <> 0) by (apply Rgt_not_eq, sqrt_lt_R0; exact hd). field. exact hs.
  - intros j hj e. unfold identity. rewrite (proj2 (Nat.eqb_neq i j)) by lia. ring.
Qed.

(* |M(n) k| is |f(n)| |k| *)
Theorem norm_of_gain d l W N n n' : (0 < d)%nat ->
  (forall k L n, gradient_square d l W k L n = gain l L n * gain l L n * (sum_below d (fun i => k i * k i) / INR d)) ->
  both_seen l N n n' -> (forall L, (N <= L)%nat -> Rabs (gain l L n) <> Rabs (gain l L n')) -> gps_norm d l W.
Proof.
  intros hd square hn q. exists N. intros L hL. assert (h := q L hL). destruct (hn L hL). exists (unit_vector 0), n, n'. repeat split; try assumption.
  rewrite 2!square. assert (e : sum_below d (fun i => unit_vector 0 i * unit_vector 0 i) = 1).
  { rewrite (sum_below_one d _ 0 hd); [unfold unit_vector; simpl; ring|]. intros i hi ei. unfold unit_vector.
    rewrite (proj2 (Nat.eqb_neq i 0) ei). ring. }
  rewrite e. intros g. apply h. apply Rsqr_eq_abs_0. unfold Rsqr. assert (hr := lt_0_INR d hd).
  apply Rmult_eq_reg_r in g; [exact g|]. unfold Rdiv. rewrite Rmult_1_l. apply Rinv_neq_0_compat. lra.
Qed.

Theorem identity_norm d l N n n' : (0 < d)%nat -> both_seen l N n n' -> (forall L, (N <= L)%nat -> Rabs (gain l L n) <> Rabs (gain l L n')) ->
  gps_norm d l identity.
Proof. intros hd. apply norm_of_gain; [exact hd|]. intros k L m. apply identity_square. Qed.
