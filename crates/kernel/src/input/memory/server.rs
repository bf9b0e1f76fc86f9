//! A server of the memory as a file or a GPU gives it, by the second or by the cycle.

use num_rational::Ratio;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::input::memory::quantity::{Length, Rate, size};
use warpspan_model::assumption::Assumption;
use warpspan_model::machine::{LINE, Others, Pauses, SECTOR, Server};
use warpspan_model::source::{InputError, Message, Remedy, Source, Spanned};
use warpspan_model::time::Clock;

/// The server that stands for the link to memory of the host. Only who says how long the link takes adds it.
pub(crate) const HOST: &str = "HOST";

/// A server of the memory whose numbers become cycles when the clock is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedServer {
    /// The name.
    pub name: String,
    /// The least rate at which it serves whole lines.
    pub rate: Rate,
    /// What a line costs, as an amount.
    pub line: u64,
    /// What a sector costs that comes alone in its line.
    pub lone_sector: u64,
    /// The most that it owes from before, as an amount.
    pub before: u64,
    /// What others take of it, and how much of it at once.
    pub others: Option<(Rate, u64)>,
    /// When it serves nothing.
    pub pauses: Option<Stops>,
    /// Whether the rate is what a user says.
    pub given: bool,
    /// Where the numbers are from.
    pub sources: String,
    /// Whether nobody vouches for the rate.
    pub assumed: bool,
    /// What a user says of it besides.
    pub declared: Vec<Assumption>,
}

/// Pauses by the second or by the cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stops {
    /// How long one takes.
    pub length: Length,
    /// How long it is from one to the next.
    pub every: Length,
    /// How many may come together with those that are due.
    pub postponed: u64,
    /// Whether a launch waits for them of whose code nothing is known to ask the server.
    pub of_all: bool,
}

impl NamedServer {
    /// A server of whole lines and sectors that stand for themselves.
    pub fn simple(name: &str, rate: Rate) -> Self {
        Self {
            name: name.to_owned(),
            rate,
            line: LINE,
            lone_sector: SECTOR,
            before: 0,
            others: None,
            pauses: None,
            given: false,
            sources: String::new(),
            assumed: false,
            declared: Vec::new(),
        }
    }

    /// The server in cycles of a clock.
    ///
    /// # Errors
    /// If there is no clock, and a number is one by the second.
    pub fn at(&self, clock: Option<Clock>) -> Result<Server, String> {
        let want = || {
            format!(
                "server {}: its rate is one by the second: want a clock, which is clock_mhz in a file",
                self.name
            )
        };
        let others = match self.others {
            None => Others::NONE,
            Some((rate, burst)) => Others { burst, rate: rate.per_cycle(clock).ok_or_else(want)? },
        };
        let pauses = match self.pauses {
            None => None,
            Some(stops) => Some(Pauses {
                length: stops.length.cycles(clock, true).ok_or_else(want)?,
                every: stops.every.cycles(clock, false).ok_or_else(want)?,
                postponed: stops.postponed,
                of_all: stops.of_all,
            }),
        };
        let rate: Ratio<u64> = self.rate.per_cycle(clock).ok_or_else(want)?;
        let (name, line, lone_sector, before) = (self.name.clone(), self.line, self.lone_sector, self.before);
        Ok(Server { name, rate, line, lone_sector, before, others, pauses })
    }
}

/// `[[server]]` of a machine file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServerTable {
    /// `DRAM`, `L2` and `ATOMICS` are those that memory instructions ask of; letters may ask of any by its name. `HOST` is none of a file.
    pub(crate) name: Spanned<String>,
    /// The least rate while requests wait: `123 GB/s`, `20.5 B/cycle`, or `1 /cycle`.
    rate: Spanned<String>,
    /// The bytes of a request, where a letter says how many it sends; 32 if it is not given.
    #[serde(default)]
    request: Option<Spanned<i64>>,
    /// What a line of 128 bytes costs, in bytes; 128 if it is not given.
    #[serde(default)]
    line: Option<Spanned<i64>>,
    /// What a sector of 32 bytes costs that comes alone in its line, in bytes; 32 if it is not given.
    #[serde(default)]
    lone_sector: Option<Spanned<i64>>,
    /// The most bytes that are owed at the start, such as the size of an L2 full of lines to write back; 0 if it is not
    /// given.
    #[serde(default)]
    before: Option<Spanned<String>>,
    /// What others take, such as the cores of a CPU, and how much of it at once: `20 GB/s`.
    #[serde(default)]
    others: Option<Spanned<String>>,
    /// The bytes that others take at once.
    #[serde(default)]
    others_burst: Option<Spanned<String>>,
    /// How long a pause takes, such as a refresh: `380 ns`, or cycles.
    #[serde(default)]
    pause: Option<Spanned<String>>,
    /// How long it is from one pause to the next.
    #[serde(default)]
    pause_every: Option<Spanned<String>>,
    /// How many pauses may come together with those that are due, put off or brought forward; 16 if it is not given.
    #[serde(default)]
    pauses_postponed: Option<Spanned<i64>>,
    /// Where the numbers are from.
    #[serde(default)]
    sources: String,
    /// The numbers that no source gives.
    #[serde(default)]
    assumed: Vec<AssumedOfServer>,
}

