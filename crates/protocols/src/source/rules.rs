//! A server's settings.

use std::marker::PhantomData;

use super::super::{C2S, COMMAND, MARK, NO_LIMIT, NO_YES, OFF_ON, S2C};
use super::mods::{ModRules, RulesForm};
use super::{behind, challenge, string};
use codec::{
    Anomaly, Choice, Coded, Endian::Little, Field, FieldRole, Group, Keys, Kind, Parts, Pass,
    RawBytes, Shape, Sink, View, ViewLayout, Walk,
};
use protocol::{Message, Spec};

static COUNT: Field =
    Field::number("count", "how many follow; more than there are where the reply is cut")
        .role(FieldRole::Count);
pub(super) static SETTINGS: Field = Field::group("rules", "settings, as pairs");
static WITH_MODS: Field = Field::new(
    "rules with mods",
    Kind::Coded,
    "the mods of DayZ or Arma 3 in chunks with escaped bytes, and the settings after them",
);
static KEY: Field = Field::new("key", Kind::Key, "the name of the value that follows");
static NUL: Field = Field::terminator("NUL", "ends a string");

/// Settings of games on Source; a game, and an addition to one, may have any.
pub static RULES: Keys = Keys::new(
    &[
        Field::number("coop", "whether players are on one side").values(NO_YES),
        Field::number("deathmatch", "whether everybody plays alone").values(NO_YES),
        Field::number("decalfrequency", "seconds between two sprays of a player"),
        Field::number("dedicated", "whether the server plays no game itself; DayZ's")
            .values(NO_YES),
        Field::text("island", "the map; DayZ's"),
        Field::text("metamod_version", "the version of the addition Metamod"),
        Field::number("mp_autoteambalance", "whether teams are kept of one size").values(OFF_ON),
        Field::number("mp_footsteps", "whether steps are heard").values(NO_YES),
        Field::number("mp_forcerespawn", "whether players come back at once").values(NO_YES),
        Field::number("mp_fraglimit", "kills that end a match").values(NO_LIMIT),
        Field::number("mp_friendlyfire", "whether players hurt their own team").values(NO_YES),
        Field::number("mp_maxrounds", "rounds that end a match").values(NO_LIMIT),
        Field::number("mp_teamplay", "the form of team play"),
        Field::number("mp_timelimit", "minutes that end a match").values(NO_LIMIT),
        Field::number("mp_winlimit", "won rounds that end a match").values(NO_LIMIT),
        Field::text("nextlevel", "the map that is next"),
        Field::text("platform", "the system of the server; DayZ's"),
        Field::number("requiredBuild", "the least build of the game to join with; DayZ's"),
        Field::number("requiredVersion", "the least version of the game to join with; DayZ's"),
        Field::text("sourcemod_version", "the version of the addition SourceMod"),
        Field::number("sv_alltalk", "whether everybody hears everybody").values(NO_YES),
        Field::number("sv_cheats", "whether commands that help the player are allowed")
            .values(NO_YES),
        Field::text("sv_contact", "how to reach who runs the server").role(FieldRole::Person),
        Field::number("sv_gravity", "how strongly things fall"),
        Field::number("sv_password", "whether a password is needed to join")
            .role(FieldRole::Secret)
            .values(&[("0", "open"), ("1", "a password is needed")]),
        Field::number("sv_pure", "how files of players are compared with the server's"),
        Field::text("sv_steamgroup", "the group at Steam that the server belongs to")
            .role(FieldRole::Name),
        Field::text("sv_tags", "tags of the server, with commas between").role(FieldRole::Free),
        Field::number("tv_enable", "whether a relay for spectators runs").values(NO_YES),
        Field::number("tv_password", "whether watching needs a password")
            .role(FieldRole::Secret)
            .values(NO_YES),
    ],
    &[],
);

/// A client requests a server's settings. With -1 or 0 it asks for a challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct A2sRules<'a> {
    pub has_challenge: bool,
    pub challenge: i32,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for A2sRules<'a> {
    const SPEC: Spec =
        Spec::new("A2S_RULES", &["006 A2S_RULES"], C2S, b"\xff\xff\xff\xffV\x4b\xa1\xd5\x22")
            .id("a2s-rules")
            .weak()
            .whole();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"V")?;
        challenge(p, &mut self.has_challenge, &mut self.challenge)
    }
}

/// Settings to the end, each a name and a value with a NUL; the last one may be cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RuleList<'a> {
    raw: &'a [u8],
}

