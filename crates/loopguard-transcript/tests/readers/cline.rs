//! Session files of Cline.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fixture};

const FORMAT: Format = Format::Cline;

#[test]
fn a_session_is_read_as_what_happened_in_it() {
    let summary = check(
        FORMAT,
        &fixture("build.cline.json"),
        &[
            "- main session l1 cline Unknown",
            "- main user m1 fix the build at=1767225601000",
            "- main assistant m2 I look. step=1 at=1767225602000",
            "- main call#1 c1 read_files <{\"files\": [\"x\", \"y\"], \"n\": 1.0}> step=1 at=1767225602000",
            "- main call#2 c2 editor <{}> step=1 at=1767225602000",
            "- main result#1 c1 Ok {\"query\": \"x\", \"result\": \"all:\", \"success\": true}|{\"query\": \"y\", \"error\": \"no file\", \"success\": false} tool=read_files at=1767225603000",
            "- main result#2 c2 Error {\"query\":\"edit:x\",\"error\":\"not found\",\"success\":false} tool=editor at=1767225603000",
            "- main call#3 c3 run_commands <{\"commands\": [\"make\"]}> step=2 at=1767225604000",
            "- main result#3 c3 Error {\"query\": \"make\", \"error\": \"no rule\", \"success\": false} tool=run_commands at=1767225605000",
            "- main user m5 and be quick at=1767225605000",
            "- main assistant m6 The rule is missing. step=3 at=1767225606000",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 1);
}
