(* T5 of docs/certificates.md as check-properties --coq applies it. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Asymptotics Gradient Rotation Windows Trivial.
Import ListNotations.
Open Scope R_scope.

(** * constant: a gain that does not depend on n *)

Definition steady (l : law) : Prop := forall L n n', gain l L n = gain l L n'.

Theorem constant_identity_vector d l : steady l -> ~ gps_vector (S d) l identity.
Proof. intros h g. apply identity_vector in g; [|lia]. destruct g as [L [n [n' [_ [_ e]]]]]. apply e. apply h. Qed.

Theorem constant_identity_norm d l : steady l -> ~ gps_norm (S d) l identity.
Proof. intros h g. apply identity_norm in g; [|lia]. destruct g as [L [n [n' [_ [_ e]]]]]. apply e. rewrite (h L n n'). reflexivity. Qed.

Theorem constant_identity_scalar d l : steady l -> ~ gps_scalar (S d) l identity.
Proof. intros h g. apply identity_scalar in g; [|lia]. destruct g as [L [n [n' [_ [_ e]]]]]. apply e. apply h. Qed.

Theorem constant_rotation_norm h l theta : steady l -> ~ gps_norm (S h + S h) l (rotation (S h) theta).
Proof. intros k g. apply rotation_norm in g; [|lia]. destruct g as [L [n [n' [_ [_ e]]]]]. apply e. rewrite (k L n n'). reflexivity. Qed.

(** * turns *)

(* theta(to) - theta(from) is more than q and less than q + 1 turns of length T *)
Definition between_turns (T : R) (q : BinNums.Z) (x : R) : Prop := IZR q * T < x < (IZR q + 1) * T.

Theorem turns_vector h l theta from to j q : (from <= last l to)%nat -> (to <= last l to)%nat -> (j < S h)%nat ->
  0 < gain l to from * gain l to to -> between_turns (2 * PI) q (theta to to j - theta to from j) -> gps_vector (S h + S h) l (rotation (S h) theta).
Proof. intros h1 h2 h3 h4 h5. apply (turns (S h) l theta ltac:(lia) to from to j q); assumption. Qed.

Theorem turns_no_scalar h l theta from to j q : (from <= last l to)%nat -> (to <= last l to)%nat -> (j < S h)%nat ->
  0 < gain l to from * gain l to to -> between_turns PI q (theta to to j - theta to from j) -> ~ gps_scalar (S h + S h) l (rotation (S h) theta).
Proof.
  intros h1 h2 h3 h4 h5. apply (turns_scalar (S h) l theta ltac:(lia) to from to j q); try assumption; intros e; rewrite e in h4; lra.
Qed.

(** * size-changes, factor-changes *)

Theorem size_changes_norm h l theta from to : (from <= last l to)%nat -> (to <= last l to)%nat ->
  Rabs (gain l to from) <> Rabs (gain l to to) -> gps_norm (S h + S h) l (rotation (S h) theta).
Proof. intros h1 h2 h3. apply (rotation_norm (S h) l theta ltac:(lia)). exists to, from, to. auto. Qed.

Theorem size_changes_vector h l theta from to : (from <= last l to)%nat -> (to <= last l to)%nat ->
  Rabs (gain l to from) <> Rabs (gain l to to) -> gps_vector (S h + S h) l (rotation (S h) theta).
Proof. intros h1 h2 h3. apply vector_of_norm. apply (size_changes_norm h l theta from to); assumption. Qed.

Theorem size_changes_identity_norm d l from to : (from <= last l to)%nat -> (to <= last l to)%nat ->
  Rabs (gain l to from) <> Rabs (gain l to to) -> gps_norm (S d) l identity.
Proof. intros h1 h2 h3. apply (identity_norm (S d) l ltac:(lia)). exists to, from, to. auto. Qed.

Theorem size_changes_identity_vector d l from to : (from <= last l to)%nat -> (to <= last l to)%nat ->
  Rabs (gain l to from) <> Rabs (gain l to to) -> gps_vector (S d) l identity.
Proof. intros h1 h2 h3. apply vector_of_norm. apply (size_changes_identity_norm d l from to); assumption. Qed.

Theorem factor_changes_identity_scalar d l from to : (from <= last l to)%nat -> (to <= last l to)%nat ->
  gain l to from <> gain l to to -> gps_scalar (S d) l identity.
Proof. intros h1 h2 h3. apply (identity_scalar (S d) l ltac:(lia)). exists to, from, to. auto. Qed.

(** * Values at numbers *)

Lemma power_0 x p : x <> 0 -> p = 0 -> power x p = 1.
Proof. intros h e. unfold power. destruct (Req_EM_T x 0); [contradiction|]. rewrite e. unfold Rpower. rewrite Rmult_0_l. apply exp_0. Qed.

Lemma power_at_0 p : p <> 0 -> power 0 p = 0.
Proof. intros h. unfold power. destruct (Req_EM_T 0 0); [|contradiction]. destruct (Req_EM_T p 0); [contradiction|reflexivity]. Qed.

Lemma power_at_1 p : power 1 p = 1.
Proof. unfold power. destruct (Req_EM_T 1 0); [lra|]. unfold Rpower. rewrite ln_1, Rmult_0_r. apply exp_0. Qed.

Lemma floor_is k x : IZR k <= x < IZR k + 1 -> floor x = IZR k.
Proof.
  intros [h1 h2]. unfold floor. f_equal. destruct (base_Int_part x) as [g1 g2].
  assert (IZR (Int_part x) < IZR (k + 1)) by (rewrite plus_IZR; lra). assert (IZR (k - 1) < IZR (Int_part x)) by (rewrite minus_IZR; lra).
  apply lt_IZR in H. apply lt_IZR in H0. lia.
Qed.

Lemma PI_between : 3 < PI < 7 / 2.
Proof.
  split; [assert (h := PI2_3_2); lra|]. destruct (PI_ineq 3) as [_ h]. simpl in h. unfold tg_alt, PI_tg in h. simpl in h. lra.
Qed.

Ltac nonzero_base := first [lra | (note; apply Rgt_not_eq; unfold Rgt; first [lra | (timeout 60 nra)])].
Ltac zero_exponent := first [lra | (unfold Rdiv; ring)].
Ltac at_numbers := cbn [gain bias width last plain windowed]; repeat change (INR 0) with 0; repeat change (INR 1) with 1; simpl INR;
  repeat match goal with
  | |- context [power 0 ?p] => rewrite (power_at_0 p) by (let q := fresh "q" in intros q; lra)
  | |- context [power 1 ?p] => rewrite (power_at_1 p)
  | |- context [power ?x ?p] => rewrite (power_0 x p) by (first [zero_exponent | nonzero_base])
  end;
  repeat match goal with |- context [if ?D then _ else _] => destruct D; try (exfalso; lra) end.
Ltac seen := cbn [last plain windowed]; first [lia | match goal with |- (?t <= Nat.min ?u (?W - 1))%nat =>
  assert (S t <= W)%nat by (apply INR_le; simpl INR; lra); lia end].
Ltac angle_between := let h := fresh "h" in assert (h := PI_between); unfold between_turns; at_numbers; first [lra | (note; first [lra | (timeout 60 nra)])].
Ltac gains_positive := at_numbers; above_0.
Ltac steady_gain := intros L n n'; reflexivity.
Ltac gains_differ := at_numbers; first [
  (plain_absolutes; note; first [lra | (timeout 60 nra)])
  | (let q := fresh "q" in intros q; rewrite 2!Rabs_inv in q; apply (f_equal Rinv) in q; rewrite 2!Rinv_inv in q; rewrite 2!Rabs_pos_eq in q by lra; lra)].

(** * window, one-key: W keys are seen, W >= 1 *)

Ltac whole_window := apply INR_le; simpl INR; lra.
Ltac window_not := let q := fresh "q" in intros q; unfold ldcp_literal, ldcp_signed, ldcp_probability, ldcp_content, ldcp_weight in q;
  repeat match goal with H : exists _, _ |- _ => destruct H | H : _ /\ _ |- _ => destruct H end; eapply window_sees_nothing_far; eassumption.
Ltac only_key W := let h := fresh "h" in assert (h : W = 1%nat) by (assert (1 <= W)%nat by whole_window; assert (W < 2)%nat by (apply INR_lt; simpl INR; lra); lia);
  try rewrite h; apply one_key_gps.
