//! What holds for every guard, whatever happens to an agent.

use std::sync::Arc;

use loopguard::{Notice, Refusal, Seed, Sessions, Setup};
use loopguard_tests::cases;
use loopguard_tests::host::{Heard, Host, setup};
use loopguard_tests::life::{End, Event, How, What, lives};
use loopguard_tests::rows::{any_rows, rows};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

/// The ids of the rows, in their order.
const IDS: [&str; 3] = [
    "repeat-tool-guard",
    "dsh-brake",
    "tool-failure-circuit-breaker",
];

/// Who refused a call, in the order of the guards' ids.
fn refused_by(heard: &Heard) -> Vec<String> {
    let denials = |refusal: &Refusal| {
        let all = std::iter::once(&refusal.denial).chain(&refusal.further);
        let mut ids: Vec<_> = all.map(|denial| denial.guard.to_string()).collect();
        ids.sort();
        ids
    };
    heard.refusal.as_ref().map_or_else(Vec::new, denials)
}

/// What one guard said, its denials included.
fn said_by(heard: &Heard, id: &str) -> Vec<String> {
    let refusal = heard.refusal.iter();
    let denials = refusal.flat_map(|it| std::iter::once(&it.denial).chain(&it.further));
    let denials = denials.filter(|denial| denial.guard.as_str() == id);
    let denials = denials.map(|denial| format!("{denial:?}"));
    let notices = heard
        .notices
        .iter()
        .filter(|notice| notice.guard.as_str() == id);
    denials
        .chain(notices.map(|notice| format!("{notice:?}")))
        .collect()
}

/// The places of the guards in the rows of a set, as their notices come.
fn places(notices: &[Notice], ids: &[&str]) -> Vec<usize> {
    let place = |notice: &Notice| ids.iter().position(|id| *id == notice.guard.as_str());
    notices.iter().filter_map(place).collect()
}

