(* T3 of docs/certificates.md: scores that depend on the length. Claims on the triangle n <= L, for all L >= N. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness.
Open Scope R_scope.

(* no window *)
Definition whole (l : law) : Prop := forall L, last l L = L.

Lemma Z_at_least A x L : (forall n, (n <= L)%nat -> x <= A n) -> INR (S L) * exp x <= Z A L.
Proof.
  intros h. apply Rle_trans with (sum_f_R0 (fun _ => exp x) L); [rewrite sum_constant; lra|].
  apply sum_le. intros n hn. apply exp_le. apply h; exact hn.
Qed.

Lemma Z_at_most A x L : (forall n, (n <= L)%nat -> A n <= x) -> Z A L <= INR (S L) * exp x.
Proof.
  intros h. apply Rle_trans with (sum_f_R0 (fun _ => exp x) L); [|rewrite sum_constant; lra].
  apply sum_le. intros n hn. apply exp_le. apply h; exact hn.
Qed.

Lemma exp_minus_log x L : (1 <= L)%nat -> INR L * exp (x - ln (INR L)) = exp x.
Proof.
  intros h. assert (g := lt_0_INR L ltac:(lia)). unfold Rminus. rewrite exp_plus, exp_Ropp, exp_ln by exact g. field. lra.
Qed.

Lemma div_le_one x s : 0 < s -> x <= s -> x / s <= 1.
Proof. intros hs h. apply Rmult_le_reg_r with s; [exact hs|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. Qed.

Lemma finite_min (u : nat -> R) N : exists m, (m <= N)%nat /\ forall n, (n <= N)%nat -> u m <= u n.
Proof.
  induction N as [|N [m [hm IH]]]; [exists 0%nat; split; [lia|intros n hn; replace n with 0%nat by lia; lra]|].
  destruct (Rle_lt_dec (u m) (u (S N))) as [q|q].
  - exists m. split; [lia|]. intros n hn. destruct (Nat.eq_dec n (S N)) as [e|e]; [rewrite e; exact q|apply IH; lia].
  - exists (S N). split; [lia|]. intros n hn. destruct (Nat.eq_dec n (S N)) as [e|e]; [rewrite e; lra|].
    assert (p := IH n ltac:(lia)). lra.
Qed.

Lemma bounded_from (u : nat -> R) M N : (forall L, (N <= L)%nat -> u L <= M) -> bounded u.
Proof. intros h. destruct (bound_from u M N h) as [K hK]. exists K. exact hK. Qed.

Lemma sum_infinite (l : law) c i N : whole l ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> iter i (INR L) - ln (INR L) <= score l c L n) -> ~ Z_finite l c.
Proof.
  intros hl h [M hM]. destruct (iter_unbounded i (ln (Rabs M + 1))) as [K [hK1 hK]]. set (L := Nat.max N K).
  assert (g := hM L). rewrite hl in g. assert (g1 := Z_at_least (score l c L) (iter i (INR L) - ln (INR L)) L
    (fun n hn => h L n ltac:(unfold L; lia) hn)).
  assert (hL : (1 <= L)%nat) by (unfold L; lia). rewrite S_INR, Rmult_plus_distr_r, exp_minus_log in g1 by exact hL.
  assert (h1 := hK L ltac:(unfold L; lia)). assert (h2 := Rabs_pos M). assert (h3 := Rle_abs M).
  assert (h4 : Rabs M + 1 < exp (iter i (INR L))).
  { rewrite <- (exp_ln (Rabs M + 1)) at 1 by lra. apply exp_increasing. exact h1. }
  assert (h5 := exp_pos (iter i (INR L) - ln (INR L))). lra.
Qed.

(* length-diverges: A + log L > iter i L on the triangle *)
Theorem length_diverges_above l B i N : whole l -> steady_sign l -> (forall n, 0 <= B * width l n) ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> iter i (INR L) - ln (INR L) <= above l B L n) ->
  ~ cn_every_content l B /\ ~ eb_limit l B.
Proof.
  intros hl hs hw h. destruct (top_content l B hs hw) as [c [hc e]].
  assert (g : ~ Z_finite l c) by (apply (sum_infinite l c i N hl); intros L n hL hn; rewrite e; apply h; assumption).
  split; intros q; apply g; apply q; exact hc.
Qed.

Theorem length_diverges_below l B i N : whole l ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> iter i (INR L) - ln (INR L) <= below l B L n) ->
  ~ cn_some_content l B /\ ~ eb_some_content l B.
