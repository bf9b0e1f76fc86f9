(** Several multiprocessors with one queue (docs/relay.md, section 6): what each run of a grid contains. x blocks run on the
    multiprocessor that ends last, no slot of which is free while one of them waits. Up to cycle t no slot of any other is free,
    and one of the others gets at most (G - x) / (M - 1) blocks until then. After t no block starts. *)
From Coq Require Import List Arith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Relay Require Import GridRuns CompanyRuns CompanyCycle CompanyMoves MidwayRelay Stretches Covered QueueRuns NamedBlocks SlotRuns.

Notation turn := (list bool * list cycle)%type.
Notation nothing := ([], []).

Section Multiprocessors.
Variable sigma : letter -> nat.
Variable new : block.
Hypothesis new_busy : occupied new = true.

(** What is true of each block and stays so. *)
Variable good : block -> Prop.
Hypothesis good_vacant : good vacant.
Hypothesis good_new : good new.
Hypothesis good_next : forall b m, length m = length (fst b) -> good b -> good (release (after (fst b) m) (snd b)).
Hypothesis good_settled : forall b, good b -> settled b.
Hypothesis good_wf : forall b, good b -> wf b.

Notation fill := (fill new).
Notation filled := (filled new).
Notation turned := (turned new).
Notation allowed := (allowed sigma new).
Notation qrun := (qrun sigma new).
Notation srun := (srun sigma new).
Notation trace := (trace new).
Notation free_run := (crun sigma (fun _ => True)).

(** * One multiprocessor among several *)
Definition lane (p : nat) (mss : list (list turn)) : list turn := map (fun oms => nth p oms nothing) mss.

Lemma filled_length slots om : allowed slots om -> length (filled slots om) = length slots.
Proof.
  intros (H & _). apply Forall2_same in H. unfold QueueRuns.filled, QueueRuns.fill. rewrite map_length, combine_length. lia.
Qed.

Lemma turned_length slots om : allowed slots om -> length (turned slots om) = length slots.
Proof.
  intros H. rewrite <- (filled_length _ _ H). destruct H as (_ & H & _). apply Forall2_same in H.
  unfold QueueRuns.turned. now apply bafter_length.
Qed.

Lemma each_nth {X} (f : list block -> turn -> X) d : forall mps oms p, length mps = length oms -> p < length mps ->
  nth p (each f mps oms) d = f (nth p mps []) (nth p oms nothing).
Proof.
  unfold each. induction mps as [|m mps IH]; intros [|om oms] [|p] Hl Hp; cbn in *; try lia; [reflexivity|].
  apply IH; lia.
Qed.

Lemma each_length {X} (f : list block -> turn -> X) mps oms : length mps = length oms -> length (each f mps oms) = length mps.
Proof. intros H. unfold each. rewrite map_length, combine_length. lia. Qed.

Lemma fill_good slots os : Forall good slots -> Forall good (fill slots os).
Proof.
  unfold QueueRuns.fill. intros H; revert os; induction H as [|b slots Hb H IH]; intros [|o os]; cbn [combine map]; constructor; auto.
  cbn [fst snd]. now destruct o.
Qed.

Lemma turned_good slots om : allowed slots om -> Forall good slots -> Forall good (turned slots om).
Proof.
  intros (_ & Hf & _) H. unfold QueueRuns.turned. pose proof (fill_good slots (fst om) H) as H1. unfold QueueRuns.filled.
  clear H. induction Hf as [|b m bs ms Hl Hf IH]; [constructor|]. inversion H1; subst. cbn [bafter]. constructor; auto.
Qed.

