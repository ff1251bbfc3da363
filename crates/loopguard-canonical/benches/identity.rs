//! Identities, canonical texts and previews beside other libraries that make JSON canonical.
//!
//! `cargo xtask bench [--quick] [--recordings FOLDER]` prints one table. In a row "value" the
//! others only write their text from the same parsed value, without hashing it; in a row "raw"
//! they parse the raw text, write theirs and hash it. The plain hash is xxh3-128 of the raw
//! bytes as they are: nothing that looks at every byte can be much faster.

use std::hint::black_box;

use loopguard_bench::inputs::{self, Input};
use loopguard_bench::{Align, Counting, Measured, Options, Race, Table, number, ratio, recordings};
use loopguard_canonical::{Arguments, Identity, Seed, canonical_preview, canonical_text};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_128_with_seed;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many UTF-16 units a notice quotes of a call's arguments.
const PREVIEW_UNITS: u64 = 500;

/// How a library writes a value.
type Write = fn(&Value) -> Vec<u8>;

/// The libraries that ours is compared with, by how each writes a value.
const PEERS: [(&str, Write); 3] = [
    ("serde_json_canonicalizer", |value| {
        serde_json_canonicalizer::to_vec(value).unwrap_or_default()
    }),
    ("serde_jcs", |value| {
        serde_jcs::to_vec(value).unwrap_or_default()
    }),
    ("json-canon", |value| {
        json_canon::to_vec(value).unwrap_or_default()
    }),
];

/// How many real calls are enough.
const MAX_REAL_CALLS: usize = 4_000;

fn main() {
    let options = Options::from_arguments();
    let mut report = Report::new();
    for input in inputs() {
        report.compare(&Case::made_up(&input), &options);
    }
    for levels in [1_000, 10_000, 100_000] {
        report.nest(levels, &options);
    }
    let steps = recordings::steps(options.recordings());
    match Case::real(&steps) {
        Some(case) => report.compare(&case, &options),
        None => eprintln!("no recorded sessions at hand: the row of real calls is left out"),
    }
    println!("### Identities: nanoseconds per call\n");
    println!("{}.\n", options.conditions());
    println!("{}", report.table);
    let spread = report.spread() * 50.0;
    println!(
        "{} of {} rows with a target meet it. Half of all rounds lie within {spread:.1} % of the median \
         (median of all rows).",
        report.met, report.judged,
    );
}

fn inputs() -> Vec<Input> {
    vec![
        inputs::small(),
        inputs::usual(),
        inputs::edit(),
        inputs::long_string(),
        inputs::files("100 KB files", 100_000),
        inputs::files("1 MB files", 1_000_000),
        inputs::records("100 KB records", 100_000),
        inputs::keys("400 keys", 400),
        inputs::keys("1,000 keys", 1_000),
        inputs::levels("64 levels", 64),
        inputs::source(),
        inputs::unicode_escapes(),
        inputs::doubles(),
    ]
}

/// What one row group is about: one input, or many that are gone through in one run.
struct Case {
    name: String,
    /// Raw text and the same as a value.
    calls: Vec<(String, Value)>,
}

impl Case {
    fn made_up(input: &Input) -> Self {
        let value = serde_json::from_str(&input.text).expect("an input is JSON");
        Self {
            name: input.name.to_owned(),
            calls: vec![(input.text.clone(), value)],
        }
    }

    /// Real arguments, from all over the recordings.
    fn real(steps: &[recordings::Step]) -> Option<Self> {
        let all: Vec<_> = recordings::calls(steps)
            .filter_map(|call| {
                let value = serde_json::from_str(&call.arguments).ok()?;
                Some((call.arguments.clone(), value))
            })
            .collect();
        let stride = all.len().div_ceil(MAX_REAL_CALLS).max(1);
        let calls: Vec<_> = all.into_iter().step_by(stride).collect();
        let bytes: usize = calls.iter().map(|call| call.0.len()).sum();
        Some(Self {
            name: format!("real calls (mean {} B)", bytes.checked_div(calls.len())?),
            calls,
        })
    }

    /// The mean size of the raw text.
    fn bytes(&self) -> f64 {
        let bytes: usize = self.calls.iter().map(|call| call.0.len()).sum();
        bytes as f64 / self.calls.len() as f64
    }
}

/// The rows so far, and what later rows are compared with.
struct Report {
    table: Table,
    judged: usize,
    met: usize,
    spreads: Vec<f64>,
    /// What a preview of 2 KB takes, from a value and from raw text.
    short_previews: [Option<f64>; 2],
    /// What a level takes where a walk need not grow a stack, from a value and from raw text.
    levels: [Option<f64>; 2],
}

