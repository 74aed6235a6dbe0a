//! Probes of Half-Life's protocol: what its games do each in another form, and answers that nobody
//! asked for.

use super::probes::Probe;
use super::world::*;
use crate::Defect;
use Defect::*;

/// The heartbeat of a server of Xash3D with its own challenge.
const XASH: &[u8] = b"q\xff\x01\x02\x03\x04";

pub static PROBES: &[Probe] = &[
    ("challenges of Half-Life's games", "", |w| {
        let mut length = |service, n, heartbeat: &[u8]| {
            let sent = w.receive(service, at(n), heartbeat);
            sent.first().map_or(0, |(_, bytes)| bytes.len())
        };
        let xash = length(HALF_LIFE, 3, XASH);
        format!("{} {} {xash}", length(HALF_LIFE, 1, b"q"), length(SOURCE, 2, b"q"))
    }),
    ("a list of Xash3D", "", |w| {
        w.half_life(at(1), r"\players\1\max\8\gamedir\valve");
        let request = [&b"1\xff0.0.0.0:0\0"[..], br"\clver\0.21\key\7f\gamedir\valve"].concat();
        w.ask(HALF_LIFE, &request).escape_ascii().to_string()
    }),
    ("answers without a challenge", "", |w| {
        let reply = b"0\n\\protocol\\46\\challenge\\0\\players\\1\\max\\8\n";
        w.receive(HALF_LIFE, at(1), reply);
        w.receive(SOURCE, at(2), reply);
        w.master.servers().to_string()
    }),
    ("heartbeats of a challenged server", "flood=0", |w| {
        for _ in 0..400 {
            w.receive(HALF_LIFE, at(1), b"q");
        }
        w.master.has_crashed().to_string()
    }),
];

/// The probes that distinguish a master with a defect from a correct one.
pub static CAUGHT: &[(Defect, &[&str])] = &[
    (NoEndMark, &["a list of Xash3D"]),
    (SwappedPort, &["a list of Xash3D"]),
    (DoubledEntries, &["a list of Xash3D"]),
    (WideRecords, &["a list of Xash3D"]),
    (ListsNobody, &["a list of Xash3D"]),
    (AcceptsUnasked, &["answers without a challenge"]),
    (CrashesInFlood, &["heartbeats of a challenged server"]),
    (OtherForm, &["challenges of Half-Life's games"]),
    (NoListKey, &["a list of Xash3D"]),
];
