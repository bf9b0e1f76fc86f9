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

(** Weights that are full while a block of a kernel as urgent as k finds no room. *)
Record level_weights (k : nat) (weight : nat -> Z) (one : Z) : Prop := {
  level_weight_pos : forall j, (j < K)%nat -> 0 <= weight j;
  level_one_pos : 0 <= one;
  level_capacity_pos : 0 < one * multiprocessors s;
  level_full : forall n launches d until, run s n launches d until -> forall i m t, (i < n)%nat ->
    level priority k (of (launches i)) = true -> t < until -> ~ fits s n launches (kernel_of s (launches i)) m t ->
    one <= sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then weight (of (launches i)) else 0)
      (grid (launches i))) (seq 0 n) }.

Definition delayed (k : nat) (delay : Z) : Prop :=
  exists weight one, level_weights k weight one /\ waits_at_most s bound priority weight one k delay.

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
End Run.
End PriorityResponses.
