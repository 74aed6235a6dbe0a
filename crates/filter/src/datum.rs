//! Values of messages, and the tests applied to them.

use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr};

use memchr::memmem::Finder;
use regex::Regex;

use codec::{FieldRole, Kind, Shape, Span, Value};
use protocol::Colours;
use text::digits::{BILLION, billionths};

/// One value of a name in a message.
#[derive(Debug, Clone, Copy)]
pub(super) enum Datum<'a> {
    /// The name is there and has no value.
    There,
    /// It has a value, which is masked.
    Hidden,
    /// In billionths; times in seconds since the Unix epoch.
    Number(i128),
    Ip(IpAddr),
    End(SocketAddr),
    Text(&'a str),
    /// Bytes that no field divides.
    Bytes(&'a [u8]),
    Leaf {
        span: &'a Span,
        bytes: &'a [u8],
        colours: Colours,
    },
}

/// What a value is tested for.
#[derive(Debug, Clone)]
pub(super) enum ValueTest {
    /// In one of these ranges, whose ends are included.
    Numbers(Vec<(i128, i128)>),
    Nets(Vec<Net>),
    /// One of these texts.
    Texts(Vec<String>),
    /// These bytes.
    Bytes(Vec<u8>),
    /// A text that holds this one.
    Contains(Box<Finder<'static>>),
    Matches(Regex),
    /// One of these.
    Any(Vec<ValueTest>),
}

/// An address or a network, and perhaps a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Net {
    pub address: IpAddr,
    /// How many bits of the address count.
    pub bits: u8,
    pub port: Option<u16>,
}

impl Datum<'_> {
    /// A whole number.
    pub fn whole(number: impl Into<i128>) -> Self {
        Self::Number(number.into() * BILLION)
    }
}

impl ValueTest {
    /// Whether a value passes the test; a hidden one, or one of another type, does not.
    pub fn matches(&self, datum: Datum<'_>) -> bool {
        match self {
            Self::Numbers(ranges) => number(datum).is_some_and(|number| {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&number))
            }),
            Self::Nets(nets) => {
                let Some((ip, port)) = end(datum) else {
                    return false;
                };
                nets.iter().any(|net| net.contains(ip, port))
            }
            Self::Texts(texts) => is_text(datum, |text| texts.iter().any(|t| t == text)),
            Self::Bytes(bytes) => matches!(datum, Datum::Bytes(found) if found == bytes),
            Self::Contains(part) => match datum {
                Datum::Bytes(bytes) => part.find(bytes).is_some(),
                _ => is_text(datum, |text| part.find(text.as_bytes()).is_some()),
            },
            Self::Matches(regex) => match datum {
                Datum::Bytes(bytes) => regex.is_match(&text::as_latin(bytes)),
                _ => is_text(datum, |text| regex.is_match(text)),
            },
            Self::Any(tests) => tests.iter().any(|test| test.matches(datum)),
        }
    }
}

impl ValueTest {
    /// The digits of which one stands in any text that passes the test; nothing if that is not
    /// known. A number as text begins with its whole part.
    pub fn digits(&self) -> Vec<String> {
        let whole = |(from, to): &(i128, i128)| {
            let [from, to] = [from, to].map(|end| end / BILLION);
            (from == to).then(|| from.unsigned_abs().to_string())
        };
        match self {
            Self::Numbers(ranges) if ranges.len() <= DIGITS => {
                ranges.iter().map(whole).collect::<Option<_>>().unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}

/// How many numbers are searched for as text.
const DIGITS: usize = 4;

/// The number of a value, in billionths.
pub(super) fn number(datum: Datum<'_>) -> Option<i128> {
    match datum {
        Datum::Number(number) => Some(number),
        Datum::Leaf { span, bytes, .. } => match span.shape.value_of(bytes) {
            Value::Int(number) => Some(i128::from(number) * BILLION),
            Value::Float(number) => billionths(&number.to_string()),
            Value::Bytes(bytes) => billionths(str::from_utf8(bytes).ok()?),
            Value::Ip(_) => None,
        },
        _ => None,
    }
}

fn end(datum: Datum<'_>) -> Option<(IpAddr, Option<u16>)> {
    match datum {
        Datum::Ip(ip) => Some((ip, None)),
        Datum::End(end) => Some((end.ip(), Some(end.port()))),
        Datum::Leaf { span, bytes, .. } => match span.shape.value_of(bytes) {
            Value::Ip(ip) => Some((ip, None)),
            Value::Bytes(bytes) => {
                let text = str::from_utf8(bytes).ok()?;
                let end = text.parse::<SocketAddr>().map(|end| (end.ip(), Some(end.port())));
                end.or_else(|_| text.parse().map(|ip| (ip, None))).ok()
            }
            Value::Int(_) | Value::Float(_) => None,
        },
        _ => None,
    }
}

/// Whether a text passes the test, as it was sent or without its colour codes.
fn is_text(datum: Datum<'_>, is: impl Fn(&str) -> bool) -> bool {
    match datum {
        Datum::Text(text) => is(text),
        Datum::Leaf { span, bytes, colours } => {
            let text = span.shape.text(bytes);
            is(&text::latin(&text)) || text_of(span, bytes, colours).is_some_and(|text| is(&text))
        }
        _ => false,
    }
}

/// A text without its colour codes, if it has any.
fn text_of(span: &Span, bytes: &[u8], colours: Colours) -> Option<Cow<'static, str>> {
    let may_be = span.field.kind == Kind::Text
        && matches!(span.shape, Shape::Text | Shape::Utf16)
        && span.field.role != FieldRole::Challenge
        && render::has_codes(bytes, colours);
    may_be.then(|| render::uncoloured(&span.shape.text(bytes), colours).into())
}

impl Net {
    fn contains(self, ip: IpAddr, port: Option<u16>) -> bool {
        if self.port.is_some() && self.port != port {
            return false;
        }
        match (self.address, ip.to_canonical()) {
            (IpAddr::V4(net), IpAddr::V4(ip)) => {
                let differ = (net.to_bits() ^ ip.to_bits()).leading_zeros();
                differ >= u32::from(self.bits)
            }
            (IpAddr::V6(net), IpAddr::V6(ip)) => {
                let differ = (net.to_bits() ^ ip.to_bits()).leading_zeros();
                differ >= u32::from(self.bits)
            }
            _ => false,
        }
    }
}
