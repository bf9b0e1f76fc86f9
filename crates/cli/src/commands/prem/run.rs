//! `warpspan prem`.

use crate::args::prem::PremArgs;
use crate::commands::prem::{emit, measured, offsets, plan};
use crate::document::answer;
use crate::output::Target;
use crate::{Exit, Failure, progress};
use warpspan_document::prem::document;
use warpspan_kernel::input::straight_line;
use warpspan_model::Workload;
use warpspan_model::assumption::Assumption;
use warpspan_model::limits::{Ending, Limits};
use warpspan_model::source::{InputError, name, text_of};
use warpspan_model::time::{Clock, Nanoseconds};
use warpspan_prem::{
    Check, Contention, Durations, Execution, Found, Jitter, Mode, NoBound, Offsets, Outcome, Phase, Phases,
    Rule, Schedule, ScheduleError, Seen, Sharing, TileSet, TiledKernel, Waiting, check, duration,
    least_hyperperiod, least_offsets, rests_on, shared_bound, shared_runs, simulate, write_csv, write_header,
    write_json,
};
use warpspan_prem::{KernelDraft, PhaseDuration, TilesFile, read_tiles};
use warpspan_records::Prem;
use warpspan_solver::portfolio::Solver;

/// All that is known of a schedule.
pub(super) struct Scheduled {
    pub(super) schedule: Schedule,
    pub(super) rule: Rule,
    pub(super) planned: Check,
    pub(super) early: Check,
    /// What a kernel takes besides its tiles, if the file says so.
    pub(super) prologue: Option<Nanoseconds>,
    /// What numbers rest on of the GPU.
    pub(super) of_gpu: Vec<Assumption>,
    pub(super) execution: Result<Execution, NoBound>,
    /// The least even offsets.
    pub(super) least: Option<Offsets>,
    /// Least hyperperiod that was not ruled out, and why the search ended.
    pub(super) search: Option<(Nanoseconds, Ending)>,
    pub(super) simulation: Option<(Jitter, u64, Outcome)>,
    pub(super) shared: Option<Shared>,
}

/// The time if memory phases that overlap share the memory.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    pub(super) sharing: Sharing,
    pub(super) seen: Option<Seen>,
    pub(super) bound: Option<Nanoseconds>,
}

