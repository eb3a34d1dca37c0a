(* Theorem X1 of docs/theorems.md for identity and rotations: on a sphere in d >= 2 dimensions the expectation of e^(u c) lies
   between positive multiples of e^x x^(-(d - 1)/2), x = |u| B w >= 1. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Distance Sphere.
Open Scope R_scope.

(** * Sine and cosine *)

Lemma sin_above x : 0 <= x <= PI / 2 -> x / 3 <= sin x.
Proof.
  intros hx. assert (pi := PI_RGT_0). assert (pi4 := PI_4).
  destruct (sin_bound x 0 ltac:(lra) ltac:(lra)) as [h _]. unfold sin_approx in h. simpl in h. unfold sin_term in h. simpl in h.
  assert (e : 1 * (x * 1 / 1) + -1 * 1 * (x * (x * (x * 1)) / (1 + 1 + 1 + 1 + 1 + 1)) = x - x * x * x / 6) by field.
  assert (k : x - x * x * x / 6 <= sin x) by lra.
  assert (q : x * x <= 4) by nra. nra.
Qed.

Lemma sin_below x : 0 <= x -> sin x <= x.
Proof. intros [h|h]; [left; apply sin_lt_x; exact h|rewrite <- h, sin_0; lra]. Qed.

Lemma cos_half x : cos x = 1 - 2 * (sin (x / 2) * sin (x / 2)).
Proof. assert (h := cos_2a_sin (x / 2)). replace (2 * (x / 2)) with x in h by field. rewrite h. ring. Qed.

Lemma cos_above x : 0 <= x <= PI -> 1 - x * x / 2 <= cos x.
Proof.
  intros hx. rewrite cos_half. assert (h := sin_below (x / 2) ltac:(lra)). assert (p := sin_ge_0 (x / 2) ltac:(lra) ltac:(lra)).
  assert (sin (x / 2) * sin (x / 2) <= x / 2 * (x / 2)) by (apply Rmult_le_compat; lra). lra.
Qed.

Lemma cos_below x : 0 <= x <= PI -> cos x <= 1 - x * x / 18.
Proof.
  intros hx. rewrite cos_half. assert (h := sin_above (x / 2) ltac:(lra)).
  assert (x / 2 / 3 * (x / 2 / 3) <= sin (x / 2) * sin (x / 2)) by (apply Rmult_le_compat; lra). lra.
Qed.

(** * s^k e^(-s^2/18) is at most a multiple of 1/(1 + s^2) *)

Lemma exp_above_power x m : 0 <= x -> (0 < m)%nat -> (x / INR m) ^ m <= exp x.
Proof.
  intros hx hm. assert (i := lt_0_INR m hm). replace (exp x) with (exp (x / INR m) ^ m).
  - apply pow_incr. split; [apply Rmult_le_pos; [exact hx|left; apply Rinv_0_lt_compat; exact i]|]. assert (h := exp_above (x / INR m)). lra.
  - rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp. f_equal. field. lra.
Qed.

Lemma gauss_below k : exists C, 0 < C /\ forall s, 0 <= s -> s ^ k * exp (- (s * s / 18)) <= C / (1 + s * s).
Proof.
  set (m := (k + 2)%nat). assert (i := lt_0_INR m ltac:(unfold m; lia)). set (a := 18 * INR m).
  assert (ha : 0 < a ^ m) by (apply pow_lt; unfold a; lra).
  exists (2 + 2 * a ^ m). split; [lra|]. intros s hs.
  assert (e := exp_pos (- (s * s / 18))). assert (e1 : exp (- (s * s / 18)) <= 1) by (rewrite <- exp_0; apply exp_le; nra).
  assert (hk : 0 <= s ^ k) by (apply pow_le; exact hs).
  apply Rmult_le_reg_r with (1 + s * s); [nra|]. unfold Rdiv at 2. rewrite (Rmult_assoc (2 + 2 * a ^ m)), Rinv_l, Rmult_1_r by nra.
  destruct (Rle_lt_dec s 1) as [h|h].
  - assert (k1 : s ^ k <= 1) by (rewrite <- (pow1 k); apply pow_incr; lra). assert (k2 : 1 + s * s <= 2) by nra.
    assert (k3 : s ^ k * exp (- (s * s / 18)) <= 1) by nra. assert (0 <= s ^ k * exp (- (s * s / 18))) by nra. nra.
  - assert (g := exp_above_power (s * s / 18) m ltac:(nra) ltac:(unfold m; lia)).
    replace (s * s / 18 / INR m) with (s * s / a) in g by (unfold a; field; lra).
    assert (g2 : (s * s) ^ m <= a ^ m * exp (s * s / 18)).
    { replace ((s * s) ^ m) with (a ^ m * (s * s / a) ^ m); [apply Rmult_le_compat_l; lra|].
      rewrite <- Rpow_mult_distr. f_equal. field. unfold a. lra. }
    assert (g3 : (s * s) ^ m * exp (- (s * s / 18)) <= a ^ m).
    { apply Rle_trans with (a ^ m * exp (s * s / 18) * exp (- (s * s / 18))); [apply Rmult_le_compat_r; lra|].
      rewrite Rmult_assoc, <- exp_plus, Rplus_opp_r, exp_0. lra. }
    assert (g4 : s ^ k * (1 + s * s) <= 2 * (s * s) ^ m).
    { apply Rle_trans with (2 * (s ^ k * (s * s))).
      { replace (2 * (s ^ k * (s * s))) with (s ^ k * (2 * (s * s))) by ring. apply Rmult_le_compat_l; [exact hk|nra]. }
      apply Rmult_le_compat_l; [lra|].
      replace (s ^ k * (s * s)) with (s ^ m) by (unfold m; rewrite pow_add; simpl; ring). apply pow_incr. nra. }
    replace (s ^ k * exp (- (s * s / 18)) * (1 + s * s)) with (s ^ k * (1 + s * s) * exp (- (s * s / 18))) by ring.
    apply Rle_trans with (2 * (s * s) ^ m * exp (- (s * s / 18))); [apply Rmult_le_compat_r; lra|lra].
Qed.

(** * The integral *)

Definition integral (k : nat) (x : R) : R := RInt (fun phi => exp (x * cos phi) * sin phi ^ k) 0 PI.

Lemma ex_integral k x a b : ex_RInt (fun phi => exp (x * cos phi) * sin phi ^ k) a b.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply continuous_moment. Qed.

Lemma root_power x k : 0 < x -> (/ sqrt x) ^ k = exp (- (INR k / 2) * ln x).
Proof.
  intros h. assert (s := sqrt_lt_R0 x h). rewrite <- Rpower_pow by (apply Rinv_0_lt_compat; exact s). unfold Rpower. rewrite ln_Rinv by exact s.
  assert (e : ln x = 2 * ln (sqrt x)) by (rewrite <- (sqrt_sqrt x) at 1 by lra; rewrite ln_mult by exact s; ring). rewrite e. f_equal. field.
Qed.

Lemma integral_lower k : exists C, 0 < C /\ forall x, 1 <= x -> C * exp (x - INR (S k) / 2 * ln x) <= integral k x.
Proof.
  assert (pi := PI_RGT_0). assert (pi2 := PI2_3_2). assert (i := lt_0_INR (S k) ltac:(lia)). assert (t := pow_lt (/ 3) k ltac:(lra)).
  exists (exp (- / 2) * (/ 3) ^ k / INR (S k)). split; [apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; [apply exp_pos|exact t]|exact i]|].
  intros x hx. assert (sx : 1 <= sqrt x) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; exact hx). set (a := / sqrt x).
  assert (ha : 0 < a <= 1) by (unfold a; split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  assert (hxa : x * (a * a) = 1) by (unfold a; rewrite <- (sqrt_sqrt x) at 1 by lra; field; lra).
  assert (part : RInt (fun phi => exp (x * cos phi) * sin phi ^ k) 0 a <= integral k x).
  { unfold integral. rewrite <- (RInt_Chasles (fun phi => exp (x * cos phi) * sin phi ^ k) 0 a PI) by apply ex_integral.
    assert (h : 0 <= RInt (fun phi => exp (x * cos phi) * sin phi ^ k) a PI).
    { apply RInt_ge_0; [lra|apply ex_integral|]. intros y hy. apply Rmult_le_pos; [left; apply exp_pos|apply pow_le; apply sin_ge_0; lra]. }
    change (RInt (fun phi => exp (x * cos phi) * sin phi ^ k) 0 a <=
      RInt (fun phi => exp (x * cos phi) * sin phi ^ k) 0 a + RInt (fun phi => exp (x * cos phi) * sin phi ^ k) a PI). lra. }
  apply Rle_trans with (2 := part).
  assert (pw : is_RInt (fun phi => exp (x - / 2) * (/ 3) ^ k * phi ^ k) 0 a (exp (x - / 2) * (/ 3) ^ k * (a ^ S k / INR (S k)))).
  { apply (is_RInt_scal (fun phi => phi ^ k)). replace (a ^ S k / INR (S k)) with (Hierarchy.minus (a ^ S k / INR (S k)) (0 ^ S k / INR (S k))).
    - apply (is_RInt_derive (fun phi => phi ^ S k / INR (S k)) (fun phi => phi ^ k)).
      + intros y _. auto_derive; [trivial|]. change (pred (S k)) with k. field. apply (not_0_INR (S k)). lia.
      + intros y _. apply (ex_derive_continuous (fun phi => phi ^ k)). auto_derive. trivial.
    - unfold Hierarchy.minus, plus, opp; simpl. unfold Rdiv. ring. }
  replace (exp (- / 2) * (/ 3) ^ k / INR (S k) * exp (x - INR (S k) / 2 * ln x)) with (exp (x - / 2) * (/ 3) ^ k * (a ^ S k / INR (S k))).
  - apply (is_RInt_le (fun phi => exp (x - / 2) * (/ 3) ^ k * phi ^ k) (fun phi => exp (x * cos phi) * sin phi ^ k) 0 a); [lra|exact pw| |].
    + apply (RInt_correct (fun phi => exp (x * cos phi) * sin phi ^ k)). apply ex_integral.
    + intros y hy. rewrite Rmult_assoc, <- Rpow_mult_distr. apply Rmult_le_compat.
      * left; apply exp_pos.
      * apply pow_le. lra.
      * apply exp_le. assert (h := cos_above y ltac:(lra)). assert (hy2 : y * y <= a * a) by (apply Rmult_le_compat; lra). nra.
      * apply pow_incr. assert (h := sin_above y ltac:(lra)). lra.
  - unfold a. rewrite root_power by lra. unfold Rminus. rewrite 2!exp_plus.
    replace (- (INR (S k) / 2 * ln x)) with (- (INR (S k) / 2) * ln x) by ring. field. apply (not_0_INR (S k)). lia.
Qed.

Lemma integral_upper k : exists C, 0 < C /\ forall x, 1 <= x -> integral k x <= C * exp (x - INR (S k) / 2 * ln x).
Proof.
  destruct (gauss_below k) as [C [hC hg]]. assert (pi := PI_RGT_0). exists (C * (PI / 2)). split; [apply Rmult_lt_0_compat; lra|].
  intros x hx. assert (sx : 1 <= sqrt x) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; exact hx). assert (xx := sqrt_sqrt x ltac:(lra)).
  set (a := / sqrt x). assert (ha : 0 < a) by (unfold a; apply Rinv_0_lt_compat; lra).
  assert (at_ : is_RInt (fun phi => exp x * a ^ k * C * (/ (1 + (sqrt x * phi) * (sqrt x * phi)))) 0 PI
                       (exp x * a ^ k * C * (a * atan (sqrt x * PI)))).
  { apply (is_RInt_scal (fun phi => / (1 + (sqrt x * phi) * (sqrt x * phi)))).
    replace (a * atan (sqrt x * PI)) with (Hierarchy.minus (a * atan (sqrt x * PI)) (a * atan (sqrt x * 0))).
    - apply (is_RInt_derive (fun phi => a * atan (sqrt x * phi)) (fun phi => / (1 + (sqrt x * phi) * (sqrt x * phi)))).
      + intros y _. assert (q : 0 < 1 + (sqrt x * y) * (sqrt x * y)) by (assert (z := Rle_0_sqr (sqrt x * y)); unfold Rsqr in z; lra).
        auto_derive; [trivial|]. unfold a, Rsqr. field. split; lra.
      + intros y _. assert (q : 0 < 1 + (sqrt x * y) * (sqrt x * y)) by (assert (z := Rle_0_sqr (sqrt x * y)); unfold Rsqr in z; lra).
        apply (ex_derive_continuous (fun phi => / (1 + (sqrt x * phi) * (sqrt x * phi)))). auto_derive. lra.
    - unfold Hierarchy.minus, plus, opp; simpl. rewrite Rmult_0_r, atan_0. ring. }
  assert (le : integral k x <= exp x * a ^ k * C * (a * atan (sqrt x * PI))).
  { apply (is_RInt_le (fun phi => exp (x * cos phi) * sin phi ^ k) (fun phi => exp x * a ^ k * C * (/ (1 + (sqrt x * phi) * (sqrt x * phi)))) 0 PI); [lra| |exact at_|].
    - apply (RInt_correct (fun phi => exp (x * cos phi) * sin phi ^ k)). apply ex_integral.
    - intros y hy. set (s := sqrt x * y). assert (hs : 0 <= s) by (unfold s; apply Rmult_le_pos; lra). assert (g := hg s hs).
      assert (c1 : exp (x * cos y) <= exp x * exp (- (s * s / 18))).
      { rewrite <- exp_plus. apply exp_le. assert (h := cos_below y ltac:(lra)). replace (s * s) with (x * (y * y)) by (unfold s; rewrite <- xx at 1; ring). nra. }
      assert (c2 : sin y ^ k <= a ^ k * s ^ k).
      { rewrite <- Rpow_mult_distr. apply pow_incr. split; [apply sin_ge_0; lra|]. replace (a * s) with y by (unfold a, s; field; lra). apply sin_below. lra. }
      assert (p0 : 0 <= sin y ^ k) by (apply pow_le; apply sin_ge_0; lra). assert (e0 := exp_pos (x * cos y)).
      apply Rle_trans with (exp x * exp (- (s * s / 18)) * (a ^ k * s ^ k)); [apply Rmult_le_compat; lra|].
      replace (exp x * exp (- (s * s / 18)) * (a ^ k * s ^ k)) with (exp x * a ^ k * (s ^ k * exp (- (s * s / 18)))) by ring.
      rewrite (Rmult_assoc (exp x * a ^ k)). apply Rmult_le_compat_l; [|exact g].
      apply Rmult_le_pos; [left; apply exp_pos|apply pow_le; lra]. }
  apply Rle_trans with (1 := le). assert (bt := atan_bound (sqrt x * PI)).
  replace (C * (PI / 2) * exp (x - INR (S k) / 2 * ln x)) with (exp x * a ^ k * C * (a * (PI / 2))).
  - apply Rmult_le_compat_l; [|apply Rmult_le_compat_l; lra]. apply Rmult_le_pos; [apply Rmult_le_pos; [left; apply exp_pos|apply pow_le; lra]|lra].
  - unfold Rminus. rewrite exp_plus. replace (- (INR (S k) / 2 * ln x)) with (- (INR (S k) / 2) * ln x) by ring.
    rewrite <- (root_power x (S k)) by lra. fold a. simpl. ring.
