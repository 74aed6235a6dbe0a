//! Secrets in texts: a console's answer to a request for a setting, lists of settings, commands
//! that set one.
//!
//! Observed forms, with the name of a secret's key for `NAME`: `"NAME" is:"VALUE^7" default:"…"`
//! (Quake III and its descendants), `"NAME" is "VALUE"` (Quake 2, QuakeWorld, Half-Life), `NAME is
//! "VALUE"
//! ["…"]` (DarkPlaces), `"NAME" = "VALUE"`, `NAME "VALUE"` and `NAME : VALUE` (lists of settings),
//! `NAME` and `VALUE` in columns (`serverinfo`), `set NAME VALUE`, `\NAME\VALUE`, `NAME=VALUE`, and
//! a NUL between the two. Sentences (`Bad rcon_password.`, `the password is wrong`) have none.

use std::collections::HashSet;
use std::ops::Range;

use codec::{is_secret_key, is_yes_or_no, may_name_secret};
use text::{MASK, Secrets};

/// Names that are common words too: a word that merely follows them is no value.
const ORDINARY: [&[u8]; 9] = [
    b"password",
    b"passwords",
    b"pass",
    b"token",
    b"auth",
    b"cookie",
    b"guid",
    b"rcon",
    b"spectator",
];
/// What follows `is` in a sentence.
const NO_VALUES: [&[u8]; 20] = [
    b"a",
    b"bad",
    b"disabled",
    b"empty",
    b"enabled",
    b"for",
    b"incorrect",
    b"invalid",
    b"missing",
    b"needed",
    b"not",
    b"now",
    b"required",
    b"set",
    b"the",
    b"too",
    b"unset",
    b"wrong",
    b"from",
    b"protected",
];
const SETS: [&[u8]; 6] = [b"set", b"seta", b"sets", b"setu", b"setinfo", b"sv"];
/// How many consecutive hex digits are an identifier, after the word GUID.
const IDENTIFIER: usize = 16;

/// Whether a text contains a secret.
pub fn contains_secret(text: &[u8]) -> bool {
    may_name_secret(text) && !secret_ranges(text).is_empty()
}

/// Whether the name of a secret's key occurs in some bytes.
pub fn names_secret(bytes: &[u8]) -> bool {
    may_name_secret(bytes) && words(bytes).any(|word| is_secret_key(part(bytes, word)))
}

/// How many bytes of unrecognised data may be shown: after the name of a secret's key there is a
/// secret, unless the value only says whether a password is needed.
pub fn harmless_len(bytes: &[u8]) -> usize {
    if !may_name_secret(bytes) {
        return bytes.len();
    }
    let mut names = words(bytes).filter(|word| is_secret_key(part(bytes, word.clone())));
    let secret = names.find(|name| {
        let behind = bytes.get(name.end..).unwrap_or_default();
        let next = words(behind).next().map(|word| part(behind, word));
        !next.is_none_or(is_yes_or_no)
    });
    secret.map_or(bytes.len(), |name| name.end)
}

/// Some bytes of a message as ASCII, escaped, up to a possible secret; the rest is masked by stars,
/// unless secrets are shown.
pub fn harmless(bytes: &[u8], secrets: Secrets) -> String {
    let len = match secrets {
        Secrets::Masked => harmless_len(bytes),
        Secrets::Shown => bytes.len(),
    };
    let (shown, rest) = bytes.split_at_checked(len).unwrap_or((bytes, b""));
    format!("{}{}", shown.escape_ascii(), if rest.is_empty() { "" } else { MASK })
}

