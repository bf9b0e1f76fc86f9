//! What readers of SARIF ask of a log beyond the standard: the rules of the validator of Microsoft's SDK (`Sarif.Multitool validate`) for all
//! readers (`SARIF1...` and `SARIF2...`), for GitHub (`GH...`) and for Azure DevOps (`ADO...`), each by hand, since that program is not here.
//!
//! Some of its notes are not for this program: messages by id and arguments, since Azure DevOps wants texts (2002, 2014, 2015); the version
//! control of the sources and the address of their folder, which the analysis does not know (2003, 2007); snippets and contents of files
//! (2010, 2011, 2013); ids such as `CS2001` (2009), since those of the program are names that say what they are.

use serde_json::{Value, json};

use crate::cli::budget::{MET, MISSED, UNDECIDED, WRONG, folder, root, run_in};

/// A log with a result of each rule, and one that is met.
fn log() -> Value {
    let folder = folder(&[MET, MISSED, UNDECIDED, WRONG, "deadline = \"1s\"\naccept = []"]);
    std::fs::create_dir(folder.path().join("gates")).unwrap();
    std::fs::rename(folder.path().join("b.toml"), folder.path().join("gates/b.toml")).unwrap();
    std::fs::rename(folder.path().join("conv.sass"), folder.path().join("gates/conv.sass")).unwrap();
    let (_, text, stderr) = run_in(folder.path(), &["budget", "gates/b.toml", "--format", "sarif"]);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {stderr}"))
}

/// All that a log has at a name, at any depth.
fn all<'a>(of: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    match of {
        Value::Array(list) => list.iter().for_each(|one| all(one, name, found)),
        Value::Object(object) => object.iter().for_each(|(key, one)| {
            if key == name {
                found.push(one);
            }
            all(one, name, found);
        }),
        _ => {}
    }
}

