(** The relay bound is attained by an instance, so K (I - a) cannot be dropped. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions Moves Relays RelayBound EqualBlocks.
Local Open Scope Z_scope.

(** Attained: LCCL, sigma 1, four blocks of one warp, two at once: n b a + K (I - a) = 4*2 + 2*2 = 12. *)
Section Attained.
Let B : block := one_block [L; C; C; L] 1.
Let o : cycle := [true].
Let x : cycle := [false].
Definition twelve_cycles : list (list cycle * list (option block)) :=
  [([o; x], [None; None]); ([o; o], [None; None]); ([x; o], [None; None]); ([o; x], [None; None]);
   ([o; o], [Some B; None]); ([x; o], [None; Some B]); ([o; x], [None; None]); ([o; o], [None; None]);
   ([o; x], [None; None]); ([o; o], [None; None]); ([x; o], [None; None]); ([x; o], [None; None])].

Ltac one_step p :=
  match goal with |- rrun ?g ?q ?st ?pe ?ms =>
    let st' := eval vm_compute in st in let pe' := eval vm_compute in pe in change (rrun g q st' pe' ms) end;
  apply rrun_cons with (pending' := p);
  [ split; [vm_compute; repeat constructor|split; [split;
      [vm_compute; repeat first [apply able_nil | apply able_cons; [first [discriminate | intros _; discriminate]|]]
      |intros []; vm_compute; lia]
      |split; [vm_compute; repeat constructor; intros E; solve [congruence|reflexivity]|apply Permutation_refl]]]
  | intros _ E; vm_compute; first [now elim E | repeat constructor] | ].

Theorem relay_attained :
  rrun (fun _ => 1%nat) True (repeat B 2) (repeat B 2) twelve_cycles /\ span twelve_cycles = 12%nat /\
  rate (fun _ => 1) (fun _ => 1) [L; C; C; L] = 2.
Proof.
  split; [|split; reflexivity]. unfold twelve_cycles.
  do 4 one_step [B; B]. one_step [B]. do 7 one_step (@nil block). constructor.
Qed.
End Attained.
