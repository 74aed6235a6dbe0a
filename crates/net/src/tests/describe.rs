//! Headers as named values: every byte is in one, and the values are those that were built.

use super::*;

/// The lines of headers as text, fields indented.
fn text(link: u16, frame: &[u8], payload: &[u8]) -> String {
    let headers = &frame[..frame.len() - payload.len()];
    let lines = describe(link, headers, Some(payload));
    assert_tiles(&lines, headers.len());
    let text = lines.iter().map(|line| {
        let indent = if line.is_field { "  " } else { "" };
        let note = line.note.map(|note| format!(" ({note})")).unwrap_or_default();
        format!(
            "{indent}{}..{} {}: {}{note}\n",
            line.bytes.start, line.bytes.end, line.name, line.value
        )
    });
    text.collect()
}

/// Headers follow one after the other to the payload, and fields are within theirs.
fn assert_tiles(lines: &[DescribedHeader], length: usize) {
    let mut at = 0;
    let mut header = 0..0;
    for line in lines {
        if line.is_field {
            assert!(header.start <= line.bytes.start && line.bytes.end <= header.end, "{line:?}");
        } else {
            assert_eq!(line.bytes.start, at, "{line:?}");
            at = line.bytes.end;
            header = line.bytes.clone();
        }
    }
    assert_eq!(at, length, "{lines:?}");
}

#[test]
fn ethernet_with_a_tag_is_described() {
    let packet = udp_v4(WORDS);
    let frame = [&[2; 12][..], &[0x81, 0, 0xa0, 5, 8, 0], &packet].concat();
    let lines = text(link::ETHERNET, &frame, WORDS);
    for expected in [
        "0..14 Ethernet: 02:02:02:02:02:02 → 02:02:02:02:02:02\n",
        "  12..14 EtherType: 0x8100 (VLAN)\n",
        "14..18 VLAN: 5\n  14..16 priority and id: priority 5, id 5\n",
        "18..38 IPv4: TTL 64 id 0x0000\n",
        "  24..26 flags, offset: don't fragment, offset 0\n",
        "  34..38 destination: 198.51.100.7\n",
        "38..46 UDP: checksum correct\n  38..40 source port: 27960\n",
    ] {
        assert!(lines.contains(expected), "{expected}: {lines}");
    }
    let short = headers_in_short(&describe(link::ETHERNET, &frame[..46], Some(WORDS)));
    assert_eq!(short, "Ethernet, VLAN 5, IPv4 TTL 64 id 0x0000, UDP checksum correct");
}

#[test]
fn a_wrong_checksum_is_reported_and_a_missing_one_is_none() {
    let mut frame = ethernet(0x86dd, &udp_v6(WORDS));
    let checksum = 14 + 40 + 6;
    assert!(text(link::ETHERNET, &frame, WORDS).contains("UDP: checksum correct"));
    frame[checksum] ^= 1;
    let lines = text(link::ETHERNET, &frame, WORDS);
    assert!(lines.contains("UDP: checksum wrong") && lines.contains("network card"), "{lines}");
    frame[checksum..checksum + 2].fill(0);
    assert!(text(link::ETHERNET, &frame, WORDS).contains("UDP: without checksum"));
    let cut = describe(link::ETHERNET, &frame[..62], None);
    assert!(headers_in_short(&cut).ends_with("UDP without checksum"));
}

#[test]
fn what_stands_between_two_packets_is_the_tunnel() {
    let inner = udp_v4(WORDS);
    let outer = ipv4_header(IpNumber::GRE, 4 + inner.len()).to_bytes();
    let frame = ethernet(0x0800, &[&outer[..], &[0, 0, 8, 0], &inner].concat());
    let lines = text(link::ETHERNET, &frame, WORDS);
    assert!(lines.contains("34..38 tunnel: 4 bytes\n38..58 IPv4: "), "{lines}");
    assert!(lines.contains("58..66 UDP: checksum correct\n"), "{lines}");
}

#[test]
fn any_bytes_are_described_whole() {
    let mut runner = proptest::test_runner::TestRunner::new(seeded(2000));
    let links = proptest::sample::select(LINKS);
    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 0..120);
    let case = (links, bytes, 0..120_usize);
    runner
        .run(&case, |((link, _), bytes, cut)| {
            let cut = cut.min(bytes.len());
            assert_tiles(&describe(link, &bytes[..cut], Some(&bytes[cut..])), cut);
            Ok(())
        })
        .unwrap();
}

#[test]
fn an_icmp_error_is_described_with_the_packet_that_failed() {
    let failed = udp_v4(WORDS);
    let error = [&[3, 3, 0, 0, 0, 0, 0, 0], &failed[..]].concat();
    let packet = [&ipv4_header(IpNumber::ICMP, error.len()).to_bytes()[..], &error].concat();
    let frame = ethernet(0x0800, &packet);
    let lines = text(link::ETHERNET, &frame, &[]);
    for expected in [
        "34..42 ICMP: port unreachable\n  34..35 type: 3\n  35..36 code: 3\n",
        "42..62 IPv4: TTL 64",
        "62..70 UDP: checksum not verified\n  62..64 source port: 27960\n",
        "70..98 quoted payload: 28 bytes\n",
    ] {
        assert!(lines.contains(expected), "{expected}: {lines}");
    }
}
