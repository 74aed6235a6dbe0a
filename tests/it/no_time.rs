//! Frames without a time, pcapng's simple packet blocks: every view says so, and none shows another
//! time in its place.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A capture of `getinfo` and its answers in simple packet blocks; the first request has a time.
fn capture(has_time: bool) -> Vec<u8> {
    let mut file = Vec::new();
    let mut block = |kind: u32, contents: &[u8]| {
        let length = (12 + contents.len() as u32).to_le_bytes();
        file.extend([&kind.to_le_bytes()[..], &length, contents, &length].concat());
    };
    block(0x0a0d_0d0a, b"\x4d\x3c\x2b\x1a\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff");
    // Raw IP, without a snap length.
    block(1, b"\x65\0\0\0\0\0\0\0");
    let [client, server] = [[192, 0, 2, 10], [192, 0, 2, 7]];
    for (at, (from, to, ports, words)) in [
        (client, server, [40_000_u16, 27_960], &b"\xff\xff\xff\xffgetinfo xyz"[..]),
        (
            server,
            client,
            [27_960, 40_000],
            b"\xff\xff\xff\xffinfoResponse\n\\challenge\\xyz\\protocol\\68",
        ),
        (server, client, [27_960, 40_000], b"\xff\xff\xff\xffheartbeat QuakeArena-1\n"),
        (server, client, [27_960, 40_000], b"\xff\xff\xff\xffheartbeat QuakeArena-1\n"),
    ]
    .into_iter()
    .enumerate()
    {
        let udp = 8 + words.len() as u16;
        let header = [0x45, 0, 0, 0, 0, at as u8, 0, 0, 64, 17, 0, 0];
        let mut packet = [&header[..], &from, &to].concat();
        packet[2..4].copy_from_slice(&(20 + udp).to_be_bytes());
        packet.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
        packet.extend([&udp.to_be_bytes()[..], &[0, 0], words].concat());
        let length = (packet.len() as u32).to_le_bytes();
        packet.resize(packet.len().next_multiple_of(4), 0);
        if has_time && at == 0 {
            // 2023-11-14T22:13:20Z, in microseconds.
            let ticks = 1_700_000_000_000_000_u64;
            let [low, high] = [ticks as u32, (ticks >> 32) as u32].map(u32::to_le_bytes);
            block(6, &[&[0; 4], &high, &low, &length, &length, &packet[..]].concat());
        } else {
            block(3, &[&length, &packet[..]].concat());
        }
    }
    file
}

fn output(file: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let ran = command.args(arguments).arg(file).output().unwrap();
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn every_view_says_that_a_frame_has_no_time() {
    let folder = tempfile::tempdir().unwrap();
    for has_time in [false, true] {
        let file = folder.path().join(format!("{has_time}.pcapng"));
        fs::write(&file, capture(has_time)).unwrap();
        for (arguments, untimed) in [
            (&["decode"][..], "no time"),
            (&["decode", "--time", "utc"], "no time"),
            (&["decode", "--time", "delta"], "no time"),
            (&["decode", "-v"], "no time"),
            (&["decode", "--sequence"], "no time"),
            (
                &["export", "--what", "messages", "--format", "ndjson", "-o", "-"],
                "\"time\":null,\"time_ns\":null",
            ),
            (&["export", "--what", "messages", "--format", "csv", "-o", "-"], ",2,,,192.0.2.7,"),
            (
                &["export", "--what", "exchanges", "--format", "ndjson", "-o", "-"],
                "\"latency_ms\":null",
            ),
            (
                &["export", "--what", "servers", "--format", "ndjson", "-o", "-"],
                "\"first_seen\":null",
            ),
            (&["report", "-o", "-"], "no time"),
        ] {
            let text = output(&file, arguments);
            assert!(text.contains(untimed), "{arguments:?}: {text}");
            for wrong in ["1970", "1823", "-4611"] {
                assert!(!text.contains(wrong), "{arguments:?} has {wrong}: {text}");
            }
            let known = text.matches("2023-11-14").count() + text.matches("+0.000000").count();
            let is_shown = !has_time || known <= 3 || arguments[0] == "report";
            assert!(is_shown, "{arguments:?} gives the time to other frames: {text}");
        }
        // Its neighbours in the file are those of before, and no rule speaks of intervals.
        let list = output(&file, &["decode"]);
        let names: Vec<_> =
            list.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
        assert_eq!(names, ["1", "2", "3", "4"]);
        assert_eq!(
            output(&file, &["decode", "-Y", "frame.time < 2030-01-01"]).lines().count(),
            usize::from(has_time)
        );
        assert!(!output(&file, &["check"]).contains("heartbeat."));
        // Blocks with comments need a time, so the comment says that there is none.
        let args = ["export", "--format", "pcapng", "-o", "-"];
        let written = Command::new(env!("CARGO_BIN_EXE_fragshark")).args(args).arg(&file).output();
        let written = String::from_utf8_lossy(&written.unwrap().stdout).into_owned();
        assert_eq!(
            written.matches("the capture has no time of this packet").count(),
            4 - usize::from(has_time)
        );
    }
}
