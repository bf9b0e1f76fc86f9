//! What a release says of itself, in its several files.

use std::process::Command;

use toml::Table;

use super::pages::{Page, root};

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

fn manifest() -> Table {
    read("Cargo.toml").parse().unwrap()
}

/// The package, with what it has of the workspace.
fn package() -> Table {
    let manifest = manifest();
    let mut package = manifest["package"].as_table().unwrap().clone();
    package.extend(manifest["workspace"]["package"].as_table().unwrap().clone());
    package
}

/// Lines `key: value` of the first level in `CITATION.cff`.
fn cited<'text>(text: &'text str, key: &str) -> &'text str {
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    value.unwrap_or_else(|| panic!("CITATION.cff has no {key}"))
}

#[test]
fn the_citation_is_that_of_the_package() {
    let (package, citation) = (package(), read("CITATION.cff"));
    let same =
        [("title", "name"), ("version", "version"), ("license", "license"), ("abstract", "description")];
    for (key, of_the_package) in same {
        assert_eq!(Some(cited(&citation, key)), package[of_the_package].as_str(), "{key}");
    }
    assert!(
        read("LICENSE").contains(citation.lines().find_map(|line| line.strip_prefix("  - name: ")).unwrap())
    );
    let keywords: Vec<&str> = citation
        .lines()
        .skip_while(|line| *line != "keywords:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  - "))
        .collect();
    let of_the_package: Vec<&str> =
        package["keywords"].as_array().unwrap().iter().map(|keyword| keyword.as_str().unwrap()).collect();
    assert_eq!(keywords, of_the_package);
}

/// The packages of one release have one version, which stands in one place.
#[test]
fn all_packages_have_one_version() {
    let mut members: Vec<String> =
        vec!["Cargo.toml".into(), "python/Cargo.toml".into(), "web/Cargo.toml".into()];
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        members.push(format!("crates/{}/Cargo.toml", entry.unwrap().file_name().display()));
    }
    // Those of Python and of the page are not in the package of the program.
    for member in members.into_iter().filter(|member| root().join(member).exists()) {
        let table: Table = read(&member).parse().unwrap();
        assert_eq!(table["package"]["version"]["workspace"].as_bool(), Some(true), "{member}");
    }
    let version = package()["version"].clone();
    for (name, dependency) in manifest()["workspace"]["dependencies"].as_table().unwrap() {
        if name.starts_with("warpspan-") {
            assert_eq!(dependency["version"], version, "{name}");
        }
    }
}

/// Each file that `scripts/release` makes stands in the table of the manual, and the table has no other.
#[test]
fn the_manual_names_the_files_of_a_release() {
    let output =
        Command::new("bash").args(["scripts/release", "--list"]).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let version = package()["version"].as_str().unwrap().to_owned();
    let mut made: Vec<String> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|name| name.replace(&version, "VERSION").replace(std::env::consts::ARCH, "x86_64"))
        .map(|name| name.replace("*_x86_64", "PLATFORM"))
        .collect();
    made.sort();
    let page = Page::read("docs/installing.md".into());
    let is_of_the_table = |line: &&str| line.starts_with("| `");
    let mut named: Vec<String> = page
        .text
        .split("## ")
        .find(|section| section.starts_with("The files of a release"))
        .unwrap()
        .lines()
        .filter(is_of_the_table)
        .flat_map(|line| line.split('|').nth(1).unwrap().split(", "))
        .map(|name| name.trim().trim_matches('`').to_owned())
        .chain(["SHA256SUMS".to_owned()])
        .collect();
    named.sort();
    assert_eq!(made, named);
}

/// What `docs/installing.md` promises of a build without features: none of these crates is needed by another feature.
#[test]
fn the_library_alone_has_no_crates_of_the_command_line() {
    let manifest = manifest();
    for name in ["signal-hook", "warpspan-cli"] {
        assert_eq!(manifest["dependencies"][name]["optional"].as_bool(), Some(true), "{name}");
        for (feature, parts) in manifest["features"].as_table().unwrap() {
            let brings =
                parts.as_array().unwrap().iter().any(|part| part.as_str() == Some(&format!("dep:{name}")));
            assert_eq!(brings, feature == "cli", "{feature}: {name}");
        }
    }
    // Of the crates, `cli` alone needs these; others take clap where `cli` asks for it.
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().display().to_string();
        let table: Table = read(&format!("crates/{name}/Cargo.toml")).parse().unwrap();
        for needed in ["clap", "clap_complete", "clap_mangen", "indicatif", "signal-hook", "sysinfo"] {
            let dependency = table["dependencies"].get(needed);
            let optional = dependency.is_none_or(|one| one.get("optional").is_some());
            assert!(name == "cli" || optional, "{name}: {needed}");
        }
    }
}
