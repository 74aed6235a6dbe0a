//! The screens and tables of `docs/interface.md`. A screen is described in the page itself:
//! `<!-- screen tour.pcapng: 3j -->` has the captures and the keys that lead there. In a capture's
//! place, `tour.pcapng@12+10` reads 12 packets before the keys and 10 after them.

use std::fmt::Write as _;
use std::fs;

use fragshark::capture::Input;

use crate::interface_screens::user::{User, file};
use crate::{documents, golden};

const PAGE: &str = "docs/interface.md";
const SIZE: (u16, u16) = (80, 20);

#[test]
fn the_page_of_the_interface_is_up_to_date() {
    let page = fs::read_to_string(golden::path(PAGE)).unwrap();
    let marks = page.lines().filter_map(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->"));
    let marks: Vec<_> = marks.filter(|mark| *mark != "end").collect();
    let is_repeated = |(at, mark): (usize, &&str)| marks[..at].contains(mark);
    assert!(!marks.iter().enumerate().any(is_repeated), "a mark stands twice");
    let parts = marks.iter().map(|mark| {
        let text = match *mark {
            "mouse" => tui::mouse_page(),
            screen => block(screen),
        };
        (*mark, text)
    });
    golden::check_parts(PAGE, parts.collect::<Vec<_>>());
    let screens = marks.iter().filter(|mark| mark.starts_with("screen ")).count();
    assert!(screens > 20, "the page has only {screens} screens");
}

#[test]
fn the_page_of_keys_has_every_key() {
    documents::check_reference("keys.md", &tui::key_page());
}

/// The screen that a mark describes, as a block of code.
fn block(mark: &str) -> String {
    let described = mark.strip_prefix("screen ").and_then(|rest| rest.split_once(": "));
    let (captures, keys) = described.unwrap_or_else(|| panic!("{PAGE}: {mark}"));
    let captures: Vec<_> = captures.split(' ').collect();
    let mut user = match captures[0].split_once('@') {
        Some((name, counts)) => {
            let [before, after] =
                [0, 1].map(|n| counts.split('+').nth(n).unwrap().parse().unwrap());
            let mut user = User::unread(&[Input::File(file(name))], name, SIZE, "16-colours");
            user.load(before).keys(keys).load(after);
            user
        }
        None => User::on(&captures, SIZE),
    };
    let keys = if captures[0].contains('@') { "" } else { keys };
    let mut out = String::new();
    writeln!(out, "```text\n{}```", user.keys(keys).screen()).unwrap();
    out
}

/// Every screen has a section.
#[test]
fn the_page_names_every_screen() {
    let page = fs::read_to_string(golden::path(PAGE)).unwrap();
    for (key, name) in (1..=9).zip([
        "messages",
        "exchanges",
        "servers",
        "masters",
        "findings",
        "sequence",
        "flows",
        "statistics",
        "catalogue",
    ]) {
        assert!(tui::screen_named(name) == Ok(key - 1), "{name}");
        assert!(page.contains(&format!("### {key} {name}")), "{name} is missing");
    }
}