/// A number of a server that no source gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AssumedOfServer {
    /// The rate.
    Rate,
}

impl ServerTable {
    /// The server, and the bytes of a request of letters.
    pub(crate) fn named(&self, source: &Source<'_>) -> Result<(NamedServer, u64), InputError> {
        let number = |key: &str, value: &Option<Spanned<i64>>, default| match value {
            Some(value) => source.positive(key, value),
            None => Ok(default),
        };
        let wrong = |value: &Spanned<String>, key: &str| {
            let at = value.span().start;
            let key = key.to_owned();
            move |what: String| source.error(at, format!("{key} = {what}"))
        };
        if self.name.get_ref() == HOST {
            let at = self.name.span().start;
            let what = Message::text(
                "server HOST: a link to memory of the host has a time that it adds to each access: want ",
            )
            .remedy(Remedy::HostMemory)
            .then(", which says both");
            return Err(InputError { what, ..source.error(at, "") });
        }
        let rate = Rate::read(self.rate.get_ref()).map_err(wrong(&self.rate, "rate"))?;
        let bytes = |key: &str, value: &Option<Spanned<String>>| match value {
            Some(value) => size(value.get_ref()).map_err(wrong(value, key)),
            None => Ok(0),
        };
        let burst = bytes("others_burst", &self.others_burst)?;
        let others = match &self.others {
            Some(value) => Some((Rate::read(value.get_ref()).map_err(wrong(value, "others"))?, burst)),
            None if burst > 0 => {
                let at = self.others_burst.as_ref().map_or(0, |value| value.span().start);
                return Err(source.error(at, "others_burst without others: want others = \"20 GB/s\""));
            }
            None => None,
        };
        let length =
            |key: &str, value: &Spanned<String>| Length::read(value.get_ref()).map_err(wrong(value, key));
        let pauses = match (&self.pause, &self.pause_every) {
            (None, None) => None,
            (Some(pause), Some(every)) => Some(Stops {
                length: length("pause", pause)?,
                every: length("pause_every", every)?,
                postponed: match &self.pauses_postponed {
                    Some(value) => source.natural("pauses_postponed", value, 1 << 16)?,
                    None => 16,
                },
                of_all: false,
            }),
            (Some(one), None) | (None, Some(one)) => {
                let what = "want both pause and pause_every, or none of them";
                return Err(source.error(one.span().start, what));
            }
        };
        let name = self.name.get_ref().clone();
        let assumed = self.assumed.contains(&AssumedOfServer::Rate);
        let lanes = name == "ATOMICS";
        let line = number("line", &self.line, if lanes { 1 } else { LINE })?;
        let lone_sector = number("lone_sector", &self.lone_sector, if lanes { 1 } else { SECTOR })?;
        // A line that is written back costs what any line costs.
        let owed = u128::from(bytes("before", &self.before)?) * u128::from(line.max(lone_sector).max(LINE));
        let server = NamedServer {
            rate,
            line,
            lone_sector,
            before: u64::try_from(owed.div_ceil(LINE.into())).unwrap_or(u64::MAX),
            others,
            pauses,
            // A file that names no source vouches for it itself.
            given: !assumed && self.sources.is_empty(),
            sources: self.sources.clone(),
            assumed,
            declared: Vec::new(),
            name,
        };
        Ok((server, number("request", &self.request, if lanes { 1 } else { SECTOR })?))
    }
}
