//! The page of `report` in a browser: its console has no errors, and the figures can be seen.
//!
//! The test needs chromium in PATH (`scripts/setup-browser` installs it), and is skipped without it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::tables::{lcl, row};
use assert_cmd::Command;

fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut found =
        names.iter().flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)));
    found.find(|path| path.is_file())
}

/// Opens a page; returns what the browser writes to stdout, and the messages on its console.
fn open(browser: &Path, page: &Path, arg: &str) -> (String, Vec<String>) {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--force-device-scale-factor=1",
        ])
        .args(["--enable-logging=stderr", "--v=0", "--window-size=1100,3000", arg])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .timeout(Duration::from_secs(120))
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    // Messages of every level count: the page has none to write, also about what its policy would block.
    let is_message =
        |line: &&str| ["CONSOLE", "Uncaught", "Failed to load"].iter().any(|word| line.contains(word));
    let messages = log.lines().filter(is_message).map(str::to_owned).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), messages)
}

/// The colours of the pixels of a PNG file.
fn pixels(file: &Path) -> Vec<[u8; 3]> {
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(file).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(frame.bit_depth, png::BitDepth::Eight);
    let samples = frame.color_type.samples();
    assert!(samples >= 3, "in colour");
    bytes[..frame.buffer_size()].chunks(samples).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
}

