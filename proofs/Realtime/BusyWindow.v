(** The wait of one launch for room, seen from the last time at which no launch as urgent was in its queue
    (docs/response-times.md): since then only such launches started blocks, and all of them entered since then. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Counting Terms OneLaunch Priorities BusyTerms.
Local Open Scope Z_scope.

(** * The area under a falling curve *)
Lemma area_pos f l lo : (forall c, 0 <= f c) -> 0 <= area f lo l.
Proof.
  intros Hf. revert lo. induction l as [|c l IH]; intros lo; cbn [area]; [lia|].
  specialize (IH (Z.max lo c)). pose proof (Hf lo). nia.
Qed.

Lemma times_app r a b : times r (a + b) = times r a ++ times (r + Z.of_nat a) b.
Proof.
  unfold times. rewrite seq_app, map_app. f_equal. cbn [Nat.add].
  assert (forall k m, map (fun i => r + Z.of_nat i) (seq (m + k) b) = map (fun i => r + Z.of_nat m + Z.of_nat i) (seq k b)) as H.
  { induction b as [|b IH]; intros k m; [reflexivity|]. cbn [seq map]. f_equal; [lia|]. rewrite <- (IH (S k) m).
    now rewrite Nat.add_succ_r. }
  rewrite <- (H 0%nat a). now rewrite Nat.add_0_r.
Qed.

Lemma area_enough d (f F : Z -> Z) t0 e : 0 < d -> (forall c, 0 <= f c) ->
  (forall c t, 0 <= c -> t0 + d * c <= t < e -> F t <= f c) ->
  forall l lo m, 0 <= lo -> (forall t, t0 + d * lo <= t < e -> (forall c, In c l -> d * c <= t - t0) -> F t <= 0) ->
    t0 + d * lo + Z.of_nat m <= e -> sum F (times (t0 + d * lo) m) <= d * area f lo l.
Proof.
  intros Hd Hf HF. induction l as [|c l IH]; intros lo m Hlo H0 He; cbn [area].
  - rewrite Z.mul_0_r, <- (sum_zero (times (t0 + d * lo) m)). apply sum_le. intros t Ht. apply in_times in Ht.
    apply H0; [lia|intros c []].
  - set (next := Z.max lo c). set (m1 := Z.to_nat (d * (next - lo))).
    pose proof (Hf lo) as Hf0. pose proof (area_pos f l next Hf) as Ha.
    assert (forall m', Z.of_nat m' <= Z.of_nat m -> sum F (times (t0 + d * lo) m') <= f lo * Z.of_nat m') as Hpart.
    { intros m' Hm'. rewrite <- (times_length (t0 + d * lo) m') at 2. rewrite <- sum_const. apply sum_le. intros t Ht.
      apply in_times in Ht. apply HF; lia. }
    destruct (Z_le_gt_dec (Z.of_nat m) (d * (next - lo))) as [Hm|Hm].
    + specialize (Hpart m ltac:(lia)). nia.
    + assert (Z.of_nat m1 = d * (next - lo)) as E1 by (unfold m1; apply Z2Nat.id; unfold next; nia).
      replace m with (m1 + (m - m1))%nat by lia. rewrite times_app, sum_app.
      specialize (Hpart m1 ltac:(lia)). rewrite E1 in *.
      replace (t0 + d * lo + d * (next - lo)) with (t0 + d * next) by ring.
      assert (sum F (times (t0 + d * next) (m - m1)) <= d * area f next l) as H2; [|nia].
      apply IH.
      * unfold next. lia.
      * intros t Ht Hl. apply H0; [unfold next in Ht; nia|]. intros c' [<-|Hc']; [unfold next in Ht; nia|now apply Hl].
      * nia.
Qed.

Lemma in_insert c x l : In x (insert c l) <-> x = c \/ In x l.
Proof.
  induction l as [|y l IH]; cbn [insert]; [cbn; intuition|]. destruct (c <=? y); cbn [In]; [intuition|]. rewrite IH. intuition.
Qed.

Lemma in_sorted x l : In x (sorted l) <-> In x l.
Proof. induction l as [|y l IH]; [reflexivity|]. cbn [sorted fold_right]. rewrite in_insert. fold (sorted l). rewrite IH. cbn. intuition. Qed.

(** * The window *)
Section BusyWindow.
Variables (s : system) (n : nat) (launches : nat -> launch) (d until : Z).
Hypothesis d_pos : 0 < d.
Hypothesis Hrun : run s n launches d until.
Variable priority : nat -> Z.
Hypothesis Hby : by_priority s n launches until priority.
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).
Notation k_of i := (kernel_of s (launches i)).
Notation all := (seq 0 n).

Variable bound : nat -> Z.
Hypothesis bound_enough : forall j, (j < K)%nat -> time (kernel_at j) + copy_out (kernel_at j) <= bound j.
Hypothesis blocks_some : forall j, (j < K)%nat -> 1 <= blocks (kernel_at j).
Hypothesis jitter_pos : forall j, (j < K)%nat -> 0 <= jitter (kernel_at j).
Hypothesis time_pos : forall j, (j < K)%nat -> 0 < time (kernel_at j).
Hypothesis period_pos : forall j T, (j < K)%nat -> period (kernel_at j) = Some T -> 0 < T.
Hypothesis stream_lt : forall j, (j < K)%nat -> (stream (kernel_at j) < K)%nat.
Variables (weight : nat -> Z) (one : Z).
Hypothesis weight_pos : forall j, (j < K)%nat -> 0 <= weight j.
Notation capacity := (one * multiprocessors s).
Hypothesis one_pos : 0 <= one.
Hypothesis capacity_pos : 0 < capacity.

(** Weights that never add up to more than a multiprocessor has, and are multiples of a gap. *)
Variable gap : Z.
Hypothesis packed : 0 < gap -> (forall j, (j < K)%nat -> (gap | weight j)) /\ (gap | capacity) /\
  (forall j, (j < K)%nat -> 0 < weight j) /\
  forall t, t < until -> sum (fun i => taking launches weight i t) all <= capacity.

(** The launch, and a time up to which launches enter soon after their release. *)
Variable ours : nat.
Hypothesis ours_lt : (ours < n)%nat.
Notation k := (of (launches ours)).
Notation level i := (level priority k (of (launches i))).
Notation urgent i := (urgent priority k (of (launches i))).
Notation enter := (enter s bound).
Hypothesis full : forall i m t, (i < n)%nat -> level i = true -> t < until -> ~ fits s n launches (k_of i) m t ->
  one <= sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then weight (of (launches i)) else 0) (grid (launches i))) all.
