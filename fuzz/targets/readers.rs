//! No input makes a reader panic or hold more than it may, and what it tells keeps the rules.
//!
//! Each input is read as what it is taken for, and as one of the formats, picked by its length,
//! so that recorded sessions are inputs as they are.

#![no_main]

use std::collections::BTreeSet;
use std::io::{BufReader, Write as _};
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use loopguard_transcript::{Event, EventKind, Format, ReadOptions, ReadSummary, detect, read};

fuzz_target!(|data: &[u8]| {
    let _ = detect(data);
    let named = Format::ALL[data.len() % Format::ALL.len()];
    for format in [None, Some(named)] {
        let mut options = ReadOptions::new();
        options.format = format;
        let told = tell(data, &options);
        assert_eq!(tell_in_pieces(data, &options), told);
        // With little room lines and documents are passed over or refused, and no more.
        let _ = tell(
            data,
            &options.clone().max_line_bytes(64).max_document_bytes(256),
        );
        if let Ok((summary, events)) = told
            && summary.compression.is_none()
        {
            packed(data, &options, &events);
        }
    }
});

/// What was read, or why not, and every event in words.
fn tell(data: &[u8], options: &ReadOptions) -> Result<(ReadSummary, Vec<String>), String> {
    let mut events = Vec::new();
    let mut rules = Rules::default();
    let summary = read(data, options, &mut |event| {
        rules.check(&event);
        events.push(format!("{event:?}"));
        ControlFlow::Continue(())
    });
    let summary = summary.map_err(|error| error.to_string())?;
    rules.check_summary(&summary);
    Ok((summary, events))
}

fn tell_in_pieces(
    data: &[u8],
    options: &ReadOptions,
) -> Result<(ReadSummary, Vec<String>), String> {
    let mut events = Vec::new();
    let input = BufReader::with_capacity(7, data);
    let summary = read(input, options, &mut |event| {
        events.push(format!("{event:?}"));
        ControlFlow::Continue(())
    });
    Ok((summary.map_err(|error| error.to_string())?, events))
}

/// Packed it is the same, and where the package is damaged it is an error or less.
fn packed(data: &[u8], options: &ReadOptions, events: &[String]) {
    let mut packed = match data.len() % 4 {
        0 => {
            let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            packer.write_all(data).expect("memory takes all");
            packer.finish().expect("memory takes all")
        }
        1 => zstd::encode_all(data, 1).expect("memory takes all"),
        _ => return,
    };
    let (summary, same) = tell(&packed, options).expect("what was read plain");
    assert!(summary.compression.is_some());
    assert_eq!(same, events);
    let at = data.iter().map(|byte| usize::from(*byte)).sum::<usize>() % packed.len();
    packed[at] ^= 1 << (at % 8);
    let _ = tell(&packed, options);
    packed.truncate(at);
    let _ = tell(&packed, options);
}

/// What holds for every stream, whatever the host.
#[derive(Default)]
struct Rules {
    events: u64,
    sessions: u64,
    all_calls: u64,
    /// The calls of this session.
    calls: u64,
    answered: BTreeSet<u64>,
    line: u64,
}

impl Rules {
    fn check(&mut self, event: &Event<'_>) {
        self.events += 1;
        if let Some(line) = event.line {
            assert!(line >= self.line.max(1), "{event:?}");
            self.line = line;
        }
        match &event.kind {
            EventKind::Session { .. } => {
                self.sessions += 1;
                self.calls = 0;
                self.answered.clear();
            }
            EventKind::Call { index, .. } => {
                self.calls += 1;
                self.all_calls += 1;
                assert_eq!(*index, self.calls);
            }
            EventKind::Result {
                call: Some(call), ..
            } => {
                assert!((1..=self.calls).contains(call), "{event:?}");
                assert!(self.answered.insert(*call), "{event:?}");
            }
            _ => {}
        }
        assert!(self.sessions > 0, "{event:?}");
    }

    fn check_summary(&self, summary: &ReadSummary) {
        assert_eq!(summary.events, self.events);
        assert_eq!(summary.sessions, self.sessions);
        assert_eq!(summary.calls, self.all_calls);
        assert!(summary.unpaired_results <= summary.results);
        assert!(summary.lines == 0 || self.line <= summary.lines);
        let answered = summary.results - summary.unpaired_results;
        assert_eq!(summary.unanswered_calls, summary.calls - answered);
    }
}
