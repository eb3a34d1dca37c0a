(* Soft caps: of a width of 1, the contents s tanh (c/s) are all those within s tanh (B/s). *)
From Coq Require Import Reals Lra Lia FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Distance Sphere Families.
Open Scope R_scope.

(** * The hyperbolic tangent *)

Lemma tanh_by_exp x : tanh x = 1 - 2 / (exp (2 * x) + 1).
Proof.
  unfold tanh, sinh, cosh. assert (p := exp_pos x). assert (q := exp_pos (- x)). assert (m : exp x * exp (- x) = 1) by (rewrite <- exp_plus; replace (x + - x) with 0 by ring; apply exp_0).
  replace (exp (2 * x)) with (exp x * exp x) by (rewrite <- exp_plus; f_equal; ring). assert (0 < exp x * exp x) by (apply Rmult_lt_0_compat; exact p).
  replace (exp (- x)) with (/ exp x) by (symmetry; apply exp_Ropp). field; repeat split; lra.
Qed.

Lemma tanh_increases x y : x < y -> tanh x < tanh y.
Proof.
  intros h. rewrite 2!tanh_by_exp. assert (p := exp_pos (2 * x)). assert (q := exp_increasing (2 * x) (2 * y) ltac:(lra)).
  assert (2 / (exp (2 * y) + 1) < 2 / (exp (2 * x) + 1)) by (apply Rmult_lt_compat_l; [lra|apply Rinv_lt_contravar; [nra|lra]]). lra.
Qed.

Lemma tanh_mono x y : x <= y -> tanh x <= tanh y.
Proof. intros [h|h]; [left; apply tanh_increases; exact h|rewrite h; lra]. Qed.

Lemma tanh_reflects x y : tanh x <= tanh y -> x <= y.
Proof. intros h. destruct (Rle_lt_dec x y) as [g|g]; [exact g|]. assert (q := tanh_increases y x g). lra. Qed.

Lemma tanh_zero : tanh 0 = 0.
Proof. rewrite tanh_by_exp, Rmult_0_r, exp_0. field. Qed.

Lemma tanh_odd x : tanh (- x) = - tanh x.
Proof. unfold tanh, sinh, cosh. rewrite Ropp_involutive. assert (p := exp_pos x). assert (q := exp_pos (- x)). field. lra. Qed.

Lemma tanh_below_1 x : tanh x < 1.
Proof. rewrite tanh_by_exp. assert (p := exp_pos (2 * x)). assert (0 < 2 / (exp (2 * x) + 1)) by (apply Rdiv_lt_0_compat; lra). lra. Qed.

Lemma tanh_size x : Rabs (tanh x) = tanh (Rabs x).
Proof.
  unfold Rabs at 2. destruct (Rcase_abs x) as [h|h].
  - rewrite tanh_odd. assert (q := tanh_increases x 0 h). rewrite tanh_zero in q. rewrite Rabs_left by exact q. reflexivity.
  - assert (q := tanh_mono 0 x ltac:(lra)). rewrite tanh_zero in q. apply Rabs_pos_eq. exact q.
Qed.

Definition artanh (y : R) : R := ln ((1 + y) / (1 - y)) / 2.

Lemma tanh_artanh y : -1 < y < 1 -> tanh (artanh y) = y.
Proof.
  intros h. unfold artanh. rewrite tanh_by_exp. replace (2 * (ln ((1 + y) / (1 - y)) / 2)) with (ln ((1 + y) / (1 - y))) by field.
  rewrite exp_ln by (apply Rdiv_lt_0_compat; lra). field. lra.
Qed.

(* from below by a line, as far as y *)
Lemma tanh_above_line x y : 0 <= x <= y -> x * (2 / (exp (2 * y) + 1)) <= tanh x.
Proof.
  intros [h g]. rewrite tanh_by_exp. assert (p := exp_pos (2 * x)). assert (q := exp_le (2 * x) (2 * y) ltac:(lra)). assert (a := exp_above (2 * x)).
  replace (1 - 2 / (exp (2 * x) + 1)) with ((exp (2 * x) - 1) / (exp (2 * x) + 1)) by (field; lra).
  apply Rle_trans with (x * (2 / (exp (2 * x) + 1))).
  - apply Rmult_le_compat_l; [exact h|]. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
  - unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|lra].
Qed.

