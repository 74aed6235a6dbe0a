//! Servers and masters are asked again: what is shown before, what is sent, and what comes of it.

use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use crossterm::event::MouseEventKind;

use super::user::{CLIENT, MASTER, SERVER, User, capture, documented, frames, tour};
use crate::options::Options;
use query::QuestionThread;

const STATUS: &[u8] = b"\xff\xff\xff\xffgetstatus abc";
const THEN: &[u8] =
    b"\xff\xff\xff\xffstatusResponse\n\\challenge\\abc\\mapname\\q3dm6\\version\\Q3 1.32\n";
const NOW: &[u8] =
    b"\xff\xff\xff\xffstatusResponse\n\\challenge\\abc\\mapname\\q3dm17\\version\\Q3 1.32\n";

/// A client of the capture, which is not there any more.
const ASKER: &str = "127.0.0.1:27999";

/// A peer on loopback that answers each datagram so, and the datagrams that it got when nothing more
/// comes.
struct Peer {
    at: SocketAddr,
    got: JoinHandle<Vec<Vec<u8>>>,
}

impl Peer {
    fn new(answers: &'static [&'static [u8]]) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(3_500))).unwrap();
        let at = socket.local_addr().unwrap();
        let got = spawn(move || {
            let (mut got, mut buffer) = (Vec::new(), [0; 2048]);
            while let Ok((length, from)) = socket.recv_from(&mut buffer) {
                got.push(buffer[..length].to_vec());
                for answer in answers {
                    socket.send_to(answer, from).unwrap();
                }
            }
            got
        });
        Self { at, got }
    }

    /// An interface on a capture in which it was asked.
    fn asked(&self, size: (u16, u16)) -> User {
        let asker = ASKER.parse().unwrap();
        on(frames(&[(asker, self.at, STATUS.to_vec()), (self.at, asker, THEN.to_vec())]), size)
    }

    fn got(self) -> Vec<Vec<u8>> {
        self.got.join().unwrap()
    }
}

fn on(bytes: Arc<[u8]>, size: (u16, u16)) -> User {
    let mut user = User::with(bytes, size, |options| Options {
        questions: Some(QuestionThread::start().unwrap()),
        ..options
    });
    user.load(usize::MAX);
    user
}

fn has(user: &User, text: &str) {
    let screen = user.screen();
    assert!(screen.contains(text), "{text} is not on\n{screen}");
}

#[test]
fn a_question_is_shown_before_it_is_sent() {
    let user = &mut on(tour(), (80, 24));
    insta::assert_snapshot!("question_80x24", user.keys("jjjjjQ").screen());
    insta::assert_snapshot!("question_of_a_server", user.keys("<Esc>3Q").screen());
    insta::assert_snapshot!("question_to_a_master", user.keys("<Esc>4Q").screen());
}

#[test]
fn nothing_is_sent_by_one_key() {
    let peer = Peer::new(&[NOW]);
    let mut user = peer.asked((80, 24));
    let heading = format!("ask {}", peer.at);
    for keys in ["Q<Esc>", "Qq", "QQ", "Q2", "Qj<Esc>", "1QE<Esc>", "Q/x<Enter><Esc><Esc>"] {
        assert!(!user.keys(keys).screen().contains(&heading), "{keys}");
    }
    has(user.keys("1Q"), &heading);
    // A double click on the text, a click beside it, and one on a key of the bottom.
    user.click(30, 10).click(30, 10).keys("Q").click(2, 2).keys("Q");
    let leave = user.screen().lines().last().unwrap().find("leave").unwrap();
    user.click(u16::try_from(leave).unwrap(), 23).mouse(MouseEventKind::ScrollDown, 30, 10);
    assert_eq!(peer.got(), Vec::<Vec<u8>>::new());
}

#[test]
fn an_answer_is_added_and_compared_with_the_recorded_one() {
    let peer = Peer::new(&[NOW]);
    let mut user = peer.asked((100, 30));
    has(user.keys("jQ"), "getstatus, as in #1");
    user.keys("<Enter>");
    has(&user, &format!("{}: answered after", peer.at));
    has(&user, "< #2 statusResponse");
    has(&user, "> the answer now: statusResponse");
    has(&user, "1 field differs");
    has(&user, "q3dm6");
    // The exchange stands below what was captured, and is asked again from there, edited.
    has(user.keys("<Enter>"), "of 4 messages");
    has(user.keys("<Tab>gjjjE<C-u>xyz<Enter>Q"), "getstatus, the edited copy of #3");
    user.keys("<Enter>");
    has(&user, &format!("{}: it sends something that is no answer", peer.at));
    // What answers another question is no answer, so it is asked again.
    let other = &b"\xff\xff\xff\xffgetstatus xyz"[..];
    assert_eq!(peer.got(), [STATUS, other, other, other]);
}

