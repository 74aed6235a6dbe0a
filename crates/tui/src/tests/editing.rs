//! Edited copies of messages, comparisons with other bytes, comments, marks and the time reference.

use crossterm::event::Event;

use super::user::{CLIENT, SERVER, User, capture, documented, tour};
use crate::action::TerminalCommand;
use crate::options::{Options, OtherAnswer};

impl User {
    fn paste(&mut self, text: &str) {
        self.app.event(&Event::Paste(text.to_owned()));
        self.draw();
    }

    fn has_quit(&mut self) -> bool {
        self.app.take_commands().contains(&TerminalCommand::Quit)
    }
}

#[test]
fn a_field_is_edited_decoded_again_and_undone() {
    let mut user = User::on(tour(), (100, 30));
    user.keys("jj<Enter>");
    let line = user.keys("jjjjjE").screen();
    assert!(line.contains("hostname = ^3The ^1Longest ^3Yard"), "{line}");
    let edited = user.keys("!<Enter>").screen();
    assert!(edited.contains("hostname: The Longest Yard!"), "{edited}");
    assert!(edited.contains("156 bytes, edited copy"), "{edited}");
    // The row has a sign, the edit stays while another message is selected.
    assert!(user.keys("<Esc>").screen().contains(" 3± 0.0601"), "{}", user.screen());
    assert!(user.keys("jk").screen().contains("edited copy"), "{}", user.screen());
    // What was captured, beside it.
    let compared = user.keys("d").screen();
    assert!(compared.contains("comparison of #3 as captured and the edited copy"), "{compared}");
    assert!(compared.contains("1 field differs"), "{compared}");
    let undone = user.keys("<Esc>R").screen();
    assert!(undone.contains("155 bytes ─") && undone.contains("as it was captured"), "{undone}");
    assert!(user.keys("R").screen().contains("this message was not edited"), "{}", user.screen());
}

#[test]
fn bytes_are_edited_where_the_cursor_is() {
    let mut user = User::on(tour(), (100, 30));
    user.keys("jj<Enter><Tab>");
    // The first byte of the header: without it, nothing is a message any more.
    let line = user.keys("E").screen();
    assert!(line.contains("byte 0x0 = ff"), "{line}");
    let broken = user.keys("<Backspace><Backspace><Enter>").screen();
    assert!(broken.contains("154 bytes, edited copy") && broken.contains("! "), "{broken}");
    // Several changes are undone one by one.
    user.keys("Eff ff<Enter>");
    assert!(user.keys("R").screen().contains("undone; 1 change left"), "{}", user.screen());
    assert!(user.keys("R").screen().contains("as it was captured"), "{}", user.screen());
    // Tab edits a field by its bytes, and back.
    user.keys("<Enter>jjjjj");
    assert!(user.keys("E<Tab>").screen().contains("8 6f 73 74 6e"), "{}", user.screen());
    assert!(user.keys("<Tab>").screen().contains("hostname = "), "{}", user.screen());
    // What is wrong stays in the line.
    let wrong = user.keys("<Tab>zz<Enter>").screen();
    assert!(wrong.contains("expected hex digits, two for each byte"), "{wrong}");
    user.keys("<Esc>");
    let other = user.keys("E\\\\x\\\\<Enter>").screen();
    assert!(other.contains("expected an escape") || other.contains("Tab edits"), "{other}");
}

#[test]
fn a_value_that_would_change_other_fields_is_refused() {
    let mut user = User::on(tour(), (100, 30));
    user.keys("jj<Enter>jjjjjE");
    let refused = user.keys("\\\\\\\\pure<Enter>").screen();
    assert!(refused.contains("it would end the field or change others"), "{refused}");
    // A group is edited by its bytes, the packet not at all.
    assert!(user.keys("<Esc>kkkE").screen().contains("65 5c 30"), "{}", user.screen());
    assert!(user.keys("<Esc>gE").screen().contains("cannot be edited"), "{}", user.screen());
}

#[test]
fn secrets_are_not_edited_while_they_are_masked() {
    let connect = capture(&[(documented("quake3/1.2.7/1"), CLIENT, SERVER)]);
    let mut user = User::on(connect, (100, 30));
    let line = user.keys("/cl_guid<Enter><Enter>E").screen();
    assert!(line.contains("this is masked"), "{line}");
}

#[test]
fn an_edited_message_is_written_to_a_capture_of_its_own() {
    let mut user = User::on(tour(), (100, 30));
    user.keys("jj<Enter>jjjjjE!<Enter><Esc>");
    let menu = user.keys("Y").screen();
    assert!(menu.contains("pcapng file with this packet"), "{menu}");
    let done = user.keys("w").screen();
    assert!(done.contains("1 packet written to story-packet3.pcapng"), "{done}");
    let written = std::fs::read(user.folder.path().join("story-packet3.pcapng")).unwrap();
    let contains = |text: &[u8]| written.windows(text.len()).any(|part| part == text);
    assert!(contains(b"^3Yard!"));
    // Another one does not replace it.
    assert!(user.keys("Yw").screen().contains("story-packet3-2.pcapng"), "{}", user.screen());
}

