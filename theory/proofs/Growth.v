(* Iterated logarithms: iter(j) of the certificates, their sums and products, derivatives, and growth to infinity. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* iter 0 x = x, iter (j + 1) x = ln (iter j x) *)
Fixpoint iter (k : nat) (x : R) : R := match k with O => x | S k => ln (iter k x) end.
(* logs k x = iter 1 x + ... + iter k x;  product k x = iter 0 x * ... * iter (k - 1) x *)
Fixpoint logs (k : nat) (x : R) : R := match k with O => 0 | S k => logs k x + iter (S k) x end.
Fixpoint product (k : nat) (x : R) : R := match k with O => 1 | S k => product k x * iter k x end.
(* iter 0 x, ..., iter k x are positive *)
Definition positive (k : nat) (x : R) : Prop := forall j, (j <= k)%nat -> 0 < iter j x.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [h|h]; [left; apply exp_increasing; exact h|rewrite h; right; reflexivity]. Qed.

Lemma ln_mono x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros h [g|g]; [left; apply ln_increasing; assumption|rewrite g; right; reflexivity]. Qed.

Lemma ln_nonneg x : 1 <= x -> 0 <= ln x.
Proof. intros h. rewrite <- ln_1. apply ln_mono; lra. Qed.

Lemma exp_above x : 1 + x <= exp x.
Proof. destruct (Req_dec x 0) as [e|e]; [rewrite e, exp_0; lra|left; apply exp_ineq1; exact e]. Qed.

Lemma ln_below x : 0 < x -> ln x <= x - 1.
Proof. intros h. assert (g := exp_above (ln x)). rewrite exp_ln in g by assumption. lra. Qed.

Lemma positive_less k x : positive (S k) x -> positive k x.
Proof. intros h j hj; apply h; lia. Qed.

Lemma positive_0 x : 0 < x -> positive 0 x.
Proof. intros h [|j] hj; [exact h|lia]. Qed.

Lemma positive_nat n : (1 <= n)%nat -> positive 0 (INR n).
Proof. intros h. apply positive_0. apply lt_0_INR. lia. Qed.

Lemma iter_mono k x y : positive k x -> x <= y -> forall j, (j <= S k)%nat -> iter j x <= iter j y.
Proof.
  intros hp hxy j; induction j as [|j IH]; intros hj; simpl; [exact hxy|].
  apply ln_mono; [apply hp; lia|apply IH; lia].
Qed.

Lemma positive_mono k x y : positive k x -> x <= y -> positive k y.
Proof.
  intros hp hxy j hj. apply Rlt_le_trans with (iter j x); [apply hp; lia|].
  apply (iter_mono k); [exact hp|exact hxy|lia].
Qed.

Lemma positive_from k N n : positive k (INR N) -> (N <= n)%nat -> positive k (INR n).
Proof. intros h hn. apply (positive_mono k (INR N)); [exact h|apply le_INR; exact hn]. Qed.

Lemma product_positive k x : positive k x -> 0 < product k x /\ 0 < product (S k) x.
Proof.
  induction k as [|k IH]; intros hp.
  - simpl. assert (0 < iter 0 x) by (apply hp; lia). simpl in *; lra.
  - destruct (IH (positive_less _ _ hp)) as [_ h]. split; [exact h|].
    change (0 < product (S k) x * iter (S k) x). apply Rmult_lt_0_compat; [exact h|apply hp; lia].
Qed.

Lemma product_mono k x y : positive k x -> x <= y -> product (S k) x <= product (S k) y.
Proof.
  induction k as [|k IH]; intros hp hxy.
  - simpl. lra.
  - change (product (S k) x * iter (S k) x <= product (S k) y * iter (S k) y).
    assert (hk := positive_less _ _ hp). destruct (product_positive _ _ hk).
    apply Rmult_le_compat; [lra| |apply IH; assumption|apply (iter_mono (S k)); auto with arith].
    left; apply hp; lia.
Qed.

Lemma exp_logs k x : positive k x -> exp (- logs (S k) x) = / product (S k) x.
Proof.
  induction k as [|k IH]; intros hp.
  - simpl. assert (0 < x) by (apply (hp 0%nat); lia).
    rewrite Rplus_0_l, Rmult_1_l, exp_Ropp, exp_ln; trivial.
  - change (exp (- (logs (S k) x + ln (iter (S k) x))) = / (product (S k) x * iter (S k) x)).
    assert (0 < iter (S k) x) by (apply hp; lia).
    destruct (product_positive _ _ (positive_less _ _ hp)).
    rewrite Ropp_plus_distr, exp_plus, IH by (apply positive_less; assumption).
    rewrite exp_Ropp, exp_ln by assumption. field; lra.
Qed.

