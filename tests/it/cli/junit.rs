//! What readers of JUnit take: the schema of the xUnit plugin of Jenkins (`junit-10.xsd`), by hand.

use roxmltree::{Document, Node};

use crate::cli::budget::{MET, MISSED, UNDECIDED, WRONG, folder, run_in};

/// An element of the schema: its attributes, those that it must have, and what may stand in it, in the order in which it does here.
struct Element {
    name: &'static str,
    attributes: &'static [&'static str],
    required: &'static [&'static str],
    children: &'static [&'static str],
}

const SCHEMA: [Element; 8] = [
    Element {
        name: "testsuites",
        attributes: &["name", "time", "tests", "failures", "errors"],
        required: &["name", "time", "tests", "failures", "errors"],
        children: &["testsuite"],
    },
    Element {
        name: "testsuite",
        attributes: &[
            "name",
            "tests",
            "failures",
            "errors",
            "skipped",
            "time",
            "timestamp",
            "hostname",
            "id",
            "package",
            "file",
        ],
        required: &["name", "tests", "failures", "errors", "skipped", "time"],
        children: &["properties", "testcase", "system-out"],
    },
    Element { name: "properties", attributes: &[], required: &[], children: &["property"] },
    Element { name: "property", attributes: &["name", "value"], required: &["name", "value"], children: &[] },
    Element {
        name: "testcase",
        attributes: &["name", "classname", "time", "group"],
        required: &["name", "classname", "time"],
        children: &["failure", "error", "system-out"],
    },
    Element {
        name: "failure",
        attributes: &["type", "message"],
        required: &["type", "message"],
        children: &[],
    },
    Element {
        name: "error",
        attributes: &["type", "message"],
        required: &["type", "message"],
        children: &[],
    },
    Element { name: "system-out", attributes: &[], required: &[], children: &[] },
];

/// What is wrong with an element and all in it.
fn faults(node: Node<'_, '_>, found: &mut Vec<String>) {
    let name = node.tag_name().name();
    let Some(element) = SCHEMA.iter().find(|element| element.name == name) else {
        return found.push(format!("<{name}>"));
    };
    let given: Vec<&str> = node.attributes().map(|one| one.name()).collect();
    found.extend(
        given.iter().filter(|one| !element.attributes.contains(one)).map(|one| format!("{name} {one}")),
    );
    found.extend(
        element.required.iter().filter(|one| !given.contains(one)).map(|one| format!("{name} without {one}")),
    );
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_time =
        |time: &str| time.split_once('.').is_some_and(|(whole, part)| is_number(whole) && is_number(part));
    found.extend(
        node.attribute("time").filter(|time| !is_time(time)).map(|time| format!("{name} time {time}")),
    );
    let inside: Vec<&str> =
        node.children().filter(Node::is_element).map(|child| child.tag_name().name()).collect();
    let place = |child: &str| element.children.iter().position(|known| *known == child);
    let places: Vec<Option<usize>> = inside.iter().map(|child| place(child)).collect();
    if places.contains(&None) || !places.is_sorted() {
        found.push(format!("{name} with {}", inside.join(", ")));
    }
    node.children().filter(Node::is_element).for_each(|child| faults(child, found));
}

fn of(text: &str) -> Vec<String> {
    let document = Document::parse(text).unwrap();
    let mut found = Vec::new();
    faults(document.root_element(), &mut found);
    found
}

fn xml() -> String {
    let folder = folder(&[MET, MISSED, UNDECIDED, WRONG, "deadline = \"1s\"\naccept = []"]);
    run_in(folder.path(), &["budget", "b.toml", "--format", "junit"]).1
}

#[test]
fn tests_are_valid_for_the_schema_of_jenkins() {
    let text = xml();
    assert_eq!(of(&text), Vec::<String>::new(), "{text}");
    let document = Document::parse(&text).unwrap();
    let suite = document.root_element().first_element_child().unwrap();
    let counts = ["tests", "failures", "errors", "skipped"].map(|name| suite.attribute(name).unwrap());
    assert_eq!(counts, ["5", "3", "1", "0"]);
    // The seconds of a suite are those of its tests, but for the rounding.
    let seconds = |node: Node<'_, '_>| node.attribute("time").unwrap().parse::<f64>().unwrap();
    let tests: f64 = suite.children().filter(|node| node.has_tag_name("testcase")).map(seconds).sum();
    assert!((seconds(suite) - tests).abs() < 0.01, "{text}");
    assert!(seconds(suite) > 0.0, "{text}");
    assert!(text.contains("<property name=\"k1: verdict\" value=\"missed\"/>"), "{text}");
}

#[test]
fn each_fault_is_found() {
    let text = xml();
    for (old, new, said) in [
        ("<testsuites ", "<testsuites skipped=\"0\" ", "testsuites skipped"),
        (" errors=\"1\"", "", "testsuites without errors"),
        (" classname=", " class=", "testcase without classname"),
        (" skipped=\"0\"", "", "testsuite without skipped"),
        ("<properties>", "<system-out/><properties>", "testsuite with system-out, properties, "),
        ("<system-out>", "<properties/><system-out>", "testcase with properties, system-out"),
        ("<system-out>", "<output/><system-out>", "<output>"),
        (" time=\"", " time=\"1m", "testsuites time 1m"),
    ] {
        let wrong = text.replacen(old, new, 1);
        assert_ne!(wrong, text, "{old}");
        let found = of(&wrong);
        assert!(found.iter().any(|one| one.starts_with(said)), "{said}: {found:?}");
    }
}
