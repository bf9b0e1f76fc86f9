//! The `[multiprocessor]` table, which can be written in three ways.

use schemars::JsonSchema;
use serde::Deserialize;

use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::{Capability, Preset, WARP};
use warpspan_model::source::{InputError, NumberOrText, Source, Spanned, WholeOrText, plain};
use warpspan_model::{Multiprocessor, Throughput, ThroughputError, Unit};

/// The largest numbers that are accepted: units, which no multiprocessor has, and below threads of a warp.
const MOST_UNITS: u64 = 4096;
const MOST_WARP: u64 = 1024;

#[doc(hidden)]
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MultiprocessorTable {
    /// Load/store instructions that warps may issue in a cycle: a whole number or 1/n.
    #[schemars(with = "Option<WholeOrText>")]
    sigma_l: Option<Spanned<toml::Value>>,
    /// CUDA-core instructions that warps may issue in a cycle: a whole number or 1/n.
    #[schemars(with = "Option<WholeOrText>")]
    sigma_c: Option<Spanned<toml::Value>>,
    /// Load/store units, instead of the sigmas.
    load_store_units: Option<Spanned<i64>>,
    /// CUDA cores, together with `load_store_units`.
    cuda_cores: Option<Spanned<i64>>,
    /// Threads of a warp; 32 if it is not given.
    warp_size: Option<Spanned<i64>>,
    /// A compute capability such as `8.6`, instead of sigmas or units.
    #[schemars(with = "Option<NumberOrText>")]
    compute_capability: Option<Spanned<toml::Value>>,
}

/// A multiprocessor, and the capability that its sigmas are from; none if the sigmas were given directly.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub struct Sigmas {
    pub multiprocessor: Multiprocessor,
    pub capability: Option<Capability>,
    /// The keys that give them directly; none where the capability does, or the file of a machine.
    keys: Option<&'static str>,
}

impl Sigmas {
    pub(crate) fn of(capability: Capability) -> Result<Self, ThroughputError> {
        Ok(Self { multiprocessor: capability.multiprocessor()?, capability: Some(capability), keys: None })
    }

    pub(super) fn given(multiprocessor: Multiprocessor, keys: Option<&'static str>) -> Self {
        Self { multiprocessor, capability: None, keys }
    }

    /// What numbers rest on that depend on both sigmas.
    pub fn assumes(&self) -> Vec<Assumption> {
        self.assumes_of(&Unit::ALL)
    }

    /// The same of the sigmas of these units.
    pub(super) fn assumes_of(&self, units: &[Unit]) -> Vec<Assumption> {
        let declared = |unit: &Unit| Some(declared(&self.multiprocessor, *unit).by(self.keys?));
        match self.capability {
            Some(capability) => capability.assumes(units).into_iter().collect(),
            None => units.iter().filter_map(declared).collect(),
        }
    }
}

/// That a user says the sigma of a unit.
pub(super) fn declared(of: &Multiprocessor, unit: Unit) -> Assumption {
    Assumption::declared(Id::GpuUnits, format!("sigma_{}", unit.letter()), of.sigma(unit).to_string())
}

/// Reads the multiprocessor, if the table gives one, and the warp size.
pub(crate) fn multiprocessor(
    source: &Source<'_>,
    spanned: &Spanned<MultiprocessorTable>,
) -> Result<(Option<Sigmas>, u64), InputError> {
    let table = spanned.get_ref();
    let error = |what: String| source.error(spanned.span().start, format!("[multiprocessor]: {what}"));
    let sigmas = first(&[("sigma_l", table.sigma_l.is_some()), ("sigma_c", table.sigma_c.is_some())]);
    let units = first(&[
        ("load_store_units", table.load_store_units.is_some()),
        ("cuda_cores", table.cuda_cores.is_some()),
    ]);
    let version = first(&[("compute_capability", table.compute_capability.is_some())]);
    let ways: Vec<&str> = [sigmas, units, version].into_iter().flatten().collect();
    if let [one, other, ..] = ways[..] {
        return Err(error(format!("{one} and {other} contradict each other: want one way to say it")));
    }
    let warp_size = match &table.warp_size {
        Some(size) => source.plausible("warp_size", size, MOST_WARP)?,
        None => WARP,
    };
    let sigmas = match (&table.load_store_units, &table.cuda_cores) {
        (Some(load_store), Some(cores)) => {
            let load_store = source.plausible("load_store_units", load_store, MOST_UNITS)?;
            let cores = source.plausible("cuda_cores", cores, MOST_UNITS)?;
            let found = Multiprocessor::from_units(load_store, cores, warp_size);
            let found = found.map_err(|what| error(what.to_string()))?;
            Some(Sigmas::given(found, Some("load_store_units and cuda_cores")))
        }
        (Some(_), None) => return Err(error("load_store_units without cuda_cores".into())),
        (None, Some(_)) => return Err(error("cuda_cores without load_store_units".into())),
        (None, None) if sigmas.is_some() => {
            let given =
                |key, value: &Option<_>| value.as_ref().map(|value| sigma(source, key, value)).transpose();
            match (given("sigma_l", &table.sigma_l)?, given("sigma_c", &table.sigma_c)?) {
                (Some(sigma_l), Some(sigma_c)) => {
                    let given = Multiprocessor::new(sigma_l, sigma_c);
                    Some(Sigmas::given(given, Some("sigma_l and sigma_c")))
                }
                (Some(_), None) => return Err(error("sigma_l without sigma_c".into())),
                _ => return Err(error("sigma_c without sigma_l".into())),
            }
        }
        (None, None) => {
            let said = capability(source, spanned)?;
            said.map(Sigmas::of).transpose().map_err(|what| error(what.to_string()))?
        }
    };
    Ok((sigmas, warp_size))
}