fn named<'a>(of: &'a Value, name: &str) -> Vec<&'a Value> {
    let mut found = Vec::new();
    all(of, name, &mut found);
    found
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn is_absolute(uri: &str) -> bool {
    uri.split_once("://").is_some_and(|(scheme, rest)| {
        !rest.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Whether all characters of a text may stand in a URI, and each percent sign is of an escape (RFC 3986).
fn is_uri(text: &str) -> bool {
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(byte);
    let escapes = text
        .split('%')
        .skip(1)
        .all(|rest| rest.len() >= 2 && rest[..2].bytes().all(|byte| byte.is_ascii_hexdigit()));
    !text.is_empty() && text.bytes().all(|byte| is_allowed(&byte)) && escapes
}

/// What is wrong with a log by these rules.
fn faults(log: &Value) -> Vec<&'static str> {
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    let none = Vec::new();
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let rules = list(&driver["rules"]);
    let results = run["results"].as_array().unwrap_or(&none);
    let mut found = Vec::new();
    let mut check = |rule: &'static str, holds: bool| {
        if !holds {
            found.push(rule);
        }
    };
    let schemas = [
        "https://json.schemastore.org/sarif-2.1.0.json",
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
        "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json",
    ];
    check("SARIF1011, SARIF2008", schemas.contains(&text(&log["$schema"])) && log["version"] == "2.1.0");
    check("ADO1013, GH1004", log["runs"].as_array().is_some_and(|runs| runs.len() == 1));
    check(
        "ADO1014",
        results.len() <= 25_000 && rules.len() <= 1_000 && !text(&run["automationDetails"]["id"]).is_empty(),
    );
    check("SARIF2005", (1..=3).contains(&text(&driver["name"]).split(' ').count()));
    let version = text(&driver["semanticVersion"]);
    let is_semantic = version.split('.').count() == 3 && version.starts_with(|c: char| c.is_ascii_digit());
    check("SARIF2005, ADO1018", is_semantic && driver["version"] == driver["semanticVersion"]);
    check("SARIF1005", is_absolute(text(&driver["informationUri"])));
    for rule in &rules {
        let (id, name) = (text(&rule["id"]), text(&rule["name"]));
        check("SARIF1001", !id.is_empty() && id != name);
        let is_pascal = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        check(
            "SARIF2012",
            is_pascal && is_absolute(text(&rule["helpUri"])) && is_uri(text(&rule["helpUri"])),
        );
        for what in ["shortDescription", "fullDescription", "help"] {
            check("ADO2012, SARIF2001", text(&rule[what]["text"]).ends_with('.'));
        }
        check(
            "SARIF2012 level",
            ["error", "warning", "note"].contains(&text(&rule["defaultConfiguration"]["level"])),
        );
    }
    check(
        "ids",
        rules.iter().all(|rule| rules.iter().filter(|other| other["id"] == rule["id"]).count() == 1),
    );
    let bases = run["originalUriBaseIds"].as_object().cloned().unwrap_or_default();
    check(
        "SARIF1004 bases",
        bases
            .values()
            .all(|base| base.get("uri").is_none_or(|uri| is_absolute(text(uri)) && text(uri).ends_with('/'))),
    );
    for result in results {
        let rule = result["ruleIndex"].as_u64().and_then(|at| rules.get(usize::try_from(at).ok()?));
        check("SARIF1009, SARIF1010", rule.is_some_and(|rule| rule["id"] == result["ruleId"]));
        check("SARIF2001, ADO1015", text(&result["message"]["text"]).ends_with('.'));
        let prints = result["partialFingerprints"].as_object();
        check(
            "ADO1015",
            prints
                .is_some_and(|prints| !prints.is_empty() && prints.values().all(|one| !text(one).is_empty())),
        );
        check("GH1001", result["locations"].as_array().is_some_and(|all| (1..=10).contains(&all.len())));
        for location in list(&result["locations"]) {
            let physical = &location["physicalLocation"];
            check(
                "GH1003, ADO1017, SARIF1007",
                physical["region"]["startLine"].as_u64().is_some_and(|line| line >= 1),
            );
            check("GH1005, GH1006, SARIF2016", !is_absolute(text(&physical["artifactLocation"]["uri"])));
        }
        let related = list(&result["relatedLocations"]);
        check("GH1007", related.iter().all(|one| text(&one["message"]["text"]).ends_with('.')));
    }
    for notification in list(&run["invocations"][0]["toolExecutionNotifications"]) {
        check("SARIF2001 notification", text(&notification["message"]["text"]).ends_with('.'));
    }
    check("SARIF2001 exit", text(&run["invocations"][0]["exitCodeDescription"]).ends_with('.'));
    for artifact in named(run, "artifactLocation") {
        let uri = text(&artifact["uri"]);
        check("SARIF1002", is_uri(uri) && !uri.contains('\\'));
        let base = artifact.get("uriBaseId").map(text);
        check("SARIF1004", is_absolute(uri) != base.is_some());
        check("SARIF1004 base", base.is_none_or(|base| bases.contains_key(base)));
    }
    check("SARIF2004", run.get("artifacts").is_none() && named(run, "analysisTarget").is_empty());
    found
}

#[test]
fn a_log_keeps_the_rules_of_its_readers() {
    let log = log();
    assert_eq!(faults(&log), Vec::<&str>::new());
    let results = log["runs"][0]["results"].as_array().unwrap();
    let rules: Vec<&str> = results.iter().map(|result| text(&result["ruleId"])).collect();
    assert_eq!(rules, ["deadline-missed", "deadline-undecided", "no-answer", "not-accepted"]);
    assert_eq!(log["runs"][0]["automationDetails"]["id"], "warpspan-budget/gates/b.toml/");
    let places: Vec<&str> = named(&log, "artifactLocation").iter().map(|one| text(&one["uri"])).collect();
    assert!(places.iter().all(|place| place.starts_with("gates/")), "{places:?}");
}

/// Each rule finds a fault that is planted.
#[test]
fn each_fault_is_found() {
    let log = log();
    let driver = "/runs/0/tool/driver";
    let result = "/runs/0/results/0";
    for (place, value, rule) in [
        (
            "/$schema".to_owned(),
            json!("https://json.schemastore.org/sarif-2.0.0.json"),
            "SARIF1011, SARIF2008",
        ),
        ("/runs/0/automationDetails/id".to_owned(), json!(""), "ADO1014"),
        (format!("{driver}/name"), json!("a tool for deadlines"), "SARIF2005"),
        (format!("{driver}/semanticVersion"), Value::Null, "SARIF2005, ADO1018"),
        (format!("{driver}/informationUri"), json!("manual.html"), "SARIF1005"),
        (format!("{driver}/rules/1/name"), json!("deadline-undecided"), "SARIF1001"),
        (format!("{driver}/rules/1/name"), json!("deadline undecided"), "SARIF2012"),
        (format!("{driver}/rules/1/helpUri"), Value::Null, "SARIF2012"),
        (format!("{driver}/rules/1/fullDescription/text"), json!("no end"), "ADO2012, SARIF2001"),
        (format!("{driver}/rules/1/defaultConfiguration/level"), json!("fatal"), "SARIF2012 level"),
        (format!("{driver}/rules/1/id"), json!("deadline-missed"), "ids"),
        (format!("{result}/ruleIndex"), json!(1), "SARIF1009, SARIF1010"),
        (format!("{result}/ruleIndex"), json!(99), "SARIF1009, SARIF1010"),
        (format!("{result}/message/text"), json!("no end"), "SARIF2001, ADO1015"),
        (format!("{result}/partialFingerprints"), json!({}), "ADO1015"),
        (format!("{result}/locations"), json!([]), "GH1001"),
        (format!("{result}/locations/0/physicalLocation/region"), json!({}), "GH1003, ADO1017, SARIF1007"),
        (
            format!("{result}/locations/0/physicalLocation/artifactLocation/uri"),
            json!("file:///k.sass"),
            "GH1005, GH1006, SARIF2016",
        ),
        (
            format!("{result}/locations/0/physicalLocation/artifactLocation/uri"),
            json!("file:///k.sass"),
            "SARIF1004",
        ),
        (format!("{result}/locations/0/physicalLocation/artifactLocation/uri"), json!("a b"), "SARIF1002"),
        (format!("{result}/locations/0/physicalLocation/artifactLocation/uri"), json!("100%"), "SARIF1002"),
        (
            format!("{result}/locations/0/physicalLocation/artifactLocation/uriBaseId"),
            json!("HERE"),
            "SARIF1004 base",
        ),
        (format!("{result}/relatedLocations/0/message/text"), json!(""), "GH1007"),
        ("/runs/0/originalUriBaseIds/%SRCROOT%".to_owned(), json!({ "uri": "src/" }), "SARIF1004 bases"),
        (
            "/runs/0/invocations/0/toolExecutionNotifications/0/message/text".to_owned(),
            json!("no end"),
            "SARIF2001 notification",
        ),
        ("/runs/0/invocations/0/exitCodeDescription".to_owned(), json!("no end"), "SARIF2001 exit"),
    ] {
        let mut wrong = log.clone();
        *wrong.pointer_mut(&place).unwrap_or_else(|| panic!("{place}")) = value;
        assert!(faults(&wrong).contains(&rule), "{place}: {:?}", faults(&wrong));
    }
}

/// What tells a result from others is the same in the next run, wherever its lines have gone.
#[test]
fn fingerprints_and_categories_stay() {
    let folder = folder(&[MISSED, UNDECIDED]);
    let path = folder.path().join("b.toml");
    let log = |file: &str| -> Value {
        serde_json::from_str(&run_in(folder.path(), &["budget", file, "--format", "sarif"]).1).unwrap()
    };
    let prints =
        |log: &Value| -> Vec<Value> { named(log, "partialFingerprints").into_iter().cloned().collect() };
    let before = log("b.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("# A line more.\n{}", text.replace("1ms", "2ms"))).unwrap();
    let after = log("b.toml");
    assert_eq!(prints(&before), prints(&after));
    assert_eq!(before["runs"][0]["automationDetails"], after["runs"][0]["automationDetails"]);
    assert_eq!(prints(&before), [json!({ "kernel/v1": "k0" }), json!({ "kernel/v1": "k1" })]);
    // By a whole path, which is another on each machine, the category is the name of the file.
    let whole = log(path.to_str().unwrap());
    assert_eq!(whole["runs"][0]["automationDetails"]["id"], "warpspan-budget/b.toml/");
}

#[test]
fn the_address_of_the_manual_is_that_of_the_package() {
    let package = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let log = log();
    let address = text(&log["runs"][0]["tool"]["driver"]["informationUri"]);
    assert!(package.contains(&format!("documentation = {address:?}")), "{address}");
}
