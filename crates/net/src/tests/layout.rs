//! The layout of frames that hold more than a datagram.

use super::*;

/// The bytes of a frame that a layout does not list: those that could identify a host.
fn unlisted(link: u16, frame: &[u8]) -> Vec<u8> {
    let layout = FrameLayout::of_frame(link, 0, frame, frame.len() as u32);
    let mut left: Vec<_> = frame.iter().copied().map(Some).collect();
    let transport_payload = layout.packets.first().and_then(|p| p.transport_payload.clone());
    for range in layout.headers.into_iter().chain(transport_payload) {
        left[range].fill(None);
    }
    left.into_iter().flatten().collect()
}

#[test]
fn what_may_hold_an_address_is_not_listed() {
    // An IPv4 packet with a recorded route, and padding after it.
    let mut routed = udp_v4(WORDS);
    routed[0] = 0x47;
    let length = (routed.len() + 8) as u16;
    routed[2..4].copy_from_slice(&length.to_be_bytes());
    routed.splice(20..20, [7, 7, 8, 203, 0, 113, 1, 0]);
    routed.extend_from_slice(b"padding");
    assert_eq!(unlisted(link::RAW, &routed), b"\x07\x07\x08\xcb\0\x71\x01\0padding");

    // A TCP segment with a timestamp, and with an address of another path (RFC 8684).
    let mut tcp = Vec::new();
    let builder = PacketBuilder::ipv4(CLIENT, MASTER, 64).tcp(27960, 28900, 1, 1024);
    let options = [8, 10, 0, 0, 0, 1, 0, 0, 0, 2, 30, 8, 0x30, 1, 203, 0, 113, 1, 0, 0];
    let builder = builder.options_raw(&options).unwrap();
    builder.write(&mut tcp, WORDS).unwrap();
    assert_eq!(unlisted(link::RAW, &tcp), &options[10..18]);

    // A routing header.
    let mut six = ipv6_header(IpNumber(43), 24 + 8 + WORDS.len()).to_bytes().to_vec();
    six.extend_from_slice(&[17, 2, 0, 1, 0, 0, 0, 0]);
    six.extend_from_slice(&CLIENT6);
    six.extend_from_slice(&udp(WORDS));
    assert_eq!(unlisted(link::RAW, &six), [&[0, 1, 0, 0, 0, 0], &CLIENT6[..]].concat());

    // A request for an address.
    let arp = ethernet(0x0806, b"who has 192.0.2.1");
    assert_eq!(unlisted(link::ETHERNET, &arp), b"who has 192.0.2.1");
    assert_eq!(unlisted(147, b"anything"), b"anything");
}

#[test]
fn an_error_leads_to_the_packet_that_it_quotes() {
    let mut error = ipv4_header(IpNumber::ICMP, 8 + 20 + 12).to_bytes().to_vec();
    error.extend_from_slice(&[3, 3, 0, 0, 0, 0, 0, 0]);
    error.extend_from_slice(&udp_v4(WORDS)[..32]);
    let layout = FrameLayout::of_frame(link::RAW, 0, &error, error.len() as u32);
    let [outer, quoted] = layout.packets.as_slice() else { panic!("{layout:?}") };
    assert_eq!((outer.checksum, outer.covers_addresses), (Some(22), false));
    assert_eq!((quoted.source.clone(), quoted.checksum), (40..44, Some(28 + 20 + 6)));
    assert_eq!(quoted.transport_payload, Some(56..60));
    // The content of an echo is arbitrary.
    error[20] = 0;
    assert_eq!(FrameLayout::of_frame(link::RAW, 0, &error, error.len() as u32).packets.len(), 1);
    error[20] = 3;
    // A quote of a quote would be a router's mistake.
    let again = [&error[..28], &error[..]].concat();
    assert_eq!(FrameLayout::of_frame(link::RAW, 0, &again, again.len() as u32).packets.len(), 2);
}
