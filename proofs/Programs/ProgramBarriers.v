(** Programs with barriers (docs/programs.md, section 4): code that is cut at its barriers into programs without, one for each
    segment, and warps of a block that may take different paths in every segment. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain Doubles BarrierPotential BarrierBound.
From Warpspan.Programs Require Import Composition FreePaths.
Local Open Scope Z_scope.

(** In every segment each warp of the block takes some path of that segment's program. A warp that exits early takes empty
    paths from then on, which the programs must have. *)
Definition block_runs (qs : list prog) (b : block) : Prop :=
  Forall2 (fun q row => Forall (runs q) row) qs (fst b :: snd b).

(** The segments' programs one after the other. *)
Definition whole (qs : list prog) : prog := fold_right Seq Skip qs.

Section ProgramBarriers.
Variable sigma : letter -> nat.
Variable slow : letter.
Let fast := other slow.
Variables (N theta : Z) (worth : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis slow_fast : (sigma slow <= sigma fast)%nat.
Hypothesis theta_range : worth fast <= theta <= worth slow.
Variable c : Z.
Hypothesis c_pos : 0 <= c.
Notation kap := (kappa slow theta worth).
Notation program_rate := (program_rate slow theta worth).
Notation program_length := (program_length slow N c).

(** The largest rates of the segments, of any paths, summed up. *)
Definition rates_of (qs : list prog) : Z := sumZ (map program_rate qs).

(** The price of a switch of the followed warp. *)
Definition price (X : letter) : Z := if eqb X slow then c else 0.

(** c is enough for these blocks: min(sigma_fast - 1, W - 1) (theta - 1/sigma_fast) is for W warps, and 0 is if no segment
    holds two fast letters in a row. *)
Definition c_enough_for (bs : list block) : Prop :=
  Z.of_nat (min (sigma fast - 1) (min (length (flat bs) - 1) (all_doubles fast bs))) * (theta - worth fast) <= c.

Let kap_pos : forall U, 0 <= kap U := kappa_pos sigma slow N theta worth N_pos worth_unit slow_fast theta_range.
Let kap_le : forall U, kap U <= worth U := kappa_le_worth sigma slow theta worth slow_fast theta_range.

Lemma price_pos U : 0 <= price U.
Proof. unfold price. destruct (eqb U slow); lia. Qed.

Lemma price_switches s : switches price s = slow_to_fast slow s * c.
Proof.
  induction s as [|X s IH]; [reflexivity|]. cbn [switches slow_to_fast]. rewrite IH. unfold price.
  destruct (letter_cases slow X) as [->| ->].
  - rewrite eqb_refl. cbn [andb]. destruct (wants (other slow) s); lia.
  - destruct (eqb_other slow) as [-> _]. cbn [andb]. destruct (wants _ s); lia.
Qed.

Lemma enough_price bs : c_enough_for bs -> enough_for sigma worth kap price bs.
Proof.
  intros H X. unfold price, kappa. destruct (letter_cases slow X) as [->| ->].
  - rewrite eqb_refl. fold fast. exact H.
  - destruct (eqb_other slow) as [-> _]. rewrite other_other. fold fast. nia.
Qed.

Lemma row_rates q row s : Forall (runs q) row -> In s row ->
  rates worth kap row <= rate worth kap s + Z.of_nat (length row - 1) * program_rate q.
Proof.
  intros H Hs. apply in_split in Hs. destruct Hs as (l & r & ->). unfold rates. rewrite map_app, app_length. cbn [map length].
  assert (forall l, Forall (runs q) l -> sumZ (map (rate worth kap) l) <= Z.of_nat (length l) * program_rate q) as Hl.
  { clear - slow_fast. induction 1 as [|t l (p & Hp & ->) H IH]; cbn [map sumZ length]; [lia|].
    pose proof (proj1 (program_rate_max sigma slow theta worth slow_fast q) p Hp). lia. }
  apply Forall_app in H. destruct H as [H1 H2]. inversion H2 as [|? ? _ H3]; subst.
  pose proof (Hl l H1). pose proof (Hl r H3).
  assert (forall a b : list Z, sumZ (a ++ b) = sumZ a + sumZ b) as Ha.
  { clear. induction a as [|x a IH]; intros b; cbn [app sumZ]; [lia|]. rewrite IH. lia. }
  rewrite Ha. cbn [sumZ]. replace (length l + S (length r) - 1)%nat with (length l + length r)%nat by lia. lia.
Qed.

Lemma max_row (f : string -> Z) row X : row <> [] -> (forall s, In s row -> 0 <= f s <= X) ->
  fold_right Z.max 0 (map f row) <= X.
Proof.
  intros Hr H. assert (0 <= X) by (destruct row as [|s row]; [congruence|]; pose proof (H s (or_introl eq_refl)); lia).
  clear Hr. induction row as [|s row IH]; cbn [map fold_right]; [assumption|].
  pose proof (H s (or_introl eq_refl)). specialize (IH (fun t Ht => H t (or_intror Ht))). lia.
Qed.

(** The chain and all rates of a block: the largest I + n c of a path through all segments, and for each segment the largest
    rate of a path, once for each warp but one. *)
Lemma chain_columns n qs rows : (0 < n)%nat -> Forall2 (fun q row => Forall (runs q) row) qs rows ->
  Forall (fun row => length row = n) rows -> forall x B,
  (forall t, path (whole qs) t -> N * Z.of_nat (length t) + switches price (x ++ string_of t) <= B) ->
  chain N worth kap price x rows + future worth kap rows <= B + Z.of_nat (n - 1) * rates_of qs.
Proof.
  intros Hn H; induction H as [|q row qs rows Hrow H IH]; intros Hlen x B HB.
  { specialize (HB [] ltac:(constructor)). cbn [string_of map] in HB. rewrite app_nil_r in HB. cbn [chain length] in *.
    unfold future, rates_of. cbn [map sumZ]. lia. }
  inversion Hlen as [|? ? Hr Hlen']; subst. cbn [chain].
  change (future worth kap (row :: rows)) with (rates worth kap row + future worth kap rows).
  unfold rates_of in *. cbn [map sumZ].
  set (f := fun s => N * Z.of_nat (length s) - rate worth kap s + chain N worth kap price (x ++ s) rows).
  set (A := sumZ (map program_rate qs)) in *.
  enough (fold_right Z.max 0 (map f row) <=
    B + Z.of_nat (length row - 1) * (program_rate q + A) - rates worth kap row - future worth kap rows) by lia.
  apply max_row; [intros ->; cbn in Hn; lia|]. intros s Hs. split.
  - unfold f. pose proof (chain_pos N worth kap price price_pos (x ++ s) rows).
    pose proof (rate_le_length sigma N worth kap N_pos worth_unit kap_pos kap_le s). lia.
  - pose proof (row_rates q row s Hrow Hs) as Hrates.
    destruct (proj1 (Forall_forall _ _) Hrow s Hs) as (p & Hp & ->).
    assert (length (string_of p) = length p) as El by (unfold string_of; apply map_length).
    specialize (IH Hlen' (x ++ string_of p) (B - N * Z.of_nat (length p))). unfold f. rewrite El in *.
    enough (chain N worth kap price (x ++ string_of p) rows + future worth kap rows <=
      B - N * Z.of_nat (length p) + Z.of_nat (length row - 1) * A) by lia.
    apply IH. intros t Ht. specialize (HB (p ++ t) ltac:(now apply path_seq)).
    unfold string_of in HB. rewrite map_app, app_length in HB. rewrite <- app_assoc. unfold string_of. lia.
Qed.

Lemma block_rates n qs rows : Forall2 (fun q row => Forall (runs q) row) qs rows ->
  Forall (fun row => length row = n) rows -> future worth kap rows <= Z.of_nat n * rates_of qs.
Proof.
  intros H; induction H as [|q row qs rows Hrow H IH]; intros Hlen; [unfold future, rates_of; cbn; lia|].
  inversion Hlen as [|? ? Hr Hlen']; subst. specialize (IH Hlen').
  change (future worth kap (row :: rows)) with (rates worth kap row + future worth kap rows).
  unfold rates_of in *. cbn [map sumZ]. enough (rates worth kap row <= Z.of_nat (length row) * program_rate q) by lia.
  clear - Hrow slow_fast. unfold rates. induction Hrow as [|s row (p & Hp & ->) H IH]; cbn [map sumZ length]; [lia|].
  pose proof (proj1 (program_rate_max sigma slow theta worth slow_fast q) p Hp). lia.
Qed.

Lemma rows_length b : wf b -> Forall (fun row => length row = length (fst b)) (fst b :: snd b).
Proof. intros H. constructor; [reflexivity|exact H]. Qed.

(** Programs with barriers: block p of W_p warps finishes by the largest I + n c of a path, with (W_p - 1) times the largest rate
    of each segment, and for each warp of another block the largest rates of its block's segments. *)
Theorem program_barriers qss bs mss bs' p : Forall2 block_runs qss bs -> (p < length bs)%nat ->
  brun sigma bs mss bs' -> Forall wf bs -> Forall settled bs -> c_enough_for bs -> (0 < length (fst (nth p bs ([], []))))%nat ->
  N * Z.of_nat (block_finish p mss) <=
    program_length (whole (nth p qss [])) + Z.of_nat (length (fst (nth p bs ([], []))) - 1) * rates_of (nth p qss [])
    + sumZ (map (fun e => Z.of_nat (length (fst (snd e))) * rates_of (fst e)) (others p (combine qss bs))).
Proof.
  intros Hq Hp Hr Hw Hs Hc Hn.
  pose proof (barrier_bound sigma N worth kap price N_pos worth_unit kap_pos kap_le price_pos p bs mss bs' Hp Hr Hw Hs
    (enough_price bs Hc)) as H.
  rewrite <- (sumZ_front _ p ([], [])) in H by assumption. unfold front in H. cbn [map sumZ] in H.
  assert (block_runs (nth p qss []) (nth p bs ([], [])) /\ wf (nth p bs ([], [])) /\
    sumZ (map (fun b => future worth kap (fst b :: snd b)) (others p bs)) <=
    sumZ (map (fun e => Z.of_nat (length (fst (snd e))) * rates_of (fst e)) (others p (combine qss bs)))) as (Hb & Hwp & Ho).
  { clear H Hs Hc Hn Hr. revert p Hp Hw; induction Hq as [|qs b qss bs Hqb Hq IH]; intros p Hp Hw; cbn [length] in *; [lia|].
    inversion Hw as [|? ? W1 W2]; subst.
    assert (forall us vs, Forall2 block_runs us vs -> Forall wf vs ->
      sumZ (map (fun b => future worth kap (fst b :: snd b)) vs) <=
      sumZ (map (fun e => Z.of_nat (length (fst (snd e))) * rates_of (fst e)) (combine us vs))) as Hall.
    { intros us vs H. induction H as [|u v us vs Huv H IHH]; intros Hv; cbn [map sumZ combine]; [lia|].
      inversion Hv as [|? ? V1 V2]; subst. specialize (IHH V2). cbn [fst snd].
      pose proof (block_rates _ _ _ Huv (rows_length v V1)). lia. }
    destruct p as [|p]; cbn [nth others combine].
    - split; [assumption|]. split; [assumption|]. now apply Hall.
    - destruct (IH p ltac:(lia) W2) as (I1 & I2 & I3). split; [assumption|]. split; [assumption|]. cbn [map sumZ fst snd].
      pose proof (block_rates _ _ _ Hqb (rows_length b W1)). lia. }
  set (b := nth p bs ([], [])) in *. set (qs := nth p qss []) in *.
  pose proof (chain_columns (length (fst b)) qs (fst b :: snd b) Hn Hb (rows_length b Hwp) [] (program_length (whole qs))) as Hch.
  assert (chain N worth kap price [] (fst b :: snd b) + future worth kap (fst b :: snd b) <=
    program_length (whole qs) + Z.of_nat (length (fst b) - 1) * rates_of qs) as H'; [|lia].
  apply Hch. intros t Ht. cbn [app]. rewrite price_switches.
  exact (proj1 (program_length_max sigma slow N slow_fast c (whole qs)) t Ht).
Qed.
End ProgramBarriers.
