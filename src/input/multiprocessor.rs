//! The `[multiprocessor]` table, in one of its three ways.

use serde::Deserialize;
use toml::Spanned;

use crate::input::InputError;
use crate::input::source::Source;
use crate::model::{Capability, Multiprocessor, Throughput};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MultiprocessorTable {
    sigma_l: Option<Spanned<toml::Value>>,
    sigma_c: Option<Spanned<toml::Value>>,
    load_store_units: Option<Spanned<i64>>,
    cuda_cores: Option<Spanned<i64>>,
    warp_size: Option<Spanned<i64>>,
    compute_capability: Option<Spanned<toml::Value>>,
}

/// The multiprocessor, if the table says one, and the warp size.
pub(crate) fn multiprocessor(
    source: &Source<'_>,
    spanned: &Spanned<MultiprocessorTable>,
) -> Result<(Option<Multiprocessor>, u64), InputError> {
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
        Some(size) => source.positive("warp_size", size)?,
        None => 32,
    };
    let multiprocessor = match (&table.load_store_units, &table.cuda_cores) {
        (Some(load_store), Some(cores)) => {
            let load_store = source.positive("load_store_units", load_store)?;
            let cores = source.positive("cuda_cores", cores)?;
            let found = Multiprocessor::from_units(load_store, cores, warp_size);
            Some(found.map_err(|what| error(what.to_string()))?)
        }
        (Some(_), None) => return Err(error("load_store_units without cuda_cores".into())),
        (None, Some(_)) => return Err(error("cuda_cores without load_store_units".into())),
        (None, None) if sigmas.is_some() => Some(Multiprocessor::new(
            sigma(source, "sigma_l", table.sigma_l.as_ref())?,
            sigma(source, "sigma_c", table.sigma_c.as_ref())?,
        )),
        (None, None) => {
            let units = |capability: Capability| capability.multiprocessor();
            capability(source, spanned)?.map(units).transpose().map_err(|what| error(what.to_string()))?
        }
    };
    Ok((multiprocessor, warp_size))
}

fn first(keys: &[(&'static str, bool)]) -> Option<&'static str> {
    keys.iter().find(|(_, given)| *given).map(|&(key, _)| key)
}

fn sigma(
    source: &Source<'_>,
    key: &str,
    value: Option<&Spanned<toml::Value>>,
) -> Result<Throughput, InputError> {
    let Some(value) = value else { return Ok(Throughput::ONE) };
    let text = match value.get_ref() {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let wrong = || format!("{key} = {}: want a whole number or 1/n, 1 or more", value.get_ref());
    text.parse().map_err(|_| source.error(value.span().start, wrong()))
}

/// The capability, if the table says one.
pub(crate) fn capability(
    source: &Source<'_>,
    table: &Spanned<MultiprocessorTable>,
) -> Result<Option<Capability>, InputError> {
    let Some(value) = &table.get_ref().compute_capability else { return Ok(None) };
    let text = match value.get_ref() {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let wrong = |error| {
        source.error(value.span().start, format!("compute_capability = {}: {error}", value.get_ref()))
    };
    text.parse().map(Some).map_err(wrong)
}
