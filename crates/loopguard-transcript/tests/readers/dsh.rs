//! Session logs of the DeepSeek harness.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fixture};

#[test]
fn a_session_is_read_as_what_happened_in_it() {
    let summary = check(
        Format::Dsh,
        &fixture("build.dsh.jsonl"),
        &[
            "1 main session d1 dsh Unknown at=1700000000123",
            "5 main user u1 fix the build batch=1",
            "6 main message u2 you are on Linux from=plugin:context batch=1",
            "9 main assistant a1 I run make. step=1",
            "10 main call#1 c1 bash <{\"command\":\"make\"}> step=1",
            "11 main call#2 c2 bash <{\"command\": \"ma> step=1",
            "12 main result#1 c1 Ok no rule\n[exit code: 2] step=1",
            "13 main result#2 c2 Error not JSON error=unexpected end step=1",
            "15 main message u3 twice now from=plugin:guard notice batch=2",
            "18 main compaction",
            "19 main message u4 what was before from=plugin:compact batch=2",
            "21 main call#3 c3 run_code <{\"code\":\"x\"}> step=2",
            "24 main result#3 c3 Cancelled Error: aborted step=2",
            "29 main user - go on batch=3",
            "30 main message - a file from=agent-instructions batch=3",
            "31 main call#4 c4 bash <> step=3",
        ],
    );
    assert_eq!(summary.lines, 33);
    assert_eq!(summary.skipped.get(SkipReason::Repeated), 2);
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 1);
    assert_eq!(summary.unanswered_calls, 1);
}

#[test]
fn a_refusal_is_told_from_what_is_recorded_beside_it() {
    let input = fixture("refusals.dsh.jsonl");
    let (_, events) = crate::support::collect(Some(Format::Dsh), input.as_bytes()).unwrap();
    let results: Vec<_> = events
        .iter()
        .filter(|event| event.contains(" result#"))
        .collect();
    assert_eq!(
        results,
        [
            "9 main result#1 c1 Error Error: it broke error=it broke step=1",
            "10 main result#2 c2 Denied Error: the user said no step=1",
            "17 main result#3 c3 Error Error: it broke error=it broke step=2",
            "18 main result#4 c4 Denied Error: not on a Sunday step=2",
            "23 main result#5 c5 Denied Error: blocked step=3",
            "26 main result#6 c6 Error try again step=3",
            "28 main result#7 c7 Denied Error: no step=3",
            "30 main result#8 c8 Error Error: the user rejected it error=the user rejected it step=3",
        ]
    );
}

#[test]
fn a_log_that_begins_in_the_middle_is_a_session() {
    check(
        Format::Dsh,
        r#"{"type":"tool/result","data":{"callId":"c1","content":[],"isError":false}}"#,
        &["- main session - dsh Unknown", "1 main result#? c1 Ok "],
    );
}

#[test]
fn lines_that_lack_what_they_need_are_broken() {
    let summary = check(
        Format::Dsh,
        r#"{"type":"session","id":"d","createdAt":7}
{"type":"tool/call","data":{"callId":"c"}}
{"type":"tool/result","data":{}}
{"type":"tool/result"}
{"type":"user/message","data":{"content":"x"}}
{"type":7}
[1]"#,
        &["1 main session d dsh Unknown at=7"],
    );
    assert_eq!(summary.skipped.get(SkipReason::Broken), 6);
}
