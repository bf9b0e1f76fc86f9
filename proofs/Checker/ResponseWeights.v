(** Weights of blocks, computed: while a block of some kernels finds no room, the weights of those on a multiprocessor add up to 1. *)
From Coq Require Import List Arith ZArith Znumtheory Lia Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Counting OneLaunch.
Local Open Scope Z_scope.

Section Weights.
Variable s : system.
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).
Notation room_of r := (nth r (room s) 0).
Notation resources := (seq 0 (length (room s))).

(** Which kernels a block that waits is of, and how each resource is measured: by what a block needs if the size is 0, else by how
    many parts of that size it takes, which is no less than any of these kernels needs. *)
Variables (head : nat -> bool) (sizes : list Z).
Notation size r := (nth r sizes 0).

(** How much of a resource is taken at least where a block that lacks it waits: needs are multiples of a step. *)
Definition most (p : nat -> bool) (r : nat) : Z := fold_right Z.max 0 (map (fun j => need r (kernel_at j)) (filter p (seq 0 K))).
Definition step (r : nat) : Z := fold_right Z.gcd 0 (map (need r) (kernels s)).
Definition needed (r : nat) : Z := ((room_of r - most head r) / step r + 1) * step r.
Definition taken (r : nat) : Z := if size r =? 0 then needed r else room_of r / size r.
Definition parts (r : nat) (j : nat) : Z :=
  if size r =? 0 then need r (kernel_at j) else - (- need r (kernel_at j) / size r).

(** A resource that no such block needs, or that blocks cannot take so much of, since all need as much of the first resource. *)
Definition unneeded (r : nat) : bool := forallb (fun j => negb (head j) || (need r (kernel_at j) =? 0)) (seq 0 K).
Definition limited (r : nat) : bool :=
  let first := need 0 (kernel_at 0) in
  (0 <? length (room s))%nat && (0 <? first) && forallb (fun k => need 0 k =? first) (kernels s) &&
  (most (fun _ => true) r * (room_of 0 / first) <? needed r).
Definition scarce : list nat := filter (fun r => negb (unneeded r || limited r)) resources.

(** The largest share of what is taken, counted in parts of which [one] make 1. *)
Definition one : Z := fold_right Z.lcm 1 (map taken scarce).
Definition weight (one : Z) (j : nat) : Z :=
  fold_right Z.max 0 (map (fun r => Z.min (parts r j) (taken r) * (one / taken r)) scarce).

(** What is checked of these numbers, with the weights computed once. *)
Definition covers (weight : nat -> Z) (one : Z) (r : nat) : bool :=
  unneeded r ||
  (0 <? step r) && (limited r ||
    ((size r =? 0) || (0 <? size r) && (most head r <=? size r)) &&
    (0 <? taken r) && forallb (fun j => one * Z.min (parts r j) (taken r) <=? weight j * taken r) (seq 0 K)).
Definition weights_checked (weight : nat -> Z) (one : Z) : bool :=
  (0 <=? one) && forallb (covers weight one) resources && forallb (fun k => forallb (Z.leb 0) (needs k)) (kernels s) &&
  forallb (fun j => 0 <=? weight j) (seq 0 K).

(** The weights, whatever they are. *)
Variables (weights : nat -> Z) (part : Z).
Hypothesis Hw : weights_checked weights part = true.

Lemma needs_pos r j : 0 <= need r (kernel_at j).
Proof.
  pose proof Hw as H. unfold weights_checked in H. rewrite !andb_true_iff in H. destruct H as [[_ H] _]. rewrite forallb_forall in H.
  destruct (Nat.lt_ge_cases j K) as [Hj|Hj]; [|rewrite nth_overflow by assumption; unfold need; destruct r; cbn; lia].
  specialize (H _ (nth_In (kernels s) nothing Hj)). rewrite forallb_forall in H. unfold need.
  destruct (Nat.lt_ge_cases r (length (needs (kernel_at j)))); [|rewrite nth_overflow by assumption; lia].
  apply Z.leb_le, H, nth_In. assumption.
Qed.

Lemma most_le p r j : (j < K)%nat -> p j = true -> need r (kernel_at j) <= most p r.
Proof.
  intros Hj Hp. unfold most. assert (In j (filter p (seq 0 K))) as Hin by (apply filter_In; split; [apply in_seq; lia|assumption]).
  induction (filter p (seq 0 K)) as [|a l IH]; [elim Hin|]. cbn [map fold_right]. destruct Hin as [->|Hin]; [lia|]. specialize (IH Hin). lia.
Qed.

