(** What one multiprocessor runs, told by its slots (QueueRuns.v) and told by blocks that keep their names (CompanyRuns.v): the
    second follows from the first. The order in which the blocks are listed is of no matter. *)
From Coq Require Import List Arith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Barriers Require Import BlockRuns BlockFacts.
From Warpspan.Relay Require Import GridRuns CompanyRuns CompanyCycle CompanyMoves MidwayRelay Stretches QueueRuns.

Notation turn := (list bool * list cycle)%type.

Lemma begin_length bs os : length (begin bs os) = length bs.
Proof. revert os; induction bs as [|[w b] bs IH]; intros [|o os]; cbn [begin length]; auto. Qed.

Section NamedBlocks.
Variable sigma : letter -> nat.
Notation free_run := (crun sigma (fun _ => True)).

(** * Lists of triples: a block, whether it starts, and its issues *)
Notation triple := (placed * bool * cycle)%type.
Definition began (t : triple) : placed := (fst (fst (fst t)) || snd (fst t), snd (fst (fst t))).
Definition moved (t : triple) : placed := opened (issue (began t) (snd t)).

Lemma list_sum_perm l l' : Permutation l l' -> list_sum l = list_sum l'.
Proof. unfold list_sum. induction 1; cbn [fold_right] in *; lia. Qed.

Lemma begin_triples (l : list triple) :
  begin (map (fun t => fst (fst t)) l) (map (fun t => snd (fst t)) l) = map began l.
Proof. induction l as [|[[[w b] o] m] l IH]; [reflexivity|]. cbn [map begin fst snd]. now rewrite IH. Qed.

Lemma moved_triples (l : list triple) : map opened (issues (map began l) (map snd l)) = map moved l.
Proof. induction l as [|t l IH]; [reflexivity|]. cbn [map]. rewrite issues_cons. cbn [map]. now rewrite IH. Qed.

Lemma speaks_triples (l : list triple) :
  speaks (map began l) (map snd l) <-> Forall (fun t => length (snd t) = length (warps (began t))) l.
Proof.
  induction l as [|t l IH]; cbn [map]; [split; constructor|]. split; intros H; inversion H; subst; constructor; auto; now apply IH.
Qed.

(** What a legal cycle is, for lists of states and cycles. *)
Lemma legal_sums {A} (f : A -> state) (g : A -> cycle) l : Forall (fun x => length (g x) = length (f x)) l ->
  legal sigma (flat_map f l) (concat (map g l)) <->
  Forall (fun x => able (f x) (g x)) l /\
  forall U, (list_sum (map (fun x => issued U (f x) (g x)) l) <= sigma U)%nat /\
    (0 < list_sum (map (fun x => waiting U (f x) (g x)) l) -> list_sum (map (fun x => issued U (f x) (g x)) l) = sigma U)%nat.
Proof.
  intros H.
  assert (forall U, issued U (flat_map f l) (concat (map g l)) = list_sum (map (fun x => issued U (f x) (g x)) l) /\
    waiting U (flat_map f l) (concat (map g l)) = list_sum (map (fun x => waiting U (f x) (g x)) l)) as E.
  { intros U. induction H as [|x l Hx H [I1 I2]]; [now split|]. cbn [flat_map map concat list_sum fold_right].
    rewrite issued_app, waiting_app by assumption. cbn in I1, I2. rewrite I1, I2. now split. }
  assert (able (flat_map f l) (concat (map g l)) <-> Forall (fun x => able (f x) (g x)) l) as EA.
  { clear E. induction H as [|x l Hx H IH]; [split; constructor|]. cbn [flat_map map concat]. rewrite able_app_iff by assumption.
    rewrite IH. split; [intros [? ?]; now constructor|inversion 1; now split]. }
  unfold legal. rewrite EA. split; intros [H1 H2]; (split; [assumption|]); intros U; specialize (H2 U); destruct (E U) as [E1 E2].
  - now rewrite E1, E2 in H2.
  - now rewrite E1, E2.
Qed.

Lemma legal_perm {A} (f : A -> state) (g : A -> cycle) l l' : Permutation l l' ->
  Forall (fun x => length (g x) = length (f x)) l ->
  legal sigma (flat_map f l) (concat (map g l)) -> legal sigma (flat_map f l') (concat (map g l')).
Proof.
  intros Hp Hl. pose proof (Permutation_Forall Hp Hl) as Hl'. rewrite !legal_sums by assumption. intros [H1 H2].
  split; [now apply (Permutation_Forall Hp)|]. intros U. specialize (H2 U).
  rewrite <- (list_sum_perm _ _ (Permutation_map (fun x => issued U (f x) (g x)) Hp)).
  rewrite <- (list_sum_perm _ _ (Permutation_map (fun x => waiting U (f x) (g x)) Hp)). exact H2.
Qed.

(** The cycles of a run tell for each block whether it starts. *)
Definition whole (bs : list placed) (mss : list (list bool * list cycle)) : Prop :=
  Forall (fun om => length (fst om) = length bs) mss.

Lemma run_perm bs mss bs' : free_run bs mss bs' -> whole bs mss -> forall bsx, Permutation bs bsx ->
  exists mssx bsx', free_run bsx mssx bsx' /\ whole bsx mssx /\ Permutation bs' bsx' /\
    Forall2 (@Permutation placed) (states bs mss) (states bsx mssx).
