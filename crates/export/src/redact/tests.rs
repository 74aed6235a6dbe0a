//! Pseudonyms: the same for the same input, none its own, and of the same length.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr};

use super::*;
use codec::{Coding as _, Huffman};
use protocols::registry;

fn redactor() -> Redactor {
    Redactor::with_key("a key")
}

/// The redacted payload.
fn redacted(payload: &[u8]) -> String {
    let entry = registry().recognise(payload).unwrap();
    let mut redactor = redactor();
    redactor.payload(entry, payload);
    assert_eq!(redactor.out.len(), payload.len(), "{}", payload.escape_ascii());
    redactor.out.escape_ascii().to_string()
}

#[test]
fn addresses_keep_their_kind_and_their_length_in_text() {
    let mut redactor = redactor();
    let mut ip = |text: &str| -> String {
        let ip: IpAddr = text.parse().unwrap();
        let new = redactor.addresses.ip(ip).to_string();
        assert_eq!(new.len(), text.len(), "{text} became {new}");
        new
    };
    for common in ["0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "ff02::1"] {
        assert_eq!(ip(common), common);
    }
    for (text, kept) in [
        ("10.1.2.3", "10."),
        ("192.168.1.20", "192.168."),
        ("172.16.0.1", "172."),
        ("169.254.1.1", "169.254."),
        ("100.64.0.1", "100."),
        ("192.0.2.1", "192."),
        ("8.8.8.8", ""),
        ("203.0.113.77", ""),
        ("fe80::1:2", "fe80::"),
        ("fd12:3456::7", "fd"),
        ("2001:db8::7", "2"),
        ("::ffff:192.0.2.1", "::ffff:192."),
        ("ff02::1:ff12:3456", "ff02::1:ff"),
    ] {
        let new = ip(text);
        assert!(new != text && new.starts_with(kept), "{text} became {new}");
    }
    for octets in [[172, 16, 0, 1], [172, 31, 9, 9], [100, 64, 1, 1], [100, 127, 200, 1]] {
        let text = Ipv4Addr::from(octets).to_string();
        let new: Ipv4Addr = ip(&text).parse().unwrap();
        let [_, second, ..] = new.octets();
        let range = if octets[0] == 172 { 16..=31 } else { 64..=127 };
        assert!(range.contains(&second), "{text} became {new}");
    }
    let [one, two, far] = ["203.0.113.77", "203.0.113.78", "203.0.114.77"].map(ip);
    let net = |text: &str| text.rsplit_once('.').unwrap().0.to_owned();
    assert!(net(&one) == net(&two) && net(&one) != net(&far) && one != two);
}

#[test]
fn no_two_addresses_share_a_pseudonym_and_none_is_its_own() {
    let mut redactor = redactor();
    let mut seen = HashSet::new();
    let firsts = [1, 8, 9, 10, 11, 50, 99, 100, 101, 126, 150, 169, 172, 192, 198, 223];
    for first in firsts {
        for second in (0..=255).step_by(3) {
            for last in [0, 9, 10, 99, 100, 255] {
                let ip = IpAddr::from([first, second, 7, last]);
                let new = redactor.addresses.ip(ip);
                assert!(ip != new && seen.insert(new), "{ip} became {new}");
                let private = |ip| matches!(ip, IpAddr::V4(ip) if ip.is_private());
                assert_eq!(private(ip), private(new), "{ip} became {new}");
            }
        }
    }
}

#[test]
fn texts_become_others_of_their_kind() {
    let secret = Secret::of_text("a key");
    for (text, alphabet) in [
        (&b"ChickenMan"[..], "abcdefghijklmnopqrstuvwxyz_"),
        (b"^1<^7XL^1*^7ChickenMan^1>^7", "abcdefghijklmnopqrstuvwxyz_"),
        (b"22026", "0123456789"),
        (b"8A00DE3CE0EE3EA1FF462E779B00637E", "0123456789ABCDEF"),
        (b"8a00de3c", "0123456789abcdef"),
        (b"7", "0123456789"),
        (b"x", "abcdefghijklmnopqrstuvwxyz"),
    ] {
        let new = secret.text(text);
        assert_eq!(new.len(), text.len());
        let new = String::from_utf8(new).unwrap();
        assert!(new.chars().all(|c| alphabet.contains(c)), "{new}");
        assert!(new.as_bytes() != text && secret.text(text) == new.as_bytes());
    }
    assert_eq!(secret.text(b""), b"");
    assert_ne!(Secret::of_text("another").text(b"ChickenMan"), secret.text(b"ChickenMan"));
}

