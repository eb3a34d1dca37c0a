(* The steps of the proofs that check-properties --coq writes: signs of constants, orders of growths, what vanishes. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Orders Asymptotics.
Import ListNotations.
Open Scope R_scope.

Lemma iff_holds (P R : Prop) : R -> P -> (P <-> R).
Proof. tauto. Qed.

Lemma iff_fails (P R : Prop) : ~ R -> ~ P -> (P <-> R).
Proof. tauto. Qed.

(* a parameter that is 0 in this case *)
Ltac put_zeros := repeat match goal with H : ?x = 0 |- _ => is_var x; subst x end.

Lemma ln_positive x : 1 < x -> 0 < ln x.
Proof. intros h. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma power_nonneg x p : 0 <= x -> 0 <= power x p.
Proof.
  intros h. unfold power. destruct (Req_EM_T x 0); [destruct (Req_EM_T p 0); lra|left; apply exp_pos].
Qed.

Lemma floor_nonneg x : 0 <= x -> 0 <= floor x.
Proof.
  intros h. unfold floor. destruct (base_Int_part x) as [_ g]. apply IZR_le. assert (k : IZR (-1) < IZR (Int_part x)) by (simpl; lra).
  apply lt_IZR in k. lia.
Qed.

Lemma Rpower_at_1 p : Rpower 1 p = 1.
Proof. unfold Rpower. rewrite ln_1, Rmult_0_r. apply exp_0. Qed.

Lemma even_power_nonneg x k : Nat.even k = true -> 0 <= x ^ k.
Proof. intros h. apply Nat.even_spec in h. destruct h as [m ->]. rewrite pow_mult. apply pow_le. simpl. nra. Qed.

Lemma power_positive x p : 0 < x -> 0 < power x p.
Proof. intros h. unfold power. destruct (Req_EM_T x 0); [lra|apply exp_pos]. Qed.

Lemma at_least_1 x : 0 <= x -> 1 <= 1 + x.
Proof. lra. Qed.

(* 0 < c and 0 <= c by the parts of c *)
Ltac positive := first [lra | match goal with
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; positive
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; positive
  | |- 0 < _ + _ => first [apply Rplus_lt_le_0_compat; [positive | nonnegative] | apply Rplus_le_lt_0_compat; [nonnegative | positive]]
  | |- 0 < / _ => apply Rinv_0_lt_compat; positive
  | |- 0 < _ ^ _ => first [apply pow_lt; positive | (simpl; nra)]
  | |- 0 < Rabs _ => apply Rabs_pos_lt, Rgt_not_eq; positive
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < Rpower _ _ => apply exp_pos
  | |- 0 < power _ _ => apply power_positive; positive
  | |- 0 < sqrt _ => apply sqrt_lt_R0; positive
  | |- 0 < PI => apply PI_RGT_0
  | |- 0 < ln _ => apply ln_positive; lra
  | |- 0 < Rmax _ _ => first [apply Rlt_le_trans with (2 := Rmax_l _ _); positive | apply Rlt_le_trans with (2 := Rmax_r _ _); positive]
  | |- 0 < - _ => rewrite <- ?Ropp_mult_distr_l, Ropp_involutive; positive
  end]
with nonnegative := first [lra | match goal with
  | |- 0 <= _ * _ => apply Rmult_le_pos; nonnegative
  | |- 0 <= _ / _ => unfold Rdiv; apply Rmult_le_pos; nonnegative
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; nonnegative
  | |- 0 <= INR _ => apply pos_INR
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 <= ln _ => apply ln_nonneg; first [lra | (apply at_least_1; nonnegative)]
  | |- 0 <= _ ^ _ => first [apply even_power_nonneg; reflexivity | apply pow_le; nonnegative]
  | |- 0 <= floor _ => apply floor_nonneg; nonnegative
  | |- 0 <= power _ _ => apply power_nonneg; nonnegative
  | |- 0 <= sum_f_R0 _ _ => apply cond_pos_sum; intros; nonnegative
  | |- 0 <= (if ?D then _ else _) => destruct D; nonnegative
  | |- 0 <= _ => left; positive
  end].

(* what is known of logarithms, maxima and floors that stand in the goal *)
Ltac note_1 := match goal with
  | |- context [sqrt ?x] => match goal with H : 0 < sqrt x |- _ => fail 1 | _ => assert (0 < sqrt x) by (apply sqrt_lt_R0; lra) end
  | |- context [Rpower ?x ?y] => match goal with H : 0 < Rpower x y |- _ => fail 1 | _ => assert (0 < Rpower x y) by apply exp_pos end
  | |- context [Rmax ?a ?b] => match goal with H : a <= Rmax a b |- _ => fail 1 | _ => assert (a <= Rmax a b) by apply Rmax_l; assert (b <= Rmax a b) by apply Rmax_r end
  | |- context [/ ?x] => match goal with H : 0 < / x |- _ => fail 1 | _ => assert (0 < / x) by (apply Rinv_0_lt_compat; lra) end
  | |- context [floor ?x] => match goal with H : 0 <= floor x |- _ => fail 1 | _ => assert (0 <= floor x) by (apply floor_nonneg; first [lra | (timeout 60 nra) | (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra])]) end
  | |- context [ln ?x] => match goal with H : 0 < ln x |- _ => fail 1 | H : 0 <= ln x |- _ => fail 1
      | _ => first [assert (0 < ln x) by (apply ln_positive; first [lra | (timeout 60 nra)]) | assert (0 <= ln x) by (apply ln_nonneg; first [lra | (timeout 60 nra)])] end
  end.
