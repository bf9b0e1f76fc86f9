(** The fixed point where streams have priorities (docs/response-times.md): the bound of each kernel satisfies the equation of
    Responses.v, or that of the busy windows of its stream. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Counting Terms OneLaunch Responses Priorities BusyTerms BusyWindow.
Local Open Scope Z_scope.

Section PriorityResponses.
Variable s : system.
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).
Variables (bound priority : nat -> Z).

(** Weights that are full while a block of a kernel as urgent as k finds no room; if a gap is given, they never add up to more. *)
Record level_weights (k : nat) (weight : nat -> Z) (one gap : Z) : Prop := {
  level_weight_pos : forall j, (j < K)%nat -> 0 <= weight j;
  level_one_pos : 0 <= one;
  level_capacity_pos : 0 < one * multiprocessors s;
  level_full : forall n launches d until, run s n launches d until -> forall i m t, (i < n)%nat ->
    level priority k (of (launches i)) = true -> t < until -> ~ fits s n launches (kernel_of s (launches i)) m t ->
    one <= sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then weight (of (launches i)) else 0)
      (grid (launches i))) (seq 0 n);
  level_packed : 0 < gap -> (forall j, (j < K)%nat -> (gap | weight j)) /\ (gap | one * multiprocessors s) /\
    (forall j, (j < K)%nat -> 0 < weight j) /\
    forall n launches d until, run s n launches d until -> forall t, t < until ->
      sum (fun i => taking launches weight i t) (seq 0 n) <= one * multiprocessors s }.

Definition delayed (k : nat) (delay : Z) : Prop :=
  exists weight one gap, level_weights k weight one gap /\ waits_at_most s bound priority weight one k gap delay.

(** The bound of kernel k is not below what the launches of its stream run, copy, wait for copies, and wait for room. *)
Definition kept_by_priority (k : nat) : Prop :=
  exists delay, (forall j, (j < K)%nat -> in_stream s k j = true -> delayed j (delay j)) /\
    own_time s bound k + copy_time s bound k + sum (fun j => if_so (in_stream s k j) (many s bound j 0 * delay j)) (seq 0 K) <= bound k.

Variables (weight : nat -> Z) (one : Z).
Hypothesis Hs : sensible s bound weight one.

Section Run.
Variables (n : nat) (launches : nat -> launch) (d until : Z).
Hypothesis d_pos : 0 < d.
Hypothesis Hrun : run s n launches d until.
Hypothesis Hby : by_priority s n launches until priority.
Variables (ours : nat) (long : Z).
Hypothesis Hlate : late s bound n launches d until ours long.
Notation r := (release (launches ours)).
Notation X := (r + long).
Notation all := (seq 0 n).
Let ours_lt := late_ours _ _ _ _ _ _ _ _ Hlate.
Notation order := (order s n launches d until d_pos Hrun (blocks_some _ _ _ _ Hs) (time_pos _ _ _ _ Hs) ours ours_lt).
Notation of_lt := (of_lt s n launches d until Hrun).

(** What enters its queue before the first launch is late enters it soon. *)
Lemma placed_in_time i : (i < n)%nat -> in_end (launches i) < X ->
  in_end (launches i) <= release (launches i) + d * placed s bound (of (launches i)).
Proof.
  intros Hi Hin. unfold placed. pose proof (order i Hi) as O. cbv zeta in O.
  destruct (Z_lt_le_dec (release (launches i) + d * (bound (of (launches i)) - time (kernel_at (of (launches i))) -
    copy_out (kernel_at (of (launches i)))) + 1) X) as [H|H]; [|lia].
  pose proof (late_placed _ _ _ _ _ _ _ _ Hlate i Hi H). lia.
Qed.

Lemma prompt i : (i < n)%nat -> in_end (launches i) < X ->
  in_end (launches i) <= release (launches i) + d * enter s bound (of (launches i)).
