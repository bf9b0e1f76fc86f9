(** Instances with barriers: groups of warps that run one kernel each, in blocks of a number of warps, and the blocks of the
    model that they stand for. *)
From Coq Require Import String Ascii.
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Phase Require Import Earnings.
From Warpspan.Barriers Require Import BlockRuns BlockFacts OneBlock BlockPath.
From Warpspan.Checker Require Import Instance.
Local Open Scope Z_scope.

(** The pieces of a text of L's and C's between its bars; [None] for any other text. *)
Fixpoint read_pieces (t : String.string) : option (list string) :=
  match t with
  | EmptyString => Some [[]]
  | String x t =>
    match read_pieces t with
    | Some (s :: r) =>
      if Ascii.eqb x "L"%char then Some ((L :: s) :: r) else if Ascii.eqb x "C"%char then Some ((C :: s) :: r)
      else if Ascii.eqb x "|"%char then Some ([] :: s :: r) else None
    | _ => None
    end
  end.

Definition filled {A} (l : list A) : bool := match l with [] => false | _ => true end.

(** One writes [segments "LCC|CL"]; as with [kernel], another text is a type error. Empty pieces are dropped: since all
    warps of a block run one kernel, a barrier at an end or right after another changes nothing. *)
Definition segments_of (t : String.string) (ok : is_some (read_pieces t) = true) : list string :=
  match read_pieces t as o return is_some o = true -> list string with
  | Some r => fun _ => filter filled r
  | None => fun bad => match Bool.diff_false_true bad with end
  end ok.

Notation segments t := (segments_of t eq_refl) (only parsing).

(** A group: the segments of its kernel, and its number of warps. *)
Notation barrier_group := (list string * N)%type.

(** The sizes of the blocks of a group of n warps, [per] warps a block; the last may be smaller. All of the group
    are one block if [per] is 0. *)
Definition sizes (per n : N) : list N :=
  if (per =? 0)%N then [n]
  else (repeat per (N.to_nat (n / per)) ++ if (n mod per =? 0)%N then [] else [(n mod per)%N])%list.

Definition block_of (segs : list string) (n : N) : block :=
  match segs with
  | [] => ([], [])
  | s :: later => (repeat s (N.to_nat n), map (fun t => repeat t (N.to_nat n)) later)
  end.

(** Before cycle 1. Warps are numbered in this order. *)
Definition blocks_of (per : N) (gs : list barrier_group) : list block :=
  flat_map (fun g => map (block_of (fst g)) (sizes per (snd g))) gs.

Definition well_formed_barriers (sL sC : nat) (gs : list barrier_group) : bool :=
  (0 <? sL)%nat && (0 <? sC)%nat && filled gs &&
  forallb (fun g => negb (N.eqb (snd g) 0) && filled (fst g) && forallb filled (fst g)) gs.

Lemma filled_spec {A} (l : list A) : filled l = true <-> l <> [].
Proof. destruct l; cbn; split; congruence. Qed.

(** * What a certificate says *)

(** No schedule of the instance, in blocks of [per] warps, takes more than B cycles. *)
Definition barrier_bounded (sL sC : nat) (per : N) (gs : list barrier_group) (B : Z) : Prop :=
  forall mss bs', brun (units sL sC) (blocks_of per gs) mss bs' -> Z.of_nat (blocks_makespan mss) <= B.

(** No block of group j, counted from 0, finishes after cycle B in any schedule. Blocks are told by what they run. *)
Definition barrier_group_bounded (sL sC : nat) (per : N) (gs : list barrier_group) (j : nat) (B : Z) : Prop :=
  forall g mss bs' p n, nth_error gs j = Some g -> brun (units sL sC) (blocks_of per gs) mss bs' ->
    (p < length (blocks_of per gs))%nat -> nth p (blocks_of per gs) ([], []) = block_of (fst g) n ->
    Z.of_nat (block_finish p mss) <= B.

(** A complete schedule of the instance takes exactly T cycles. *)
Definition barrier_reaches (sL sC : nat) (per : N) (gs : list barrier_group) (T : Z) : Prop :=
  exists mss bs', brun (units sL sC) (blocks_of per gs) mss bs' /\ ended bs' /\ Z.of_nat (blocks_makespan mss) = T.

(** * Facts *)

Lemma sizes_sum per n : fold_right N.add 0%N (sizes per n) = n.
Proof.
  unfold sizes. destruct (N.eqb_spec per 0) as [|Hp]; [cbn; lia|]. rewrite fold_right_app.
  assert (forall k r, fold_right N.add r (repeat per k) = (per * N.of_nat k + r)%N) as H.
  { induction k as [|k IH]; intros r; [cbn; lia|]. cbn [repeat fold_right]. rewrite IH. lia. }
  rewrite H, N2Nat.id. pose proof (N.div_mod n per Hp). destruct (N.eqb_spec (n mod per) 0); cbn; lia.
