//! Events of the OpenHands agent SDK.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fixture};

const FORMAT: Format = Format::OpenHands;

#[test]
fn a_session_is_read_as_what_happened_in_it() {
    let summary = check(
        FORMAT,
        &fixture("build.openhands.jsonl"),
        &[
            "- main session - openhands Unknown at=1767225600000",
            "1 main message e0 you build from=system at=1767225600000",
            "2 main user e1 fix the build at=1767225601000",
            "4 main assistant e3 I run make. step=1 at=1767225602000",
            "4 main call#1 c1 terminal <{\"command\": \"make\"}> step=1 at=1767225602000",
            "5 main call#2 c2 edit <{\"path> step=1 at=1767225602100",
            "6 main result#1 c1 Ok no rule tool=terminal at=1767225603000",
            "7 main result#2 c2 Error not JSON tool=edit at=1767225603500",
            "8 main call#3 c3 edit <{\"path\":\"x\",\"kind\":\"EditAction\"}> step=2 at=1767225604000",
            "9 main result#3 c3 Error no such file tool=edit at=1767225605000",
            "10 main call#4 c4 terminal <> step=3 at=1767225606000",
            "11 main result#4 c4 Denied not now tool=terminal at=1767225607000",
            "12 main compaction at=1767225608000",
            "13 main assistant e12 The rule is missing. step=4 at=1767225609000",
            "14 main message e13 are you done? from=system at=1767225610000",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::NoEvent), 1);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 2);
}
