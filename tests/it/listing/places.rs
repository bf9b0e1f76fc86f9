//! Parameters of SASS by their places. The listings are of `places.cu`, compiled by NVRTC and ptxas 12.8.

use warpspan::listing::{Entry, Options, Text, extract};

const MANGLED: &str = "_Z6scaledIfEvT_PKS0_PS0_iys";

/// The entries of a listing of `places.cu`, for some values of parameters.
fn entries(file: &str, params: &[&str]) -> Result<Vec<Entry>, String> {
    let path = format!("{}/tests/data/places/{file}.sass", env!("CARGO_MANIFEST_DIR"));
    let text = Text::new("places.sass", std::fs::read(path).unwrap()).unwrap();
    let mut options = Options::default();
    params.iter().try_for_each(|param| options.params.add(param))?;
    extract(&text, &options).map_err(|error| error.to_string())
}

/// The count of the only loop of an entry, if it is inferred.
fn count(file: &str, name: &str, param: &str) -> Option<u64> {
    let all = entries(file, &[param]).unwrap();
    let [one] = &all.iter().find(|one| one.name == name).unwrap().loops[..] else { panic!("one loop") };
    one.inferred.then(|| one.most.unwrap())
}

/// The fourth parameter of `scaled` is n, whatever the capability; the compiler tests it at the end of each pass.
#[test]
fn a_place_bounds_a_loop() {
    for file in ["sm_62", "sm_87", "sm_90", "sm_120", "nvdisasm.sm_87"] {
        for (place, value) in [("3", 1000), ("param_3", 77)] {
            assert_eq!(count(file, MANGLED, &format!("{place}={value}")), Some(value), "{file} {place}");
        }
        // The fifth one of eight bytes, of which the listings for 6.2 and 9.0 read both words at once or one by one.
        assert_eq!(count(file, MANGLED, "4=0x123456789a"), None, "{file}");
    }
}

/// Only the attributes of a full listing tell where the parameters of a kernel are whose name is not mangled.
#[test]
fn attributes_tell_of_plain_names() {
    assert_eq!(count("nvdisasm.sm_87", "plain", "1=1000"), Some(1000));
    // The value of a place that is no integer, or that no attribute tells of, is of no use, and the answer says so: here a place of a plain
    // name, then a pointer, a number that is no integer, and an integer of two bytes.
    for (version, place) in [("sm_87", "1"), ("sm_120", "1"), ("sm_120", "0"), ("sm_120", "5")] {
        let given = format!("{place}=1000");
        assert_eq!(count(version, "plain", &given), None, "{version} {place}");
        let said = format!("[declared.unused] the value of {place}: the code reads no integer of this name");
        let found = entries(version, &[&given]).unwrap();
        assert!(found.iter().all(|entry| entry.in_vain.contains(&said)), "{version} {place}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let error = entries("sm_87", &["3=0x1ffffffff"]).unwrap_err();
    assert!(error.contains("reads it as 32 bits, and 8589934591 does not fit"), "{error}");
    let twice = entries("sm_87", &["3=5", "c[0x0][0x178]=6"]).unwrap_err();
    assert!(twice.contains("has a value by another name of it already"), "{twice}");
    assert_eq!(count("sm_87", MANGLED, "c[0x0][0x178]=6"), Some(6));
}
