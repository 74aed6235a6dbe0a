//! Which cases apply to each kind of master.

use crate::Profile;
use protocols::quake3::{ENEMY_TERRITORY, JEDI_ACADEMY, Q3MASTER, QUAKE3, RTCW, UNVANQUISHED};

pub(super) static PROFILES: &[Profile] = &[
    Profile {
        name: QUAKE3.id,
        title: "id Software's master of Quake III Arena",
        assumes: "list-form=id",
        cases: &["quake3/*", "q3master/getserversResponse/old-end-mark"],
        except: &[],
    },
    Profile {
        name: "dpmaster",
        title: "dpmaster, for DarkPlaces, Quake III Arena and all games that name themselves",
        assumes: "",
        cases: &[
            "quake3/getservers/*",
            "quake3/getserversResponse/*",
            "quake3/heartbeat/*",
            "quake3/infoResponse/*",
            "quake3/register/*",
            "quake3/robust/*",
            "q3master/getserversResponse/end-mark",
            "dpmaster/*",
        ],
        // It keeps servers after their shutdown, and packs lists in its own way.
        except: &["quake3/heartbeat/shutdown", "quake3/getserversResponse/packets"],
    },
    Profile {
        name: Q3MASTER.id,
        title: "Q3Master, whose masters tell each other of servers",
        assumes: "allow-register=on",
        cases: &[
            "quake3/getservers/*",
            "quake3/getserversResponse/*",
            "quake3/heartbeat/*",
            "quake3/infoResponse/*",
            "quake3/robust/*",
            "q3master/*",
        ],
        except: &["quake3/getserversResponse/packets"],
    },
    Profile {
        name: RTCW.id,
        title: "id Software's master of Return to Castle Wolfenstein",
        assumes: "",
        cases: &["rtcw/*"],
        except: &[],
    },
    Profile {
        name: ENEMY_TERRITORY.id,
        title: "id Software's master of Enemy Territory",
        assumes: "",
        cases: &["enemy-territory/*"],
        except: &[],
    },
    Profile {
        name: JEDI_ACADEMY.id,
        title: "a master of Raven's games and of Call of Duty, as JAMasterServer",
        assumes: "list-form=raven",
        cases: &[
            "quake3/getserversResponse/records",
            "quake3/getserversResponse/whole-records",
            "quake3/getserversResponse/doubles",
            "quake3/getserversResponse/split",
            "jedi-academy/*",
        ],
        except: &[],
    },
    Profile {
        name: UNVANQUISHED.id,
        title: "a master of Unvanquished, whose packets are numbered",
        assumes: "list-form=daemon",
        cases: &[
            "quake3/getserversResponse/records",
            "quake3/getserversResponse/whole-records",
            "quake3/getserversResponse/doubles",
            "quake3/getserversResponse/split",
            "dpmaster/getserversExt/*",
            "unvanquished/*",
        ],
        except: &[],
    },
];