#[test]
fn what_nobody_knows_is_replaced_and_what_is_harmless_stays() {
    for (payload, kept, gone) in [
        (
            &b"infoResponse\n\\mapname\\q3dm17\\hostname\\Joe's Place\\icq\\12345678\\g_new\\800"[..],
            &[r"\\mapname\\q3dm17", r"\\g_new\\800", r"\\icq\\"][..],
            &["Joe", "12345678"][..],
        ),
        (b"infoResponse\n\\sv_maxclients\\Joe Doe", &["sv_maxclients"], &["Joe"]),
        (b"print\nJoe Doe entered", &["print"], &["Joe"]),
        (b"getservers 68 full empty", &["getservers 68 full empty"], &[]),
        // A value in place of a key; a tail that is not decoded.
        (b"infoResponse\n\\a\\b\\Joe_Doe\\x\n\0more of Joe", &["infoResponse"], &["Joe"]),
        // A secret at an unexpected place.
        (b"infoResponse\n\\a\\rcon_password\\hunter2\\x", &[], &["hunter2", "infoResponse"]),
    ] {
        let new = redacted(&[b"\xff\xff\xff\xff", payload].concat());
        assert!(kept.iter().all(|text| new.contains(text)), "{new}");
        assert!(!gone.iter().any(|text| new.contains(text)), "{new}");
    }
}

#[test]
fn an_address_is_found_in_any_text_though_no_packet_had_it_yet() {
    let entry = |payload| registry().recognise(payload).unwrap();
    let payload = b"\xff\xff\xff\xffinfoResponse\n\\version\\built on 203.0.113.77 by 1.2.3.4";
    let mut redactor = redactor();
    redactor.payload(entry(payload), payload);
    let new = redactor.out.escape_ascii().to_string();
    let seen = redactor.endpoint("203.0.113.77:27960".parse().unwrap());
    assert!(new.contains(&format!("built on {} by ", seen.ip())), "{new}");
    assert!(!new.contains("1.2.3.4"), "{new}");
}

#[test]
fn coded_ranges_keep_their_length() {
    for name in ["x", "aaaaaaaaaaaaaaaa", "Joe", "^1J^2o^3e^4D^5o^6e", "eeeeeeeeeeeeeeeeeeeeeeeee"]
    {
        let plain = format!(r#""\challenge\1\cl_guid\8A00DE3CE0EE3EA1\name\{name}""#);
        let mut payload = b"\xff\xff\xff\xffconnect ".to_vec();
        Huffman.apply(plain.as_bytes(), &mut payload).unwrap();
        let entry = registry().recognise(&payload).unwrap();
        let mut redactor = redactor();
        redactor.payload(entry, &payload);
        let Redactor { out, mut reading, .. } = redactor;
        assert_eq!(out.len(), payload.len(), "{name}");
        reading.read_message(entry, &out);
        assert_eq!(reading.fault(), None, "{name}");
        let text = reading.plain().unwrap().escape_ascii().to_string();
        assert!(text.contains("challenge") && !text.contains("8A00DE3CE0EE3EA1"), "{text}");
    }
}

#[test]
fn checksums_follow_the_change() {
    let sum = |bytes: &[u8]| {
        let words =
            bytes.chunks(2).map(|w| u32::from(w[0]) << 8 | u32::from(*w.get(1).unwrap_or(&0)));
        let mut sum: u32 = words.sum();
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        (!(sum as u16)).to_be_bytes()
    };
    let texts: [&[u8]; 5] =
        [b"\0\0\0\0\0", b"\xff\xff\xff\xff\xff", b"abcde", b"edcba", b"\x12\x34\0\0\xff"];
    for old in texts {
        for new in texts {
            let change = Sum::change(old, new);
            // Both forms of zero have the same sum.
            let same = |a: [u8; 2], b: [u8; 2]| {
                a == b || [a, b].iter().all(|c| [[0, 0], [0xff, 0xff]].contains(c))
            };
            assert!(same(change.apply(sum(old)), sum(new)), "{old:?} to {new:?}");
            let [high, low] = sum(old);
            let wrong = [high, low ^ 1];
            assert!(!same(change.apply(wrong), sum(new)), "{old:?} to {new:?}");
        }
    }
}
