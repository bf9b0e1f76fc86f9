(** Writes the checks of Certificate.v as OCaml, extracted.ml. Numbers stay Coq's own: no machine integer can overflow, and
    nothing has to be trusted but the extraction, the compiler and main.ml. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Warpspan Require Import Certificate.
Extraction Language OCaml.
Extraction "extracted.ml" by_phases by_search by_schedule by_theorem by_bottleneck
  barriers_by_phases barriers_by_schedule barriers_by_theorem barriers_by_segments barriers_by_search
  grid_by_relay grid_by_schedule.
