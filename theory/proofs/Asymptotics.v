(* Leading terms of sequences: u(n) / g(n) -> c for a product g of powers of n, log n, log log n, ... The rules of certificates ask
   for inequalities near infinity; these lemmas give the leading term of an expression from those of its parts. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Orders.
Import ListNotations.
Open Scope R_scope.

(* for all n beyond some N *)
Definition eventually (P : nat -> Prop) : Prop := exists N, forall n, (N <= n)%nat -> P n.

Lemma eventually_and P Q : eventually P -> eventually Q -> eventually (fun n => P n /\ Q n).
Proof. intros [N h] [M g]. exists (Nat.max N M). intros n hn. split; [apply h|apply g]; lia. Qed.

Lemma eventually_imp (P Q : nat -> Prop) : (forall n, P n -> Q n) -> eventually P -> eventually Q.
Proof. intros h [N g]. exists N. intros n hn. apply h, g, hn. Qed.

Lemma eventually_near P : near P -> eventually (fun n => P (INR n)).
Proof. intros h. destruct (near_nat P h) as [N [_ g]]. exists N. exact g. Qed.

(* u ~ c g for the growth g with the exponents e; for c = 0, u is smaller than g *)
Definition asy (u : nat -> R) (e : list R) (c : R) : Prop := is_lim_seq (fun n => u n / growth e (INR n)) c.

Lemma growth_positive e x : 0 < growth e x.
Proof. apply exp_pos. Qed.

Lemma growth_nil x : growth [] x = 1.
Proof. apply exp_0. Qed.

Lemma growth_minus e e' x : growth (minus e e') x = growth e x / growth e' x.
Proof. unfold growth. rewrite log_product_minus. unfold Rminus, Rdiv. rewrite exp_plus, exp_Ropp. reflexivity. Qed.

Lemma asy_eventually u v e c : eventually (fun n => u n = v n) -> asy u e c -> asy v e c.
Proof.
  intros [N h] g. apply is_lim_seq_ext_loc with (2 := g). exists N. intros n hn. rewrite (h n hn). reflexivity.
Qed.

Lemma growth_vanishes e : falls e -> is_lim_seq (fun n => growth e (INR n)) 0.
Proof.
  intros h. apply is_lim_seq_spec. intros eps. destruct (near_nat _ (growth_small e (eps / 2) ltac:(destruct eps; simpl; lra) h)) as [N [_ g]].
  exists N. intros n hn. assert (k := g n hn). assert (p := growth_positive e (INR n)). rewrite Rminus_0_r, Rabs_pos_eq; destruct eps; simpl in *; lra.
Qed.

