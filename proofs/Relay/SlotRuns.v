(** One multiprocessor of a grid, told by its slots: its blocks are those in the slots and those that start later. *)
From Coq Require Import List Arith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Relay Require Import GridRuns CompanyRuns CompanyCycle CompanyMoves MidwayRelay Stretches QueueRuns NamedBlocks.

Notation turn := (list bool * list cycle)%type.

Section SlotRuns.
Variable sigma : letter -> nat.
Variable new : block.
Hypothesis new_busy : occupied new = true.
Notation fill := (fill new).
Notation filled := (filled new).
Notation turned := (turned new).
Notation allowed := (allowed sigma new).
Notation free_run := (crun sigma (fun _ => True)).

(** The cycles of one multiprocessor. *)
Inductive srun : list block -> list turn -> list block -> Prop :=
| srun_nil slots : srun slots [] slots
| srun_cons slots om oms slots' : allowed slots om -> srun (turned slots om) oms slots' -> srun slots (om :: oms) slots'.

(** How many blocks start; in each cycle, how many slots are taken and how many blocks start later. *)
Definition later (oms : list turn) : nat := list_sum (map (fun om => starts (fst om)) oms).
Definition taken (slots : list block) : nat := length (filter occupied slots).
Fixpoint trace (slots : list block) (oms : list turn) : list (nat * nat) :=
  match oms with
  | [] => []
  | om :: oms => (taken (filled slots om), later oms) :: trace (turned slots om) oms
  end.

Lemma filter_split {A} (f : A -> bool) l : Permutation l (filter (fun x => negb (f x)) l ++ filter f l).
Proof.
  induction l as [|x l IH]; [constructor|]. cbn [filter]. destruct (f x); cbn [negb app].
  - etransitivity; [|apply Permutation_middle]. now constructor.
  - now constructor.
Qed.

Lemma filter_map_comm {A B} (f : A -> B) p l : filter p (map f l) = map f (filter (fun x => p (f x)) l).
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map filter]. destruct (p (f x)); cbn [map]; now rewrite IH. Qed.

(** A slot, whether it takes a block, and its issues. *)
Notation slot := (block * bool * cycle)%type.
Definition inside (t : slot) : block := if snd (fst t) then new else fst (fst t).
Definition next_in (t : slot) : block := release (after (fst (inside t)) (snd t)) (snd (inside t)).
Definition used (t : slot) : bool := occupied (inside t).

Lemma fill_slots (l : list slot) : fill (map (fun t => fst (fst t)) l) (map (fun t => snd (fst t)) l) = map inside l.
Proof. unfold QueueRuns.fill. induction l as [|t l IH]; [reflexivity|]. cbn [map combine]. rewrite IH. reflexivity. Qed.

Lemma bafter_slots (l : list slot) : bafter (map inside l) (map snd l) = map next_in l.
Proof. induction l as [|t l IH]; [reflexivity|]. cbn [map bafter]. now rewrite IH. Qed.

Lemma fits_slots (l : list slot) : fits (map inside l) (map snd l) <-> Forall (fun t => length (snd t) = length (fst (inside t))) l.
Proof.
  unfold fits. induction l as [|t l IH]; cbn [map]; [split; constructor|]. split; intros H; inversion H; subst; constructor; auto; now apply IH.
Qed.

Lemma may_slots (l : list slot) : Forall2 (fun b o => o = true -> occupied b = false) (map (fun t => fst (fst t)) l) (map (fun t => snd (fst t)) l)
  <-> Forall (fun t => snd (fst t) = true -> occupied (fst (fst t)) = false) l.
Proof.
  induction l as [|t l IH]; cbn [map]; [split; constructor|]. split; intros H; inversion H; subst; constructor; auto; now apply IH.
Qed.

(** Such a list for a cycle that is allowed. *)
Lemma slots_of slots os ms : allowed slots (os, ms) -> exists l : list slot,
  slots = map (fun t => fst (fst t)) l /\ os = map (fun t => snd (fst t)) l /\ ms = map snd l.
Proof.
  intros (H1 & H2 & _). cbn [fst snd] in *. apply Forall2_same in H1 as L1. apply Forall2_same in H2 as L2.
  unfold QueueRuns.fill in L2. rewrite map_length, combine_length in L2. clear H1 H2.
  revert os ms L1 L2; induction slots as [|b slots IH]; intros [|o os] [|m ms] L1 L2; cbn in *; try lia.
  - now exists [].
  - destruct (IH os ms ltac:(lia) ltac:(lia)) as (l & -> & -> & ->). now exists ((b, o, m) :: l).
