//! What L2 holds of a launch before it starts, so that loads take as long as hits and nothing of it comes from DRAM.

use std::collections::{BTreeMap, BTreeSet};

use crate::Failure;
use crate::caches::{HOLDS, Held};
use crate::kept::asked::footprints;
use crate::kept::chosen::Cache;
use crate::kept::fits::{Fits, Lines};
use crate::kept::{KeptTraffic, Room, Without};
use crate::kernel::Kernel;
use crate::question::Traffic;
use warpspan_listing::Footprint;
use warpspan_listing::Language;
use warpspan_listing::machine::Touching;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::machine::{Declared, LINE, Role};
use warpspan_model::source::Message;

/// The bytes of an instruction of SASS, and what an instruction of PTX may become, as is assumed: some twenty of them.
const INSTRUCTION: [u64; 2] = [16, 320];
/// The most bytes of constants: two banks of 64 KiB, for those of the program and for parameters and what the compiler adds.
const CONSTANTS: u64 = 2 << 16;

/// The most bytes of code and constants that L2 has besides.
fn besides(kernel: &Kernel, room: &Room<'_>) -> u64 {
    let of_ptx = usize::from(kernel.entry.language == Language::Ptx);
    let code = u64::try_from(room.instructions).unwrap_or(u64::MAX).saturating_mul(INSTRUCTION[of_ptx]);
    code.saturating_add(CONSTANTS).saturating_mul(room.capability.copies_in_l2)
}

/// L2 holds all that the launch touches from before it starts until it ends, so that nothing comes from DRAM.
pub(super) fn held_by_l2(
    held: &Held,
    kernel: &Kernel,
    room: &Room<'_>,
    without: &Without<'_>,
) -> Result<KeptTraffic, Failure> {
    fn touched(one: &Footprint) -> &Touching {
        &one.moved
    }
    let cache = Cache { flag: HOLDS, name: "L2", of: touched, times: 1, once: true, in_lines: false };
    let (copies, besides) = (room.capability.copies_in_l2, besides(kernel, room));
    let fits = Fits { whose: "the launch", bytes: room.l2_bytes, besides };
    let all = Lines { of: touched, by: kernel.launch, times: copies };
    let mut note = None;
    let said = held
        .size
        .map(|size| u128::from(size.div_ceil(LINE) * LINE) * u128::from(copies) + u128::from(besides));
    let bytes = match said {
        Some(bytes) if bytes > u128::from(room.l2_bytes) => {
            let room = room.l2_bytes;
            return Err(Failure::usage(format!(
                "{HOLDS}: with code and constants {bytes} bytes, and L2 has {room}: want the traffic (--dram-bytes, --l2-bytes)"
            )));
        }
        Some(bytes) => {
            // The code shows the most that it may touch, which may be more than it does.
            let shown = fits.check(&cache, kernel, &[all], without).ok().filter(|shown| *shown > bytes);
            note = shown.map(|shown| {
                format!(
                    "{HOLDS}: your size makes {bytes} bytes, and by its addresses the code may touch {shown}"
                )
            });
            bytes
        }
        None => fits.check(&cache, kernel, &[all], without)?,
    };
    let value = format!(
        "holds all that the launch touches from before it starts until it ends: {bytes} of its {} bytes, with code and constants{}",
        room.l2_bytes,
        if copies > 1 { ", a copy in each half" } else { "" }
    );
    Ok(KeptTraffic {
        flag: cache.flag,
        condition: "L2 holds what the launch touches",
        says: vec![Assumption::declared(Id::CacheL2Holds, cache.name, value).by(held.flag())],
        most: vec![Declared { role: Role::Dram, bytes: 0, in_lines: false, further: 0 }],
        note,
    })
}

/// The accesses to the only arrays that L2 holds, which are those of which the code shows where they go; none if it holds all.
pub(crate) fn lines_in_l2(args: &Traffic, kernel: &Kernel) -> Result<BTreeSet<u32>, Failure> {
    let names = args.l2_holds.iter().flat_map(|held| &held.arrays);
    let arrays = names.map(|name| array_in_l2(name, kernel)).collect::<Result<Vec<_>, _>>()?;
    Ok(arrays.into_iter().flat_map(|one| one.moved.lines.iter().copied()).collect())
}

/// An array to which an access goes for certain.
fn array_in_l2<'k>(name: &str, kernel: &'k Kernel) -> Result<&'k Footprint, Failure> {
    let of_arrays =
        || footprints(kernel).iter().filter(|one| one.is_of_parameter && !one.moved.lines.is_empty());
    of_arrays().find(|one| one.array == name).ok_or_else(|| {
        let what = format!(
            "{}: {}: {HOLDS}={name}: the code does not show that an access goes to what {name} points to: ",
            kernel.place, kernel.entry.name
        );
        // Each name is a part of its own, so that none of them is cut.
        let mut names = of_arrays().map(|one| Message::text(&one.array));
        let message = match names.next() {
            None => Message::text(what).then("it shows that of no access"),
            Some(first) => {
                let some = Message::text(what).then("want some of ").append(first);
                names.fold(some, |all, name| all.then(",").append(name))
            }
        };
        Failure::refused(message)
    })
}

/// L2 holds what the launch touches of some arrays from before it starts until it ends, so that nothing of that comes from DRAM. The letters of
/// the accesses to them say so.
pub(super) fn arrays_in_l2(held: &Held, kernel: &Kernel, room: &Room<'_>) -> Result<KeptTraffic, Failure> {
    let arrays = held.arrays.iter().map(|name| array_in_l2(name, kernel)).collect::<Result<Vec<_>, _>>()?;
    let each: BTreeMap<&str, &Footprint> = arrays.iter().map(|one| (one.array.as_str(), *one)).collect();
    let copies = room.capability.copies_in_l2;
    let lines: u128 = each.values().map(|one| u128::from(one.moved.touched.lines)).sum();
    let bytes = lines
        .saturating_mul(u128::from(LINE) * u128::from(copies))
        .saturating_add(besides(kernel, room).into());
    let room = room.l2_bytes;
    if bytes > u128::from(room) {
        return Err(Failure::usage(format!(
            "{}: with code and constants the launch may touch {bytes} bytes in whole lines, and L2 has {room}: want fewer arrays, or the traffic \
             (--dram-bytes, --l2-bytes)",
            held.flag()
        )));
    }
    let accesses: BTreeSet<u32> = each.values().flat_map(|one| one.moved.lines.iter().copied()).collect();
    let names: Vec<&str> = each.keys().copied().collect();
    let of_lines: Vec<String> = accesses.iter().map(ToString::to_string).collect();
    let value = format!(
        "holds what the accesses in lines {} touch of {} from before the launch starts until it ends: {bytes} of its {room} bytes, with code and constants{}",
        of_lines.join(", "),
        names.join(", "),
        if copies > 1 { ", a copy in each half" } else { "" }
    );
    Ok(KeptTraffic {
        flag: HOLDS,
        condition: "L2 holds what the launch touches of some arrays",
        says: vec![Assumption::declared(Id::CacheL2Holds, "L2", value).by(held.flag())],
        most: vec![],
        note: None,
    })
}
