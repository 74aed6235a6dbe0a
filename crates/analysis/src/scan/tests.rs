//! A scan passes what a plain loop over the session reads, in any order and with any number of
//! threads.

use std::io::Write as _;
use std::thread;

use super::*;
use capture::Input;

/// A message as it is read again: its index, what is known of it, and its payload.
type ReadMessage = (usize, String, Vec<u8>);

/// All captures of the project, merged: several batches.
fn session(keep: usize) -> (Mutex<Session>, crate::Loader) {
    let (mut session, loader) = Session::open(
        &test_data::captures().into_iter().map(Input::File).collect::<Vec<_>>(),
        Vec::new(),
    )
    .unwrap();
    session.keep_last(keep);
    (Mutex::new(session), loader)
}

fn loaded(keep: usize) -> Mutex<Session> {
    let (session, loader) = session(keep);
    loader.run(&session);
    session
}

/// A plain loop.
fn read_messages(session: &Session, messages: impl Iterator<Item = usize>) -> Vec<ReadMessage> {
    let mut payload = Vec::new();
    messages
        .filter_map(|index| {
            let message = session.message(index, &mut payload).unwrap()?;
            Some((index, format!("{:?}", message.header), message.payload.to_vec()))
        })
        .collect()
}

/// The same by a scan, with the number of messages after each batch; ends after so many batches.
fn scanned(
    session: &Mutex<Session>,
    messages: &ScanMessages,
    threads: usize,
    most: usize,
) -> (Vec<ReadMessage>, Vec<usize>) {
    let scan = SessionScan { messages: messages.clone(), needs_payload: true, threads };
    let (mut all, mut reached) = (Vec::new(), Vec::new());
    let worker = || {
        |batch: &ScanBatch, read: &mut Vec<ReadMessage>| {
            let of = |(index, message): (usize, CapturedMessage<'_>)| {
                (index, format!("{:?}", message.header), message.payload.to_vec())
            };
            *read = batch.messages().map(of).collect();
        }
    };
    scan.run(session, worker, |read, at| {
        all.append(read);
        reached.push(at);
        if reached.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (all, reached)
}

#[test]
fn a_scan_reads_what_a_plain_loop_reads() {
    let session = loaded(usize::MAX);
    let len = session.lock().len();
    assert!(len > 3 * BATCH, "{len} messages");
    // In steps of a number that has no factor in common with the count, every message comes once.
    let steps = (0..len).map(|at| (at * 7919 % len) as u32).collect();
    for messages in [
        ScanMessages::Range(0..usize::MAX),
        ScanMessages::Range(700..701),
        ScanMessages::Range(300..len - 300),
        ScanMessages::Range(len..len + 5),
        ScanMessages::Back(0..usize::MAX),
        ScanMessages::Back(300..len - 300),
        ScanMessages::List(steps),
        ScanMessages::List(vec![5, 5, len as u32, 0]),
        ScanMessages::List(Vec::new()),
    ] {
        let order: Vec<usize> = match &messages {
            ScanMessages::Range(range) => (range.start..range.end.min(len)).collect(),
            ScanMessages::Back(range) => (range.start..range.end.min(len)).rev().collect(),
            ScanMessages::List(list) => list.iter().map(|index| *index as usize).collect(),
        };
        let should = read_messages(&session.lock(), order.iter().copied());
        for threads in [1, 2, 8] {
            let (all, reached) = scanned(&session, &messages, threads, usize::MAX);
            assert!(all == should, "{threads} threads");
            assert!(reached.is_sorted() && reached.last() == Some(&order.len()), "{reached:?}");
            let (some, reached) = scanned(&session, &messages, threads, 2);
            assert!(reached.len() <= 2 && some == should[..some.len()], "{threads} threads");
            assert_eq!(some.len() < should.len(), order.len() > 2 * BATCH);
        }
    }
}

#[test]
fn without_payloads_only_headers_are_read() {
    let session = loaded(usize::MAX);
    let scan =
        SessionScan { messages: ScanMessages::Range(0..100), needs_payload: false, threads: 2 };
    let mut numbers = Vec::new();
    let worker = || {
        |batch: &ScanBatch, found: &mut Vec<u64>| {
            assert!(batch.messages().all(|(_, message)| message.payload.is_empty()));
            *found = batch.messages().map(|(_, message)| message.header.number).collect();
        }
    };
    scan.run(&session, worker, |found, _| {
        numbers.append(found);
        ControlFlow::Continue(())
    });
    let session = session.lock();
    let should = (0..100).map(|at| session.header(at).unwrap().number);
    assert!(numbers.into_iter().eq(should));
}

#[test]
fn messages_that_were_dropped_are_skipped() {
    for keep in [1, 100, BATCH + 1] {
        let session = loaded(keep);
        let gone = session.lock().gone();
        let len = session.lock().len();
        assert_eq!(len - gone, keep);
        let should = read_messages(&session.lock(), gone..len);
        for threads in [1, 2] {
            let (all, reached) =
                scanned(&session, &ScanMessages::Range(0..usize::MAX), threads, usize::MAX);
            assert!(all == should && reached.last() == Some(&len));
            let (mut all, _) =
                scanned(&session, &ScanMessages::Back(0..usize::MAX), threads, usize::MAX);
            all.reverse();
            assert!(all == should);
        }
    }
}

#[test]
fn a_scan_goes_on_while_messages_come_and_are_dropped() {
    let (session, loader) = session(BATCH + 100);
    thread::scope(|scope| {
        let loading = scope.spawn(|| loader.run(&session));
        while !loading.is_finished() {
            for messages in [ScanMessages::Range(0..usize::MAX), ScanMessages::Back(0..usize::MAX)]
            {
                let (all, reached) = scanned(&session, &messages, 2, usize::MAX);
                let is_back = matches!(messages, ScanMessages::Back(_));
                assert!(all.is_sorted_by(|(a, ..), (b, ..)| (a < b) != is_back));
                assert!(reached.is_sorted() && all.iter().all(|(.., payload)| !payload.is_empty()));
            }
        }
    });
    let len = session.lock().len();
    let should = read_messages(&session.lock(), 0..len);
    let (all, _) = scanned(&session, &ScanMessages::Range(0..usize::MAX), 2, usize::MAX);
    assert!(all == should && all.len() == BATCH + 100);
}

#[test]
fn a_message_that_cannot_be_read_again_has_no_payload() {
    let tour = test_data::capture("tour.pcapng");
    let bytes = std::fs::read(tour).unwrap();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&bytes).unwrap();
    let input = Input::File(file.path().to_owned());
    let (session, loader) = Session::open(&[input], Vec::new()).unwrap();
    let session = Mutex::new(session);
    loader.run(&session);
    let (whole, _) = scanned(&session, &ScanMessages::Range(0..usize::MAX), 2, usize::MAX);
    file.as_file().set_len(bytes.len() as u64 / 2).unwrap();
    let (cut, _) = scanned(&session, &ScanMessages::Range(0..usize::MAX), 2, usize::MAX);
    let lost = whole.iter().zip(&cut).filter(|(whole, cut)| whole != cut).count();
    assert!(cut.len() == whole.len() && (1..whole.len()).contains(&lost), "{lost} are lost");
    for ((index, header, payload), (_, _, now)) in whole.iter().zip(&cut) {
        assert!(now == payload || now.is_empty(), "{index}: {header}");
    }
}
