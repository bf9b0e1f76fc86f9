use svg::node::element::{Path, Polyline};

use super::*;
use crate::shapes::{faint, level, page, rectangle, text, tip};

/// A file whose bytes are letters of the same number, so that places in it are those of the bytes.
fn written(drawing: &svg::Document, title: &str) -> String {
    pdf(&drawing.to_string(), title, &Paper::default()).into_iter().map(char::from).collect()
}

#[test]
fn shapes_keep_their_places_and_tips_are_left_out() {
    let line =
        Polyline::new().set("points", "0,0 5,5 9,5").set("stroke-dasharray", "8 5").set("fill", "none");
    let disc = Path::new().set("d", "M20,10m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0z").set("fill", "#0072B2");
    let drawing = page(100.0, 40.0, "a")
        .add(rectangle(1.0, 2.0, 3.0, 4.0).set("style", "fill:#FF0033;fill-opacity:0.5"))
        .add(faint((1.0, 2.0), (3.0, 3.0)))
        .add(rectangle(7.0, 7.0, 1.0, 2.0).set("fill", "#00FF00").set("stroke", "currentColor"))
        .add(line.set("stroke", "rgb(0,114,178)").set("stroke-width", 2))
        .add(disc)
        .add(tip(0.0, 0.0, 1.0, 1.0, "hidden"));
    let file = written(&drawing, "A (title)");
    for part in [
        // Half a point for a pixel, from above.
        "/MediaBox [0 0 50 20]",
        "stream\n0.5 0 0 -0.5 0 20 cm\n4 M\n",
        "q\n/O0 gs\n1 0 0.2 rg\n1 2 3 4 re\nf\nQ\n",
        "q\n/O1 gs\n0 0 0 RG\n1 w\n1 3 m\n2 3 l\nS\nQ\n",
        "0 1 0 rg\n0 0 0 RG\n1 w\n7 7 1 2 re\nB\n",
        "q\n[8 5] 0 d\n0 0.447 0.698 RG\n2 w\n0 0 m\n5 5 l\n9 5 l\nS\nQ\n",
        "0 0.447 0.698 rg\n20 10 m\n23 10 m\n23 11.66 21.66 13 20 13 c\n18.34 13 17 11.66 17 10 c\n\
         17 8.34 18.34 7 20 7 c\n21.66 7 23 8.34 23 10 c\nh\nf\n",
        "/O0 <<\n        /Type /ExtGState\n        /ca 0.5\n        /CA 1\n",
        "/O1 <<\n        /Type /ExtGState\n        /ca 1\n        /CA 0.13\n",
        "/Title (A (title))",
    ] {
        assert!(file.contains(part), "{part}\n{file}");
    }
    assert!(!file.contains("hidden") && file.matches(" re\n").count() == 2, "{file}");
}

#[test]
fn texts_end_where_they_are_anchored() {
    let turned = text("Wide", 30.0, 60.0).set("text-anchor", "middle").set("transform", "rotate(-90 30 60)");
    let drawing = page(100.0, 100.0, "a")
        .add(text("a (b)", 5.0, 6.0).set("fill", "#ffffff"))
        .add(text("W = 8", 90.0, 6.0).set("text-anchor", "end").set("font-size", 10))
        .add(level("W = 8", 50.0, 50.0, 20).set("text-anchor", "middle"))
        .add(turned);
    let file = written(&drawing, "a");
    for part in [
        "1 1 1 rg\nBT\n/F 12 Tf\n1 0 0 -1 5 6 Tm\n(a (b)) Tj\nET\n",
        // 2.64 times the size wide.
        "0 0 0 rg\nBT\n/F 10 Tf\n1 0 0 -1 63.6 6 Tm\n(W = 8) Tj\nET\n",
        // Half a small letter, 0.2615 times the size, below.
        "BT\n/F 20 Tf\n1 0 0 -1 23.6 55.23 Tm\n",
        // W 944, i 222, d 556, e 556: it begins half of 2.278 times 12 below, and is read upwards.
        "BT\n/F 12 Tf\n0 -1 -1 0 30 73.67 Tm\n(Wide) Tj\n",
    ] {
        assert!(file.contains(part), "{part}\n{file}");
    }
}

#[test]
fn every_entry_of_the_cross_references_is_the_place_of_its_object() {
    let file = written(&page(10.0, 10.0, "a").add(text("Ä", 1.0, 1.0)), "Größe");
    assert!(file.starts_with("%PDF-1.4\n") && file.ends_with("%%EOF"), "{file}");
    let (_, start) = file.rsplit_once("startxref\n").unwrap();
    let table = &file[bytes_to(&file, start.lines().next().unwrap().parse().unwrap())..];
    let mut lines = table.lines();
    assert_eq!(
        (lines.next(), lines.next(), lines.next()),
        (Some("xref"), Some("0 7"), Some("0000000000 65535 f"))
    );
    for number in 1..7 {
        let entry = lines.next().unwrap();
        let place = entry.strip_suffix(" 00000 n").unwrap();
        assert!(
            place.len() == 10
                && file[bytes_to(&file, place.parse().unwrap())..].starts_with(&format!("{number} 0 obj\n"))
        );
    }
    assert_eq!(lines.next(), Some("trailer"));
    let (_, stream) = file.split_once("/Length ").unwrap();
    let (length, stream) = stream.split_once("\n>>\nstream\n").unwrap();
    let content = stream.split_once("\nendstream").unwrap().0;
    assert_eq!(content.chars().count(), length.parse::<usize>().unwrap());
}

/// The place in the text of the letter that stands for a byte.
fn bytes_to(file: &str, byte: usize) -> usize {
    file.char_indices().nth(byte).unwrap().0
}
