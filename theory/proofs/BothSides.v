(* Keys on both sides, with the score of their distance: each property is that of one side. *)
From Coq Require Import Reals Lra Lia Setoid.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Sphere.
Open Scope R_scope.

(** * The keys of one side and of the other, both with that at distance 0 *)

Definition on_left (n : nat) : nat := (2 * n)%nat.
Definition on_right (n : nat) : nat := (2 * n - 1)%nat.

Lemma distance_left n : distance (on_left n) = n.
Proof. unfold distance, on_left. rewrite Nat.add_1_r. apply Nat.div2_succ_double. Qed.

Lemma distance_right n : distance (on_right n) = n.
Proof. unfold distance, on_right. destruct n as [|n]; [reflexivity|]. replace (2 * S n - 1 + 1)%nat with (2 * S n)%nat by lia. apply Nat.div2_double. Qed.

Lemma distance_within m K : (m <= 2 * K)%nat -> (distance m <= K)%nat.
Proof.
  intros h. destruct (Nat.Even_or_Odd m) as [[k e]|[k e]]; rewrite e.
  - replace (2 * k)%nat with (on_left k) by reflexivity. rewrite distance_left. lia.
  - replace (2 * k + 1)%nat with (on_right (S k)) by (unfold on_right; lia). rewrite distance_right. lia.
Qed.

Lemma distance_beyond m N : (2 * N <= m)%nat -> (N <= distance m)%nat.
Proof.
  intros h. destruct (Nat.Even_or_Odd m) as [[k e]|[k e]]; rewrite e.
  - replace (2 * k)%nat with (on_left k) by reflexivity. rewrite distance_left. lia.
  - replace (2 * k + 1)%nat with (on_right (S k)) by (unfold on_right; lia). rewrite distance_right. lia.
Qed.

Lemma sum_both u K : sum_f_R0 u (2 * K) = sum_f_R0 (fun n => u (on_left n)) K + sum_f_R0 (fun n => u (on_right n)) K - u 0%nat.
Proof.
  induction K as [|K IH]; [unfold on_left, on_right; simpl; lra|]. replace (2 * S K)%nat with (S (S (2 * K))) by lia.
  rewrite 4!sum_next, IH. replace (on_left (S K)) with (S (S (2 * K))) by (unfold on_left; lia). replace (on_right (S K)) with (S (2 * K)) by (unfold on_right; lia). lra.
Qed.

Lemma Z_equal A A' L : (forall n, A n = A' n) -> Z A L = Z A' L.
Proof. intros h. apply sum_equal. intros n _. rewrite h. reflexivity. Qed.

Lemma Z_first A L : exp (A 0%nat) <= Z A L.
Proof. apply Z_term. lia. Qed.

(** * Z and H of both sides, of scores A *)

Section Scores.
Variables (A : nat -> R) (K : nat).
Let one (n : nat) : R := A (on_left n).
Let other (n : nat) : R := A (on_right n).
Let e0 : R := exp (A 0%nat).

Lemma Z_both : Z A (2 * K) = Z one K + Z other K - e0.
Proof. exact (sum_both (fun n => exp (A n)) K). Qed.

Lemma sides_above : 0 < e0 /\ e0 <= Z one K /\ e0 <= Z other K.
Proof. split; [apply exp_pos|split]; [exact (Z_first one K)|exact (Z_first other K)]. Qed.

(* Z ln Z - Z H is the sum of A e^A *)
Lemma H_both : Z A (2 * K) * (ln (Z A (2 * K)) - H A (2 * K)) = Z one K * (ln (Z one K) - H one K) + Z other K * (ln (Z other K) - H other K) - e0 * A 0%nat.
Proof.
  assert (each : forall S L, Z S L * (ln (Z S L) - H S L) = - sum_f_R0 (fun n => - S n * exp (S n)) L).
  { intros S L. assert (h := Z_positive S L). rewrite H_split. field. lra. }
  rewrite 3!each, (sum_both (fun n => - A n * exp (A n)) K). unfold e0. fold (one 0%nat). unfold one, other. lra.
Qed.

