//! A text that is read once answers every question as a text that is read anew for it, whatever was asked before.

use std::collections::BTreeSet;
use std::sync::Arc;

use warpspan::input::find_machine;
use warpspan::listing::{Options, Reading, Text, entry};
use warpspan::model::machine::Machine;
use warpspan::model::source::InputError;

/// What is found of an entry, but for tables that have no order.
fn shown(found: Result<warpspan::listing::Entry, InputError>) -> String {
    let Ok(found) = found.as_ref() else { return found.unwrap_err().to_string() };
    let on = found.on_machine.as_ref().unwrap();
    let code = (&found.loops, &found.params, &found.unreachable, &found.program, &on.program);
    let memory = (on.machine.letters(), &on.lines, &on.accesses, &on.footprints, &on.unplaced);
    format!("{code:?} {memory:?}")
}

/// Options in which each differs from all others by something that what is kept depends on.
fn questions(name: &str, lines: &[u32], parameters: &[String], machine: &Arc<Machine>) -> Vec<Options> {
    let plain =
        || Options { entry: Some(name.to_owned()), machine: Some(Arc::clone(machine)), ..Options::default() };
    let sized = |block: u64| {
        let mut options = Options { explain: true, footprints: true, ..plain() };
        options.params.add_sizes([16, 1, 1], [block, 1, 1]).unwrap();
        options
    };
    let mut all = vec![plain(), sized(64), sized(32), sized(64)];
    for given in parameters {
        all.push(sized(64));
        all.last_mut().unwrap().params.add(given).unwrap();
    }
    for &line in lines {
        all.push(Options { unreachable: BTreeSet::from([line.to_string()]), ..sized(64) });
        all.push(Options { uniform: [line.to_string()].into(), ..sized(64) });
        all.push(sized(64));
        all.last_mut().unwrap().loop_bounds.add(&format!("{line}=3")).unwrap();
    }
    all
}

#[test]
fn a_reading_answers_as_a_new_one_does() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let (mut asked, mut answers) = (0, BTreeSet::new());
    for (file, machine, most, parameters) in [
        ("tests/data/code/flow.ptx", "8.7", 8, &["pointers=*256"][..]),
        ("tests/data/coalescing/kernels.ptx", "8.7", 4, &["pointers=*256", "param_1=64", "param_1=1024"]),
        ("docs/tutorial/conv.sm_87.sass", "8.7", 1, &["pointers=*256", "c[0x0][0x170]=64"]),
        ("docs/tutorial/conv.sm_62.sass", "6.2", 1, &["pointers=*256"]),
    ] {
        let machine = Arc::new(find_machine(machine).unwrap().machine);
        let text = Text::new("k", std::fs::read(format!("{folder}{file}")).unwrap()).unwrap();
        let listing = text.listing().unwrap();
        let reading = Reading::of(&text).unwrap();
        for routine in listing.routines.iter().filter(|routine| routine.entry).take(most) {
            let own = &routine.instructions;
            let headers = routine.labels.iter().filter_map(|&(_, at)| own.get(at));
            let branches = own.iter().filter(|one| one.conditional);
            let lines: Vec<u32> = headers.take(2).chain(branches.take(2)).map(|one| one.line).collect();
            let parameters: Vec<String> = parameters.iter().map(|&given| given.to_owned()).collect();
            let all = questions(routine.name, &lines, &parameters, &machine);
            for options in all.iter().chain(all.iter().rev()) {
                let new = shown(entry(&text, options));
                assert_eq!(shown(reading.entry(options)), new, "{file} {}: {options:?}", routine.name);
                asked += 1;
                answers.insert(new);
            }
        }
    }
    // The questions differ in what they are answered.
    assert!(asked > 200 && answers.len() > 80, "{asked}, {}", answers.len());
}
