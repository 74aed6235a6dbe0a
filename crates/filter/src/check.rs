//! Type-checks a tree and makes a predicate of it: looks up names and converts literals.

use std::net::{IpAddr, SocketAddr};

use memchr::memmem::Finder;
use regex::RegexBuilder;

use super::bytes::{hex_bytes, text_bytes};
use super::datum::{Net, ValueTest};
use super::error::Wrong;
use super::look_up::look_up;
use super::names::ValueType;
use super::number::number;
use super::predicate::Predicate;
use super::source::Source;
use super::suggest;
use super::tree::{Expr, FilterSpan, Literal, Located, Op, Relation, SetMember, Term};
use text::digits::BILLION;
use text::{parse_duration, parse_time};

/// How big a compiled regular expression may be, in bytes, and how many a filter may have.
const REGEX: usize = 1 << 20;
const REGEXES: usize = 32;

/// Makes a predicate of a tree.
pub(super) fn check(expr: &Expr) -> Result<Predicate, Wrong> {
    Checker { regexes: 0 }.rule(expr)
}

struct Checker {
    regexes: usize,
}

/// The result of a name lookup.
pub(super) struct ResolvedName<'a> {
    pub name: &'a Located,
    pub kind: ValueType,
    pub source: Source,
    /// Whether a time is compared with the time since the first message, once that is known.
    pub is_since: Option<bool>,
}

/// The range of numbers that a literal stands for: first and last.
type NumberRange = (i128, i128);

impl Checker {
    fn rule(&mut self, expr: &Expr) -> Result<Predicate, Wrong> {
        let mut all = |parts: &[Expr]| -> Result<Vec<_>, _> {
            parts.iter().map(|part| self.rule(part)).collect()
        };
        Ok(match expr {
            Expr::Or(parts) => Predicate::any(all(parts)?),
            Expr::And(parts) => Predicate::all(all(parts)?),
            Expr::Not(part) => Predicate::Not(Box::new(self.rule(part)?)),
            Expr::Term(term) => self.term(term)?,
        })
    }

    fn term(&mut self, term: &Term) -> Result<Predicate, Wrong> {
        let mut resolved = look_up(term)?;
        let (test, not) = match &term.relation {
            None => return Ok(Predicate::Has(resolved.source)),
            Some(Relation::Compare { op, at, value }) => {
                resolved.allows(*op, at)?;
                (self.test(&mut resolved, *op, at, value)?, *op == Op::Ne)
            }
            Some(Relation::In { not, at, members }) => {
                resolved.allows(Op::Eq, at)?;
                let tests = members.iter().map(|member| self.member(&mut resolved, at, member));
                (joined(tests.collect::<Result<_, _>>()?), *not)
            }
        };
        Ok(if not {
            Predicate::IsNot(resolved.source, test)
        } else {
            Predicate::Is(resolved.source.passing(&test), test)
        })
    }

    fn member(
        &mut self,
        resolved: &mut ResolvedName<'_>,
        at: &FilterSpan,
        member: &SetMember,
    ) -> Result<ValueTest, Wrong> {
        let (from, to) = match member {
            SetMember::One(value) => return self.test(resolved, Op::Eq, at, value),
            SetMember::Range(from, to) => (from, to),
        };
        let ends = [from, to].map(|end| match end {
            Literal::Word(word) if resolved.kind == ValueType::Field => {
                number(&word.text).map(|n| (n, n))
            }
            end => resolved.span(end).ok().flatten(),
        });
        let at = from.written().at.0.start..to.written().at.0.end;
        match ends {
            [Some((first, _)), Some((_, last))] if first <= last => {
                Ok(ValueTest::Numbers(vec![(first, last)]))
            }
            [Some(_), Some(_)] => Err(Wrong::at(at, "this range ends before it begins")),
            _ => Err(Wrong::at(at, "a range goes from a number or a time to another")),
        }
    }