Qed.

(** * The expectation *)

Lemma moments_integral d B l n u : sphere_moments d B l n u = integral (d - 2) (u * (B * width l n)) / sphere_mass d PI.
Proof. reflexivity. Qed.

(* content is symmetric *)
Lemma integral_even k x : integral k (- x) = integral k x.
Proof.
  unfold integral. set (I := RInt (fun phi => exp (x * cos phi) * sin phi ^ k) 0 PI : R).
  assert (h1 : is_RInt (fun phi => exp (x * cos phi) * sin phi ^ k) (-1 * 0 + PI) (-1 * PI + PI) (- I)).
  { replace (-1 * 0 + PI) with PI by ring. replace (-1 * PI + PI) with 0 by ring.
    apply (is_RInt_swap (V := R_NormedModule) (fun phi => exp (x * cos phi) * sin phi ^ k) PI 0 I).
    apply (RInt_correct (fun phi => exp (x * cos phi) * sin phi ^ k)). apply ex_integral. }
  assert (h2 := is_RInt_comp_lin (V := R_NormedModule) _ _ _ _ _ _ h1).
  assert (h3 := is_RInt_opp (V := R_NormedModule) _ _ _ _ h2). change (opp (- I)) with (- - I) in h3. rewrite Ropp_involutive in h3.
  apply is_RInt_unique. revert h3. apply is_RInt_ext. intros y _.
  replace (-1 * y + PI) with (PI - y) by ring. rewrite sin_PI_x. replace (cos (PI - y)) with (- cos y).
  - unfold opp, scal; simpl; unfold mult; simpl. replace (x * - cos y) with (- x * cos y) by ring. ring.
  - rewrite cos_minus, cos_PI, sin_PI. ring.