Lemma H_both_above : H A (2 * K) <= H one K + H other K + 1.
Proof.
  destruct sides_above as [h0 [h1 h2]]. assert (z := Z_both). assert (e := H_both).
  assert (g1 := H_nonneg one K). assert (g2 := H_nonneg other K). set (z1 := Z one K) in *. set (z2 := Z other K) in *. set (zb := Z A (2 * K)) in *.
  assert (hb : 0 < zb) by lra.
  assert (ratio : forall x, 0 < x -> x * (ln zb - ln x) <= zb - x).
  { intros x hx. assert (q := ln_below (zb / x) (Rdiv_lt_0_compat _ _ hb hx)). rewrite ln_div in q by assumption.
    replace (zb - x) with (x * (zb / x - 1)) by (field; lra). apply Rmult_le_compat_l; lra. }
  assert (r1 := ratio z1 ltac:(lra)). assert (r2 := ratio z2 ltac:(lra)).
  assert (r0 : 0 <= e0 * (ln zb - A 0%nat)).
  { apply Rmult_le_pos; [lra|]. rewrite <- (ln_exp (A 0%nat)). fold e0. assert (q := ln_mono e0 zb h0 ltac:(lra)). lra. }
  assert (p1 : z1 * H one K <= zb * H one K) by (apply Rmult_le_compat_r; lra).
  assert (p2 : z2 * H other K <= zb * H other K) by (apply Rmult_le_compat_r; lra).
  apply Rmult_le_reg_l with zb; [exact hb|].
  assert (f : zb * ln zb = z1 * ln zb + z2 * ln zb - e0 * ln zb) by (rewrite z at 1; ring). lra.
Qed.

(* the same on both sides *)
Lemma H_both_below : (forall n, one n = other n) -> H one K <= H A (2 * K) + 1.
Proof.
  intros same. destruct sides_above as [h0 [h1 _]]. assert (z := Z_both). assert (e := H_both).
  rewrite <- (Z_equal one other K same) in *. rewrite <- (H_ext one other K (fun n _ => same n)) in *. assert (g := H_nonneg one K).
  set (z1 := Z one K) in *. set (zb := Z A (2 * K)) in *. assert (hb : 0 < zb) by lra. assert (hz : 0 < z1) by lra.
  assert (q := ln_below (z1 / e0) (Rdiv_lt_0_compat _ _ hz h0)). rewrite ln_div in q by lra. unfold e0 in q at 1. rewrite ln_exp in q.
  assert (m := ln_mono z1 zb ltac:(lra) ltac:(lra)).
  assert (r0 : e0 * (ln z1 - A 0%nat) <= z1 - e0).
  { replace (z1 - e0) with (e0 * (z1 / e0 - 1)) by (field; lra). apply Rmult_le_compat_l; lra. }
  assert (p : zb * H one K <= 2 * z1 * H one K) by (apply Rmult_le_compat_r; lra).
  assert (p2 : zb * ln z1 <= zb * ln zb) by (apply Rmult_le_compat_l; lra).
  assert (f : zb * ln z1 = 2 * z1 * ln z1 - e0 * ln z1) by (rewrite z; ring).
  apply Rmult_le_reg_l with zb; [exact hb|]. lra.
Qed.

Lemma not_below x : 0 < x -> - (x * ln x) <= 1.
Proof.
  intros hx. assert (q := ln_below (/ x) (Rinv_0_lt_compat _ hx)). rewrite ln_Rinv in q by exact hx.
  assert (p : x * - ln x <= x * (/ x - 1)) by (apply Rmult_le_compat_l; lra). replace (x * (/ x - 1)) with (1 - x) in p by (field; lra). lra.
Qed.

