//! A certificate as a file that `coqc` checks against the folder `proofs`.

use std::fmt::Write;

use crate::certificate::{Certificate, Lower, Proved, Shape, Upper};
use crate::phase::Rational;
use warpspan_model::{PerUnit, Throughput, Unit};

/// The text of the file. Its names are those of `proofs/Checker/Input.v`, and with barriers of
/// `proofs/Checker/BarrierInput.v`, and for grids of `proofs/Checker/RelayInput.v`.
pub fn coq(certificate: &Certificate) -> String {
    let Certificate { sigma, lower, upper, shape, .. } = certificate;
    let with = match shape {
        Shape::Warps => "",
        Shape::Barriers(_) => "barrier_",
        Shape::Grid { .. } => "grid_",
    };
    let mut out = format!(
        "(* A certificate of warpspan {}. Once the proofs are compiled (proofs/check.sh), this checks it:\n       \
             coqc -Q proofs Warpspan FILE.v\n   \
         It states the input and what is proved of its worst case, in cycles. *)\n\
         From Warpspan Require Import Certificate.\n\n\
         Open Scope N_scope.\n\n\
         {}\n",
        env!("CARGO_PKG_VERSION"),
        input(certificate, sigma),
    );
    let mut theorem = |name: &str, says: String, proof: &str| {
        let _ = write!(
            out,
            "\nTheorem {name} : {with}{says}.\n\
             Proof. apply {proof}. vm_cast_no_check (eq_refl true). Qed.\n\
             Print Assumptions {name}.\n"
        );
    };
    let Proved { cycles: at_most, by } = upper;
    let says = format!("at_most asked {at_most}");
    match by {
        Upper::Theorem => {
            theorem("both_ends", format!("worst asked {at_most}"), &format!("{with}theorem_sound"));
        }
        Upper::Phases(thetas) => {
            theorem("upper_end", says, &format!("({with}phases_sound _ {})", prices(thetas)));
        }
        Upper::Search(thetas) if *shape == Shape::Warps => {
            theorem("upper_end", says, &format!("(searched_sound _ {})", prices(thetas)));
        }
        Upper::Search(_) => theorem("upper_end", says, "barrier_searched_sound"),
        Upper::Segments(parts) => {
            let parts = list(parts.iter().map(part), ";\n  ");
            theorem("upper_end", says, &format!("(barrier_parts_sound _ [\n  {parts}\n])"));
        }
        Upper::Relay { thetas, most } => {
            theorem("upper_end", says, &format!("(relay_sound _ {} {most})", prices(thetas)));
        }
    }
    match lower {
        Some(Lower::Schedule(cycles)) => {
            let proof = format!("({with}schedule_sound _ {})", rows(cycles));
            theorem("lower_end", format!("at_least asked {}", cycles.len()), &proof);
        }
        Some(Lower::Grid { slots, cycles }) => {
            let slots = list(slots.iter().map(u64::to_string), "; ");
            let proof = format!("(grid_schedule_sound _ [{slots}] {})", rows(cycles));
            theorem("lower_end", format!("at_least asked {}", cycles.len()), &proof);
        }
        Some(Lower::Bottleneck(cycles)) => {
            theorem("lower_end", format!("no_less asked {cycles}"), "bottleneck_sound");
        }
        None => {}
    }
    out
}

/// The definition of the input as the user gave it.
fn input(certificate: &Certificate, sigma: &PerUnit<Throughput>) -> String {
    let [l, c] = Unit::ALL.map(|unit| {
        format!("(Sigma {} {})", sigma[unit].letters_a_cycle(), sigma[unit].letters_an_instruction())
    });
    let kernels = |read: &str| {
        let each =
            certificate.kernels.iter().map(|(kernel, warps)| format!("({read} \"{kernel}\", {warps})"));
        list(each, ";\n   ")
    };
    match certificate.shape {
        Shape::Warps => format!("Definition asked : input := Input {l} {c}\n  [{}].", kernels("kernel")),
        Shape::Barriers(warps) => {
            let groups = kernels("segments");
            format!("Definition asked : barrier_input := BarrierInput {l} {c} {warps}\n  [{groups}].")
        }
        Shape::Grid { blocks, multiprocessors, resident } => {
            let block =
                certificate.kernels.iter().map(|(kernel, warps)| format!("(kernel \"{kernel}\") {warps}"));
            let block = list(block, " ");
            format!(
                "Definition asked : grid_input := GridInput {l} {c}\n  {block} {blocks} {multiprocessors} {resident}."
            )
        }
    }
}

/// The warps that issue in each cycle.
fn rows(cycles: &[Vec<u64>]) -> String {
    let rows = cycles.iter().map(|warps| format!("[{}]", list(warps.iter().map(u64::to_string), "; ")));
    format!("[\n  {}\n]", list(rows, ";\n  "))
}

/// What proves the cycles of one segment.
fn part(Proved { cycles, by }: &Proved) -> String {
    match by {
        Upper::Phases(thetas) => format!("part_phases {} {cycles}", prices(thetas)),
        Upper::Search(thetas) => format!("part_search {} {cycles}", prices(thetas)),
        // a segment has no segments of its own, and no block follows it
        Upper::Theorem | Upper::Segments(_) | Upper::Relay { .. } => format!("part_theorem {cycles}"),
    }
}

fn prices(thetas: &[Rational]) -> String {
    let prices = thetas.iter().map(|theta| format!("({}, {})", theta.numer(), theta.denom()));
    format!("[{}]%Z", list(prices, "; "))
}

fn list(items: impl Iterator<Item = String>, separator: &str) -> String {
    items.collect::<Vec<_>>().join(separator)
}
