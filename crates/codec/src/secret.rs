//! Which keys hold secrets: one table for every protocol.
//!
//! A key is compared by its words: the parts between `_`, digits, other marks, the ends of the
//! key, and changes from lower to upper case (`sv_authToken` is sv, auth, token). Case is
//! ignored, and so is the high bit that QuakeWorld colours letters with. Each entry says at which
//! position in a key it counts, so that `author`, `guide` and `needpass` are ordinary keys.

mod search;

use std::ops::Range;

use super::field::{Field, FieldRole};
use super::swar::is_like;

pub use search::{any_secret_word, may_name_secret};

/// An entry of the table: the content of a key, and how the key is recognised.
#[derive(Debug)]
pub struct SecretKey {
    /// In lower case.
    pub word: &'static str,
    /// Where in a key the word counts.
    pub position: WordPosition,
    /// The field of the values of such keys.
    pub field: &'static Field,
}

/// The position at which an entry's word counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordPosition {
    /// As the whole key.
    Key,
    /// As a whole word.
    Word,
    /// At the end of a word: `guid` in `clguid`, not in `guide`.
    End,
    /// At the beginning or the end of a word: `rcon` in `rconpw` and `netrcon`.
    Edge,
    /// Anywhere: no other word has these letters.
    Anywhere,
}

/// Values that only say whether a password is needed, not which.
pub const YES_OR_NO: [&str; 6] = ["0", "1", "true", "false", "yes", "no"];

/// Keys with these endings say whether a password is needed, though `pass` is one of their words.
const ASKS_ONLY: [&str; 2] = ["needpass", "usepass"];

const fn secret(name: &'static str, means: &'static str) -> Field {
    Field::text(name, means).role(FieldRole::Secret)
}

static PASSWORD: Field = secret("*passw*", "a password");
static PSWRD: Field = secret("*pswrd*", "a password");
static PWD: Field = secret("*pwd*", "a password");
static PASS: Field = secret("*pass", "a password");
static RCON: Field = secret("*rcon*", "the password for commands from afar");
static CDKEY: Field = secret("*cdkey*", "a CD key");
static CD_KEY: Field = secret("*cd_key*", "a CD key");
static KEYHASH: Field = secret("*keyhash*", "a CD key, hashed");
static GUID: Field = secret("*guid", "a lasting identifier of a player");
static TOKEN: Field = secret("*token", "a proof of who somebody is");
static AUTH: Field = secret("*auth", "a proof of who somebody is");
static AUTHORIZATION: Field = secret("*authorization", "a proof of who somebody is");
static COOKIE: Field = secret("*cookie", "what a host wants to be told again");
static SPECTATOR: Field =
    secret("spectator", "whether a player only watches: 0, 1, or the password for it");

/// Every entry, the likeliest first.
pub static SECRET_KEYS: [SecretKey; 14] = [
    SecretKey { word: "passw", position: WordPosition::Anywhere, field: &PASSWORD },
    SecretKey { word: "rcon", position: WordPosition::Edge, field: &RCON },
    SecretKey { word: "guid", position: WordPosition::End, field: &GUID },
    SecretKey { word: "cdkey", position: WordPosition::Anywhere, field: &CDKEY },
    SecretKey { word: "cd_key", position: WordPosition::Anywhere, field: &CD_KEY },
    SecretKey { word: "keyhash", position: WordPosition::Anywhere, field: &KEYHASH },
    SecretKey { word: "pwd", position: WordPosition::Anywhere, field: &PWD },
    SecretKey { word: "pswrd", position: WordPosition::Anywhere, field: &PSWRD },
    SecretKey { word: "pass", position: WordPosition::Word, field: &PASS },
    SecretKey { word: "token", position: WordPosition::End, field: &TOKEN },
    SecretKey { word: "auth", position: WordPosition::End, field: &AUTH },
    SecretKey { word: "authorization", position: WordPosition::Word, field: &AUTHORIZATION },
    SecretKey { word: "cookie", position: WordPosition::Word, field: &COOKIE },
    SecretKey { word: "spectator", position: WordPosition::Key, field: &SPECTATOR },
];

/// The field of a key that holds a secret.
#[inline]
pub fn secret_field(key: &[u8]) -> Option<&'static Field> {
    let found = entry_of(key)?;
    let asks = || {
        ASKS_ONLY.iter().any(|end| {
            let tail = key.len().checked_sub(end.len()).and_then(|at| key.get(at..));
            tail.is_some_and(|tail| is_like(tail, end.as_bytes()))
        })
    };
    let is_needed = found.position == WordPosition::Word && asks();
    (!is_needed).then_some(found.field)
}

/// The first entry by which a key holds a secret.
fn entry_of(key: &[u8]) -> Option<&'static SecretKey> {
    let mut found: Option<&SecretKey> = None;
    let is_before = |entry: &SecretKey, other: &SecretKey| {
        std::ptr::from_ref(entry).addr() < std::ptr::from_ref(other).addr()
    };
    any_secret_word(key, |entry, word| {
        if entry.counts(key, word) && found.is_none_or(|found| is_before(entry, found)) {
            found = Some(entry);
        }
        false
    });
    found
}

/// Whether a key holds a secret.
#[inline]
pub fn is_secret_key(key: &[u8]) -> bool {
    secret_field(key).is_some()
}

/// Whether the value of a secret's key only says that there is one.
pub fn is_yes_or_no(value: &[u8]) -> bool {
    value.len() <= 5 && YES_OR_NO.iter().any(|word| is_like(value, word.as_bytes()))
}

