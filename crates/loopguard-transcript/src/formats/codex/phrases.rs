//! The fixed sentences and tags by which the host's own words are told from other people's.

use crate::event::Status;

/// Whether the host wrote a text that stands in the user's name.
pub(super) fn is_injected(text: &str) -> bool {
    let text = text.trim_start();
    INJECTED.iter().any(|start| text.starts_with(start))
}

const INJECTED: &[&str] = &[
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<skill>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions for ",
];

/// What the host says in a result's place; `None` for the words of a tool. A command's own
/// output never begins a result: the host's header or JSON stands before it.
pub(super) fn verdict(text: &str) -> Option<Status> {
    let is = |exact: &[&str]| exact.contains(&text.trim());
    let begins = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    if is(&["exec command rejected by user", "patch rejected by user"]) {
        Some(Status::Denied)
    } else if is(&["aborted"]) || begins(&["aborted by user after "]) {
        Some(Status::Cancelled)
    } else if begins(&[
        "failed to parse function arguments: ",
        "unsupported call: ",
        "unsupported custom tool call: ",
        "apply_patch verification failed: ",
        "exec_command failed",
        "execution error: ",
    ]) {
        Some(Status::Error)
    } else {
        None
    }
}
