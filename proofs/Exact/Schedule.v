(** The lower half of Theorem 2 (docs/closed-form.md, section 4): W - 1 >= 2 warps form the pack and one is the straggler z.
    Their schedule takes I + (W-1) a cycles, which is therefore the worst case. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Potential.
From Warpspan.Exact Require Import Blocks Busy.

(** What is left to the straggler when all others are done. *)
Lemma alone n : forall z, busy (repeat [] n ++ [z]) (length z) (repeat [] n ++ [[]]).
Proof.
  induction z as [|X z IH]; [apply busy_nil|].
  eapply (busy_cons _ (repeat false n ++ [true])).
  - apply (legal_one X).
    + apply able_rep. repeat constructor; discriminate.
    + rewrite issued_rep. cbn. rewrite eqb_refl. reflexivity.
    + right. destruct (eqb_other X) as [E1 E2]. rewrite issued_rep, waiting_rep. cbn. rewrite E1.
      split; [reflexivity|lia].
  - rewrite exists_rep. reflexivity.
  - rewrite after_rep. exact IH.
Qed.

Section Pack.
(** There are n1 + 1 pack warps, and n1 >= 1. *)
Variable n1 : nat.
Hypothesis n1_pos : 0 < n1.

(** All stand on X, z too: the first issues. *)
Lemma cycle_open X s z : wants (other X) z = false ->
  busy (repeat (X :: s) (S n1) ++ [z]) 1 (s :: repeat (X :: s) n1 ++ [z]).
Proof.
  intros Hz. destruct (eqb_other X) as [E1 E2].
  eapply (busy_cons _ (true :: repeat false n1 ++ [false])).
  - apply (legal_one X).
    + constructor; [discriminate|]. apply able_rep. repeat constructor; discriminate.
    + cbn. rewrite issued_rep, eqb_refl. reflexivity.
    + right. cbn. rewrite issued_rep, waiting_rep. cbn. rewrite E1, Hz. split; [reflexivity|lia].
  - reflexivity.
  - cbn. rewrite after_rep. cbn. apply busy_nil.
Qed.

(** All stand on X, z too: z issues. *)
Lemma cycle_walk X s n z :
  busy (repeat (X :: s) n ++ [X :: z]) 1 (repeat (X :: s) n ++ [z]).
Proof.
  destruct (eqb_other X) as [E1 E2].
  eapply (busy_cons _ (repeat false n ++ [true])).
  - apply (legal_one X).
    + apply able_rep. repeat constructor; discriminate.
    + rewrite issued_rep. cbn. rewrite eqb_refl. reflexivity.
    + right. rewrite issued_rep, waiting_rep. cbn. rewrite E1. split; [reflexivity|lia].
  - rewrite exists_rep. reflexivity.
  - rewrite after_rep. cbn. apply busy_nil.
Qed.

(** Within a pair XY: one issues its Y, the next one its X. *)
Lemma cycle_pair X s i j z :
  busy (repeat s i ++ (other X :: s) :: repeat (X :: other X :: s) (S j) ++ [z]) 1
       (repeat s (S i) ++ (other X :: s) :: repeat (X :: other X :: s) j ++ [z]).
Proof.
  destruct (eqb_other X) as [E1 E2].
  eapply (busy_cons _ (repeat false i ++ true :: true :: repeat false j ++ [false])).
  - apply (legal_one X).
    + apply able_rep. constructor; [discriminate|]. constructor; [discriminate|].
      apply able_rep. repeat constructor; discriminate.
    + rewrite issued_rep. cbn. rewrite issued_rep, eqb_refl, E2. reflexivity.
    + left. rewrite issued_rep. cbn. rewrite issued_rep, eqb_refl, E1. reflexivity.
  - rewrite exists_rep. reflexivity.
  - rewrite after_rep. cbn. rewrite after_rep. cbn. rewrite repeat_snoc. apply busy_nil.
Qed.

Lemma pairs X s z : forall j i,
  busy (repeat s i ++ (other X :: s) :: repeat (X :: other X :: s) j ++ [z]) j
       (repeat s (j + i) ++ (other X :: s) :: [z]).
Proof.
  induction j as [|j IH]; intros i; [apply busy_nil|].
  apply (busy_trans _ 1 _ j _ (cycle_pair X s i j z)).
  replace (S j + i) with (j + S i) by lia. apply IH.
Qed.

(** The pair is followed by X: the last one issues its Y, the first one that X. *)
Lemma cycle_wrap X s i z :
  busy ((X :: s) :: repeat (X :: s) i ++ [other X :: X :: s; z]) 1
       (s :: repeat (X :: s) (S i) ++ [z]).
Proof.
  destruct (eqb_other X) as [E1 E2].
  eapply (busy_cons _ (true :: repeat false i ++ [true; false])).
  - apply (legal_one X).
    + constructor; [discriminate|]. apply able_rep. repeat constructor; discriminate.
    + cbn. rewrite issued_rep. cbn. rewrite eqb_refl, E2. reflexivity.
    + left. cbn. rewrite issued_rep. cbn. rewrite eqb_refl, E1. reflexivity.
  - reflexivity.
  - cbn. rewrite after_rep. cbn. rewrite repeat_snoc. apply busy_nil.
Qed.

(** The pair ends the block: the last one issues its Y, and z its X. *)
Lemma cycle_even X s i z :
  busy (repeat s i ++ [other X :: s; X :: z]) 1 (repeat s (S i) ++ [z]).
Proof.
  destruct (eqb_other X) as [E1 E2].
  eapply (busy_cons _ (repeat false i ++ [true; true])).
  - apply (legal_one X).
    + apply able_rep. repeat constructor; discriminate.
    + rewrite issued_rep. cbn. rewrite eqb_refl, E2. reflexivity.
    + left. rewrite issued_rep. cbn. rewrite eqb_refl, E1. reflexivity.
  - rewrite exists_rep. reflexivity.
  - rewrite after_rep. cbn. rewrite repeat_snoc. apply busy_nil.
Qed.

(** X ends the block: the others issue it one by one. *)
Lemma odd_end X s z : wants (other X) s = false -> wants (other X) z = false -> forall j i,
  busy (repeat s i ++ repeat (X :: s) j ++ [z]) j (repeat s (j + i) ++ [z]).
Proof.
  intros Hs Hz. destruct (eqb_other X) as [E1 E2].
  induction j as [|j IH]; intros i; [apply busy_nil|].
  replace (S j + i) with (j + S i) by lia.
  eapply (busy_cons _ (repeat false i ++ true :: repeat false j ++ [false])).
  - apply (legal_one X).
    + apply able_rep. cbn. constructor; [discriminate|]. apply able_rep. repeat constructor; discriminate.
    + rewrite issued_rep. cbn. rewrite issued_rep, eqb_refl. reflexivity.
    + right. cbn. rewrite issued_rep, waiting_rep. cbn. rewrite issued_rep, waiting_rep. cbn.
      rewrite E1, Hs, Hz. split; [reflexivity|lia].
  - rewrite exists_rep. reflexivity.
  - rewrite after_rep. cbn. rewrite after_rep. cbn. rewrite repeat_snoc. apply IH.
Qed.

(** Blocks of even length. *)
Definition evens (s : string) : nat := length (filter Nat.even (blocks s)).

(** z walks to the last letter of its run. *)
Lemma walk X s n : forall z, wants X z = true ->
  exists j z', busy (repeat (X :: s) n ++ [z]) j (repeat (X :: s) n ++ [X :: z'])
    /\ j + S (length z') = length z /\ wants X z' = false /\ changes (X :: z') = changes z.
Proof.
  induction z as [|U z IH]; [discriminate|]. cbn [wants]. intros HU.
  assert (U = X) as -> by (destruct U, X; auto; discriminate).
  destruct (wants X z) eqn:E.
  - destruct (IH eq_refl) as (j & z' & Hb & Hl & Hw & Hc). exists (S j), z'.
    split; [|split; [|split]]; auto.
    + exact (busy_trans _ 1 _ j _ (cycle_walk X s n z) Hb).
    + cbn. lia.
    + rewrite Hc. destruct z as [|V z]; [discriminate|]. cbn [changes].
      assert (V = X) as -> by (destruct V, X; auto; discriminate).
      cbn [wants]. destruct (eqb_other X) as [-> _]. reflexivity.
  - exists 0, z. repeat split; auto. apply busy_nil.
Qed.

(** The blocks of a string, letter by letter. *)
Lemma blocks_same X s : blocks (X :: X :: s) = 1 :: blocks (X :: s).
Proof.
  destruct (blocks_cons X s) as (l & ls & E). cbn [blocks] in *. rewrite E. cbn [wants].
  destruct (eqb_other X) as [-> _]. reflexivity.
Qed.

Lemma blocks_diff X s l ls : blocks (other X :: s) = l :: ls -> blocks (X :: other X :: s) = S l :: ls.
Proof. intros E. cbn [blocks] in *. rewrite E. cbn [wants]. rewrite eqb_refl. reflexivity. Qed.

Lemma blocks_pair_same X s : blocks (X :: other X :: other X :: s) = 2 :: blocks (other X :: s).
Proof. apply blocks_diff, blocks_same. Qed.

Lemma blocks_pair_diff X s l ls : blocks (X :: s) = l :: ls ->
  blocks (X :: other X :: X :: s) = S (S l) :: ls.
Proof.
  intros E. apply blocks_diff. rewrite <- (other_other X) at 2. apply blocks_diff.
  rewrite other_other. exact E.
Qed.

(** From the first X of a block, issued by the first warp, to the end of all strings. *)
Lemma opened : forall m s X z, length s <= m -> wants X z = false ->
  evens (X :: s) <= changes (X :: z) ->
  exists k z', busy (s :: repeat (X :: s) n1 ++ [X :: z]) k (repeat [] (S n1) ++ [z'])
    /\ k + 1 + length z' = S n1 * a (X :: s) + S (length z).
Proof.
  induction m as [|m IH]; intros s X z Hm Hz He.
  { destruct s; [|cbn in Hm; lia]. exists n1, (X :: z). split.
    - replace (S n1) with (n1 + 1) by lia.
      apply (odd_end X [] (X :: z)) with (i := 1); auto. cbn. apply eqb_other.
    - cbn. lia. }
  assert (wants (other X) (X :: z) = false) as HzX by apply eqb_other.
  destruct s as [|U s].
  - exists n1, (X :: z). split.
    + replace (S n1) with (n1 + 1) by lia.
      apply (odd_end X [] (X :: z)) with (i := 1); auto.
    + cbn. lia.
  - cbn in Hm. destruct (letter_cases X U) as [->| ->].
    + (* a block X, and the next begins *)
      destruct (IH s X z) as (k & z' & Hb & Hk); [lia|assumption| |].
      { unfold evens in *. rewrite blocks_same in He. exact He. }
      exists (n1 + (1 + k)), z'. split.
      * eapply busy_trans.
        { apply (odd_end X (X :: s) (X :: z)) with (i := 1); [apply eqb_other|assumption]. }
        replace (n1 + 1) with (S n1) by lia.
        eapply busy_trans; [apply cycle_open; assumption|exact Hb].
      * unfold a in *. rewrite blocks_same. cbn [map sum]. change (ceil2 1) with 1. lia.
    + (* a pair XY *)
      pose proof (pairs X s (X :: z) n1 0) as Hp. cbn [repeat app] in Hp.
      rewrite Nat.add_0_r in Hp.
      destruct s as [|V s].
      * exists (n1 + 1), z. split.
        -- eapply busy_trans; [exact Hp|]. apply cycle_even.
        -- unfold a. cbn [blocks wants]. rewrite eqb_refl. cbn. lia.
      * cbn in Hm. destruct (letter_cases X V) as [->| ->].
        -- (* the block goes on *)
           destruct (blocks_cons X s) as (l & ls & E).
           destruct (IH s X z) as (k & z' & Hb & Hk); [lia|assumption| |].
           { unfold evens in *. rewrite (blocks_pair_diff _ _ _ _ E) in He. rewrite E.
             cbn [filter] in *. change (Nat.even (S (S (S l)))) with (Nat.even (S l)) in He.
             destruct (Nat.even (S l)); exact He. }
           exists (n1 + (1 + k)), z'. split.
           ++ eapply busy_trans; [exact Hp|]. destruct n1 as [|i]; [lia|].
              eapply busy_trans; [|exact Hb]. cbn [repeat app]. apply cycle_wrap.
           ++ unfold a in *. rewrite (blocks_pair_diff _ _ _ _ E). rewrite E in Hk.
              cbn [map sum] in *. rewrite ceil2_SS. lia.
        -- (* the block is even, and the next begins with Y *)
           assert (exists z0, z = other X :: z0) as (z0 & ->).
           { unfold evens in He. rewrite blocks_pair_same in He. cbn in He.
             destruct z as [|V z]; [cbn in He; lia|]. destruct (letter_cases X V) as [->| ->]; [|eauto].
             cbn in Hz. rewrite eqb_refl in Hz. discriminate. }
           destruct (walk (other X) s (S n1) (other X :: z0)) as (j & z1 & Hw & Hj & Hz1 & Hc);
             [apply eqb_refl|].
           destruct (IH s (other X) z1) as (k & z' & Hb & Hk); [lia|assumption| |].
           { rewrite Hc. unfold evens in *. rewrite blocks_pair_same in He.
             cbn [filter Nat.even length] in He.
             change (changes (X :: other X :: z0)) with
               ((if wants (other X) (other X :: z0) then 1 else 0) + changes (other X :: z0)) in He.
             destruct (wants (other X) (other X :: z0)); lia. }
           exists (n1 + (1 + (j + (1 + k)))), z'. split.
           ++ eapply busy_trans; [exact Hp|].
              eapply busy_trans; [apply cycle_even|].
              eapply busy_trans; [exact Hw|].
              eapply busy_trans; [apply cycle_open|exact Hb]. rewrite other_other.
              cbn. apply eqb_other.
           ++ unfold a in *. rewrite blocks_pair_same. cbn [map sum length] in *.
              change (ceil2 2) with 1. lia.
Qed.

(** Each even block holds a change of letter. *)
Lemma evens_changes s : evens s <= changes s.
Proof.
  destruct s as [|X s]; [reflexivity|].
  destruct (blocks_cons X s) as (l & ls & E).
  assert (l + length (filter Nat.even ls) <= changes (X :: s)) as H.
  { revert X l ls E; induction s as [|U s IH]; intros X l ls E; [injection E as <- <-; cbn; lia|].
    destruct (blocks_cons U s) as (l' & ls' & E'). specialize (IH _ _ _ E').
    change (changes (X :: U :: s)) with ((if eqb (other X) U then 1 else 0) + changes (U :: s)).
    destruct (letter_cases X U) as [->| ->].
    - rewrite blocks_same, E' in E. injection E as <- <-. destruct (eqb_other X) as [-> _].
      cbn [filter]. destruct (Nat.even (S l')) eqn:Ev; [|lia].
      destruct l'; [discriminate|]. cbn [length]. lia.
    - rewrite (blocks_diff _ _ _ _ E') in E. injection E as <- <-. rewrite eqb_refl. lia. }
  unfold evens. rewrite E. cbn [filter]. destruct (Nat.even (S l)) eqn:Ev; [|lia].
  destruct l; [discriminate|]. cbn [length]. lia.
Qed.

(** The schedule, for W = n1 + 2 warps: it takes I + (W-1) a cycles. *)
Theorem straggler_schedule s : exists ms st', run one (repeat s (S (S n1))) ms st' /\ done st' /\
  makespan ms = length s + S n1 * a s.
Proof.
  destruct s as [|X s].
  { exists [], (repeat [] (S (S n1))). split; [constructor|]. split.
    - apply Forall_forall. intros x Hx. now apply repeat_spec in Hx.
    - unfold a. cbn. lia. }
  destruct (walk X s (S n1) (X :: s)) as (j & z & Hw & Hj & Hz & Hc); [apply eqb_refl|].
  destruct (opened (length s) s X z) as (k & z' & Hb & Hk); [lia|assumption| |].
  { rewrite Hc. apply evens_changes. }
  assert (busy (repeat (X :: s) (S (S n1))) (j + (1 + (k + length z'))) (repeat [] (S n1) ++ [[]])) as B.
  { replace (repeat (X :: s) (S (S n1))) with (repeat (X :: s) (S n1) ++ [X :: s])
      by (rewrite repeat_snoc; apply app_nil_r).
    eapply busy_trans; [exact Hw|].
    eapply busy_trans; [apply cycle_open; apply eqb_other|].
    eapply busy_trans; [exact Hb|]. apply alone. }
  destruct (busy_run _ _ _ B) as (ms & Hr & Hm). exists ms, (repeat [] (S n1) ++ [[]]).
  split; [exact Hr|]. split.
  - apply Forall_app. split; [|repeat constructor].
    apply Forall_forall. intros x Hx. now apply repeat_spec in Hx.
  - rewrite Hm. lia.
Qed.
End Pack.

(** Theorem 2 of docs/closed-form.md: at sigma 1 the worst case of W >= 3 warps is I + (W-1) a. *)
Theorem exact s W : 3 <= W -> worst_case one (repeat s W) (length s + (W - 1) * a s).
Proof.
  intros HW. split.
  - intros ms st'. apply sigma_one_upper.
  - destruct (straggler_schedule (W - 2) ltac:(lia) s) as (ms & st' & Hr & Hd & Hm). exists ms, st'.
    replace (S (S (W - 2))) with W in Hr by lia.
    replace (S (W - 2)) with (W - 1) in Hm by lia. auto.
Qed.

(** The worst case of one warp is its length. *)
Theorem exact_one s : worst_case one [s] (length s).
Proof.
  split.
  - intros ms st' Hr. pose proof (sigma_one_upper s 1 ms st' Hr). lia.
  - destruct (busy_run _ _ _ (alone 0 s)) as (ms & Hr & Hm). exists ms, [[]].
    split; [exact Hr|]. split; [repeat constructor|exact Hm].
Qed.