Theorem capped_bound s B : 0 < s -> 0 < B -> 0 < s * tanh (B / s).
Proof. intros hs hB. apply Rmult_lt_0_compat; [exact hs|]. rewrite <- tanh_zero. apply tanh_increases. apply Rdiv_lt_0_compat; assumption. Qed.

(** * The mean *)

Lemma continuous_tanh a k x : continuous (fun phi => tanh (a * cos phi) * sin phi ^ k) x.
Proof.
  apply (ex_derive_continuous (V := R_NormedModule)). unfold tanh, sinh, cosh. auto_derive.
  assert (p := exp_pos (a * cos x)). assert (q := exp_pos (- (a * cos x))). lra.
Qed.

Lemma tanh_mean a k : is_RInt (fun phi => tanh (a * cos phi) * sin phi ^ k) 0 PI 0.
Proof.
  set (g := fun phi => tanh (a * cos phi) * sin phi ^ k). set (I := RInt g 0 PI : R).
  assert (h : is_RInt g 0 PI I) by (apply (RInt_correct g); apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply continuous_tanh).
  assert (h1 : is_RInt g (-1 * 0 + PI) (-1 * PI + PI) (- I)).
  { replace (-1 * 0 + PI) with PI by ring. replace (-1 * PI + PI) with 0 by ring. apply (is_RInt_swap (V := R_NormedModule) g PI 0 I). exact h. }
  assert (h2 := is_RInt_comp_lin (V := R_NormedModule) _ _ _ _ _ _ h1).
  assert (h3 : is_RInt g 0 PI (- I)).
  { revert h2. apply is_RInt_ext. intros x _. unfold g. replace (-1 * x + PI) with (PI - x) by ring. rewrite sin_PI_x.
    replace (cos (PI - x)) with (- cos x) by (rewrite cos_minus, cos_PI, sin_PI; ring).
    replace (a * - cos x) with (- (a * cos x)) by ring. rewrite tanh_odd. unfold scal; simpl; unfold mult; simpl. ring. }
  assert (e := is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ h3). fold I in e. assert (zero : I = 0) by lra. rewrite zero in h. exact h.
Qed.

(** * Contents *)

Section Cap.
Variable l : law.
Variables s B : R.
Hypothesis hs : 0 < s.
Hypothesis hB : 0 < B.
Hypothesis hw : forall n, width l n = 1.
Let r : R := s * tanh (B / s).

Lemma div_mono x y : x <= y -> x / s <= y / s.
Proof using hs. intros h. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact hs|exact h]. Qed.

Lemma capped_content c : content l B c -> content l r (capped s c).
Proof using hs hw.
  intros h n. assert (q := h n). rewrite hw, Rmult_1_r in *. unfold capped, r. rewrite Rabs_mult, (Rabs_pos_eq s) by lra.
  apply Rmult_le_compat_l; [lra|]. rewrite tanh_size. apply tanh_mono. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ s)) by (left; apply Rinv_0_lt_compat; exact hs). apply div_mono. exact q.
Qed.

Lemma capped_onto c : content l r c -> exists c', content l B c' /\ capped s c' = c.
Proof using hs hw.
  intros h. exists (fun n => s * artanh (c n / s)).
  assert (small : forall n, Rabs (c n / s) <= tanh (B / s)).
  { intros n. assert (q := h n). rewrite hw, Rmult_1_r in q. unfold Rdiv at 1. rewrite Rabs_mult, (Rabs_pos_eq (/ s)) by (left; apply Rinv_0_lt_compat; exact hs).
    apply (div_mono _ _) in q. unfold r in q. replace (s * tanh (B / s) / s) with (tanh (B / s)) in q by (field; lra). exact q. }
  assert (at_c : forall n, tanh (artanh (c n / s)) = c n / s).
  { intros n. apply tanh_artanh. assert (q := small n). assert (t := tanh_below_1 (B / s)). apply Rabs_le_between in q. lra. }
  split.
  - intros n. rewrite hw, Rmult_1_r. rewrite Rabs_mult, (Rabs_pos_eq s) by lra. replace B with (s * (B / s)) by (field; lra).
    apply Rmult_le_compat_l; [lra|]. apply tanh_reflects. rewrite <- tanh_size, at_c. apply small.
  - apply functional_extensionality. intros n. unfold capped. replace (s * artanh (c n / s) / s) with (artanh (c n / s)) by (field; lra). rewrite at_c. field. lra.
Qed.

