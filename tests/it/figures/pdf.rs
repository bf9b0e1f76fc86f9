//! The PDF files of figures: each has the texts of the drawing, and a table of where its objects are.

use roxmltree::Document;

use crate::common::tables::{lcl, row};
use crate::figures::report::{figure, names, page, warpspan};

/// The file with a letter for each byte.
fn read(folder: &tempfile::TempDir, name: &str) -> Vec<char> {
    let bytes = std::fs::read(folder.path().join("out").join(name)).unwrap();
    bytes.into_iter().map(char::from).collect()
}

/// The strings that the page shows, in order: in brackets with backslashes, or as hexadecimal numbers.
fn shown(file: &str) -> Vec<String> {
    let decoded = |string: &str| match string.strip_prefix('<').and_then(|hex| hex.strip_suffix('>')) {
        Some(hex) => (0..hex.len())
            .step_by(2)
            .map(|at| char::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()))
            .collect(),
        None => {
            let escaped = string.strip_prefix('(').unwrap().strip_suffix(')').unwrap();
            let mut letters = escaped.chars();
            std::iter::from_fn(|| {
                letters.next().and_then(|one| if one == '\\' { letters.next() } else { Some(one) })
            })
            .collect::<String>()
        }
    };
    file.lines().filter_map(|line| line.strip_suffix(" Tj")).map(decoded).collect()
}

#[test]
fn every_text_of_a_drawing_is_in_its_pdf() {
    let other = |warps| {
        let worst = 1 + 4 * warps;
        row(("LLCLL", warps, "1", "auto", worst, worst, 5 * warps, 4, worst, "proved"))
    };
    let two_kernels = lcl() + &(1..5).map(other).collect::<String>();
    let (folder, _) = page(&[("t.csv", &two_kernels)]);
    let title = r"Größe (a\b) <&> ]";
    let output =
        warpspan(folder.path(), &["report", "t.csv", "-o", "out", "--by", "kernel", "--title", title]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let site = std::fs::read_to_string(folder.path().join("out/index.html")).unwrap();
    assert!(site.contains("href=\"by-01.pdf\""));
    let drawings = names(&folder, ".svg");
    assert!(drawings.len() > 4 && drawings.contains(&"by-01.svg".to_owned()), "{drawings:?}");
    for name in drawings {
        let svg = figure(&folder, &name);
        let document = Document::parse(&svg).unwrap();
        let texts =
            document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
        let texts: Vec<String> =
            texts.map(|node| node.text().unwrap_or_default().trim().replace('σ', "sigma")).collect();
        let file: String = read(&folder, &name.replace(".svg", ".pdf")).into_iter().collect();
        assert_eq!(shown(&file), texts, "{name}");
        assert!(name != "by-01.svg" || texts.iter().any(|text| text.contains(title)), "{texts:?}");
    }
}

#[test]
fn a_pdf_says_where_its_objects_are_and_is_the_same_each_time() {
    let (folder, _) = page(&[("t.csv", &lcl())]);
    let (again, _) = page(&[("t.csv", &lcl())]);
    for name in names(&folder, ".pdf") {
        let file = read(&folder, &name);
        assert!(file == read(&again, &name), "{name}");
        let from = |place: &str| file[place.parse::<usize>().unwrap()..].iter().collect::<String>();
        let end = from(&(file.len() - 40).to_string());
        let (_, start) = end.split_once("startxref\n").unwrap();
        let table = from(start.lines().next().unwrap());
        let entries: Vec<&str> = table.lines().take_while(|line| *line != "trailer").skip(3).collect();
        assert!(table.starts_with("xref\n") && entries.len() >= 6, "{table}");
        for (number, entry) in (1..).zip(entries) {
            let (place, _) = entry.split_once(" 00000 n").unwrap();
            assert!(from(place).starts_with(&format!("{number} 0 obj\n")), "{name}: {entry}");
        }
    }
}
