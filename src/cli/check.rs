//! `warpspan check`.

use crate::check::{Claims, Report, judge};
use crate::cli::args::{CheckArgs, Format};
use crate::cli::instances::{Place, instance};
use crate::cli::output::{Target, print};
use crate::cli::record::{CHECK, CheckRecord, Claim, SOLVE, line_of};
use crate::cli::{Exit, Failure, text};
use crate::input::InputError;
use crate::input::{bytes, name};
use crate::model::Instance;
use crate::schedule::{Schedule, from_records, read_csv, read_json};

pub(super) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let content = bytes(&args.file)?;
    let place = name(&args.file);
    let is_record = content.trim_ascii_start().starts_with(b"{");
    let cases = if is_record {
        claims(args, &place, &content)?
    } else {
        let instance = instance(args.instance.as_ref(), &args.flags)?;
        let json = Target::extension(&args.file) == "json" || content.trim_ascii_start().starts_with(b"[");
        let read = if json { read_json(&instance, &content) } else { read_csv(&instance, &content) };
        vec![Case { schedule: read.map_err(|error| InputError::new(&place, error))?, claims: None, instance }]
    };
    let lines = (1..).zip(content.split(|&byte| byte == b'\n'));
    let lines = lines.filter(|(_, line)| is_record && !line.trim_ascii().is_empty());
    let mut lines = lines.map(|(number, _)| number);
    let beside = cases.len() > 1;
    let mut exit = Exit::Done;
    for case in cases {
        let place = Place { file: Some(name(&args.file)), line: lines.next(), beside };
        let (instance, record) = case.judge();
        if !record.errors.is_empty() {
            exit = Exit::Disagree;
        }
        print(&match args.format {
            Format::Text => place.over(&describe(&instance, &record)),
            Format::Json => line_of(&place, &record)?,
        })?;
    }
    Ok(exit)
}

struct Case {
    instance: Instance,
    schedule: Schedule,
    claims: Option<Claims>,
}

/// The lines of `solve` output.
fn claims(args: &CheckArgs, place: &str, content: &[u8]) -> Result<Vec<Case>, Failure> {
    let flags = &args.flags;
    let named = args.instance.is_some()
        || flags.kernel.is_some()
        || flags.listing.ptx.is_some()
        || !flags.group.is_empty();
    if named || flags.warps.is_some() || flags.sigma_l.is_some() || flags.sigma_c.is_some() {
        return Err(InputError::new(place, "a record of solve carries its instance: name no other").into());
    }
    let case = |(number, line): (usize, &[u8])| -> Result<Case, Failure> {
        let error = |what: String| InputError { place: place.to_owned(), line: Some(number + 1), what };
        let claim: Claim = serde_json::from_slice(line).map_err(|e| error(e.to_string()))?;
        if claim.schema != SOLVE {
            return Err(error(format!("schema {:?}: want {SOLVE:?}", claim.schema)).into());
        }
        let instance = claim.instance.instance().map_err(error)?;
        let records = claim.schedule.ok_or_else(|| {
            error("the record has no schedule to replay: solve with --with-schedule".to_owned())
        })?;
        let schedule = from_records(&instance, &records).map_err(|e| error(e.to_string()))?;
        let theta = claim.phase.and_then(|phase| phase.theta.parse().ok());
        let claims = Claims { lower: claim.lower, upper: claim.upper, theta };
        Ok(Case { instance, schedule, claims: Some(claims) })
    };
    let lines = content.split(|&byte| byte == b'\n').enumerate();
    lines.filter(|(_, line)| !line.trim_ascii().is_empty()).map(case).collect()
}

impl Case {
    fn judge(self) -> (Instance, CheckRecord) {
        let Report { makespan, recomputed, upper_verified, errors } =
            judge(&self.instance, self.schedule, self.claims);
        let record = CheckRecord {
            schema: CHECK,
            version: env!("CARGO_PKG_VERSION"),
            instance: (&self.instance).into(),
            valid: makespan.is_some(),
            makespan,
            lower: self.claims.map(|claims| claims.lower),
            upper: self.claims.map(|claims| claims.upper),
            upper_verified,
            recomputed_upper: recomputed.cycles(),
            recomputed_by: recomputed.evidence().to_string(),
            errors,
        };
        (self.instance, record)
    }
}

fn describe(instance: &Instance, record: &CheckRecord) -> String {
    let mut out = text::heading(instance) + "\n";
    match record.makespan {
        Some(makespan) => out.push_str(&format!("schedule    valid, {makespan} cycles\n")),
        None => out.push_str("schedule    NOT valid\n"),
    }
    let recomputed = format!("{} ({})", record.recomputed_upper, record.recomputed_by);
    match (record.upper, record.upper_verified) {
        (Some(upper), Some(true)) => {
            out.push_str(&format!("upper       {upper}, verified by {recomputed}\n"))
        }
        (Some(upper), Some(false)) if record.errors.is_empty() => out.push_str(&format!(
            "upper       {upper}, NOT verified: it rests on the engine; the plain route gives {recomputed}\n"
        )),
        _ => out.push_str(&format!("upper       at most {recomputed}\n")),
    }
    for error in &record.errors {
        out.push_str(&format!("error       {error}\n"));
    }
    out
}