pub(crate) fn run(args: &PremArgs) -> Result<Exit, Failure> {
    let place = name(&args.file);
    let text = text_of(&args.file, "kernels cut into tiles, in TOML")?;
    if args.plan {
        return plan::run(&place, &text, args.format);
    }
    let mut file = read_tiles(&place, &text)?;
    file.timer = args.timer.map(Nanoseconds).or(file.timer);
    file.mode = args.mode.unwrap_or(file.mode);
    let targets = args.schedule.iter().map(|path| Target::with_ending(path, &["csv", "json", "svg", "h"]));
    let targets = targets.collect::<Result<Vec<_>, _>>()?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    let tile_set = tile_set(&place, &file, &limits)?;
    let sharing = file.sharing.fitted(&place, &tile_set)?;
    if let Some(range) = args.offsets {
        return offsets::run(args, &place, &file, &tile_set, (range, sharing), &limits);
    }
    let (mode, rule) = (file.mode, args.rule);

    let given = |flag: Option<u64>, file: Option<(Nanoseconds, Option<usize>)>| {
        flag.map(Nanoseconds).or(file.map(|(ns, _)| ns))
    };
    let prefetch = given(args.prefetch_offset, file.prefetch_offset);
    let writeback = given(args.writeback_offset, file.writeback_offset);
    let least = least_offsets(&tile_set, mode, rule, None);
    let none_given = prefetch.is_none() && writeback.is_none();
    let (schedule, search, derived) = if args.search || none_given && !tile_set.is_uniform() {
        let Found { schedule, least, ending } = search(&place, &tile_set, mode, rule, &limits)?;
        (schedule, Some((least, ending)), true)
    } else {
        let beside = least_offsets(&tile_set, mode, rule, prefetch);
        let or_least = |given: Option<Nanoseconds>, which: fn(Offsets) -> Nanoseconds| {
            given.or(beside.map(which)).ok_or_else(|| impossible(&place, mode))
        };
        let prefetch = or_least(prefetch, |least| least.prefetch)?;
        let writeback = if mode.times_writebacks() {
            or_least(writeback, |least| least.writeback)?
        } else {
            Nanoseconds::ZERO
        };
        let schedule = Schedule::uniform(&tile_set, mode, Offsets { prefetch, writeback });
        (schedule.map_err(|error| wrong_offset(&place, args, &file, error))?, None, none_given)
    };
    let (planned, early) = (check(&schedule, Durations::Planned), check(&schedule, Durations::UpTo));
    if derived && !planned.holds(rule) {
        let what = "the offsets found do not satisfy the rule: this is a bug, please report it";
        return Err(Failure::ending(Exit::Disagree, format!("{place}: {what}")));
    }
    let prologue = file.prologue;
    let execution = Execution::of(&schedule, None, prologue.unwrap_or_default(), &planned, &early);
    if let Some(path) = &args.measured {
        return measured::run(path, &schedule, execution.ok(), args.format);
    }
    let mut exit = match search {
        Some((_, ending)) if ending != Ending::Proved => Exit::Limit,
        _ if execution.is_err() => Exit::Limit,
        _ => Exit::Done,
    };
    let mut simulation = None;
    if let Some(jitter) = args.jitter {
        match simulate(&schedule, jitter, args.runs, args.seed, &limits) {
            Ok(outcome) => simulation = Some((jitter, args.seed, outcome)),
            Err(why) => {
                tell!("no simulation: {}", warpspan_document::words::stop(why));
                exit = Exit::Limit;
            }
        }
    }
    let mut shared = None;
    if sharing != Sharing::default() {
        let bound = shared_bound(&schedule, None, prologue.unwrap_or_default(), sharing);
        let seen = sharing.capacity.map(|capacity| {
            shared_runs(&schedule, Waiting::Timed, capacity, args.runs(), &limits).map_err(|why| {
                tell!("no estimate of the time with shared memory: {}", warpspan_document::words::stop(why));
                exit = Exit::Limit;
            })
        });
        shared = Some(Shared { sharing, seen: seen.and_then(Result::ok), bound });
    }
    let (of_gpu, plan) = (file.of_gpu, file.plan);
    let result = Scheduled {
        schedule,
        rule,
        planned,
        early,
        prologue,
        of_gpu,
        execution,
        least,
        search,
        simulation,
        shared,
    };
    if let Some(folder) = &args.emit_cuda {
        emit::write(folder, &place, (&result.schedule, plan.as_ref()), &result.caveat())?;
    }
    let record = Prem::from(&result);
    answer(args.format, record, document)?;
    for target in targets {
        let schedule = &result.schedule;
        let caveat = result.caveat();
        target.write(|ending, mut out| match ending {
            "csv" => write_csv(schedule, &mut out),
            "h" => write_header(schedule, &caveat, &mut out),
            #[cfg(feature = "figures")]
            "svg" => {
                let title = format!("{place}, {mode}: hyperperiod {} ns", schedule.hyperperiod().0);
                out.write_all(
                    warpspan_figures::tiles(schedule, &title, &caveat, &warpspan_figures::Paper::default())
                        .as_bytes(),
                )
            }
            _ => write_json(schedule, &mut out),
        })?;
    }
    Ok(exit)
}

impl Scheduled {
    /// What the numbers rest on.
    pub(super) fn rests_on(&self) -> Vec<Assumption> {
        let contention = self.execution.ok().map(Execution::assumption);
        let at_least = self.shared.and_then(|shared| shared.bound.and(shared.sharing.at_least));
        rests_on(self.schedule.tile_set(), &self.of_gpu, self.prologue, (contention, at_least))
    }