Ltac note := repeat note_1.
Ltac plain_absolutes := repeat match goal with |- context [Rabs ?x] => rewrite (Rabs_pos_eq x) by (first [lra | solve [nonnegative] | (timeout 60 nra) | (apply pow_le; lra)]) end.

Lemma power_0_at p : p <> 0 -> power 0 p = 0.
Proof. intros h. unfold power. destruct (Req_EM_T 0 0); [|contradiction]. destruct (Req_EM_T p 0); [contradiction|reflexivity]. Qed.

Lemma power_1_at p : power 1 p = 1.
Proof. unfold power. destruct (Req_EM_T 1 0); [lra|apply Rpower_at_1]. Qed.

Lemma power_is k x p : 0 < x -> p = INR k -> power x p = x ^ k.
Proof. intros h e. rewrite e. unfold power. destruct (Req_EM_T x 0); [lra|]. apply Rpower_pow. exact h. Qed.

Lemma cos_whole_turns n : cos (2 * PI * INR n) = 1.
Proof. rewrite <- cos_0, <- (cos_period 0 n). f_equal. ring. Qed.

Lemma sqrt_of_square x : sqrt (x ^ 2) = Rabs x.
Proof. replace (x ^ 2) with (Rsqr x) by (unfold Rsqr; ring). apply sqrt_Rsqr_abs. Qed.

Lemma ln_negative x : 0 < x < 1 -> ln x < 0.
Proof. intros [h g]. rewrite <- ln_1. apply ln_increasing; assumption. Qed.

Lemma log_2 : 0 < ln 2 < 1.
Proof. assert (h := ln_lt_2). assert (g := ln_below 2 ltac:(lra)). split; [lra|]. apply exp_lt_inv. rewrite exp_ln by lra. assert (k := exp_ineq1 1 ltac:(lra)). lra. Qed.

Lemma log_of_power_of_2 k r x : x = 2 ^ k -> r = INR k -> ln x = r * ln 2.
Proof. intros h e. rewrite h, e, <- Rpower_pow by lra. unfold Rpower. apply ln_exp. Qed.

Lemma log_of_inverse_power_of_2 k r x : x * 2 ^ k = 1 -> r = INR k -> ln x = - (r * ln 2).
Proof.
  intros h e. assert (p : 0 < 2 ^ k) by (apply pow_lt; lra). rewrite <- (log_of_power_of_2 k r (2 ^ k) eq_refl e), <- ln_Rinv by exact p.
  f_equal. apply Rmult_eq_reg_r with (2 ^ k); [rewrite Rinv_l; lra|lra].
Qed.

Lemma even_power k x : Nat.even k = true -> x <> 0 -> 0 < x ^ k.
Proof.
  intros h g. apply Nat.even_spec in h. destruct h as [j e]. rewrite e, pow_mult. apply pow_lt. assert (q := Rsqr_pos_lt x g). unfold Rsqr in q. simpl. lra.
