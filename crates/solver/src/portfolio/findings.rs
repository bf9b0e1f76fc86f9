//! What is known of the worst case of an instance while engines narrow it.

use crate::portfolio::{Disagreement, EngineName, Note, Observer, Phase, Progress};
use warpspan_check::bound::{Interval, Lower, Upper, bottleneck, critical_path};
use warpspan_check::schedule::{Launch, Lines, Schedule, Witness, replay};
use warpspan_engines::phase::PhaseBound;
use warpspan_engines::simulate;
use warpspan_ilp::ModelSize;
use warpspan_model::limits::{Ending, Limits, NotExact};
use warpspan_model::{Cycles, Instance};

/// What is known so far.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// An interval with lower bound <= worst case <= upper bound.
    pub(super) interval: Interval,
    /// The cycle at whose end every result is there at the latest, on a machine.
    pub(super) completion: Option<Cycles>,
    /// A schedule that attains the lower bound, unless it is too large to write out and replay.
    pub(super) witness: Option<Witness>,
    /// The lines of the paths that the witness schedules, if they are those of a program.
    pub(super) lines: Option<Lines>,
    /// The smallest makespan, if every state was visited.
    pub(super) best_case: Option<Cycles>,
    /// A schedule that attains the smallest makespan.
    pub(super) best_witness: Option<Witness>,
    /// The size of the ILP, if one was built.
    pub(super) model: Option<ModelSize>,
    /// The number of states searched, if every one was.
    pub(super) states: Option<u64>,
    /// The phases of the kernels, if they were computed.
    pub(super) phase: Option<Phase>,
    /// Notes for the user.
    pub(super) notes: Vec<Note>,
}

/// The makespan that an engine claims for its schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// The engine makes no claim.
    Unclaimed,
    /// This number of cycles or more.
    AtLeast(Cycles),
    /// This number of cycles exactly.
    Exactly(Cycles),
}

/// A schedule that an engine claims.
pub(super) struct Claim {
    by: EngineName,
    schedule: Schedule,
    length: Length,
    wins_ties: bool,
}

impl Claim {
    /// A schedule that has not been replayed, and the engine that claims it.
    pub(super) fn new(by: EngineName, schedule: Schedule) -> Self {
        Self { by, schedule, length: Length::Unclaimed, wins_ties: false }
    }

    /// Adds what the engine says of the length.
    pub(super) fn of(self, length: Length) -> Self {
        Self { length, ..self }
    }

    /// The claim is kept even if the schedule known before is as long.
    pub(super) fn winning_ties(self) -> Self {
        Self { wins_ties: true, ..self }
    }

    /// Replays the schedule.
    ///
    /// # Errors
    /// If it breaks a rule, or its makespan differs from what the engine says.
    pub(super) fn replayed<'a>(self, launch: impl Into<Launch<'a>>) -> Result<Witness, Disagreement> {
        let Self { by: engine, schedule, length, .. } = self;
        let witness = replay(launch, schedule)
            .map_err(|violation| Disagreement::Schedule { engine, violation: Box::new(violation) })?;
        let replayed = witness.makespan();
        match length {
            Length::Exactly(claimed) if claimed != replayed => {
                Err(Disagreement::Makespan { engine, claimed, replayed })
            }
            Length::AtLeast(claimed) if claimed > replayed => {
                Err(Disagreement::Makespan { engine, claimed, replayed })
            }
            _ => Ok(witness),
        }
    }
}

impl Found {
    /// An interval without a witness or any other information.
    pub(super) fn new(interval: Interval) -> Self {
        Self {
            interval,
            completion: None,
            witness: None,
            lines: None,
            best_case: None,
            best_witness: None,
            model: None,
            states: None,
            phase: None,
            notes: Vec::new(),
        }
    }

    /// What is known before an engine runs: the longest simulated schedule, replayed, and the critical path.
    ///
    /// # Errors
    /// If the two disagree.
    pub(super) fn simulated(instance: &Instance, limits: &Limits) -> Result<Self, Disagreement> {
        let mut witness: Option<Witness> = None;
        for schedule in simulate::schedules(instance, limits) {
            let simulated = Claim::new(EngineName::Simulate, schedule).replayed(instance)?;
            if witness.as_ref().is_none_or(|longest| simulated.makespan() > longest.makespan()) {
                witness = Some(simulated);
            }
        }
        let lower = witness.as_ref().map_or_else(|| bottleneck(instance), Lower::replayed);
        Ok(Self { witness, ..Self::new(Interval::new(lower, critical_path(instance))?) })
    }

    /// Tells how far the interval is narrowed.
    pub(super) fn tell(&self, observer: Option<Observer<'_>>) {
        if let Some(observer) = observer {
            observer(Progress::Known(self.interval));
        }
    }

    /// Combines an upper bound and a schedule with what is known. The schedule is replayed, and kept if it is
    /// longer than the one known.
    ///
    /// # Errors
    /// If they contradict each other or what is known.
    pub(super) fn meet<'a>(
        &mut self,
        launch: impl Into<Launch<'a>>,
        upper: Option<Upper>,
        claim: Option<Claim>,
    ) -> Result<(), Disagreement> {
        if let Some(upper) = upper {
            self.interval = self.interval.at_most(upper)?;
        }
        if let Some(claim) = claim {
            let wins_ties = claim.wins_ties;
            let witness = claim.replayed(launch)?;
            self.interval = self.interval.at_least(Lower::replayed(&witness))?;
            let beats = |known: &Witness| {
                witness.makespan() > known.makespan() || wins_ties && witness.makespan() == known.makespan()
            };
            if self.witness.as_ref().is_none_or(beats) {
                self.witness = Some(witness);
            }
        }
        Ok(())
    }

    /// Takes a schedule that was replayed on a machine, if it is as long as what is known.
    ///
    /// # Errors
    /// If it is above the bound on the last issue, or has a result after the bound on the last result.
    pub(super) fn take(&mut self, engine: EngineName, witness: Witness) -> Result<(), Disagreement> {
        self.interval = self.interval.at_least(Lower::replayed(&witness))?;
        let most = self.completion.unwrap_or(Cycles(u64::MAX));
        if witness.completion() > most {
            return Err(Disagreement::Result { engine, found: witness.completion(), most });
        }
        if witness.makespan() == self.interval.lower().cycles() {
            self.witness = Some(witness);
        }
        Ok(())
    }

    /// Combines the phase bound with what is known.
    ///
    /// # Errors
    /// If it is below a schedule.
    pub(super) fn within_phases(&mut self, bound: PhaseBound) -> Result<(), Disagreement> {
        self.interval = self.interval.at_most(bound.makespan)?;
        self.phase = Some(bound.into());
        Ok(())
    }

    /// How the computation ended. An exact interval is proved, whatever stopped the engine.
    pub(super) fn or_proved(&self, ending: impl Into<Ending>) -> Ending {
        if self.interval.is_exact() { Ending::Proved } else { ending.into() }
    }

    /// How a computation ended that nothing stopped, and that nothing can carry further.
    pub(super) fn no_further(&self) -> Ending {
        self.or_proved(NotExact::NoEngine)
    }
}