Lemma asy_smaller u e c e' : asy u e c -> falls (minus e e') -> asy u e' 0.
Proof.
  intros h g. unfold asy. apply is_lim_seq_ext with (fun n => u n / growth e (INR n) * growth (minus e e') (INR n)).
  - intros n. rewrite growth_minus. assert (p := growth_positive e (INR n)). assert (q := growth_positive e' (INR n)). field; lra.
  - replace (Finite 0) with (Finite (c * 0)) by (f_equal; ring). apply is_lim_seq_mult'; [exact h|apply growth_vanishes; exact g].
Qed.

(* the same exponents, up to zeros at the end *)
Fixpoint zeros (e : list R) : Prop := match e with nil => True | a :: e => a = 0 /\ zeros e end.

Lemma zeros_product e : zeros e -> forall k x, log_product k e x = 0.
Proof. induction e as [|a e IH]; intros h k x; [reflexivity|]. destruct h as [h1 h2]. simpl. rewrite (IH h2), h1. ring. Qed.

Lemma asy_same u e c e' : asy u e c -> zeros (minus e e') -> asy u e' c.
Proof.
  intros h g. apply is_lim_seq_ext with (2 := h). intros n. f_equal. unfold growth. f_equal.
  assert (k := zeros_product _ g 0 (INR n)). rewrite log_product_minus in k. lra.
Qed.

Lemma asy_coefficient u e c c' : asy u e c -> c = c' -> asy u e c'.
Proof. intros h g. rewrite <- g. exact h. Qed.

Lemma asy_constant c : asy (fun _ => c) [] c.
Proof. unfold asy, growth. simpl. apply is_lim_seq_ext with (fun _ => c); [intros n; rewrite exp_0; field|apply is_lim_seq_const]. Qed.

Lemma asy_index : asy INR [1] 1.
Proof.
  apply (asy_eventually (fun n => growth [1] (INR n))).
  - exists 1%nat. intros n hn. unfold growth. simpl. change (iter 1 (INR n)) with (ln (INR n)). rewrite Rplus_0_r, Rmult_1_l, exp_ln; [reflexivity|apply lt_0_INR; lia].
  - apply is_lim_seq_ext with (fun _ => 1); [|apply is_lim_seq_const]. intros n. assert (p := growth_positive [1] (INR n)). field; lra.
Qed.

Lemma asy_plus u v e c e' d : asy u e c -> asy v e' d -> zeros (minus e' e) -> asy (fun n => u n + v n) e (c + d).
Proof.
  intros h g z. apply (asy_same _ _ _ _ g) in z. apply is_lim_seq_ext with (fun n => u n / growth e (INR n) + v n / growth e (INR n)).
  - intros n. field. assert (p := growth_positive e (INR n)). lra.
  - apply is_lim_seq_plus'; assumption.
Qed.

Lemma asy_plus_left u v e c e' d : asy u e c -> asy v e' d -> falls (minus e' e) -> asy (fun n => u n + v n) e c.
Proof.
  intros h g z. apply (asy_smaller _ _ _ _ g) in z. apply asy_coefficient with (c + 0); [|ring].
  apply (asy_plus _ _ _ _ _ _ h z). clear. induction e as [|a e IH]; simpl; [exact I|split; [ring|exact IH]].
Qed.

Lemma asy_plus_right u v e c e' d : asy u e c -> asy v e' d -> falls (minus e e') -> asy (fun n => u n + v n) e' d.
Proof.
  intros h g z. apply (asy_eventually (fun n => v n + u n)); [exists O; intros; ring|]. exact (asy_plus_left _ _ _ _ _ _ g h z).
Qed.

Lemma asy_opposite u e c : asy u e c -> asy (fun n => - u n) e (- c).
Proof.
  intros h. apply is_lim_seq_ext with (fun n => - (u n / growth e (INR n))).
  - intros n. field. assert (p := growth_positive e (INR n)). lra.
  - apply is_lim_seq_opp in h. exact h.
Qed.

(* what is 0 may stand in a sum *)
Lemma asy_zero_left u v e c : (forall n, u n = 0) -> asy v e c -> asy (fun n => u n + v n) e c.
Proof. intros h. apply asy_eventually. exists O. intros n _. rewrite h. ring. Qed.

Lemma asy_zero_right u v e c : asy u e c -> (forall n, v n = 0) -> asy (fun n => u n + v n) e c.
Proof. intros g h. revert g. apply asy_eventually. exists O. intros n _. rewrite h. ring. Qed.

Fixpoint plus (e e' : list R) : list R :=
  match e, e' with nil, e' => e' | e, nil => e | a :: e, b :: e' => (a + b) :: plus e e' end.

Lemma growth_plus e e' x : growth (plus e e') x = growth e x * growth e' x.
Proof.
  unfold growth. rewrite <- exp_plus. f_equal. generalize 0%nat. revert e'. induction e as [|a e IH]; intros e' k; [simpl; ring|].
  destruct e' as [|b e']; simpl; [ring|]. rewrite IH. ring.
Qed.

Lemma asy_times u v e c e' d : asy u e c -> asy v e' d -> asy (fun n => u n * v n) (plus e e') (c * d).
Proof.
  intros h g. apply is_lim_seq_ext with (fun n => u n / growth e (INR n) * (v n / growth e' (INR n))).
  - intros n. rewrite growth_plus. assert (p := growth_positive e (INR n)). assert (q := growth_positive e' (INR n)). field; lra.
  - apply is_lim_seq_mult'; assumption.
Qed.

Definition scale (s : R) (e : list R) : list R := map (Rmult s) e.

Lemma growth_scale s e x : growth (scale s e) x = exp (s * log_product 0 e x).
Proof.
  unfold growth. f_equal. generalize 0%nat. induction e as [|a e IH]; intros k; simpl; [ring|]. unfold scale in IH. rewrite IH. ring.
Qed.

Lemma asy_inverse u e c : asy u e c -> c <> 0 -> asy (fun n => / u n) (scale (-1) e) (/ c).
Proof.
  intros h hc. apply is_lim_seq_ext with (fun n => / (u n / growth e (INR n))).
  - intros n. rewrite growth_scale. replace (-1 * log_product 0 e (INR n)) with (- log_product 0 e (INR n)) by ring. rewrite exp_Ropp.
    fold (growth e (INR n)). unfold Rdiv. rewrite Rinv_mult, Rinv_inv. reflexivity.
  - apply (is_lim_seq_inv _ _ h). intros q. apply hc. injection q. auto.
Qed.

Lemma asy_absolute u e c : asy u e c -> asy (fun n => Rabs (u n)) e (Rabs c).
Proof.
  intros h. apply is_lim_seq_abs in h. apply is_lim_seq_ext with (2 := h). intros n. unfold Rdiv. rewrite Rabs_mult.
  f_equal. apply Rabs_pos_eq. left. apply Rinv_0_lt_compat, growth_positive.
Qed.

Lemma asy_absolute_above u e c : asy u e c -> 0 < c -> asy (fun n => Rabs (u n)) e c.
Proof. intros h hc. apply asy_coefficient with (Rabs c); [apply asy_absolute; exact h|apply Rabs_pos_eq; lra]. Qed.

Lemma asy_absolute_below u e c : asy u e c -> 0 < - c -> asy (fun n => Rabs (u n)) e (- c).
Proof. intros h hc. apply asy_coefficient with (Rabs c); [apply asy_absolute; exact h|apply Rabs_left; lra]. Qed.

(** * Signs *)

Theorem asy_positive u e c : asy u e c -> 0 < c -> eventually (fun n => 0 < u n).
Proof.
  intros h hc. apply is_lim_seq_spec in h. destruct (h (mkposreal c hc)) as [N g]. exists N. intros n hn. assert (k := g n hn). simpl in k.
  apply Rabs_def2 in k. assert (p := growth_positive e (INR n)). assert (q : 0 < u n / growth e (INR n)) by lra.
  replace (u n) with (u n / growth e (INR n) * growth e (INR n)) by (field; lra). apply Rmult_lt_0_compat; assumption.
Qed.

Theorem asy_nonnegative u e c : asy u e c -> 0 < c -> eventually (fun n => 0 <= u n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < u n)); [intros; lra|exact (asy_positive u e c h hc)]. Qed.

(** * Functions *)

Lemma asy_power u e c (p : R) : asy u e c -> 0 < c -> asy (fun n => Rpower (u n) p) (scale p e) (Rpower c p).
Proof.
  intros h hc. assert (k := asy_positive u e c h hc). destruct k as [N k].
  apply is_lim_seq_ext_loc with (fun n => exp (p * ln (u n / growth e (INR n)))).
  - exists N. intros n hn. assert (q := growth_positive e (INR n)). rewrite growth_scale. unfold Rpower, Rdiv. rewrite ln_mult, ln_Rinv; [|exact q|apply k; exact hn|apply Rinv_0_lt_compat; exact q].
    unfold growth. rewrite ln_exp, <- exp_Ropp, <- exp_plus. f_equal. ring.
  - unfold Rpower. apply is_lim_seq_continuous with (f := fun y => exp (p * ln y)); [|exact h].
    apply continuity_pt_filterlim. apply (ex_derive_continuous (fun y => exp (p * ln y))). auto_derive. exact hc.
Qed.

(* x^p for whole and other p, 0 at x = 0 *)
Lemma asy_powers u e c (p : R) : asy u e c -> 0 < c -> asy (fun n => power (u n) p) (scale p e) (Rpower c p).
Proof.
  intros h hc. apply (asy_eventually (fun n => Rpower (u n) p)); [|apply asy_power; assumption].
  apply (eventually_imp (fun n => 0 < u n)); [|exact (asy_positive u e c h hc)]. intros n q. unfold power. destruct (Req_EM_T (u n) 0); [lra|reflexivity].
Qed.

Lemma asy_root u e c : asy u e c -> 0 < c -> asy (fun n => sqrt (u n)) (scale (/ 2) e) (sqrt c).
Proof.
  intros h hc. apply asy_coefficient with (Rpower c (/ 2)); [|apply Rpower_sqrt; exact hc].
  apply (asy_eventually (fun n => Rpower (u n) (/ 2))); [|apply asy_power; assumption].
  apply (eventually_imp (fun n => 0 < u n)); [intros n q; apply Rpower_sqrt; exact q|exact (asy_positive u e c h hc)].
Qed.

Lemma asy_whole_power u e c k : asy u e c -> asy (fun n => u n ^ k) (scale (INR k) e) (c ^ k).
Proof.
  intros h. induction k as [|k IH].
  - simpl. apply (asy_same _ [] _); [apply asy_constant|]. clear. simpl. induction e as [|a e IH]; simpl; [exact I|split; [ring|exact IH]].
  - apply (asy_same _ (plus e (scale (INR k) e)) _).
    + simpl. apply (asy_times _ _ _ _ _ _ h IH).
    + clear. rewrite S_INR. induction e as [|a e IH]; simpl; [exact I|split; [ring|exact IH]].
Qed.

(* the logarithm of a growth: a iter (i + 1) and smaller terms *)
Fixpoint place (i : nat) (a : R) (rest : list R) : list R := match i with O => a :: rest | S i => 0 :: place i a rest end.

Lemma product_place i : forall k a rest x, log_product k (place i a rest) x = a * iter (S (i + k)) x + log_product (S (i + k)) rest x.
Proof.
  induction i as [|i IH]; intros k a rest x; simpl; [reflexivity|]. rewrite IH. replace (i + S k)%nat with (S (i + k)) by lia. ring.
Qed.

Lemma growth_iter i n : 0 < iter i (INR n) -> growth (place i 1 []) (INR n) = iter i (INR n).
Proof. intros h. unfold growth. rewrite product_place, Nat.add_0_r. simpl. rewrite Rplus_0_r, Rmult_1_l. change (iter (S i) (INR n)) with (ln (iter i (INR n))). apply exp_ln. exact h. Qed.

Lemma iter_limit_nat i : is_lim_seq (fun n => iter i (INR n)) p_infty.
Proof. apply is_lim_seq_spec. intros M. destruct (iter_unbounded i M) as [N [_ h]]. exists N. exact h. Qed.

Lemma asy_iter i : asy (fun n => iter i (INR n)) (place i 1 []) 1.
Proof.
  destruct (iter_unbounded i 0) as [N [_ h]]. apply is_lim_seq_ext_loc with (fun _ => 1); [|apply is_lim_seq_const].
  exists N. intros n hn. rewrite growth_iter by (apply h; exact hn). field. assert (k := h n hn). lra.
Qed.

Lemma asy_small u i : (forall eps, 0 < eps -> eventually (fun n => Rabs (u n) <= eps * iter i (INR n))) -> asy u (place i 1 []) 0.
Proof.
  intros h. apply is_lim_seq_spec. intros eps. destruct (h (eps / 2) ltac:(destruct eps; simpl; lra)) as [N g]. destruct (iter_unbounded i 0) as [M [_ k]].
  exists (Nat.max N M). intros n hn. assert (p := k n ltac:(lia)). rewrite growth_iter by exact p. rewrite Rminus_0_r. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by (left; apply Rinv_0_lt_compat; exact p).
  assert (q := g n ltac:(lia)). apply Rle_lt_trans with (eps / 2); [|destruct eps; simpl; lra].
  replace (eps / 2) with (eps / 2 * iter i (INR n) * / iter i (INR n)) by (field; lra). apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact p|exact q].
Qed.

Lemma asy_log u i a rest c : asy u (place i a rest) c -> 0 < c -> asy (fun n => ln (u n)) (place (S i) 1 []) a.
Proof.
  intros h hc. set (e := place i a rest) in *.
  apply (asy_eventually (fun n => a * iter (S i) (INR n) + (log_product (S i) rest (INR n) + ln (u n / growth e (INR n))))).
  - apply (eventually_imp (fun n => 0 < u n)); [|exact (asy_positive u e c h hc)]. intros n p. assert (q := growth_positive e (INR n)).
    unfold Rdiv. rewrite ln_mult, ln_Rinv; [|exact q|exact p|apply Rinv_0_lt_compat; exact q].
    assert (r : ln (growth e (INR n)) = a * iter (S i) (INR n) + log_product (S i) rest (INR n)).
    { unfold growth, e. rewrite ln_exp, product_place, Nat.add_0_r. reflexivity. }
    rewrite r. ring.
  - assert (z : forall e, zeros (minus e e)) by (clear; induction e as [|b e IH]; simpl; [exact I|split; [ring|exact IH]]).
    apply asy_coefficient with (a * 1 + (0 + 0)); [|ring]. apply asy_plus with (place (S i) 1 []); [| |apply z].
    + apply (asy_same _ (plus [] (place (S i) 1 []))); [|apply z]. apply (asy_times _ _ _ _ _ _ (asy_constant a) (asy_iter (S i))).
    + apply asy_plus with (place (S i) 1 []); [| |apply z].
      * apply asy_small. intros eps he. exact (eventually_near _ (later_small rest (S i) eps he)).
      * apply asy_smaller with ([] : list R) (ln c).
        { unfold asy. apply is_lim_seq_ext with (fun n => ln (u n / growth e (INR n))); [intros n; rewrite growth_nil; field|].
          apply is_lim_seq_continuous; [|exact h]. apply continuity_pt_filterlim. apply (ex_derive_continuous ln). auto_derive. exact hc. }
        { generalize (S i). clear. intros j. induction j as [|j IH]; simpl; [left; lra|right]. split; [ring|exact IH]. }
Qed.

Lemma asy_log_constant u e c : asy u e c -> zeros e -> 0 < c -> asy (fun n => ln (u n)) [] (ln c).
Proof.
  intros h z hc. assert (k : asy u [] c). { apply (asy_same _ _ _ _ h). destruct e; exact z. }
  unfold asy, growth. simpl. apply is_lim_seq_ext with (fun n => ln (u n)); [intros n; rewrite exp_0; field|].
  apply is_lim_seq_continuous.
  - apply continuity_pt_filterlim. apply (ex_derive_continuous ln). auto_derive. exact hc.
  - unfold asy, growth in k. simpl in k. apply is_lim_seq_ext with (2 := k). intros n. rewrite exp_0. field.
Qed.

(* bounded is smaller than what grows *)
Lemma asy_bounded u M e : (forall n, Rabs (u n) <= M) -> falls (minus [] e) -> asy u e 0.
Proof.
  intros h g. assert (v := growth_vanishes _ g). unfold asy. apply is_lim_seq_abs_0.
  apply is_lim_seq_le_le with (fun _ => 0) (fun n => M * growth (minus [] e) (INR n)).
  - intros n. split; [apply Rabs_pos|]. rewrite growth_minus. assert (p := growth_positive e (INR n)). unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by (left; apply Rinv_0_lt_compat; exact p).
    unfold growth at 2. simpl. rewrite exp_0, Rmult_1_l. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact p|apply h].
  - apply is_lim_seq_const.
  - replace (Finite 0) with (Finite (M * 0)) by (f_equal; ring). apply is_lim_seq_mult'; [apply is_lim_seq_const|exact v].
Qed.

(* e^v for v -> -infinity faster than log n is smaller than every power *)
Lemma asy_exp_small v e c (k : R) : asy v e c -> c < 0 -> falls (minus [0; 1] e) -> asy (fun n => exp (v n)) [k] 0.
Proof.
  intros h hc g. apply (asy_smaller _ [k - 1] 0); [|simpl; left; lra].
  set (w := fun n => - v n + (k - 1) * iter 1 (INR n)).
  assert (hw : eventually (fun n => 0 < w n)).
  { apply (asy_positive w e (- c)); [|lra]. apply (asy_plus_left _ _ _ _ [0; 1] ((k - 1) * 1)); [apply asy_opposite; exact h| |exact g].
    apply (asy_times _ _ [] _ _ _ (asy_constant (k - 1)) (asy_iter 1)). }
  assert (hw2 : eventually (fun n => 0 < - v n + (k - 2) * iter 1 (INR n))).
  { apply (asy_positive (fun n => - v n + (k - 2) * iter 1 (INR n)) e (- c)); [|lra]. apply (asy_plus_left _ _ _ _ [0; 1] ((k - 2) * 1)); [apply asy_opposite; exact h| |exact g].
    apply (asy_times _ _ [] _ _ _ (asy_constant (k - 2)) (asy_iter 1)). }
  destruct hw2 as [N hN]. unfold asy. apply is_lim_seq_le_le_loc with (fun _ => 0) (fun n => growth [-1] (INR n)).
  - exists N. intros n hn. assert (q := hN n hn). unfold growth, Rdiv. rewrite <- exp_Ropp, <- exp_plus. split; [left; apply exp_pos|apply exp_le].
    simpl in *. lra.
  - apply is_lim_seq_const.
  - apply growth_vanishes. simpl. left. lra.
Qed.

Lemma asy_floor u e c : asy u e c -> falls (minus [] e) -> asy (fun n => floor (u n)) e c.
Proof.
  intros h g. apply (asy_eventually (fun n => u n + (floor (u n) - u n))); [exists O; intros; ring|].
  apply asy_coefficient with (c + 0); [|ring]. apply (asy_plus _ _ _ _ e 0 h).
  - apply (asy_bounded _ 1); [|exact g]. intros n. unfold floor. destruct (base_Int_part (u n)). apply Rabs_le. lra.
  - clear. induction e as [|a e IH]; simpl; [exact I|split; [ring|exact IH]].
Qed.

Lemma asy_max_left u v e c : asy (fun n => u n + - v n) e c -> 0 < c -> eventually (fun n => Rmax (u n) (v n) = u n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < u n + - v n)); [intros n k; apply Rmax_left; lra|exact (asy_positive _ _ _ h hc)]. Qed.

Lemma asy_max_right u v e c : asy (fun n => v n + - u n) e c -> 0 < c -> eventually (fun n => Rmax (u n) (v n) = v n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < v n + - u n)); [intros n k; apply Rmax_right; lra|exact (asy_positive _ _ _ h hc)]. Qed.

Lemma asy_min_left u v e c : asy (fun n => v n + - u n) e c -> 0 < c -> eventually (fun n => Rmin (u n) (v n) = u n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < v n + - u n)); [intros n k; apply Rmin_left; lra|exact (asy_positive _ _ _ h hc)]. Qed.

Lemma asy_min_right u v e c : asy (fun n => u n + - v n) e c -> 0 < c -> eventually (fun n => Rmin (u n) (v n) = v n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < u n + - v n)); [intros n k; apply Rmin_right; lra|exact (asy_positive _ _ _ h hc)]. Qed.

Lemma asy_equal u v e c : asy v e c -> eventually (fun n => u n = v n) -> asy u e c.
Proof. intros h g. apply (asy_eventually v); [apply (eventually_imp (fun n => u n = v n)); [auto|exact g]|exact h]. Qed.

(** * Floors and tables *)

Lemma floor_is k x : IZR k <= x < IZR k + 1 -> floor x = IZR k.
Proof.
  intros [h1 h2]. unfold floor. f_equal. destruct (base_Int_part x) as [g1 g2].
  assert (IZR (Int_part x) < IZR (k + 1)) by (rewrite plus_IZR; lra). assert (IZR (k - 1) < IZR (Int_part x)) by (rewrite minus_IZR; lra).
  apply lt_IZR in H. apply lt_IZR in H0. lia.
Qed.

Lemma table_at values k : table values (IZR k) = nth (Z.to_nat k) values 0.
Proof. unfold table. f_equal. f_equal. apply eq_IZR. change (floor (IZR k) = IZR k). apply floor_is. lra. Qed.

Lemma table_row values k v : nth (Z.to_nat k) values 0 = v -> table values (IZR k) = v.
Proof. intros h. rewrite table_at. exact h. Qed.

(* from N on the row is always the same *)
Ltac table_settles N := exists N; let n := fresh "n" in let h := fresh "h" in intros n h; apply le_INR in h; rewrite (INR_IZR_INZ N) in h; simpl in h;
  repeat match goal with |- context [if ?D then _ else _] => destruct D; try (exfalso; lra) end;
  match goal with |- ?t _ = _ => unfold t end; apply table_row; reflexivity.

(** * Conditions: Rlt_dec and Rle_dec, by the sign of the difference *)

Lemma asy_less_true a b (x y : nat -> R) e c : asy (fun n => b n + - a n) e c -> 0 < c -> eventually (fun n => (if Rlt_dec (a n) (b n) then x n else y n) = x n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < b n + - a n)); [intros n k; destruct (Rlt_dec (a n) (b n)); [reflexivity|lra]|exact (asy_positive _ _ _ h hc)]. Qed.

