(* The rules turns-by-entropy-fast, -slow and -divergent: what a bias has to satisfy for its angle c n/(1 + H(n)) to turn. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness PowerLaws Lengths TurnsByEntropy.
Open Scope R_scope.

(** * Finite Z and bounded H *)

Definition term (b : nat -> R) (n : nat) : R := - b n * exp (b n).

(* The entropy changes like |b| e^b. *)
Lemma step_between b : bounded (Z b) -> bounded (H b) -> exists N K1 K2, 0 < K1 /\ 0 < K2 /\ forall n, (N <= n)%nat ->
  0 < term b (S n) /\ K1 * term b (S n) <= H b (S n) - H b n <= K2 * term b (S n).
Proof.
  intros [S0 hS] [M hM]. set (z0 := exp (b 0%nat)). assert (hz0 : 0 < z0) by apply exp_pos.
  assert (hS0 : z0 <= S0) by (apply Rle_trans with (2 := hS 0%nat); apply (Z_term b 0 0); lia).
  set (V := 1 + Rabs (ln S0) + 2 * (Rabs (ln z0) + Rabs M)).
  destruct (finite_Z_sinks b (- V) (ex_intro _ S0 hS)) as [N hN]. exists N, (/ S0 / 2), (2 / z0).
  assert (a1 := Rabs_pos (ln S0)). assert (a2 := Rabs_pos (ln z0)). assert (a3 := Rabs_pos M).
  assert (iS : 0 < / S0) by (apply Rinv_0_lt_compat; lra). assert (iz : 0 < / z0) by (apply Rinv_0_lt_compat; lra).
  split; [lra|split; [unfold Rdiv; lra|]]. intros n hn. assert (hb := hN (S n) ltac:(lia)).
  assert (hs := H_step b n). cbv zeta in hs. set (q := lastw b (S n)) in *. assert (hq := last_below_1 b n). fold q in hq.
  assert (zl : z0 <= Z b (S n)) by (apply (Z_term b (S n) 0); lia). assert (zu := hS (S n)).
  assert (lq : ln q = b (S n) - ln (Z b (S n))) by apply ln_weight. rewrite lq in hs.
  assert (lz1 : ln z0 <= ln (Z b (S n))) by (apply ln_mono; assumption). assert (lz2 : ln (Z b (S n)) <= ln S0) by (apply ln_mono; lra).
  assert (hH := hM n). assert (k1 := Rle_abs (ln S0)). assert (k2 := Rle_abs M). assert (k3 := Rle_abs (- ln z0)). rewrite Rabs_Ropp in k3.
  set (x := b (S n)) in *. set (e := exp x). assert (he : 0 < e) by apply exp_pos.
  assert (qe : q = e * / Z b (S n)) by reflexivity. unfold term. fold x. fold e.
  assert (q1 : / S0 * e <= q) by (rewrite qe, Rmult_comm; apply Rmult_le_compat_l; [lra|apply Rinv_le_contravar; lra]).
  assert (q2 : q <= / z0 * e) by (rewrite qe, (Rmult_comm (/ z0)); apply Rmult_le_compat_l; [lra|apply Rinv_le_contravar; lra]).
  unfold V in hb. split; [apply Rmult_lt_0_compat; lra|]. split.
  - apply Rle_trans with (q * (- x / 2)).
    + replace (/ S0 / 2 * (- x * e)) with (/ S0 * e * (- x / 2)) by (field; lra). apply Rmult_le_compat_r; lra.
    + apply Rle_trans with (2 := proj1 hs). replace (- q * (x - ln (Z b (S n))) - q * H b n) with (q * (ln (Z b (S n)) - x - H b n)) by ring.
      apply Rmult_le_compat_l; lra.
  - apply Rle_trans with (1 := proj2 hs). replace (q - q * (x - ln (Z b (S n)))) with (q * (1 + ln (Z b (S n)) - x)) by ring.
    apply Rle_trans with (q * (2 * - x)); [apply Rmult_le_compat_l; lra|].
    replace (2 / z0 * (- x * e)) with (/ z0 * e * (2 * - x)) by (field; lra). apply Rmult_le_compat_r; lra.
Qed.

Theorem turns_summable c T b : 0 < c -> 0 < T -> bounded (Z b) -> bounded (H b) ->
  (forall eps, 0 < eps -> exists N, forall n, (N <= n)%nat -> INR n * term b n <= eps) ->
  ((forall eps, 0 < eps -> exists N, forall n, (N <= n)%nat -> INR n * INR n * term b n <= eps) \/
   (forall M, exists N, forall n, (N <= n)%nat -> M <= INR n * INR n * term b n)) ->
  ~ forall n, multiple T (angle c b n).
Proof.
  intros hc hT hz hh hn hend. destruct (step_between b hz hh) as [N [K1 [K2 [hK1 [hK2 hs]]]]].
  assert (rise : forall n, (N <= n)%nat -> 0 < H b (S n) - H b n).
  { intros n q. destruct (hs n q) as [p [r _]]. assert (0 < K1 * term b (S n)) by (apply Rmult_lt_0_compat; assumption). lra. }
  destruct hh as [M hM]. destruct (ex_finite_lim_seq_incr (fun n => H b (n + N)%nat) M) as [h hlim].
  { intros n. simpl. assert (q := rise (n + N)%nat ltac:(lia)). lra. } { intros n. apply hM. }
  apply is_lim_seq_incr_n in hlim. assert (hh0 : 0 <= h).
  { apply (is_lim_seq_le (fun _ => 0) (H b) 0 h); [apply H_nonneg|apply is_lim_seq_const|exact hlim]. }
  apply (turns_convergent c T b (1 + h) hc hT ltac:(lra)).
  - intros eps he. apply is_lim_seq_spec in hlim. destruct (hlim (mkposreal eps he)) as [K hK]. exists K. intros n q. assert (r := hK n q). simpl in r.
    replace (1 + H b n - (1 + h)) with (H b n - h) by ring. lra.
  - intros eps he. destruct (hn (eps / K2) ltac:(apply Rdiv_lt_0_compat; assumption)) as [K hK]. exists (Nat.max N K). intros n q.
    assert (r := rise n ltac:(lia)). rewrite Rabs_pos_eq by lra. destruct (hs n ltac:(lia)) as [p [_ u]]. assert (v := hK (S n) ltac:(lia)).
    assert (i := pos_INR n). rewrite S_INR in v. apply Rle_trans with (K2 * ((INR n + 1) * term b (S n))).
    + apply Rle_trans with (INR n * (K2 * term b (S n))); [apply Rmult_le_compat_l; assumption|].
      assert (0 < K2 * term b (S n)) by (apply Rmult_lt_0_compat; assumption). lra.
    + apply Rle_trans with (K2 * (eps / K2)); [apply Rmult_le_compat_l; lra|right; field; lra].
  - exists N. exact rise.
  - destruct hend as [hend|hend]; [left|right].
    + intros eps he. destruct (hend (eps / K2) ltac:(apply Rdiv_lt_0_compat; assumption)) as [K hK]. exists (Nat.max N K). intros n q.
      destruct (hs n ltac:(lia)) as [p [_ u]]. assert (v := hK (S n) ltac:(lia)). assert (i := pos_INR n). rewrite S_INR in v.
      apply Rle_trans with (K2 * ((INR n + 1) * (INR n + 1) * term b (S n))).
      * apply Rle_trans with (INR n * INR n * (K2 * term b (S n))); [apply Rmult_le_compat_l; [nra|assumption]|].
        assert (w : 0 < K2 * term b (S n)) by (apply Rmult_lt_0_compat; assumption). nra.
      * apply Rle_trans with (K2 * (eps / K2)); [apply Rmult_le_compat_l; lra|right; field; lra].
    + intros P. destruct (hend (4 * Rabs P / K1)) as [K hK]. exists (Nat.max 1 (Nat.max N K)). intros n q.
      destruct (hs n ltac:(lia)) as [p [l _]]. assert (v := hK (S n) ltac:(lia)). assert (i := le_INR 1 n ltac:(lia)). simpl in i. rewrite S_INR in v.
      assert (w : 4 * Rabs P <= K1 * ((INR n + 1) * (INR n + 1) * term b (S n))).
      { apply (Rmult_le_compat_l K1) in v; [|lra]. replace (K1 * (4 * Rabs P / K1)) with (4 * Rabs P) in v by (field; lra). exact v. }
      assert (x : (INR n + 1) * (INR n + 1) <= 4 * (INR n * INR n)) by nra.
      assert (y : (INR n + 1) * (INR n + 1) * (K1 * term b (S n)) <= 4 * (INR n * INR n) * (K1 * term b (S n))).
      { apply Rmult_le_compat_r; [|exact x]. left. apply Rmult_lt_0_compat; assumption. }
      assert (t : INR n * INR n * (K1 * term b (S n)) <= INR n * INR n * (H b (S n) - H b n)) by (apply Rmult_le_compat_l; [nra|exact l]).
      assert (k := Rle_abs P). lra.
Qed.

(* log n > 1 and log log n > 0 for all large n, where log log n <= log n *)
Lemma logs_from K : exists N, (1 <= N)%nat /\ forall n, (N <= n)%nat ->
  1 <= INR n /\ K < ln (INR n) /\ 1 < ln (INR n) /\ 0 < ln (ln (INR n)) <= ln (INR n).
Proof.
  destruct (iter_unbounded 1 (Rmax 1 K)) as [N [hN1 hN]]. exists N. split; [exact hN1|]. intros n hn.
  assert (g := hN n hn). change (iter 1 (INR n)) with (ln (INR n)) in g. assert (m1 := Rmax_l 1 K). assert (m2 := Rmax_r 1 K).
  assert (i := le_INR 1 n ltac:(lia)). simpl in i. repeat split; try lra.
  - rewrite <- ln_1. apply ln_increasing; lra.
  - assert (q := ln_below (ln (INR n)) ltac:(lra)). lra.
Qed.

Lemma term_below b U n : 1 <= U -> b n <= - U -> term b n <= U * exp (- U).
Proof.
  intros hU hb. unfold term. rewrite <- (Ropp_involutive (b n)) at 2. apply weighted_falls; lra.
Qed.

Lemma square_exp x : 0 < x -> exp (- 2 * ln x) = / (x * x).
Proof. intros h. replace (- 2 * ln x) with (- (ln x + ln x)) by ring. rewrite exp_Ropp, exp_plus, exp_ln by exact h. reflexivity. Qed.

Lemma small_inverse K eps : 0 < K -> 0 < eps -> exists N, (1 <= N)%nat /\ forall n, (N <= n)%nat -> K / ln (INR n) <= eps /\ 1 < ln (INR n).
Proof.
  intros hK he. destruct (logs_from (K / eps)) as [N [hN1 hN]]. exists N. split; [exact hN1|]. intros n hn. destruct (hN n hn) as [_ [g [g1 _]]].
  split; [|exact g1]. apply Rmult_le_reg_r with (ln (INR n)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply (Rmult_lt_compat_l eps) in g; [|exact he]. replace (eps * (K / eps)) with K in g by (field; lra). lra.
Qed.

(* turns-by-entropy-fast *)
Theorem turns_fast c T b N : 0 < c -> 0 < T -> (forall n, (N <= n)%nat -> b n <= - 2 * ln (INR n) - 2 * ln (ln (INR n))) ->
  ~ forall n, multiple T (angle c b n).
Proof.
  intros hc hT hb. destruct (logs_from 1) as [N1 [hN1 hl]]. set (P := Nat.max N N1).
  assert (pw : bounded (Z b) /\ bounded (H b)).
  { destruct (power_witness 1 0 Rlt_0_1) as [N' [K [hN' hU]]].
    apply (weighted_sum_converges b (fun n => (1 + 1) * ln (INR n) - 0) 0 (1 / 2) K (Nat.max P N')); [lra|apply positive_nat; lia|].
    intros n hn. destruct (hU n ltac:(lia)) as [u1 u2]. assert (g := hb n ltac:(unfold P in hn; lia)). destruct (hl n ltac:(unfold P in hn; lia)) as [_ [_ [_ l2]]].
    cbv [logs iter]. lra. }
  assert (sq : forall n, (P <= n)%nat -> INR n * INR n * term b n <= 4 / ln (INR n) /\ INR n * term b n <= INR n * INR n * term b n).
  { intros n hn. destruct (hl n ltac:(unfold P in hn; lia)) as [i [_ [l1 [l2 l3]]]]. assert (g := hb n ltac:(unfold P in hn; lia)).
    set (L1 := ln (INR n)) in *. set (L2 := ln L1) in *.
    assert (t0 : 0 <= term b n) by (unfold term; apply Rmult_le_pos; [lra|left; apply exp_pos]). split; [|apply Rmult_le_compat_r; [exact t0|nra]].
    assert (t := term_below b (2 * L1 + 2 * L2) n ltac:(lra) ltac:(lra)).
    replace (- (2 * L1 + 2 * L2)) with (- 2 * L1 + - 2 * L2) in t by ring. rewrite exp_plus in t. unfold L1 at 2 in t. unfold L2 at 2 in t.
    rewrite 2!square_exp in t by lra.
    apply Rle_trans with (INR n * INR n * ((2 * L1 + 2 * L2) * (/ (INR n * INR n) * / (L1 * L1)))); [apply Rmult_le_compat_l; [nra|exact t]|].
    replace (INR n * INR n * ((2 * L1 + 2 * L2) * (/ (INR n * INR n) * / (L1 * L1)))) with ((2 * L1 + 2 * L2) * / (L1 * L1)) by (field; lra).
    replace (4 / L1) with (4 * L1 * / (L1 * L1)) by (field; lra). apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|lra]. }
  apply (turns_summable c T b hc hT (proj1 pw) (proj2 pw)).
  - intros eps he. destruct (small_inverse 4 eps ltac:(lra) he) as [K [_ hK]]. exists (Nat.max P K). intros n hn.
    destruct (sq n ltac:(lia)) as [a1 a2]. destruct (hK n ltac:(lia)) as [a3 _]. lra.
  - left. intros eps he. destruct (small_inverse 4 eps ltac:(lra) he) as [K [_ hK]]. exists (Nat.max P K). intros n hn.
    destruct (sq n ltac:(lia)) as [a1 _]. destruct (hK n ltac:(lia)) as [a3 _]. lra.
Qed.

(* turns-by-entropy-slow *)
Theorem turns_slow c T b C N : 0 < c -> 0 < T ->
  (forall n, (N <= n)%nat -> - 2 * ln (INR n) - C <= b n /\ b n <= - ln (INR n) - 3 * ln (ln (INR n))) ->
  ~ forall n, multiple T (angle c b n).
Proof.
  intros hc hT hb. destruct (logs_from 1) as [N1 [hN1 hl]]. set (P := Nat.max N N1).
  assert (hp : positive 1 (INR P)).
  { destruct (hl P ltac:(unfold P; lia)) as [i [_ [l1 _]]]. intros [|[|j]] hj; [change (0 < INR P); lra|change (0 < ln (INR P)); lra|lia]. }
  assert (pw : bounded (Z b) /\ bounded (H b)).
  { apply (weighted_sum_converges b (fun n => ln (INR n) + 3 * ln (ln (INR n))) 1 1 (ln 4) P Rlt_0_1 hp).
    intros n hn. destruct (hl n ltac:(unfold P in hn; lia)) as [i [_ [l1 [l2 l3]]]]. destruct (hb n ltac:(unfold P in hn; lia)) as [_ g].
    cbv [logs iter]. set (L1 := ln (INR n)) in *. set (L2 := ln L1) in *. split; [lra|split; [lra|]].
    assert (k : ln (L1 + 3 * L2) <= ln 4 + L2). { unfold L2 at 2. rewrite <- ln_mult by lra. apply ln_mono; lra. } lra. }
  assert (one : forall n, (P <= n)%nat -> INR n * term b n <= 4 / ln (INR n)).
  { intros n hn. destruct (hl n ltac:(unfold P in hn; lia)) as [i [_ [l1 [l2 l3]]]]. destruct (hb n ltac:(unfold P in hn; lia)) as [_ g].
    set (L1 := ln (INR n)) in *. set (L2 := ln L1) in *.
    assert (t := term_below b (L1 + 3 * L2) n ltac:(lra) ltac:(lra)).
    replace (- (L1 + 3 * L2)) with (- L1 + (- 2 * L2 + - L2)) in t by ring. rewrite 2!exp_plus in t. unfold L2 at 2 in t. rewrite square_exp in t by lra.
    rewrite 2!exp_Ropp in t. unfold L2 at 2 in t. rewrite exp_ln in t by lra. unfold L1 at 2 in t. rewrite exp_ln in t by lra.
    apply Rle_trans with (INR n * ((L1 + 3 * L2) * (/ INR n * (/ (L1 * L1) * / L1)))); [apply Rmult_le_compat_l; [lra|exact t]|].
    replace (INR n * ((L1 + 3 * L2) * (/ INR n * (/ (L1 * L1) * / L1)))) with ((L1 + 3 * L2) * (/ (L1 * L1) * / L1)) by (field; lra).
    assert (il : 0 < / (L1 * L1)) by (apply Rinv_0_lt_compat; nra).
    replace (4 / L1) with (4 * L1 * (/ (L1 * L1) * 1)) by (field; lra).
    apply Rmult_le_compat; [lra|apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|lra|].
    apply Rmult_le_compat_l; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  apply (turns_summable c T b hc hT (proj1 pw) (proj2 pw)).
  - intros eps he. destruct (small_inverse 4 eps ltac:(lra) he) as [K [_ hK]]. exists (Nat.max P K). intros n hn.
    assert (a1 := one n ltac:(lia)). destruct (hK n ltac:(lia)) as [a3 _]. lra.
  - right. intros M. destruct (logs_from (Rabs C + Rabs M * exp C + 1)) as [K [_ hK]]. exists (Nat.max P K). intros n hn.
    destruct (hl n ltac:(unfold P in hn; lia)) as [i [_ [l1 [l2 l3]]]]. destruct (hb n ltac:(unfold P in hn; lia)) as [g1 g2].
    destruct (hK n ltac:(lia)) as [_ [k _]]. set (L1 := ln (INR n)) in *. set (L2 := ln L1) in *.
    assert (a1 := Rabs_pos C). assert (a2 := Rle_abs C). assert (a3 := Rle_abs (- C)). rewrite Rabs_Ropp in a3.
    assert (m0 := Rabs_pos M). assert (m1 := Rle_abs M). assert (ec := exp_pos C). assert (mc : 0 <= Rabs M * exp C) by (apply Rmult_le_pos; lra).
    assert (t : (2 * L1 + C) * exp (- (2 * L1 + C)) <= term b n).
    { unfold term. rewrite <- (Ropp_involutive (b n)) at 2. apply weighted_falls; lra. }
    replace (- (2 * L1 + C)) with (- 2 * L1 + - C) in t by ring. rewrite exp_plus in t. unfold L1 at 2 in t. rewrite square_exp in t by lra. rewrite exp_Ropp in t.
    apply Rle_trans with (INR n * INR n * ((2 * L1 + C) * (/ (INR n * INR n) * / exp C))); [|apply Rmult_le_compat_l; [nra|exact t]].
    replace (INR n * INR n * ((2 * L1 + C) * (/ (INR n * INR n) * / exp C))) with ((2 * L1 + C) / exp C) by (field; lra).
    apply Rmult_le_reg_r with (exp C); [exact ec|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rle_trans with (Rabs M * exp C); [apply Rmult_le_compat_r; lra|lra].
Qed.

(** * Infinite Z *)

Definition phi (x : R) : R := - x * ln x.

(* on [q, 1] phi is above its chord *)
Lemma phi_chord q p : 0 < q < 1 -> q <= p <= 1 -> phi q * (1 - p) <= phi p.
Proof.
  intros hq hp. assert (h0 : 0 <= phi q). { unfold phi. assert (g := ln_below q ltac:(lra)). nra. }
  destruct (proj2 hp) as [h1|h1].
  - set (s := (1 - p) / (1 - q)). assert (hs : 0 < s <= 1) by (split; [apply Rdiv_lt_0_compat; lra|apply div_le_one; lra]).
    assert (e : s * q + (1 - s) * 1 = p) by (unfold s; field; lra).
    assert (g := concave q 1 s ltac:(lra) ltac:(lra) hs ltac:(rewrite e; lra)). rewrite e, ln_1 in g. fold (phi q) (phi p) in g.
    assert (k : (1 - p) * phi q <= s * phi q).
    { apply Rmult_le_compat_r; [exact h0|]. unfold s. apply Rmult_le_reg_r with (1 - q); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
    lra.
  - rewrite h1. unfold phi at 2. rewrite ln_1. lra.
Qed.

Lemma first_few x N m : 0 <= x -> sum_f_R0 (fun i => if Nat.ltb i N then x else 0) m <= INR N * x.
Proof.
  intros hx. assert (h : sum_f_R0 (fun i => if Nat.ltb i N then x else 0) m = INR (Nat.min N (S m)) * x).
  { induction m as [|m IH].
    - simpl sum_f_R0. destruct (Nat.ltb_spec 0 N) as [k|k].
      + replace (Nat.min N 1) with 1%nat by lia. simpl. ring.
      + replace (Nat.min N 1) with 0%nat by lia. simpl. ring.
    - rewrite sum_next, IH. destruct (Nat.ltb_spec (S m) N) as [k|k].
      + replace (Nat.min N (S (S m))) with (S (Nat.min N (S m))) by lia. rewrite S_INR. ring.
      + replace (Nat.min N (S (S m))) with (Nat.min N (S m)) by lia. ring. }
  rewrite h. apply Rmult_le_compat_r; [exact hx|apply le_INR; lia].
Qed.

(* turns-by-entropy-divergent: Z is infinite, and the bias does not rise from N on *)
Theorem turns_divergent_bias c T b N : 0 < c -> 0 < T -> unbounded (Z b) -> (forall n, (N <= n)%nat -> b (S n) <= b n) ->
  ~ forall n, multiple T (angle c b n).
Proof.
  intros hc hT hz hb.
  assert (down : forall i n, (N <= i)%nat -> (i <= n)%nat -> b n <= b i).
  { intros i n hi hn. induction hn as [|n hn IH]; [lra|]. assert (g := hb n ltac:(lia)). lra. }
  destruct (bound_from b (b N) N) as [M hM]; [intros n hn; apply down; [lia|exact hn]|].
  assert (hinf : forall K, exists N0, forall n, (N0 <= n)%nat -> K <= H b n).
  { intros K. destruct (hz (exp (K + M))) as [N0 h0]. exists N0. intros n hn. assert (g := H_at_least b M n (fun i _ => hM i)).
    assert (k := Z_mono b N0 n hn). assert (q : K + M < ln (Z b n)); [|lra].
    rewrite <- (ln_exp (K + M)). apply ln_increasing; [apply exp_pos|lra]. }
  apply (turns_divergent c T b hc hT hinf). intros eps he. set (F := INR N + 3). assert (hF := pos_INR N).
  destruct (hinf (2 * F / eps)) as [N1 h1]. exists (Nat.max N N1). intros n hn. set (m := S n).
  assert (hs := H_step b n). cbv zeta in hs. fold m in hs |- *. set (q := lastw b m) in *. assert (hq := last_below_1 b n). fold m q in hq.
  assert (hn0 := H_nonneg b n). assert (hm0 := H_nonneg b m).
  assert (weights : forall i, (N <= i)%nat -> (i <= m)%nat -> q <= weight b m i).
  { intros i hi him. unfold q, lastw, weight. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Z_positive|]. apply exp_le. apply down; assumption. }
  assert (em : INR (S m) = INR n + 2) by (unfold m; rewrite !S_INR; ring).
  assert (nq : INR n * q <= INR N + 1).
  { assert (w := weights_one b m). assert (k : sum_f_R0 (fun i => q * 1 + -1 * (if Nat.ltb i N then q else 0)) m <= sum_f_R0 (weight b m) m).
    { apply sum_le. intros i hi. destruct (Nat.ltb_spec i N) as [l|l]; [assert (p := weight_positive b m i); lra|assert (p := weights i l hi); lra]. }
    rewrite (sum_linear (fun _ => 1) (fun i => if Nat.ltb i N then q else 0)), sum_constant, w in k.
    assert (f := first_few q N m ltac:(lra)). rewrite em in k. nra. }
  assert (pq : 0 <= phi q <= 1).
  { unfold phi. assert (g := ln_below q ltac:(lra)). assert (g2 := ln_below (/ q) ltac:(apply Rinv_0_lt_compat; lra)). rewrite ln_Rinv in g2 by lra.
    split; [nra|]. apply (Rmult_le_compat_l q) in g2; [|lra]. replace (q * (/ q - 1)) with (1 - q) in g2 by (field; lra). lra. }
  assert (nphi : INR n * phi q <= H b m + (INR N + 1)).
  { assert (k : sum_f_R0 (fun i => phi q * (1 + -1 * weight b m i) + -1 * (if Nat.ltb i N then phi q else 0)) m <= H b m).
    { rewrite H_shannon. apply sum_le. intros i hi. assert (p := weight_positive b m i). assert (p1 := weight_le_1 b m i hi). fold (phi (weight b m i)).
      destruct (Nat.ltb_spec i N) as [l|l].
      - assert (0 <= phi (weight b m i)) by (unfold phi; assert (g := ln_below _ p); nra). nra.
      - assert (g := phi_chord q (weight b m i) hq (conj (weights i l hi) p1)). lra. }
    rewrite (sum_linear (fun i => 1 + -1 * weight b m i) (fun i => if Nat.ltb i N then phi q else 0)) in k.
    rewrite (sum_equal (fun i => 1 + -1 * weight b m i) (fun i => 1 * 1 + -1 * weight b m i)) in k by (intros; ring).
    rewrite (sum_linear (fun _ => 1) (weight b m)), sum_constant, weights_one in k.
    assert (f := first_few (phi q) N m (proj1 pq)). rewrite em in k. nra. }
  assert (d : Rabs (H b m - H b n) <= q * (1 + H b n) + phi q).
  { unfold phi. apply Rabs_le. unfold phi in pq. assert (0 <= q * H b n) by (apply Rmult_le_pos; lra). lra. }
  assert (g1 := h1 n ltac:(lia)). assert (g2 := h1 m ltac:(unfold m; lia)).
  assert (e1 : 2 * F <= eps * (1 + H b n)).
  { apply (Rmult_le_compat_l eps) in g1; [|lra]. replace (eps * (2 * F / eps)) with (2 * F) in g1 by (field; lra). lra. }
  assert (e2 : 2 * F <= eps * (1 + H b m)).
  { apply (Rmult_le_compat_l eps) in g2; [|lra]. replace (eps * (2 * F / eps)) with (2 * F) in g2 by (field; lra). lra. }
  assert (i := pos_INR n).
  apply Rle_trans with (INR n * (q * (1 + H b n) + phi q)); [apply Rmult_le_compat_l; assumption|].
  assert (s1 : INR n * (q * (1 + H b n)) <= F * (1 + H b n)).
  { replace (INR n * (q * (1 + H b n))) with (INR n * q * (1 + H b n)) by ring. apply Rmult_le_compat_r; [lra|unfold F; lra]. }
  assert (s2 : INR n * phi q <= F * (1 + H b m)) by (unfold F; nra).
  assert (s3 : 2 * (F * (1 + H b n)) <= eps * ((1 + H b n) * (1 + H b m))).
  { replace (eps * ((1 + H b n) * (1 + H b m))) with ((1 + H b n) * (eps * (1 + H b m))) by ring.
    replace (2 * (F * (1 + H b n))) with ((1 + H b n) * (2 * F)) by ring. apply Rmult_le_compat_l; lra. }
  assert (s4 : 2 * (F * (1 + H b m)) <= eps * ((1 + H b n) * (1 + H b m))).
  { replace (eps * ((1 + H b n) * (1 + H b m))) with ((1 + H b m) * (eps * (1 + H b n))) by ring.
    replace (2 * (F * (1 + H b m))) with ((1 + H b m) * (2 * F)) by ring. apply Rmult_le_compat_l; lra. }
  lra.
Qed.
