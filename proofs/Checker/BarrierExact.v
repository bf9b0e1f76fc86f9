(** The worst case of one kernel with barriers in one block at sigma 1, computed: no schedule has to be given. It is the sum
    over the segments of their closed forms (docs/programs.md, section 2). *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Phase Require Import Earnings.
From Warpspan.Exact Require Import Blocks.
From Warpspan.Barriers Require Import BlockRuns BlockFacts OneBlock.
From Warpspan.Checker Require Import Instance ExactCheck BarrierInstance.
Local Open Scope Z_scope.

(** The sum of the segments' worst cases, where a theorem tells each of them. *)
Fixpoint exact_sum (n : N) (segs : list string) : option Z :=
  match segs with
  | [] => Some 0
  | s :: segs => match exact_value [(s, n)], exact_sum n segs with
                 | Some t, Some u => Some (t + u)
                 | _, _ => None
                 end
  end.

Definition barrier_exact_check (per : N) (gs : list barrier_group) (T : Z) : bool :=
  well_formed_barriers 1 1 gs &&
  match gs with
  | [(segs, n)] => match sizes per n with
                   | [_] => match exact_sum n segs with Some t => t =? T | None => false end
                   | _ => false
                   end
  | _ => false
  end.

Lemma segment_exact n s t : exact_value [(s, n)] = Some t ->
  exists T, worst_case one (repeat s (N.to_nat n)) T /\ Z.of_nat T = t.
Proof.
  intros E. destruct (exact_sound [(s, n)] t) as [Hu (ms & st' & Hr & Hd & Hm)].
  { unfold exact_check. rewrite E. apply Z.eqb_refl. }
  unfold bounded, expand in *. cbn [flat_map fst snd] in *. rewrite app_nil_r in *.
  assert (forall U, units 1 1 U = one U) as Eu by (now intros []).
  exists (makespan ms). split; [|assumption]. split.
  - intros ms' st'' H. apply (run_ext _ (units 1 1)) in H; [|now intros []]. specialize (Hu _ _ H). lia.
  - exists ms, st'. split; [now apply (run_ext (units 1 1))|]. now split.
Qed.

Lemma segments_exact n segs t : exact_sum n segs = Some t ->
  exists Ts, Forall2 (worst_case one) (map (fun s => repeat s (N.to_nat n)) segs) Ts /\ Z.of_nat (sum Ts) = t.
Proof.
  revert t; induction segs as [|s segs IH]; intros t; cbn [exact_sum map].
  - intros [= <-]. exists []. split; [constructor|reflexivity].
  - destruct (exact_value [(s, n)]) as [a|] eqn:E; [|discriminate].
    destruct (exact_sum n segs) as [b|] eqn:F; [|discriminate]. intros [= <-].
    destruct (segment_exact n s a E) as (T & HT & <-). destruct (IH b eq_refl) as (Ts & HTs & <-).
    exists (T :: Ts). split; [now constructor|]. cbn [sum]. lia.
Qed.

Lemma brun_ext sigma sigma' bs mss bs' : (forall U, sigma U = sigma' U) -> brun sigma bs mss bs' -> brun sigma' bs mss bs'.
Proof.
  intros E. induction 1 as [bs|bs ms mss bs' Hf [Ha Hc] Hr IH]; [constructor|]. constructor; [assumption| |assumption].
  split; [assumption|]. intros U. rewrite <- E. apply Hc.
Qed.

(** The value is the worst case: it is safe and it is reached. *)
Theorem barrier_exact_sound per gs T : barrier_exact_check per gs T = true ->
  barrier_bounded 1 1 per gs T /\ barrier_reaches 1 1 per gs T.
Proof.
  unfold barrier_exact_check. rewrite andb_true_iff. intros [Hwf H].
  destruct gs as [|[segs n] [|? ?]]; try discriminate.
  destruct (sizes per n) as [|m [|? ?]] eqn:Es; try discriminate.
  destruct (exact_sum n segs) as [t|] eqn:E; [|discriminate]. apply Z.eqb_eq in H. subst t.
  pose proof (sizes_sum per n) as Hm. rewrite Es in Hm. cbn in Hm. assert (m = n) as -> by lia.
  destruct (segments_exact n segs T E) as (Ts & HTs & <-).
  destruct (blocks_sound 1 1 per _ Hwf) as (_ & Hw & Hs & _).
  assert (blocks_of per [(segs, n)] = [block_of segs n]) as Eb
    by (unfold blocks_of; cbn [flat_map fst snd]; rewrite Es, app_nil_r; reflexivity).
  unfold barrier_bounded, barrier_reaches. rewrite Eb in *. inversion Hw as [|? ? W1 _]; subst.
  inversion Hs as [|? ? S1 _]; subst.
  destruct segs as [|s segs].
  { unfold well_formed_barriers in Hwf. cbn [forallb fst snd filled] in Hwf. rewrite !andb_false_r in Hwf. discriminate. }
  cbn [map] in HTs. inversion HTs as [|? T1 ? Ts' H1 H2]; subst.
  cbn [block_of] in *.
  assert (forall U, 0 < one U)%nat as H0 by (intros U; unfold one; lia).
  pose proof (block_alone one H0 (repeat s (N.to_nat n)) (map (fun t => repeat t (N.to_nat n)) segs) _ _ W1 H1 H2)
    as [Hu (mss & bs' & Hr & He & Hk)].
  assert (open (repeat s (N.to_nat n), map (fun t => repeat t (N.to_nat n)) segs) =
          (repeat s (N.to_nat n), map (fun t => repeat t (N.to_nat n)) segs)) as Ho.
  { unfold open. cbn [fst snd]. unfold settled in S1. cbn [fst snd] in S1.
    destruct (all_done (repeat s (N.to_nat n))) eqn:D.
    - specialize (S1 eq_refl). rewrite S1. reflexivity.
    - destruct (map _ segs); cbn [release]; [|rewrite D]; reflexivity. }

  rewrite Ho in Hu, Hr. cbn [sum] in *. split.
  - intros mss' bs'' H. apply (brun_ext _ one) in H; [|now intros []]. specialize (Hu _ _ H). lia.
  - exists mss, bs'. split; [apply (brun_ext one); [now intros []|assumption]|]. split; [assumption|]. lia.
Qed.
