(** Code with barriers, and its segments (docs/programs.md, section 4): a program without barriers for each of them, such that on
    every path of the code each segment is a path of its program. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Programs Require Import Composition FreePaths ProgramBarriers.

(** Code over programs without barriers. *)
Inductive code :=
| Plain (q : prog)
| Barrier
| Then (p q : code)
| Either (p q : code)      (* each warp one of the two *)
| Fixed (n : nat) (p : code) (* n times *).

(** The last segment of the one and the first of the other become one. *)
Fixpoint glue {A} (op : A -> A -> A) (ss us : list A) : list A :=
  match ss with
  | [] => us
  | s :: ss' => match ss' with
                | [] => match us with t :: us => op s t :: us | [] => [s] end
                | _ => s :: glue op ss' us
                end
  end.

(** The segments that a warp may issue. *)
Inductive segments : code -> list (list nat) -> Prop :=
| seg_plain q s : path q s -> segments (Plain q) [s]
| seg_barrier : segments Barrier [[]; []]
| seg_then p q ss us : segments p ss -> segments q us -> segments (Then p q) (glue (@app nat) ss us)
| seg_left p q ss : segments p ss -> segments (Either p q) ss
| seg_right p q ss : segments q ss -> segments (Either p q) ss
| seg_stop p : segments (Fixed 0 p) [[]]
| seg_again n p ss us : segments p ss -> segments (Fixed n p) us -> segments (Fixed (S n) p) (glue (@app nat) ss us).

Fixpoint zip (qs rs : list prog) : list prog :=
  match qs, rs with q :: qs, r :: rs => If q r :: zip qs rs | _, _ => [] end.

Definition pad (n : nat) (qs : list prog) : list prog := qs ++ repeat Skip (n - length qs).

Definition both (f : list prog -> list prog -> option (list prog)) (a b : option (list prog)) : option (list prog) :=
  match a, b with Some qs, Some rs => f qs rs | _, _ => None end.

(** The programs of the segments. [ends] says that the warp has ended after the code: then an arm with fewer barriers gets
    empty segments at its end. If not, arms with different numbers of barriers are refused. *)
Fixpoint columns (ends : bool) (p : code) : option (list prog) :=
  match p with
  | Plain q => Some [q]
  | Barrier => Some [Skip; Skip]
  | Then p q => both (fun qs rs => Some (glue Seq qs rs)) (columns false p) (columns ends q)
  | Either p q => both (fun qs rs => if ends || (length qs =? length rs)
      then Some (zip (pad (length rs) qs) (pad (length qs) rs)) else None) (columns ends p) (columns ends q)
  | Fixed n p => Nat.iter n (both (fun qs rs => Some (glue Seq qs rs)) (columns false p)) (Some [Skip])
  end.

Lemma glue_path qs rs ss us : Forall2 path qs ss -> Forall2 path rs us -> Forall2 path (glue Seq qs rs) (glue (@app nat) ss us).
Proof.
  intros H Ht. induction H as [|q s qs ss Hq H IH]; [exact Ht|].
  destruct H as [|q' s' qs ss Hq' H]; cbn [glue].
  - destruct Ht; constructor; auto. now constructor.
  - constructor; [assumption|exact IH].
Qed.

Lemma glue_app (ss us r : list (list nat)) : us <> [] -> glue (@app nat) ss (us ++ r) = glue (@app nat) ss us ++ r.
Proof.
  intros Ht. induction ss as [|s ss IH]; [reflexivity|]. cbn [glue]. destruct ss as [|s' ss].
  - destruct us; [congruence|reflexivity].
  - rewrite IH. reflexivity.
Qed.

Lemma glue_nil {A} op (ss us : list A) : us <> [] -> glue op ss us <> [].
Proof. intros Ht. destruct ss as [|s [|s' ss]]; cbn [glue]; [assumption|destruct us; [congruence|discriminate]|discriminate]. Qed.

Lemma segments_some p ss : segments p ss -> ss <> [].
Proof. induction 1; try discriminate; auto using glue_nil. Qed.

Lemma pad_path n qs ss : Forall2 path qs ss -> Forall2 path (pad n qs) (ss ++ repeat [] (n - length qs)).
Proof.
  intros H. apply Forall2_app; [assumption|]. induction (n - length qs) as [|k IH]; constructor; auto. constructor.
Qed.

Lemma zip_path qs rs ss : length qs = length rs -> Forall2 path qs ss \/ Forall2 path rs ss -> Forall2 path (zip qs rs) ss.
Proof.
  revert rs ss; induction qs as [|q qs IH]; intros [|r rs] ss Hl H; try discriminate.
  - destruct H as [H|H]; inversion H; constructor.
  - injection Hl as Hl. destruct H as [H|H]; inversion H as [|? s ? ss' H1 H2]; subst; cbn [zip]; constructor; auto.
    + now apply path_then.
    + now apply path_else.
Qed.

Lemma pad_length n qs : length (pad n qs) = Nat.max (length qs) n.
Proof. unfold pad. rewrite app_length, repeat_length. lia. Qed.

(** On every path each segment is a path of its program; a warp that has ended has empty segments. *)
Theorem columns_sound p ss : segments p ss -> forall ends qs, columns ends p = Some qs ->
  exists k, Forall2 path qs (ss ++ repeat [] k) /\ (ends = false -> k = 0).
Proof.
  intros H; induction H as [q s Hs| |p q ss us H1 IH1 H2 IH2|p q ss H IH|p q ss H IH|p|n p ss us H1 IH1 H2 IH2]; intros ends qs E;
    cbn [columns] in E.
  - injection E as <-. exists 0. cbn. split; [repeat constructor; assumption|reflexivity].
  - injection E as <-. exists 0. cbn. split; [repeat constructor|reflexivity].
  - destruct (columns false p) as [ps|] eqn:Ep, (columns ends q) as [rs|] eqn:Eq; try discriminate. injection E as <-.
    destruct (IH1 false ps Ep) as (k1 & P1 & K1), (IH2 ends rs Eq) as (k & P2 & K2).
    rewrite (K1 eq_refl), app_nil_r in P1. exists k. split; [|assumption].
    rewrite <- glue_app by now apply segments_some in H2. now apply glue_path.
  - destruct (columns ends p) as [ps|] eqn:Ep, (columns ends q) as [rs|] eqn:Eq; try discriminate. cbn [both] in E.
    destruct (IH ends ps Ep) as (k & P & K).
    destruct ends; cbn [orb] in E; [|destruct (Nat.eqb_spec (length ps) (length rs)); [|discriminate]]; injection E as <-.
    + exists (k + (length rs - length ps)). split; [|discriminate].
      apply zip_path; [rewrite !pad_length; lia|]. left. rewrite repeat_app, app_assoc. now apply pad_path.
    + exists k. split; [|assumption]. apply zip_path; [rewrite !pad_length; lia|]. left.
      unfold pad. replace (length rs - length ps) with 0 by lia. now rewrite app_nil_r.
  - destruct (columns ends p) as [ps|] eqn:Ep, (columns ends q) as [rs|] eqn:Eq; try discriminate. cbn [both] in E.
    destruct (IH ends rs Eq) as (k & P & K).
    destruct ends; cbn [orb] in E; [|destruct (Nat.eqb_spec (length ps) (length rs)); [|discriminate]]; injection E as <-.
    + exists (k + (length ps - length rs)). split; [|discriminate].
      apply zip_path; [rewrite !pad_length; lia|]. right. rewrite repeat_app, app_assoc. now apply pad_path.
    + exists k. split; [|assumption]. apply zip_path; [rewrite !pad_length; lia|]. right.
      unfold pad. replace (length ps - length rs) with 0 by lia. now rewrite app_nil_r.
  - injection E as <-. exists 0. cbn. split; [repeat constructor|reflexivity].
  - change (Nat.iter (S n) (both (fun qs rs => Some (glue Seq qs rs)) (columns false p)) (Some [Skip]))
      with (both (fun qs rs => Some (glue Seq qs rs)) (columns false p) (columns false (Fixed n p))) in E.
    destruct (columns false p) as [ps|] eqn:Ep; [|discriminate]. destruct (columns false (Fixed n p)) as [rs|] eqn:En; [|discriminate].
    injection E as <-. destruct (IH1 false ps Ep) as (k1 & P1 & K1), (IH2 false rs En) as (k & P2 & K2).
    rewrite (K1 eq_refl), app_nil_r in P1. rewrite (K2 eq_refl), app_nil_r in P2. exists 0. cbn. rewrite app_nil_r.
    split; [now apply glue_path|reflexivity].
Qed.

(** Warps with their segments, row by row: the block is one of [program_barriers]. *)
Definition row (ws : list (list (list nat))) (k : nat) := map (fun w => string_of (nth k w [])) ws.

Lemma columns_block qs ws cur later : Forall (Forall2 path qs) ws -> map (row ws) (seq 0 (length qs)) = cur :: later ->
  block_runs qs (cur, later).
Proof.
  intros H E. unfold block_runs. cbn [fst snd]. rewrite <- E. clear E cur later.
  assert (forall n rs, (forall w, In w ws -> Forall2 path rs (skipn n w)) ->
    Forall2 (fun q r => Forall (runs q) r) rs (map (row ws) (seq n (length rs)))) as Hn.
  { intros n rs; revert n; induction rs as [|q rs IH]; intros n Hs; cbn [length seq map]; constructor.
    - unfold row. apply Forall_map, Forall_forall. intros w Hw. specialize (Hs w Hw). inversion Hs as [|? s ? ss H1 H2 E1 E2]; subst.
      exists s. split; [assumption|]. f_equal. clear - E2. revert w E2; induction n as [|n IH]; intros w E2; cbn [skipn] in E2.
      + now subst w.
      + destruct w; [discriminate|]. cbn [nth]. now apply IH.
    - apply IH. intros w Hw. specialize (Hs w Hw). inversion Hs as [|? s ? ss H1 H2 E1 E2]; subst.
      assert (skipn (S n) w = ss) as ->; [|assumption]. clear - E2. revert w E2; induction n as [|n IH]; intros w E2.
      + cbn [skipn] in E2. now subst w.
      + destruct w; [discriminate|]. cbn [skipn] in *. now apply IH. }
  apply (Hn 0). intros w Hw. now apply (proj1 (Forall_forall _ _) H).
Qed.

(** [/LC|L]: a return before the barrier. *)
Example early_return : columns true (Either (Plain Skip) (Then (Plain (Seq (Instr 0) (Instr 1))) (Then Barrier (Plain (Instr 0)))))
  = Some [If Skip (Seq (Seq (Instr 0) (Instr 1)) Skip); If Skip (Seq Skip (Instr 0))].
Proof. reflexivity. Qed.