Proof.
  intros hl h. assert (g : forall c, content l B c -> ~ Z_finite l c).
  { intros c hc. apply (sum_infinite l c i N hl). intros L n hL hn. apply Rle_trans with (1 := h L n hL hn). apply score_between; exact hc. }
  split; [intros [c [hc q]]|intros [c [hc [q _]]]]; exact (g c hc q).
Qed.

Theorem length_diverges_expected l B E i N : whole l -> moments_within E (fun n => B * width l n) ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> iter i (INR L) - ln (INR L) <= bias l L n) -> ~ cn_expected l E.
Proof.
  intros hl hE h [M hM]. destruct (iter_unbounded i (ln (Rabs M + 1))) as [K [hK1 hK]]. set (L := Nat.max N K).
  assert (g := hM L). rewrite hl in g. assert (hL : (1 <= L)%nat) by (unfold L; lia).
  assert (g1 := Z_at_least (bias l L) (iter i (INR L) - ln (INR L)) L (fun n hn => h L n ltac:(unfold L; lia) hn)).
  rewrite S_INR, Rmult_plus_distr_r, exp_minus_log in g1 by exact hL.
  assert (g2 : Z (bias l L) L <= sum_f_R0 (fun n => exp (bias l L n) * E n (gain l L n)) L).
  { apply sum_le. intros n _. rewrite <- (Rmult_1_r (exp (bias l L n))) at 1. apply Rmult_le_compat_l; [left; apply exp_pos|apply hE]. }
  assert (h1 := hK L ltac:(unfold L; lia)). assert (h2 := Rabs_pos M). assert (h3 := Rle_abs M).
  assert (h4 : Rabs M + 1 < exp (iter i (INR L))).
  { rewrite <- (exp_ln (Rabs M + 1)) at 1 by lra. apply exp_increasing. exact h1. }
  assert (h5 := exp_pos (iter i (INR L) - ln (INR L))). lra.
Qed.

(* first-diverges: the largest score of the first token grows with L *)
Theorem first_diverges l B i N : steady_sign l -> (forall n, 0 <= B * width l n) ->
  (forall L, (N <= L)%nat -> iter i (INR L) <= above l B L 0) -> ~ cn_every_content l B /\ ~ eb_limit l B.
Proof.
  intros hs hw h. destruct (top_content l B hs hw) as [c [hc e]].
  assert (g : ~ Z_finite l c).
  { intros [M hM]. destruct (iter_unbounded i (ln (Rabs M + 1))) as [K [hK1 hK]]. set (L := Nat.max N K).
    assert (q := Z_term (score l c L) (last l L) 0 ltac:(lia)). rewrite e in q. assert (q2 := hM L).
    assert (h1 := hK L ltac:(unfold L; lia)). assert (h2 := Rabs_pos M). assert (h3 := Rle_abs M). assert (h4 := h L ltac:(unfold L; lia)).
    assert (h5 : Rabs M + 1 < exp (above l B L 0)).
    { rewrite <- (exp_ln (Rabs M + 1)) at 1 by lra. apply exp_increasing. lra. }
    lra. }
  split; intros q; apply g; apply q; exact hc.
Qed.

(* length-converges: A + log(1 + L) < C on the triangle *)
Theorem length_converges_above l B C N : whole l ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> above l B L n + ln (1 + INR L) <= C) -> cn_every_content l B.
Proof.
  intros hl h c hc. apply (bounded_from _ (exp C) N). intros L hL. rewrite hl.
  apply Rle_trans with (INR (S L) * exp (C - ln (INR (S L)))).
  - apply Z_at_most. intros n hn. apply Rle_trans with (1 := proj2 (score_between l B c L n hc)). assert (g := h L n hL hn).
    rewrite S_INR. replace (INR L + 1) with (1 + INR L) by ring. lra.
  - rewrite exp_minus_log by lia. lra.
Qed.

Theorem length_converges_below l B C N : whole l -> steady_sign l -> (forall n, 0 <= B * width l n) ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> below l B L n + ln (1 + INR L) <= C) -> cn_some_content l B.
Proof.
  intros hl hs hw h. destruct (bottom_content l B hs hw) as [c [hc e]]. exists c. split; [exact hc|].
  apply (bounded_from _ (exp C) N). intros L hL. rewrite hl.
  apply Rle_trans with (INR (S L) * exp (C - ln (INR (S L)))).
  - apply Z_at_most. intros n hn. rewrite e. assert (g := h L n hL hn). rewrite S_INR. replace (INR L + 1) with (1 + INR L) by ring. lra.
  - rewrite exp_minus_log by lia. lra.
