//! Trajectories of SWE-agent.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fixture};

const FORMAT: Format = Format::SweAgent;

#[test]
fn a_trajectory_is_read_without_its_demonstrations() {
    let summary = check(
        FORMAT,
        &fixture("build.swe-agent.traj"),
        &[
            "- main session - swe-agent Unknown",
            "- main message - you build from=system",
            "- main user - fix the build",
            "- main assistant - I look.\n step=1",
            "- main call#1 1 bash <ls -F\n> step=1",
            "- main result#1 1 Ok Makefile\n step=1",
            "- main assistant - just make it step=2",
            "- main message - Your answer was not formatted well. from=system step=2",
            "- main assistant - I build. step=3",
            "- main call#2 3 bash <make> step=3",
            "- main result#2 3 Ok no rule step=3",
            "- main call#3 5 bash <submit> step=5",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::NoEvent), 2);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 1);
    assert_eq!(summary.unanswered_calls, 1);
}

#[test]
fn with_function_calling_the_history_is_read() {
    let summary = check(
        FORMAT,
        &fixture("tools.swe-agent.traj"),
        &[
            "- main session - swe-agent Unknown",
            "- main message - you build from=system",
            "- main user - fix the build",
            "- main assistant - I look. step=1",
            "- main call#1 c1 open <{\"path\": \"x\"}> step=1",
            "- main call#2 c2 bash <{\"command> step=1",
            "- main result#1 c1 Ok one",
            "- main result#2 c2 Ok ",
            "- main message - You have three more attempts. from=system",
            "- main result#? - Ok stray",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::Broken), 1);
    assert_eq!(summary.unpaired_results, 1);
}