    /// The test of a comparison; of `!=` that of `==`.
    fn test(
        &mut self,
        resolved: &mut ResolvedName<'_>,
        op: Op,
        at: &FilterSpan,
        value: &Literal,
    ) -> Result<ValueTest, Wrong> {
        if let Some(span) = resolved.span(value)? {
            return ordered(op, span, at);
        }
        match (resolved.kind, value) {
            (ValueType::Address | ValueType::End, _) => resolved.net(value),
            (ValueType::Field, Literal::Word(word)) => {
                if let Some(number) = number(&word.text) {
                    return ordered(op, (number, number), at);
                }
                match (net(&word.text), op) {
                    (Some(net), Op::Eq | Op::Ne) => Ok(ValueTest::Nets(vec![net])),
                    (Some(_), _) => Err(unordered(op, at, "addresses")),
                    (None, _) => Err(bare(word)),
                }
            }
            (ValueType::Bytes, _) => self.bytes(op, at, value),
            (ValueType::Choice, _) if matches!(op, Op::Eq | Op::Ne) => {
                resolved.choice(value.written()).map(|text| ValueTest::Texts(vec![text]))
            }
            (_, Literal::Word(word)) => Err(bare(word)),
            (_, Literal::Text(text)) => self.text(op, at, text),
        }
    }

    /// Bytes are hex digits or a text in quotes.
    fn bytes(&mut self, op: Op, at: &FilterSpan, value: &Literal) -> Result<ValueTest, Wrong> {
        let bytes = match value {
            Literal::Text(text) if op == Op::Matches => return self.regex(text),
            Literal::Text(text) => Some(text_bytes(&text.text)),
            Literal::Word(word) => hex_bytes(&word.text),
        };
        let wanted = "bytes are wanted here, as ff:ff, or a text in quotes";
        let bytes = bytes.ok_or_else(|| Wrong::at(value.written().at.0.clone(), wanted))?;
        match op {
            Op::Eq | Op::Ne => Ok(ValueTest::Bytes(bytes)),
            Op::Contains => Ok(ValueTest::Contains(Finder::new(&bytes).into_owned().into())),
            Op::Matches => Err(Wrong::at(at.0.clone(), "~ goes with a text in quotes")),
            Op::Lt | Op::Le | Op::Gt | Op::Ge => Err(unordered(op, at, "bytes")),
        }
    }

    fn text(&mut self, op: Op, at: &FilterSpan, text: &Located) -> Result<ValueTest, Wrong> {
        match op {
            Op::Eq | Op::Ne => Ok(ValueTest::Texts(vec![text.text.clone()])),
            Op::Contains => {
                Ok(ValueTest::Contains(Finder::new(text.text.as_bytes()).into_owned().into()))
            }
            Op::Matches => self.regex(text),
            Op::Lt | Op::Le | Op::Gt | Op::Ge => Err(unordered(op, at, "texts")),
        }
    }

    fn regex(&mut self, text: &Located) -> Result<ValueTest, Wrong> {
        let wrong = |what: String| Wrong::at(text.at.0.clone(), what);
        self.regexes += 1;
        if self.regexes > REGEXES {
            return Err(wrong(format!("a filter has {REGEXES} regular expressions at most")));
        }
        let mut builder = RegexBuilder::new(&text.text);
        let built = builder.case_insensitive(true).size_limit(REGEX).nest_limit(64).build();
        built.map(ValueTest::Matches).map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => wrong("this regular expression is too big".into()),
            error => {
                // The last of several lines says what is wrong.
                let message = error.to_string();
                let last = message.lines().last().unwrap_or_default();
                let why = last.strip_prefix("error: ").unwrap_or(last);
                wrong(format!("invalid regular expression: {why}"))
            }
        })
    }
}

