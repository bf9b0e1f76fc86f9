(** The cycles of a run one by one: a block is present in consecutive ones. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions CompanyRuns KeptBlocks CompanyCycle CompanyMoves MidwayRelay.
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

Section Stretches.
Variable sigma : letter -> nat.
Variable P : string -> Prop.
Hypothesis P_tl : forall s, P s -> P (tl s).
Variable rule : list placed -> Prop.
Notation sound := (sound P).
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

Lemma state_length bs mss bs' : crun rule bs mss bs' -> forall l, In l (states bs mss) -> length l = length bs.
Proof.
  induction 1 as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros l Hin; cbn [states In] in *; [easy|].
  assert (length (begin bs os) = length bs) as E.
  { clear. revert os; induction bs as [|[w b] bs IH]; intros [|o os]; cbn [begin length]; auto. }
  destruct Hin as [<-|Hin]; [exact E|]. rewrite (IH l Hin), map_length, issues_length by assumption. exact E.
Qed.

End Stretches.