Qed.

Theorem length_converges_expected l B E C N : whole l -> moments_within E (fun n => B * width l n) ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> above l B L n + ln (1 + INR L) <= C) -> cn_expected l E.
Proof.
  intros hl hE h. apply (bounded_from _ (exp C) N). intros L hL. rewrite hl.
  apply Rle_trans with (Z (above l B L) L).
  - apply sum_le. intros n _. unfold above. rewrite exp_plus. apply Rmult_le_compat_l; [left; apply exp_pos|apply hE].
  - apply Rle_trans with (INR (S L) * exp (C - ln (INR (S L)))).
    + apply Z_at_most. intros n hn. assert (g := h L n hL hn). rewrite S_INR. replace (INR L + 1) with (1 + INR L) by ring. lra.
    + rewrite exp_minus_log by lia. lra.
Qed.

(* length-spread: scores of one length differ by log L - iter i L at most *)
Theorem length_spread l B c i N : whole l -> content l B c ->
  (forall L n n', (N <= L)%nat -> (n <= L)%nat -> (n' <= L)%nat -> score l c L n - score l c L n' <= ln (INR L) - iter i (INR L)) ->
  ~ eb_uniform l B.
Proof.
  intros hl hc h g. destruct (g c hc) as [M hM]. destruct (iter_unbounded i M) as [K [hK1 hK]]. set (L := Nat.max N K).
  assert (hL : (1 <= L)%nat) by (unfold L; lia). set (A := score l c L).
  destruct (finite_min A L) as [m [hm hmin]].
  assert (g1 := H_at_least A (A m + (ln (INR L) - iter i (INR L))) L
    (fun n hn => ltac:(assert (q := h L n m ltac:(unfold L; lia) hn hm); fold A in q; lra))).
  assert (g2 := Z_at_least A (A m) L hmin). assert (hp := lt_0_INR L ltac:(lia)).
  assert (g3 : ln (INR L) + A m <= ln (Z A L)).
  { apply Rle_trans with (ln (INR L * exp (A m))).
    - rewrite ln_mult, ln_exp by (try apply exp_pos; exact hp). lra.
    - apply ln_mono; [apply Rmult_lt_0_compat; [exact hp|apply exp_pos]|].
      rewrite S_INR in g2. assert (q := exp_pos (A m)). lra. }
  assert (g4 := hM L). rewrite hl in g4. fold A in g4. assert (g5 := hK L ltac:(unfold L; lia)). lra.
Qed.

(** * length-levels and length-weighted-converges *)

(* -x ln x is concave *)
Lemma concave a b s : 0 <= a -> 0 <= b -> 0 < s <= 1 -> 0 < s * a + (1 - s) * b ->
  s * (- a * ln a) + (1 - s) * (- b * ln b) <= - (s * a + (1 - s) * b) * ln (s * a + (1 - s) * b).
Proof.
  intros ha hb hs hz. set (z := s * a + (1 - s) * b) in *.
  assert (h : forall x, 0 <= x -> - x * ln x + (x - z) <= - x * ln z).
  { intros x [hx|hx].
    - assert (g := ln_below (z / x) ltac:(apply Rdiv_lt_0_compat; assumption)). unfold Rdiv in g at 1.
      rewrite ln_mult, ln_Rinv in g by (try apply Rinv_0_lt_compat; assumption).
      apply (Rmult_le_compat_l x) in g; [|lra]. replace (x * (z / x - 1)) with (z - x) in g by (field; lra). lra.
    - rewrite <- hx. lra. }
  assert (g1 := h a ha). assert (g2 := h b hb). apply (Rmult_le_compat_l s) in g1; [|lra]. apply (Rmult_le_compat_l (1 - s)) in g2; [|lra].
  assert (e : s * (a - z) + (1 - s) * (b - z) = 0) by (unfold z; ring).
  replace (- z * ln z) with (s * (- a * ln z) + (1 - s) * (- b * ln z)) by (unfold z at 3; ring). lra.
Qed.

