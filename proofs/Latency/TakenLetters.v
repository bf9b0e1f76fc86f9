(** The rate of Theorem L, which is Theorem 2 of docs/machines.md: the most that a choice of letters earns, where two unequal neighbours are not
    both taken. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
Local Open Scope Z_scope.

(** * The rate

    A letter taken earns [w], one not taken earns [p]; a neutral letter always earns [w]. Two neighbours
    that are not neutral and not equal are not both taken. [best s] is the most that s can earn. *)
Section Rate.
Variables (neutral : nat -> bool) (w : nat -> Z) (p : Z).

Fixpoint best (s : list nat) : Z :=
  match s with
  | [] => 0
  | c :: t =>
    if neutral c then w c + best t
    else Z.max (p + best t)
               (w c + match t with
                      | [] => 0
                      | x :: t' => if neutral x || (x =? c)%nat then best t else p + best t'
                      end)
  end.

(** The same after a letter A that is taken. *)
Definition R (A : nat) (s : list nat) : Z :=
  match s with
  | [] => 0
  | c :: t => if neutral c || (c =? A)%nat then best s else p + best t
  end.

Lemma best_cons c s : neutral c = false -> best (c :: s) = Z.max (p + best s) (w c + R c s).
Proof. intros E. cbn [best]. now rewrite E. Qed.

Lemma best_neutral c s : neutral c = true -> best (c :: s) = w c + best s.
Proof. intros E. cbn [best]. now rewrite E. Qed.

Hypothesis p_pos : 0 <= p.
Hypothesis p_le_w : forall u, p <= w u.

Lemma R_le_best A s : R A s <= best s.
Proof.
  destruct s as [|c s]; [reflexivity|]. unfold R. destruct (neutral c) eqn:E; cbn [orb]; [lia|].
  rewrite best_cons by assumption. destruct (c =? A)%nat; lia.
Qed.

Lemma best_pos s : 0 <= best s.
Proof.
  induction s as [|c s IH]; [reflexivity|]. pose proof (p_le_w c).
  destruct (neutral c) eqn:E; [rewrite best_neutral|rewrite best_cons]; auto; lia.
Qed.

Lemma R_pos A s : 0 <= R A s.
Proof.
  destruct s as [|c s]; [reflexivity|]. unfold R. pose proof (best_pos (c :: s)). pose proof (best_pos s).
  destruct (_ || _); lia.
Qed.

(** A letter more earns at least p; at its own letter A earns w or changes for p. *)
Lemma R_more A c s : p + best s <= R A (c :: s).
Proof.
  unfold R. pose proof (p_le_w c).
  destruct (neutral c) eqn:E; cbn [orb]; [rewrite best_neutral by assumption; lia|].
  rewrite best_cons by assumption. destruct (c =? A)%nat; lia.
Qed.

Lemma R_same c s : R c (c :: s) = best (c :: s).
Proof. unfold R. now rewrite Nat.eqb_refl, orb_true_r. Qed.

Lemma R_own c s : w c + R c s <= R c (c :: s).
Proof.
  rewrite R_same. pose proof (R_le_best c s).
  destruct (neutral c) eqn:E; [rewrite best_neutral|rewrite best_cons]; auto; lia.
Qed.

Lemma R_own_le c s : R c (c :: s) <= w c + best s.
Proof.
  rewrite R_same. pose proof (R_le_best c s). pose proof (p_le_w c).
  destruct (neutral c) eqn:E; [rewrite best_neutral|rewrite best_cons]; auto; lia.
Qed.

Lemma R_neutral A c s : neutral c = true -> R A (c :: s) = w c + best s.
Proof. intros E. unfold R. rewrite E. now apply best_neutral. Qed.

Lemma R_other A c s : neutral c = false -> c <> A -> R A (c :: s) = p + best s.
Proof. intros E H. unfold R. rewrite E. apply Nat.eqb_neq in H. now rewrite H. Qed.

(** At a letter other than Y, the label Y is no better than any. *)
Lemma R_not_wanted Y U s : match s with c :: _ => c <> Y | [] => True end -> R Y s <= R U s.
Proof.
  destruct s as [|c s]; [reflexivity|]. intros H. destruct (neutral c) eqn:E.
  - rewrite !R_neutral by assumption. lia.
  - rewrite (R_other Y) by assumption. apply R_more.
Qed.

(** [best] in words: [taken] tells which letters are taken; [prev] is the last letter if it was taken and
    is not neutral. *)
Fixpoint fits (prev : option nat) (s : list nat) (taken : list bool) : bool :=
  match s, taken with
  | c :: s, t :: taken =>
    if neutral c then fits None s taken
    else if t then match prev with Some A => (c =? A)%nat | None => true end && fits (Some c) s taken
    else fits None s taken
  | _, _ => true
  end.

Fixpoint value (s : list nat) (taken : list bool) : Z :=
  match s, taken with
  | c :: s, t :: taken => (if neutral c || t then w c else p) + value s taken
  | _, _ => 0
  end.

Definition most (prev : option nat) (s : list nat) : Z :=
  match prev with Some A => R A s | None => best s end.

Lemma most_more prev c s : p + best s <= most prev (c :: s).
Proof.
  destruct prev as [A|]; [apply R_more|]. cbn [most]. pose proof (R_more c c s). now rewrite R_same in H.
Qed.

Lemma most_ge s : forall prev taken, length taken = length s -> fits prev s taken = true ->
  value s taken <= most prev s.
Proof.
  induction s as [|c s IH]; intros prev [|t taken] Hl H; cbn [length] in Hl; try lia.
  - destruct prev; cbn; lia.
  - cbn [fits value] in *. pose proof (most_more prev c s) as Hm.
    destruct (neutral c) eqn:E; cbn [orb].
    + specialize (IH None taken ltac:(lia) H). cbn [most] in IH.
      destruct prev as [A|]; cbn [most]; [rewrite R_neutral by assumption|rewrite best_neutral by assumption]; lia.
    + destruct t.
      * apply andb_true_iff in H. destruct H as [HA H]. specialize (IH (Some c) taken ltac:(lia) H).
        pose proof (R_own c s). cbn [most] in IH. destruct prev as [A|]; cbn [most].
        -- apply Nat.eqb_eq in HA. subst A. lia.
        -- rewrite R_same in *. lia.
      * specialize (IH None taken ltac:(lia) H). cbn [most] in IH. lia.
Qed.

Lemma most_attained s : forall prev, exists taken, length taken = length s /\ fits prev s taken = true /\
  value s taken = most prev s.
Proof.
  induction s as [|c s IH]; intros prev; [exists []; destruct prev; auto|].
  destruct (IH None) as (t1 & L1 & F1 & V1). destruct (IH (Some c)) as (t2 & L2 & F2 & V2).
  cbn [most] in V1, V2. destruct (neutral c) eqn:E.
  - exists (true :: t1). cbn [length fits value]. rewrite E. cbn [orb]. repeat split; auto.
    rewrite V1. destruct prev as [A|]; cbn [most]; [rewrite R_neutral by assumption|rewrite best_neutral by assumption]; lia.
  - assert ((exists A, prev = Some A /\ c <> A) \/ (most prev (c :: s) = best (c :: s) /\
        match prev with Some A => (c =? A)%nat | None => true end = true)) as [(A & -> & HA)|[-> HA]].
    { destruct prev as [A|]; [|now right]. destruct (Nat.eq_dec c A) as [->|]; [|now left; exists A].
      right. cbn [most]. rewrite R_same, Nat.eqb_refl. auto. }
    + exists (false :: t1). cbn [length fits value most]. rewrite E, R_other by assumption. cbn [orb].
      repeat split; auto. lia.
    + rewrite best_cons by assumption.
      destruct (Z.max_spec (p + best s) (w c + R c s)) as [[_ ->]|[_ ->]].
      * exists (true :: t2). cbn [length fits value]. rewrite E, HA, F2. cbn [orb]. repeat split; auto. lia.
      * exists (false :: t1). cbn [length fits value]. rewrite E. cbn [orb]. repeat split; auto. lia.
Qed.
End Rate.