/// The ranges of the secrets in a text, in order.
pub(super) fn secret_ranges(text: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut guids = false;
    let (mut line, mut seen) = (LineOfName::default(), SeenValues::default());
    for name in words(text) {
        let word = part(text, name.clone());
        if guids && word.len() >= IDENTIFIER && word.iter().all(u8::is_ascii_hexdigit) {
            found.push(name);
        } else if is_secret_key(word) {
            guids |= contains(word, b"guid");
            line.go_to(text, name.start);
            let (at, LineOfName { begin, end, .. }) = (name.end, line);
            let mut behind = Behind { text, begin, at, end, seen: &mut seen };
            behind.values(&name, &mut found);
        }
    }
    found.retain(|range| !range.is_empty() && !is_yes_or_no(part(text, range.clone())));
    // A value may be a name too, with the next word as its value.
    found.sort_by_key(|range| range.start);
    found.dedup_by(|next, last| {
        let overlaps = next.start < last.end;
        last.end = if overlaps { last.end.max(next.end) } else { last.end };
        overlaps
    });
    found
}

/// The line of a name; names come in their order, and each line is searched once.
#[derive(Clone, Copy, Default)]
struct LineOfName {
    /// Its first character that is no blank, or the name.
    begin: usize,
    end: usize,
    /// Whether there is a line yet.
    is_known: bool,
}

impl LineOfName {
    fn go_to(&mut self, text: &[u8], name: usize) {
        if self.is_known && name <= self.end {
            return;
        }
        let newline = memchr::memrchr(b'\n', part(text, self.end..name));
        if newline.is_some() || !self.is_known {
            let line = newline.map_or(0, |at| self.end + at + 1);
            let blanks = part(text, line..name).iter().take_while(|b| b.is_ascii_whitespace());
            self.begin = line + blanks.count();
        }
        (self.end, self.is_known) = (line_end(text, name), true);
    }
}

/// What was found behind earlier names, so that nothing is searched twice.
#[derive(Default)]
struct SeenValues {
    /// The quotes that open a text, in this line and in those that continue it.
    quotes: HashSet<usize>,
    /// The last word.
    word: Range<usize>,
}

/// The bytes after a name, up to the end of its line.
struct Behind<'a> {
    text: &'a [u8],
    /// The first character of the line that is no blank.
    begin: usize,
    at: usize,
    end: usize,
    seen: &'a mut SeenValues,
}