(* Weights of at least s/(L + 1): the entropy is at least s times that of L + 1 equal ones. *)
Theorem H_spread A s L : 0 < s <= 1 -> (forall n, (n <= L)%nat -> s / INR (S L) <= weight A L n) -> s * ln (INR (S L)) <= H A L.
Proof.
  intros hs h. assert (hp := lt_0_INR (S L) ltac:(lia)). rewrite H_shannon.
  destruct (proj2 hs) as [hs1|hs1].
  - apply Rle_trans with (sum_f_R0 (fun n => s * ln (INR (S L)) / INR (S L)) L).
    { rewrite sum_constant. right. field. lra. }
    apply sum_le. intros n hn. set (p := weight A L n). assert (hpn := h n hn). fold p in hpn.
    set (b := (p - s / INR (S L)) / (1 - s)). assert (hp0 : 0 < s / INR (S L)) by (apply Rdiv_lt_0_compat; lra).
    assert (hb : 0 <= b) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
    assert (e : s * / INR (S L) + (1 - s) * b = p) by (unfold b; field; lra).
    assert (g := concave (/ INR (S L)) b s (Rlt_le _ _ (Rinv_0_lt_compat _ hp)) hb hs ltac:(rewrite e; lra)). rewrite e in g.
    assert (hb1 : b <= 1).
    { apply div_le_one; [lra|]. assert (q := h). assert (w1 := weights_one A L).
      assert (hall : p + INR L * (s / INR (S L)) <= 1).
      { rewrite <- w1. unfold p. clear - hn h hp. assert (k : forall u x, (forall i, (i <= L)%nat -> x <= u i) -> u n + INR L * x <= sum_f_R0 u L).
        { intros u x hu. revert n hn. clear h hp. induction L as [|L IH]; intros n hn.
          - replace n with 0%nat by lia. simpl. lra.
          - rewrite sum_next. destruct (Nat.eq_dec n (S L)) as [en|en].
            + rewrite en. assert (k : INR (S L) * x <= sum_f_R0 u L).
              { rewrite Rmult_comm, <- sum_constant. apply sum_le. intros; apply hu; lia. } lra.
            + assert (k := IH ltac:(intros; apply hu; lia) n ltac:(lia)). assert (k2 := hu (S L) (le_n _)). rewrite S_INR. lra. }
        apply k. exact h. }
      rewrite S_INR in *. assert (es : s = s / (INR L + 1) + INR L * (s / (INR L + 1))) by (field; lra). lra. }
    assert (hbl : 0 <= - b * ln b).
    { destruct hb as [hb|hb]; [assert (q := ln_below b hb); nra|rewrite <- hb; lra]. }
    rewrite ln_Rinv in g by exact hp. apply Rle_trans with (2 := g).
    assert (k : 0 <= (1 - s) * (- b * ln b)) by (apply Rmult_le_pos; lra).
    replace (s * (- / INR (S L) * - ln (INR (S L)))) with (s * ln (INR (S L)) / INR (S L)) by (field; lra). lra.
  - rewrite hs1, Rmult_1_l. assert (eq : forall n, (n <= L)%nat -> weight A L n = / INR (S L)).
    { intros n hn. assert (w1 := weights_one A L). assert (k : forall i, (i <= L)%nat -> / INR (S L) <= weight A L i).
      { intros i hi. assert (q := h i hi). rewrite hs1 in q. unfold Rdiv in q. rewrite Rmult_1_l in q. exact q. }
      assert (z : sum_f_R0 (fun i => 1 * weight A L i + -1 * (/ INR (S L))) L = 0).
      { rewrite (sum_linear (weight A L) (fun _ => / INR (S L))), w1, sum_constant. field. lra. }
      assert (t := sum_term (fun i => 1 * weight A L i + -1 * (/ INR (S L))) L n ltac:(intros i hi; cbv beta; assert (q := k i hi); lra) hn).
      cbv beta in t. assert (q := k n hn). lra. }
    rewrite (sum_equal _ (fun _ => / INR (S L) * ln (INR (S L)))).
    + rewrite sum_constant. right. field. lra.
    + intros n hn. rewrite (eq n hn), ln_Rinv by exact hp. ring.
Qed.

Lemma levels (l : law) c C N : whole l -> (forall L n, (N <= L)%nat -> (n <= L)%nat -> - C - ln (INR (S L)) <= score l c L n) ->
  Z_finite l c -> ~ H_finite l c.