Qed.

Lemma idle_unused cur m : able cur m -> all_done cur = true -> forall U, issued U cur m = 0 /\ waiting U cur m = 0.
Proof.
  induction 1 as [|s cur b m Hb H IH]; intros Hd U; [now split|]. cbn in Hd. destruct s; [|discriminate].
  destruct (IH Hd U) as [E1 E2]. cbn. rewrite E1, E2. destruct b; [now elim Hb|]. now split.
Qed.

(** Free slots may be left out. *)
Lemma legal_used (l : list slot) : Forall (fun t => length (snd t) = length (fst (inside t))) l ->
  legal sigma (flat_map (fun t => fst (inside t)) l) (concat (map snd l)) ->
  legal sigma (flat_map (fun t => fst (inside t)) (filter used l)) (concat (map snd (filter used l))) /\
  Forall (fun t => used t = false -> next_in t = release (fst (inside t)) (snd (inside t))) l.
Proof.
  intros Hl H. rewrite (legal_sums sigma (fun t => fst (inside t)) snd) in H by assumption. destruct H as [HA HU].
  assert (Forall (fun t => length (snd t) = length (fst (inside t))) (filter used l)) as Hl'.
  { rewrite Forall_forall in *. intros t Ht. apply filter_In in Ht. now apply Hl. }
  assert (forall t, In t l -> used t = false -> all_done (fst (inside t)) = true) as Hd.
  { intros t _ Hu. unfold used, occupied in Hu. now apply negb_false_iff in Hu. }
  rewrite (legal_sums sigma (fun t => fst (inside t)) snd) by assumption.
  assert (forall U, list_sum (map (fun t => issued U (fst (inside t)) (snd t)) l) =
      list_sum (map (fun t => issued U (fst (inside t)) (snd t)) (filter used l)) /\
    list_sum (map (fun t => waiting U (fst (inside t)) (snd t)) l) =
      list_sum (map (fun t => waiting U (fst (inside t)) (snd t)) (filter used l))) as E.
  { intros U. clear - HA Hd. induction HA as [|t l Ht HA IH]; [now split|].
    destruct (IH ltac:(intros; apply Hd; [now right|assumption])) as [I1 I2]. cbn [map filter list_sum fold_right].
    unfold list_sum in *. cbn [fold_right]. rewrite I1, I2.
    destruct (used t) eqn:Hu; cbn [map fold_right]; [now split|].
    destruct (idle_unused _ _ Ht (Hd t ltac:(now left) Hu) U) as [-> ->]. now split. }
  split; [split|].
  - rewrite Forall_forall in *. intros t Ht. apply filter_In in Ht. now apply HA.
  - intros U. destruct (E U) as [E1 E2]. specialize (HU U). now rewrite E1, E2 in HU.
  - rewrite Forall_forall in *. intros t Ht Hu. unfold next_in. destruct (idle _ _ (HA t Ht) (Hd t Ht Hu)) as [_ ->]. reflexivity.
Qed.

Lemma settled_release b : settled b -> release (fst b) (snd b) = b.
Proof. destruct b as [cur la]. unfold settled. cbn [fst snd]. destruct la; [reflexivity|]. cbn. destruct (all_done cur); [intros H; now specialize (H eq_refl)|reflexivity]. Qed.

(** Blocks that are in slots, or start later, and those that have ended. *)
Definition named (slots : list block) (k : nat) : list placed := map (pair true) (filter occupied slots) ++ repeat (false, new) k.

Lemma taken_inside (l : list slot) : taken (map inside l) = length (filter used l).
Proof. unfold taken. rewrite filter_map_comm, map_length. reflexivity. Qed.

Lemma slots_named slots oms slots' : srun slots oms slots' -> Forall settled slots -> Forall wf slots -> wf new ->
  exists mss bs', free_run (named slots (later oms)) mss bs' /\ whole (named slots (later oms)) mss /\ length mss = length oms /\
    Forall2 (fun bs tk => length (filter present bs) = fst tk /\ length (filter (fun x => negb (fst x)) bs) = snd tk)
      (states (named slots (later oms)) mss) (trace slots oms).
