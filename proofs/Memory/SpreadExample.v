(** A run of which everything holds that [spread_grid] asks for, and which takes as long as it says: two blocks of one warp follow one another in the one
    place of a multiprocessor, on different schedulers. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP Pinned.
From Warpspan.Memory Require Import Servers MemoryRuns Followed Grid SpreadFollow SpreadSeveral.

Definition one_ (_ : nat) : nat := 1.
Definition none_ (_ : nat) : nat := 0.
Definition start : list fwarp := [FWarp (fresh 0 [0]) Other; FWarp (fresh 1 [0]) Other].
Definition cycles : list gcycle :=
  [GCycle [Doing (Some 1) false true; Doing None false false] none_; GCycle [Doing None false true; Doing (Some 1) false true] none_].
Definition is_on (t b : nat) : bool := b <=? t.

Lemma two i : i < 2 -> i = 0 \/ i = 1.
Proof. lia. Qed.

Lemma the_run : exists st' pool', grun (fun x => x) one_ one_ one_ one_ (fun _ => false) 1 0 one_ (fun _ _ => 0) start none_ cycles st' pool'.
Proof.
  eexists. eexists. eapply grun_cons; [|eapply grun_cons; [|apply grun_nil]].
  all: split; [reflexivity|split; [|split; [intros; lia|discriminate]]].
  all: split; [apply Forall2_cons; [|apply Forall2_cons; [|apply Forall2_nil]]; unfold one_; cbn; auto; lia|split; [|split]].
  all: intros g; try intros u; destruct g as [|[|g]]; try destruct u as [|u]; unfold one_; cbn; lia.
Qed.

Lemma the_blocks q : q < 1 -> spread_blocks (fun x => x) one_ one_ (fun _ => false) (fun _ => 1%Z) 1 [0] 1 1 0 1 start cycles 2 1 (fun i => i) is_on
  (fun _ => 0 =? q) (fun _ => 0 =? q).
Proof.
  intros Hq. assert (q = 0) as -> by lia. constructor.
  - intros i Hi. destruct (two i Hi) as [->| ->]; repeat split; cbn; intros; lia.
  - intros i Hi _ y. destruct (two i Hi) as [->| ->]; cbn; intros [<-|[]]; reflexivity.
  - reflexivity.
  - intros b g Hb _. destruct (two b Hb) as [->| ->]; destruct g as [|[|g]]; cbn; lia.
  - intros i Hi. exact Hi.
  - intros t i Ht Hi. destruct (two i Hi) as [->| ->], (two t Ht) as [->| ->]; reflexivity.
  - intros t b H. apply Nat.leb_le in H. apply Nat.leb_le. lia.
Qed.

Example reached : exists st' pool', grun (fun x => x) one_ one_ one_ one_ (fun _ => false) 1 0 one_ (fun _ _ => 0) start none_ cycles st' pool' /\
  (Z.of_nat (length cycles) = 2 /\ P_any 1 1 1 1 1 1 2 = 2 /\ P_place 1 1 1 1 1 1 0 0 1 2 = 2 /\ P_all 1 1 1 1 1 0 1 2 = 2)%Z /\
  exists x, 1 <= x <= 2 /\ (1 = 1 -> x = 2) /\ (Z.of_nat (length cycles) <= Z.min (P_any 1 1 1 1 1 1 x) (Z.min (P_place 1 1 1 1 1 1 0 0 1 x) (P_all 1 1 1 1 1 0 1 x)) + 0)%Z.
Proof.
  destruct the_run as (st' & pool' & H). exists st', pool'. split; [exact H|]. split; [repeat split|].
  destruct (spread_grid (fun x => x) one_ one_ one_ one_ (fun _ => false) 1 0 one_ (fun _ _ => 0) ltac:(intros; lia) ltac:(intros; unfold one_; lia)
    1%Z (fun _ => 1%Z) 1%Z ltac:(lia) ltac:(reflexivity) ltac:(lia) ltac:(lia) 1 1 0%Z 1%Z 0 0 ltac:(intros; unfold one_; lia) ltac:(intros; unfold one_; lia)
    start none_ cycles st' pool' H 2 1 1 1 1 (fun i => i) (fun _ => 0) (fun _ => 0) (fun _ => 0) is_on (fun _ => [0])) with (w := 1) (DA := 1%Z) (om := 1%Z) (wdA := 1%Z) as (x & H1 & H2 & H3 & _).
  - exact the_blocks.
  - lia.
  - intros i Hi. destruct (two i Hi) as [->| ->]; cbn; lia.
  - intros t i j Ht Hi Hj _ _ Hoi Hoj Hli Hlj. cbn in Ht.
    destruct (two t Ht) as [->| ->], (two i Hi) as [->| ->], (two j Hj) as [->| ->]; try reflexivity; try discriminate; exfalso.
    all: assert (~ lives (at_time (fun x => x) one_ start cycles 1) 0) as Hd by (intros [Hl|Hl]; [now apply Hl|vm_compute in Hl; lia]).
    all: now apply Hd.
  - intros t i Ht Hi Ho q p Hq Hp. exists 0. cbn in *. destruct (two t Ht) as [->| ->], (two i Hi) as [->| ->]; try discriminate.
    repeat split; try lia. left. discriminate.
  - left. reflexivity.
  - lia.
  - lia.
  - cbn. lia.
  - discriminate.
  - lia.
  - right. lia.
  - lia.
  - lia.
  - lia.
  - lia.
  - left. reflexivity.
  - lia.
  - intros q i Hq Hi. assert (q = 0) as -> by lia. destruct (two i Hi) as [->| ->]; cbn; lia.
  - exists x. split; [exact H1|]. split; [exact H2|]. exact H3.
Qed.
