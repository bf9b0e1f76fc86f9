(** Machines with latency, issue width, schedulers and any number of kinds of unit (docs/machines.md): warps, legal cycles,
    schedules. Every theorem on machines is about the definitions of this file. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.

(** * Warps, cycles, schedules *)

(** Kinds of unit are numbers, and so are letters, of which several may be for one unit. A warp is pinned to the scheduler
    [sched]; [code] is what it has still to issue, its letters; its next instruction is ready after [lat] cycles more; it
    holds an instance of unit u for r cycles more for each (u, r) in [held]. (Entries with r = 0 are instances given back.) *)
Record warp := Warp { sched : nat; code : list nat; lat : nat; held : list (nat * nat) }.

(** What a warp does in a cycle: nothing, or issue, and its next instruction is ready l cycles later. *)
Notation action := (option nat).
Notation actions := (list action).

Definition fresh (g : nat) (s : list nat) : warp := Warp g s 0 [].

Definition issues (a : action) : bool := match a with Some _ => true | None => false end.

Fixpoint holding (u : nat) (h : list (nat * nat)) : nat :=
  match h with (x, r) :: h => (if (x =? u) && (0 <? r) then 1 else 0) + holding u h | [] => 0 end.

Definition age (h : list (nat * nat)) : list (nat * nat) := map (fun e => (fst e, pred (snd e))) h.

(** A sum over the warps and what they do. *)
Fixpoint total (f : warp -> action -> nat) (st : list warp) (m : actions) : nat :=
  match st, m with v :: st, a :: m => f v a + total f st m | _, _ => 0 end.

Section Machine.

(** Letter x: [unit x] is the unit that it is for, [occ x] the cycles for which its issue holds an instance, and its latency
    is in [lo x, hi x]. Unit u: [inst u] instances, and whether it is shared by all schedulers or private to each. A
    scheduler issues at most [width] a cycle. *)
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).

