(* Families of laws that differ in their bias: gates along the path (P1 of docs/theorems.md) and biases linear in the query (Q1). *)
From Coq Require Import Reals Lra Lia FunctionalExtensionality Classical.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Steps Sums Contents Normalization Entropy Boundedness Distance Sphere Gradient Trivial.
Open Scope R_scope.

Section Two.
Variables f b b' w : nat -> R.
Let l : law := plain f b w.
Let l' : law := plain f b' w.

Theorem same_bias : (forall n, b n = b' n) -> l = l'.
Proof. intros h. unfold l, l'. replace b' with b; [reflexivity|]. apply functional_extensionality. exact h. Qed.

(** * A bias that is nowhere larger *)

Section Lower.
Variable B : R.
Hypothesis lower : forall n, b n <= b' n.

Lemma lower_Z c L : Z (score l c L) L <= Z (score l' c L) L.
Proof using lower. apply Z_le. intros n _. unfold score. simpl. assert (h := lower n). lra. Qed.

Lemma lower_Z_finite c : Z_finite l' c -> Z_finite l c.
Proof using lower. intros [M h]. exists M. intros L. apply Rle_trans with (2 := h L). apply lower_Z. Qed.

Lemma lower_H_finite c : Z_finite l' c -> H_finite l' c -> H_finite l c.
Proof using lower.
  intros hz hh. set (A := score l c 0). set (A' := score l' c 0). change (bounded (H A)). change (bounded (H A')) in hh. change (bounded (Z A')) in hz.
  destruct (finite_Z_sinks A' (-1) hz) as [N hN].
  assert (le : forall n, A n <= A' n) by (intros n; unfold A, A', score; simpl; assert (h := lower n); lra).
  apply H_bounded; [exact (lower_Z_finite c hz)|].
  assert (g : bounded (sum_f_R0 (weighted A'))).
  { destruct (unbounded_or_bounded (sum_f_R0 (weighted A'))) as [u|u]; [|exact u]. exfalso.
    apply (not_bounded (H A')); [|exact hh]. apply (H_unbounded A' N); [intros n hn; assert (h := hN n hn); lra|exact u]. }
  apply (bounded_compare (weighted A) (weighted A') 1 N); [lra|apply weighted_nonneg| |exact g].
  intros n hn. assert (h := hN n hn). assert (q := le n). rewrite Rmult_1_l, (weighted_at A), (weighted_at A') by lra. apply weighted_falls; lra.
Qed.

Theorem lower_cn_every_content : cn_every_content l' B -> cn_every_content l B.
Proof using lower. intros h c hc. apply lower_Z_finite. apply h. exact hc. Qed.

Theorem lower_cn_some_content : cn_some_content l' B -> cn_some_content l B.
Proof using lower. intros [c [hc h]]. exists c. split; [exact hc|apply lower_Z_finite; exact h]. Qed.

Theorem lower_cn_expected d : (forall n, 0 <= B * w n) -> cn_expected l' (sphere_moments d B l') -> cn_expected l (sphere_moments d B l).
Proof using lower.
  intros hw [M h]. exists M. intros L. apply Rle_trans with (2 := h L). apply sum_le. intros n _.
  destruct (sphere_moments_within d B l hw n (f n)) as [g _]. apply Rmult_le_compat_r; [change (0 <= sphere_moments d B l n (f n)); lra|].
  apply exp_le. apply lower.
Qed.

Theorem lower_eb_limit : eb_limit l' B -> eb_limit l B.
Proof using lower. intros h c hc. destruct (h c hc). split; [apply lower_Z_finite; assumption|apply lower_H_finite; assumption]. Qed.

Theorem lower_eb_some_content : eb_some_content l' B -> eb_some_content l B.
Proof using lower. intros [c [hc [z e]]]. exists c. split; [exact hc|split; [apply lower_Z_finite; exact z|apply lower_H_finite; assumption]]. Qed.

Theorem lower_eb_uniform : eb_limit l' B -> eb_uniform l B.
Proof using lower. intros h c hc. apply (lower_eb_limit h c hc). Qed.

Theorem lower_ldcp_weight : ldcp_weight l -> ldcp_weight l'.
Proof using lower.
  intros [C h]. exists (C + b' 0%nat - b 0%nat). intros N. destruct (h N) as [n [L [hn [hL g]]]]. exists n, L.
  split; [exact hn|split; [exact hL|]]. simpl in *. assert (q := lower n). lra.
Qed.

Theorem lower_ldcp_signed : ldcp_signed l -> ldcp_signed l'.
Proof using lower.
  intros [C [hC h]]. exists C. split; [exact hC|]. intros N. destruct (h N) as [n [L [hn [hL g]]]]. exists n, L.
  split; [exact hn|split; [exact hL|]]. simpl in *. assert (q := lower n). lra.
Qed.

Theorem lower_literal_above : ldcp_signed l -> ldcp_literal l'.
Proof using lower.
  intros h. destruct (lower_ldcp_signed h) as [C [hC g]]. exists C. split; [exact hC|]. intros N. destruct (g N) as [n [L [hn [hL q]]]]. exists n, L.
  split; [exact hn|split; [exact hL|]]. apply Rle_trans with (1 := q). apply Rle_abs.
Qed.

End Lower.

(* b' is the negative of one that is nowhere smaller *)
Theorem lower_literal_below : (forall n, b n <= - b' n) -> ldcp_signed l' -> ldcp_literal l.
Proof.
  intros lower [C [hC g]]. exists C. split; [exact hC|]. intros N. destruct (g N) as [n [L [hn [hL q]]]]. exists n, L.
  split; [exact hn|split; [exact hL|]]. simpl in *. assert (p := lower n). assert (r := Rle_abs (- b n)). rewrite Rabs_Ropp in r. lra.
Qed.

(* by a distance that stays: an end of the interval that does not belong to it *)
Theorem apart_literal_below delta : 0 < delta -> (forall n, (1 <= n)%nat -> b n <= b' n - delta) -> ~ ldcp_signed l' -> ldcp_literal l.
Proof.
  intros hd h fails. exists (delta / 2). split; [lra|]. intros N. apply NNPP. intros none. apply fails. exists (delta / 2). split; [lra|]. intros K.
  exists (S (Nat.max N K)), (S (Nat.max N K)). split; [lia|split; [apply le_n|]]. simpl. set (n := S (Nat.max N K)).
  destruct (Rle_lt_dec (delta / 2) (b' n)) as [q|q]; [exact q|]. exfalso. apply none. exists n, n. split; [unfold n; lia|split; [apply le_n|]].
  simpl. assert (p := h n ltac:(unfold n; lia)). assert (r := Rle_abs (- b n)). rewrite Rabs_Ropp in r. lra.
Qed.

(** * A bias that differs by at most M *)

Section Near.
Variables B M : R.
Hypothesis close : forall n, Rabs (b n - b' n) <= M.

Lemma near_Z_finite c : Z_finite l c -> Z_finite l' c.
Proof using close.
  intros [K h]. exists (exp M * K). intros L. apply Rle_trans with (exp M * Z (score l c L) L).
  - unfold Z. rewrite <- sum_scale. apply sum_le. intros n _. rewrite <- exp_plus. apply exp_le. unfold score. simpl.
    assert (q := close n). apply Rabs_le_between in q. lra.
  - apply Rmult_le_compat_l; [left; apply exp_pos|apply h].
Qed.

Lemma near_H_finite c : H_finite l c -> H_finite l' c.
Proof using close.
  intros [K h]. exists (exp (2 * M) * K + 2 * M). intros L. apply Rle_trans with (exp (2 * M) * H (score l c L) L + 2 * M).
  - apply bounded_changes. intros n _. unfold score. simpl. replace (f n * c n + b n - (f n * c n + b' n)) with (b n - b' n) by ring. apply close.
  - apply Rplus_le_compat_r. apply Rmult_le_compat_l; [left; apply exp_pos|apply h].
Qed.

Theorem near_cn_every_content : cn_every_content l B -> cn_every_content l' B.
Proof using close. intros h c hc. apply near_Z_finite. apply h. exact hc. Qed.

Theorem near_cn_some_content : cn_some_content l B -> cn_some_content l' B.
Proof using close. intros [c [hc h]]. exists c. split; [exact hc|apply near_Z_finite; exact h]. Qed.

Theorem near_cn_expected d : (forall n, 0 <= B * w n) -> cn_expected l (sphere_moments d B l) -> cn_expected l' (sphere_moments d B l').
Proof using close.
  intros hw [K h]. exists (exp M * K). intros L.
  apply Rle_trans with (exp M * sum_f_R0 (fun n => exp (bias l L n) * sphere_moments d B l n (gain l L n)) L).
  - rewrite <- sum_scale. apply sum_le. intros n _. rewrite <- Rmult_assoc.
    destruct (sphere_moments_within d B l hw n (f n)) as [g _]. apply Rmult_le_compat_r; [change (0 <= sphere_moments d B l n (f n)); lra|].
    rewrite <- exp_plus. apply exp_le. simpl. assert (q := close n). apply Rabs_le_between in q. lra.
  - apply Rmult_le_compat_l; [left; apply exp_pos|apply h].
Qed.

Theorem near_eb_limit : eb_limit l B -> eb_limit l' B.
Proof using close. intros h c hc. destruct (h c hc). split; [apply near_Z_finite; assumption|apply near_H_finite; assumption]. Qed.

Theorem near_eb_some_content : eb_some_content l B -> eb_some_content l' B.
Proof using close. intros [c [hc [z e]]]. exists c. split; [exact hc|split; [apply near_Z_finite; exact z|apply near_H_finite; exact e]]. Qed.

Theorem near_eb_uniform : eb_uniform l B -> eb_uniform l' B.
Proof using close. intros h c hc. apply near_H_finite. apply h. exact hc. Qed.

Theorem near_ldcp_weight : ldcp_weight l -> ldcp_weight l'.
Proof using close.
  intros [C h]. exists (C + 2 * M). intros N. destruct (h N) as [n [L [hn [hL g]]]]. exists n, L. split; [exact hn|split; [exact hL|]]. simpl in *.
  assert (q := close n). assert (q0 := close 0%nat). apply Rabs_le_between in q. apply Rabs_le_between in q0. lra.
Qed.
End Near.

(** * The content, whatever the bias *)

Theorem content_likely d B : (forall n, 0 < B * w n) -> ldcp_content l (sphere_tails d B l) -> ldcp_probability l' (sphere_tails d B l').
Proof.
  intros hw [eps [p [he [hp h]]]]. exists eps, (p / 2). split; [exact he|split; [lra|]]. intros N. destruct (h N) as [n [L [hn [hL g]]]].
  exists n, L. split; [exact hn|split; [exact hL|]]. apply Rle_trans with (beyond (sphere_tails d B l n) (f n) 0 eps / 2); [simpl in g; lra|].
  change (beyond (sphere_tails d B l n) (f n) 0 eps / 2 <= beyond (sphere_tails d B l n) (f n) (b' n) eps). unfold beyond. destruct (Req_EM_T (f n) 0) as [e|e].
  - rewrite Rabs_R0. destruct (Rle_dec eps 0); [lra|]. destruct (Rle_dec eps (Rabs (b' n))); lra.
  - assert (hf := Rabs_pos_lt (f n) e). assert (T0 := fun t => proj1 (sphere_tails_within d B l hw n t)). assert (fall := sphere_tails_fall d B l hw n).
    replace (eps - 0) with eps by ring. replace (eps + 0) with eps by ring.
    assert (div : forall x y, x <= y -> x / Rabs (f n) <= y / Rabs (f n)) by (intros x y hxy; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact hf|exact hxy]).
    assert (q1 := T0 ((eps - b' n) / Rabs (f n))). assert (q2 := T0 ((eps + b' n) / Rabs (f n))). destruct (Rle_lt_dec 0 (b' n)) as [s|s].
    + assert (q := fall _ _ (div (eps - b' n) eps ltac:(lra))). lra.
    + assert (q := fall _ _ (div (eps + b' n) eps ltac:(lra))). lra.
Qed.
End Two.

(** * Gates *)

Theorem gates_below g high : (forall t, g t <= high) -> forall n, sum_below n g <= INR n * high.
Proof. intros h n. induction n as [|n IH]; [simpl; lra|]. rewrite sum_below_next, S_INR. assert (q := h n). lra. Qed.

Theorem gates_above g low : (forall t, low <= g t) -> forall n, INR n * low <= sum_below n g.
Proof. intros h n. induction n as [|n IH]; [simpl; lra|]. rewrite sum_below_next, S_INR. assert (q := h n). lra. Qed.

(* the first gate keeps them away from an end that does not belong to the interval *)
Theorem gates_apart g high : (forall t, g t < high) -> forall n, (1 <= n)%nat -> sum_below n g <= INR n * high - (high - g 0%nat).
Proof.
  intros h n hn. induction n as [|n IH]; [lia|]. destruct n as [|n]; [simpl; lra|]. rewrite sum_below_next, S_INR. assert (q := h (S n)). assert (p := IH ltac:(lia)). lra.
Qed.

Theorem constant_gates f b b' w x : (forall n, b n + INR n * x = b' n) -> gated (fun _ => x) (plain f b w) = plain f b' w.
Proof.
  intros h. apply (same_bias f (fun n => b n + sum_below n (fun _ => x)) b' w). intros n. rewrite <- h. f_equal.
  induction n as [|n IH]; [simpl; lra|]. rewrite sum_below_next, S_INR, IH. ring.
Qed.

(* gates that tend to x: x + e/2, x + e/4, x + e/8, ... *)
Definition tending (x e : R) (t : nat) : R := x + e * (1 / 2) ^ S t.

Lemma tending_step t : 0 < (1 / 2) ^ S t < 1.
Proof.
  assert (h := pow_lt (1 / 2) t ltac:(lra)). assert (g := pow_incr (1 / 2) 1 t ltac:(lra)). rewrite pow1 in g.
  rewrite <- tech_pow_Rmult. revert h g. generalize ((1 / 2) ^ t). intros s h g. lra.
Qed.

Theorem tending_within x e t : (0 < e -> x < tending x e t < x + e) /\ (e < 0 -> x + e < tending x e t < x).
Proof. unfold tending. generalize (tending_step t). generalize ((1 / 2) ^ S t). intros s [h g]. split; intros he; nra. Qed.

Theorem tending_close b b' x e : (forall n, b n + INR n * x = b' n) -> forall n, Rabs (b n + sum_below n (tending x e) - b' n) <= Rabs e.
Proof.
  intros h n. rewrite <- h. assert (s : sum_below n (tending x e) = INR n * x + e * (1 - (1 / 2) ^ n)).
  { induction n as [|n IH]; [simpl; lra|]. rewrite sum_below_next, S_INR, IH. unfold tending. simpl. field. }
  rewrite s. replace (b n + (INR n * x + e * (1 - (1 / 2) ^ n)) - (b n + INR n * x)) with (e * (1 - (1 / 2) ^ n)) by ring.
  rewrite Rabs_mult. rewrite <- (Rmult_1_r (Rabs e)) at 2. apply Rmult_le_compat_l; [apply Rabs_pos|]. assert (p := pow_lt (1 / 2) n ltac:(lra)).
  assert (q := pow_incr (1 / 2) 1 n ltac:(lra)). rewrite pow1 in q. apply Rabs_le. lra.
Qed.

(** * A bias linear in the query *)

Theorem query_between r R p : Rabs r <= R -> - (R * Rabs p) <= r * p <= R * Rabs p.
Proof. intros h. apply Rabs_le_between. rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|exact h]. Qed.

(** * The steps of check-properties --coq *)

Lemma contrapositive (P Q : Prop) : (P -> Q) -> ~ Q -> ~ P.
Proof. tauto. Qed.

Ltac of_gates := repeat match goal with
  |- context [gated ?g (plain ?f ?b ?w)] => change (gated g (plain f b w)) with (plain f (fun n => b n + sum_below n g) w) end; cbn beta.
Ltac refuted H := revert H; match goal with |- ?P -> False => change (~ P) end.
Ltac at_token t := match goal with W : forall t : nat, _ |- _ => specialize (W t) end.
Ltac same_value := let n := fresh "n" in intros n; first [ring | lra | (field; lra)].
Ltac below_gates g x := let n := fresh "n" in let t := fresh "t" in let q := fresh "q" in intros n;
  assert (q : sum_below n g <= INR n * x) by (apply gates_below; intros t; at_token t; lra); lra.
Ltac above_gates g x := let n := fresh "n" in let t := fresh "t" in let q := fresh "q" in intros n;
  assert (q : INR n * x <= sum_below n g) by (apply gates_above; intros t; at_token t; lra); lra.
Ltac apart_gates g x := let n := fresh "n" in let hn := fresh "hn" in let t := fresh "t" in let q := fresh "q" in intros n hn;
  assert (q : sum_below n g <= INR n * x - (x - g 0%nat)) by (apply gates_apart; [intros t; at_token t; lra | exact hn]); lra.
Ltac within_query r R p := let n := fresh "n" in let q := fresh "q" in intros n; assert (q := query_between r R (p n) ltac:(assumption));
  cbn beta in q; rewrite ?(Rabs_pos_eq (INR n) (pos_INR n)) in *; lra.
Ltac within_ends := first [lra | nra | (note; lra) | (left; apply ln_negative; lra)].
Ltac in_family := let t := fresh "t" in lazymatch goal with
  | |- Rabs _ <= _ => unfold Rabs; destruct Rcase_abs; within_ends
  | |- context [tending ?x ?e] => intros t; let q := fresh "q" in destruct (tending_within x e t) as [q q'];
      first [specialize (q ltac:(first [lra | nra])) | specialize (q' ltac:(first [lra | nra]))]; repeat split; lra
  | _ => intros t; repeat split; within_ends
  end.
Ltac near_end b b' x e := let n := fresh "n" in first [exact (tending_close b b' x e ltac:(same_value))
  | (intros n; rewrite Rabs_minus_sym; exact (tending_close b b' x e ltac:(same_value) n))].
