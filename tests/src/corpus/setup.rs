//! The guards that are measured.

use std::path::Path;

use loopguard::{Base, GUARDS, Preset, Setup};
use serde_json::{Value, json};

/// The guards of a preset, of a configuration file that starts from it, or of the preset with
/// a brake that may deny. Without a preset the file's own counts, or else `recommended`.
///
/// # Errors
///
/// What is wrong with any of these; and where a file is given, the brake's mode stands there.
pub fn setup(
    preset: Option<Preset>,
    file: Option<&Path>,
    brake_may_deny: bool,
) -> Result<Setup, String> {
    let base = preset.map_or(Base::Default(Preset::Recommended), Base::Preset);
    let loaded = match file {
        Some(file) if brake_may_deny => {
            let file = file.display();
            return Err(format!("{file}: say there that the brake may deny"));
        }
        Some(file) => {
            let name = file.display().to_string();
            let text = std::fs::read_to_string(file).map_err(|it| format!("{name}: {it}"))?;
            match file.extension().is_some_and(|ending| ending == "json") {
                true => Setup::from_json(&name, &text, base),
                false => Setup::from_yaml(&name, &text, base),
            }
        }
        None => {
            let config = |name| match brake_may_deny && name == "brake" {
                true => json!({"mode": "deny"}),
                false => json!({}),
            };
            // Where rows name any guard, those without one do not run.
            let rows = GUARDS
                .iter()
                .map(|guard| json!({"name": guard.name, "config": config(guard.name)}));
            Setup::from_value("measured", &rows.collect::<Value>(), base)
        }
    };
    match loaded {
        Ok(loaded) => Ok(loaded.setup),
        Err(errors) => Err(errors.to_string()),
    }
}