Lemma step_divides r j : (j < K)%nat -> (step r | need r (kernel_at j)).
Proof.
  intros Hj. unfold step. pose proof (nth_In (kernels s) nothing Hj) as H. clear Hj. revert H. generalize (kernel_at j).
  induction (kernels s) as [|a l IH]; intros k Hk; [elim Hk|]. cbn [map fold_right]. destruct Hk as [->|Hk].
  - apply Z.gcd_divide_l.
  - etransitivity; [apply Z.gcd_divide_r|apply IH, Hk].
Qed.

(** Shares of at least so much add up to 1. *)
Lemma share (x w : nat -> Z) c T l : 0 < T -> 0 <= c -> (forall j, In j l -> 0 <= x j) ->
  (forall j, In j l -> c * Z.min (x j) T <= w j * T) -> T <= sum x l -> c <= sum w l.
Proof.
  intros HT Hp Hx Hwx Hs.
  assert (T <= sum (fun j => Z.min (x j) T) l) as Hm.
  { enough (Z.min (sum x l) T <= sum (fun j => Z.min (x j) T) l) by lia. clear Hs Hwx.
    induction l as [|j l IH]; cbn [sum fold_right]; [lia|].
    specialize (IH (fun i Hi => Hx i (or_intror Hi))). pose proof (Hx j (or_introl eq_refl)).
    pose proof (sum_pos x l (fun i Hi => Hx i (or_intror Hi))). unfold sum in *. lia. }
  assert (c * sum (fun j => Z.min (x j) T) l <= sum w l * T) as HW.
  { rewrite <- sum_scale, (Z.mul_comm _ T), <- sum_scale. apply sum_le. intros j Hj. specialize (Hwx j Hj). lia. }
  nia.
Qed.

Section Run.
Variables (n : nat) (launches : nat -> launch) (d until : Z).
Hypothesis Hrun : run s n launches d until.
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

Lemma used_here r m t : used s n launches r m t = sum (fun j => need r (kernel_at j)) (here m t).
Proof. exact (nested (fun j => need r (kernel_at j)) m t). Qed.

Lemma room_here r m t : (r < length (room s))%nat -> t < until -> sum (fun j => need r (kernel_at j)) (here m t) <= room_of r.
Proof. intros Hr Ht. rewrite <- used_here. now apply (run_room _ _ _ _ _ Hrun). Qed.

(** So many parts are taken where a block lacks the resource. *)
Lemma parts_taken r m t : 0 < size r -> room_of r - size r < sum (fun j => need r (kernel_at j)) (here m t) ->
  room_of r / size r <= sum (parts r) (here m t).
Proof.
  intros Hsize Hfull.
  assert (sum (fun j => need r (kernel_at j)) (here m t) <= size r * sum (parts r) (here m t)) as H.
  { rewrite <- sum_scale. apply sum_le. intros j _. unfold parts. destruct (Z.eqb_spec (size r) 0) as [E|_]; [lia|].
    pose proof (Z.mul_div_le (- need r (kernel_at j)) (size r) Hsize). nia. }
  assert (room_of r / size r < sum (parts r) (here m t) + 1); [|lia]. apply Z.div_lt_upper_bound; nia.
Qed.

Lemma full_of r i m t : (r < length (room s))%nat -> (i < n)%nat -> head (of (launches i)) = true -> t < until ->
  room_of r < used s n launches r m t + need r (kernel_of s (launches i)) ->
  part <= sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then weights (of (launches i)) else 0) (grid (launches i))) (seq 0 n).
