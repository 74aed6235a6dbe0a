//! Tests without devices and privileges: error positions in filters, with libpcap, and the queue.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

use super::filter::{self, FilterErrorPosition};
use super::libpcap::{self, Handle};
use super::queue::{Batch, Queue};
use super::{Counters, LiveDevice, LiveError, LiveSource};

/// A handle that compiles filters for Ethernet; nothing, with a message, if libpcap is missing.
fn compiler(test: &str) -> Option<Handle> {
    match Handle::dead(1) {
        Ok(handle) => Some(handle),
        Err(why) => {
            let required = std::env::var_os("FRAGSHARK_REQUIRE").is_some();
            assert!(!required, "{test} needs libpcap: {why}");
            eprintln!("NOT RUN: {test}: libpcap is not installed: {why}");
            None
        }
    }
}

#[test]
fn a_missing_library_is_named() {
    let why = libpcap::why_not(&["libno-such-pcap.so.7", "libnor-this.so"]).unwrap();
    assert!(why.contains("libno-such-pcap.so.7"), "{why}");
    let message = LiveError::NoLibrary(why).to_string();
    for package in ["libpcap0.8 on Debian", "libpcap on Fedora", "macOS", "Npcap on Windows"] {
        assert!(message.contains(package), "{message}");
    }
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn a_library_without_the_functions_is_too_old() {
    let why = libpcap::why_not(&["libc.so.6", "libSystem.dylib", "kernel32.dll"]).unwrap();
    assert!(why.contains("is too old"), "{why}");
}

#[test]
fn an_error_is_at_the_first_word_that_no_filter_continues() {
    let Some(mut handle) = compiler("places of errors in filters") else { return };
    for (filter, column, at) in [
        ("udp prot 27960", 5, Some("prot")),
        ("port", 5, None),
        ("udp port", 9, None),
        ("udp and", 8, None),
        ("udp port 27960 or (tcp port 80", 31, None),
        ("udp port 27960)", 15, Some(")")),
        ("udp port nosuchservice", 10, Some("nosuchservice")),
        ("udp or or tcp", 8, Some("or")),
        ("ip[6:2] & 0x1fff != 0 and and udp", 27, Some("and")),
        ("ip[6:x] = 0", 6, Some("x")),
        ("ip[6:2", 7, None),
        ("ether host 1:2:3:4:5:6 and udp dst prot 5", 36, Some("prot")),
        ("host 192.0.2.256", 6, Some("192.0.2.256")),
        ("port 99999", 6, Some("99999")),
        ("udp and tcp", 9, Some("tcp")),
        ("not", 4, None),
        ("größe", 1, Some("größe")),
        ("udp port 1 or ü", 15, Some("ü")),
        ("src host 192.0.2.1 && dst net 10.0.0.0/8 && len >= 20 ||", 57, None),
        ("%", 1, Some("%")),
    ] {
        assert!(handle.check(filter).is_err(), "{filter} compiles");
        let position = filter::error_position(filter, |text| handle.check(text).is_ok());
        assert_eq!(position, FilterErrorPosition { column, at: at.map(str::to_owned) }, "{filter}");
    }
}

#[test]
fn filters_of_ours_compile_and_hold_ranges() {
    let errors = "(icmp and (icmp[0] = 3 or icmp[0] = 11 or icmp[0] = 12)) or \
                  (icmp6 and ip6[40] < 128)";
    assert_eq!(filter::udp_and(&[]), format!("udp or {errors}"));
    let both = filter::udp_and(&[80, 28900]);
    assert_eq!(both, format!("udp or {errors} or tcp port 80 or tcp port 28900"));
    let ports = filter::ports(&[27962, 27960, 27961, 27960, 65535], &[80]);
    assert!(ports.starts_with("udp portrange 27960-27962 or udp port 65535 or tcp port 80 or ("));
    assert!(ports.ends_with(&format!(" or {errors}")), "{ports}");
    let Some(mut handle) = compiler("filters of ours") else { return };
    for filter in [filter::udp_and(&[80]), ports, filter::ports(&[], &[]), String::new()] {
        assert_eq!(handle.check(&filter), Ok(()), "{filter}");
        let tagged = Some(filter::also_tagged(&filter)).filter(|_| !filter.is_empty());
        if let Some(tagged) = tagged {
            assert_eq!(handle.check(&tagged), Ok(()), "{tagged}");
        }
    }
}

/// Our filters, tested by tcpdump on frames without a tag, with one, and with two.
#[test]
fn tagged_frames_pass_the_filters_of_ours() {
    let (from, to) = ("192.0.2.1:27960".parse().unwrap(), "192.0.2.2:27950".parse().unwrap());
    let mut datagram = net::compose::datagram(from, to, b"heartbeat").unwrap();
    datagram.resize(60, 0);
    let icmp = |kind: u8| {
        let mut packet = datagram.clone();
        (packet[9], packet[20]) = (1, kind);
        packet
    };
    let six = ["[2001:db8::1]:27960", "[2001:db8::2]:27950"].map(|end| end.parse().unwrap());
    let mut icmp6 = net::compose::datagram(six[0], six[1], &[0; 40]).unwrap();
    (icmp6[6], icmp6[40]) = (58, 1);
    let filter = filter::also_tagged(&filter::udp_and(&[28900]));
    for (what, packet, passes) in [
        ("a datagram", datagram.clone(), 1),
        ("an ICMP error", icmp(3), 1),
        ("an ICMPv6 error", icmp6, 1),
        ("a ping", icmp(8), 0),
    ] {
        let kind: &[u8] = if packet[0] >> 4 == 6 { &[0x86, 0xdd] } else { &[8, 0] };
        for tags in [&[][..], &[0x81, 0, 0, 42], &[0x88, 0xa8, 0, 7, 0x81, 0, 0, 42]] {
            let frame = [&[2; 12], tags, kind, &packet].concat();
            let Some(passed) = passed(&filter, &frame) else { return };
            assert_eq!(passed, passes, "{what} behind {tags:x?}");
        }
    }
}

/// How many frames of a capture with this one pass in tcpdump; nothing, with a message, if tcpdump
/// is not installed.
fn passed(filter: &str, frame: &[u8]) -> Option<usize> {
    let mut pcap = crate::write::PcapWriter::new(Vec::new(), 1, 0).unwrap();
    let wire_length = frame.len() as u32;
    let record = crate::write::FrameRecord {
        time: 0,
        link: 1,
        fcs: 0,
        bytes: frame,
        wire_length,
        comment: "",
        interface: 0,
    };
    pcap.write(&record).unwrap();
    let mut command = Command::new("tcpdump");
    command.args(["-n", "-r", "-", filter]).stdin(Stdio::piped());
    let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut tcpdump) = started else {
        let required = std::env::var_os("FRAGSHARK_REQUIRE").is_some();
        assert!(!required, "filters on tagged frames need tcpdump");
        eprintln!("NOT RUN: filters on tagged frames: tcpdump is not installed");
        return None;
    };
    tcpdump.stdin.take().unwrap().write_all(&pcap.finish().unwrap()).unwrap();
    let output = tcpdump.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .filter(|l| !l.starts_with([' ', '\t']))
            .count(),
    )
}

