//! `docs/keys.md` lists every key of every file, as the schemas have it. `WARPSPAN_UPDATE=1` writes the page anew.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::Value;
use warpspan::records::schemas::{FORMATS, Format};

use super::root;

const TITLE: &str = "# Every key of every file\n\n\
The files that commands read are TOML. This page has their keys, as [`warpspan schema`](commands/schema.md) has them;\n\
[`warpspan init`](commands/init.md) writes a file to start from, and the pages of the commands explain what the keys do\n\
together. `[[table]]` stands for a table that may come several times.\n";

/// The schema that a reference names, or the schema itself.
fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(path) => root.pointer(path.trim_start_matches('#')).expect("a definition"),
        None => schema,
    }
}

/// The schemas that a value may have, without null.
fn choices<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let schema = resolved(root, schema);
    let any = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array());
    match any {
        Some(any) => any.iter().flat_map(|one| choices(root, one)).collect(),
        None if schema["type"] == "null" => Vec::new(),
        None => vec![schema],
    }
}

/// What a value is, in a few words; lists in lists are just lists, since some schemas name themselves.
fn kind(root: &Value, schema: &Value, outer: bool) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for one in choices(root, schema) {
        let words = one["enum"].as_array().into_iter().flatten().chain(one.get("const"));
        let words: Vec<String> = words.filter_map(|word| Some(format!("`{}`", word.as_str()?))).collect();
        let named: Vec<&str> = match &one["type"] {
            Value::String(kind) => vec![kind],
            Value::Array(all) => {
                all.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect()
            }
            _ => Vec::new(),
        };
        let of = |kind: &&str| match *kind {
            "string" if !words.is_empty() => words.join(", "),
            "string" => "text".to_owned(),
            "integer" => "whole number".to_owned(),
            "number" => "number".to_owned(),
            "boolean" => "true or false".to_owned(),
            "array" if outer => format!("list of {}", self::kind(root, &one["items"], false)),
            "array" => "list".to_owned(),
            _ => "table".to_owned(),
        };
        let found: Vec<String> = named.iter().map(of).collect();
        kinds.extend(found.into_iter().filter(|kind| !kind.is_empty()));
        if named.is_empty() && !words.is_empty() {
            kinds.push(words.join(", "));
        }
    }
    let mut seen = Vec::new();
    kinds.retain(|kind| {
        !seen.contains(kind) && {
            seen.push(kind.clone());
            true
        }
    });
    kinds.join(" or ")
}

/// The rows of a table of keys and of the tables in it.
fn rows(root: &Value, schema: &Value, prefix: &str, out: &mut String) {
    assert!(prefix.matches('.').count() < 6, "{prefix}: a table in itself");
    for table in choices(root, schema) {
        let required: Vec<&str> =
            table["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (key, value) in table["properties"].as_object().into_iter().flatten() {
            let about =
                value["description"].as_str().or_else(|| resolved(root, value)["description"].as_str());
            let about = about.unwrap_or_default().replace('\n', " ").replace('|', "\\|");
            let must = if required.contains(&key.as_str()) { " (required)" } else { "" };
            let inner: Vec<&Value> = choices(root, value);
            let listed = inner
                .iter()
                .filter(|one| one["type"] == "array")
                .flat_map(|one| choices(root, &one["items"]));
            let listed: Vec<&Value> = listed.filter(|one| one["properties"].is_object()).collect();
            let tables: Vec<&Value> =
                inner.iter().copied().filter(|one| one["properties"].is_object()).collect();
            let name = format!("{prefix}{key}");
            let shown = if listed.is_empty() { name.clone() } else { format!("[[{name}]]") };
            writeln!(out, "| `{shown}`{must} | {} | {about} |", kind(root, value, true)).unwrap();
            for one in tables.iter().chain(&listed) {
                rows(root, one, &format!("{name}."), out);
            }
        }
    }
}

/// The keys of a format that hold a value; of tables those in them, but for what may be something else than a table too.
pub(super) fn keys(format: &Format) -> BTreeSet<String> {
    let schema = serde_json::to_value(format.schema()).unwrap();
    let mut table = String::new();
    rows(&schema, &schema, "", &mut table);
    let cells: Vec<(String, String)> = (table.lines())
        .map(|line| {
            let mut cells = line.split('|').skip(1);
            let [name, kind] = [(); 2].map(|()| cells.next().unwrap().to_owned());
            (name.split('`').nth(1).unwrap().trim_matches(['[', ']']).to_owned(), kind)
        })
        .collect();
    let is_table = |name: &str| cells.iter().any(|(other, _)| other.starts_with(&format!("{name}.")));
    let holds = |(name, kind): &&(String, String)| !is_table(name) || kind.contains("text or");
    cells.iter().filter(holds).map(|(name, _)| name.clone()).collect()
}

#[test]
fn the_page_of_keys_is_that_of_the_schemas() {
    let mut page = TITLE.to_owned();
    for format in FORMATS.iter().filter(|format| format.name.ends_with("-file")) {
        let schema = serde_json::to_value(format.schema()).unwrap();
        write!(page, "\n## {}\n\nThis is {}.\n\n", format.name, format.what).unwrap();
        page += "| key | value | meaning |\n|---|---|---|\n";
        let before = page.len();
        rows(&schema, &schema, "", &mut page);
        if page.len() == before {
            writeln!(
                page,
                "| any | {} | one key for each entry |",
                kind(&schema, &schema["additionalProperties"], true)
            )
            .unwrap();
        }
    }
    let path = root().join("docs/keys.md");
    if std::env::var_os("WARPSPAN_UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "docs/keys.md differs from the schemas: run this test with WARPSPAN_UPDATE=1");
}