Qed.

Lemma odd_power k x : Nat.odd k = true -> x < 0 -> x ^ k < 0.
Proof.
  intros h g. apply Nat.odd_spec in h. destruct h as [j e]. rewrite e, Nat.add_1_r. assert (p := even_power (2 * j) x (Nat.even_mul 2 j) ltac:(lra)).
  rewrite <- tech_pow_Rmult. nra.
Qed.

Lemma power_inverse x : 0 < x -> power x (- (1)) = / x.
Proof. intros h. unfold power. destruct (Req_EM_T x 0); [lra|]. rewrite Rpower_Ropp, Rpower_1 by exact h. reflexivity. Qed.

Lemma power_inverse_root x : 0 < x -> power x (- (1 / 2)) = / sqrt x.
Proof. intros h. unfold power. destruct (Req_EM_T x 0); [lra|]. replace (1 / 2) with (/ 2) by lra. rewrite Rpower_Ropp, Rpower_sqrt by exact h. reflexivity. Qed.

Lemma log_log_2 : - 1 < ln (ln 2) < 0.
Proof.
  assert (h := log_2). assert (g := ln_lt_2). split; [|apply ln_negative; exact h]. apply Rlt_trans with (ln (/ 2)); [rewrite ln_Rinv by lra; lra|apply ln_increasing; lra].
Qed.

Lemma exp_of_log x a : 0 < x -> - ln x - a = 0 -> exp a * x = 1.
Proof. intros h e. replace a with (- ln x) by lra. rewrite exp_Ropp, exp_ln by exact h. field. lra. Qed.

Lemma power_of_logs k x y : 0 < x -> 0 < y -> ln (x ^ k * y) = INR k * ln x + ln y.
Proof. intros h g. rewrite ln_mult, <- Rpower_pow by (try apply pow_lt; assumption). unfold Rpower. rewrite ln_exp. reflexivity. Qed.

Lemma logs_equal k r x y : 0 < x -> 0 < y -> r = - INR k -> r * ln x - ln y = 0 -> x ^ k * y = 1.
Proof.
  intros h g e q. assert (p := power_of_logs k x y h g). apply ln_inv; [apply Rmult_lt_0_compat; [apply pow_lt|]; assumption|lra|]. rewrite ln_1, p. rewrite e in q. lra.
Qed.

Lemma logs_above k r x y : 0 < x -> 0 < y -> r = - INR k -> r * ln x - ln y < 0 -> 1 < x ^ k * y.
Proof.
  intros h g e q. assert (p := power_of_logs k x y h g). apply ln_lt_inv; [lra|apply Rmult_lt_0_compat; [apply pow_lt|]; assumption|]. rewrite ln_1, p. rewrite e in q. lra.
Qed.

Lemma logs_below k r x y : 0 < x -> 0 < y -> r = - INR k -> r * ln x - ln y > 0 -> x ^ k * y < 1.
Proof.
  intros h g e q. assert (p := power_of_logs k x y h g). apply ln_lt_inv; [apply Rmult_lt_0_compat; [apply pow_lt|]; assumption|lra|]. rewrite ln_1, p. rewrite e in q. lra.
Qed.

Lemma inverse_root x : 0 < x -> / sqrt x * / sqrt x * x = 1.
Proof. intros h. assert (p := sqrt_lt_R0 x h). rewrite <- (sqrt_sqrt x) at 3 by lra. field. lra. Qed.

Lemma table_is values k x : x = INR k -> table values x = nth k values 0.
Proof. intros e. rewrite e, INR_IZR_INZ, table_at, Nat2Z.id. reflexivity. Qed.

Lemma above_without a b : 0 < a -> 0 < a + b + - b.
Proof. lra. Qed.

(* floors of what lies between two whole numbers, signs, cosines, powers and choices, where they are plain *)
Ltac floor_at x k := rewrite (floor_is k x) by (simpl IZR; lra).
Ltac known_floor x := first [floor_at x 0%Z | floor_at x 1%Z | floor_at x 2%Z | floor_at x 3%Z | floor_at x 4%Z | floor_at x 5%Z | floor_at x 6%Z | floor_at x 7%Z
  | floor_at x (-1)%Z | floor_at x (-2)%Z | floor_at x (-3)%Z | floor_at x (-4)%Z].
