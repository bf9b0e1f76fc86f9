(** The fixed point (docs/response-times.md, section 4): bounds that hold of each launch as long as they hold of all launches before
    it hold of all. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Counting Terms OneLaunch.
Local Open Scope Z_scope.

Section Responses.
Variable s : system.
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).
Variables (bound weight : nat -> Z) (one : Z).

(** A system that makes sense, and weights that are full while a block finds no room. *)
Record sensible : Prop := {
  bound_enough : forall j, (j < K)%nat -> time (kernel_at j) + copy_out (kernel_at j) <= bound j;
  blocks_some : forall j, (j < K)%nat -> 1 <= blocks (kernel_at j);
  jitter_pos : forall j, (j < K)%nat -> 0 <= jitter (kernel_at j);
  time_pos : forall j, (j < K)%nat -> 0 < time (kernel_at j);
  copies_pos : forall j, (j < K)%nat -> 0 <= copy_in (kernel_at j) /\ 0 <= copy_out (kernel_at j);
  period_pos : forall j T, (j < K)%nat -> period (kernel_at j) = Some T -> 0 < T;
  stream_lt : forall j, (j < K)%nat -> (stream (kernel_at j) < K)%nat;
  multiprocessors_pos : 0 <= multiprocessors s;
  weight_pos : forall j, (j < K)%nat -> 0 <= weight j;
  weights_full : forall n launches d until, run s n launches d until -> forall i m t, (i < n)%nat -> t < until ->
    ~ fits s n launches (kernel_of s (launches i)) m t ->
    one <= sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then weight (of (launches i)) else 0)
      (grid (launches i))) (seq 0 n) }.

Lemma bound_pos : sensible -> forall j, (j < K)%nat -> 0 < bound j.
Proof. intros Hs j Hj. pose proof (bound_enough Hs j Hj). pose proof (time_pos Hs j Hj). pose proof (copies_pos Hs j Hj). lia. Qed.

(** The bound of kernel k is not below its right-hand side. *)
Definition kept (k : nat) : Prop :=
  let u := if served s bound k then 0 else bound k - 1 in
  exists (rest : Z) (filled : nat -> bool),
    own_time s bound k + copy_time s bound k + rest <= bound k /\ 0 <= rest /\
    sum (fun st => if filled st then fill s weight st else 0) (seq 0 K) < one * multiprocessors s /\
    sum (fun st => if filled st then 0 else load s bound weight k u st) (seq 0 K) +
      sum (fun st => if filled st then fill s weight st else 0) (seq 0 K) * rest <= one * multiprocessors s * rest.

Lemma fill_at_least st j : (j < K)%nat -> stream (kernel_at j) = st -> weight j * blocks (kernel_at j) <= fill s weight st.
Proof.
  intros Hj Hs. unfold fill.
  assert (forall l, In j l -> weight j * blocks (kernel_at j) <=
    fold_right Z.max 0 (map (fun j => if_so (stream (kernel_at j) =? st)%nat (weight j * blocks (kernel_at j))) l)) as H.
  { induction l as [|i l IH]; intros Hi; [elim Hi|]. cbn [map fold_right]. destruct Hi as [->|Hi].
    - rewrite Hs, Nat.eqb_refl. cbn [if_so]. lia.
    - specialize (IH Hi). lia. }
  apply H, in_seq. lia.
Qed.

Lemma fill_pos st : 0 <= fill s weight st.
Proof. unfold fill. induction (seq 0 K) as [|i l IH]; cbn [map fold_right]; lia. Qed.

Hypothesis Hs : sensible.

Section Run.
Variables (n : nat) (launches : nat -> launch) (d until : Z).
Hypothesis d_pos : 0 < d.
Hypothesis Hrun : run s n launches d until.
Notation due i := (release (launches i) + d * bound (of (launches i))).
Notation placed i := (release (launches i) + d * (bound (of (launches i)) - time (kernel_at (of (launches i))) - copy_out (kernel_at (of (launches i))))).

(** * The first launch that is late *)
Section Late.
Variables (ours : nat) (long : Z).
Notation X := (release (launches ours) + long).

