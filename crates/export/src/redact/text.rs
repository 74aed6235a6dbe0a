//! Addresses in texts: found by their notation, wherever they stand and whether or not any packet
//! has that address, and replaced in place, in as many characters.
//!
//! No state is needed: a pseudonym depends on the key and the address alone. So a version of four
//! numbers counts as an address too.

use std::net::{IpAddr, Ipv6Addr};
use std::ops::Range;

use super::addresses::Addresses;
use super::pseudonym::is_common;

/// The maximum length of an IPv6 address in text.
const LONGEST: usize = 45;
/// The maximum number of its colons.
const COLONS: usize = 8;

/// The result for a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rewritten {
    /// It holds no address.
    Same,
    /// It has other addresses.
    With(Vec<u8>),
    /// A pseudonym does not fit an address's notation, or there is a part of an address.
    NoSpace,
}

/// A text with pseudonyms in the place of all addresses.
pub(super) fn rewritten(text: &[u8], addresses: &mut Addresses) -> Rewritten {
    if !may_hold(text) {
        return Rewritten::Same;
    }
    let mut job = TextRewriter { text, new: text.to_vec(), left: text.to_vec() };
    if !job.sixes(addresses) || !job.fours(addresses) || job.has_rest() {
        return Rewritten::NoSpace;
    }
    if job.new == text { Rewritten::Same } else { Rewritten::With(job.new) }
}

struct TextRewriter<'a> {
    text: &'a [u8],
    new: Vec<u8>,
    /// The text without what was parsed.
    left: Vec<u8>,
}

/// Separators of the four numbers of an IPv4 address: hyphens in names of dial-up hosts
/// (`203-0-113-7.example.net`).
const SEPARATORS: [u8; 2] = *b".-";

/// Three dots or hyphens, or two colons: a cheap test, because most texts have fewer.
fn may_hold(text: &[u8]) -> bool {
    let count = |what: u8| memchr::memchr_iter(what, text).take(3).count();
    SEPARATORS.into_iter().any(|separator| count(separator) >= 3) || count(b':') >= 2
}

impl TextRewriter<'_> {
    /// Rewrites four numbers separated by dots or hyphens, leading zeros or not.
    fn fours(&mut self, addresses: &mut Addresses) -> bool {
        let mut at = 0;
        while at < self.text.len() {
            let Some((numbers, octets)) = four(self.text, at) else {
                at += digits(self.text, at).max(1);
                continue;
            };
            let (first, last) = (numbers.first(), numbers.last());
            let ip = IpAddr::from(octets);
            self.clear(&(at..last.map_or(at, |last| last.end)));
            if is_common(ip) {
                at = first.map_or(at + 1, |first| first.end);
                continue;
            }
            let IpAddr::V4(new) = addresses.ip(ip) else { return false };
            let mut written = numbers.iter().zip(new.octets());
            if !written.all(|(range, octet)| {
                let digits = format!("{octet:0width$}", width = range.len());
                self.put(range, digits.as_bytes())
            }) {
                return false;
            }
            at = last.map_or(at + 1, |last| last.end);
        }
        true
    }

    /// Rewrites groups of hex digits separated by colons.
    fn sixes(&mut self, addresses: &mut Addresses) -> bool {
        let mut at = 0;
        while let Some(range) = next_six(self.text, &mut at) {
            let Some(ip) = six(self.text, &range) else { continue };
            let written = self.text.get(range.clone()).unwrap_or_default();
            if written.contains(&b'.') {
                // Its last numbers are an IPv4 address; the part before them identifies nobody.
                let head = ip.segments();
                let is_mapped = matches!(head, [0, 0, 0, 0, 0, 0 | 0xffff, ..]);
                if is_mapped || matches!(head, [0x64, 0xff9b, 0, 0, 0, 0, ..]) {
                    continue;
                }
                return false;
            }
            self.clear(&range);
            if is_common(ip.into()) {
                continue;
            }
            let IpAddr::V6(other) = addresses.ip(ip.into()) else { return false };
            if !self.write_six(&range, other) {
                return false;
            }
        }
        true
    }

    /// Writes groups in the original width and letter case.
    fn write_six(&mut self, range: &Range<usize>, other: Ipv6Addr) -> bool {
        let groups = other.segments();
        let written = self.text.get(range.clone()).unwrap_or_default();
        let gap = memchr::memmem::find(written, b"::");
        let count = written.split(|b| *b == b':').filter(|group| !group.is_empty()).count();
        let (mut at, mut part) = (range.start, 0);
        for group in written.split(|b| *b == b':') {
            let here = at..at + group.len();
            at = here.end + 1;
            if group.is_empty() {
                continue;
            }
            let is_behind = gap.is_some_and(|gap| here.start - range.start > gap);
            let index = if is_behind { 8 - (count - part) } else { part };
            part += 1;
            let Some(value) = groups.get(index) else { return false };
            let mut digits = format!("{value:0width$x}", width = group.len());
            if group.iter().any(u8::is_ascii_uppercase) {
                digits.make_ascii_uppercase();
            }
            if !self.put(&here, digits.as_bytes()) {
                return false;
            }
        }
        true
    }

    fn put(&mut self, range: &Range<usize>, new: &[u8]) -> bool {
        match self.new.get_mut(range.clone()) {
            Some(part) if part.len() == new.len() => {
                part.copy_from_slice(new);
                true
            }
            _ => false,
        }
    }

    fn clear(&mut self, range: &Range<usize>) {
        if let Some(read) = self.left.get_mut(range.clone()) {
            read.fill(b' ');
        }
    }

    /// Whether the rest may be most of an address: one split over two fields, or a link-layer
    /// address.
    fn has_rest(&self) -> bool {
        let has = |is_part: fn(&u8) -> bool, mark: u8, most: usize| {
            let mut runs = self.left.split(|b| !is_part(b));
            runs.any(|run| run.len() > most + 1 && memchr::memchr_iter(mark, run).count() >= most)
        };
        has(|b| b.is_ascii_digit() || *b == b'.', b'.', 3)
            || has(|b| b.is_ascii_hexdigit() || *b == b':', b':', 4)
    }
}

