//! Reads the configuration of guards: rows, name patterns and bounded values, with errors that
//! name the place and the remedy.
//!
//! - [`Rows`] is a file: a list of rows, each with `id`, `name`, `config` and `disabled`.
//! - A guard declares what it can be told as a table of [`Key`]s and reads one row against it
//!   through a [`Section`]. The table alone decides which values are allowed.
//! - [`configuration_schema`] turns the tables into a JSON Schema, for editors.
//! - [`ConfigErrors`] holds everything that is wrong with a file, so that it can be mended in
//!   one go.
//!
//! # Example: a guard's reader
//!
//! ```
//! use loopguard_config::{ConfigErrors, Key, Kind, NameFilter, Rows, Section};
//!
//! const KEYS: &[Key] = &[
//!     Key::new("warnAt", Kind::Integer { min: 2 }, "6", "calls until a notice"),
//!     Key::new("denyAt", Kind::Integer { min: 1 }, "10", "calls until a denial"),
//!     Key::new("include", Kind::Patterns, "[]", "tools to watch; all if empty"),
//!     Key::new("exclude", Kind::Patterns, "[]", "tools to leave out"),
//! ];
//!
//! struct Settings {
//!     warn_at: u64,
//!     deny_at: u64,
//!     filter: NameFilter,
//! }
//!
//! fn read(mut section: Section) -> Result<Settings, ConfigErrors> {
//!     section.greater("denyAt", "warnAt");
//!     let settings = Settings {
//!         warn_at: section.integer("warnAt").unwrap_or(6),
//!         deny_at: section.integer("denyAt").unwrap_or(10),
//!         filter: section.filter("include", "exclude"),
//!     };
//!     section.finish()?;
//!     Ok(settings)
//! }
//!
//! let rows = Rows::from_json(
//!     "guards.json",
//!     r#"[{"name": "brake", "config": {"warnAt": 3, "exclude": ["mcp__*"]}}]"#,
//! )?;
//! let row = rows.iter().next().expect("one row");
//! let settings = read(Section::open(row, KEYS, None))?;
//! assert_eq!((settings.warn_at, settings.deny_at), (3, 10));
//! assert!(!settings.filter.admits("mcp__search"));
//!
//! let rows = Rows::from_json(
//!     "guards.json",
//!     r#"[{"name": "brake", "config": {"warnAt": "12", "denyat": 5}}]"#,
//! )?;
//! let row = rows.iter().next().expect("one row");
//! let errors = read(Section::open(row, KEYS, None)).err().expect("two mistakes");
//! assert_eq!(
//!     errors.to_string(),
//!     "2 errors in the configuration:\n\
//!      guards.json: row 1 (brake): warnAt: found \"12\", \
//!      allowed is an integer of at least 2\n\
//!      guards.json: row 1 (brake): unknown key \"denyat\"; did you mean \"denyAt\"? \
//!      known keys: warnAt, denyAt, include, exclude"
//! );
//! # Ok::<(), ConfigErrors>(())
//! ```
//!
//! # Limits
//!
//! Values nest at most 16 deep. YAML aliases and merge keys are expanded, within bounds on
//! events, aliases and nodes. A compiled regular expression may take as much memory as the
//! `regex` crate allows by default. Nothing here reads a clock, a file, the environment or
//! randomness: the caller brings the text, and the file's name for messages.
//!
//! # Features
//!
//! - `yaml` (off by default): `Rows::from_yaml` and `Rows::salvage_yaml`.

#![forbid(unsafe_code)]

mod across;
mod check;
mod error;
mod errors;
mod filter;
mod inside;
mod json;
mod key;
mod messages;
mod nearest;
mod node;
mod origin;
mod pattern;
mod per_tool;
mod row;
mod rows;
mod schema;
mod section;
pub mod shared;
mod table;
mod value;
mod warning;
mod wording;
#[cfg(feature = "yaml")]
mod yaml;

pub use error::ConfigError;
pub use errors::ConfigErrors;
pub use filter::NameFilter;
pub use key::{Key, Kind};
pub use messages::{Messages, Template};
pub use nearest::nearest;
pub use pattern::NamePattern;
pub use per_tool::PerTool;
pub use regex::Regex;
pub use row::Row;
pub use rows::Rows;
pub use schema::{RowSchema, configuration_schema};
pub use section::Section;
pub use table::verify_table;
pub use warning::ConfigWarning;
pub use wording::{Language, Wording, Words};
