//! Times as hosts write them. A parser of our own: the one shape that occurs is a dozen lines,
//! and the crates that know it bring calendars and time zones along.

/// Milliseconds since the Unix epoch of an ISO 8601 time, `2026-01-22T19:38:12.032Z`; digits
/// beyond milliseconds are cut off, and a time without a zone is UTC. `None` for anything
/// else, dates that do not exist among them.
pub(crate) fn parse_iso(text: &str) -> Option<i64> {
    let mut rest = text.trim();
    let year = digits(&mut rest, 4)?;
    separator(&mut rest, &['-'])?;
    let month = digits(&mut rest, 2)?;
    separator(&mut rest, &['-'])?;
    let day = digits(&mut rest, 2)?;
    separator(&mut rest, &['T', 't', ' '])?;
    let hour = digits(&mut rest, 2)?;
    separator(&mut rest, &[':'])?;
    let minute = digits(&mut rest, 2)?;
    separator(&mut rest, &[':'])?;
    let second = digits(&mut rest, 2)?;
    let millis = fraction(&mut rest)?;
    let offset_minutes = zone(rest)?;
    // A leap second is the second that follows it.
    if !(1..=12).contains(&month)
        || !(1..=days_in(year, month)).contains(&day)
        || hour > 23
        || minute > 59
        || second > 60
    {
        return None;
    }
    let minutes = (days_since_epoch(year, month, day) * 24 + hour) * 60 + minute - offset_minutes;
    Some((minutes * 60 + second) * 1000 + millis)
}

fn digits(rest: &mut &str, count: usize) -> Option<i64> {
    let (digits, after) = rest.split_at_checked(count)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    *rest = after;
    digits.parse().ok()
}

fn separator(rest: &mut &str, allowed: &[char]) -> Option<()> {
    *rest = rest.strip_prefix(allowed)?;
    Some(())
}

fn fraction(rest: &mut &str) -> Option<i64> {
    let Some(after) = rest.strip_prefix(['.', ',']) else {
        return Some(0);
    };
    let length = after.bytes().take_while(u8::is_ascii_digit).count();
    let millis = after[..length].bytes().chain(*b"000").take(3);
    *rest = &after[length..];
    (length > 0).then(|| millis.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
}

/// Minutes east of Greenwich.
fn zone(rest: &str) -> Option<i64> {
    if rest.is_empty() || rest.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = if rest.starts_with('-') { -1 } else { 1 };
    let mut rest = rest.strip_prefix(['+', '-'])?;
    let hours = digits(&mut rest, 2)?;
    rest = rest.strip_prefix(':').unwrap_or(rest);
    let minutes = if rest.is_empty() {
        0
    } else {
        digits(&mut rest, 2)?
    };
    (rest.is_empty() && hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    // Every fourth year, but for the centuries, but for every fourth century, has a day more;
    // 719,162 days lie between the first of January of the years 1 and 1970.
    let before = year - 1;
    let years = before * 365 + before.div_euclid(4) - before.div_euclid(100)
        + before.div_euclid(400)
        - 719_162;
    let months: i64 = (1..month).map(|month| days_in(year, month)).sum();
    years + months + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: impl Into<Option<i64>>) {
        assert_eq!(parse_iso(text), expected.into(), "{text}");
    }

    #[test]
    fn known_instants() {
        check("1970-01-01T00:00:00Z", 0);
        check("1970-01-01T00:00:00.001Z", 1);
        check("1969-12-31T23:59:59.999Z", -1);
        check("2000-02-29T12:00:00Z", 951_825_600_000);
        check("2026-01-22T19:38:12.032Z", 1_769_110_692_032);
        check("2100-03-01T00:00:00Z", 4_107_542_400_000);
        check("0000-03-01T00:00:00Z", -62_162_035_200_000);
    }

    #[test]
    fn zones_are_taken_into_account_and_none_is_utc() {
        check("1970-01-01T01:00:00+01:00", 0);
        check("1969-12-31T18:30:00-0530", 0);
        check("1970-01-01T02:00:00+02", 0);
        check("1970-01-01T00:00:00", 0);
    }

    #[test]
    fn finer_and_coarser_fractions_are_milliseconds() {
        check("1970-01-01T00:00:00.5Z", 500);
        check("1970-01-01T00:00:00.123987654Z", 123);
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "now",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-01-01",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00+1",
            "2026-01-01T00:00:00ZZ",
            "+026-01-01T00:00:00Z",
            "2026-01-0éT00:00:00Z",
        ] {
            check(text, None);
        }
    }
}