impl Behind<'_> {
    fn values(&mut self, name: &Range<usize>, found: &mut Vec<Range<usize>>) {
        let quoted = name.start > 0
            && self.text.get(name.start - 1) == Some(&b'"')
            && self.peek() == Some(b'"');
        self.at += usize::from(quoted);
        if let Some(separator @ (b'\\' | 0)) = self.peek() {
            self.at += 1;
            let end = self.until(|b| b == separator || b == b'"');
            return found.push(self.at..end);
        }
        let before = self.at;
        let delimiter = self.separators();
        match self.peek() {
            Some(b'"') => self.quotations(found),
            Some(_) if delimiter == Delimiter::Sign => self.word(found),
            Some(_) if delimiter == Delimiter::Is => self.word_unless_sentence(found),
            Some(_) if self.at > before => self.behind_blank(name, before, found),
            _ => {}
        }
    }

    /// A value that is separated from its name by blanks only.
    fn behind_blank(&mut self, name: &Range<usize>, before: usize, found: &mut Vec<Range<usize>>) {
        if self.is_set(name) {
            self.word(found);
        } else if self.is_command(name) || self.is_column(name, before) {
            self.word_unless_sentence(found);
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at..self.end)?.first().copied()
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    fn until(&self, stops: impl Fn(u8) -> bool) -> usize {
        self.at + self.rest().iter().take_while(|b| !stops(**b)).count()
    }

    /// Skips blanks, colour codes, signs and the word `is`.
    fn separators(&mut self) -> Delimiter {
        let mut delimiter = Delimiter::Nothing;
        loop {
            match *self.rest() {
                [b' ' | b'\t' | 0xa0, ..] => self.at += 1,
                [b'^', code, ..] if code.is_ascii_alphanumeric() => self.at += 2,
                [b'=' | b':', ..] => {
                    self.at += 1;
                    delimiter = Delimiter::Sign;
                }
                [b'i' | b'I', b's' | b'S', b' ' | b':' | b'=' | b'"' | b'\t', ..] => {
                    self.at += 2;
                    delimiter = delimiter.max(Delimiter::Is);
                }
                _ => return delimiter,
            }
        }
    }

    /// All quoted texts in this line, and in the lines after it that continue it.
    fn quotations(&mut self, found: &mut Vec<Range<usize>>) {
        loop {
            while let Some(open) = memchr::memchr(b'"', self.rest()) {
                if !self.seen.quotes.insert(self.at + open) {
                    // An earlier name has what follows.
                    return;
                }
                self.at += open + 1;
                let close = self.until(|b| b == b'"');
                found.push(self.at..close);
                self.at = (close + 1).min(self.end);
            }
            let next = self.text.get(self.end..).unwrap_or_default();
            let text = next.trim_ascii_start();
            let goes_on = [&b"latched"[..], b"default"].iter().any(|word| {
                text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
            });
            if !goes_on {
                return;
            }
            self.at = self.text.len() - text.len();
            self.end = line_end(self.text, self.at);
        }
    }

    fn word(&mut self, found: &mut Vec<Range<usize>>) {
        let seen = &self.seen.word;
        let end = if seen.contains(&self.at) {
            seen.end
        } else {
            self.until(|b| b.is_ascii_whitespace() || matches!(b, b'&' | b'"' | 0))
        };
        self.seen.word = self.at..end;
        found.push(self.at..end);
        self.at = end;
    }

    fn word_unless_sentence(&mut self, found: &mut Vec<Range<usize>>) {
        let letters = self.rest().iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let word = self.rest().get(..letters).unwrap_or_default();
        if !NO_VALUES.iter().any(|no| no.eq_ignore_ascii_case(word)) {
            self.word(found);
        }
    }

    /// The line before a name.
    fn front(&self, name: &Range<usize>) -> &[u8] {
        part(self.text, self.begin..name.start).trim_ascii_end()
    }

    fn is_set(&self, name: &Range<usize>) -> bool {
        let front = self.front(name);
        let front = front.strip_suffix(b"\"").unwrap_or(front).trim_ascii_end();
        let last = front.rsplit(|b| !b.is_ascii_alphanumeric()).next().unwrap_or_default();
        SETS.iter().any(|set| set.eq_ignore_ascii_case(last))
    }

    /// `rcon PASSWORD …`, or a line of a setting's name and one word.
    fn is_command(&self, name: &Range<usize>) -> bool {
        let front = self.front(name);
        let begins = front.is_empty() || front.ends_with(b"]") || front.ends_with(b"/");
        let name = part(self.text, name.clone());
        let words = self.rest().split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
        begins
            && match words.take(2).count() {
                1 => !is_ordinary(name),
                _ => name.eq_ignore_ascii_case(b"rcon"),
            }
    }

    /// Whether two or more blanks, or a tab, separate a name and a value in columns.
    fn is_column(&self, name: &Range<usize>, before: usize) -> bool {
        let gap = self.text.get(before..self.at).unwrap_or_default();
        gap.len() > 1 && self.front(name).is_empty() || gap.contains(&b'\t')
    }
}

/// What separates a name and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Delimiter {
    Nothing,
    Is,
    Sign,
}

fn is_ordinary(name: &[u8]) -> bool {
    ORDINARY.iter().any(|word| word.eq_ignore_ascii_case(name))
}

fn contains(word: &[u8], what: &[u8]) -> bool {
    word.windows(what.len()).any(|part| part.eq_ignore_ascii_case(what))
}

fn part(text: &[u8], range: Range<usize>) -> &[u8] {
    text.get(range).unwrap_or_default()
}

fn line_end(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
}

/// The positions of the words that may be names of keys.
fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_part = |b: &u8| (b & 0x7f).is_ascii_alphanumeric() || b"_-".contains(&(b & 0x7f));
        let rest = text.get(at..)?;
        let start = at + rest.iter().position(is_part)?;
        let rest = text.get(start..)?;
        let len = rest.iter().take_while(|b| is_part(b)).count();
        at = start + len;
        Some(start..at)
    })
}

#[cfg(test)]
mod tests;
