//! The kinds of servers: an entry each.

use super::suite::{server_case, server_cases, tested_servers};
use super::{ServerKind, TestedServer, challenge, malformed, proof, repeated, splits, state};
use crate::{
    CASE, Case, Implementation, Precondition, Profile, Requirement, Sentinel, TestSuite, csv_table,
};
use codec::FieldRole::{self, Host, Map, MaxPlayers};
use protocol::Role;
use protocols::doom3::DOOM3;
use protocols::etqw::ETQW;
use protocols::eye::MTA;
use protocols::gamespy::{BATTLEFIELD_1942, UNREAL_TOURNAMENT};
use protocols::gamespy3::BATTLEFIELD_2;
use protocols::half_life::{HALF_LIFE, XASH3D};
use protocols::netquake::{HEXEN2, NETQUAKE};
use protocols::quake2::QUAKE2;
use protocols::quake3::QUAKE3;
use protocols::quakeworld::{HEXENWORLD, QUAKEWORLD};
use protocols::source::SOURCE;
use protocols::teeworlds::TEEWORLDS;
use protocols::tribes::TRIBES;
use protocols::tribes2::TRIBES2;
use protocols::unreal2::UT2004;
use simulate::{
    AnswerLimits, AnswerRate, DDNET_LIMITS, IOQUAKE3_LIMITS, QUAKE3_LIMITS, SOURCE_LIMITS,
    families as of,
};
use std::time::Duration;

/// What players see of every server.
const USUAL: &[FieldRole] = &[Host, Map, MaxPlayers];
/// The same where the map has no role of its own.
const NO_MAP: &[FieldRole] = &[Host, MaxPlayers];
/// The most bytes of UDP over IPv4, where nothing says that servers keep below.
const ANY: usize = 65_507;

/// ioquake3's limit of an address, which is stricter than any that is known of other kinds. A limit of
/// all addresses together is known of no server of such a kind, and these are few questions a second.
const NO_LIMIT_OF_ALL: AnswerLimits = AnswerLimits {
    of_all: AnswerRate { burst: 20, refill: Duration::from_millis(50) },
    ..IOQUAKE3_LIMITS
};

/// What all kinds have in common that say nothing else.
const KIND: ServerKind = ServerKind {
    service: "",
    game: &QUAKE3,
    questions: &of::quake3::query::SERVER_QUERY,
    values: USUAL,
    of_masters: "",
    longest: ANY,
    limits: NO_LIMIT_OF_ALL,
    unknown: &[],
};

