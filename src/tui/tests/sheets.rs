//! The other tabs than the messages, for the tour and for a master that does not respond.

use std::net::SocketAddr;
use std::sync::Arc;

use crossterm::event::MouseEventKind;

use super::seat::{CLIENT, MASTER, SERVER, Seat, capture, documented, frames, story};
use crate::render::Colour;
use crate::tui::action::Effect;

fn tour() -> Arc<[u8]> {
    include_bytes!("../../../captures/tour.pcapng").as_slice().into()
}

fn dead() -> Arc<[u8]> {
    include_bytes!("../../../captures/quake3/dead-master.pcapng").as_slice().into()
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
    for (key, name) in
        [('2', "exchanges"), ('3', "servers"), ('4', "masters"), ('5', "findings"), ('6', "ladder")]
    {
        for size @ (columns, rows) in [(80, 24), (120, 40)] {
            let mut seat = Seat::on(tour(), size);
            let screen = seat.keys(&key.to_string()).screen();
            insta::assert_snapshot!(format!("tour_{name}_{columns}x{rows}"), screen);
        }
    }
    let wide = Seat::on(tour(), (160, 30)).keys("2jj").screen();
    insta::assert_snapshot!("tour_exchanges_160x30", wide);
}

#[test]
fn a_dead_master_is_seen_on_every_screen() {
    for (key, name) in [('2', "exchanges"), ('3', "servers"), ('4', "masters"), ('6', "ladder")] {
        let mut seat = Seat::on(dead(), (100, 24));
        insta::assert_snapshot!(format!("dead_{name}"), seat.keys(&key.to_string()).screen());
    }
    insta::assert_snapshot!("dead_ladder_80x24", Seat::on(dead(), (80, 24)).keys("L").screen());
}

#[test]
fn findings_lead_to_their_messages_and_back() {
    let mut seat = Seat::on(odd(), (100, 24));
    insta::assert_snapshot!("findings", seat.keys("5").screen());
    seat.keys("<Enter>");
    insta::assert_snapshot!("finding_followed", seat.screen());
    assert!(seat.keys("]").screen().contains("the last message of"), "{}", seat.screen());
    assert!(seat.keys("<Esc>").screen().contains("demanded"), "{}", seat.screen());
    assert!(seat.keys("<Esc>").screen().contains("─ fields ─"), "{}", seat.screen());
    assert!(seat.keys("<Esc>").screen().contains("q quits"), "{}", seat.screen());
}

#[test]
fn the_messages_of_an_exchange_are_gone_through() {
    let mut seat = Seat::on(story(), (80, 24));
    seat.keys("2<Enter>");
    insta::assert_snapshot!("exchange_followed", seat.screen());
    assert!(seat.keys("]").screen().contains("2 of 11 messages"), "{}", seat.screen());
    assert!(seat.keys("]]").screen().contains("the last message of the registration of #1"));
    assert!(seat.keys("[[").screen().contains("1 of 11 messages"), "{}", seat.screen());
    assert!(seat.keys("[").screen().contains("the first message of"), "{}", seat.screen());
    // Without a followed row, the messages of the exchange are stepped through.
    let mut seat = Seat::on(story(), (80, 24));
    assert!(seat.keys("jjj]").screen().contains("5 of 11 messages"), "{}", seat.screen());
}

#[test]
fn the_ladder_leads_to_messages_and_back() {
    let mut seat = Seat::on(story(), (100, 24));
    seat.keys("jjjjjjjL");
    insta::assert_snapshot!("ladder_of_exchange", seat.screen());
    seat.keys("j<Enter>");
    assert!(seat.screen().contains("9 of 11 messages"), "{}", seat.screen());
    seat.keys("<Esc>");
    assert!(seat.screen().contains("challengeResponse"), "{}", seat.screen());
    assert!(seat.screen().contains("2 of 4 messages"), "{}", seat.screen());
    seat.keys("<Esc>");
    assert!(seat.screen().contains("─ fields ─"), "{}", seat.screen());
    // The whole capture, from the selected message.
    assert!(seat.keys("6").screen().contains("9 of 11 messages"), "{}", seat.screen());
    assert!(seat.keys("g<Enter>").screen().contains("1 of 11 messages"), "{}", seat.screen());
    // For a server, all its messages.
    assert!(seat.keys("3L").screen().contains("server 192.0.2.10:"), "{}", seat.screen());
}

