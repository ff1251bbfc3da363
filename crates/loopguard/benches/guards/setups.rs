//! Which guards run, and under which values.

use std::sync::Arc;

use loopguard::{Base, Preset, Setup};
use serde_json::{Value, json};

/// The guards, by the names of their rows.
pub(crate) const GUARDS: [&str; 3] = ["repeat-reminder", "brake", "circuit-breaker"];

/// Values under which the guards are measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values {
    pub(crate) name: &'static str,
    preset: Preset,
    /// What is set beside the preset, guard by guard.
    beside: fn(&str) -> Value,
}

const ORIGINAL: Values = Values {
    name: "original",
    preset: Preset::Original,
    beside: |_| json!({}),
};

const RECOMMENDED: Values = Values {
    name: "recommended",
    preset: Preset::Recommended,
    beside: |_| json!({}),
};

/// The presets as they are, each once: they may say the same.
pub(crate) fn presets() -> Vec<Values> {
    let rows = |preset: Preset| {
        let lines = preset.text().lines();
        lines.filter(|line| !line.trim_start().starts_with('#'))
    };
    if rows(Preset::Original).eq(rows(Preset::Recommended)) {
        let name = "original = recommended";
        return vec![Values { name, ..ORIGINAL }];
    }
    vec![ORIGINAL, RECOMMENDED]
}

/// Everything that is measured, presets first.
pub(crate) fn all() -> Vec<Values> {
    presets().into_iter().chain([RESULTS, CYCLES]).collect()
}

/// Results are compared too.
const RESULTS: Values = Values {
    name: "`resultAware`",
    preset: Preset::Original,
    beside: |guard| match guard {
        "circuit-breaker" => json!({}),
        _ => json!({"resultAware": true}),
    },
};

/// As before, and loops of every period are looked for.
const CYCLES: Values = Values {
    name: "`resultAware`, periods to 32",
    preset: Preset::Original,
    beside: |guard| match guard {
        "brake" => json!({"resultAware": true, "sequenceMaxLength": 32}),
        "repeat-reminder" => json!({"resultAware": true}),
        _ => json!({}),
    },
};

impl Values {
    /// All three guards.
    pub(crate) fn all(&self) -> Arc<Setup> {
        let is_plain = GUARDS.iter().all(|guard| (self.beside)(guard) == json!({}));
        match is_plain {
            true => Arc::new(Setup::preset(self.preset)),
            false => self.of(&GUARDS),
        }
    }

    /// One guard alone.
    pub(crate) fn alone(&self, guard: &'static str) -> Arc<Setup> {
        self.of(&[guard])
    }

    fn of(&self, guards: &[&str]) -> Arc<Setup> {
        let row = |guard: &&str| json!({"name": guard, "config": (self.beside)(guard)});
        let rows = Value::Array(guards.iter().map(row).collect());
        let loaded = Setup::from_value("benchmark", &rows, Base::Preset(self.preset));
        Arc::new(loaded.expect("the rows are right").setup)
    }
}
