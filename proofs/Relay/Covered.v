(** Which blocks to follow (docs/relay.md, sections 4 and 5): weights of blocks instead of a relay. If the weights of the blocks
    that are present add up to R in each cycle, each block costs its weight's share of R; equal slots and blocks of several
    sizes are two ways to find weights. No block is left before its end, so nothing is paid for that. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions CompanyRuns KeptBlocks CompanyCycle MidwayRelay Cover.
Local Open Scope Z_scope.

(** The blocks in each cycle, after the starts. *)
Fixpoint states (bs : list placed) (mss : list (list bool * list cycle)) : list (list placed) :=
  match mss with
  | [] => []
  | (os, ms) :: mss => begin bs os :: states (map opened (issues (begin bs os) ms)) mss
  end.

Lemma throughout_states p bs mss : throughout p bs mss <-> Forall p (states bs mss).
Proof.
  revert bs; induction mss as [|[os ms] mss IH]; intros bs; cbn [throughout states].
  - split; [constructor|auto].
  - rewrite IH. split; [intros [H1 H2]; now constructor|intros H; inversion H; now split].
Qed.

Lemma states_length bs mss : length (states bs mss) = length mss.
Proof. revert bs; induction mss as [|[os ms] mss IH]; intros bs; cbn [states length]; [reflexivity|]. now rewrite IH. Qed.

(** The last cycle in which anything issues. *)
Definition last_issue (mss : list (list bool * list cycle)) : nat := makespan (map (fun om => concat (snd om)) mss).

(** Block k is present in cycle t, counted from 0. *)
Definition in_cycle (bs : list placed) (mss : list (list bool * list cycle)) (k t : nat) : bool :=
  present (nth k (nth t (states bs mss) []) nobody).

(** The run up to the last cycle in which anything issues, in which some block is present. *)
Lemma up_to_last sigma rule bs mss bs' : crun sigma rule bs mss bs' -> last_issue mss <> 0%nat ->
  exists mss1 bs1 B, crun sigma rule bs mss1 bs1 /\ length mss1 = last_issue mss /\
    in_cycle bs mss1 B (length mss1 - 1) = true.
Proof.
  intros Hr; induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros Hne; [now elim Hne|].
  set (ns := map opened (issues (begin bs os) ms)) in *.
  assert (last_issue ((os, ms) :: mss) = if (0 <? last_issue mss)%nat then S (last_issue mss) else
    if existsb (fun b => b) (concat ms) then 1%nat else 0%nat) as E by reflexivity.
  rewrite E in *. destruct (Nat.ltb_spec 0 (last_issue mss)) as [Hlt|Hge].
  - destruct (IH ltac:(lia)) as (mss1 & bs1 & B & H1 & H2 & H3). exists ((os, ms) :: mss1), bs1, B.
    split; [now constructor|]. split; [cbn [length]; lia|].
    unfold in_cycle in *. cbn [length states]. fold ns. replace (S (length mss1) - 1)%nat with (S (length mss1 - 1)) by lia.
    exact H3.
  - destruct (existsb (fun b => b) (concat ms)) eqn:Ee; [|lia].
    assert (exists B, present (nth B (begin bs os) nobody) = true) as [B HB].
    { destruct Hl as [Ha _]. pose proof (speaks_able _ _ Hsp Ha) as H. clear - H Ee.
      induction H as [|x m l ms' Hx H IH]; [discriminate|]. cbn [concat] in Ee. rewrite existsb_app in Ee.
      destruct (existsb (fun b => b) m) eqn:Em.
      - exists O. cbn [nth]. unfold present, warps in *. destruct (fst x).
        + destruct (all_done (fst (snd x))) eqn:Ed; [|reflexivity]. destruct (idle _ _ Hx Ed). congruence.
        + inversion Hx; subst. discriminate.
      - destruct (IH Ee) as [B HB]. now exists (S B). }
    exists [(os, ms)], ns, B. split; [constructor; try assumption; constructor|]. split; [reflexivity|]. exact HB.
Qed.

Lemma crun_rule sigma rule bs mss bs' : crun sigma rule bs mss bs' -> throughout rule bs mss.
Proof. induction 1; cbn [throughout]; auto. Qed.

(** No block ever has more warps than at the beginning. *)
Lemma crun_size sigma rule b bs mss bs' : crun sigma rule bs mss bs' ->
  Forall (fun x => wf (snd x) /\ (length (fst (snd x)) <= b)%nat) bs ->
  crun sigma (fun l => rule l /\ (crowd l <= length (filter present l) * b)%nat) bs mss bs'.
Proof.
  intros Hr; induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros Hb; [constructor|].
  assert (Forall (fun x => wf (snd x) /\ (length (fst (snd x)) <= b)%nat) (begin bs os)) as Hb0.
  { clear - Hb. revert os; induction Hb as [|[w x] bs Hx Hb IH]; intros [|o os]; cbn [begin]; constructor; auto. }
  constructor; try assumption.
  - split; [assumption|]. clear - Hb0. unfold crowd. induction Hb0 as [|x l [_ Hx] Hb IH]; [cbn; lia|].
    cbn [flat_map filter]. rewrite app_length. unfold present at 1 3. unfold warps at 1.
    destruct (fst x); cbn [andb]; [|cbn [length]; lia]. destruct (all_done (fst (snd x))); cbn [negb length]; lia.
  - apply IH. clear - Hb0 Hsp. induction Hsp as [|x m l ms' Hl H IH]; [constructor|]. inversion Hb0 as [|? ? [W Hx] Hb]; subst.
    rewrite issues_cons. cbn [map]. constructor; [|now apply IH].
    destruct x as [[] [cu la]]; unfold opened, issue, warps, wf, open in *; cbn [fst snd] in *; [|auto].
    assert (Forall (fun row => length row = length (after cu m)) la) as W' by (rewrite after_length by assumption; exact W).
    destruct (release_wf _ _ W') as (W1 & L1 & _). split; [exact W1|]. rewrite L1, after_length; assumption.
Qed.

Section Covered.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.
Variables (most : nat) (P : string -> Prop) (ends : letter -> bool).
Hypothesis P_tl : forall s, P s -> P (tl s).
Hypothesis P_ends : forall X, P [X] -> ends X = true.
Hypothesis ends_some : ends L || ends C = true.
Hypothesis c_enough : forall X,
  Z.of_nat (min (sigma (other X) - 1) (most - 1)) * (kappa X - worth (other X)) <= c X
  \/ forall s, P s -> double (other X) s = false.
Variable rule : list placed -> Prop.
Hypothesis rule_most : forall bs, rule bs -> (crowd bs <= most)%nat.

Notation sound := (sound P).
Notation fee := (fee N worth kappa c ends).
Notation keep := (keep N worth kappa c).
Notation price := (price N worth kappa c ends).
Notation labour := (labour worth kappa).
Notation ahead := (ahead worth kappa).
Notation crun := (crun sigma).

(** * A block is present in consecutive cycles *)
Lemma ended_stays k bs os ms : sound (nth k (begin bs os) nobody) -> speaks (begin bs os) ms ->
  legal sigma (company (begin bs os)) (concat ms) -> fst (nth k (begin bs os) nobody) = true ->
  present (nth k (begin bs os) nobody) = false ->
  nth k (map opened (issues (begin bs os) ms)) nobody = nth k (begin bs os) nobody.
Proof.
  intros Hs Hsp [Ha _] Hst Hp. set (b0 := begin bs os) in *.
  destruct (Nat.lt_ge_cases k (length b0)) as [Hk|Hk]; [|rewrite nth_overflow in Hst by assumption; discriminate].
  change nobody with (opened nobody) at 1. rewrite map_nth, issues_nth by assumption.
  assert (able (warps (nth k b0 nobody)) (nth k ms [])) as Hab.
  { pose proof (speaks_able b0 ms Hsp Ha) as H. clear - H Hk. revert k Hk; induction H as [|x m l ms' Hx H IH];
      intros [|k] Hk; cbn [length nth] in *; try lia; [assumption|]. apply IH. lia. }
  destruct (nth k b0 nobody) as [w [cu la]]. cbn [fst] in Hst. subst w. unfold present in Hp. cbn [fst snd andb] in Hp.
  apply negb_false_iff in Hp. destruct Hs as (_ & _ & Hset & _). cbn [fst snd] in *. specialize (Hset Hp). cbn [snd] in Hset. subst la.
  unfold warps in Hab. cbn [fst snd] in Hab. destruct (idle _ _ Hab Hp) as [_ E].
  unfold opened, issue. cbn [fst snd]. rewrite E. reflexivity.
Qed.

(** A block that has started and is not present has ended for good. *)
Lemma ended_for_good k bs mss bs' : crun rule bs mss bs' -> Forall sound bs ->
  fst (nth k bs nobody) = true -> present (nth k bs nobody) = false ->
  forall t, in_cycle bs mss k t = false.
Proof.
  intros Hr; induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros Hs Hst Hp t; unfold in_cycle in *; cbn [states] in *.
  { destruct t, k; reflexivity. }
  assert (nth k (begin bs os) nobody = nth k bs nobody) as E by now apply nth_begin.
  assert (sound (nth k (begin bs os) nobody)) as Hsk.
  { rewrite E. rewrite Forall_forall in Hs. apply Hs, nth_In. destruct (Nat.lt_ge_cases k (length bs)); [assumption|].
    rewrite nth_overflow in Hst by assumption. discriminate. }
  destruct t as [|t]; cbn [nth]; [now rewrite E|].
  rewrite <- E in Hst, Hp. pose proof (ended_stays k bs os ms Hsk Hsp Hl Hst Hp) as E'.
  apply IH; [apply (sound_next P P_tl); [assumption|now apply sound_begin]|now rewrite E'|now rewrite E'].
Qed.

Lemma started_next k bs ms : speaks bs ms -> fst (nth k bs nobody) = true ->
  fst (nth k (map opened (issues bs ms)) nobody) = true.
Proof.
  intros Hsp H. destruct (Nat.lt_ge_cases k (length bs)) as [Hk|Hk]; [|rewrite nth_overflow in H by assumption; discriminate].
  change nobody with (opened nobody) at 1. rewrite map_nth, issues_nth by assumption.
  unfold opened, issue. rewrite H. reflexivity.
Qed.

(** Once a block has started it is present as long as it is present later. *)
Lemma present_between k bs mss bs' : crun rule bs mss bs' -> Forall sound bs ->
  forall t u, (t <= u)%nat -> fst (nth k (nth t (states bs mss) []) nobody) = true ->
  in_cycle bs mss k u = true -> in_cycle bs mss k t = true.
Proof.
  intros Hr; induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros Hs t u Htu Ht Hu; unfold in_cycle in *; cbn [states] in *.
  { destruct u, k; discriminate. }
  assert (Forall sound (map opened (issues (begin bs os) ms))) as Hs' by (apply (sound_next P P_tl); [assumption|now apply sound_begin]).
  destruct t as [|t]; cbn [nth] in *.
  - destruct u as [|u]; cbn [nth] in *; [assumption|]. destruct (present (nth k (begin bs os) nobody)) eqn:E; [reflexivity|].
    assert (sound (nth k (begin bs os) nobody)) as Hsk.
    { assert (Forall sound (begin bs os)) as Hb by now apply sound_begin. rewrite Forall_forall in Hb. apply Hb, nth_In.
      destruct (Nat.lt_ge_cases k (length (begin bs os))); [assumption|]. rewrite nth_overflow in Ht by assumption. discriminate. }
    pose proof (ended_stays k bs os ms Hsk Hsp Hl Ht E) as E'.
    pose proof (ended_for_good k _ mss bs' Hr Hs' ltac:(now rewrite E') ltac:(now rewrite E') u) as H.
    unfold in_cycle in H. congruence.
  - destruct u as [|u]; [lia|]. cbn [nth] in *. apply (IH Hs' t u); [lia|assumption|assumption].
Qed.

Lemma started_from k bs mss bs' : crun rule bs mss bs' -> fst (nth k bs nobody) = true -> forall t, (t < length mss)%nat ->
  fst (nth k (nth t (states bs mss) []) nobody) = true.
Proof.
  intros Hr; induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros Hb t Ht; cbn [length states] in *; [lia|].
  destruct t as [|t]; cbn [nth]; [now rewrite nth_begin|].
  apply IH; [|lia]. apply started_next; [assumption|]. now rewrite nth_begin.
Qed.

Lemma started_later k bs mss bs' : crun rule bs mss bs' -> forall s t, (s <= t < length mss)%nat ->
  fst (nth k (nth s (states bs mss) []) nobody) = true -> fst (nth k (nth t (states bs mss) []) nobody) = true.
Proof.
  intros Hr; induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros s t Ht Hs; cbn [length states] in *; [lia|].
  destruct t as [|t]; [replace s with O in Hs by lia; exact Hs|]. cbn [nth]. destruct s as [|s]; cbn [nth] in Hs.
  - apply (started_from k _ _ _ Hr); [now apply started_next|lia].
  - apply (IH s t); [lia|assumption].
Qed.

Lemma consecutive k bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> forall s t u, (s <= t <= u)%nat ->
  in_cycle bs mss k s = true -> in_cycle bs mss k u = true -> in_cycle bs mss k t = true.
Proof.
  intros Hr Hs s t u Htu H1 H2.
  assert (u < length mss)%nat as Hu.
  { destruct (Nat.lt_ge_cases u (length mss)); [assumption|]. unfold in_cycle in H2.
    rewrite (nth_overflow (states bs mss)) in H2 by (rewrite states_length; assumption). destruct k; discriminate. }
  apply (present_between k bs mss bs' Hr Hs t u); [lia| |assumption].
  apply (started_later k bs mss bs' Hr s t); [lia|]. unfold in_cycle in H1. now apply present_started.
Qed.

(** * Weights *)
Notation over bs := (over (length bs)).
Definition cost_of (bs : list placed) (k : nat) : Z := fee (snd (nth k bs nobody)).

Lemma price_over F bs : price F bs = over bs (fun k => if F k then cost_of bs k else 0).
Proof.
  unfold cost_of, Cover.over. revert F; induction bs as [|x bs IH]; intros F; [reflexivity|].
  cbn [MidwayRelay.price length seq map sumZ nth]. rewrite IH, <- seq_shift, map_map. reflexivity.
Qed.

Lemma price_ext F G bs : (forall k, F k = G k) -> price F bs = price G bs.
Proof.
  revert F G; induction bs as [|x bs IH]; intros F G E; [reflexivity|]. cbn [MidwayRelay.price]. rewrite (E O).
  f_equal. apply IH. intros k. apply E.
Qed.

Lemma price_off F bs f : (f < length bs)%nat -> F f = true -> price (off f F) bs + fee (snd (nth f bs nobody)) = price F bs.
Proof.
  revert F bs; induction f as [|f IH]; intros F [|x bs] Hlt Ff; cbn [length] in *; try lia; cbn [MidwayRelay.price nth].
  - rewrite Ff. assert (off 0 F O = false) as -> by (unfold off; apply andb_false_r).
    rewrite (price_ext (fun k => off 0 F (S k)) (fun k => F (S k))) by (intros k; apply andb_true_r). lia.
  - specialize (IH (fun k => F (S k)) bs ltac:(lia) Ff). cbv beta in IH.
    assert (off (S f) F O = F O) as -> by (unfold off; apply andb_true_r).
    change (fun k => off (S f) F (S k)) with (off f (fun k => F (S k))). lia.
Qed.

Lemma covers_throughout F bs mss : covers (length bs) (in_cycle bs mss) F (length mss) -> throughout (covered F) bs mss.
Proof.
  intros H. apply throughout_states, Forall_forall. intros l Hl. apply In_nth with (d := []) in Hl.
  destruct Hl as (t & Ht & <-). rewrite states_length in Ht. destruct (H t Ht) as (k & _ & H1 & H2). now exists k.
Qed.

(** In each cycle the weights of the blocks that are present add up to R or more. *)
Definition weighty (weight : nat -> Z) (R : Z) (bs : list placed) : Prop :=
  R <= over bs (fun k => if present (nth k bs nobody) then weight k else 0).

Lemma state_length bs mss bs' : crun rule bs mss bs' -> forall l, In l (states bs mss) -> length l = length bs.
Proof.
  induction 1 as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros l Hin; cbn [states In] in *; [easy|].
  assert (length (begin bs os) = length bs) as E.
  { clear. revert os; induction bs as [|[w b] bs IH]; intros [|o os]; cbn [begin length]; auto. }
  destruct Hin as [<-|Hin]; [exact E|]. rewrite (IH l Hin), map_length, issues_length by assumption. exact E.
Qed.

Lemma weighty_cover cost weight R bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> (forall k, 0 <= cost k) ->
  0 < R -> (forall k, 0 <= weight k) -> throughout (weighty weight R) bs mss ->
  exists F, covers (length bs) (in_cycle bs mss) F (length mss) /\
    R * total_cost (length bs) cost F <= over bs (fun k => weight k * cost k).
Proof.
  intros Hr Hs Hc HR Hw H. apply cover; try assumption.
  - intros k s t u. exact (consecutive k bs mss bs' Hr Hs s t u).
  - intros t Ht. apply throughout_states in H. rewrite Forall_forall in H.
    assert (In (nth t (states bs mss) []) (states bs mss)) as Hin by (apply nth_In; now rewrite states_length).
    specialize (H _ Hin). unfold weighty in H. rewrite (state_length bs mss bs' Hr _ Hin) in H. exact H.
Qed.

(** Blocks of any kind, times R: each counts its A, and its weight's share of what following it costs. *)
Theorem relay_weights weight R bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> 0 < R ->
  (forall k, 0 <= weight k) -> throughout (weighty weight R) bs mss -> mss <> [] ->
  R * (N * Z.of_nat (length mss)) <= R * (labour bs - ahead bs') + over bs (fun k => weight k * cost_of bs k).
Proof.
  intros Hr Hs HR Hw H Hne.
  assert (forall k, 0 <= cost_of bs k) as Hc by (intros k; apply (Assumptions.fee_pos N worth kappa c c_pos ends)).
  destruct (weighty_cover (cost_of bs) weight R bs mss bs' Hr Hs Hc HR Hw H) as (F & HF & HC).
  pose proof (covers_throughout F bs mss HF) as HT.
  destruct mss as [|[os ms] mss]; [congruence|]. destruct HT as [(f & Ff & Hf) HT].
  pose proof (relay_any_entry sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos most P ends P_tl P_ends ends_some
    c_enough rule rule_most F bs _ bs' f 0 Hr Hs (covers_throughout F bs _ HF) Ff Hf (or_introl eq_refl)) as HR'.
  pose proof (keep_le_fee N worth kappa c c_pos ends ends_some (snd (nth f bs nobody))) as Hk.
  assert (price (off f F) bs + fee (snd (nth f bs nobody)) <= price F bs) as HP.
  { assert (f < length bs)%nat as Hlt.
    { pose proof (state_length bs _ bs' Hr (begin bs os) (or_introl eq_refl)) as E. rewrite <- E.
      destruct (Nat.lt_ge_cases f (length (begin bs os))); [assumption|]. rewrite nth_overflow in Hf by assumption. discriminate. }
    pose proof (price_off F bs f Hlt Ff). lia. }
  rewrite (price_over F) in HP. unfold total_cost in HC.
  assert (N * Z.of_nat (length ((os, ms) :: mss)) <=
    labour bs - ahead bs' + over bs (fun k => if F k then cost_of bs k else 0)) as HX by lia.
  apply (Z.mul_le_mono_nonneg_l _ _ R) in HX; lia.
Qed.
(** * Equal slots

    The rule of R slots with a queue: no more than R blocks are present, and R are while a block waits. *)
Definition slots (R : nat) (bs : list placed) : Prop :=
  (length (filter present bs) <= R)%nat /\
  (Exists (fun x => fst x = false) bs -> length (filter present bs) = R).

Lemma count_over (bs : list placed) : over bs (fun k => if present (nth k bs nobody) then 1 else 0) = Z.of_nat (length (filter present bs)).
Proof.
  unfold Cover.over. induction bs as [|x bs IH]; [reflexivity|].
  cbn [length seq map sumZ nth filter]. rewrite <- seq_shift, map_map. cbv beta. cbn [nth]. rewrite IH.
  destruct (present x); cbn [length]; lia.
Qed.

(** Weight R for the block B, 1 for each other. *)
Definition one_and (B R : nat) : nat -> Z := fun k => if (k =? B)%nat then Z.of_nat R else 1.

(** A block B that is present in the last cycle is present in every cycle in which none waits. *)
Lemma slots_weighty R B bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> (0 < R)%nat ->
  throughout (slots R) bs mss -> in_cycle bs mss B (length mss - 1) = true ->
  throughout (weighty (one_and B R) (Z.of_nat R)) bs mss.
Proof.
  intros Hr Hs HR H HB. apply throughout_states. apply throughout_states in H. apply Forall_forall. rewrite Forall_forall in H.
  intros l Hl. specialize (H l Hl). destruct H as [_ H]. apply In_nth with (d := []) in Hl. destruct Hl as (t & Ht & El).
  rewrite states_length in Ht. unfold weighty.
  assert (length l = length bs) as Elen.
  { apply (state_length bs mss bs' Hr). rewrite <- El. apply nth_In. now rewrite states_length. }
  destruct (present (nth B l nobody)) eqn:EB.
  - assert (B < length l)%nat as HBl.
    { destruct (Nat.lt_ge_cases B (length l)); [assumption|]. rewrite nth_overflow in EB by assumption. discriminate. }
    assert (over l (fun k => if (k =? B)%nat then Z.of_nat R else 0) = Z.of_nat R) as E1.
    { unfold Cover.over. clear - HBl. revert HBl. generalize (length l). intros n HBl.
      assert (forall s m, (s <= B < s + m)%nat -> sumZ (map (fun k => if (k =? B)%nat then Z.of_nat R else 0) (seq s m)) = Z.of_nat R) as E.
      { intros s m; revert s; induction m as [|m IH]; intros s Hm; [lia|]. cbn [seq map sumZ].
        destruct (Nat.eqb_spec s B) as [->|Hne]; [|rewrite IH; lia].
        assert (forall m s, (B < s)%nat -> sumZ (map (fun k => if (k =? B)%nat then Z.of_nat R else 0) (seq s m)) = 0) as E0.
        { clear. induction m as [|m IH]; intros s Hs; [reflexivity|]. cbn [seq map sumZ]. rewrite IH by lia.
          destruct (Nat.eqb_spec s B); lia. }
        rewrite E0 by lia. lia. }
      apply E. lia. }
    rewrite <- E1. apply over_le. intros k Hk. unfold one_and. destruct (Nat.eqb_spec k B) as [->|]; [rewrite EB; lia|].
    destruct (present (nth k l nobody)); lia.
  - assert (Exists (fun x => fst x = false) l) as Hw.
    { apply Exists_exists. exists (nth B l nobody).
      assert (fst (nth B l nobody) = false) as Ef.
      { destruct (fst (nth B l nobody)) eqn:Ef; [|reflexivity]. exfalso.
        pose proof (present_between B bs mss bs' Hr Hs t (length mss - 1) ltac:(lia)) as Hpb. rewrite El in Hpb.
        specialize (Hpb Ef HB). unfold in_cycle in Hpb. rewrite El in Hpb. congruence. }
      split; [|exact Ef]. apply nth_In. destruct (Nat.lt_ge_cases B (length l)) as [|Hge]; [assumption|]. exfalso.
      unfold in_cycle in HB. set (m := nth (length mss - 1) (states bs mss) []) in *.
      assert (length m = length bs) as Em.
      { apply (state_length bs mss bs' Hr). apply nth_In. rewrite states_length. lia. }
      rewrite nth_overflow in HB by lia. discriminate. }
    specialize (H Hw). rewrite <- H, <- count_over. apply over_le. intros k Hk. unfold one_and.
    destruct (present (nth k l nobody)); [destruct (k =? B)%nat; lia|lia].
Qed.

Lemma over_one_and B R (bs : list placed) f : (B < length bs)%nat ->
  over bs (fun k => one_and B R k * f k) = over bs f + (Z.of_nat R - 1) * f B.
Proof.
  unfold Cover.over, one_and. generalize (length bs). intros n Hn.
  assert (forall m s, sumZ (map (fun k => (if (k =? B)%nat then Z.of_nat R else 1) * f k) (seq s m)) =
    sumZ (map f (seq s m)) + (if (s <=? B)%nat && (B <? s + m)%nat then (Z.of_nat R - 1) * f B else 0)) as E.
  { induction m as [|m IH]; intros s; cbn [seq map sumZ].
    - destruct (Nat.leb_spec s B), (Nat.ltb_spec B (s + 0)); cbn [andb]; lia.
    - rewrite IH. destruct (Nat.eqb_spec s B) as [->|Hne].
      + destruct (Nat.leb_spec (S B) B), (Nat.leb_spec B B), (Nat.ltb_spec B (B + S m)); cbn [andb]; lia.
      + destruct (Nat.leb_spec (S s) B), (Nat.leb_spec s B), (Nat.ltb_spec B (S s + m)), (Nat.ltb_spec B (s + S m));
          cbn [andb]; lia. }
  rewrite E. destruct (Nat.leb_spec 0 B), (Nat.ltb_spec B (0 + n)); cbn [andb]; lia.
Qed.

(** Different blocks in R slots, times R: B is present in the last cycle. *)
Theorem relay_slots R B bs mss bs' : crun rule bs mss bs' -> Forall sound bs -> (0 < R)%nat ->
  throughout (slots R) bs mss -> in_cycle bs mss B (length mss - 1) = true -> mss <> [] ->
  Z.of_nat R * (N * Z.of_nat (length mss)) <=
    Z.of_nat R * (labour bs - ahead bs' + cost_of bs B) + (over bs (cost_of bs) - cost_of bs B).
Proof.
  intros Hr Hs HR H HB Hne.
  pose proof (slots_weighty R B bs mss bs' Hr Hs HR H HB) as HW.
  pose proof (relay_weights (one_and B R) (Z.of_nat R) bs mss bs' Hr Hs ltac:(lia)) as HT.
  assert (B < length bs)%nat as HBl.
  { unfold in_cycle in HB. set (m := nth (length mss - 1) (states bs mss) []) in *.
    assert (length m = length bs) as Em.
    { apply (state_length bs mss bs' Hr). apply nth_In. rewrite states_length. destruct mss; [congruence|cbn; lia]. }
    destruct (Nat.lt_ge_cases B (length bs)); [assumption|]. rewrite nth_overflow in HB by lia. discriminate. }
  specialize (HT ltac:(intros k; unfold one_and; destruct (k =? B)%nat; lia) HW Hne).
  rewrite over_one_and in HT by assumption. lia.
Qed.

(** Blocks of equal prices: at most ceil(N/R) of them are followed, the first of which is entered for nothing. *)
Theorem relay_slots_equal R B bs mss bs' K0 K : crun rule bs mss bs' -> Forall sound bs -> (0 < R)%nat ->
  throughout (slots R) bs mss -> in_cycle bs mss B (length mss - 1) = true -> mss <> [] -> 0 <= K ->
  Forall (fun x => keep (snd x) <= K0 /\ fee (snd x) <= K) bs ->
  N * Z.of_nat (length mss) <= labour bs - ahead bs' + K0 + Z.of_nat ((length bs - 1) / R) * K.
Proof.
  intros Hr Hs HR H HB Hne HK Hb.
  pose proof (slots_weighty R B bs mss bs' Hr Hs HR H HB) as HW.
  destruct (weighty_cover (fun _ => 1) (one_and B R) (Z.of_nat R) bs mss bs' Hr Hs ltac:(lia) ltac:(lia)
    ltac:(intros k; unfold one_and; destruct (k =? B)%nat; lia) HW) as (F & HF & HC).
  assert (length mss <> 0)%nat as Hm by (destruct mss; [congruence|discriminate]).
  assert (B < length bs)%nat as HBl.
  { unfold in_cycle in HB. set (m := nth (length mss - 1) (states bs mss) []) in *.
    assert (length m = length bs) as Em.
    { apply (state_length bs mss bs' Hr). apply nth_In. rewrite states_length. lia. }
    destruct (Nat.lt_ge_cases B (length bs)); [assumption|]. rewrite nth_overflow in HB by lia. discriminate. }
  rewrite over_one_and in HC by assumption.
  assert (over bs (fun _ => 1) = Z.of_nat (length bs)) as E1.
  { unfold Cover.over. clear. generalize 0%nat. induction (length bs) as [|n IH]; intros s; [reflexivity|].
    cbn [seq map sumZ]. rewrite IH. lia. }
  rewrite E1 in HC.
  (* so many are followed *)
  set (q := ((length bs - 1) / R)%nat) in *.
  assert (total_cost (length bs) (fun _ => 1) F <= Z.of_nat q + 1) as HQ.
  { pose proof (Nat.div_mod (length bs - 1) R ltac:(lia)) as E. fold q in E.
    pose proof (Nat.mod_upper_bound (length bs - 1) R ltac:(lia)). nia. }
  pose proof (covers_throughout F bs mss HF) as HT.
  assert (exists f, F f = true /\ present (nth f (at_start bs mss) nobody) = true) as (f & Ff & Hf).
  { destruct mss as [|[os ms] mss']; [congruence|]. destruct HT as [(f & Ff & Hf) _]. now exists f. }
  pose proof (relay_any_entry sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos most P ends P_tl P_ends ends_some
    c_enough rule rule_most F bs _ bs' f 0 Hr Hs HT Ff Hf (or_introl eq_refl)) as HR'.
  assert (f < length bs)%nat as Hlt.
  { destruct mss as [|[os ms] mss']; [congruence|]. cbn [at_start] in Hf.
    pose proof (state_length bs _ bs' Hr (begin bs os) (or_introl eq_refl)) as E. rewrite <- E.
    destruct (Nat.lt_ge_cases f (length (begin bs os))); [assumption|]. rewrite nth_overflow in Hf by assumption. discriminate. }
  assert (keep (snd (nth f bs nobody)) <= K0) as HK0.
  { rewrite Forall_forall in Hb. now apply Hb, nth_In. }
  assert (price (off f F) bs <= Z.of_nat q * K) as HP; [|lia].
  assert (total_cost (length bs) (fun _ => 1) (off f F) + 1 = total_cost (length bs) (fun _ => 1) F) as EO.
  { unfold total_cost, Cover.over. revert Ff Hlt. clear. generalize (length bs). intros n Ff Hlt.
    assert (forall m s, sumZ (map (fun k => if off f F k then 1 else 0) (seq s m)) +
      (if (s <=? f)%nat && (f <? s + m)%nat then 1 else 0) = sumZ (map (fun k => if F k then 1 else 0) (seq s m))) as E.
    { induction m as [|m IH]; intros s; cbn [seq map sumZ].
      - destruct (Nat.leb_spec s f), (Nat.ltb_spec f (s + 0)); cbn [andb]; lia.
      - rewrite <- IH. unfold off at 1. destruct (Nat.eqb_spec s f) as [->|Hne].
        + rewrite Ff. cbn [andb negb]. destruct (Nat.leb_spec (S f) f), (Nat.leb_spec f f), (Nat.ltb_spec f (f + S m)); cbn [andb]; lia.
        + cbn [negb]. rewrite andb_true_r.
          destruct (Nat.leb_spec (S s) f), (Nat.leb_spec s f), (Nat.ltb_spec f (S s + m)), (Nat.ltb_spec f (s + S m));
            cbn [andb]; lia. }
    rewrite <- (E n O). destruct (Nat.leb_spec 0 f), (Nat.ltb_spec f (0 + n)); cbn [andb]; lia. }
  assert (price (off f F) bs <= K * total_cost (length bs) (fun _ => 1) (off f F)) as HP; [|nia].
  rewrite price_over. unfold total_cost. rewrite <- over_scale. apply over_le. intros k Hk.
  destruct (off f F k); [|lia]. unfold cost_of. rewrite Forall_forall in Hb.
  destruct (Hb (nth k bs nobody) (nth_In _ _ Hk)). lia.
Qed.
End Covered.