#[test]
fn screens_read_without_colour() {
    let mut seat = Seat::unread(dead(), (80, 24), Colour::Plain);
    seat.load(usize::MAX);
    for key in ["2", "3", "4", "5", "6"] {
        seat.keys(key);
        let buffer = seat.terminal.backend().buffer();
        let plain = |c: &ratatui::buffer::Cell| [c.fg, c.bg] == [ratatui::style::Color::Reset; 2];
        assert!(buffer.content().iter().all(plain), "{key}");
    }
    insta::assert_snapshot!("ladder_without_colour", seat.marks());
    insta::assert_snapshot!("exchanges_without_colour", seat.keys("2").marks());
}

#[test]
fn screens_wait_until_everything_has_been_read() {
    let messages: Vec<_> =
        (0..400).map(|_| (documented("quake3/1.2.9/1"), SERVER, MASTER)).collect();
    let mut seat = Seat::unread(capture(&messages), (80, 24), Colour::Ansi);
    seat.load(100);
    assert!(seat.keys("2").screen().contains("known when everything has been read"));
    assert!(seat.keys("1L").screen().contains("exchanges are known when"), "{}", seat.screen());
    assert!(seat.keys("6G").screen().contains("100 of 100 messages"), "{}", seat.screen());
    // All is read, and half of it is indexed.
    seat.load(501);
    assert!(
        seat.keys("2").screen().contains("putting messages together, 50%"),
        "{}",
        seat.screen()
    );
    seat.load(usize::MAX);
    assert!(seat.screen().contains("1 of "), "{}", seat.screen());
}

#[test]
fn nothing_is_said_to_be_nothing() {
    let bytes = capture(&[(b"hello".to_vec(), CLIENT, SERVER)]);
    let mut seat = Seat::on(bytes, (80, 24));
    for (key, said) in [
        ("2", "no exchanges here"),
        ("3", "no servers here"),
        ("4", "no masters here"),
        ("5", "no findings here"),
        ("6", "no message yet"),
    ] {
        let screen = seat.keys(key).keys("<Enter>Ly<Tab>jG[]").screen();
        assert!(screen.contains(said), "{screen}");
    }
}

#[test]
fn the_mouse_goes_to_screens_and_rows() {
    let mut seat = Seat::on(tour(), (80, 24));
    seat.click(17, 1);
    assert!(seat.screen().contains("1 of "), "{}", seat.screen());
    assert!(seat.screen().contains("latency"), "{}", seat.screen());
    seat.click(10, 5);
    assert!(seat.screen().contains("3 of "), "{}", seat.screen());
    seat.mouse(MouseEventKind::ScrollDown, 10, 5);
    assert!(seat.screen().contains("6 of "), "{}", seat.screen());
    seat.click(3, 1);
    assert!(seat.screen().contains("─ fields ─"), "{}", seat.screen());
}

#[test]
fn what_is_of_messages_alone_is_refused_elsewhere() {
    let mut seat = Seat::on(tour(), (80, 24));
    for key in ["/", "n", "a", "F", ".", "r", "s", "]"] {
        let screen = seat.keys("2").keys(key).screen();
        assert!(screen.contains("1 shows them"), "{key}: {screen}");
    }
    seat.keys("y");
    let [Effect::Copy(row)] = &seat.stage.take()[..] else { panic!("a row is copied") };
    assert!(row.contains("registration"), "{row}");
    // Focused details scroll, and can fill the screen.
    insta::assert_snapshot!("details_zoomed", seat.keys("<Tab>zG").screen());
}
