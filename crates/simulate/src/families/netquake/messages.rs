//! A server's answers (document 005).

use crate::families::with_message;
use crate::{KnownValue, ServerInfo, written};
use codec::FieldRole;
use protocol::Game;
use protocols::netquake::{NetQuake, PROTOCOL, RuleInfoReply, ServerInfoReply};

/// The number of the protocol of the control messages.
const VERSION: u8 = 3;
/// The names that clients of Quake and of Hexen II send.
const NAMES: [&[u8]; 2] = [b"QUAKE", b"HEXENII"];
/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 2] = [("hostname", FieldRole::Host), ("map", FieldRole::Map)];
/// The rules that it tells, in their order.
const RULES: [(&str, &str); 3] =
    [("sv_maxspeed", "320"), ("sv_friction", "4"), ("sv_gravity", "800")];

with_message!(NetQuake);

/// A server with eight places and no players.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("address", "0.0.0.0:26000"),
        ("hostname", "noname"),
        ("map", "start"),
    ])
}

/// A server's answer to any request; `None` if it is no request, or has no answer.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let value = |key| server_info.get(key).unwrap_or_default();
    with_message(request, |message| match message {
        // 005 net_dgrm.c: a request with another game's name is ignored.
        NetQuake::ServerInfoRequest(asked) if NAMES.contains(&asked.game) => {
            Some(written(ServerInfoReply {
                address: value("address"),
                host: value("hostname"),
                map: value("map"),
                max_players: 8,
                version: VERSION,
                ..ServerInfoReply::default()
            }))
        }
        NetQuake::RuleInfo(asked) => Some(written(rule_behind(asked.rule)?)),
        _ => None,
    })
}

/// The rule behind another one, the first behind none; `None` behind an unknown one.
fn rule_behind(rule: &[u8]) -> Option<RuleInfoReply<'static>> {
    let at = match rule {
        b"" => 0,
        rule => 1 + RULES.iter().position(|(name, _)| name.as_bytes() == rule)?,
    };
    Some(match RULES.get(at) {
        Some((rule, value)) => RuleInfoReply {
            has_rule: true,
            rule: rule.as_bytes(),
            value: value.as_bytes(),
            ..RuleInfoReply::default()
        },
        None => RuleInfoReply::default(),
    })
}

/// The answer of a server with these known values.
pub(super) fn server(_: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    answer(&server_info().with_known(known, &KNOWN_KEYS), request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_come_one_by_one() {
        let server = server_info();
        for (asked, answered) in [
            (&b"\x80\0\0\x06\x04\0"[..], &b"\x80\0\0\x15\x85sv_maxspeed\x00320\0"[..]),
            (b"\x80\0\0\x11\x04sv_maxspeed\0", b"\x80\0\0\x13\x85sv_friction\x004\0"),
            (b"\x80\0\0\x10\x04sv_gravity\0", b"\x80\0\0\x05\x85"),
        ] {
            let reply = answer(&server, asked).unwrap();
            assert_eq!(reply, answered, "{}", reply.escape_ascii());
        }
        assert_eq!(answer(&server, b"\x80\0\0\x10\x04sv_unknown\0"), None);
        let reply = answer(&server, b"\x80\0\0\x0c\x02QUAKE\0\x03").unwrap();
        assert_eq!(reply, b"\x80\0\0\x23\x830.0.0.0:26000\0noname\0start\0\0\x08\x03");
    }
}
