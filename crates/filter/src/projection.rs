//! A name of the filter language as a column: its values in a message as text, and their order.

use std::fmt::{self, Write as _};
use std::net::SocketAddr;

use super::datum::{Datum, number};
use super::error::Wrong;
use super::look_up::look_up;
use super::names::ValueType;
use super::scratch::EvalScratch;
use super::sort::SortKey;
use super::source::Source;
use super::subject::Subject;
use super::tree::Expr;
use super::{FilterError, parse};
use codec::{Kind, Shape, Value};
use text::digits::BILLION;
use text::{self, MASK, duration, escaped, latin};

/// The maximum number of values of one message.
const VALUES: usize = 8;
/// The maximum number of bytes of a value, in UTF-8; the rest of a longer one is left out.
const VALUE: usize = 1 << 10;

/// A column that shows the values of a name.
#[derive(Clone)]
pub struct Projection {
    name: String,
    kind: ValueType,
    source: Source,
}

impl Projection {
    /// The column of a name: `length`, `field.hostname`, `exchange.latency`.
    ///
    /// # Errors
    ///
    /// If there is no such name, or the text is more than a name.
    pub fn parse(name: &str) -> Result<Self, FilterError> {
        let checked = parse::parse(name).and_then(|tree| match &tree {
            Expr::Term(term) if term.relation.is_none() => {
                let resolved = look_up(term)?;
                Ok((tree.to_string(), resolved.kind, resolved.source))
            }
            _ => Err(Wrong::at(0..name.len(), "a column is one name, such as field.hostname")),
        });
        let (name, kind, source) = checked.map_err(|wrong| FilterError::new(name, wrong))?;
        Ok(Self { name, kind, source })
    }

    /// The name, as filters spell it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether its values need data of later packets.
    pub fn needs_analysis(&self) -> bool {
        self.source.needs_future()
    }

    /// Whether its values may need payloads.
    pub fn needs_payload(&self) -> bool {
        self.source.needs_payload()
    }

    /// Whether its values are numbers, times or durations.
    pub fn is_number(&self) -> bool {
        match self.kind {
            ValueType::Number | ValueType::Port | ValueType::Time | ValueType::Duration => true,
            ValueType::Field => {
                matches!(&self.source, Source::Field(field) if field.is_only(Kind::Number))
            }
            _ => false,
        }
    }

    /// Appends the first values in a message: escaped, secrets masked, with commas between them.
    /// What is left out has `…` in its place.
    pub fn write(&self, subject: &Subject<'_>, scratch: &mut EvalScratch, out: &mut String) {
        scratch.begin();
        let (begin, mut values) = (out.len(), 0);
        self.source.values(subject, scratch, &mut |datum| {
            if matches!(datum, Datum::There) && self.kind != ValueType::Flag {
                return false;
            }
            if values == VALUES {
                out.push_str(", …");
                return true;
            }
            out.push_str(if out.len() > begin { ", " } else { "" });
            let value = out.len();
            self.write_value(datum, out);
            if out.len() - value > VALUE {
                out.truncate(out.floor_char_boundary(value + VALUE));
                out.push('…');
            }
            values += 1;
            false
        });
    }

    fn write_value(&self, datum: Datum<'_>, out: &mut String) {
        // Writing to a string does not fail.
        _ = match datum {
            Datum::There => out.write_str("yes"),
            Datum::Hidden => out.write_str(MASK),
            Datum::Ip(ip) => write!(out, "{ip}"),
            Datum::End(end) => write!(out, "{end}"),
            Datum::Text(text) => out.write_str(&escaped(text)),
            Datum::Bytes(bytes) => out.write_str(&hex::encode(bytes)),
            Datum::Number(number) => match self.kind {
                ValueType::Time => out.write_str(&text::utc(clamped(number))),
                ValueType::Duration => out.write_str(&duration(clamped(number))),
                ValueType::Rank => {
                    let choices = self.source.choices();
                    let at = usize::try_from(number / BILLION).ok();
                    let choice = at.and_then(|at| choices.get(at));
                    out.write_str(choice.map_or("", |choice| choice))
                }
                _ => write!(out, "{}", number / BILLION),
            },
            Datum::Leaf { span, bytes, colours } => match (span.field.kind, span.shape) {
                (Kind::Mark, _) => out.write_str(&hex::encode(bytes)),
                (Kind::Text, Shape::Text) if render::has_codes(bytes, colours) => {
                    out.write_str(&render::uncoloured(bytes, colours))
                }
                (_, shape) => match shape.value_of(bytes) {
                    Value::Bytes(_) => out.write_str(&escaped(&latin(&shape.text(bytes)))),
                    value => write!(out, "{value}"),
                },
            },
        };
    }

    /// Where a message stands if messages are sorted by this name: its first value.
    pub fn key(&self, subject: &Subject<'_>, scratch: &mut EvalScratch) -> SortKey {
        scratch.begin();
        let mut key = SortKey::Missing;
        self.source.values(subject, scratch, &mut |datum| {
            key = match datum {
                Datum::There if self.kind != ValueType::Flag => return false,
                Datum::There => SortKey::Number(0),
                // The order would tell what is masked.
                Datum::Hidden => SortKey::Text(MASK.into()),
                Datum::Ip(ip) => SortKey::Address(SocketAddr::new(ip, 0)),
                Datum::End(end) => SortKey::Address(end),
                datum => match number(datum) {
                    Some(number) => SortKey::number(Some(number)),
                    None => self.text_key(datum),
                },
            };
            true
        });
        key
    }

    fn text_key(&self, datum: Datum<'_>) -> SortKey {
        let mut text = String::new();
        self.write_value(datum, &mut text);
        SortKey::text(&text)
    }
}

impl fmt::Debug for Projection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Projection").field(&self.name).finish()
    }
}

impl PartialEq for Projection {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

fn clamped(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