/// What a row shows.
struct Row<'a> {
    input: &'a str,
    what: &'a str,
    ours: Measured,
    peers: Option<[Measured; 3]>,
    plain: Measured,
    copy: Measured,
    targets: Vec<Target>,
}

/// What is to be reached, what was, and whether that is enough.
struct Target {
    wanted: String,
    reached: String,
    met: bool,
}

impl Target {
    /// At least so many times as fast as the best peer.
    fn faster(ours: Measured, peers: &[Measured], times: f64) -> Self {
        Self {
            wanted: format!("≥ {times}×"),
            reached: ratio(best(peers), ours.ns),
            met: best(peers) / ours.ns >= times,
        }
    }

    /// At most so many times what something else takes.
    fn at_most(ours: f64, other: f64, times: f64, what: &str) -> Self {
        Self {
            wanted: format!("≤ {times}× {what}"),
            reached: format!("{} {what}", ratio(ours, other)),
            met: ours / other <= times,
        }
    }

    fn no_allocation(ours: Measured) -> Self {
        Self {
            wanted: "0 allocations".to_owned(),
            reached: format!("{} allocations", number(ours.allocations)),
            met: ours.allocations == 0.0,
        }
    }

    fn throughput(ours: Measured, bytes: f64, least: f64) -> Self {
        Self {
            wanted: format!("≥ {least} GB/s"),
            reached: format!("{:.2} GB/s", bytes / ours.ns),
            met: bytes / ours.ns >= least,
        }
    }
}

fn best(peers: &[Measured]) -> f64 {
    peers
        .iter()
        .map(|peer| peer.ns)
        .fold(f64::INFINITY, f64::min)
}

impl Report {
    fn new() -> Self {
        use Align::{Left, Right};
        let [one, two, three] = PEERS.map(|peer| (peer.0, Right));
        Self {
            table: Table::new([
                ("input", Left),
                ("from, to", Left),
                ("ours", Right),
                ("allocations", Right),
                one,
                two,
                three,
                ("plain hash", Right),
                ("memcpy", Right),
                ("best peer ÷ ours", Right),
                ("ours ÷ plain hash", Right),
                ("target", Left),
                ("met", Left),
            ]),
            judged: 0,
            met: 0,
            spreads: Vec::new(),
            short_previews: [None; 2],
            levels: [None; 2],
        }
    }

    /// Everything about one case, all contestants in one race.
    fn compare(&mut self, case: &Case, options: &Options) {
        let calls = &case.calls;
        let mut race = Race::new();
        ours(&mut race, calls);
        for (_, write) in PEERS {
            each(&mut race, calls, move |_, value| write(value).len());
        }
        for (_, write) in PEERS {
            each(&mut race, calls, move |text, _| {
                let value: Value = serde_json::from_str(text).unwrap_or_default();
                xxh3_128_with_seed(&write(&value), 0)
            });
        }
        plain(&mut race, calls);
        let all = race.run(options);
        let [value, raw, text, preview, raw_preview] = all[..5] else {
            unreachable!("five contestants are ours")
        };
        let [write, parse] = [5, 8].map(|at| [all[at], all[at + 1], all[at + 2]]);
        let row = |what, ours, peers, targets| Row {
            input: &case.name,
            what,
            ours,
            peers,
            plain: all[11],
            copy: all[12],
            targets,
        };

        let bytes = case.bytes();
        let mut targets = vec![Target::no_allocation(value)];
        if bytes >= 1_900.0 {
            targets.push(Target::faster(value, &write, 20.0));
        } else if bytes >= 100.0 && calls.len() == 1 {
            targets.push(Target::faster(value, &write, 12.0));
        }
        if bytes >= 95_000.0 {
            targets.push(Target::at_most(
                value.ns,
                all[11].ns,
                1.25,
                "the plain hash",
            ));
        }
        self.add(&row("value → identity", value, Some(write), targets));

        let mut targets = vec![Target::no_allocation(raw), Target::faster(raw, &parse, 6.0)];
        if case.name.contains("escapes") || case.name.contains("source") {
            targets.push(Target::throughput(raw, bytes, 1.5));
        }
        self.add(&row("raw → identity", raw, Some(parse), targets));

        let targets = vec![Target::faster(text, &write, 2.0)];
        self.add(&row("value → text", text, Some(write), targets));

        let previews = [("value → preview", preview), ("raw → preview", raw_preview)];
        for (at, (what, preview)) in previews.into_iter().enumerate() {
            let targets = match self.short_previews[at] {
                Some(short) if bytes >= 900_000.0 => {
                    vec![Target::at_most(preview.ns, short, 2.0, "that of 2 KB")]
                }
                _ => Vec::new(),
            };
            if case.name.starts_with("2 KB") {
                self.short_previews[at] = Some(preview.ns);
            }
            if bytes >= 1_900.0 {
                self.add(&row(what, preview, None, targets));
            }
        }
    }

