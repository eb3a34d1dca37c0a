(* The entropy of N = L + 1 keys whose scores lie in intervals [l n, u n]: where it is largest, and where it is least. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Gpe Require Import Definitions Growth Sums Contents Normalization Entropy Boundedness Lengths.
Open Scope R_scope.

Definition clamp (t l u : R) : R := Rmin u (Rmax l t).

Lemma clamp_between t l u : l <= u -> l <= clamp t l u <= u.
Proof.
  intros h. unfold clamp. split; [apply Rmin_glb; [exact h|apply Rmax_l]|apply Rmin_l].
Qed.

Lemma clamp_low t l u : t < clamp t l u -> l <= u -> clamp t l u = l.
Proof.
  unfold clamp. intros h hlu. assert (g := Rmin_r u (Rmax l t)). unfold Rmax in *. destruct (Rle_dec l t) as [k|k]; [lra|].
  apply Rmin_right. exact hlu.
Qed.

Lemma clamp_high t l u : clamp t l u < t -> l <= u -> clamp t l u = u.
Proof.
  unfold clamp. intros h hlu. unfold Rmin in *. destruct (Rle_dec u (Rmax l t)) as [k|k]; [reflexivity|].
  assert (g := Rmax_r l t). lra.
Qed.

(* tau is log Z - H *)
Theorem band_tau (A : nat -> R) L tau : sum_f_R0 (fun n => exp (A n) * (A n - tau)) L = 0 -> tau = ln (Z A L) - H A L.
Proof.
  intros h. unfold H. rewrite (sum_equal (fun n => weight A L n * A n) (fun n => / Z A L * (exp (A n) * (A n - tau)) + tau * weight A L n))
    by (intros; unfold weight, Rdiv; ring).
  rewrite (sum_linear (fun n => exp (A n) * (A n - tau)) (weight A L)), weights_one, h. ring.
Qed.

(** * The largest entropy: all scores as near as possible to tau, the mean score under their weights *)

Theorem band_upper (l u A : nat -> R) L tau : (forall n, (n <= L)%nat -> l n <= A n <= u n) ->
  sum_f_R0 (fun n => exp (clamp tau (l n) (u n)) * (clamp tau (l n) (u n) - tau)) L = 0 ->
  H A L <= H (fun n => clamp tau (l n) (u n)) L.
Proof.
  intros hA ht. set (S := fun n => clamp tau (l n) (u n)) in *.
  assert (hs : sum_f_R0 (fun n => exp (S n) * (S n - tau)) L = 0) by exact ht.
  assert (h0 : 0 <= sum_f_R0 (fun n => exp (A n) * (S n - tau)) L).
  { rewrite <- hs. apply sum_le. intros n hn. destruct (hA n hn) as [a b]. assert (hlu : l n <= u n) by lra.
    destruct (Rtotal_order (S n) tau) as [q|[q|q]].
    - assert (e : S n = u n) by (apply clamp_high; [exact q|exact hlu]). assert (k := exp_le (A n) (S n) ltac:(lra)). nra.
    - rewrite q. lra.
    - assert (e : S n = l n) by (apply clamp_low; [exact q|exact hlu]). assert (k := exp_le (S n) (A n) ltac:(lra)). nra. }
  assert (g := H_gibbs A (fun n => exp (S n)) L (fun n => exp_pos _)). change (sum_f_R0 (fun n => exp (S n)) L) with (Z S L) in g.
  rewrite (sum_equal (fun n => weight A L n * ln (exp (S n))) (fun n => / Z A L * (exp (A n) * (S n - tau)) + tau * weight A L n)) in g
    by (intros; rewrite ln_exp; unfold weight, Rdiv; ring).
  rewrite (sum_linear (fun n => exp (A n) * (S n - tau)) (weight A L)), weights_one in g.
  assert (k := band_tau S L tau hs).
  assert (z := Rinv_0_lt_compat _ (Z_positive A L)).
  assert (0 <= / Z A L * sum_f_R0 (fun n => exp (A n) * (S n - tau)) L) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma clamp_continuous l u x : continuous (fun t => clamp t l u) x.
Proof.
  assert (lip : forall a b, Rabs (clamp b l u - clamp a l u) <= Rabs (b - a)).
  { intros a b. unfold clamp. apply Rle_trans with (Rabs (Rmax l b - Rmax l a)).
    - set (p := Rmax l b). set (q := Rmax l a). unfold Rmin. destruct (Rle_dec u p), (Rle_dec u q); split_Rabs; lra.
    - unfold Rmax. destruct (Rle_dec l b), (Rle_dec l a); split_Rabs; lra. }
  intros P [eps hP]. exists eps. intros y hy. apply hP. apply Rle_lt_trans with (1 := lip x y). exact hy.
Qed.

Lemma sum_continuous (g : R -> nat -> R) x L : (forall n, continuous (fun t => g t n) x) -> continuous (fun t => sum_f_R0 (g t) L) x.
Proof.
  intros h. induction L as [|L IH]; [apply h|]. apply (continuous_plus (fun t => sum_f_R0 (g t) L) (fun t => g t (S L))); [exact IH|apply h].
Qed.

Lemma exp_continuous x : continuous exp x.
Proof. apply (ex_derive_continuous exp). auto_derive. trivial. Qed.

(* there is such a tau *)
Theorem band_upper_attained (l u : nat -> R) L : (forall n, (n <= L)%nat -> l n <= u n) ->
  exists tau, sum_f_R0 (fun n => exp (clamp tau (l n) (u n)) * (clamp tau (l n) (u n) - tau)) L = 0.
Proof.
  intros h. set (G := fun t => sum_f_R0 (fun n => exp (clamp t (l n) (u n)) * (clamp t (l n) (u n) - t)) L).
  assert (hG : continuity G).
  { intros x. apply continuity_pt_filterlim. apply (sum_continuous (fun t n => exp (clamp t (l n) (u n)) * (clamp t (l n) (u n) - t))).
    intros n. apply (continuous_mult (fun t => exp (clamp t (l n) (u n))) (fun t => clamp t (l n) (u n) - t)).
    - apply (continuous_comp (fun t => clamp t (l n) (u n)) exp); [apply clamp_continuous|apply exp_continuous].
    - apply (continuous_minus (fun t => clamp t (l n) (u n)) (fun t => t)); [apply clamp_continuous|apply continuous_id]. }
  destruct (finite_min l L) as [i [hi hmin]]. destruct (finite_max u L) as [M hM].
  assert (h1 : 0 <= G (l i)).
  { apply sum_nonneg. intros n hn. apply Rmult_le_pos; [left; apply exp_pos|]. assert (g := clamp_between (l i) _ _ (h n hn)).
    assert (q := hmin n hn). lra. }
  assert (h2 : G (Rmax (l i) M) <= 0).
  { assert (q := Rmax_r (l i) M). replace 0 with (sum_f_R0 (fun _ => 0) L) by (rewrite sum_constant; ring). apply sum_le. intros n hn.
    assert (g := clamp_between (Rmax (l i) M) _ _ (h n hn)). assert (k := hM n hn). assert (e := exp_pos (clamp (Rmax (l i) M) (l n) (u n))). nra. }
  destruct (IVT_cor G (l i) (Rmax (l i) M) hG (Rmax_l _ _) ltac:(nra)) as [tau [_ e]]. exists tau. exact e.
Qed.

(** * The least entropy: at a vertex *)

Definition put (A : nat -> R) (k : nat) (x : R) (n : nat) : R := if Nat.eqb n k then x else A n.

Lemma Z_put A k x L : (k <= L)%nat -> Z (put A k x) L = Z A L - exp (A k) + exp x.
Proof.
  intros hk. unfold Z. induction L as [|L IH].
  - replace k with 0%nat by lia. simpl. unfold put. simpl. ring.
  - rewrite 2!sum_next. destruct (Nat.eq_dec k (S L)) as [e|e].
    + rewrite e. assert (q : sum_f_R0 (fun n => exp (put A (S L) x n)) L = sum_f_R0 (fun n => exp (A n)) L).
      { apply sum_equal. intros n hn. unfold put. rewrite (proj2 (Nat.eqb_neq n (S L))) by lia. reflexivity. }
      rewrite q. unfold put at 1. rewrite Nat.eqb_refl. ring.
    + rewrite IH by lia. unfold put at 1. rewrite (proj2 (Nat.eqb_neq (S L) k)) by lia. ring.
Qed.

(* one coordinate to one of its ends *)
Lemma one_end A k a b L : (k <= L)%nat -> a <= A k <= b -> H (put A k a) L <= H A L \/ H (put A k b) L <= H A L.
Proof.
  intros hk [ha hb]. destruct ha as [ha|ha].
  2: { left. right. apply H_ext. intros n _. unfold put. destruct (Nat.eqb_spec n k) as [e|e]; [rewrite e; exact ha|reflexivity]. }
  set (A1 := put A k a). set (A2 := put A k b). assert (z := Z_positive A L). assert (z1 := Z_positive A1 L). assert (z2 := Z_positive A2 L).
  assert (e1 : exp a < exp (A k)) by (apply exp_increasing; exact ha). assert (e2 := exp_le _ _ hb).
  set (s := (exp (A k) - exp a) / (exp b - exp a)).
  assert (hs : 0 < s <= 1) by (split; [apply Rdiv_lt_0_compat; lra|apply div_le_one; lra]).
  assert (es : exp (A k) = (1 - s) * exp a + s * exp b) by (unfold s; field; lra).
  assert (ez : Z A L = (1 - s) * Z A1 L + s * Z A2 L).
  { unfold A1, A2. rewrite 2!Z_put by exact hk. 
    replace ((1 - s) * (Z A L - exp (A k) + exp a) + s * (Z A L - exp (A k) + exp b))
      with (Z A L - exp (A k) + ((1 - s) * exp a + s * exp b)) by ring. rewrite <- es. ring. }
  set (q := s * Z A2 L / Z A L).
  assert (hq : 0 < q <= 1).
  { assert (0 < s * Z A2 L) by (apply Rmult_lt_0_compat; lra). assert (0 <= (1 - s) * Z A1 L) by (apply Rmult_le_pos; lra).
    split; [apply Rdiv_lt_0_compat; lra|apply div_le_one; lra]. }
  assert (ep : forall n, (n <= L)%nat -> q * weight A2 L n + (1 - q) * weight A1 L n = weight A L n).
  { intros n hn. assert (k1 : (1 - q) * weight A1 L n = (1 - s) * exp (A1 n) / Z A L).
    { unfold q, weight. rewrite ez. field. rewrite <- ez. repeat split; lra. }
    assert (k2 : q * weight A2 L n = s * exp (A2 n) / Z A L) by (unfold q, weight; field; lra).
    rewrite k1, k2. unfold weight, A1, A2, put. destruct (Nat.eqb_spec n k) as [e|e]; [rewrite e, es|]; field; lra. }
  assert (g : q * H A2 L + (1 - q) * H A1 L <= H A L).
  { rewrite 3!H_shannon. rewrite <- sum_linear. apply sum_le. intros n hn. assert (w := weight_positive A L n).
    rewrite <- (ep n hn) at 1 2. apply (concave (weight A2 L n) (weight A1 L n) q); try (left; apply weight_positive); [exact hq|].
    rewrite (ep n hn). exact w. }
  destruct (Rle_lt_dec (H A1 L) (H A L)) as [k1|k1]; [left; exact k1|right].
  destruct (Rle_lt_dec (H A2 L) (H A L)) as [k2|k2]; [exact k2|exfalso].
  assert (y1 : q * H A L < q * H A2 L) by (apply Rmult_lt_compat_l; lra). assert (y2 : (1 - q) * H A L <= (1 - q) * H A1 L) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem band_lower (l u A : nat -> R) L : (forall n, (n <= L)%nat -> l n <= A n <= u n) ->
  exists V, (forall n, (n <= L)%nat -> V n = l n \/ V n = u n) /\ H V L <= H A L.
Proof.
  intros hA. assert (step : forall k, (k <= S L)%nat -> exists V, (forall n, (n < k)%nat -> V n = l n \/ V n = u n) /\
    (forall n, (k <= n)%nat -> V n = A n) /\ H V L <= H A L).
  { induction k as [|k IH]; intros hk.
    - exists A. split; [intros; lia|split; [reflexivity|lra]].
    - destruct (IH ltac:(lia)) as [V [v1 [v2 v3]]].
      assert (vk : l k <= V k <= u k) by (rewrite v2 by lia; apply hA; lia).
      assert (common : forall x, x = l k \/ x = u k -> H (put V k x) L <= H V L -> exists V, (forall n, (n < S k)%nat -> V n = l n \/ V n = u n) /\
        (forall n, (S k <= n)%nat -> V n = A n) /\ H V L <= H A L).
      { intros x hx hle. exists (put V k x). split; [|split; [|lra]].
        - intros n hn. unfold put. destruct (Nat.eqb_spec n k) as [e|e]; [rewrite e; exact hx|apply v1; lia].
        - intros n hn. unfold put. destruct (Nat.eqb_spec n k) as [e|e]; [lia|apply v2; lia]. }
      destruct (one_end V k (l k) (u k) L ltac:(lia) vk) as [h|h]; [apply (common (l k))|apply (common (u k))]; tauto. }
  destruct (step (S L) (le_n _)) as [V [v1 [_ v3]]]. exists V. split; [intros n hn; apply v1; lia|exact v3].
Qed.

(* One vertex is least of all: the choice is finite. *)
Lemma least_vertex (l u W : nat -> R) L k : exists V, (forall n, (n < k)%nat -> V n = l n \/ V n = u n) /\ (forall n, (k <= n)%nat -> V n = W n) /\
  forall V', (forall n, (n < k)%nat -> V' n = l n \/ V' n = u n) -> (forall n, (k <= n)%nat -> V' n = W n) -> H V L <= H V' L.