tested_servers! {
    quake3 "quake3/server" "a server of Quake III Arena or a relative" "requirements/quake3.csv"
        [of_masters challenge text_challenge amplification limited]
        ServerKind {
            service: QUAKE3.id,
            of_masters: "getinfo",
            // ioquake3: MAX_MSGLEN.
            longest: 16_384,
            limits: QUAKE3_LIMITS,
            // `getstatusx` is none of them: DarkPlaces compares only the first nine letters.
            unknown: &[
                b"\xff\xff\xff\xffgetfragshark",
                b"\xff\xff\xff\xff\xff\xff\xff\xff",
                b"getstatus",
            ],
            ..super::KIND
        };
    quake2 "quake2/server" "a server of Quake 2 or a relative" "requirements/quake2.csv"
        [of_masters amplification unlimited]
        ServerKind {
            service: QUAKE2.id,
            game: &QUAKE2,
            questions: &of::quake2::query::SERVER_QUERY,
            of_masters: "ping",
            // Q2PRO: MAX_PACKETLEN_DEFAULT.
            longest: 1400,
            // Q2PRO answers 15 status a second (`sv_status_limit`): a little more.
            limits: IOQUAKE3_LIMITS,
            unknown: &[b"\xff\xff\xff\xfffragshark\n", b"\xff\xff\xff\xffstatusx\n"],
            ..super::KIND
        };
    quakeworld "quakeworld/server" "a server of QuakeWorld" "requirements/quakeworld.csv"
        [of_masters amplification unlimited]
        ServerKind {
            service: QUAKEWORLD.id,
            game: &QUAKEWORLD,
            questions: &of::quakeworld::query::SERVER_QUERY,
            of_masters: "ping",
            // MVDSV: an answer of more than 8000 bytes comes in several.
            longest: 8_192,
            unknown: &[b"\xff\xff\xff\xfffragshark\n", b"\xff\xff\xff\xffstatusx\n"],
            ..super::KIND
        };
    hexenworld "hexenworld/server" "a server of HexenWorld" "requirements/hexenworld.csv"
        [amplification unlimited]
        ServerKind {
            service: HEXENWORLD.id,
            game: &HEXENWORLD,
            questions: &of::quakeworld::query::HEXENWORLD_QUERY,
            longest: 8_192,
            unknown: &[b"\xff\xff\xff\xff\xfffragshark\n"],
            ..super::KIND
        };
    doom3 "doom3/server" "a server of Doom 3 or a successor" "requirements/doom3.csv"
        [challenge amplification unlimited]
        ServerKind {
            service: DOOM3.id,
            game: &DOOM3,
            questions: &of::doom3::query::SERVER_QUERY,
            values: NO_MAP,
            unknown: &[b"\xff\xfffragshark\0\x01\0\0\0", b"\xff\xffgetInfox\0\x01\0\0\0"],
            ..super::KIND
        };
    etqw "etqw/server" "a server of Enemy Territory: Quake Wars" "requirements/etqw.csv"
        [challenge amplification unlimited]
        ServerKind {
            service: ETQW.id,
            game: &ETQW,
            questions: &of::etqw::query::SERVER_QUERY,
            values: NO_MAP,
            unknown: &[b"\xff\xfffragshark\0\x01\0\0\0"],
            ..super::KIND
        };
    source "source/server" "a server with Source's queries" "requirements/source.csv"
        [places details splits proof no_amplification unlimited]
        ServerKind {
            service: SOURCE.id,
            game: &SOURCE,
            questions: &of::source::query::SERVER_QUERY,
            // 006: a datagram has 1400 bytes at most, and its header may not be counted.
            longest: 1_418,
            limits: SOURCE_LIMITS,
            unknown: &[b"\xff\xff\xff\xff\x01fragshark", b"\xff\xff\xff\xff\x02"],
            ..super::KIND
        };
    xash3d "xash3d/server" "a server of Xash3D, asked by Source's queries" "requirements/xash3d.csv"
        [places details proof no_amplification unlimited]
        ServerKind {
            service: XASH3D.id,
            game: &XASH3D,
            questions: &of::source::query::SERVER_QUERY,
            longest: 1_418,
            limits: SOURCE_LIMITS,
            unknown: &[b"\xff\xff\xff\xff\x01fragshark", b"\xff\xff\xff\xff\x02"],
            ..super::KIND
        };
    half_life "half-life/server" "a server of Half-Life before Steam" "requirements/half-life.csv"
        [places details amplification unlimited]
        ServerKind {
            service: HALF_LIFE.id,
            game: &HALF_LIFE,
            questions: &of::half_life::query::SERVER_QUERY,
            unknown: &[b"\xff\xff\xff\xfffragshark\0"],
            ..super::KIND
        };
    gamespy "gamespy/server" "a server with GameSpy's queries" "requirements/gamespy.csv"
        [places amplification unlimited]
        ServerKind {
            service: protocols::gamespy::PROTOCOL.id,
            game: &UNREAL_TOURNAMENT,
            questions: &of::gamespy::query::SERVER_QUERY,
            unknown: &[b"fragshark", b"/status/"],
            ..super::KIND
        };
    gamespy2 "gamespy2/server" "a server with GameSpy's second query protocol" "requirements/gamespy2.csv"
        [places challenge amplification unlimited]
        ServerKind {
            service: protocols::gamespy2::PROTOCOL.id,
            game: &BATTLEFIELD_1942,
            questions: &of::gamespy2::query::SERVER_QUERY,
            unknown: &[b"\xfe\xfd\x77\0\0\0\x01\xff\xff\xff", b"fragshark"],
            ..super::KIND
        };
    gamespy3 "gamespy3/server" "a server with GameSpy's third query protocol" "requirements/gamespy3.csv"
        [places challenge proof amplification unlimited]
        ServerKind {
            service: protocols::gamespy3::PROTOCOL.id,
            game: &BATTLEFIELD_2,
            questions: &of::gamespy3::query::SERVER_QUERY,
            unknown: &[b"\xfe\xfd\x77\0\0\0\x01", b"fragshark"],
            ..super::KIND
        };
    netquake "netquake/server" "a server of Quake" "requirements/netquake.csv"
        [places details amplification unlimited]
        ServerKind {
            service: NETQUAKE.id,
            game: &NETQUAKE,
            questions: &of::netquake::query::SERVER_QUERY,
            // 005 net.h: NET_MAXMESSAGE.
            longest: 8_192,
            unknown: &[b"\x80\0\0\x06\x77\0", b"\x80\0\0\x0c\x02OTHER\0\x03"],
            ..super::KIND
        };
    hexen2 "hexen2/server" "a server of Hexen II" "requirements/hexen2.csv"
        [places details amplification unlimited]
        ServerKind {
            service: HEXEN2.id,
            game: &HEXEN2,
            questions: &of::netquake::query::HEXEN2_QUERY,
            longest: 8_192,
            unknown: &[b"\x80\0\0\x06\x77\0", b"\x80\0\0\x0c\x02OTHER\0\x05"],
            ..super::KIND
        };
    eye "eye/server" "a server with All-Seeing Eye's queries" "requirements/eye.csv"
        [places amplification unlimited]
        ServerKind {
            service: protocols::eye::PROTOCOL.id,
            game: &MTA,
            questions: &of::eye::query::SERVER_QUERY,
            unknown: &[b"\xfffragshark"],
            ..super::KIND
        };
    tribes "tribes/server" "a server of Starsiege: Tribes" "requirements/tribes.csv"
        [places challenge amplification unlimited]
        ServerKind {
            service: TRIBES.id,
            game: &TRIBES,
            questions: &of::tribes::query::SERVER_QUERY,
            unknown: &[b"\x77**"],
            ..super::KIND
        };
    tribes2 "tribes2/server" "a server of Tribes 2" "requirements/tribes2.csv"
        [places challenge amplification unlimited]
        ServerKind {
            service: TRIBES2.id,
            game: &TRIBES2,
            questions: &of::tribes2::query::SERVER_QUERY,
            unknown: &[b"\x77\x02\x01\0\0\0"],
            ..super::KIND
        };
    teeworlds "teeworlds/server" "a server of Teeworlds 0.6 or DDNet" "requirements/teeworlds.csv"
        [challenge amplification unlimited]
        ServerKind {
            service: TEEWORLDS.id,
            game: &TEEWORLDS,
            questions: &of::teeworlds::query::SERVER_QUERY,
            // 011 network.h: NET_MAX_PACKETSIZE.
            longest: 1_400,
            limits: DDNET_LIMITS,
            unknown: &[
                b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffshrk\x05",
                b"xe\x01\x02\0\0\xff\xff\xff\xffshrk\x05",
            ],
            ..super::KIND
        };
    teeworlds_7 "teeworlds-7/server" "a server of Teeworlds 0.7" "requirements/teeworlds-7.csv"
        [proof no_amplification unlimited padding]
        ServerKind {
            service: "teeworlds-7",
            game: &TEEWORLDS,
            questions: &of::teeworlds::query::SEVEN_QUERY,
            longest: 1_400,
            limits: DDNET_LIMITS,
            unknown: &[
                b"\x21\xff\xff\xff\xff\x01\x02\x03\x04\xff\xff\xff\xffshrk\x05",
                b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffshrk\x05",
            ],
            ..super::KIND
        };
    unreal2 "unreal2/server" "a server of Unreal's second engine" "requirements/unreal2.csv"
        [places details amplification unlimited]
        ServerKind {
            service: "unreal2",
            game: &UT2004,
            questions: &of::unreal2::query::SERVER_QUERY,
            unknown: &[b"\x79\0\0\0\x77"],
            ..super::KIND
        };
}
