(* T6 of docs/certificates.md and M1 of docs/theorems.md: a bias that oscillates does not tend to 0. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Entropy Distance.
Open Scope R_scope.

(** * Sequences whose sums stay bounded *)

Definition balanced (u : nat -> R) : Prop := exists K, forall N, Rabs (sum_f_R0 u N) <= K.

Lemma balanced_linear u v s t : balanced u -> balanced v -> balanced (fun n => s * u n + t * v n).
Proof.
  intros [K hK] [M hM]. exists (Rabs s * K + Rabs t * M). intros N. rewrite sum_linear.
  apply Rle_trans with (1 := Rabs_triang _ _). rewrite 2!Rabs_mult.
  apply Rplus_le_compat; apply Rmult_le_compat_l; try apply Rabs_pos; auto.
Qed.

Lemma balanced_ext u v : (forall n, u n = v n) -> balanced u -> balanced v.
Proof. intros h [K hK]. exists K. intros N. rewrite (sum_equal v u) by (intros; symmetry; apply h). apply hK. Qed.

Lemma balanced_zero : balanced (fun _ => 0).
Proof. exists 0. intros N. rewrite sum_constant, Rmult_0_l, Rabs_R0. lra. Qed.

(* omega is not a multiple of 2 pi: a geometric sum *)
Lemma balanced_cos omega phi : sin (omega / 2) <> 0 -> balanced (fun n => cos (omega * INR n + phi)).
Proof.
  intros h. exists (/ Rabs (sin (omega / 2))). assert (hp := Rabs_pos_lt _ h). intros N.
  assert (e : 2 * sin (omega / 2) * sum_f_R0 (fun n => cos (omega * INR n + phi)) N = sin (omega * INR N + omega / 2 + phi) - sin (phi - omega / 2)).
  { assert (step : forall x, 2 * sin (omega / 2) * cos x = sin (x + omega / 2) - sin (x - omega / 2)) by (intros x; rewrite sin_plus, sin_minus; ring).
    induction N as [|N IH].
    - simpl sum_f_R0. rewrite step. f_equal; f_equal; simpl; ring.
    - rewrite sum_next, Rmult_plus_distr_l, IH, step, S_INR.
      replace (omega * (INR N + 1) + phi - omega / 2) with (omega * INR N + omega / 2 + phi) by field.
      replace (omega * (INR N + 1) + phi + omega / 2) with (omega * (INR N + 1) + omega / 2 + phi) by ring. ring. }
  apply Rmult_le_reg_l with (Rabs (sin (omega / 2))); [exact hp|]. rewrite Rinv_r by lra. rewrite <- Rabs_mult.
  assert (b1 := SIN_bound (omega * INR N + omega / 2 + phi)). assert (b2 := SIN_bound (phi - omega / 2)). apply Rabs_le. lra.
Qed.

Lemma not_always_below u eta N : balanced u -> 0 < eta -> ~ (forall n, (N <= n)%nat -> u n <= - eta).
Proof.
  intros [K hK] he h. assert (g : forall j, sum_f_R0 u (N + j) <= sum_f_R0 u N - eta * INR j).
  { induction j as [|j IH]; [rewrite Nat.add_0_r; simpl; lra|]. rewrite Nat.add_succ_r, sum_next, S_INR. assert (q := h (S (N + j)) ltac:(lia)). lra. }
  destruct (nfloor_ex ((2 * Rabs K + 1) / eta)) as [j [_ hj]].
  { apply Rmult_le_pos; [assert (q := Rabs_pos K); lra|left; apply Rinv_0_lt_compat; exact he]. }
  assert (q := g (S j)). assert (q1 := hK N). assert (q2 := hK (N + S j)%nat). apply Rabs_le_between in q1. apply Rabs_le_between in q2.
  apply (Rmult_lt_compat_l eta) in hj; [|exact he]. replace (eta * ((2 * Rabs K + 1) / eta)) with (2 * Rabs K + 1) in hj by (field; lra).
  rewrite S_INR in q. assert (k := Rle_abs K). lra.
Qed.

(* u correlates with some g, |g| <= 1: then u exceeds some C > 0 infinitely often *)
Lemma exceeds u g kappa : balanced u -> (forall n, Rabs (g n) <= 1) -> 0 < kappa -> balanced (fun n => u n * g n - kappa) ->
  forall N, exists n, (N <= n)%nat /\ kappa / 8 <= u n.
Proof.
  intros hu hg hk hc N. apply Classical_Prop.NNPP. intros no.
  assert (small : forall n, (N <= n)%nat -> u n <= kappa / 8).
  { intros n hn. destruct (Rle_lt_dec (u n) (kappa / 8)) as [q|q]; [exact q|exfalso; apply no; exists n; split; [exact hn|lra]]. }
  (* u g <= |u| <= kappa/4 - u, so u g - kappa + u <= - kappa/2 *)
  apply (not_always_below (fun n => 1 * (u n * g n - kappa) + 1 * u n) (kappa / 2) N); [apply balanced_linear; assumption|lra|].
  intros n hn. assert (s := small n hn). assert (q := hg n). apply Rabs_le_between in q.
  assert (p : u n * g n <= Rabs (u n)).
  { apply Rle_trans with (1 := Rle_abs _). rewrite Rabs_mult. assert (x := Rabs_pos (u n)). assert (y := hg n). nra. }
  unfold Rabs in p. destruct (Rcase_abs (u n)) as [r|r]; lra.
Qed.

(** * Waves *)

(* a cos(omega n + phi), and sums of such *)
Definition wave (x : R * R * R) (n : nat) : R := let '(a, omega, phi) := x in a * cos (omega * INR n + phi).
Fixpoint waves (l : list (R * R * R)) (n : nat) : R := match l with nil => 0 | x :: l => wave x n + waves l n end.
(* no frequency is a multiple of 2 pi *)
Fixpoint turning (l : list (R * R * R)) : Prop := match l with nil => True | (a, omega, phi) :: l => sin (omega / 2) <> 0 /\ turning l end.
(* no frequency differs from omega or -omega by a multiple of 2 pi *)
Fixpoint apart (omega : R) (l : list (R * R * R)) : Prop :=
  match l with nil => True | (a, omega', phi) :: l => sin ((omega + omega') / 2) <> 0 /\ sin ((omega - omega') / 2) <> 0 /\ apart omega l end.

Lemma balanced_waves l : turning l -> balanced (waves l).
Proof.
  induction l as [|[[a omega] phi] l IH]; intros h; [exact balanced_zero|]. destruct h as [h1 h2].
  apply (balanced_ext (fun n => a * cos (omega * INR n + phi) + 1 * waves l n)); [intros; simpl; ring|].
  apply balanced_linear; [apply balanced_cos; exact h1|apply IH; exact h2].
Qed.

Lemma balanced_product omega phi l : apart omega l -> balanced (fun n => waves l n * cos (omega * INR n + phi)).
Proof.
  induction l as [|[[a omega'] phi'] l IH]; intros h.
  - apply (balanced_ext (fun _ => 0)); [intros; simpl; ring|exact balanced_zero].
  - destruct h as [h1 [h2 h3]].
    apply (balanced_ext (fun n => 1 * (a / 2 * cos ((omega + omega') * INR n + (phi + phi')) + a / 2 * cos ((omega - omega') * INR n + (phi - phi')))
                                  + 1 * (waves l n * cos (omega * INR n + phi)))).
    + intros n. simpl. replace ((omega + omega') * INR n + (phi + phi')) with ((omega * INR n + phi) + (omega' * INR n + phi')) by ring.
      replace ((omega - omega') * INR n + (phi - phi')) with ((omega * INR n + phi) - (omega' * INR n + phi')) by ring.
      rewrite cos_plus, cos_minus. field.
    + apply balanced_linear; [apply balanced_linear; apply balanced_cos; assumption|apply IH; exact h3].
Qed.

(** * The rule bias-oscillates: b = m + waves + e, e tends to 0 *)

Definition vanishes (e : nat -> R) : Prop := forall eps, 0 < eps -> exists N, forall n, (N <= n)%nat -> Rabs (e n) <= eps.

Lemma vanishes_iter e i N : (forall n, (N <= n)%nat -> Rabs (e n) <= / iter i (INR n)) -> vanishes e.
Proof.
  intros h eps he. destruct (small_later i eps he) as [K hK]. exists (Nat.max N K). intros n hn.
  assert (h1 := h n ltac:(lia)). destruct (hK n ltac:(lia)) as [h2 _]. lra.
Qed.

(* a positive mean *)
Theorem mean_positive l m e : turning l -> vanishes e -> 0 < m -> forall N, exists n, (N <= n)%nat /\ m / 2 <= m + waves l n + e n.
Proof.
  intros hl he hm N. apply Classical_Prop.NNPP. intros no. destruct (he (m / 4) ltac:(lra)) as [K hK].
  apply (not_always_below (waves l) (m / 4) (Nat.max N K) (balanced_waves l hl)); [lra|].
  intros n hn. assert (q := hK n ltac:(lia)). apply Rabs_le_between in q.
  destruct (Rle_lt_dec (m / 2) (m + waves l n + e n)) as [r|r]; [exfalso; apply no; exists n; split; [lia|exact r]|lra].
Qed.

(* mean 0, and one wave that the others do not cancel *)
Theorem mean_zero_positive a omega phi l e : a <> 0 -> turning ((a, omega, phi) :: l) -> sin omega <> 0 -> apart omega l -> vanishes e ->
  forall N, exists n, (N <= n)%nat /\ Rabs a / 32 <= waves ((a, omega, phi) :: l) n + e n.
Proof.
  intros ha hl h2 hap he N. assert (hpa := Rabs_pos_lt a ha). destruct (he (Rabs a / 32) ltac:(lra)) as [K hK].
  set (s := if Rle_dec 0 a then 1 else -1). assert (hs : a * s = Rabs a /\ Rabs s = 1).
  { unfold s. destruct (Rle_dec 0 a) as [q|q]; [rewrite (Rabs_pos_eq a) by exact q; rewrite Rabs_R1; lra|rewrite (Rabs_left a) by lra; rewrite (Rabs_left (-1)) by lra; lra]. }
  destruct (exceeds (waves ((a, omega, phi) :: l)) (fun n => s * cos (omega * INR n + phi)) (Rabs a / 2)) with (N := Nat.max N K) as [n [hn q]].
  - apply balanced_waves; exact hl.
  - intros n. rewrite Rabs_mult, (proj2 hs), Rmult_1_l. apply Rabs_le. apply COS_bound.
  - lra.
  - apply (balanced_ext (fun n => Rabs a / 2 * cos ((omega + omega) * INR n + (phi + phi)) + s * (waves l n * cos (omega * INR n + phi)))).
    + intros n. simpl. replace ((omega + omega) * INR n + (phi + phi)) with ((omega * INR n + phi) + (omega * INR n + phi)) by ring.
      rewrite cos_plus. assert (p := sin2_cos2 (omega * INR n + phi)). unfold Rsqr in p.
      set (c := cos (omega * INR n + phi)) in *. set (t := sin (omega * INR n + phi)) in *. rewrite <- (proj1 hs).
      replace (t * t) with (1 - c * c) by lra. field.
    + apply balanced_linear; [apply balanced_cos|apply balanced_product; exact hap].
      replace ((omega + omega) / 2) with omega by field. exact h2.
  - exists n. split; [lia|]. assert (k := hK n ltac:(lia)). apply Rabs_le_between in k. lra.
Qed.

Theorem oscillates_signed f b w l m e : turning l -> vanishes e -> 0 < m -> (forall n, b n = m + waves l n + e n) -> ldcp_signed (plain f b w).
Proof.
  intros hl he hm hb. exists (m / 2). split; [lra|]. intros N. destruct (mean_positive l m e hl he hm N) as [n [hn q]].
  exists n, n. repeat split; [exact hn|apply le_n|]. simpl. rewrite hb. exact q.
Qed.

Theorem oscillates_literal f b w l m e : turning l -> vanishes e -> m <> 0 -> (forall n, b n = m + waves l n + e n) -> ldcp_literal (plain f b w).
Proof.
  intros hl he hm hb. exists (Rabs m / 2). assert (hp := Rabs_pos_lt m hm). split; [lra|]. intros N.
  set (flip := fun x : R * R * R => let '(a, o, p) := x in (- a, o, p)).
  assert (hw : forall n, waves (map flip l) n = - waves l n).
  { intros n. clear - flip. induction l as [|[[a o] p] l IH]; simpl; [ring|]. rewrite IH. ring. }
  destruct (Rle_lt_dec 0 m) as [s|s].
  - rewrite (Rabs_pos_eq m) by exact s. destruct (mean_positive l m e hl he ltac:(lra) N) as [n [hn q]].
    exists n, n. repeat split; [exact hn|apply le_n|]. simpl. rewrite hb. apply Rle_trans with (1 := q). apply Rle_abs.
  - rewrite (Rabs_left m) by exact s.
    assert (ht : turning (map flip l)) by (clear - flip hl; induction l as [|[[a o] p] l IH]; simpl in *; tauto).
    assert (he' : vanishes (fun n => - e n)) by (intros eps h; destruct (he eps h) as [K hK]; exists K; intros; rewrite Rabs_Ropp; auto).
    destruct (mean_positive (map flip l) (- m) (fun n => - e n) ht he' ltac:(lra) N) as [n [hn q]].
    exists n, n. repeat split; [exact hn|apply le_n|]. simpl. rewrite hb, <- Rabs_Ropp. rewrite hw in q. apply Rle_trans with (1 := q).
    apply Rle_trans with (2 := Rle_abs _). lra.
Qed.

Theorem oscillates_mean_zero f b w a omega phi l e : a <> 0 -> turning ((a, omega, phi) :: l) -> sin omega <> 0 -> apart omega l -> vanishes e ->
  (forall n, b n = waves ((a, omega, phi) :: l) n + e n) -> ldcp_signed (plain f b w) /\ ldcp_literal (plain f b w).
Proof.
  intros ha hl h2 hap he hb. assert (hp := Rabs_pos_lt a ha).
  split; exists (Rabs a / 32); (split; [lra|]); intros N; destruct (mean_zero_positive a omega phi l e ha hl h2 hap he N) as [n [hn q]];
    exists n, n; repeat split; try exact hn; try apply le_n; simpl; rewrite hb; [exact q|apply Rle_trans with (1 := q); apply Rle_abs].
Qed.

(* what makes the bias return makes the score return, with probability 1/2 *)
Theorem literal_probability l T r : tails_within T r -> ldcp_literal l -> ldcp_probability l T.
Proof.
  intros hT [C [hC h]]. exists C, (1 / 2). split; [exact hC|split; [lra|]]. intros N. destruct (h N) as [n [L [hn [hL q]]]].
  exists n, L. repeat split; [exact hn|exact hL|]. apply (beyond_bias T r); assumption.
Qed.