/// Lives with times that no clock tells.
fn lives_at_any_time() -> impl Strategy<Value = Vec<Event>> {
    let time = prop_oneof![any::<i64>(), Just(i64::MIN), Just(i64::MAX), -10..10i64];
    let times = vec(prop::option::of(time), 40);
    (lives(40), times).prop_map(|(mut life, times)| {
        for (event, at) in life.iter_mut().zip(times) {
            event.at = at;
        }
        life
    })
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn the_order_of_guards_never_changes_what_is_admitted(rows in any_rows(), life in lives(60)) {
        let mut heard: Vec<Vec<Heard>> = Vec::new();
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let rows: Vec<_> = order.iter().map(|at| &rows[*at]).collect();
            let ids = order.map(|at| IDS[at]);
            heard.push(Host::new(&setup(&json!(rows))).live(&life));
            for heard in heard.last().into_iter().flatten() {
                // Notices come in row order, and the reason is that of the first row.
                prop_assert!(places(&heard.notices, &ids).is_sorted());
                if let Some(refusal) = &heard.refusal {
                    let all = std::iter::once(&refusal.denial).chain(&refusal.further);
                    let at = all.map(|denial| ids.iter().position(|id| *id == denial.guard.as_str()));
                    prop_assert!(at.is_sorted());
                }
            }
        }
        for other in &heard[1..] {
            for (one, other) in heard[0].iter().zip(other) {
                prop_assert_eq!(refused_by(one), refused_by(other));
                for id in IDS {
                    prop_assert_eq!(said_by(one, id), said_by(other, id));
                }
            }
        }
    }

    #[test]
    fn a_guard_alone_says_what_it_says_among_the_others(rows in any_rows(), life in lives(60)) {
        let among = Host::new(&setup(&json!(rows))).live(&life);
        for (row, id) in rows.iter().zip(IDS) {
            let mut alone = Host::new(&setup(&json!([row])));
            for (event, among) in life.iter().zip(&among) {
                // A call that only the others refuse is to this guard one that its host refuses.
                let refused = refused_by(among);
                let by_others = !refused.is_empty() && !refused.iter().any(|by| by == id);
                let heard = alone.play(&if by_others { refused_by_the_host(event) } else { event.clone() });
                // The set counts each call; so does the host of one guard.
                prop_assert_eq!(said_by(&heard, id), said_by(among, id), "{:?}", event);
            }
        }
    }

    #[test]
    fn saved_and_restored_at_any_cut_it_goes_on_as_if_nothing_had_happened(
        rows in any_rows(),
        life in lives(60),
        cuts in vec(any::<prop::sample::Index>(), 1..4),
    ) {
        let setup = setup(&json!(rows));
        let wanted = Host::new(&setup).live(&life);
        let mut host = Host::new(&setup);
        for (at, event) in life.iter().enumerate() {
            if cuts.iter().any(|cut| cut.index(life.len()) == at) {
                host = host.moved_to(&setup);
            }
            prop_assert_eq!(&host.play(event), &wanted[at], "at event {}: {:?}", at, event);
        }
    }

    #[test]
    fn agents_never_affect_each_other(
        rows in any_rows(),
        lives in vec(lives(40), 3),
        turns in vec(0..3usize, 120),
    ) {
        let setup = setup(&json!(rows));
        let sessions = Arc::new(Sessions::new(Arc::clone(&setup), Seed::new(7)));
        let mut hosts = ["one", "two", "three"].map(|agent| Host::of(&sessions, agent));
        let mut heard = [const { Vec::new() }; 3];
        for agent in turns.into_iter().chain((0..3).cycle().take(120)) {
            if let Some(event) = lives[agent].get(heard[agent].len()) {
                heard[agent].push(hosts[agent].play(event));
            }
        }
        for (life, heard) in lives.iter().zip(heard) {
            prop_assert_eq!(Host::new(&setup).live(life), heard);
        }
    }

    #[test]
    fn an_agent_that_ends_takes_its_state_along(rows in any_rows(), one in lives(40), other in lives(40)) {
        let setup = setup(&json!(rows));
        let sessions = Arc::new(Sessions::new(Arc::clone(&setup), Seed::new(7)));
        Host::of(&sessions, "agent").live(&one);
        sessions.end("agent");
        prop_assert_eq!(Host::of(&sessions, "agent").live(&other), Host::new(&setup).live(&other));
    }

    #[test]
    fn no_time_whatever_does_any_harm(
        rows in rows(),
        mut life in lives_at_any_time(),
    ) {
        // Times change when texts are told, and nothing else.
        let told = |heard: &[Heard]| -> Vec<Vec<String>> {
            heard.iter().map(|heard| {
                let notices = heard.notices.iter().filter(|it| it.code != "duplicate-text");
                notices.map(|notice| format!("{notice:?}")).chain(refused_by(heard)).collect()
            }).collect()
        };
        let setup = setup(&json!(rows));
        let heard = Host::new(&setup).live(&life);
        for event in &mut life {
            event.at = None;
        }
        prop_assert_eq!(told(&heard), told(&Host::new(&setup).live(&life)));
    }

    #[test]
    fn with_every_key_no_time_whatever_makes_a_guard_fail(
        rows in any_rows(),
        life in lives_at_any_time(),
    ) {
        let setup = setup(&json!(rows));
        let mut host = Host::new(&setup);
        let wanted = host.live(&life);
        // Whatever the times, it is the same anew, and after a move.
        let (before, after) = life.split_at(life.len() / 2);
        let mut other = Host::new(&setup);
        let mut heard = other.live(before);
        heard.extend(other.moved_to(&setup).live(after));
        prop_assert_eq!(heard, wanted);
    }

    #[test]
    fn a_clock_that_stands_still_or_runs_backwards_is_as_none(rows in any_rows(), life in lives(60)) {
        let setup = setup(&json!(rows));
        let at = |time: fn(i64) -> Option<i64>| {
            let events = life.iter().zip(0..);
            let life = events.map(|(event, n)| Event { at: time(n), what: event.what.clone() });
            Host::new(&setup).live(&life.collect::<Vec<_>>())
        };
        let without = at(|_| None);
        prop_assert_eq!(&at(|_| Some(1_700_000_000_000)), &without);
        prop_assert_eq!(&at(|n| Some(1_700_000_000_000 - n * 1000)), &without);
    }

    #[test]
    fn another_seed_says_the_same(rows in any_rows(), life in lives(60), seed in any::<u64>()) {
        let setup: Arc<Setup> = setup(&json!(rows));
        let sessions = Arc::new(Sessions::new(Arc::clone(&setup), Seed::new(seed)));
        prop_assert_eq!(Host::of(&sessions, "agent").live(&life), Host::new(&setup).live(&life));
    }
}

/// The same event with a call that the host refuses after the guards have admitted it.
fn refused_by_the_host(event: &Event) -> Event {
    let denied = End {
        how: How::Denied,
        texts: Vec::new(),
    };
    let what = match &event.what {
        What::Call(asked, _) | What::Begin(asked) => What::Call(*asked, denied),
        other => other.clone(),
    };
    Event { at: event.at, what }
}
