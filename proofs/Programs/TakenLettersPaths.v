(** The rate of Theorem L composes over programs (docs/machines.md), together with any weight [x] of each letter, such as its
    cycles. The state is the last letter if it was taken. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import CP.
From Warpspan.Latency Require Import TakenLetters.
From Warpspan.Programs Require Import Composition.
Local Open Scope Z_scope.

Section TakenLettersPaths.
Variables (neutral : nat -> bool) (w : nat -> Z) (p : Z).

(** Each letter besides is worth [x], taken or not. *)
Variable x : nat -> Z.

(** The letter is not taken, or it is neutral; or it is taken where it may be. *)
Definition pass (c : nat) (prev : option nat) : Z * option nat := (x c + if neutral c then w c else p, None).
Definition take (c : nat) (prev : option nat) : Z * option nat :=
  if neutral c then pass c prev
  else if match prev with Some A => (c =? A)%nat | None => true end then (x c + w c, Some c) else pass c prev.

Definition bonus (s : list nat) : Z := sumZ (map x s).

Lemma string_gain_most s prev :
  string_gain _ pass take s (fun _ => 0) prev = bonus s + most neutral w p prev s.
Proof.
  revert prev; induction s as [|c s IH]; intros prev; [destruct prev; reflexivity|].
  cbn [string_gain]. unfold issue. rewrite !IH. unfold bonus, take, pass. cbn [map sumZ fst].
  pose proof (best_neutral neutral w p c s) as Hn. pose proof (best_cons neutral w p c s) as Hc.
  destruct (neutral c) eqn:E; cbn [fst snd most].
  - destruct prev as [A|]; cbn [most]; [rewrite R_neutral by assumption|rewrite Hn by reflexivity]; lia.
  - destruct prev as [A|]; cbn [most]; [|cbn [fst snd most]; rewrite Hc by reflexivity; lia].
    destruct (Nat.eqb_spec c A) as [->|HA]; cbn [fst snd most];
      [rewrite R_same, Hc by reflexivity|rewrite R_other by assumption]; lia.
Qed.

(** The program's total, the largest over its paths. *)
Definition total_gain (q : prog) : Z := gain _ pass take q (fun _ => 0) None.

Theorem total_gain_max q :
  (forall s, path q s -> bonus s + best neutral w p s <= total_gain q) /\
  (exists s, path q s /\ bonus s + best neutral w p s = total_gain q).
Proof.
  destruct (gain_max _ pass take q (fun _ => 0) None) as [H1 (s & Hs & E)]. split.
  - intros t Ht. specialize (H1 t Ht). now rewrite string_gain_most in H1.
  - exists s. split; [assumption|]. now rewrite string_gain_most in E.
Qed.
End TakenLettersPaths.
