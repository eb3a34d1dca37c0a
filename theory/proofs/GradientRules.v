(* T5 of docs/certificates.md as check-properties --coq applies it. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Asymptotics Steps Gradient Rotation Windows Trivial.
Import ListNotations.
Open Scope R_scope.

(** * constant: a gain that does not depend on n *)

Theorem constant_identity_vector d l : steady l -> ~ gps_vector (S d) l identity.
Proof. intros h. apply identity_steady. exact h. Qed.

Theorem constant_identity_norm d l : steady l -> ~ gps_norm (S d) l identity.
Proof. intros h. apply identity_steady. exact h. Qed.

Theorem constant_identity_scalar d l : steady l -> ~ gps_scalar (S d) l identity.
Proof. intros h. apply identity_steady. exact h. Qed.

Theorem constant_rotation_norm h l theta : steady l -> ~ gps_norm (S h + S h) l (rotation (S h) theta).
Proof. apply rotation_norm_fails. lia. Qed.

(* ... and angles that do not *)
Theorem constant_rotation_vector h l theta : steady l -> (forall L n n' j, (j < S h)%nat -> theta L n j = theta L n' j) ->
  ~ gps_vector (S h + S h) l (rotation (S h) theta).
Proof.
  intros hs ht. apply vector_fails. intros L n n' i j _ _ hi hj. unfold entry. rewrite (hs L n n'). f_equal. unfold rotation.
  destruct (Nat.eqb i j); [f_equal; apply ht; apply Nat.mod_upper_bound; lia|].
  destruct (Nat.eqb_spec j (i + S h)); [f_equal; f_equal; apply ht; lia|].
  destruct (Nat.eqb_spec i (j + S h)); [f_equal; apply ht; lia|reflexivity].
Qed.

Theorem constant_rotation_scalar h l theta : steady l -> (forall L n n' j, (j < S h)%nat -> theta L n j = theta L n' j) ->
  ~ gps_scalar (S h + S h) l (rotation (S h) theta).
Proof. intros hs ht. apply scalar_fails_constant, constant_rotation_vector; assumption. Qed.

(** * turns: at all lengths from N on *)

(* theta(to) - theta(from) is more than q and less than q + 1 turns of length T *)
Definition between_turns (T : R) (q : BinNums.Z) (x : R) : Prop := IZR q * T < x < (IZR q + 1) * T.

Theorem turns_vector h l theta N from to j q : both_seen l N from to -> (j < S h)%nat ->
  (forall L, (N <= L)%nat -> 0 < gain l L from * gain l L to) ->
  (forall L, (N <= L)%nat -> between_turns (2 * PI) q (theta L to j - theta L from j)) -> gps_vector (S h + S h) l (rotation (S h) theta).
Proof. apply (turns (S h) l theta ltac:(lia)). Qed.

Theorem turns_no_scalar h l theta N from to j q : both_seen l N from to -> (j < S h)%nat ->
  (forall L, (N <= L)%nat -> 0 < gain l L from * gain l L to) ->
  (forall L, (N <= L)%nat -> between_turns PI q (theta L to j - theta L from j)) -> ~ gps_scalar (S h + S h) l (rotation (S h) theta).
Proof. apply (turns_scalar (S h) l theta ltac:(lia)). Qed.

(** * size-changes, factor-changes *)

Theorem size_changes_norm h l theta N from to : both_seen l N from to ->
  (forall L, (N <= L)%nat -> Rabs (gain l L from) <> Rabs (gain l L to)) -> gps_norm (S h + S h) l (rotation (S h) theta).
Proof. apply (rotation_norm_holds (S h) l theta ltac:(lia)). Qed.

Theorem size_changes_vector h l theta N from to : both_seen l N from to ->
  (forall L, (N <= L)%nat -> Rabs (gain l L from) <> Rabs (gain l L to)) -> gps_vector (S h + S h) l (rotation (S h) theta).
Proof. intros h1 h2. apply vector_of_norm. apply (size_changes_norm h l theta N from to); assumption. Qed.

Theorem size_changes_identity_norm d l N from to : both_seen l N from to ->
  (forall L, (N <= L)%nat -> Rabs (gain l L from) <> Rabs (gain l L to)) -> gps_norm (S d) l identity.
Proof. apply (identity_norm (S d) l N from to ltac:(lia)). Qed.

Theorem size_changes_identity_vector d l N from to : both_seen l N from to ->
  (forall L, (N <= L)%nat -> Rabs (gain l L from) <> Rabs (gain l L to)) -> gps_vector (S d) l identity.
Proof. intros h1 h2. apply vector_of_norm. apply (size_changes_identity_norm d l N from to); assumption. Qed.

Theorem factor_changes_identity_scalar d l N from to : both_seen l N from to ->
  (forall L, (N <= L)%nat -> gain l L from <> gain l L to) -> gps_scalar (S d) l identity.
Proof. intros h1 h2. apply identity_scalar. apply (identity_vector (S d) l N from to ltac:(lia)); assumption. Qed.

(** * Values at numbers *)

Lemma power_0 x p : x <> 0 -> p = 0 -> power x p = 1.
Proof. intros h e. unfold power. destruct (Req_EM_T x 0); [contradiction|]. rewrite e. unfold Rpower. rewrite Rmult_0_l. apply exp_0. Qed.

Lemma PI_between : 31 / 10 < PI < 32 / 10.
Proof. destruct (PI_2_3_7_ineq 1) as [h g]. simpl in h, g. unfold tg_alt, PI_2_3_7_tg, Ratan_seq in h, g. simpl in h, g. lra. Qed.

