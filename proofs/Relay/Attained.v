(** The relay bound is attained by an instance, so K (I - a) cannot be dropped. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions Moves Relays RelayBound EqualBlocks CompanyRuns Stretches Covered.
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

(** The same run told by blocks instead of slots: equal_slots gives 12 for it, too. *)
Definition twelve_by_blocks : list (list bool * list cycle) :=
  [([true; true], [o; x; []; []]); ([], [o; o; []; []]); ([], [x; o; []; []]); ([], [o; x; []; []]); ([], [o; o; []; []]);
   ([false; false; true], [x; o; x; []]); ([false; false; false; true], [x; x; o; x]); ([], [x; x; o; o]);
   ([], [x; x; o; x]); ([], [x; x; o; o]); ([], [x; x; x; o]); ([], [x; x; x; o])].

Ltac block_step :=
  match goal with |- crun ?g ?r ?st ?ms ?e => let st' := eval vm_compute in st in change (crun g r st' ms e) end;
  apply crun_cons;
  [ split; [vm_compute; lia|intros E; vm_compute in E; repeat (apply Exists_cons in E; destruct E as [E|E]);
      first [discriminate | now apply Exists_nil in E | reflexivity]]
  | vm_compute; repeat constructor
  | split; [vm_compute; repeat first [apply able_nil | apply able_cons; [first [discriminate | intros _; discriminate]|]]
      |intros []; vm_compute; lia]
  | ].

Theorem equal_slots_attained :
  (exists bs', crun (fun _ => 1%nat) (slots 2) (repeat (false, B) 4) twelve_by_blocks bs') /\
  last_issue twelve_by_blocks = 12%nat.
Proof. split; [|reflexivity]. eexists. unfold twelve_by_blocks. do 12 block_step. constructor. Qed.
End Attained.
