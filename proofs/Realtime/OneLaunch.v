(** One launch that is not complete in time, while all that were due before it were (docs/response-times.md, section 4): what its
    time since its release consists of. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Counting Terms.
Local Open Scope Z_scope.

(** The last start of a block, and the last end. *)
Definition last_start (l : launch) : Z := fold_right (fun b t => Z.max (start b) t) (in_end l) (grid l).
Definition last_finish (l : launch) : Z := fold_right (fun b t => Z.max (finish b) t) (in_end l) (grid l).

Lemma max_le {A} (f : A -> Z) e l t : fold_right (fun b t => Z.max (f b) t) e l <= t <-> e <= t /\ forall b, In b l -> f b <= t.
Proof.
  induction l as [|b l IH]; cbn [fold_right].
  - split; [intros H; split; [assumption|intros b []]|now intros []].
  - rewrite Z.max_lub_iff, IH. split.
    + intros (H1 & H2 & H3). split; [assumption|]. intros b' [<-|H']; auto.
    + intros (H1 & H2). repeat split; auto.
      * apply H2. now left.
      * intros b' H'. apply H2. now right.
Qed.

Lemma max_in {A} (f : A -> Z) e l : fold_right (fun b t => Z.max (f b) t) e l = e \/
  exists b, In b l /\ f b = fold_right (fun b t => Z.max (f b) t) e l.
Proof.
  induction l as [|b l IH]; cbn [fold_right]; [now left|].
  destruct (Z.max_spec (f b) (fold_right (fun b t => Z.max (f b) t) e l)) as [[_ E]|[_ E]]; rewrite E.
  - destruct IH as [IH|(b' & Hb & IH)]; [now left|]. right. exists b'. split; [now right|assumption].
  - right. exists b. split; [now left|reflexivity].
Qed.

Lemma below_last {A} (f : A -> Z) e l : let m := fold_right (fun b t => Z.max (f b) t) e l in
  e <= m /\ forall b, In b l -> f b <= m.
Proof. apply max_le, Z.le_refl. Qed.

(** The least of a list. *)
Lemma least {A} (f : A -> Z) (l : list A) x : In x l -> exists y, In y l /\ forall z, In z l -> f y <= f z.
Proof.
  revert x; induction l as [|a l IH]; intros x Hx; [elim Hx|]. destruct l as [|b l].
  - exists a. split; [now left|]. intros z [<-|[]]. lia.
  - destruct (IH b (or_introl eq_refl)) as (y & Hy & Hl). destruct (Z_le_gt_dec (f a) (f y)).
    + exists a. split; [now left|]. intros z [<-|Hz]; [lia|]. specialize (Hl z Hz). lia.
    + exists y. split; [now right|]. intros z [<-|Hz]; [lia|]. now apply Hl.
Qed.

(** The first number with a property. *)
Lemma first (p : nat -> bool) m : p m = true -> exists i, (i <= m)%nat /\ p i = true /\ forall j, (j < i)%nat -> p j = false.
Proof.
  induction m as [m IH] using lt_wf_ind. intros Hm.
  destruct (existsb p (seq 0 m)) eqn:E.
  - apply existsb_exists in E. destruct E as (i & Hi & Hp). apply in_seq in Hi.
    destruct (IH i ltac:(lia) Hp) as (i' & H1 & H2 & H3). exists i'. split; [lia|auto].
  - exists m. split; [lia|]. split; [assumption|]. intros j Hj. destruct (p j) eqn:Ep; [|reflexivity].
    assert (existsb p (seq 0 m) = true); [|congruence]. apply existsb_exists. exists j. split; [apply in_seq; lia|assumption].
Qed.

Section OneLaunch.
Variables (s : system) (n : nat) (launches : nat -> launch) (d until : Z).
Hypothesis d_pos : 0 < d.
Hypothesis Hrun : run s n launches d until.
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).
Notation k_of i := (kernel_of s (launches i)).
Notation all := (seq 0 n).

(** What the bounds rest on: all of it is easily checked of a system. *)
Variable bound : nat -> Z.
Hypothesis bound_pos : forall j, (j < K)%nat -> 0 < bound j.
Hypothesis blocks_some : forall j, (j < K)%nat -> 1 <= blocks (kernel_at j).
Hypothesis jitter_pos : forall j, (j < K)%nat -> 0 <= jitter (kernel_at j).
Hypothesis time_pos : forall j, (j < K)%nat -> 0 < time (kernel_at j).
Hypothesis copies_pos : forall j, (j < K)%nat -> 0 <= copy_in (kernel_at j) /\ 0 <= copy_out (kernel_at j).
Hypothesis period_pos : forall j T, (j < K)%nat -> period (kernel_at j) = Some T -> 0 < T.
Hypothesis stream_lt : forall j, (j < K)%nat -> (stream (kernel_at j) < K)%nat.
Hypothesis some_multiprocessor : 0 <= multiprocessors s.
Variables (weight : nat -> Z) (one : Z).
Hypothesis weight_pos : forall j, (j < K)%nat -> 0 <= weight j.
Hypothesis full : forall i m t, (i < n)%nat -> t < until -> ~ fits s n launches (k_of i) m t ->
  one <= sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then weight (of (launches i)) else 0) (grid (launches i))) all.
Variable fill : nat -> Z.
Hypothesis fill_pos : forall st, 0 <= fill st.
Hypothesis fill_enough : forall j, (j < K)%nat -> weight j * blocks (kernel_at j) <= fill (stream (kernel_at j)).

(** The launch, and how long it is looked at from its release: until it is due, or until the time at which its last block should have
    started, and one part of a grain more. *)
Variable ours : nat.
Hypothesis ours_lt : (ours < n)%nat.
Notation k := (of (launches ours)).
Notation r := (release (launches ours)).
Variable long : Z.
Notation X := (r + long).
Hypothesis long_pos : 0 < long.
Hypothesis in_window : X < until.
Hypothesis too_late : long = d * bound k /\ X < out_end (launches ours) \/
  long = d * (bound k - time (kernel_at k) - copy_out (kernel_at k)) + 1 /\ X <= last_start (launches ours).
Hypothesis others_kept : forall i, (i < n)%nat -> release (launches i) + d * bound (of (launches i)) <= r ->
  out_end (launches i) <= release (launches i) + d * bound (of (launches i)).

(** * What is known of each launch *)
Lemma of_lt i : (i < n)%nat -> (of (launches i) < K)%nat.
Proof. intros Hi. now destruct (run_proper _ _ _ _ _ Hrun i Hi). Qed.

Lemma order i : (i < n)%nat -> let l := launches i in
  release l <= in_start l /\ in_start l <= in_end l /\ in_end l <= last_start l /\ last_start l <= last_finish l /\
  last_finish l <= out_start l /\ out_start l <= out_end l /\
  in_end l - in_start l <= d * copy_in (k_of i) /\ last_finish l - last_start l <= d * time (k_of i) /\
  out_end l - out_start l <= d * copy_out (k_of i).
Proof.
  intros Hi. destruct (run_proper _ _ _ _ _ Hrun i Hi) as (H1 & H2 & H3 & H4 & H5 & H6 & H7 & H8).
  pose proof (time_pos _ H1) as HC. pose proof (blocks_some _ H1) as HB. unfold kernel_of in *. cbv zeta beta in *.
  rewrite Forall_forall in H7.
  destruct (below_last start (in_end (launches i)) (grid (launches i))) as [E1 E2].
  assert (last_start (launches i) <= last_finish (launches i)) as E3.
  { destruct (below_last finish (in_end (launches i)) (grid (launches i))) as [F1 F2].
    apply max_le. split; [assumption|]. intros b Hb. specialize (F2 b Hb). specialize (H7 b Hb). unfold last_finish. lia. }
  assert (last_finish (launches i) <= out_start (launches i)) as E4.
  { apply max_le. split.
    - destruct (grid (launches i)) as [|b g] eqn:Eg; [cbn [length] in H6; lia|]. specialize (H7 b (or_introl eq_refl)). lia.
    - intros b Hb. now apply H7. }
  assert (last_finish (launches i) <= last_start (launches i) + d * time (nth (of (launches i)) (kernels s) nothing)) as E5.
  { apply max_le. split; [unfold last_start; nia|]. intros b Hb. specialize (H7 b Hb). specialize (E2 b Hb). unfold last_start. lia. }
  unfold last_start in *. repeat split; lia.
Qed.

Lemma block_times i b : (i < n)%nat -> In b (grid (launches i)) ->
  in_end (launches i) <= start b /\ start b <= finish b /\ finish b <= start b + d * time (k_of i) /\
  finish b <= out_start (launches i) /\ Z.of_nat (on b) < multiprocessors s.
Proof.
  intros Hi Hb. destruct (run_proper _ _ _ _ _ Hrun i Hi) as (_ & _ & _ & _ & _ & _ & H7 & _).
  rewrite Forall_forall in H7. specialize (H7 b Hb). lia.
Qed.