(** The warp's next instruction is for u and ready. *)
Definition wants (u : nat) (v : warp) : bool :=
  (lat v =? 0) && match code v with x :: _ => unit x =? u | [] => false end.

Definition step (v : warp) (a : action) : warp :=
  match a, code v with
  | Some l, x :: s => Warp (sched v) s (pred l) ((unit x, pred (occ x)) :: age (held v))
  | _, s => Warp (sched v) s (pred (lat v)) (age (held v))
  end.

Fixpoint next (st : list warp) (m : actions) : list warp :=
  match st, m with v :: st, a :: m => step v a :: next st m | _, _ => [] end.

(** Who issues is ready, and the latency is in range. *)
Definition able (v : warp) (a : action) : Prop :=
  match a with
  | None => True
  | Some l => lat v = 0 /\ match code v with x :: _ => lo x <= l <= hi x | [] => False end
  end.

(** The unit u that scheduler g sees is the one that scheduler g' sees. *)
Definition sees (g u g' : nat) : bool := shared u || (g' =? g).

(** Instances of that unit held in this cycle; slots of scheduler g used; warps ready and not issued. *)
Definition busy (g u : nat) (v : warp) (a : action) : nat :=
  if sees g u (sched v) then holding u (held v) + (if issues a && wants u v then 1 else 0) else 0.

Definition slot (g : nat) (v : warp) (a : action) : nat :=
  if (sched v =? g) && issues a then 1 else 0.

Definition blocked (g u : nat) (v : warp) (a : action) : nat :=
  if (sched v =? g) && wants u v && negb (issues a) then 1 else 0.

(** A cycle: no more instances and slots than there are, and a ready warp waits only if all instances of
    its unit are held or all slots of its scheduler are used. *)
Definition legal (st : list warp) (m : actions) : Prop :=
  Forall2 able st m /\
  (forall g u, total (busy g u) st m <= inst u) /\
  (forall g, total (slot g) st m <= width) /\
  (forall g u, 0 < total (blocked g u) st m ->
     total (busy g u) st m = inst u \/ total (slot g) st m = width).

Inductive run : list warp -> list actions -> list warp -> Prop :=
| run_nil st : run st [] st
| run_cons st m ms st' : legal st m -> run (next st m) ms st' -> run st (m :: ms) st'.

(** The last cycle (from 1) with property p; 0 if there is none. *)
Fixpoint last_cycle (p : actions -> bool) (ms : list actions) : nat :=
  match ms with
  | [] => 0
  | m :: ms => let t := last_cycle p ms in
               if 0 <? t then S t else if p m then 1 else 0
  end.

Definition finish (w : nat) : list actions -> nat := last_cycle (fun m => issues (nth w m None)).
Definition makespan : list actions -> nat := last_cycle (existsb issues).

(** * One warp to the front *)

Definition nobody : warp := fresh 0 [].

Lemma total_front f w st m : w < length st -> length m = length st ->
  total f (front w nobody st) (front w None m) = total f st m.
Proof.
  unfold front; revert st m; induction w as [|w IH]; intros [|s st] [|b m] Hw Hl;
    cbn [length] in *; try lia; [reflexivity|].
  specialize (IH st m ltac:(lia) ltac:(lia)). cbn [total nth others] in *. lia.
Qed.

Lemma next_front w st m : w < length st -> length m = length st ->
  next (front w nobody st) (front w None m) = front w nobody (next st m).
Proof.
  unfold front; revert st m; induction w as [|w IH]; intros [|s st] [|b m] Hw Hl;
    cbn [length] in *; try lia; [reflexivity|].
  specialize (IH st m ltac:(lia) ltac:(lia)). cbn [next nth others] in *.
  injection IH as H1 H2. rewrite H1, H2. reflexivity.
Qed.

Lemma able_front w st m : w < length st -> Forall2 able st m ->
  Forall2 able (front w nobody st) (front w None m).
Proof.
  unfold front; intros Hw H; revert w Hw.
  induction H as [|s b st m Hb H IH]; intros w Hw; cbn [length] in *; try lia.
  destruct w as [|w]; [now constructor|].
  specialize (IH w ltac:(lia)). inversion IH; subst. repeat constructor; auto.
Qed.

Lemma next_length st m : length m = length st -> length (next st m) = length st.
Proof. revert m; induction st; destruct m; cbn; intros; try lia. rewrite IHst; lia. Qed.

Lemma legal_length st m : legal st m -> length m = length st.
Proof. intros [H _]. induction H; cbn; congruence. Qed.

Lemma legal_front w st m : w < length st -> legal st m -> legal (front w nobody st) (front w None m).
Proof.
  intros Hw Hm. pose proof (legal_length _ _ Hm) as Hl. destruct Hm as (H1 & H2 & H3 & H4).
  split; [now apply able_front|]. split; [|split]; intros; rewrite !total_front in * by assumption; auto.
Qed.

Lemma run_front w st ms st' : w < length st -> run st ms st' ->
  exists ms', run (front w nobody st) ms' (front w nobody st') /\ finish 0 ms' = finish w ms.
Proof.
  intros Hw H; induction H as [st|st m ms st' Hm H IH].
  - exists []. split; [constructor|reflexivity].
  - pose proof (legal_length _ _ Hm) as Hl.
    destruct IH as (ms' & Hr & Hf); [rewrite next_length; assumption|].
    exists (front w None m :: ms'). split.
    + constructor; [now apply legal_front|rewrite next_front; assumption].
    + unfold finish in *. cbn [last_cycle]. rewrite Hf. reflexivity.
Qed.

(** The makespan is the finish of some warp. *)
Lemma makespan_le st ms st' B : run st ms st' ->
  (forall w, w < length st -> finish w ms <= B) -> makespan ms <= B.
Proof.
  intros H HB. pose (P := fun B => forall w, w < length st -> finish w ms <= B).
  assert (makespan ms <= 0 \/ exists w, w < length st /\ makespan ms <= finish w ms) as D.
  { clear HB P. induction H as [st|st m ms st' Hm H IH]; [left; cbn; lia|].
    pose proof (legal_length _ _ Hm) as Hl. rewrite next_length in IH by assumption.
    unfold makespan, finish in *. cbn [last_cycle].
    set (t := last_cycle (existsb issues) ms) in *.
    destruct (Nat.ltb_spec 0 t) as [Ht|Ht].
    - right. destruct IH as [IH|(w & Hw & IH)]; [lia|]. exists w. split; [assumption|].
      set (u := last_cycle (fun m => issues (nth w m None)) ms) in *.
      destruct (Nat.ltb_spec 0 u); lia.
    - destruct (existsb issues m) eqn:Ex; [|left; lia]. right.
      apply existsb_exists in Ex. destruct Ex as (a & Hin & Ha).
      destruct (In_nth m a None Hin) as (w & Hw & Hn). exists w. split; [lia|]. rewrite Hn, Ha.
      destruct (0 <? _) eqn:E; lia. }
  destruct D as [D|(w & Hw & D)]; [lia|]. specialize (HB w Hw). lia.
Qed.

(** * The proof principle: follow the first warp *)

(** What a legal cycle gives, seen from the first warp x: if it is ready and waits, the others hold all
    instances, or the others of its scheduler use all slots. *)
Lemma legal_wait x vs m : legal (x :: vs) (None :: m) -> forall u, wants u x = true ->
  holding u (held x) = 0 ->
  total (busy (sched x) u) vs m = inst u \/ total (slot (sched x)) vs m = width.
Proof.
  intros (_ & _ & _ & H) u Hu Hh. specialize (H (sched x) u). cbn [total] in H.
  unfold blocked at 1, busy at 1, slot at 1 in H. rewrite Nat.eqb_refl, Hu, Hh in H. cbn in H.
  destruct (sees (sched x) u (sched x)); cbn in H; apply H; lia.
Qed.

Lemma Forall2_cons_iff {A B} (R : A -> B -> Prop) x y l l' :
  Forall2 R (x :: l) (y :: l') <-> R x y /\ Forall2 R l l'.
Proof. split; [intros H; inversion H|intros []; constructor]; auto. Qed.

Lemma finish_done x vs ms st' : code x = [] -> run (x :: vs) ms st' -> finish 0 ms = 0.
Proof.
  revert x vs; induction ms as [|m ms IH]; intros x vs Hx Hr; [reflexivity|].
  inversion Hr as [|? ? ? ? Hm Hr']; subst. destruct m as [|a m]; [destruct Hm as [H _]; inversion H|].
  destruct Hm as [Ha _]. inversion Ha as [|? ? ? ? Ha' _]; subst.
  unfold finish in *. cbn [last_cycle nth]. cbn [next] in Hr'. rewrite (IH (step x a) (next vs m)); auto.
  - destruct a as [l|]; [|reflexivity]. cbn in Ha'. rewrite Hx in Ha'. tauto.
  - unfold step. rewrite Hx. now destruct a.
Qed.

(** If [P x vs f] says that f is a bound on what is left, times N, and each cycle before x is done leaves
    a bound smaller by N, then x is done within f / N cycles. *)
Lemma descent (N : Z) (P : warp -> list warp -> Z -> Prop) :
  (0 < N)%Z ->
  (forall x vs f, P x vs f -> (0 <= f)%Z) ->
  (forall x vs a m f, code x <> [] -> P x vs f -> legal (x :: vs) (a :: m) ->
     exists f', P (step x a) (next vs m) f' /\ (N + f' <= f)%Z) ->
  forall ms x vs st' f, P x vs f -> run (x :: vs) ms st' -> (N * Z.of_nat (finish 0 ms) <= f)%Z.
Proof.
  intros HN H0 Hstep. induction ms as [|m ms IH]; intros x vs st' f Hf Hr.
  - change (N * 0 <= f)%Z. rewrite Z.mul_0_r. eauto.
  - destruct (code x) eqn:Ex.
    { rewrite (finish_done x vs _ st' Ex Hr), Z.mul_0_r. eauto. }
    inversion Hr as [|? ? ? ? Hm Hr']; subst.
    destruct m as [|a m]; [destruct Hm as [H _]; inversion H|]. cbn [next] in Hr'.
    destruct (Hstep x vs a m f ltac:(congruence) Hf Hm) as (f' & Hf' & Hle).
    specialize (IH _ _ _ _ Hf' Hr'). specialize (H0 _ _ _ Hf').
    unfold finish in *. cbn [last_cycle].
    destruct (Nat.ltb_spec 0 (last_cycle (fun m => issues (nth 0 m None)) ms)); [lia|].
    destruct (issues _); lia.
Qed.
End Machine.