Qed.

Theorem sphere_laplace d : (2 <= d)%nat -> exists k1 k2, 0 < k1 /\ 0 < k2 /\ forall B l n u, 1 <= Rabs u * (B * width l n) ->
  let x := Rabs u * (B * width l n) in
  k1 * exp (x - (INR d - 1) / 2 * ln x) <= sphere_moments d B l n u <= k2 * exp (x - (INR d - 1) / 2 * ln x).
Proof.
  intros hd. destruct (integral_lower (d - 2)) as [c1 [h1 g1]]. destruct (integral_upper (d - 2)) as [c2 [h2 g2]].
  assert (pi := PI_RGT_0). assert (hm := mass_positive d PI ltac:(lra)). exists (c1 / sphere_mass d PI), (c2 / sphere_mass d PI).
  split; [apply Rdiv_lt_0_compat; assumption|split; [apply Rdiv_lt_0_compat; assumption|]]. intros B l n u hx x.
  assert (e : INR (S (d - 2)) = INR d - 1). { replace d with (S (S (d - 2))) at 2 by lia. rewrite (S_INR (S (d - 2))). ring. }
  assert (q : sphere_moments d B l n u = integral (d - 2) x / sphere_mass d PI).
  { rewrite moments_integral. f_equal. unfold x, Rabs. destruct (Rcase_abs u) as [r|r]; [|reflexivity].
    rewrite <- integral_even. f_equal. ring. }
  rewrite q. assert (l1 := g1 x hx). assert (l2 := g2 x hx). rewrite e in l1, l2. assert (im := Rinv_0_lt_compat _ hm).
  split; unfold Rdiv; rewrite Rmult_assoc, (Rmult_comm (/ sphere_mass d PI)), <- Rmult_assoc; apply Rmult_le_compat_r; lra.
