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
  bound_pos : forall j, (j < K)%nat -> 0 < bound j;
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
Hypothesis Hkept : forall k, (k < K)%nat -> kept k.

Section Run.
Variables (n : nat) (launches : nat -> launch) (d until : Z).
Hypothesis d_pos : 0 < d.
Hypothesis Hrun : run s n launches d until.
Notation due i := (release (launches i) + d * bound (of (launches i))).

(** No launch that is released after ours stands before it. *)
Lemma nobody_late ours : (ours < n)%nat -> served s bound (of (launches ours)) = true -> due ours < until ->
  (forall i, (i < n)%nat -> due i < due ours -> out_end (launches i) <= due i) ->
  forall i t, (i < n)%nat -> foreign s launches ours i = true -> release (launches ours) + d * 0 < release (launches i) ->
  release (launches ours) <= t < due ours -> blocked s n launches ours t = true -> taking launches weight i t = 0.
Proof.
  intros Ho Hv Hdue Hkeep i t Hi Hf Hlater Ht Hb.
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
    pose proof (Hkeep j ltac:(lia) ltac:(nia)). lia. }
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

(** (iii) Every launch is complete its bound after its release. *)
Theorem fixed_point i : (i < n)%nat -> due i < until -> out_end (launches i) <= due i.
Proof.
  intros Hi Hdue. destruct (Z_le_gt_dec (out_end (launches i)) (due i)) as [|Hlate]; [assumption|]. exfalso.
  set (late := filter (fun i => (due i <? until) && (due i <? out_end (launches i))) (seq 0 n)).
  assert (forall j, In j late <-> (j < n)%nat /\ due j < until /\ due j < out_end (launches j)) as Hin.
  { intros j. unfold late. rewrite filter_In, in_seq, andb_true_iff, !Z.ltb_lt. lia. }
  destruct (least (fun i => due i) late i ltac:(apply Hin; lia)) as (ours & Ho & Hfirst).
  apply Hin in Ho. destruct Ho as (Ho & Hdo & Hlo).
  assert (forall j, (j < n)%nat -> due j < due ours -> out_end (launches j) <= due j) as Hkeep.
  { intros j Hj Hlt. destruct (Z_le_gt_dec (out_end (launches j)) (due j)); [assumption|].
    specialize (Hfirst j ltac:(apply Hin; lia)). cbv beta in Hfirst. lia. }
  pose proof (of_lt s n launches d until Hrun ours Ho) as Hk.
  destruct (Hkept _ Hk) as (rest & filled & H1 & H2 & H3 & H4).
  pose proof (bound_pos Hs _ Hk) as HB.
  set (u := if served s bound (of (launches ours)) then 0 else bound (of (launches ours)) - 1) in *.
  assert (0 <= u) as Hu by (unfold u; destruct (served s bound (of (launches ours))); lia).
  apply (in_time s n launches d until d_pos Hrun bound (bound_pos Hs) (blocks_some Hs) (jitter_pos Hs) (time_pos Hs) (copies_pos Hs)
    (period_pos Hs) (stream_lt Hs) (multiprocessors_pos Hs) weight one (weight_pos Hs)
    (weights_full Hs n launches d until Hrun) (fill s weight) fill_pos
    (fun j Hj => fill_at_least (stream (kernel_at j)) j Hj eq_refl) ours Ho Hdo Hlo Hkeep u Hu) with (rest := rest) (filled := filled);
    try assumption.
  intros j t Hj Hf Hlater Ht Hb. unfold u in Hlater. destruct (served s bound (of (launches ours))) eqn:Ev.
  - now apply (nobody_late ours Ho Ev Hdo Hkeep j t).
  - (* released at the end of the window or later *)
    pose proof (order s n launches d until d_pos Hrun (blocks_some Hs) (time_pos Hs) ours Ho j Hj) as Oj. cbv zeta in Oj.
    apply (taking_outside s n launches d until d_pos Hrun (blocks_some Hs) (time_pos Hs) weight ours Ho); [assumption|]. right.
    destruct (run_proper _ _ _ _ _ Hrun ours Ho) as (_ & _ & [q Eq] & _).
    destruct (run_proper _ _ _ _ _ Hrun j Hj) as (_ & _ & [q' Eq'] & _).
    assert (q + bound (of (launches ours)) - 1 < q') by nia. nia.
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
  pose proof (fixed_point s bound weight one Hs Hk n launches d until Hd Hr i Hi) as H. unfold bound, due in *. nia.
Qed.
