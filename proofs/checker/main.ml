(* Checks a certificate in JSON with the functions that Extract.v takes from the proofs. Exit code 0: every claim holds;
   1: a claim does not; 2: the file is no certificate. *)
open Extracted

exception Not of string

let bad fmt = Printf.ksprintf (fun s -> raise (Not s)) fmt

let rec positive i = if i = 1 then XH else if i land 1 = 0 then XO (positive (i lsr 1)) else XI (positive (i lsr 1))
let n i = if i < 0 then bad "negative: %d" i else if i = 0 then N0 else Npos (positive i)
let z i = if i = 0 then Z0 else if i > 0 then Zpos (positive i) else Zneg (positive (-i))

let fields what allowed = function
  | Json.Object entries ->
      List.iter (fun (k, _) -> if not (List.mem k allowed) then bad "%s: unknown key \"%s\"" what k) entries;
      entries
  | _ -> bad "%s is not an object" what

let need what key entries = match List.assoc_opt key entries with Some v -> v | None -> bad "%s: no \"%s\"" what key
let int what = function Json.Int i -> i | _ -> bad "%s is not a whole number" what
let list what = function Json.Array l -> l | _ -> bad "%s is not an array" what
let text what = function Json.String s -> s | _ -> bad "%s is not a string" what

let pair what v = match list what v with [ p; q ] -> (int what p, int what q) | _ -> bad "%s is not two numbers" what

(* Letters a cycle and letters an instruction. *)
let sigma what v =
  let p, q = pair what v in
  if p < 1 || q < 1 || q > 1_000_000 then bad "%s: want numbers from 1 on" what;
  { letters_a_cycle = n p; letters_an_instruction = n q }

let letters s =
  List.map (function 'L' -> L | 'C' -> C | c -> bad "kernel: '%c' is neither L nor C" c) (List.of_seq (String.to_seq s))

(* Text and number of warps of each kernel. *)
let kernel v =
  let f = fields "kernel" [ "kernel"; "warps" ] v in
  let warps = int "warps" (need "kernel" "warps" f) in
  if warps < 1 then bad "warps: want 1 or more";
  (text "kernel" (need "kernel" "kernel" f), n warps)

let segments s = List.filter (fun s -> s <> []) (List.map letters (String.split_on_char '|' s))

