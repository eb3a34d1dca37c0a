(* T1 of docs/certificates.md: sum-converges and sum-diverges for every depth k of the ladder of iterated logarithms. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth.
Open Scope R_scope.

Definition bounded (u : nat -> R) : Prop := exists M, forall L, u L <= M.
Definition unbounded (u : nat -> R) : Prop := forall M, exists L, M < u L.

Lemma not_bounded u : unbounded u -> ~ bounded u.
Proof. intros h [M hM]. destruct (h M) as [L hL]. assert (g := hM L). lra. Qed.

(** * Finite sums *)

Lemma sum_next u L : sum_f_R0 u (S L) = sum_f_R0 u L + u (S L).
Proof. reflexivity. Qed.

Lemma sum_le u v L : (forall n, (n <= L)%nat -> u n <= v n) -> sum_f_R0 u L <= sum_f_R0 v L.
Proof. intros h. apply sum_Rle. exact h. Qed.

Lemma sum_equal u v L : (forall n, (n <= L)%nat -> u n = v n) -> sum_f_R0 u L = sum_f_R0 v L.
Proof. apply sum_eq. Qed.

Lemma sum_nonneg u L : (forall n, (n <= L)%nat -> 0 <= u n) -> 0 <= sum_f_R0 u L.
Proof.
  induction L as [|L IH]; intros h; [apply h; lia|]. rewrite sum_next.
  apply Rplus_le_le_0_compat; [apply IH; intros; apply h; lia|apply h; lia].
Qed.

Lemma sum_mono u L M : (forall n, 0 <= u n) -> (L <= M)%nat -> sum_f_R0 u L <= sum_f_R0 u M.
Proof. intros hu hL. induction hL as [|M hL IH]; [lra|]. rewrite sum_next. assert (h := hu (S M)). lra. Qed.

Lemma sum_linear u v s t L : sum_f_R0 (fun n => s * u n + t * v n) L = s * sum_f_R0 u L + t * sum_f_R0 v L.
Proof. induction L as [|L IH]; [reflexivity|]. rewrite 3!sum_next, IH. ring. Qed.

Lemma sum_scale u s L : sum_f_R0 (fun n => s * u n) L = s * sum_f_R0 u L.
Proof. induction L as [|L IH]; [reflexivity|]. rewrite 2!sum_next, IH. ring. Qed.

Lemma sum_constant s L : sum_f_R0 (fun _ => s) L = s * INR (S L).
Proof. rewrite sum_cte. ring. Qed.

Lemma sum_term u L n : (forall i, (i <= L)%nat -> 0 <= u i) -> (n <= L)%nat -> u n <= sum_f_R0 u L.
Proof.
  induction L as [|L IH]; intros hu hn.
  - replace n with 0%nat by lia. simpl; lra.
  - rewrite sum_next. destruct (Nat.eq_dec n (S L)) as [e|e].
    + assert (h : 0 <= sum_f_R0 u L) by (apply sum_nonneg; intros; apply hu; lia). rewrite e. lra.
    + assert (h := IH ltac:(intros; apply hu; lia) ltac:(lia)). assert (g := hu (S L) (le_n _)). lra.
Qed.

(** * Comparison *)

(* Terms that are at most the differences of a bounded sequence, from N on. *)
Lemma telescope_bounded (a G : nat -> R) N M :
  (forall n, (N <= n)%nat -> a (S n) <= G (S n) - G n) -> (forall n, (N <= n)%nat -> G n <= M) -> bounded (sum_f_R0 a).
Proof.
  intros ha hM. assert (hs : forall n, sum_f_R0 a (N + n) <= sum_f_R0 a N + (G (N + n)%nat - G N)).
  { induction n as [|n IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r, sum_next.
    assert (h := ha (N + n)%nat ltac:(lia)). lra. }
  assert (hf : exists K, forall n, (n <= N)%nat -> sum_f_R0 a n <= K).
  { clear. induction N as [|N [K hK]]; [exists (sum_f_R0 a 0); intros n h; replace n with 0%nat by lia; lra|].
    exists (Rmax K (sum_f_R0 a (S N))). intros n h. destruct (Nat.eq_dec n (S N)) as [e|e].
    - rewrite e. apply Rmax_r.
    - apply Rle_trans with K; [apply hK; lia|apply Rmax_l]. }
  destruct hf as [K hK]. exists (Rmax K (sum_f_R0 a N + (M - G N))). intros L. destruct (Compare_dec.le_lt_dec L N) as [h|h].
  - apply Rle_trans with K; [apply hK; exact h|apply Rmax_l].
  - apply Rle_trans with (2 := Rmax_r _ _). assert (g := hs (L - N)%nat). replace (N + (L - N))%nat with L in g by lia.
    assert (g2 := hM L ltac:(lia)). lra.
Qed.

Lemma telescope_unbounded (a G : nat -> R) N s : 0 < s ->
  (forall n, (N <= n)%nat -> s * (G (S n) - G n) <= a (S n)) -> (forall M, exists L, (N <= L)%nat /\ M < G L) -> unbounded (sum_f_R0 a).
Proof.
  intros hs ha hG M. assert (h : forall n, sum_f_R0 a N + s * (G (N + n)%nat - G N) <= sum_f_R0 a (N + n)).
  { induction n as [|n IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r, sum_next.
    assert (g := ha (N + n)%nat ltac:(lia)). lra. }
  destruct (hG ((M - sum_f_R0 a N) / s + G N)) as [L [hL g]]. exists L.
  assert (h2 := h (L - N)%nat). replace (N + (L - N))%nat with L in h2 by lia.
  assert (h3 : M - sum_f_R0 a N < s * (G L - G N)).
  { replace (M - sum_f_R0 a N) with (s * ((M - sum_f_R0 a N) / s)) by (field; lra). apply Rmult_lt_compat_l; lra. }
  lra.
Qed.

Lemma bounded_compare (u v : nat -> R) s N : 0 <= s -> (forall n, 0 <= v n) -> (forall n, (N <= n)%nat -> u n <= s * v n) ->
  bounded (sum_f_R0 v) -> bounded (sum_f_R0 u).
Proof.
  intros hs hv h [M hM]. apply (telescope_bounded u (fun n => s * sum_f_R0 v n) N (s * M)).
  - intros n hn. rewrite sum_next. assert (g := h (S n) ltac:(lia)). lra.
  - intros n _. apply Rmult_le_compat_l; [exact hs|apply hM].
Qed.

Lemma unbounded_compare (u v : nat -> R) s N : 0 < s -> (forall n, 0 <= v n) -> (forall n, (N <= n)%nat -> s * v n <= u n) ->
  unbounded (sum_f_R0 v) -> unbounded (sum_f_R0 u).
Proof.
  intros hs hv h hV. apply (telescope_unbounded u (sum_f_R0 v) N s hs).
  - intros n hn. rewrite sum_next. replace (sum_f_R0 v n + v (S n) - sum_f_R0 v n) with (v (S n)) by ring. apply h; lia.
  - intros M. destruct (hV (Rmax M (sum_f_R0 v N))) as [L hL]. assert (h1 := Rmax_l M (sum_f_R0 v N)).
    assert (h2 := Rmax_r M (sum_f_R0 v N)). exists L. split; [|lra].
    destruct (Compare_dec.le_lt_dec N L) as [g|g]; [exact g|].
    assert (g2 : sum_f_R0 v L <= sum_f_R0 v N) by (apply sum_mono; [exact hv|lia]). lra.
Qed.

(** * The ladder *)

Lemma derive_power k eta x : 0 < eta -> positive k x ->
  is_derive (fun t => - exp (- eta * iter (S k) t) / eta) x (exp (- logs k x - (1 + eta) * iter (S k) x)).
Proof.
  intros he hp.
  replace (- logs k x - (1 + eta) * iter (S k) x) with (- logs (S k) x + - eta * iter (S k) x) by (change (logs (S k) x) with (logs k x + iter (S k) x); ring).
  rewrite exp_plus, exp_logs by assumption. destruct (product_positive _ _ hp).
  replace (/ product (S k) x * exp (- eta * iter (S k) x))
    with (scal (/ product (S k) x) (exp (- eta * iter (S k) x))) by reflexivity.
  apply (is_derive_comp (fun y => - exp (- eta * y) / eta) (iter (S k))); [|apply derive_iter; assumption].
  auto_derive; [lra|field; lra].
Qed.

Lemma ladder_falls k eta x y : 0 <= eta -> positive k x -> x <= y ->
  exp (- logs k y - (1 + eta) * iter (S k) y) <= exp (- logs k x - (1 + eta) * iter (S k) x).
Proof.
  intros he hp hxy. apply exp_le.
  assert (hl : forall j, (j <= S k)%nat -> logs j x <= logs j y).
  { induction j as [|j IH]; intros hj; [apply Rle_refl|]. change (logs j x + iter (S j) x <= logs j y + iter (S j) y).
    assert (h := IH ltac:(lia)). assert (g := iter_mono k x y hp hxy (S j) hj). lra. }
  assert (h := hl k ltac:(lia)). assert (g := iter_mono k x y hp hxy (S k) (le_n _)). nra.
Qed.

(* From N on the terms are at most e^C / (n L1 ... L_(k-1) L_k^(1 + eta)). *)
Theorem sum_converges (A : nat -> R) k eta C N : 0 < eta -> positive k (INR N) ->
  (forall n, (N <= n)%nat -> A n <= C - logs k (INR n) - (1 + eta) * iter (S k) (INR n)) -> bounded (Z A).
Proof.
  intros he hp hA. unfold Z.
  apply (telescope_bounded _ (fun n => exp C * (- exp (- eta * iter (S k) (INR n)) / eta)) N 0).
  - intros n hn. assert (hn' := positive_from _ _ _ hp hn). assert (hlt : INR n < INR (S n)) by (apply lt_INR; lia).
    assert (hs := S_INR n).
    destruct (MVT_cor2 (fun t => - exp (- eta * iter (S k) t) / eta) (fun x => exp (- logs k x - (1 + eta) * iter (S k) x))
                (INR n) (INR (S n)) hlt) as [x [hx hin]].
    { intros x hx. apply is_derive_Reals. apply derive_power; [assumption|]. apply (positive_mono k (INR n)); [assumption|lra]. }
    cbv beta in hx. rewrite <- Rmult_minus_distr_l, hx. replace (INR (S n) - INR n) with 1 by lra. rewrite Rmult_1_r, <- exp_plus.
    apply Rle_trans with (exp (C + (- logs k (INR (S n)) - (1 + eta) * iter (S k) (INR (S n))))).
    + apply exp_le. assert (h := hA (S n) ltac:(lia)). lra.
    + rewrite 2!exp_plus. apply Rmult_le_compat_l; [left; apply exp_pos|].
      apply ladder_falls; [lra| |lra]. apply (positive_mono k (INR n)); [assumption|lra].
  - intros n _. assert (h := exp_pos (- eta * iter (S k) (INR n))). assert (g := exp_pos C).
    assert (0 <= exp C * (exp (- eta * iter (S k) (INR n)) / eta)).
    { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; exact he]. }
    replace (exp C * (- exp (- eta * iter (S k) (INR n)) / eta)) with (- (exp C * (exp (- eta * iter (S k) (INR n)) / eta)))
      by (unfold Rdiv; ring). lra.
Qed.

(* From N on the terms are at least e^(-C) / (n L1 ... L_k). *)
Theorem sum_diverges (A : nat -> R) k C N : positive k (INR N) ->
  (forall n, (N <= n)%nat -> - C - logs (S k) (INR n) <= A n) -> unbounded (Z A).
Proof.
  intros hp hA. unfold Z.
  apply (telescope_unbounded _ (fun n => iter (S k) (INR (S n))) N (exp (- C)) (exp_pos _)).
  - intros n hn. assert (hn' : positive k (INR (S n))) by (apply (positive_from k N); [exact hp|lia]).
    assert (hlt : INR (S n) < INR (S (S n))) by (apply lt_INR; lia). assert (hs := S_INR (S n)).
    destruct (MVT_cor2 (iter (S k)) (fun t => / product (S k) t) (INR (S n)) (INR (S (S n))) hlt) as [x [hx hin]].
    { intros x hx. apply is_derive_Reals. apply derive_iter. apply (positive_mono k (INR (S n))); [assumption|lra]. }
    rewrite hx. replace (INR (S (S n)) - INR (S n)) with 1 by lra. rewrite Rmult_1_r.
    apply Rle_trans with (exp (- C - logs (S k) (INR (S n)))); [|apply exp_le; apply hA; lia].
    replace (- C - logs (S k) (INR (S n))) with (- C + - logs (S k) (INR (S n))) by ring.
    rewrite exp_plus, exp_logs by assumption. apply Rmult_le_compat_l; [left; apply exp_pos|].
    apply Rinv_le_contravar; [apply (product_positive _ _ hn')|apply product_mono; [assumption|lra]].
  - intros M. destruct (iter_unbounded (S k) M) as [K [_ hK]]. exists (Nat.max N K). split; [lia|apply hK; lia].
Qed.
