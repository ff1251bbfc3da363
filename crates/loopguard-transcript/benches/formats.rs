//! How fast each format is read: megabytes per second of one core.
//!
//! The recordings are those of the tests, repeated where a format is one event a line. Beside
//! each reader stands what it takes to parse the same text into trees and do nothing with
//! them.

use std::fs;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;

use loopguard_bench::{Align, Counting, Options, Race, Table, number, ratio};
use loopguard_transcript::{Format, ReadOptions, ReadSummary, read};
use serde_json::Value;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How much text is read at a time.
const BYTES: usize = 1_000_000;

fn main() {
    let options = Options::from_arguments();
    println!("### Readers: megabytes per second\n");
    println!("{}.\n", options.conditions());
    println!("{}", table(&options));
}

fn table(options: &Options) -> Table {
    use Align::{Left, Right};
    let mut table = Table::new([
        ("format", Left),
        ("recording", Left),
        ("bytes a call", Right),
        ("MB/s", Right),
        ("allocations a call", Right),
        ("parsed into trees, MB/s", Right),
        ("ours ÷ trees", Right),
    ]);
    for &format in Format::ALL {
        for recording in recordings(format) {
            let mut race = Race::new();
            race.add(|| summary(format, &recording.text));
            race.add(|| trees(&recording));
            let measured = race.run(options);
            let bytes = recording.text.len() as f64;
            let calls = bytes / recording.bytes_a_call;
            let speed = |at: usize| bytes / measured[at].ns * 1_000.0;
            table.row(vec![
                format.name().to_owned(),
                recording.what.to_owned(),
                number(recording.bytes_a_call),
                number(speed(0)),
                number(measured[0].allocations / calls),
                number(speed(1)),
                ratio(speed(0), speed(1)),
            ]);
        }
    }
    table
}

/// A recording in a format.
struct Recording {
    what: &'static str,
    is_lines: bool,
    /// Of one reading: what is repeated may be told once only.
    bytes_a_call: f64,
    text: String,
}

/// The recordings of the tests that are named after a format.
fn recordings(format: Format) -> Vec<Recording> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures"));
    let files = fs::read_dir(folder).expect("the tests have recordings");
    let mut paths: Vec<_> = files.flatten().map(|file| file.path()).collect();
    paths.sort();
    let mut recordings = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut parts = name.split('.');
        let (recording, name) = (parts.next(), parts.next());
        if !matches!(recording, Some("build" | "v2")) || name != Some(format.name()) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a recording is text");
        let is_lines = path.extension().is_some_and(|ending| ending == "jsonl");
        let bytes_a_call = text.len() as f64 / summary(format, &text).calls.max(1) as f64;
        recordings.push(match is_lines {
            true => Recording {
                what: "lines",
                is_lines,
                bytes_a_call,
                text: text.repeat(BYTES.div_ceil(text.len())),
            },
            false => Recording {
                what: "one document",
                is_lines,
                bytes_a_call,
                text,
            },
        });
    }
    recordings
}

fn summary(format: Format, text: &str) -> ReadSummary {
    let options = ReadOptions::new().format(format);
    let read = read(text.as_bytes(), &options, &mut |event| {
        black_box(&event);
        ControlFlow::Continue(())
    });
    read.expect("the tests read it, too")
}

fn trees(recording: &Recording) -> usize {
    let parse = |text: &str| {
        serde_json::from_str::<Value>(text).map_or(0, |tree| {
            black_box(&tree);
            1
        })
    };
    match recording.is_lines {
        true => recording.text.lines().map(parse).sum(),
        false => parse(&recording.text),
    }
}
