(* G1 of docs/theorems.md and the rules turns-by-entropy-*: an angle c n/(1 + H(n)), H(n) being the entropy of the bias cut at n,
   is not a multiple of T at every n. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness Lengths.
Open Scope R_scope.

(** * How the entropy changes with one more token *)

Definition lastw (b : nat -> R) (n : nat) : R := weight b n n.

Lemma last_below_1 b n : 0 < lastw b (S n) < 1.
Proof.
  unfold lastw. split; [apply weight_positive|]. unfold weight. assert (h := Z_positive b n). assert (e := exp_pos (b (S n))).
  change (Z b (S n)) with (Z b n + exp (b (S n))). apply Rmult_lt_reg_r with (Z b n + exp (b (S n))); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(* grouping all tokens but the last *)
Lemma H_next b n : let q := lastw b (S n) in H b (S n) = (1 - q) * H b n - q * ln q - (1 - q) * ln (1 - q).
Proof.
  intros q. assert (h := Z_positive b n). assert (e := exp_pos (b (S n))). assert (hq := last_below_1 b n). fold q in hq.
  assert (z : Z b (S n) = Z b n + exp (b (S n))) by reflexivity.
  assert (q1 : 1 - q = Z b n / Z b (S n)) by (unfold q, lastw, weight; rewrite z; field; lra).
  assert (l1 : ln (1 - q) = ln (Z b n) - ln (Z b (S n))).
  { rewrite q1. unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; rewrite ?z; lra). ring. }
  assert (lq : ln q = b (S n) - ln (Z b (S n))) by apply ln_weight.
  rewrite l1, lq. rewrite 2!H_split. rewrite sum_next. set (s := sum_f_R0 (fun n => - b n * exp (b n)) n).
  rewrite q1. assert (q2 : q = exp (b (S n)) / Z b (S n)) by reflexivity. rewrite q2. rewrite z. field. lra.
Qed.

Lemma H_step b n : let q := lastw b (S n) in - q * ln q - q * H b n <= H b (S n) - H b n <= q - q * ln q.
Proof.
  intros q. assert (hq := last_below_1 b n). fold q in hq. rewrite (H_next b n). fold q. assert (h := H_nonneg b n).
  assert (g := ln_below (1 - q) ltac:(lra)). assert (g2 := ln_below (/ (1 - q)) ltac:(apply Rinv_0_lt_compat; lra)).
  rewrite ln_Rinv in g2 by lra. assert (k : (1 - q) * - ln (1 - q) <= q).
  { apply (Rmult_le_compat_l (1 - q)) in g2; [|lra]. replace ((1 - q) * (/ (1 - q) - 1)) with q in g2 by (field; lra). lra. }
  assert (k2 : 0 <= (1 - q) * - ln (1 - q)) by (apply Rmult_le_pos; lra). nra.
Qed.

(** * The angle *)

Definition angle (c : R) (b : nat -> R) (n : nat) : R := c * INR n / (1 + H b n).

