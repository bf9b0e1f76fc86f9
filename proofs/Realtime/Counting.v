(** Sums over lists, times that are counted, and how many points fit into a window if they keep a distance. *)
From Coq Require Import List Arith ZArith Lia Bool FinFun.
Import ListNotations.
From Warpspan.Realtime Require Import Launches.
Local Open Scope Z_scope.

(** * Sums *)
Section Sums.
Context {A : Type}.
Implicit Types (f g : A -> Z) (l : list A).

Lemma sum_le f g l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|x l IH]; intros H; cbn [sum fold_right]; [lia|].
  pose proof (H x (or_introl eq_refl)). specialize (IH (fun y Hy => H y (or_intror Hy))). unfold sum in IH. lia.
Qed.

Lemma sum_lt f g l x : (forall x, In x l -> f x <= g x) -> In x l -> f x < g x -> sum f l < sum g l.
Proof.
  induction l as [|y l IH]; intros H Hx Hlt; [elim Hx|]. cbn [sum fold_right].
  pose proof (H y (or_introl eq_refl)) as Hy.
  pose proof (sum_le f g l (fun z Hz => H z (or_intror Hz))) as Hl. destruct Hx as [->|Hx].
  - unfold sum in Hl. lia.
  - specialize (IH (fun z Hz => H z (or_intror Hz)) Hx Hlt). unfold sum in IH. lia.
Qed.

Lemma sum_ext f g l : (forall x, In x l -> f x = g x) -> sum f l = sum g l.
Proof. intros H. apply Z.le_antisymm; apply sum_le; intros x Hx; rewrite (H x Hx); lia. Qed.

Lemma sum_zero l : sum (fun _ => 0) l = 0.
Proof. induction l as [|x l IH]; [reflexivity|]. exact IH. Qed.

Lemma sum_none f l : (forall x, In x l -> f x = 0) -> sum f l = 0.
Proof. intros H. transitivity (sum (fun _ => 0) l); [now apply sum_ext|apply sum_zero]. Qed.

Lemma sum_pos f l : (forall x, In x l -> 0 <= f x) -> 0 <= sum f l.
Proof. intros H. rewrite <- (sum_zero l). now apply sum_le. Qed.

Lemma sum_one f l x : (forall x, In x l -> 0 <= f x) -> In x l -> f x <= sum f l.
Proof.
  induction l as [|y l IH]; intros H Hx; [elim Hx|]. cbn [sum fold_right].
  pose proof (sum_pos f l (fun z Hz => H z (or_intror Hz))) as Hl. unfold sum in Hl. destruct Hx as [->|Hx]; [lia|].
  specialize (IH (fun z Hz => H z (or_intror Hz)) Hx). pose proof (H y (or_introl eq_refl)). unfold sum in IH. lia.
Qed.

Lemma sum_plus f g l : sum (fun x => f x + g x) l = sum f l + sum g l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [sum fold_right]. unfold sum in IH. lia. Qed.

Lemma sum_app f l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l as [|x l IH]; [reflexivity|].
  change (f x + sum f (l ++ m) = f x + sum f l + sum f m). lia. Qed.

Lemma sum_scale c f l : sum (fun x => c * f x) l = c * sum f l.
Proof. induction l as [|x l IH]; cbn [sum fold_right]; [lia|]. unfold sum in IH. lia. Qed.

Lemma sum_const c l : sum (fun _ => c) l = c * Z.of_nat (length l).
Proof. induction l as [|x l IH]; cbn [sum fold_right length]; [lia|]. unfold sum in IH. lia. Qed.

Lemma sum_if (p : A -> bool) f l : sum (fun x => if p x then f x else 0) l = sum f (filter p l).
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [sum fold_right filter]. unfold sum in IH.
  destruct (p x); cbn [fold_right]; unfold sum; lia.
Qed.

