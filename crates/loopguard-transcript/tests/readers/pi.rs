//! Session files of pi.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fixture};

const FORMAT: Format = Format::Pi;

#[test]
fn a_session_is_read_as_what_happened_in_it() {
    let summary = check(
        FORMAT,
        &fixture("build.pi.jsonl"),
        &[
            "1 main session p1 pi Unknown at=1767225600000",
            "3 main user e2 fix the build at=1767225601000",
            "4 main assistant e3 I look. step=1 at=1767225602000",
            "4 main call#1 c1 bash <{\"command\":\"make\", \"n\": 1.0}> step=1 at=1767225602000",
            "4 main call#2 c2 read <{\"path\":\"x\"}> step=1 at=1767225602000",
            "4 main assistant - And wait. step=1 at=1767225602000",
            "5 main result#1 c1 Error no rule\n\nCommand exited with code 2 tool=bash at=1767225603000",
            "6 main result#2 c2 Ok Command aborted tool=read at=1767225603500",
            "7 main compaction at=1767225604000",
            "8 main call#3 c3 bash <{\"command\":\"top\"}> step=2 at=1767225605000",
            "8 main call#4 c4 bash <{}> step=2 at=1767225605000",
            "9 main result#3 c3 Cancelled load 1\n\nCommand aborted tool=bash at=1767225606000",
            "10 main result#4 c4 Cancelled Skipped due to queued user message. tool=bash at=1767225606000",
            "11 main message e7 remember from=plugin:notes at=1767225607000",
            "12 main user e8 go on at=1767225608000",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 2);
    assert_eq!(summary.skipped.get(SkipReason::NoEvent), 2);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 2);
}
