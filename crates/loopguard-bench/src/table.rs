//! A table in Markdown, aligned for those who read it as text.

use std::fmt;

/// On which side the cells of a column begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table that is gathered row by row and printed at the end.
#[derive(Clone, Debug)]
pub struct Table {
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of these columns.
    pub fn new<const N: usize>(columns: [(&str, Align); N]) -> Self {
        Self {
            align: columns.iter().map(|column| column.1).collect(),
            rows: vec![columns.iter().map(|column| column.0.to_owned()).collect()],
        }
    }

    /// One more row: a cell for each column.
    pub fn row(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.align.len(), "a cell for each column");
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0).max(3)
        };
        let widths: Vec<_> = (0..self.align.len()).map(width).collect();
        for (at, row) in self.rows.iter().enumerate() {
            for ((cell, &width), align) in row.iter().zip(&widths).zip(&self.align) {
                match align {
                    Align::Left => write!(formatter, "| {cell:<width$} ")?,
                    Align::Right => write!(formatter, "| {cell:>width$} ")?,
                }
            }
            writeln!(formatter, "|")?;
            if at == 0 {
                for (&width, align) in widths.iter().zip(&self.align) {
                    let dashes = "-".repeat(width - 1);
                    match align {
                        Align::Left => write!(formatter, "| {dashes}- ")?,
                        Align::Right => write!(formatter, "| {dashes}: ")?,
                    }
                }
                writeln!(formatter, "|")?;
            }
        }
        Ok(())
    }
}

/// A number as people read it: `1,234,567`, and one digit behind the point below ten.
pub fn number(number: f64) -> String {
    if number < 9.95 {
        let text = format!("{number:.1}");
        return text.strip_suffix(".0").unwrap_or(&text).to_owned();
    }
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How many times one number is another, as `3.41×`: with three digits, which is more than a
/// measurement is good for and enough to see on which side of a target it lies.
pub fn ratio(one: f64, other: f64) -> String {
    let ratio = one / other;
    match ratio {
        ..9.995 => format!("{ratio:.2}×"),
        ..99.95 => format!("{ratio:.1}×"),
        _ => format!("{}×", number(ratio)),
    }
}