    /// Arrays in arrays, for ours alone: the others overflow the stack.
    fn nest(&mut self, levels: usize, options: &Options) {
        let text = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let value = (1..levels).fold(Value::Array(Vec::new()), |inner, _| {
            Value::Array(vec![inner])
        });
        let calls = vec![(text, value)];
        let mut race = Race::new();
        ours(&mut race, &calls);
        plain(&mut race, &calls);
        let all = race.run(options);
        let name = format!("{} levels", number(levels as f64));
        let measured = [("value → identity", all[0]), ("raw → identity", all[1])];
        for (at, (what, ours)) in measured.into_iter().enumerate() {
            let level = ours.ns / levels as f64;
            let targets = match self.levels[at] {
                Some(least) => vec![Target::at_most(level, least, 1.5, "a level of 1,000")],
                None => Vec::new(),
            };
            self.levels[at].get_or_insert(level);
            self.add(&Row {
                input: &name,
                what,
                ours,
                peers: None,
                plain: all[5],
                copy: all[6],
                targets,
            });
        }
        // To drop a value is to recurse into it, which overflows at this depth.
        std::mem::forget(calls);
    }

    fn add(&mut self, row: &Row<'_>) {
        let ns = |measured: Measured| number(measured.ns);
        let none = || "".to_owned();
        let peers = row.peers.map(|peers| peers.map(ns));
        let [one, two, three] = peers.unwrap_or_else(|| [none(), none(), none()]);
        let wanted: Vec<_> = row.targets.iter().map(|it| it.wanted.as_str()).collect();
        let missed = row.targets.iter().filter(|it| !it.met);
        let missed: Vec<_> = missed.map(|it| it.reached.as_str()).collect();
        let met = match (wanted.is_empty(), missed.is_empty()) {
            (true, _) => none(),
            (_, true) => "yes".to_owned(),
            (_, false) => format!("no: {}", missed.join(", ")),
        };
        self.judged += usize::from(!wanted.is_empty());
        self.met += usize::from(met == "yes");
        self.spreads.push(row.ours.spread);
        self.table.row(vec![
            row.input.to_owned(),
            row.what.to_owned(),
            ns(row.ours),
            number(row.ours.allocations),
            one,
            two,
            three,
            ns(row.plain),
            ns(row.copy),
            row.peers
                .map_or_else(none, |peers| ratio(best(&peers), row.ours.ns)),
            ratio(row.ours.ns, row.plain.ns),
            wanted.join(", "),
            met,
        ]);
    }

    fn spread(&mut self) -> f64 {
        self.spreads.sort_by(f64::total_cmp);
        self.spreads[self.spreads.len() / 2]
    }
}

/// One contestant: the code for each call of the case.
fn each<'a, T>(
    race: &mut Race<'a>,
    calls: &'a [(String, Value)],
    code: impl Fn(&str, &Value) -> T + 'a,
) {
    race.add_calls(calls.len(), move || {
        for (text, value) in black_box(calls) {
            black_box(code(black_box(text), black_box(value)));
        }
    });
}

/// The five contestants that are ours.
fn ours<'a>(race: &mut Race<'a>, calls: &'a [(String, Value)]) {
    each(race, calls, |_, value| {
        Identity::of(Seed::FIXED, "read", Arguments::Value(value))
    });
    each(race, calls, |text, _| {
        Identity::of(Seed::FIXED, "read", Arguments::Text(text))
    });
    each(race, calls, |_, value| {
        canonical_text(Arguments::Value(value))
    });
    each(race, calls, |_, value| {
        canonical_preview(Arguments::Value(value), PREVIEW_UNITS)
    });
    each(race, calls, |text, _| {
        canonical_preview(Arguments::Text(text), PREVIEW_UNITS)
    });
}

/// What nothing can beat: a hash of the raw bytes, and a copy of them.
fn plain<'a>(race: &mut Race<'a>, calls: &'a [(String, Value)]) {
    each(race, calls, |text, _| {
        xxh3_128_with_seed(text.as_bytes(), 0)
    });
    let longest = calls.iter().map(|call| call.0.len()).max().unwrap_or(0);
    let mut buffer = vec![0; longest];
    race.add_calls(calls.len(), move || {
        for (text, _) in black_box(calls) {
            buffer[..text.len()].copy_from_slice(black_box(text).as_bytes());
            black_box(&mut buffer);
        }
    });
}
