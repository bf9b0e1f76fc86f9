(** Blocks of warps with barriers on a machine (docs/machines.md): each warp's string is cut into segments, and no warp of a
    block begins a segment before all warps of the block have issued the one before and all their latencies are over. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP.

(** A warp with the number of its block and its later segments; its [code] is what is left of the segment at hand. *)
Record bwarp := BWarp { block : nat; core : warp; later : list (list nat) }.

(** A warp that has issued its segment, with no latency left. A warp that has ended is one, so no barrier waits for it. *)
Definition through (v : warp) : bool := (lat v =? 0) && match code v with [] => true | _ => false end.

Definition all_through (q : nat) (st : list bwarp) : bool :=
  forallb (fun x => negb (block x =? q) || through (core x)) st.

(** The warp with its next segment at hand. *)
Definition advance (x : bwarp) : bwarp :=
  match later x with
  | [] => x
  | s :: l => BWarp (block x) (Warp (sched (core x)) s (lat (core x)) (held (core x))) l
  end.

(** The barriers open that may; then those may open for which all segments between are empty, and so on. *)
Definition open (st : list bwarp) : list bwarp :=
  map (fun x => if all_through (block x) st then advance x else x) st.

Definition depth (st : list bwarp) : nat := list_max (map (fun x => length (later x)) st).

Definition settle (st : list bwarp) : list bwarp := Nat.iter (depth st) open st.

Section Blocks.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).

Fixpoint bstep (st : list bwarp) (m : actions) : list bwarp :=
  match st, m with
  | x :: st, a :: m => BWarp (block x) (step unit occ (core x) a) (later x) :: bstep st m
  | _, _ => []
  end.

(** A cycle is legal as in MachineRuns.v: a warp at a barrier has nothing to issue. At its end the barriers open. *)
Inductive brun : list bwarp -> list actions -> list bwarp -> Prop :=
| brun_nil st : brun st [] st
| brun_cons st m ms st' : legal unit inst lo hi shared width (map core st) m ->
    brun (settle (bstep st m)) ms st' -> brun st (m :: ms) st'.

(** A warp of block q issues; the last cycle in which one does, for warps of these blocks. *)
Definition of_block (q : nat) (blocks : list nat) (m : actions) : bool :=
  existsb (fun e => (fst e =? q) && issues (snd e)) (combine blocks m).
Definition block_finish (q : nat) (blocks : list nat) : list actions -> nat := last_cycle (of_block q blocks).

(** Before the first cycle: a warp of scheduler g and block q with its segments. *)
Definition arrived (g q : nat) (segments : list (list nat)) : bwarp := BWarp q (fresh g []) segments.

(** * What stays so *)

Definition nowhere : bwarp := BWarp 0 nobody [].
Definition at_ (i : nat) (st : list bwarp) : bwarp := nth i st nowhere.

(** Warp i is of block q. *)
Definition member (q : nat) (st : list bwarp) (i : nat) : Prop := i < length st /\ block (at_ i st) = q.

(** The segments to come of block q. *)
Fixpoint rows (q : nat) (st : list bwarp) : nat :=
  match st with
  | x :: st => if block x =? q then Nat.max (length (later x)) (rows q st) else rows q st
  | [] => 0
  end.

Definition settled (q : nat) (st : list bwarp) : Prop := all_through q st = true -> rows q st = 0.

Lemma open_at i st : i < length st ->
  at_ i (open st) = if all_through (block (at_ i st)) st then advance (at_ i st) else at_ i st.
Proof.
  intros Hi. unfold at_, open. set (f := fun x => if all_through (block x) st then advance x else x).
  rewrite (nth_indep _ nowhere (f nowhere)) by (now rewrite map_length). apply (map_nth f).
Qed.

Lemma open_length st : length (open st) = length st.
Proof. apply map_length. Qed.

Lemma block_advance x : block (advance x) = block x.
Proof. unfold advance. now destruct (later x). Qed.

Lemma sched_advance x : sched (core (advance x)) = sched (core x).
Proof. unfold advance. now destruct (later x). Qed.

Lemma open_blocks st : map block (open st) = map block st.
Proof.
  unfold open. rewrite map_map. apply map_ext. intros x. destruct (all_through _ _); [apply block_advance|reflexivity].
Qed.

Lemma open_scheds st : map (fun x => sched (core x)) (open st) = map (fun x => sched (core x)) st.
Proof.
  unfold open. rewrite map_map. apply map_ext. intros x. destruct (all_through _ _); [apply sched_advance|reflexivity].
Qed.

Lemma bstep_length st m : length m = length st -> length (bstep st m) = length st.
Proof. revert m; induction st; destruct m; cbn; intros; try lia. rewrite IHst; lia. Qed.

Lemma bstep_blocks st m : length m = length st -> map block (bstep st m) = map block st.
Proof. revert m; induction st; destruct m; cbn; intros; try lia; [reflexivity|]. now rewrite IHst by lia. Qed.

Lemma bstep_scheds st m : length m = length st ->
  map (fun x => sched (core x)) (bstep st m) = map (fun x => sched (core x)) st.
Proof.
  revert m; induction st; destruct m; cbn [bstep map length]; intros; try lia; [reflexivity|].
  rewrite IHst by lia. cbn [core]. now rewrite sched_step.
Qed.

Lemma bstep_at i st m : length m = length st -> i < length st ->
  at_ i (bstep st m) = BWarp (block (at_ i st)) (step unit occ (core (at_ i st)) (nth i m None)) (later (at_ i st)).