Lemma H_one_side M N : Z A (2 * K) <= M -> H A (2 * K) <= N -> H one K <= M + (M * N + M * M + 2) / e0.
Proof.
  intros hM hN. destruct sides_above as [h0 [h1 h2]]. assert (z := Z_both). assert (e := H_both).
  assert (g0 := H_nonneg A (2 * K)). assert (g2 := H_nonneg other K).
  set (z1 := Z one K) in *. set (z2 := Z other K) in *. set (zb := Z A (2 * K)) in *.
  assert (l1 := ln_below z1 ltac:(lra)). assert (l2 := ln_below z2 ltac:(lra)). assert (n0 := not_below e0 h0). unfold e0 in n0 at 2. rewrite ln_exp in n0.
  assert (nb := not_below zb ltac:(lra)).
  assert (p2 : z2 * ln z2 <= M * M).
  { apply Rle_trans with (z2 * (z2 - 1)); [apply Rmult_le_compat_l; lra|]. assert (z2 * z2 <= M * M) by (apply Rmult_le_compat; lra). lra. }
  assert (p3 : zb * H A (2 * K) <= M * N) by (apply Rmult_le_compat; lra).
  assert (p4 : 0 <= z2 * H other K) by (apply Rmult_le_pos; lra).
  assert (up : z1 * (H one K - ln z1) <= M * N + M * M + 2) by lra.
  assert (pos : 0 <= M * N + M * M + 2) by (assert (0 <= M * N) by (apply Rmult_le_pos; lra); assert (0 <= M * M) by (apply Rmult_le_pos; lra); lra).
  assert (d : H one K - ln z1 <= (M * N + M * M + 2) / e0).
  { apply Rmult_le_reg_l with z1; [lra|]. apply Rle_trans with (1 := up). unfold Rdiv. rewrite (Rmult_comm (M * N + M * M + 2)), <- Rmult_assoc.
    rewrite <- (Rmult_1_l (M * N + M * M + 2)) at 1. apply Rmult_le_compat_r; [exact pos|]. apply Rmult_le_reg_r with e0; [exact h0|].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra. }
  lra.
Qed.
End Scores.

(** * Contents *)

Section Both.
Variable l : law.
Variable B : R.

Definition of_distance (c : nat -> R) (m : nat) : R := c (distance m).

Lemma content_of_distance c : content l B c -> content (both_sides l) B (of_distance c).
Proof. intros h m. apply h. Qed.

Lemma content_left c : content (both_sides l) B c -> content l B (fun n => c (on_left n)).
Proof. intros h n. assert (g := h (on_left n)). simpl in g. rewrite distance_left in g. exact g. Qed.

Lemma content_right c : content (both_sides l) B c -> content l B (fun n => c (on_right n)).
Proof. intros h n. assert (g := h (on_right n)). simpl in g. rewrite distance_right in g. exact g. Qed.

Lemma score_left c L n : score (both_sides l) c L (on_left n) = score l (fun n => c (on_left n)) L n.
Proof. unfold score. simpl. rewrite distance_left. reflexivity. Qed.

Lemma score_right c L n : score (both_sides l) c L (on_right n) = score l (fun n => c (on_right n)) L n.
Proof. unfold score. simpl. rewrite distance_right. reflexivity. Qed.

Lemma score_of_distance c L n : score l c L n = score (both_sides l) (of_distance c) L (on_left n) /\ score l c L n = score (both_sides l) (of_distance c) L (on_right n).
Proof. unfold score, of_distance. simpl. rewrite distance_left, distance_right. split; reflexivity. Qed.

Lemma Z_of_distance c L : Z (score l c L) (last l L) <= Z (score (both_sides l) (of_distance c) L) (2 * last l L) <= 2 * Z (score l c L) (last l L).
Proof.
  rewrite Z_both, <- (Z_equal _ _ (last l L) (fun n => proj1 (score_of_distance c L n))), <- (Z_equal _ _ (last l L) (fun n => proj2 (score_of_distance c L n))).
  assert (p := exp_pos (score l c L 0%nat)). assert (q := Z_first (score l c L) (last l L)).
  change (score (both_sides l) (of_distance c) L 0) with (score l c L 0). lra.
Qed.

Lemma Z_of_sides c L : Z (score l (fun n => c (on_left n)) L) (last l L) <= Z (score (both_sides l) c L) (2 * last l L) <=
  Z (score l (fun n => c (on_left n)) L) (last l L) + Z (score l (fun n => c (on_right n)) L) (last l L).
Proof.
  rewrite Z_both, (Z_equal _ _ (last l L) (score_left c L)), (Z_equal _ _ (last l L) (score_right c L)).
  assert (p := exp_pos (score (both_sides l) c L 0%nat)). assert (q := Z_first (score l (fun n => c (on_right n)) L) (last l L)).
  change (score l (fun n => c (on_right n)) L 0%nat) with (score (both_sides l) c L 0%nat) in q. lra.
Qed.