impl<'a> RuleList<'a> {
    /// The settings in these bytes.
    pub fn new(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// Names and values; of one that is cut, a value or its NUL is missing.
    fn parts(self) -> impl Iterator<Item = RulePart<'a>> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            if left.is_empty() {
                return None;
            }
            let Some((key, behind)) = string(left) else {
                let key = std::mem::take(&mut left);
                return Some(RulePart { key, has_end: false, value: None, is_whole: false });
            };
            let whole = string(behind);
            let value = whole.map_or(behind, |(value, _)| value);
            left = whole.map_or(&[], |(_, rest)| rest);
            let value = Some(value).filter(|value| whole.is_some() || !value.is_empty());
            Some(RulePart { key, has_end: true, value, is_whole: whole.is_some() })
        })
    }

    /// Names and values; a value that is cut is as it came, one that is missing is empty.
    pub fn pairs(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        self.parts().map(|part| (part.key, part.value.unwrap_or_default()))
    }
}

/// One setting, or the beginning of one.
struct RulePart<'a> {
    key: &'a [u8],
    /// Whether a NUL ends the name.
    has_end: bool,
    value: Option<&'a [u8]>,
    /// Whether a NUL ends the value.
    is_whole: bool,
}

impl<'a> RawBytes<'a> for RuleList<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for RuleList<'a> {
    type Form = &'static Keys;
    const GROUP: Group = Group::Pairs;

    fn len(all: &'a [u8], _: Self::Form) -> usize {
        all.len()
    }

    fn parts<S: Sink>(&self, keys: Self::Form, out: &mut Parts<'_, '_, S>) {
        for RulePart { key, has_end, value, is_whole } in RuleList::parts(*self) {
            out.leaf(&KEY, Shape::Text, key.len());
            out.gap(&NUL, Shape::Raw, usize::from(has_end));
            if let Some(value) = value {
                out.leaf(keys.resolve(key), Shape::Text, value.len());
            }
            if is_whole {
                out.gap(&NUL, Shape::Raw, 1);
            } else {
                out.note(Anomaly::ShortLine, value.map_or(key.len(), <[u8]>::len));
            }
        }
    }

    fn layout(_: Self::Form) -> ViewLayout {
        ViewLayout::TerminatedPairs { may_be_cut: false }
    }

    fn fields(keys: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        keys.iter().for_each(each);
    }
}

/// The most settings that a reply of texts has.
const MOST: usize = 1024;

/// Whether settings follow the mark and the letter: as many as the count says, or some that are
/// texts.
fn is_rules(bytes: &[u8]) -> bool {
    let Some((count, rules)) = behind(bytes, b'E').and_then(<[u8]>::split_first_chunk) else {
        return false;
    };
    let count = usize::from(u16::from_le_bytes(*count));
    let rules = RuleList::new(rules);
    let (mut whole, mut is_cut) = (0, false);
    for part in rules.parts() {
        if part.key.is_empty() {
            return false;
        }
        whole += usize::from(part.is_whole);
        is_cut |= !part.is_whole;
    }
    if whole == count && !is_cut || RulesForm::peek(rules.raw) != RulesForm::Plain {
        return true;
    }
    let is_text = |part: &[u8]| {
        std::str::from_utf8(part).is_ok_and(|text| !text.chars().any(char::is_control))
    };
    let first = rules.parts().next().filter(|_| (1..=MOST).contains(&count));
    first.is_some_and(|RulePart { key, has_end, value, is_whole }| {
        has_end && is_text(key) && value.is_none_or(|value| !is_whole || is_text(value))
    })
}

/// A server's settings. A reply in one datagram may be cut: then the last one is not whole. Those of
/// DayZ and Arma 3 begin with the mods.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct S2aRules<'a> {
    pub count: u16,
    pub form: RulesForm,
    pub rules: RuleList<'a>,
    pub with_mods: Coded<'a, ModRules<'a>>,
}

impl<'a> Message<'a> for S2aRules<'a> {
    const SPEC: Spec = Spec::new(
        "S2A_RULES",
        &["006 A2S_RULES"],
        S2C,
        b"\xff\xff\xff\xffE\x02\0mp_timelimit\x0030\0sv_tags\0alltalk\0",
    )
    .id("s2a-rules")
    .weak()
    .letter_match(b'E', is_rules)
    .answers(&["a2s-rules"])
    // Half-Life's answer to `rules` has the same form, and is the likelier one without a request.
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"E")?;
        p.int(&COUNT, Little, &mut self.count)?;
        p.choose(&mut self.form, |p, form| match form {
            RulesForm::Plain => p.view(&SETTINGS, &RULES, &mut self.rules),
            RulesForm::Mods(chunks) => p.layer(&WITH_MODS, chunks, &mut self.with_mods),
        })
    }
}
