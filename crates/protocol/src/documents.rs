//! The documents that describe the protocols.

/// Their numbers, by which sections are cited (`001 1.1.2`), and their titles.
pub const DOCUMENTS: &[(&str, &str)] = &[
    ("000", "the protocol of Q3Master"),
    ("001", "packets of master server protocols, collected by Andre' Schulz"),
    ("002", "server query protocol of the id Tech 4 engine"),
    ("003", "GameSpy's developer specification"),
    ("004", "dpmaster, technical information"),
    ("005", "QuakeSpasm, its sources, and ProQuake's"),
    ("006", "Valve's page on server queries"),
    ("007", "Valve's page on the master server query protocol"),
    ("008", "GameSpy's query and reporting, and server browsing, in OpenMoHAA"),
    ("009", "OpenSpy, its sources"),
    ("010", "qstat, its sources"),
    ("011", "Teeworlds, DDNet and libtw2, their sources"),
    ("012", "node-gamedig, its sources"),
    ("013", "Descent 3, its sources"),
];
