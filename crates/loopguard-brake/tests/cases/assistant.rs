//! The assistant's own messages (`assistantText`), whole and in pieces, and chanting.

use loopguard_brake::core::Form;
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::check;

fn own() -> Value {
    json!({"assistantText": true, "duplicateTextCooldownMs": 0})
}

/// Long enough to be looked at.
const PARAGRAPH: &str = "I have read the file and it is as it was; next I am going to look at the \
                         tests, and then at the build.";

const SENTENCE: &str = "Now I will write the review and then I will check it. ";

#[test]
fn whole_messages_count_as_text_together_with_the_others() {
    check(
        &own(),
        "<ASSISTANT:T <ASSISTANT:T <ASSISTANT:T",
        "3 text × 3 assistant",
    );
    check(
        &own(),
        "<ASSISTANT:T a:T <mail:T",
        "3 text × 3 assistant+a+mail",
    );
    check(&own(), "<ASSISTANT:t <ASSISTANT:t <ASSISTANT:t", "");
    check(&json!({}), "<ASSISTANT:T <ASSISTANT:T <ASSISTANT:T", "");
}

#[test]
fn a_message_that_is_shown_again_is_looked_at_once() {
    check(&own(), "<ASSISTANT#1:T <ASSISTANT#1:T <ASSISTANT#1:T", "");
    check(
        &own(),
        "<ASSISTANT#1:T <ASSISTANT#1:T <ASSISTANT#2:T <ASSISTANT#3:T",
        "4 text × 3 assistant",
    );
}

/// Says a text in pieces of so many characters: how many notices come of it, by their codes.
fn stream(agent: &mut Agent, id: &str, text: &str, size: usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = chars.chunks(size).map(|it| it.iter().collect()).collect();
    let mut codes = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let is_last = at + 1 == pieces.len();
        let form = if is_last { Form::Plain } else { Form::Part };
        let said = agent.says(id, form, piece);
        codes.extend(said.into_iter().map(|notice| notice.summary));
    }
    codes
}

#[test]
fn a_message_in_pieces_is_the_text_that_they_make() {
    for size in [1, 3, 40, 100] {
        let mut agent = Agent::new(&own());
        assert!(stream(&mut agent, "1", PARAGRAPH, size).is_empty());
        assert!(agent.says("2", Form::Plain, PARAGRAPH).is_empty());
        assert_eq!(
            stream(&mut agent, "3", PARAGRAPH, size),
            ["duplicate text × 3"]
        );
    }
}

#[test]
fn the_pieces_themselves_are_no_texts() {
    let mut agent = Agent::new(&own());
    for _ in 0..4 {
        assert!(agent.says("1", Form::Part, PARAGRAPH).is_empty());
    }
}

#[test]
fn a_streamed_message_that_is_shown_again_is_looked_at_once() {
    let mut agent = Agent::new(&own());
    stream(&mut agent, "1", PARAGRAPH, 9);
    agent.says("1", Form::Plain, PARAGRAPH);
    assert!(stream(&mut agent, "2", PARAGRAPH, 9).is_empty());
    assert_eq!(
        stream(&mut agent, "3", PARAGRAPH, 9),
        ["duplicate text × 3"]
    );
}

#[test]
fn a_message_that_is_broken_off_is_forgotten() {
    let mut agent = Agent::new(&own());
    for id in ["1", "2", "3", "4"] {
        agent.says(id, Form::Part, PARAGRAPH);
    }
    assert!(agent.says("5", Form::Plain, PARAGRAPH).is_empty());
    assert!(agent.says("6", Form::Plain, PARAGRAPH).is_empty());
    assert_eq!(agent.says("7", Form::Plain, PARAGRAPH).len(), 1);
}

#[test]
fn after_progress_what_the_agent_says_begins_anew_and_what_others_say_does_not() {
    let mut config = own();
    config["resultAware"] = json!(true);
    check(&config, "<ASSISTANT:T <ASSISTANT:T a:x <ASSISTANT:T", "");
    check(
        &config,
        "<ASSISTANT:T <ASSISTANT:T a:x <ASSISTANT:T <ASSISTANT:T <ASSISTANT:T",
        "6 text × 3 assistant",
    );
    check(&config, "<mail:T <mail:T a:x <mail:T", "4 text × 3 mail");
    // Whoever said it first: no progress lies between.
    check(
        &config,
        "a:x <mail:T <mail:T <ASSISTANT:T",
        "4 text × 3 mail+assistant",
    );
    // Nothing new was done: it is the third time.
    for idle in ["a", "a:ok", "a:x!", "a-"] {
        let trace = format!("<ASSISTANT:T <ASSISTANT:T {idle} <ASSISTANT:T");
        check(&config, &trace, "4 text × 3 assistant");
    }
}

