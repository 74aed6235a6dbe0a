//! The filter line, and the filtered list.

use super::coloured;
use super::user::{MASTER, SERVER, User, capture, documented, story};
use render::Colour;

#[test]
fn the_filter_line_shows_errors_and_completes_names() {
    let mut user = User::on(story(), (100, 24));
    insta::assert_snapshot!("filter_wrong", user.keys("jjfquake3 and udp.prot == 5").screen());
    let line = coloured(&user, "filter:");
    assert!(line.contains(" and Red[udp.prot] =="), "{line}");
    user.keys("<C-u>UDP.s<Tab>");
    assert!(user.screen().contains("filter: udp.srcport"), "{}", user.screen());
    assert!(
        coloured(&user, "filter:").contains("Green[udp.srcport"),
        "{}",
        coloured(&user, "filter:")
    );
    // The common prefix first, then one after the other, and back.
    user.keys("<C-u>quake3.getserv<Tab>");
    assert!(user.screen().contains("filter: quake3.getservers "), "{}", user.screen());
    insta::assert_snapshot!("filter_completed", user.keys("<Tab><Tab>").screen());
    assert!(user.keys("<BackTab>").screen().contains("filter: quake3.getservers "));
    // An invalid filter is not applied.
    user.keys("<C-u>udp.prot<Enter>");
    assert!(user.screen().contains("did you mean udp.port?"), "{}", user.screen());
    user.keys("<Esc>");
    assert!(user.screen().contains("3 of 11 messages"), "{}", user.screen());
}

#[test]
fn a_filter_shows_matching_messages_and_escape_removes_it() {
    let mut user = User::on(story(), (100, 24));
    user.keys("jjjjfserver == 192.0.2.10 && client<Enter>");
    insta::assert_snapshot!("filtered", user.screen());
    assert!(user.screen().contains("6 of 11 messages"), "{}", user.screen());
    // Keys, searches and clicks refer to the filtered list.
    assert!(user.keys("G").screen().contains("6 of 6 messages"), "{}", user.screen());
    assert!(user.keys("g/#9<Enter>").screen().contains("4 of 6 messages"), "{}", user.screen());
    assert!(user.click(20, 3).screen().contains("1 of 6 messages"), "{}", user.screen());
    assert!(user.keys("/heartbeat<Enter>").screen().contains("not found"), "{}", user.screen());
    // The selected message stays selected.
    user.keys("<Esc>G<Esc>");
    assert!(user.screen().contains("11 of 11 messages"), "{}", user.screen());
    user.keys("fquake3.info-response<Enter>a");
    assert!(user.screen().contains("the filter hides message #"), "{}", user.screen());
    user.keys("f<C-u>rtcw<Enter>");
    assert!(user.screen().contains("no message matches the filter"), "{}", user.screen());
    user.keys("jGrsa/x<Enter><Esc>n<Tab>y");
    user.keys("f<C-u><Enter>");
    assert!(user.screen().contains(" of 11 messages"), "{}", user.screen());
}

#[test]
fn a_filter_continues_while_messages_arrive() {
    let messages: Vec<_> = (0..600)
        .map(|i| (documented(["quake3/1.2.9/1", "quake3/1.1.1/1"][i % 2]), SERVER, MASTER))
        .collect();
    let mut user = User::unread(capture(&messages), (100, 24), Colour::Ansi);
    user.load(100);
    user.keys("fquake3.heartbeat<Enter>");
    assert!(user.screen().contains("50 of 100 messages"), "{}", user.screen());
    user.keys("G");
    user.load(100);
    assert!(user.screen().contains("following · 100 of 100 messages"), "{}", user.screen());
    user.keys("gjj");
    user.load(usize::MAX);
    assert!(user.screen().contains("3 of 300 messages"), "{}", user.screen());
    assert!(user.screen().contains("300 of 600 messages"), "{}", user.screen());
    // Fields too, in several batches.
    user.keys("f<C-u>field.tag ~ \"arena\"<Enter>");
    assert!(user.screen().contains("300 of 600 messages"), "{}", user.screen());
}
