//! From text to tree.
//!
//! ```text
//! filter   = and { ("||" | "or") and }
//! and      = unary { ("&&" | "and") unary }
//! unary    = ("!" | "not") unary | "(" filter ")" | term
//! term     = name [ op value | ["not"] "in" "{" member { [","] member } "}" ]
//! member   = value [ ".." value ]
//! name     = letter { letter | digit | "_" | "." | "-" } [ "[" slice "]" ] | "field." text
//! slice    = number | [number] ":" [number] | number "-" number
//! value    = text | word
//! ```

use std::net::{IpAddr, SocketAddr};
use std::ops::Range;

use winnow::Parser;
use winnow::combinator::{alt, delimited, not, opt, preceded, separated, terminated};
use winnow::stream::{LocatingSlice, Location as _, Stateful};
use winnow::token::{one_of, take_while};

use super::FIELD;
use super::error::Wrong;
use super::quote::text;
use super::tree::{Expr, FilterSpan, Literal, Located, Op, Relation, SetMember, Term};

/// The rest of the text, and its depth in parentheses and negations.
pub(super) type ParseInput<'s> = Stateful<LocatingSlice<&'s str>, usize>;
pub(super) type ParseResult<T> = Result<T, Wrong>;

/// The maximum depth of parentheses and negations.
const DEPTH: usize = 64;
/// The maximum length of a filter, in bytes.
const LENGTH: usize = 16 << 10;

/// Parses a whole filter.
pub(super) fn parse(filter: &str) -> ParseResult<Expr> {
    if filter.len() > LENGTH {
        return Err(Wrong::at(0..0, format!("the filter is longer than {LENGTH} bytes")));
    }
    let mut input = Stateful { input: LocatingSlice::new(filter), state: 0 };
    let expr = or(&mut input)?;
    blanks(&mut input)?;
    if input.input.is_empty() { Ok(expr) } else { Err(unexpected(&input, "the end")) }
}

/// Whether a name may stand without quotes.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(in_name)
}

/// Whether a name may have this character.
pub(super) fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

fn or(input: &mut ParseInput<'_>) -> ParseResult<Expr> {
    joined(input, "||", "or", and, Expr::Or)
}

fn and(input: &mut ParseInput<'_>) -> ParseResult<Expr> {
    joined(input, "&&", "and", unary, Expr::And)
}

/// Parts with a sign or a word between them.
fn joined<'s>(
    input: &mut ParseInput<'s>,
    sign: &'static str,
    word: &'static str,
    part: fn(&mut ParseInput<'s>) -> ParseResult<Expr>,
    join: fn(Vec<Expr>) -> Expr,
) -> ParseResult<Expr> {
    let between = preceded(blanks, alt((sign, keyword(word))));
    let mut parts: Vec<_> = separated(1.., part, between).parse_next(input)?;
    match (parts.pop(), parts.is_empty()) {
        (Some(only), true) => Ok(only),
        (last, _) => {
            parts.extend(last);
            Ok(join(parts))
        }
    }
}

fn unary(input: &mut ParseInput<'_>) -> ParseResult<Expr> {
    blanks(input)?;
    let open = input.current_token_start();
    if opt(alt(("!", keyword("not")))).parse_next(input)?.is_some() {
        let part = deeper(input, open, unary)?;
        return Ok(Expr::Not(Box::new(part)));
    }
    if opt("(").parse_next(input)?.is_none() {
        return term(input).map(Expr::Term);
    }
    let inner = deeper(input, open, or)?;
    blanks(input)?;
    if opt(")").parse_next(input)?.is_some() {
        Ok(inner)
    } else if input.input.is_empty() {
        Err(Wrong::at(open..open + 1, "this parenthesis is not closed"))
    } else {
        Err(unexpected(input, "\")\""))
    }
}

/// A part that is nested one deeper.
fn deeper<'s>(
    input: &mut ParseInput<'s>,
    open: usize,
    part: fn(&mut ParseInput<'s>) -> ParseResult<Expr>,
) -> ParseResult<Expr> {
    if input.state >= DEPTH {
        return Err(Wrong::at(
            open..open + 1,
            format!("this is nested deeper than {DEPTH} levels"),
        ));
    }
    input.state += 1;
    let got = part(input)?;
    input.state -= 1;
    Ok(got)
}

fn term(input: &mut ParseInput<'_>) -> ParseResult<Term> {
    let (name, quoted) = name(input)?;
    let relation = relation(input)?;
    Ok(Term { name, quoted, relation })
}

/// A name, and whether a part of it is quoted.
fn name(input: &mut ParseInput<'_>) -> ParseResult<(Located, bool)> {
    let start = input.current_token_start();
    let begins = one_of(|c: char| c.is_ascii_alphabetic() || c == '_');
    let word = opt((begins, take_while(0.., in_name)).take()).parse_next(input)?;
    let Some(word) = word.filter(|word| !is_reserved(word)) else {
        let at = word.map_or(here(input), |word| start..start + word.len());
        let wrong = Wrong::at(at, "a name is wanted here, or \"not\", or \"(\"");
        return Err(address_at(input).map_or(wrong.clone(), |(at, filter)| {
            Wrong::at(at, "an address is no filter").suggesting(Some(filter))
        }));
    };
    let (mut text, mut quoted) = (word.to_owned(), false);
    if let Some((head, field)) = word.split_at_checked(FIELD.len())
        && head.eq_ignore_ascii_case(FIELD)
    {
        text = format!("{FIELD}{field}");
    }
    if text == FIELD
        && let Some(field) = self::text(input)?
    {
        text.push_str(&field.text);
        quoted = true;
    }
    let slice = delimited("[", take_while(0.., |c: char| c != ']'), "]").take();
    if !quoted && let Some(slice) = opt(slice).parse_next(input)? {
        text.push_str(slice);
    }
    Ok((Located { text, at: FilterSpan(start..input.current_token_start()) }, quoted))
}

