//! The replay engine, through the library: event streams in, decisions out.

mod batches;
mod calls;
mod endings;
mod resuming;

use loopguard::{Base, Effect, Setup};
use loopguard_cli::{Action, Session, replay_all};
use loopguard_transcript::ReadOptions;

/// The guards of a configuration.
fn setup(rows: &str) -> Setup {
    let loaded = Setup::from_json("test.json", rows, Base::default());
    loaded.expect("a configuration that holds").setup
}

/// Replays an event stream.
fn sessions(rows: &str, stream: &[String]) -> Vec<Session> {
    let stream = stream.join("\n");
    let (sessions, summary) =
        replay_all(stream.as_bytes(), &ReadOptions::new(), &setup(rows)).expect("an event stream");
    assert_eq!(summary.skipped.total(), 0);
    sessions
}

/// A decision in a few words: `line:call agent action code`.
fn words(session: &Session) -> Vec<String> {
    let words = session.decisions.iter().map(|decision| {
        let line = decision.line.unwrap_or(0);
        let action = match decision.action {
            Action::Notice => "notice",
            Action::Deny => "deny",
            Action::Halt => "halt",
            _ => "?",
        };
        let dry = match decision.effect {
            Effect::DryRun => " dry",
            _ => "",
        };
        format!(
            "{line}:{} {} {action} {}{dry}",
            decision.call_index, decision.agent, decision.code
        )
    });
    words.collect()
}

/// Replays an event stream of one session and compares what was decided.
fn check(rows: &str, stream: &[String], expected: &[&str]) -> Session {
    let mut sessions = sessions(rows, stream);
    assert_eq!(sessions.len(), 1);
    let session = sessions.remove(0);
    assert_eq!(words(&session), expected);
    session
}

fn call(agent: &str, id: &str, arguments: &str) -> String {
    format!(
        r#"{{"type":"call","agent":"{agent}","id":"{id}","tool":"bash","arguments":{arguments}}}"#
    )
}

fn result(agent: &str, id: &str, status: &str) -> String {
    format!(r#"{{"type":"result","agent":"{agent}","id":"{id}","status":"{status}","text":"x"}}"#)
}

fn line(text: &str) -> String {
    text.to_owned()
}

/// Reminds of every second identical call in a row.
const REMINDER: &str = r#"[{"name":"repeat-reminder","config":{"thresholds":[2]}}]"#;

/// Denies what has failed once.
const BREAKER: &str = r#"[{"name":"circuit-breaker","config":{"maxFailures":1}}]"#;