Theorem capped_cn_every_content : (forall c, content l B c -> Z_finite l (capped s c)) <-> cn_every_content l r.
Proof using hs hw.
  split; intros h c hc; [|exact (h _ (capped_content c hc))]. destruct (capped_onto c hc) as [c' [hc' e]]. rewrite <- e. exact (h c' hc').
Qed.

Theorem capped_cn_some_content : (exists c, content l B c /\ Z_finite l (capped s c)) <-> cn_some_content l r.
Proof using hs hw.
  split; intros [c [hc h]]; [exists (capped s c); split; [exact (capped_content c hc)|exact h]|].
  destruct (capped_onto c hc) as [c' [hc' e]]. exists c'. rewrite e. split; assumption.
Qed.

Theorem capped_eb_limit : (forall c, content l B c -> Z_finite l (capped s c) /\ H_finite l (capped s c)) <-> eb_limit l r.
Proof using hs hw.
  split; intros h c hc; [|exact (h _ (capped_content c hc))]. destruct (capped_onto c hc) as [c' [hc' e]]. rewrite <- e. exact (h c' hc').
Qed.

Theorem capped_eb_some_content : (exists c, content l B c /\ Z_finite l (capped s c) /\ H_finite l (capped s c)) <-> eb_some_content l r.
Proof using hs hw.
  split; intros [c [hc h]]; [exists (capped s c); split; [exact (capped_content c hc)|exact h]|].
  destruct (capped_onto c hc) as [c' [hc' e]]. exists c'. rewrite e. split; assumption.
Qed.

Theorem capped_eb_uniform : (forall c, content l B c -> H_finite l (capped s c)) <-> eb_uniform l r.
Proof using hs hw.
  split; intros h c hc; [|exact (h _ (capped_content c hc))]. destruct (capped_onto c hc) as [c' [hc' e]]. rewrite <- e. exact (h c' hc').
Qed.

(** * Random content *)

