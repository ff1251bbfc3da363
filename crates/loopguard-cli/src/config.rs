//! Configuration files: read, told apart, and complained about.

use std::path::Path;

use loopguard::{Base, ConfigErrors, Loaded, Preset, Setup};
use serde::de::IgnoredAny;

use crate::cli::Shared;
use crate::excerpt;
use crate::exit::Exit;
use crate::talk;

/// The guards that the command line asks for. What is wrong has been said already.
pub(crate) fn setup(shared: &Shared) -> Result<Setup, Exit> {
    match &shared.config {
        Some(file) => load(file, shared.base()).map(|loaded| loaded.setup),
        None => Ok(Setup::preset(shared.preset.unwrap_or(Preset::Recommended))),
    }
}

/// Reads a configuration file. Warnings and errors go to standard error, all at once.
pub(crate) fn load(file: &Path, base: Base) -> Result<Loaded, Exit> {
    let bytes = std::fs::read(file).map_err(|error| {
        talk::error(format_args!(
            "{}: the configuration cannot be read: {error}; check the path, or print one to start \
             from with `loopguard check --print-preset recommended`",
            file.display()
        ));
        Exit::UNREADABLE
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        talk::error(format_args!(
            "{}: the configuration is not UTF-8 from byte {} on: save it as UTF-8",
            file.display(),
            error.utf8_error().valid_up_to()
        ));
        Exit::WRONG_USE
    })?;
    // Editors on Windows put a byte-order mark first.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    match parse(file, text, base) {
        Ok(loaded) => {
            talk::styled(&excerpt::warnings(text, &loaded.warnings));
            Ok(loaded)
        }
        Err(errors) => {
            talk::styled(&excerpt::errors(text, &errors));
            Err(Exit::WRONG_USE)
        }
    }
}

/// A file's ending says what it is, and its content where the ending does not.
fn parse(file: &Path, text: &str, base: Base) -> Result<Loaded, ConfigErrors> {
    let name = file.display().to_string();
    let is_json = match file.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("json") => true,
        Some(ending) if ending.eq_ignore_ascii_case("yaml") => false,
        Some(ending) if ending.eq_ignore_ascii_case("yml") => false,
        // YAML reads nearly all JSON, and in brackets also what only looks like JSON, with
        // comments in it. So JSON is what is JSON to the last byte.
        _ => serde_json::from_str::<IgnoredAny>(text).is_ok(),
    };
    match is_json {
        true => Setup::from_json(&name, text, base),
        false => Setup::from_yaml(&name, text, base),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guards(file: &str, text: &str) -> Result<usize, String> {
        parse(Path::new(file), text, Base::default())
            .map(|loaded| loaded.setup.guard_ids().count())
            .map_err(|errors| errors.to_string())
    }

    #[test]
    fn the_ending_says_what_a_file_is() {
        assert_eq!(guards("a.json", r#"[{"name":"brake"}]"#), Ok(1));
        assert_eq!(guards("a.YAML", "- name: brake"), Ok(1));
        assert_eq!(guards("a.yml", "- name: brake"), Ok(1));
        assert!(guards("a.json", "- name: brake").is_err());
    }

    #[test]
    fn where_the_ending_says_nothing_the_content_does() {
        for text in [
            r#"[{"name":"brake"}]"#,
            "- name: brake",
            "# guards\n[\n  {\"name\": \"brake\"} # only one\n]",
        ] {
            assert_eq!(guards("guards.conf", text), Ok(1), "{text}");
        }
    }
}
