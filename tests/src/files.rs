//! Finding the files of a data directory.

use std::path::{Path, PathBuf};

/// The files of a folder whose names end like this, by name; none where there is no folder.
pub(crate) fn ending(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.to_str().is_some_and(|name| name.ends_with(ending)))
        .collect();
    files.sort();
    files
}
