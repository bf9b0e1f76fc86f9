(** Response bounds of a system where every C is given, computed: weights of the blocks, and whether the bounds are a fixed point. *)
From Coq Require Import List Arith ZArith Znumtheory Lia Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Counting Terms Responses.
Local Open Scope Z_scope.

(** * Weights *)
Section Weights.
Variable s : system.
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).
Notation room_of r := (nth r (room s) 0).
Notation resources := (seq 0 (length (room s))).

(** How much of a resource is taken at least where a block that lacks it waits: needs are multiples of a step. *)
Definition most_needed (r : nat) : Z := fold_right Z.max 0 (map (need r) (kernels s)).
Definition step (r : nat) : Z := fold_right Z.gcd 0 (map (need r) (kernels s)).
Definition taken (r : nat) : Z := ((room_of r - most_needed r) / step r + 1) * step r.

(** A resource that nobody needs, or that blocks cannot take so much of, since all need as much of the first resource. *)
Definition unneeded (r : nat) : bool := forallb (fun k => need r k =? 0) (kernels s) && (0 <=? room_of r).
Definition limited (r : nat) : bool :=
  let first := need 0 (kernel_at 0) in
  (0 <? length (room s))%nat && (0 <? first) && forallb (fun k => need 0 k =? first) (kernels s) &&
  (most_needed r * (room_of 0 / first) <? taken r).
Definition scarce : list nat := filter (fun r => negb (unneeded r || limited r)) resources.

(** The largest share of what is taken, counted in parts of which [one] make 1. *)
Definition one : Z := fold_right Z.lcm 1 (map taken scarce).
Definition weight (j : nat) : Z :=
  fold_right Z.max 0 (map (fun r => Z.min (need r (kernel_at j)) (taken r) * (one / taken r)) scarce).

(** What is checked of these numbers. *)
Definition covers (r : nat) : bool :=
  unneeded r ||
  (0 <? step r) && (limited r ||
    (0 <? taken r) && forallb (fun j => one * Z.min (need r (kernel_at j)) (taken r) <=? weight j * taken r) (seq 0 K)).
Definition weights_checked : bool :=
  (0 <=? one) && forallb covers resources && forallb (fun k => forallb (Z.leb 0) (needs k)) (kernels s) &&
  forallb (fun j => 0 <=? weight j) (seq 0 K).

Lemma needs_pos r j : weights_checked = true -> 0 <= need r (kernel_at j).
Proof.
  intros H. unfold weights_checked in H. rewrite !andb_true_iff in H. destruct H as [[_ H] _]. rewrite forallb_forall in H.
  destruct (Nat.lt_ge_cases j K) as [Hj|Hj]; [|rewrite nth_overflow by assumption; unfold need; destruct r; cbn; lia].
  specialize (H _ (nth_In (kernels s) nothing Hj)). rewrite forallb_forall in H. unfold need.
  destruct (Nat.lt_ge_cases r (length (needs (kernel_at j)))); [|rewrite nth_overflow by assumption; lia].
  apply Z.leb_le, H, nth_In. assumption.
Qed.

Lemma most_le r j : (j < K)%nat -> need r (kernel_at j) <= most_needed r.
Proof.
  intros Hj. unfold most_needed. pose proof (nth_In (kernels s) nothing Hj) as H. clear Hj. revert H. generalize (kernel_at j).
  induction (kernels s) as [|a l IH]; intros k Hk; [elim Hk|]. cbn [map fold_right]. destruct Hk as [->|Hk]; [lia|].
  specialize (IH k Hk). lia.
Qed.

Lemma step_divides r j : (j < K)%nat -> (step r | need r (kernel_at j)).
Proof.
  intros Hj. unfold step. pose proof (nth_In (kernels s) nothing Hj) as H. clear Hj. revert H. generalize (kernel_at j).
  induction (kernels s) as [|a l IH]; intros k Hk; [elim Hk|]. cbn [map fold_right]. destruct Hk as [->|Hk].
  - apply Z.gcd_divide_l.
  - etransitivity; [apply Z.gcd_divide_r|apply IH, Hk].
