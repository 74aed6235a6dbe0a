//! How servers and clients prove that they have a game's key: the answer to `secure` in the key
//! `validate` (document 003, Security; the algorithm is GameSpy's own, known from open-source
//! programs, and called encryption type 0).
//!
//! The keys were shipped in every copy of the games and have been public for decades.

use protocol::Validation;

/// Each game's name in `gamename`, and its key.
pub static KEY_OF: &[(&str, &str)] = &[
    ("battlefield2", "hW6m9a"),
    ("bfield1942", "HpWx9z"),
    ("bfvietnam", "h2P9dJ"),
    ("descent3", "feWh2G"),
    ("deusex", "Av3M99"),
    ("doom3", "kbeafe"),
    ("gmtest", "HA6zkS"),
    ("gspylite", "mgNUaC"),
    ("halflife", "V0tKnY"),
    ("halor", "e4Rd9J"),
    ("heretic2", "2iuCAS"),
    ("hexenworld", "6SeXQB"),
    ("kingpin", "QFWxY2"),
    ("mohaa", "M5Fdwc"),
    ("mohaab", "y32FDc"),
    ("mohaas", "h2P1c9"),
    ("quake1", "7W7yZz"),
    ("quake2", "rtW0xg"),
    ("quake3", "paYVJ7"),
    ("quakeworld", "FU6Vqn"),
    ("rtcw", "Gj3aV2"),
    ("rune", "BnA4a3"),
    ("serioussam", "AKbna4"),
    ("sin", "Ij1uAB"),
    ("stef1", "N43A3a"),
    ("stella", "M8o1Qw"),
    ("unreal", "DAncRK"),
    ("ut", "Z5Nfb0"),
    ("vietcong", "bq98mE"),
];

/// The published key of a game, whose name is compared without case.
pub fn key_of(game: &[u8]) -> Option<&'static [u8]> {
    let known = KEY_OF.iter().find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(game));
    known.map(|(_, key)| key.as_bytes())
}

/// How an answer is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// As documented.
    Plain,
    /// With the key added once more, by some programs that want a list of encryption type 2.
    Keyed,
}

/// The text for `validate`: computed from `key` and `challenge`.
pub fn answer(key: &[u8], challenge: &[u8]) -> String {
    answer_in(AnswerForm::Plain, key, challenge)
}

/// The same in a form. Challenges have about six bytes; of those longer than 64 only
/// the first 64 count, which bounds the cost of hostile ones.
pub fn answer_in(form: AnswerForm, key: &[u8], challenge: &[u8]) -> String {
    let challenge = challenge.get(..64).unwrap_or(challenge);
    let mut table = Permutation::keyed(key);
    let (mut a, mut b) = (0u8, 0u8);
    let mut coded: Vec<u8> = challenge
        .iter()
        .map(|byte| {
            a = a.wrapping_add(*byte).wrapping_add(1);
            let x = table.at(a);
            b = b.wrapping_add(x);
            let y = table.at(b);
            table.swap(a, b);
            byte ^ table.at(x.wrapping_add(y))
        })
        .collect();
    if form == AnswerForm::Keyed {
        coded.iter_mut().zip(key.iter().cycle()).for_each(|(byte, letter)| *byte ^= letter);
    }
    coded.resize(coded.len().next_multiple_of(3), 0);
    base64(&coded)
}

/// The games whose published key gives `answer` for `challenge`.
pub fn keys_giving(challenge: &[u8], answer: &[u8]) -> impl Iterator<Item = &'static str> {
    keys_giving_in(AnswerForm::Plain, challenge, answer)
}

fn keys_giving_in(
    form: AnswerForm,
    challenge: &[u8],
    answer: &[u8],
) -> impl Iterator<Item = &'static str> {
    let made = move |key: &str| answer_in(form, key.as_bytes(), challenge);
    let gives = move |key: &str| made(key).as_bytes() == answer;
    KEY_OF.iter().filter(move |(_, key)| gives(key)).map(|(game, _)| *game)
}

/// Whether the answer to a challenge is correct for the game that the sender reports.
pub(crate) fn validation(
    game: Option<&[u8]>,
    challenge: &[u8],
    answer: &[u8],
    form: AnswerForm,
) -> Validation {
    let claimed = |known: &str| game.is_some_and(|g| g.eq_ignore_ascii_case(known.as_bytes()));
    let mut first = None;
    for known in keys_giving_in(form, challenge, answer) {
        if claimed(known) {
            return Validation::Right(known);
        }
        first = first.or(Some(known));
    }
    let known = KEY_OF.iter().map(|(known, _)| *known).find(|known| claimed(known));
    let wrong = known.map_or(Validation::NoKnownKey, Validation::NotOf);
    first.map_or(wrong, Validation::KeyOf)
}

/// A permutation of all bytes.
struct Permutation([u8; 256]);

impl Permutation {
    /// All bytes in order, shuffled with a key.
    fn keyed(key: &[u8]) -> Self {
        let mut table = Self(std::array::from_fn(|i| i as u8));
        let mut a = 0u8;
        for (i, letter) in (0..=255u8).zip(key.iter().cycle()) {
            a = a.wrapping_add(table.at(i)).wrapping_add(*letter);
            table.swap(a, i);
        }
        table
    }

    fn at(&self, i: u8) -> u8 {
        self.0.get(usize::from(i)).copied().unwrap_or_default()
    }

    fn swap(&mut self, i: u8, j: u8) {
        self.0.swap(usize::from(i), usize::from(j));
    }
}

/// Base64 of whole groups of three bytes, with `+` and `/`.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len() / 3 * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0usize, |bits, byte| bits << 8 | usize::from(*byte));
        for shift in [18, 12, 6, 0] {
            text.extend(DIGITS.get(bits >> shift & 63).map(|digit| char::from(*digit)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_the_documents() {
        for (key, challenge, expected) in [
            ("Z5Nfb0", "wookie", "2/TYFMRc"),
            ("HA6zkS", "123456", "Sen5c0WR"),
            ("kbeafe", "ABCDEF", "iJbjNilG"),
        ] {
            assert_eq!(answer(key.as_bytes(), challenge.as_bytes()), expected, "{challenge}");
        }
    }

    #[test]
    fn an_answer_has_two_forms() {
        for (form, expected) in [(AnswerForm::Plain, "MSvlCMhS"), (AnswerForm::Keyed, "eWrTcqMB")] {
            assert_eq!(answer_in(form, b"HA6zkS", b"LBCHAL"), expected);
        }
    }

    #[test]
    fn the_key_of_an_answer_is_found_where_it_is_known() {
        let games = |challenge: &str, answer: &str| {
            keys_giving(challenge.as_bytes(), answer.as_bytes()).collect::<Vec<_>>()
        };
        assert_eq!(games("wookie", "2/TYFMRc"), ["ut"]);
        assert_eq!(games("123456", "Sen5c0WR"), ["gmtest"]);
        assert_eq!(games("3Fca11", "D324c2eA"), [""; 0]);
    }

    #[test]
    fn odd_challenges_are_answered_too() {
        assert_eq!(answer(b"Z5Nfb0", b""), "");
        assert_eq!(answer(b"", b"wookie").len(), 8);
        assert_eq!(answer(b"Z5Nfb0", &[b'x'; 9999]).len(), 88);
    }
}