Qed.

Lemma sizes_pos per n m : n <> 0%N -> In m (sizes per n) -> m <> 0%N.
Proof.
  unfold sizes. intros Hn. destruct (N.eqb_spec per 0); [intros [<-|[]]; assumption|].
  intros [H|H]%in_app_or; [apply repeat_spec in H; congruence|].
  destruct (N.eqb_spec (n mod per) 0); [easy|]. destruct H as [<-|[]]. assumption.
Qed.

(** A sum over the groups, each times its warps; and what is such a sum over blocks. *)
Definition sum_groups (v : list string -> Z) (gs : list barrier_group) : Z :=
  fold_right (fun g t => Z.of_N (snd g) * v (fst g) + t) 0 gs.

Lemma sum_blocks (f : block -> Z) v per gs : (forall segs n, f (block_of segs n) = Z.of_N n * v segs) ->
  sumZ (map f (blocks_of per gs)) = sum_groups v gs.
Proof.
  intros H. induction gs as [|[segs n] gs IH]; [reflexivity|]. cbn [blocks_of flat_map sum_groups fold_right fst snd].
  fold (blocks_of per gs). fold (sum_groups v gs). rewrite <- IH. clear IH.
  replace (Z.of_N n) with (Z.of_N (fold_right N.add 0%N (sizes per n))) by (now rewrite sizes_sum).
  induction (sizes per n) as [|m ms IH]; [cbn; lia|].
  cbn [map app sumZ fold_right]. rewrite H, N2Z.inj_add, Z.mul_add_distr_r.
  rewrite map_app in *. cbn [map sumZ]. lia.
Qed.

(** The number of all warps. *)
Definition warps_of (gs : list barrier_group) : Z := sum_groups (fun _ => 1) gs.

Lemma warps_nonneg gs : 0 <= warps_of gs.
Proof.
  unfold warps_of. induction gs as [|g gs IH]; [reflexivity|]. cbn [sum_groups fold_right].
  fold (sum_groups (fun _ => 1) gs). lia.
Qed.

Lemma warps_length per gs : (forall g, In g gs -> fst g <> []) ->
  Z.of_nat (length (flat (blocks_of per gs))) = warps_of gs.
