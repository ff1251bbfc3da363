//! Nanoseconds and allocations per call.

use loopguard::core::Fingerprint;
use loopguard::{Arguments, Ending, Identity, Seed};
use loopguard_bench::inputs::{self, Input};
use loopguard_bench::recordings::{self, Step};
use loopguard_bench::{Align, Measured, Options, Race, Table, Varied, VariedValue, number, ratio};

use crate::agent::{Agent, Calls, Host, Peer, SHORT_RESULT, USUAL_RESULT, Work};
use crate::setups::{self, GUARDS, Values};

/// Enough real calls; whole sessions are left out beyond it.
const REAL_STEPS: usize = 12_000;

/// A row's contestants, in this order: identity, fingerprint of the result, a set without
/// guards, the three guards one by one, all of them, all of them through sessions, and another
/// project's detector.
const ALL: usize = 6;
const PEER: usize = 8;

pub(crate) fn table(options: &Options) -> Table {
    use Align::{Left, Right};
    let mut table = Table::new([
        ("values", Left),
        ("arguments", Left),
        ("calls", Left),
        ("identity", Right),
        ("result", Right),
        ("no guard", Right),
        ("reminder", Right),
        ("brake", Right),
        ("breaker", Right),
        ("all three", Right),
        ("by sessions", Right),
        ("tool-loop-guard", Right),
        ("all ÷ identity", Right),
        ("all ÷ (identity + result)", Right),
        ("allocations", Right),
        ("target", Left),
        ("met", Left),
        ("reference", Right),
    ]);
    for values in setups::presets() {
        for input in inputs::common() {
            for (what, work) in works(&input) {
                let measured = made_up(&values, &work, options);
                row(&mut table, (values.name, input.name, what), &measured);
            }
        }
    }
    // What is switched on beside the presets costs the same whatever the arguments are.
    for values in setups::all().into_iter().skip(setups::presets().len()) {
        let input = inputs::usual();
        for (what, work) in works(&input) {
            let measured = made_up(&values, &work, options);
            row(&mut table, (values.name, input.name, what), &measured);
        }
    }
    let steps = sample(recordings::steps(options.recordings()));
    if recordings::calls(&steps).next().is_none() {
        eprintln!("no recorded sessions at hand: the rows of real calls are left out");
        return table;
    }
    for values in setups::all() {
        let measured = real(&values, &steps, options);
        row(
            &mut table,
            (values.name, "real calls", "raw, as recorded"),
            &measured,
        );
    }
    table
}

/// What an agent may be doing with these arguments.
fn works(input: &Input) -> Vec<(&'static str, Work)> {
    let text = || Varied::new(input.text.as_str());
    let work = |calls, result| Work::new(calls, result);
    let distinct = || Calls::Distinct(text());
    let mut works = vec![
        ("raw, distinct", work(distinct(), USUAL_RESULT)),
        (
            "raw, again and again",
            work(Calls::Warm(text()), USUAL_RESULT),
        ),
        (
            "value, distinct",
            work(
                Calls::DistinctValue(VariedValue::new(&input.text)),
                USUAL_RESULT,
            ),
        ),
    ];
    if input.name == "100 B" {
        let short = work(distinct(), SHORT_RESULT);
        works.push(("raw, distinct, result of 40 B", short));
    }
    works
}

fn made_up(values: &Values, work: &Work, options: &Options) -> Vec<Measured> {
    let mut race = Race::new();
    let mut floor = work.clone();
    race.add(move || floor.identity());
    let mut floor = work.clone();
    race.add(move || floor.result());
    for host in hosts(values) {
        let mut agent = Agent::warm(host, work.clone());
        race.add(move || agent.call());
    }
    let (mut peer, mut work) = (Peer::new(), work.clone());
    race.add(move || work.by_peer(&mut peer));
    race.run(options)
}

/// Those who are measured beside the two floors.
fn hosts(values: &Values) -> Vec<Host> {
    let mut hosts = vec![Host::set(Default::default())];
    hosts.extend(GUARDS.map(|guard| Host::set(values.alone(guard))));
    hosts.push(Host::set(values.all()));
    hosts.push(Host::sessions(values.all()));
    hosts
}