Lemma H_of_distance c L : H (score l c L) (last l L) - 1 <= H (score (both_sides l) (of_distance c) L) (2 * last l L) <= 2 * H (score l c L) (last l L) + 1.
Proof.
  assert (e1 := H_ext _ _ (last l L) (fun n _ => proj1 (score_of_distance c L n))). assert (e2 := H_ext _ _ (last l L) (fun n _ => proj2 (score_of_distance c L n))).
  split.
  - assert (g := H_both_below (score (both_sides l) (of_distance c) L) (last l L)). rewrite <- e1 in g.
    assert (k := g (fun n => eq_trans (eq_sym (proj1 (score_of_distance c L n))) (proj2 (score_of_distance c L n)))). lra.
  - assert (g := H_both_above (score (both_sides l) (of_distance c) L) (last l L)). rewrite <- e1, <- e2 in g. lra.
Qed.

Lemma H_of_sides c L : H (score (both_sides l) c L) (2 * last l L) <=
  H (score l (fun n => c (on_left n)) L) (last l L) + H (score l (fun n => c (on_right n)) L) (last l L) + 1.
Proof.
  assert (g := H_both_above (score (both_sides l) c L) (last l L)). rewrite (H_ext _ _ (last l L) (fun n _ => score_left c L n)), (H_ext _ _ (last l L) (fun n _ => score_right c L n)) in g. exact g.
Qed.

Lemma Z_finite_of_distance c : Z_finite (both_sides l) (of_distance c) <-> Z_finite l c.
Proof.
  split; intros [M h]; [exists M|exists (2 * M)]; intros L; assert (g := h L); assert (q := Z_of_distance c L);
    change (last (both_sides l) L) with (2 * last l L)%nat in *; lra.
Qed.

Lemma H_finite_of_distance c : H_finite (both_sides l) (of_distance c) <-> H_finite l c.
Proof.
  split; intros [M h]; [exists (M + 1)|exists (2 * M + 1)]; intros L; assert (g := h L); assert (q := H_of_distance c L);
    change (last (both_sides l) L) with (2 * last l L)%nat in *; lra.
Qed.

Lemma Z_finite_of_sides c : Z_finite l (fun n => c (on_left n)) -> Z_finite l (fun n => c (on_right n)) -> Z_finite (both_sides l) c.
Proof.
  intros [M h] [N g]. exists (M + N). intros L. assert (q := Z_of_sides c L). assert (p := h L). assert (r := g L).
  change (last (both_sides l) L) with (2 * last l L)%nat. lra.
Qed.

Lemma Z_finite_of_left c : Z_finite (both_sides l) c -> Z_finite l (fun n => c (on_left n)).
Proof. intros [M h]. exists M. intros L. assert (q := Z_of_sides c L). assert (p := h L). change (last (both_sides l) L) with (2 * last l L)%nat in p. lra. Qed.

Lemma H_finite_of_sides c : H_finite l (fun n => c (on_left n)) -> H_finite l (fun n => c (on_right n)) -> H_finite (both_sides l) c.
Proof.
  intros [M h] [N g]. exists (M + N + 1). intros L. assert (q := H_of_sides c L). assert (p := h L). assert (r := g L).
  change (last (both_sides l) L) with (2 * last l L)%nat. lra.
Qed.

(** * Convergent normalization and entropy boundedness *)

Theorem both_cn_every_content : cn_every_content (both_sides l) B <-> cn_every_content l B.
Proof.
  split; intros h c hc.
  - apply Z_finite_of_distance, h, content_of_distance, hc.
  - apply Z_finite_of_sides; apply h; [apply content_left|apply content_right]; exact hc.
Qed.

Theorem both_cn_some_content : cn_some_content (both_sides l) B <-> cn_some_content l B.
Proof.
  split; intros [c [hc h]].
  - exists (fun n => c (on_left n)). split; [apply content_left; exact hc|apply Z_finite_of_left; exact h].
  - exists (of_distance c). split; [apply content_of_distance; exact hc|apply Z_finite_of_distance; exact h].
Qed.

