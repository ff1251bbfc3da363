//! Session files of goose.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fixture};

const FORMAT: Format = Format::Goose;

#[test]
fn a_session_is_read_as_what_happened_in_it() {
    let summary = check(
        FORMAT,
        &fixture("build.goose.jsonl"),
        &[
            "- main session - goose Unknown at=1767225600000",
            "2 main user - fix the build at=1767225600000",
            "3 main assistant m1 I run make. step=1 at=1767225601000",
            "3 main call#1 c1 developer__shell <{\"command\":\"make\", \"n\":1.0}> step=1 at=1767225601000",
            "3 main call#2 c2 developer__read <{}> step=1 at=1767225601000",
            "4 main result#1 c1 Ok no rule at=1767225602000",
            "4 main result#2 c2 Error no such file at=1767225602000",
            "6 main result#? c3 Error could not interpret at=1767225604000",
            "7 main call#3 c4 developer__shell <{}> step=3 at=1767225605000",
            "7 main call#4 c5 developer__shell <{}> step=3 at=1767225605000",
            "8 main result#3 c4 Denied The user has declined to run this tool. STOP. at=1767225606000",
            "8 main result#4 c5 Error broken at=1767225606000",
            "9 main assistant - The rule is missing. step=4 at=1767225607000",
            "10 main user -  at=1767225608000",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::NoEvent), 2);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 2);
    assert_eq!(summary.unpaired_results, 1);
}