Lemma incomplete : X <= out_end (launches ours).
Proof. pose proof (order ours ours_lt) as O. cbv zeta in O. lia. Qed.

Lemma long_le : long <= d * bound k.
Proof. pose proof (time_pos _ (of_lt _ ours_lt)). pose proof (copies_pos _ (of_lt _ ours_lt)). nia. Qed.

(** A launch that is due by our release is complete by then. *)
Definition live (i : nat) : bool := r <? release (launches i) + d * bound (of (launches i)).

Lemma dead i : (i < n)%nat -> live i = false -> out_end (launches i) <= r.
Proof.
  intros Hi H. apply Z.ltb_ge in H. pose proof (others_kept i Hi H). lia.
Qed.

(** * How many launches there are *)

Notation many := (many s bound).

Lemma many_pos j u : (j < K)%nat -> 0 <= u -> 0 <= many j u.
Proof.
  intros Hj Hu. unfold Terms.many. destruct (period (kernel_at j)) as [T|] eqn:E; [|lia].
  pose proof (period_pos j T Hj E). pose proof (bound_pos j Hj). pose proof (jitter_pos j Hj).
  pose proof (Z.div_pos (u + bound j - 1 + jitter (kernel_at j)) T). lia.
Qed.

Lemma counted (p : nat -> bool) j u : (j < K)%nat -> 0 <= u ->
  (forall i, (i < n)%nat -> p i = true -> live i = true /\ release (launches i) <= r + d * u) ->
  Z.of_nat (length (filter (fun i => (of (launches i) =? j)%nat) (filter p all))) <= many j u.
