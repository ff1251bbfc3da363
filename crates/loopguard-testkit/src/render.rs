//! A transcript as readable text: a line for each event, texts indented below it.

use std::fmt;

use loopguard::{Denial, Facts, Form, Notice};

use crate::transcript::{Entry, Status, Transcript, What};

/// Writes the whole transcript. Names of agents are left out where there is one only.
pub(crate) fn transcript(
    transcript: &Transcript,
    formatter: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let several = transcript.has_several_agents();
    for entry in &transcript.entries {
        if several {
            let agent = entry.agent.as_deref().unwrap_or("-");
            write!(formatter, "[{agent}] ")?;
        }
        write(entry, formatter)?;
    }
    Ok(())
}

fn write(entry: &Entry, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &entry.what {
        What::User(blocks) => {
            writeln!(formatter, "user")?;
            texts(blocks, formatter)
        }
        What::Context {
            plugin,
            id,
            form,
            texts: blocks,
        } => {
            let form = match form {
                Form::Notice => " notice",
                _ => "",
            };
            let id = id.as_ref().map_or_else(String::new, |id| format!(" {id}"));
            writeln!(formatter, "context from {plugin}{form}{id}")?;
            texts(blocks, formatter)
        }
        What::Step { handed_over, at } => {
            write!(formatter, "--- step {}", entry.step)?;
            if let Some(at) = at {
                write!(formatter, " at {at} ms")?;
            }
            match handed_over {
                0 => writeln!(formatter),
                1 => writeln!(formatter, ", 1 message handed over"),
                _ => writeln!(formatter, ", {handed_over} messages handed over"),
            }
        }
        What::Assistant(text) => {
            writeln!(formatter, "assistant")?;
            texts(std::slice::from_ref(text), formatter)
        }
        What::Call {
            id,
            tool,
            arguments,
        } => writeln!(formatter, "call {id} {tool} {arguments}"),
        What::Result {
            id,
            status,
            texts: blocks,
        } => {
            let status = match status {
                Status::Ok => "ok",
                Status::Error => "error",
                Status::DeniedByHost => "denied by the host",
                Status::Cancelled => "cancelled",
            };
            writeln!(formatter, "result {id} {status}")?;
            texts(blocks, formatter)
        }
        What::Refused {
            id,
            refusal,
            carried,
        } => {
            denial("refused", Some(id), &refusal.denial, formatter)?;
            for notice in carried {
                writeln!(formatter)?;
                texts(std::slice::from_ref(&notice.text), formatter)?;
            }
            for further in &refusal.further {
                denial("further finding", None, further, formatter)?;
            }
            for carried in carried {
                write!(formatter, "carried in the reason: ")?;
                head(carried, formatter)?;
            }
            Ok(())
        }
        What::Notice(it) => notice("notice", it, formatter),
        What::Waiting(it) => notice("still waiting: notice", it, formatter),
        What::Withheld(heard) => writeln!(formatter, "dry run: {}", heard.summary()),
        What::Halted(halt) => {
            writeln!(formatter, "halted after {} denials", halt.denials)?;
            texts(std::slice::from_ref(&halt.reason), formatter)
        }
        What::Compacted => writeln!(formatter, "history compacted"),
        What::Reset => writeln!(formatter, "conversation cleared"),
        What::Restarted => writeln!(formatter, "host restarted"),
        What::Ended => writeln!(formatter, "agent ended"),
        What::Pause(milliseconds) => writeln!(formatter, "pause of {milliseconds} ms"),
    }
}

fn notice(label: &str, notice: &Notice, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(formatter, "{label} ")?;
    head(notice, formatter)?;
    texts(std::slice::from_ref(&notice.text), formatter)
}

fn head(notice: &Notice, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Notice {
        guard,
        code,
        summary,
        ..
    } = notice;
    let facts = facts(&notice.facts);
    writeln!(formatter, "{guard} {code} \"{summary}\" {facts}")
}

fn denial(
    label: &str,
    id: Option<&str>,
    denial: &Denial,
    formatter: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let Denial {
        guard,
        code,
        reason,
        ..
    } = denial;
    let id = id.map_or_else(String::new, |id| format!(" {id}"));
    let facts = facts(&denial.facts);
    writeln!(formatter, "{label}{id} {guard} {code} {facts}")?;
    texts(std::slice::from_ref(reason), formatter)
}

fn facts(facts: &Facts) -> String {
    serde_json::to_string(facts).expect("facts are plain data")
}

/// Text blocks, each line indented; blocks beyond the first begin with a mark.
fn texts(blocks: &[String], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (at, block) in blocks.iter().enumerate() {
        if at > 0 {
            writeln!(formatter, "    ---")?;
        }
        for line in block.split('\n') {
            match line {
                "" => writeln!(formatter)?,
                _ => writeln!(formatter, "    {line}")?,
            }
        }
    }
    Ok(())
}
