//! What a verdict on a system assumes of the memory that all multiprocessors share.

use num_rational::Ratio;

use crate::{Source, System, Task};
use warpspan_engines::latency::{LatencyError, Traffic};
use warpspan_kernel::input::{OF_PAPER, of_memory, of_pointers};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::{Capability, WARP};
use warpspan_model::machine::{Declared, Machine, Role};
use warpspan_model::time::{Duration, TimeUnit};

/// A block that fits need not start where its kernel needs L1 and shared memory to be divided in another way: an H100 and an H200 broke
/// rule G3 in 6 of 18 workloads while the driver chose the division. With one division for all kernels G3 was still broken in one of these
/// workloads, by up to 27 us, so the verdict also assumes G3 itself (docs/silicon.md).
const STARTS_IF_IT_FITS: &str =
    "all kernels divide L1 and shared memory alike, and no block waits although it fits (G3)";

/// No manual says which scheduler gets which warp (docs/machines.md, Spread warps).
const SPREAD: &str = "no scheduler has more than its share of the warps of a block";

/// That no block waits although it fits.
pub fn starts_if_it_fits() -> Assumption {
    Assumption::assumed(Id::BlockFits, "blocks of several kernels", STARTS_IF_IT_FITS)
}

impl System {
    /// Whether blocks of a kernel may wait until a multiprocessor is empty and its memory is divided anew between L1 and
    /// shared memory.
    pub fn may_divide_memory_anew(&self) -> bool {
        let streams = |pair: &[Task]| pair[0].stream != pair[1].stream;
        self.capability().as_ref().is_some_and(Capability::divides_shared_memory)
            && self.tasks().windows(2).any(streams)
    }

    /// Whether a kernel of code asks anything of a server, so that its blocks may wait for what others ask.
    pub fn asks_memory(&self) -> bool {
        self.machine()
            .is_some_and(|machine| (0..machine.servers().len()).any(|server| self.code_asks(machine, server)))
    }

    /// Whether the verdict on the system would rest on a memory without limit, although its code moves data.
    pub fn memory_without_limit(&self) -> bool {
        self.ground().without_limit
    }

    /// Whether times of a GPU rest on the multiprocessor of the paper, which has neither latencies nor memory. A listing is code of a GPU
    /// in whatever unit its times are; kernel strings are so only where their times are those of a clock.
    pub fn times_are_of_paper(&self) -> bool {
        let is_abstract = matches!(self.unit(), TimeUnit::Ticks | TimeUnit::Cycles);
        self.tasks().iter().any(|task| match task.execution {
            Source::Listing(_) => true,
            Source::Code(_) => !is_abstract,
            Source::Given(_) | Source::OnMachine(_) => false,
        })
    }

    /// What a launch of each kernel asks of the servers: what its code asks, or less where that is declared. A kernel
    /// whose C is given asks what is declared. Copies ask as much as can be copied in their time.
    ///
    /// # Errors
    /// If code is no valid program, or numbers do not fit.
    pub(super) fn traffic(&self) -> Result<Vec<Traffic>, LatencyError> {
        let Some(machine) = self.machine() else { return Ok(vec![Traffic::default(); self.tasks().len()]) };
        let of = |task: &Task| {
            let mut all = match &task.execution {
                Source::OnMachine(code) => {
                    let warps = u128::from(task.threads.div_ceil(WARP)) * u128::from(task.blocks);
                    Traffic::of_launch(machine, code, warps, &task.traffic)?
                }
                _ => Traffic::given(
                    (0..machine.servers().len()).map(|server| [given(task, machine, server), 0]),
                ),
            };
            all.add(&Traffic::given((0..machine.servers().len()).map(|server| self.copied(task, server))))?;
            Ok(all)
        };
        self.tasks().iter().map(of).collect()
    }

