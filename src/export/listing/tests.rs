//! Lines in terminals of all widths.

use super::*;
use crate::capture::Input;

const TOUR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/captures/tour.pcapng");

/// What a terminal of so many columns gets.
fn listing(columns: usize) -> String {
    let mut pipeline = Pipeline::open(vec![Input::File(TOUR.into())], Vec::new()).unwrap();
    let (colour, times, zone) = (Colour::Ansi, TimeDisplay::Relative, Zone::system());
    let style = LineStyle { colour, times, zone, columns: Some(columns) };
    let mut out = Vec::new();
    write_listing(&mut pipeline, (Secrets::Masked, style), (false, None), &mut out).unwrap();
    String::from_utf8(out).unwrap()
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
