(** A run under loose round robin that takes as long as the bounds of Policies.v say: two warps of two letters each, of latency 1,
    one unit with one instance, d = 1. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP Policies.

Definition start : list warp := [fresh 0 [0; 0]; fresh 0 [0; 0]].
Definition one (_ : nat) := 1.
Definition zero (_ : nat) := 0.
Definition turn1 (g : nat) := match g with 0 => 1 | _ => 0 end.
Definition turn2 (g : nat) := match g with 0 => 2 | _ => 0 end.
Definition none (_ : nat) := false.

(** Under loose round robin warp 0 issues in cycles 1 and 3, warp 1 in 2 and 4. *)
Definition trace : list actions := [[Some 1; None]; [None; Some 1]; [Some 1; None]; [None; Some 1]].

Ltac a_cycle := split; [repeat constructor; cbn; lia|split; [|split]];
  [intros g u; cbn; unfold sees, none; destruct g, u; cbn; unfold one; lia|intros g; cbn; destruct g; cbn; lia|
   intros g u; cbn; destruct g, u; cbn; unfold one; lia].

Ltac passed_over := intros i u Hi Hw Ha; destruct i as [|[|i]]; cbn in *; try discriminate; try lia;
  destruct u; try discriminate; left; vm_compute; lia.

Ltac moves_to f := intros g; destruct g; [right; exists f|left]; cbn; repeat split; auto; try lia;
  intros j Hj H; destruct j as [|[|j]]; cbn in *; try discriminate; lia.

(** Warp 1 takes as long as [lrr_bound] says: 2 letters of its own, and 2 of warp 0 that go before them. *)
Lemma reached : exists st', lrr_run zero one one one one none 1 zero start trace st' /\ finish 1 trace = 4.
Proof.
  eexists. split; [|reflexivity]. unfold lrr_run, trace, start.
  econstructor; [a_cycle| |instantiate (1 := turn1)|].
  { passed_over. }
  { moves_to 0. }
  econstructor; [a_cycle| |instantiate (1 := turn2)|].
  { passed_over. }
  { moves_to 1. }
  econstructor; [a_cycle| |instantiate (1 := turn1)|].
  { passed_over. }
  { moves_to 0. }
  econstructor; [a_cycle| |instantiate (1 := turn2)|].
  { passed_over. }
  { moves_to 1. }
  constructor.
Qed.