Lemma asy_less_false a b (x y : nat -> R) e c : asy (fun n => a n + - b n) e c -> 0 < c -> eventually (fun n => (if Rlt_dec (a n) (b n) then x n else y n) = y n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < a n + - b n)); [intros n k; destruct (Rlt_dec (a n) (b n)); [lra|reflexivity]|exact (asy_positive _ _ _ h hc)]. Qed.

Lemma asy_equal_above a b (x y : nat -> R) e c : asy (fun n => a n + - b n) e c -> 0 < c -> eventually (fun n => (if Req_EM_T (a n) (b n) then x n else y n) = y n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < a n + - b n)); [intros n k; destruct (Req_EM_T (a n) (b n)); [lra|reflexivity]|exact (asy_positive _ _ _ h hc)]. Qed.

Lemma asy_equal_below a b (x y : nat -> R) e c : asy (fun n => b n + - a n) e c -> 0 < c -> eventually (fun n => (if Req_EM_T (a n) (b n) then x n else y n) = y n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < b n + - a n)); [intros n k; destruct (Req_EM_T (a n) (b n)); [lra|reflexivity]|exact (asy_positive _ _ _ h hc)]. Qed.

Lemma asy_at_most_true a b (x y : nat -> R) e c : asy (fun n => b n + - a n) e c -> 0 < c -> eventually (fun n => (if Rle_dec (a n) (b n) then x n else y n) = x n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < b n + - a n)); [intros n k; destruct (Rle_dec (a n) (b n)); [reflexivity|lra]|exact (asy_positive _ _ _ h hc)]. Qed.