Theorem both_cn_expected d : (forall n, 0 <= B * width l n) -> cn_expected (both_sides l) (sphere_moments d B (both_sides l)) <-> cn_expected l (sphere_moments d B l).
Proof.
  intros hw. set (E := sphere_moments d B l). set (u := fun L n => exp (bias l L n) * E n (gain l L n)).
  assert (hE : forall L n, 0 <= u L n).
  { intros L n. apply Rmult_le_pos; [left; apply exp_pos|]. assert (g := sphere_moments_within d B l hw n (gain l L n)). unfold E. lra. }
  assert (e : forall L, sum_f_R0 (fun m => u L (distance m)) (2 * last l L) = 2 * sum_f_R0 (u L) (last l L) - u L 0%nat).
  { intros L. rewrite sum_both. rewrite (sum_equal (fun n => u L (distance (on_left n))) (u L)) by (intros; rewrite distance_left; reflexivity).
    rewrite (sum_equal (fun n => u L (distance (on_right n))) (u L)) by (intros; rewrite distance_right; reflexivity). change (distance 0) with 0%nat. lra. }
  split; intros [M h]; [exists M|exists (2 * M)]; intros L; assert (g := h L); assert (q := e L); assert (p := hE L 0%nat);
    assert (r := sum_term (u L) (last l L) 0 (fun n _ => hE L n) ltac:(lia)).
  - change (sum_f_R0 (fun m => u L (distance m)) (2 * last l L) <= M) in g. fold (u L). lra.
  - change (sum_f_R0 (fun m => u L (distance m)) (2 * last l L) <= 2 * M). fold (u L) in g. lra.
Qed.

Theorem both_eb_limit : eb_limit (both_sides l) B <-> eb_limit l B.
Proof.
  split; intros h c hc.
  - destruct (h _ (content_of_distance c hc)) as [z e]. split; [apply Z_finite_of_distance; exact z|apply H_finite_of_distance; exact e].
  - destruct (h _ (content_left c hc)) as [z1 e1]. destruct (h _ (content_right c hc)) as [z2 e2].
    split; [apply Z_finite_of_sides; assumption|apply H_finite_of_sides; assumption].
Qed.

Theorem both_eb_uniform : eb_uniform (both_sides l) B <-> eb_uniform l B.
Proof.
  split; intros h c hc.
  - apply H_finite_of_distance, h, content_of_distance, hc.
  - apply H_finite_of_sides; apply h; [apply content_left|apply content_right]; exact hc.
Qed.

(* where the score at distance 0 does not mention L *)
Theorem both_eb_some_content : (forall L, gain l L 0%nat = gain l 0%nat 0%nat /\ bias l L 0%nat = bias l 0%nat 0%nat) ->
  eb_some_content (both_sides l) B <-> eb_some_content l B.
Proof.
  intros steady. split; intros [c [hc [z e]]].
  - exists (fun n => c (on_left n)). split; [apply content_left; exact hc|split; [apply Z_finite_of_left; exact z|]].
    destruct z as [M z]. destruct e as [N e]. exists (M + (M * N + M * M + 2) / exp (score (both_sides l) c 0 0)). intros L.
    rewrite <- (H_ext _ _ (last l L) (fun n _ => score_left c L n)). assert (s : score (both_sides l) c 0 0 = score (both_sides l) c L 0).
    { unfold score. simpl. change (distance 0) with 0%nat. destruct (steady L) as [s1 s2]. rewrite s1, s2. reflexivity. }
    rewrite s. apply H_one_side; [exact (z L)|exact (e L)].
  - exists (of_distance c). split; [apply content_of_distance; exact hc|split; [apply Z_finite_of_distance; exact z|apply H_finite_of_distance; exact e]].
Qed.

(** * Long-distance correlation *)

Lemma both_far (P : nat -> nat -> Prop) : far (both_sides l) (fun L m => P L (distance m)) <-> far l P.
Proof.
  split; intros h N.
  - destruct (h (2 * N)%nat) as [m [L [hm [hL p]]]]. exists (distance m), L. split; [apply distance_beyond; exact hm|split; [apply distance_within; exact hL|exact p]].
  - destruct (h N) as [n [L [hn [hL p]]]]. exists (on_left n), L. split; [unfold on_left; lia|split; [simpl; unfold on_left; lia|]]. rewrite distance_left. exact p.
Qed.

Theorem both_ldcp_literal : ldcp_literal (both_sides l) <-> ldcp_literal l.
Proof. split; intros [C [hC h]]; exists C; (split; [exact hC|]); apply (both_far (fun L n => C <= Rabs (bias l L n))); exact h. Qed.

Theorem both_ldcp_signed : ldcp_signed (both_sides l) <-> ldcp_signed l.
Proof. split; intros [C [hC h]]; exists C; (split; [exact hC|]); apply (both_far (fun L n => C <= bias l L n)); exact h. Qed.

