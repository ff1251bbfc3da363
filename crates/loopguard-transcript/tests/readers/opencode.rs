//! Exported sessions of opencode.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fixture};

const FORMAT: Format = Format::OpenCode;

#[test]
fn a_session_is_read_as_what_happened_in_it() {
    let summary = check(
        FORMAT,
        &fixture("build.opencode.json"),
        &[
            "- main session s1 opencode Unknown at=1767225600000",
            "- main message m1 the file holds: all from=system at=1767225601000 batch=1",
            "- main user m1 fix the build at=1767225601000 batch=1",
            "- main assistant m2 I look. step=1 at=1767225602000",
            "- main call#1 c1 read <{\"path\": \"x\", \"n\": 1.0}> step=1 at=1767225603000",
            "- main call#2 c2 edit <{}> step=1 at=1767225603000",
            "- main result#1 c1 Ok all: step=1 at=1767225604000",
            "- main result#2 c2 Error not found step=1 at=1767225604500",
            "- main call#3 c3 bash <{\"command\": \"make\"}> step=2 at=1767225605000",
            "- main call#4 c4 bash <{}> step=2 at=1767225605000",
            "- main call#5 c5 bash <{}> step=2 at=1767225605000",
            "- main result#3 c3 Ok no rule step=2 at=1767225606000",
            "- main result#4 c4 Denied The user rejected permission to use this specific tool call. step=2 at=1767225606000",
            "- main result#5 c5 Cancelled Tool execution aborted step=2 at=1767225606000",
            "- main compaction at=1767225607000",
            "- main call#6 c7 bash <{\"command\": \"make\"}> step=3 at=1767225609000",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 1);
    assert_eq!(summary.unanswered_calls, 1);
}