/// A queue for this many devices.
fn queue(devices: usize, limit: usize) -> Arc<Queue> {
    let name = |n| format!("eth{n}");
    let tapped = |n| LiveDevice { name: name(n), link: 1, filter: String::new(), snap_length: 0 };
    Arc::new(Queue::new((0..devices).map(tapped).collect(), limit))
}

fn batch(times: &[i64]) -> Batch {
    let mut batch = Batch::default();
    for time in times {
        batch.push(*time, 4, &time.to_be_bytes()[4..]);
    }
    batch
}

/// Every frame's time and device.
fn all(mut feed: LiveSource) -> Vec<(i64, u16)> {
    let mut warnings = Vec::new();
    let mut all = Vec::new();
    while let Some(time) = feed.advance(&mut warnings) {
        let frame = feed.frame(1, 0).unwrap();
        assert_eq!((frame.time, frame.bytes), (time, &time.to_be_bytes()[4..]));
        all.push((time, frame.interface));
    }
    assert_eq!(warnings, []);
    all
}

#[test]
fn devices_are_merged_by_time_and_the_quiet_ones_waited_for() {
    let queue = queue(3, usize::MAX);
    let feed = LiveSource::new(Arc::clone(&queue));
    let taken = thread::spawn(|| all(feed));
    queue.put(0, batch(&[10, 30]));
    queue.put(0, batch(&[50]));
    queue.put(1, batch(&[20, 40]));
    // The third is quiet until 35, and then has something between.
    queue.reach(2, 35);
    queue.put(2, batch(&[36]));
    queue.reach(2, 60);
    queue.reach(1, 60);
    (0..3).for_each(|lane| queue.end(lane, None));
    let expected = [(10, 0), (20, 1), (30, 0), (36, 2), (40, 1), (50, 0)];
    assert_eq!(taken.join().unwrap(), expected);
}

#[test]
fn what_does_not_fit_is_counted_and_nothing_else_is_lost() {
    let times: Vec<_> = (0..100).collect();
    let one = 100 * (4 + size_of::<super::queue::QueuedPacket>());
    let queue = queue(1, 2 * one);
    for _ in 0..5 {
        queue.put(0, batch(&times));
    }
    let counters = Counters { delivered: 200, dropped_by_us: 300, ..Counters::default() };
    assert_eq!(queue.counters(), [counters]);
    queue.end(0, None);
    assert_eq!(all(LiveSource::new(Arc::clone(&queue))).len(), 200);
    // There is space again.
    queue.put(0, batch(&times));
    assert_eq!(queue.counters()[0].delivered, 300);
}

#[test]
fn a_device_that_fails_says_why_and_the_others_go_on() {
    let queue = queue(2, usize::MAX);
    queue.put(0, batch(&[1]));
    queue.end(0, Some("the interface disappeared".to_owned()));
    queue.put(1, batch(&[2, 3]));
    queue.end(1, None);
    let mut feed = LiveSource::new(queue);
    let mut warnings = Vec::new();
    let mut times = Vec::new();
    while let Some(time) = feed.advance(&mut warnings) {
        times.push(time);
    }
    assert_eq!(times, [1, 2, 3]);
    let statistics: Vec<_> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(statistics, ["eth0: capturing has ended: the interface disappeared"]);
}
