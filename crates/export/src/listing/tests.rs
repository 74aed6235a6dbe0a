//! Lines in terminals of all widths.

use unicode_width::UnicodeWidthChar as _;

use super::*;
use capture::Input;

const TOUR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../captures/tour.pcapng");

/// The tour as it is written.
fn written(colour: Colour, times: TimeDisplay, columns: Option<usize>) -> String {
    let mut pipeline = Pipeline::open(vec![Input::File(TOUR.into())], Vec::new()).unwrap();
    let style = LineStyle { colour, times, zone: Zone::utc(), columns };
    let mut out = Vec::new();
    write_listing(&mut pipeline, (Secrets::Masked, style), (false, None), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// What a terminal of so many columns gets.
fn listing(columns: usize) -> String {
    written(Colour::Ansi, TimeDisplay::Relative, Some(columns))
}

/// Its lines without colours.
fn lines(times: TimeDisplay, columns: Option<usize>) -> Vec<String> {
    written(Colour::Plain, times, columns).lines().map(str::to_owned).collect()
}

/// A line without its colour codes, and whether the last of them is whole.
fn plain(line: &str) -> (String, bool) {
    let mut parts = line.split('\x1b');
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut is_whole = true;
    for part in parts {
        let (code, rest) = part.split_once('m').unwrap_or((part, ""));
        is_whole &= code.strip_prefix('[').is_some_and(|code| {
            part.contains('m') && code.chars().all(|c| c.is_ascii_digit() || c == ';')
        });
        text.push_str(rest);
    }
    (text, is_whole)
}

#[test]
fn lines_fit_and_no_colour_code_is_cut_at_any_width() {
    for columns in 30..200 {
        for line in listing(columns).lines() {
            let (text, is_whole) = plain(line);
            let width: usize = text.chars().map(|letter| letter.width().unwrap_or(0)).sum();
            assert!(is_whole && width <= columns, "{columns} columns: {line:?}");
        }
    }
}

#[test]
fn a_narrow_terminal_shows_the_name_of_each_message() {
    let wide = listing(1000);
    let expected: Vec<_> = wide
        .lines()
        .map(|line| plain(line).0.split_whitespace().nth(6).unwrap().to_owned())
        .collect();
    for columns in [40, 60, 72, 74, 80, 100] {
        let shown = plain(&listing(columns).replace('\n', " ")).0;
        let shown: Vec<_> = shown.split_whitespace().collect();
        let mut rest = shown.iter();
        for name in &expected {
            assert!(rest.any(|word| word == name), "{columns} columns: no {name}");
        }
    }
}

#[test]
fn times_of_day_have_their_date() {
    for times in [TimeDisplay::Utc, TimeDisplay::Local] {
        let lines = lines(times, None);
        assert!(
            lines[2].starts_with("     3  2003-12-01 20:00:00.060100  192.0.2.10:27960"),
            "{lines:?}"
        );
    }
    assert!(lines(TimeDisplay::Relative, None)[2].contains("  0.060100  192.0.2.10:27960"));
}

#[test]
fn a_narrow_terminal_has_the_name_below_a_date() {
    let lines = lines(TimeDisplay::Utc, Some(80));
    let [first, second, ..] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(
        first.trim_end(),
        "   1 2003-12-01 20:00:00.000 192.0.2.10:27960      > 203.0.113.1:27950"
    );
    assert_eq!(second, "      heartbeat  QuakeArena-1");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:?}");
    let narrow = self::lines(TimeDisplay::Relative, Some(80));
    assert!(narrow[0].ends_with(" heartbeat"), "{narrow:?}");
    assert_eq!(narrow[1], "      QuakeArena-1");
}