impl ResolvedName<'_> {
    /// Whether the name has values to which the operator applies.
    fn allows(&self, op: Op, at: &FilterSpan) -> Result<(), Wrong> {
        let name = &self.name.text;
        let only = |kind| matches!(&self.source, Source::Field(field) if field.is_only(kind));
        if self.kind == ValueType::Flag || only(codec::Kind::Coded) {
            let what = format!("{name} is there or not, and compares with nothing");
            return Err(Wrong::at(at.0.clone(), what));
        }
        let is_text = matches!(op, Op::Matches | Op::Contains);
        match self.kind {
            ValueType::Number
            | ValueType::Port
            | ValueType::Time
            | ValueType::Duration
            | ValueType::Rank
            | ValueType::Address
            | ValueType::End
                if is_text =>
            {
                let what = format!("{op} goes with texts, and {name} is {}", self.kind.one());
                Err(Wrong::at(at.0.clone(), what))
            }
            ValueType::Address | ValueType::End if !matches!(op, Op::Eq | Op::Ne) => {
                Err(unordered(op, at, "addresses"))
            }
            _ => Ok(()),
        }
    }

    /// The range of numbers of a literal, for names whose values are numbers; else `None`.
    fn span(&mut self, value: &Literal) -> Result<Option<NumberRange>, Wrong> {
        let text = &value.written().text;
        let one = |number: i128| (number, number);
        let (span, wanted) = match self.kind {
            ValueType::Number => {
                (number(text).map(one), "a number is wanted here, as 27950 or 0x6d2e")
            }
            ValueType::Port => {
                let port = number(text).filter(|port| {
                    port % BILLION == 0 && (0..=i128::from(u16::MAX)).contains(&(port / BILLION))
                });
                (port.map(one), "a port is wanted here, from 0 to 65535")
            }
            ValueType::Duration => {
                let has_seconds = self.name.text.eq_ignore_ascii_case("frame.time_relative");
                let seconds = || number(text).filter(|_| has_seconds);
                let span = parse_duration(text).or_else(seconds);
                (span.map(one), "a duration is wanted here, as 250ms, 1.5s or 2m")
            }
            ValueType::Rank => return self.choice(value.written()).map(|text| self.rank(&text)),
            ValueType::Time => {
                let since = parse_duration(text).map(one);
                if self.is_since.is_some_and(|was| was != since.is_some()) {
                    let what = "a set holds times, or durations since the first message";
                    return Err(Wrong::at(value.written().at.0.clone(), what));
                }
                self.is_since = Some(since.is_some());
                if since.is_some() {
                    self.source = Source::Elapsed;
                    return Ok(since);
                }
                let wanted = "a time is wanted here, as 2026-11-21, 2026-11-21T08:00:00Z, or 30s \
                              since the first message";
                (parse_time(text), wanted)
            }
            _ => return Ok(None),
        };
        span.map(Some).ok_or_else(|| Wrong::at(value.written().at.0.clone(), wanted))
    }

    /// A value of a name that has only a few.
    fn choice(&self, value: &Located) -> Result<String, Wrong> {
        let choices = self.source.choices();
        if choices.iter().any(|choice| *choice == value.text) {
            return Ok(value.text.clone());
        }
        let suggestion = suggest::nearest(&value.text, choices.iter().map(|choice| &**choice));
        let what = format!("no {} is {:?}", self.name.text, value.text);
        let wrong = Wrong::at(value.at.0.clone(), what);
        Err(wrong.suggesting(suggestion.map(|suggestion| format!("\"{suggestion}\""))))
    }

    fn rank(&self, text: &str) -> Option<NumberRange> {
        let at = self.source.choices().iter().position(|choice| choice == text)?;
        let at = at as i128 * BILLION;
        Some((at, at))
    }

    fn net(&self, value: &Literal) -> Result<ValueTest, Wrong> {
        let written = value.written();
        let wrong = |what: &str| Err(Wrong::at(written.at.0.clone(), what));
        match net(&written.text) {
            Some(Net { port: Some(_), .. }) if self.kind == ValueType::Address => {
                wrong("an address has no port; source, server and their like have")
            }
            Some(net) => Ok(ValueTest::Nets(vec![net])),
            None if self.kind == ValueType::Address => {
                wrong("an address or a network is wanted here, as 192.0.2.7 or 10.0.0.0/8")
            }
            None => wrong("an address is wanted here, as 192.0.2.7, 192.0.2.7:27960 or 10.0.0.0/8"),
        }
    }
}