Qed.

(* sum-converges and sum-diverges with the score mean, p = (d - 1)/2 *)
Theorem cn_expected_holds_sphere f b w d B k eta C N : (2 <= d)%nat -> 0 < eta -> positive k (INR N) ->
  (forall n, 0 <= B * w n) ->
  (forall n, (N <= n)%nat -> 1 <= Rabs (f n) * (B * w n) /\ b n + Rabs (f n) * (B * w n) - (INR d - 1) / 2 * ln (Rabs (f n) * (B * w n))
    <= C - logs k (INR n) - (1 + eta) * iter (S k) (INR n)) ->
  cn_expected (plain f b w) (sphere_moments d B (plain f b w)).
Proof.
  intros hd he hp hw h. destruct (sphere_laplace d hd) as [k1 [k2 [h1 [h2 g]]]].
  apply (cn_expected_holds_mean f b w B _ ((INR d - 1) / 2) k2 k eta C N he h2 hp); [|intros n u hx; apply (g B (plain f b w) n u hx)|exact h].
  intros n u. assert (q := sphere_moments_within d B (plain f b w) hw n u). lra.
Qed.

Theorem cn_expected_fails_sphere f b w d B k C N : (2 <= d)%nat -> positive k (INR N) ->
  (forall n, (N <= n)%nat -> 1 <= Rabs (f n) * (B * w n) /\ - C - logs (S k) (INR n)
    <= b n + Rabs (f n) * (B * w n) - (INR d - 1) / 2 * ln (Rabs (f n) * (B * w n))) ->
  ~ cn_expected (plain f b w) (sphere_moments d B (plain f b w)).
Proof.
  intros hd hp h. destruct (sphere_laplace d hd) as [k1 [k2 [h1 [h2 g]]]].
  apply (cn_expected_fails_mean f b w B _ ((INR d - 1) / 2) k1 k C N h1 hp); [intros n u hx; apply (g B (plain f b w) n u hx)|exact h].
Qed.
