//! `hwModel`: processing units, their clocks, and how they access memories.

use std::collections::BTreeMap;

use crate::model::{Access, ProcessingUnit};
use crate::read::names::{Names, reference, references};
use crate::read::values::{DEEPEST, discrete, frequency, rate, size, whole};
use crate::xml::Element;
use warpspan_model::source::{InputError, quoted};

/// The processing units and memories.
#[derive(Debug)]
pub(super) struct Hardware {
    pub(super) units: Vec<ProcessingUnit>,
    pub(super) unit_names: Names,
    pub(super) memory_names: Names,
    /// The memories whose definition says that an access takes time, with their lines.
    pub(super) slow: BTreeMap<String, usize>,
    /// The names of the definitions of processing units.
    pub(super) definitions: Names,
}

/// A module with the line size of its cache, in bits.
struct Module<'a> {
    element: Element<'a>,
    line_bits: Option<u64>,
}

pub(super) fn hardware(models: &[Element<'_>]) -> Result<Hardware, InputError> {
    let of =
        |name: &'static str| models.iter().flat_map(move |model| model.children(name).collect::<Vec<_>>());
    let of_kind = |elements: Vec<_>, kind: &str| -> Vec<Element<'_>> {
        elements.into_iter().filter(|element: &Element<'_>| element.kind() == kind).collect()
    };
    let definitions = of_kind(of("definitions").collect(), "ProcessingUnitDefinition");
    let definition_names = Names::new("ProcessingUnitDefinition", definitions.iter().copied())?;
    let caches = of_kind(of("definitions").collect(), "CacheDefinition");
    let cache_names = Names::new("CacheDefinition", caches.iter().copied())?;
    let line_bits_of = |cache: Element<'_>| -> Result<Option<u64>, InputError> {
        let definition = cache_names.one(cache, "definition")?;
        caches[definition].child("lineSize").map(size).transpose()
    };
    let domains = of_kind(of("domains").collect(), "FrequencyDomain");
    let domain_names = Names::new("FrequencyDomain", domains.iter().copied())?;

    let mut modules = Vec::new();
    for structure in of("structures") {
        collect(structure, &line_bits_of, &mut modules, 0)?;
    }
    let is = |kind: &'static str| move |module: &&Module<'_>| module.element.kind() == kind;
    let units: Vec<&Module<'_>> = modules.iter().filter(is("ProcessingUnit")).collect();
    let unit_names = Names::new("ProcessingUnit", units.iter().map(|unit| unit.element))?;
    let memories: Vec<Element<'_>> =
        modules.iter().filter(is("Memory")).map(|memory| memory.element).collect();
    let memory_names = Names::new("Memory", memories.iter().copied())?;
    let memory_definitions = of_kind(of("definitions").collect(), "MemoryDefinition");
    let memory_definition_names = Names::new("MemoryDefinition", memory_definitions.iter().copied())?;
    let mut slow = BTreeMap::new();
    for memory in memories {
        // A model need not say of what kind a memory is.
        if references(memory, "definition").is_empty() {
            continue;
        }
        let definition = memory_definitions[memory_definition_names.one(memory, "definition")?];
        let latency = definition.child("accessLatency").map(discrete).transpose()?;
        if latency.is_some_and(|latency| latency.upper > 0) || definition.child("dataRate").is_some() {
            slow.insert(memory.required("name")?.to_owned(), memory.line());
        }
    }

    let mut clocks = BTreeMap::new();
    let mut read = Vec::new();
    for Module { element, line_bits } in units {
        let element = *element;
        let definition = definitions[definition_names.one(element, "definition")?];
        let domain = domain_names.one(element, "frequencyDomain")?;
        let clock = match clocks.get(&domain) {
            Some(&clock) => clock,
            None => frequency(domains[domain].required_child("defaultValue")?)?,
        };
        clocks.insert(domain, clock);
        let accesses = element.children("accessElements").map(|access| self::access(access, &memory_names));
        let caches = element.children("caches").map(line_bits_of).collect::<Result<Vec<_>, _>>()?;
        let line_bits = line_bits.or(caches.into_iter().flatten().min());
        let port = element.children("ports").find(|port| port.attribute("bitWidth").is_some());
        let width = port.map(|port| whole(port, "bitWidth")).transpose()?;
        read.push(ProcessingUnit {
            name: element.required("name")?.to_owned(),
            definition: definition.required("name")?.to_owned(),
            is_gpu: definition.attribute("puType") == Some("GPU"),
            frequency: clock,
            accesses: accesses.collect::<Result<_, InputError>>()?,
            line_bits: line_bits.or(width).filter(|&bits| bits > 0),
        });
    }
    Ok(Hardware { units: read, unit_names, memory_names, slow, definitions: definition_names })
}

/// Collects the modules of a structure and of those within.
fn collect<'a>(
    structure: Element<'a>,
    line_bits: &impl Fn(Element<'_>) -> Result<Option<u64>, InputError>,
    modules: &mut Vec<Module<'a>>,
    depth: usize,
) -> Result<(), InputError> {
    if depth > DEEPEST {
        return Err(structure.error(format!("structures nest deeper than {DEEPEST}: want fewer levels")));
    }
    let cache = structure.children("modules").find(|module| module.kind() == "Cache");
    let bits = cache.map(line_bits).transpose()?.flatten();
    modules.extend(structure.children("modules").map(|element| Module { element, line_bits: bits }));
    structure.children("structures").try_for_each(|inner| collect(inner, line_bits, modules, depth + 1))
}

/// An access element, with the name of its memory.
fn access(element: Element<'_>, memories: &Names) -> Result<(String, Access), InputError> {
    let memory = reference(element, "destination")?;
    if memories.find(&memory).is_none() {
        // Processing units may also access each other, which takes no part in the analysis.
        return Ok((String::new(), Access { read: None, write: None, rate: None }));
    }
    if element.child("accessPath").is_some() && element.child("readLatency").is_none() {
        let what = format!("a path to {} without latencies of its own", quoted(&memory));
        return Err(element.error(format!("{what}: want readLatency and writeLatency")));
    }
    let latency = |name| element.child(name).map(discrete).transpose();
    let (read, write) = (latency("readLatency")?, latency("writeLatency")?);
    let rate = element.child("dataRate").map(rate).transpose()?;
    Ok((memory, Access { read, write, rate }))
}

/// The memory of each label that is mapped to one, by the name of the label.
pub(super) fn memory_of(mappings: &[Element<'_>]) -> Result<BTreeMap<String, String>, InputError> {
    let mut found = BTreeMap::new();
    for model in mappings {
        for mapping in model.children("memoryMapping") {
            let memory = reference(mapping, "memory")?;
            let labels = references(mapping, "abstractElement");
            if labels.is_empty() {
                return Err(mapping.error("no abstractElement: want the label that this memory holds"));
            }
            found.extend(labels.into_iter().map(|label| (label, memory.clone())));
        }
    }
    Ok(found)
}
