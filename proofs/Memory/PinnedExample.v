(** The bound of PinnedMemory is reached: two blocks of one warp, one after the other, on two schedulers; each letter's result is frozen for one cycle. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP PinnedMemory.

Notation one := (fun _ : nat => 1).
Notation zero := (fun _ : nat => 0).
Notation ch := (chain 1 one (fun _ _ => 1) zero one one one one (fun _ => false) 1 1%Z (fun _ => 1%Z) 1%Z [0] 0%Z 1%Z 1 1 one 1 1%Z).
Notation st := (starts 1 (fun _ _ => 1) zero one one (fun _ => false) (fun _ => 1%Z) 1%Z [0] 0%Z 1%Z 1 1 one 1%Z).
Notation fo := (follow 1 one (fun _ _ => 1) zero one one one one (fun _ => false) 1 1%Z (fun _ => 1%Z) 1%Z [0] 0%Z 1%Z 1 1 one).

Ltac legal_now := split; [repeat constructor; cbn; lia|split; [|split]];
  [intros [|[|g]] [|u]; cbn; lia|intros [|[|g]]; cbn; lia|intros [|[|g]] [|u]; cbn; lia].

Lemma start g : (g <= 1)%nat -> st (fresh g [0]) [].
Proof.
  intros H. unfold starts, block. split; [|split; [cbn; lia|split; [reflexivity|]]].
  - split; [cbn; lia|]. split; [intros [|[|h]]; destruct g as [|[|g]]; cbn; lia|]. split; [|intros j Hj; cbn; lia].
    constructor; [|constructor]. destruct g as [|[|g]]; unfold small, sharedZ, privateZ; cbn; lia.
  - intros l [<-|[]]. reflexivity.
Qed.

Lemma two_cycles g pool : (g <= 1)%nat -> exists y E pool', fo (fresh g [0]) [] pool 2 1 0 E y [] pool' /\ forall j, E j = 0.
Proof.
  intros H. eexists. eexists. eexists. split.
  - apply (follow_cycle 1 one (fun _ _ => 1) zero one one one one (fun _ => false) 1 1%Z (fun _ => 1%Z) 1%Z [0] 0%Z 1%Z 1 1 one
      (fresh g [0]) [] pool (Some 1) [] true [] true zero one 1 0 0).
    + destruct g as [|[|g]]; [legal_now|legal_now|lia].
    + reflexivity.
    + reflexivity.
    + left. reflexivity.
    + cbn. lia.
    + split; [intros [|j] Hj; cbn; lia|intros _; exists 0; cbn; lia].
    + eapply (follow_cycle 1 one (fun _ _ => 1) zero one one one one (fun _ => false) 1 1%Z (fun _ => 1%Z) 1%Z [0] 0%Z 1%Z 1 1 one
        _ _ _ None [] false [] false zero zero 0 0 0).
      * destruct g as [|[|g]]; [legal_now|legal_now|lia].
      * reflexivity.
      * discriminate.
      * left. reflexivity.
      * cbn. lia.
      * split; [intros; lia|discriminate].
      * apply follow_end.
  - reflexivity.
Qed.

Example reached : exists E, ch (fresh 0 [0]) ([] ++ []) zero 4 2 2 2 1 E /\
  (2 * 1 + ((2 * 1 - 2) * 0 + (2 * 1 - 2) * 1 + 1 * (Z.of_nat ((1 - 1) * 1) * 1)) / 1 + Z.of_nat (memory_term 1 one (fun i => 0 + (2 * 1 + E i))%nat) = 4)%Z.
Proof.
  destruct (two_cycles 0 zero ltac:(lia)) as (y & E & pool & H & HE).
  destruct (two_cycles 1 pool ltac:(lia)) as (y' & E' & pool' & H' & HE').
  exists (fun i => E i + E' i)%nat. split.
  - eapply (chain_paid 1 one (fun _ _ => 1) zero one one one one (fun _ => false) 1 1%Z (fun _ => 1%Z) 1%Z [0] 0%Z 1%Z 1 1 one 1 1%Z
      (fresh 0 [0]) [] [] zero 2 1 0 E y [] pool (fresh 1 [0]) [] [] 2 1 1 1 0 E').
    + apply start. lia.
    + constructor.
    + exact H.
    + left. constructor.
    + intros g. cbn. lia.
    + apply start. lia.
    + eapply (chain_last 1 one (fun _ _ => 1) zero one one one one (fun _ => false) 1 1%Z (fun _ => 1%Z) 1%Z [0] 0%Z 1%Z 1 1 one 1 1%Z
        (fresh 1 [0]) [] [] pool 2 1 0 E' y' [] pool').
      * apply start. lia.
      * constructor.
      * exact H'.
  - unfold memory_term. cbn [sum_below]. rewrite HE, HE'. reflexivity.
Qed.
