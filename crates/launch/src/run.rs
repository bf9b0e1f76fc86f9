//! From a question to the answer.

use crate::Failure;
use crate::alone::on_gpu_alone;
use crate::question::{OtherKernels, Question};
use crate::with_others::{in_system, with_co_running};
use warpspan_records::Time;

/// Bounds the time of a launch.
///
/// # Errors
/// If what is asked is wrong or something is missing, with what would do; and if two bounds contradict each other.
pub fn answer(args: &Question) -> Result<Time, Failure> {
    args.go_on()?;
    let is_alone = args.others.system.is_none() && args.others.co_running.is_empty();
    if args.traffic.keeps() && !is_alone {
        return Err(Failure::usage(
            "what caches keep is known of a launch that has the GPU for itself alone",
        ));
    }
    if args.launch.dealt_evenly && !is_alone {
        return Err(Failure::usage(
            "how blocks are dealt is known of a launch that has the GPU for itself alone",
        ));
    }
    match &args.others {
        OtherKernels { system: Some(file), .. } => in_system(args, file),
        OtherKernels { co_running, .. } if co_running.is_empty() => on_gpu_alone(args),
        OtherKernels { .. } => with_co_running(args),
    }
}