Proof.
  revert W. induction k as [|k IH]; intros W.
  - exists W. split; [intros; lia|split; [reflexivity|]]. intros V' _ h. right. apply H_ext. intros n _. symmetry. apply h. lia.
  - destruct (IH (put W k (l k))) as [V1 [a1 [b1 c1]]]. destruct (IH (put W k (u k))) as [V2 [a2 [b2 c2]]].
    assert (at_k : forall x, put W k x k = x) by (intros x; unfold put; rewrite Nat.eqb_refl; reflexivity).
    assert (after : forall x n, (S k <= n)%nat -> put W k x n = W n) by (intros x n hn; unfold put; destruct (Nat.eqb_spec n k); [lia|reflexivity]).
    assert (least : forall V', (forall n, (n < S k)%nat -> V' n = l n \/ V' n = u n) -> (forall n, (S k <= n)%nat -> V' n = W n) ->
      H V1 L <= H V' L \/ H V2 L <= H V' L).
    { intros V' h g. assert (same : forall x n, V' k = x -> (k <= n)%nat -> V' n = put W k x n).
      { intros x n e hn. destruct (Nat.eq_dec n k) as [i|i]; [rewrite i, at_k; exact e|rewrite after by lia; apply g; lia]. }
      destruct (h k ltac:(lia)) as [e|e]; [left; apply c1|right; apply c2]; try (intros n hn; apply h; lia); intros n hn; apply same; assumption. }
    assert (ends : forall V x, x = l k \/ x = u k -> (forall n, (n < k)%nat -> V n = l n \/ V n = u n) -> (forall n, (k <= n)%nat -> V n = put W k x n) ->
      (forall n, (n < S k)%nat -> V n = l n \/ V n = u n) /\ (forall n, (S k <= n)%nat -> V n = W n)).
    { intros V x hx a b. split; [|intros n hn; rewrite b by lia; apply after; exact hn].
      intros n hn. destruct (Nat.eq_dec n k) as [i|i]; [rewrite i, b, at_k by lia; exact hx|apply a; lia]. }
    destruct (Rle_lt_dec (H V1 L) (H V2 L)) as [q|q]; [exists V1; destruct (ends V1 (l k) ltac:(tauto) a1 b1) as [e1 e2]
      |exists V2; destruct (ends V2 (u k) ltac:(tauto) a2 b2) as [e1 e2]]; (split; [exact e1|split; [exact e2|]]); intros V' h g; destruct (least V' h g); lra.
Qed.

Theorem band_lower_attained (l u : nat -> R) L : exists V, (forall n, (n <= L)%nat -> V n = l n \/ V n = u n) /\
  forall A, (forall n, (n <= L)%nat -> l n <= A n <= u n) -> H V L <= H A L.
Proof.
  destruct (least_vertex l u l L (S L)) as [V [a [_ c]]]. exists V. split; [intros n hn; apply a; lia|]. intros A hA.
  destruct (band_lower l u A L hA) as [V' [v1 v2]]. apply Rle_trans with (2 := v2).
  rewrite (H_ext V' (fun n => if Nat.leb n L then V' n else l n)) by (intros n hn; rewrite (proj2 (Nat.leb_le n L) hn); reflexivity).
  apply c; intros n hn.
  - rewrite (proj2 (Nat.leb_le n L)) by lia. apply v1. lia.
  - rewrite (proj2 (Nat.leb_gt n L)) by lia. reflexivity.
Qed.
