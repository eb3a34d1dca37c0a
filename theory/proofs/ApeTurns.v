(* APE's angle turns: gps scalar fails, for all values of the parameters. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness Lengths PowerLaws Distance Gradient Rotation TurnsByEntropy TurnRules Ape Asymptotics Steps GradientRules.
Open Scope R_scope.

Lemma some_turn T b c : ~ (forall n, multiple T (angle c b n)) -> exists n, ~ multiple T (angle c b n).
Proof. apply Classical_Pred_Type.not_all_ex_not. Qed.

(* a block j that turns by c n/(1 + H(n)), and a gain that is never 0 *)
Theorem entropy_turns_scalar h f b w theta c beta j : (0 < h)%nat -> (j < h)%nat -> (forall n, f n <> 0) ->
  (forall L n, theta L n j = angle c beta n) -> ~ (forall n, multiple PI (angle c beta n)) ->
  ~ gps_scalar (h + h) (plain f b w) (rotation h theta).
Proof.
  intros hh hj hf ht hm. destruct (some_turn PI beta c hm) as [n hn].
  apply (scalar_fails (h + h) (plain f b w) _ n 0 n j j (j + h) j); [intros L hL; simpl; lia|lia|lia|lia|lia|]. intros L _.
  unfold entry. rewrite 2!block_diagonal, 2!block_lower by assumption. rewrite 2!ht. simpl gain.
  assert (z : angle c beta 0 = 0) by (unfold angle; simpl (INR 0); unfold Rdiv; ring). rewrite z, cos_0, sin_0. intros e. apply hn.
  assert (s : f 0%nat * f n * sin (angle c beta n) = 0) by lra. apply Rmult_integral in s. destruct s as [s|s].
  - apply Rmult_integral in s. destruct s as [s|s]; destruct (hf _ s).
  - destruct (sin_eq_0_0 _ s) as [k hk]. exists k. exact hk.
Qed.

(* ... and a gain that is positive *)
Theorem entropy_turns_vector h f b w theta c beta j : (0 < h)%nat -> (j < h)%nat -> (forall n, 0 < f n) ->
  (forall L n, theta L n j = angle c beta n) -> ~ (forall n, multiple (2 * PI) (angle c beta n)) ->
  gps_vector (h + h) (plain f b w) (rotation h theta).
Proof.
  intros hh hj hf ht hm. destruct (some_turn (2 * PI) beta c hm) as [n hn]. apply Classical_Prop.NNPP. intros hv.
  assert (z : angle c beta 0 = 0) by (unfold angle; simpl (INR 0); unfold Rdiv; ring).
  assert (seen : both_seen (plain f b w) n 0 n) by (intros L hL; simpl; lia).
  assert (hc : f 0%nat * cos 0 = f n * cos (angle c beta n)).
  { apply Classical_Prop.NNPP. intros e. apply hv. apply (vector_holds (h + h) (plain f b w) _ n 0 n j j seen); [lia|lia|]. intros L _.
    unfold entry. rewrite 2!block_diagonal by assumption. rewrite 2!ht, z. exact e. }
  assert (hs : f 0%nat * sin 0 = f n * sin (angle c beta n)).
  { apply Classical_Prop.NNPP. intros e. apply hv. apply (vector_holds (h + h) (plain f b w) _ n 0 n (j + h) j seen); [lia|lia|]. intros L _.
    unfold entry. rewrite 2!block_lower by assumption. rewrite 2!ht, z. exact e. }
  rewrite cos_0 in hc. rewrite sin_0 in hs. assert (h0 := hf 0%nat). assert (h1 := hf n).
  assert (s : sin (angle c beta n) = 0) by (apply Rmult_eq_reg_l with (f n); lra).
  destruct (sin_eq_0_0 _ s) as [k hk]. destruct (Zeven_odd_dec k) as [ev|od].
  - destruct (Zeven_ex k ev) as [i hi]. apply hn. exists i. rewrite hk, hi, mult_IZR. ring.
  - destruct (Zodd_ex k od) as [i hi]. assert (p : cos (angle c beta n) = -1).
    { rewrite hk, hi, plus_IZR, mult_IZR. replace ((2 * IZR i + 1) * PI) with (2 * IZR i * PI + PI) by ring. rewrite neg_cos.
      replace (2 * IZR i * PI) with (IZR i * PI + IZR i * PI) by ring. rewrite cos_plus.
      assert (si : sin (IZR i * PI) = 0) by (apply sin_eq_0_1; exists i; reflexivity). assert (q := sin2_cos2 (IZR i * PI)). unfold Rsqr in q.
      rewrite si in q. rewrite si. lra. }
    rewrite p in hc. lra.
Qed.

(** * APE *)

Section Ape.
Variables delta beta gamma : R.
Hypotheses (hd : 0 <= delta) (hb : 0 <= beta) (hg : 0 <= gamma).
Let b := ape_bias delta beta gamma.

Theorem ape_angle_turns c T : 0 < c -> 0 < T -> ~ forall n, multiple T (angle c b n).
Proof.
  intros hc hT.
  assert (fast : (exists N, (1 <= N)%nat /\ forall n, (N <= n)%nat -> b n <= - 4 * ln (INR n)) -> ~ forall n, multiple T (angle c b n)).
  { intros [N [hN1 hN]]. destruct (logs_from 1) as [K [_ hK]]. apply (turns_fast c T b (Nat.max N K) hc hT). intros n hn.
    assert (g := hN n ltac:(lia)). destruct (hK n ltac:(lia)) as [_ [_ [l1 [l2 l3]]]]. lra. }
  destruct (Rtotal_order delta 0) as [h|[h|h]]; [lra| |].
  2: { apply fast. destruct (near_nat _ (ln_below_line (delta / 4) ltac:(lra))) as [N [hN1 hN]]. exists N. split; [exact hN1|]. intros n hn.
       assert (q := hN n hn). destruct (ape_terms n ltac:(lia)) as [p1 [p2 [p3 _]]]. unfold b, ape_bias. nra. }
  destruct (Rtotal_order gamma 0) as [h'|[h'|h']]; [lra| |].
  2: { apply fast. destruct (near_nat _ (ln_below_sqrt (gamma / 4) ltac:(lra))) as [N [hN1 hN]]. exists N. split; [exact hN1|]. intros n hn.
       assert (q := hN n hn). destruct (ape_terms n ltac:(lia)) as [p1 [p2 [p3 _]]]. unfold b, ape_bias. nra. }
  assert (e : forall n, b n = - beta * ln (1 + INR n)) by (intros n; unfold b, ape_bias; rewrite h, h'; ring).
  destruct (Rle_lt_dec beta 1) as [b1|b1]; [|destruct (Rle_lt_dec beta 2) as [b2|b2]].
  - apply (turns_divergent_bias c T b 0 hc hT).
    + apply (sum_diverges b 0 1 1 (positive_nat 1 (le_n _))). intros n hn. destruct (ape_terms n hn) as [p1 [p2 [p3 p4]]]. rewrite e. cbv [logs iter]. nra.
    + intros n _. rewrite 2!e, S_INR. assert (i := pos_INR n). assert (m := ln_mono (1 + INR n) (1 + (INR n + 1)) ltac:(lra) ltac:(lra)). nra.
  - destruct (near_nat _ (iter_below 1 ((beta - 1) / 3) ltac:(lra))) as [N [hN1 hN]].
    apply (turns_slow c T b 2 N hc hT). intros n hn. assert (q := hN n hn). change (iter 2 (INR n)) with (ln (ln (INR n))) in q.
    change (iter 1 (INR n)) with (ln (INR n)) in q. destruct (ape_terms n ltac:(lia)) as [p1 [p2 [p3 p4]]]. rewrite e. split; nra.
  - destruct (near_nat _ (iter_below 1 ((beta - 2) / 2) ltac:(lra))) as [N [hN1 hN]].
    apply (turns_fast c T b N hc hT). intros n hn. assert (q := hN n hn). change (iter 2 (INR n)) with (ln (ln (INR n))) in q.
    change (iter 1 (INR n)) with (ln (INR n)) in q. destruct (ape_terms n ltac:(lia)) as [p1 [p2 [p3 p4]]]. rewrite e. nra.
Qed.

Lemma ape_first_block d base alpha0 L n : 0 < alpha0 -> ape_angle d base alpha0 delta beta gamma L n 0 = angle (/ alpha0) b n.
Proof.
  intros ha. unfold ape_angle, angle, b. replace (- 2 * INR 0 / INR d) with 0 by (simpl; unfold Rdiv; ring).
  unfold Rpower. rewrite Rmult_0_l, exp_0. assert (q := H_nonneg (ape_bias delta beta gamma) n). field. lra.
Qed.

Theorem ape_gps_scalar h lambda base alpha0 : (0 < h)%nat -> 0 < lambda -> 1 < base -> 0 < alpha0 ->
  ~ gps_scalar (h + h) (ape lambda delta beta gamma) (rotation h (ape_angle (h + h) base alpha0 delta beta gamma)).
Proof.
  intros hh hl hbase ha. apply (entropy_turns_scalar h _ _ _ _ (/ alpha0) b 0 hh hh).
  - intros n. assert (i := pos_INR n). apply Rgt_not_eq. apply Rdiv_lt_0_compat; [lra|nra].
  - intros L n. apply ape_first_block; exact ha.
  - apply ape_angle_turns; [apply Rinv_0_lt_compat; exact ha|apply PI_RGT_0].
Qed.

(* without the decay of the gain (lambda = 0) the gradient still feels distance *)
Theorem ape_gps_vector_no_decay h base alpha0 : (0 < h)%nat -> 1 < base -> 0 < alpha0 ->
  gps_vector (h + h) (ape 0 delta beta gamma) (rotation h (ape_angle (h + h) base alpha0 delta beta gamma)).
Proof.
  intros hh hbase ha. apply (entropy_turns_vector h _ _ _ _ (/ alpha0) b 0 hh hh).
  - intros n. rewrite Rmult_0_l, Rplus_0_r. lra.
  - intros L n. apply ape_first_block; exact ha.
  - apply ape_angle_turns; [apply Rinv_0_lt_compat; exact ha|assert (g := PI_RGT_0); lra].
Qed.
End Ape.

(** * Steps of exported proofs *)

(* a gain that is 0 nowhere *)
Ltac gain_nonzero := let n := fresh "n" in intros n; apply Rgt_not_eq; unfold Rgt; positive.
(* block 0 turns by c n/(1 + H(n)) *)
Ltac entropy_angle := let L := fresh "L" in let n := fresh "n" in intros L n; unfold angle; change (INR 0) with 0;
  try rewrite power_0 by (first [zero_exponent | nonzero_base]);
  match goal with |- context [H ?b n] => assert (0 <= H b n) by apply H_nonneg end; field; lra.
(* for some n, by no multiple of T, where the bias is that of APE *)
Ltac ape_turns := let h := fresh "h" in assert (h := PI_RGT_0);
  match goal with |- ~ (forall n, multiple ?T (angle ?c ?b n)) => refine (ape_angle_turns _ _ _ _ _ _ c T _ _); first [lra | (apply Rinv_0_lt_compat; lra) | positive] end.
