//! Addresses and ports in decimal text: GameSpy's `\ip\192.0.2.7:7778`, and feeds with one server
//! per line.
//!
//! A list ends at the first record that is not well-formed; the declaration says what may follow.

use std::net::{Ipv4Addr, SocketAddrV4};

use super::addrs::{ADDRESS, SERVER};
use super::field::{Field, FieldRole};
use super::grammar::ViewLayout;
use super::pass::View;
use super::reader::until;
use super::shape::{Shape, Value};
use super::span::{Group, Parts, Sink};
use super::view::view;

/// The bytes around each `ADDRESS:PORT`.
#[derive(Debug, Clone, Copy)]
pub struct EndpointForm {
    /// The beginning of a record.
    pub lead: &'static [u8],
    /// The end of a record, which belongs to it; the payload's end is one too.
    pub ends: &'static [&'static [u8]],
    /// What may follow a record without any of `ends`; it does not belong to the list.
    pub next: &'static [u8],
}

/// GameSpy's: a pair per server.
pub const IP_PAIRS: EndpointForm = EndpointForm { lead: b"\\ip\\", ends: &[], next: b"\\" };
/// Feeds: a line per server.
pub const LINES: EndpointForm = EndpointForm { lead: b"", ends: &[b"\r\n", b"\n"], next: b"" };

view! {
    /// Records as they were sent, all of them complete.
    Endpoints
}

static SEPARATOR: Field = Field::separator("separator", "parts records");
static COLON: Field = Field::separator("colon", "parts address and port");
static PORT: Field =
    Field::number("port", "the UDP port that the server is asked on").role(FieldRole::Port);

/// The length of each part of a record.
struct RecordLayout {
    lead: usize,
    ip: usize,
    port: usize,
    end: usize,
}

impl RecordLayout {
    /// The record at the beginning of `left`; `None` if there is none, or only a part of one.
    fn split_off(left: &[u8], form: EndpointForm) -> Option<Self> {
        let body = left.strip_prefix(form.lead)?;
        let (ip, rest) = body.split_at_checked(until(body, b":"))?;
        let digits = rest.get(1..)?;
        let port = digits.iter().take_while(|b| b.is_ascii_digit()).count();
        let (digits, behind) = digits.split_at_checked(port)?;
        read_endpoint(ip, digits)?;
        let end = form.ends.iter().find(|end| behind.starts_with(end)).map_or(0, |end| end.len());
        let ended = end > 0 || behind.first().is_none_or(|b| form.next.contains(b));
        ended.then_some(Self { lead: form.lead.len(), ip: ip.len(), port, end })
    }

    fn len(&self) -> usize {
        self.lead + self.ip + 1 + self.port + self.end
    }
}

fn read_endpoint(ip: &[u8], port: &[u8]) -> Option<SocketAddrV4> {
    let ip: Ipv4Addr = std::str::from_utf8(ip).ok()?.parse().ok()?;
    match Shape::Decimal.value_of(port) {
        Value::Int(port) => Some(SocketAddrV4::new(ip, u16::try_from(port).ok()?)),
        _ => None,
    }
}

impl<'a> Endpoints<'a> {
    /// Whether `all` begins with a complete record.
    pub fn begins(all: &[u8], form: EndpointForm) -> bool {
        RecordLayout::split_off(all, form).is_some()
    }

    /// Every server in order.
    pub fn iter(self, form: EndpointForm) -> impl Iterator<Item = SocketAddrV4> + 'a {
        self.records(form).filter_map(|(record, bytes)| {
            let ip = bytes.get(record.lead..record.lead + record.ip)?;
            let port = bytes.get(record.lead + record.ip + 1..)?;
            read_endpoint(ip, port.get(..record.port)?)
        })
    }

    fn records(self, form: EndpointForm) -> impl Iterator<Item = (RecordLayout, &'a [u8])> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            let record = RecordLayout::split_off(left, form)?;
            let (bytes, rest) = left.split_at_checked(record.len())?;
            left = rest;
            Some((record, bytes))
        })
    }
}

impl<'a> View<'a> for Endpoints<'a> {
    type Form = EndpointForm;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], form: EndpointForm) -> usize {
        Self::new(all).records(form).map(|(record, _)| record.len()).sum()
    }

    fn parts<S: Sink>(&self, form: EndpointForm, out: &mut Parts<'_, '_, S>) {
        for (record, _) in self.records(form) {
            out.open(&SERVER, Group::Endpoint);
            out.gap(&SEPARATOR, Shape::Text, record.lead);
            out.leaf(&ADDRESS, Shape::DottedIpv4, record.ip);
            out.gap(&COLON, Shape::Text, 1);
            out.leaf(&PORT, Shape::Decimal, record.port);
            out.gap(&SEPARATOR, Shape::Text, record.end);
            out.close();
        }
    }

    fn layout(form: EndpointForm) -> ViewLayout {
        ViewLayout::Endpoints(form)
    }

    fn fields(_: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        [&ADDRESS, &PORT].into_iter().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_records_are_taken_and_taken_again() {
        for (form, all, count, taken) in [
            (LINES, &b"192.0.2.7:27733\n198.51.100.9:27733\n"[..], 2, 35),
            (LINES, b"192.0.2.7:27733\r\n198.51.100.9:27733", 2, 35),
            (LINES, b"192.0.2.7:27733\n198.51.100.9:2773x\n", 1, 16),
            (LINES, b"192.0.2.7:65536\n", 0, 0),
            (LINES, b"192.0.2.7:\n", 0, 0),
            (LINES, b"192.0.2.007:1\n", 0, 0),
            (LINES, b"<html>", 0, 0),
            (IP_PAIRS, br"\ip\192.0.2.7:7778\ip\198.51.100.9:7778\final\", 2, 39),
            (IP_PAIRS, br"\ip\192.0.2.7:7778\ip\198.51.100.", 1, 18),
            (IP_PAIRS, br"\ip\host:7778\final\", 0, 0),
            (IP_PAIRS, b"", 0, 0),
        ] {
            let list = Endpoints::split_off(all, form);
            let text = all.escape_ascii();
            assert_eq!((list.iter(form).count(), list.raw().len()), (count, taken), "{text}");
            assert_eq!(Endpoints::split_off(list.raw(), form), list, "{text}");
        }
    }
}
