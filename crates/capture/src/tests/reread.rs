//! Byte ranges are read again.

use std::io::Write;
use std::thread;

use super::*;

fn capture() -> Vec<u8> {
    let mut draft = Draft::section(Order::Big);
    draft.interface(1, 0, &[]).enhanced(0, 0, b"one").simple(4, b"two2").obsolete(0, 0, b"three");
    draft.bytes
}

/// Reads every frame of `inputs` again, on another thread.
fn check_ranges(inputs: &[Input]) {
    let mut frames = Frames::open(inputs).unwrap();
    let mut seen = Vec::new();
    while let Some(frame) = frames.next() {
        seen.push((frame.byte_range.unwrap(), frame.bytes.to_vec()));
    }
    let payloads = frames.payloads();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        for (range, expected) in seen {
            payloads.read_range(range, &mut bytes).unwrap();
            assert_eq!(bytes, expected);
        }
        let beyond = ByteRange { source: 0, length: 5, offset: 1 << 40 };
        assert!(payloads.read_range(beyond, &mut bytes).is_err());
        assert!(payloads.read_range(ByteRange { source: 9, ..beyond }, &mut bytes).is_err());
        assert!(
            payloads
                .read_range(ByteRange { source: ByteRange::SPOOL, ..beyond }, &mut bytes)
                .is_err()
        );
    });
    reader.join().unwrap();
}

#[test]
fn frames_of_memory_and_files_are_read_again() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&capture()).unwrap();
    let mut pcap = Draft::pcap(Order::Little, 0xa1b2_c3d4, 1);
    pcap.record(0, 1, &[], b"a record");
    let file = Input::File(file.path().to_owned());
    check_ranges(std::slice::from_ref(&file));
    check_ranges(&[memory("x", &pcap.bytes), file, memory("y", &capture())]);
}

#[test]
fn compressed_frames_have_no_range() {
    let packed = zstd::encode_all(&capture()[..], 3).unwrap();
    let inputs = [memory("x", &packed), memory("y", &capture())];
    let mut frames = Frames::open(&inputs).unwrap();
    let mut ranged = Vec::new();
    while let Some(frame) = frames.next() {
        ranged.push(frame.byte_range.is_some());
    }
    ranged.sort_unstable();
    assert_eq!(ranged, [false, false, false, true, true, true]);
}

#[cfg(unix)]
#[test]
fn a_pipe_with_a_name_is_read_once() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(&capture()).unwrap();
    drop(writer);
    let number = std::os::fd::AsRawFd::as_raw_fd(&reader);
    let path = format!("/dev/fd/{number}");
    let mut frames = Frames::open(&[Input::File(path.into())]).unwrap();
    assert!(!frames.reopens());
    assert_eq!(frames.progress().of, None);
    assert_eq!(frames.next().unwrap().byte_range, None);
    assert_eq!(drain(frames).0.len(), 2);
}

#[test]
fn a_part_of_a_range() {
    let range = ByteRange { source: 3, length: 10, offset: 100 };
    assert_eq!(range.part(4, 6), Some(ByteRange { source: 3, length: 6, offset: 104 }));
    assert_eq!(range.part(4, 7), None);
    assert_eq!(range.part(u32::MAX, 7), None);
    assert_eq!(size_of::<ByteRange>(), 16);
}

#[test]
fn the_spool_gives_back_what_it_keeps() {
    let payloads = PayloadStore::spool_only(1 << 20);
    let payload = |number: usize| vec![number as u8; number % 1500];
    // Enough for the file, and some for the buffer.
    let ranges: Vec<ByteRange> =
        (0..500).map(|number| payloads.keep(&payload(number)).unwrap()).collect();
    let mut bytes = Vec::new();
    for (number, range) in ranges.into_iter().enumerate() {
        payloads.read_range(range, &mut bytes).unwrap();
        assert_eq!(bytes, payload(number));
    }
    assert_eq!(payloads.warning(), None);
}

#[test]
fn a_full_spool_warns_once() {
    let payloads = PayloadStore::spool_only(100);
    let range = payloads.keep(&[1; 60]).unwrap();
    assert_eq!(payloads.keep(&[2; 60]), None);
    // After the first loss, smaller items are refused too: the stored bytes have no gaps.
    assert_eq!(payloads.keep(&[3; 6]), None);
    let warning = payloads.warning().unwrap().to_string();
    assert_eq!(
        warning,
        "spool: byte 60: the temporary file has reached its limit of 100 bytes; later payloads can not be shown again"
    );
    assert_eq!(payloads.warning(), None);
    let mut bytes = Vec::new();
    payloads.read_range(range, &mut bytes).unwrap();
    assert_eq!(bytes, [1; 60]);
}

#[test]
fn the_spools_warning_comes_with_the_frames() {
    let mut frames = Frames::with_spool(&[memory("x", &capture())], 10).unwrap();
    assert_eq!(frames.payloads().keep(&[0; 11]), None);
    assert_eq!(frames.warnings().len(), 1);
    assert_eq!(frames.warnings().len(), 0);
}

#[test]
fn a_ring_keeps_the_latest_and_knows_what_is_gone() {
    let limit = 200_000;
    let payloads = PayloadStore::spool_only(limit);
    payloads.make_ring();
    let payload = |n: u32| n.to_be_bytes().repeat(1001);
    let ranges: Vec<_> = (0..400).map(|n| payloads.keep(&payload(n)).unwrap()).collect();
    let mut read = Vec::new();
    let mut held = 0;
    for (n, range) in (0..).zip(&ranges) {
        if payloads.holds(*range) {
            payloads.read_range(*range, &mut read).unwrap();
            assert_eq!(read, payload(n), "{n}");
            held += 1;
        } else {
            assert!(payloads.read_range(*range, &mut read).is_err(), "{n}");
            assert_eq!(held, 0, "only the oldest are gone");
        }
    }
    // The buffer in memory comes on top.
    let fits = limit / 4004;
    assert!((fits..fits + 20).contains(&held), "{held}");
    assert_eq!(payloads.warning(), None);
}
