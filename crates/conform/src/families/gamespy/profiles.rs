//! The kinds of GameSpy's masters, and which cases apply to each.

use crate::Profile;
use protocols::gamespy::{GAMESPY, UNREAL_TOURNAMENT};

/// All cases of the family.
const ALL: &[&str] = &["gamespy/*", "unreal-tournament/*"];

pub(super) static PROFILES: &[Profile] = &[
    Profile {
        name: GAMESPY.id,
        title: "GameSpy's master",
        assumes: "",
        cases: ALL,
        except: &[],
        demands: &[],
    },
    Profile {
        name: UNREAL_TOURNAMENT.id,
        title: "a master of Unreal Tournament, which need not know other games",
        assumes: "",
        cases: ALL,
        except: &[
            "gamespy/echo/*",
            "gamespy/heartbeat/heretic2",
            "gamespy/heartbeat/blank-in-name",
            "gamespy/list/other-game",
            "gamespy/list/case-of-game",
            "gamespy/list/empty",
        ],
        demands: &[],
    },
    Profile {
        name: "gamespy-333",
        title: "a master like that of 333networks: it asks secure alone, once, where the first \
                heartbeat came from, of the games that it knows, and forgets servers by time alone",
        assumes: "gamespy-timeout=30m,keep-silent=on",
        cases: ALL,
        except: &[
            "gamespy/echo/*",
            // It sends secure without basic, to the port that the heartbeat came from.
            "gamespy/heartbeat/asked",
            "gamespy/heartbeat/query-port",
            // Port 0 stands for the game's usual port.
            "gamespy/heartbeat/no-port",
            // Only the first heartbeat gets a query; another run has used the port.
            "gamespy/heartbeat/first-port",
            "gamespy/heartbeat/asked-again",
            "gamespy/list/one-machine",
            "gamespy/heartbeat/comes-back",
            "gamespy/heartbeat/exiting*",
            "gamespy/heartbeat/silent*",
            "gamespy/secure/asked-anew",
            "gamespy/secure/replayed",
            // Names and keys are case-insensitive.
            "gamespy/list/case-of-game",
            "gamespy/secure/case-of-keys",
        ],
        demands: &[],
    },
];
