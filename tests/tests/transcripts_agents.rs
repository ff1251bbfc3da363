//! Several agents at a time, one after another, and calls of nobody.

use insta::assert_snapshot;
use loopguard_testkit::{Script, ScriptedCall, Step, call, combinations, guards, run};
use serde_json::json;

fn fails() -> ScriptedCall {
    call("bash", json!({"command": "make"})).fails("no rule")
}

#[test]
fn agents_do_not_hear_of_each_other() {
    // Three agents make the same call twice each: six identical failures, and nobody's third.
    let script = ["main", "scout", "coder"]
        .iter()
        .fold(Script::new(), |script, agent| {
            script.agent(agent).user("build it")
        })
        .at_once([("main", fails()), ("scout", fails()), ("coder", fails())])
        .at_once([("coder", fails()), ("main", fails()), ("scout", fails())])
        // A prompt for one of them resets that one only.
        .agent("coder")
        .user("once more")
        .at_once([("main", fails()), ("coder", fails())]);
    for guards in combinations() {
        let said = guards.lines_of(&[
            (
                "circuit-breaker",
                "main step 3: tool-failure-circuit-breaker circuit-open denies",
            ),
            (
                "repeat-reminder",
                "main step 3: repeat-tool-guard repeated-call: bash × 3",
            ),
        ]);
        let transcript = run(&guards, &script);
        assert_eq!(transcript.said(), said, "{guards:?}");
        assert_snapshot!(format!("interleaved__{}", guards.label()), transcript);
    }
}

#[test]
fn interleaving_changes_nothing_for_any_agent() {
    let steps = |agent: &str| -> Vec<Step> {
        let other = call("read", json!({"agent": agent}));
        let step = [Step::from(fails()), Step::of([fails(), other])];
        let parallel = Step::parallel([fails(), fails()]);
        step.into_iter().chain([parallel]).cycle().take(7).collect()
    };
    let agents = ["main", "scout"];
    let together = steps("main")
        .into_iter()
        .zip(steps("scout"))
        .fold(Script::new(), |script, (main, scout)| {
            script.at_once([("main", main), ("scout", scout)])
        });
    let apart = agents.iter().fold(Script::new(), |script, agent| {
        // In company calls of one step run in parallel, so alone they do too.
        let parallel = |step: Step| [(*agent, step), ("nobody", Step::default())];
        steps(agent)
            .into_iter()
            .fold(script, |script, step| script.at_once(parallel(step)))
    });
    for guards in combinations() {
        let said = |script: &Script, agent: &str| -> Vec<String> {
            let said = run(&guards, script).said().into_iter();
            said.filter(|line| line.starts_with(agent)).collect()
        };
        for agent in agents {
            assert_eq!(said(&together, agent), said(&apart, agent), "{guards:?}");
        }
    }
}

#[test]
fn an_agent_that_ends_and_comes_back_is_a_new_one() {
    let script = Script::new()
        .user("build it")
        .repeat(2, fails())
        .ends()
        .repeat(2, fails())
        .step(fails());
    for guards in combinations() {
        let said = guards.lines_of(&[
            (
                "circuit-breaker",
                "step 3: tool-failure-circuit-breaker circuit-open denies",
            ),
            (
                "repeat-reminder",
                "step 3: repeat-tool-guard repeated-call: bash × 3",
            ),
        ]);
        let transcript = run(&guards, &script);
        assert_eq!(transcript.said(), said, "{guards:?}");
        for refusal in transcript.refusals() {
            // Its calls are counted anew.
            assert_eq!(refusal.call.0, 3);
        }
        assert_snapshot!(format!("comes_back__{}", guards.label()), transcript);
    }
}

#[test]
fn a_call_of_no_agent_is_nobodys() {
    let script = |times: usize| {
        let script = Script::new().user("build it").repeat(2, fails());
        let script = (0..times).fold(script, |script, _| script.agentless(fails()));
        script.step(call("ls", json!({}))).step(fails())
    };
    for guards in combinations() {
        let said = run(&guards, &script(12)).said();
        assert_eq!(said, run(&guards, &script(0)).said());
        assert_eq!(said, [""; 0]);
    }
}

#[test]
fn under_the_scope_session_all_agents_share_one_state() {
    let rows = guards(["repeat-reminder", "circuit-breaker"]).set(json!({"scope": "session"}));
    let script = Script::new()
        .agent("main")
        .user("build it")
        .step(fails())
        .agent("scout")
        .step(fails())
        .step(fails())
        .agent("main")
        .step(fails())
        // A prompt for one agent resets them all.
        .user("once more")
        .step(fails())
        .agent("scout")
        .step(fails());
    let transcript = run(rows, &script);
    let said = [
        "scout step 2: tool-failure-circuit-breaker circuit-open denies",
        "scout step 2: repeat-tool-guard repeated-call: bash × 3",
        "main step 2: tool-failure-circuit-breaker circuit-open denies",
    ];
    assert_eq!(transcript.said(), said);
    assert_snapshot!("scope_session", transcript);
}