Ltac known_power x p := first [rewrite (power_0_at p) by lra | rewrite (power_1_at p)
  | rewrite (power_is 0 x p) by (simpl; lra) | rewrite (power_is 1 x p) by (simpl; lra) | rewrite (power_is 2 x p) by (simpl; lra)
  | (replace p with (- (1)) by lra; rewrite (power_inverse x) by lra)
  | (replace p with (- (1 / 2)) by lra; rewrite (power_inverse_root x) by lra)].
Ltac row_at l x k := rewrite (table_is l k x) by (simpl; lra); cbn [List.nth].
Ltac known_row l x := first [row_at l x 0%nat | row_at l x 1%nat | row_at l x 2%nat | row_at l x 3%nat | row_at l x 4%nat | row_at l x 5%nat | row_at l x 6%nat | row_at l x 7%nat].
Ltac plain_value := match goal with
  | |- context [if ?D then _ else _] => destruct D; [|exfalso; lra] || (destruct D; [exfalso; lra|])
  | |- context [Rmax ?a ?b] => first [rewrite (Rmax_left a b) by lra | rewrite (Rmax_right a b) by lra]
  | |- context [Rmin ?a ?b] => first [rewrite (Rmin_left a b) by lra | rewrite (Rmin_right a b) by lra]
  | |- context [floor ?x] => known_floor x
  | |- context [?t _] => match type of t with R -> R => is_var t; unfold t end
  | |- context [table ?l ?x] => known_row l x
  end.
Ltac at_value := match goal with
  | H : ?x - ?a = 0 |- _ => is_var x; assert (x = a) by lra; subst x
  | H : - ?x + ?a = 0 |- _ => is_var x; assert (x = a) by lra; subst x
  | H : ln ?x - ?a = 0 |- _ => is_var x; assert (x = exp a) by (rewrite <- (exp_ln x) by lra; f_equal; lra); subst x
  | H : ?x * ?y - 1 = 0 |- context [?a * ?x * - ?y] => replace (a * x * - y) with (- a) by (transitivity (- (a * (x * y))); [replace (x * y) with 1 by lra; ring | ring])
  | |- context [if ?D then ?a else ?a] => destruct D
  | |- context [power ?x ?p] => known_power x p
  | |- context [cos (2 * PI * INR ?n)] => rewrite (cos_whole_turns n)
  | |- context [cos ?x] => first [(replace x with 0 by lra; rewrite cos_0) | (replace x with PI by lra; rewrite cos_PI) | (replace x with (2 * PI) by lra; rewrite cos_2PI)
      | (replace x with (PI / 2) by lra; rewrite cos_PI2) | (replace x with (3 * (PI / 2)) by lra; rewrite cos_3PI2)]
  | |- context [sin ?x] => first [(replace x with 0 by lra; rewrite sin_0) | (replace x with PI by lra; rewrite sin_PI) | (replace x with (2 * PI) by lra; rewrite sin_2PI)
      | (replace x with (PI / 2) by lra; rewrite sin_PI2) | (replace x with (3 * (PI / 2)) by lra; rewrite sin_3PI2)]
  | |- context [ln ?x] => replace x with 1 by lra; rewrite ln_1
  | |- context [ln (exp ?x)] => rewrite (ln_exp x)
  | |- context [ln (1 * / ?x)] => rewrite (Rmult_1_l (/ x)), (ln_Rinv x) by lra
  | |- context [ln ?x] => lazymatch x with 2 => fail | _ => replace x with 2 by lra end
  | |- context [ln ?x] => first [rewrite (log_of_power_of_2 2 2 x) by (simpl; lra) | rewrite (log_of_power_of_2 3 3 x) by (simpl; lra)
      | rewrite (log_of_power_of_2 4 4 x) by (simpl; lra) | rewrite (log_of_power_of_2 5 5 x) by (simpl; lra)
      | rewrite (log_of_power_of_2 6 6 x) by (simpl; lra) | rewrite (log_of_power_of_2 7 7 x) by (simpl; lra)
      | rewrite (log_of_inverse_power_of_2 1 1 x) by (simpl; lra) | rewrite (log_of_inverse_power_of_2 2 2 x) by (simpl; lra)]
  | |- context [exp ?x] => replace x with 0 by lra; rewrite exp_0
  | |- context [?x ^ ?k] => first [(replace x with 0 by lra; rewrite (pow_i k) by lia) | (replace x with 1 by lra; rewrite (pow1 k))]
  | |- context [sqrt (?x ^ 2)] => rewrite (sqrt_of_square x)
  | |- context [sqrt ?x] => first [(replace x with 0 by lra; rewrite sqrt_0) | (replace x with 1 by lra; rewrite sqrt_1)]
  | |- context [Rabs ?x] => first [rewrite (Rabs_pos_eq x) by lra | rewrite (Rabs_left1 x) by lra]
  | |- context [Rabs (exp ?x)] => rewrite (Rabs_pos_eq (exp x)) by (left; apply exp_pos)
  | |- context [Rabs (?x ^ ?k)] => rewrite (Rabs_pos_eq (x ^ k)) by (apply pow_le; lra)
  | |- context [exp ?x] => match goal with H : 0 < exp x |- _ => fail 1 | _ => assert (0 < exp x) by apply exp_pos end
  | |- context [?x ^ ?k] => match goal with H : 0 < x ^ k |- _ => fail 1 | H : x ^ k < 0 |- _ => fail 1
      | _ => first [assert (0 < x ^ k) by (apply pow_lt; lra) | assert (0 < x ^ k) by (apply even_power; [reflexivity | lra]) | assert (x ^ k < 0) by (apply odd_power; [reflexivity | lra])] end
  | H : - ln ?x - ?a = 0 |- _ => match goal with G : exp a * x = 1 |- _ => fail 1 | _ => assert (exp a * x = 1) by (apply exp_of_log; lra) end
  | H : - ?a - ln ?x = 0 |- _ => match goal with G : exp a * x = 1 |- _ => fail 1 | _ => assert (exp a * x = 1) by (apply exp_of_log; lra) end
  | |- context [Rabs (ln ?x)] => rewrite (Rabs_left (ln x)) by (apply ln_negative; lra)
  | |- context [ln (ln 2)] => match goal with H : ln (ln 2) < 0 |- _ => fail 1 | _ => destruct log_log_2 end
  | |- context [Rabs ?x] => first [rewrite (Rabs_pos_eq x) by (timeout 2 nra) | rewrite (Rabs_left1 x) by (timeout 2 nra)]
  end.
