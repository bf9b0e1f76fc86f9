(** Response bounds of a system where every C is given, computed: whether they are a fixed point. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Counting Terms Responses.
From Warpspan.Checker Require Import ResponseWeights.
Local Open Scope Z_scope.

Section Check.
Variables (s : system) (bounds : list Z).
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).
Definition from_release (j : nat) : Z := nth j bounds 0 - jitter (kernel_at j).

Definition kernel_checked (j : nat) : bool :=
  let k := kernel_at j in
  (time k + copy_out k <=? from_release j) && (1 <=? blocks k) && (0 <=? jitter k) && (0 <? time k) && (0 <=? copy_in k) && (0 <=? copy_out k) &&
  match period k with Some T => 0 <? T | None => true end && (stream k <? K)%nat.

(** [capacity] and the weights are those of the system, computed once. *)
Definition bound_checked (weight : nat -> Z) (capacity : Z) (k : nat) : bool :=
  let u := if served s from_release k then 0 else from_release k - 1 in
  let rest := from_release k - own_time s from_release k - copy_time s from_release k in
  let streams := map (fun st => (fill s weight st, load s from_release weight k u st)) (seq 0 K) in
  let filled := fun fl : Z * Z => fst fl * rest <? snd fl in
  let fills := sum (fun fl => if filled fl then fst fl else 0) streams in
  let loads := sum (fun fl => if filled fl then 0 else snd fl) streams in
  (0 <=? rest) && (fills <? capacity) && (loads + fills * rest <=? capacity * rest).

(** Weights for all kernels, and what is asked of each bound. *)
Definition any_kernel (j : nat) : bool := true.
Definition weight_list (head : nat -> bool) (sizes : list Z) : list Z :=
  let one := one s head sizes in map (weight s head sizes one) (seq 0 K).
Definition responses_checked : bool :=
  let one := one s any_kernel [] in
  let weights := weight_list any_kernel [] in
  weights_checked s any_kernel [] (fun j => nth j weights 0) one && (0 <=? multiprocessors s) && forallb kernel_checked (seq 0 K) &&
  forallb (bound_checked (fun j => nth j weights 0) (one * multiprocessors s)) (seq 0 K).

Lemma sum_map {A B} (f : B -> Z) (g : A -> B) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map sum fold_right]. unfold sum in IH. now rewrite IH. Qed.

Lemma checked_sensible weights part : weights_checked s any_kernel [] weights part = true -> 0 <= multiprocessors s ->
  forallb kernel_checked (seq 0 K) = true -> sensible s from_release weights part.
Proof.
  intros Hw Hm Hk. rewrite forallb_forall in Hk.
  assert (forall j, (j < K)%nat -> kernel_checked j = true) as Hk' by (intros j Hj; apply Hk, in_seq; lia). clear Hk.
  constructor.
  1-7: intros j; intros; specialize (Hk' j ltac:(assumption)); unfold kernel_checked, from_release in *; rewrite !andb_true_iff in Hk'.
  - lia.
  - lia.
  - lia.
  - lia.
  - lia.
  - rewrite H0 in Hk'. lia.
  - destruct Hk' as [_ Hk']. now apply Nat.ltb_lt in Hk'.
  - assumption.
  - intros j Hj. unfold weights_checked in Hw. rewrite !andb_true_iff in Hw. destruct Hw as [_ Hw].
    rewrite forallb_forall in Hw. specialize (Hw j ltac:(apply in_seq; lia)). lia.
  - intros n launches d until Hr i m t Hi Ht Hf. exact (full s any_kernel [] weights part Hw n launches d until Hr i m t Hi eq_refl Ht Hf).
Qed.

Lemma checked_kept weights part k : bound_checked weights (part * multiprocessors s) k = true -> kept s from_release weights part k.
Proof.
  intros Hb. unfold bound_checked in Hb. cbv zeta in Hb. rewrite !andb_true_iff, !sum_map in Hb. cbn [fst snd] in Hb.
  destruct Hb as [[H1 H2] H3]. set (rest := from_release k - own_time s from_release k - copy_time s from_release k) in *.
  exists rest, (fun st => fill s weights st * rest <? load s from_release weights k (if served s from_release k then 0 else from_release k - 1) st).
  split; [unfold rest; lia|]. split; [lia|]. split; [apply Z.ltb_lt, H2|apply Z.leb_le, H3].
Qed.

(** If the check succeeds, every launch of every kernel is complete so long after its arrival. *)
Theorem responses_sound : responses_checked = true -> forall k, response s k (nth k bounds 0).
Proof.
  intros H. unfold responses_checked in H. rewrite !andb_true_iff in H. destruct H as [[[Hw Hm] Hk] Hb].
  apply Z.leb_le in Hm. rewrite forallb_forall in Hb.
  eapply response_bounds; [exact (checked_sensible _ _ Hw Hm Hk)|].
  intros k Hkk. apply checked_kept, Hb, in_seq. lia.
Qed.
End Check.
