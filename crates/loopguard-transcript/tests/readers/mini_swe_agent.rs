//! Trajectories of mini-SWE-agent.

use loopguard_transcript::{Format, SkipReason};

use crate::support::{check, fixture};

const FORMAT: Format = Format::MiniSweAgent;

#[test]
fn fenced_commands_are_calls_and_the_next_message_answers_them() {
    check(
        FORMAT,
        &fixture("v1.mini-swe-agent.json"),
        &[
            "- main session - mini-swe-agent Unknown",
            "- main message - Answer with one block:\n\n```mswea_bash_command\nyour command\n``` from=system",
            "- main user - fix the build",
            "- main assistant - I run make.\n\n```mswea_bash_command\nmake\n``` step=1",
            "- main call#1 1 bash <make> step=1",
            "- main result#1 1 Error <returncode>2</returncode>\n<output>\nno rule\n</output> step=1",
            "- main assistant - ```bash\nls\n```\nor\n```bash\npwd\n``` step=2",
            "- main message - Please give exactly one action. from=system",
            "- main assistant - ```bash\nls -la \\\n  .\n``` step=3",
            "- main call#2 3 bash <ls -la \\\n  .> step=3",
            "- main result#2 3 Ok <returncode>0</returncode>\n<output>\nMakefile\n</output> step=3",
            "- main assistant - Done.\n```bash\necho COMPLETE\n``` step=4",
            "- main call#3 4 bash <echo COMPLETE> step=4",
            "- main result#3 4 Ok diff step=4",
        ],
    );
}

#[test]
fn tool_calls_are_answered_with_return_codes() {
    let summary = check(
        FORMAT,
        &fixture("v2.mini-swe-agent.json"),
        &[
            "- main session - mini-swe-agent Unknown",
            "- main message - you build from=system",
            "- main user - fix the build",
            "- main assistant - I run make. step=1 at=1767225600250",
            "- main call#1 c1 bash <{\"command\": \"make\"}> step=1 at=1767225600250",
            "- main call#2 c2 bash <{\"comm> step=1 at=1767225600250",
            "- main result#1 c1 Error <returncode>0</returncode>\n<output>\nno rule\n</output> at=1767225601500",
            "- main result#2 c2 Error timed out at=1767225602000",
            "- main call#3 c3 bash <{}> step=2 at=1767225603000",
            "- main result#3 c3 Error <returncode>1</returncode>",
            "- main assistant - no call step=3",
            "- main message - Every answer must call a tool. from=system at=1767225604000",
        ],
    );
    assert_eq!(summary.skipped.get(SkipReason::UnknownType), 1);
    assert_eq!(summary.skipped.get(SkipReason::NoEvent), 1);
}
