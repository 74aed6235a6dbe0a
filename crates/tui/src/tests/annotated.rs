//! The annotated bytes of the selected message.

use std::net::SocketAddr;
use std::sync::Arc;

use super::user::{CLIENT, MASTER, User, frames, story, tour};
use crate::format::MessageView;
use crate::options::Options;

/// A list whose third entry lacks a byte of its address.
fn short_entry() -> Arc<[u8]> {
    let list = b"\xff\xff\xff\xffgetserversResponse\
        \\\xc0\x00\x02\x0a\x6d\x38\\\xc0\x00\x02\x0b\x6d\x38\\\xc0\x00\x0c\x6d\x38\
        \\\xc0\x00\x02\x0d\x6d\x38\\\xc0\x00\x02\x0e\x6d\x38\\EOT\0\0\0";
    let (client, master) = (SocketAddr::from(CLIENT), SocketAddr::from(MASTER));
    frames(&[
        (client, master, b"\xff\xff\xff\xffgetservers 68 empty full".to_vec()),
        (master, client, list.to_vec()),
    ])
}

#[test]
fn a_list_has_one_entry_a_row_and_its_fault_in_place() {
    for size @ (columns, rows) in [(40, 12), (80, 24), (120, 40), (200, 60)] {
        let mut user = User::on(short_entry(), size);
        insta::assert_snapshot!(
            format!("annotated_{columns}x{rows}"),
            user.keys("j<Enter>").screen()
        );
    }
}

#[test]
fn a_byte_that_is_missing_is_found_with_few_keys() {
    let mut user = User::on(short_entry(), (80, 24));
    // The third entry has the separator of the fourth as its last byte.
    let screen = user.keys("jz").keys("<Enter>").screen();
    assert!(screen.contains("5c c0 00 0c 6d 38 5c"), "{screen}");
    assert!(screen.contains(r#"expected 5c "\" or the end of the"#), "{screen}");
    assert!(screen.contains("(0x2b), found c0"), "{screen}");
}

#[test]
fn the_cursor_goes_by_field_and_by_byte() {
    let mut user = User::on(tour(), (80, 24));
    user.keys("jj<Enter>jjj");
    insta::assert_snapshot!("annotated_by_field", user.marks());
    user.keys("<Tab><Right>j");
    insta::assert_snapshot!("annotated_by_byte", user.marks());
    assert!(user.screen().contains("u16be"), "{}", user.screen());
    // A byte leads to its field, and back.
    assert!(user.keys("<Enter>").screen().contains("by field"), "{}", user.screen());
    assert!(user.keys("G").screen().contains("punkbuster = 0"), "{}", user.screen());
    assert!(user.keys("gj").screen().contains("header = ff ff ff ff"), "{}", user.screen());
    assert!(user.keys("<Esc>").screen().contains("annotated bytes ─"), "{}", user.screen());
}

#[test]
fn the_packet_of_a_message_is_above_it() {
    let mut user = User::on(tour(), (100, 30));
    let folded = user.keys("jj<Enter>").screen();
    assert!(folded.contains("▸ packet: Ethernet, IPv4 TTL 64 id 0x0000, UDP"), "{folded}");
    // Its headers, and their fields with their bytes.
    user.keys("g<Enter>jj<Enter>jjj");
    insta::assert_snapshot!("packet_by_field", user.marks());
    assert!(user.screen().contains("checksum"), "{}", user.screen());
    user.keys("<Tab><Right>");
    let by_byte = user.screen();
    assert!(by_byte.contains("packet, offset 17 (0x11)"), "{by_byte}");
    // From there on to the bytes of the message.
    let behind = user.keys("G").screen();
    assert!(behind.contains("offset 154 (0x9a)") && !behind.contains("packet, offset"), "{behind}");
    // In the tree the bytes beside it are those of the packet while the cursor is there.
    let tree = user.keys("v<Esc><Tab>g").screen();
    assert!(tree.contains("headers of the packet") && tree.contains("packet = Ethernet"), "{tree}");
    let message = user.keys("G").screen();
    assert!(!message.contains("headers of the packet"), "{message}");
}

#[test]
fn groups_fold_to_all_their_bytes() {
    let mut user = User::on(tour(), (80, 24));
    let folded = user.keys("jj<Enter>jj<Left>").screen();
    assert!(folded.contains("▸ info (9)"), "{folded}");
    assert!(!folded.contains("hostname: The"), "{folded}");
    assert!(folded.contains("0018  "), "{folded}");
    assert!(user.keys("<Right>").screen().contains("hostname: The"), "{}", user.screen());
}

#[test]
fn a_field_that_is_taller_than_the_pane_is_scrolled_through() {
    let (client, master) = (SocketAddr::from(CLIENT), SocketAddr::from(MASTER));
    let mut print = b"\xff\xff\xff\xffprint\n".to_vec();
    (0..90).for_each(|n| print.extend(format!("line {n:02}\n").bytes()));
    let mut user = User::on(frames(&[(master, client, print)]), (80, 24));
    user.keys("<Enter>G");
    let first = user.screen();
    user.keys("j");
    assert_ne!(user.screen(), first, "{first}");
    user.keys("G");
    for _ in 0..120 {
        user.keys("j");
    }
    assert!(user.screen().contains("line 89"), "{}", user.screen());
    for _ in 0..120 {
        user.keys("k");
    }
    assert!(user.screen().contains("header: ff ff ff ff"), "{}", user.screen());
}

#[test]
fn views_of_a_message_follow_each_other() {
    let mut user = User::on(tour(), (100, 24));
    user.keys("jj<Enter>");
    assert!(user.keys("v").screen().contains("─ fields ─"), "{}", user.screen());
    insta::assert_snapshot!("view_bytes", user.keys("v").screen());
    assert!(user.keys("<Tab><Tab><Enter>").screen().contains("offset "), "{}", user.screen());
    assert!(user.keys("v").screen().contains("annotated bytes"), "{}", user.screen());
    let tree = |mut options: Options| {
        options.config.message = MessageView::Tree;
        options
    };
    let mut user = User::with(tour(), (100, 24), tree);
    // Without a message, the list has all rows.
    assert!(!user.screen().contains("─ fields ─"), "{}", user.screen());
    user.load(usize::MAX);
    assert!(user.screen().contains("─ fields ─"), "{}", user.screen());
}

#[test]
fn the_mouse_selects_bytes_fields_and_folds() {
    let mut user = User::on(tour(), (80, 24));
    user.keys("jj");
    let row = |user: &User, text: &str| {
        user.screen().lines().position(|line| line.contains(text)).unwrap() as u16
    };
    let info = row(&user, "▾ info (9)");
    user.click(7, info);
    assert!(user.screen().contains("offset 16 (0x10)"), "{}", user.screen());
    user.click(60, info - 1);
    assert!(user.screen().contains("command = infoResponse"), "{}", user.screen());
    user.click(41, row(&user, "▾ info (9)"));
    assert!(user.screen().contains("▸ info (9)"), "{}", user.screen());
}

#[test]
fn decoded_text_follows_the_bytes() {
    let mut user = User::on(story(), (100, 40));
    user.keys("jjjjjjjjj<Enter>z");
    insta::assert_snapshot!("annotated_decoded", user.screen());
    assert!(user.keys("<Tab><Tab>").screen().contains("decoded, offset"), "{}", user.screen());
    // By byte, the rows of both follow each other.
    assert!(user.keys("g").screen().contains("\"offset 0 (0x0)"), "{}", user.screen());
    assert!(user.keys("G").screen().contains("decoded, offset"), "{}", user.screen());
}
