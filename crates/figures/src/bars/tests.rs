use super::*;
use crate::paper::Width;
use crate::primitives::{Drawing, Part};
use crate::theme::{BLUE, ORANGE};

fn bars(rows: &[(&str, &[f64])]) -> Bars<'static> {
    let row = |&(name, ends): &(&str, &[f64])| Row {
        name: name.to_owned(),
        pieces: ends.windows(2).map(|two| Piece { from: two[0], to: two[1], fill: BLUE }).collect(),
        number: "7 ms".to_owned(),
        tip: String::new(),
    };
    Bars {
        title: "t",
        scale: Scale { unit: "cycles", each: 1.0 },
        rows: rows.iter().map(row).collect(),
        mark: None,
        is_joined: false,
        legend: vec![("a legend", BLUE), ("another one", ORANGE)],
    }
}

/// The left and the right ends of the bars.
fn ends(svg: &str) -> Vec<(f64, f64)> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let is_bar = |node: &roxmltree::Node| {
        node.has_tag_name(("http://www.w3.org/2000/svg", "rect")) && node.attribute("height") == Some("16")
    };
    let number = |node: roxmltree::Node, name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let bars = document.descendants().filter(is_bar);
    bars.map(|bar| (number(bar, "x"), number(bar, "x") + number(bar, "width"))).collect()
}

#[test]
fn bars_are_as_long_as_what_they_stand_for() {
    let svg =
        bars(&[("a", &[0.0, 30.0]), ("b", &[30.0, 20.0]), ("c", &[0.0, 5.0, 20.0])]).draw(&Paper::default());
    let ends = ends(&svg);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}\n{svg}");
    let unit = (ends[0].1 - ends[0].0) / 30.0;
    close(ends[1].1 - ends[1].0, 10.0 * unit);
    close(ends[1].1, ends[0].1);
    close(ends[3].1 - ends[2].0, 20.0 * unit);
    close(ends[2].1, ends[3].0);
}

#[test]
fn nothing_leaves_the_width_that_is_asked_for() {
    let long = "a name of a line of a source that is far longer than a column of a paper is wide";
    for text in ["1.5in", "88mm", "345pt", "\\linewidth", "17cm"] {
        let paper = Paper { width: Some(Width::read(text).unwrap()), is_untitled: false };
        let wide = paper.wide().unwrap();
        let mut bars = bars(&[(long, &[0.0, 7e9]), ("b", &[0.0, -3e9])]);
        bars.title = long;
        bars.mark = Some(("deadline".to_owned(), 8e9));
        let drawing = Drawing::read(&bars.draw(&paper)).unwrap();
        assert!((drawing.size.0 - wide).abs() < 1e-9);
        for part in drawing.parts {
            let Part::Text(text) = part else { continue };
            let long = text_width(&text.content, text.size);
            let left = match text.anchor {
                crate::primitives::Anchor::Start => text.at.0,
                crate::primitives::Anchor::Middle => text.at.0 - long / 2.0,
                crate::primitives::Anchor::End => text.at.0 - long,
            };
            assert!(left >= 0.0 && left + long <= wide, "{text:?} of {wide}");
            assert!(text.at.1 < drawing.size.1);
        }
    }
}