Ltac nonzero_base := first [lra | (apply Rgt_not_eq; unfold Rgt; positive) | (note; apply Rgt_not_eq; unfold Rgt; first [lra | (timeout 60 nra)])].
Ltac zero_exponent := first [lra | (unfold Rdiv; ring)].
Ltac at_numbers := cbn [gain bias width last plain windowed]; repeat change (INR 0) with 0; repeat change (INR 1) with 1; simpl INR;
  repeat match goal with
  | |- context [power 0 ?p] => rewrite (power_0_at p) by (let q := fresh "q" in intros q; lra)
  | |- context [power 1 ?p] => rewrite (power_1_at p)
  | |- context [power ?x ?p] => rewrite (power_0 x p) by (first [zero_exponent | nonzero_base])
  | _ => plain_value
  end;
  repeat match goal with |- context [if ?D then _ else _] => destruct D; try (exfalso; lra) end.
Ltac at_length := let L := fresh "L" in let h := fresh "at_least" in intros L h; apply le_INR in h; simpl INR in h.
Ltac seen := let L := fresh "L" in let h := fresh "h" in intros L h; cbn [last plain windowed]; first [lia | match goal with |- (_ <= _ /\ ?t <= Nat.min ?u (?W - 1))%nat =>
  assert (S t <= W)%nat by (apply INR_le; rewrite ?plus_INR; simpl INR; lra); lia end].
Ltac inverse_of x := lazymatch goal with H : 0 < / x |- _ => fail | _ => assert (0 < / x) by (apply Rinv_0_lt_compat; lra); assert (/ x * x = 1) by (apply Rinv_l; lra) end.
Ltac angle_between := let h := fresh "h" in at_length; assert (h := PI_between); unfold between_turns; at_numbers;
  first [lra | solve [at_values; lra] | (note; first [lra | (timeout 60 nra)]) | (unfold Rdiv; repeat match goal with |- context [/ ?x] => inverse_of x end; split; nra)].
Ltac gains_positive := at_length; at_numbers; above_0.
Ltac steady_angle := let j := fresh "j" in let h := fresh "h" in intros L n n' j h; assert (at_least := pos_INR j);
  repeat match goal with |- context [if ?D then _ else _] => destruct D end; first [reflexivity | (exfalso; lra)].
Ltac steady_gain := intros L n n'; first [reflexivity | cbn [gain plain windowed]; put_zeros; rewrite ?Rmult_0_l; reflexivity
  | (assert (at_least := pos_INR n); assert (at_least' := pos_INR n'); cbn [gain plain windowed]; put_zeros; at_values; first [reflexivity | ring])].
(* sizes of plain numbers with roots and logarithms, of roots below a fraction line by their squares *)
Ltac compare_logs := repeat match goal with
  | |- context [ln ?x] => match goal with H : ln x < 0 |- _ => fail 1 | _ => assert (ln x < 0) by (apply ln_negative; lra) end
  | |- context [ln ?x] => match goal with |- context [ln ?y] =>
    match goal with H : ln x < ln y |- _ => fail 1 | _ => assert (ln x < ln y) by (apply ln_increasing; lra) end end
  | |- context [exp ?x] => match goal with H : exp x < 1 |- _ => fail 1
      | _ => assert (exp x < 1) by (apply Rlt_le_trans with (exp 0); [apply exp_increasing; lra | rewrite exp_0; lra]) end
  end.
Ltac compare_roots := repeat match goal with
  | |- context [sqrt ?x] => match goal with H : sqrt x * sqrt x = x |- _ => fail 1
      | _ => assert (0 < sqrt x) by (apply sqrt_lt_R0; lra); assert (sqrt x * sqrt x = x) by (apply sqrt_sqrt; lra) end
  | |- context [/ sqrt ?x] => match goal with H : / sqrt x * / sqrt x * x = 1 |- _ => fail 1
      | _ => assert (/ sqrt x * / sqrt x * x = 1) by (apply inverse_root; lra) end
  end.
Ltac sizes_compared := let q := fresh "q" in compare_roots; note_inverses; compare_logs; compare_roots;
  intros q; unfold Rabs in q; repeat match goal with H : context [Rcase_abs ?x] |- _ => destruct (Rcase_abs x) end;
  first [lra | (apply (f_equal (fun x => x * x)) in q; cbn beta in q; lra) | (timeout 5 nra)].
Ltac sizes_differ := first [solve [sizes_compared] | (at_values; sizes_compared)].
Ltac gains_differ := at_length; at_numbers; first [
  solve [sizes_differ]
  | (plain_absolutes; note; first [lra | (timeout 60 nra)])
  | (let q := fresh "q" in intros q; rewrite 2!Rabs_inv in q; apply (f_equal Rinv) in q; rewrite 2!Rinv_inv in q; rewrite 2!Rabs_pos_eq in q by lra; lra)
  | (let q := fresh "q" in intros q; apply (f_equal Rinv) in q; rewrite 2!Rinv_inv in q; lra)
  | (let q := fresh "q" in intros q; rewrite ?Rabs_pos_eq in q by (left; apply exp_pos); apply exp_inv in q; lra)].

(** * window, one-key: W keys are seen, W >= 1 *)

Ltac whole_window := first [lia | apply INR_le; simpl INR; lra].
Ltac window_not := let q := fresh "q" in intros q; unfold ldcp_literal, ldcp_signed, ldcp_probability, ldcp_content, ldcp_weight in q;
  repeat match goal with H : exists _, _ |- _ => destruct H | H : _ /\ _ |- _ => destruct H end; eapply window_sees_nothing_far; eassumption.
Ltac only_key W := let h := fresh "h" in assert (h : W = 1%nat) by (assert (1 <= W)%nat by whole_window; assert (W < 2)%nat by (apply INR_lt; rewrite ?plus_INR; simpl INR; lra); lia);
  try rewrite h; apply one_key_gps.
