//! Quoted texts, written and parsed.

use std::fmt::Write as _;

use winnow::Parser as _;
use winnow::combinator::{alt, delimited, opt, repeat};
use winnow::stream::Location as _;
use winnow::token::{any, take_till, take_while};

use super::error::Wrong;
use super::parse::{ParseInput, ParseResult};
use super::tree::{FilterSpan, Located};

/// A quoted text, with escapes for invisible characters: parsed, it is the same text.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if text::is_hidden(c) => _ = write!(out, "\\u{{{:x}}}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A quoted text, or `r"…"` without escapes; consumes nothing if none begins.
pub(super) fn text(input: &mut ParseInput<'_>) -> ParseResult<Option<Located>> {
    let start = input.current_token_start();
    let Some(open) = opt(alt(("r\"", "\""))).parse_next(input)? else {
        return Ok(None);
    };
    let text = if open == "\"" {
        let plain = take_till(1.., ['"', '\\']).map(str::to_owned);
        let parts = repeat(0.., alt((plain, escape.map(String::from))));
        parts.fold(String::new, |all, part: String| all + &part).parse_next(input)?
    } else {
        take_till(0.., '"').map(str::to_owned).parse_next(input)?
    };
    if opt("\"").parse_next(input)?.is_none() {
        return Err(Wrong::at(start..start + open.len(), "this text has no closing quote"));
    }
    Ok(Some(Located { text, at: FilterSpan(start..input.current_token_start()) }))
}

/// A backslash escape, and the character that it stands for.
fn escape(input: &mut ParseInput<'_>) -> ParseResult<char> {
    let start = input.current_token_start();
    "\\".parse_next(input)?;
    let hex = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    let digits = || take_while(1..=6, |c: char| c.is_ascii_hexdigit());
    let two = || take_while(2, |c: char| c.is_ascii_hexdigit());
    let found = match opt(any).parse_next(input)? {
        Some(c @ ('"' | '\\')) => Some(c),
        Some('n') => Some('\n'),
        Some('r') => Some('\r'),
        Some('t') => Some('\t'),
        Some('0') => Some('\0'),
        Some('x') => opt(two()).parse_next(input)?.and_then(hex),
        Some('u') => {
            let braced = delimited("{", digits(), "}");
            opt(braced).parse_next(input)?.and_then(hex)
        }
        _ => None,
    };
    found.ok_or_else(|| {
        let end = input.current_token_start();
        Wrong::at(start..end, "this escape means nothing; r\"…\" takes backslashes as they are")
    })
}
