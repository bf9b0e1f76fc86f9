(** Instances with barriers whose worst case is below the phase bound: one block segment by segment, each proved by what suits
    it, and any blocks by a search. As in Checker/BarrierInput.v, about the input as the user gave it. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Phase Require Import Earnings.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Search Require Import Search BlockCounts BlockSearch.
From Warpspan.Checker Require Import Instance Upper ExactCheck BarrierInstance BarrierSegments BarrierInput.
Local Open Scope N_scope.

(** * One block, segment by segment *)

(** What proves that a segment by itself takes no more than so many cycles: the phase bound at these prices, a search with
    them, or the worst case that a theorem tells. *)
Inductive part : Set :=
| part_phases (thetas : list (Z * Z)) (cycles : N)
| part_search (thetas : list (Z * Z)) (cycles : N)
| part_theorem (cycles : N).

Definition part_cycles (p : part) : Z :=
  Z.of_N (match p with part_phases _ n | part_search _ n | part_theorem n => n end).

Definition part_check (sL sC : nat) (n : N) (s : string) (p : part) : bool :=
  match p with
  | part_phases thetas _ => upper_check sL sC [(s, n)] thetas (part_cycles p)
  | part_search thetas _ => search_check sL sC [(s, n)] thetas (part_cycles p)
  | part_theorem _ => (sL =? 1)%nat && (sC =? 1)%nat && exact_check [(s, n)] (part_cycles p)
  end.

Fixpoint parts_check (sL sC : nat) (n : N) (segs : list string) (parts : list part) : bool :=
  match segs, parts with
  | [], [] => true
  | s :: segs, p :: parts => part_check sL sC n s p && parts_check sL sC n segs parts
  | _, _ => false
  end.

Definition barriers_by_segments (i : barrier_input) (parts : list part) (T : N) : bool :=
  sound_input i &&
  match barrier_groups i with
  | [(segs, n)] => let sL := barrier_capped i L in let sC := barrier_capped i C in
                   one_block_check sL sC (warps_per_block i) segs n && parts_check sL sC n segs parts &&
                   (sumZ (map part_cycles parts) <=? Z.of_N T)%Z
  | _ => false
  end.

Lemma part_sound sL sC n s p : part_check sL sC n s p = true -> bounded sL sC [(s, n)] (part_cycles p).
Proof.
  destruct p; unfold part_check; [apply upper_sound|apply search_sound|].
  rewrite !andb_true_iff, !Nat.eqb_eq. intros [[-> ->] H]. now apply exact_sound.
Qed.

Lemma parts_sound sL sC n segs parts : parts_check sL sC n segs parts = true ->
  Forall2 (fun s B => bounded sL sC [(s, n)] B) segs (map part_cycles parts).
Proof.
  revert parts; induction segs as [|s segs IH]; intros [|p parts]; cbn [parts_check map]; try discriminate; [constructor|].
  rewrite andb_true_iff. intros [H1 H2]. constructor; [now apply part_sound|auto].
Qed.

(** The segments' bounds add up to one of the block. *)
Theorem barrier_parts_sound i parts T : barriers_by_segments i parts T = true -> barrier_at_most i T.
Proof.
  unfold barriers_by_segments. rewrite andb_true_iff. intros [Hi H]. apply barrier_at_most_capped; [assumption|].
  destruct (barrier_groups i) as [|[segs n] [|? ?]]; try discriminate. cbv zeta in H.
  rewrite !andb_true_iff, Z.leb_le in H. destruct H as [[H1 H2] H3]. intros mss bs' Hr.
  pose proof (barrier_segments_bounded _ _ _ _ _ _ H1 (parts_sound _ _ _ _ _ H2) mss bs' Hr). lia.
Qed.

(** * Any blocks, by a search *)

(** The blocks as the search takes them. *)
Definition searched_blocks (per : N) (gs : list barrier_group) : list (list BlockCounts.segments) :=
  flat_map (fun g => map (fun n => [(fst g, n)]) (sizes per (snd g))) gs.

Lemma rows_one segs n : rows_of [(segs, n)] = map (fun s => [(s, n)]) segs.
Proof.
  unfold rows_of. cbn [fold_right map fst snd]. rewrite Nat.max_0_r.
  transitivity (map (fun s => [(s, n)]) (map (fun k => nth k segs []) (seq 0 (length segs)))); [now rewrite map_map|].
  f_equal. clear. induction segs as [|s segs IH]; [reflexivity|]. cbn [length seq map nth]. f_equal.
  rewrite <- seq_shift, map_map. exact IH.
Qed.

Lemma start_one segs n : n <> 0%N -> segs <> [] -> forallb filled segs = true ->
  block_start (rows_of [(segs, n)]) = block_of segs n.
Proof.
  intros Hn Hs Hf. destruct (block_sound segs n Hn Hs Hf) as (_ & S & _). rewrite <- (release_settled _ S), rows_one.
  destruct segs as [|s segs]; [congruence|]. cbn [map block_start block_of fst snd expand flat_map].
  rewrite app_nil_r, map_map. f_equal. apply map_ext. intros t. apply app_nil_r.
Qed.

Lemma searched_start sL sC per gs : well_formed_barriers sL sC gs = true ->
  map (fun b => block_start (rows_of b)) (searched_blocks per gs) = blocks_of per gs.
Proof.
  intros Hwf. destruct (well_formed_facts _ _ _ Hwf) as (_ & _ & _ & Hg). clear Hwf. unfold searched_blocks, blocks_of.
  induction gs as [|g gs IH]; [reflexivity|]. cbn [flat_map]. rewrite map_app, map_map, IH by (intros h Hh; apply Hg; now right).
  f_equal. destruct (Hg g (or_introl eq_refl)) as (H1 & H2 & H3). apply map_ext_in. intros n Hn.
  apply start_one; auto. eapply sizes_pos; eauto.
Qed.

Definition barriers_by_search (i : barrier_input) (T : N) : bool :=
  sound_input i &&
  block_search (barrier_capped i L) (barrier_capped i C) (searched_blocks (warps_per_block i) (barrier_groups i)) (Z.of_N T).

(** If the search leaves no state, no schedule takes more than T cycles. *)
Theorem barrier_searched_sound i T : barriers_by_search i T = true -> barrier_at_most i T.
Proof.
  unfold barriers_by_search. rewrite andb_true_iff. intros [Hi H]. apply barrier_at_most_capped; [assumption|].
  apply block_search_sound in H. unfold blocks_bounded in H. intros mss bs' Hr. rewrite (searched_start _ _ _ _ Hi) in H.
  exact (H mss bs' Hr).
Qed.