impl ValueType {
    /// The type's name within a sentence.
    fn one(self) -> &'static str {
        match self {
            Self::Address | Self::End => "an address",
            Self::Time => "a time",
            Self::Duration => "a duration",
            _ => "a number",
        }
    }
}

/// The numbers that compare like this with those of a literal.
fn ordered(op: Op, (first, last): NumberRange, at: &FilterSpan) -> Result<ValueTest, Wrong> {
    let range = match op {
        Op::Eq | Op::Ne => (first, last),
        Op::Lt => (i128::MIN, first - 1),
        Op::Le => (i128::MIN, last),
        Op::Gt => (last + 1, i128::MAX),
        Op::Ge => (first, i128::MAX),
        Op::Matches | Op::Contains => {
            return Err(Wrong::at(at.0.clone(), format!("{op} goes with a text in quotes")));
        }
    };
    Ok(ValueTest::Numbers(vec![range]))
}

fn unordered(op: Op, at: &FilterSpan, what: &str) -> Wrong {
    Wrong::at(at.0.clone(), format!("{op} goes with numbers and times, not with {what}"))
}

fn bare(word: &Located) -> Wrong {
    let suggestion = super::quote::quoted(&word.text);
    Wrong::at(word.at.0.clone(), "a text is written in quotes").suggesting(Some(suggestion))
}

/// `192.0.2.7`, `192.0.2.7:27960`, `[2001:db8::7]:27960`, `10.0.0.0/8`.
fn net(text: &str) -> Option<Net> {
    if let Ok(end) = text.parse::<SocketAddr>() {
        return Some(whole(end.ip(), Some(end.port())));
    }
    let (address, bits) = match text.split_once('/') {
        Some((address, bits)) => (address, Some(bits)),
        None => (text, None),
    };
    let net = whole(address.parse().ok()?, None);
    let Some(bits) = bits else {
        return Some(net);
    };
    let is_plain = !bits.is_empty() && bits.bytes().all(|b| b.is_ascii_digit());
    let bits = bits.parse().ok().filter(|bits| is_plain && *bits <= net.bits)?;
    Some(Net { bits, ..net })
}

fn whole(ip: IpAddr, port: Option<u16>) -> Net {
    let address = ip.to_canonical();
    Net { address, bits: if address.is_ipv4() { 32 } else { 128 }, port }
}

/// One test for the members of a set.
fn joined(members: Vec<ValueTest>) -> ValueTest {
    let (mut numbers, mut nets, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    let mut others = Vec::new();
    for member in members {
        match member {
            ValueTest::Numbers(more) => numbers.extend(more),
            ValueTest::Nets(more) => nets.extend(more),
            ValueTest::Texts(more) => texts.extend(more),
            ValueTest::Bytes(bytes) => others.push(ValueTest::Bytes(bytes)),
            ValueTest::Contains(_) | ValueTest::Matches(_) | ValueTest::Any(_) => {}
        }
    }
    let joined = [
        (!numbers.is_empty()).then_some(ValueTest::Numbers(numbers)),
        (!nets.is_empty()).then_some(ValueTest::Nets(nets)),
        (!texts.is_empty()).then_some(ValueTest::Texts(texts)),
    ];
    let mut joined: Vec<_> = joined.into_iter().flatten().chain(others).collect();
    match joined.pop() {
        Some(only) if joined.is_empty() => only,
        last => {
            joined.extend(last);
            ValueTest::Any(joined)
        }
    }
}