(** It is not complete when it is due, or its last block has not started by the time that leaves it C and its copy. *)
Record late : Prop := {
  late_ours : (ours < n)%nat;
  late_long : 0 < long;
  late_until : X < until;
  late_how : long = d * bound (of (launches ours)) /\ X < out_end (launches ours) \/
    long = d * (bound (of (launches ours)) - time (kernel_at (of (launches ours))) - copy_out (kernel_at (of (launches ours)))) + 1 /\
      X <= last_start (launches ours);
  late_complete : forall i, (i < n)%nat -> due i < X -> out_end (launches i) <= due i;
  late_placed : forall i, (i < n)%nat -> placed i + 1 < X -> last_start (launches i) <= placed i }.
Hypothesis Hlate : late.
Let Ho := late_ours Hlate.

Lemma late_before : long <= d * bound (of (launches ours)).
Proof.
  pose proof (of_lt s n launches d until Hrun ours Ho) as Hk. pose proof (late_how Hlate).
  pose proof (time_pos Hs _ Hk). pose proof (copies_pos Hs _ Hk). nia.
Qed.

(** No launch that is released after ours stands before it. *)
Lemma nobody_late : served s bound (of (launches ours)) = true ->
  forall i t, (i < n)%nat -> foreign s launches ours i = true -> release (launches ours) + d * 0 < release (launches i) ->
  release (launches ours) <= t < X -> blocked s n launches ours t = true -> taking launches weight i t = 0.