Proof.
  intros Hr Hi Hh Ht Hfull. rewrite nested. rewrite used_here in Hfull. pose proof (room_here r m t Hr Ht) as Hroom.
  destruct (run_proper _ _ _ _ _ Hrun i Hi) as (Hk & _). unfold kernel_of in Hfull.
  pose proof (most_le head r _ Hk Hh) as Hmost.
  assert (covers weights part r = true) as Hc.
  { unfold weights_checked in Hw. rewrite !andb_true_iff in Hw. destruct Hw as [[[_ H] _] _]. rewrite forallb_forall in H.
    apply H, in_seq. lia. }
  assert (0 <= part) as Hone.
  { unfold weights_checked in Hw. rewrite !andb_true_iff in Hw. destruct Hw as [[[H _] _] _]. lia. }
  unfold covers in Hc. apply orb_true_iff in Hc. destruct Hc as [Hc|Hc].
  { exfalso. unfold unneeded in Hc. rewrite forallb_forall in Hc. specialize (Hc _ ltac:(apply in_seq; split; [lia|exact Hk])).
    rewrite Hh in Hc. cbn [negb orb] in Hc. lia. }
  apply andb_prop in Hc. destruct Hc as [Hstep Hc].
  assert (needed r <= sum (fun j => need r (kernel_at j)) (here m t)) as Hneeded.
  { assert (step r | sum (fun j => need r (kernel_at j)) (here m t)) as [q Eq].
    { assert (forall l, (forall j, In j l -> (j < K)%nat) -> (step r | sum (fun j => need r (kernel_at j)) l)) as H.
      { induction l as [|j l IH]; intros Hl; [exists 0; reflexivity|]. apply Z.divide_add_r.
        - apply step_divides, Hl. now left.
        - apply IH. intros i' Hi'. apply Hl. now right. }
      apply H. intros j. apply here_lt. }
    rewrite Eq in *. unfold needed. apply Z.mul_le_mono_nonneg_r; [lia|].
    assert ((room_of r - most head r) / step r < q); [|lia]. apply Z.div_lt_upper_bound; lia. }
  apply orb_true_iff in Hc. destruct Hc as [Hc|Hc].
  - exfalso. unfold limited in Hc. rewrite !andb_true_iff in Hc. destruct Hc as [[[H1 H2] H3] H4].
    apply Nat.ltb_lt in H1. rewrite forallb_forall in H3.
    pose proof (room_here 0 m t H1 Ht) as H5.
    assert (forall j, In j (here m t) -> need 0 (kernel_at j) = need 0 (kernel_at 0)) as H6.
    { intros j Hj. apply Z.eqb_eq, H3, nth_In, (here_lt m t), Hj. }
    rewrite (sum_ext _ (fun _ => need 0 (kernel_at 0)) _ H6), sum_const in H5.
    assert (sum (fun j => need r (kernel_at j)) (here m t) <= most (fun _ => true) r * Z.of_nat (length (here m t))) as H7.
    { rewrite <- sum_const. apply sum_le. intros j Hj. apply most_le; [apply (here_lt m t), Hj|reflexivity]. }
    assert (Z.of_nat (length (here m t)) <= room_of 0 / need 0 (kernel_at 0)) as H8 by (apply Z.div_le_lower_bound; lia).
    assert (0 <= most (fun _ => true) r) as H9.
    { pose proof (needs_pos r (of (launches i))). pose proof (most_le (fun _ => true) r _ Hk eq_refl). lia. }
    nia.
  - rewrite !andb_true_iff in Hc. destruct Hc as [[Hsize Hpos] Hc]. rewrite forallb_forall in Hc.
    apply (share (parts r) weights part (taken r)); try lia.
    + intros j _. unfold parts. pose proof (needs_pos r j). destruct (Z.eqb_spec (size r) 0) as [E|E]; [assumption|].
      assert (- need r (kernel_at j) / size r <= 0) by (apply Z.div_le_upper_bound; lia). lia.
    + intros j Hj. specialize (Hc j ltac:(apply in_seq; pose proof (here_lt m t j Hj); lia)). lia.
    + unfold taken. destruct (Z.eqb_spec (size r) 0) as [E|E].
      * rewrite (sum_ext (parts r) (fun j => need r (kernel_at j))); [assumption|]. intros j _. unfold parts.
        destruct (Z.eqb_spec (size r) 0); [reflexivity|contradiction].
      * apply parts_taken; lia.
Qed.

(** Whatever it lacks. *)
Lemma full i m t : (i < n)%nat -> head (of (launches i)) = true -> t < until -> ~ fits s n launches (kernel_of s (launches i)) m t ->
  part <= sum (fun i => sum (fun b => if (on b =? m)%nat && present t b then weights (of (launches i)) else 0) (grid (launches i))) (seq 0 n).
Proof.
  intros Hi Hh Ht Hfits. set (v := sum _ _). destruct (Z_le_gt_dec part v) as [|H]; [assumption|]. elim Hfits.
  intros r Hr. destruct (Z_le_gt_dec (used s n launches r m t + need r (kernel_of s (launches i))) (room_of r)) as [|Hlt]; [assumption|].
  pose proof (full_of r i m t Hr Hi Hh Ht ltac:(lia)) as H'. fold v in H'. lia.
Qed.

(** Where blocks of all kernels need as much of one resource, no more fit than [slots] of it, so their weights may add up to no more
    than 1. *)
Definition slots (r : nat) : Z := room_of r / need r (kernel_at 0).
Definition equal_blocks (weight : nat -> Z) (one : Z) (r : nat) : bool :=
  (0 <? need r (kernel_at 0)) && forallb (fun k => need r k =? need r (kernel_at 0)) (kernels s) &&
  forallb (fun j => (slots r * weight j <=? one)) (seq 0 K).

