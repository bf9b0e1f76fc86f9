(** The worst case of one kernel with barriers in one block at sigma 1, computed: no schedule has to be given. It is the sum
    over the segments of their closed forms (docs/programs.md, section 2). *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics.
From Warpspan.Phase Require Import Earnings.
From Warpspan.Checker Require Import Instance ExactCheck BarrierInstance BarrierSegments.
Local Open Scope Z_scope.

(** The segments' worst cases, where a theorem tells each of them. *)
Fixpoint exact_values (n : N) (segs : list string) : option (list Z) :=
  match segs with
  | [] => Some []
  | s :: segs => match exact_value [(s, n)], exact_values n segs with
                 | Some t, Some ts => Some (t :: ts)
                 | _, _ => None
                 end
  end.

Definition barrier_exact_check (per : N) (gs : list barrier_group) (T : Z) : bool :=
  match gs with
  | [(segs, n)] => one_block_check 1 1 per segs n &&
                   match exact_values n segs with Some ts => sumZ ts =? T | None => false end
  | _ => false
  end.

Lemma segments_exact n segs ts : exact_values n segs = Some ts ->
  Forall2 (fun s T => bounded 1 1 [(s, n)] T /\ reaches 1 1 [(s, n)] T) segs ts.
Proof.
  revert ts; induction segs as [|s segs IH]; intros ts; cbn [exact_values].
  - intros [= <-]. constructor.
  - destruct (exact_value [(s, n)]) as [t|] eqn:E; [|discriminate].
    destruct (exact_values n segs) as [u|]; [|discriminate]. intros [= <-]. constructor; [|auto].
    apply exact_sound. unfold exact_check. rewrite E. apply Z.eqb_refl.
Qed.

(** The value is the worst case: it is safe and it is reached. *)
Theorem barrier_exact_sound per gs T : barrier_exact_check per gs T = true ->
  barrier_bounded 1 1 per gs T /\ barrier_reaches 1 1 per gs T.
Proof.
  unfold barrier_exact_check. destruct gs as [|[segs n] [|? ?]]; try discriminate. rewrite andb_true_iff. intros [H1 H].
  destruct (exact_values n segs) as [ts|] eqn:E; [|discriminate]. apply Z.eqb_eq in H. subst T.
  apply segments_exact in E. split.
  - apply barrier_segments_bounded; [assumption|]. clear - E. induction E as [|s t segs ts [H _] E IH]; now constructor.
  - apply barrier_segments_reached; [assumption|]. clear - E. induction E as [|s t segs ts [_ H] E IH]; now constructor.
Qed.