    /// What a verdict on the system rests on besides its kernels: how blocks start and warps are spread, what servers serve and
    /// are asked, where pointers are to, and the clock.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let paper =
            self.times_are_of_paper().then(|| Assumption::assumed(Id::MachinePaper, "times", OF_PAPER));
        let divides = self.may_divide_memory_anew().then(starts_if_it_fits);
        let spread =
            self.condition_of_spread().map(|what| Assumption::assumed(Id::SchedulersSpread, "warps", what));
        let needs = |server: usize| {
            let machine = self.machine().filter(|_| self.asks_memory());
            let found = machine.and_then(|machine| Some((machine, machine.servers().get(server)?)));
            found.is_some_and(|(machine, of)| self.code_asks(machine, server) || of.pauses.is_some())
        };
        let of_kernels = self
            .of_given()
            .into_iter()
            .map(|what| Assumption::assumed(Id::SystemTraffic, "other kernels", what));
        let pointers = self.ground().moves.then(|| of_pointers(&self.ground().memory));
        let all =
            paper.into_iter().chain(divides).chain(spread).chain(of_memory(&self.ground().memory, &needs));
        let all = all.chain(of_kernels).chain(self.of_keys()).chain(pointers);
        all.chain(self.clock_of_code()).collect()
    }

    /// What a file of kernels or graphs has no key for, and its bounds rest on all the same.
    pub(super) fn of_others() -> [Assumption; 2] {
        [
            Assumption::assumed(Id::GpuAlone, "GPU", "nothing is on it but what the file has"),
            Assumption::assumed(Id::LaunchOverhead, "launch overhead", "0, but for copies that are given"),
        ]
    }

    /// The clock of times that are those of code.
    pub(super) fn clock_of_code(&self) -> Option<Assumption> {
        let is_timed = !matches!(self.unit(), TimeUnit::Ticks | TimeUnit::Cycles);
        let of_code = self.tasks().iter().any(|task| !matches!(task.execution, Source::Given(_)));
        self.ground().clock.clone().filter(|_| is_timed && of_code)
    }

    /// What kernels move at most as their keys say.
    fn of_keys(&self) -> Vec<Assumption> {
        let of = |task: &Task, declared: &Declared| {
            let (id, through, key) = match declared.role {
                Role::Dram => (Id::DramBytes, "the DRAM", "dram_bytes"),
                _ => (Id::L2Bytes, "L2", "l2_bytes"),
            };
            let value = format!("at most {} bytes through {through}", declared.bytes);
            Assumption::declared(id, format!("a launch of {}", task.name), value).by(key)
        };
        let tasks = self.tasks().iter().filter(|_| self.asks_memory());
        tasks.flat_map(|task| task.traffic.iter().map(move |declared| of(task, declared))).collect()
    }

    /// The conditions on what kernels ask of servers whose C is given, and copies.
    fn of_given(&self) -> Vec<String> {
        let mut all = Vec::new();
        let Some(machine) = self.machine().filter(|_| self.asks_memory()) else { return all };
        for (number, server) in machine.servers().iter().enumerate() {
            let name = &server.name;
            let asked = self.code_asks(machine, number);
            for task in self.tasks().iter().filter(|task| asked && matches!(task.execution, Source::Given(_)))
            {
                let declared = |role| task.traffic.iter().any(|declared| declared.role == role);
                match server.role() {
                    role if declared(role) => {}
                    Role::L2 if declared(Role::Dram) => {
                        all.push(format!("{} moves no more through {name} than through DRAM", task.name));
                    }
                    _ => all.push(format!("{} asks nothing of {name}", task.name)),
                }
            }
            let copies = self.tasks().iter().any(|task| task.copy_in.max(task.copy_out) > Duration::ZERO);
            // The data sheet says nothing of the link to the host.
            let unbounded = match server.role() {
                Role::Dram | Role::L2 => self.ground().preset.is_none(),
                role => role == Role::Host,
            };
            if copies && unbounded {
                all.push(format!("copies move no more than {name} serves at its rate"));
            }
        }
        all
    }

    /// The condition that warps are spread over the schedulers, where bounds count on it.
    pub fn condition_of_spread(&self) -> Option<&'static str> {
        self.counts_on_spread().then_some(SPREAD)
    }

    /// A kernel whose C is given and of whose traffic nothing is declared, in a system in which it would delay others.
    #[doc(hidden)]
    pub fn without_traffic(&self) -> Option<usize> {
        let machine = self.machine()?;
        let dram = machine.server(Role::Dram)?;
        let undeclared = |task: &Task| {
            matches!(task.execution, Source::Given(_))
                && !task.traffic.iter().any(|declared| declared.role == Role::Dram)
        };
        self.code_asks(machine, dram).then(|| self.tasks().iter().position(undeclared))?
    }

    /// Whether a kernel of code asks anything of a server.
    fn code_asks(&self, machine: &Machine, server: usize) -> bool {
        self.tasks().iter().any(|task| {
            let Source::OnMachine(code) = &task.execution else { return false };
            code.letters().any(|step| {
                let request = machine.letter(step.letter).request(server);
                request.amount > 0 || request.displaces > 0
            })
        })
    }

    /// What the copies of a launch ask of a server, and what they make it do of what is owed from before. No copy moves
    /// more than the data sheet says.
    fn copied(&self, task: &Task, server: usize) -> [u128; 2] {
        let Some(server) = self.machine().and_then(|machine| machine.servers().get(server)) else {
            return [0; 2];
        };
        let time = u128::from(task.copy_in.0) + u128::from(task.copy_out.0);
        if time == 0 || !matches!(server.role(), Role::Dram | Role::L2 | Role::Host) {
            return [0; 2];
        }
        let clock = self.gpu().clock;
        let Some(cycle) = self.unit().grains_per_cycle(clock) else { return [u128::MAX; 2] };
        let cycles = (Ratio::from(time) / cycle).ceil().to_integer();
        let rate = match self.ground().preset.zip(clock).filter(|_| server.role() != Role::Host) {
            Some((preset, clock)) => {
                Ratio::new(preset.memory.dram_bytes_per_second.into(), clock.hertz().into())
            }
            None => Ratio::new((*server.rate.numer()).into(), (*server.rate.denom()).into()),
        };
        let amount = Ratio::from(cycles) * rate;
        // What a copy moves comes in whole lines.
        let lines = (amount / u128::from(warpspan_model::machine::LINE)).ceil().to_integer();
        let cost = u128::from(server.line.max(warpspan_model::machine::LINE));
        [lines.saturating_mul(cost), server.before.into()]
    }
}

/// What a kernel whose C is given asks of a server.
fn given(task: &Task, machine: &Machine, server: usize) -> u128 {
    let server = &machine.servers()[server];
    let of = |role: Role| task.traffic.iter().find(|declared| declared.role == role);
    let declared = match server.role() {
        Role::Other => None,
        // What moves through the DRAM moves through the L2 too.
        Role::L2 => of(Role::L2).or_else(|| of(Role::Dram)),
        role => of(role),
    };
    declared.map_or(0, |declared: &Declared| declared.amount(server))
}