/// How often the words of a message are said to be chanted.
fn chanted(text: &str) -> Vec<String> {
    let mut agent = Agent::new(&own());
    let said = agent.says("1", Form::Plain, text);
    let chanting = said.into_iter().filter(|notice| notice.code == "chanting");
    chanting.map(|notice| notice.summary).collect()
}

#[test]
fn a_sentence_chanted_in_one_message_is_told_once() {
    assert_eq!(chanted(&SENTENCE.repeat(5)), [""; 0]);
    assert_eq!(chanted(&SENTENCE.repeat(6)), ["chanting × 6"]);
    assert_eq!(chanted(&SENTENCE.repeat(60)), ["chanting × 6"]);
    assert_eq!(
        chanted(&format!("So. {}And on.", SENTENCE.repeat(7))),
        ["chanting × 6"]
    );
}

#[test]
fn it_is_told_for_each_message_that_does_it() {
    let mut agent = Agent::new(&own());
    for id in ["1", "2", "3"] {
        let said = agent.says(id, Form::Plain, &format!("{id} {}", SENTENCE.repeat(7)));
        assert_eq!(
            said.iter()
                .filter(|notice| notice.code == "chanting")
                .count(),
            1
        );
    }
}

#[test]
fn what_is_said_in_several_messages_is_no_chanting() {
    let mut agent = Agent::new(&own());
    for id in 0..20 {
        assert!(
            agent
                .says(&id.to_string(), Form::Plain, SENTENCE)
                .is_empty()
        );
    }
}

#[test]
fn fenced_code_lists_and_tables_are_no_chanting() {
    let code = "row! { id: next(), active: true, tags: vec![], owner: None },\n".repeat(30);
    assert_eq!(
        chanted(&format!("Here:\n```rust\n{code}```\nDone.\n")),
        [""; 0]
    );
    assert_eq!(chanted(&format!("~~~~\n{code}~~~~\n")), [""; 0]);
    assert_eq!(
        chanted(&"| yes | no | maybe | done |\n".repeat(30)),
        [""; 0]
    );
    let tasks = "amber birch cobalt dune ember fjord garnet harbor indigo juniper kelp lumen";
    let list: String = tasks
        .split(' ')
        .map(|name| format!("- [ ] read the file src/{name}.rs\n"))
        .collect();
    assert_eq!(chanted(&list), [""; 0]);
    // Behind the fence it is one again.
    assert_eq!(
        chanted(&format!("```\n{code}```\n{}", SENTENCE.repeat(6))),
        ["chanting × 6"]
    );
}

#[test]
fn it_is_told_while_it_streams_wherever_the_pieces_are_cut() {
    let text = format!("Done.\n```\nlet a = 1;\n```\n{}", SENTENCE.repeat(8));
    for size in 1..60 {
        let mut agent = Agent::new(&own());
        assert_eq!(
            stream(&mut agent, "1", &text, size),
            ["chanting × 6"],
            "pieces of {size}"
        );
    }
    // Right when it is clear, not when the message is over.
    let mut agent = Agent::new(&own());
    let told: Vec<_> = (0..8)
        .map(|_| agent.says("1", Form::Part, SENTENCE).len())
        .collect();
    assert_eq!(told.iter().sum::<usize>(), 1);
    assert!(told[5] + told[6] == 1, "{told:?}");
}

#[test]
fn what_others_say_and_messages_where_it_is_off_are_no_chanting() {
    let mut agent = Agent::new(&json!({}));
    assert!(agent.says("1", Form::Plain, &SENTENCE.repeat(9)).is_empty());
    let mut agent = Agent::new(&own());
    assert!(agent.result("a", &[&SENTENCE.repeat(9)]).is_empty());
}

#[test]
fn a_chant_that_is_broken_off_does_not_go_on_in_the_next_message() {
    let mut agent = Agent::new(&own());
    for id in ["1", "2", "3"] {
        let said = agent.says(id, Form::Part, &SENTENCE.repeat(4));
        assert!(said.is_empty(), "{said:?}");
    }
}
