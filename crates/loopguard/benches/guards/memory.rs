//! Bytes per agent.

use std::sync::Arc;

use loopguard::{
    Ending, GuardSet, Incoming, Preset, Seed, Sessions, Setup, Source, Submission, Timestamp,
};
use loopguard_bench::{Align, Options, Table, Varied, inputs, live_bytes, number};

use crate::setups::{self, GUARDS};

/// How many agents are built to take the mean of.
const AGENTS: usize = 8;

/// What an agent has done by the time that it is weighed.
const STAGES: [fn(&mut GuardSet); 4] = [|_| {}, sixty_calls, full, full_of_long_names];

/// Bytes per agent at each stage.
type Bytes = [f64; STAGES.len()];

pub(crate) fn table() -> Table {
    use Align::{Left, Right};
    let mut table = Table::new([
        ("values", Left),
        ("what", Left),
        ("at rest", Right),
        ("after 60 calls", Right),
        ("every table full", Right),
        ("… of the longest names", Right),
        ("target", Left),
        ("met", Left),
    ]);
    let empty = weigh(&Arc::default());
    row(&mut table, ("any", "the set without guards"), empty, &[]);
    for values in setups::all() {
        for guard in GUARDS {
            let mut bytes = weigh(&values.alone(guard));
            for (bytes, empty) in bytes.iter_mut().zip(empty) {
                *bytes -= empty;
            }
            let targets: &[(usize, f64)] = match guard {
                "brake" => &[(1, 4096.0), (2, 131_072.0), (3, 131_072.0)],
                _ => &[(0, 1024.0), (1, 1024.0), (2, 1024.0), (3, 1024.0)],
            };
            row(&mut table, (values.name, guard), bytes, targets);
        }
        let bytes = weigh(&values.all());
        row(
            &mut table,
            (values.name, "the set with all three"),
            bytes,
            &[],
        );
    }
    table
}

/// Very many agents after sixty calls each, in one map.
pub(crate) fn many_agents(options: &Options) -> String {
    let agents = if options.quick() { 2_000 } else { 100_000 };
    let setup = Arc::new(Setup::preset(Preset::Recommended));
    let before = live_bytes();
    let sessions = Sessions::new(setup, Seed::FIXED);
    for agent in 0..agents {
        let set = sessions.agent(&format!("agent {agent}"));
        let mut set = set.lock().expect("nobody else holds it");
        sixty_calls(&mut set);
    }
    let bytes = (live_bytes() - before) as f64;
    let all = bytes / f64::from(agents) * 100_000.0 / 1e9;
    let met = if all < 1.0 { "met" } else { "missed" };
    format!(
        "{} agents of `Sessions` under the preset `recommended`, after 60 calls each: {} bytes an \
         agent, map included; {all:.2} GB for 100,000 (target: below 1 GB, {met}).",
        number(f64::from(agents)),
        number(bytes / f64::from(agents)),
    )
}

fn weigh(setup: &Arc<Setup>) -> Bytes {
    STAGES.map(|stage| {
        let mut sets: Vec<Box<GuardSet>> = Vec::with_capacity(AGENTS);
        // Buffers that stay with the thread are no agent's.
        stage(&mut GuardSet::new(Arc::clone(setup), "main", Seed::FIXED));
        let before = live_bytes();
        for _ in 0..AGENTS {
            let mut set = GuardSet::new(Arc::clone(setup), "main", Seed::FIXED);
            stage(&mut set);
            sets.push(Box::new(set));
        }
        (live_bytes() - before) as f64 / AGENTS as f64
    })
}

/// Sixty calls, twenty different ones among them, of six tools; every seventh fails.
fn sixty_calls(set: &mut GuardSet) {
    const TOOLS: [&str; 6] = ["read", "grep", "bash", "edit", "write", "list_directory"];
    let mut arguments = Varied::new(inputs::usual().text);
    let mut result = Varied::new(inputs::result(1_600));
    for call in 0..60_u32 {
        let which = call.wrapping_mul(call + 3) % 20;
        let texts = [result.next_text()];
        let ending = match call % 7 {
            6 => Ending::failure("exit status 1: no such file or directory", &texts),
            _ => Ending::success(&texts),
        };
        let tool = TOOLS[which as usize % TOOLS.len()];
        let at = i64::from(call) * 1_000;
        answer(
            set,
            &Submission::new(tool, arguments.set(which)).at(at),
            &ending,
        );
    }
}

/// More different calls, texts, messages and failures than any table holds, and as many calls
/// running as may run.
fn full(set: &mut GuardSet) {
    fill(set, &|_| "execute_command".to_owned());
}

/// The same, each name of its own and as long as names are kept.
fn full_of_long_names(set: &mut GuardSet) {
    fill(set, &|at| format!("{at:0>128}"));
}

fn fill(set: &mut GuardSet, name: &dyn Fn(u32) -> String) {
    let mut arguments = Varied::new(inputs::usual().text);
    let mut text = Varied::new(inputs::result(400));
    let mut names = 0;
    let mut next_name = || {
        names += 1;
        name(names)
    };
    for call in 0..2_000 {
        let texts = [text.set(10_000 + call)];
        let tool = next_name();
        let submission = Submission::new(&tool, arguments.set(call)).at(i64::from(call));
        answer(set, &submission, &Ending::success(&texts));
    }
    // Each text from more sources than are remembered of it.
    for at in 0..300 {
        for shown in 0..10 {
            let (id, source) = (format!("message {at} {shown}"), next_name());
            let texts = [text.set(at)];
            let message = Incoming::new(Source::Other(&source), &texts).id(&id);
            set.messages(&[message], Some(Timestamp::from_millis(3_000)));
        }
    }
    for call in 0..200 {
        let texts = [text.set(20_000 + call)];
        let message = format!("failure {call} {}", "m".repeat(4_000));
        let tool = next_name();
        let submission = Submission::new(&tool, arguments.set(5_000 + call)).at(4_000);
        answer(set, &submission, &Ending::failure(&message, &texts));
    }
    for call in 0..1_200 {
        let tool = next_name();
        set.submit(&Submission::new(&tool, arguments.set(6_000 + call)).at(5_000));
    }
    set.take_notices();
}

fn answer(set: &mut GuardSet, submission: &Submission<'_>, ending: &Ending<'_>) {
    if let loopguard::Answer::Admitted(call) = set.submit(submission) {
        set.finish(call, ending);
    }
    set.take_notices();
}

/// The targets are pairs of a stage and the bytes below which it is to stay.
fn row(table: &mut Table, (values, what): (&str, &str), bytes: Bytes, targets: &[(usize, f64)]) {
    let wanted = match targets {
        [] => "",
        [(0, _), ..] => "< 1 KB",
        _ => "< 4 KB after 60 calls, < 128 KB full",
    };
    let missed = targets
        .iter()
        .filter(|(stage, most)| bytes[*stage] >= *most);
    let missed: Vec<_> = missed.map(|(stage, _)| number(bytes[*stage])).collect();
    let met = match (targets.is_empty(), missed.is_empty()) {
        (true, _) => String::new(),
        (_, true) => "yes".to_owned(),
        (_, false) => format!("no: {}", missed.join(", ")),
    };
    let mut cells = vec![values.to_owned(), what.to_owned()];
    cells.extend(bytes.map(number));
    cells.extend([wanted.to_owned(), met]);
    table.row(cells);
}