/// The address that begins here, and the filter for messages with it.
fn address_at(input: &ParseInput<'_>) -> Option<(Range<usize>, String)> {
    let start = input.current_token_start();
    let rest: &str = &input.input;
    let word = rest.split(|c: char| c.is_whitespace() || matches!(c, ')' | '(')).next()?;
    let filter = match (word.parse::<SocketAddr>(), word.parse::<IpAddr>()) {
        (Ok(end), _) => format!("(source == {end} or destination == {end})"),
        (_, Ok(ip)) => format!("ip.addr == {ip}"),
        _ => return None,
    };
    Some((start..start + word.len(), filter))
}

fn relation(input: &mut ParseInput<'_>) -> ParseResult<Option<Relation>> {
    blanks(input)?;
    let start = input.current_token_start();
    let is_in = (opt(terminated(keyword("not"), blanks)), keyword("in"));
    if let Some((not, _)) = opt(is_in).parse_next(input)? {
        let at = FilterSpan(start..input.current_token_start());
        return Ok(Some(Relation::In { not: not.is_some(), at, members: members(input)? }));
    }
    let spelled = Op::SPELLED.iter().find(|(spelled, _)| {
        let is_word = spelled.ends_with(in_name);
        let found = if is_word {
            opt(keyword(spelled)).parse_next(input)
        } else {
            opt(*spelled).parse_next(input)
        };
        matches!(found, Ok(Some(_)))
    });
    let at = FilterSpan(start..input.current_token_start());
    let Some((_, op)) = spelled else {
        return Ok(None);
    };
    blanks(input)?;
    let wanted = "a value is wanted here: a number, an address, a time, or a text in quotes";
    let value = value(input)?.ok_or_else(|| Wrong::at(here(input), wanted))?;
    Ok(Some(Relation::Compare { op: *op, at, value }))
}

/// The members of a set, in braces.
fn members(input: &mut ParseInput<'_>) -> ParseResult<Vec<SetMember>> {
    blanks(input)?;
    let open = input.current_token_start();
    if opt("{").parse_next(input)?.is_none() {
        return Err(Wrong::at(here(input), "a set is wanted here, as in {1 2 5..9}"));
    }
    let mut members = Vec::new();
    loop {
        blanks(input)?;
        if !members.is_empty() && opt("}").parse_next(input)?.is_some() {
            return Ok(members);
        }
        let Some(from) = value(input)? else {
            let at = if input.input.is_empty() { open..open + 1 } else { here(input) };
            let what = match (input.input.is_empty(), members.is_empty()) {
                (true, _) => "this set is not closed",
                (false, true) => "a value is wanted here",
                (false, false) => "a value is wanted here, or \"}\"",
            };
            return Err(Wrong::at(at, what));
        };
        if opt("..").parse_next(input)?.is_some() {
            let to = value(input)?;
            let to = to.ok_or_else(|| Wrong::at(here(input), "the end of the range is missing"))?;
            members.push(SetMember::Range(from, to));
        } else {
            members.push(SetMember::One(from));
        }
        opt((blanks, ",")).parse_next(input)?;
    }
}

/// A value, if one begins here.
fn value(input: &mut ParseInput<'_>) -> ParseResult<Option<Literal>> {
    if let Some(text) = text(input)? {
        return Ok(Some(Literal::Text(text)));
    }
    let start = input.current_token_start();
    let in_word = |c: char| in_name(c) || matches!(c, ':' | '/' | '+' | '[' | ']');
    let rest: &str = &input.input;
    let all = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
    let word = rest.get(..all).unwrap_or_default();
    // Two dots part the ends of a range.
    let word = word.split("..").next().unwrap_or_default().to_owned();
    if word.is_empty() {
        return Ok(None);
    }
    take_while(word.len(), in_word).void().parse_next(input)?;
    let at = FilterSpan(start..input.current_token_start());
    Ok(Some(Literal::Word(Located { text: word, at })))
}

fn blanks(input: &mut ParseInput<'_>) -> ParseResult<()> {
    take_while(0.., char::is_whitespace).void().parse_next(input)
}

/// A word that is not the beginning of a longer one.
fn keyword<'s>(word: &'static str) -> impl Parser<ParseInput<'s>, &'s str, Wrong> {
    terminated(word, not(one_of(in_name)))
}

fn is_reserved(word: &str) -> bool {
    let ops = Op::SPELLED.iter().map(|(word, _)| *word);
    ops.chain(["and", "or", "not", "in"]).any(|reserved| reserved == word)
}

/// The word or sign at this position, empty at the end.
fn here(input: &ParseInput<'_>) -> Range<usize> {
    let start = input.current_token_start();
    let rest: &str = &input.input;
    let word = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
    let sign = rest.chars().next().map_or(0, char::len_utf8);
    start..start + word.max(sign)
}

/// The error for an unexpected token after a complete term.
fn unexpected(input: &ParseInput<'_>, end: &str) -> Wrong {
    let at = here(input);
    let rest: &str = &input.input;
    for (sign, correct) in [("=", "=="), ("&", "&&"), ("|", "||")] {
        if rest.starts_with(sign) {
            return Wrong::at(at, format!("{sign} means nothing"))
                .suggesting(Some(correct.to_owned()));
        }
    }
    Wrong::at(at, format!("\"and\", \"or\" or {end} is wanted here"))
}