Lemma asy_at_most_false a b (x y : nat -> R) e c : asy (fun n => a n + - b n) e c -> 0 < c -> eventually (fun n => (if Rle_dec (a n) (b n) then x n else y n) = y n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < a n + - b n)); [intros n k; destruct (Rle_dec (a n) (b n)); [lra|reflexivity]|exact (asy_positive _ _ _ h hc)]. Qed.

Lemma eventually_zero u : (forall n, u n = 0) -> eventually (fun n => 0 <= u n).
Proof. intros h. exists O. intros n _. rewrite h. apply Rle_refl. Qed.

Lemma asy_abs_above u e c : asy u e c -> 0 < c -> eventually (fun n => Rabs (u n) = u n).
Proof. intros h hc. apply (eventually_imp (fun n => 0 < u n)); [intros n k; apply Rabs_pos_eq; lra|exact (asy_positive u e c h hc)]. Qed.

(** * log v = log of its growth + log of the rest, where leading terms cancel *)

Lemma log_split v e c : asy v e c -> 0 < c -> eventually (fun n => ln (v n) = log_product 0 e (INR n) + ln (v n / growth e (INR n))).
Proof.
  intros h hc. apply (eventually_imp (fun n => 0 < v n)); [|exact (asy_positive v e c h hc)]. intros n p. assert (q := growth_positive e (INR n)).
  unfold Rdiv. rewrite ln_mult, ln_Rinv; [|exact q|exact p|apply Rinv_0_lt_compat; exact q]. unfold growth at 1. rewrite ln_exp. ring.
Qed.

Lemma asy_log_rest v e c : asy v e c -> 0 < c -> asy (fun n => ln (v n / growth e (INR n))) [] (ln c).
Proof.
  intros h hc. unfold asy. apply is_lim_seq_ext with (fun n => ln (v n / growth e (INR n))); [intros n; rewrite growth_nil; field|].
  apply is_lim_seq_continuous; [|exact h]. apply continuity_pt_filterlim. apply (ex_derive_continuous ln). auto_derive. exact hc.
Qed.
