//! `warpspan rta` of models, from the command line.

use crate::common::without_identity;
use assert_cmd::Command;
use serde_json::Value;
use warpspan::realtime::amalthea::{analyse, annotate, read_model};

const CAMERA: &str = "instances/camera.amxmi";
const CHALLENGE: &str = "tests/data/amalthea/mobstr.amxmi";

fn rta(args: &[&str], code: i32) -> Vec<u8> {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.arg("rta").args(args).assert().code(code).get_output().stdout.clone()
}

#[test]
fn the_record_says_what_the_text_says() {
    let record: Value = serde_json::from_slice(&rta(&[CAMERA, "--format", "json"], 0)).unwrap();
    assert_eq!((&record["schema"], &record["verdict"]), (&"warpspan/rta-model/2".into(), &"proved".into()));
    let detect = &record["tasks"][2];
    assert_eq!(detect["name"], "Detect_on_host");
    assert_eq!((&detect["response_bound"], &detect["worst_case_at_least"]), (&37.into(), &13.into()));
    assert_eq!(record["chains"][0]["implicit_upper"], 48);
    let record: Value = serde_json::from_slice(&rta(&[CHALLENGE, "--format", "json"], 5)).unwrap();
    assert_eq!((&record["verdict"], &record["by"]), (&"refuted".into(), &"least-response".into()));
    assert_eq!(record["overloaded"], "GP10B");
}

#[test]
fn results_go_back_into_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    rta(&[CAMERA, "--annotate", &at("a.amxmi"), "--csv", &at("a.csv")], 0);
    let (old, new) =
        (std::fs::read_to_string(CAMERA).unwrap(), std::fs::read_to_string(at("a.amxmi")).unwrap());
    // Without the new lines it is the old file.
    let kept: String = new.split_inclusive('\n').filter(|line| !line.contains("customProperties")).collect();
    assert!(kept.starts_with(&old[..old.find("<eventChains").unwrap()]));
    assert!(new.contains("<customProperties key=\"warpspan.response_bound_ps\"><value xsi:type=\"am:LongObject\" value=\"37000000000\"/></customProperties>"));
    // The element without content got some.
    assert!(new.contains("response=\"control_ends?type=ProcessEvent\">\n") && new.contains("</eventChains>"));
    // It reads back the same, and a second time nothing piles up.
    let (first, second) = (at("a.amxmi"), at("b.amxmi"));
    let [again, plain] =
        [&[&*first, "--annotate", &second, "--format", "json"][..], &[&first, "--format", "json"]]
            .map(|args| without_identity(serde_json::from_slice(&rta(args, 0)).unwrap()));
    assert_eq!(again, plain);
    assert_eq!(std::fs::read_to_string(at("b.amxmi")).unwrap(), new);
    let table = std::fs::read_to_string(at("a.csv")).unwrap();
    assert!(table.contains("\nDetect_on_host,Core0,3,3,12.2,13,37,100,yes,\n"), "{table}");
}

/// The challenge model has the line ends of Windows: they stay, and so does every other byte.
#[test]
fn every_other_byte_stays() {
    let text = std::fs::read_to_string(CHALLENGE).unwrap();
    assert!(text.contains("\r\n"));
    let model = read_model(CHALLENGE, &text).unwrap();
    let new = annotate(CHALLENGE, &text, &analyse(&model)).unwrap();
    let kept: String = new.split_inclusive('\n').filter(|line| !line.contains("customProperties")).collect();
    assert_eq!(kept, text);
    assert_eq!(new.matches("warpspan.meets").count(), model.tasks.len());
}