Proof.
  intros Hj Hu Hp. set (l := filter _ _).
  assert (NoDup l) as Hd by (apply NoDup_filter, NoDup_filter, seq_NoDup).
  assert (forall i, In i l -> (i < n)%nat /\ of (launches i) = j /\ live i = true /\ release (launches i) <= r + d * u) as Hin.
  { intros i Hi. apply filter_In in Hi. destruct Hi as [Hi Hj']. apply filter_In in Hi. destruct Hi as [Hi Hpi].
    apply in_seq in Hi. apply Nat.eqb_eq in Hj'. destruct (Hp i ltac:(lia) Hpi). repeat split; auto; lia. }
  unfold Terms.many. destruct (period (kernel_at j)) as [T|] eqn:ET.
  - pose proof (period_pos j T Hj ET) as HT. pose proof (bound_pos j Hj) as HB. pose proof (jitter_pos j Hj) as HJ.
    destruct (run_proper _ _ _ _ _ Hrun ours ours_lt) as (_ & _ & [q Eq] & _).
    pose proof (spaced (fun i => arrival (launches i)) l (d * T) (r - d * bound j + d - d * jitter (kernel_at j)) (r + d * u) Hd
      ltac:(nia)) as H.
    replace (r + d * u - (r - d * bound j + d - d * jitter (kernel_at j))) with (d * (u + bound j - 1 + jitter (kernel_at j))) in H
      by ring. rewrite (Z.div_mul_cancel_l _ T d) in H by lia. apply H.
    + intros i Hi. destruct (Hin i Hi) as (Hi1 & Hi2 & Hi3 & Hi4).
      destruct (run_proper _ _ _ _ _ Hrun i Hi1) as (_ & Ha & [q' Eq'] & _). unfold kernel_of in Ha. rewrite Hi2 in Ha.
      apply Z.ltb_lt in Hi3. rewrite Hi2 in Hi3. cbv beta.
      assert (q - bound j < q') by nia. assert (r - d * bound j + d <= release (launches i)) by nia. lia.
    + intros i i' Hi Hi' Hne. destruct (Hin i Hi) as (Hi1 & Hi2 & _). destruct (Hin i' Hi') as (Hi1' & Hi2' & _).
      pose proof (run_apart _ _ _ _ _ Hrun i i' Hi1 Hi1' Hne ltac:(congruence)) as Ha. unfold apart, kernel_of in Ha.
      rewrite Hi2, ET in Ha. exact Ha.
    + nia.
  - clearbody l. destruct l as [|i [|i' l]]; cbn [length]; try lia. exfalso.
    destruct (Hin i (or_introl eq_refl)) as (Hi1 & Hi2 & _).
    destruct (Hin i' (or_intror (or_introl eq_refl))) as (Hi1' & Hi2' & _).
    assert (i <> i') as Hne by (inversion Hd as [|? ? Hnin]; subst; intros ->; apply Hnin; now left).
    pose proof (run_apart _ _ _ _ _ Hrun i i' Hi1 Hi1' Hne ltac:(congruence)) as Ha. unfold apart, kernel_of in Ha.
    now rewrite Hi2, ET in Ha.
Qed.

(** What launches cost, each the cost of its kernel. *)
Lemma costs (p : nat -> bool) (q : nat -> bool) (cost : nat -> Z) u : 0 <= u ->
  (forall j, (j < K)%nat -> 0 <= cost j) ->
  (forall i, (i < n)%nat -> p i = true -> live i = true /\ release (launches i) <= r + d * u /\ q (of (launches i)) = true) ->
  sum (fun i => cost (of (launches i))) (filter p all) <= sum (fun j => if_so (q j) (many j u * cost j)) (seq 0 K).
Proof.
  intros Hu Hc Hp. rewrite (by_kind (fun i => of (launches i)) _ _ K).
  2: { intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi. apply of_lt. lia. }
  apply sum_le. intros j Hj. apply in_seq in Hj.
  transitivity (sum (fun _ => cost j) (filter (fun i => (of (launches i) =? j)%nat) (filter p all))).
  { apply sum_le. intros i Hi. apply filter_In in Hi. destruct Hi as [_ Hi]. apply Nat.eqb_eq in Hi. subst j. lia. }
  rewrite sum_const. unfold if_so. destruct (q j) eqn:Eq.
  - pose proof (counted p j u ltac:(lia) Hu ltac:(intros i Hi Hpi; destruct (Hp i Hi Hpi) as (? & ? & _); auto)).
    pose proof (Hc j ltac:(lia)). nia.
  - destruct (filter _ _) as [|i l] eqn:E; [cbn [length]; lia|]. exfalso.
    assert (In i (i :: l)) as Hi by now left. rewrite <- E in Hi. apply filter_In in Hi. destruct Hi as [Hi E'].
    apply filter_In in Hi. destruct Hi as [Hi Hpi]. apply in_seq in Hi. apply Nat.eqb_eq in E'.
    destruct (Hp i ltac:(lia) Hpi) as (_ & _ & E''). congruence.
Qed.

(** * What our stream does at a time *)

(** Launches of our stream, up to ours. *)
Definition mine (i : nat) : bool := (i <=? ours)%nat && (stream (k_of i) =? stream (k_of ours))%nat.
(** Launch i makes a copy, or its last block runs. *)
Definition copying (i : nat) (t : Z) : bool :=
  ((in_start (launches i) <=? t) && (t <? in_end (launches i))) ||
  ((out_start (launches i) <=? t) && (t <? out_end (launches i))).
Definition running (i : nat) (t : Z) : bool :=
  copying i t || ((last_start (launches i) <=? t) && (t <? last_finish (launches i))).
(** A block of our stream waits; the engine copies for another stream. *)
Definition waiting (i : nat) (t : Z) : bool := (in_end (launches i) <=? t) && (t <? last_start (launches i)).
Definition blocked (t : Z) : bool := existsb (fun i => mine i && waiting i t) all.
Definition foreign (i : nat) : bool := negb (stream (k_of i) =? stream (k_of ours))%nat.
Definition of_stream (st i : nat) : bool := (stream (k_of i) =? st)%nat.
Definition engaged (st : nat) (t : Z) : bool := existsb (fun i => of_stream st i && copying i t) all.
(** A copy of our stream is ready and waits. *)
Definition is_ready (i : nat) (o : side) (t : Z) : bool :=
  match o with
  | before => (release (launches i) <=? t) &&
      forallb (fun j => negb (stream (k_of j) =? stream (k_of i))%nat || (out_end (launches j) <=? t)) (seq 0 i)
  | after => last_finish (launches i) <=? t
  end.
Definition queued (i : nat) (o : side) (t : Z) : bool :=
  (0 <? copy_of (k_of i) o) && is_ready i o t && (t <? copy_start launches i o).
Definition queues (t : Z) : bool := existsb (fun i => mine i && (queued i before t || queued i after t)) all.
Notation span_copies := (span_copies s).
Notation in_stream := (in_stream s k).

Lemma mine_lt i : mine i = true -> (i < n)%nat.
Proof. intros H. apply andb_prop in H. destruct H as [H _]. apply Nat.leb_le in H. lia. Qed.

Lemma copies_copying i t : copies launches i t -> copying i t = true.
Proof. unfold copies, copying. intros [H|H]; apply orb_true_iff; [left|right]; apply andb_true_intro; lia. Qed.

(** The head of our stream: the first launch of it that is not complete. *)
Lemma head t : r <= t < X -> exists i, mine i = true /\ t < out_end (launches i) /\ ready s launches i t.
Proof.
  intros Ht. destruct (first (fun i => mine i && (t <? out_end (launches i))) ours) as (i & H1 & H2 & H3).
  { unfold mine. rewrite Nat.leb_refl, Nat.eqb_refl. cbn [andb]. pose proof incomplete. lia. }
  apply andb_prop in H2. destruct H2 as [Hm H2]. pose proof (mine_lt i Hm) as Hi. exists i.
  split; [assumption|]. split; [lia|]. unfold mine in Hm. apply andb_prop in Hm. destruct Hm as [_ Hm]. apply Nat.eqb_eq in Hm.
  split.
  - destruct (Nat.eq_dec i ours) as [->|Hne]; [lia|].
    pose proof (run_numbered _ _ _ _ _ Hrun i ours ltac:(lia)). lia.
  - intros j Hj Hs. specialize (H3 j Hj). apply andb_false_iff in H3. destruct H3 as [H3|H3]; [|lia].
    exfalso. unfold mine, same_stream in *. apply andb_false_iff in H3. destruct H3 as [H3|H3].
    + apply Nat.leb_gt in H3. lia.
    + apply Nat.eqb_neq in H3. congruence.
Qed.

Lemma ready_iff i o t : (i < n)%nat -> is_ready i o t = true <-> copy_ready s launches i o t.
Proof.
  intros Hi. destruct o; unfold is_ready, copy_ready.
  - unfold ready, same_stream. rewrite andb_true_iff, forallb_forall, Z.leb_le. split; intros [H1 H2]; split; try assumption.
    + intros j Hj E. specialize (H2 j ltac:(apply in_seq; lia)). apply Nat.eqb_eq in E. rewrite E in H2. cbn [negb orb] in H2. lia.
    + intros j Hj. apply in_seq in Hj. destruct (Nat.eqb_spec (stream (k_of j)) (stream (k_of i))) as [E|E]; [|reflexivity].
      cbn [negb orb]. apply Z.leb_le, H2; [lia|exact E].
  - rewrite Z.leb_le, Forall_forall. unfold last_finish. rewrite max_le. split; [tauto|]. intros H. split; [|exact H].
    destruct (run_proper _ _ _ _ _ Hrun i Hi) as (Hk & _ & _ & _ & _ & H6 & _). pose proof (blocks_some _ Hk) as HB.
    unfold kernel_of in H6. destruct (grid (launches i)) as [|b g] eqn:Eg; [cbn [length] in H6; lia|].
    pose proof (block_times i b Hi ltac:(rewrite Eg; now left)). specialize (H b (or_introl eq_refl)). lia.
Qed.

(** While a copy of the head of our stream waits, another stream copies. *)
Lemma other_copies t i o : r <= t < X -> mine i = true -> t < out_end (launches i) -> ready s launches i t ->
  copying i t = false -> is_ready i o t = true -> t < copy_start launches i o ->
  queues t = true /\ exists st, (st < K)%nat /\ st <> stream (k_of ours) /\ engaged st t = true.
Proof.
  intros Ht Hm Hout [Hr1 Hr2] Hc Hro Hst. pose proof (mine_lt i Hm) as Hi.
  destruct (run_copies _ _ _ _ _ Hrun i o t Hi ltac:(lia) (proj1 (ready_iff i o t Hi) Hro) Hst) as [Hpos (j & Hj & Hcj)].
  apply copies_copying in Hcj. split.
  - apply existsb_exists. exists i. split; [apply in_seq; lia|]. rewrite Hm. cbn [andb]. apply orb_true_iff.
    assert (queued i o t = true) as Hq by (unfold queued; rewrite Hro; lia). destruct o; [left|right]; assumption.
  - unfold mine in Hm. apply andb_prop in Hm. destruct Hm as [_ Hm].
    exists (stream (k_of j)). split; [apply stream_lt, of_lt; assumption|]. split.
    2: { apply existsb_exists. exists j. split; [apply in_seq; lia|]. unfold of_stream. now rewrite Hcj, Nat.eqb_refl. }
    intros E. apply Nat.eqb_eq in Hm.
    assert (same_stream s launches j i) as Hs by (unfold same_stream; congruence).
    pose proof (order j Hj) as Oj. pose proof (order i Hi) as Oi. cbv zeta in Oi, Oj. unfold copying in *.
    destruct (Nat.lt_trichotomy j i) as [Hlt|[->|Hgt]].
    + pose proof (Hr2 j Hlt Hs). apply orb_true_iff in Hcj. destruct Hcj as [Hcj|Hcj]; apply andb_prop in Hcj; lia.
    + congruence.
    + pose proof (run_stream _ _ _ _ _ Hrun i j ltac:(lia) ltac:(unfold same_stream in *; congruence)).
      apply orb_true_iff in Hcj. destruct Hcj as [Hcj|Hcj]; apply andb_prop in Hcj; lia.
Qed.

Lemma stages t : r <= t < X ->
  (exists i, mine i = true /\ running i t = true) \/ blocked t = true \/
  (queues t = true /\ exists st, (st < K)%nat /\ st <> stream (k_of ours) /\ engaged st t = true).
Proof.
  intros Ht. destruct (head t Ht) as (i & Hm & Hout & Hr). pose proof (mine_lt i Hm) as Hi.
  pose proof (order i Hi) as O. cbv zeta in O. destruct (running i t) eqn:Er; [left; now exists i|right].
  destruct (waiting i t) eqn:Ew.
  { left. apply existsb_exists. exists i. split; [apply in_seq; lia|]. now rewrite Hm, Ew. }
  right. unfold running in Er. apply orb_false_iff in Er. destruct Er as [Ec Er]. unfold waiting in Ew.
  assert (t < in_start (launches i) \/ last_finish (launches i) <= t < out_start (launches i)) as [Hin|Hou].
  { unfold copying in Ec. lia. }
  - apply (other_copies t i before); try assumption. now apply ready_iff.
  - apply (other_copies t i after); try assumption; [unfold is_ready|unfold copy_start]; lia.
Qed.

(** * Runs and copies of our stream *)
Notation span := (span s).
Notation m := (Z.to_nat long).
Notation ts := (times r m).

Lemma window : Z.of_nat m = long.
Proof. lia. Qed.

Lemma in_ts t : In t ts <-> r <= t < X.
Proof. rewrite in_times, window. reflexivity. Qed.

Definition in_times_of (a b : Z) (t : Z) : Z := if (a <=? t) && (t <? b) then 1 else 0.

Lemma running_split i t : if_so (running i t) 1 <= in_times_of (in_start (launches i)) (in_end (launches i)) t +
  in_times_of (last_start (launches i)) (last_finish (launches i)) t + in_times_of (out_start (launches i)) (out_end (launches i)) t.
Proof.
  unfold running, copying, in_times_of, if_so.
  destruct ((in_start (launches i) <=? t) && (t <? in_end (launches i))),
    ((out_start (launches i) <=? t) && (t <? out_end (launches i))),
    ((last_start (launches i) <=? t) && (t <? last_finish (launches i))); cbn [orb]; lia.
Qed.

Lemma within_ts a b : a <= b -> sum (in_times_of a b) ts <= b - a.
Proof. intros H. apply within; [apply times_NoDup|assumption]. Qed.

Lemma running_time i : (i < n)%nat -> sum (fun t => if_so (running i t) 1) ts <= d * span (of (launches i)).
Proof.
  intros Hi. pose proof (order i Hi) as O. cbv zeta in O.
  etransitivity; [apply sum_le; intros t _; apply running_split|]. rewrite !sum_plus.
  pose proof (within_ts (in_start (launches i)) (in_end (launches i)) ltac:(lia)).
  pose proof (within_ts (last_start (launches i)) (last_finish (launches i)) ltac:(lia)).
  pose proof (within_ts (out_start (launches i)) (out_end (launches i)) ltac:(lia)).
  unfold Terms.span, Terms.span_copies, kernel_of in *. lia.
Qed.

(** Of an interval that begins before the window ends and ends after it, less than all is in the window. *)
Lemma within_cut a b : X < b -> a <= b -> a < b -> sum (in_times_of a b) ts < b - a.
Proof.
  intros HX _ Hab. assert (sum (in_times_of a b) ts <= sum (in_times_of a (Z.max a X)) ts) as H.
  { apply sum_le. intros t Ht. apply in_ts in Ht. unfold in_times_of.
    destruct ((a <=? t) && (t <? b)) eqn:E1, ((a <=? t) && (t <? Z.max a X)) eqn:E2; lia. }
  pose proof (within_ts a (Z.max a X) ltac:(lia)). lia.
Qed.

(** Our own launch has not made all of its copies and run all of its last block. *)
Lemma running_ours : sum (fun t => if_so (running ours t) 1) ts < d * span k + (long - d * bound k).
Proof.
  pose proof (order ours ours_lt) as O. cbv zeta in O.
  pose proof (time_pos _ (of_lt _ ours_lt)) as HC. pose proof (copies_pos _ (of_lt _ ours_lt)) as Hcp.
  eapply Z.le_lt_trans; [apply sum_le; intros t _; apply running_split|]. rewrite !sum_plus.
  destruct too_late as [[Ew Hlate]|[Ew Hlate]].
  2: { (* its last block has not even started *)
    pose proof (within_ts (in_start (launches ours)) (in_end (launches ours)) ltac:(lia)).
    assert (forall a b, X <= a -> sum (in_times_of a b) ts = 0) as H0.
    { intros a b Ha. apply sum_none. intros t Ht. apply in_ts in Ht. unfold in_times_of. destruct ((a <=? t) && (t <? b)) eqn:E; lia. }
    rewrite (H0 (last_start (launches ours))), (H0 (out_start (launches ours))) by lia. unfold Terms.span, Terms.span_copies, kernel_of in *. nia. }
  replace (long - d * bound k) with 0 by lia. rewrite Z.add_0_r.
  pose proof (within_ts (in_start (launches ours)) (in_end (launches ours)) ltac:(lia)).
  pose proof (within_ts (last_start (launches ours)) (last_finish (launches ours)) ltac:(lia)).
  pose proof (within_ts (out_start (launches ours)) (out_end (launches ours)) ltac:(lia)).
  assert (sum (in_times_of (out_start (launches ours)) (out_end (launches ours))) ts < d * copy_out (k_of ours) \/
    sum (in_times_of (last_start (launches ours)) (last_finish (launches ours))) ts < d * time (k_of ours)) as HS;
    [|unfold Terms.span, Terms.span_copies, kernel_of in *; lia].
  assert (0 < d * time (k_of ours)) as HC' by (unfold kernel_of; nia).
  destruct (Z_lt_le_dec X (last_finish (launches ours))) as [Hx|Hx].
  - right. destruct (Z_lt_le_dec (last_start (launches ours)) (last_finish (launches ours))).
    + pose proof (within_cut (last_start (launches ours)) (last_finish (launches ours)) Hx ltac:(lia) ltac:(lia)). lia.
    + lia.
  - left. destruct (Z_lt_le_dec (out_start (launches ours)) (out_end (launches ours))).
    + pose proof (within_cut (out_start (launches ours)) (out_end (launches ours)) Hlate ltac:(lia) ltac:(lia)). lia.
    + destruct (run_copies _ _ _ _ _ Hrun ours after X ours_lt in_window) as [Hpos _]; [|cbn; lia|cbn in Hpos; nia].
      unfold copy_ready.
      apply Forall_forall. intros b Hb.
      pose proof (proj2 (below_last finish (in_end (launches ours)) (grid (launches ours))) b Hb) as H'. unfold last_finish in Hx. lia.
Qed.

(** Launches of our stream that are complete by our release no longer run. *)
Lemma dead_running i t : (i < n)%nat -> live i = false -> r <= t -> running i t = false.
Proof.
  intros Hi Hl Ht. pose proof (dead i Hi Hl). pose proof (order i Hi) as O. cbv zeta in O. unfold running, copying. lia.
Qed.

Notation own_time := (own_time s bound k).

Lemma span_pos j : (j < K)%nat -> 0 < span j.
Proof. intros Hj. pose proof (copies_pos j Hj). pose proof (time_pos j Hj). unfold Terms.span, Terms.span_copies. lia. Qed.

Lemma all_running : sum (fun t => sum (fun i => if_so (running i t) 1) (filter mine all)) ts < d * own_time + (long - d * bound k).
Proof.
  rewrite (sum_swap (fun t i => if_so (running i t) 1)).
  set (p := fun i => mine i && live i).
  assert (mine ours = true) as Hm by (unfold mine; now rewrite Nat.leb_refl, Nat.eqb_refl).
  assert (live ours = true) as Hl.
  { unfold live. apply Z.ltb_lt. pose proof (bound_pos _ (of_lt _ ours_lt)). nia. }
  assert (In ours (filter mine all)) as Hin by (apply filter_In; split; [apply in_seq; lia|assumption]).
  apply Z.lt_le_trans with (sum (fun i => if_so (live i) (d * span (of (launches i))) +
    (if (i =? ours)%nat then long - d * bound k else 0)) (filter mine all)).
  - apply (sum_lt _ _ _ ours).
    + intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi.
      destruct (Nat.eqb_spec i ours) as [->|_]; [rewrite Hl; exact (Z.lt_le_incl _ _ running_ours)|]. rewrite Z.add_0_r.
      destruct (live i) eqn:El; cbn [if_so]; [apply running_time; lia|].
      rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros t Ht. apply in_ts in Ht.
      rewrite (dead_running i t ltac:(lia) El) by lia. reflexivity.
    + exact Hin.
    + rewrite Hl, Nat.eqb_refl. exact running_ours.
  - rewrite sum_plus, (sum_at _ ours) by (try apply NoDup_filter, seq_NoDup; exact Hin). apply Z.add_le_mono_r.
    unfold if_so at 1. rewrite sum_if.
    rewrite filter_twice. fold p.
    rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|].
    apply (costs p in_stream span 0); [lia|intros j Hj; pose proof (span_pos j Hj); lia|].
    intros i Hi Hp. apply andb_prop in Hp. destruct Hp as [Hmi Hli]. split; [assumption|].
    apply andb_prop in Hmi. destruct Hmi as [Hmi Hs]. split; [|exact Hs]. apply Nat.leb_le in Hmi.
    destruct (Nat.eq_dec i ours) as [->|Hne]; [lia|].
    pose proof (run_numbered _ _ _ _ _ Hrun i ours ltac:(lia)). lia.
Qed.

(** * Waits for the copy engine *)
Notation copy_time := (copy_time s bound k).

Lemma copying_time i : (i < n)%nat -> sum (fun t => if_so (copying i t) 1) ts <= d * span_copies (of (launches i)).
Proof.
  intros Hi. pose proof (order i Hi) as O. cbv zeta in O.
  transitivity (sum (fun t => in_times_of (in_start (launches i)) (in_end (launches i)) t +
    in_times_of (out_start (launches i)) (out_end (launches i)) t) ts).
  { apply sum_le. intros t _. unfold copying, in_times_of, if_so.
    destruct ((in_start (launches i) <=? t) && (t <? in_end (launches i))),
      ((out_start (launches i) <=? t) && (t <? out_end (launches i))); cbn [orb]; lia. }
  rewrite sum_plus. pose proof (within_ts (in_start (launches i)) (in_end (launches i)) ltac:(lia)).
  pose proof (within_ts (out_start (launches i)) (out_end (launches i)) ltac:(lia)).
  unfold Terms.span_copies, kernel_of in *. lia.
Qed.

(** Releases are at whole grains. *)
Lemma before_end i : (i < n)%nat -> release (launches i) < X -> release (launches i) <= r + d * (bound k - 1).
Proof.
  intros Hi H. destruct (run_proper _ _ _ _ _ Hrun ours ours_lt) as (_ & _ & [q Eq] & _).
  destruct (run_proper _ _ _ _ _ Hrun i Hi) as (_ & _ & [q' Eq'] & _). pose proof long_le. assert (q' < q + bound k) by nia. nia.
Qed.

(** What another stream copies in the window. *)
Lemma engaged_load st : sum (fun t => if_so (engaged st t) 1) ts <= d * copies_load s bound k st.
Proof.
  transitivity (sum (fun t => sum (fun i => if_so (copying i t) 1) (filter (of_stream st) all)) ts).
  { apply sum_le. intros t _. destruct (engaged st t) eqn:E; cbn [if_so].
    - apply existsb_exists in E. destruct E as (i & Hi & E). apply andb_prop in E. destruct E as [Hf Hc].
      pose proof (sum_one (fun i => if_so (copying i t) 1) (filter (of_stream st) all) i) as H. cbv beta in H. rewrite Hc in H.
      apply H; [intros j _; destruct (copying j t); cbn; lia|]. apply filter_In. now split.
    - apply sum_pos. intros j _. destruct (copying j t); cbn; lia. }
  rewrite (sum_swap (fun t i => if_so (copying i t) 1)).
  set (q := fun i => live i && (release (launches i) <? X)). set (p := fun i => of_stream st i && q i).
  transitivity (sum (fun i => if_so (q i) (d * span_copies (of (launches i)))) (filter (of_stream st) all)).
  - apply sum_le. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi.
    destruct (q i) eqn:El; cbn [if_so]; [apply copying_time; lia|].
    rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros t Ht. apply in_ts in Ht.
    pose proof (order i ltac:(lia)) as O. cbv zeta in O. unfold q in El. apply andb_false_iff in El.
    assert (copying i t = false) as ->; [|reflexivity]. unfold copying.
    destruct El as [El|El]; [pose proof (dead i ltac:(lia) El)|]; lia.
  - unfold if_so at 1. rewrite sum_if, filter_twice. fold p. rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|].
    apply (costs p (fun j => (stream (kernel_at j) =? st)%nat) span_copies (bound k - 1)).
    + pose proof (bound_pos _ (of_lt _ ours_lt)). lia.
    + intros j Hj. pose proof (copies_pos j Hj). unfold Terms.span_copies. lia.
    + intros i Hi Hp. unfold p, q in Hp. apply andb_prop in Hp. destruct Hp as [Hf Hq]. apply andb_prop in Hq. destruct Hq as [Hl Hx].
      split; [assumption|]. split; [apply before_end; [assumption|lia]|exact Hf].
Qed.

(** * One copy of ours waits for one copy of each other stream *)
Notation copy_begin := (copy_start launches).
Definition copy_end (i : nat) (o : side) : Z := match o with before => in_end (launches i) | after => out_end (launches i) end.

(** A stream has one copy at a time that is ready and not at its end. *)
Lemma one_copy t i o j o' : (i < n)%nat -> (j < n)%nat -> same_stream s launches i j ->
  is_ready i o t = true -> t < copy_end i o -> is_ready j o' t = true -> t < copy_end j o' -> i = j /\ o = o'.
Proof.
  assert (forall i o j o', (i < j)%nat -> (j < n)%nat -> same_stream s launches i j -> t < copy_end i o ->
    is_ready j o' t = true -> t < copy_end j o' -> False) as H.
  { intros i' p j' p' Hij Hj Hs He Hr He'. pose proof (order i' ltac:(lia)) as Oi. pose proof (order j' Hj) as Oj. cbv zeta in Oi, Oj.
    pose proof (run_stream _ _ _ _ _ Hrun i' j' ltac:(lia) Hs) as Hst.
    destruct p'; cbn [copy_end] in *.
    - apply (ready_iff j' before t Hj) in Hr. destruct Hr as [_ Hr]. specialize (Hr i' Hij Hs). destruct p; cbn [copy_end] in He; lia.
    - unfold is_ready in Hr. destruct p; cbn [copy_end] in He; lia. }
  intros Hi Hj Hs Hr He Hr' He'. destruct (Nat.lt_trichotomy i j) as [Hlt|[->|Hgt]].
  - elim (H i o j o'); assumption.
  - split; [reflexivity|]. pose proof (order j Hj) as O. cbv zeta in O.
    destruct o, o'; try reflexivity; cbn [copy_end is_ready] in *; lia.
  - elim (H j o' i o); try assumption. unfold same_stream in *. congruence.
Qed.

Lemma longest_at_least st j : (j < K)%nat -> stream (kernel_at j) = st -> span_copies j <= longest_copies s st.
Proof.
  intros Hj Hs. unfold longest_copies.
  assert (forall l, In j l -> span_copies j <=
    fold_right Z.max 0 (map (fun j => if_so (stream (kernel_at j) =? st)%nat (span_copies j)) l)) as H.
  { induction l as [|i l IH]; intros Hi; [elim Hi|]. cbn [map fold_right]. destruct Hi as [->|Hi].
    - rewrite Hs, Nat.eqb_refl. cbn [if_so]. lia.
    - specialize (IH Hi). lia. }
  apply H, in_seq. lia.
Qed.

Lemma longest_pos st : 0 <= longest_copies s st.
Proof. unfold longest_copies. induction (seq 0 K) as [|i l IH]; cbn [map fold_right]; lia. Qed.

Lemma copying_op j t : copying j t = true -> exists o, copy_begin j o <= t < copy_end j o.
Proof.
  unfold copying. intros H. apply orb_true_iff in H. destruct H as [H|H]; apply andb_prop in H; [exists before|exists after];
    cbn [copy_start copy_end]; lia.
Qed.

Lemma op_time i o : (i < n)%nat -> copy_begin i o <= copy_end i o <= copy_begin i o + d * copy_of (k_of i) o.
Proof. intros Hi. pose proof (order i Hi) as O. cbv zeta in O. destruct o; cbn [copy_start copy_end copy_of]; lia. Qed.

Lemma one_wait i o st : (i < n)%nat -> sum (fun t => if_so (queued i o t && engaged st t) 1) ts <= d * longest_copies s st.
Proof.
  intros Hi. pose proof (longest_pos st) as Hlong.
  set (both := filter (fun t => queued i o t && engaged st t) ts).
  assert (sum (fun t => if_so (queued i o t && engaged st t) 1) ts = Z.of_nat (length both)) as ->.
  { unfold if_so. rewrite sum_if, sum_const. fold both. lia. }
  assert (both = [] \/ exists t, In t both) as [->|[t2 Ht2]] by (destruct both as [|t l]; [now left|right; exists t; now left]).
  { cbn [length]. nia. }
  destruct (least (fun t => t) both t2 Ht2) as (t0 & Ht0 & Hleast).
  assert (forall t, In t both -> r <= t < X /\ is_ready i o t = true /\ t < copy_begin i o /\
    exists j o', (j < n)%nat /\ stream (k_of j) = st /\ copy_begin j o' <= t < copy_end j o') as Hboth.
  { intros t Ht. apply filter_In in Ht. destruct Ht as [Ht H]. apply in_ts in Ht. apply andb_prop in H. destruct H as [Hq He].
    unfold queued in Hq. rewrite !andb_true_iff in Hq. destruct Hq as [[_ Hq1] Hq2].
    apply existsb_exists in He. destruct He as (j & Hj & He). apply in_seq in Hj. apply andb_prop in He. destruct He as [Hs Hc].
    apply Nat.eqb_eq in Hs. destruct (copying_op j t Hc) as (o' & Ho'). repeat split; try lia; try assumption.
    exists j, o'. repeat split; try lia; assumption. }
  destruct (Hboth t0 Ht0) as (Hw0 & Hr0 & Hs0 & j0 & o0 & Hj0 & Est0 & Hc0).
  assert (forall t j o', In t both -> (j < n)%nat -> copy_begin j o' <= t < copy_end j o' -> is_ready j o' t0 = true /\ t0 < copy_end j o') as Hold.
  { intros t j o' Ht Hj Hc. destruct (Hboth t Ht) as (Hwt & _ & Hst & _). specialize (Hleast t Ht). cbv beta in Hleast.
    split; [|lia]. destruct (is_ready j o' t0) eqn:E; [reflexivity|]. exfalso.
    assert (0 < copy_of (k_of j) o') as Hpos by (pose proof (op_time j o' Hj); nia).
    pose proof (run_engine _ _ _ _ _ Hrun i o j o' t0 Hi Hj (proj1 (ready_iff i o t0 Hi) Hr0)
      ltac:(intros H; apply (ready_iff j o' t0 Hj) in H; congruence) Hpos ltac:(lia)). lia. }
  destruct (Hold t0 j0 o0 Ht0 Hj0 Hc0) as [Hr1 He1].
  assert (Z.of_nat (length both) <= copy_end j0 o0 - copy_begin j0 o0) as HB.
  { pose proof (op_time j0 o0 Hj0). rewrite <- (Z.mul_1_l (Z.of_nat _)), <- sum_const.
    transitivity (sum (in_times_of (copy_begin j0 o0) (copy_end j0 o0)) both).
    - apply sum_le. intros t Ht. destruct (Hboth t Ht) as (_ & _ & _ & j & o' & Hj & Est & Hc).
      destruct (Hold t j o' Ht Hj Hc) as [Hr2 He2].
      destruct (one_copy t0 j o' j0 o0 Hj Hj0 ltac:(unfold same_stream; congruence) Hr2 He2 Hr1 He1) as [-> ->].
      unfold in_times_of. destruct ((copy_begin j0 o0 <=? t) && (t <? copy_end j0 o0)) eqn:E; lia.
    - apply within; [apply NoDup_filter, times_NoDup|lia]. }
  pose proof (op_time j0 o0 Hj0). pose proof (longest_at_least st _ (of_lt j0 Hj0) Est0) as HL.
  pose proof (copies_pos _ (of_lt j0 Hj0)) as Hcp. unfold Terms.span_copies in HL. unfold kernel_of in *.
  assert (copy_of (kernel_at (of (launches j0))) o0 <= longest_copies s st) by (destruct o0; cbn [copy_of]; lia). nia.
Qed.

(** No copy of a launch that is complete by our release waits. *)
Lemma dead_queued i o t : (i < n)%nat -> live i = false -> r <= t -> queued i o t = false.
Proof.
  intros Hi Hl Ht. pose proof (dead i Hi Hl). pose proof (order i Hi) as O. cbv zeta in O. unfold queued.
  assert (copy_begin i o <= t) by (destruct o; cbn [copy_start]; lia).
  destruct (t <? copy_begin i o) eqn:E; [lia|]. now rewrite andb_false_r.
Qed.

Lemma all_waits st : sum (fun t => if_so (queues t && engaged st t) 1) ts <= d * (own_copies s bound k * longest_copies s st).
Proof.
  pose proof (longest_pos st) as Hlong.
  set (w := fun i o t => if_so (queued i o t && engaged st t) 1).
  transitivity (sum (fun t => sum (fun i => w i before t + w i after t) (filter mine all)) ts).
  { apply sum_le. intros t _. assert (forall i o, 0 <= w i o t) as Hw by (intros i o; unfold w; destruct (_ && _); cbn; lia).
    assert (0 <= sum (fun i => w i before t + w i after t) (filter mine all)) as Hpos.
    { apply sum_pos. intros i _. pose proof (Hw i before). pose proof (Hw i after). lia. }
    destruct (queues t) eqn:Eq; cbn [andb if_so]; [|assumption]. destruct (engaged st t) eqn:Ee; cbn [if_so]; [|assumption].
    apply existsb_exists in Eq. destruct Eq as (i & Hi & Eq). apply andb_prop in Eq. destruct Eq as [Hm Eq].
    pose proof (sum_one (fun i => w i before t + w i after t) (filter mine all) i
      ltac:(intros j _; pose proof (Hw j before); pose proof (Hw j after); lia) ltac:(apply filter_In; now split)) as H. cbv beta in H.
    assert (1 <= w i before t + w i after t); [|lia]. pose proof (Hw i before). pose proof (Hw i after).
    apply orb_true_iff in Eq. destruct Eq as [Eq|Eq]; unfold w in *; rewrite Eq, Ee in *; cbn [andb if_so] in *; lia. }
  rewrite (sum_swap (fun t i => w i before t + w i after t)).
  set (p := fun i => mine i && live i).
  transitivity (sum (fun i => if_so (live i) (d * (longest_copies s st * copies_of s (of (launches i))))) (filter mine all)).
  - apply sum_le. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi.
    destruct (live i) eqn:El; cbn [if_so].
    + rewrite sum_plus.
      assert (forall o, sum (w i o) ts <= d * (longest_copies s st * if_so (0 <? copy_of (k_of i) o) 1)) as Ho.
      { intros o. destruct (0 <? copy_of (k_of i) o) eqn:Ec; cbn [if_so].
        - rewrite Z.mul_1_r. apply one_wait. lia.
        - rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros t _. unfold w, queued. now rewrite Ec. }
      pose proof (Ho before) as H1. pose proof (Ho after) as H2. unfold copies_of. cbn [copy_of] in *. unfold kernel_of in *. lia.
    + rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros t Ht. apply in_ts in Ht. unfold w.
      rewrite !(dead_queued i) by (try assumption; lia). reflexivity.
  - unfold if_so at 1. rewrite sum_if, filter_twice. fold p. rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|].
    rewrite sum_scale, Z.mul_comm. apply Z.mul_le_mono_nonneg_r; [assumption|].
    apply (costs p in_stream (copies_of s) 0).
    + lia.
    + intros j _. unfold copies_of. destruct (0 <? copy_in _), (0 <? copy_out _); cbn; lia.
    + intros i Hi Hp. apply andb_prop in Hp. destruct Hp as [Hm Hl]. split; [assumption|].
      apply andb_prop in Hm. destruct Hm as [Hm Hs]. split; [|exact Hs]. apply Nat.leb_le in Hm.
      destruct (Nat.eq_dec i ours) as [->|Hne]; [lia|].
      pose proof (run_numbered _ _ _ _ _ Hrun i ours ltac:(lia)). lia.
Qed.

Definition disturbed (t : Z) : bool :=
  existsb (fun st => negb (st =? stream (k_of ours))%nat && (queues t && engaged st t)) (seq 0 K).

Lemma all_disturbed : sum (fun t => if_so (disturbed t) 1) ts <= d * copy_time.
Proof.
  transitivity (sum (fun t => sum (fun st => if_so (negb (st =? stream (k_of ours))%nat) (if_so (queues t && engaged st t) 1)) (seq 0 K)) ts).
  - apply sum_le. intros t _.
    assert (forall st, 0 <= if_so (negb (st =? stream (k_of ours))%nat) (if_so (queues t && engaged st t) 1)) as Hp
      by (intros st; destruct (negb _), (_ && _); cbn; lia).
    destruct (disturbed t) eqn:E; cbn [if_so]; [|apply sum_pos; auto]. apply existsb_exists in E. destruct E as (st & Hst & E).
    apply andb_prop in E. destruct E as [E1 E2].
    pose proof (sum_one (fun st => if_so (negb (st =? stream (k_of ours))%nat) (if_so (queues t && engaged st t) 1)) (seq 0 K) st
      (fun st _ => Hp st) Hst) as H. cbv beta in H. rewrite E1, E2 in H. exact H.
  - rewrite (sum_swap (fun t st => if_so (negb (st =? stream (k_of ours))%nat) (if_so (queues t && engaged st t) 1))).
    unfold Terms.copy_time. rewrite <- sum_scale. apply sum_le. intros st _. unfold kernel_of.
    destruct (negb (st =? stream (kernel_at k))%nat); cbn [if_so]; [|rewrite sum_zero; lia].
    pose proof (all_waits st) as H1. pose proof (engaged_load st) as H2.
    assert (sum (fun t => if_so (queues t && engaged st t) 1) ts <= sum (fun t => if_so (engaged st t) 1) ts) as H3.
    { apply sum_le. intros t _. destruct (queues t), (engaged st t); cbn; lia. }
    lia.
Qed.

(** * The rest of the time *)

(** The time of which the launches of our stream neither run nor wait for copies is that in which they wait for room. *)
Definition blocked_time : Z := sum (fun t => if_so (blocked t) 1) ts.

Lemma blocked_time_pos : 0 <= blocked_time.
Proof. apply sum_pos. intros t _. destruct (blocked t); cbn; lia. Qed.

Lemma no_time_left (rest : Z) : blocked_time <= d * rest -> own_time + copy_time + rest <= bound k -> False.
Proof.
  intros Hrest Hbound.
  assert (Z.of_nat m <= sum (fun t => sum (fun i => if_so (running i t) 1) (filter mine all)) ts + blocked_time +
    sum (fun t => if_so (disturbed t) 1) ts) as H1.
  { unfold blocked_time. rewrite <- !sum_plus. rewrite <- (times_length r m) at 1. rewrite <- (Z.mul_1_l (Z.of_nat _)), <- sum_const.
    apply sum_le. intros t Ht. apply in_ts in Ht.
    assert (0 <= sum (fun i => if_so (running i t) 1) (filter mine all)) as Hpos.
    { apply sum_pos. intros i _. destruct (running i t); cbn; lia. }
    destruct (stages t Ht) as [(i & Hm & Er)|[->|(Hq & st & Hst & Hne & He)]].
    - pose proof (sum_one (fun i => if_so (running i t) 1) (filter mine all) i) as H. cbv beta in H. rewrite Er in H. cbn [if_so] in H.
      assert (1 <= sum (fun i => if_so (running i t) 1) (filter mine all)).
      { apply H; [intros j _; destruct (running j t); cbn; lia|]. apply filter_In. split; [apply in_seq; pose proof (mine_lt i Hm); lia|assumption]. }
      destruct (blocked t), (disturbed t); cbn [if_so]; lia.
    - destruct (disturbed t); cbn [if_so]; lia.
    - assert (disturbed t = true) as ->.
      { apply existsb_exists. exists st. split; [apply in_seq; lia|]. rewrite Hq, He. apply Nat.eqb_neq in Hne. now rewrite Hne. }
      destruct (blocked t); cbn [if_so]; lia. }
  rewrite window in H1. pose proof all_running. pose proof all_disturbed. nia.
Qed.

(** * Waits for room *)

(** What the blocks of a launch take at a time, in weights. *)
Definition taking (i : nat) (t : Z) : Z := sum (fun b => if present t b then weight (of (launches i)) else 0) (grid (launches i)).

Lemma taking_pos i t : (i < n)%nat -> 0 <= taking i t.
Proof.
  intros Hi. apply sum_pos. intros b _. pose proof (weight_pos _ (of_lt i Hi)). destruct (present t b); lia.
Qed.

(** While a block of our stream waits, the weights on every multiprocessor add up to 1. *)
Lemma full_times t : r <= t < X -> blocked t = true -> one * multiprocessors s <= sum (fun i => taking i t) all.
Proof.
  intros Ht Hb. apply existsb_exists in Hb. destruct Hb as (i & Hi & Hb). apply in_seq in Hi. apply andb_prop in Hb.
  destruct Hb as [_ Hb]. unfold waiting in Hb. apply andb_prop in Hb.
  destruct (max_in start (in_end (launches i)) (grid (launches i))) as [E|(b & Hbi & E)]; [unfold last_start in Hb; lia|].
  destruct (run_head _ _ _ _ _ Hrun i b t ltac:(lia) ltac:(lia)) as (j & b' & Hj & _ & Hfull).
  { split; [assumption|]. unfold last_start in Hb. lia. }
  set (M := Z.to_nat (multiprocessors s)).
  set (part := fun m i => sum (fun b => if (on b =? m)%nat && present t b then weight (of (launches i)) else 0) (grid (launches i))).
  transitivity (sum (fun m => sum (part m) all) (seq 0 M)).
  - transitivity (sum (fun _ => one) (seq 0 M)).
    + rewrite sum_const, seq_length. unfold M. rewrite Z2Nat.id by lia. lia.
    + apply sum_le. intros m Hm. apply in_seq in Hm. apply (full j m t Hj ltac:(lia)). apply Hfull. unfold M in Hm. lia.
  - rewrite (sum_swap part). apply sum_le. intros i' Hi'. apply in_seq in Hi'. unfold part, taking.
    rewrite (sum_swap (fun m b => if (on b =? m)%nat && present t b then weight (of (launches i')) else 0)).
    apply sum_le. intros b'' _. pose proof (weight_pos _ (of_lt i' ltac:(lia))) as Hw. apply sum_single.
    + apply seq_NoDup.
    + destruct (present t b''); lia.
    + intros m _. destruct (on b'' =? m)%nat, (present t b''); cbn [andb]; lia.
    + intros m m' _ _ H1 H2. destruct (Nat.eqb_spec (on b'') m), (Nat.eqb_spec (on b'') m'); cbn [andb] in *; congruence.
Qed.

(** One launch of a stream at a time has blocks on the multiprocessors. *)
Lemma one_at_a_time i j t : (i < j < n)%nat -> same_stream s launches i j -> taking i t <> 0 -> taking j t = 0.
Proof.
  intros Hij Hs Hi. destruct (Z.eq_dec (taking j t) 0) as [|Hj]; [assumption|]. exfalso.
  assert (forall i, taking i t <> 0 -> exists b, In b (grid (launches i)) /\ present t b = true) as H.
  { clear. intros i H. unfold taking in H. destruct (existsb (present t) (grid (launches i))) eqn:E.
    - apply existsb_exists in E. exact E.
    - elim H. apply sum_none. intros b Hb.
      destruct (present t b) eqn:Ep; [|reflexivity].
      assert (existsb (present t) (grid (launches i)) = true); [|congruence]. apply existsb_exists. now exists b. }
  destruct (H i Hi) as (b & Hb & Hp). destruct (H j Hj) as (b' & Hb' & Hp'). unfold present in *.
  pose proof (block_times i b ltac:(lia) Hb). pose proof (block_times j b' ltac:(lia) Hb').
  pose proof (run_stream _ _ _ _ _ Hrun i j Hij Hs). pose proof (order i ltac:(lia)) as Oi. pose proof (order j ltac:(lia)) as Oj.
  cbv zeta in Oi, Oj. lia.
Qed.

Lemma taking_fill st t : sum (fun i => taking i t) (filter (of_stream st) all) <= fill st.
Proof.
  assert (forall i, In i (filter (of_stream st) all) -> (i < n)%nat /\ stream (k_of i) = st) as Hin.
  { intros i Hi. apply filter_In in Hi. destruct Hi as [Hi Hs]. apply in_seq in Hi. apply Nat.eqb_eq in Hs. split; [lia|assumption]. }
  apply sum_single; [apply NoDup_filter, seq_NoDup|apply fill_pos| |].
  - intros i Hi. destruct (Hin i Hi) as [Hi' <-]. pose proof (of_lt i Hi') as Ho. pose proof (weight_pos _ Ho).
    etransitivity; [|apply (fill_enough _ Ho)]. destruct (run_proper _ _ _ _ _ Hrun i Hi') as (_ & _ & _ & _ & _ & E & _).
    unfold kernel_of in E. rewrite <- E, <- sum_const. apply sum_le. intros b _. destruct (present t b); lia.
  - intros i j Hi Hj H1 H2. destruct (Hin i Hi) as [Hi' Ei]. destruct (Hin j Hj) as [Hj' Ej].
    destruct (Nat.lt_trichotomy i j) as [Hlt|[|Hgt]]; [|assumption|]; exfalso.
    + apply H2, (one_at_a_time i j); [lia|unfold same_stream; congruence|assumption].
    + apply H1, (one_at_a_time j i); [lia|unfold same_stream; congruence|assumption].
Qed.

(** Launches of other streams that are released more than u grains after ours do not stand before it. *)
Variable u : Z.
Hypothesis u_pos : 0 <= u.
Hypothesis late : forall i t, (i < n)%nat -> foreign i = true -> r + d * u < release (launches i) -> r <= t < X ->
  blocked t = true -> taking i t = 0.

(** What the blocks of a launch take while ours wait, as a whole. *)
Definition taken_by (i : nat) : Z := sum (fun t => if_so (blocked t) (taking i t)) ts.

Lemma block_time (l : list Z) b w c : NoDup l -> 0 <= w -> start b <= finish b <= start b + c ->
  sum (fun t => if present t b then w else 0) l <= w * c.
Proof.
  intros Hd Hw Hb. transitivity (sum (fun t => w * in_times_of (start b) (finish b) t) l).
  - apply sum_le. intros t _. unfold present, in_times_of. destruct ((start b <=? t) && (t <? finish b)); lia.
  - rewrite sum_scale. pose proof (within l (start b) (finish b) Hd ltac:(lia)) as H. unfold in_times_of. nia.
Qed.

Lemma taken_nothing i : (forall t, r <= t < X -> blocked t = true -> taking i t = 0) -> taken_by i <= 0.
Proof.
  intros H. unfold taken_by. rewrite (sum_ext _ (fun _ => 0)); [now rewrite sum_zero|]. intros t Ht. apply in_ts in Ht.
  destruct (blocked t) eqn:E; cbn [if_so]; [now apply H|reflexivity].
Qed.

(** A launch whose blocks are complete, or have not begun, takes nothing. *)
Lemma taking_outside i t : (i < n)%nat -> (out_end (launches i) <= t \/ t < in_start (launches i)) -> taking i t = 0.
Proof.
  intros Hi H. unfold taking. apply sum_none. intros b Hb.
  pose proof (block_times i b Hi Hb) as Bt. pose proof (order i Hi) as O. cbv zeta in O.
  unfold present. destruct ((start b <=? t) && (t <? finish b)) eqn:E; [lia|reflexivity].
Qed.

Lemma taken_live i : (i < n)%nat -> foreign i = true -> taken_by i <=
  if_so (live i && (release (launches i) <=? r + d * u))
    (d * (blocks (k_of i) * weight (of (launches i)) * time (k_of i))).
Proof.
  intros Hi Hf. pose proof (order i Hi) as O. cbv zeta in O. destruct (live i) eqn:El; cbn [andb].
  - destruct (Z.leb_spec (release (launches i)) (r + d * u)) as [Hu|Hu]; cbn [if_so].
    + pose proof (weight_pos _ (of_lt i Hi)) as Hw.
      transitivity (sum (fun t => taking i t) ts).
      { apply sum_le. intros t _. pose proof (taking_pos i t Hi). destruct (blocked t); cbn [if_so]; lia. }
      unfold taking. rewrite (sum_swap (fun t b => if present t b then weight (of (launches i)) else 0)).
      transitivity (sum (fun _ => weight (of (launches i)) * (d * time (k_of i))) (grid (launches i))).
      * apply sum_le. intros b Hb. apply block_time; [apply times_NoDup|assumption|].
        pose proof (block_times i b Hi Hb). lia.
      * rewrite sum_const. destruct (run_proper _ _ _ _ _ Hrun i Hi) as (_ & _ & _ & _ & _ & E & _). rewrite E. lia.
    + apply taken_nothing. intros t Ht Hb. apply (late i t); try assumption; lia.
  - apply taken_nothing. intros t Ht Hb. apply taking_outside; [assumption|]. left. pose proof (dead i Hi El). lia.
Qed.

(** Of our own stream all blocks but the last one of each launch. *)
Lemma taken_mine i : (i < n)%nat -> foreign i = false -> taken_by i <=
  if_so (mine i && live i) (d * ((blocks (k_of i) - 1) * weight (of (launches i)) * time (k_of i))).
Proof.
  intros Hi Hf. pose proof (order i Hi) as O. cbv zeta in O. pose proof (weight_pos _ (of_lt i Hi)) as Hw.
  apply negb_false_iff, Nat.eqb_eq in Hf.
  assert (forall t, blocked t = true -> waiting i t = true /\ mine i = true \/ taking i t = 0) as Hblocked.
  { intros t Hb. apply existsb_exists in Hb. destruct Hb as (j & Hj & Hb). apply andb_prop in Hb. destruct Hb as [Hm Hb].
    apply in_seq in Hj. pose proof (order j ltac:(lia)) as Oj. cbv zeta in Oj.
    assert (same_stream s launches i j) as Hs.
    { unfold mine in Hm. apply andb_prop in Hm. destruct Hm as [_ Hm]. apply Nat.eqb_eq in Hm. unfold same_stream. congruence. }
    unfold waiting in *. destruct (Nat.lt_trichotomy i j) as [Hlt|[->|Hgt]]; [right|left; now split|right].
    - apply taking_outside; [lia|]. left. pose proof (run_stream _ _ _ _ _ Hrun i j ltac:(lia) Hs). lia.
    - apply taking_outside; [lia|]. right.
      pose proof (run_stream _ _ _ _ _ Hrun j i ltac:(lia) ltac:(unfold same_stream in *; congruence)). lia. }
  destruct (mine i && live i) eqn:Eml; cbn [if_so].
  - destruct (max_in start (in_end (launches i)) (grid (launches i))) as [E|(b & Hb & E)].
    + transitivity 0.
      * apply taken_nothing. intros t Ht Hbl. destruct (Hblocked t Hbl) as [[Hw' _]|]; [|assumption].
        unfold waiting, last_start in Hw'. rewrite E in Hw'. lia.
      * pose proof (blocks_some _ (of_lt i Hi)). pose proof (time_pos _ (of_lt i Hi)). unfold kernel_of.
        repeat apply Z.mul_nonneg_nonneg; lia.
    + apply in_split in Hb. destruct Hb as (l1 & l2 & Eg).
      assert (blocks (k_of i) - 1 = Z.of_nat (length (l1 ++ l2))) as EB.
      { destruct (run_proper _ _ _ _ _ Hrun i Hi) as (_ & _ & _ & _ & _ & E' & _). rewrite <- E', Eg, !app_length. cbn [length]. lia. }
      transitivity (sum (fun t => sum (fun b => if present t b then weight (of (launches i)) else 0) (l1 ++ l2)) ts).
      * unfold taken_by. apply sum_le. intros t Ht.
        assert (0 <= sum (fun b => if present t b then weight (of (launches i)) else 0) (l1 ++ l2)) as Hpos.
        { apply sum_pos. intros b' _. destruct (present t b'); lia. }
        destruct (blocked t) eqn:Ebl; cbn [if_so]; [|assumption].
        destruct (Hblocked t Ebl) as [[Hw' _]|H0]; [|now rewrite H0]. unfold taking. rewrite Eg.
        rewrite !sum_app. cbn [sum fold_right].
        assert (present t b = false) as ->; [|unfold sum; lia]. unfold waiting, last_start in Hw'. rewrite <- E in Hw'. unfold present. lia.
      * rewrite (sum_swap (fun t b => if present t b then weight (of (launches i)) else 0)).
        transitivity (sum (fun _ => weight (of (launches i)) * (d * time (k_of i))) (l1 ++ l2)).
        -- apply sum_le. intros b' Hb'. apply block_time; [apply times_NoDup|assumption|].
           assert (In b' (grid (launches i))) as Hin by (rewrite Eg; apply in_app_iff in Hb'; apply in_app_iff; cbn [In]; tauto).
           pose proof (block_times i b' Hi Hin). lia.
        -- rewrite sum_const. rewrite EB. lia.
  - apply taken_nothing. intros t Ht Hbl. destruct (Hblocked t Hbl) as [[_ Hm]|]; [|assumption].
    rewrite Hm in Eml. apply taking_outside; [assumption|]. left. pose proof (dead i Hi Eml). lia.
Qed.

Notation load := (load s bound weight k u).

Lemma taken_load st : sum taken_by (filter (of_stream st) all) <= d * load st.
Proof.
  destruct (Nat.eq_dec st (stream (k_of ours))) as [Es|Es].
  - set (p := fun i => of_stream st i && (mine i && live i)).
    transitivity (sum (fun i => if_so (mine i && live i) (d * ((blocks (k_of i) - 1) * weight (of (launches i)) * time (k_of i))))
      (filter (of_stream st) all)).
    + apply sum_le. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi Ho]. apply in_seq in Hi.
      apply taken_mine; [lia|]. unfold of_stream, foreign in *. apply Nat.eqb_eq in Ho. rewrite Ho, Es, Nat.eqb_refl. reflexivity.
    + unfold if_so at 1. rewrite sum_if, filter_twice. fold p. rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|].
      etransitivity; [apply (costs p (fun j => (stream (kernel_at j) =? st)%nat)
        (fun j => (blocks (kernel_at j) - 1) * weight j * time (kernel_at j)) 0)|].
      * lia.
      * intros j Hj. pose proof (blocks_some j Hj). pose proof (time_pos j Hj). pose proof (weight_pos j Hj).
        repeat apply Z.mul_nonneg_nonneg; lia.
      * intros i Hi Hp. unfold p in Hp. apply andb_prop in Hp. destruct Hp as [Ho Hp]. apply andb_prop in Hp. destruct Hp as [Hm Hl].
        split; [assumption|]. split; [|exact Ho]. unfold mine in Hm. apply andb_prop in Hm. destruct Hm as [Hm _].
        apply Nat.leb_le in Hm. destruct (Nat.eq_dec i ours) as [->|Hne]; [lia|].
        pose proof (run_numbered _ _ _ _ _ Hrun i ours ltac:(lia)). lia.
      * apply sum_le. intros j _. unfold Terms.load_of, Terms.in_stream. destruct (Nat.eqb_spec (stream (kernel_at j)) st) as [E|E]; cbn [if_so]; [|lia].
        unfold kernel_of in Es. rewrite E, <- Es, Nat.eqb_refl. lia.
  - set (q := fun i => live i && (release (launches i) <=? r + d * u)). set (p := fun i => of_stream st i && q i).
    transitivity (sum (fun i => if_so (q i) (d * (blocks (k_of i) * weight (of (launches i)) * time (k_of i)))) (filter (of_stream st) all)).
    + apply sum_le. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi Ho]. apply in_seq in Hi.
      apply taken_live; [lia|]. unfold of_stream, foreign in *. apply Nat.eqb_eq in Ho. rewrite Ho. apply negb_true_iff.
      now apply Nat.eqb_neq.
    + unfold if_so at 1. rewrite sum_if, filter_twice. fold p. rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|].
      etransitivity; [apply (costs p (fun j => (stream (kernel_at j) =? st)%nat)
        (fun j => blocks (kernel_at j) * weight j * time (kernel_at j)) u)|].
      * assumption.
      * intros j Hj. pose proof (blocks_some j Hj). pose proof (time_pos j Hj). pose proof (weight_pos j Hj).
        repeat apply Z.mul_nonneg_nonneg; lia.
      * intros i Hi Hp. unfold p, q in Hp. apply andb_prop in Hp. destruct Hp as [Ho Hp]. apply andb_prop in Hp. destruct Hp as [Hl Hr].
        split; [assumption|]. split; [lia|exact Ho].
      * apply sum_le. intros j _. unfold Terms.load_of, Terms.in_stream. destruct (Nat.eqb_spec (stream (kernel_at j)) st) as [E|E]; cbn [if_so]; [|lia].
        unfold kernel_of in Es. rewrite E. destruct (Nat.eqb_spec st (stream (kernel_at k))); [congruence|]. lia.
Qed.

(** * The fixed point *)

(** [rest]: how long our stream may wait for room; of the streams some count with what they may take at once, the others with
    their load. *)
Theorem in_time (rest : Z) (filled : nat -> bool) :
  let capacity := one * multiprocessors s in
  let fills := sum (fun st => if filled st then fill st else 0) (seq 0 K) in
  let loads := sum (fun st => if filled st then 0 else load st) (seq 0 K) in
  own_time + copy_time + rest <= bound k -> 0 <= rest -> fills < capacity -> loads + fills * rest <= capacity * rest -> False.
Proof.
  intros capacity fills loads Hbound Hrest Hfills Hloads.
  apply (no_time_left rest); [|exact Hbound].
  pose proof blocked_time_pos as HW0. set (W := blocked_time) in *. unfold blocked_time in W.
  (* what is taken while we wait *)
  assert (capacity * W <= sum (fun st => sum taken_by (filter (of_stream st) all)) (seq 0 K)) as H4.
  { unfold W. rewrite <- sum_scale.
    transitivity (sum (fun t => sum (fun i => if_so (blocked t) (taking i t)) all) ts).
    - apply sum_le. intros t Ht. apply in_ts in Ht. destruct (blocked t) eqn:E; cbn [if_so].
      + rewrite Z.mul_1_r. exact (full_times t Ht E).
      + rewrite sum_zero. lia.
    - rewrite (sum_swap (fun t i => if_so (blocked t) (taking i t))). fold taken_by.
      rewrite (by_kind (fun i => stream (k_of i)) _ all K).
      + apply Z.le_refl.
      + intros i Hi. apply in_seq in Hi. apply stream_lt, of_lt. lia. }
  assert (sum (fun st => sum taken_by (filter (of_stream st) all)) (seq 0 K) <= fills * W + d * loads) as H5.
  { unfold fills, loads. rewrite <- sum_scale, (Z.mul_comm _ W), <- sum_scale, <- sum_plus.
    apply sum_le. intros st _. destruct (filled st).
    - unfold taken_by. rewrite (sum_swap (fun i t => if_so (blocked t) (taking i t))).
      transitivity (sum (fun t => fill st * if_so (blocked t) 1) ts); [|rewrite sum_scale; fold W; lia].
      apply sum_le. intros t _. destruct (blocked t); cbn [if_so].
      + pose proof (taking_fill st t). lia.
      + rewrite sum_zero. lia.
    - pose proof (taken_load st). lia. }
  nia.
Qed.
End OneLaunch.
