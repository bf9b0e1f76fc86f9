(** Programs: sequences, branches and bounded loops, and what composes over them. A quantity of strings that is a maximum over
    choices made letter by letter, with a state in between, is one pass over the program: the maximum over its paths. In
    docs/programs.md this is a matrix over (max, +), with a row and a column for each state. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
Local Open Scope Z_scope.

(** A program over letters, which are numbers. *)
Inductive prog :=
| Skip
| Instr (u : nat)
| Seq (p q : prog)
| If (p q : prog)           (* one of the two *)
| Loop (n : nat) (p : prog) (* at most n times *).

(** The strings that a warp may issue. *)
Inductive path : prog -> list nat -> Prop :=
| path_skip : path Skip []
| path_instr u : path (Instr u) [u]
| path_seq p q s t : path p s -> path q t -> path (Seq p q) (s ++ t)
| path_then p q s : path p s -> path (If p q) s
| path_else p q s : path q s -> path (If p q) s
| path_stop n p : path (Loop n p) []
| path_again n p s t : path p s -> path (Loop n p) t -> path (Loop (S n) p) (s ++ t).

Section Gain.
(** The states, and at each letter two choices (which may be the same): what the letter adds, and the next state. *)
Variable St : Type.
Variables (one two : nat -> St -> Z * St).

(** What a letter makes of the value [f] of what follows, as a function of the state before it. *)
Definition issue (c : nat) (f : St -> Z) (a : St) : Z :=
  Z.max (fst (one c a) + f (snd (one c a))) (fst (two c a) + f (snd (two c a))).

Fixpoint string_gain (s : list nat) (f : St -> Z) : St -> Z :=
  match s with [] => f | c :: s => issue c (string_gain s f) end.

Fixpoint gain (q : prog) (f : St -> Z) : St -> Z :=
  match q with
  | Skip => f
  | Instr c => issue c f
  | Seq q r => gain q (gain r f)
  | If q r => fun a => Z.max (gain q f a) (gain r f a)
  | Loop n q => (fix loop n := match n with
                               | O => f
                               | S n => fun a => Z.max (f a) (gain q (loop n) a)
                               end) n
  end.

Lemma issue_mono c f f' : (forall a, f a <= f' a) -> forall a, issue c f a <= issue c f' a.
Proof. intros H a. unfold issue. pose proof (H (snd (one c a))). pose proof (H (snd (two c a))). lia. Qed.

Lemma string_gain_mono s f f' : (forall a, f a <= f' a) -> forall a, string_gain s f a <= string_gain s f' a.
Proof. intros H. induction s as [|c s IH]; cbn [string_gain]; [assumption|]. now apply issue_mono. Qed.

Lemma string_gain_app s t f : string_gain (s ++ t) f = string_gain s (string_gain t f).
Proof. induction s as [|c s IH]; cbn [app string_gain]; [reflexivity|]. now rewrite IH. Qed.

(** No path gains more than the program. *)
Lemma gain_ge q s : path q s -> forall f a, string_gain s f a <= gain q f a.
Proof.
  induction 1 as [|u|q r s t H1 IH1 H2 IH2|q r s H IH|q r s H IH|n q|n q s t H1 IH1 H2 IH2]; intros f a;
    cbn [gain string_gain]; try lia.
  - rewrite string_gain_app. etransitivity; [apply string_gain_mono, IH2|apply IH1].
  - specialize (IH f a). lia.
  - specialize (IH f a). lia.
  - destruct n; lia.
  - rewrite string_gain_app.
    assert (string_gain s (string_gain t f) a <= gain q (gain (Loop n q) f) a); [|cbn [gain] in *; lia].
    etransitivity; [apply string_gain_mono, IH2|apply IH1].
Qed.

(** The gain of a string is that of one sequence of choices, which ends in one state. *)
Lemma string_choice s : forall g a, exists k b, string_gain s g a = k + g b /\
  forall g', k + g' b <= string_gain s g' a.
Proof.
  induction s as [|c s IH]; intros g a; cbn [string_gain].
  - exists 0, a. split; [|intros]; lia.
  - unfold issue at 1.
    destruct (Z.max_spec (fst (one c a) + string_gain s g (snd (one c a)))
      (fst (two c a) + string_gain s g (snd (two c a)))) as [[_ ->]|[_ ->]].
    + destruct (IH g (snd (two c a))) as (k & b & E & H). exists (fst (two c a) + k), b. split; [lia|].
      intros g'. specialize (H g'). unfold issue. lia.
    + destruct (IH g (snd (one c a))) as (k & b & E & H). exists (fst (one c a) + k), b. split; [lia|].
      intros g'. specialize (H g'). unfold issue. lia.
Qed.

Lemma gain_seq (q : prog) (g : (St -> Z) -> St -> Z) (Q : list nat -> Prop) :
  (forall f a, exists s, path q s /\ gain q f a <= string_gain s f a) ->
  (forall f a, exists t, Q t /\ g f a <= string_gain t f a) ->
  forall f a, exists s t, path q s /\ Q t /\ gain q (g f) a <= string_gain (s ++ t) f a.
Proof.
  intros H1 H2 f a. destruct (H1 (g f) a) as (s & Hs & Es).
  destruct (string_choice s (g f) a) as (k & b & E & L). destruct (H2 f b) as (t & Ht & Et).
  exists s, t. repeat split; auto. rewrite string_gain_app. specialize (L (string_gain t f)). lia.
Qed.

(** Some path gains as much. *)
Lemma gain_attained q : forall f a, exists s, path q s /\ gain q f a <= string_gain s f a.
Proof.
  induction q as [|u|q IHq r IHr|q IHq r IHr|n q IHq].
  - intros f a. exists []. split; [constructor|reflexivity].
  - intros f a. exists [u]. split; [constructor|reflexivity].
  - intros f a. destruct (gain_seq q (gain r) (path r) IHq IHr f a) as (s & t & H1 & H2 & H3).
    exists (s ++ t). split; [now constructor|exact H3].
  - intros f a. cbn [gain]. destruct (IHq f a) as (s & H1 & H2), (IHr f a) as (t & H3 & H4).
    destruct (Z.max_spec (gain q f a) (gain r f a)) as [[_ ->]|[_ ->]].
    + exists t. split; [now constructor|assumption].
    + exists s. split; [now constructor|assumption].
  - induction n as [|n IHn]; intros f a.
    + exists []. split; [constructor|reflexivity].
    + destruct (gain_seq q (gain (Loop n q)) (path (Loop n q)) IHq IHn f a) as (s & t & H1 & H2 & H3).
      change (gain (Loop (S n) q) f a) with (Z.max (f a) (gain q (gain (Loop n q) f) a)).
      destruct (Z.max_spec (f a) (gain q (gain (Loop n q) f) a)) as [[_ ->]|[_ ->]].
      * exists (s ++ t). split; [now constructor|exact H3].
      * exists []. split; [constructor|reflexivity].
Qed.

(** The program's gain is the maximum over its paths of the gain of the string. *)
Theorem gain_max q f a :
  (forall s, path q s -> string_gain s f a <= gain q f a) /\
  (exists s, path q s /\ string_gain s f a = gain q f a).
Proof.
  split.
  - intros s Hs. now apply gain_ge.
  - destruct (gain_attained q f a) as (s & Hs & E). exists s. split; [assumption|].
    pose proof (gain_ge q s Hs f a). lia.
Qed.
End Gain.