Proof.
  intros H. rewrite flat_length, (sum_blocks _ (fun segs => if filled segs then 1 else 0)).
  - unfold warps_of. induction gs as [|g gs IH]; [reflexivity|]. cbn [sum_groups fold_right].
    fold (sum_groups (fun segs => if filled segs then 1 else 0) gs). fold (sum_groups (fun _ => 1) gs).
    rewrite IH by (intros g' Hg; apply H; now right).
    pose proof (H g (or_introl eq_refl)) as Hf. apply filled_spec in Hf. now rewrite Hf.
  - intros [|s segs] n; cbn [block_of fst length filled]; [lia|]. rewrite repeat_length. lia.
Qed.

Lemma in_blocks per gs p : (p < length (blocks_of per gs))%nat ->
  exists g n, In g gs /\ In n (sizes per (snd g)) /\ nth p (blocks_of per gs) ([], []) = block_of (fst g) n.
Proof.
  intros Hp. pose proof (nth_In _ ([], []) Hp) as H. unfold blocks_of in H at 2. apply in_flat_map in H.
  destruct H as (g & Hg & H). apply in_map_iff in H. destruct H as (n & E & Hn). exists g, n. auto.
Qed.

Lemma block_sound segs n : n <> 0%N -> segs <> [] -> forallb filled segs = true ->
  wf (block_of segs n) /\ settled (block_of segs n) /\
  uniform (fst (block_of segs n)) /\ Forall uniform (snd (block_of segs n)).
Proof.
  assert (forall s k, uniform (repeat s k)) as HU.
  { intros s k. unfold uniform. apply Forall_forall. intros t Ht.
    destruct k; [easy|]. apply repeat_spec in Ht. exact Ht. }
  intros Hn Hs Hf. destruct segs as [|s segs]; [congruence|]. cbn [block_of fst snd].
  repeat split.
  - unfold wf. cbn [fst snd]. apply Forall_forall. intros row H. apply in_map_iff in H.
    destruct H as (t & <- & _). now rewrite !repeat_length.
  - unfold settled. cbn [fst snd]. destruct (N.to_nat n) as [|k] eqn:E; [lia|]. cbn [forallb] in Hf.
    destruct s; [discriminate|]. discriminate.
  - apply HU.
  - apply Forall_forall. intros row H. apply in_map_iff in H. destruct H as (t & <- & _). apply HU.
Qed.

(** What a well-formed instance is good for. *)
Lemma well_formed_facts sL sC gs : well_formed_barriers sL sC gs = true ->
  (0 < sL)%nat /\ (0 < sC)%nat /\ 0 < warps_of gs /\
  (forall g, In g gs -> snd g <> 0%N /\ fst g <> [] /\ forallb filled (fst g) = true).
Proof.
  unfold well_formed_barriers. rewrite !andb_true_iff, !Nat.ltb_lt, forallb_forall. intros [[[HL HC] Hne] Hg].
  assert (forall g, In g gs -> snd g <> 0%N /\ fst g <> [] /\ forallb filled (fst g) = true) as H.
  { intros g Hi. specialize (Hg g Hi). rewrite !andb_true_iff, negb_true_iff, N.eqb_neq, filled_spec in Hg. tauto. }
  repeat split; auto; try (apply H; assumption).
  destruct gs as [|g gs]; [discriminate|]. destruct (H g (or_introl eq_refl)) as [H1 _].
  unfold warps_of. cbn [sum_groups fold_right]. fold (sum_groups (fun _ => 1) gs).
  pose proof (warps_nonneg gs) as HP. unfold warps_of in HP. lia.
Qed.

Lemma blocks_sound sL sC per gs : well_formed_barriers sL sC gs = true ->
  Z.of_nat (length (flat (blocks_of per gs))) = warps_of gs /\
  Forall wf (blocks_of per gs) /\ Forall settled (blocks_of per gs) /\
  Forall (fun b => uniform (fst b) /\ Forall uniform (snd b)) (blocks_of per gs).
Proof.
  intros Hwf. destruct (well_formed_facts _ _ _ Hwf) as (_ & _ & _ & H).
  split; [apply warps_length; intros g Hg; now destruct (H g Hg) as (_ & ? & _)|].
  enough (forall b, In b (blocks_of per gs) -> wf b /\ settled b /\ uniform (fst b) /\ Forall uniform (snd b)) as F
    by (rewrite !Forall_forall; repeat split; intros; apply F; assumption).
  intros b Hb. apply in_flat_map in Hb. destruct Hb as (g & Hg & Hb). apply in_map_iff in Hb.
  destruct Hb as (n & <- & Hn). destruct (H g Hg) as (H1 & H2 & H3).
  apply block_sound; [eapply sizes_pos; eauto|assumption|assumption].
Qed.

(** * The makespan is the finish of some block *)
Lemma blocks_makespan_finish sigma bs mss bs' : brun sigma bs mss bs' -> blocks_makespan mss = 0%nat \/
  exists p, (p < length bs)%nat /\ (blocks_makespan mss <= block_finish p mss)%nat.
Proof.
  induction 1 as [bs|bs ms mss bs' Hf Hl Hr IH]; [left; reflexivity|].
  assert (length ms = length bs) as Hn by (clear - Hf; induction Hf; cbn; lia).
  rewrite bafter_length in IH by assumption.
  unfold blocks_makespan in *. cbn [map]. unfold makespan at 1 2. cbn [last_cycle].
  fold (makespan (map (@concat bool) mss)). set (t := makespan (map (@concat bool) mss)) in *.
  destruct (0 <? t)%nat eqn:E.
  - apply Nat.ltb_lt in E. right. destruct IH as [|(p & Hp & Hle)]; [lia|]. exists p. split; [assumption|].
    cbn [block_finish]. destruct (Nat.ltb_spec 0 (block_finish p mss)); lia.
  - destruct (existsb (fun b => b) (concat ms)) eqn:X; [right|now left].
    apply existsb_exists in X. destruct X as (b & Hin & ->). apply in_concat in Hin.
    destruct Hin as (m & Hm & Hb). destruct (In_nth ms m [] Hm) as (p & Hp & Em). exists p.
    split; [lia|]. cbn [block_finish]. rewrite Em.
    assert (existsb (fun b => b) m = true) as -> by (apply existsb_exists; eauto).
    destruct (0 <? block_finish p mss)%nat; lia.
Qed.

(** * A unit that takes more warps than there are is one that takes as many *)
Lemma issued_waiting U st m : (issued U st m + waiting U st m <= length st)%nat.
Proof.
  revert m; induction st as [|s st IH]; intros [|b m]; cbn [issued waiting length]; try lia.
  specialize (IH m). destruct b, (wants U s); cbn [andb negb]; lia.
Qed.

Lemma brun_at_most sL sC W bs mss bs' : (length (flat bs) = W)%nat -> Forall wf bs ->
  brun (units sL sC) bs mss bs' -> brun (units (min sL W) (min sC W)) bs mss bs'.
Proof.
  intros HW Hw H; revert HW Hw; induction H as [bs|bs ms mss bs' Hf [Ha Hc] Hr IH]; intros HW Hw; [constructor|].
  destruct (bafter_wf _ _ Hf Hw) as [Hw' Hn']. constructor; [assumption| |apply IH; [lia|assumption]].
  split; [assumption|]. intros U. specialize (Hc U). pose proof (issued_waiting U (flat bs) (concat ms)).
  destruct U; cbn [units] in *; lia.
Qed.
