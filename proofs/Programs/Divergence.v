(** Branches at which the threads of a warp part (docs/programs.md, section 4), and loops with a least number of rounds, as programs
    of Composition.v. So every maximum over the paths of a program is one over these as well. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Programs Require Import Composition.

(** What a warp may issue whose threads part: one arm or more, one after the other in an order that the code does not tell. *)
Inductive parted : list prog -> list nat -> Prop :=
| part_last p l r s : path p s -> parted (l ++ p :: r) s
| part_then p l r s t : path p s -> parted (l ++ r) t -> parted (l ++ p :: r) (s ++ t).

(** Each arm with the others. *)
Fixpoint each (before after : list prog) : list (prog * list prog) :=
  match after with
  | [] => []
  | p :: after => (p, rev before ++ after) :: each (p :: before) after
  end.

(** One of these programs; there is one. *)
Fixpoint any (q : prog) (l : list prog) : prog := match l with [] => q | r :: l => If q (any r l) end.
Definition one_of (l : list prog) : prog := match l with [] => Skip | q :: l => any q l end.

(** The arms in every order, of every choice of one or more: the first arm, and then nothing or the others. *)
Fixpoint orders (n : nat) (arms : list prog) : prog :=
  match n with
  | 0 => Skip
  | S n => one_of (map (fun e => match snd e with [] => fst e | rest => If (fst e) (Seq (fst e) (orders n rest)) end) (each [] arms))
  end.

Definition diverge (arms : list prog) : prog := orders (length arms) arms.

Lemma path_any q l s : path (any q l) s <-> exists r, In r (q :: l) /\ path r s.
Proof.
  revert q; induction l as [|r l IH]; intros q; cbn [any].
  - split; [intros H; exists q; split; [now left|assumption]|intros (r & [->|[]] & H); exact H].
  - split.
    + intros H; inversion H as [| | |? ? ? H'|? ? ? H'| |]; subst.
      * exists q. split; [now left|assumption].
      * apply IH in H'. destruct H' as (x & Hx & H'). exists x. split; [now right|assumption].
    + intros (x & [->|Hx] & H); [now apply path_then|]. apply path_else, IH. now exists x.
Qed.

Lemma path_one_of l s : l <> [] -> (path (one_of l) s <-> exists r, In r l /\ path r s).
Proof. destruct l as [|q l]; [congruence|]. intros _. apply path_any. Qed.

Lemma each_in before after p rest : In (p, rest) (each before after) <->
  exists l r, after = l ++ p :: r /\ rest = rev before ++ l ++ r.
Proof.
  revert before; induction after as [|q after IH]; intros before; cbn [each In].
  - split; [tauto|]. intros (l & r & H & _). now destruct l.
  - split.
    + intros [H|H].
      * injection H as <- <-. exists [], after. auto.
      * apply IH in H. destruct H as (l & r & -> & ->). exists (q :: l), r. split; [reflexivity|].
        cbn [rev]. now rewrite <- app_assoc.
    + intros (l & r & H & ->). destruct l as [|x l]; injection H as -> ->; [now left|right].
      apply IH. exists l, r. split; [reflexivity|]. cbn [rev]. now rewrite <- app_assoc.
Qed.

Lemma each_length before after : length (each before after) = length after.
Proof. revert before; induction after; intros before; cbn [each length]; auto. Qed.

Lemma path_orders n : forall arms s, length arms = n -> arms <> [] -> (path (orders n arms) s <-> parted arms s).
Proof.
  induction n as [|n IH]; intros arms s Hn Ha; [destruct arms; [congruence|discriminate]|].
  cbn [orders]. rewrite path_one_of.
  2:{ intros E. apply (f_equal (@length prog)) in E. rewrite map_length, each_length in E. cbn in E. congruence. }
  split.
  - intros (r & Hr & H). apply in_map_iff in Hr. destruct Hr as ([p rest] & <- & He). cbn [fst snd] in H.
    apply each_in in He. destruct He as (l & r & -> & ->). cbn [rev app] in H.
    destruct (l ++ r) as [|x xs] eqn:E; [now apply part_last|].
    inversion H as [| | |? ? ? H'|? ? ? H'| |]; subst; [now apply part_last|].
    inversion H' as [| |? ? s1 t1 H1 H2| | | |]; subst. apply part_then; [assumption|].
    rewrite E. apply IH; [|discriminate|assumption].
    rewrite <- E. rewrite app_length in *. cbn [length] in Hn. lia.
  - intros H. assert (forall p l r, arms = l ++ p :: r -> In (p, l ++ r) (each [] arms)) as Hin.
    { intros p l r E. apply each_in. exists l, r. auto. }
    inversion H as [p l r s' Hp|p l r s1 t1 Hp Ht]; subst.
    + eexists. split; [apply in_map, (Hin p l r eq_refl)|]. cbn [fst snd]. destruct (l ++ r); [assumption|now apply path_then].
    + eexists. split; [apply in_map, (Hin p l r eq_refl)|]. cbn [fst snd].
      destruct (l ++ r) as [|x xs] eqn:E; [inversion Ht; subst; destruct l0; discriminate|].
      apply path_else, path_seq; [assumption|]. apply IH; [|discriminate|assumption].
      rewrite <- E. rewrite app_length in *. cbn [length] in Hn. lia.
Qed.

(** The program of the orders has the strings of a warp whose threads part, and no others. *)
Theorem divergent_branch arms s : arms <> [] -> (path (diverge arms) s <-> parted arms s).
Proof. intros H. now apply path_orders. Qed.

(** Two arms: either alone, or both in either order. *)
Lemma divergent_two p q s : path (diverge [p; q]) s <->
  path p s \/ path q s \/ path (Seq p q) s \/ path (Seq q p) s.
Proof.
  split.
  - intros H. change (diverge [p; q]) with (If (If p (Seq p q)) (If q (Seq q p))) in H.
    repeat match goal with H : path (If _ _) _ |- _ => inversion H; subst; clear H end; auto.
  - intros [H|[H|[H|H]]]; change (diverge [p; q]) with (If (If p (Seq p q)) (If q (Seq q p)));
      [apply path_then, path_then|apply path_else, path_then|apply path_then, path_else|apply path_else, path_else]; assumption.
Qed.

(** From m to n rounds. *)
Fixpoint times (m : nat) (q : prog) : prog := match m with 0 => Skip | S m => Seq q (times m q) end.
Definition rounds (m n : nat) (q : prog) : prog := Seq (times m q) (Loop (n - m) q).

Lemma path_times m q s : path (times m q) s <-> exists ss, length ss = m /\ Forall (path q) ss /\ s = concat ss.
Proof.
  revert s; induction m as [|m IH]; intros s; cbn [times].
  - split; [intros H; inversion H; subst; exists []; auto|]. intros (ss & Hl & _ & ->). destruct ss; [constructor|discriminate].
  - split.
    + intros H; inversion H as [| |? ? s1 t1 H1 H2| | | |]; subst. apply IH in H2. destruct H2 as (ss & Hl & Hs & ->).
      exists (s1 :: ss). cbn [length concat]. auto.
    + intros (ss & Hl & Hs & ->). destruct ss as [|s1 ss]; [discriminate|]. inversion Hs; subst. cbn [concat].
      apply path_seq; [assumption|]. apply IH. exists ss. auto.
Qed.

Lemma path_loop n q s : path (Loop n q) s <-> exists ss, length ss <= n /\ Forall (path q) ss /\ s = concat ss.
Proof.
  split.
  - intros H. remember (Loop n q) as l eqn:E. revert n E.
    induction H as [| | | | |n' p|n' p s t H1 IH1 H2 IH2]; intros n E; try discriminate; injection E as <- <-.
    + exists []. cbn. repeat split; auto. lia.
    + destruct (IH2 n' eq_refl) as (ss & Hl & Hs & ->). exists (s :: ss). cbn [length concat]. repeat split; auto. lia.
  - intros (ss & Hl & Hs & ->). revert n Hl; induction Hs as [|s ss H1 Hs IH]; intros n Hl; [constructor|].
    cbn [length] in Hl. destruct n as [|n]; [lia|]. cbn [concat]. apply path_again; [assumption|]. apply IH. lia.
Qed.

(** A loop from m to n rounds has the strings of that many rounds. *)
Theorem loop_rounds m n q s : m <= n ->
  (path (rounds m n q) s <-> exists ss, m <= length ss <= n /\ Forall (path q) ss /\ s = concat ss).
Proof.
  intros Hmn. unfold rounds. split.
  - intros H; inversion H as [| |? ? s1 t1 H1 H2| | | |]; subst. apply path_times in H1. apply path_loop in H2.
    destruct H1 as (ss & <- & Hs & ->), H2 as (tt & Hl & Ht & ->). exists (ss ++ tt).
    rewrite app_length, concat_app. split; [lia|]. split; [now apply Forall_app|reflexivity].
  - intros (ss & Hl & Hs & ->). rewrite <- (firstn_skipn m ss), concat_app.
    rewrite <- (firstn_skipn m ss) in Hs. apply Forall_app in Hs. destruct Hs as [H1 H2].
    apply path_seq; [apply path_times|apply path_loop].
    + exists (firstn m ss). rewrite firstn_length. repeat split; auto. lia.
    + exists (skipn m ss). rewrite skipn_length. repeat split; auto. lia.
Qed.