Variable cut : Z.
Hypothesis cut_le : cut <= until.
Hypothesis prompt : forall i, (i < n)%nat -> level i = true -> in_end (launches i) < cut ->
  in_end (launches i) <= release (launches i) + d * enter (of (launches i)).

Notation q := (in_end (launches ours)).
Notation stop := (Z.min (last_start (launches ours)) cut).

Notation of_lt := (of_lt s n launches d until Hrun).
Notation order := (order s n launches d until d_pos Hrun blocks_some time_pos ours ours_lt).
Notation block_times := (block_times s n launches d until Hrun ours ours_lt).
Notation taking := (taking launches weight).

Lemma ours_level : level ours = true.
Proof. apply Z.leb_refl. Qed.

(** A launch is in its queue throughout time t. *)
Definition queued_at (i : nat) (t : Z) : bool := level i && ((in_end (launches i) <? t) && (t <? last_start (launches i))).

Lemma queued_iff i t : queued_at i t = true <-> level i = true /\ in_end (launches i) < t < last_start (launches i).
Proof. unfold queued_at. rewrite !andb_true_iff, !Z.ltb_lt. tauto. Qed.

(** A block that starts last. *)
Lemma last_block i : (i < n)%nat -> in_end (launches i) < last_start (launches i) ->
  exists b, In b (grid (launches i)) /\ start b = last_start (launches i).
Proof.
  intros Hi H. destruct (max_in start (in_end (launches i)) (grid (launches i))) as [E|E]; [unfold last_start in H; lia|exact E].
Qed.

(** Launches as urgent as ours that entered before time t hold everything then. *)
Definition all_held (t : Z) : bool :=
  (0 <? gap) && (capacity <=? sum (fun i => if level i && (in_end (launches i) <? t) then taking i t else 0) all).

(** The window starts at the last time up to our entry at which none is, and they do not. *)
Lemma window_start : exists t0, t0 <= q /\ (forall i, (i < n)%nat -> queued_at i t0 = false) /\ all_held t0 = false /\
  forall t, t0 < t <= q -> (exists i, (i < n)%nat /\ queued_at i t = true) \/ all_held t = true.
Proof.
  destruct (least (fun i => in_end (launches i)) all ours ltac:(apply in_seq; lia)) as (y & Hy & Hleast).
  pose proof (Hleast ours ltac:(apply in_seq; lia)) as Hyo. cbv beta in Hyo.
  destruct (first (fun m => negb (existsb (fun i => queued_at i (q - Z.of_nat m)) all || all_held (q - Z.of_nat m)))
    (Z.to_nat (q - in_end (launches y)))) as (m & _ & Hm & Hbefore).
  { replace (q - Z.of_nat (Z.to_nat (q - in_end (launches y)))) with (in_end (launches y)) by lia.
    apply negb_true_iff, orb_false_iff. split.
    - apply not_true_iff_false. intros H. apply existsb_exists in H. destruct H as (i & Hi & H).
      specialize (Hleast i Hi). cbv beta in Hleast. apply queued_iff in H. lia.
    - unfold all_held. rewrite sum_none; [destruct (Z.leb_spec capacity 0); [lia|apply andb_false_r]|]. intros i Hi.
      specialize (Hleast i Hi). cbv beta in Hleast. destruct (Z.ltb_spec (in_end (launches i)) (in_end (launches y))); [lia|].
      now rewrite andb_false_r. }
  apply negb_true_iff, orb_false_iff in Hm. destruct Hm as [Hm Hheld].
  exists (q - Z.of_nat m). split; [lia|]. split; [|split; [exact Hheld|]].
  - intros i Hi. apply not_true_iff_false. intros H. apply not_true_iff_false in Hm. apply Hm.
    apply existsb_exists. exists i. split; [apply in_seq; lia|assumption].
  - intros t Ht. specialize (Hbefore (Z.to_nat (q - t)) ltac:(lia)).
    replace (q - Z.of_nat (Z.to_nat (q - t))) with t in Hbefore by lia. apply negb_false_iff, orb_true_iff in Hbefore.
    destruct Hbefore as [Hbefore|Hbefore]; [left|now right].
    apply existsb_exists in Hbefore. destruct Hbefore as (i & Hi & H). apply in_seq in Hi. exists i. split; [lia|exact H].
Qed.

Section Window.
Hypothesis waiting : q < stop.
Variable t0 : Z.
Hypothesis t0_le : t0 <= q.
Hypothesis nobody : forall i, (i < n)%nat -> queued_at i t0 = false.
Hypothesis not_held : all_held t0 = false.
Hypothesis always : forall t, t0 < t <= q -> (exists i, (i < n)%nat /\ queued_at i t = true) \/ all_held t = true.

Lemma somebody t : t0 < t < stop -> (exists i, (i < n)%nat /\ queued_at i t = true) \/ all_held t = true.
Proof.
  intros Ht. destruct (Z_le_gt_dec t q) as [Hq|Hq]; [apply always; lia|]. left. exists ours. split; [assumption|].
  apply queued_iff. split; [apply ours_level|lia].
Qed.

Lemma taking_pos i t : (i < n)%nat -> 0 <= taking i t.
Proof. intros Hi. apply (OneLaunch.taking_pos s n launches d until Hrun weight weight_pos ours ours_lt i t Hi). Qed.

(** A launch whose blocks of one time were all there at another takes no less then. *)
Lemma taking_le i t t' : (i < n)%nat -> (forall b, In b (grid (launches i)) -> present t b = true -> present t' b = true) ->
  taking i t <= taking i t'.
