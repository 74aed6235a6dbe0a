//! Messages that arrive while they are shown: the pause, and messages that are no longer kept.

use std::sync::Arc;

use super::user::{MASTER, SERVER, User, capture, documented};
use render::Colour;

/// Heartbeats of one server.
fn heartbeats(count: usize) -> Arc<[u8]> {
    let messages: Vec<_> =
        (0..count).map(|_| (documented("quake3/1.2.9/1"), SERVER, MASTER)).collect();
    capture(&messages)
}

#[test]
fn a_paused_display_shows_what_comes_later() {
    let mut user = User::unread(heartbeats(400), (100, 24), Colour::Ansi);
    user.load(100);
    user.keys("p");
    user.load(100);
    assert!(user.screen().contains("PAUSED, 100 new messages"), "{}", user.screen());
    assert!(user.screen().contains("1 of 100 messages"), "{}", user.screen());
    assert!(user.keys("p").screen().contains("1 of 200 messages"), "{}", user.screen());
    // At the end of a capture nothing can come later.
    user.keys("p");
    user.load(usize::MAX);
    assert!(user.screen().contains("1 of 400 messages"), "{}", user.screen());
    assert!(!user.screen().contains("PAUSED"), "{}", user.screen());
}

#[test]
fn a_pause_holds_for_all_screens() {
    let mut user = User::unread(heartbeats(400), (120, 24), Colour::Ansi);
    user.load(100);
    user.keys("p");
    user.load(100);
    for (screen, shown, resumed) in [
        ("6", "1 of 100 messages", "1 of 200 messages"),
        ("7", "sent 100 packets", "sent 200 packets"),
        ("8", "100 messages", "200 messages"),
        ("1", "1 of 100 messages", "1 of 200 messages"),
    ] {
        user.keys(screen);
        assert!(user.screen().contains(shown), "{screen}: {}", user.screen());
        assert!(!user.screen().contains(resumed), "{screen}: {}", user.screen());
        user.keys("p");
        assert!(user.screen().contains(resumed), "{screen}: {}", user.screen());
        // The same again, from the beginning.
        user = User::unread(heartbeats(400), (120, 24), Colour::Ansi);
        user.load(100);
        user.keys("p");
        user.load(100);
    }
}

#[test]
fn times_count_from_the_first_message_also_if_it_was_dropped() {
    let mut user = User::unread(heartbeats(9), (100, 24), Colour::Ansi);
    user.keep_last(3);
    user.load(usize::MAX);
    assert!(user.screen().contains("1.000000"), "{}", user.screen());
    let flows = user.keys("7").screen();
    assert!(flows.contains(" 0.000 ") && !flows.contains(" -"), "{flows}");
    assert!(flows.contains("from 0.000 to 1.000"), "{flows}");
}

#[test]
fn only_messages_that_are_kept_are_counted() {
    let mut user = User::unread(heartbeats(60), (140, 24), Colour::Ansi);
    user.keep_last(12);
    user.load(20);
    user.keys("fquake3.heartbeat<Enter>");
    user.load(10);
    for screen in ["1", "8"] {
        let shown = user.keys(screen).screen();
        assert!(shown.contains("  12 of 12 messages"), "{screen}: {shown}");
        assert!(!shown.contains("of 30"), "{screen}: {shown}");
    }
    assert!(user.keys("1G").screen().contains("12 of 12 messages · the first 18"));
    user.keys("x");
    assert!(user.screen().contains("12 of 12 messages · the first 18"), "{}", user.screen());
}

#[test]
fn a_marked_message_that_is_no_longer_kept_is_no_longer_marked() {
    let mut user = User::unread(heartbeats(60), (140, 24), Colour::Ansi);
    user.keep_last(12);
    user.load(12);
    user.keys("mGm");
    assert!(user.screen().contains("2 messages are marked"), "{}", user.screen());
    user.load(5);
    assert!(user.keys("d").screen().contains("a marked message is no longer kept; m marks"));
    assert!(user.keys("d").screen().contains("comparison of"), "{}", user.screen());
    user.keys("<Esc>");
    user.load(20);
    assert!(user.keys("m").screen().contains("marked; d on another message compares"));
}

#[test]
fn a_ladder_begins_with_the_first_message_that_is_kept() {
    let mut user = User::unread(heartbeats(60), (140, 24), Colour::Ansi);
    user.keep_last(12);
    user.load(30);
    let arrows = |user: &User| {
        let lines = user.screen();
        lines.lines().filter(|line| line.contains("heartbeat  QuakeArena")).count()
    };
    let screen = user.keys("6").screen();
    assert!(screen.contains("1 of 12 messages") && screen.contains("   19 "), "{screen}");
    assert_eq!(arrows(&user), 12, "{screen}");
    assert!(user.keys("G").screen().contains("12 of 12 messages"), "{}", user.screen());
    user.load(5);
    let screen = user.keys("gk").screen();
    assert!(screen.contains("1 of 12 messages") && screen.contains("   24 "), "{screen}");
    assert_eq!(arrows(&user), 12, "{screen}");
}
