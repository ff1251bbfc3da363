//! What came of the golden data.

use std::fmt;
use std::path::PathBuf;

/// How many failures of one file are kept.
pub const MAX_FAILURES: usize = 5;

/// What came of a directory of golden data.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// File by file, in the order in which they were run.
    pub files: Vec<FileReport>,
}

/// What came of one file.
#[derive(Clone, Debug, Default)]
pub struct FileReport {
    /// The file, as seen from the directory.
    pub file: PathBuf,
    /// How many rows were checked.
    pub rows: usize,
    /// How many of them came out as wanted.
    pub passed: usize,
    /// How many of those that passed are known to differ from the originals, as ours should.
    pub tagged: usize,
    /// How many rows the guards never see, because the host rejects them.
    pub skipped: usize,
    /// The first rows that did not come out as wanted, at most [`MAX_FAILURES`].
    pub failures: Vec<Failure>,
}

/// A row that did not come out as wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The row's line, counted from 1; 0 where the file could not be read at all.
    pub line: usize,
    /// What should have come out.
    pub wanted: String,
    /// What came out.
    pub got: String,
}

impl Report {
    /// How many rows were checked.
    pub fn rows(&self) -> usize {
        self.files.iter().map(|file| file.rows).sum()
    }

    /// How many rows did not come out as wanted.
    pub fn failed(&self) -> usize {
        self.files.iter().map(|file| file.rows - file.passed).sum()
    }

    /// How many rows are known to differ from the originals and came out as ours should.
    pub fn tagged(&self) -> usize {
        self.files.iter().map(|file| file.tagged).sum()
    }
}

impl fmt::Display for Report {
    /// One line for each file, the failures below it, and the totals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            let FileReport {
                rows,
                passed,
                tagged,
                skipped,
                ..
            } = file;
            let name = file.file.display();
            writeln!(
                f,
                "{name}: {passed} of {rows} passed, {tagged} tagged, {skipped} skipped"
            )?;
            for Failure { line, wanted, got } in &file.failures {
                writeln!(f, "  line {line}\n    wanted {wanted}\n    got    {got}")?;
            }
        }
        let (rows, failed, tagged) = (self.rows(), self.failed(), self.tagged());
        write!(f, "{rows} rows, {failed} failed, {tagged} tagged")
    }
}

/// One row that was checked.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) line: usize,
    pub(super) tagged: bool,
    pub(super) wanted: String,
    pub(super) got: String,
}

/// Gathers what came of one file.
#[derive(Debug)]
pub(super) struct Checker {
    report: FileReport,
}

impl Checker {
    pub(super) fn new(file: PathBuf) -> Self {
        Self {
            report: FileReport {
                file,
                ..FileReport::default()
            },
        }
    }

    pub(super) fn row(&mut self, row: Row) {
        let Row {
            line,
            tagged,
            wanted,
            got,
        } = row;
        self.report.rows += 1;
        if wanted == got {
            self.report.passed += 1;
            self.report.tagged += usize::from(tagged);
        } else if self.report.failures.len() < MAX_FAILURES {
            self.report.failures.push(Failure { line, wanted, got });
        }
    }

    pub(super) fn skip(&mut self) {
        self.report.skipped += 1;
    }

    pub(super) fn finish(self) -> FileReport {
        self.report
    }
}