(* What proves the claims; each takes the claim's cycles. What an input has not is refused. *)
type proofs = {
  theorem : int -> bool;
  phases : (z * z) list -> int -> bool;
  search : (unit -> (z * z) list) -> int -> bool;
  segments : (unit -> part list) -> int -> bool;
  relay : (z * z) list -> (unit -> n) -> int -> bool;
  schedule : (unit -> n list) -> n list list -> int -> bool;
  bottleneck : int -> bool;
}

let without by kind _ = bad "no proof by %s %s" by kind

let warps i =
  let kind = "without barriers" in
  { theorem = (fun t -> by_theorem i (n t)); phases = (fun ts t -> by_phases i ts (n t));
    search = (fun ts t -> by_search i (ts ()) (n t)); segments = without "segments" kind; relay = without "relay" kind;
    schedule = (fun _ rows t -> by_schedule i rows (n t)); bottleneck = (fun t -> by_bottleneck i (n t)) }

let with_barriers i =
  { theorem = (fun t -> barriers_by_theorem i (n t)); phases = (fun ts t -> barriers_by_phases i ts (n t));
    search = (fun _ t -> barriers_by_search i (n t)); segments = (fun ps t -> barriers_by_segments i (ps ()) (n t));
    relay = without "relay" "with barriers"; schedule = (fun _ rows t -> barriers_by_schedule i rows (n t));
    bottleneck = without "bottleneck" "with barriers" }

let of_grid g =
  let kind = "of a grid" in
  { theorem = without "theorem" kind; phases = without "phases" kind; search = without "search" kind;
    segments = without "segments" kind; relay = (fun ts most t -> grid_by_relay g ts (most ()) (n t));
    schedule = (fun slots rows t -> grid_by_schedule g (slots ()) rows (n t)); bottleneck = without "bottleneck" kind }

let proofs f =
  let sl = sigma "sigma_l" (need "certificate" "sigma_l" f) and sc = sigma "sigma_c" (need "certificate" "sigma_c" f) in
  let kernels = List.map kernel (list "kernels" (need "certificate" "kernels" f)) in
  match (List.assoc_opt "warps_per_block" f, List.assoc_opt "grid" f) with
  | None, None -> warps { sigma_L = sl; sigma_C = sc; given = List.map (fun (s, w) -> (letters s, w)) kernels }
  | Some per, None ->
      let given_segments = List.map (fun (s, w) -> (segments s, w)) kernels in
      with_barriers { sigmas_L = sl; sigmas_C = sc; warps_per_block = n (int "warps_per_block" per); given_segments }
  | None, Some grid -> (
      let g = fields "grid" [ "blocks"; "multiprocessors"; "resident" ] grid in
      let number key = n (int key (need "grid" key g)) in
      match kernels with
      | [ (s, grid_warps) ] ->
          of_grid { grid_L = sl; grid_C = sc; grid_kernel = letters s; grid_warps; grid_blocks = number "blocks";
                    grid_multiprocessors = number "multiprocessors";
                    grid_slots = number "resident" }
      | _ -> bad "a grid has one kernel")
  | Some _, Some _ -> bad "a grid has the warps of a block at its kernel"

let theta v = let p, q = pair "a theta" v in (z p, z q)

let thetas what f = List.map theta (list "thetas" (need what "thetas" f))

(* What proves the cycles of one segment. *)
let part v =
  let f = fields "a segment" [ "cycles"; "by"; "thetas" ] v in
  let cycles = n (int "cycles" (need "a segment" "cycles" f)) in
  match text "by" (need "a segment" "by" f) with
  | "theorem" -> Part_theorem cycles
  | "phases" -> Part_phases (thetas "a segment" f, cycles)
  | "search" -> Part_search (thetas "a segment" f, cycles)
  | other -> bad "by: \"%s\" is not theorem, phases or search" other

let check v =
  let f = fields "certificate" [ "schema"; "sigma_l"; "sigma_c"; "warps_per_block"; "grid"; "kernels"; "at_most"; "at_least"; "no_less" ] v in
  (match text "schema" (need "certificate" "schema" f) with
   | "warpspan/certificate/1" -> ()
   | other -> bad "schema: \"%s\" is not \"warpspan/certificate/1\"" other);
  let proofs = proofs f in
  let holds = ref true and claims = ref 0 in
  let claim ok fmt =
    incr claims;
    if not ok then holds := false;
    Printf.ksprintf (fun s -> print_endline ((if ok then "holds: " else "FAILS: ") ^ s)) fmt in
  let given key allowed k =
    match List.assoc_opt key f with None -> () | Some v -> let g = fields key allowed v in k g (int "cycles" (need key "cycles" g)) in
  given "at_most" [ "cycles"; "by"; "thetas"; "most"; "segments" ] (fun g t ->
      let thetas () = thetas "at_most" g in
      let parts () = List.map part (list "segments" (need "at_most" "segments" g)) in
      match text "by" (need "at_most" "by" g) with
      | "theorem" -> claim (proofs.theorem t) "the worst case is %d cycles" t
      | "phases" -> claim (proofs.phases (thetas ()) t) "no schedule takes more than %d cycles" t
      | "search" -> claim (proofs.search thetas t) "no schedule takes more than %d cycles" t
      | "segments" -> claim (proofs.segments parts t) "no schedule takes more than %d cycles" t
      | "relay" -> claim (proofs.relay (thetas ()) (fun () -> n (int "most" (need "at_most" "most" g))) t) "no schedule takes more than %d cycles" t
      | other -> bad "by: \"%s\" is not theorem, phases, search, segments or relay" other);
  given "at_least" [ "cycles"; "slots"; "schedule" ] (fun g t ->
      let row r = List.map (fun w -> n (int "a warp" w)) (list "a cycle of the schedule" r) in
      let schedule = List.map row (list "schedule" (need "at_least" "schedule" g)) in
      let slots () = List.map (fun k -> n (int "a slot" k)) (list "slots" (need "at_least" "slots" g)) in
      claim (proofs.schedule slots schedule t) "a complete schedule takes %d cycles" t);
  given "no_less" [ "cycles" ] (fun _ t -> claim (proofs.bottleneck t) "every complete schedule takes at least %d cycles" t);
  if !claims = 0 then bad "certificate: no claim, at_most, at_least or no_less";
  !holds

let () =
  let file = match Sys.argv with [| _; f |] -> f | _ -> prerr_endline "usage: checker FILE.json"; exit 2 in
  let stop what = Printf.eprintf "%s: %s\n" file what; exit 2 in
  match
    let ic = open_in_bin file in
    let text = really_input_string ic (in_channel_length ic) in
    close_in ic;
    check (Json.parse text)
  with
  | true -> ()
  | false -> exit 1
  | exception Not what -> stop what
  | exception Json.Bad (at, what) -> stop (Printf.sprintf "at byte %d: %s" at what)
  | exception Stack_overflow -> stop "too large for the stack (ulimit -s)"
  | exception Sys_error what -> prerr_endline what; exit 2
