//! What a file and flags launch, on whatever machine.

use crate::input::{Draft, Flags, GridKeys};
use warpspan_model::Group;
use warpspan_model::source::{InputError, Message, Remedy};

/// What is launched, on whatever machine.
pub(crate) enum Launch<C> {
    /// Warps that start together.
    Together {
        /// The groups.
        groups: Vec<Group<C>>,
        /// The warps of a block, if they are given.
        warps_per_block: Option<u64>,
    },
    /// Blocks that follow one another.
    Grid {
        /// The code of all warps.
        code: C,
        /// The warps of a block.
        warps_per_block: u64,
        /// The number of blocks.
        blocks: u64,
        /// The number of blocks that a multiprocessor holds at once.
        resident: u64,
        /// The number of multiprocessors.
        multiprocessors: u64,
    },
}

impl<C: Clone> Draft<C> {
    /// What the file and the flags launch; flags take precedence. It is a grid if a number of blocks is given.
    ///
    /// # Errors
    /// If something is missing or contradictory.
    pub(crate) fn launch(&self, flags: &Flags<C>) -> Result<Launch<C>, InputError> {
        let GridKeys { blocks, resident, multiprocessors } = self.grid;
        let resident = flags.grid.resident.or(resident);
        let multiprocessors = flags.grid.multiprocessors.or(multiprocessors);
        let warps_per_block = flags.warps_per_block.or(self.warps_per_block);
        let Some(blocks) = flags.grid.blocks.or(blocks) else {
            if resident.is_some() || multiprocessors.is_some() {
                let what =
                    "resident blocks or multiprocessors without a number of blocks: want [launch] blocks or ";
                return Err(self.missing(what, Remedy::Blocks));
            }
            return Ok(Launch::Together { groups: self.together(flags)?, warps_per_block });
        };
        if flags.warps.is_some() {
            let what = "both a number of blocks and a number of warps: want blocks and ";
            return Err(self.missing(what, Remedy::WarpsPerBlock));
        }
        if !flags.groups.is_empty() || !self.groups.is_empty() && flags.kernel.is_none() {
            let what = "both a number of blocks and groups: the blocks of a grid run one kernel, want ";
            return Err(self.missing(what, Remedy::Kernel));
        }
        if flags.same_path || self.same_path {
            let what =
                "same_path with a number of blocks: the bounds of a grid hold whatever paths its warps take";
            return Err(InputError::new(self.place.clone(), what));
        }
        let warps_per_block = warps_per_block.ok_or_else(|| {
            self.missing(
                "no warps of a block are given: want [launch] warps_per_block or ",
                Remedy::WarpsPerBlock,
            )
        })?;
        Ok(Launch::Grid {
            code: self.code(flags)?,
            warps_per_block,
            blocks,
            resident: resident.unwrap_or(blocks),
            multiprocessors: multiprocessors.unwrap_or(1),
        })
    }

    /// The groups of warps that start together.
    pub(super) fn together(&self, flags: &Flags<C>) -> Result<Vec<Group<C>>, InputError> {
        if !flags.groups.is_empty() {
            return Ok(flags.groups.clone());
        }
        if !self.groups.is_empty() && flags.kernel.is_none() {
            if flags.warps.is_some() {
                let what = Message::of(Remedy::Warps)
                    .then(" does not say which [[group]] it is for: use ")
                    .remedy(Remedy::Groups);
                return Err(InputError::with(self.place.clone(), what));
            }
            return Ok(self.groups.clone());
        }
        let code = self.code(flags)?;
        let warps = flags.warps.or(self.warps).ok_or_else(|| {
            self.missing("no number of warps is given: want [launch] warps or ", Remedy::Warps)
        })?;
        Ok(vec![Group { code, warps }])
    }

    /// The error that something is missing.
    fn missing(&self, what: &str, remedy: Remedy) -> InputError {
        InputError::with(self.place.clone(), Message::text(what).remedy(remedy))
    }

    /// The code of all warps.
    fn code(&self, flags: &Flags<C>) -> Result<C, InputError> {
        let code = flags.kernel.clone().or(self.kernel.clone());
        code.ok_or_else(|| self.missing("no kernel is given: want [kernel] string, ", Remedy::Kernel))
    }
}
