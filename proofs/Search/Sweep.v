(** The states of a search are kept by the number of letters issued so far, one tree for each number, with the latest cycle
    in which they are reached: the time v of a state says that cycle v is the next one. So each state is looked at once.
    What is done with a state, [expand], is given by the kind of search. *)
From Coq Require Import List Arith NArith Lia Bool.
Import ListNotations.
From Warpspan.Search Require Import Tree.

(** The warps of a state, as places. *)
Fixpoint warps_at {P} (cs : list nat) (ps : list P) : list P :=
  match cs, ps with n :: cs, p :: ps => repeat p n ++ warps_at cs ps | _, _ => [] end.

Lemma warps_at_app {P} c1 (q1 : list P) c2 q2 : length c1 = length q1 ->
  warps_at (c1 ++ c2) (q1 ++ q2) = warps_at c1 q1 ++ warps_at c2 q2.
Proof.
  revert q1; induction c1 as [|n c1 IH]; intros [|p q1] H; cbn in *; try discriminate; [reflexivity|].
  rewrite IH by lia. apply app_assoc.
Qed.

Section Sweep.
Variables P A : Type.

(** Something is added up over the warps of a state, such as their earnings. *)
Variable add : P -> A -> A.

(** [expand v rev_cs a ms]: the trees ms, for 1, 2, .. letters more, with what follows from the state. Its counts come in
    reverse, a is its sum. *)
Variable expand : N -> list nat -> A -> list tree -> list tree.

(** All states of a tree: [rev_cs] are the counts of the places passed, n warps have been passed at the place qs starts
    with, and a is their sum. *)
Fixpoint sweep (m : tree) (qs : list P) (rev_cs : list nat) (n : nat) (a : A) (ms : list tree) {struct m} : list tree :=
  match m with
  | Leaf => ms
  | Node v o x =>
    match qs with
    | [] => match v with N0 => ms | _ => expand v rev_cs a ms end
    | p :: qs => sweep o (p :: qs) rev_cs (S n) (add p a) (sweep x qs (n :: rev_cs) O a ms)
    end
  end.

(** One number of letters after the other, until no state is left. *)
Fixpoint levels (ps : list P) (a : A) (fuel : nat) (ms : list tree) : bool :=
  match fuel with
  | O => false
  | S fuel => match ms with [] => true | m :: ms => levels ps a fuel (sweep m ps [] O a ms) end
  end.

(** * Proof: if no state is left, every state that was ever in a tree is in time. *)
Variable ps : list P.
Variable start : A.
Variable in_time : list nat -> N -> Prop.
Hypothesis earlier : forall cs v v', (v <= v')%N -> in_time cs v' -> in_time cs v.

Definition good (ms : list tree) : Prop := forall j cs, length cs = length ps ->
  find (nth j ms Leaf) cs <> 0%N -> in_time cs (find (nth j ms Leaf) cs).

Lemma good_within ms ms' : (forall j, within (nth j ms Leaf) (nth j ms' Leaf)) -> good ms' -> good ms.
Proof.
  intros H Hg j cs Hl Hf. specialize (H j cs). apply earlier with (1 := H). apply Hg; [assumption|lia].
Qed.

Definition gather (l : list P) (a : A) : A := fold_left (fun a p => add p a) l a.

Hypothesis expand_good : forall v rev_cs ms, let cs := rev_append rev_cs [] in length cs = length ps ->
  good (expand v rev_cs (gather (warps_at cs ps) start) ms) -> good ms /\ in_time cs v.

(** n warps more at the first place. *)
Definition onto (n : nat) (cs : list nat) : list nat := match cs with k :: cs => (n + k)%nat :: cs | [] => [] end.

Lemma sweep_good m : forall qs rev_cs n a ms,
  (length rev_cs + length qs = length ps)%nat ->
  (forall cs, length cs = length qs ->
     gather (warps_at (rev_append rev_cs [] ++ onto n cs) ps) start = gather (warps_at cs qs) a) ->
  good (sweep m qs rev_cs n a ms) ->
  good ms /\ forall cs, length cs = length qs -> find m cs <> 0%N ->
    in_time (rev_append rev_cs [] ++ onto n cs) (find m cs).
Proof.
  induction m as [|v o IHo x IHx]; intros qs rev_cs n a ms Hlen Ha Hg.
  - split; [exact Hg|]. intros cs _ H. now elim H.
  - cbn [sweep] in Hg. destruct qs as [|p qs].
    + specialize (Ha [] eq_refl). cbn [onto] in Ha. rewrite app_nil_r in Ha. destruct v as [|v].
      { split; [assumption|]. intros [|c0 cs] H H0; [now elim H0|discriminate]. }
      cbn [warps_at] in Ha. change (gather [] a) with a in Ha. rewrite <- Ha in Hg.
      apply expand_good in Hg; [|rewrite rev_append_rev, app_nil_r, rev_length; cbn [length] in *; lia].
      destruct Hg as [Hg Hs]. split; [assumption|]. intros [|c0 cs] H H0; [|discriminate].
      cbn [onto find]. now rewrite app_nil_r.
    + apply IHo in Hg; [|assumption|].
      * destruct Hg as [Hg Ho]. apply IHx in Hg; [|cbn [length] in *; lia|].
        -- destruct Hg as [Hg Hx]. split; [assumption|].
           intros [|[|k] cs] Hc Hf; [discriminate| |]; cbn [length find onto] in *.
           ++ specialize (Hx cs ltac:(lia) Hf). rewrite rev_append_rev in *. cbn [rev] in Hx.
              rewrite app_nil_r, <- app_assoc in *. rewrite Nat.add_0_r. destruct cs; exact Hx.
           ++ specialize (Ho (k :: cs) Hc Hf). cbn [onto] in Ho.
              replace (n + S k)%nat with (S n + k)%nat by lia. exact Ho.
        -- intros cs Hc. specialize (Ha (O :: cs) ltac:(cbn [length]; lia)). cbn [onto warps_at repeat app] in Ha.
           rewrite <- Ha. rewrite !rev_append_rev, !app_nil_r. cbn [rev]. rewrite <- app_assoc, Nat.add_0_r.
           destruct cs; reflexivity.
      * intros [|k cs] Hc; [discriminate|]. specialize (Ha (S k :: cs) Hc). cbn [onto] in *.
        replace (S n + k)%nat with (n + S k)%nat by lia. rewrite Ha. reflexivity.
Qed.

Lemma levels_good fuel : forall ms, levels ps start fuel ms = true -> good ms.
Proof.
  induction fuel as [|fuel IH]; intros [|m ms]; cbn [levels]; try discriminate.
  - intros _ [|j] cs _ H; now elim H.
  - intros H. apply IH in H. apply sweep_good in H; [|reflexivity|].
    + destruct H as [Hg Hm]. intros [|j] cs Hl Hf; cbn [nth] in *; [|now apply Hg].
      specialize (Hm cs Hl Hf). destruct cs; exact Hm.
    + intros cs _. destruct cs; reflexivity.
Qed.
End Sweep.
Arguments sweep {P A}.
Arguments levels {P A}.
Arguments good {P}.
Arguments good_within {P}.
Arguments gather {P A}.
Arguments levels_good {P A}.
