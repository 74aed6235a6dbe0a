//! The filter line, and the filtered list.

use super::coloured;
use super::seat::{MASTER, SERVER, Seat, capture, documented, story};
use crate::render::Colour;

#[test]
fn a_filter_line_tells_whether_it_is_one_and_completes_names() {
    let mut seat = Seat::on(story(), (100, 24));
    insta::assert_snapshot!("filter_wrong", seat.keys("jjfquake3 and udp.prot == 5").screen());
    let line = coloured(&seat, "filter:");
    assert!(line.contains(" and Red[udp.prot] =="), "{line}");
    seat.keys("<C-u>UDP.s<Tab>");
    assert!(seat.screen().contains("filter: udp.srcport"), "{}", seat.screen());
    assert!(
        coloured(&seat, "filter:").contains("Green[udp.srcport"),
        "{}",
        coloured(&seat, "filter:")
    );
    // The common prefix first, then one after the other, and back.
    seat.keys("<C-u>quake3.getserv<Tab>");
    assert!(seat.screen().contains("filter: quake3.getservers "), "{}", seat.screen());
    insta::assert_snapshot!("filter_completed", seat.keys("<Tab><Tab>").screen());
    assert!(seat.keys("<BackTab>").screen().contains("filter: quake3.getservers "));
    // An invalid filter is not applied.
    seat.keys("<C-u>udp.prot<Enter>");
    assert!(seat.screen().contains("did you mean udp.port?"), "{}", seat.screen());
    seat.keys("<Esc>");
    assert!(seat.screen().contains("3 of 11 messages"), "{}", seat.screen());
}

#[test]
fn a_filter_shows_what_it_means_and_escape_shows_all_again() {
    let mut seat = Seat::on(story(), (100, 24));
    seat.keys("jjjjfserver == 192.0.2.10 && client<Enter>");
    insta::assert_snapshot!("filtered", seat.screen());
    assert!(seat.screen().contains("6 of 11 messages"), "{}", seat.screen());
    // Keys, searches and clicks refer to the filtered list.
    assert!(seat.keys("G").screen().contains("6 of 6 messages"), "{}", seat.screen());
    assert!(seat.keys("g/#9<Enter>").screen().contains("4 of 6 messages"), "{}", seat.screen());
    assert!(seat.click(20, 3).screen().contains("1 of 6 messages"), "{}", seat.screen());
    assert!(seat.keys("/heartbeat<Enter>").screen().contains("not found"), "{}", seat.screen());
    // The selected message stays selected.
    seat.keys("G<Esc>");
    assert!(seat.screen().contains("11 of 11 messages"), "{}", seat.screen());
    seat.keys("fquake3.info-response<Enter>a");
    assert!(seat.screen().contains("the filter hides message #"), "{}", seat.screen());
    seat.keys("f<C-u>rtcw<Enter>");
    assert!(seat.screen().contains("no message that the filter means"), "{}", seat.screen());
    seat.keys("jGrsa/x<Enter>n<Tab>y");
    seat.keys("f<C-u><Enter>");
    assert!(seat.screen().contains(" of 11 messages"), "{}", seat.screen());
}

#[test]
fn a_filter_goes_on_while_more_is_read() {
    let messages: Vec<_> = (0..600)
        .map(|i| (documented(["quake3/1.2.9/1", "quake3/1.1.1/1"][i % 2]), SERVER, MASTER))
        .collect();
    let mut seat = Seat::unread(capture(&messages), (100, 24), Colour::Ansi);
    seat.load(100);
    seat.keys("fquake3.heartbeat<Enter>");
    assert!(seat.screen().contains("50 of 100 messages"), "{}", seat.screen());
    seat.keys("G");
    seat.load(100);
    assert!(seat.screen().contains("following · 100 of 100 messages"), "{}", seat.screen());
    seat.keys("gjj");
    seat.load(usize::MAX);
    assert!(seat.screen().contains("3 of 300 messages"), "{}", seat.screen());
    assert!(seat.screen().contains("300 of 600 messages"), "{}", seat.screen());
    // Fields too, in several batches.
    seat.keys("f<C-u>field.tag ~ \"arena\"<Enter>");
    assert!(seat.screen().contains("300 of 600 messages"), "{}", seat.screen());
}