Proof.
  unfold at_. revert i m; induction st as [|x st IH]; intros i [|a m] Hl Hi; cbn [length] in *; try lia.
  destruct i as [|i]; cbn [bstep nth]; [reflexivity|]. apply IH; lia.
Qed.

Lemma bstep_rows q st m : length m = length st -> rows q (bstep st m) = rows q st.
Proof.
  revert m; induction st as [|x st IH]; intros [|a m] Hl; cbn [length] in *; try lia; [reflexivity|].
  cbn [bstep rows block later]. now rewrite IH by lia.
Qed.

Lemma map_at {A} (f : bwarp -> A) i st st' : map f st = map f st' -> f (at_ i st) = f (at_ i st').
Proof. intros E. unfold at_. now rewrite <- !(map_nth f), E. Qed.

Lemma member_same q st st' i : map block st = map block st' -> member q st i -> member q st' i.
Proof.
  intros E [H1 H2]. split.
  - rewrite <- (map_length block), <- E, map_length. assumption.
  - now rewrite <- (map_at block i _ _ E).
Qed.

(** A block is not through, or its barriers have all opened. *)
Lemma rows_advance (f : nat -> bool) q l :
  rows q (map (fun x => if f (block x) then advance x else x) l) = if f q then pred (rows q l) else rows q l.
Proof.
  induction l as [|x l IH]; cbn [map rows]; [now destruct (f q)|].
  assert (block (if f (block x) then advance x else x) = block x) as ->
    by (destruct (f (block x)); [apply block_advance|reflexivity]).
  destruct (Nat.eqb_spec (block x) q) as [->|]; [|exact IH].
  rewrite IH. destruct (f q); [|reflexivity]. destruct x as [b v [|s r]]; unfold advance; cbn [later length]; lia.
Qed.

Lemma rows_open q st : rows q (open st) = if all_through q st then pred (rows q st) else rows q st.
Proof. exact (rows_advance (fun q => all_through q st) q st). Qed.

Lemma all_through_spec q st : all_through q st = true <->
  forall x, In x st -> block x = q -> through (core x) = true.
Proof.
  unfold all_through. rewrite forallb_forall. split; intros H x Hx; specialize (H x Hx).
  - intros Hq. apply Nat.eqb_eq in Hq. rewrite Hq in H. exact H.
  - destruct (Nat.eqb_spec (block x) q); [now apply H|reflexivity].
Qed.

Lemma not_through q st : all_through q st = false -> exists i, member q st i /\ through (core (at_ i st)) = false.
Proof.
  unfold member, at_. induction st as [|x st IH]; [discriminate|]. cbn [all_through forallb]. intros H.
  apply andb_false_iff in H. destruct H as [H|H].
  - apply orb_false_iff in H. destruct H as [H1 H2]. apply negb_false_iff, Nat.eqb_eq in H1.
    exists 0. cbn [length nth]. repeat split; auto. lia.
  - destruct (IH H) as (i & [Hi Hb] & Ht). exists (S i). cbn [length nth]. repeat split; auto. lia.
Qed.

Lemma open_not_through q st : all_through q st = false -> all_through q (open st) = false.
Proof.
  intros H. destruct (not_through q st H) as (i & [Hi Hb] & Ht).
  destruct (all_through q (open st)) eqn:E; [|reflexivity].
  assert (In (at_ i st) (open st)) as Hin.
  { assert (at_ i (open st) = at_ i st) as <- by (rewrite open_at, Hb, H by assumption; reflexivity).
    apply nth_In. now rewrite open_length. }
  rewrite (proj1 (all_through_spec q (open st)) E _ Hin Hb) in Ht. discriminate.
Qed.

Lemma iter_settled q n st : rows q st <= n -> settled q (Nat.iter n open st).
Proof.
  intros Hn. assert (rows q (Nat.iter n open st) <= rows q st - n \/ all_through q (Nat.iter n open st) = false) as [H|H].
  - clear Hn. induction n as [|n IH]; [left; cbn; lia|]. change (Nat.iter (S n) open st) with (open (Nat.iter n open st)).
    destruct IH as [IH|IH]; [|right; now apply open_not_through].
    destruct (all_through q (Nat.iter n open st)) eqn:E.
    + left. rewrite rows_open, E. lia.
    + right. now apply open_not_through.
  - intros _. lia.
  - intros E. congruence.
Qed.

Lemma rows_depth q st : rows q st <= depth st.
Proof.
  unfold depth. induction st as [|x st IH]; [cbn; lia|]. cbn [rows map list_max fold_right].
  fold (list_max (map (fun x => length (later x)) st)). destruct (block x =? q); lia.
Qed.

Lemma settle_settled q st : settled q (settle st).
Proof. apply iter_settled, rows_depth. Qed.

Lemma iter_blocks n st : map block (Nat.iter n open st) = map block st.
Proof. induction n as [|n IH]; [reflexivity|]. change (Nat.iter (S n) open st) with (open (Nat.iter n open st)). rewrite open_blocks. exact IH. Qed.

Lemma iter_scheds n st : map (fun x => sched (core x)) (Nat.iter n open st) = map (fun x => sched (core x)) st.
Proof. induction n as [|n IH]; [reflexivity|]. change (Nat.iter (S n) open st) with (open (Nat.iter n open st)). rewrite open_scheds. exact IH. Qed.
End Blocks.