Lemma no_more r m t : (r < length (room s))%nat -> equal_blocks weights part r = true -> t < until -> sum weights (here m t) <= part.
Proof.
  intros Hr He Ht. unfold equal_blocks in He. rewrite !andb_true_iff in He. destruct He as [[Hpos Hequal] Hslots].
  rewrite forallb_forall in Hequal, Hslots. pose proof (room_here r m t Hr Ht) as Hroom.
  rewrite (sum_ext _ (fun _ => need r (kernel_at 0))) in Hroom.
  2: { intros j Hj. apply Z.eqb_eq, Hequal, nth_In, (here_lt m t), Hj. }
  rewrite sum_const in Hroom. set (c := Z.of_nat (length (here m t))) in *.
  assert (c <= slots r) as Hc by (apply Z.div_le_lower_bound; lia).
  assert (0 <= part) as Hone.
  { unfold weights_checked in Hw. rewrite !andb_true_iff in Hw. destruct Hw as [[[H _] _] _]. lia. }
  assert (slots r * sum weights (here m t) <= c * part) as H.
  { rewrite <- sum_scale. unfold c. rewrite Z.mul_comm, <- sum_const. apply sum_le. intros j Hj.
    specialize (Hslots j ltac:(apply in_seq; pose proof (here_lt m t j Hj); lia)). lia. }
  destruct (here m t) as [|j l] eqn:E; [exact Hone|]. assert (0 < c) by (unfold c; cbn [length]; lia). nia.
Qed.
End Run.

(** Then a gap is the greatest common divisor of the weights. *)
Definition gap : Z :=
  if existsb (equal_blocks weights part) resources && forallb (fun j => 0 <? weights j) (seq 0 K)
  then fold_right Z.gcd (part * multiprocessors s) (map weights (seq 0 K)) else 0.

Lemma gap_packed : 0 <= multiprocessors s -> 0 < gap ->
  (forall j, (j < K)%nat -> (gap | weights j)) /\ (gap | part * multiprocessors s) /\ (forall j, (j < K)%nat -> 0 < weights j) /\
  forall n launches d until, run s n launches d until -> forall t, t < until ->
    sum (fun i => taking launches weights i t) (seq 0 n) <= part * multiprocessors s.
Proof.
  intros HM Hgap. unfold gap in *. destruct (existsb _ _ && forallb _ _) eqn:E; [|lia]. apply andb_prop in E. destruct E as [He Hpos].
  rewrite forallb_forall in Hpos. apply existsb_exists in He. destruct He as (r & Hr & He). apply in_seq in Hr.
  assert (forall l c, (fold_right Z.gcd c (map weights l) | c) /\ forall j, In j l -> (fold_right Z.gcd c (map weights l) | weights j)) as H.
  { intros l c. induction l as [|i l [IH1 IH2]]; cbn [map fold_right]; [split; [reflexivity|intros j []]|]. split.
    - etransitivity; [apply Z.gcd_divide_r|exact IH1].
    - intros j [<-|Hj]; [apply Z.gcd_divide_l|]. etransitivity; [apply Z.gcd_divide_r|now apply IH2]. }
  destruct (H (seq 0 K) (part * multiprocessors s)) as [H1 H2]. split; [intros j Hj; apply H2, in_seq; lia|]. split; [exact H1|].
  assert (forall j, (j < K)%nat -> 0 < weights j) as Hw0 by (intros j Hj; apply Z.ltb_lt, Hpos, in_seq; lia). split; [exact Hw0|].
  intros n launches d until Hrun t Ht. set (M := Z.to_nat (multiprocessors s)).
  assert (Z.of_nat M = multiprocessors s) as EM by (unfold M; lia).
  set (on_one := fun m i => sum (fun b => if (on b =? m)%nat && present t b then weights (of (launches i)) else 0) (grid (launches i))).
  transitivity (sum (fun i => sum (fun m => on_one m i) (seq 0 M)) (seq 0 n)).
  - apply sum_le. intros i Hi. apply in_seq in Hi. destruct (run_proper _ _ _ _ _ Hrun i ltac:(lia)) as (Hk & _ & _ & _ & _ & _ & Hb & _).
    rewrite Forall_forall in Hb. pose proof (Hw0 _ Hk) as Hwi. unfold on_one, taking.
    rewrite (sum_swap (fun m b => if (on b =? m)%nat && present t b then weights (of (launches i)) else 0)).
    apply sum_le. intros b Hin. destruct (Hb b Hin) as (_ & _ & _ & Hon).
    pose proof (sum_one (fun m => if (on b =? m)%nat && present t b then weights (of (launches i)) else 0) (seq 0 M) (on b)) as Hone.
    cbv beta in Hone. rewrite Nat.eqb_refl in Hone. cbn [andb] in Hone. apply Hone; [|apply in_seq; lia].
    intros m _. destruct (_ && _); lia.
  - rewrite (sum_swap (fun i m => on_one m i)).
    replace (part * multiprocessors s) with (sum (fun _ => part) (seq 0 M)) by (rewrite sum_const, seq_length, EM; reflexivity).
    apply sum_le. intros m _. unfold on_one. rewrite (nested n launches weights m t). apply (no_more n launches d until Hrun r m t); [lia|assumption|assumption].
Qed.
End Weights.
