//! Times and sizes as people write them.

use std::time::Duration;

/// `10` (seconds), `1.5s`, `500ms`, `2m`, `1h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = scaled(
        text,
        &[
            ("ms", 1e-3),
            ("s", 1.0),
            ("min", 60.0),
            ("m", 60.0),
            ("h", 3600.0),
            ("", 1.0),
        ],
    )
    .ok_or("expected a time such as 10, 500ms, 1.5s, 2m or 1h")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "this is longer than a clock can count".into())
}

/// `1000` (bytes), `500K`, `500M`, `2G`, `2GiB`: powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let (kilo, mega, giga) = (1024.0, 1024.0 * 1024.0, 1024.0 * 1024.0 * 1024.0);
    let units = [
        ("kib", kilo),
        ("kb", kilo),
        ("k", kilo),
        ("mib", mega),
        ("mb", mega),
        ("m", mega),
        ("gib", giga),
        ("gb", giga),
        ("g", giga),
        ("b", 1.0),
        ("", 1.0),
    ];
    let bytes = scaled(text, &units)
        .filter(|&bytes| bytes >= 1.0)
        .ok_or("expected a size such as 500M or 2G")?;
    // A float as large as this counts bytes exactly enough.
    Ok(bytes as u64)
}

/// A non-negative number with one of the units.
fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let &(_, scale) = units.iter().find(|(name, _)| *name == unit.trim())?;
    number
        .parse::<f64>()
        .ok()
        .map(|number| number * scale)
        .filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_and_without_unit() {
        for (text, milliseconds) in [
            ("10", 10_000),
            ("500ms", 500),
            ("1.5s", 1_500),
            ("2m", 120_000),
            ("1 h", 3_600_000),
            ("0", 0),
        ] {
            assert_eq!(
                duration(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
        for text in ["", "ten", "-1", "1d", "1.2.3", "s", "1e400", "nan"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert!(duration("99999999999999999999999h").is_err());
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        for (text, bytes) in [
            ("1000", 1000),
            ("1k", 1024),
            ("1.5M", 3 << 19),
            ("2GiB", 2 << 30),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "0", "lots", "-1M", "1X"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