Qed.

(** Shares of at least so much add up to 1. *)
Lemma share (x w : nat -> Z) part T l : 0 < T -> 0 <= part -> (forall j, In j l -> 0 <= x j) ->
  (forall j, In j l -> part * Z.min (x j) T <= w j * T) -> T <= sum x l -> part <= sum w l.
Proof.
  intros HT Hp Hx Hw Hs.
  assert (T <= sum (fun j => Z.min (x j) T) l) as Hm.
  { enough (Z.min (sum x l) T <= sum (fun j => Z.min (x j) T) l) by lia. clear Hs Hw.
    induction l as [|j l IH]; cbn [sum fold_right]; [lia|].
    specialize (IH (fun i Hi => Hx i (or_intror Hi))). pose proof (Hx j (or_introl eq_refl)).
    pose proof (sum_pos x l (fun i Hi => Hx i (or_intror Hi))). unfold sum in *. lia. }
  assert (part * sum (fun j => Z.min (x j) T) l <= sum w l * T) as HW.
  { rewrite <- sum_scale, (Z.mul_comm _ T), <- sum_scale. apply sum_le. intros j Hj. specialize (Hw j Hj). lia. }
  nia.
Qed.

Section Run.
Variables (n : nat) (launches : nat -> launch) (d until : Z).
Hypothesis Hrun : run s n launches d until.
Hypothesis Hw : weights_checked = true.

(** The kernels of the blocks that are on a multiprocessor. *)
Definition here (m : nat) (t : Z) : list nat :=
  flat_map (fun i => map (fun _ => of (launches i)) (filter (fun b => (on b =? m)%nat && present t b) (grid (launches i)))) (seq 0 n).

Lemma nested (f : nat -> Z) m t :
  sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then f (of (launches i)) else 0) (grid (launches i))) (seq 0 n) =
  sum f (here m t).
Proof.
  unfold here. induction (seq 0 n) as [|i l IH]; [reflexivity|]. cbn [flat_map]. rewrite sum_app, <- IH.
  cbn [sum fold_right]. unfold sum at 1 3. f_equal. change (sum (fun b => if (on b =? m)%nat && present t b then f (of (launches i)) else 0)
    (grid (launches i)) = sum f (map (fun _ => of (launches i)) (filter (fun b => (on b =? m)%nat && present t b) (grid (launches i))))).
  rewrite sum_if. induction (filter _ _) as [|b g IH']; [reflexivity|]. cbn [map sum fold_right]. unfold sum in IH'. lia.
Qed.

Lemma here_lt m t j : In j (here m t) -> (j < K)%nat.
Proof.
  intros H. unfold here in H. apply in_flat_map in H. destruct H as (i & Hi & H). apply in_map_iff in H. destruct H as (_ & <- & _).
  apply in_seq in Hi. now destruct (run_proper _ _ _ _ _ Hrun i ltac:(lia)).
Qed.

Lemma full_of r i m t : (r < length (room s))%nat -> (i < n)%nat -> t < until ->
  room_of r < used s n launches r m t + need r (kernel_of s (launches i)) ->
  one <= sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then weight (of (launches i)) else 0) (grid (launches i))) (seq 0 n).
