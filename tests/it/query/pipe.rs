//! An exchange is added to a session whose input is not read again: a pipe, and a compressed capture
//! of which little is kept.
#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread;

use fragshark::analysis::{Loader, Session};
use fragshark::capture::Input;
use fragshark::protocols::registry;
use parking_lot::Mutex;

use super::{answering, printed, server};

/// What a session has, as text: its messages with numbers, inputs, names and bytes, and its totals.
fn content((session, loader): (Session, Loader)) -> (Session, Vec<String>) {
    let session = Mutex::new(session);
    loader.run(&session);
    let session = session.into_inner();
    let index = session.index().expect("the index");
    let mut found =
        vec![format!("{} packets, {} exchanges", session.packets(), index.exchanges().len())];
    let mut payload = Vec::new();
    for at in 0..session.len() {
        let message = session.message(at, &mut payload).unwrap().unwrap();
        let header = &message.header;
        found.push(format!(
            "{} {} {} {:?} {:?} {} {}",
            header.number,
            session.input_set().file(header.input),
            header.source,
            header.entry,
            header.answers,
            header.verdict.game.id,
            message.payload.escape_ascii()
        ));
    }
    (session, found)
}

#[test]
fn a_pipe_goes_on_with_an_exchange_as_a_file_does() {
    let game = registry().game("quake3").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let records = ["one", "two"].map(|name| folder.path().join(name).with_extension("pcapng"));
    answering(server(game.protocol, game), |at| {
        for record in &records {
            printed(&[&format!("quake3://{at}"), "--record", record.to_str().unwrap()], 0);
        }
    });
    let tour = include_bytes!("../../../captures/tour.pcapng");
    let (reader, mut writer) = std::io::pipe().unwrap();
    let feeding = thread::spawn(move || writer.write_all(tour));
    let pipe =
        Input::Held { name: "tour".to_owned(), file: Arc::new(OwnedFd::from(reader).into()) };
    let file = Input::Memory { name: "tour".to_owned(), bytes: tour.as_slice().into() };
    let (mut piped, before) = content(Session::open(&[pipe], Vec::new()).unwrap());
    feeding.join().unwrap().unwrap();
    assert_eq!(content(Session::open(std::slice::from_ref(&file), Vec::new()).unwrap()).1, before);
    let mut inputs = vec![file];
    for record in records {
        let record = Input::File(record);
        inputs.push(record.clone());
        let found;
        (piped, found) = content(piped.with(record, 1).unwrap());
        assert_eq!(found, content(Session::open(&inputs, Vec::new()).unwrap()).1);
        assert_eq!(found.len(), before.len() + 2 * (inputs.len() - 1));
        // It was read once, and its frames cannot be read again.
        assert!(piped.frames().unwrap().is_none());
    }
    let earlier = piped.with(inputs.swap_remove(0), 1).map(drop).unwrap_err();
    assert_eq!(earlier.to_string(), "the capture has packets that are later than now");
}

#[test]
fn a_compressed_capture_goes_on_with_an_exchange_without_being_read_again() {
    let game = registry().game("quake3").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record.pcapng");
    answering(server(game.protocol, game), |at| {
        printed(&[&format!("quake3://{at}"), "--record", record.to_str().unwrap()], 0);
    });
    let compressed = folder.path().join("tour.pcapng.zst");
    let tour = include_bytes!("../../../captures/tour.pcapng");
    fs::write(&compressed, zstd::encode_all(&tour[..], 1).unwrap()).unwrap();
    let inputs = [compressed.clone(), record].map(Input::File);
    let expected = content(Session::open(&inputs, Vec::new()).unwrap()).1;
    let [first, record] = inputs;
    let (session, before) = content(Session::open(&[first], Vec::new()).unwrap());
    // Nobody can read it any more.
    fs::remove_file(compressed).unwrap();
    let (_, found) = content(session.continued(record, 1).unwrap());
    assert_eq!(found, expected);
    assert_eq!(found.len(), before.len() + 2);
}
