//! A request and its response on every link type whose header has no fixed length.

use fragshark::net::link;

use super::{THEN, address, oob};
use crate::story::{Format, Link, Story, checksum};

/// The header of a tunnelled packet: from 203.0.113.1 to .2, or their IPv6.
const GRE: u8 = 47;
const IP_IN_IP: u8 = 4;
const SIX_IN_IP: u8 = 41;

pub fn all() -> Vec<(&'static str, Story)> {
    let pppoe: fn(&[u8]) -> Vec<u8> = |packet| ethernet(0x8864, &in_pppoe(packet));
    let on = |link, wrap| pair(Link::Other(link, wrap), false);
    let six = |link, wrap| pair(Link::Other(link, wrap), true);
    let (ether, raw) = (link::ETHERNET, link::RAW);
    vec![
        ("links/pppoe.pcap", on(ether, pppoe)),
        ("links/pppoe-ipv6.pcap", six(ether, pppoe)),
        ("links/pppoe-vlan.pcap", on(ether, |p| ethernet(0x8100, &tagged(0x8864, &in_pppoe(p))))),
        ("links/ppp.pcap", on(link::PPP, |p| [&[0xff, 3, 0, 0x21], p].concat())),
        ("links/ppp-compressed.pcap", on(link::PPP, |p| [&[0x21], p].concat())),
        ("links/ppp-serial.pcap", on(link::PPP_SERIAL, |p| [&[0x0f, 0, 8, 0], p].concat())),
        ("links/ppp-ether.pcap", on(link::PPP_ETHER, in_pppoe)),
        ("links/gre.pcap", on(ether, |p| ethernet(0x0800, &over_v4(GRE, &gre(0x0800, p))))),
        ("links/gre-full.pcap", on(raw, |p| over_v4(GRE, &full_gre(p)))),
        ("links/gre-ipv6.pcap", six(raw, |p| over_v4(GRE, &gre(0x86dd, p)))),
        ("links/gre-ethernet.pcap", on(raw, |p| over_v4(GRE, &gre(0x6558, &ethernet(0x0800, p))))),
        ("links/gre-over-ipv6.pcap", on(raw, |p| over_v6(GRE, &gre(0x0800, p)))),
        ("links/pptp.pcap", on(raw, |p| over_v4(GRE, &pptp(p)))),
        ("links/ip-in-ip.pcap", on(raw, |p| over_v4(IP_IN_IP, p))),
        ("links/6in4.pcap", six(raw, |p| over_v4(SIX_IN_IP, p))),
        ("links/4in6.pcap", on(raw, |p| over_v6(IP_IN_IP, p))),
        ("links/6in6.pcap", six(raw, |p| over_v6(SIX_IN_IP, p))),
        ("links/radiotap.pcap", on(link::RADIOTAP, |p| radiotap(&qos(&[], p)))),
        ("links/radiotap-wds.pcap", on(link::RADIOTAP, |p| radiotap(&qos(&[2, 0, 0, 0, 0, 4], p)))),
        ("links/802.11.pcap", on(link::IEEE802_11, |p| wireless(0x08, &[], p))),
        ("links/gre-fragments.pcapng", fragments()),
        ("links/gre-unreachable.pcapng", unreachable()),
    ]
}

/// A player asks a server for its information.
fn pair(link: Link, six: bool) -> Story {
    let ends = if six {
        ["[2001:db8:2::23]:27960", "[2001:db8:1::10]:27960"]
    } else {
        ["198.51.100.23:27960", "192.0.2.10:27960"]
    };
    let [client, server] = ends.map(address);
    let mut story = Story::new(link, Format::Pcap, THEN);
    let info = "infoResponse\n\\challenge\\xxx\\hostname\\Yard\\mapname\\q3dm17\\protocol\\68\
                \\clients\\2\\sv_maxclients\\12\\gametype\\0\\pure\\1";
    story.send(client, server, &oob("getinfo xxx")).after(22_000);
    story.send(server, client, &oob(info));
    story
}

/// The response was fragmented before it came to the tunnel.
fn fragments() -> Story {
    let twice: fn(&[u8]) -> Vec<u8> = |packet| over_v4(GRE, &gre(0x0800, packet));
    let mut story = Story::new(Link::Other(link::RAW, twice), Format::PcapNg, THEN);
    let [client, server] = ["198.51.100.23:27960", "192.0.2.10:27960"].map(address);
    story.send(client, server, &oob("getinfo xxx")).after(22_000);
    let info = "infoResponse\n\\challenge\\xxx\\hostname\\Yard\\mapname\\q3dm17\\protocol\\68";
    story.send_in_fragments(server, client, &oob(info), 48);
    story
}