/// The ranges of the numbers of an address that begins at `at`.
fn four(text: &[u8], at: usize) -> Option<([Range<usize>; 4], [u8; 4])> {
    let (mut ranges, mut octets) = ([const { 0..0 }; 4], [0; 4]);
    let separator = text.get(at + digits(text, at)).filter(|b| SEPARATORS.contains(b))?;
    let mut next = at;
    for (n, (range, octet)) in ranges.iter_mut().zip(&mut octets).enumerate() {
        if n > 0 {
            (text.get(next) == Some(separator)).then_some(())?;
            next += 1;
        }
        let end = next + digits(text, next);
        let number = text.get(next..end).filter(|number| !number.is_empty())?;
        *octet = number.iter().try_fold(0u8, |sum, digit| {
            sum.checked_mul(10)?.checked_add(digit.checked_sub(b'0')?)
        })?;
        *range = next..end;
        next = end;
    }
    Some((ranges, octets))
}

fn digits(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().take_while(|b| b.is_ascii_digit()).count()
}

/// The longest address at the next possible place; moves `at` after it.
fn next_six(text: &[u8], at: &mut usize) -> Option<Range<usize>> {
    let is_part = |b: u8| b.is_ascii_hexdigit() || matches!(b, b':' | b'.');
    let is_word = |b: Option<&u8>| b.is_some_and(u8::is_ascii_hexdigit);
    while *at < text.len() {
        let start = *at;
        let before = start.checked_sub(1).and_then(|before| text.get(before));
        let first = text.get(start).copied().filter(|b| is_part(*b));
        if first.is_none() || is_word(before) && is_word(text.get(start)) {
            *at += 1;
            continue;
        }
        let rest = text.get(start..).unwrap_or_default();
        let mut colons = 0;
        let parts = rest.iter().take(LONGEST).take_while(|b| {
            colons += usize::from(**b == b':');
            is_part(**b) && colons <= COLONS
        });
        let length = parts.count();
        // Without a colon there is none.
        let ends = (start + 2..=start + if colons > 0 { length } else { 0 }).rev();
        let mut ends = ends.filter(|end| {
            let last = end.checked_sub(1).and_then(|last| text.get(last));
            !(is_word(last) && is_word(text.get(*end)))
        });
        if let Some(end) = ends.find(|end| six(text, &(start..*end)).is_some()) {
            *at = end;
            return Some(start..end);
        }
        *at += 1;
    }
    None
}

fn six(text: &[u8], range: &Range<usize>) -> Option<Ipv6Addr> {
    let text = text.get(range.clone()).filter(|text| text.contains(&b':'))?;
    str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::pseudonym::Secret;
    use super::*;

    /// Texts, with the addresses in braces.
    const TEXTS: [&str; 20] = [
        "{203.0.113.77}",
        "built on {203.0.113.77} by {1.2.3.4}",
        "ip{203.0.113.77}x, {198.51.100.9}:27960",
        "{203.000.113.077}",
        "0.{203.0.113.77}",
        "127.{203.0.113.77}",
        "[{2001:db8::7}]:27960",
        "at {2001:DB8:0:0:0:0:0:7}/64",
        "{2001:0db8:0000:0000:0000:0000:0000:0007}",
        "addr:{2001:db8::7}, {fe80::1:2}%eth0",
        "::ffff:{203.0.113.77}",
        "{203.0.113.77}\n{203.0.113.78}",
        "{203-0-113-77}.dial.example.net",
        "{203-000-113-077} 203-0.113-77",
        "2026-11-22 1-2-3",
        "version 1.32",
        "12:30:45 and 1.2.3",
        "127.0.0.1 ::1 :: 0.0.0.0 256.1.1",
        "sv_master1 {198.51.100.1}:27950\0",
        "{10.1.2.3}",
    ];

    #[test]
    fn addresses_are_found_in_every_form_and_nothing_else_changes() {
        for marked in TEXTS {
            let text = marked.replace(['{', '}'], "");
            let mut addresses = Addresses::new(Secret::of_text("a key"));
            let new = match rewritten(text.as_bytes(), &mut addresses) {
                Rewritten::Same => text.clone(),
                Rewritten::With(new) => String::from_utf8(new).unwrap(),
                Rewritten::NoSpace => panic!("{text} has no room"),
            };
            assert_eq!(new.len(), text.len(), "{text} became {new}");
            let mut at = 0;
            for (n, part) in marked.split(['{', '}']).enumerate() {
                let became = &new[at..at + part.len()];
                at += part.len();
                assert_eq!(became == part, n % 2 == 0, "{text} became {new}");
                let ips: [Option<IpAddr>; 2] = [part, became].map(|text| text.parse().ok());
                if let (1, [Some(old), Some(new)]) = (n % 2, ips) {
                    assert_eq!(addresses.ip(old), new, "{text}");
                }
            }
        }
    }
    #[test]
    fn what_may_be_the_rest_of_an_address_is_not_left() {
        let mut addresses = Addresses::new(Secret::of_text("a key"));
        for text in [
            ".0.113.77",
            ":db8:0:0:0:7:9",
            "00:11:22:33:44:55",
            "2001:db8::203.0.113.77",
            "1.2.3.400",
        ] {
            assert_eq!(rewritten(text.as_bytes(), &mut addresses), Rewritten::NoSpace, "{text}");
        }
    }
}