#[test]
fn the_page_opens_and_its_figures_are_seen() {
    let Some(browser) = chromium() else {
        println!("skipped: no chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let other = [1, 2, 3].map(|w| row(("LCL", w, "2", "auto", 3, 3, 2 + w, 1, 3, "proved"))).concat();
    std::fs::write(folder.path().join("t.csv"), lcl() + &other).unwrap();
    Command::cargo_bin("warpspan")
        .unwrap()
        .current_dir(folder.path())
        .args(["report", "t.csv", "-o", "out"])
        .assert()
        .success();
    let page = folder.path().join("out/index.html");
    let (dom, messages) = open(&browser, &page, "--dump-dom");
    assert!(messages.is_empty(), "{messages:#?}");
    let figures = dom.matches("<figure ").count();
    let drawings = std::fs::read_dir(folder.path().join("out")).unwrap();
    let is_drawing = |file: &std::fs::DirEntry| file.path().extension().is_some_and(|end| end == "svg");
    assert_eq!(figures, drawings.map(Result::unwrap).filter(is_drawing).count());
    assert_eq!(dom.matches("<span class=\"zoom\">").count(), figures, "the script is at work");
    assert!(dom.contains("</footer>"), "the page is whole");

    let screenshot = folder.path().join("page.png");
    let (_, messages) = open(&browser, &page, &format!("--screenshot={}", screenshot.display()));
    assert!(messages.is_empty(), "{messages:#?}");
    let pixels = pixels(&screenshot);
    for (what, colour) in [
        ("phase bound", [0x00, 0x72, 0xB2]),
        ("pessimistic", [0x00, 0x9E, 0x73]),
        ("estimate", [0xCC, 0x79, 0xA7]),
        ("unsafe points", [0xD5, 0x5E, 0x00]),
        ("low end of the heat map", [0, 32, 77]),
        ("high end of the heat map", [255, 234, 70]),
    ] {
        let near = |pixel: &&[u8; 3]| pixel.iter().zip(colour).all(|(&a, b)| a.abs_diff(b) < 12);
        let count = pixels.iter().filter(near).count();
        assert!(count > 20, "{what}: {count} pixels");
    }
}

/// A page with an error makes the test above fail.
#[test]
fn a_broken_page_is_noticed() {
    let Some(browser) = chromium() else {
        println!("skipped: no chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("index.html");
    std::fs::write(&page, "<!DOCTYPE html><script>missing()</script>").unwrap();
    let (_, messages) = open(&browser, &page, "--dump-dom");
    assert!(messages.iter().any(|message| message.contains("missing is not defined")), "{messages:?}");
}

/// Sorting and filtering, and the width of the page on a phone: what a script that is added to the page sees.
#[test]
fn tables_are_sorted_and_filtered_and_the_page_fits_a_phone() {
    let Some(browser) = chromium() else {
        println!("skipped: no chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let gaps = [3, 9, 1, 7, 5, 8, 2];
    let kernels: Vec<String> = (1..=gaps.len()).map(|length| "L".repeat(length)).collect();
    let rows: Vec<String> = kernels
        .iter()
        .zip(gaps)
        .flat_map(|(kernel, gap)| {
            [1, 2].map(|w| row((kernel, w, "1", "bounds", 10, 10 + gap, 99, 1, 99, "proved")))
        })
        .collect();
    let table = format!("{}\n{}", crate::common::tables::HEADER, rows.concat());
    std::fs::write(folder.path().join("t.csv"), table).unwrap();
    let mut report = Command::cargo_bin("warpspan").unwrap();
    report.current_dir(folder.path()).args(["report", "t.csv", "-o", "out"]).assert().success();
    let page = folder.path().join("out/index.html");
    let text = std::fs::read_to_string(&page).unwrap();
    let seen = |script: &str, arg: &str| {
        let script = format!("<script>document.title = (() => {{ {script} }})()</script></body>");
        let changed = folder.path().join("changed.html");
        std::fs::write(&changed, text.replace("</body>", &script)).unwrap();
        let (dom, messages) = open(&browser, &changed, arg);
        assert!(messages.is_empty(), "{messages:#?}");
        dom.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0.to_owned()
    };
    let shown = "return Array.from(document.querySelectorAll('#summary tbody tr'))
        .filter(row => !row.hidden).map(row => row.cells[4].textContent).join(' ');";
    assert_eq!(seen(shown, "--dump-dom"), "90.0 80.0 70.0 50.0 30.0 20.0 10.0", "the largest gap first");
    let click = "document.querySelectorAll('#summary thead button')[4].click();";
    assert_eq!(seen(&format!("{click}{shown}"), "--dump-dom"), "10.0 20.0 30.0 50.0 70.0 80.0 90.0");
    let filter = "const field = document.querySelector('#summary input'); field.value = 'LLLLL,';
        field.dispatchEvent(new Event('input'));";
    assert_eq!(seen(&format!("{filter}{shown}"), "--dump-dom"), "80.0 50.0 20.0");
    // Headless browsers have no window below 500 pixels, so the body is made as narrow as a phone.
    let wide = "document.documentElement.style.width = '375px'; const main = document.querySelector('main');
        const wide = Array.from(main.querySelectorAll('*')).filter(element => !element.closest('.listing,.drawing')
            && element.getBoundingClientRect().right > 375.5);
        return wide.map(element => element.outerHTML.slice(0, 60)).join(' ') || 'fits';";
    assert_eq!(seen(wide, "--dump-dom"), "fits");
}

/// At any width the table on top shows every row and every cell whole: nothing in it has to be scrolled to.
#[test]
fn no_row_of_the_summary_is_hidden_or_cut() {
    let Some(browser) = chromium() else {
        println!("skipped: no chromium");
        return;
    };
    let long = "a_kernel_with_a_name_that_is_far_too_long_for_a_phone_and_has_no_place_to_break";
    let kernels: Vec<String> = (1..=12).map(|length| "LC".repeat(length)).collect();
    let rows: Vec<String> = kernels
        .iter()
        .flat_map(|kernel| [1, 2].map(|w| row((kernel, w, "1", "bounds", 10, 13, 99, 1, 99, "proved"))))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let file = format!("{long}.csv");
    std::fs::write(
        folder.path().join(&file),
        format!("{}\n{}", crate::common::tables::HEADER, rows.concat()),
    )
    .unwrap();
    let mut report = Command::cargo_bin("warpspan").unwrap();
    report.current_dir(folder.path()).args(["report", &file, "-o", "out"]).assert().success();
    let text = std::fs::read_to_string(folder.path().join("out/index.html")).unwrap();
    // A frame has the width of a phone, which the window of a browser without a screen cannot have.
    let frame = format!(
        "<!DOCTYPE html><body><script>
        const page = {};
        const said = [];
        for (const wide of [320, 390, 640, 700, 1032, 1440]) {{
            const frame = document.createElement('iframe');
            frame.style.cssText = 'border:0;height:900px;width:' + wide + 'px';
            frame.srcdoc = page;
            frame.onload = () => {{
                const summary = frame.contentDocument.querySelector('#summary');
                const rows = Array.from(summary.querySelectorAll('tbody tr'));
                const cells = rows.flatMap(row => Array.from(row.cells)).filter(cell => cell.textContent);
                const around = Array.from(summary.querySelectorAll('*'));
                const scrolls = around.filter(one => one.scrollHeight > one.clientHeight + 1 && one.clientHeight > 0
                    && getComputedStyle(one).overflowY !== 'visible');
                const cut = cells.filter(cell => {{
                    const box = cell.getBoundingClientRect();
                    return box.height < 8 || box.left < 0 || box.right > wide || cell.scrollWidth > cell.clientWidth + 1;
                }});
                said.push(wide + ': ' + rows.length + ' rows, ' + cells.length + ' cells, '
                    + cut.length + ' cut, ' + scrolls.length + ' scroll');
                document.title = said.sort((a, b) => parseInt(a) - parseInt(b)).join('; ');
            }};
            document.body.append(frame);
        }}
        </script></body>",
        serde_json::to_string(&text).unwrap().replace("</", "<\\/")
    );
    let page = folder.path().join("frames.html");
    std::fs::write(&page, frame).unwrap();
    let (dom, _) = open(&browser, &page, "--dump-dom");
    let said = dom.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
    let expected =
        [320, 390, 640, 700, 1032, 1440].map(|wide| format!("{wide}: 12 rows, 72 cells, 0 cut, 0 scroll"));
    assert_eq!(said, expected.join("; "));
}
