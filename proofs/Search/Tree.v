(** Sets of states with a time for each, as trees. A state is a list of counts: how many warps are at each place. The path
    to it goes through [one] for each warp at the place, then through [next] to the next place. States that begin alike
    share their path, and a state is found once, with its latest time, whatever led to it. *)
From Coq Require Import List Arith NArith Lia.
Import ListNotations.

(** The time 0 says that the state is not there. *)
Inductive tree : Set := Leaf | Node (time : N) (one next : tree).

Fixpoint find (m : tree) (cs : list nat) : N :=
  match m, cs with
  | Leaf, _ => 0%N
  | Node v _ _, [] => v
  | Node _ _ x, O :: cs => find x cs
  | Node _ o _, S n :: cs => find o (n :: cs)
  end.

(** * Ways through a tree

    A way changes a tree below a point. All the ways used here add states or make times later, see [within]. *)

(** The state whose path ends here, at time v. *)
Definition put (v : N) (m : tree) : tree :=
  match m with Leaf => Node v Leaf Leaf | Node v' o x => Node (N.max v v') o x end.

(** To the next place. *)
Definition next (f : tree -> tree) (m : tree) : tree :=
  match m with Leaf => Node 0 Leaf (f Leaf) | Node v o x => Node v o (f x) end.

(** Past j warps. *)
Fixpoint past (j : nat) (f : tree -> tree) (m : tree) : tree :=
  match j with
  | O => f m
  | S j => match m with Leaf => Node 0 (past j f Leaf) Leaf | Node v o x => Node v (past j f o) x end
  end.

(** Past 0, 1, .., d warps and to the next place, all of these; [f (k - j)] goes on after j warps. *)
Fixpoint choices (d : nat) (f : nat -> tree -> tree) (k : nat) (m : tree) : tree :=
  match m with
  | Leaf => Node 0 (match d with O => Leaf | S d => choices d f (pred k) Leaf end) (f k Leaf)
  | Node v o x => Node v (match d with O => o | S d => choices d f (pred k) o end) (f k x)
  end.

(** One state. *)
Fixpoint single (v : N) (cs : list nat) : tree :=
  match cs with
  | [] => Node v Leaf Leaf
  | n :: cs => past n (fun _ => Node 0 Leaf (single v cs)) Leaf
  end.

(** * Nothing gets lost *)

Definition within (m m' : tree) : Prop := forall cs, (find m cs <= find m' cs)%N.

Lemma within_refl m : within m m.
Proof. intros cs. lia. Qed.

Lemma within_leaf m : within Leaf m.
Proof. intros cs. cbn. lia. Qed.

Lemma within_node v v' o o' x x' : (v <= v')%N -> within o o' -> within x x' ->
  within (Node v o x) (Node v' o' x').
Proof. intros Hv Ho Hx [|[|n] cs]; cbn [find]; auto. Qed.

Lemma put_within v m : within m (put v m).
Proof. destruct m as [|v' o x]; [apply within_leaf|]. apply within_node; auto using within_refl. lia. Qed.

Lemma next_within f : (forall m, within m (f m)) -> forall m, within m (next f m).
Proof.
  intros Hf [|v o x]; [apply within_leaf|]. apply within_node; auto using within_refl, N.le_refl.
Qed.

Lemma past_within f : (forall m, within m (f m)) -> forall j m, within m (past j f m).
Proof.
  intros Hf. induction j as [|j IH]; intros m; cbn [past]; [apply Hf|].
  destruct m; [apply within_leaf|]. apply within_node; auto using within_refl, N.le_refl.
Qed.

Lemma choices_within f : (forall k m, within m (f k m)) -> forall d k m, within m (choices d f k m).
Proof.
  intros Hf. induction d as [|d IH]; intros k [|v o x]; cbn [choices];
    auto using within_leaf, within_refl, within_node, N.le_refl.
Qed.

(** * What was put is there *)

Lemma put_find v m : (v <= find (put v m) [])%N.
Proof. destruct m; cbn; lia. Qed.

Lemma next_find f v cs : (forall m, (v <= find (f m) cs)%N) -> forall m, (v <= find (next f m) (O :: cs))%N.
Proof. intros Hf [|v' o x]; cbn [next find]; apply Hf. Qed.

Lemma past_find f v n cs : (forall m, (v <= find (f m) (n :: cs))%N) ->
  forall j m, (v <= find (past j f m) ((j + n)%nat :: cs))%N.
Proof. intros Hf. induction j as [|j IH]; intros m; cbn; [apply Hf|]. destruct m; cbn; apply IH. Qed.

Lemma choices_find f v cs : forall j d k m, j <= d -> (forall m, (v <= find (f (k - j)%nat m) cs)%N) ->
  (v <= find (choices d f k m) (j :: cs))%N.
Proof.
  induction j as [|j IH]; intros d k m Hj Hf.
  - rewrite Nat.sub_0_r in Hf. destruct d, m; cbn; apply Hf.
  - destruct d as [|d]; [lia|]. destruct m; cbn [choices find]; apply IH; try lia;
      intros m'; replace (pred k - j) with (k - S j) by lia; apply Hf.
Qed.

Lemma single_find v cs : (v <= find (single v cs) cs)%N.
Proof.
  induction cs as [|n cs IH]; cbn [single]; [cbn; lia|].
  pose proof (past_find (fun _ => Node 0 Leaf (single v cs)) v 0 cs (fun _ => IH) n Leaf) as H.
  now rewrite Nat.add_0_r in H.
Qed.

(** * Several trees: change the i-th *)

Fixpoint change (i : nat) (f : tree -> tree) (ms : list tree) : list tree :=
  match i, ms with
  | O, [] => [f Leaf]
  | O, m :: ms => f m :: ms
  | S i, [] => Leaf :: change i f []
  | S i, m :: ms => m :: change i f ms
  end.

Lemma change_within f : (forall m, within m (f m)) ->
  forall i ms j, within (nth j ms Leaf) (nth j (change i f ms) Leaf).
Proof.
  intros Hf. induction i as [|i IH]; intros [|m ms] [|j]; cbn [change nth];
    auto using within_leaf, within_refl.
Qed.

Lemma change_find f v cs : (forall m, (v <= find (f m) cs)%N) ->
  forall i ms, (v <= find (nth i (change i f ms) Leaf) cs)%N.
Proof. intros Hf. induction i as [|i IH]; intros [|m ms]; cbn [change nth]; auto. Qed.