Proof.
  intros Hv i t Hi Hf Hlater Ht Hb. pose proof (late_until Hlate) as Hdue. pose proof (late_long Hlate) as Hlong.
  pose proof (of_lt s n launches d until Hrun ours Ho) as Hk.
  unfold served in Hv. apply andb_prop in Hv. destruct Hv as [Hv Hper]. apply andb_prop in Hv. destruct Hv as [Hv Hcopy].
  apply andb_prop in Hv. destruct Hv as [Hfirst Halone]. rewrite forallb_forall in Halone. apply Z.eqb_eq in Hcopy.
  pose proof (bound_pos Hs _ Hk) as HB.
  (* launches of our stream before ours are of our kernel, and complete *)
  assert (forall j, (j < ours)%nat -> same_stream s launches j ours -> out_end (launches j) <= release (launches ours)) as Hbefore.
  { intros j Hj Hsame. pose proof (of_lt s n launches d until Hrun j ltac:(lia)) as Hjk.
    assert (of (launches j) = of (launches ours)) as E.
    { specialize (Halone (of (launches j)) ltac:(apply in_seq; lia)). apply orb_true_iff in Halone.
      destruct Halone as [H|H]; [now apply Nat.eqb_eq|]. apply negb_true_iff, Nat.eqb_neq in H. elim H. exact Hsame. }
    pose proof (run_apart _ _ _ _ _ Hrun j ours ltac:(lia) Ho ltac:(lia) E) as Ha. unfold apart, kernel_of in Ha. rewrite E in Ha.
    destruct (period (kernel_at (of (launches ours)))) as [T|]; [|elim Ha].
    destruct (run_proper _ _ _ _ _ Hrun j ltac:(lia)) as (_ & Hj1 & _). destruct (run_proper _ _ _ _ _ Hrun ours Ho) as (_ & Ho1 & _).
    unfold kernel_of in *. rewrite E in Hj1. pose proof (run_numbered _ _ _ _ _ Hrun j ours ltac:(lia)) as Hnum.
    apply Z.leb_le in Hper. pose proof (jitter_pos Hs _ Hk).
    assert (due j <= release (launches ours)) as Hd by (rewrite E; nia).
    pose proof (late_complete Hlate j ltac:(lia) ltac:(lia)). lia. }
  assert (in_start (launches ours) <= release (launches ours)) as Hin.
  { destruct (Z_lt_le_dec (release (launches ours)) (in_start (launches ours))) as [Hlt|]; [|lia]. exfalso.
    destruct (run_copies _ _ _ _ _ Hrun ours before (release (launches ours)) Ho ltac:(nia)) as [Hpos _].
    - split; [lia|exact Hbefore].
    - exact Hlt.
    - cbn [copy_of] in Hpos. unfold kernel_of in Hpos. lia. }
  assert (in_end (launches ours) <= release (launches ours)) as Hend.
  { destruct (run_proper _ _ _ _ _ Hrun ours Ho) as (_ & _ & _ & _ & H5 & _). unfold kernel_of in H5. nia. }
  (* the launch of our stream that waits is ours *)
  apply existsb_exists in Hb. destruct Hb as (j & Hj & Hb). apply andb_prop in Hb. destruct Hb as [Hm Hb].
  unfold mine in Hm. apply andb_prop in Hm. destruct Hm as [Hle Hsame]. apply Nat.leb_le in Hle. apply Nat.eqb_eq in Hsame.
  apply in_seq in Hj. pose proof (order s n launches d until d_pos Hrun (blocks_some Hs) (time_pos Hs) ours Ho) as O.
  unfold waiting in Hb. apply andb_prop in Hb.
  assert (j = ours) as ->.
  { destruct (Nat.eq_dec j ours) as [|Hne]; [assumption|]. pose proof (Hbefore j ltac:(lia) Hsame).
    pose proof (O j ltac:(lia)) as Oj. cbv zeta in Oj. lia. }
  (* its last block starts first *)
  pose proof (O i Hi) as Oi. cbv zeta in Oi.
  destruct (max_in start (in_end (launches ours)) (grid (launches ours))) as [E|(b & Hbi & E)]; [unfold last_start in Hb; lia|].
  unfold taking. apply sum_none. intros b' Hb'. destruct (present t b') eqn:Ep; [|reflexivity]. exfalso. unfold present in Ep.
  pose proof (run_order _ _ _ _ _ Hrun Hfirst ours i b b' Ho Hi ltac:(lia) Hbi Hb' ltac:(lia)) as Hord.
  unfold last_start in Hb. lia.
Qed.

Lemma kept_not_late : kept (of (launches ours)) -> False.
Proof.
  intros (rest & filled & H1 & H2 & H3 & H4). pose proof (of_lt s n launches d until Hrun ours Ho) as Hk.
  pose proof (bound_pos Hs _ Hk) as HB. pose proof late_before as Hlong.
  set (u := if served s bound (of (launches ours)) then 0 else bound (of (launches ours)) - 1) in *.
  assert (0 <= u) as Hu by (unfold u; destruct (served s bound (of (launches ours))); lia).
  apply (in_time s n launches d until d_pos Hrun bound (bound_pos Hs) (blocks_some Hs) (jitter_pos Hs) (time_pos Hs) (copies_pos Hs)
    (period_pos Hs) (stream_lt Hs) (multiprocessors_pos Hs) weight one (weight_pos Hs)
    (weights_full Hs n launches d until Hrun) (fill s weight) fill_pos
    (fun j Hj => fill_at_least (stream (kernel_at j)) j Hj eq_refl) ours Ho long (late_long Hlate) (late_until Hlate) (late_how Hlate))
    with (u := u) (rest := rest) (filled := filled); try assumption.
  { intros i Hi Hdue. apply (late_complete Hlate i Hi). pose proof (late_long Hlate). lia. }
  intros j t Hj Hf Hlater Ht Hb. unfold u in Hlater. destruct (served s bound (of (launches ours))) eqn:Ev.
  - now apply (nobody_late Ev j t).
  - (* released at the end of the window or later *)
    pose proof (order s n launches d until d_pos Hrun (blocks_some Hs) (time_pos Hs) ours Ho j Hj) as Oj. cbv zeta in Oj.
    apply (taking_outside s n launches d until d_pos Hrun (blocks_some Hs) (time_pos Hs) weight ours Ho); [assumption|]. right.
    destruct (run_proper _ _ _ _ _ Hrun ours Ho) as (_ & _ & [q Eq] & _).
    destruct (run_proper _ _ _ _ _ Hrun j Hj) as (_ & _ & [q' Eq'] & _).
    assert (q + bound (of (launches ours)) - 1 < q') by nia. nia.
Qed.
End Late.

(** If some launch is late, one is late first. *)
Lemma nobody_first : (forall ours long, late ours long -> False) ->
  forall i, (i < n)%nat -> due i < until -> out_end (launches i) <= due i.
Proof.
  intros Hno i Hi Hdue. destruct (Z_le_gt_dec (out_end (launches i)) (due i)) as [|Hlate]; [assumption|]. exfalso.
  set (bad := fun io : nat * bool => let (i, o) := io in
    if o then (due i <? until) && (due i <? out_end (launches i)) else (placed i + 1 <? until) && (placed i <? last_start (launches i))).
  set (moment := fun io : nat * bool => let (i, o) := io in if o then 2 * due i else 2 * placed i + 1).
  set (all_bad := filter bad (list_prod (seq 0 n) [true; false])).
  assert (forall j o, In (j, o) all_bad <-> (j < n)%nat /\ bad (j, o) = true) as Hin.
  { intros j o. unfold all_bad. rewrite filter_In, in_prod_iff, in_seq. destruct o; cbn [In]; intuition lia. }
  destruct (least moment all_bad (i, true)) as ((ours & o) & Ho & Hfirst).
  { apply Hin. cbn [bad]. split; [assumption|]. unfold bad. lia. }
  apply Hin in Ho. destruct Ho as [Ho Hbad].
  pose proof (of_lt s n launches d until Hrun ours Ho) as Hk. pose proof (bound_pos Hs _ Hk) as HB.
  pose proof (bound_enough Hs _ Hk) as HE. pose proof (time_pos Hs _ Hk) as HC. pose proof (copies_pos Hs _ Hk) as HCo.
  assert (forall j, (j < n)%nat -> 2 * due j < moment (ours, o) -> out_end (launches j) <= due j) as Hc.
  { intros j Hj Hlt. destruct (Z_le_gt_dec (out_end (launches j)) (due j)); [assumption|]. exfalso.
    specialize (Hfirst (j, true)). cbn [moment] in Hfirst. enough (2 * due j >= moment (ours, o)) by lia.
    apply Z.le_ge. apply Hfirst, Hin. split; [assumption|]. unfold bad, moment in *. destruct o; lia. }
  apply (Hno ours (if o then d * bound (of (launches ours))
    else d * (bound (of (launches ours)) - time (kernel_at (of (launches ours))) - copy_out (kernel_at (of (launches ours)))) + 1)).
  unfold bad in Hbad. unfold moment in Hc. constructor.
  - assumption.
  - destruct o; nia.
  - destruct o; lia.
  - destruct o; [left|right]; lia.
  - intros j Hj Hlt. apply Hc; [assumption|]. destruct o; lia.
  - intros j Hj Hlt. destruct (Z_le_gt_dec (last_start (launches j)) (placed j)); [assumption|]. exfalso.
    specialize (Hfirst (j, false)). unfold moment in Hfirst.
    enough (In (j, false) all_bad) as Hb by (specialize (Hfirst Hb); destruct o; lia).
    apply Hin. split; [assumption|]. unfold bad. destruct o; lia.
Qed.

(** (iii) Every launch is complete its bound after its release. *)
Theorem fixed_point : (forall k, (k < K)%nat -> kept k) -> forall i, (i < n)%nat -> due i < until -> out_end (launches i) <= due i.
Proof.
  intros Hkept. apply nobody_first. intros ours long Hlate. apply (kept_not_late ours long Hlate), Hkept.
  exact (of_lt s n launches d until Hrun ours (late_ours _ _ Hlate)).
Qed.
End Run.
End Responses.

(** Bounds from the arrival. *)
Theorem response_bounds s weight one bounds :
  let bound := fun j => nth j bounds 0 - jitter (nth j (kernels s) nothing) in
  sensible s bound weight one -> (forall k, (k < length (kernels s))%nat -> kept s bound weight one k) ->
  forall k, response s k (nth k bounds 0).
Proof.
  intros bound Hs Hk k d until n launches Hd Hr i Hi <- due Hdue.
  destruct (run_proper _ _ _ _ _ Hr i Hi) as (_ & Ha & _). unfold kernel_of in Ha.
  pose proof (fixed_point s bound weight one Hs n launches d until Hd Hr Hk i Hi) as H. unfold bound, due in *. nia.
Qed.
