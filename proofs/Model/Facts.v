(** Small facts of the model that the other files use. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics.

(** * Letters *)

Lemma eqb_refl U : eqb U U = true.
Proof. now destruct U. Qed.

Lemma eqb_other U : eqb (other U) U = false /\ eqb U (other U) = false.
Proof. now destruct U. Qed.

Lemma other_other U : other (other U) = U.
Proof. now destruct U. Qed.

Lemma letter_cases (X U : letter) : U = X \/ U = other X.
Proof. destruct X, U; auto. Qed.

(** * Cycles *)

Lemma able_length st m : able st m -> length m = length st.
Proof. induction 1; simpl; congruence. Qed.

Lemma able_inv s st b m : able (s :: st) (b :: m) -> (b = true -> s <> []) /\ able st m.
Proof. inversion 1; auto. Qed.

Lemma able_done st b m : able ([] :: st) (b :: m) -> b = false.
Proof. intros H; apply able_inv in H; destruct H as [H _]. destruct b; [now elim H|reflexivity]. Qed.

Lemma after_length st m : length m = length st -> length (after st m) = length st.
Proof. revert m; induction st; destruct m; simpl; intros; try lia. rewrite IHst; lia. Qed.

Lemma issued_le_length U st m : issued U st m <= length st.
Proof.
  revert m; induction st; destruct m; simpl; try lia.
  specialize (IHst m). destruct (b && wants U a); lia.
Qed.

(** What a legal cycle gives, seen from the first warp x and the others: at most sigma_U others issue on U; if x waits
    on U, exactly sigma_U others issue there; and where x does not want U, work conservation holds of the others. *)
Lemma legal_cons sigma x vs b m : legal sigma (x :: vs) (b :: m) ->
  able vs m /\
  (forall U, issued U vs m <= sigma U) /\
  (forall U, b = false -> wants U x = true -> issued U vs m = sigma U) /\
  (forall U, wants U x = false -> 0 < waiting U vs m -> issued U vs m = sigma U).
Proof.
  intros [Ha Hc]. apply able_inv in Ha. destruct Ha as [_ Ha].
  repeat split; auto; intros U; destruct (Hc U) as [H1 H2]; cbn in H1, H2.
  - lia.
  - intros -> E. rewrite E in *. cbn in *. lia.
  - intros E. rewrite E, !andb_false_r in *. cbn in *. lia.
Qed.

(** Only the values of sigma count. *)
Lemma run_ext sigma sigma' st ms st' : (forall U, sigma U = sigma' U) -> run sigma st ms st' -> run sigma' st ms st'.
Proof.
  intros E H. induction H as [|st m ms st' [Ha Hc] H IH]; constructor; [|assumption].
  split; [assumption|]. intros U. rewrite <- E. apply Hc.
Qed.

(** * Sums *)

Fixpoint sum (l : list nat) : nat := match l with [] => 0 | a :: l => a + sum l end.

(** * Letters of a string *)

(** How many letters U are in s, and in all of the strings. *)
Definition count (U : letter) (s : string) : nat := length (filter (eqb U) s).

Fixpoint total (U : letter) (vs : state) : nat :=
  match vs with [] => 0 | v :: vs => count U v + total U vs end.

Lemma total_after U vs m : able vs m -> total U (after vs m) + issued U vs m = total U vs.
Proof.
  induction 1 as [|s st b m Hb H IH]; [reflexivity|]. cbn.
  destruct b; cbn; [|lia].
  destruct s as [|V s]; [now elim Hb|]. unfold count in *; cbn.
  destruct (eqb U V); cbn; lia.
Qed.

Lemma total_repeat U s n : total U (repeat s n) = n * count U s.
Proof. induction n as [|n IH]; [reflexivity|]. cbn [repeat total]. rewrite IH. lia. Qed.

Lemma nth_repeat_lt {A} (s d : A) w n : w < n -> nth w (repeat s n) d = s.
Proof. revert w; induction n; intros [|w] Hw; cbn; auto; try lia. apply IHn; lia. Qed.
