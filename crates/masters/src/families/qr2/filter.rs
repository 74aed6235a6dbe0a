//! The condition in a request for a list, as clients write it: comparisons of a server's values,
//! joined by `and` and `or`, with parentheses. OpenSpy reads such conditions (document 009,
//! filter.cpp).

use std::cmp::Ordering;

/// The deepest parentheses.
const DEEPEST: usize = 16;

/// A condition. What cannot be read fits every server.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct BrowseFilter<'a> {
    condition: Option<Condition<'a>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Condition<'a> {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    Compares(Operand<'a>, Operator, Operand<'a>),
}

/// A value of the server, or one in the condition.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Operand<'a> {
    Key(&'a [u8]),
    Value(&'a [u8]),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    Differs,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Like,
    Unlike,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token<'a> {
    Open,
    Close,
    Compare(Operator),
    /// A word without quotes.
    Word(&'a [u8]),
    /// A text in quotes.
    Quoted(&'a [u8]),
}

impl<'a> BrowseFilter<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        let tokens = tokens(text);
        let mut reader = FilterReader { tokens: tokens.as_deref().unwrap_or_default(), depth: 0 };
        let condition = reader.any().filter(|_| reader.tokens.is_empty());
        Self { condition }
    }

    /// Whether a server with these values fits.
    pub fn fits<'s>(&self, value: impl Fn(&[u8]) -> Option<&'s [u8]>) -> bool {
        self.condition.as_ref().is_none_or(|condition| condition.holds(&value))
    }
}

impl Condition<'_> {
    fn holds<'s>(&self, value: &impl Fn(&[u8]) -> Option<&'s [u8]>) -> bool {
        let text = |operand: Operand<'_>| match operand {
            Operand::Key(key) => value(key).unwrap_or_default().to_vec(),
            Operand::Value(text) => text.to_vec(),
        };
        match self {
            Self::All(all) => all.iter().all(|one| one.holds(value)),
            Self::Any(any) => any.iter().any(|one| one.holds(value)),
            Self::Not(one) => !one.holds(value),
            Self::Compares(one, operator, other) => operator.holds(&text(*one), &text(*other)),
        }
    }
}

impl Operator {
    fn holds(self, one: &[u8], other: &[u8]) -> bool {
        let order = order(one, other);
        match self {
            Self::Equal => order == Ordering::Equal,
            Self::Differs => order != Ordering::Equal,
            Self::Less => order == Ordering::Less,
            Self::LessOrEqual => order != Ordering::Greater,
            Self::Greater => order == Ordering::Greater,
            Self::GreaterOrEqual => order != Ordering::Less,
            Self::Like => is_like(one, other),
            Self::Unlike => !is_like(one, other),
        }
    }
}

/// As numbers if both are, else as texts without case.
fn order(one: &[u8], other: &[u8]) -> Ordering {
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.trim().parse::<i64>().ok();
    match (number(one), number(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => one.to_ascii_lowercase().cmp(&other.to_ascii_lowercase()),
    }
}

/// Whether a text has a form in which `%` stands for anything.
fn is_like(text: &[u8], form: &[u8]) -> bool {
    let (text, form) = (text.to_ascii_lowercase(), form.to_ascii_lowercase());
    let mut parts = form.split(|byte| *byte == b'%');
    let Some(mut left) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<_> = parts.collect();
    let Some((last, inner)) = parts.split_last() else { return left.is_empty() };
    for part in inner {
        let Some(at) = memchr::memmem::find(left, part) else { return false };
        left = left.get(at + part.len()..).unwrap_or_default();
    }
    left.ends_with(last)
}

/// The tokens; `None` if something is none.
fn tokens(text: &[u8]) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut left = text.trim_ascii_start();
    while let Some((first, behind)) = left.split_first() {
        let (token, length) = match (first, behind.first()) {
            (b'(', _) => (Token::Open, 1),
            (b')', _) => (Token::Close, 1),
            (b'<', Some(b'=')) => (Token::Compare(Operator::LessOrEqual), 2),
            (b'>', Some(b'=')) => (Token::Compare(Operator::GreaterOrEqual), 2),
            (b'<', Some(b'>')) | (b'!', Some(b'=')) => (Token::Compare(Operator::Differs), 2),
            (b'=', Some(b'=')) => (Token::Compare(Operator::Equal), 2),
            (b'=', _) => (Token::Compare(Operator::Equal), 1),
            (b'<', _) => (Token::Compare(Operator::Less), 1),
            (b'>', _) => (Token::Compare(Operator::Greater), 1),
            (quote @ (b'\'' | b'"'), _) => {
                let end = memchr::memchr(*quote, behind)?;
                (Token::Quoted(behind.get(..end)?), end + 2)
            }
            _ => {
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.%".contains(byte);
                let length = left.iter().take_while(|byte| is_word(byte)).count();
                let word = left.get(..length).filter(|word| !word.is_empty())?;
                let is = |other: &[u8]| word.eq_ignore_ascii_case(other);
                let token =
                    if is(b"like") { Token::Compare(Operator::Like) } else { Token::Word(word) };
                (token, length)
            }
        };
        tokens.push(token);
        left = left.get(length..)?.trim_ascii_start();
    }
    Some(tokens)
}