Proof.
  intros hl h [S1 hS] [M hM]. set (s := Rmin 1 (exp (- C) / Rmax 1 S1)).
  assert (hS1 := Rmax_l 1 S1). assert (hS2 := Rmax_r 1 S1).
  assert (hs : 0 < s <= 1).
  { unfold s. split; [apply Rmin_glb_lt; [lra|apply Rdiv_lt_0_compat; [apply exp_pos|lra]]|apply Rmin_l]. }
  destruct (iter_unbounded 1 (Rabs M / s + 1)) as [K [_ hK]]. set (L := Nat.max N K).
  assert (hp := lt_0_INR (S L) ltac:(lia)). assert (g := hM L). rewrite hl in g. assert (gz := hS L). rewrite hl in gz.
  assert (k : s * ln (INR (S L)) <= H (score l c L) L).
  { apply H_spread; [exact hs|]. intros n hn. assert (q := h L n ltac:(unfold L; lia) hn). unfold weight.
    assert (z := Z_positive (score l c L) L). apply Rle_trans with (exp (- C) / Rmax 1 S1 / INR (S L)).
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact hp|apply Rmin_r].
    - apply Rle_trans with (exp (- C - ln (INR (S L))) / Rmax 1 S1).
      + right. unfold Rminus. rewrite exp_plus, exp_Ropp, (exp_Ropp (ln (INR (S L)))), exp_ln by exact hp. assert (x := exp_pos C). field. repeat split; lra.
      + apply Rmult_le_compat; [left; apply exp_pos|left; apply Rinv_0_lt_compat; lra|apply exp_le; exact q|].
        apply Rinv_le_contravar; lra. }
  assert (q := hK (S L) ltac:(unfold L; lia)). change (iter 1 (INR (S L))) with (ln (INR (S L))) in q.
  assert (q2 : Rabs M < s * ln (INR (S L))).
  { apply Rlt_le_trans with (s * (Rabs M / s + 1)); [|apply Rmult_le_compat_l; lra].
    replace (s * (Rabs M / s + 1)) with (Rabs M + s) by (field; lra). lra. }
  assert (q3 := Rle_abs M). lra.
Qed.

(* length-levels *)
Theorem length_levels_above l B C N : whole l -> steady_sign l -> (forall n, 0 <= B * width l n) ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> - C - ln (INR (S L)) <= above l B L n) -> ~ eb_limit l B.
Proof.
  intros hl hs hw h g. destruct (top_content l B hs hw) as [c [hc e]]. destruct (g c hc) as [g1 g2]. revert g2.
  apply (levels l c C N hl); [|exact g1]. intros L n hL hn. rewrite e. apply h; assumption.
Qed.

Theorem length_levels_below l B C N : whole l ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> - C - ln (INR (S L)) <= below l B L n) -> ~ eb_some_content l B.
Proof.
  intros hl h [c [hc [g1 g2]]]. revert g2. apply (levels l c C N hl); [|exact g1].
  intros L n hL hn. apply Rle_trans with (1 := h L n hL hn). apply score_between; exact hc.
Qed.