#[cfg(unix)]
#[test]
fn an_exchange_is_added_to_what_came_through_a_pipe() {
    use std::io::Write as _;
    use std::os::fd::OwnedFd;

    use capture::Input;

    let peer = Peer::new(&[NOW]);
    let asker = ASKER.parse().unwrap();
    let before = [(asker, peer.at, STATUS.to_vec()), (peer.at, asker, THEN.to_vec())];
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(&frames(&before)).unwrap();
    drop(writer);
    let input =
        Input::Held { name: "pipe".to_owned(), file: Arc::new(OwnedFd::from(reader).into()) };
    let mut user = User::reading(input, (100, 30), |options| Options {
        questions: Some(QuestionThread::start().unwrap()),
        ..options
    });
    user.load(usize::MAX);
    has(user.keys("Q<Enter>"), "q3dm6");
    has(user.keys("<Enter>"), "of 4 messages");
    // So is the next one.
    user.keys("<Tab>gjjQ<Enter>");
    has(user.keys("<Enter>"), "of 6 messages");
    assert_eq!(peer.got(), [STATUS, STATUS]);
}

#[test]
fn a_server_is_asked_by_the_mouse() {
    let peer = Peer::new(&[b"\xff\xff\xff\xffstatusResponse\n\\challenge\\fragshark\n"]);
    let mut user = peer.asked((100, 30));
    user.keys("3Q");
    has(&user, "getstatus, as clients ask for it");
    let bottom = user.screen().lines().last().unwrap().to_owned();
    let send = bottom[..bottom.find("send").unwrap()].chars().count();
    user.click(u16::try_from(send).unwrap() - 1, 29);
    assert_eq!(peer.got(), [b"\xff\xff\xff\xffgetstatus fragshark"]);
}

#[test]
fn a_silent_server_is_asked_three_times() {
    let peer = Peer::new(&[]);
    let mut user = peer.asked((100, 30));
    user.keys("Q<Enter>");
    has(&user, &format!("{}: no answer", peer.at));
    has(&user, "#2 statusResponse was recorded; now it did not come");
    assert_eq!(peer.got(), [STATUS; 3]);
}

#[test]
fn two_lists_are_compared() {
    const LIST: &[u8] = b"\xff\xff\xff\xffgetservers 68 full empty";
    const ANSWER: &[u8] =
        b"\xff\xff\xff\xffgetserversResponse\\\xc0\x00\x02\x0a\x6d\x38\\EOT\0\0\0";
    let peer = Peer::new(&[ANSWER]);
    let asker = ASKER.parse().unwrap();
    let before = [&ANSWER[..22], b"\\\xc0\x00\x02\x0b\x6d\x38\\EOT\0\0\0"].concat();
    let all = frames(&[(asker, peer.at, LIST.to_vec()), (peer.at, asker, before)]);
    let mut user = on(all, (100, 40));
    user.keys("4Q<Enter>");
    has(&user, "recorded: 1 server, now: 1 server");
    has(&user, "no longer listed: 192.0.2.11:27960");
    has(&user, "listed now: 192.0.2.10:27960");
    assert_eq!(peer.got(), [LIST]);
}

#[test]
fn where_nothing_may_be_sent_the_reason_is_shown() {
    let to = |end: &str| frames(&[(CLIENT.into(), end.parse().unwrap(), STATUS.to_vec())]);
    for (bytes, why) in [
        (to("255.255.255.255:27960"), "255.255.255.255 is not the address of one machine"),
        (to("224.0.0.1:27960"), "224.0.0.1 is not the address of one machine"),
        (to("192.0.2.10:0"), "nothing is sent to port 0"),
        (capture(&[(documented("quake3/1.2.9/1"), SERVER, MASTER)]), "clients do not send this"),
        (frames(&[]), "to ask"),
    ] {
        let mut user = on(bytes, (100, 30));
        has(user.keys("Q"), why);
    }
    // Without the thread that sends, as where it cannot be started.
    let mut user = User::on(tour(), (80, 24));
    has(user.keys("jjjjjQ<Enter>"), "nothing can be sent from here");
}