    /// What the times of the schedule are, in a sentence that stands in each file of it.
    fn caveat(&self) -> String {
        match self.execution.map(Execution::assumption) {
            Ok(Contention::Apart) => {
                "Times hold while each phase takes at most its duration and no other kernel is in a memory phase; none is."
                    .into()
            }
            Ok(Contention::Contended) => {
                "Times as planned, NOT proved: memory phases overlap or may, and may then take longer than planned.".into()
            }
            Err(why) => format!("Times as planned, NOT proved: {why}."),
        }
    }
}

/// The tiles of a file, once the durations of its instruction strings are solved.
fn tile_set(place: &str, file: &TilesFile, limits: &Limits) -> Result<TileSet, Failure> {
    let mut solved = Vec::new();
    let mut kernels = Vec::new();
    for KernelDraft { name, blocks, tiles, phases, contended, .. } in &file.kernels {
        let mut times = |times: &[PhaseDuration; 3]| -> Result<Phases, Failure> {
            let mut time = |time: &PhaseDuration| match time {
                PhaseDuration::Given(ns) => Ok(*ns),
                PhaseDuration::Code(code, clock) => of_code(place, code, *clock, &mut solved, limits),
            };
            Ok(Phases { prefetch: time(&times[0])?, compute: time(&times[1])?, writeback: time(&times[2])? })
        };
        let phases = times(phases)?;
        let contended = contended.as_ref().map(times).transpose()?;
        kernels.push(TiledKernel { name: name.clone(), blocks: *blocks, tiles: *tiles, phases, contended });
    }
    TileSet::of_file(kernels, file).map_err(|error| InputError::new(place, error).into())
}

/// What instructions take at most; `solved` holds what is known already.
fn of_code(
    place: &str,
    code: &Workload,
    clock: Clock,
    solved: &mut Vec<(Workload, Clock, Nanoseconds)>,
    limits: &Limits,
) -> Result<Nanoseconds, Failure> {
    if let Some((_, _, ns)) = solved.iter().find(|(known, at, _)| known == code && *at == clock) {
        return Ok(*ns);
    }
    let instance = straight_line(place, code)?;
    let solution = Solver::new().limits(limits).solve(instance)?;
    let too_long =
        || InputError::new(place, format!("{}: too long", warpspan_document::subject::title(&code.into())));
    let ns = duration(solution.worst_case().upper(), clock).ok_or_else(too_long)?;
    solved.push((code.clone(), clock, ns));
    Ok(ns)
}

fn search(
    place: &str,
    tile_set: &TileSet,
    mode: Mode,
    rule: Rule,
    limits: &Limits,
) -> Result<Found, Failure> {
    let spinner = progress::spinner("least hyperperiod");
    let told =
        |hyperperiod: Nanoseconds| spinner.set_message(format!("least hyperperiod: {} ns?", hyperperiod.0));
    let found = least_hyperperiod(tile_set, mode, rule, limits, told);
    spinner.finish_and_clear();
    found.map_err(|error| InputError::new(place, error))?.ok_or_else(|| impossible(place, mode))
}

fn impossible(place: &str, mode: Mode) -> Failure {
    let what = format!(
        "--rule strict: {mode} starts the blocks of a kernel together: want a block-wise mode, --rule relaxed or offsets"
    );
    InputError::new(place, what).into()
}

/// Where the offset that is wrong stands.
fn wrong_offset(place: &str, args: &PremArgs, file: &TilesFile, error: ScheduleError) -> Failure {
    let ScheduleError::Offset { phase, .. } = error else { return InputError::new(place, error).into() };
    let (flag, given) = match phase {
        Phase::Writeback => (args.writeback_offset, file.writeback_offset),
        _ => (args.prefetch_offset, file.prefetch_offset),
    };
    let line = given.and_then(|(_, line)| line).filter(|_| flag.is_none());
    let place = if flag.is_some() { format!("--{phase}-offset") } else { place.to_owned() };
    InputError { place, line, what: error.to_string().into() }.into()
}
