(** Programs: sequences, branches and bounded loops. The rate of Theorem L composes over them, together with the length (and
    latency) of the path. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Latency Require Import TakenLetters.
Local Open Scope Z_scope.

Inductive prog :=
| Skip
| Instr (u : nat)
| Seq (p q : prog)
| If (p q : prog)           (* one of the two *)
| Loop (n : nat) (p : prog) (* at most n times *).

Inductive path : prog -> list nat -> Prop :=
| path_skip : path Skip []
| path_instr u : path (Instr u) [u]
| path_seq p q s t : path p s -> path q t -> path (Seq p q) (s ++ t)
| path_then p q s : path p s -> path (If p q) s
| path_else p q s : path q s -> path (If p q) s
| path_stop n p : path (Loop n p) []
| path_again n p s t : path p s -> path (Loop n p) t -> path (Loop (S n) p) (s ++ t).

Section Gain.
Variables (neutral : nat -> bool) (w : nat -> Z) (p : Z).
Hypothesis p_pos : 0 <= p.
Hypothesis p_le_w : forall u, p <= w u.

(** Each letter besides is worth [x], taken or not: times N (W-1) and so on, its cycles. *)
Variable x : nat -> Z.

(** What a letter makes of the value [f] of what follows, as a function of the last letter taken. *)
Definition letter (c : nat) (f : option nat -> Z) (prev : option nat) : Z :=
  x c + if neutral c then w c + f None
        else if match prev with Some A => (c =? A)%nat | None => true end
             then Z.max (p + f None) (w c + f (Some c)) else p + f None.

Fixpoint string_gain (s : list nat) (f : option nat -> Z) : option nat -> Z :=
  match s with [] => f | c :: s => letter c (string_gain s f) end.

Fixpoint gain (q : prog) (f : option nat -> Z) : option nat -> Z :=
  match q with
  | Skip => f
  | Instr c => letter c f
  | Seq q r => gain q (gain r f)
  | If q r => fun prev => Z.max (gain q f prev) (gain r f prev)
  | Loop n q => (fix loop n := match n with
                               | O => f
                               | S n => fun prev => Z.max (f prev) (gain q (loop n) prev)
                               end) n
  end.

Definition bonus (s : list nat) : Z := sumZ (map x s).

Lemma string_gain_most s prev :
  string_gain s (fun _ => 0) prev = bonus s + most neutral w p prev s.
Proof.
  revert prev; induction s as [|c s IH]; intros prev; [destruct prev; reflexivity|].
  cbn [string_gain]. unfold letter. rewrite !IH. unfold bonus. cbn [map sumZ]. cbn [most].
  pose proof (best_neutral neutral w p c s) as Hn. pose proof (best_cons neutral w p c s) as Hc.
  destruct (neutral c) eqn:E.
  - destruct prev as [A|]; cbn [most]; [rewrite R_neutral by assumption|rewrite Hn by reflexivity]; lia.
  - destruct prev as [A|]; cbn [most]; [|rewrite Hc by reflexivity; lia].
    destruct (Nat.eqb_spec c A) as [->|HA]; [rewrite R_same, Hc by reflexivity|rewrite R_other by assumption]; lia.
Qed.

Lemma letter_mono c f f' : (forall a, f a <= f' a) -> forall a, letter c f a <= letter c f' a.
Proof.
  intros H a. unfold letter. pose proof (H None). pose proof (H (Some c)).
  destruct (neutral c); [lia|]. destruct (match a with Some _ => _ | None => _ end); lia.
Qed.

Lemma string_gain_mono s f f' : (forall a, f a <= f' a) -> forall a, string_gain s f a <= string_gain s f' a.
Proof. intros H. induction s as [|c s IH]; cbn [string_gain]; [assumption|]. now apply letter_mono. Qed.

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

(** The gain of a string is that of one choice, which ends with one last letter taken. *)
Lemma string_choice s : forall g a, exists k b, string_gain s g a = k + g b /\
  forall g', k + g' b <= string_gain s g' a.
Proof.
  assert (forall c g a, exists k b, letter c g a = k + g b /\ forall g', k + g' b <= letter c g' a) as Hc.
  { intros c g a. unfold letter. destruct (neutral c).
    - exists (x c + w c), None. split; [|intros]; lia.
    - destruct (match a with Some _ => _ | None => _ end).
      + destruct (Z.max_spec (p + g None) (w c + g (Some c))) as [[_ ->]|[_ ->]].
        * exists (x c + w c), (Some c). split; [|intros]; lia.
        * exists (x c + p), None. split; [|intros]; lia.
      + exists (x c + p), None. split; [|intros]; lia. }
  induction s as [|c s IH]; intros g a; cbn [string_gain].
  - exists 0, a. split; [|intros]; lia.
  - destruct (Hc c (string_gain s g) a) as (k1 & b1 & E1 & L1). destruct (IH g b1) as (k2 & b2 & E2 & L2).
    exists (k1 + k2), b2. split; [lia|]. intros g'. specialize (L1 (string_gain s g')). specialize (L2 g'). lia.
Qed.

Lemma gain_seq (q : prog) (g : (option nat -> Z) -> option nat -> Z) (Q : list nat -> Prop) :
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

(** The program's gain is the maximum over its paths of bonus + best. *)
Definition total_gain (q : prog) : Z := gain q (fun _ => 0) None.

Theorem total_gain_max q :
  (forall s, path q s -> bonus s + best neutral w p s <= total_gain q) /\
  (exists s, path q s /\ bonus s + best neutral w p s = total_gain q).
Proof.
  assert (forall s, path q s -> bonus s + best neutral w p s <= total_gain q) as H.
  { intros s Hs. pose proof (gain_ge q s Hs (fun _ => 0) None) as H.
    now rewrite string_gain_most in H. }
  split; [assumption|]. destruct (gain_attained q (fun _ => 0) None) as (s & Hs & E).
  rewrite string_gain_most in E. exists s. split; [assumption|]. specialize (H s Hs). cbn [most] in E.
  unfold total_gain in *. lia.
Qed.
End Gain.