Proof.
  intros Hr Hi Ht Hfull. rewrite nested.
  assert (forall r, used s n launches r m t = sum (fun j => need r (kernel_at j)) (here m t)) as Hused.
  { intros r'. exact (nested (fun j => need r' (kernel_at j)) m t). }
  destruct (run_proper _ _ _ _ _ Hrun i Hi) as (Hk & _). unfold kernel_of in Hfull.
  pose proof (most_le r _ Hk) as Hmost. rewrite Hused in Hfull.
  assert (covers r = true) as Hc.
  { unfold weights_checked in Hw. rewrite !andb_true_iff in Hw. destruct Hw as [[[_ H] _] _]. rewrite forallb_forall in H.
    apply H, in_seq. lia. }
  assert (0 <= one) as Hone.
  { unfold weights_checked in Hw. rewrite !andb_true_iff in Hw. destruct Hw as [[[H _] _] _]. lia. }
  unfold covers in Hc. apply orb_true_iff in Hc. destruct Hc as [Hc|Hc].
  { exfalso. unfold unneeded in Hc. apply andb_prop in Hc. destruct Hc as [Hc Hroom]. rewrite forallb_forall in Hc.
    assert (forall j, (j < K)%nat -> need r (kernel_at j) = 0) as H0 by (intros j Hj; apply Z.eqb_eq, Hc, nth_In, Hj).
    rewrite (sum_none (fun j => need r (kernel_at j))) in Hfull by (intros j Hj; apply H0, (here_lt m t), Hj).
    rewrite H0 in Hfull by assumption. lia. }
  apply andb_prop in Hc. destruct Hc as [Hstep Hc].
  assert (taken r <= sum (fun j => need r (kernel_at j)) (here m t)) as Htaken.
  { assert (step r | sum (fun j => need r (kernel_at j)) (here m t)) as [q Eq].
    { assert (forall l, (forall j, In j l -> (j < K)%nat) -> (step r | sum (fun j => need r (kernel_at j)) l)) as H.
      { induction l as [|j l IH]; intros Hl; [exists 0; reflexivity|]. apply Z.divide_add_r.
        - apply step_divides, Hl. now left.
        - apply IH. intros i' Hi'. apply Hl. now right. }
      apply H. intros j. apply here_lt. }
    rewrite Eq in *. unfold taken. apply Z.mul_le_mono_nonneg_r; [lia|].
    assert ((room_of r - most_needed r) / step r < q); [|lia]. apply Z.div_lt_upper_bound; lia. }
  apply orb_true_iff in Hc. destruct Hc as [Hc|Hc].
  - exfalso. unfold limited in Hc. rewrite !andb_true_iff in Hc. destruct Hc as [[[H1 H2] H3] H4].
    apply Nat.ltb_lt in H1. rewrite forallb_forall in H3.
    pose proof (run_room _ _ _ _ _ Hrun t 0%nat m Ht H1) as H5. rewrite Hused in H5.
    assert (forall j, In j (here m t) -> need 0 (kernel_at j) = need 0 (kernel_at 0)) as H6.
    { intros j Hj. apply Z.eqb_eq, H3, nth_In, (here_lt m t), Hj. }
    rewrite (sum_ext _ (fun _ => need 0 (kernel_at 0)) _ H6), sum_const in H5.
    assert (sum (fun j => need r (kernel_at j)) (here m t) <= most_needed r * Z.of_nat (length (here m t))) as H7.
    { rewrite <- sum_const. apply sum_le. intros j Hj. apply most_le, (here_lt m t), Hj. }
    assert (Z.of_nat (length (here m t)) <= room_of 0 / need 0 (kernel_at 0)) as H8 by (apply Z.div_le_lower_bound; lia).
    assert (0 <= most_needed r) as H9 by (pose proof (needs_pos r (of (launches i)) Hw); lia). nia.
  - apply andb_prop in Hc. destruct Hc as [Hpos Hc]. rewrite forallb_forall in Hc.
    apply (share (fun j => need r (kernel_at j)) weight one (taken r)); try lia.
    + intros j _. now apply needs_pos.
    + intros j Hj. specialize (Hc j ltac:(apply in_seq; pose proof (here_lt m t j Hj); lia)). lia.
Qed.

Lemma full i m t : (i < n)%nat -> t < until -> ~ fits s n launches (kernel_of s (launches i)) m t ->
  one <= sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then weight (of (launches i)) else 0) (grid (launches i))) (seq 0 n).
Proof.
  intros Hi Ht Hfits. set (v := sum _ _). destruct (Z_le_gt_dec one v) as [|H]; [assumption|]. elim Hfits.
  intros r Hr. destruct (Z_le_gt_dec (used s n launches r m t + need r (kernel_of s (launches i))) (room_of r)) as [|Hlt]; [assumption|].
  pose proof (full_of r i m t Hr Hi Ht ltac:(lia)) as H'. fold v in H'. lia.