Proof.
  intros Hi H. apply sum_le. intros b Hb. specialize (H b Hb). pose proof (weight_pos _ (of_lt i Hi)).
  destruct (present t b); [rewrite H by reflexivity; lia|destruct (present t' b); lia].
Qed.

Lemma all_held_iff t : all_held t = true -> 0 < gap /\
  capacity <= sum (fun i => if level i && (in_end (launches i) <? t) then taking i t else 0) all.
Proof. unfold all_held. rewrite andb_true_iff. lia. Qed.

(** At each time of the window one of them waits, or they hold everything. *)
Lemma one_waits t : t0 <= t < stop ->
  (exists i b, (i < n)%nat /\ level i = true /\ waits launches i b t) \/ capacity <= sum (fun i => taking i t) all.
Proof.
  intros Ht.
  assert (forall i, (i < n)%nat -> level i = true -> in_end (launches i) <= t < last_start (launches i) ->
    exists i b, (i < n)%nat /\ level i = true /\ waits launches i b t) as Hlast.
  { intros i Hi Hl Hw. destruct (last_block i Hi ltac:(lia)) as (b & Hb & E). exists i, b.
    split; [assumption|]. split; [assumption|]. split; [assumption|lia]. }
  destruct (Z.eq_dec t q) as [->|Hne].
  { left. apply (Hlast ours); [assumption|apply ours_level|lia]. }
  destruct (Z.eq_dec t t0) as [->|Hne0].
  - destruct (somebody (t0 + 1) ltac:(lia)) as [(i & Hi & H)|H].
    + left. apply queued_iff in H. destruct H as [Hl H]. apply (Hlast i); [assumption|assumption|lia].
    + apply all_held_iff in H. destruct H as [_ H].
      destruct (existsb (fun i => level i && ((in_end (launches i) <=? t0) && (t0 <? last_start (launches i)))) all) eqn:E.
      * left. apply existsb_exists in E. destruct E as (i & Hi & E). apply in_seq in Hi. apply andb_prop in E. destruct E as [Hl E].
        apply (Hlast i); [lia|assumption|lia].
      * right. etransitivity; [exact H|]. apply sum_le. intros i Hi. pose proof Hi as Hin. apply in_seq in Hi.
        pose proof (taking_pos i t0 ltac:(lia)) as Hpos. destruct (level i) eqn:El; cbn [andb]; [|assumption].
        destruct (Z.ltb_spec (in_end (launches i)) (t0 + 1)); [|assumption].
        apply taking_le; [lia|]. intros b Hb Hp. unfold present in *.
        pose proof (proj2 (below_last start (in_end (launches i)) (grid (launches i))) b Hb) as Hls. fold (last_start (launches i)) in Hls.
        assert (last_start (launches i) <= t0) as Hls'.
        { destruct (Z_le_gt_dec (last_start (launches i)) t0); [assumption|]. apply not_true_iff_false in E. elim E.
          apply existsb_exists. exists i. split; [exact Hin|]. rewrite El. lia. }
        lia.
  - destruct (somebody t ltac:(lia)) as [(i & Hi & H)|H].
    + left. apply queued_iff in H. destruct H as [Hl H]. apply (Hlast i); [assumption|assumption|lia].
    + right. apply all_held_iff in H. destruct H as [_ H]. etransitivity; [exact H|]. apply sum_le. intros i Hi. apply in_seq in Hi.
      pose proof (taking_pos i t ltac:(lia)). destruct (level i && _); lia.
Qed.

(** Launches that enter since its start; what others have on the multiprocessors started before. *)
Definition new (i : nat) : bool := level i && (t0 <=? in_end (launches i)).

Lemma others_started i b t : (i < n)%nat -> new i = false -> In b (grid (launches i)) -> present t b = true -> t0 <= t < stop -> start b <= t0.
Proof.
  intros Hi Hn Hb Hp Ht. unfold present in Hp. destruct (Z_le_gt_dec (start b) t0) as [|Hgt]; [assumption|]. exfalso. unfold new in Hn.
  pose proof (block_times i b Hi Hb) as Bt.
  pose proof (proj2 (below_last start (in_end (launches i)) (grid (launches i))) b Hb) as Hlast.
  fold (last_start (launches i)) in Hlast. destruct (level i) eqn:El; cbn [andb] in Hn.
  - pose proof (nobody i Hi) as Hno. unfold queued_at in Hno. rewrite El in Hno. cbn [andb] in Hno. lia.
  - destruct (somebody (start b) ltac:(lia)) as [(j & Hj & Hq)|Hheld].
    2: { (* no room is left for it *)
      apply all_held_iff in Hheld. destruct Hheld as [Hgap Hheld]. destruct (packed Hgap) as (_ & _ & Hpos & Hroom).
      specialize (Hroom (start b) ltac:(lia)). pose proof (Hpos _ (of_lt i Hi)) as Hw.
      assert (weight (of (launches i)) <= taking i (start b)) as Hi1.
      { pose proof (sum_one (fun b' => if present (start b) b' then weight (of (launches i)) else 0) (grid (launches i)) b) as H.
        cbv beta in H. assert (present (start b) b = true) as E by (unfold present; lia). rewrite E in H. apply H; [|assumption].
        intros b' _. destruct (present (start b) b'); lia. }
      enough (sum (fun i => if level i && (in_end (launches i) <? start b) then taking i (start b) else 0) all <
        sum (fun i => taking i (start b)) all) by lia.
      apply (sum_lt _ _ _ i); [|apply in_seq; lia|rewrite El; cbn [andb]; lia].
      intros i' Hi'. apply in_seq in Hi'. pose proof (taking_pos i' (start b) ltac:(lia)). destruct (level i' && _); lia. }
    apply queued_iff in Hq. destruct Hq as [Hl Hq].
    destruct (last_block j Hj ltac:(lia)) as (b' & Hb' & E).
    pose proof (urgent_first _ _ _ _ _ Hby j i b' b Hj Hi) as H. unfold BusyTerms.level in *.
    specialize (H ltac:(lia) Hb' Hb ltac:(lia) ltac:(lia)). lia.
Qed.

Definition old_weight (i : nat) (t : Z) : Z := if new i then 0 else taking i t.
Definition new_weight (i : nat) (t : Z) : Z := if new i then taking i t else 0.

Lemma full_window t : t0 <= t < stop -> capacity <= Z.min capacity (sum (fun i => old_weight i t) all) + sum (fun i => new_weight i t) all.
Proof.
  intros Ht.
  assert (forall i, (i < n)%nat -> taking i t = old_weight i t + new_weight i t /\ 0 <= new_weight i t) as Hsplit.
  { intros i Hi. pose proof (taking_pos i t Hi). unfold old_weight, new_weight. destruct (new i); lia. }
  destruct (one_waits t Ht) as [(i & b & Hi & Hl & Hw)|Hfull].
  2: { assert (sum (fun i => taking i t) all = sum (fun i => old_weight i t) all + sum (fun i => new_weight i t) all) as E.
    { rewrite <- sum_plus. apply sum_ext. intros i Hi. apply in_seq in Hi. now apply Hsplit. }
    assert (0 <= sum (fun i => new_weight i t) all) by (apply sum_pos; intros i Hi; apply in_seq in Hi; now apply Hsplit). lia. }
  destruct (urgent_head _ _ _ _ _ Hby i b t Hi ltac:(lia) Hw) as (j & b' & Hj & _ & Hij & Hfull).
  assert (level j = true) as Hlj by (unfold BusyTerms.level in *; lia).
  set (M := Z.to_nat (multiprocessors s)).
  assert (Z.of_nat M = multiprocessors s) as EM by (unfold M; nia).
  set (part := fun m i => sum (fun b => if (on b =? m)%nat && present t b then weight (of (launches i)) else 0) (grid (launches i))).
  assert (forall m i, (i < n)%nat -> 0 <= part m i) as Hpart.
  { intros m i' Hi'. apply sum_pos. intros b'' _. pose proof (weight_pos _ (of_lt i' Hi')). destruct (_ && _); lia. }
  assert (forall i, (i < n)%nat -> sum (fun m => part m i) (seq 0 M) <= taking i t) as Hsum.
  { intros i' Hi'. unfold part, OneLaunch.taking.
    rewrite (sum_swap (fun m b => if (on b =? m)%nat && present t b then weight (of (launches i')) else 0)).
    apply sum_le. intros b'' _. pose proof (weight_pos _ (of_lt i' Hi')) as Hw'. apply sum_single.
    + apply seq_NoDup.
    + destruct (present t b''); lia.
    + intros m _. destruct (on b'' =? m)%nat, (present t b''); cbn [andb]; lia.
    + intros m m' _ _ H1 H2. destruct (Nat.eqb_spec (on b'') m), (Nat.eqb_spec (on b'') m'); cbn [andb] in *; congruence. }
  set (old := fun m => sum (fun i => if new i then 0 else part m i) all).
  set (fresh := fun m => sum (fun i => if new i then part m i else 0) all).
  assert (forall m, (m < M)%nat -> one <= Z.min one (old m) + fresh m) as Hm.
  { intros m Hm. pose proof (full j m t Hj Hlj ltac:(lia) (Hfull m ltac:(lia))) as H.
    change (one <= sum (part m) all) in H.
    assert (sum (part m) all = old m + fresh m) as E.
    { unfold old, fresh. rewrite <- sum_plus. apply sum_ext. intros i' _. destruct (new i'); lia. }
    assert (0 <= fresh m) by (apply sum_pos; intros i' Hi'; apply in_seq in Hi'; pose proof (Hpart m i' ltac:(lia)); destruct (new i'); lia).
    lia. }
  assert (capacity = sum (fun _ => one) (seq 0 M)) as EC by (rewrite sum_const, seq_length, EM; reflexivity).
  assert (capacity <= sum (fun m => Z.min one (old m)) (seq 0 M) + sum fresh (seq 0 M)) as H1.
  { rewrite EC at 1. rewrite <- sum_plus. apply sum_le. intros m Hm'. apply in_seq in Hm'. apply Hm. lia. }
  assert (sum (fun m => Z.min one (old m)) (seq 0 M) <= capacity) as H2 by (rewrite EC; apply sum_le; intros m _; lia).
  assert (sum (fun m => Z.min one (old m)) (seq 0 M) <= sum old (seq 0 M)) as H3 by (apply sum_le; intros m _; lia).
  assert (sum old (seq 0 M) <= sum (fun i => old_weight i t) all) as H4.
  { unfold old. rewrite (sum_swap (fun m i => if new i then 0 else part m i)). apply sum_le. intros i' Hi'. apply in_seq in Hi'.
    unfold old_weight. destruct (new i'); [rewrite sum_zero; lia|apply Hsum; lia]. }
  assert (sum fresh (seq 0 M) <= sum (fun i => new_weight i t) all) as H5.
  { unfold fresh. rewrite (sum_swap (fun m i => if new i then part m i else 0)). apply sum_le. intros i' Hi'. apply in_seq in Hi'.
    unfold new_weight. destruct (new i'); [apply Hsum; lia|rewrite sum_zero; lia]. }
  lia.
Qed.

(** * What was there at its start *)
Lemma there i t : taking i t <> 0 -> exists b, In b (grid (launches i)) /\ present t b = true.
Proof.
  intros H. unfold OneLaunch.taking in H. destruct (existsb (present t) (grid (launches i))) eqn:E.
  - apply existsb_exists in E. exact E.
  - elim H. apply sum_none. intros b Hb. destruct (present t b) eqn:Ep; [|reflexivity].
    assert (existsb (present t) (grid (launches i)) = true); [|congruence]. apply existsb_exists. now exists b.
Qed.

Lemma at_once_pos p st c : 0 <= at_once s weight p c st.
Proof. unfold at_once. induction (seq 0 K) as [|j l IH]; cbn [map fold_right]; lia. Qed.

Lemma at_once_least p j c : (j < K)%nat -> p j = true -> c < time (kernel_at j) ->
  weight j * blocks (kernel_at j) <= at_once s weight p c (stream (kernel_at j)).
Proof.
  intros Hj Hp Hc. unfold at_once. assert (In j (seq 0 K)) as Hin by (apply in_seq; lia).
  induction (seq 0 K) as [|i l IH]; [elim Hin|]. cbn [map fold_right]. destruct Hin as [->|Hin].
  - rewrite Nat.eqb_refl, Hp. destruct (Z.ltb_spec c (time (kernel_at j))); [|lia]. cbn [andb if_so]. lia.
  - specialize (IH Hin). lia.
Qed.

Lemma taking_most i t : (i < n)%nat -> taking i t <= weight (of (launches i)) * blocks (k_of i).
Proof.
  intros Hi. destruct (run_proper _ _ _ _ _ Hrun i Hi) as (_ & _ & _ & _ & _ & E & _). unfold kernel_of in *. rewrite <- E, <- sum_const.
  apply sum_le. intros b _. pose proof (weight_pos _ (of_lt i Hi)). destruct (present t b); lia.
Qed.

Definition old_of (p : nat -> bool) (t : Z) : Z := sum (fun i => if p (of (launches i)) then old_weight i t else 0) all.

Lemma old_left p c t : t0 + d * c <= t < stop -> t0 <= t -> old_of p t <= left_of s weight p c.
Proof.
  intros Ht Ht0. unfold old_of, left_of. rewrite (by_kind (fun i => stream (k_of i)) _ all K).
  2: { intros i Hi. apply in_seq in Hi. apply stream_lt, of_lt. lia. }
  apply sum_le. intros st _. change (fun x => (stream (k_of x) =? st)%nat) with (of_stream s launches st).
  assert (forall i, In i (filter (of_stream s launches st) all) -> (i < n)%nat /\ stream (k_of i) = st) as Hin.
  { intros i Hi. apply filter_In in Hi. destruct Hi as [Hi Hs]. apply in_seq in Hi. apply Nat.eqb_eq in Hs. split; [lia|assumption]. }
  apply sum_single; [apply NoDup_filter, seq_NoDup|apply at_once_pos| |].
  - intros i Hi. destruct (Hin i Hi) as [Hi' <-]. pose proof (at_once_pos p (stream (k_of i)) c). unfold old_weight.
    destruct (p (of (launches i))) eqn:Ep; [|assumption].
    destruct (new i) eqn:En; [assumption|]. destruct (Z.eq_dec (taking i t) 0) as [->|Hne]; [assumption|].
    destruct (there i t Hne) as (b & Hb & Hp).
    pose proof (others_started i b t Hi' En Hb Hp ltac:(lia)). unfold present in Hp. pose proof (block_times i b Hi' Hb).
    etransitivity; [apply (taking_most i t Hi')|]. apply at_once_least; [now apply of_lt|assumption|]. unfold kernel_of in *. nia.
  - intros i j Hi Hj H1 H2. destruct (Hin i Hi) as [Hi' Ei]. destruct (Hin j Hj) as [Hj' Ej]. unfold old_weight in *.
    destruct (p (of (launches i))), (p (of (launches j))); try (now elim H1); try (now elim H2).
    destruct (new i), (new j); try (now elim H1); try (now elim H2).
    destruct (Nat.lt_trichotomy i j) as [Hlt|[|Hgt]]; [|assumption|]; exfalso.
    + apply H2, (one_at_a_time s n launches d until d_pos Hrun blocks_some time_pos weight ours ours_lt i j); [lia|unfold same_stream; congruence|assumption].
    + apply H1, (one_at_a_time s n launches d until d_pos Hrun blocks_some time_pos weight ours ours_lt j i); [lia|unfold same_stream; congruence|assumption].
Qed.

(** A gap is left beside those as urgent as ours. *)
Lemma old_gap t : 0 < gap -> t0 <= t < stop -> old_of (BusyTerms.level priority k) t <= capacity - gap.
Proof.
  intros Hgap Ht. destruct (packed Hgap) as (Hdiv & Hcap & _ & _).
  set (held := sum (fun i => if level i && (in_end (launches i) <? t0) then taking i t0 else 0) all).
  assert (old_of (BusyTerms.level priority k) t <= held) as H1.
  { apply sum_le. intros i Hi. apply in_seq in Hi. unfold old_weight. destruct (new i) eqn:En.
    - pose proof (taking_pos i t0 ltac:(lia)). destruct (level i); destruct (_ <? _); cbn [andb]; lia.
    - destruct (level i) eqn:El; cbn [andb]; [|lia]. unfold new in En. rewrite El in En. cbn [andb] in En.
      destruct (Z.ltb_spec (in_end (launches i)) t0); [|lia]. apply taking_le; [lia|]. intros b Hb Hp.
      pose proof (others_started i b t ltac:(lia) ltac:(unfold new; rewrite El; exact En) Hb Hp Ht). unfold present in *. lia. }
  assert (held < capacity) as H2 by (unfold all_held in not_held; fold held in not_held; lia).
  assert (gap | held) as [x Ex].
  { assert (forall l, (forall i, In i l -> (i < n)%nat) ->
      (gap | sum (fun i => if level i && (in_end (launches i) <? t0) then taking i t0 else 0) l)) as H.
    { assert (forall i (g : list block), (i < n)%nat -> (gap | sum (fun b => if present t0 b then weight (of (launches i)) else 0) g)) as Hg.
      { intros i g Hi. induction g as [|b g IH]; [apply Z.divide_0_r|]. apply Z.divide_add_r; [|exact IH].
        destruct (present t0 b); [apply Hdiv, of_lt, Hi|apply Z.divide_0_r]. }
      induction l as [|i l IH]; intros Hl; [apply Z.divide_0_r|]. apply Z.divide_add_r.
      - destruct (level i && _); [apply Hg, Hl; now left|apply Z.divide_0_r].
      - apply IH. intros i' Hi'. apply Hl. now right. }
    apply H. intros i Hi. apply in_seq in Hi. lia. }
  destruct Hcap as [y Ey]. assert (x < y) by (apply (Z.mul_lt_mono_pos_r gap); lia).
  assert (x * gap <= (y - 1) * gap) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Notation still_there := (still_there s priority weight one k gap).

Lemma old_load m : t0 + Z.of_nat m <= stop ->
  sum (fun t => Z.min capacity (sum (fun i => old_weight i t) all)) (times t0 m) <= d * residents s priority weight one k gap.
Proof.
  intros Hm. replace (times t0 m) with (times (t0 + d * 0) m) by (f_equal; lia). unfold residents.
  assert (forall p c, 0 <= left_of s weight p c) as Hleft by (intros p c; apply sum_pos; intros st _; apply at_once_pos).
  assert (0 < gap -> gap <= capacity) as Hgc.
  { intros Hgap. destruct (packed Hgap) as (_ & Hdiv & _). apply Z.divide_pos_le; assumption. }
  assert (forall c, 0 <= still_there c) as Hpos.
  { intros c. unfold BusyTerms.still_there. pose proof (Hleft (fun _ => true) c).
    pose proof (Hleft (fun j => negb (BusyTerms.level priority k j)) c). pose proof (Hleft (BusyTerms.level priority k) c).
    destruct (Z.ltb_spec 0 gap); lia. }
  assert (forall c t, 0 <= c -> t0 + d * c <= t < stop -> Z.min capacity (sum (fun i => old_weight i t) all) <= still_there c) as Hc.
  { intros c t Hc Ht. assert (t0 <= t) as Ht0 by nia. unfold BusyTerms.still_there.
    pose proof (old_left (fun _ => true) c t Ht Ht0) as H1. change (old_of (fun _ => true) t) with (sum (fun i => old_weight i t) all) in H1.
    destruct (Z.ltb_spec 0 gap) as [Hgap|]; [|lia].
    pose proof (old_left (fun j => negb (BusyTerms.level priority k j)) c t Ht Ht0) as H2.
    pose proof (old_left (BusyTerms.level priority k) c t Ht Ht0) as H3. pose proof (old_gap t Hgap ltac:(lia)) as H4.
    assert (sum (fun i => old_weight i t) all =
      old_of (fun j => negb (BusyTerms.level priority k j)) t + old_of (BusyTerms.level priority k) t) as E.
    { unfold old_of. rewrite <- sum_plus. apply sum_ext. intros i _. destruct (level i); cbn [negb]; lia. }
    lia. }
  apply (area_enough d still_there _ t0 stop d_pos Hpos Hc); [lia| |nia].
  intros t Ht Hl. etransitivity; [apply Z.le_min_r|]. rewrite <- (sum_zero all). apply sum_le. intros i Hi. apply in_seq in Hi.
  unfold old_weight. destruct (new i) eqn:En; [lia|]. destruct (Z.eq_dec (taking i t) 0) as [|Hne]; [lia|]. exfalso.
  destruct (there i t Hne) as (b & Hb & Hp). pose proof (block_times i b ltac:(lia) Hb).
  pose proof (others_started i b t ltac:(lia) En Hb Hp ltac:(lia)). unfold present in Hp.
  assert (In (time (k_of i)) (sorted (map time (kernels s)))) as Hin.
  { apply in_sorted, in_map. unfold kernel_of. apply nth_In, of_lt. lia. }
  specialize (Hl _ Hin). lia.
Qed.

(** * What enters since its start *)
Notation entering := (entering s bound).
Notation work := (work s weight).

Lemma enter_pos j : (j < K)%nat -> 0 <= enter j.
Proof.
  intros Hj. pose proof (bound_enough j Hj). unfold BusyTerms.enter, placed. destruct (by_itself s j); [|lia]. destruct (period (kernel_at j)); lia.
Qed.

Lemma work_pos j : (j < K)%nat -> 0 <= work j.
Proof.
  intros Hj. pose proof (blocks_some j Hj). pose proof (time_pos j Hj). pose proof (weight_pos j Hj). unfold BusyTerms.work.
  repeat apply Z.mul_nonneg_nonneg; lia.
Qed.

Lemma entering_pos j v : (j < K)%nat -> 0 <= v -> 0 <= entering j v.
Proof.
  intros Hj Hv. unfold BusyTerms.entering. destruct (period (kernel_at j)) as [T|] eqn:E; [|lia].
  pose proof (period_pos j T Hj E). pose proof (jitter_pos j Hj). pose proof (enter_pos j Hj).
  pose proof (Z.div_pos (v + jitter (kernel_at j) + enter j) T). lia.
Qed.

(** Launches of one kernel that enter in the first v grains, and the parts of a grain after them. *)
Lemma counted (l : list nat) j v : NoDup l -> (j < K)%nat -> 0 <= v ->
  (forall i, In i l -> (i < n)%nat /\ of (launches i) = j /\ level i = true /\ t0 <= in_end (launches i) < cut /\
    in_end (launches i) < t0 + d * (v + 1)) -> Z.of_nat (length l) <= entering j v.
Proof.
  intros Hd Hj Hv Hin. unfold BusyTerms.entering. destruct (period (kernel_at j)) as [T|] eqn:ET.
  - pose proof (period_pos j T Hj ET) as HT. pose proof (enter_pos j Hj) as HQ. pose proof (jitter_pos j Hj) as HJ.
    set (Q := enter j) in *. set (J := jitter (kernel_at j)) in *.
    pose proof (spaced (fun i => arrival (launches i)) l (d * T) (t0 - d * (J + Q)) (t0 + d * (v + 1) - 1) Hd ltac:(nia)) as H.
    assert ((t0 + d * (v + 1) - 1 - (t0 - d * (J + Q))) / (d * T) = (v + J + Q) / T) as E.
    { rewrite <- Z.div_div by lia. f_equal.
      replace (t0 + d * (v + 1) - 1 - (t0 - d * (J + Q))) with ((d - 1) + (v + J + Q) * d) by ring.
      rewrite Z.div_add by lia. rewrite Z.div_small by lia. lia. }
    rewrite E in H. apply H.
    + intros i Hi. destruct (Hin i Hi) as (Hi1 & Hi2 & Hi3 & Hi4 & Hi5).
      destruct (run_proper _ _ _ _ _ Hrun i Hi1) as (_ & Ha & _). unfold kernel_of in Ha. rewrite Hi2 in Ha. fold J in Ha.
      pose proof (prompt i Hi1 Hi3 ltac:(lia)) as Hp. rewrite Hi2 in Hp. fold Q in Hp. pose proof (order i Hi1) as O. cbv zeta in O. lia.
    + intros i i' Hi Hi' Hne. destruct (Hin i Hi) as (Hi1 & Hi2 & _). destruct (Hin i' Hi') as (Hi1' & Hi2' & _).
      pose proof (run_apart _ _ _ _ _ Hrun i i' Hi1 Hi1' Hne ltac:(congruence)) as Ha. unfold apart, kernel_of in Ha.
      rewrite Hi2, ET in Ha. exact Ha.
    + nia.
  - destruct l as [|i [|i' l]]; cbn [length]; try lia. exfalso.
    destruct (Hin i (or_introl eq_refl)) as (Hi1 & Hi2 & _).
    destruct (Hin i' (or_intror (or_introl eq_refl))) as (Hi1' & Hi2' & _).
    assert (i <> i') as Hne by (inversion Hd as [|? ? Hnin]; subst; intros ->; apply Hnin; now left).
    pose proof (run_apart _ _ _ _ _ Hrun i i' Hi1 Hi1' Hne ltac:(congruence)) as Ha. unfold apart, kernel_of in Ha.
    now rewrite Hi2, ET in Ha.
Qed.

(** Launches that enter up to v, or, if they are no more urgent than ours, up to x. *)
Definition enters (x v : Z) (i : nat) : bool :=
  new i && (in_end (launches i) <? Z.min cut (t0 + d * ((if urgent i then v else x) + 1))).

Lemma works x v : 0 <= x -> 0 <= v ->
  sum (fun i => work (of (launches i))) (filter (enters x v) all) <= entered s bound priority weight k x v.
Proof.
  intros Hx Hv. rewrite (by_kind (fun i => of (launches i)) _ _ K).
  2: { intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi. apply of_lt. lia. }
  unfold entered. apply sum_le. intros j Hj. apply in_seq in Hj.
  set (l := filter (fun i => (of (launches i) =? j)%nat) (filter (enters x v) all)).
  assert (forall i, In i l -> (i < n)%nat /\ of (launches i) = j /\ level i = true /\ t0 <= in_end (launches i) < cut /\
    in_end (launches i) < t0 + d * ((if BusyTerms.urgent priority k j then v else x) + 1)) as Hin.
  { intros i Hi. apply filter_In in Hi. destruct Hi as [Hi Ej]. apply filter_In in Hi. destruct Hi as [Hi He]. apply in_seq in Hi.
    apply Nat.eqb_eq in Ej. unfold enters, new in He. rewrite Ej in *. rewrite !andb_true_iff in He. repeat split; try lia. tauto. }
  transitivity (sum (fun _ => work j) l).
  { apply sum_le. intros i Hi. destruct (Hin i Hi) as (_ & -> & _). lia. }
  rewrite sum_const. pose proof (work_pos j ltac:(lia)) as Hw.
  destruct (BusyTerms.level priority k j) eqn:El; cbn [if_so].
  - pose proof (counted l j (if BusyTerms.urgent priority k j then v else x)) as H.
    specialize (H ltac:(apply NoDup_filter, NoDup_filter, seq_NoDup) ltac:(lia)).
    specialize (H ltac:(destruct (BusyTerms.urgent priority k j); lia) Hin). nia.
  - destruct l as [|i l']; [cbn [length]; lia|]. destruct (Hin i (or_introl eq_refl)) as (_ & <- & Hl & _). congruence.
Qed.

(** What a launch takes in the window as a whole. *)
Lemma taken i m : (i < n)%nat -> sum (taking i) (times t0 m) <= d * work (of (launches i)).
Proof.
  intros Hi. unfold OneLaunch.taking. rewrite (sum_swap (fun t b => if present t b then weight (of (launches i)) else 0)).
  transitivity (sum (fun _ => weight (of (launches i)) * (d * time (k_of i))) (grid (launches i))).
  - apply sum_le. intros b Hb. apply (block_time n ours ours_lt); [apply times_NoDup|apply weight_pos, of_lt, Hi|].
    pose proof (block_times i b Hi Hb). lia.
  - rewrite sum_const. destruct (run_proper _ _ _ _ _ Hrun i Hi) as (_ & _ & _ & _ & _ & E & _). rewrite E.
    unfold BusyTerms.work, kernel_of. lia.
Qed.

(** Ours takes all but its last block. *)
Lemma taken_ours m : t0 + Z.of_nat m <= stop ->
  sum (taking ours) (times t0 m) <= d * (work k - weight k * time (kernel_at k)).
Proof.
  intros Hm. destruct (last_block ours ours_lt ltac:(lia)) as (b & Hb & E).
  apply in_split in Hb. destruct Hb as (l1 & l2 & Eg).
  assert (blocks (k_of ours) - 1 = Z.of_nat (length (l1 ++ l2))) as EB.
  { destruct (run_proper _ _ _ _ _ Hrun ours ours_lt) as (_ & _ & _ & _ & _ & E' & _). rewrite <- E', Eg, !app_length. cbn [length]. lia. }
  transitivity (sum (fun t => sum (fun b => if present t b then weight k else 0) (l1 ++ l2)) (times t0 m)).
  - apply sum_le. intros t Ht. apply in_times in Ht. unfold OneLaunch.taking. rewrite Eg, !sum_app. cbn [sum fold_right].
    assert (present t b = false) as ->; [unfold present; lia|unfold sum; lia].
  - rewrite (sum_swap (fun t b => if present t b then weight k else 0)).
    transitivity (sum (fun _ => weight k * (d * time (k_of ours))) (l1 ++ l2)).
    + apply sum_le. intros b' Hb'. apply (block_time n ours ours_lt); [apply times_NoDup|apply weight_pos, of_lt, ours_lt|].
      assert (In b' (grid (launches ours))) as Hin by (rewrite Eg; apply in_app_iff in Hb'; apply in_app_iff; cbn [In]; tauto).
      pose proof (block_times ours b' ours_lt Hin). lia.
    + rewrite sum_const, <- EB. unfold BusyTerms.work, kernel_of. nia.
Qed.

(** A launch that is no more urgent and enters after ours starts no block before our last one. *)
Lemma behind i t : (i < n)%nat -> level i = true -> urgent i = false -> q < in_end (launches i) -> t < stop -> taking i t = 0.
Proof.
  intros Hi Hl Hu Hq Ht. destruct (Z.eq_dec (taking i t) 0) as [|Hne]; [assumption|]. exfalso.
  destruct (there i t Hne) as (b & Hb & Hp). unfold present in Hp.
  destruct (last_block ours ours_lt ltac:(lia)) as (b' & Hb' & E).
  assert (priority k = priority (of (launches i))) as Epri by (unfold BusyTerms.level, BusyTerms.urgent in *; lia).
  pose proof (in_turn _ _ _ _ _ Hby ours i b' b ours_lt Hi Epri ltac:(lia) Hb' Hb ltac:(lia)). lia.
Qed.

(** A launch that takes something has entered. *)
Lemma taking_entered i t : (i < n)%nat -> taking i t <> 0 -> in_end (launches i) <= t.
Proof.
  intros Hi Hne. destruct (there i t Hne) as (b & Hb & Hp). unfold present in Hp. pose proof (block_times i b Hi Hb). lia.
Qed.

Lemma all_works v : 0 <= v -> t0 + d * v + 1 <= stop ->
  sum (fun t => sum (fun i => new_weight i t) all) (times t0 (Z.to_nat (d * v + 1))) <= d * entered s bound priority weight k v v.
Proof.
  intros Hv Hs. rewrite (sum_swap (fun t i => new_weight i t)).
  transitivity (sum (fun i => if enters v v i then d * work (of (launches i)) else 0) all).
  - apply sum_le. intros i Hi. apply in_seq in Hi. unfold new_weight. destruct (new i) eqn:En.
    + destruct (enters v v i) eqn:Ee; [apply taken; lia|]. rewrite <- (sum_zero (times t0 (Z.to_nat (d * v + 1)))). apply sum_le.
      intros t Ht. apply in_times in Ht. destruct (Z.eq_dec (taking i t) 0) as [|Hne]; [lia|]. exfalso.
      pose proof (taking_entered i t ltac:(lia) Hne). unfold enters in Ee. rewrite En in Ee. cbn [andb] in Ee.
      destruct (urgent i); nia.
    + rewrite sum_zero. pose proof (work_pos _ (of_lt i ltac:(lia))). destruct (enters v v i); nia.
  - rewrite sum_if, sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|]. now apply works.
Qed.

Lemma works_before x v : 0 <= x -> 0 <= v -> d * x <= q - t0 < d * (x + 1) -> t0 + d * v + 1 <= stop ->
  sum (fun t => sum (fun i => new_weight i t) all) (times t0 (Z.to_nat (d * v + 1))) <=
  d * (entered s bound priority weight k x v - weight k * time (kernel_at k)).
Proof.
  intros Hx Hv Hq Hs. rewrite (sum_swap (fun t i => new_weight i t)).
  set (spare := d * (weight k * time (kernel_at k))).
  assert (urgent ours = false) as Hu by (unfold BusyTerms.urgent; lia).
  assert (enters x v ours = true) as Ho.
  { unfold enters, new. rewrite ours_level, Hu. lia. }
  assert (sum (fun i => if (i =? ours)%nat then spare else 0) all = spare) as Espare by (apply sum_at; [apply seq_NoDup|apply in_seq; lia]).
  enough (sum (fun i => sum (fun t => new_weight i t) (times t0 (Z.to_nat (d * v + 1))) + (if (i =? ours)%nat then spare else 0)) all <=
    d * entered s bound priority weight k x v) as H by (rewrite sum_plus, Espare in H; unfold spare in *; lia).
  transitivity (sum (fun i => if enters x v i then d * work (of (launches i)) else 0) all).
  - apply sum_le. intros i Hi. apply in_seq in Hi. destruct (Nat.eqb_spec i ours) as [->|Hne].
    + rewrite Ho. assert (new ours = true) as Hn by (unfold enters in Ho; now apply andb_prop in Ho). unfold new_weight. rewrite Hn.
      pose proof (taken_ours (Z.to_nat (d * v + 1)) ltac:(nia)). unfold spare. change (fun t => taking ours t) with (taking ours). lia.
    + rewrite Z.add_0_r. unfold new_weight. destruct (new i) eqn:En.
      * destruct (enters x v i) eqn:Ee; [apply taken; lia|]. rewrite <- (sum_zero (times t0 (Z.to_nat (d * v + 1)))). apply sum_le.
        intros t Ht. apply in_times in Ht. destruct (Z.eq_dec (taking i t) 0) as [|Hnz]; [lia|]. exfalso.
        pose proof (taking_entered i t ltac:(lia) Hnz). unfold enters in Ee. rewrite En in Ee. cbn [andb] in Ee.
        assert (level i = true) as Hl by (unfold new in En; now apply andb_prop in En).
        destruct (urgent i) eqn:Eu; [nia|]. apply Hnz, behind; [lia|assumption|assumption| |nia].
        nia.
      * rewrite sum_zero. pose proof (work_pos _ (of_lt i ltac:(lia))). destruct (enters x v i); nia.
  - rewrite sum_if, sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|]. now apply works.
Qed.

(** * The end of the window *)
Lemma too_full v load : 0 <= v -> t0 + d * v + 1 <= stop ->
  sum (fun t => sum (fun i => new_weight i t) all) (times t0 (Z.to_nat (d * v + 1))) <= d * load ->
  residents s priority weight one k gap + load <= capacity * v -> False.
Proof.
  intros Hv Hs Hnew Hload. set (m := Z.to_nat (d * v + 1)) in *.
  assert (Z.of_nat m = d * v + 1) as Em by (unfold m; nia).
  pose proof (old_load m ltac:(lia)) as Hold.
  assert (capacity * Z.of_nat m <= sum (fun t => Z.min capacity (sum (fun i => old_weight i t) all)) (times t0 m) +
    sum (fun t => sum (fun i => new_weight i t) all) (times t0 m)) as H.
  { rewrite <- sum_plus, <- (times_length t0 m) at 1. rewrite <- sum_const. apply sum_le. intros t Ht. apply in_times in Ht.
    apply full_window. lia. }
  nia.
Qed.

Lemma window_delay delay : waits_at_most s bound priority weight one k gap delay -> stop - q <= d * delay.
Proof.
  intros (Hd & last & Hl & Hwhole & Hx). destruct (Z_le_gt_dec (stop - q) (d * delay)) as [|Hlate]; [assumption|]. exfalso.
  destruct (Z_le_gt_dec (t0 + d * last + 1) stop) as [Hs|Hs].
  { apply (too_full last _ Hl Hs (all_works last Hl Hs)). exact Hwhole. }
  set (x := (q - t0) / d). pose proof (Z.div_mod (q - t0) d ltac:(lia)) as E. pose proof (Z.mod_pos_bound (q - t0) d d_pos) as Hm.
  fold x in E. assert (0 <= x) as Hx0 by (apply Z.div_pos; lia).
  destruct (Hx x) as (v & Hv & Hload); [nia|].
  apply (too_full v _ ltac:(lia) ltac:(nia) (works_before x v Hx0 ltac:(lia) ltac:(nia) ltac:(nia))).
  unfold load_before in Hload. lia.
Qed.
End Window.

(** Our last block starts no later than [delay] after we enter, or after the cut. *)
Theorem wait_bounded delay : waits_at_most s bound priority weight one k gap delay -> stop - q <= d * delay.
Proof.
  intros H. destruct (Z_lt_le_dec q stop) as [Hw|Hw].
  - destruct window_start as (t0 & H1 & H2 & H3 & H4). exact (window_delay Hw t0 H1 H2 H3 H4 delay H).
  - destruct H as [Hd _]. nia.
Qed.
End BusyWindow.
