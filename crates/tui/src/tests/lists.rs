//! Lists of servers over all of their packets.

use std::net::SocketAddr;

use super::user::{CLIENT, MASTER, User, frames_at, tour};

/// Two lists of a master, each of these servers (the last octet of 192.0.2.x).
fn two_lists(lists: [&[u8]; 2]) -> User {
    let (client, master) = (SocketAddr::from(CLIENT), SocketAddr::from(MASTER));
    let mut messages = Vec::new();
    for (at, servers) in (0..).zip(lists) {
        let request = b"\xff\xff\xff\xffgetservers 68 full empty".to_vec();
        messages.push((10_000 * at, client, master, request));
        let mut list = b"\xff\xff\xff\xffgetserversResponse".to_vec();
        for last in servers {
            list.extend([b'\\', 192, 0, 2, *last, 0x6d, 0x38]);
        }
        list.extend(b"\\EOT\0\0\0");
        messages.push((10_000 * at + 50, master, client, list));
    }
    User::on(frames_at(messages), (80, 24))
}

#[test]
fn a_list_in_two_packets_is_shown_as_one() {
    let mut user = User::on(tour(), (80, 24));
    insta::assert_snapshot!("whole_list", user.keys("A").screen());
    // From one of its packets it is the same; Esc closes it.
    let shown = |user: &User| {
        let screen = user.screen();
        let rows = screen.lines().filter_map(|line| line.split('│').nth(1));
        rows.take(10).map(str::to_owned).collect::<Vec<_>>()
    };
    let first = shown(&user);
    user.keys("<Esc>:8<Enter>A");
    assert_eq!(first, shown(&user));
}

#[test]
fn what_changed_against_the_list_before_is_reported() {
    let mut user = two_lists([&[1, 2, 3], &[2, 3, 4, 3]]);
    let screen = user.keys("GA").screen();
    assert!(screen.contains("against the list before: 1 new (+), 1 gone (-)"), "{screen}");
    assert!(screen.contains(" +  192.0.2.4:27960"), "{screen}");
    assert!(screen.contains(" -  192.0.2.1:27960  gone"), "{screen}");
    assert!(screen.contains(" 2× 192.0.2.3:27960"), "{screen}");
    let first = user.keys("<Esc>gA").screen();
    assert!(first.contains("no list before it with the same request"), "{first}");
    assert!(first.contains("not asked"), "{first}");
    let mut user = two_lists([&[1, 2], &[2, 1]]);
    let screen = user.keys("GA").screen();
    assert!(screen.contains("the same servers as in the list before"), "{screen}");
}

#[test]
fn a_server_whose_challenge_was_not_returned_was_asked() {
    let (client, master) = (SocketAddr::from(CLIENT), SocketAddr::from(MASTER));
    let server = SocketAddr::from(([192, 0, 2, 1], 27015));
    let query = b"\xff\xff\xff\xffTSource Engine Query\0".to_vec();
    let list = b"\xff\xff\xff\xffgetserversResponse\\\xc0\x00\x02\x01\x69\x87\\EOT\0\0\0".to_vec();
    let messages = vec![
        (0, client, server, query),
        (50, server, client, b"\xff\xff\xff\xffA\x0a\x08\x5e\xea".to_vec()),
        (60_000, client, master, b"\xff\xff\xff\xffgetservers 68 full empty".to_vec()),
        (60_050, master, client, list),
    ];
    let mut user = User::on(frames_at(messages), (80, 24));
    let screen = user.keys("GA").screen();
    assert!(screen.contains("192.0.2.1:27015  #4  incomplete"), "{screen}");
}

#[test]
fn without_a_list_there_is_none() {
    let mut user = User::on(super::user::capture(&[(b"hello".to_vec(), CLIENT, MASTER)]), (80, 24));
    assert!(user.keys("A").screen().contains("there is no list of servers"), "{}", user.screen());
}
