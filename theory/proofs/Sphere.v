(* Content on spheres has what the rules assume of random content. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Distance.
Open Scope R_scope.

Lemma continuous_power k x : continuous (fun phi => sin phi ^ k) x.
Proof. apply (ex_derive_continuous (fun phi => sin phi ^ k)). auto_derive. trivial. Qed.

Lemma continuous_moment k s x : continuous (fun phi => exp (s * cos phi) * sin phi ^ k) x.
Proof. apply (ex_derive_continuous (fun phi => exp (s * cos phi) * sin phi ^ k)). auto_derive. trivial. Qed.

Lemma ex_power k a b : ex_RInt (fun phi => sin phi ^ k) a b.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply continuous_power. Qed.

Lemma mass_positive d a : 0 < a <= PI -> 0 < sphere_mass d a.
Proof.
  intros h. apply RInt_gt_0; [lra| |intros; apply continuous_power].
  intros x hx. apply pow_lt. apply sin_gt_0; lra.
Qed.

Lemma mass_mono d a b : 0 <= a -> a <= b -> b <= PI -> sphere_mass d a <= sphere_mass d b.
Proof.
  intros ha hab hb. unfold sphere_mass.
  rewrite <- (RInt_Chasles (fun phi => sin phi ^ (d - 2)) 0 a b) by apply ex_power.
  assert (h : 0 <= RInt (fun phi => sin phi ^ (d - 2)) a b).
  { apply RInt_ge_0; [exact hab|apply ex_power|]. intros x hx. apply pow_le. apply sin_ge_0; lra. }
  change (RInt (fun phi => sin phi ^ (d - 2)) 0 a <=
    RInt (fun phi => sin phi ^ (d - 2)) 0 a + RInt (fun phi => sin phi ^ (d - 2)) a b). lra.
Qed.

(* the upper half of the sphere: substitute PI - phi *)
Lemma mass_half d : sphere_mass d (PI / 2) = sphere_mass d PI / 2.
Proof.
  assert (hpi := PI_RGT_0).
  assert (e : RInt (fun phi => sin phi ^ (d - 2)) (PI / 2) PI = RInt (fun phi => sin phi ^ (d - 2)) 0 (PI / 2)).
  { set (I := RInt (fun phi => sin phi ^ (d - 2)) 0 (PI / 2) : R).
    assert (h1 : is_RInt (fun phi => sin phi ^ (d - 2)) (-1 * (PI / 2) + PI) (-1 * PI + PI) (- I)).
    { replace (-1 * (PI / 2) + PI) with (PI / 2) by lra. replace (-1 * PI + PI) with 0 by ring.
      apply (is_RInt_swap (V := R_NormedModule) (fun phi => sin phi ^ (d - 2)) (PI / 2) 0 I).
      apply (RInt_correct (fun phi => sin phi ^ (d - 2))). apply ex_power. }
    assert (h2 := is_RInt_comp_lin (V := R_NormedModule) _ _ _ _ _ _ h1).
    assert (h3 := is_RInt_opp (V := R_NormedModule) _ _ _ _ h2). change (opp (- I)) with (- - I) in h3. rewrite Ropp_involutive in h3.
    apply is_RInt_unique. revert h3. apply is_RInt_ext. intros x _.
    replace (-1 * x + PI) with (PI - x) by ring. rewrite sin_PI_x. unfold opp, scal; simpl; unfold mult; simpl. ring. }
  unfold sphere_mass. rewrite <- (RInt_Chasles (fun phi => sin phi ^ (d - 2)) 0 (PI / 2) PI) by apply ex_power. rewrite e.
  set (I := RInt (fun phi => sin phi ^ (d - 2)) 0 (PI / 2) : R). change (I = (I + I) / 2). field.
Qed.

(** * Moments *)

(* the integral of cos(phi) sin(phi)^k is 0: sin(phi)^(k + 1)/(k + 1) *)
Lemma mean_zero k : is_RInt (fun phi => cos phi * sin phi ^ k) 0 PI 0.
Proof.
  replace 0 with (minus (sin PI ^ S k / INR (S k)) (sin 0 ^ S k / INR (S k))) at 2.
  - apply (is_RInt_derive (fun phi => sin phi ^ S k / INR (S k)) (fun phi => cos phi * sin phi ^ k)).
    + intros x _. auto_derive; [trivial|].
      change (pred (S k)) with k. field. apply (not_0_INR (S k)). lia.
    + intros x _. apply (ex_derive_continuous (fun phi => cos phi * sin phi ^ k)). auto_derive. trivial.
  - rewrite sin_PI, sin_0. unfold minus, plus, opp; simpl. ring.
Qed.

Theorem sphere_moments_within d B l : (forall n, 0 <= B * width l n) ->
  moments_within (sphere_moments d B l) (fun n => B * width l n).
Proof.
  intros hr n u. unfold sphere_moments. set (r := B * width l n). assert (hr' : 0 <= r) by apply hr.
  assert (hpi := PI_RGT_0). assert (hm := mass_positive d PI ltac:(lra)). unfold sphere_mass in *.
  set (S := RInt (fun phi => sin phi ^ (d - 2)) 0 PI) in *.
  assert (hs : is_RInt (fun phi => sin phi ^ (d - 2)) 0 PI S).
  { apply (RInt_correct (fun phi => sin phi ^ (d - 2))). apply ex_power. }
  assert (hp : forall x, 0 < x < PI -> 0 <= sin x ^ (d - 2)) by (intros x hx; apply pow_le; apply sin_ge_0; lra).
  assert (hex : ex_RInt (fun phi => exp (u * r * cos phi) * sin phi ^ (d - 2)) 0 PI).
  { apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply continuous_moment. }
  assert (hi := RInt_correct (fun phi => exp (u * r * cos phi) * sin phi ^ (d - 2)) 0 PI hex).
  set (I := RInt (fun phi => exp (u * r * cos phi) * sin phi ^ (d - 2)) 0 PI) in *.
  assert (lower : S <= I).
  { apply (is_RInt_le (fun phi => sin phi ^ (d - 2) + u * r * (cos phi * sin phi ^ (d - 2)))
             (fun phi => exp (u * r * cos phi) * sin phi ^ (d - 2)) 0 PI); [lra| |exact hi|].
    - replace S with (plus S (scal (u * r) 0)) by (unfold plus, scal; simpl; unfold mult; simpl; ring).
      apply (is_RInt_plus (fun phi => sin phi ^ (d - 2)) (fun phi => u * r * (cos phi * sin phi ^ (d - 2)))); [exact hs|].
      apply (is_RInt_scal (fun phi => cos phi * sin phi ^ (d - 2))). apply mean_zero.
    - intros x hx. assert (h := hp x hx). assert (g := exp_above (u * r * cos x)). nra. }
  assert (upper : I <= exp (Rabs u * r) * S).
  { apply (is_RInt_le (fun phi => exp (u * r * cos phi) * sin phi ^ (d - 2)) (fun phi => exp (Rabs u * r) * sin phi ^ (d - 2)) 0 PI);
      [lra|exact hi| |].
    - apply (is_RInt_scal (fun phi => sin phi ^ (d - 2))). exact hs.
    - intros x hx. apply Rmult_le_compat_r; [apply hp; exact hx|]. apply exp_le.
      apply Rle_trans with (Rabs (u * r * cos x)); [apply Rle_abs|]. rewrite 2!Rabs_mult, (Rabs_pos_eq r) by exact hr'.
      assert (h : Rabs (cos x) <= 1) by (apply Rabs_le; apply COS_bound). assert (0 <= Rabs u * r) by (apply Rmult_le_pos; [apply Rabs_pos|exact hr']).
      nra. }
  split.
  - apply Rmult_le_reg_r with S; [exact hm|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - apply div_le; [exact hm|exact upper].
Qed.

(** * Tails *)

Lemma acos_range x : 0 <= acos x <= PI.
Proof. apply acos_bound. Qed.

Lemma acos_above x y : 0 <= y <= PI -> x <= cos y -> y <= acos x.
Proof.
  intros hy h. destruct (Rle_lt_dec y (acos x)) as [g|g]; [exact g|exfalso].
  assert (ha := acos_range x). assert (hc := cos_decreasing_1 (acos x) y ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) g).
  destruct (Rle_lt_dec x (-1)) as [k|k].
  - assert (e : acos x = PI). { unfold acos. destruct (Rle_dec x (-1)); [reflexivity|lra]. } lra.
  - assert (hb := COS_bound y). rewrite cos_acos in hc by lra. lra.
Qed.

Theorem sphere_tails_within d B l : (forall n, 0 < B * width l n) -> tails_within (sphere_tails d B l) (fun n => B * width l n).
Proof.
  intros hr n t. unfold sphere_tails. set (r := B * width l n). assert (hr' : 0 < r) by apply hr.
  assert (hpi := PI_RGT_0). assert (hm := mass_positive d PI ltac:(lra)). assert (ha := acos_range (t / r)).
  assert (h0 : sphere_mass d 0 = 0) by exact (RInt_point (V := R_CompleteNormedModule) 0 (fun phi => sin phi ^ (d - 2))).
  split; [|split].
  - assert (h := mass_mono d 0 (acos (t / r)) ltac:(lra) ltac:(lra) ltac:(lra)).
    apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; exact hm].
  - intros ht. assert (h1 : PI / 2 <= acos (t / r)).
    { apply acos_above; [lra|]. rewrite cos_PI2. apply div_le; [exact hr'|lra]. }
    assert (h := mass_mono d (PI / 2) (acos (t / r)) ltac:(lra) h1 ltac:(lra)). rewrite mass_half in h.
    apply Rmult_le_reg_r with (sphere_mass d PI); [exact hm|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - intros ht. assert (e : acos (t / r) = 0).
    { unfold acos. assert (1 < t / r) by (apply div_gt; lra). destruct (Rle_dec (t / r) (-1)); [lra|]. destruct (Rle_dec 1 (t / r)); [reflexivity|lra]. }
    rewrite e, h0. unfold Rdiv. ring.
Qed.

Lemma sphere_tails_fall d B l : (forall n, 0 < B * width l n) -> forall n s t, s <= t -> sphere_tails d B l n t <= sphere_tails d B l n s.
Proof.
  intros hw n s t h. unfold sphere_tails. assert (hpi := PI_RGT_0). assert (hm := mass_positive d PI ltac:(lra)). assert (hr := hw n).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact hm|]. apply mass_mono; [apply acos_range| |apply acos_range].
  set (x := t / (B * width l n)). set (y := s / (B * width l n)).
  assert (hxy : y <= x) by (apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact hr|exact h]).
  destruct (Rle_lt_dec x 1) as [hx|hx].
  - destruct (Rle_lt_dec (-1) x) as [hx'|hx'].
    + apply acos_above; [apply acos_range|]. rewrite cos_acos by lra. exact hxy.
    + unfold acos at 2. destruct (Rle_dec y (-1)) as [g|g]; [apply acos_range|lra].
  - unfold acos at 1. destruct (Rle_dec x (-1)) as [g|_]; [lra|]. destruct (Rle_dec 1 x) as [_|g]; [apply acos_range|lra].
Qed.

(* the probability of an angle of at most 60 degrees *)
Definition sphere_share (d : nat) : R := sphere_mass d (PI / 3) / sphere_mass d PI.

Lemma sphere_share_positive d : 0 < sphere_share d.
Proof. assert (hpi := PI_RGT_0). apply Rdiv_lt_0_compat; apply mass_positive; lra. Qed.

Theorem sphere_tails_likely d B l : (forall n, 0 < B * width l n) -> tails_likely (sphere_tails d B l) (fun n => B * width l n) (sphere_share d).
Proof.
  intros hr n t ht. unfold sphere_tails, sphere_share. set (r := B * width l n) in *. assert (hr' : 0 < r) by apply hr.
  assert (hpi := PI_RGT_0). assert (hm := mass_positive d PI ltac:(lra)).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact hm|]. apply mass_mono; [lra| |apply acos_range].
  apply acos_above; [lra|]. rewrite cos_PI3. apply div_le; [exact hr'|lra].
Qed.