Lemma srun_good slots oms slots' : srun slots oms slots' -> Forall good slots -> Forall good slots'.
Proof. induction 1 as [|slots om oms slots' Ha Hr IH]; intros H; [assumption|]. apply IH. now apply turned_good. Qed.

Lemma taken_le slots : taken slots <= length slots.
Proof. unfold taken. induction slots as [|b slots IH]; cbn [filter]; [lia|]. destruct (occupied b); cbn [length]; lia. Qed.

Lemma taken_all slots : Forall (fun b => occupied b = true) slots -> taken slots = length slots.
Proof. unfold taken. induction 1 as [|b slots Hb H IH]; [reflexivity|]. cbn [filter]. rewrite Hb. cbn [length]. lia. Qed.

Lemma taken_fill slots os : length os = length slots -> taken (fill slots os) <= taken slots + starts os.
Proof.
  unfold taken, starts, QueueRuns.fill. revert os; induction slots as [|b slots IH]; intros [|o os] H; cbn in H; try lia; [cbn; lia|].
  specialize (IH os ltac:(lia)). cbn [combine map filter fst snd]. destruct o, (occupied b), (occupied new); cbn [length]; lia.
Qed.

Lemma taken_turned slots om : allowed slots om -> Forall good slots -> taken (turned slots om) <= taken (filled slots om).
Proof.
  intros (_ & Hf & Hl) Hg. unfold QueueRuns.turned, QueueRuns.filled in *. destruct Hl as [Ha _].
  rewrite flat_able in Ha by assumption.
  pose proof (fill_good slots (fst om) Hg) as H1. clear Hf Hg. unfold taken. revert H1 Ha. generalize (fill slots (fst om)), (snd om).
  intros bs ms H1 Ha. induction Ha as [|b m bs ms Hb Ha IH]; [cbn; lia|]. inversion H1; subst. specialize (IH ltac:(assumption)).
  cbn [bafter filter].
  destruct (occupied b) eqn:Ho.
  { destruct (occupied (release _ _)); cbn [length]; lia. }
  unfold occupied in Ho. apply negb_false_iff in Ho. destruct (idle _ _ Hb Ho) as [_ ->].
  rewrite settled_release by now apply good_settled. unfold occupied. rewrite Ho. exact IH.
Qed.

Lemma later_cons om oms : later (om :: oms) = starts (fst om) + later oms.
Proof. reflexivity. Qed.

Lemma taken_run slots oms slots' : srun slots oms slots' -> Forall good slots -> taken slots' <= taken slots + later oms.
Proof.
  induction 1 as [|slots om oms slots' Ha Hr IH]; intros H; [lia|]. specialize (IH (turned_good _ _ Ha H)).
  pose proof (taken_turned slots om Ha H). assert (length (fst om) = length slots) as Hl by (destruct Ha as (Ha & _); apply Forall2_same in Ha; lia).
  pose proof (taken_fill slots (fst om) Hl). unfold QueueRuns.filled in *. rewrite later_cons. lia.
Qed.

Lemma project p R mps n mss mps' n' : qrun mps n mss mps' n' -> p < length mps -> Forall (fun slots => length slots = R) mps ->
  srun (nth p mps []) (lane p mss) (nth p mps' []) /\ later (lane p mss) <= n /\
  Forall (fun tk => fst tk <= R /\ (snd tk <> 0 -> fst tk = R)) (trace (nth p mps []) (lane p mss)) /\
  length mps' = length mps /\ Forall (fun slots => length slots = R) mps'.
Proof.
  intros Hr; induction Hr as [mps n|mps n oms left mss mps' n' Ha Hn Hb Hr IH]; intros Hp HR.
  { cbn. repeat split; auto; [constructor|unfold later; cbn; lia]. }
  pose proof (Forall2_same _ _ _ Ha) as Hl.
  assert (allowed (nth p mps []) (nth p oms nothing)) as Hap.
  { clear - Ha Hp. revert p Hp; induction Ha as [|a b l l' Hab Ha IH]; intros [|p] Hp; cbn in *; try lia; auto. apply IH. lia. }
  assert (length (nth p mps []) = R) as HRp by (rewrite Forall_forall in HR; now apply HR, nth_In).
  assert (Forall (fun slots => length slots = R) (each turned mps oms)) as HR'.
  { clear - HR Ha. unfold each. induction Ha as [|a b l l' Hab Ha IH]; [constructor|]. inversion HR; subst. cbn [combine map fst snd].
    constructor; [now apply turned_length|]. now apply IH. }
  destruct IH as (I1 & I2 & I3 & I4 & I5); [rewrite each_length; assumption|exact HR'|].
  rewrite each_nth in I1, I3 by assumption. rewrite each_length in I4 by assumption.
  cbn [lane map]. fold (lane p mss). split; [now constructor|].
  assert (starts (fst (nth p oms nothing)) <= list_sum (map (fun om => starts (fst om)) oms)) as Hst.
  { rewrite Hl in Hp. clear - Hp. revert p Hp; induction oms as [|om oms IH]; intros [|p] Hp; cbn [length nth map] in *; try lia;
      unfold list_sum in *; cbn [fold_right]; [lia|]. specialize (IH p ltac:(lia)). lia. }
  rewrite later_cons. split; [lia|]. split; [|now split]. cbn [SlotRuns.trace]. constructor; [|exact I3]. cbn [fst snd].
  pose proof (taken_le (filled (nth p mps []) (nth p oms nothing))) as Ht. rewrite filled_length in Ht by assumption.
  split; [lia|]. intros Hlt. rewrite taken_all; [rewrite filled_length; assumption|].
  specialize (Hb ltac:(lia)). rewrite Forall_forall in Hb. apply Hb. rewrite <- (each_nth filled [] mps oms p Hl Hp).
  apply nth_In. now rewrite each_length.
Qed.

Lemma qrun_app mps n a b mps' n' : qrun mps n (a ++ b) mps' n' -> exists mid k, qrun mps n a mid k /\ qrun mid k b mps' n'.
Proof.
  revert mps n; induction a as [|oms a IH]; intros mps n H; cbn [app] in H.
  - exists mps, n. split; [constructor|assumption].
  - inversion H; subst. destruct (IH _ _ ltac:(eassumption)) as (mid & k & R1 & R2). exists mid, k. split; [econstructor; eauto|assumption].
Qed.

Lemma list_sum_app_nat l l' : list_sum (l ++ l') = list_sum l + list_sum l'.
Proof. apply list_sum_app. Qed.

(** Every block that has started runs on one multiprocessor. *)
Lemma all_lanes mps n mss mps' n' : qrun mps n mss mps' n' ->
  list_sum (map (fun p => later (lane p mss)) (seq 0 (length mps))) + n' = n.
Proof.
  induction 1 as [mps n|mps n oms left mss mps' n' Ha Hn Hb Hr IH].
  - assert (forall l, list_sum (map (fun p => later (lane p [])) l) = 0) as ->; [|reflexivity].
    induction l as [|p l IH]; [reflexivity|]. unfold list_sum in *. cbn [map fold_right]. now rewrite IH.
  - pose proof (Forall2_same _ _ _ Ha) as Hl. rewrite each_length in IH by assumption. subst n.
    assert (list_sum (map (fun om => starts (fst om)) oms) = list_sum (map (fun p => starts (fst (nth p oms nothing))) (seq 0 (length oms)))) as E.
    { f_equal. clear. induction oms as [|om oms IH]; [reflexivity|]. cbn [length seq map nth]. f_equal. rewrite IH, <- seq_shift, map_map. reflexivity. }
    rewrite E, <- Hl. clear - IH. revert IH. generalize (seq 0 (length mps)). intros l H.
    assert (list_sum (map (fun p => later (lane p (oms :: mss))) l) =
      list_sum (map (fun p => starts (fst (nth p oms nothing))) l) + list_sum (map (fun p => later (lane p mss)) l)) as ->; [|lia].
    clear. unfold list_sum. induction l as [|p l IH]; [reflexivity|]. cbn [map fold_right]. rewrite IH. cbn [lane map]. rewrite later_cons.
    unfold lane. lia.
Qed.

(** Cycles in which blocks wait after the starts, and the rest, in which blocks start at most before the first cycle. *)
Lemma split_queue p R mps n mss mps' n' : qrun mps n mss mps' n' -> p < length mps -> Forall (fun slots => length slots = R) mps ->
  exists a b mid k, mss = a ++ b /\ qrun mps n a mid k /\ qrun mid k b mps' n' /\ length mid = length mps /\
    Forall (fun slots => length slots = R) mid /\
    (forall q, q < length mps -> Forall (fun tk => fst tk = R) (trace (nth q mps []) (lane q a))) /\
    later (tl (lane p b)) = 0 /\ (a = [] \/ list_sum (map (fun slots => R - taken slots) mps) < n).
Proof.
  intros Hr; induction Hr as [mps n|mps n oms left mss mps' n' Ha Hn Hb Hr IH]; intros Hp HR.
  { exists [], [], mps, n. repeat split; auto; try constructor. }
  pose proof (Forall2_same _ _ _ Ha) as Hl.
  assert (Forall (fun slots => length slots = R) (each turned mps oms)) as HR'.
  { clear - HR Ha. unfold each. induction Ha as [|a b l l' Hab Ha IH]; [constructor|]. inversion HR; subst. cbn [combine map fst snd].
    constructor; [now apply turned_length|]. now apply IH. }
  destruct (Nat.eq_dec left 0) as [->|Hne].
  - exists [], (oms :: mss), mps, n. repeat split; auto; try constructor; auto.
    { econstructor; eauto. }
    cbn [lane map tl]. fold (lane p mss). destruct (project p R _ _ _ _ _ Hr ltac:(now rewrite each_length) HR') as (_ & H & _). lia.
  - specialize (Hb Hne). destruct IH as (a & b & mid & k & -> & H1 & H2 & H3 & H4 & H5 & H6 & H7); [now rewrite each_length|assumption|].
    exists (oms :: a), b, mid, k. rewrite each_length in H3, H5 by assumption.
    split; [reflexivity|]. split; [econstructor; eauto|]. repeat split; auto.
    + intros q Hq. cbn [lane map]. fold (lane q a). cbn [SlotRuns.trace]. constructor.
      * cbn [fst]. assert (allowed (nth q mps []) (nth q oms nothing)) as Hap.
        { clear - Ha Hq. revert q Hq; induction Ha as [|a b l l' Hab Ha IH]; intros [|q] Hp; cbn in *; try lia; auto. apply IH. lia. }
        rewrite taken_all.
        -- rewrite filled_length by assumption. rewrite Forall_forall in HR. now apply HR, nth_In.
        -- rewrite Forall_forall in Hb. apply Hb. rewrite <- (each_nth filled [] mps oms q Hl Hq). apply nth_In. now rewrite each_length.
      * specialize (H5 q Hq). rewrite each_nth in H5 by assumption. exact H5.
    + right. enough (list_sum (map (fun slots => R - taken slots) mps) <= list_sum (map (fun om => starts (fst om)) oms)) by lia.
      clear - Ha Hb HR new_busy. unfold each in Hb. induction Ha as [|slots om mps oms Hab Ha IH]; [apply Nat.le_refl|].
      inversion HR as [|? ? HRs HR']; subst. cbn [combine map fst snd] in Hb. inversion Hb as [|? ? Hb1 Hb2]; subst.
      specialize (IH Hb2 HR'). unfold list_sum in *. cbn [map fold_right].
      apply taken_all in Hb1. rewrite filled_length in Hb1 by assumption.
      assert (length (fst om) = length slots) as Hl by (destruct Hab as (Hx & _); apply Forall2_same in Hx; lia).
      pose proof (taken_fill slots (fst om) Hl). unfold QueueRuns.filled in *. lia.
Qed.

(** * The same told by blocks that keep their names *)
Lemma run_with (rule : list placed -> Prop) bs mss bs' : free_run bs mss bs' -> Forall rule (states bs mss) -> crun sigma rule bs mss bs'.
Proof. induction 1; intros H'; [constructor|]. inversion H'; subst. constructor; auto. Qed.

Lemma named_idle R k : named new (repeat vacant R) k = repeat (false, new) k.
Proof. unfold named. assert (filter occupied (repeat vacant R) = []) as -> by (induction R; cbn; auto). reflexivity. Qed.

Lemma present_some (l : list placed) : length (filter present l) <> 0 -> exists B, present (nth B l nobody) = true.
Proof.
  induction l as [|x l IH]; cbn [filter]; [cbn; lia|]. destruct (present x) eqn:E; [now exists 0|].
  intros H. destruct (IH H) as [B HB]. now exists (S B).
Qed.

Lemma waits_some (l : list placed) : Exists (fun x => fst x = false) l -> length (filter (fun x => negb (fst x)) l) <> 0.
Proof. induction 1 as [x l Hx|x l H IH]; cbn [filter]; [rewrite Hx|destruct (fst x)]; cbn [negb length]; lia. Qed.

Lemma busy_cycle slots oms slots' t : srun slots oms slots' -> existsb (fun b => b) (concat (snd (nth t oms nothing))) = true ->
  fst (nth t (trace slots oms) (0, 0)) <> 0.
Proof.
  intros Hr; revert t; induction Hr as [slots|slots om oms slots' Ha Hr IH]; intros t H; [now destruct t|].
  destruct t as [|t]; cbn [nth SlotRuns.trace fst] in *; [|now apply IH].
  destruct Ha as (_ & Hf & [Ha _]). rewrite flat_able in Ha by assumption. unfold QueueRuns.filled, taken. clear - Ha H.
  induction Ha as [|b m bs ms Hb Ha IH]; [discriminate|]. cbn [concat] in H. rewrite existsb_app in H. cbn [filter].
  destruct (occupied b) eqn:Ho; [cbn [length]; lia|]. unfold occupied in Ho. apply negb_false_iff in Ho.
  destruct (idle _ _ Hb Ho) as [E _]. rewrite E in H. now apply IH.
Qed.

Lemma last_cycle_at (p : cycle -> bool) d ms : last_cycle p ms <> 0 ->
  last_cycle p ms <= length ms /\ p (nth (last_cycle p ms - 1) ms d) = true.
Proof.
  induction ms as [|m ms IH]; cbn [last_cycle length]; [lia|]. intros H. destruct (Nat.ltb_spec 0 (last_cycle p ms)) as [Hlt|Hge].
  - destruct IH as [I1 I2]; [lia|]. split; [lia|]. replace (S (last_cycle p ms) - 1) with (S (last_cycle p ms - 1)) by lia. exact I2.
  - destruct (p m) eqn:E; [|lia]. split; [lia|]. exact E.
Qed.

Lemma queue_span_at mss : queue_span mss <> 0 -> queue_span mss <= length mss /\
  exists p, p < length (nth (queue_span mss - 1) mss []) /\
    existsb (fun b => b) (concat (snd (nth p (nth (queue_span mss - 1) mss []) nothing))) = true.
Proof.
  intros H. unfold queue_span, makespan in *. set (f := fun oms : list turn => concat (map (fun om : turn => concat (snd om)) oms)) in *.
  destruct (last_cycle_at _ (f []) _ H) as [H1 H2]. rewrite map_length in H1.
  split; [exact H1|]. rewrite (map_nth f mss []) in H2.
  generalize dependent (nth (last_cycle (existsb (fun b => b)) (map f mss) - 1) mss []). subst f. clear. intros oms.
  induction oms as [|om oms IH]; [discriminate|]. cbn [map concat]. rewrite existsb_app. intros H2.
  destruct (existsb (fun b => b) (concat (snd om))) eqn:E; [exists 0; cbn [length nth]; split; [lia|exact E]|].
  destruct (IH H2) as (p & H3 & H4). exists (S p). cbn [length nth]. split; [lia|exact H4].
Qed.

Lemma smallest (f : nat -> nat) l : l <> [] -> exists q, In q l /\ length l * f q <= list_sum (map f l).
Proof.
  induction l as [|q l IH]; [easy|]. intros _. destruct l as [|r l]; [exists q; cbn; split; [now left|lia]|].
  destruct IH as (k & K1 & K2); [discriminate|]. set (l' := r :: l) in *.
  assert (list_sum (map f (q :: l')) = f q + list_sum (map f l')) as -> by reflexivity. cbn [length].
  destruct (Nat.le_gt_cases (f q) (f k)); [exists q; split; [now left|nia]|exists k; split; [now right|nia]].
Qed.

Lemma fewest (f : nat -> nat) p M : p < M -> 2 <= M -> exists q, q < M /\ f p + (M - 1) * f q <= list_sum (map f (seq 0 M)).
Proof.
  intros Hp HM. assert (seq 0 M = seq 0 p ++ p :: seq (S p) (M - p - 1)) as E.
  { change (p :: seq (S p) (M - p - 1)) with (seq (0 + p) (S (M - p - 1))). rewrite <- seq_app. f_equal. lia. }
  destruct (smallest f (seq 0 p ++ seq (S p) (M - p - 1))) as (q & Q1 & Q2).
  { intros H. apply (f_equal (@length _)) in H. rewrite app_length, !seq_length in H. cbn in H. lia. }
  exists q. split.
  - apply in_app_or in Q1. rewrite !in_seq in Q1. lia.
  - rewrite E, map_app, list_sum_app. rewrite app_length, !seq_length, map_app, list_sum_app in Q2.
    assert (list_sum (map f (p :: seq (S p) (M - p - 1))) = f p + list_sum (map f (seq (S p) (M - p - 1)))) as -> by reflexivity.
    replace (p + (M - p - 1)) with (M - 1) in Q2 by lia. lia.
Qed.

(** n blocks on one multiprocessor with R slots, none of which is free while one of them waits; in the last of T cycles a block
    is present. *)
Definition alone (R n T : nat) : Prop := exists mss bs' B,
  crun sigma (slots R) (repeat (false, new) n) mss bs' /\ length mss = T /\ in_cycle (repeat (false, new) n) mss B (T - 1) = true.
(** n blocks on one multiprocessor with R slots, none of which is free in any of T cycles. *)
Definition packed (R n T : nat) : Prop := exists mss bs',
  crun sigma (fun bs => length (filter present bs) = R) (repeat (false, new) n) mss bs' /\ length mss = T.
(** At most n blocks that have started, in any states, and no others; in the last of T cycles one of them is present. *)
Definition left_over (n T : nat) : Prop := exists bs mss bs' B,
  free_run (map (pair true) bs) mss bs' /\ length bs <= n /\ Forall (fun b => occupied b = true /\ good b) bs /\ length mss = T /\
  in_cycle (map (pair true) bs) mss B (T - 1) = true.

Lemma Forall2_nth_pair {A B} (P : A -> B -> Prop) l l' a b t : Forall2 P l l' -> t < length l -> P (nth t l a) (nth t l' b).
Proof. intros H; revert t; induction H as [|x y l l' Hxy H IH]; intros [|t] Ht; cbn in *; try lia; [assumption|]. apply IH. lia. Qed.

Lemma trace_length slots oms : length (trace slots oms) = length oms.
Proof. revert slots; induction oms as [|om oms IH]; intros slots; [reflexivity|]. cbn [SlotRuns.trace length]. now rewrite IH. Qed.

Lemma lane_length p mss : length (lane p mss) = length mss.
Proof. apply map_length. Qed.

Lemma lane_nth p t mss : nth t (lane p mss) nothing = nth p (nth t mss []) nothing.
Proof.
  unfold lane. revert t; induction mss as [|oms mss IH]; intros [|t]; cbn [map nth]; try reflexivity; try (now destruct p); try apply IH.
Qed.

Lemma lanes mps n mss mps' n' : qrun mps n mss mps' n' -> Forall (fun oms => length oms = length mps) mss.
Proof.
  induction 1 as [mps n|mps n oms left mss mps' n' Ha Hn Hb Hr IH]; [constructor|].
  pose proof (Forall2_same _ _ _ Ha) as Hl. rewrite each_length in IH by assumption. now constructor.
Qed.

Lemma srun_inv slots om oms slots' : srun slots (om :: oms) slots' -> allowed slots om /\ srun (turned slots om) oms slots'.
Proof. inversion 1. now split. Qed.

(** One multiprocessor that has not run anything before. *)
Lemma lane_blocks R oms slots' (Q : nat * nat -> Prop) (rule : list placed -> Prop) : srun (repeat vacant R) oms slots' ->
  Forall Q (trace (repeat vacant R) oms) ->
  (forall bs tk, length (filter present bs) = fst tk -> length (filter (fun x => negb (fst x)) bs) = snd tk -> Q tk -> rule bs) ->
  exists mss bs', crun sigma rule (repeat (false, new) (later oms)) mss bs' /\ length mss = length oms /\
    forall t, t < length oms -> fst (nth t (trace (repeat vacant R) oms) (0, 0)) <> 0 ->
      exists B, in_cycle (repeat (false, new) (later oms)) mss B t = true.
Proof.
  intros Hr HQ Hrule.
  assert (Forall settled (repeat vacant R) /\ Forall wf (repeat vacant R)) as [S1 S2].
  { split; apply Forall_forall; intros b Hb; apply repeat_spec in Hb; subst b; auto. }
  destruct (slots_named sigma new new_busy _ _ _ Hr S1 S2 (good_wf _ good_new)) as (mss & bs' & H1 & _ & H3 & H4).
  rewrite named_idle in *. exists mss, bs'. split; [|split; [exact H3|]].
  - apply run_with; [exact H1|]. clear - H4 HQ Hrule. induction H4 as [|bs tk l l' [E1 E2] H IH]; [constructor|].
    inversion HQ; subst. constructor; [|auto]. now apply (Hrule bs tk).
  - intros t Ht Hn. pose proof (Forall2_nth_pair _ _ _ [] (0, 0) t H4) as Hx. rewrite states_length, H3 in Hx.
    destruct (Hx Ht) as [E1 _]. destruct (present_some (nth t (states (repeat (false, new) (later oms)) mss) [])) as [B HB]; [lia|].
    now exists B.
Qed.

Lemma several M R G mss mps' n' : 0 < R -> qrun (idle_slots M R) G mss mps' n' -> queue_span mss <> 0 ->
  exists x t, 0 < x <= G /\ t <= queue_span mss /\ alone R x (queue_span mss) /\
    (t = 0 \/ M * R < G /\ (2 <= M -> exists y, (M - 1) * y <= G - x /\ packed R y t)) /\
    (t = queue_span mss \/ left_over (min R G) (queue_span mss - t)).
Proof.
  intros HR Hr HT. destruct (queue_span_at mss HT) as (HTl & p & Hp & Hi). set (T := queue_span mss) in *.
  rewrite <- (firstn_skipn T mss) in Hr. destruct (qrun_app _ _ _ _ _ _ Hr) as (mid & k & Hr1 & _). clear Hr.
  assert (nth (T - 1) mss [] = nth (T - 1) (firstn T mss) []) as E.
  { rewrite <- (firstn_skipn T mss) at 1. rewrite app_nth1; [reflexivity|]. rewrite firstn_length. lia. }
  rewrite E in Hp, Hi. assert (length (firstn T mss) = T) as HlT by (rewrite firstn_length; lia).
  clear E HTl. clearbody T. generalize dependent (firstn T mss). intros ms Hp Hi Hr Hl.
  pose proof (lanes _ _ _ _ _ Hr) as Hla. unfold idle_slots in Hr, Hla. rewrite repeat_length in Hla.
  assert (p < M) as HpM.
  { rewrite Forall_forall in Hla. rewrite <- (Hla (nth (T - 1) ms [])); [assumption|]. apply nth_In. lia. }
  assert (Forall (fun slots => length slots = R) (repeat (repeat vacant R) M)) as Hslots.
  { apply Forall_forall. intros l Hl'. apply repeat_spec in Hl'. subst. apply repeat_length. }
  assert (length (repeat (repeat vacant R) M) = M) as HM by apply repeat_length.
  assert (forall q, q < M -> nth q (repeat (repeat vacant R) M) [] = repeat vacant R) as Hnth.
  { intros q Hq. rewrite (nth_indep _ [] (repeat vacant R)) by lia. apply nth_repeat. }
  destruct (project p R _ _ _ _ _ Hr ltac:(lia) Hslots) as (P1 & P2 & P3 & _ & _). rewrite Hnth in P1, P3 by assumption.
  assert (fst (nth (T - 1) (trace (repeat vacant R) (lane p ms)) (0, 0)) <> 0) as Hbusy.
  { apply (busy_cycle _ _ _ _ P1). rewrite lane_nth. exact Hi. }
  (* the one that ends last *)
  destruct (lane_blocks R (lane p ms) _ _ (slots R) P1 P3) as (m1 & b1 & A1 & A2 & A3).
  { intros bs tk E1 E2 [Q1 Q2]. split; [lia|]. intros Hw. apply waits_some in Hw. lia. }
  rewrite lane_length in A2, A3. destruct (A3 (T - 1) ltac:(lia) Hbusy) as [B HB].
  destruct (split_queue p R _ _ _ _ _ Hr ltac:(lia) Hslots) as (ma & mb & mi & k' & -> & S1 & S2 & S3 & S4 & S5 & S6 & S7).
  rewrite app_length in Hl. exists (later (lane p (ma ++ mb))), (length ma).
  assert (0 < later (lane p (ma ++ mb))) as Hx.
  { pose proof (last_lt sigma (slots R) B _ _ _ A1) as Hlt. rewrite A2, app_length, Hl in Hlt. specialize (Hlt HB).
    rewrite repeat_length in Hlt. assert (m1 <> []) as Hne by (intros ->; cbn in A2; rewrite app_length in A2; lia). specialize (Hlt Hne). lia. }
  split; [lia|]. split; [lia|]. split; [|split].
  - exists m1, b1, B. rewrite A2, app_length. auto.
  - (* another one, until no block waits *)
    destruct S7 as [->|S7]; [now left|]. right. split.
    { assert (list_sum (map (fun slots => R - taken slots) (repeat (repeat vacant R) M)) = M * R) as Es; [|lia].
      assert (taken (repeat vacant R) = 0) as Ev by (clear; unfold taken; induction R; cbn; auto).
      clear - Ev. induction M as [|M IH]; [reflexivity|]. cbn [repeat map].
      assert (forall y l, list_sum (y :: l) = y + list_sum l) as -> by reflexivity. rewrite IH, Ev. lia. }
    intros HM2. pose proof (all_lanes _ _ _ _ _ Hr) as Hall. rewrite HM in Hall.
    destruct (fewest (fun q => later (lane q (ma ++ mb))) p M HpM HM2) as (q & Q1 & Q2).
    destruct (project q R _ _ _ _ _ S1 ltac:(lia) Hslots) as (L1 & _). rewrite Hnth in L1 by assumption.
    specialize (S5 q ltac:(lia)). rewrite Hnth in S5 by assumption.
    destruct (lane_blocks R (lane q ma) _ _ (fun bs => length (filter present bs) = R) L1 S5) as (m2 & b2 & B1 & B2 & _).
    { intros bs tk E1 _ E2. lia. }
    exists (later (lane q ma)). split; [|now exists m2, b2; rewrite lane_length in B2].
    assert (later (lane q (ma ++ mb)) = later (lane q ma) + later (lane q mb)) as El.
    { unfold later, lane. now rewrite !map_app, list_sum_app. }
    assert (later (lane q ma) <= later (lane q (ma ++ mb))) as Hle by lia.
    apply (Nat.mul_le_mono_l _ _ (M - 1)) in Hle. lia.
  - (* after that no block starts *)
    destruct mb as [|oms mb]; [left; cbn in Hl; lia|]. right.
    destruct (project p R _ _ _ _ _ S2 ltac:(lia) S4) as (L1 & _). destruct (project p R _ _ _ _ _ S1 ltac:(lia) Hslots) as (L0 & _).
    rewrite Hnth in L0 by assumption. cbn [lane map] in L1, S6. fold (lane p mb) in L1, S6. cbn [tl] in S6.
    set (om := nth p oms nothing) in *. destruct (srun_inv _ _ _ _ L1) as [La Lr].
    assert (Forall good (repeat vacant R)) as Hg0 by (apply Forall_forall; intros b Hb; apply repeat_spec in Hb; now subst).
    pose proof (srun_good _ _ _ L0 Hg0) as Hg.
    set (sl := filled (nth p mi []) om) in *.
    assert (Forall good sl) as Hgs by now apply fill_good.
    assert (length sl = R) as Hsl.
    { unfold sl. rewrite filled_length by assumption. rewrite Forall_forall in S4. apply S4, nth_In. lia. }
    (* the same without starts *)
    assert (srun sl ((repeat false R, snd om) :: lane p mb) (nth p mid [])) as Hrun.
    { assert (filled sl (repeat false R, snd om) = sl) as Ef.
      { unfold QueueRuns.filled, QueueRuns.fill. cbn [fst]. clearbody sl. clear - Hsl. subst R.
        induction sl as [|b sl IH]; [reflexivity|]. cbn [length repeat combine map fst snd]. now rewrite IH. }
      assert (turned sl (repeat false R, snd om) = turned (nth p mi []) om) as Et.
      { unfold QueueRuns.turned at 1. rewrite Ef. reflexivity. }
      constructor; [|rewrite Et; exact Lr]. destruct La as (La1 & La2 & La3). unfold QueueRuns.allowed. cbn [fst snd].
      change (fill sl (repeat false R)) with (filled sl (repeat false R, snd om)). rewrite Ef. split; [|split; assumption].
      clearbody sl. clear - Hsl. subst R. induction sl as [|b sl IH]; cbn [length repeat]; constructor; auto. discriminate. }
    assert (Forall settled sl /\ Forall wf sl) as [Hst Hwf] by (split; eapply Forall_impl; try exact Hgs; auto).
    destruct (slots_named sigma new new_busy _ _ _ Hrun Hst Hwf (good_wf _ good_new)) as (m3 & b3 & N1 & _ & N3 & N4).
    assert (later ((repeat false R, snd om) :: lane p mb) = 0) as E0.
    { rewrite later_cons, S6. cbn [fst]. unfold starts. clear. induction R; cbn; auto. }
    rewrite E0 in *. unfold named in N1, N4. cbn [repeat] in N1, N4. rewrite app_nil_r in N1, N4.
    set (bs := filter occupied sl) in *.
    cbn [length] in N3, Hl. rewrite lane_length in N3.
    assert (fst (nth (length mb) (trace sl ((repeat false R, snd om) :: lane p mb)) (0, 0)) <> 0) as Hb3.
    { apply (busy_cycle _ _ _ _ Hrun). replace (T - 1) with (length ma + length mb) in Hi by lia.
      rewrite app_nth2_plus in Hi. destruct (length mb) as [|z]; cbn [nth] in *; [exact Hi|]. rewrite lane_nth. exact Hi. }
    pose proof (Forall2_nth_pair _ _ _ [] (0, 0) (length mb) N4) as Hz. rewrite states_length, N3 in Hz.
    destruct (Hz ltac:(lia)) as [Z1 _]. destruct (present_some (nth (length mb) (states (map (pair true) bs) m3) [])) as [B3 HB3]; [lia|].
    exists bs, m3, b3, B3. split; [exact N1|]. split; [|split; [|split]].
    + apply Nat.min_glb.
      * unfold bs. pose proof (taken_le sl) as Hk. unfold taken in Hk. lia.
      * pose proof (taken_run _ _ _ L0 Hg0) as Hk.
        assert (taken (repeat vacant R) = 0) as Ev by (clear; unfold taken; induction R; cbn; auto).
        assert (length (fst om) = length (nth p mi [])) as Hlo by (destruct La as (Hz' & _); apply Forall2_same in Hz'; lia).
        pose proof (taken_fill (nth p mi []) (fst om) Hlo) as Hk2. fold (filled (nth p mi []) om) in Hk2. fold sl in Hk2.
        change (length bs) with (taken sl).
        assert (later (lane p (ma ++ oms :: mb)) = later (lane p ma) + (starts (fst om) + later (lane p mb))) as El.
        { unfold later, lane, om. rewrite !map_app, list_sum_app. reflexivity. }
        lia.
    + unfold bs. apply Forall_forall. intros b Hb. apply filter_In in Hb. rewrite Forall_forall in Hgs. split; [tauto|]. now apply Hgs.
    + lia.
    + unfold in_cycle. replace (T - length ma - 1) with (length mb) by lia. exact HB3.
Qed.
End Multiprocessors.
