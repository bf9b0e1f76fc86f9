//! The page on moving scripts names fields that the records have, and no record of a second version is missing there.

use serde_json::Value;
use warpspan::records::schemas::{FORMATS, Format};

/// What a `$ref` of a schema stands for.
fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|path| path.strip_prefix('#')) {
        Some(path) => resolved(root, root.pointer(path).unwrap()),
        None => match schema["anyOf"].as_array() {
            // An optional field is of its type or null.
            Some(any) => resolved(root, any.iter().find(|one| one["type"] != "null").unwrap()),
            None => schema,
        },
    }
}

/// Whether a schema has a field such as `kernels[].deadline`, from a given place on.
fn has(root: &Value, from: &Value, path: &str) -> bool {
    let mut at = resolved(root, from).clone();
    for name in path.split('.') {
        let (name, is_list) = (name.trim_end_matches("[]"), name.ends_with("[]"));
        let field = &at["properties"][name];
        if field.is_null() {
            return false;
        }
        let mut field = resolved(root, field).clone();
        if is_list {
            field = resolved(root, &field["items"]).clone();
        }
        at = field;
    }
    true
}

/// The code spans of a text.
fn spans(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn is_path(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_lowercase() || "_[].".contains(c))
}

#[test]
fn every_field_of_the_page_on_moving_is_in_its_record() {
    let text = std::fs::read_to_string(super::pages::root().join("docs/moving.md")).unwrap();
    let sections: Vec<&str> = text.split("\n## `").skip(1).collect();
    let mut seen = 0;
    for format in FORMATS {
        let schema = Format::named(format.name).unwrap().schema();
        let Some(name) = schema["properties"]["schema"]["const"].as_str() else { continue };
        let version: u32 = name.rsplit('/').next().unwrap().parse().unwrap();
        let section = sections.iter().find(|section| section.contains(&format!("in `{name}` | ")));
        assert_eq!(section.is_some(), version > 1, "docs/moving.md: {name}");
        let Some(section) = section else { continue };
        let consts = schema.to_string();
        let mut known = vec![schema.clone()];
        for list in ["kernels", "tasks", "claims", "assumptions"] {
            let items = &resolved(&schema, &schema["properties"][list])["items"];
            if !items.is_null() {
                known.push(resolved(&schema, items).clone());
            }
        }
        let is_known = |path: &str| {
            let path = path.trim_start_matches('.');
            known.iter().any(|from| has(&schema, from, path))
                || consts.contains(&format!("\"const\":\"{path}\""))
        };
        for row in section.lines().filter(|line| line.starts_with("| ")).skip(1) {
            // A bar within a filter is escaped.
            let row = row.replace("\\|", "\u{1}");
            let cells: Vec<&str> = row.split('|').collect();
            let now = spans(cells[2]);
            let filter = spans(cells[3])[0].to_owned();
            let fields = filter.split(|c: char| !(c.is_ascii_lowercase() || "_[].".contains(c)));
            let fields = fields.filter(|field| field.len() > 1 && field.starts_with('.'));
            for path in now.into_iter().filter(|span| is_path(span)).chain(fields) {
                let path = path.trim_end_matches("[]");
                assert!(is_known(path) || is_known(&format!("{path}[]")), "docs/moving.md: {name}: {path}");
                seen += 1;
            }
        }
        let new =
            section.lines().skip_while(|line| !line.starts_with("New")).take_while(|line| !line.is_empty());
        for path in new.flat_map(spans).filter(|span| is_path(span) && !span.starts_with('.')) {
            assert!(is_known(path), "docs/moving.md: {name}: {path} is new");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}