Proof.
  intros Hr; induction Hr as [slots|slots [os ms] oms slots' Ha Hr IH]; intros Hs Hw Hn.
  { exists [], (named slots 0). repeat split; constructor. }
  destruct (slots_of slots os ms Ha) as (l & -> & -> & ->). destruct Ha as (H1 & H2 & H3). cbn [fst snd] in H1, H2, H3.
  rewrite fill_slots in H2, H3. rewrite may_slots in H1. rewrite fits_slots in H2.
  assert (flat (map inside l) = flat_map (fun t => fst (inside t)) l) as E
    by (unfold flat; rewrite flat_map_concat_map, map_map, <- flat_map_concat_map; reflexivity).
  rewrite E in H3. destruct (legal_used l H2 H3) as [H4 H5]. clear H3 E.
  assert (QueueRuns.turned new (map (fun t => fst (fst t)) l) (map (fun t => snd (fst t)) l, map snd l) = map next_in l) as Et
    by (unfold QueueRuns.turned, QueueRuns.filled; cbn [fst snd]; now rewrite fill_slots, bafter_slots).
  rewrite Et in *.
  assert (Forall (fun t => settled (inside t) /\ wf (inside t)) l) as Hin.
  { apply Forall_forall. intros t Ht. rewrite Forall_forall in Hs, Hw. unfold inside. destruct (snd (fst t)).
    - split; [|assumption]. unfold settled. intros E. exfalso. unfold occupied in new_busy. now rewrite E in new_busy.
    - split; [apply Hs|apply Hw]; now apply (in_map (fun t : slot => fst (fst t)) l t). }
  assert (Forall settled (map next_in l) /\ Forall wf (map next_in l)) as [Hs' Hw'].
  { split; apply Forall_forall; intros b Hb; apply in_map_iff in Hb; destruct Hb as (t & <- & Ht);
      rewrite Forall_forall in Hin, H2; destruct (Hin t Ht) as [_ W];
      assert (Forall (fun row => length row = length (after (fst (inside t)) (snd t))) (snd (inside t))) as W'
        by (rewrite after_length by (now apply H2); exact W);
      destruct (release_wf _ _ W') as (W1 & _ & W3); assumption. }
  destruct (IH Hs' Hw' Hn) as (mss & bs' & R1 & R2 & R3 & R4). clear IH.
  set (k := later oms) in *. set (L := filter used l) in *.
  set (name := fun t : slot => if snd (fst t) then (false, new) else (true, fst (fst t)) : placed).
  set (bs0 := map name L ++ repeat (false, new) k).
  set (os0 := map (fun t : slot => snd (fst t)) L ++ repeat false k).
  set (ms0 := map snd L ++ repeat ([] : cycle) k).
  set (bs1 := map (fun t => (true, inside t)) L ++ repeat (false, new) k : list placed).
  set (bs2 := map (fun t => (true, next_in t)) L ++ repeat (false, new) k : list placed).
  assert (begin bs0 os0 = bs1) as Eb.
  { unfold bs0, os0, bs1. clearbody L. clear. induction L as [|[[b o] m] q IH]; cbn [map app name fst snd begin].
    - induction k as [|k IH]; [reflexivity|]. cbn [repeat begin orb]. now rewrite IH.
    - unfold name, inside. cbn [fst snd]. destruct o; cbn [begin orb]; f_equal; exact IH. }
  assert (map opened (issues bs1 ms0) = bs2) as Em.
  { unfold bs1, ms0, bs2. clearbody L. clear. induction L as [|[[b o] m] q IH]; cbn [map app fst snd].
    - induction k as [|k IH]; [reflexivity|]. cbn [repeat]. rewrite issues_cons. cbn [map]. now rewrite IH.
    - rewrite issues_cons. cbn [map]. now rewrite IH. }
  assert (speaks bs1 ms0) as Esp.
  { unfold bs1, ms0, speaks. apply Forall2_app.
    - clear - H2. subst L. induction l as [|t l IH]; [constructor|]. inversion H2; subst. cbn [filter].
      destruct (used t); [|now apply IH]. cbn [map]. constructor; [assumption|now apply IH].
    - clear. induction k; cbn [repeat]; constructor; auto. }
  assert (legal sigma (company bs1) (concat ms0)) as Elg.
  { assert (company bs1 = flat_map (fun t => fst (inside t)) L) as ->.
    { unfold bs1, company. rewrite flat_map_app. rewrite (flat_map_concat_map warps), map_map, <- flat_map_concat_map.
      assert (flat_map warps (repeat (false, new) k) = []) as -> by (clear; induction k; cbn; auto). now rewrite app_nil_r. }
    assert (concat ms0 = concat (map snd L)) as ->.
    { unfold ms0. rewrite concat_app. assert (concat (repeat ([] : cycle) k) = []) as -> by (clear; induction k; cbn; auto). now rewrite app_nil_r. }
    exact H4. }
  (* what the slots hold after the cycle, and the blocks that have ended in it *)
  assert (Permutation bs2 (map (pair true) (filter (fun b => negb (occupied b)) (map next_in L)) ++ named (map next_in l) k)) as Ep.
  { unfold bs2, named. rewrite app_assoc. apply Permutation_app_tail. rewrite <- map_app.
    rewrite <- (map_map next_in (pair true)). apply Permutation_map.
    assert (filter occupied (map next_in l) = filter occupied (map next_in L)) as ->; [|apply filter_split].
    subst L. clear - H5 Hin. induction l as [|t l IH]; [reflexivity|]. inversion H5; subst. inversion Hin as [|? ? [S _] Hin']; subst.
    cbn [map filter]. rewrite IH by assumption. destruct (used t) eqn:Hu; [reflexivity|].
    rewrite H1, (settled_release _ S) by reflexivity. unfold used in Hu. now rewrite Hu. }
  assert (exists mss2 bs2', free_run (map (pair true) (filter (fun b => negb (occupied b)) (map next_in L)) ++ named (map next_in l) k) mss2 bs2' /\
    whole (map (pair true) (filter (fun b => negb (occupied b)) (map next_in L)) ++ named (map next_in l) k) mss2 /\
    length mss2 = length oms /\
    Forall2 (fun bs tk => length (filter present bs) = fst tk /\ length (filter (fun x => negb (fst x)) bs) = snd tk)
      (states (map (pair true) (filter (fun b => negb (occupied b)) (map next_in L)) ++ named (map next_in l) k) mss2)
      (trace (map next_in l) oms)) as (mss2 & bs2' & Q1 & Q2 & Q3 & Q4).
  { assert (Forall (fun b => settled b) (map next_in L)) as HsL.
    { apply Forall_forall. intros b Hb. apply in_map_iff in Hb. destruct Hb as (t & <- & Ht). apply filter_In in Ht.
      rewrite Forall_forall in Hs'. apply Hs', in_map, Ht. }
    clear Ep. induction HsL as [|b bl Hb HsL IHL]; [cbn [filter map app]; exists mss, bs'; auto|].
    destruct IHL as (m2 & b2 & J1 & J2 & J3 & J4). cbn [filter]. destruct (occupied b) eqn:Ho; cbn [negb map app]; [eauto 6|].
    assert (over (true, b)) as Hov by (unfold occupied in Ho; apply negb_false_iff in Ho; split; [reflexivity|]; split; [exact Ho|exact (Hb Ho)]).
    destruct (run_over sigma (true, b) _ _ _ Hov J1 J2)
      as (m3 & K1 & K2 & K3).
    exists m3, ((true, b) :: b2). split; [assumption|]. split; [assumption|]. split.
    - pose proof (f_equal (@length _) K3) as K4. rewrite map_length, !states_length in K4. lia.
    - rewrite K3. clear - J4 Ho. induction J4 as [|x tk xs tks Hx H IH]; [constructor|]. cbn [map]. constructor; [|exact IH].
      cbn [filter]. unfold present at 1. cbn [fst snd negb andb]. unfold occupied in Ho. rewrite Ho. exact Hx. }
  destruct (run_perm sigma _ _ _ Q1 Q2 bs2 (Permutation_sym Ep)) as (mss3 & bs3 & P1 & P2 & _ & P4).
  assert (length bs2 = length bs1 /\ length bs0 = length bs1 /\ length os0 = length bs0) as (L2 & L0 & Los).
  { unfold bs2, bs1, bs0, os0. rewrite !app_length, !map_length, !repeat_length. auto. }
  assert (free_run bs0 ((os0, ms0) :: mss3) bs3) as F1.
  { constructor; rewrite ?Eb; auto. now rewrite Em. }
  assert (whole bs0 ((os0, ms0) :: mss3)) as F2.
  { constructor; [exact Los|]. unfold whole in *. rewrite L0, <- L2. exact P2. }
  assert (Permutation bs0 (named (map (fun t => fst (fst t)) l) (later ((map (fun t => snd (fst t)) l, map snd l) :: oms)))) as Pb.
  { unfold bs0, named. cbn [later map list_sum fold_right fst]. change (list_sum (_ :: map _ oms)) with (starts (map (fun t : slot => snd (fst t)) l) + k).
    rewrite repeat_app, app_assoc. apply Permutation_app_tail. subst L. clear - H1 new_busy. unfold starts.
    induction l as [|[[b o] m] l IH]; [constructor|]. inversion H1; subst. specialize (IH ltac:(assumption)).
    cbn [fst snd] in *. cbn [filter map]. unfold used, inside at 1. cbn [fst snd]. destruct o.
    - rewrite new_busy. rewrite (H2 eq_refl). cbn [length repeat map]. unfold name at 1. cbn [fst snd].
      etransitivity; [|apply Permutation_middle]. now constructor.
    - destruct (occupied b); cbn [map app]; [|exact IH]. unfold name at 1. cbn [fst snd]. now constructor. }
  destruct (run_perm sigma _ _ _ F1 F2 _ Pb) as (mss4 & bs4 & G1 & G2 & _ & G4).
  exists mss4, bs4. split; [exact G1|]. split; [exact G2|]. split.
  { apply Forall2_same in G4. rewrite !states_length in G4. cbn [length] in *. rewrite <- G4.
    apply Forall2_same in P4. rewrite !states_length in P4. lia. }
  cbn [trace]. rewrite Et.
  assert (forall bs bx : list placed, Permutation bs bx -> length (filter present bs) = length (filter present bx) /\
    length (filter (fun x => negb (fst x)) bs) = length (filter (fun x => negb (fst x)) bx)) as Hcount.
  { intros bs bx Hp. split; induction Hp; cbn [filter]; repeat match goal with |- context [if ?c then _ else _] => destruct c end; cbn [length]; lia. }
  cbn [states] in G4. rewrite Eb, Em in G4. inversion G4 as [|? y ? ys Hy Hys Ex Ey]; subst. constructor.
  - destruct (Hcount _ _ Hy) as [C1 C2]. rewrite <- C1, <- C2. cbn [fst snd]. unfold QueueRuns.filled. cbn [fst].
    rewrite fill_slots, taken_inside. fold L. unfold bs1. rewrite !filter_app, !app_length. split.
    + assert (filter present (map (fun t => (true, inside t)) L) = map (fun t => (true, inside t)) L) as ->.
      { subst L. clear. induction l as [|t l IH]; [reflexivity|]. cbn [filter]. destruct (used t) eqn:Hu; [|exact IH].
        cbn [map filter]. unfold present at 1. cbn [fst snd andb]. unfold used, occupied in Hu. rewrite Hu. now rewrite IH. }
      assert (filter present (repeat (false, new) k) = []) as -> by (clear; induction k; cbn; auto). rewrite map_length. cbn [length]. lia.
    + assert (filter (fun x => negb (fst x)) (map (fun t => (true, inside t)) L) = []) as -> by (clear; induction L; cbn; auto).
      assert (filter (fun x => negb (fst x)) (repeat (false, new) k) = repeat (false, new) k) as ->
        by (clear; induction k as [|k IH]; cbn; [auto|]; cbn in IH; now rewrite IH).
      rewrite repeat_length. reflexivity.
  - clear - Hys P4 Q4 Hcount. revert Hys P4 Q4. generalize (trace (map next_in l) oms). generalize (states bs2 mss3).
    generalize (states (map (pair true) (filter (fun b : block => negb (occupied b)) (map next_in L)) ++ named (map next_in l) k) mss2).
    intros x1 x2 tr Ha Hb Hc. revert x2 ys Ha Hb. induction Hc as [|x tk x1 tr [E1 E2] Hc IH]; intros x2 ys Ha Hb.
    + inversion Hb; subst. inversion Ha; subst. constructor.
    + inversion Hb as [|? z ? zs Hz Hzs]; subst. inversion Ha as [|? y0 ? ys0 Hy0 Hys0]; subst.
      constructor; [|eapply IH; eassumption]. destruct (Hcount _ _ Hz). destruct (Hcount _ _ Hy0). lia.
Qed.
End SlotRuns.