Lemma derive_iter k x : positive k x -> is_derive (iter (S k)) x (/ product (S k) x).
Proof.
  induction k as [|k IH]; intros hp.
  - simpl. assert (0 < x) by (apply (hp 0%nat); lia). auto_derive; [assumption|field; lra].
  - assert (hk := positive_less _ _ hp). assert (0 < iter (S k) x) by (apply hp; lia).
    destruct (product_positive _ _ hk).
    change (is_derive (fun t => ln (iter (S k) t)) x (/ (product (S k) x * iter (S k) x))).
    replace (/ (product (S k) x * iter (S k) x)) with (scal (/ product (S k) x) (/ iter (S k) x))
      by (symmetry; apply Rinv_mult).
    apply (is_derive_comp ln (iter (S k))); [|apply IH; assumption].
    auto_derive; [assumption|field; lra].
Qed.

(** * Near infinity: for all large x *)

Definition near (P : R -> Prop) : Prop := Rbar_locally p_infty P.

Lemma near_and P Q : near P -> near Q -> near (fun x => P x /\ Q x).
Proof. intros; apply (filter_and (F := Rbar_locally p_infty)); assumption. Qed.

Lemma near_imp (P Q : R -> Prop) : (forall x, P x -> Q x) -> near P -> near Q.
Proof. intros h; apply (filter_imp (F := Rbar_locally p_infty)); exact h. Qed.

Lemma near_above M : near (fun x => M < x).
Proof. exists M; auto. Qed.

Lemma iter_limit k : filterlim (iter k) (Rbar_locally p_infty) (Rbar_locally p_infty).
Proof.
  induction k as [|k IH]; [apply filterlim_id|].
  apply (filterlim_comp _ _ _ (iter k) ln _ _ _ IH). apply is_lim_ln_p.
Qed.

Lemma near_iter k P : near P -> near (fun x => P (iter k x)).
Proof. intros h. exact (iter_limit k P h). Qed.

Lemma near_nat P : near P -> exists N, (1 <= N)%nat /\ forall n, (N <= n)%nat -> P (INR n).
Proof.
  intros [M hM]. destruct (nfloor_ex (Rabs M) (Rabs_pos M)) as [N hN]. exists (S (S N)). split; [lia|].
  intros n hn. apply hM. apply le_INR in hn. rewrite 2!S_INR in hn. assert (h := Rle_abs M). lra.
Qed.

Lemma iter_unbounded k M : exists N, (1 <= N)%nat /\ forall n, (N <= n)%nat -> M < iter k (INR n).
Proof. apply (near_nat (fun x => M < iter k x)). apply (near_iter k (fun y => M < y)), near_above. Qed.

Lemma near_positive k : near (positive k).
Proof.
  induction k as [|k IH].
  - apply (near_imp (fun x => 0 < x)); [exact positive_0|apply near_above].
  - apply (near_imp (fun x => positive k x /\ 0 < iter (S k) x)).
    + intros x [h g] j hj. destruct (Nat.eq_dec j (S k)) as [e|e]; [rewrite e; exact g|apply h; lia].
    + apply near_and; [exact IH|apply (near_iter (S k) (fun y => 0 < y)), near_above].
Qed.

(** * ln x and powers of ln x below powers of x *)

Lemma ln_below_line eps : 0 < eps -> near (fun x => ln x <= eps * x).
Proof.
  intros he. assert (h := is_lim_div_ln_p). apply is_lim_spec in h.
  destruct (h (mkposreal eps he)) as [M hM]. exists (Rmax M 1). intros x hx.
  assert (h1 := Rmax_l M 1). assert (h2 := Rmax_r M 1). assert (g := hM x ltac:(lra)). simpl in g.
  assert (g' := Rle_abs (ln x / x - 0)). assert (h3 : ln x / x <= eps) by lra.
  apply (Rmult_le_compat_r x) in h3; [|lra]. unfold Rdiv in h3. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in h3 by lra. exact h3.
Qed.

Lemma ln_below_sqrt eps : 0 < eps -> near (fun x => ln x <= eps * sqrt x).
Proof.
  intros he. destruct (ln_below_line (eps / 2) ltac:(lra)) as [M hM]. exists (Rmax (M * M) 1). intros x hx.
  assert (h1 := Rmax_l (M * M) 1). assert (h2 := Rmax_r (M * M) 1).
  assert (hs : 1 < sqrt x) by (rewrite <- sqrt_1; apply sqrt_lt_1_alt; lra).
  assert (hM' : M < sqrt x). { destruct (Rle_lt_dec M 0); [lra|]. rewrite <- (sqrt_square M) by lra. apply sqrt_lt_1_alt. nra. }
  assert (g := hM _ hM'). replace (ln x) with (2 * ln (sqrt x)); [lra|].
  rewrite <- (sqrt_sqrt x) at 2 by lra. rewrite ln_mult by lra. ring.
Qed.

(* iter (k + 1) x <= eps * iter k x *)
Lemma iter_below k eps : 0 < eps -> near (fun x => iter (S k) x <= eps * iter k x).
Proof. intros he. apply (near_iter k (fun y => ln y <= eps * y)). apply ln_below_line; exact he. Qed.

(* simpl leaves these alone: cbv [logs iter] writes them out *)
#[global] Arguments iter : simpl never.
#[global] Arguments logs : simpl never.
#[global] Arguments product : simpl never.
