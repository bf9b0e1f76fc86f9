(** Instances as a user writes them, groups of warps that run one kernel each, and the states of the model that they
    stand for. *)
From Coq Require Import String Ascii.
From Coq Require Import List Arith ZArith NArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Earnings Potential.
Local Open Scope Z_scope.

(** The kernel of a text of L's and C's; [None] for any other text. *)
Fixpoint read_kernel (t : String.string) : option string :=
  match t with
  | EmptyString => Some []
  | String x t =>
    match read_kernel t with
    | Some s => if Ascii.eqb x "L"%char then Some (L :: s) else if Ascii.eqb x "C"%char then Some (C :: s) else None
    | None => None
    end
  end.

Definition is_some {A} (o : option A) : bool := match o with Some _ => true | None => false end.

(** One writes [kernel "LLCLL"]. With a text that is no kernel this is a type error, since [eq_refl] is then no proof. *)
Definition kernel_of (t : String.string) (ok : is_some (read_kernel t) = true) : string :=
  match read_kernel t as o return is_some o = true -> string with
  | Some s => fun _ => s
  | None => fun bad => match Bool.diff_false_true bad with end
  end ok.

Notation kernel t := (kernel_of t eq_refl) (only parsing).

(** A group: a kernel and its number of warps. Warps are numbered from 0, group by group. *)
Notation group := (string * N)%type.

Definition expand (gs : list group) : state := flat_map (fun g => repeat (fst g) (N.to_nat (snd g))) gs.

(** sigma_L and sigma_C. *)
Definition units (sL sC : nat) (U : letter) : nat := match U with L => sL | C => sC end.

(** Every unit takes at least one warp a cycle, and no group is empty. *)
Definition well_formed (sL sC : nat) (gs : list group) : bool :=
  (0 <? sL)%nat && (0 <? sC)%nat && forallb (fun g => negb (N.eqb (snd g) 0)) gs.

(** * What a certificate says *)

(** No schedule of the instance takes more than B cycles. *)
Definition bounded (sL sC : nat) (gs : list group) (B : Z) : Prop :=
  forall ms st', run (units sL sC) (expand gs) ms st' -> Z.of_nat (makespan ms) <= B.

(** A complete schedule of the instance takes exactly T cycles. *)
Definition reaches (sL sC : nat) (gs : list group) (T : Z) : Prop :=
  exists ms st', run (units sL sC) (expand gs) ms st' /\ done st' /\ Z.of_nat (makespan ms) = T.

(** No warp of group j, counted from 0, finishes after cycle B in any schedule. Warps are told by their kernel. *)
Definition group_bounded (sL sC : nat) (gs : list group) (j : nat) (B : Z) : Prop :=
  forall g ms st' i, nth_error gs j = Some g -> run (units sL sC) (expand gs) ms st' ->
    (i < length (expand gs))%nat -> nth i (expand gs) [] = fst g -> Z.of_nat (finish i ms) <= B.

(** * Computing on groups *)

Definition zlength (s : string) : Z := fold_left (fun n _ => n + 1) s 0.

Lemma zlength_spec s : zlength s = Z.of_nat (length s).
Proof.
  unfold zlength. cut (forall n, fold_left (fun n (_ : letter) => n + 1) s n = n + Z.of_nat (length s)).
  { intros H. apply H. }
  induction s as [|X s IH]; intros n; cbn [fold_left length]; [lia|]. rewrite IH. lia.
Qed.

Definition warps (gs : list group) : Z := fold_right (fun g t => Z.of_N (snd g) + t) 0 gs.

Definition most_changes (gs : list group) : nat := fold_right (fun g n => max (changes (fst g)) n) O gs.

Lemma warps_expand gs : warps gs = Z.of_nat (length (expand gs)).
Proof.
  induction gs as [|[s n] gs IH]; [reflexivity|]. cbn [warps fold_right expand flat_map fst snd] in *.
  fold (warps gs). fold (expand gs). rewrite app_length, repeat_length, IH. lia.
Qed.

Lemma most_changes_le g gs : In g gs -> (changes (fst g) <= most_changes gs)%nat.
Proof.
  induction gs as [|g' gs IH]; [easy|]. cbn [most_changes fold_right]. fold (most_changes gs).
  intros [->|H]; [lia|]. specialize (IH H). lia.
Qed.

Lemma in_expand i gs : (i < length (expand gs))%nat ->
  exists g, In g gs /\ nth i (expand gs) [] = fst g.
Proof.
  intros Hi. pose proof (nth_In _ [] Hi) as H. unfold expand in H at 2. apply in_flat_map in H.
  destruct H as (g & Hg & H). apply repeat_spec in H. eauto.
Qed.

Definition zcount (U : letter) (s : string) : Z :=
  fold_right (fun V n => if eqb U V then 1 + n else n) 0 s.

Definition ztotal (U : letter) (gs : list group) : Z :=
  fold_right (fun g t => Z.of_N (snd g) * zcount U (fst g) + t) 0 gs.

Lemma zcount_spec U s : zcount U s = Z.of_nat (count U s).
Proof.
  induction s as [|V s IH]; [reflexivity|]. cbn [zcount fold_right]. fold (zcount U s). rewrite IH.
  unfold count. cbn [filter]. destruct (eqb U V); cbn [length]; lia.
Qed.

Lemma ztotal_spec U gs : ztotal U gs = Z.of_nat (total U (expand gs)).
Proof.
  induction gs as [|[s n] gs IH]; [reflexivity|]. cbn [ztotal fold_right expand flat_map fst snd].
  fold (ztotal U gs). fold (expand gs). rewrite IH, zcount_spec.
  rewrite <- (N2Nat.id n) at 1. rewrite nat_N_Z. clear IH.
  induction (N.to_nat n) as [|j IHj]; [cbn [repeat app]; lia|]. cbn [repeat app total]. lia.
Qed.

Lemma total_others U st i : (i < length st)%nat ->
  (total U (others i st) + count U (nth i st []) = total U st)%nat.
Proof.
  revert i; induction st as [|s st IH]; intros i Hi; cbn [length] in *; [lia|].
  destruct i as [|i]; cbn [others total nth]; [lia|]. specialize (IH i ltac:(lia)). lia.
Qed.

