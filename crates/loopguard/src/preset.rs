//! Where each row starts from.

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value};

use crate::registry::GuardKind;

/// Values that rows start from, and override key by key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// What the originals do: exact matches and counts. The default of the libraries.
    #[default]
    Original,
    /// What measurements on recorded sessions support. The default of the program.
    Recommended,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 2] = [Self::Original, Self::Recommended];

    /// The names of all presets, as configurations write them.
    pub const NAMES: [&str; 2] = ["original", "recommended"];

    /// The preset's name, as configurations write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Recommended => "recommended",
        }
    }

    /// The preset as a commented configuration: YAML, and JSON without the comments.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Original => include_str!("../presets/original.yaml"),
            Self::Recommended => include_str!("../presets/recommended.yaml"),
        }
    }

    /// The row that the preset holds under `name`, as its `config`.
    pub(crate) fn config(self, name: &str) -> Option<Map<String, Value>> {
        let rows = self.rows();
        let row = rows
            .iter()
            .find(|row| row.get("name").and_then(Value::as_str) == Some(name))?;
        row.get("config").and_then(Value::as_object).cloned()
    }

    /// The preset's values for a guard.
    pub(crate) fn of(self, kind: &GuardKind) -> Option<Map<String, Value>> {
        self.config(kind.name)
    }

    fn rows(self) -> Vec<Value> {
        let is_comment = |line: &&str| line.trim_start().starts_with('#');
        let json: String = self
            .text()
            .lines()
            .filter(|line| !is_comment(line))
            .collect();
        // A test reads every preset, so there is nothing to report here.
        serde_json::from_str(&json).unwrap_or_default()
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(name: &str) -> Result<Self, UnknownPreset> {
        let known = Self::ALL.into_iter().find(|preset| preset.name() == name);
        known.ok_or_else(|| UnknownPreset(name.to_owned()))
    }
}

/// No preset has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown preset {0:?}: known are original and recommended")]
pub struct UnknownPreset(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_json_once_the_comments_are_gone_and_names_every_guard() {
        for preset in Preset::ALL {
            let rows = preset.rows();
            for kind in crate::GUARDS {
                assert!(
                    rows.iter().any(|row| row["name"] == kind.name),
                    "{preset}: {}",
                    kind.name
                );
            }
            assert_eq!(preset.to_string().parse(), Ok(preset));
        }
        let error = "orginal".parse::<Preset>().unwrap_err();
        assert!(
            error
                .to_string()
                .contains("known are original and recommended")
        );
    }
}
