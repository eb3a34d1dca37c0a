(* U1 of docs/theorems.md, and the rules last-tokens and levels-out: the entropy where scores rise. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness.
Open Scope R_scope.

Lemma div_le_1 x s : 0 < s -> x <= s -> x / s <= 1.
Proof. intros hs h. apply Rmult_le_reg_r with s; [exact hs|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. Qed.

(** * Bounded: the weight is on the last tokens *)

Lemma geometric_back s L : 0 < s -> sum_f_R0 (fun n => exp (- s * (INR L - INR n))) L <= / (1 - exp (- s)).
Proof.
  intros hs. assert (h1 : exp (- s) < 1) by (rewrite <- exp_0; apply exp_increasing; lra). assert (h0 := exp_pos (- s)).
  induction L as [|L IH].
  - simpl. rewrite Rminus_0_r, Rmult_0_r, exp_0. rewrite <- Rinv_1 at 1. apply Rinv_le_contravar; lra.
  - rewrite sum_next. replace (- s * (INR (S L) - INR (S L))) with 0 by ring. rewrite exp_0.
    rewrite (sum_equal _ (fun n => exp (- s) * exp (- s * (INR L - INR n)))).
    + rewrite sum_scale. apply Rle_trans with (exp (- s) * / (1 - exp (- s)) + 1).
      * apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra|exact IH].
      * right. field. lra.
    + intros n _. rewrite <- exp_plus. f_equal. rewrite S_INR. ring.
Qed.

(* From the last token backwards the scores fall at least like s j, up to a constant. *)
Theorem H_last_tokens A s K N : 0 < s -> (forall L n, (N <= L)%nat -> (n <= L)%nat -> A n <= A L + K - s * (INR L - INR n)) -> bounded (H A).
Proof.
  intros hs hA. assert (hb : forall L, (N <= L)%nat -> H A L <= ln (/ (1 - exp (- s))) + 2 * exp K * / (1 - exp (- (s / 2)))).
  { intros L hL. apply Rle_trans with (1 := H_gibbs A (fun n => exp (- s * (INR L - INR n))) L (fun n => exp_pos _)).
    assert (h1 : ln (sum_f_R0 (fun n => exp (- s * (INR L - INR n))) L) <= ln (/ (1 - exp (- s)))).
    { apply ln_mono; [|apply geometric_back; exact hs]. apply Rlt_le_trans with (exp (- s * (INR L - INR L))); [apply exp_pos|].
      apply (sum_term (fun n => exp (- s * (INR L - INR n)))); [intros; left; apply exp_pos|lia]. }
    assert (h2 : sum_f_R0 (fun n => -1 * (weight A L n * ln (exp (- s * (INR L - INR n))))) L
                 <= sum_f_R0 (fun n => 2 * exp K * exp (- (s / 2) * (INR L - INR n))) L).
    { apply sum_le. intros n hn. rewrite ln_exp. assert (ht : 0 <= INR L - INR n) by (apply le_INR in hn; lra). set (t := INR L - INR n) in *.
      assert (hw : weight A L n <= exp K * exp (- s * t)).
      { unfold weight. apply Rle_trans with (exp (A n) / exp (A L)).
        - apply Rmult_le_compat_l; [left; apply exp_pos|]. apply Rinv_le_contravar; [apply exp_pos|apply Z_term; lia].
        - unfold Rdiv. rewrite <- exp_Ropp, <- 2!exp_plus. apply exp_le. assert (h := hA L n hL hn). fold t in h. lra. }
      assert (g := exp_above (s / 2 * t)). assert (hst : 0 <= s * t) by (apply Rmult_le_pos; lra).
      replace (-1 * (weight A L n * (- s * t))) with (weight A L n * (s * t)) by ring.
      apply Rle_trans with (exp K * exp (- s * t) * (s * t)); [apply Rmult_le_compat_r; assumption|].
      replace (exp (- (s / 2) * t)) with (exp (- s * t) * exp (s / 2 * t)) by (rewrite <- exp_plus; f_equal; field).
      assert (hK := exp_pos K). assert (he := exp_pos (- s * t)). assert (hKe : 0 < exp K * exp (- s * t)) by (apply Rmult_lt_0_compat; assumption).
      replace (2 * exp K * (exp (- s * t) * exp (s / 2 * t))) with (exp K * exp (- s * t) * (2 * exp (s / 2 * t))) by ring.
      apply Rmult_le_compat_l; lra. }
    rewrite sum_scale in h2. rewrite sum_scale in h2. assert (h3 := geometric_back (s / 2) L ltac:(lra)).
    assert (h4 : 2 * exp K * sum_f_R0 (fun n => exp (- (s / 2) * (INR L - INR n))) L <= 2 * exp K * / (1 - exp (- (s / 2)))).
    { apply Rmult_le_compat_l; [assert (h := exp_pos K); lra|exact h3]. }
    lra. }
  destruct (bound_from (H A) _ N hb) as [M hM]. exists M. exact hM.
Qed.

Lemma climb (S : nat -> R) s N : (forall n, (N <= n)%nat -> s <= S (Datatypes.S n) - S n) ->
  forall n L, (N <= n)%nat -> (n <= L)%nat -> s * (INR L - INR n) <= S L - S n.
Proof.
  intros h n L hn hL. induction hL as [|L hL IH]; [lra|]. rewrite S_INR. assert (g := h L ltac:(lia)). lra.
Qed.

(* last-tokens: S climbs by at least s, and all contents keep their scores within M of it *)
Theorem eb_uniform_holds_last_tokens f b w B (S : nat -> R) s M N : 0 < s ->
  (forall n, (N <= n)%nat -> s <= S (Datatypes.S n) - S n) ->
  (forall n, (N <= n)%nat -> b n + Rabs (f n) * (B * w n) - S n <= M /\ S n - (b n - Rabs (f n) * (B * w n)) <= M) ->
  eb_uniform (plain f b w) B.
Proof.
  intros hs hS hM c hc. set (A := score (plain f b w) c 0). refine (_ : bounded (H A)).
  assert (hA : forall n, (N <= n)%nat -> A n <= S n + M /\ S n - M <= A n).
  { intros n hn. destruct (hM n hn) as [m1 m2]. destruct (score_between _ _ _ 0%nat n hc) as [g1 g2].
    unfold below, above, reach in g1, g2. simpl in g1, g2. unfold A. simpl. lra. }
  assert (hc' := climb S s N hS). destruct (finite_max A N) as [K hK].
  apply (H_last_tokens A s (2 * M + Rabs (K - S N - M) + s * INR N) N hs). intros L n hL hn.
  destruct (hA L hL) as [_ a1]. assert (ka := Rabs_pos (K - S N - M)). assert (kb := Rle_abs (K - S N - M)).
  assert (kN : 0 <= s * INR N) by (apply Rmult_le_pos; [lra|apply pos_INR]).
  destruct (Compare_dec.le_lt_dec N n) as [h|h].
  - destruct (hA n h) as [a2 _]. assert (g := hc' n L h hn). lra.
  - assert (g := hc' N L (le_n _) hL). assert (g2 := hK n ltac:(lia)). assert (h0 := pos_INR n).
    assert (s * INR n >= 0) by (apply Rle_ge, Rmult_le_pos; lra). lra.
Qed.

(** * Unbounded: scores that level out *)

Theorem H_levels_out A i N : (forall n, (N <= n)%nat -> 0 <= A (S n) - A n <= / iter i (INR n)) -> unbounded (H A).
Proof.
  intros hA. destruct (finite_max A N) as [K hK]. set (D := Rabs (K - A N)). assert (hD := Rabs_pos (K - A N)). fold D in hD.
  assert (hD' := Rle_abs (K - A N)). fold D in hD'.
  assert (up : forall n L, (N <= n)%nat -> (n <= L)%nat -> A n <= A L).
  { intros n L hn hL. induction hL as [|L hL IH]; [lra|]. assert (g := hA L ltac:(lia)). lra. }
  intros T. destruct (nfloor_ex (exp (T + D + 1)) ltac:(left; apply exp_pos)) as [J [_ hJ]].
  assert (hJ' : exp (T + D + 1) < INR (S J)) by (rewrite S_INR; exact hJ).
  destruct (iter_unbounded i (INR (S J))) as [P [_ hP]]. set (L0 := Nat.max N P). exists (L0 + J)%nat.
  assert (hs : 0 < INR (S J)) by (apply lt_0_INR; lia).
  assert (slow : forall j, (j <= J)%nat -> A (L0 + J)%nat - A (L0 + (J - j))%nat <= INR j / INR (S J)).
  { induction j as [|j IH]; intros hj.
    - replace (L0 + (J - 0))%nat with (L0 + J)%nat by lia. simpl. unfold Rdiv. lra.
    - assert (g := IH ltac:(lia)). assert (q := hA (L0 + (J - S j))%nat ltac:(unfold L0; lia)).
      replace (S (L0 + (J - S j)))%nat with (L0 + (J - j))%nat in q by lia.
      assert (p := hP (L0 + (J - S j))%nat ltac:(unfold L0; lia)).
      assert (/ iter i (INR (L0 + (J - S j))) <= / INR (S J)) by (apply Rinv_le_contravar; lra).
      replace (INR (S j) / INR (S J)) with (INR j / INR (S J) + / INR (S J)) by (rewrite (S_INR j); field; lra). lra. }
  set (L := (L0 + J)%nat) in *.
  assert (hz : INR (S J) * exp (A L - 1) <= Z A L).
  { unfold Z. assert (g : forall j, (j <= J)%nat -> INR (S j) * exp (A L - 1) <= sum_f_R0 (fun n => exp (A n)) (L0 + j)).
    { assert (term : forall j, (j <= J)%nat -> exp (A L - 1) <= exp (A (L0 + j)%nat)).
      { intros j hj. apply exp_le. assert (q := slow (J - j)%nat ltac:(lia)). replace (J - (J - j))%nat with j in q by lia.
        assert (INR (J - j) / INR (S J) <= 1) by (apply div_le_1; [exact hs|apply le_INR; lia]). lra. }
      induction j as [|j IH]; intros hj.
      - rewrite Nat.add_0_r. simpl (INR 1). rewrite Rmult_1_l. apply Rle_trans with (exp (A L0)).
        + assert (q := term 0%nat hj). rewrite Nat.add_0_r in q. exact q.
        + apply (sum_term (fun n => exp (A n))); [intros; left; apply exp_pos|lia].
      - rewrite Nat.add_succ_r, sum_next. assert (q := term (S j) hj). rewrite Nat.add_succ_r in q. assert (q2 := IH ltac:(lia)).
        rewrite (S_INR (S j)). lra. }
    apply (g J (le_n _)). }
  assert (hM : forall n, (n <= L)%nat -> A n <= A L + D).
  { intros n hn. destruct (Compare_dec.le_lt_dec N n) as [h|h]; [assert (g := up n L h hn); lra|].
    assert (g := hK n ltac:(lia)). assert (g2 := up N L (le_n _) ltac:(unfold L, L0; lia)). lra. }
  assert (g := H_at_least A (A L + D) L hM).
  assert (q : T + D + 1 + (A L - 1) < ln (Z A L)).
  { apply Rlt_le_trans with (ln (INR (S J) * exp (A L - 1))).
    - rewrite ln_mult, ln_exp by (try apply exp_pos; exact hs). assert (q : T + D + 1 < ln (INR (S J))); [|lra].
      rewrite <- (ln_exp (T + D + 1)). apply ln_increasing; [apply exp_pos|exact hJ'].
    - apply ln_mono; [apply Rmult_lt_0_compat; [exact hs|apply exp_pos]|exact hz]. }
  lra.
Qed.

(* levels-out, at a share e of the extreme content *)
Theorem eb_uniform_fails_levels_out f b w B e i N : -1 <= e <= 1 -> (forall n, 0 <= B * w n) ->
  (forall n, (N <= n)%nat -> 0 <= (b (S n) + e * (Rabs (f (S n)) * (B * w (S n)))) - (b n + e * (Rabs (f n) * (B * w n))) <= / iter i (INR n)) ->
  ~ eb_uniform (plain f b w) B.
Proof.
  intros he hw h g. destruct (chosen_content f b w B e he hw) as [c [hc hs]]. assert (g' := g c hc). revert g'.
  apply not_bounded. refine (H_levels_out (score (plain f b w) c 0) i N _). intros n hn. rewrite 2!hs. apply h; exact hn.
Qed.