(* what conditions on logarithms say of powers *)
Ltac known_logs := repeat match goal with
  | H : ?r * ln ?x - ln ?y = 0 |- context [_ ^ ?k] => match goal with G : x ^ k * y = 1 |- _ => fail 1
      | _ => assert (x ^ k * y = 1) by (apply (logs_equal k r); [lra | lra | simpl; lra | exact H]) end
  | H : ?r * ln ?x - ln ?y < 0 |- context [_ ^ ?k] => match goal with G : 1 < x ^ k * y |- _ => fail 1
      | _ => assert (1 < x ^ k * y) by (apply (logs_above k r); [lra | lra | simpl; lra | exact H]) end
  | H : ?r * ln ?x - ln ?y > 0 |- context [_ ^ ?k] => match goal with G : x ^ k * y < 1 |- _ => fail 1
      | _ => assert (x ^ k * y < 1) by (apply (logs_below k r); [lra | lra | simpl; lra | exact H]) end
  end.
Ltac at_values := let h := fresh "log_2_here" in assert (h := log_2); known_logs; repeat first [plain_value | at_value].
Ltac sign_step := first [lra | rewrite Ropp_involutive
  | apply Rmult_lt_0_compat | apply Rinv_0_lt_compat | apply exp_pos | apply sqrt_lt_R0 | apply Rdiv_lt_0_compat | apply pow_lt | apply PI_RGT_0
  | (unfold Rpower; apply exp_pos) | apply ln_positive | apply Rplus_lt_0_compat | apply Rlt_le_trans with (2 := Rmax_l _ _)].
(* 0 < c *)
Ltac note_quotients := repeat match goal with |- context [?a / ?b] =>
  match goal with H : 0 <= a / b |- _ => fail 1 | _ => assert (0 <= a / b) by nonnegative end end.
