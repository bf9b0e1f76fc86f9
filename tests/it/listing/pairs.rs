//! Two listings on one GPU: they have one alphabet, whatever the order in which they are read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use assert_cmd::Command;
use serde_json::Value;
use warpspan::input::find_machine;
use warpspan::listing::{Options, Reading, Text, extract};
use warpspan::model::device::PRESETS;
use warpspan::model::machine::{Letter, Machine};

/// A function of SASS, as cuobjdump prints it. Up to 6.x some words are none of instructions.
fn sass(capability: &str, name: &str, body: &[&str]) -> String {
    let (step, control) = match capability.split('.').next().unwrap() {
        "2" => (8, u64::MAX),
        "3" => (8, 0x40),
        "5" | "6" => (8, 0x20),
        _ => (16, u64::MAX),
    };
    let mut places = (0..).map(|at| at * step).filter(|at| at % control != 0 || control == u64::MAX);
    let lines = body.iter().map(|one| format!("        /*{:04x}*/ {one} ;\n", places.next().unwrap()));
    let number = capability.replace('.', "");
    format!("\tcode for sm_{number}\n\t\tFunction : {name}\n{}\t\t.....\n", lines.collect::<String>())
}

/// Kernels with registers in one bank and in two, with loads of several widths, and in both languages.
fn kernels(capability: &str) -> Vec<String> {
    let [load, wide, store] = match capability.split('.').next().unwrap() {
        "2" | "3" => ["LD R0, [R2]", "LD.64 R4, [R2]", "ST [R2], R0"],
        _ => ["LDG.E R0, [R2]", "LDG.E.64 R4, [R2]", "STG.E [R2], R0"],
    };
    let number = capability.replace('.', "");
    vec![
        sass(capability, "one", &[load, "FFMA R0, R1, R2, R3", "FADD R0, R2, R4", store, "EXIT"]),
        sass(
            capability,
            "two",
            &[wide, "FFMA R0, R4, R6, R1", "FFMA R0, R4, R6, R8", "IMAD R0, R1, R2, R3", store, "EXIT"],
        ),
        format!(
            ".version 8.7\n.target sm_{number}\n.address_size 64\n.visible .entry three()\n{{\nld.global.v2.f32 {{%f1, %f2}}, [%rd1];\n\
             fma.rn.f32 %f3, %f1, %f2, %f1;\nst.global.f32 [%rd1], %f3;\nret;\n}}\n"
        ),
    ]
}

fn reading(text: &str) -> Text {
    Text::new("k", text.as_bytes().to_vec()).unwrap()
}

/// The machine with the letters that an entry adds.
fn with(reading: &Reading<'_>, entry: Option<&str>, machine: &Arc<Machine>) -> Result<Arc<Machine>, String> {
    let options =
        Options { entry: entry.map(str::to_owned), machine: Some(Arc::clone(machine)), ..Options::default() };
    let entry = reading.entry(&options).map_err(|error| error.to_string())?;
    Ok(Arc::clone(&entry.on_machine.unwrap().machine))
}

fn letters(machine: &Machine) -> BTreeMap<&str, &Letter> {
    machine.letters().iter().map(|letter| (letter.name.as_str(), letter)).collect()
}

#[test]
fn two_listings_have_one_alphabet_on_every_gpu() {
    for preset in PRESETS.iter() {
        let machine = Arc::new(find_machine(preset.name).unwrap().machine);
        let texts: Vec<Text> = kernels(preset.capability).iter().map(|text| reading(text)).collect();
        let readings: Vec<Reading<'_>> = texts.iter().map(|text| Reading::of(text).unwrap()).collect();
        for one in &readings {
            for other in &readings {
                let both = |first, second| with(second, None, &with(first, None, &machine)?);
                let [forth, back] = [both(one, other), both(other, one)]
                    .map(|both| both.unwrap_or_else(|error| panic!("{}: {error}", preset.name)));
                assert_eq!(letters(&forth), letters(&back), "{}", preset.name);
                // What is read again adds nothing.
                assert_eq!(with(one, None, &forth).unwrap().letters(), forth.letters(), "{}", preset.name);
            }
        }
    }
}

/// The listings of a folder of the tests.
fn texts(folder: &str) -> Vec<Text> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder);
    let files = fs::read_dir(folder).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
    files.filter_map(|bytes| Text::new("k", bytes).ok()).collect()
}

/// Entries of the corpus and of other listings in both languages, each with each other one.
#[test]
fn every_pair_of_listings_shares_a_gpu() {
    let machine = Arc::new(find_machine("jetson-orin").unwrap().machine);
    let folders = ["corpus/8.7", "listing/samples", "transactions", "ptx-against-sass"];
    let texts: Vec<Text> = folders.into_iter().flat_map(texts).collect();
    let mut alone = Vec::new();
    for text in &texts {
        let Ok(entries) = extract(text, &Options::default()) else { continue };
        for entry in entries {
            let reading = Reading::of(text).unwrap();
            let own = with(&reading, Some(&entry.name), &machine).unwrap();
            alone.push((reading, own, entry.name));
        }
    }
    assert!(alone.len() > 40, "{}", alone.len());
    for (_, machine, first) in &alone {
        for (reading, own, second) in &alone {
            let both = with(reading, Some(second), machine);
            let both = both.unwrap_or_else(|error| panic!("{first} and {second}: {error}"));
            // The letters of both, and no others.
            let expected: BTreeMap<&str, &Letter> =
                letters(machine).into_iter().chain(letters(own)).collect();
            assert_eq!(letters(&both), expected, "{first} and {second}");
        }
    }
}

/// Response bounds of the kernels of a file, by their names.
fn bounds(gpu: &str, folder: &Path, order: [&str; 2]) -> BTreeMap<String, Value> {
    let kernel = |file: &str| {
        format!(
            "[[kernel]]\nptx = \"{file}\"\nperiod = 100000\nblocks = 8\nthreads_per_block = 64\nregisters_per_thread = 16\n\
             shared_memory = 0\n"
        )
    };
    let text = format!(
        "unit = \"us\"\n[gpu]\npreset = \"{gpu}\"\nclock_mhz = 100\n{}{}",
        kernel(order[0]),
        kernel(order[1])
    );
    let file = folder.join("system.toml");
    fs::write(&file, text).unwrap();
    let output = Command::cargo_bin("warpspan")
        .unwrap()
        .args(["rta", "--format", "json"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{gpu}: {}", String::from_utf8_lossy(&output.stderr));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kernels = record["kernels"].as_array().unwrap_or_else(|| panic!("{record}"));
    let row = |one: &Value| (one["name"].as_str().unwrap().to_owned(), one["response_bound"].clone());
    kernels.iter().map(row).collect()
}

#[test]
fn the_bound_of_a_pair_does_not_depend_on_the_order() {
    let folder = tempfile::tempdir().unwrap();
    for preset in PRESETS.iter() {
        let [one, two, _] = &kernels(preset.capability)[..] else { panic!() };
        fs::write(folder.path().join("one.sass"), one).unwrap();
        fs::write(folder.path().join("two.sass"), two).unwrap();
        let forth = bounds(preset.name, folder.path(), ["one.sass", "two.sass"]);
        let back = bounds(preset.name, folder.path(), ["two.sass", "one.sass"]);
        assert_eq!(forth, back, "{}", preset.name);
        assert!(forth.len() == 2 && forth.values().all(Value::is_number), "{}: {forth:?}", preset.name);
    }
}
