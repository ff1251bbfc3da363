//! When something happened, seen from the beginning of its session.

/// A session's time, as far as its events tell it.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// Both in milliseconds.
    began: Option<i64>,
    now: Option<i64>,
    /// Whether the latest event told its time.
    is_told: bool,
}

/// As wide as most times are, with the blanks behind.
const COLUMN: usize = 9;

impl Clock {
    /// The time of the next event.
    pub(super) fn tick(&mut self, at: Option<i64>) {
        self.began = self.began.or(at);
        self.now = at.or(self.now);
        self.is_told = at.is_some();
    }

    /// What stands in the margin: nothing at all until an event tells a time.
    pub(super) fn column(&self) -> String {
        match self.since() {
            None => String::new(),
            Some(since) if self.is_told => format!("{:>7}  ", signed(since)),
            Some(_) => format!("{:COLUMN$}", ""),
        }
    }

    /// How long it took so far, where that is at all long.
    pub(super) fn took(&self) -> Option<String> {
        let since = self.since().filter(|since| *since >= 1_000)?;
        Some(duration(since.unsigned_abs()))
    }

    fn since(&self) -> Option<i64> {
        Some(self.now?.saturating_sub(self.began?))
    }
}

/// With a sign: recorded clocks go backwards at times.
fn signed(milliseconds: i64) -> String {
    let sign = if milliseconds < 0 { '-' } else { '+' };
    format!("{sign}{}", duration(milliseconds.unsigned_abs()))
}

/// Two units, the second one of two digits: `12s`, `3m05s`, `2h07m`, `1d04h`.
fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, _) => format!("{minutes}m{:02}s", seconds % 60),
        (0, _, _) => format!("{hours}h{:02}m", minutes % 60),
        _ => format!("{days}d{:02}h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_two_units() {
        let told = [0, 999, 12_000, 59_999, 185_000, 7_620_000, 100_800_000].map(signed);
        assert_eq!(
            told,
            ["+0s", "+0s", "+12s", "+59s", "+3m05s", "+2h07m", "+1d04h"]
        );
        assert_eq!(signed(-61_000), "-1m01s");
    }

    #[test]
    fn there_is_no_column_until_a_time_is_told() {
        let mut clock = Clock::default();
        clock.tick(None);
        assert_eq!((clock.column(), clock.took()), (String::new(), None));
        clock.tick(Some(5_000));
        assert_eq!(clock.column(), "    +0s  ");
        clock.tick(None);
        assert_eq!(clock.column(), "         ");
        clock.tick(Some(17_500));
        assert_eq!(clock.column(), "   +12s  ");
        assert_eq!(clock.took().as_deref(), Some("12s"));
    }
}
