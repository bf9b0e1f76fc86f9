(** Theorem R for relays that enter blocks at any point of their code (docs/relay.md, section 3): if in each cycle one of some
    blocks is present, then there are at most as many cycles as A of all blocks and what following those blocks costs. A block
    is followed until it ends, and then another one that is present, which may be half-done; so none is left before its end. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions CompanyRuns KeptBlocks CompanyCycle CompanyMoves.
Local Open Scope Z_scope.

Section MidwayRelay.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.

(** What is assumed of the blocks: [P] holds of all segments and of what is left of them; a segment may end with X only where
    [ends X]; at most [most] warps are present at once. *)
Variables (most : nat) (P : string -> Prop) (ends : letter -> bool).
Hypothesis P_tl : forall s, P s -> P (tl s).
Hypothesis P_ends : forall X, P [X] -> ends X = true.
Hypothesis ends_some : ends L || ends C = true.
Hypothesis c_enough : forall X,
  Z.of_nat (min (sigma (other X) - 1) (most - 1)) * (kappa X - worth (other X)) <= c X
  \/ forall s, P s -> double (other X) s = false.

Variable rule : list placed -> Prop.
Hypothesis rule_most : forall bs, rule bs -> (crowd bs <= most)%nat.

Notation earns := (earns worth kappa None).
Notation earned := (earned worth kappa None).
Notation chain := (chain N worth kappa c).
Notation future := (future worth kappa).
Notation A := (A worth kappa).
Notation val := (val worth kappa).
Notation fee := (fee N worth kappa c ends).
Notation kept := (kept N worth kappa c ends).
Notation value := (value N worth kappa c ends).
Notation sum_of := (sum_of N worth kappa c ends).
Notation ahead := (ahead worth kappa).
Notation held := (held sigma N worth kappa c).
Notation free := (free c).
Notation cur f bs := (fst (snd (nth f bs nobody))).
Notation later f bs := (snd (snd (nth f bs nobody))).
Notation future_pos := (future_pos worth kappa kappa_pos kappa_le).
Notation earned_pos := (earned_pos worth kappa kappa_pos kappa_le None).
Notation chain_pos := (chain_pos N worth kappa c c_pos).
Notation kept_open := (kept_open N worth kappa c N_pos kappa_pos kappa_le c_pos ends ends_some).
Notation kept_fee := (kept_fee sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos ends ends_some).
Notation head_range := (head_range sigma N worth kappa worth_unit kappa_pos kappa_le).

Notation sound := (sound P).
Notation pot := (pot sigma N worth kappa c ends).
Notation sound_next := (sound_next P P_tl).
Notation ahead_next := (ahead_next worth kappa).
Notation begin_le := (begin_le sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos ends ends_some).
Notation pot_one := (pot_one sigma N worth kappa c N_pos kappa_pos kappa_le c_pos ends).
Notation stay := (stay sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos most P ends P_ends ends_some
  c_enough rule rule_most).
Notation switch := (switch sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos most P ends P_tl P_ends ends_some
  c_enough rule rule_most).

(** * Theorem R *)
Definition at_start (bs : list placed) (mss : list (list bool * list cycle)) : list placed :=
  match mss with (os, _) :: _ => begin bs os | [] => bs end.

Lemma nth_begin f : forall bs os, fst (nth f bs nobody) = true -> nth f (begin bs os) nobody = nth f bs nobody.
Proof.
  induction f as [|f IH]; intros [|[w b] bs] [|o os] H; cbn [begin nth fst] in *; try reflexivity; [|now apply IH].
  now rewrite H.
Qed.

Lemma relay_pot F bs mss bs' e : crun sigma rule bs mss bs' -> Forall sound bs -> throughout (covered F) bs mss ->
  e = 0 \/ e = N /\ covered F bs' ->
  forall f, F f = true -> present (nth f (at_start bs mss) nobody) = true ->
  exists i, nth i (cur f (at_start bs mss)) [] <> [] /\
    N * Z.of_nat (length mss) + e + ahead bs' <= pot F (at_start bs mss) f i.
Proof.
  intros Hr Hs Hc He. induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros f Ff Hp; cbn [at_start] in *.
  { destruct (present_started _ Hp) as [_ Hb]. destruct (not_done_nth _ Hb) as (i & _ & Hx). exists i.
    split; [assumption|]. pose proof (pot_one F bs f i Hp Hx). cbn [length]. destruct He as [->|[-> _]]; lia. }
  set (b0 := begin bs os) in *. cbn [throughout] in Hc. fold b0 in Hc. destruct Hc as [_ Hc].
  assert (Forall sound b0) as Hs0 by now apply sound_begin.
  set (ns := map opened (issues b0 ms)) in *.
  assert (Forall sound ns) as Hsn by now apply sound_next.
  specialize (IH Hsn Hc He). cbn [length].
  destruct (present (nth f ns nobody)) eqn:En.
  - assert (nth f (at_start ns mss) nobody = nth f ns nobody) as E.
    { destruct mss as [|[os' ms'] mss]; [reflexivity|]. cbn [at_start]. apply nth_begin.
      now destruct (present_started _ En). }
    destruct (IH f Ff ltac:(now rewrite E)) as (j & Hx & Ht). rewrite E in Hx.
    destruct (stay F b0 ms f Hs0 Hru Hsp Hl Hp j En Hx) as (i & H1 & H2). exists i. split; [assumption|].
    assert (pot F (at_start ns mss) f j <= pot F ns f j) as Hm.
    { unfold pot. rewrite E. apply held_mono. intros U. destruct mss as [|[os' ms'] mss]; [apply Z.le_refl|]. apply begin_le. }
    fold ns in H2. lia.
  - assert (covered F (at_start ns mss) \/ mss = [] /\ e = 0) as [(g & Fg & Hg)|[-> ->]].
    { destruct mss as [|[os' ms'] mss]; [|left; now destruct Hc]. cbn [at_start]. inversion Hr; subst.
      destruct He as [->|[_ He]]; [right; now split|now left]. }
    + destruct (IH g Fg Hg) as (j & Hx & Ht).
      assert (exists os', at_start ns mss = begin ns os') as (os' & E).
      { destruct mss as [|[os' ms'] mss]; [exists []|now exists os']. cbn [at_start]. clear. now destruct ns as [|[w b] l]. }
      rewrite E in *. destruct (switch F b0 ms f Hs0 Hru Hsp Hl Hp os' g j Ff Fg En Hg Hx) as (i & H1 & H2).
      exists i. split; [assumption|]. fold ns in H2. lia.
    + inversion Hr; subst. destruct (present_started _ Hp) as [_ Hb]. destruct (not_done_nth _ Hb) as (i & _ & Hx).
      exists i. split; [assumption|]. pose proof (pot_one F b0 f i Hp Hx). unfold ns.
      rewrite (ahead_next b0 ms Hsp). cbn [length]. lia.
Qed.

(** A of all blocks, and what it costs to follow those that F tells. *)
Definition labour (bs : list placed) : Z := sumZ (map (fun x : placed => A (snd x)) bs).
Fixpoint price (F : nat -> bool) (bs : list placed) : Z :=
  match bs with [] => 0 | x :: bs => (if F O then fee (snd x) else 0) + price (fun k => F (S k)) bs end.

Lemma value_le k U x : value k U x <= A (snd x) + (if k then fee (snd x) else 0).
Proof.
  unfold CompanyCycle.value. pose proof (kept_fee U (snd x)). pose proof (val_le_A worth kappa U (snd x)).
  destruct (fst x), k; lia.
Qed.

Lemma sum_le F bs U : sum_of F bs U <= labour bs + price F bs.
Proof.
  revert F; induction bs as [|x bs IH]; intros F; unfold labour in *; cbn [CompanyCycle.sum_of map sumZ price]; [lia|].
  specialize (IH (fun k => F (S k))). pose proof (value_le (F O) U x). lia.
Qed.

Lemma begin_labour bs os : labour (begin bs os) = labour bs.
Proof.
  unfold labour. revert os; induction bs as [|[w b] bs IH]; intros [|o os]; cbn [begin map sumZ snd]; rewrite ?IH; reflexivity.
Qed.

Lemma begin_price bs os F : price F (begin bs os) = price F bs.
Proof.
  revert os F; induction bs as [|[w b] bs IH]; intros [|o os] F; cbn [begin price snd]; rewrite ?IH; reflexivity.
Qed.

Lemma begin_block bs os f : snd (nth f (begin bs os) nobody) = snd (nth f bs nobody).
Proof.
  revert bs os; induction f as [|f IH]; intros [|[w b] bs] [|o os]; cbn [begin nth snd]; try reflexivity. apply IH.
Qed.

Lemma sum_front F bs f U i : (f < length bs)%nat -> fst (nth f bs nobody) = true -> F f = false ->
  (i < length (cur f bs))%nat ->
  sum_of F bs U - earns U (nth i (cur f bs) []) + rate worth kappa (nth i (cur f bs) []) <= labour bs + price F bs.
Proof.
  revert F bs; induction f as [|f IH]; intros F [|x bs] Hf Hs HF Hi; cbn [length nth] in *; try lia;
    unfold labour in *; cbn [CompanyCycle.sum_of map sumZ price].
  - rewrite HF. unfold CompanyCycle.value. rewrite Hs. unfold Totals.val.
    assert (A (snd x) = rates worth kappa (fst (snd x)) + future (snd (snd x))) as -> by reflexivity.
    rewrite (earned_others worth kappa None U _ i Hi), (rates_front worth kappa i _ Hi).
    pose proof (earned_rates worth kappa None U (others i (fst (snd x)))).
    pose proof (sum_le (fun k => F (S k)) bs U) as Hle. unfold labour in Hle. lia.
  - specialize (IH (fun k => F (S k)) bs ltac:(lia) Hs HF Hi). pose proof (value_le (F O) U x). cbv beta in *. lia.
Qed.

(** What a block keeps of its length that is followed first: [chain] with no letter before it. *)
Definition keep (b : block) : Z := chain [] (fst b :: snd b).

Lemma keep_le_fee b : keep b <= fee b.
Proof.
  unfold keep, fee. pose proof (chain_issue N worth kappa c c_pos L [] (fst b :: snd b)).
  pose proof (chain_issue N worth kappa c c_pos C [] (fst b :: snd b)). destruct (ends L), (ends C); try discriminate; lia.
Qed.

Lemma pot_le F bs f i : present (nth f bs nobody) = true -> nth i (cur f bs) [] <> [] ->
  pot F bs f i <= labour bs + price (off f F) bs + keep (snd (nth f bs nobody)).
Proof.
  intros Hp Hx. destruct (present_started _ Hp) as [Hs _].
  assert (f < length bs)%nat as Hf.
  { destruct (Nat.lt_ge_cases f (length bs)); [assumption|]. rewrite nth_overflow in Hp by assumption. discriminate. }
  pose proof (nth_some_lt _ _ Hx) as Hi.
  pose proof (fun U => sum_front (off f F) bs f U i Hf Hs (off_f f F) Hi) as HT.
  unfold pot, FollowedCycle.held, keep. cbn [Chain.chain app].
  pose proof (max_in (fun s => N * Z.of_nat (length s) - rate worth kappa s + chain s (later f bs))
    (cur f bs) _ (nth_In _ [] Hi)) as Hc. cbv beta in Hc.
  destruct (nth i (cur f bs) []) as [|X x] eqn:E; [congruence|].
  pose proof (HT X). pose proof (HT (other X)). pose proof (c_pos X). pose proof (head_range X). lia.
Qed.

(** Theorem R, blocks entered at any point. In each cycle one of the blocks that F tells is present; f is one of them that is
    present in the first cycle. Blocks that have not started by the end do not count. If one of those that F tells is present
    even after the last cycle, there is room for one cycle more (e = N). *)
Theorem relay_any_entry F bs mss bs' f e : crun sigma rule bs mss bs' -> Forall sound bs ->
  throughout (covered F) bs mss -> F f = true -> present (nth f (at_start bs mss) nobody) = true ->
  e = 0 \/ e = N /\ covered F bs' ->
  N * Z.of_nat (length mss) + e <= labour bs - ahead bs' + price (off f F) bs + keep (snd (nth f bs nobody)).
Proof.
  intros Hr Hs Hc Ff Hp He. destruct (relay_pot F bs mss bs' e Hr Hs Hc He f Ff Hp) as (i & Hx & H).
  pose proof (pot_le F _ f i Hp Hx) as HP. unfold at_start in HP, H. destruct mss as [|[os ms] mss].
  - lia.
  - rewrite begin_labour, begin_price, begin_block in HP. lia.
Qed.
End MidwayRelay.
