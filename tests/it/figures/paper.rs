//! Figures for papers: as wide as asked, with type of one size, and with σ where the symbol is meant.

use roxmltree::Document;

use crate::common::tables::{lcl, row};
use crate::figures::report::{figure, names, printed, warpspan};

/// The figures of tables and records of many kinds, drawn with these arguments.
fn drawn(args: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let other = [1, 2, 3].map(|w| row(("LCL", w, "2", "auto", 3, 3, 2 + w, 1, 3, "proved"))).concat();
    std::fs::write(folder.path().join("t.csv"), lcl() + &other).unwrap();
    for (name, command) in [
        ("s.json", &["solve", "instances/llcll-w4.toml", "--with-schedule"][..]),
        ("l.json", &["solve", "--kernel", "LLCLL", "--warps", "300", "--engine", "phase", "--with-schedule"]),
        ("r.json", &["rta", "instances/pa19-section-3-6.toml", "--with-schedule"]),
        ("p.json", &["prem", "instances/kr19-least.toml"]),
        ("m.json", &["simulate", "instances/llcll-w4.toml"]),
        ("a.json", &["partition", "instances/si21-partition-table.toml"]),
        ("e.json", &["extract", "docs/tutorial/vote.sm_62.sass", "--warps", "8"]),
    ] {
        let record = printed(&[command, &["--format", "json"]].concat());
        std::fs::write(folder.path().join(name), record).unwrap();
    }
    let files = ["t.csv", "s.json", "l.json", "r.json", "p.json", "m.json", "a.json", "e.json"];
    let output = warpspan(folder.path(), &[&["report", "-o", "out"], &files[..], args].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

#[test]
fn figures_are_as_wide_as_asked_with_type_of_nine_points() {
    // 88 mm are 332.6 pixels of a 96th of an inch, and 12 of these pixels are 9 points.
    let folder = drawn(&["--width", "88mm", "--no-title"]);
    let plain = drawn(&[]);
    let all = names(&folder, ".svg");
    assert_eq!(all, names(&plain, ".svg"));
    assert!(all.len() > 8, "{all:?}");
    for name in all {
        let svg = figure(&folder, &name);
        let document = Document::parse(&svg).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("width"), Some("332.6"), "{name}");
        assert!(svg.matches("font-size=").count() == svg.matches("font-size=\"12\"").count(), "{name}");
        assert!(!svg.contains("class=\"title\""), "{name}");
        assert!(figure(&plain, &name).contains("class=\"title\""), "{name} has a title to leave out");
        let seen: Vec<f64> =
            root.attribute("viewBox").unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
        let shapes = document.descendants().filter(|node| matches!(node.tag_name().name(), "rect" | "line"));
        for shape in shapes.filter(|shape| shape.attribute("class") != Some("paper")) {
            let number = |name: &str| shape.attribute(name).map_or(0.0, |text| text.parse::<f64>().unwrap());
            let right = (number("x") + number("width")).max(number("x1")).max(number("x2"));
            assert!(right <= seen[2] + 0.5, "{name}: {right} of {}", seen[2]);
        }
        let tex = figure(&folder, &name.replace(".svg", ".tex"));
        // 250.39 points of TeX over 332.6 pixels.
        assert!(tex.contains("\\providecommand{\\warpspanunit}{0.75281pt}"), "{name}\n{tex}");
        assert!(!tex.contains("\\fontsize{") || tex.contains("\\fontsize{9}{10.8}"), "{name}");
    }
}

#[test]
fn a_picture_of_tikz_takes_the_line_that_there_is() {
    let folder = drawn(&["--width", "\\linewidth"]);
    for name in names(&folder, ".tex") {
        let tex = figure(&folder, &name);
        assert!(tex.contains("\\providecommand{\\warpspanunit}{\\linewidth/458.28}"), "{name}\n{tex}");
    }
}

#[test]
fn sigma_is_a_letter() {
    let folder = drawn(&[]);
    let svg = figure(&folder, "makespan-01.svg");
    assert!(svg.contains("Makespan of LCL, σ_L = 1, σ_C = 1"), "{svg}");
    assert!(figure(&folder, "makespan-01.tex").contains("$\\sigma_L$ = 1, $\\sigma_C$ = 1"));
    for name in names(&folder, ".svg") {
        assert!(!figure(&folder, &name).contains("sigma_"), "{name}");
    }
}

#[test]
fn a_width_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), lcl()).unwrap();
    for width in ["345", "88 furlongs", "-3in", "900in"] {
        let output = warpspan(folder.path(), &["report", "t.csv", "-o", "out", &format!("--width={width}")]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        let wanted = "want a width such as 345pt, 88mm, 8.8cm, 3.5in or \\linewidth, from 1.5 to 40 inches\n";
        assert_eq!(said, format!("warpspan: --width {width:?}: {wanted}"));
    }
}
