(** Programs whose warps all take the same path, at sigma 1: the worst case over the paths is exact, in one pass over the
    program. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Semantics Facts.
From Warpspan.Exact Require Blocks Schedule.
From Warpspan.Machine Require Import CP.
From Warpspan.Latency Require Import TakenLetters.
From Warpspan.Programs Require Import Composition TakenLettersPaths.
Local Open Scope Z_scope.

(** * Paths that all warps share, at sigma 1: exact *)

Definition num (U : Semantics.letter) : nat := match U with Semantics.L => 0 | Semantics.C => 1 end.

Notation best1 := (best (fun _ => false) (fun _ => 1) 0).

Lemma best1_blocks s : forall X l ls, Blocks.blocks (X :: s) = l :: ls ->
  best1 (map num (X :: s)) = Z.of_nat (Blocks.ceil2 l + Facts.sum (map Blocks.ceil2 ls)) /\
  best1 (map num s) = Z.of_nat (l / 2 + Facts.sum (map Blocks.ceil2 ls)).
Proof.
  induction s as [|U s IH]; intros X l ls E.
  - injection E as <- <-. split; reflexivity.
  - destruct (Blocks.blocks_cons U s) as (l' & ls' & E'). destruct (IH U _ _ E') as [I1 I2].
    cbn [map] in *. rewrite best_cons by reflexivity.
    change (Blocks.blocks (X :: U :: s)) with
      (match Blocks.blocks (U :: s) with
       | l :: ls => if Semantics.wants (Semantics.other X) (U :: s) then (S l :: ls)%nat else (1 :: l :: ls)%nat
       | [] => [1%nat] end) in E. rewrite E' in E. cbn [Semantics.wants] in E.
    destruct (Facts.letter_cases X U) as [->| ->].
    + destruct (Facts.eqb_other X) as [E1 _]. rewrite E1 in E. injection E as <- <-.
      rewrite R_same, I1. cbn [map Facts.sum]. change (Blocks.ceil2 1) with 1%nat. change (1 / 2)%nat with O. lia.
    + rewrite Facts.eqb_refl in E. injection E as <- <-.
      rewrite R_other by (try reflexivity; now destruct X). rewrite I1, I2, Blocks.ceil2_SS.
      assert (S l' / 2 = Blocks.ceil2 l')%nat as -> by (unfold Blocks.ceil2; f_equal; lia).
      assert (S (S l') / 2 = Blocks.ceil2 (S l'))%nat as -> by (unfold Blocks.ceil2; f_equal; lia).
      assert (Blocks.ceil2 (S l') <= S (Blocks.ceil2 l'))%nat.
      { rewrite <- Blocks.ceil2_SS. unfold Blocks.ceil2. apply Nat.div_le_mono; lia. }
      lia.
Qed.

(** The rate at sigma 1 is that of Exact/Blocks.v, the sum over the alternating blocks of ceil(l/2). *)
Lemma best1_exact s : best1 (map num s) = Z.of_nat (Blocks.a s).
Proof.
  destruct s as [|X s]; [reflexivity|]. destruct (Blocks.blocks_cons X s) as (l & ls & E).
  destruct (best1_blocks s X _ _ E) as [H _]. rewrite H. unfold Blocks.a. now rewrite E.
Qed.

(** Letters a program may use, in the model of Semantics.v: L (0) and C (1). *)
Fixpoint two_units (q : prog) : Prop :=
  match q with
  | Skip => True | Instr u => (u <= 1)%nat
  | Seq q r | If q r => two_units q /\ two_units r | Loop _ q => two_units q
  end.

Definition unnum (u : nat) : Semantics.letter := match u with O => Semantics.L | _ => Semantics.C end.

Lemma path_num q s : two_units q -> path q s -> map num (map unnum s) = s.
Proof.
  intros H P. induction P as [|u|q r s t H1 IH1 H2 IH2|q r s P IH|q r s P IH|n q|n q s t H1 IH1 H2 IH2];
    cbn [two_units] in H; try reflexivity; try tauto.
  - destruct u as [|[|u]]; [reflexivity|reflexivity|lia].
  - rewrite !map_app, IH1, IH2; tauto.
  - rewrite !map_app, IH1, IH2; auto.
Qed.

(** The program's worst case over W warps that all take the same path, at sigma 1: with weights
    (W-1) for a letter taken and 1 for every letter, the gain is the maximum over the paths of the exact
    worst case of the path. *)
Definition program_worst (W : nat) (q : prog) : Z :=
  total_gain (fun _ => false) (fun _ => Z.of_nat (W - 1)) 0 (fun _ => 1) q.

Lemma best_scale k s : 0 <= k -> best (fun _ => false) (fun _ => k) 0 s = k * best1 s.
Proof.
  intros Hk.
  assert (forall c, R (fun _ => false) (fun _ => k) 0 c s = k * R (fun _ => false) (fun _ => 1) 0 c s /\
    best (fun _ => false) (fun _ => k) 0 s = k * best1 s) as H; [|apply (H O)].
  induction s as [|x s IH]; intros c; [split; cbn; lia|].
  assert (best (fun _ => false) (fun _ => k) 0 (x :: s) = k * best1 (x :: s)) as E.
  { rewrite !best_cons by reflexivity. destruct (IH x) as [-> ->]. nia. }
  split; [|assumption]. destruct (Nat.eq_dec x c) as [->|Hx].
  - rewrite !R_same. exact E.
  - rewrite !R_other by auto. destruct (IH c) as [_ ->]. lia.
Qed.

Lemma bonus_one s : bonus (fun _ => 1) s = Z.of_nat (length s).
Proof. unfold bonus. induction s as [|c s IH]; cbn [map sumZ length]; lia. Qed.

Theorem program_exact W q : (3 <= W)%nat -> two_units q ->
  (forall s T, path q s -> Semantics.worst_case Blocks.one (repeat (map unnum s) W) T -> Z.of_nat T <= program_worst W q) /\
  (exists s T, path q s /\ Semantics.worst_case Blocks.one (repeat (map unnum s) W) T /\ Z.of_nat T = program_worst W q).
Proof.
  intros HW Hq.
  destruct (total_gain_max (fun _ => false) (fun _ => Z.of_nat (W - 1)) 0 (fun _ => 1) q) as [H1 H2].
  assert (forall s, path q s -> bonus (fun _ => 1) s + best (fun _ => false) (fun _ => Z.of_nat (W - 1)) 0 s
    = Z.of_nat (length (map unnum s) + (W - 1) * Blocks.a (map unnum s))) as E.
  { intros s Hs. rewrite bonus_one, best_scale, <- (path_num q s Hq Hs) by lia.
    rewrite best1_exact, !map_length. rewrite (path_num q s Hq Hs). lia. }
  split.
  - intros s T Hs [Hup [ms [st' (Hr & _ & <-)]]]. specialize (H1 s Hs). rewrite (E s Hs) in H1.
    pose proof (Blocks.sigma_one_upper (map unnum s) W ms st' Hr). unfold program_worst. lia.
  - destruct H2 as (s & Hs & H2). rewrite (E s Hs) in H2. eexists s, _. split; [assumption|].
    split; [now apply Schedule.exact|exact H2].
Qed.
