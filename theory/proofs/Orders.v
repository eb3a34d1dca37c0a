(* F2 of docs/certificates.md: a product of powers of x, log x, log log x, ... whose first exponent other than 0 is negative tends
   to 0; so near infinity every smaller growth is at most any multiple of a larger one. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Growth.
Open Scope R_scope.

(* the logarithm of (iter k)^(e 0) (iter (k + 1))^(e 1) ... *)
Fixpoint log_product (k : nat) (e : list R) (x : R) : R := match e with nil => 0 | a :: e => a * iter (S k) x + log_product (S k) e x end.
Definition growth (e : list R) (x : R) : R := exp (log_product 0 e x).
Fixpoint falls (e : list R) : Prop := match e with nil => False | a :: e => a < 0 \/ (a = 0 /\ falls e) end.

(* what comes later is below eps times iter k *)
Lemma later_small e : forall k eps, 0 < eps -> near (fun x => Rabs (log_product k e x) <= eps * iter k x).
Proof.
  induction e as [|a e IH]; intros k eps he; simpl.
  - apply (near_imp (fun x => 0 < iter k x)); [|apply (near_iter k (fun y => 0 < y)), near_above].
    intros x hx. rewrite Rabs_R0. nra.
  - set (d := eps / (Rabs a + 1)). assert (ha := Rabs_pos a). assert (hd : 0 < d) by (unfold d; apply Rdiv_lt_0_compat; lra).
    apply (near_imp (fun x => (Rabs (log_product (S k) e x) <= 1 * iter (S k) x /\ iter (S k) x <= d * iter k x) /\ 0 < iter (S k) x)).
    + intros x [[h1 h2] h3]. apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_mult, (Rabs_pos_eq (iter (S k) x)) by lra.
      assert (E : eps = d * (Rabs a + 1)) by (unfold d; field; lra). rewrite E. nra.
    + repeat apply near_and.
      * apply IH; lra.
      * apply iter_below; exact hd.
      * apply (near_iter (S k) (fun y => 0 < y)), near_above.
Qed.

Theorem log_product_sinks e : falls e -> forall k M, near (fun x => log_product k e x <= M).
Proof.
  induction e as [|a e IH]; intros h k M; [destruct h|]. simpl. destruct h as [h|[h h']].
  - apply (near_imp (fun x => Rabs (log_product (S k) e x) <= (- a / 2) * iter (S k) x /\ 2 * Rabs M / (- a) < iter (S k) x)).
    + intros x [h1 h2]. assert (h3 := Rle_abs (log_product (S k) e x)). assert (h4 := Rle_abs (- M)). rewrite Rabs_Ropp in h4.
      apply (Rmult_lt_compat_l (- a)) in h2; [|lra].
      replace (- a * (2 * Rabs M / - a)) with (2 * Rabs M) in h2 by (field; lra). lra.
    + apply near_and; [apply later_small; lra|apply (near_iter (S k) (fun y => _ < y)), near_above].
  - subst. apply (near_imp (fun x => log_product (S k) e x <= M)); [intros; lra|apply IH; exact h'].
Qed.

Theorem growth_small e eps : 0 < eps -> falls e -> near (fun x => growth e x <= eps).
Proof.
  intros he h. apply (near_imp (fun x => log_product 0 e x <= ln eps)); [|apply log_product_sinks; exact h].
  intros x g. unfold growth. rewrite <- (exp_ln eps) by assumption. apply exp_le; exact g.
Qed.

(* exponents place by place *)
Fixpoint minus (e e' : list R) : list R :=
  match e, e' with nil, e' => map Ropp e' | e, nil => e | a :: e, b :: e' => (a - b) :: minus e e' end.

Lemma log_product_minus e : forall e' k x, log_product k (minus e e') x = log_product k e x - log_product k e' x.
Proof.
  induction e as [|a e IH]; intros e' k x.
  - simpl. rewrite Rminus_0_l. revert k. induction e' as [|b e' IH']; intros k; simpl; [ring|]. rewrite IH'. ring.
  - destruct e' as [|b e']; simpl; [ring|]. rewrite IH. ring.
Qed.

(* a growth that falls against another is at most eps of it, near infinity *)
Theorem growth_below e e' eps : 0 < eps -> falls (minus e e') -> near (fun x => growth e x <= eps * growth e' x).
Proof.
  intros he h. apply (near_imp (fun x => growth (minus e e') x <= eps)); [|apply growth_small; assumption].
  intros x g. unfold growth in *. rewrite log_product_minus in g. replace (log_product 0 e x) with (log_product 0 e x - log_product 0 e' x + log_product 0 e' x) by ring.
  rewrite exp_plus. apply Rmult_le_compat_r; [left; apply exp_pos|exact g].
Qed.
