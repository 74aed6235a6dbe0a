//! The other tabs than the messages, for the tour and for a master that does not respond.

use std::net::SocketAddr;
use std::sync::Arc;

use crossterm::event::MouseEventKind;

use super::user::{CLIENT, MASTER, SERVER, User, capture, documented, frames, story, tour};
use crate::action::TerminalCommand;
use render::Colour;

fn dead() -> Arc<[u8]> {
    include_bytes!("../../../../captures/quake3/dead-master.pcapng").as_slice().into()
}

/// A list without an end mark, and a server with port 0 in it.
fn odd() -> Arc<[u8]> {
    let list =
        b"\xff\xff\xff\xffgetserversResponse\\\xc0\x00\x02\x0a\x6d\x38\\\xc0\x00\x02\x0b\x00\x00";
    let (client, master) = (SocketAddr::from(CLIENT), SocketAddr::from(MASTER));
    frames(&[
        (client, master, b"\xff\xff\xff\xffgetservers 68 empty full".to_vec()),
        (master, client, list.to_vec()),
        (client, master, b"\xff\xff\xff\xffgetservers 68".to_vec()),
    ])
}

#[test]
fn every_screen_shows_the_tour() {
    for (key, name) in [
        ('2', "exchanges"),
        ('3', "servers"),
        ('4', "masters"),
        ('5', "findings"),
        ('6', "sequence"),
        ('7', "flows"),
    ] {
        for size @ (columns, rows) in [(80, 24), (120, 40)] {
            let mut user = User::on(tour(), size);
            let screen = user.keys(&key.to_string()).screen();
            insta::assert_snapshot!(format!("tour_{name}_{columns}x{rows}"), screen);
        }
    }
    let wide = User::on(tour(), (160, 30)).keys("2jj").screen();
    insta::assert_snapshot!("tour_exchanges_160x30", wide);
}

#[test]
fn a_dead_master_is_seen_on_every_screen() {
    for (key, name) in [('2', "exchanges"), ('3', "servers"), ('4', "masters"), ('6', "sequence")] {
        let mut user = User::on(dead(), (100, 24));
        insta::assert_snapshot!(format!("dead_{name}"), user.keys(&key.to_string()).screen());
    }
    insta::assert_snapshot!("dead_ladder_80x24", User::on(dead(), (80, 24)).keys("L").screen());
}

#[test]
fn findings_lead_to_their_messages_and_back() {
    let mut user = User::on(odd(), (100, 24));
    insta::assert_snapshot!("findings", user.keys("5").screen());
    user.keys("<Enter>");
    insta::assert_snapshot!("finding_followed", user.screen());
    assert!(user.keys("]").screen().contains("the last message of"), "{}", user.screen());
    assert!(user.keys("<Esc>").screen().contains("impact"), "{}", user.screen());
    assert!(user.keys("<Esc>").screen().contains("─ annotated bytes"), "{}", user.screen());
    assert!(user.keys("<Esc>").screen().contains("q quits"), "{}", user.screen());
}

#[test]
fn keys_step_through_the_messages_of_an_exchange() {
    let mut user = User::on(story(), (80, 24));
    user.keys("2<Enter>");
    insta::assert_snapshot!("exchange_followed", user.screen());
    assert!(user.keys("]").screen().contains("2 of 11 messages"), "{}", user.screen());
    assert!(user.keys("]]").screen().contains("the last message of registration #1"));
    assert!(user.keys("[[").screen().contains("1 of 11 messages"), "{}", user.screen());
    assert!(user.keys("[").screen().contains("the first message of"), "{}", user.screen());
    // Without a followed row, the messages of the exchange are stepped through.
    let mut user = User::on(story(), (80, 24));
    assert!(user.keys("jjj]").screen().contains("5 of 11 messages"), "{}", user.screen());
}