(* length-weighted-converges, score below: the content is 0 at distance 0, where the bias is 0 *)
Theorem length_weighted_converges l B C N : whole l -> steady_sign l -> (forall n, 0 <= B * width l n) -> (forall L, bias l L 0%nat = 0) ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> below l B L n + ln (1 + INR L) + ln (1 + Rabs (below l B L n)) <= C) -> eb_some_content l B.
Proof.
  intros hl hs hw hb h. destruct (bottom_content l B hs hw) as [c [hc e]].
  set (c' := fun n => match n with O => 0 | S _ => c n end). exists c'.
  assert (e0 : forall L, score l c' L 0%nat = 0) by (intros L; unfold score; simpl; rewrite hb; ring).
  assert (e1 : forall L n, (n <> 0)%nat -> score l c' L n = below l B L n).
  { intros L [|n] hn; [contradiction|]. rewrite <- e. reflexivity. }
  assert (term : forall L n, (N <= L)%nat -> (n <= L)%nat -> (1 + Rabs (score l c' L n)) * exp (score l c' L n) <= exp C / INR (S L) + (if Nat.eqb n 0 then 1 else 0)).
  { intros L n hL hn. assert (hp := lt_0_INR (S L) ltac:(lia)). assert (hC : 0 < exp C / INR (S L)) by (apply Rdiv_lt_0_compat; [apply exp_pos|exact hp]).
    destruct (Nat.eq_dec n 0) as [en|en].
    - rewrite en, e0, Rabs_R0, exp_0. change (Nat.eqb 0 0) with true. cbv iota. lra.
    - rewrite (e1 L n en), (proj2 (Nat.eqb_neq n 0) en), Rplus_0_r. assert (g := h L n hL hn). set (a := below l B L n) in *.
      assert (ha := Rabs_pos a). apply exp_le in g. rewrite 2!exp_plus, 2!exp_ln in g by (rewrite <- ?(Rplus_comm (INR L)), <- ?S_INR; lra).
      replace (exp C / INR (S L)) with (exp C * / INR (S L)) by reflexivity.
      apply Rmult_le_reg_r with (INR (S L)); [exact hp|]. rewrite (Rmult_assoc (exp C)), Rinv_l by lra. rewrite S_INR. lra. }
  assert (total : forall L, (N <= L)%nat -> sum_f_R0 (fun n => (1 + Rabs (score l c' L n)) * exp (score l c' L n)) L <= exp C + 1).
  { intros L hL. assert (hp := lt_0_INR (S L) ltac:(lia)).
    apply Rle_trans with (sum_f_R0 (fun n => exp C / INR (S L) + (if Nat.eqb n 0 then 1 else 0)) L); [apply sum_le; intros n hn; apply term; assumption|].
    rewrite (sum_equal _ (fun n => exp C / INR (S L) * 1 + 1 * (if Nat.eqb n 0 then 1 else 0))) by (intros; ring).
    rewrite (sum_linear (fun _ => 1) (fun n => if Nat.eqb n 0 then 1 else 0)), sum_constant.
    assert (d : sum_f_R0 (fun n => if Nat.eqb n 0 then 1 else 0) L = 1).
    { clear. induction L as [|L IH]; [reflexivity|]. rewrite sum_next, IH. simpl. ring. }
    rewrite d. right. field. lra. }
  assert (zle : forall L, (N <= L)%nat -> Z (score l c' L) L <= exp C + 1).
  { intros L hL. apply Rle_trans with (2 := total L hL). apply sum_le. intros n _. assert (q := exp_pos (score l c' L n)).
    assert (q2 := Rabs_pos (score l c' L n)). nra. }
  split; [|split].
  - intros [|n]; [simpl; rewrite Rabs_R0; apply hw|apply hc].
  - apply (bounded_from _ (exp C + 1) N). intros L hL. rewrite hl. apply zle; exact hL.
  - apply (bounded_from _ (ln (exp C + 1) + (exp C + 1)) N). intros L hL. rewrite hl, H_split.
    assert (z := Z_positive (score l c' L) L). assert (z1 : 1 <= Z (score l c' L) L).
    { rewrite <- exp_0, <- (e0 L). apply Z_term. lia. }
    apply Rplus_le_compat; [apply ln_mono; [exact z|apply zle; exact hL]|].
    apply Rle_trans with ((exp C + 1) / Z (score l c' L) L).
    + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact z|]. apply Rle_trans with (2 := total L hL). apply sum_le. intros n _.
      apply Rmult_le_compat_r; [left; apply exp_pos|]. assert (q := Rle_abs (- score l c' L n)). rewrite Rabs_Ropp in q. lra.
    + assert (hC := exp_pos C). rewrite <- (Rmult_1_r (exp C + 1)) at 2. apply Rmult_le_compat_l; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

(* length-weighted-converges, score above: its claims contradict each other at large L, because they hold the score of the first token from both sides *)
Theorem length_weighted_converges_above l B C N : (forall n, 0 <= B * width l n) ->
  (forall L n, (N <= L)%nat -> (n <= L)%nat -> above l B L n + ln (1 + INR L) + ln (1 + Rabs (above l B L n)) <= C) ->
  (forall L, (N <= L)%nat -> - C <= below l B L 0) -> eb_limit l B.
Proof.
  intros hw h g. exfalso. destruct (iter_unbounded 1 (2 * C)) as [K [hK1 hK]]. set (L := Nat.max N K).
  assert (q := h L 0%nat ltac:(unfold L; lia) ltac:(lia)). assert (p := g L ltac:(unfold L; lia)). assert (k := hK L ltac:(unfold L; lia)).
  assert (i := lt_0_INR L ltac:(unfold L; lia)). change (2 * C < ln (INR L)) in k. assert (m := ln_mono (INR L) (1 + INR L) i ltac:(lra)).
  assert (r := ln_nonneg (1 + Rabs (above l B L 0)) ltac:(assert (z := Rabs_pos (above l B L 0)); lra)).
  assert (b : below l B L 0 <= above l B L 0); [|lra].
  unfold below, above, reach. assert (z := Rabs_pos (gain l L 0)). assert (w := hw 0%nat). nra.
Qed.