Lemma filter_twice (p q : A -> bool) l : filter q (filter p l) = filter (fun x => p x && q x) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [filter]. destruct (p x); cbn [andb filter]; [destruct (q x)|]; now rewrite IH. Qed.

(** Of at most one element, so of no more than the largest. *)
Lemma sum_single f l m : NoDup l -> 0 <= m -> (forall x, In x l -> f x <= m) ->
  (forall x y, In x l -> In y l -> f x <> 0 -> f y <> 0 -> x = y) -> sum f l <= m.
Proof.
  induction l as [|x l IH]; intros Hd Hm Hf Hs; cbn [sum fold_right]; [lia|].
  inversion Hd; subst. pose proof (Hf x (or_introl eq_refl)) as Hx. destruct (Z.eq_dec (f x) 0) as [E|E].
  - specialize (IH H2 Hm (fun y Hy => Hf y (or_intror Hy)) (fun y z Hy Hz => Hs y z (or_intror Hy) (or_intror Hz))).
    unfold sum in IH. lia.
  - enough (fold_right (fun x rest => f x + rest) 0 l = 0) by lia. change (sum f l = 0).
    rewrite <- (sum_zero l). apply sum_ext. intros y Hy. destruct (Z.eq_dec (f y) 0) as [E'|E']; [assumption|].
    elim H1. rewrite (Hs x y (or_introl eq_refl) (or_intror Hy) E E'). exact Hy.
Qed.
End Sums.

Lemma sum_at (l : list nat) x c : NoDup l -> In x l -> sum (fun y => if (y =? x)%nat then c else 0) l = c.
Proof.
  induction l as [|y l IH]; intros Hd Hin; [elim Hin|]. inversion Hd; subst. cbn [sum fold_right].
  change (fold_right (fun y rest => (if (y =? x)%nat then c else 0) + rest) 0 l) with (sum (fun y => if (y =? x)%nat then c else 0) l).
  destruct (Nat.eqb_spec y x) as [->|Hne].
  - rewrite (sum_none _ l); [lia|]. intros y Hy. destruct (Nat.eqb_spec y x) as [->|]; [contradiction|reflexivity].
  - destruct Hin as [Hin|Hin]; [contradiction|]. now rewrite IH.
Qed.

Lemma sum_swap {A B} (f : A -> B -> Z) l m : sum (fun x => sum (f x) m) l = sum (fun y => sum (fun x => f x y) l) m.
Proof.
  induction l as [|x l IH]; [symmetry; exact (sum_zero m)|].
  change (sum (f x) m + sum (fun x => sum (f x) m) l = sum (fun y => f x y + sum (fun x => f x y) l) m).
  rewrite IH. symmetry. apply sum_plus.
Qed.

(** Sorted by kind. *)
Lemma by_kind {A} (kind : A -> nat) (f : A -> Z) l K : (forall x, In x l -> (kind x < K)%nat) ->
  sum f l = sum (fun j => sum f (filter (fun x => (kind x =? j)%nat) l)) (seq 0 K).
Proof.
  intros H. transitivity (sum (fun j => sum (fun x => if (kind x =? j)%nat then f x else 0) l) (seq 0 K)).
  2: { apply sum_ext. intros j _. apply sum_if. }
  rewrite (sum_swap (fun j x => if (kind x =? j)%nat then f x else 0)). apply sum_ext. intros x Hx. specialize (H x Hx).
  assert (forall m a, (a <= kind x < a + m)%nat -> sum (fun j => if (kind x =? j)%nat then f x else 0) (seq a m) = f x) as E.
  { induction m as [|m IH]; intros a Ha; [lia|].
    change (sum (fun j => if (kind x =? j)%nat then f x else 0) (seq a (S m))) with
      ((if (kind x =? a)%nat then f x else 0) + sum (fun j => if (kind x =? j)%nat then f x else 0) (seq (S a) m)).
    destruct (Nat.eqb_spec (kind x) a) as [E|E]; [|rewrite IH; lia].
    assert (sum (fun j => if (kind x =? j)%nat then f x else 0) (seq (S a) m) = 0) as ->; [|lia].
    transitivity (sum (fun _ => 0) (seq (S a) m)); [|apply sum_zero]. apply sum_ext. intros j Hj. apply in_seq in Hj.
    destruct (Nat.eqb_spec (kind x) j); [lia|reflexivity]. }
  rewrite E; [reflexivity|lia].
Qed.

(** * Times *)

(** The times from r on, so many of them. *)
Definition times (r : Z) (m : nat) : list Z := map (fun i => r + Z.of_nat i) (seq 0 m).

Lemma in_times r m t : In t (times r m) <-> r <= t < r + Z.of_nat m.
Proof.
  unfold times. rewrite in_map_iff. split.
  - intros (i & <- & Hi). apply in_seq in Hi. lia.
  - intros H. exists (Z.to_nat (t - r)). split; [lia|]. apply in_seq. lia.
Qed.

Lemma times_length r m : length (times r m) = m.
Proof. unfold times. now rewrite map_length, seq_length. Qed.

Lemma times_NoDup r m : NoDup (times r m).
Proof. unfold times. apply Injective_map_NoDup; [intros i j; lia|apply seq_NoDup]. Qed.

(** How many times of a list lie in an interval. *)
Lemma within (l : list Z) a b : NoDup l -> a <= b -> sum (fun t => if (a <=? t) && (t <? b) then 1 else 0) l <= b - a.
Proof.
  intros Hd Hab. rewrite sum_if, sum_const.
  assert (length (filter (fun t => ((a <=? t) && (t <? b))%Z) l) <= length (times a (Z.to_nat (b - a)%Z)))%nat as H.
  { apply NoDup_incl_length; [now apply NoDup_filter|]. intros t Ht. apply filter_In in Ht. destruct Ht as [_ Ht].
    apply andb_prop in Ht. apply in_times. lia. }
  rewrite times_length in H. lia.
Qed.

(** * Points that keep a distance *)
Lemma spaced {A} (x : A -> Z) (l : list A) D a b : NoDup l -> 0 < D -> (forall i, In i l -> a <= x i <= b) ->
  (forall i j, In i l -> In j l -> i <> j -> D <= Z.abs (x i - x j)) -> a <= b -> Z.of_nat (length l) <= (b - a) / D + 1.
Proof.
  intros Hd HD Hin Hap Hab. set (slot := fun i => (x i - a) / D).
  assert (NoDup (map slot l)) as Hs.
  { clear Hab. induction l as [|i l IH]; [constructor|]. inversion Hd; subst. cbn [map]. constructor.
    - intros Hi. apply in_map_iff in Hi. destruct Hi as (j & E & Hj). unfold slot in E.
      assert (i <> j) as Hne by congruence.
      pose proof (Hap i j (or_introl eq_refl) (or_intror Hj) Hne).
      pose proof (Z.div_mod (x i - a) D ltac:(lia)). pose proof (Z.div_mod (x j - a) D ltac:(lia)).
      pose proof (Z.mod_pos_bound (x i - a) D HD). pose proof (Z.mod_pos_bound (x j - a) D HD). rewrite E in *. nia.
    - apply IH; auto; intros; [apply Hin|apply Hap]; try assumption; now right. }
  assert (length (map slot l) <= length (times 0%Z (Z.to_nat ((b - a) / D + 1)%Z)))%nat as H.
  { apply NoDup_incl_length; [assumption|]. intros v Hv. apply in_map_iff in Hv. destruct Hv as (i & <- & Hi).
    specialize (Hin i Hi). apply in_times. unfold slot. pose proof (Z.div_pos (x i - a) D ltac:(lia) HD).
    assert ((x i - a) / D <= (b - a) / D) by (apply Z.div_le_mono; lia). lia. }
  rewrite map_length, times_length in H. pose proof (Z.div_pos (b - a) D ltac:(lia) HD). lia.
Qed.
