(** The lower half of a certificate with barriers: a schedule, replayed by the rules of the model. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Barriers Require Import BlockRuns BlockFacts OneBlock.
From Warpspan.Checker Require Import Instance Replay BarrierInstance.
Local Open Scope Z_scope.

(** One cycle of all warps, block by block. *)
Fixpoint by_block (bs : list block) (m : cycle) : list cycle :=
  match bs with
  | [] => []
  | b :: bs => firstn (length (fst b)) m :: by_block bs (skipn (length (fst b)) m)
  end.

Lemma by_block_spec bs : forall m, length m = length (flat bs) ->
  fits bs (by_block bs m) /\ concat (by_block bs m) = m.
Proof.
  induction bs as [|b bs IH]; intros m H.
  - destruct m; [|discriminate]. split; [constructor|reflexivity].
  - cbn [flat flat_map by_block concat] in *. fold (flat bs) in H. rewrite app_length in H.
    destruct (IH (skipn (length (fst b)) m)) as [H1 H2]; [rewrite skipn_length; lia|].
    split; [|rewrite H2; apply firstn_skipn]. constructor; [|exact H1]. rewrite firstn_length. lia.
Qed.

Definition endedb (bs : list block) : bool :=
  forallb (fun b => all_done (fst b) && match snd b with [] => true | _ => false end) bs.

Section Replay.
Variables (sL sC : nat).

(** Each cycle is legal for the warps that stand at no closed barrier, and at the end none has a letter left. *)
Fixpoint replay_blocks (bs : list block) (ms : schedule) : bool :=
  match ms with
  | [] => endedb bs
  | m :: ms => if legalb sL sC (flat bs) m then replay_blocks (bafter bs (by_block bs m)) ms else false
  end.

Lemma replay_blocks_sound bs ms : replay_blocks bs ms = true ->
  exists mss bs', brun (units sL sC) bs mss bs' /\ ended bs' /\ map (@concat bool) mss = ms.
Proof.
  revert bs; induction ms as [|m ms IH]; intros bs; cbn [replay_blocks].
  - unfold endedb. rewrite forallb_forall. intros H. exists [], bs. split; [constructor|]. split; [|reflexivity].
    apply Forall_forall. intros b Hb. specialize (H b Hb). apply andb_true_iff in H. destruct H as [H1 H2].
    split; [now apply all_done_spec|]. destruct (snd b); congruence.
  - destruct (legalb sL sC (flat bs) m) eqn:E; [|discriminate]. intros H. apply legalb_sound in E.
    destruct (IH _ H) as (mss & bs' & Hr & He & Hm).
    destruct (by_block_spec bs m (able_length _ _ (proj1 E))) as [Hf Hc].
    exists (by_block bs m :: mss), bs'. split; [|split; [assumption|cbn [map]; congruence]].
    constructor; [assumption|now rewrite Hc|assumption].
Qed.

(** The schedule, given as in Replay.v, is legal and complete and takes T cycles. *)
Definition barrier_lower_check (per : N) (gs : list barrier_group) (sched : list (list N)) (T : Z) : bool :=
  let bs := blocks_of per gs in
  let ms := map (mask (length (flat bs)) 0%N) sched in
  replay_blocks bs ms && (Z.of_nat (makespan ms) =? T).

Theorem barrier_lower_sound per gs sched T : barrier_lower_check per gs sched T = true -> barrier_reaches sL sC per gs T.
Proof.
  unfold barrier_lower_check. cbv zeta. rewrite andb_true_iff, Z.eqb_eq. intros [H1 H2].
  destruct (replay_blocks_sound _ _ H1) as (mss & bs' & Hr & He & Hm). exists mss, bs'.
  repeat split; auto. unfold blocks_makespan. now rewrite Hm.
Qed.
End Replay.