impl SecretKey {
    /// Whether its word, found at `at`, is only the end of another word, such as `pass` in
    /// `needpass`. Then only a key that begins at `at` can be a secret by it.
    pub fn is_inner(&self, bytes: &[u8], at: usize) -> bool {
        self.position == WordPosition::Word && !begins(bytes, at)
    }

    /// Whether its word, which is at this place in a key, makes a secret of the key's value.
    fn counts(&self, key: &[u8], Range { start, end }: Range<usize>) -> bool {
        match self.position {
            WordPosition::Key => is_like(key, self.word.as_bytes()),
            WordPosition::Word => begins(key, start) && ends(key, start, end),
            WordPosition::End => ends(key, start, end),
            WordPosition::Edge => begins(key, start) || ends(key, start, end),
            WordPosition::Anywhere => true,
        }
    }
}

/// A letter without the high bit.
fn plain(byte: u8) -> u8 {
    byte & 0x7f
}

fn letter(key: &[u8], at: usize) -> Option<u8> {
    key.get(at).map(|byte| plain(*byte)).filter(u8::is_ascii_alphabetic)
}

/// Whether a word begins at `at`.
fn begins(key: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|at| letter(key, at)) else {
        return true;
    };
    let first = letter(key, at).is_some_and(|b| b.is_ascii_uppercase());
    let second = letter(key, at + 1).is_some_and(|b| b.is_ascii_uppercase());
    first && (before.is_ascii_lowercase() || !second)
}

/// Whether the word from `at` ends before `end`.
fn ends(key: &[u8], at: usize, end: usize) -> bool {
    let Some(next) = letter(key, end) else {
        return true;
    };
    let is_upper = |at: usize| letter(key, at).is_some_and(|b| b.is_ascii_uppercase());
    let last = end.checked_sub(1).is_some_and(is_upper);
    match (last, next.is_ascii_uppercase()) {
        (false, true) => true,
        // `AUTHToken`: the last capital begins the next word.
        (true, true) => letter(key, end + 1).is_some_and(|b| b.is_ascii_lowercase()),
        // `GUIDhash`.
        (true, false) => is_upper(at),
        (false, false) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_secrets_are_found_by_their_words() {
        for key in [
            "password",
            "PASSWORD",
            "passwd",
            "passwords",
            "g_password",
            "sv_privatePassword",
            "RCON_password",
            "rconpassword",
            "serverpassword2",
            "password_3",
            "x_passwort",
            "rcon",
            "net_rcon",
            "netrcon",
            "rconAddress",
            "rcon2",
            "sv_rconLog",
            "myRCONkey",
            "cl_guid",
            "guid",
            "clguid",
            "GUID",
            "guid_12",
            "guid1",
            "pb_guid2",
            "GUIDhash",
            "cdkey",
            "CDKey",
            "si_cdkey",
            "cdkey_0",
            "cd_key",
            "cdkeyhash",
            "keyhash_7",
            "pwd",
            "admin_pwd",
            "adminpwd",
            "sv_pwdhash",
            "pswrd",
            "g_pswrd",
            "game_Pswrd1",
            "pass",
            "sv_pass",
            "adminPass",
            "PASS",
            "pass_2",
            "token",
            "sv_authToken",
            "sv_authtoken",
            "AUTHToken",
            "token9",
            "x-auth-token",
            "auth",
            "sv_auth",
            "authKey",
            "auth_key",
            "sv_Auth2",
            "webauth",
            "Authorization",
            "Proxy-Authorization",
            "Cookie",
            "Set-Cookie",
            "spectator",
            "sv_rconPassword2",
            "authToken",
            "x_auth",
            "net_AuthKey",
            "net_authkey_auth",
            "tokenAuth",
            "XAuth",
            "G_PASSWORD",
            "sv_pwd2",
            "myGuid",
            "GuidOfPlayer",
            "bf2CDKeyHash",
            "rcon-password",
            "sv_rconpw",
            "\u{f0}\u{e1}\u{f3}\u{f3}\u{f7}\u{ef}\u{f2}\u{e4}",
        ] {
            let key: Vec<_> = key.chars().map(|c| c as u8).collect();
            assert!(is_secret_key(&key), "{}", key.escape_ascii());
        }
    }

    #[test]
    fn ordinary_keys_are_not() {
        for key in [
            "author",
            "authors",
            "authorname",
            "author_name",
            "tokenizer",
            "sv_tokenizer",
            "g_authored",
            "guideline",
            "rackcons",
            "authority",
            "mod_author",
            "Author",
            "AUTHOR",
            "sv_Authority",
            "guide",
            "guides",
            "languidly",
            "misguided",
            "guidance",
            "needpass",
            "g_needpass",
            "si_needPass",
            "si_usepass",
            "needpass_1",
            "compass",
            "bypass",
            "passes",
            "passive",
            "passenger",
            "tokens",
            "tokenlimit",
            "hostname",
            "mapname",
            "aircontrol",
            "overcontrol",
            "falconry",
            "spectators",
            "sv_spectator",
            "cookies",
            "",
            "_",
            "p",
            "gamename",
        ] {
            let found = secret_field(key.as_bytes()).map(|field| field.name);
            assert_eq!(found, None, "{key}");
        }
    }

    #[test]
    fn an_answer_of_yes_or_no_is_no_secret() {
        for value in ["0", "1", "TRUE", "false", "Yes", "nO"] {
            assert!(is_yes_or_no(value.as_bytes()), "{value}");
        }
        for value in ["", "2", "01", "true ", "yes!", "hunter2"] {
            assert!(!is_yes_or_no(value.as_bytes()), "{value}");
        }
    }
}
