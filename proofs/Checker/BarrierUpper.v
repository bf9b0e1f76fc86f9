(** The upper half of a certificate with barriers: a bound that computes, and the proof that it is one. For each group it is
    the least of the critical path and of Theorem 4 of docs/programs.md with the thetas offered; where all warps are one
    block, the sum of the segments' bounds (Theorem 3) counts, too. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Bounds Require Import CriticalPath.
From Warpspan.Phase Require Import Earnings.
From Warpspan.Barriers Require Import BlockRuns BlockFacts OneBlock BlockPath.
From Warpspan.Checker Require Import Instance Upper ExactCheck BarrierInstance BarrierPhase BarrierSegments.
Local Open Scope Z_scope.

(** The letters of all warps for U. *)
Definition letters_of (U : letter) (gs : list barrier_group) : Z := sum_groups (fun segs => zcount U (concat segs)) gs.

Section Bound.
Variables (sL sC : nat).

(** What is the same for all groups at each theta: c and the sum of the rates of all warps. *)
Definition sums (gs : list barrier_group) (thetas : list (Z * Z)) : list ((Z * Z) * (Z * Z)) :=
  map (fun t => let q := snd t in let th := scaled sL sC t in
                ((q, th), (switch_cost sL sC q th gs, sum_groups (rate_of sL sC q th) gs)))
      (filter (fun t => valid sL sC (snd t) (scaled sL sC t)) thetas).

(** The bound of a group: the least of the critical path and of Theorem 4 at each theta. A theta is offered as a fraction,
    as in Upper.v; those out of range are passed over. *)
Definition group_of (W tL tC : Z) (at_theta : list ((Z * Z) * (Z * Z))) (segs : list string) : Z :=
  fold_right (fun p b => let '((q, th), (cost, all)) := p in Z.min (chain_of sL sC q th cost all segs) b)
             (crit_of sL sC W tL tC (concat segs, 1%N)) at_theta.

Definition group_bounds (gs : list barrier_group) (thetas : list (Z * Z)) : list Z :=
  let W := warps_of gs in let tL := letters_of L gs in let tC := letters_of C gs in
  let at_theta := sums gs thetas in map (fun g => group_of W tL tC at_theta (fst g)) gs.

(** The bound of a segment by itself, on a block of n warps. *)
Definition segment_bound (n : N) (thetas : list (Z * Z)) (s : string) : Z :=
  let bound := upper_bound sL sC [(s, n)] thetas in
  if (sL =? 1)%nat && (sC =? 1)%nat && (n =? 2)%N then Z.min bound (longest_path s s) else bound.

(** The bound of all: the largest of the groups', or the sum over the segments of a block that is alone. *)
Definition blocks_bound (per : N) (gs : list barrier_group) (thetas : list (Z * Z)) : Z :=
  let latest := fold_right Z.max 0 (group_bounds gs thetas) in
  match gs with
  | [(segs, n)] => match sizes per n with
                   | [_] => Z.min latest (sumZ (map (segment_bound n thetas) segs))
                   | _ => latest
                   end
  | _ => latest
  end.
End Bound.

(** A unit takes no more warps than there are, and this makes the bound smaller. *)
Definition at_most (s : nat) (gs : list barrier_group) : nat := min s (Z.to_nat (warps_of gs)).

Definition barrier_upper (sL sC : nat) (per : N) (gs : list barrier_group) (thetas : list (Z * Z)) : Z :=
  blocks_bound (at_most sL gs) (at_most sC gs) per gs thetas.

Definition barrier_upper_check (sL sC : nat) (per : N) (gs : list barrier_group) (thetas : list (Z * Z)) (B : Z) : bool :=
  well_formed_barriers sL sC gs && (barrier_upper sL sC per gs thetas <=? B).

Definition barrier_finish_check (sL sC : nat) (per : N) (gs : list barrier_group) (thetas : list (Z * Z)) (j : nat) (B : Z)
  : bool :=
  well_formed_barriers sL sC gs &&
  match nth_error (group_bounds (at_most sL gs) (at_most sC gs) gs thetas) j with Some b => b <=? B | None => false end.

(** * Proof *)

Lemma left_block U segs n : left_in U (block_of segs n) = (N.to_nat n * count U (concat segs))%nat.
Proof.
  destruct segs as [|s segs]; [cbn; lia|]. unfold left_in. cbn [block_of fst snd concat].
  rewrite count_app, total_repeat.
  enough (sum (map (total U) (map (fun t => repeat t (N.to_nat n)) segs)) =
          N.to_nat n * count U (concat segs))%nat by nia.
  induction segs as [|t segs IH]; [cbn; lia|]. cbn [map sum concat]. rewrite total_repeat, count_app, IH. lia.
Qed.

Lemma lefts_letters U per gs : Z.of_nat (lefts U (blocks_of per gs)) = letters_of U gs.
Proof.
  transitivity (sumZ (map (fun b => Z.of_nat (left_in U b)) (blocks_of per gs))).
  { unfold lefts. induction (blocks_of per gs) as [|b bs IH]; [reflexivity|]. cbn [map sum sumZ]. lia. }
  apply sum_blocks. intros segs n. rewrite zcount_spec, left_block. lia.
Qed.

Lemma path_sound sL sC per gs segs n :
  Z.of_nat (length (flat (blocks_of per gs))) = warps_of gs -> segs <> [] -> n <> 0%N ->
  In (block_of segs n) (blocks_of per gs) -> (0 < length (flat (blocks_of per gs)))%nat ->
  Z.of_nat (path_from (units sL sC) (string_of (block_of segs n)) (length (flat (blocks_of per gs)))
              (fun U => lefts U (blocks_of per gs))) =
  crit_of sL sC (warps_of gs) (letters_of L gs) (letters_of C gs) (concat segs, 1%N).
Proof.
  intros Hs Hn Hz Hin HW. unfold crit_of. cbn [fst].
  rewrite zlength_spec, <- Hs, <- !(lefts_letters _ per gs).
  assert (string_of (block_of segs n) = concat segs) as ->.
  { unfold string_of, tail_of. destruct segs as [|s segs]; [congruence|]. cbn [block_of fst snd map concat].
    assert (forall t : string, hd [] (repeat t (N.to_nat n)) = t) as H
      by (intros t; destruct (N.to_nat n) eqn:E; [lia|reflexivity]).
    rewrite H. f_equal. f_equal. rewrite map_map. rewrite <- (map_id segs) at 2. apply map_ext, H. }
  assert (forall U, count U (concat segs) <= lefts U (blocks_of per gs))%nat as Hle.
  { intros U. assert (left_in U (block_of segs n) <= lefts U (blocks_of per gs))%nat as H.
    { unfold lefts. clear - Hin. induction (blocks_of per gs) as [|b bs IH]; [easy|]. cbn [map sum].
      destruct Hin as [->|Hin]; [lia|]. specialize (IH Hin). lia. }
    rewrite left_block in H. nia. }
  unfold path_from. rewrite !Nat2Z.inj_add.
  assert (forall U,
    Z.of_nat (wait_on (units sL sC) U (concat segs) (length (flat (blocks_of per gs))) (lefts U (blocks_of per gs))) =
    zwaits sL sC (Z.of_nat (length (flat (blocks_of per gs)))) (Z.of_nat (lefts U (blocks_of per gs))) U (concat segs)) as H.
  { intros U. specialize (Hle U). unfold wait_on, zwaits. rewrite zcount_spec.
    destruct (Nat.eqb_spec (count U (concat segs)) 0), (Z.eqb_spec (Z.of_nat (count U (concat segs))) 0);
      try lia; cbn [orb]; try reflexivity.
    destruct (Nat.ltb_spec (length (flat (blocks_of per gs)) - 1) (units sL sC U)),
      (Z.ltb_spec (Z.of_nat (length (flat (blocks_of per gs))) - 1) (Z.of_nat (units sL sC U))); try lia; try reflexivity.
    rewrite Nat2Z.inj_div, Nat2Z.inj_sub by assumption. reflexivity. }
  rewrite !H. reflexivity.
Qed.

Lemma segment_sound sL sC n thetas s : (0 < sL)%nat -> (0 < sC)%nat -> n <> 0%N ->
  bounded sL sC [(s, n)] (segment_bound sL sC n thetas s).
Proof.
  intros HL HC Hn. unfold segment_bound. cbv zeta.
  assert (bounded sL sC [(s, n)] (upper_bound sL sC [(s, n)] thetas)) as HB.
  { apply (upper_sound sL sC _ thetas). unfold upper_check, well_formed. cbn [forallb snd].
    apply Nat.ltb_lt in HL, HC. apply N.eqb_neq in Hn. rewrite HL, HC, Hn. apply Z.leb_le. reflexivity. }
  destruct (_ && _) eqn:E; [|exact HB]. rewrite !andb_true_iff, !Nat.eqb_eq, N.eqb_eq in E. destruct E as [[-> ->] ->].
  destruct (exact_sound [(s, 2%N)] (longest_path s s)) as [H2 _]; [apply Z.eqb_refl|].
  intros ms st' H. pose proof (HB ms st' H). pose proof (H2 ms st' H). lia.
Qed.

(** * The bounds hold *)

Lemma group_sound sL sC per gs thetas mss bs' p g n : well_formed_barriers sL sC gs = true ->
  brun (units sL sC) (blocks_of per gs) mss bs' -> (p < length (blocks_of per gs))%nat -> In g gs ->
  nth p (blocks_of per gs) ([], []) = block_of (fst g) n -> n <> 0%N ->
  Z.of_nat (block_finish p mss) <=
    group_of sL sC (warps_of gs) (letters_of L gs) (letters_of C gs) (sums sL sC gs thetas) (fst g).
Proof.
  intros Hwf Hr Hp Hin E Hn. destruct (blocks_sound sL sC per gs Hwf) as (HW & Hw & Hs & Hu).
  destruct (well_formed_facts sL sC gs Hwf) as (HL & HC & HW0 & Hg).
  destruct (Hg g Hin) as (G1 & G2 & G3). unfold group_of, sums.
  induction thetas as [|t thetas IH]; cbn [filter map fold_right].
  - assert (In (block_of (fst g) n) (blocks_of per gs)) as Hb by (rewrite <- E; now apply nth_In).
    rewrite <- (path_sound sL sC per gs (fst g) n HW G2 Hn Hb) by lia.
    rewrite <- E. apply inj_le. apply (barrier_path (units sL sC)) with bs'; auto. intros []; assumption.
  - destruct (valid sL sC (snd t) (scaled sL sC t)) eqn:Hv; [|exact IH]. cbn [map fold_right].
    pose proof (chain_sound sL sC _ _ per gs mss bs' p (fst g) n Hv Hr Hw Hs Hp E G2 HW HW0). lia.
Qed.

Lemma max_of {A} (f : A -> Z) l x : In x l -> f x <= fold_right Z.max 0 (map f l).
Proof.
  induction l as [|y l IH]; [easy|]. cbn [map fold_right]. intros [->|H]; [lia|]. specialize (IH H). lia.
Qed.

Lemma blocks_bound_sound sL sC per gs thetas mss bs' : well_formed_barriers sL sC gs = true ->
  brun (units sL sC) (blocks_of per gs) mss bs' -> Z.of_nat (blocks_makespan mss) <= blocks_bound sL sC per gs thetas.
Proof.
  intros Hwf Hr. destruct (well_formed_facts sL sC gs Hwf) as (HL & HC & _ & Hg).
  assert (Z.of_nat (blocks_makespan mss) <= fold_right Z.max 0 (group_bounds sL sC gs thetas)) as H4.
  { assert (forall l, 0 <= fold_right Z.max 0 l) as H0 by (induction l; cbn; lia).
    destruct (blocks_makespan_finish _ _ _ _ Hr) as [->|(p & Hp & Hle)]; [apply H0|].
    destruct (in_blocks per gs p Hp) as (g & n & Hin & Hn & E). destruct (Hg g Hin) as (G1 & _).
    pose proof (group_sound sL sC per gs thetas mss bs' p g n Hwf Hr Hp Hin E (sizes_pos per _ _ G1 Hn)) as H.
    unfold group_bounds. cbv zeta. etransitivity; [|apply (max_of _ gs g Hin)]. cbv beta. lia. }
  unfold blocks_bound. cbv zeta. destruct gs as [|[segs n] [|? ?]]; [exact H4| |exact H4].
  destruct (sizes per n) as [|m [|? ?]] eqn:E; [exact H4| |exact H4].
  destruct (Hg (segs, n) (or_introl eq_refl)) as (G1 & _ & _). cbn [snd] in G1.
  apply Z.min_glb; [exact H4|]. apply (barrier_segments_bounded sL sC per segs n) with bs'.
  - unfold one_block_check. now rewrite Hwf, E.
  - clear - HL HC G1. induction segs as [|s segs IH]; constructor; [now apply segment_sound|exact IH].
  - exact Hr.
Qed.

Lemma at_most_sound sL sC per gs mss bs' : well_formed_barriers sL sC gs = true ->
  brun (units sL sC) (blocks_of per gs) mss bs' ->
  well_formed_barriers (at_most sL gs) (at_most sC gs) gs = true /\
  brun (units (at_most sL gs) (at_most sC gs)) (blocks_of per gs) mss bs'.
Proof.
  intros Hwf Hr. destruct (blocks_sound sL sC per gs Hwf) as (HW & Hw & _).
  destruct (well_formed_facts sL sC gs Hwf) as (HL & HC & HW0 & _). unfold at_most. split.
  - unfold well_formed_barriers in *. rewrite !andb_true_iff in *. rewrite !Nat.ltb_lt. intuition lia.
  - apply brun_at_most; [lia|assumption|assumption].
Qed.

(** No schedule takes more cycles than the bound. *)
Theorem barrier_upper_sound sL sC per gs thetas B : barrier_upper_check sL sC per gs thetas B = true ->
  barrier_bounded sL sC per gs B.
Proof.
  unfold barrier_upper_check. rewrite andb_true_iff, Z.leb_le. intros [Hw HB] mss bs' Hr.
  destruct (at_most_sound sL sC per gs mss bs' Hw Hr) as [Hw' Hr'].
  pose proof (blocks_bound_sound _ _ per gs thetas mss bs' Hw' Hr'). unfold barrier_upper in HB. lia.
Qed.

(** No block of group j finishes later than the group's bound. *)
Theorem barrier_finish_sound sL sC per gs thetas j B : barrier_finish_check sL sC per gs thetas j B = true ->
  barrier_group_bounded sL sC per gs j B.
Proof.
  unfold barrier_finish_check. rewrite andb_true_iff. intros [Hw HB] g mss bs' p n Hj Hr Hp E.
  destruct (at_most_sound sL sC per gs mss bs' Hw Hr) as [Hw' Hr'].
  destruct (N.eq_dec n 0) as [->|Hn].
  { (* a block without warps: there is none *)
    pose proof (well_formed_facts sL sC gs Hw) as (_ & _ & _ & Hg).
    destruct (in_blocks per gs p Hp) as (g' & n' & Hin' & Hn' & E').
    destruct (Hg g' Hin') as (G1 & G2 & _). pose proof (sizes_pos per _ _ G1 Hn') as G3.
    destruct (Hg g (nth_error_In _ _ Hj)) as (_ & G2' & _). rewrite E in E'.
    destruct (fst g) as [|s r]; [congruence|]. destruct (fst g') as [|s' r']; [congruence|].
    cbn [block_of] in E'. injection E' as E1 _. destruct (N.to_nat n') eqn:F; [lia|discriminate]. }
  pose proof (group_sound _ _ per gs thetas mss bs' p g n Hw' Hr' Hp (nth_error_In _ _ Hj) E Hn) as H.
  unfold group_bounds in HB. cbv zeta in HB. rewrite (map_nth_error _ _ _ Hj) in HB. lia.
Qed.