/// Recorded sessions one after the other, each of which starts over.
fn real(values: &Values, steps: &[Step], options: &Options) -> Vec<Measured> {
    let calls = recordings::calls(steps).count();
    let mut race = Race::new();
    race.add_calls(calls, || {
        for call in recordings::calls(steps) {
            let arguments = Arguments::Text(&call.arguments);
            std::hint::black_box(Identity::of(Seed::FIXED, &call.tool, arguments));
        }
    });
    race.add_calls(calls, || {
        let endings = recordings::calls(steps).filter_map(|call| call.ending.as_ref());
        for text in endings.flat_map(|ending| &ending.texts) {
            std::hint::black_box(Fingerprint::of_text(Seed::FIXED, text));
        }
    });
    for mut host in hosts(values) {
        let mut at = 0;
        race.add_calls(calls, move || play(&mut host, steps, &mut at));
    }
    let mut peer = Peer::new();
    race.add_calls(calls, move || {
        for call in recordings::calls(steps) {
            peer.call(&call.tool, Arguments::Text(&call.arguments));
        }
    });
    race.run(options)
}

fn play(host: &mut Host, steps: &[Step], at: &mut i64) -> usize {
    let mut said = 0;
    for step in steps {
        *at += 1_000;
        let call = match step {
            Step::Human => {
                host.start_over(*at);
                continue;
            }
            Step::Call(call) => call,
        };
        let arguments = (call.tool.as_str(), Arguments::Text(&call.arguments));
        let Some(ending) = &call.ending else {
            let ending = Ending::cancelled().at(*at);
            said += host.call(arguments, &ending, *at);
            continue;
        };
        // Few results have more than one block: the list of them is no part of the work.
        let one;
        let many: Vec<&str>;
        let texts = match ending.texts.as_slice() {
            [text] => {
                one = [text.as_str()];
                &one[..]
            }
            texts => {
                many = texts.iter().map(String::as_str).collect();
                &many
            }
        };
        let message = texts.first().copied().unwrap_or_default();
        let ending = match ending.failed {
            true => Ending::failure(message, texts),
            false => Ending::success(texts),
        };
        said += host.call(arguments, &ending.at(*at), *at);
    }
    said
}

/// Every so many sessions, so that there are about as many steps as wanted.
fn sample(steps: Vec<Step>) -> Vec<Step> {
    let stride = steps.len().div_ceil(REAL_STEPS).max(1);
    let mut session = 0;
    steps
        .into_iter()
        .filter(|step| {
            session += usize::from(matches!(step, Step::Human));
            session % stride == 0
        })
        .collect()
}

/// What the best of the detectors of other projects were measured at, halved, on another
/// machine: to be looked at, not to be judged by.
fn reference(input: &str) -> &'static str {
    match input {
        "36 B" => "250",
        "10 KB string" => "1,500",
        "400 keys" => "12,000",
        "real calls" => "600",
        _ => "",
    }
}

fn row(table: &mut Table, (values, input, calls): (&str, &str, &str), all: &[Measured]) {
    let ns = |at: usize| number(all[at].ns);
    let (identity, result, together) = (all[0].ns, all[1].ns, all[ALL].ns);
    let mut missed = Vec::new();
    let wanted = match input {
        "100 B" => "≤ 3× identity, 0 allocations",
        "real calls" => "",
        _ => "0 allocations",
    };
    if input == "100 B" && together > 3.0 * identity {
        missed.push(ratio(together, identity));
    }
    if wanted.contains("allocations") && all[ALL].allocations > 0.0 {
        missed.push(format!("{} allocations", number(all[ALL].allocations)));
    }
    let met = match (wanted.is_empty(), missed.is_empty()) {
        (true, _) => String::new(),
        (_, true) => "yes".to_owned(),
        (_, false) => format!("no: {}", missed.join(", ")),
    };
    let mut cells = vec![values.to_owned(), input.to_owned(), calls.to_owned()];
    cells.extend((0..=PEER).map(ns));
    cells.extend([
        ratio(together, identity),
        ratio(together, identity + result),
        number(all[ALL].allocations),
        wanted.to_owned(),
        met,
        reference(input).to_owned(),
    ]);
    table.row(cells);
}