#[test]
fn a_message_is_compared_with_pasted_bytes() {
    let mut user = User::on(tour(), (100, 30));
    let line = user.keys("jP").screen();
    assert!(line.contains("compare with: "), "{line}");
    assert!(
        user.keys("what<Enter>").screen().contains("no bytes in this text"),
        "{}",
        user.screen()
    );
    user.keys("<Esc>P");
    user.paste("ffffffff 676574696e666f 20 58");
    let compared = user.keys("<Enter>").screen();
    assert!(compared.contains("comparison of #2 and the pasted bytes"), "{compared}");
    assert!(compared.contains("1 field differs") && compared.contains("Kf9x_2Zp1q"), "{compared}");
    // A dump of several rows is taken as it is pasted; of a packet, its payload.
    user.keys("<Esc>P");
    user.paste("0000  ff ff ff ff 67 65 74 69  ....geti\n0008  6e 66 6f 20 59           nfo Y\n");
    let compared = user.screen();
    assert!(compared.contains("the pasted bytes: getinfo, 13 bytes"), "{compared}");
}

#[test]
fn marks_are_many_and_gone_through() {
    let mut user = User::on(tour(), (100, 30));
    assert!(user.keys("'").screen().contains("m marks a message"), "{}", user.screen());
    user.keys("mjjmjjm");
    assert!(user.screen().contains("3 messages are marked"), "{}", user.screen());
    let at = |user: &User| user.screen().lines().next().unwrap().to_owned();
    user.keys("g'");
    assert!(at(&user).contains("3 of 27"), "{}", at(&user));
    user.keys("''");
    assert!(at(&user).contains("1 of 27"), "{}", at(&user));
    user.keys("\"");
    assert!(at(&user).contains("5 of 27"), "{}", at(&user));
    // The last two are compared, and the way back is kept.
    let compared = user.keys("d").screen();
    assert!(compared.contains("comparison of #3 and #5"), "{compared}");
}

#[test]
fn times_count_from_a_message() {
    let mut user = User::on(tour(), (100, 30));
    let screen = user.keys("jjj%").screen();
    assert!(screen.contains("times count from #4"), "{screen}");
    assert!(screen.contains(" 4T 0.0000"), "{screen}");
    assert!(screen.contains("-7.2601"), "{screen}");
    let screen = user.keys("%").screen();
    assert!(screen.contains("times count from the first message"), "{screen}");
    assert!(screen.contains(" 4  7.2601"), "{screen}");
}

#[test]
fn comments_are_written_and_kept_in_pcapng() {
    let mut user = User::on(tour(), (100, 30));
    let line = user.keys("j;").screen();
    assert!(line.contains("comment on #2: The master challenges"), "{line}");
    let kept = user.keys("<C-u>look here<Enter>").screen();
    assert!(kept.contains("#2: \"look here\"; e to a .pcapng keeps it"), "{kept}");
    assert!(kept.contains("  \"look here\""), "{kept}");
    assert!(user.keys(";").screen().contains("comment on #2: look here"), "{}", user.screen());
    // It is not lost by one key.
    user.keys("<Esc>q");
    assert!(user.screen().contains("the comments are not kept"), "{}", user.screen());
    assert!(!user.has_quit());
    user.keys("e<C-u>noted.pcapng<Enter>");
    user.saved();
    let written = std::fs::read(user.folder.path().join("noted.pcapng")).unwrap();
    assert!(written.windows(9).any(|part| part == b"look here"));
    user.keys("q");
    assert!(user.has_quit());
}

/// An interface whose reference answers each request with a challenge of its own, or not at all.
fn with_reference(replies: &'static [&'static [u8]]) -> User {
    let mut user = User::with(tour(), (100, 30), |options| Options {
        reference: Some(Box::new(move |session, message| {
            let header = session.header(message).ok_or("gone")?;
            let request = header.answers.unwrap_or(header.number);
            let captured = session.find(request + 1).filter(|_| request != 4);
            let replies = replies.iter().map(|reply| reply.to_vec()).collect();
            Ok(OtherAnswer { name: "the reference".to_owned(), request, captured, replies })
        })),
        ..options
    });
    user.load(usize::MAX);
    user
}

#[test]
fn an_answer_is_compared_with_that_of_the_reference() {
    let mut user = with_reference(&[b"\xff\xff\xff\xffgetinfo other"]);
    let compared = user.keys("M").screen();
    assert!(compared.contains("comparison of #2 and the reference"), "{compared}");
    assert!(compared.contains("1 field differs") && compared.contains("other"), "{compared}");
    // No answer was captured: the reference's stands alone.
    let alone = user.keys("<Esc>:4<Enter>M").screen();
    assert!(alone.contains("no answer to #4 was captured; the reference sends"), "{alone}");
    assert!(alone.contains("challenge: other"), "{alone}");
    let mut user = with_reference(&[]);
    let none = user.keys("M").screen();
    assert!(none.contains("the reference sends no answer to #1"), "{none}");
    let mut user = User::on(tour(), (100, 30));
    assert!(user.keys("M").screen().contains("there is no reference here"), "{}", user.screen());
}
