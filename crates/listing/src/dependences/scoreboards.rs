//! Dependences from control fields: tokens are the scoreboards, and stalls are those that the compiler chose.
//!
//! The compiler covers fixed latencies by stalls and all others by scoreboards, and the hardware checks nothing
//! else, but for these, which get further tokens:
//!
//! - after an instruction that may change the flow of control or waits by itself, the next one waits for its
//!   result;
//! - `DEPBAR` waits for the scoreboards that its operands name. One that waits until all but some results are
//!   there is taken to wait for all;
//! - asynchronous copies (`LDGSTS`) have a counter of their own, for which `DEPBAR` waits too;
//! - instructions of whole warp groups name `gsb0`, for which `WARPGROUP.DEPBAR` waits;
//! - a fence of memory waits for everything, and the next instruction waits for the fence.

use crate::routine::Routine;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::operand::Kind;
use warpspan_isa::row::Fact;
use warpspan_model::machine::Waits;

/// The number of scoreboards, which are tokens 0 to 5.
const SCOREBOARDS: u16 = 6;
/// Set by instructions that the next one waits for.
const FLOW: u16 = SCOREBOARDS;
/// Set by asynchronous copies.
const COPIES: u16 = SCOREBOARDS + 1;
/// Set by instructions of warp groups.
const GROUPS: u16 = SCOREBOARDS + 2;
/// Set by every instruction, for fences, which may stand in another routine.
const ANY: u16 = SCOREBOARDS + 3;

/// The dependences of a routine, if every instruction has a control field.
pub(super) fn of(routine: &Routine<'_>) -> Option<Vec<Waits>> {
    routine.instructions.iter().map(waits).collect()
}

fn waits(instruction: &Instruction<'_>) -> Option<Waits> {
    let control = instruction.control?;
    let mut needs: Vec<u16> = (0..SCOREBOARDS).filter(|number| control.needs >> number & 1 == 1).collect();
    let mut sets: Vec<u16> = control.write.into_iter().chain(control.read).map(u16::from).collect();
    let is_fence = instruction.has(Fact::Fence);
    let boards =
        instruction.operands().iter().map(|one| if let Kind::Scoreboards(all) = one.kind { all } else { 0 });
    let named = boards.fold(0, |all, one| all | one);
    needs.push(FLOW);
    if is_fence {
        needs = (0..=ANY).collect();
    } else if instruction.waits_for_named_scoreboards() {
        needs.extend((0..SCOREBOARDS).filter(|number| named >> number & 1 == 1));
        needs.extend([COPIES, GROUPS]);
    }
    if is_fence || instruction.holds_next() {
        sets.push(FLOW);
    }
    if instruction.has(Fact::Copies) {
        sets.push(COPIES);
    }
    if instruction.operands().iter().any(|one| one.kind == Kind::GroupScoreboard) {
        sets.push(GROUPS);
    }
    sets.push(ANY);
    needs.sort_unstable();
    needs.dedup();
    sets.sort_unstable();
    sets.dedup();
    Some(Waits { stall: u32::from(control.stall).max(1), needs, sets })
}

#[cfg(test)]
mod tests {
    use crate::Text;
    use crate::dependences::dependences;
    use warpspan_model::machine::Waits;

    fn found(body: &str) -> Vec<Option<Waits>> {
        let text = format!("\t.headerflags @\"EF_CUDA_SM61\"\n\t.section .text.k,\"ax\"\n{body}");
        let text = Text::new("k", text.into_bytes()).unwrap();
        let listing = text.listing().unwrap();
        let all = dependences(&listing, None).swap_remove(0);
        all.into_iter().map(|waits| waits.map(|waits| (*waits).clone())).collect()
    }

    fn waits(stall: u32, needs: &[u16], sets: &[u16]) -> Option<Waits> {
        Some(Waits { stall, needs: needs.to_vec(), sets: sets.to_vec() })
    }

    #[test]
    fn scoreboards_and_stalls() {
        let body = "
      [B------:R-:W-:-:S00]         /*0008*/         {         MOV R20, c[0x0][0x140] ;
      [B------:R-:W0:-:S01]         /*0010*/                   S2R R2, SR_TID.X         }
      [B0-----:R3:W5:-:S02]         /*0018*/                   LDG.E R0, [R20] ;
      [B------:R-:W-:-:S03]         /*0028*/                   DEPBAR.LE SB5, 0x1 ;
      [B---3-5:R-:W-:-:S04]         /*0030*/               @P0 BRA 0x0010 ;
      [B------:R-:W-:-:S15]         /*0038*/                   EXIT ;
";
        assert_eq!(
            found(body),
            [
                waits(1, &[6], &[9]),
                waits(1, &[6], &[0, 9]),
                waits(2, &[0, 6], &[3, 5, 9]),
                waits(3, &[5, 6, 7, 8], &[6, 9]),
                waits(4, &[3, 5, 6], &[6, 9]),
                waits(15, &[6], &[6, 9]),
            ]
        );
        let one_without = body.replace("[B0-----:R3:W5:-:S02]", "");
        assert_eq!(found(&one_without), vec![None; 6]);
        // A routine may be called by any other one.
        let two = format!("{body}\t.section .text.other,\"ax\"\n /*0008*/ RET ;\n");
        assert_eq!(found(&two), vec![None; 6]);
    }

    #[test]
    fn fences_copies_and_lists() {
        let body = "
      [B------:R-:W-:-:S04]         /*0008*/                   LDGSTS.E [R4], [R2.64] ;
      [B------:R-:W-:-:S01]         /*0010*/                   DEPBAR.LE SB0, 0x0, {4,2} ;
      [B------:R-:W-:-:S05]         /*0018*/                   MEMBAR.SC.GPU ;
      [B------:R-:W-:-:S05]         /*0028*/                   HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, !UPT, gsb0 ;
      [B------:R-:W-:-:S05]         /*0030*/                   WARPGROUP.DEPBAR.LE gsb0, 0x0 ;
      [B------:R-:W-:-:S05]         /*0038*/                   EXIT ;
";
        let all: Vec<u16> = (0..10).collect();
        assert_eq!(
            found(body),
            [
                waits(4, &[6], &[7, 9]),
                waits(1, &[0, 2, 4, 6, 7, 8], &[6, 9]),
                waits(5, &all, &[6, 9]),
                waits(5, &[6], &[8, 9]),
                waits(5, &[6, 7, 8], &[6, 8, 9]),
                waits(5, &[6], &[6, 9]),
            ]
        );
    }
}
