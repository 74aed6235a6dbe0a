//! The filters of a list request: each compares a value of the server, and all have to hold
//! (document 009, PerformListServers.cpp and PerformHeartbeat.cpp; qstat's client writes them).

use std::cmp::Ordering;

use codec::Records;
use protocols::unreal2::Heartbeat;
use simulate::families::unreal2::frames::texts;

/// How a value is compared, by the last byte of a filter.
const EQUAL: u8 = 0;
const DIFFERS: u8 = 1;
const LESS: u8 = 2;
const LESS_OR_EQUAL: u8 = 3;
const GREATER: u8 = 4;
const GREATER_OR_EQUAL: u8 = 5;

/// The bytes of a filter's comparison.
const COMPARISON: usize = 1;

/// Whether a server fits all filters.
pub(super) fn fits(server: &Heartbeat<'_>, filters: Records<'_>) -> bool {
    let mut left = filters.raw();
    while let Some(([field, value], rest)) = texts::<2>(left) {
        let Some((comparison, rest)) = rest.split_at_checked(COMPARISON) else { break };
        if !holds(server, field, comparison.first().copied().unwrap_or_default(), value) {
            return false;
        }
        left = rest;
    }
    true
}

/// Whether one filter holds. A value that a server did not name fits every filter; no server fits a
/// comparison that nobody knows.
fn holds(server: &Heartbeat<'_>, field: &[u8], comparison: u8, wanted: &[u8]) -> bool {
    let order = if field.eq_ignore_ascii_case(b"mutator") {
        let has = mutators(server).any(|mutator| mutator.eq_ignore_ascii_case(wanted));
        if has { Ordering::Equal } else { Ordering::Greater }
    } else if let Some(value) = value(server, field) {
        match comparison {
            EQUAL | DIFFERS => value.to_ascii_lowercase().cmp(&wanted.to_ascii_lowercase()),
            _ => number(&value).cmp(&number(wanted)),
        }
    } else {
        return true;
    };
    match comparison {
        EQUAL => order.is_eq(),
        DIFFERS => order.is_ne(),
        LESS => order.is_lt(),
        LESS_OR_EQUAL => order.is_le(),
        GREATER => order.is_gt(),
        GREATER_OR_EQUAL => order.is_ge(),
        _ => false,
    }
}

/// The value of a server that a filter names: what the master makes of its heartbeat, or a setting.
fn value(server: &Heartbeat<'_>, field: &[u8]) -> Option<Vec<u8>> {
    let is = |is: bool| Some(if is { b"True".to_vec() } else { b"False".to_vec() });
    let setting = |key: &[u8]| setting(server, key).map(<[u8]>::to_vec);
    let or_false = |key: &[u8]| setting(key).or_else(|| is(false));
    match field {
        b"hostname" => Some(server.name.text.to_vec()),
        b"mapname" => Some(server.map.text.to_vec()),
        b"gametype" => Some(server.game_type.text.to_vec()),
        b"botlevel" | b"category" => Some(server.skill.text.to_vec()),
        b"numplayers" | b"currentplayers" => Some(server.players.to_string().into_bytes()),
        b"maxplayers" => Some(server.max_players.to_string().into_bytes()),
        b"freespace" => {
            Some(u8::from(server.players < server.max_players).to_string().into_bytes())
        }
        b"nomutators" => is(mutators(server).next().is_none()),
        // No server is known to be none.
        b"standard" => is(true),
        b"nobots" => is(number(&setting(b"MinPlayers").unwrap_or_default()) == 0),
        b"transloc" => or_false(b"Translocator"),
        b"weaponstay" => or_false(b"WeaponStay"),
        b"stats" => or_false(b"GameStats"),
        b"password" => or_false(b"GamePassword"),
        _ => setting(field),
    }
}

/// The first value of a setting.
pub(super) fn setting<'a>(server: &Heartbeat<'a>, key: &[u8]) -> Option<&'a [u8]> {
    settings(server).find(|[known, _]| *known == key).map(|[_, value]| value)
}

/// What changes the rules of a server.
pub(super) fn mutators<'a>(server: &Heartbeat<'a>) -> impl Iterator<Item = &'a [u8]> {
    let is_mutator = |[key, _]: &[&[u8]; 2]| key.eq_ignore_ascii_case(b"mutator");
    settings(server).filter(is_mutator).map(|[_, value]| value)
}

/// Keys and values, in order. In front stands how many there are.
fn settings<'a>(server: &Heartbeat<'a>) -> impl Iterator<Item = [&'a [u8]; 2]> {
    let mut left = server.settings.raw().get(1..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (pair, rest) = texts::<2>(left)?;
        left = rest;
        Some(pair)
    })
}

/// The number at the beginning of a text; zero if there is none.
fn number(text: &[u8]) -> i64 {
    let text = text.trim_ascii_start();
    let (is_negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    let value = digits
        .fold(0_i64, |all, digit| all.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    if is_negative { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codec::CountedText;
    use simulate::families::unreal2::frames::{UnrealFilter, filters, settings};

    #[test]
    fn servers_fit_filters() {
        let settings = settings(&[
            ("GamePassword", "True"),
            ("Mutator", "MutInstaGib"),
            ("TimeLimit", "20"),
            ("MinPlayers", "0"),
        ]);
        let server = Heartbeat {
            name: CountedText::new(b"Lab"),
            game_type: CountedText::new(b"xDeathMatch"),
            players: 3,
            max_players: 3,
            settings: Records::new(&settings),
            ..Heartbeat::default()
        };
        for (field, comparison, wanted, is) in [
            ("gametype", EQUAL, "xdeathmatch", true),
            ("gametype", EQUAL, "xCTFGame", false),
            ("gametype", DIFFERS, "xCTFGame", true),
            ("gametype", DIFFERS, "xDeathMatch", false),
            ("currentplayers", GREATER, "0", true),
            ("currentplayers", GREATER, "3", false),
            ("currentplayers", GREATER_OR_EQUAL, "3", true),
            ("currentplayers", LESS, "10", true),
            ("currentplayers", LESS_OR_EQUAL, "2", false),
            ("freespace", GREATER, "0", false),
            ("password", EQUAL, "true", true),
            ("stats", EQUAL, "true", false),
            ("standard", EQUAL, "true", true),
            ("nobots", EQUAL, "true", true),
            ("nomutators", EQUAL, "true", false),
            ("mutator", EQUAL, "MutInstaGib", true),
            ("mutator", EQUAL, "MutUTClassic", false),
            ("mutator", GREATER, "MutInstaGib", false),
            ("mutator", GREATER, "MutUTClassic", true),
            ("TimeLimit", GREATER, "9", true),
            ("TimeLimit", LESS, "x", false),
            ("unknown", EQUAL, "anything", true),
            ("gametype", 6, "xDeathMatch", false),
        ] {
            let filters = filters(&[UnrealFilter { field, value: wanted, comparison }]);
            assert_eq!(fits(&server, Records::new(&filters)), is, "{field} {comparison} {wanted}");
        }
        let both = filters(&[
            UnrealFilter { field: "gametype", value: "xDeathMatch", comparison: EQUAL },
            UnrealFilter { field: "freespace", value: "0", comparison: GREATER },
        ]);
        assert!(!fits(&server, Records::new(&both)));
        assert!(fits(&server, Records::default()));
        assert_eq!(number(b" -12x"), -12);
    }
}