/// Reads a condition from its tokens.
struct FilterReader<'a, 't> {
    tokens: &'t [Token<'a>],
    depth: usize,
}

impl<'a> FilterReader<'a, '_> {
    fn next(&mut self) -> Option<Token<'a>> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(*first)
    }

    /// Takes a word, if it is next.
    fn takes(&mut self, word: &[u8]) -> bool {
        let is_next =
            matches!(self.tokens, [Token::Word(next), ..] if next.eq_ignore_ascii_case(word));
        is_next && self.next().is_some()
    }

    fn any(&mut self) -> Option<Condition<'a>> {
        let mut any = vec![self.all()?];
        while self.takes(b"or") {
            any.push(self.all()?);
        }
        Some(Condition::Any(any))
    }

    fn all(&mut self) -> Option<Condition<'a>> {
        let mut all = vec![self.one()?];
        while self.takes(b"and") {
            all.push(self.one()?);
        }
        Some(Condition::All(all))
    }

    fn one(&mut self) -> Option<Condition<'a>> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let read = if self.takes(b"not") {
            self.one().map(|one| Condition::Not(Box::new(one)))
        } else if self.tokens.first() == Some(&Token::Open) {
            self.next();
            let inside = self.any();
            inside.filter(|_| self.next() == Some(Token::Close))
        } else {
            self.comparison()
        };
        self.depth -= 1;
        read
    }

    fn comparison(&mut self) -> Option<Condition<'a>> {
        let one = self.operand()?;
        let operator = if self.takes(b"not") {
            matches!(self.next()?, Token::Compare(Operator::Like)).then_some(Operator::Unlike)?
        } else {
            match self.next()? {
                Token::Compare(operator) => operator,
                _ => return None,
            }
        };
        Some(Condition::Compares(one, operator, self.operand()?))
    }

    fn operand(&mut self) -> Option<Operand<'a>> {
        match self.next()? {
            Token::Quoted(text) => Some(Operand::Value(text)),
            Token::Word(word) => {
                let is_number = word.iter().all(|b| b.is_ascii_digit() || b"-.".contains(b));
                Some(if is_number { Operand::Value(word) } else { Operand::Key(word) })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_fit_conditions() {
        let value = |key: &[u8]| -> Option<&'static [u8]> {
            match key {
                b"numplayers" => Some(b"3"),
                b"hostname" => Some(b"Lab One"),
                b"mapname" => Some(b""),
                _ => None,
            }
        };
        for (text, fits) in [
            ("", true),
            ("numplayers > 0", true),
            ("numplayers>=10", false),
            ("numplayers < 10", true),
            ("numplayers = 3 and hostname = 'lab one'", true),
            ("numplayers = 4 or hostname like '%one'", true),
            ("hostname like 'l%b%e'", true),
            ("hostname like '%two%'", false),
            ("hostname not like '%two%'", true),
            ("hostname like 'lab'", false),
            ("not (numplayers = 3)", false),
            ("(numplayers = 4 or numplayers = 3) and mapname=''", true),
            ("mapname != ''", false),
            ("unknown = ''", true),
            ("numplayers <> 3", false),
            ("numplayers == 3", true),
            ("numplayers <= 3", true),
            // These cannot be read.
            ("numplayers >", true),
            ("numplayers = '4", true),
            ("numplayers = 4)", true),
            ("((((((((((((((((((numplayers = 4))))))))))))))))))", true),
            ("!", true),
        ] {
            assert_eq!(BrowseFilter::new(text.as_bytes()).fits(value), fits, "{text}");
        }
    }
}