(* where x y is 1 in this case, so is what stands in the goal, and x is 1/y; log(1/x) is - log x *)
Ltac put_products := repeat match goal with
  | H : - ?x * ?y + 1 = 0 |- context [?x * ?y] => replace (x * y) with 1 by lra
  | H : - ?x * ?y + 1 = 0 |- context [/ ?y] => replace (/ y) with x by (apply Rmult_eq_reg_r with y; [rewrite Rinv_l; lra | lra])
  | |- context [ln (1 * / ?x)] => rewrite (Rmult_1_l (/ x)), (ln_Rinv x) by lra
  end.
Ltac note_inverses := unfold Rdiv; note; repeat match goal with |- context [/ ?x] =>
  match goal with H : / x * x = 1 |- _ => fail 1 | _ => assert (/ x * x = 1) by (apply Rinv_l, Rgt_not_eq; unfold Rgt; lra) end end.
Ltac above_0 := simpl INR; unfold scale; rewrite ?Rpower_at_1, ?ln_1; first [solve [positive] | solve [apply above_without; positive] | solve [at_values; first [lra | positive | (timeout 5 nra)]] | above_0_by_parts]
with above_0_by_parts := put_products; note; plain_absolutes;
  first [lra | solve [note_quotients; lra] | solve [note_inverses; timeout 20 nra] | (timeout 60 nra) | solve [repeat sign_step; (timeout 60 nra)] | (put_zeros; first [lra | (timeout 60 nra)])].
Ltac below_0 := rewrite ?Rpower_at_1, ?ln_1; first [lra | solve [at_values; lra] | (timeout 60 nra)].
Ltac nonzero := first [ apply Rgt_not_eq; unfold Rgt; above_0 | apply Rlt_not_eq; below_0].
Ltac falls_here := first [solve [left; first [lra | (timeout 60 nra)]] | right; split; [first [lra | (timeout 60 nra)] | falls_here]].
Ltac falls_by := cbn [minus plus scale map place INR]; simpl; falls_here.
Ltac same_by := cbn [minus plus scale map place zeros INR]; simpl; repeat (split; [first [lra | (timeout 60 nra)]|]); exact I.
(* forall n, e = 0 *)
Ltac none_of a := replace a with 0 by (first [lra | (note_inverses; timeout 20 nra)]).
Ltac vanishes := lazymatch goal with
  | |- ?a * _ + ?b * _ = 0 => none_of a; none_of b; ring
  | |- ?a * _ = 0 => none_of a; ring end.
Ltac zero := let n := fresh "n" in intros n; put_zeros; rewrite ?Rabs_R1; repeat match goal with |- context [0 ^ ?k] => rewrite (pow_i k) by lia end; rewrite ?sqrt_0; first [ring | lra | vanishes | solve [put_products; first [lra | vanishes]] | solve [at_values; first [ring | lra | vanishes | (exfalso; timeout 5 nra)]] | (timeout 60 nra)].
Ltac in_region := first [lra | (timeout 60 nra) | (left; in_region) | (right; in_region) | (split; in_region)].
Ltac outside := let h := fresh "h" in intros h; repeat match goal with H : _ /\ _ |- _ => destruct H | H : _ \/ _ |- _ => destruct H end; first [lra | (timeout 60 nra)].
Ltac impossible := first [lra | (timeout 60 nra)].
(* 0 <= - A - U for U = - A *)
Ltac at_itself := exists O; intros; apply Req_le; ring.
(* e = what it is with its logs split *)
Ltac collect_logs := let n := fresh "n" in let h := fresh "h" in intros n h;
  cbv [log_product iter] in h; repeat match goal with H : _ /\ _ |- _ => destruct H end;
  repeat match goal with H : Rabs _ = _ |- _ => rewrite H; clear H end;
  repeat match goal with H : Rmax ?x ?y = _ |- context [Rmax ?x ?y] => rewrite H | H : Rmin ?x ?y = _ |- context [Rmin ?x ?y] => rewrite H end;
  repeat match goal with H : ln _ = _ |- _ => rewrite H; clear H end; try rewrite Rabs_R1; first [ring | (unfold Rdiv; ring) | lra].