Theorem both_ldcp_weight : ldcp_weight (both_sides l) <-> ldcp_weight l.
Proof. split; intros [C h]; exists C; apply (both_far (fun L n => - C <= bias l L n - bias l L 0%nat)); exact h. Qed.

Theorem both_ldcp_probability d : ldcp_probability (both_sides l) (sphere_tails d B (both_sides l)) <-> ldcp_probability l (sphere_tails d B l).
Proof.
  split; intros [e [p [he [hp h]]]]; exists e, p; (split; [exact he|split; [exact hp|]]);
    apply (both_far (fun L n => p <= beyond (sphere_tails d B l n) (gain l L n) (bias l L n) e)); exact h.
Qed.

Theorem both_ldcp_content d : ldcp_content (both_sides l) (sphere_tails d B (both_sides l)) <-> ldcp_content l (sphere_tails d B l).
Proof.
  split; intros [e [p [he [hp h]]]]; exists e, p; (split; [exact he|split; [exact hp|]]);
    apply (both_far (fun L n => p <= beyond (sphere_tails d B l n) (gain l L n) 0 e)); exact h.
Qed.

(** * Gradient positional sensitivity *)

Variables (d : nat) (W : matrices).

Theorem both_gps_vector : gps_vector d (both_sides l) (both_ways W) <-> gps_vector d l W.
Proof.
  split; intros [N h]; exists N; intros L hL; destruct (h L hL) as [k [m [m' [i [hm [hm' [hi g]]]]]]].
  - exists k, (distance m), (distance m'), i. repeat split; [apply distance_within; exact hm|apply distance_within; exact hm'|exact hi|exact g].
  - exists k, (on_left m), (on_left m'), i. repeat split; [simpl; unfold on_left; lia|simpl; unfold on_left; lia|exact hi|].
    unfold gradient, both_ways in *. simpl. rewrite 2!distance_left. exact g.
Qed.

Theorem both_gps_norm : gps_norm d (both_sides l) (both_ways W) <-> gps_norm d l W.
Proof.
  split; intros [N h]; exists N; intros L hL; destruct (h L hL) as [k [m [m' [hm [hm' g]]]]].
  - exists k, (distance m), (distance m'). repeat split; [apply distance_within; exact hm|apply distance_within; exact hm'|exact g].
  - exists k, (on_left m), (on_left m'). repeat split; [simpl; unfold on_left; lia|simpl; unfold on_left; lia|].
    unfold gradient_square, gradient, both_ways in *. simpl. rewrite 2!distance_left. exact g.
Qed.

Theorem both_gps_scalar : gps_scalar d (both_sides l) (both_ways W) <-> gps_scalar d l W.
Proof.
  unfold gps_scalar. rewrite both_gps_vector. split; intros [[N h] v]; (split; [exists N; intros L hL; destruct (h L hL) as [phi [Q g]]|exact v]).
  - exists (fun n => phi (on_left n)), Q. intros n i j hn hi hj. assert (q := g (on_left n) i j ltac:(simpl; unfold on_left; lia) hi hj).
    unfold both_ways in q. simpl in q. rewrite distance_left in q. exact q.
  - exists (fun m => phi (distance m)), Q. intros m i j hm hi hj. apply g; [apply distance_within; exact hm|exact hi|exact hj].
Qed.
End Both.

(* what check-properties --coq shows of one side *)
Ltac of_one_side := let L := fresh "L" in lazymatch goal with
  | |- context [cn_every_content] => rewrite both_cn_every_content
  | |- context [cn_some_content] => rewrite both_cn_some_content
  | |- context [cn_expected] => rewrite both_cn_expected by assumption
  | |- context [eb_limit] => rewrite both_eb_limit
  | |- context [eb_uniform] => rewrite both_eb_uniform
  | |- context [eb_some_content] => rewrite both_eb_some_content by (intros L; split; reflexivity)
  | |- context [ldcp_literal] => rewrite both_ldcp_literal
  | |- context [ldcp_signed] => rewrite both_ldcp_signed
  | |- context [ldcp_weight] => rewrite both_ldcp_weight
  | |- context [ldcp_probability] => rewrite both_ldcp_probability
  | |- context [ldcp_content] => rewrite both_ldcp_content
  | |- context [gps_vector] => rewrite both_gps_vector
  | |- context [gps_norm] => rewrite both_gps_norm
  | |- context [gps_scalar] => rewrite both_gps_scalar
  end.