#[test]
fn the_ladder_leads_to_messages_and_back() {
    let mut user = User::on(story(), (100, 24));
    user.keys("jjjjjjjL");
    insta::assert_snapshot!("ladder_of_exchange", user.screen());
    user.keys("j<Enter>");
    assert!(user.screen().contains("9 of 11 messages"), "{}", user.screen());
    user.keys("<Esc>");
    assert!(user.screen().contains("challengeResponse"), "{}", user.screen());
    assert!(user.screen().contains("2 of 4 messages"), "{}", user.screen());
    user.keys("<Esc>");
    assert!(user.screen().contains("─ annotated bytes"), "{}", user.screen());
    // The whole capture, from the selected message.
    assert!(user.keys("6").screen().contains("8 of 11 messages"), "{}", user.screen());
    assert!(user.keys("g<Enter>").screen().contains("1 of 11 messages"), "{}", user.screen());
    // For a server, all its messages.
    assert!(user.keys("3L").screen().contains("server 192.0.2.10:"), "{}", user.screen());
}

#[test]
fn screens_read_without_colour() {
    let mut user = User::unread(dead(), (80, 24), Colour::Plain);
    user.load(usize::MAX);
    for key in ["2", "3", "4", "5", "6"] {
        user.keys(key);
        let buffer = user.terminal.backend().buffer();
        let plain = |c: &ratatui::buffer::Cell| [c.fg, c.bg] == [ratatui::style::Color::Reset; 2];
        assert!(buffer.content().iter().all(plain), "{key}");
    }
    insta::assert_snapshot!("ladder_without_colour", user.marks());
    insta::assert_snapshot!("exchanges_without_colour", user.keys("2").marks());
}

#[test]
fn screens_wait_until_everything_has_been_read() {
    let messages: Vec<_> =
        (0..400).map(|_| (documented("quake3/1.2.9/1"), SERVER, MASTER)).collect();
    let mut user = User::unread(capture(&messages), (80, 24), Colour::Ansi);
    user.load(100);
    assert!(user.keys("2").screen().contains("known when everything has been read"));
    assert!(user.keys("1L").screen().contains("exchanges are known when"), "{}", user.screen());
    assert!(user.keys("6G").screen().contains("100 of 100 messages"), "{}", user.screen());
    // All is read, and half of it is indexed.
    user.load(501);
    assert!(user.keys("2").screen().contains("analysing messages, 50%"), "{}", user.screen());
    user.load(usize::MAX);
    assert!(user.screen().contains("1 of "), "{}", user.screen());
}

#[test]
fn empty_tables_have_a_note() {
    let bytes = capture(&[(b"hello".to_vec(), CLIENT, SERVER)]);
    let mut user = User::on(bytes, (80, 24));
    for (key, expected) in [
        ("2", "no exchanges"),
        ("3", "no servers"),
        ("4", "no masters"),
        ("5", "no findings"),
        ("6", "no message of a known protocol in 1 packet"),
    ] {
        let screen = user.keys(key).keys("<Enter>Ly<Tab>jG[]").screen();
        assert!(screen.contains(expected), "{screen}");
    }
}

#[test]
fn the_mouse_selects_screens_and_rows() {
    let mut user = User::on(tour(), (80, 24));
    user.click(17, 1);
    assert!(user.screen().contains("1 of "), "{}", user.screen());
    assert!(user.screen().contains("latency"), "{}", user.screen());
    user.click(10, 5);
    assert!(user.screen().contains("3 of "), "{}", user.screen());
    user.mouse(MouseEventKind::ScrollDown, 10, 5);
    assert!(user.screen().contains("6 of "), "{}", user.screen());
    user.click(3, 1);
    assert!(user.screen().contains("─ annotated bytes"), "{}", user.screen());
}

#[test]
fn rows_can_be_copied_and_details_fill_the_screen() {
    let mut user = User::on(tour(), (80, 24));
    for key in ["a", ".", "]", "|"] {
        let screen = user.keys("2").keys(key).screen();
        assert!(screen.contains("does nothing on this screen"), "{key}: {screen}");
    }
    user.keys("y");
    let [TerminalCommand::Copy(row)] = &user.app.take_commands()[..] else {
        panic!("a row is copied")
    };
    assert!(row.contains("registration"), "{row}");
    // Focused details scroll, and can fill the screen.
    insta::assert_snapshot!("details_zoomed", user.keys("<Tab>zG").screen());
}
