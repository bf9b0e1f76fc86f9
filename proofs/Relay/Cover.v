(** The cover lemma of docs/relay.md, section 4: if weights of blocks add up to R or more in each cycle, where each block is
    present in consecutive cycles, then some of the blocks cover all cycles whose costs add up to at most 1/R of the weighted
    costs of all. It speaks of numbers only. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Phase Require Import Earnings.
Local Open Scope Z_scope.

Section Cover.
(** [here k t]: block k is present in cycle t. *)
Variables (blocks : nat) (here : nat -> nat -> bool) (cost weight : nat -> Z) (R : Z).
Hypothesis cost_pos : forall k, 0 <= cost k.
Hypothesis consecutive : forall k s t u, (s <= t <= u)%nat -> here k s = true -> here k u = true -> here k t = true.

(** The sum over the blocks of f. *)
Definition over (f : nat -> Z) : Z := sumZ (map f (seq 0 blocks)).
Definition total_cost (F : nat -> bool) : Z := over (fun k => if F k then cost k else 0).
Definition covers (F : nat -> bool) (n : nat) : Prop :=
  forall t, (t < n)%nat -> exists k, (k < blocks)%nat /\ F k = true /\ here k t = true.

Lemma over_le f g : (forall k, (k < blocks)%nat -> f k <= g k) -> over f <= over g.
Proof.
  unfold over. intros H. assert (forall l, (forall k, In k l -> (k < blocks)%nat) -> sumZ (map f l) <= sumZ (map g l)) as HL.
  { induction l as [|k l IH]; intros Hl; cbn [map sumZ]; [lia|]. specialize (H k (Hl k (or_introl eq_refl))).
    specialize (IH ltac:(intros; apply Hl; now right)). lia. }
  apply HL. intros k Hk. apply in_seq in Hk. lia.
Qed.

Lemma over_add f g : over (fun k => f k + g k) = over f + over g.
Proof. unfold over. induction (seq 0 blocks) as [|k l IH]; cbn [map sumZ]; lia. Qed.

Lemma over_scale a f : over (fun k => a * f k) = a * over f.
Proof. unfold over. induction (seq 0 blocks) as [|k l IH]; cbn [map sumZ]; lia. Qed.

(** One block more. *)
Definition with_block (k : nat) (F : nat -> bool) : nat -> bool := fun j => (j =? k)%nat || F j.

Lemma with_cost k F : total_cost (with_block k F) <= total_cost F + cost k.
Proof.
  unfold total_cost, over, with_block.
  enough (forall l, NoDup l -> sumZ (map (fun j => if (j =? k)%nat || F j then cost j else 0) l)
    <= sumZ (map (fun j => if F j then cost j else 0) l) + (if in_dec Nat.eq_dec k l then cost k else 0)) as H.
  { specialize (H _ (seq_NoDup blocks 0)). pose proof (cost_pos k). destruct (in_dec Nat.eq_dec k (seq 0 blocks)); lia. }
  induction 1 as [|j l Hj Hn IH]; cbn [map sumZ]; [destruct (in_dec Nat.eq_dec k []) as [[]|]; lia|].
  pose proof (cost_pos j). pose proof (cost_pos k).
  destruct (in_dec Nat.eq_dec k (j :: l)) as [Hi|Hi], (in_dec Nat.eq_dec k l) as [Hi'|Hi'];
    destruct (Nat.eqb_spec j k) as [->|Hne]; cbn [orb]; try tauto;
    try (destruct (F j); lia); try (destruct (F k); lia).
  - elim Hi. now right.
  - elim Hi. now left.
Qed.

(** The cheapest cover of the first n cycles, if there is any. *)
Lemma cheapest n : (forall t, (t < n)%nat -> exists k, (k < blocks)%nat /\ here k t = true) ->
  exists F, covers F n /\ forall G, covers G n -> total_cost F <= total_cost G.
Proof.
  intros H. assert (covers (fun _ => true) n) as H0 by (intros t Ht; destruct (H t Ht) as (k & H1 & H2); eauto).
  assert (forall F, 0 <= total_cost F) as Hp.
  { intros F. unfold total_cost, over. induction (seq 0 blocks) as [|k l IH]; cbn [map sumZ]; [lia|].
    pose proof (cost_pos k). destruct (F k); lia. }
  (* F is told by the list of its values *)
  set (of_list := fun l : list bool => fun k => nth k l false).
  assert (forall F G, (forall k, (k < blocks)%nat -> F k = G k) -> total_cost F = total_cost G) as Hext.
  { intros F G E. unfold total_cost. apply Z.le_antisymm; apply over_le; intros k Hk; rewrite (E k Hk); lia. }
  assert (forall F, exists l, length l = blocks /\ forall k, (k < blocks)%nat -> of_list l k = F k) as Hlist.
  { intros F. exists (map F (seq 0 blocks)). rewrite map_length, seq_length. split; [reflexivity|]. intros k Hk.
    unfold of_list. rewrite (nth_indep _ false (F O)) by (rewrite map_length, seq_length; lia).
    rewrite map_nth, seq_nth by assumption. reflexivity. }
  assert (forall (ls : list (list bool)) F, covers F n -> exists F', covers F' n /\ total_cost F' <= total_cost F /\
     forall l, In l ls -> covers (of_list l) n -> total_cost F' <= total_cost (of_list l)) as HM.
  { intros ls. induction ls as [|l ls IH]; intros F HF; [exists F; repeat split; [assumption|lia|easy]|].
    destruct (IH F HF) as (F' & H1 & H2 & H3).
    assert (covers (of_list l) n \/ ~ covers (of_list l) n) as [Hc|Hc].
    { clear. unfold covers. induction n as [|n IH]; [left; lia|]. destruct IH as [IH|IH].
      - assert ((exists k, (k < blocks)%nat /\ of_list l k = true /\ here k n = true) \/
          ~ (exists k, (k < blocks)%nat /\ of_list l k = true /\ here k n = true)) as [Hk|Hk].
        { clear. induction blocks as [|b [(k & H1 & H2)|IH]]; [right; intros (k & Hk & _); lia|left; exists k; split; [lia|assumption]|].
          destruct (of_list l b) eqn:E1, (here b n) eqn:E2; [left; exists b; split; [lia|now split]|..];
            right; intros (k & Hk & K1 & K2); (destruct (Nat.eq_dec k b) as [->|]; [congruence|]); apply IH; exists k;
            (split; [lia|now split]). }
        + left. intros t Ht. destruct (Nat.eq_dec t n) as [->|]; [assumption|]. apply IH. lia.
        + right. intros Ha. apply Hk, Ha. lia.
      - right. intros Ha. apply IH. intros t Ht. apply Ha. lia. }
    - destruct (Z.le_gt_cases (total_cost F') (total_cost (of_list l))) as [Hle|Hgt].
      + exists F'. repeat split; [assumption|assumption|]. intros l' [<-|Hl]; auto.
      + exists (of_list l). repeat split; [assumption|lia|]. intros l' [<-|Hl] Hcl; [lia|]. specialize (H3 l' Hl Hcl). lia.
    - exists F'. repeat split; [assumption|assumption|]. intros l' [<-|Hl] Hcl; [easy|]. auto. }
  set (all := fix all (m : nat) : list (list bool) :=
    match m with O => [[]] | S m => map (cons true) (all m) ++ map (cons false) (all m) end).
  assert (forall m l, length l = m -> In l (all m)) as Hall.
  { induction m as [|m IHm]; intros [|b l] E; cbn [length] in *; try lia; cbn [all]; [now left|].
    apply in_or_app. destruct b; [left|right]; apply in_map, IHm; lia. }
  destruct (HM (all blocks) _ H0) as (F' & H1 & _ & H3). exists F'. split; [assumption|]. intros G HG.
  destruct (Hlist G) as (l & Hl & E). rewrite <- (Hext _ _ E). apply H3; [now apply Hall|].
  intros t Ht. destruct (HG t Ht) as (k & K1 & K2 & K3). exists k. split; [assumption|]. split; [now rewrite E|assumption].
Qed.

(** The cover lemma. *)
Theorem cover n : 0 < R -> (forall k, 0 <= weight k) ->
  (forall t, (t < n)%nat -> R <= over (fun k => if here k t then weight k else 0)) ->
  exists F, covers F n /\ R * total_cost F <= over (fun k => weight k * cost k).
Proof.
  intros HR Hw H.
  assert (forall t, (t < n)%nat -> exists k, (k < blocks)%nat /\ here k t = true) as Hsome.
  { intros t Ht. specialize (H t Ht). unfold over in H.
    assert (forall l, (forall k, In k l -> (k < blocks)%nat) -> 0 < sumZ (map (fun k => if here k t then weight k else 0) l) ->
      exists k, (k < blocks)%nat /\ here k t = true) as HL.
    { induction l as [|k l IH]; intros Hl Hs; cbn [map sumZ] in Hs; [lia|]. destruct (here k t) eqn:E.
      - exists k. split; [apply Hl; now left|assumption].
      - apply IH; [intros; apply Hl; now right|lia]. }
    apply (HL (seq 0 blocks)); [|lia]. intros k Hk. apply in_seq in Hk. lia. }
  (* D t: what the cheapest cover of t cycles costs *)
  assert (exists D, (exists F, covers F n /\ total_cost F = D n) /\ D O = 0 /\
    (forall t, (t < n)%nat -> D t <= D (S t)) /\
    (forall k s e, (k < blocks)%nat -> (s <= e <= n)%nat -> (forall t, (s <= t < e)%nat -> here k t = true) ->
      D e <= D s + cost k)) as (D & (F & HF & EF) & D0 & Dup & Dk).
  { assert (exists D, forall t, (t <= n)%nat -> exists F, covers F t /\ total_cost F = D t /\
      forall G, covers G t -> total_cost F <= total_cost G) as [D HD].
    { clear - cost_pos Hsome. induction n as [|n IH].
      - destruct (cheapest 0 ltac:(intros; lia)) as (F & H1 & H2). exists (fun _ => total_cost F). intros t Ht.
        replace t with O by lia. exists F. auto.
      - destruct (IH ltac:(intros; apply Hsome; lia)) as [D HD]. destruct (cheapest (S n) Hsome) as (F & H1 & H2).
        exists (fun t => if (t =? S n)%nat then total_cost F else D t). intros t Ht.
        destruct (Nat.eqb_spec t (S n)) as [->|]; [exists F; auto|]. apply HD. lia. }
    exists D. split; [|split; [|split]].
    - destruct (HD n ltac:(lia)) as (F & H1 & H2 & _). eauto.
    - destruct (HD O ltac:(lia)) as (F & H1 & H2 & H3). rewrite <- H2.
      assert (covers (fun _ => false) O) as Hc by (intros t Ht; lia). specialize (H3 _ Hc).
      assert (total_cost (fun _ => false) = 0) as E0.
      { unfold total_cost, over. induction (seq 0 blocks) as [|k l IH]; cbn [map sumZ]; lia. }
      assert (0 <= total_cost F).
      { unfold total_cost, over. induction (seq 0 blocks) as [|k l IH]; cbn [map sumZ]; [lia|].
        pose proof (cost_pos k). destruct (F k); lia. }
      lia.
    - intros t Ht. destruct (HD t ltac:(lia)) as (F & _ & <- & H3). destruct (HD (S t) ltac:(lia)) as (G & G1 & <- & _).
      apply H3. intros u Hu. apply G1. lia.
    - intros k s e Hk He Hh. destruct (HD s ltac:(lia)) as (F & F1 & <- & _). destruct (HD e ltac:(lia)) as (G & _ & <- & G3).
      pose proof (with_cost k F). enough (total_cost G <= total_cost (with_block k F)) by lia. apply G3.
      intros t Ht. destruct (Nat.lt_ge_cases t s) as [Hlt|Hge].
      + destruct (F1 t Hlt) as (j & J1 & J2 & J3). exists j. unfold with_block. rewrite J2, orb_true_r. auto.
      + exists k. unfold with_block. rewrite Nat.eqb_refl. auto. }
  (* what D rises by while block k is present *)
  set (rise := fix rise (k m : nat) : Z :=
    match m with O => 0 | S m => rise k m + if here k m then D (S m) - D m else 0 end).
  assert (forall k, (k < blocks)%nat -> forall m, (m <= n)%nat ->
    ((forall t, (t < m)%nat -> here k t = false) /\ rise k m = 0) \/
    exists s e, (s < e <= m)%nat /\ (forall t, (s <= t < e)%nat -> here k t = true) /\
      (forall t, (e <= t < m)%nat -> here k t = false) /\ rise k m = D e - D s) as Hrise.
  { intros k Hk. induction m as [|m IH]; intros Hm; [left; split; [lia|reflexivity]|].
    cbn [rise]. destruct (IH ltac:(lia)) as [[H1 H2]|(s & e & H1 & H2 & H3 & H4)]; destruct (here k m) eqn:E.
    - right. exists m, (S m). split; [lia|]. split; [intros t Ht; now replace t with m by lia|]. split; [intros; lia|lia].
    - left. split; [|lia]. intros t Ht. destruct (Nat.eq_dec t m) as [->|]; [assumption|]. apply H1. lia.
    - destruct (Nat.eq_dec e m) as [->|Hne].
      + right. exists s, (S m). split; [lia|]. split; [|split; [intros; lia|lia]]. intros t Ht.
        destruct (Nat.eq_dec t m) as [->|]; [assumption|]. apply H2. lia.
      + exfalso. pose proof (H3 e ltac:(lia)) as He.
        rewrite (consecutive k s e m ltac:(lia) (H2 s ltac:(lia)) E) in He. discriminate.
    - right. exists s, e. split; [lia|]. split; [assumption|]. split; [|lia]. intros t Ht.
      destruct (Nat.eq_dec t m) as [->|]; [assumption|]. apply H3. lia. }
  assert (forall k, (k < blocks)%nat -> rise k n <= cost k) as Hcost.
  { intros k Hk. destruct (Hrise k Hk n ltac:(lia)) as [[_ ->]|(s & e & H1 & H2 & _ & ->)]; [apply cost_pos|].
    pose proof (Dk k s e Hk ltac:(lia) H2). lia. }
  assert (forall m, (m <= n)%nat -> R * D m <= over (fun k => weight k * rise k m)) as HD.
  { induction m as [|m IH]; intros Hm.
    - rewrite D0. cbn [rise]. unfold over. induction (seq 0 blocks) as [|k l IH]; cbn [map sumZ]; lia.
    - specialize (IH ltac:(lia)). specialize (H m ltac:(lia)). pose proof (Dup m ltac:(lia)).
      assert (over (fun k => weight k * rise k (S m)) =
        over (fun k => weight k * rise k m) + (D (S m) - D m) * over (fun k => if here k m then weight k else 0)) as E.
      { rewrite <- over_scale, <- over_add. unfold over. f_equal. apply map_ext. intros k. cbn [rise].
        destruct (here k m); lia. }
      rewrite E. nia. }
  exists F. split; [assumption|]. rewrite EF. specialize (HD n ltac:(lia)).
  pose proof (over_le (fun k => weight k * rise k n) (fun k => weight k * cost k)) as HO.
  specialize (HO ltac:(intros k Hk; cbv beta; specialize (Hcost k Hk); specialize (Hw k); nia)). lia.
Qed.
End Cover.
