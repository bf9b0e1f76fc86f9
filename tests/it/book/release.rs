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

/// Lines `key: value` of the first level in `CITATION.cff`.
fn cited<'text>(text: &'text str, key: &str) -> &'text str {
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    value.unwrap_or_else(|| panic!("CITATION.cff has no {key}"))
}

#[test]
fn the_citation_is_that_of_the_package() {
    let (manifest, citation) = (manifest(), read("CITATION.cff"));
    let package = &manifest["package"];
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

/// The packages of one release have one version. Those of Python and of the page are not in the package of the program.
#[test]
fn all_packages_have_one_version() {
    let version = manifest()["package"]["version"].clone();
    for member in ["python/Cargo.toml", "web/Cargo.toml"] {
        if root().join(member).exists() {
            let member: Table = read(member).parse().unwrap();
            assert_eq!(member["package"]["version"], version);
        }
    }
}

/// Each file that `scripts/release` makes stands in the table of the manual, and the table has no other.
#[test]
fn the_manual_names_the_files_of_a_release() {
    let output =
        Command::new("bash").args(["scripts/release", "--list"]).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let version = manifest()["package"]["version"].as_str().unwrap().to_owned();
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
    for name in ["clap", "clap_complete", "clap_mangen", "indicatif", "signal-hook", "sysinfo"] {
        assert_eq!(manifest["dependencies"][name]["optional"].as_bool(), Some(true), "{name}");
        for (feature, parts) in manifest["features"].as_table().unwrap() {
            let brings =
                parts.as_array().unwrap().iter().any(|part| part.as_str() == Some(&format!("dep:{name}")));
            assert_eq!(brings, feature == "cli", "{feature}: {name}");
        }
    }
}
