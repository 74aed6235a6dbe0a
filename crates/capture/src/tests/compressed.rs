//! Every format inside every compression.

use std::io::Write;

use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};

use super::*;

/// The same bytes as a file of each compression.
fn compressed(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    vec![("gzip", gzip(bytes)), ("zstd", zstd(bytes)), ("lz4", lz4(bytes))]
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

fn lz4(bytes: &[u8]) -> Vec<u8> {
    let blocks = FrameInfo::new().block_size(BlockSize::Max64KB);
    let mut encoder = FrameEncoder::with_frame_info(blocks, Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Many packets that do not compress well.
fn long_capture() -> Vec<u8> {
    let mut draft = Draft::pcap(Order::Little, 0xa1b2_3c4d, 1);
    let mut state = 1_u32;
    for number in 0..3_000 {
        let bytes: Vec<u8> = (0..200)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect();
        draft.record(1_700_000_000 + number, 0, &[], &bytes);
    }
    draft.bytes
}

#[test]
fn every_specimen_in_every_wrapping() {
    for (format, draft) in specimens() {
        let plain = read_whole(&draft.bytes);
        for (name, packed) in compressed(&draft.bytes) {
            assert_eq!(read_whole(&packed), plain, "{format} in {name}");
        }
    }
}

#[test]
fn streams_behind_each_other_are_one() {
    let plain = long_capture();
    let frames = read_whole(&plain);
    let (first, second) = plain.split_at(100_001);
    for pack in [gzip, zstd, lz4] {
        let packed = [pack(first), pack(b""), pack(second)].concat();
        assert_eq!(read_whole(&packed), frames);
    }
    // Frames of different block sizes.
    let mut large = FrameEncoder::new(Vec::new());
    large.write_all(first).unwrap();
    let packed = [large.finish().unwrap(), lz4(second)].concat();
    assert_eq!(read_whole(&packed), frames);
}

#[test]
fn a_cut_stream_gives_every_packet_before_the_cut() {
    let plain = long_capture();
    let frames = read_whole(&plain);
    for (name, packed) in compressed(&plain) {
        for part in [2, 3, 5, 10] {
            let cut = packed.len() - packed.len() / part;
            let (some, warnings) = read_frames(&packed[..cut]);
            assert!(frames.starts_with(&some), "{name}");
            // The block that was cut is lost, which is at most 128 KiB here.
            assert!(some.len() + 700 > frames.len() * (part - 1) / part, "{name} {}", some.len());
            let [warning] = &warnings[..] else { panic!("{name}: {warnings:?}") };
            let expected = format!("the {name} stream is cut short; the bytes before it were read");
            assert!(warning.to_string().ends_with(&expected), "{warning}");
        }
    }
}

#[test]
fn other_bytes_behind_a_gzip_stream_are_named_and_are_no_damage() {
    let (_, draft) = specimens().swap_remove(0);
    for trailing in [&b"\0\0"[..], b"garbage", b"x"] {
        let packed = [&gzip(&draft.bytes)[..], trailing].concat();
        let (frames, warnings) = read_frames(&packed);
        assert_eq!(frames, read_whole(&draft.bytes));
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        assert!(!warning.is_damage() && warning.to_string().ends_with("and were ignored"));
    }
}

#[test]
fn every_cut_of_a_small_stream_is_noticed() {
    for (format, draft) in specimens() {
        let plain = read_whole(&draft.bytes);
        for (name, packed) in compressed(&draft.bytes) {
            for length in 1..packed.len() {
                match Frames::open(&[memory("x", &packed[..length])]) {
                    Ok(frames) => {
                        let (some, warnings) = drain(frames);
                        assert!(plain.starts_with(&some), "{format} in {name} at {length}");
                        assert_eq!(warnings.len(), 1, "{format} in {name} at {length}");
                    }
                    Err(OpenError::Read { .. }) => {}
                    // Too short to be recognised as compressed.
                    Err(OpenError::NotACapture { .. }) if length < 4 => {}
                    Err(error) => panic!("{format} in {name} at {length}: {error}"),
                }
            }
        }
    }
}

#[test]
fn a_damaged_stream_does_not_panic() {
    let (_, draft) = specimens().swap_remove(0);
    for (_, packed) in compressed(&draft.bytes) {
        for at in 0..packed.len() {
            for bit in 0..8 {
                let mut damaged = packed.clone();
                damaged[at] ^= 1 << bit;
                if let Ok(frames) = Frames::open(&[memory("x", &damaged)]) {
                    drain(frames);
                }
            }
        }
    }
}

#[test]
fn what_is_inside_is_no_capture() {
    let text = "x.pcap is no capture: it is text, and has no packets in a form that is read; uncompressed, it begins with \"Hello\", not with a pcap or pcapng header";
    for (_, packed) in compressed(b"Hello") {
        assert_eq!(refusal(&packed), text);
    }
    for (_, packed) in compressed(b"") {
        assert_eq!(refusal(&packed), "x.pcap is empty");
    }
}
