//! Entries of lists that cannot be asked, and masters that are not there.

use std::net::UdpSocket;

use super::rounds;
use crate::process::PATIENCE;

/// A master that answers so many requests with these entries.
fn listing(
    entries: &'static [&'static [u8; 6]],
    requests: u32,
) -> (String, std::thread::JoinHandle<()>) {
    let master = UdpSocket::bind("127.0.0.1:0").unwrap();
    master.set_read_timeout(Some(PATIENCE)).unwrap();
    let target = master.local_addr().unwrap().to_string();
    let answering = std::thread::spawn(move || {
        for _ in 0..requests {
            let (_, from) = master.recv_from(&mut [0; 2000]).unwrap();
            let entries = entries.iter().flat_map(|entry| [b"\\", &entry[..]].concat());
            let list = b"\xff\xff\xff\xffgetserversResponse".iter().copied().chain(entries);
            let list: Vec<_> = list.chain(*b"\\EOT\0\0\0").collect();
            master.send_to(&list, from).unwrap();
        }
    });
    (target, answering)
}

#[test]
fn an_entry_that_cannot_be_sent_to_does_not_answer() {
    let folder = tempfile::tempdir().unwrap();
    // The broadcast address of loopback, and a port that may not be asked.
    let entries: &[_] = &[b"\x7f\xff\xff\xff\x75\x30", b"\x7f\0\0\x01\0\x05"];
    let (target, answering) = listing(entries, 4);
    let arguments =
        ["--target", &target, "--profile", "quake3", "--probe", "never", "--check-entries", "20"];
    let all = rounds(folder.path(), 4, &arguments);
    answering.join().unwrap();
    for document in &all {
        let master = &document["masters"][0];
        assert_eq!((&master["answered"], &master["servers"]), (&true.into(), &2.into()));
        assert_eq!(master["entries"]["silent"][0], "127.255.255.255:30000", "{document}");
        assert_eq!(master["entries"]["asked"], 1, "{document}");
        assert_eq!(master["entries"]["not_permitted"], 1, "{document}");
    }
    assert_eq!(all[3]["alerts"][0]["alert"], "entries-silent");
}
