(* The formulas of a score have values: what check-properties --coq proves of denominators, roots, logarithms and rows of tables. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Orders Asymptotics Steps Entropy.
Open Scope R_scope.

Lemma quotient_below a b c : 0 < b -> a < c * b -> a / b < c.
Proof. intros h g. apply Rmult_lt_reg_r with b; [exact h|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. Qed.

Lemma quotient_above a b c : 0 < b -> c * b < a -> c < a / b.
Proof. intros h g. apply Rmult_lt_reg_r with b; [exact h|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. Qed.

Lemma floor_at_most x : floor x <= x.
Proof. unfold floor. destruct (base_Int_part x). assumption. Qed.

Lemma floor_below x c : x < c -> floor x < c.
Proof. intros h. assert (g := floor_at_most x). lra. Qed.

Lemma floor_at_least_1 x : 1 <= x -> 0 < floor x.
Proof. intros h. unfold floor. destruct (base_Int_part x) as [_ g]. apply (IZR_lt 0). assert (k : IZR 0 < IZR (Int_part x)) by lra. apply lt_IZR in k. exact k. Qed.

Lemma row_below a x b : floor x < b - a -> 0 < - (a + floor x) + b.
Proof. lra. Qed.

(* from j to j' over the pairs whose turns lie between two bounds, where j is one of them *)
Lemma ramp x y j : 0 < j -> j < 63 -> x < j -> j < y -> 0 < Rmin 63 y - Rmax 0 x.
Proof. intros a b c d. assert (Rmax 0 x < j) by (apply Rmax_lub_lt; lra). assert (j < Rmin 63 y) by (apply Rmin_glb_lt; lra). lra. Qed.

Lemma power_at_least_1 x p : 1 <= x -> 0 <= p -> 1 <= power x p.
Proof.
  intros h g. unfold power. destruct (Req_EM_T x 0); [lra|]. apply Rle_trans with (Rpower x 0); [rewrite Rpower_O by lra; lra|apply Rle_Rpower; lra].
Qed.

Lemma floor_above z j : z < - j -> j < - floor z.
Proof. intros h. assert (g := floor_below z (- j) h). lra. Qed.

Lemma log_of_power x p : 0 < x -> ln (power x p) = p * ln x.
Proof. intros h. unfold power. destruct (Req_EM_T x 0); [lra|]. unfold Rpower. apply ln_exp. Qed.

Lemma log_of_turns t x p : 0 < t -> 0 < x -> ln (t * power x p) = ln t + p * ln x.
Proof. intros h g. rewrite ln_mult by (try apply power_positive; assumption). rewrite log_of_power by exact g. reflexivity. Qed.

Lemma log_of_quotient x y : 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof. intros h g. unfold Rdiv. rewrite ln_mult by (try apply Rinv_0_lt_compat; assumption). rewrite ln_Rinv by exact g. ring. Qed.

(* distances, lengths and blocks: 0 <= INR n, and INR n <= INR L, INR j <= 31 *)
Ltac places := repeat match goal with
  | k : nat |- _ => match goal with H : 0 <= INR k |- _ => fail 1 | _ => assert (0 <= INR k) by apply pos_INR end
  | H : (?a <= ?b)%nat |- _ => match goal with G : INR a <= _ |- _ => fail 1 | _ => let g := fresh "most" in assert (g := le_INR a b H); simpl INR in g end
  | H : (?a < ?b)%nat |- _ => match goal with G : INR a + 1 <= _ |- _ => fail 1
      | _ => let g := fresh "most" in assert (g := le_INR (S a) b H); rewrite (S_INR a) in g; simpl INR in g end
  | H : INR ?k <> 0 |- _ => match goal with G : 1 <= INR k |- _ => fail 1
      | _ => assert (1 <= INR k) by (destruct k; [exfalso; apply H; reflexivity | rewrite S_INR; assert (0 <= INR k) by apply pos_INR; lra]) end
  end.
Ltac logs_of_turns := repeat match goal with
  | H : _ * power _ _ < _ |- _ => apply ln_increasing in H; [|above]
  | H : _ * power _ _ > _ |- _ => apply Rgt_lt in H; apply ln_increasing in H; [|above]
  end; repeat match goal with
  | H : context [ln (?t * power ?x ?p)] |- _ => rewrite (log_of_turns t x p) in H by above
  | |- context [ln (?x / ?y)] => rewrite (log_of_quotient x y) by above
  end
with above := first [lra | solve [positive] | solve [apply ln_positive; above_1] | solve [left_of_sum] | solve [of_floor] | solve [by_bounds] | solve [above_0]]
with above_1 := lra
with left_of_sum := match goal with
  | |- 0 < _ + _ => first [apply Rplus_le_lt_0_compat; [at_least_0 | above] | apply Rplus_lt_le_0_compat; [above | at_least_0]]
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; above
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; above end
with of_floor := match goal with
  | |- 0 < floor (Rmax 1 _) => apply floor_at_least_1, Rmax_l
  | |- 0 < floor (2 * PI * power ?x ?p + _) => apply floor_at_least_1; assert (1 <= power x p) by (apply power_at_least_1; [lra | at_least_0]); assert (1 < PI / 2) by apply PI2_1; nra
  | |- 0 < - Rmin ?x ?y + _ => assert (Rmin x y <= y) by apply Rmin_r; assert (Rmin x y <= x) by apply Rmin_l; lra
  | |- 0 < - (?a + floor ?x) + ?b => apply (row_below a x b), floor_below; below end
with by_bounds := repeat match goal with
  | |- context [sin ?x] => match goal with K : -1 <= sin x |- _ => fail 1 | _ => assert (-1 <= sin x) by apply SIN_bound; assert (sin x <= 1) by apply SIN_bound end
  | |- context [cos ?x] => match goal with K : -1 <= cos x |- _ => fail 1 | _ => assert (-1 <= cos x) by apply COS_bound; assert (cos x <= 1) by apply COS_bound end
  | |- context [exp ?x] => match goal with K : 1 + x <= exp x |- _ => fail 1 | _ => assert (1 + x <= exp x) by apply exp_above end
  end; first [lra | (timeout 20 nra)]
with below := match goal with
  | |- ?c * ln ?x / ln ?y < _ => apply quotient_below; [above | assert (ln x < ln y) by (apply ln_increasing; lra); assert (0 < ln y) by above; lra] end
with at_least_0 := first [lra | solve [nonnegative] | match goal with
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; at_least_0
  | |- 0 <= _ * _ => apply Rmult_le_pos; at_least_0
  | |- 0 <= _ / _ => unfold Rdiv; apply Rmult_le_pos; at_least_0
  | |- 0 <= floor _ => apply floor_nonneg; at_least_0
  | |- 0 <= H _ _ => apply H_nonneg
  | |- 0 <= Rmin _ _ => apply Rmin_glb; at_least_0
  | |- 0 <= _ - _ => repeat match goal with |- context [floor ?x] => match goal with K : floor x <= x |- _ => fail 1 | _ => assert (floor x <= x) by apply floor_at_most end end; lra
  | |- 0 <= ln _ => apply ln_nonneg; at_least_1
  | |- 0 <= Rmax _ _ => first [apply Rle_trans with (2 := Rmax_l _ _); at_least_0 | apply Rle_trans with (2 := Rmax_r _ _); at_least_0]
  | |- 0 <= _ => first [solve [by_bounds] | (left; above)] end]
with at_least_1 := first [lra | match goal with |- 1 <= ?x + 1 => assert (0 <= x) by at_least_0; lra | |- 1 <= 1 + ?x => assert (0 <= x) by at_least_0; lra end].
Ltac on_ramp := apply Rgt_not_eq; unfold Rgt; try (apply Rplus_lt_le_0_compat; [|lra]); match goal with j : nat |- 0 < Rmin 63 _ - Rmax 0 _ =>
  logs_of_turns; assert (0 < ln 2) by above; repeat match goal with H : ?b > 1 |- _ => match goal with K : 0 < ln b |- _ => fail 1 | _ => assert (0 < ln b) by (apply ln_positive; lra) end end;
  apply ramp with (INR j); [lra | lra | try apply floor_below; apply quotient_below; [lra | lra] | first [apply floor_above; apply quotient_below; [lra | lra] | apply quotient_above; [lra | lra]]] end.
Ltac each_row := match goal with j : nat |- context [?t (INR ?j)] => unfold t;
  repeat (destruct j as [|j]; [match goal with |- context [table ?l (INR ?k)] => rewrite (table_is l k (INR k) eq_refl) end; cbn [List.nth]; lra|]); exfalso; lia end.
Ltac not_0 := first [lra | match goal with |- (if ?D then _ else _) <> 0 => destruct D; not_0 end | solve [apply Rgt_not_eq; unfold Rgt; above] | solve [apply Rlt_not_eq; lra] | solve [on_ramp] | solve [each_row] | solve [nonzero]].
Ltac has_value := match goal with
  | |- _ <> 0 => not_0
  | |- 0 < _ => above
  | |- 0 <= _ => at_least_0
  | |- 0 < INR ?n \/ _ => destruct n; [right; split; [reflexivity | above] | left; rewrite S_INR; assert (0 <= INR n) by apply pos_INR; lra]
  | |- _ \/ _ => left; above
  end.
Ltac has_values := intros; repeat match goal with |- _ /\ _ => split end; intros; places; has_value.
