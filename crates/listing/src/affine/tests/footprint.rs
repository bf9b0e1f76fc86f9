//! What blocks and launches touch of each array, against what the same kernels touch when they run on a CPU.

use super::*;
use crate::affine::footprint::Scope;

/// Compares what is inferred with what happens, for a block and for the launch: how many numbers are close, far above, and not
/// there. A bound does not see that some threads do nothing behind the end of an array, so that it is close within a sixth.
fn compare(what: &str, text: &Text) -> [usize; 3] {
    let (mut close, mut above, mut missing) = (0, 0, 0);
    let listing = text.listing().unwrap();
    for launched in launches() {
        let number = listing.routines.iter().position(|one| one.name == launched.kernel).unwrap();
        let routine = &listing.routines[number];
        let launch = launch(routine, listing.language, &launched);
        let places = infer((&listing, number), &launch, 8, &BTreeMap::new()).1.unwrap_or_default();
        let arrays = places.arrays();
        for (place, wanted) in &launched.footprints {
            let is_array = |number: usize| match listing.language {
                Language::Ptx => number >> 7 >> 16 == *place,
                Language::Sass => {
                    number == address(routine.target.as_deref().unwrap(), launched.kernel, *place) as usize
                }
            };
            let all = arrays.iter().find(|(array, _)| array.is_some_and(is_array)).map(|(_, all)| all);
            for (scope, wanted) in [Scope::Block, Scope::Launch].into_iter().zip(wanted) {
                // What is not understood may go to any array.
                let all = all.filter(|_| places.known(scope) == places.all());
                let found = all.and_then(|all| places.extent(scope, all));
                let Some(found) = found else {
                    println!("{what} {} {place} {scope:?}: nothing, not {wanted}", launched.kernel);
                    missing += 1;
                    continue;
                };
                let sectors = found.sectors;
                assert!(
                    sectors >= *wanted,
                    "{what} {} {:?} {place} {scope:?}: {sectors} is below {wanted}",
                    launched.kernel,
                    launched.params
                );
                if 6 * sectors <= 7 * wanted {
                    close += 1;
                } else {
                    println!("{what} {} {place} {scope:?}: {sectors}, not {wanted}", launched.kernel);
                    above += 1;
                }
            }
        }
    }
    println!("{what}: {close} close, {above} above, {missing} missing");
    [close, above, missing]
}

#[test]
fn kernels() {
    let ptx = [("ptx", PTX, 9)];
    let sass = SASS.iter().zip([5, 7, 7, 7]).map(|(&(name, text), of_ten)| (name, text, of_ten));
    for (name, text, of_ten) in ptx.into_iter().chain(sass) {
        let text = Text::new(&format!("{name}.listing"), text.as_bytes().to_vec()).unwrap();
        let [close, above, missing] = compare(name, &text);
        assert!(close * 10 >= of_ten * (close + above + missing), "{name}: {close} {above} {missing}");
    }
}