Lemma angle_step c b n : let h := 1 + H b n in let h' := 1 + H b (S n) in
  angle c b (S n) - angle c b n = c / h' - c * (INR n * (h' - h) / (h * h')).
Proof.
  intros h h'. unfold angle. fold h h'. assert (p := H_nonneg b n). assert (p' := H_nonneg b (S n)). rewrite S_INR. field. unfold h, h'. lra.
Qed.

Definition multiple (T x : R) : Prop := exists k : BinNums.Z, x = IZR k * T.

Lemma multiple_minus T x y : multiple T x -> multiple T y -> multiple T (x - y).
Proof. intros [k hk] [j hj]. exists (k - j)%Z. rewrite minus_IZR, hk, hj. ring. Qed.

Lemma multiple_small T x : 0 < T -> multiple T x -> Rabs x < T -> x = 0.
Proof.
  intros hT [k hk] h. destruct (BinInt.Z.eq_dec k 0) as [e|e]; [rewrite hk, e; ring|exfalso].
  rewrite hk, Rabs_mult, (Rabs_pos_eq T) in h by lra. assert (g : 1 <= Rabs (IZR k)).
  { rewrite <- abs_IZR. apply IZR_le. lia. }
  nra.
Qed.

(** * A: the entropy tends to infinity, and n times its change over its square to 0 *)

Theorem turns_divergent c T b : 0 < c -> 0 < T ->
  (forall M, exists N, forall n, (N <= n)%nat -> M <= H b n) ->
  (forall eps, 0 < eps -> exists N, forall n, (N <= n)%nat -> INR n * Rabs (H b (S n) - H b n) <= eps * ((1 + H b n) * (1 + H b (S n)))) ->
  ~ forall n, multiple T (angle c b n).
Proof.
  intros hc hT hinf hstep hall. destruct (hinf (2 * c / T)) as [N1 h1]. destruct (hstep (T / (4 * c))) as [N2 h2].
  { apply Rdiv_lt_0_compat; lra. }
  set (N := Nat.max N1 N2). assert (hcT : 0 < c / T) by (apply Rdiv_lt_0_compat; lra).
  assert (flat : forall n, (N <= n)%nat -> angle c b (S n) = angle c b n).
  { intros n hn. assert (z : angle c b (S n) - angle c b n = 0); [|lra].
    apply (multiple_small T); [exact hT|apply multiple_minus; apply hall|]. rewrite angle_step.
    set (h := 1 + H b n). set (h' := 1 + H b (S n)).
    assert (p := H_nonneg b n). assert (p' := H_nonneg b (S n)). assert (hp : 0 < h) by (unfold h; lra). assert (hp' : 0 < h') by (unfold h'; lra).
    assert (g1 := h1 (S n) ltac:(unfold N in hn; lia)). assert (g2 := h2 n ltac:(unfold N in hn; lia)).
    replace (H b (S n) - H b n) with (h' - h) in g2 by (unfold h, h'; ring). fold h h' in g2.
    assert (a1 : 0 < c / h' < T / 2).
    { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with h'; [exact hp'|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      assert (2 * c / T < h') by (unfold h'; lra). apply Rle_lt_trans with (T / 2 * (2 * c / T)); [right; field; lra|apply Rmult_lt_compat_l; lra]. }
    assert (a2 : Rabs (c * (INR n * (h' - h) / (h * h'))) <= T / 4).
    { assert (hh : 0 < h * h') by (apply Rmult_lt_0_compat; assumption).
      replace (c * (INR n * (h' - h) / (h * h'))) with (c * (INR n * (h' - h)) * / (h * h')) by (unfold Rdiv; ring).
      rewrite 3!Rabs_mult, (Rabs_pos_eq c), (Rabs_pos_eq (INR n)), (Rabs_pos_eq (/ (h * h'))) by
        (try apply pos_INR; try (left; apply Rinv_0_lt_compat; exact hh); lra).
      apply Rmult_le_reg_r with (h * h'); [exact hh|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rle_trans with (c * (T / (4 * c) * (h * h'))); [apply Rmult_le_compat_l; [lra|exact g2]|right; field; lra]. }
    apply Rabs_le_between in a2. apply Rabs_def1; lra. }
  assert (const : forall n, (N <= n)%nat -> angle c b n = angle c b N).
  { intros n hn. induction hn as [|n hn IH]; [reflexivity|]. rewrite flat by exact hn. exact IH. }
  (* but it grows at least like n/(1 + log(n + 1)) *)
  set (V := Rmax 1 (angle c b N)). assert (hV1 := Rmax_l 1 (angle c b N)). assert (hV2 := Rmax_r 1 (angle c b N)). fold V in hV1, hV2.
  destruct (near_nat _ (near_and _ _ (ln_below_line (c / (4 * V)) ltac:(apply Rdiv_lt_0_compat; lra)) (near_above (8 * V / c)))) as [K [hK1 hK]].
  set (n := Nat.max N K). destruct (hK (S n) ltac:(unfold n; lia)) as [k1 k2]. assert (e := const n ltac:(unfold n; lia)).
  assert (g := H_at_most b n). assert (p := H_nonneg b n).
  assert (k3 : 1 + H b n <= 1 + c / (4 * V) * INR (S n)) by lra.
  assert (ha : c * INR n <= V * (1 + H b n)).
  { replace (c * INR n) with (angle c b n * (1 + H b n)) by (unfold angle; field; lra).
    apply Rmult_le_compat_r; [lra|]. rewrite e. exact hV2. }
  assert (ha2 : V * (1 + H b n) <= V + c / 4 * INR (S n)).
  { apply Rle_trans with (V * (1 + c / (4 * V) * INR (S n))); [apply Rmult_le_compat_l; lra|right; field; lra]. }
  assert (k4 : 8 * V < c * INR (S n)).
  { apply (Rmult_lt_compat_l c) in k2; [|exact hc]. replace (c * (8 * V / c)) with (8 * V) in k2 by (field; lra). exact k2. }
  assert (k5 : INR (S n) <= 2 * INR n). { rewrite S_INR. assert (q := le_INR 1 n ltac:(unfold n; lia)). simpl in q. lra. }
  assert (k6 : c * INR (S n) <= c * (2 * INR n)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** * B: the entropy converges, n times its change tends to 0, and n^2 times its change to no positive number *)

Theorem turns_convergent c T b h : 0 < c -> 0 < T -> 0 < h ->
  (forall eps, 0 < eps -> exists N, forall n, (N <= n)%nat -> Rabs (1 + H b n - h) <= eps) ->
  (forall eps, 0 < eps -> exists N, forall n, (N <= n)%nat -> INR n * Rabs (H b (S n) - H b n) <= eps) ->
  (exists N, forall n, (N <= n)%nat -> 0 < H b (S n) - H b n) ->
  ((forall eps, 0 < eps -> exists N, forall n, (N <= n)%nat -> INR n * INR n * (H b (S n) - H b n) <= eps) \/
   (forall M, exists N, forall n, (N <= n)%nat -> M <= INR n * INR n * (H b (S n) - H b n))) ->
  ~ forall n, multiple T (angle c b n).
Proof.
  intros hc hT hh hlim hstep hrise hend hall.
  set (D := c / h). assert (hD : 0 < D) by (apply Rdiv_lt_0_compat; assumption).
  (* the increments of the angle tend to D; they are multiples of T, so they are D for all large n *)
  assert (near_D : forall eps, 0 < eps -> exists N, forall n, (N <= n)%nat -> Rabs (angle c b (S n) - angle c b n - D) <= eps).
  { intros eps he. set (e1 := Rmin (h / 2) (eps * h * h / (8 * c))). assert (he1 : 0 < e1).
    { unfold e1. apply Rmin_glb_lt; [lra|]. apply Rdiv_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat|]; assumption. }
    destruct (hlim e1 he1) as [N1 h1]. destruct (hstep (eps / (2 * c)) ltac:(apply Rdiv_lt_0_compat; lra)) as [N2 h2].
    exists (Nat.max N1 N2). intros n hn. rewrite angle_step. set (x := 1 + H b n). set (y := 1 + H b (S n)).
    assert (g1 := h1 (S n) ltac:(lia)). fold y in g1. assert (g2 := h2 n ltac:(lia)). replace (H b (S n) - H b n) with (y - x) in g2 by (unfold x, y; ring).
    assert (px : 1 <= x) by (unfold x; assert (q := H_nonneg b n); lra). assert (py : 1 <= y) by (unfold y; assert (q := H_nonneg b (S n)); lra).
    assert (m1 := Rmin_l (h / 2) (eps * h * h / (8 * c))). assert (m2 := Rmin_r (h / 2) (eps * h * h / (8 * c))). fold e1 in m1, m2.
    assert (yh : h / 2 <= y) by (apply Rabs_le_between in g1; lra).
    assert (t1 : Rabs (c / y - D) <= eps / 4).
    { unfold D. replace (c / y - c / h) with (c * (h - y) * / (y * h)) by (field; lra). assert (yp : 0 < y * h) by (apply Rmult_lt_0_compat; lra).
      rewrite 2!Rabs_mult, (Rabs_pos_eq c), (Rabs_pos_eq (/ (y * h))) by (try (left; apply Rinv_0_lt_compat; exact yp); lra).
      apply Rmult_le_reg_r with (y * h); [exact yp|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite Rabs_minus_sym.
      apply Rle_trans with (c * (eps * h * h / (8 * c))); [apply Rmult_le_compat_l; lra|].
      replace (c * (eps * h * h / (8 * c))) with (eps / 4 * (h / 2 * h)) by (field; lra). apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra. }
    assert (t2 : Rabs (c * (INR n * (y - x) / (x * y))) <= eps / 2).
    { assert (xy : 1 <= x * y) by nra. replace (c * (INR n * (y - x) / (x * y))) with (c * (INR n * (y - x)) * / (x * y)) by (unfold Rdiv; ring).
      rewrite 3!Rabs_mult, (Rabs_pos_eq c), (Rabs_pos_eq (INR n)), (Rabs_pos_eq (/ (x * y))) by
        (try apply pos_INR; try (left; apply Rinv_0_lt_compat; lra); lra).
      apply Rle_trans with (c * (INR n * Rabs (y - x)) * 1).
      - apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra|apply Rmult_le_pos; [apply pos_INR|apply Rabs_pos]]|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
      - rewrite Rmult_1_r. apply Rle_trans with (c * (eps / (2 * c))); [apply Rmult_le_compat_l; lra|right; field; lra]. }
    apply Rabs_le_between in t1. apply Rabs_le_between in t2. apply Rabs_le. lra. }
  assert (steady : exists N, forall n, (N <= n)%nat -> angle c b (S n) - angle c b n = D).
  { destruct (near_D (T / 4) ltac:(lra)) as [N hN]. exists N. intros n hn.
    assert (same : forall k, (N <= k)%nat -> angle c b (S k) - angle c b k = angle c b (S N) - angle c b N).
    { intros k hk. assert (z : (angle c b (S k) - angle c b k) - (angle c b (S N) - angle c b N) = 0); [|lra].
      apply (multiple_small T); [exact hT|apply multiple_minus; apply multiple_minus; apply hall|].
      assert (a1 := hN k hk). assert (a2 := hN N (le_n _)). apply Rabs_le_between in a1. apply Rabs_le_between in a2. apply Rabs_def1; lra. }
    destruct (Req_dec (angle c b (S n) - angle c b n) D) as [e|e]; [exact e|exfalso].
    assert (pd := Rabs_pos_lt (angle c b (S n) - angle c b n - D) ltac:(lra)).
    destruct (near_D (Rabs (angle c b (S n) - angle c b n - D) / 2) ltac:(lra)) as [K hK].
    assert (q := hK (Nat.max N K) ltac:(lia)). rewrite (same (Nat.max N K) ltac:(lia)), <- (same n hn) in q. lra. }
  destruct steady as [N hN]. set (s := angle c b N / D - INR N).
  assert (line : forall n, (N <= n)%nat -> angle c b n = D * (INR n + s)).
  { intros n hn. induction hn as [|n hn IH].
    - unfold s. field. lra.
    - assert (q := hN n hn). rewrite S_INR. lra. }
  (* so 1 + H(n) = h n/(n + s), whose change is h s/((n + s)(n + 1 + s)) *)
  assert (form : forall n, (N <= n)%nat -> (1 <= n)%nat -> 0 < INR n + s /\ (1 + H b n) * (INR n + s) = h * INR n).
  { intros n hn hn1. assert (q := line n hn). assert (p := H_nonneg b n). assert (i := lt_0_INR n ltac:(lia)).
    assert (a : 0 < angle c b n) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
    split; [apply Rmult_lt_reg_l with D; lra|]. unfold angle in q.
    assert (q2 : c * INR n = D * (INR n + s) * (1 + H b n)) by (rewrite <- q; field; lra).
    apply Rmult_eq_reg_l with D; [|lra]. replace (D * (h * INR n)) with (c * INR n) by (unfold D; field; lra). rewrite q2. ring. }
  assert (change : forall n, (N <= n)%nat -> (1 <= n)%nat -> (H b (S n) - H b n) * ((INR n + s) * (INR n + 1 + s)) = h * s).
  { intros n hn hn1. destruct (form n hn hn1) as [f1 f2]. destruct (form (S n) ltac:(lia) ltac:(lia)) as [f3 f4]. rewrite S_INR in f3, f4.
    replace ((H b (S n) - H b n) * ((INR n + s) * (INR n + 1 + s)))
      with ((1 + H b (S n)) * (INR n + 1 + s) * (INR n + s) - (1 + H b n) * (INR n + s) * (INR n + 1 + s)) by ring.
    rewrite f4, f2. ring. }
  destruct hrise as [N2 hrise]. set (N3 := Nat.max 1 (Nat.max N N2)).
  assert (hs : 0 < s).
  { assert (q := change N3 ltac:(unfold N3; lia) ltac:(unfold N3; lia)). destruct (form N3 ltac:(unfold N3; lia) ltac:(unfold N3; lia)) as [f1 _].
    assert (r := hrise N3 ltac:(unfold N3; lia)).
    assert (0 < h * s) by (rewrite <- q; apply Rmult_lt_0_compat; [exact r|apply Rmult_lt_0_compat; lra]).
    apply Rmult_lt_reg_l with h; lra. }
  assert (large : exists K, (N3 <= K)%nat /\ forall n, (K <= n)%nat -> 1 + s <= INR n).
  { destruct (nfloor_ex (1 + s) ltac:(lra)) as [k [_ hk]]. exists (Nat.max N3 (S k)). split; [lia|]. intros n hn.
    assert (q := le_INR (S k) n ltac:(lia)). rewrite S_INR in q. lra. }
  destruct large as [K [hK1 hK2]].
  assert (both : forall n, (K <= n)%nat -> h * s / 4 <= INR n * INR n * (H b (S n) - H b n) <= h * s).
  { intros n hn. assert (q := change n ltac:(unfold N3 in hK1; lia) ltac:(unfold N3 in hK1; lia)). assert (r := hK2 n hn).
    assert (rise := hrise n ltac:(unfold N3 in hK1; lia)). set (d := H b (S n) - H b n) in *. set (x := INR n) in *.
    assert (b1 : x * x <= (x + s) * (x + 1 + s)) by nra. assert (b2 : (x + s) * (x + 1 + s) <= 4 * (x * x)) by nra.
    assert (c1 : d * (x * x) <= d * ((x + s) * (x + 1 + s))) by (apply Rmult_le_compat_l; lra).
    assert (c2 : d * ((x + s) * (x + 1 + s)) <= d * (4 * (x * x))) by (apply Rmult_le_compat_l; lra). lra. }
  assert (hhs : 0 < h * s) by (apply Rmult_lt_0_compat; assumption).
  destruct hend as [hend|hend].
  - destruct (hend (h * s / 8) ltac:(lra)) as [P hP]. assert (q := hP (Nat.max K P) ltac:(lia)). destruct (both (Nat.max K P) ltac:(lia)). lra.
  - destruct (hend (2 * (h * s))) as [P hP]. assert (q := hP (Nat.max K P) ltac:(lia)). destruct (both (Nat.max K P) ltac:(lia)). lra.
Qed.
