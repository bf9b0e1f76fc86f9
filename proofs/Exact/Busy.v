(** Schedules in which some warp issues in every cycle, so that the makespan is the number of cycles. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Exact Require Import Blocks.

(** [busy st k st']: k legal cycles from st to st', in each of which some warp issues. *)
Inductive busy : state -> nat -> state -> Prop :=
| busy_nil st : busy st 0 st
| busy_cons st m k st' : legal one st m -> existsb (fun b => b) m = true ->
    busy (after st m) k st' -> busy st (S k) st'.

Lemma busy_trans st j st1 k st2 : busy st j st1 -> busy st1 k st2 -> busy st (j + k) st2.
Proof. induction 1; intros; [assumption|]. cbn. econstructor; eauto. Qed.

Lemma busy_run st k st' : busy st k st' -> exists ms, run one st ms st' /\ makespan ms = k.
Proof.
  induction 1 as [st|st m k st' Hl Hb H (ms & Hr & Hm)].
  - exists []. split; constructor.
  - exists (m :: ms). split; [econstructor; eauto|]. unfold makespan in *. cbn [last_cycle].
    rewrite Hm, Hb. destruct k; reflexivity.
Qed.

(** * One cycle: warps alike that do not issue *)

Lemma issued_rep U s n st m : issued U (repeat s n ++ st) (repeat false n ++ m) = issued U st m.
Proof. induction n; cbn; auto. Qed.

Lemma waiting_rep U s n st m :
  waiting U (repeat s n ++ st) (repeat false n ++ m) = n * (if wants U s then 1 else 0) + waiting U st m.
Proof. induction n as [|n IH]; [reflexivity|]. cbn. rewrite IH. lia. Qed.

Lemma after_rep s n st m : after (repeat s n ++ st) (repeat false n ++ m) = repeat s n ++ after st m.
Proof. induction n as [|n IH]; [reflexivity|]. cbn. now rewrite IH. Qed.

Lemma able_rep s n st m : able st m -> able (repeat s n ++ st) (repeat false n ++ m).
Proof. intros H. induction n; cbn; [assumption|]. constructor; [discriminate|assumption]. Qed.

Lemma exists_rep n m : existsb (fun b : bool => b) (repeat false n ++ m) = existsb (fun b => b) m.
Proof. induction n; cbn; auto. Qed.

Lemma repeat_snoc {A} (s : A) n l : repeat s n ++ s :: l = repeat s (S n) ++ l.
Proof. induction n as [|n IH]; [reflexivity|]. cbn. now rewrite IH. Qed.

Lemma legal_one X st m : able st m -> issued X st m = 1 ->
  (issued (other X) st m = 1 \/ issued (other X) st m = 0 /\ waiting (other X) st m = 0) ->
  legal one st m.
Proof.
  intros Ha HX HY. split; [assumption|]. intros U. unfold one.
  destruct (letter_cases X U) as [->| ->]; lia.
Qed.