Proof.
  intros Hi Hin. pose proof (placed_in_time i Hi Hin) as Hp. unfold enter. set (j := of (launches i)) in *.
  destruct (by_itself s j) eqn:Eself; [|exact Hp]. unfold by_itself in Eself. apply andb_prop in Eself.
  destruct Eself as [Halone Hcopy]. rewrite forallb_forall in Halone. apply Z.eqb_eq in Hcopy.
  pose proof (order i Hi) as O. cbv zeta in O. pose proof (of_lt i Hi) as Hj. fold j in Hj.
  assert (in_end (launches i) = in_start (launches i)) as E by (unfold kernel_of in O; fold j in O; nia).
  destruct (Z_le_gt_dec (in_end (launches i)) (release (launches i))) as [Hle|Hgt].
  { pose proof (bound_enough _ _ _ _ Hs j Hj). unfold placed. destruct (period (kernel_at j)); nia. }
  (* it was not ready just before *)
  destruct (is_ready s launches i before (in_end (launches i) - 1)) eqn:Er.
  { exfalso. destruct (run_copies _ _ _ _ _ Hrun i before (in_end (launches i) - 1) Hi) as [Hpos _].
    - pose proof (late_until _ _ _ _ _ _ _ _ Hlate). lia.
    - now apply (ready_iff s n launches d until Hrun bound (blocks_some _ _ _ _ Hs) ours ours_lt long (late_how _ _ _ _ _ _ _ _ Hlate) i before).
    - cbn [copy_start]. lia.
    - cbn [copy_of] in Hpos. unfold kernel_of in Hpos. fold j in Hpos. lia. }
  unfold is_ready in Er. assert ((release (launches i) <=? in_end (launches i) - 1) = true) as E1 by lia.
  rewrite E1 in Er. cbn [andb] in Er.
  assert (exists i', (i' < i)%nat /\ same_stream s launches i' i /\ in_end (launches i) <= out_end (launches i')) as (i' & Hi' & Hsame & Hout).
  { destruct (existsb (fun i' => (stream (kernel_of s (launches i')) =? stream (kernel_of s (launches i)))%nat &&
      (in_end (launches i) <=? out_end (launches i'))) (seq 0 i)) eqn:Ee.
    - apply existsb_exists in Ee. destruct Ee as (i' & Hi' & Ee). apply andb_prop in Ee. destruct Ee as [Es Eo]. apply in_seq in Hi'.
      apply Nat.eqb_eq in Es. exists i'. repeat split; [lia|exact Es|lia].
    - exfalso. apply not_true_iff_false in Er. apply Er. apply forallb_forall. intros i' Hi'.
      apply not_true_iff_false in Ee.
      destruct (Nat.eqb_spec (stream (kernel_of s (launches i'))) (stream (kernel_of s (launches i)))) as [Es|Es]; [|reflexivity].
      cbn [negb orb]. apply Z.leb_le. destruct (Z_le_gt_dec (out_end (launches i')) (in_end (launches i) - 1)); [assumption|].
      exfalso. apply Ee. apply existsb_exists. exists i'. split; [assumption|]. rewrite Es, Nat.eqb_refl. cbn [andb]. lia. }
  (* the launch before it is of its kernel, and complete when it is due *)
  assert (of (launches i') = j) as Ej.
  { pose proof (of_lt i' ltac:(lia)) as Hj'. specialize (Halone (of (launches i')) ltac:(apply in_seq; lia)). apply orb_true_iff in Halone.
    destruct Halone as [H|H]; [now apply Nat.eqb_eq|]. apply negb_true_iff, Nat.eqb_neq in H. elim H. exact Hsame. }
  pose proof (run_apart _ _ _ _ _ Hrun i' i ltac:(lia) Hi ltac:(lia) Ej) as Ha. unfold apart, kernel_of in Ha. rewrite Ej in Ha.
  destruct (period (kernel_at j)) as [T|]; [|elim Ha].
  destruct (run_proper _ _ _ _ _ Hrun i' ltac:(lia)) as (_ & Hr1 & _). destruct (run_proper _ _ _ _ _ Hrun i Hi) as (_ & Hr2 & _).
  unfold kernel_of in Hr1, Hr2. rewrite Ej in Hr1. fold j in Hr2.
  pose proof (run_numbered _ _ _ _ _ Hrun i' i ltac:(lia)) as Hnum.
  pose proof (time_pos _ _ _ _ Hs j Hj) as HC. pose proof (copies_pos _ _ _ _ Hs j Hj) as Hcp. pose proof (jitter_pos _ _ _ _ Hs j Hj) as HJ.
  assert (in_end (launches i) <= release (launches i') + d * bound j) as Hdue.
  { destruct (Z_lt_le_dec (release (launches i') + d * bound (of (launches i'))) X) as [H|H]; rewrite Ej in H; [|lia].
    pose proof (late_complete _ _ _ _ _ _ _ _ Hlate i' ltac:(lia) ltac:(rewrite Ej; lia)) as Hc. rewrite Ej in Hc. lia. }
  assert (in_end (launches i) <= release (launches i) + d * (bound j + jitter (kernel_at j) - T)) as Hend; [|nia].
  destruct (Z_le_gt_dec T (jitter (kernel_at j))) as [HT|HT]; [|nia].
  unfold placed in Hp. nia.
Qed.
(** The waits of the launches of our stream, each as long as its window allows. *)
Lemma blocked_no_longer delay : (forall j, (j < K)%nat -> in_stream s (of (launches ours)) j = true -> delayed j (delay j)) ->
  blocked_time s n launches ours long <=
    d * sum (fun j => if_so (in_stream s (of (launches ours)) j) (many s bound j 0 * delay j)) (seq 0 K).
Proof.
  intros Hdelay. pose proof (late_until _ _ _ _ _ _ _ _ Hlate) as Huntil. pose proof (late_long _ _ _ _ _ _ _ _ Hlate) as Hlong.
  set (m := mine s launches ours). set (v := live launches d bound ours). set (ts := times r (Z.to_nat long)).
  set (cost := fun j => if_so (in_stream s (of (launches ours)) j) (delay j)).
  assert (forall j, (j < K)%nat -> 0 <= cost j) as Hcost.
  { intros j Hj. unfold cost. destruct (in_stream s (of (launches ours)) j) eqn:E; cbn [if_so]; [|lia].
    destruct (Hdelay j Hj E) as (_ & _ & _ & _ & Hd & _). exact Hd. }
  transitivity (sum (fun t => sum (fun i => if_so (waiting launches i t) 1) (filter m all)) ts).
  { unfold blocked_time. apply sum_le. intros t _.
    assert (forall i, 0 <= if_so (waiting launches i t) 1) as Hpos by (intros i; destruct (waiting launches i t); cbn; lia).
    destruct (blocked s n launches ours t) eqn:E; cbn [if_so]; [|apply sum_pos; auto].
    apply existsb_exists in E. destruct E as (i & Hi & E). apply andb_prop in E. destruct E as [Hm Hw].
    pose proof (sum_one (fun i => if_so (waiting launches i t) 1) (filter m all) i (fun i _ => Hpos i)) as H. cbv beta in H.
    rewrite Hw in H. apply H, filter_In. now split. }
  rewrite (sum_swap (fun t i => if_so (waiting launches i t) 1)).
  transitivity (sum (fun i => if_so (v i) (d * cost (of (launches i)))) (filter m all)).
  - apply sum_le. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi Hm]. apply in_seq in Hi.
    pose proof (order i ltac:(lia)) as O. cbv zeta in O. destruct (v i) eqn:El; cbn [if_so].
    + assert (in_stream s (of (launches ours)) (of (launches i)) = true) as Hst.
      { unfold m, mine in Hm. apply andb_prop in Hm. destruct Hm as [_ Hm]. exact Hm. }
      unfold cost. rewrite Hst. cbn [if_so].
      destruct (Hdelay _ (of_lt i ltac:(lia)) Hst) as (weights & part & gap & Hw & Hwait).
      assert (0 < gap -> _) as Hpacked by (intros Hgap; destruct (level_packed _ _ _ _ Hw Hgap) as (P1 & P2 & P3 & P4);
        exact (conj P1 (conj P2 (conj P3 (P4 n launches d until Hrun))))).
      pose proof (wait_bounded s n launches d until d_pos Hrun priority Hby bound (bound_enough _ _ _ _ Hs) (blocks_some _ _ _ _ Hs)
        (jitter_pos _ _ _ _ Hs) (time_pos _ _ _ _ Hs) (period_pos _ _ _ _ Hs) (stream_lt _ _ _ _ Hs) weights part
        (level_weight_pos _ _ _ _ Hw) (level_one_pos _ _ _ _ Hw) (level_capacity_pos _ _ _ _ Hw) gap Hpacked i ltac:(lia)
        (fun i' m t Hi' Hl => level_full _ _ _ _ Hw n launches d until Hrun i' m t Hi' Hl) X ltac:(lia)
        (fun i' Hi' _ => prompt i' Hi') (delay (of (launches i))) Hwait) as H.
      destruct Hwait as [Hd _]. set (e := Z.max (in_end (launches i)) (Z.min (last_start (launches i)) X)).
      transitivity (sum (in_times_of (in_end (launches i)) e) ts).
      * apply sum_le. intros t Ht. apply in_times in Ht. unfold waiting, in_times_of.
        destruct ((in_end (launches i) <=? t) && (t <? last_start (launches i))) eqn:E1,
          ((in_end (launches i) <=? t) && (t <? e)) eqn:E2; cbn [if_so]; lia.
      * etransitivity; [apply within; [apply times_NoDup|lia]|]. nia.
    + rewrite (sum_ext _ (fun _ => 0)); [rewrite sum_zero; lia|]. intros t Ht. apply in_times in Ht.
      assert (out_end (launches i) <= r) as Hdead.
      { unfold v, live in El. apply Z.ltb_ge in El.
        pose proof (late_complete _ _ _ _ _ _ _ _ Hlate i ltac:(lia) ltac:(lia)). lia. }
      unfold waiting. destruct ((in_end (launches i) <=? t) && (t <? last_start (launches i))) eqn:E; [lia|reflexivity].
  - unfold if_so at 1. rewrite sum_if, filter_twice, sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|].
    etransitivity; [apply (costs s n launches d until d_pos Hrun bound (bound_pos _ _ _ _ Hs) (jitter_pos _ _ _ _ Hs) (period_pos _ _ _ _ Hs)
      ours ours_lt _ (in_stream s (of (launches ours))) cost 0)|].
    + lia.
    + exact Hcost.
    + intros i Hi Hp. apply andb_prop in Hp. destruct Hp as [Hm Hl]. split; [exact Hl|].
      unfold m, mine in Hm. apply andb_prop in Hm. destruct Hm as [Hle Hst]. split; [|exact Hst]. apply Nat.leb_le in Hle.
      destruct (Nat.eq_dec i ours) as [->|Hne]; [lia|]. pose proof (run_numbered _ _ _ _ _ Hrun i ours ltac:(lia)). lia.
    + apply sum_le. intros j _. unfold cost. destruct (in_stream s (of (launches ours)) j); cbn [if_so]; lia.
Qed.

Lemma priority_not_late : kept_by_priority (of (launches ours)) -> False.
Proof.
  intros (delay & Hdelay & Hsum).
  apply (no_time_left s n launches d until d_pos Hrun bound (bound_pos _ _ _ _ Hs) (blocks_some _ _ _ _ Hs) (jitter_pos _ _ _ _ Hs)
    (time_pos _ _ _ _ Hs) (copies_pos _ _ _ _ Hs) (period_pos _ _ _ _ Hs) (stream_lt _ _ _ _ Hs) ours ours_lt long
    (late_long _ _ _ _ _ _ _ _ Hlate) (late_until _ _ _ _ _ _ _ _ Hlate) (late_how _ _ _ _ _ _ _ _ Hlate)) with
    (rest := sum (fun j => if_so (in_stream s (of (launches ours)) j) (many s bound j 0 * delay j)) (seq 0 K)); [| |exact Hsum].
  - intros i Hi Hdue. apply (late_complete _ _ _ _ _ _ _ _ Hlate i Hi). pose proof (late_long _ _ _ _ _ _ _ _ Hlate). lia.
  - now apply blocked_no_longer.
Qed.
End Run.

(** Every launch is complete its bound after its release. *)
Theorem priority_fixed_point n launches d until : 0 < d -> run s n launches d until -> by_priority s n launches until priority ->
  (forall k, (k < K)%nat -> kept s bound weight one k \/ kept_by_priority k) ->
  forall i, (i < n)%nat -> let due := release (launches i) + d * bound (of (launches i)) in due < until -> out_end (launches i) <= due.
Proof.
  intros Hd Hr Hby Hk. apply (nobody_first s bound weight one Hs n launches d until Hd Hr). intros ours long Hlate.
  destruct (Hk _ (of_lt s n launches d until Hr ours (late_ours _ _ _ _ _ _ _ _ Hlate))) as [H|H].
  - exact (kept_not_late s bound weight one Hs n launches d until Hd Hr ours long Hlate H).
  - exact (priority_not_late n launches d until Hd Hr Hby ours long Hlate H).
Qed.
End PriorityResponses.

(** Bounds from the arrival. *)
Theorem priority_response_bounds s priority weight one bounds :
  let bound := fun j => nth j bounds 0 - jitter (nth j (kernels s) nothing) in
  sensible s bound weight one ->
  (forall k, (k < length (kernels s))%nat -> kept s bound weight one k \/ kept_by_priority s bound priority k) ->
  forall k, response_by_priority s priority k (nth k bounds 0).
Proof.
  intros bound Hs Hk k d until n launches Hd Hr Hby i Hi <- due Hdue.
  destruct (run_proper _ _ _ _ _ Hr i Hi) as (_ & Ha & _). unfold kernel_of in Ha.
  pose proof (priority_fixed_point s bound priority weight one Hs n launches d until Hd Hr Hby Hk i Hi) as H. unfold bound, due in *.
  cbv zeta in H. nia.
Qed.
