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

/// The packets of a story in simple packet blocks, which have no time.
fn untimed() -> Arc<[u8]> {
    let story = story();
    let (header, mut left) = story.split_at(24);
    let mut file = Vec::new();
    let mut block = |kind: u32, contents: &[u8]| {
        let padding = vec![0; contents.len().next_multiple_of(4) - contents.len()];
        let length = (12 + contents.len() + padding.len()) as u32;
        let ends = [kind, length].map(u32::to_le_bytes).concat();
        file.extend([&ends, contents, &padding, &length.to_le_bytes()[..]].concat());
    };
    block(0x0a0d_0d0a, b"\x4d\x3c\x2b\x1a\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff");
    block(1, &[&header[20..24], &[0; 4]].concat());
    while let Some((record, rest)) = left.split_first_chunk::<16>() {
        let length = u32::from_le_bytes([record[8], record[9], record[10], record[11]]);
        let (packet, rest) = rest.split_at(length as usize);
        block(3, &[&length.to_le_bytes(), packet].concat());
        left = rest;
    }
    file.into()
}

#[test]
fn no_screen_shows_a_time_of_packets_without_one() {
    let screens = "1234567".chars().map(|key| {
        let screen = User::on(untimed(), (120, 40)).keys(&key.to_string()).screen();
        for wrong in ["1970", "no time s", "at no time", "from no time", "to no time"] {
            assert!(!screen.contains(wrong), "{wrong} on {key}:\n{screen}");
        }
        screen
    });
    let screens = screens.collect::<Vec<_>>().concat();
    for text in ["first seen in #1, which has no time", "its packets have no time"] {
        assert!(screens.contains(text), "{text}:\n{screens}");
    }
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