/// The port at the end of the tunnel is closed: the ICMP error comes through it too.
fn unreachable() -> Story {
    let wrap: fn(&[u8]) -> Vec<u8> = |packet| over_v4(GRE, &gre(0x0800, packet));
    let mut story = Story::new(Link::Other(link::RAW, wrap), Format::PcapNg, THEN);
    let [client, server] = ["198.51.100.23:27960", "192.0.2.10:27960"].map(address);
    story.send(client, server, &oob("getinfo xxx")).after(22_000);
    story.unreachable(server.ip(), (client, server), &oob("getinfo xxx"));
    story
}

fn is_six(packet: &[u8]) -> bool {
    packet[0] >> 4 == 6
}

/// An Ethernet frame, padded as the wire demands.
fn ethernet(kind: u16, body: &[u8]) -> Vec<u8> {
    let macs = [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1];
    let mut frame = [&macs[..], &kind.to_be_bytes(), body].concat();
    frame.resize(frame.len().max(60), 0);
    frame
}

fn tagged(kind: u16, body: &[u8]) -> Vec<u8> {
    [&[0, 0x2a], &kind.to_be_bytes()[..], body].concat()
}

fn in_pppoe(packet: &[u8]) -> Vec<u8> {
    let length = u16::try_from(packet.len() + 2).unwrap().to_be_bytes();
    let protocol = if is_six(packet) { 0x57 } else { 0x21 };
    [&[0x11, 0, 0, 7], &length[..], &[0, protocol], packet].concat()
}

fn gre(kind: u16, packet: &[u8]) -> Vec<u8> {
    [&[0, 0], &kind.to_be_bytes()[..], packet].concat()
}

/// With a checksum, a key and a sequence number.
fn full_gre(packet: &[u8]) -> Vec<u8> {
    let mut gre = [&[0xb0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 42, 0, 0, 0, 7], packet].concat();
    let even = [&gre[..], &[0][..gre.len() % 2]].concat();
    let sum = checksum(&even);
    gre[4..6].copy_from_slice(&sum.to_be_bytes());
    gre
}

/// With a call's number, a sequence number, and an IPv4 packet in PPP.
fn pptp(packet: &[u8]) -> Vec<u8> {
    let length = u16::try_from(packet.len() + 4).unwrap().to_be_bytes();
    let header = [&[0x30, 1, 0x88, 0x0b], &length[..], &[0, 9, 0, 0, 0, 7, 0xff, 3, 0, 0x21]];
    [&header.concat()[..], packet].concat()
}

fn over_v4(protocol: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(20 + body.len()).unwrap().to_be_bytes();
    let mut header = [&[0x45, 0], &length[..], &[0, 0, 0, 0, 64, protocol, 0, 0]].concat();
    header.extend_from_slice(&[203, 0, 113, 1, 203, 0, 113, 2]);
    let sum = checksum(&header);
    header[10..12].copy_from_slice(&sum.to_be_bytes());
    [&header[..], body].concat()
}

fn over_v6(protocol: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len()).unwrap().to_be_bytes();
    let end = |last: u8| [0x20, 1, 0x0d, 0xb8, 0, 0x71, 0, 0, 0, 0, 0, 0, 0, 0, 0, last];
    [&[0x60, 0, 0, 0], &length[..], &[protocol, 64], &end(1), &end(2), body].concat()
}

/// A data frame from an access point; of this kind, with these bytes after its addresses.
fn wireless(kind: u8, behind: &[u8], packet: &[u8]) -> Vec<u8> {
    let ether_type: [u8; 2] = if is_six(packet) { [0x86, 0xdd] } else { [8, 0] };
    let control = if behind.len() > 2 { 3 } else { 2 };
    let mut frame = vec![kind, control, 0, 0];
    for last in 1..=3 {
        frame.extend_from_slice(&[2, 0, 0, 0, 0, last]);
    }
    [&frame[..], &[0x10, 0], behind, &[0xaa, 0xaa, 3, 0, 0, 0], &ether_type, packet].concat()
}

fn qos(fourth_address: &[u8], packet: &[u8]) -> Vec<u8> {
    wireless(0x88, &[fourth_address, &[0, 0]].concat(), packet)
}

/// With a time, flags (a check sequence follows) and a rate.
fn radiotap(frame: &[u8]) -> Vec<u8> {
    let header = [0, 0, 18, 0, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x0c];
    [&header, frame, &[0xfc, 5, 0xfc, 5]].concat()
}