Lemma capped_moments_1 d n u : 1 <= capped_moments s d B l n u.
Proof using hs.
  unfold capped_moments. set (a := B * width l n / s). assert (hpi := PI_RGT_0). assert (hm := mass_positive d PI ltac:(lra)). unfold sphere_mass in *.
  set (S := RInt (fun phi => sin phi ^ (d - 2)) 0 PI) in *.
  assert (h : is_RInt (fun phi => sin phi ^ (d - 2)) 0 PI S) by (apply (RInt_correct (fun phi => sin phi ^ (d - 2))); apply ex_power).
  set (f := fun phi => exp (u * (s * tanh (B * width l n * cos phi / s))) * sin phi ^ (d - 2)).
  assert (hf : is_RInt f 0 PI (RInt f 0 PI)).
  { apply (RInt_correct f). apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros x _. unfold f.
    apply (ex_derive_continuous (V := R_NormedModule)). unfold tanh, sinh, cosh. auto_derive.
    assert (p := exp_pos (B * width l n * cos x / s)). assert (q := exp_pos (- (B * width l n * cos x / s))). unfold Rdiv in *. lra. }
  apply Rmult_le_reg_r with S; [exact hm|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_l, Rmult_1_r by lra.
  apply (is_RInt_le (fun phi => sin phi ^ (d - 2) + u * s * (tanh (a * cos phi) * sin phi ^ (d - 2))) f 0 PI); [lra| |exact hf|].
  - replace S with (plus S (scal (u * s) 0)) by (unfold plus, scal; simpl; unfold mult; simpl; ring).
    apply (is_RInt_plus (fun phi => sin phi ^ (d - 2)) (fun phi => u * s * (tanh (a * cos phi) * sin phi ^ (d - 2)))); [exact h|].
    apply (is_RInt_scal (fun phi => tanh (a * cos phi) * sin phi ^ (d - 2))). apply tanh_mean.
  - intros x hx. unfold f. replace (B * width l n * cos x / s) with (a * cos x) by (unfold a; field; lra).
    assert (p : 0 <= sin x ^ (d - 2)) by (apply pow_le; apply sin_ge_0; lra). assert (g := exp_above (u * (s * tanh (a * cos x)))). nra.
Qed.

Theorem capped_not_cn_expected d : ~ cn_some_content l r -> ~ cn_expected l (capped_moments s d B l).
Proof using All.
  intros none [M h]. apply none. exists (fun _ => 0). split.
  - intros n. rewrite Rabs_R0, hw, Rmult_1_r. left. apply (capped_bound s B hs hB).
  - exists M. intros L. apply Rle_trans with (2 := h L). unfold Z. apply sum_le. intros n _. unfold score. rewrite Rmult_0_r, Rplus_0_l.
    rewrite <- (Rmult_1_r (exp (bias l L n))) at 1. apply Rmult_le_compat_l; [left; apply exp_pos|apply capped_moments_1].
Qed.

Theorem capped_ldcp_content d : ldcp_content l (sphere_tails d B l) -> ldcp_content l (capped_tails s d B l).
Proof using All.
  assert (hr : forall n, 0 < B * width l n) by (intros n; rewrite hw; lra).
  set (kappa := 2 / (exp (2 * (B / s)) + 1)). assert (hk : 0 < kappa) by (apply Rdiv_lt_0_compat; [lra|assert (p := exp_pos (2 * (B / s))); lra]).
  intros [eps [p [he [hp h]]]]. exists (kappa * eps), p. split; [apply Rmult_lt_0_compat; assumption|split; [exact hp|]].
  intros N. destruct (h N) as [n [L [hn [hL g]]]]. exists n, L. split; [exact hn|split; [exact hL|]]. apply Rle_trans with (1 := g). clear h g hn hL.
  unfold beyond. destruct (Req_EM_T (gain l L n) 0) as [e|e].
  { rewrite Rabs_R0. destruct (Rle_dec eps 0); [lra|]. destruct (Rle_dec (kappa * eps) 0); lra. }
  assert (hf := Rabs_pos_lt _ e). rewrite 2!Rminus_0_r, 2!Rplus_0_r. set (t := eps / Rabs (gain l L n)).
  replace (kappa * eps / Rabs (gain l L n)) with (kappa * t) by (unfold t; field; lra). assert (ht : 0 < t) by (apply Rdiv_lt_0_compat; assumption).
  destruct (sphere_tails_within d B l hr n t) as [T0 [_ T1]].
  enough (q : sphere_tails d B l n t <= capped_tails s d B l n (kappa * t)) by lra.
  destruct (Rle_lt_dec t B) as [near|far].
  - assert (low : kappa * t <= s * tanh (t / s)).
    { assert (a := tanh_above_line (t / s) (B / s) ltac:(split; [left; apply Rdiv_lt_0_compat; assumption|apply div_mono; exact near])). fold kappa in a.
      apply (Rmult_le_compat_l s) in a; [|lra]. replace (s * (t / s * kappa)) with (kappa * t) in a by (field; lra). exact a. }
    assert (b1 := tanh_below_1 (t / s)). assert (kt : 0 < kappa * t) by (apply Rmult_lt_0_compat; assumption).
    assert (below : kappa * t < s) by nra. unfold capped_tails. destruct (Rle_dec s (kappa * t)); [lra|]. destruct (Rle_dec (kappa * t) (- s)); [lra|].
    apply (sphere_tails_fall d B l); [exact hr|].
    replace (s / 2 * ln ((s + kappa * t) / (s - kappa * t))) with (s * artanh (kappa * t / s)).
    + replace t with (s * (t / s)) at 2 by (field; lra). apply Rmult_le_compat_l; [lra|]. apply tanh_reflects. rewrite tanh_artanh.
      * apply (Rmult_le_reg_l s); [exact hs|]. replace (s * (kappa * t / s)) with (kappa * t) by (field; lra). exact low.
      * split; [apply Rlt_trans with 0; [lra|apply Rdiv_lt_0_compat; assumption]|]. apply (Rmult_lt_reg_l s); [exact hs|]. replace (s * (kappa * t / s)) with (kappa * t) by (field; lra). lra.
    + unfold artanh. replace ((1 + kappa * t / s) / (1 - kappa * t / s)) with ((s + kappa * t) / (s - kappa * t)) by (field; lra). field.
  - rewrite T1 by (rewrite hw; lra). unfold capped_tails. destruct (Rle_dec s (kappa * t)); [lra|]. destruct (Rle_dec (kappa * t) (- s)); [lra|].
    apply (sphere_tails_within d B l hr n).
Qed.
End Cap.

(** * The steps of check-properties --coq *)

Lemma not_through (P Q : Prop) : (P <-> Q) -> ~ Q -> ~ P.
Proof. tauto. Qed.
Lemma iff_through (P Q R : Prop) : (P <-> Q) -> (Q <-> R) -> (P <-> R).
Proof. tauto. Qed.
Ltac through e := first [apply (proj2 e) | apply (not_through _ _ e) | apply (iff_through _ _ _ e)].
