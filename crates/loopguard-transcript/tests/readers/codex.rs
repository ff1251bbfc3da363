//! Sessions of Codex: rollouts, and the stream of `exec`.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fixture};

const FORMAT: Format = Format::Codex;

#[test]
fn a_rollout_is_read_as_what_happened_in_it() {
    let summary = check(
        FORMAT,
        &fixture("build.codex.jsonl"),
        &[
            "1 main session x1 codex Unknown at=1767225600000",
            "2 main message - be brief from=system at=1767225601000",
            "3 main message - # AGENTS.md instructions for /w|<environment_context>here</environment_context> from=system at=1767225601000",
            "5 main user - fix the build at=1767225601000",
            "8 main assistant - I run make. step=1 at=1767225602000",
            "9 main call#1 c1 shell <{\"command\":[\"make\"], \"n\":1.0}> step=1 at=1767225602000",
            "10 main call#2 c2 shell <{\"command\":[\"ma> step=1 at=1767225602000",
            "11 main result#1 c1 Error {\"output\":\"no rule\\n\",\"metadata\":{\"exit_code\":2,\"duration_seconds\":0.1}} error=no rule\n step=1 at=1767225603000",
            "12 main result#2 c2 Error failed to parse function arguments: EOF step=1 at=1767225603000",
            "13 main call#3 c3 apply_patch <*** Begin Patch\n*** End Patch> step=2 at=1767225604000",
            "14 main result#3 c3 Denied patch rejected by user step=2 at=1767225605000",
            "15 main compaction at=1767225606000",
            "17 main call#4 c4 local_shell <{\"type\":\"exec\",\"command\":[\"ls\"]}> step=3 at=1767225607000",
            "18 main result#4 c4 Error no such folder step=3 at=1767225608000",
            "19 main call#5 c5 exec_command <{\"cmd\":\"make\"}> step=4 at=1767225609000",
            "20 main result#5 c5 Ok Chunk ID: 1f\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nProcess exited with code 9 step=4 at=1767225610000",
            "21 main message - <turn_aborted>stop</turn_aborted> from=system at=1767225611000 batch=21",
            "21 main user - go on at=1767225611000 batch=21",
            "22 main call#6 c6 shell <{\"command\":[\"sleep\"]}> step=5 at=1767225612000",
            "23 main result#6 c6 Cancelled aborted by user after 1.0s step=5 at=1767225613000",
            "24 main call#7 c7 shell <{}> step=6 at=1767225614000",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::NoEvent), 2);
    assert_eq!(summary.skipped.get(SkipReason::Repeated), 4);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 3);
    assert_eq!(summary.unanswered_calls, 1);
}

#[test]
fn the_stream_of_exec_is_read_item_by_item() {
    let summary = check(
        FORMAT,
        &fixture("exec.codex.jsonl"),
        &[
            "1 main session t1 codex Unknown",
            "4 main call#1 item_1 command_execution <{\"command\":\"make\"}>",
            "5 main result#1 item_1 Error no rule\n",
            "6 main call#2 item_2 command_execution <{\"command\":\"rm x\"}>",
            "7 main result#2 item_2 Denied ",
            "8 main call#3 item_3 file_change <{\"changes\":[{\"path\":\"a\",\"kind\":\"add\"}]}>",
            "8 main result#3 item_3 Ok ",
            "9 main call#4 item_4 mcp__docs__find <{\"q\": 1.0}>",
            "9 main result#4 item_4 Error  error=no server",
            "10 main call#5 item_5 mcp__docs__find <{\"q\": 2}>",
            "10 main result#5 item_5 Ok found",
            "11 main assistant item_6 The rule is missing.",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::NoEvent), 4);
}