Proof.
  intros Hr; induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros Hw bsx Hp.
  - exists [], bsx. repeat split; auto; constructor.
  - inversion Hw as [|? ? Hos Hw']; subst. cbn [fst] in Hos.
    assert (length ms = length bs) as Hms.
    { rewrite <- (GridRuns.Forall2_same _ _ _ Hsp). clear - Hos. revert os Hos; induction bs as [|[w b] bs IH]; intros [|o os] H;
        cbn in *; try lia. f_equal. apply IH. lia. }
    assert (exists l : list triple, map (fun t => fst (fst t)) l = bs /\ map (fun t => snd (fst t)) l = os /\ map snd l = ms)
      as (l & E1 & E2 & E3).
    { clear - Hos Hms. revert os ms Hos Hms; induction bs as [|b bs IH]; intros [|o os] [|m ms] H1 H2; cbn in *; try lia.
      - now exists [].
      - destruct (IH os ms ltac:(lia) ltac:(lia)) as (l & E1 & E2 & E3). exists ((b, o, m) :: l). cbn. now subst. }
    subst bs os ms. rewrite begin_triples in *. rewrite moved_triples in *.
    destruct (Permutation_map_inv _ _ (Permutation_sym Hp)) as (lx & -> & Hpl).
    rewrite speaks_triples in Hsp.
    destruct (IH ltac:(clear - Hw'; unfold whole in *; rewrite map_length in *; exact Hw') (map moved lx)) as
      (mssx & bsx' & H1 & H2 & H3 & H4); [now apply Permutation_map|].
    exists ((map (fun t => snd (fst t)) lx, map snd lx) :: mssx), bsx'.
    split; [|split; [|split]].
    + constructor; rewrite ?begin_triples, ?moved_triples; auto.
      * apply speaks_triples. now apply (Permutation_Forall Hpl).
      * unfold company in *. rewrite flat_map_concat_map, map_map, <- flat_map_concat_map in *.
        now apply (legal_perm _ _ l).
    + constructor; [cbn [fst]; now rewrite !map_length|]. unfold whole in *. rewrite map_length in *. exact H2.
    + exact H3.
    + cbn [states]. rewrite !begin_triples, !moved_triples. constructor; [now apply Permutation_map|exact H4].
Qed.

(** A block that has ended may be added. *)
Definition over (x : placed) : Prop := fst x = true /\ all_done (fst (snd x)) = true /\ snd (snd x) = [].

Lemma over_cycle cur : all_done cur = true -> able cur (repeat false (length cur)) /\ after cur (repeat false (length cur)) = cur /\
  forall U, issued U cur (repeat false (length cur)) = 0 /\ waiting U cur (repeat false (length cur)) = 0.
Proof.
  induction cur as [|s cur IH]; intros H; [repeat split; constructor|]. cbn in H. destruct s; [|discriminate].
  destruct (IH H) as (H1 & H2 & H3). cbn. split; [constructor; [discriminate|assumption]|]. rewrite H2. split; [reflexivity|].
  intros U. destruct (H3 U) as [-> ->]. now split.
Qed.

Lemma run_over x bs mss bs' : over x -> free_run bs mss bs' -> whole bs mss ->
  exists mssx, free_run (x :: bs) mssx (x :: bs') /\ whole (x :: bs) mssx /\ states (x :: bs) mssx = map (cons x) (states bs mss).
Proof.
  intros Hx Hr; induction Hr as [bs|bs os ms mss bs' Hru Hsp Hl Hr IH]; intros Hw.
  - exists []. repeat split; constructor.
  - inversion Hw as [|? ? Hos Hw']; subst. cbn [fst] in Hos.
    destruct IH as (mssx & H1 & H2 & H3).
    { unfold whole in *. rewrite map_length, issues_length by assumption. rewrite begin_length. exact Hw'. }
    destruct x as [w [cur la]]. destruct Hx as (E1 & E2 & E3). cbn [fst snd] in *. subst w la.
    destruct (over_cycle cur E2) as (O1 & O2 & O3). set (m := repeat false (length cur)) in *.
    assert (map opened (issues (begin ((true, (cur, [])) :: bs) (false :: os)) (m :: ms)) =
      (true, (cur, [])) :: map opened (issues (begin bs os) ms)) as En.
    { cbn [begin orb]. rewrite issues_cons. cbn [map]. f_equal. unfold opened, issue, open. cbn [fst snd release]. now rewrite O2. }
    exists ((false :: os, m :: ms) :: mssx). split; [|split].
    + constructor; [exact I| | |now rewrite En].
      * cbn [begin orb]. constructor; [|exact Hsp]. unfold m. now rewrite repeat_length.
      * cbn [begin orb]. unfold company in *. cbn [flat_map concat]. unfold warps at 1. cbn [fst snd].
        destruct Hl as [Ha Hc]. split.
        -- apply able_app_iff; [unfold m; now rewrite repeat_length|]. now split.
        -- intros U. specialize (Hc U). destruct (O3 U) as [P1 P2].
           rewrite issued_app, waiting_app by (unfold m; now rewrite repeat_length). rewrite P1, P2. exact Hc.
    + constructor; [cbn; lia|]. unfold whole in *. cbn [length] in *. rewrite map_length, issues_length in H2 by assumption.
      rewrite begin_length in H2. exact H2.
    + cbn [states map]. rewrite En, H3. reflexivity.
Qed.
End NamedBlocks.