fn first(keys: &[(&'static str, bool)]) -> Option<&'static str> {
    keys.iter().find(|(_, given)| *given).map(|&(key, _)| key)
}

fn sigma(source: &Source<'_>, key: &str, value: &Spanned<toml::Value>) -> Result<Throughput, InputError> {
    let wrong = || format!("{key} = {}: want a whole number or 1/n, 1 or more", value.get_ref());
    plain(value.get_ref()).parse().map_err(|_| source.error(value.span().start, wrong()))
}

/// The multiprocessor that the kernels of a file run on.
#[doc(hidden)]
pub struct Machine {
    /// The capability for which letters of listings are counted.
    pub capability: Option<Capability>,
    /// The sigmas, if the file gives or implies them.
    pub sigmas: Option<Sigmas>,
    pub warp_size: u64,
}

/// The machine of `[multiprocessor]`, or else that of the preset in `[gpu]`.
pub fn machine(
    source: &Source<'_>,
    table: Option<&Spanned<MultiprocessorTable>>,
    preset: Option<&Preset>,
) -> Result<Machine, InputError> {
    let (sigmas, warp_size) = table.map_or(Ok((None, WARP)), |table| multiprocessor(source, table))?;
    let said = table.map(|table| capability(source, table)).transpose()?.flatten();
    let at = table.map_or(0, |table| table.span().start);
    let implied = preset.map(Preset::capability).transpose().map_err(|what| source.error(at, what))?;
    if let (Some(said), Some(implied), Some(preset)) = (said, implied, preset)
        && said != implied
    {
        let what = format!(
            "compute_capability = {:?}: preset {:?} has {}: want one of them",
            said.version, preset.name, implied.version
        );
        return Err(source.error(at, what));
    }
    let capability = said.or(implied);
    let sigmas = match sigmas {
        Some(sigmas) => Some(sigmas),
        None => capability.map(Sigmas::of).transpose().map_err(|what| source.error(at, what))?,
    };
    Ok(Machine { capability, sigmas, warp_size })
}

impl Machine {
    /// Refuses other warp sizes, for commands that count in warps of 32 threads.
    pub fn in_warps_of_32(
        self,
        source: &Source<'_>,
        table: Option<&Spanned<MultiprocessorTable>>,
    ) -> Result<Self, InputError> {
        match self.warp_size {
            WARP => Ok(self),
            size => {
                let at = table.map_or(0, |table| table.span().start);
                Err(source.error(at, format!("warp_size = {size}: want {WARP}, as all GPUs here have")))
            }
        }
    }
}

/// The error for a kernel string in a file that gives no sigmas.
pub const NO_SIGMAS: &str = "no throughput is given: want [multiprocessor] with compute_capability, or with sigma_l and \
                                    sigma_c, or a preset in [gpu] (`warpspan gpus` lists them)";

/// Reads the compute capability, if the table gives one.
pub(crate) fn capability(
    source: &Source<'_>,
    table: &Spanned<MultiprocessorTable>,
) -> Result<Option<Capability>, InputError> {
    let Some(value) = &table.get_ref().compute_capability else { return Ok(None) };
    let wrong = |error| {
        source.error(value.span().start, format!("compute_capability = {}: {error}", value.get_ref()))
    };
    plain(value.get_ref()).parse().map(Some).map_err(wrong)
}