Qed.
End Run.
End Weights.

(** * The fixed point *)
Section Check.
Variables (s : system) (bounds : list Z).
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).
Definition from_release (j : nat) : Z := nth j bounds 0 - jitter (kernel_at j).

Definition kernel_checked (j : nat) : bool :=
  let k := kernel_at j in
  (0 <? from_release j) && (1 <=? blocks k) && (0 <=? jitter k) && (0 <? time k) && (0 <=? copy_in k) && (0 <=? copy_out k) &&
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

Definition responses_checked : bool :=
  let one := one s in
  let weights := map (weight s) (seq 0 K) in
  weights_checked s && (0 <=? multiprocessors s) && forallb kernel_checked (seq 0 K) &&
  forallb (bound_checked (fun j => nth j weights 0) (one * multiprocessors s)) (seq 0 K).

Lemma sum_map {A B} (f : B -> Z) (g : A -> B) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map sum fold_right]. unfold sum in IH. now rewrite IH. Qed.

(** If the check succeeds, every launch of every kernel is complete so long after its arrival. *)
Theorem responses_sound : responses_checked = true -> forall k, response s k (nth k bounds 0).
Proof.
  intros H. unfold responses_checked in H. rewrite !andb_true_iff in H. destruct H as [[[Hw Hm] Hk] Hb].
  rewrite forallb_forall in Hk, Hb.
  set (w := fun j => nth j (map (weight s) (seq 0 K)) 0) in *.
  assert (forall j, (j < K)%nat -> w j = weight s j) as Ew.
  { intros j Hj. unfold w. rewrite (nth_indep _ 0 (weight s 0)) by (rewrite map_length, seq_length; assumption).
    rewrite map_nth, seq_nth by assumption. reflexivity. }
  assert (forall j, (j < K)%nat -> kernel_checked j = true) as Hk' by (intros j Hj; apply Hk, in_seq; lia). clear Hk.
  apply (response_bounds s w (one s) bounds).
  - constructor.
    1-7: intros j; intros; specialize (Hk' j ltac:(assumption)); unfold kernel_checked, from_release in Hk'; rewrite !andb_true_iff in Hk'.
    + lia.
    + lia.
    + lia.
    + lia.
    + lia.
    + rewrite H0 in Hk'. lia.
    + destruct Hk' as [_ Hk']. now apply Nat.ltb_lt in Hk'.
    + lia.
    + intros j Hj. rewrite Ew by assumption. unfold weights_checked in Hw. rewrite !andb_true_iff in Hw. destruct Hw as [_ Hw].
      rewrite forallb_forall in Hw. specialize (Hw j ltac:(apply in_seq; lia)). lia.
    + intros n launches d until Hr i m t Hi Ht Hf.
      etransitivity; [apply (full s n launches d until Hr Hw i m t Hi Ht Hf)|]. apply sum_le. intros i' Hi'. apply in_seq in Hi'.
      apply sum_le. intros b _. rewrite Ew; [lia|]. now destruct (run_proper _ _ _ _ _ Hr i' ltac:(lia)).
  - intros k Hkk. specialize (Hb k ltac:(apply in_seq; lia)). unfold bound_checked in Hb. cbv zeta in Hb.
    rewrite !andb_true_iff, !sum_map in Hb. cbn [fst snd] in Hb. destruct Hb as [[H1 H2] H3].
    set (rest := from_release k - own_time s from_release k - copy_time s from_release k) in *.
    change (kept s from_release w (one s) k).
    exists rest, (fun st => fill s w st * rest <? load s from_release w k (if served s from_release k then 0 else from_release k - 1) st).
    split; [unfold rest; lia|]. split; [lia|]. split; [apply Z.ltb_lt, H2|apply Z.leb_le, H3].
Qed.
End Check.
