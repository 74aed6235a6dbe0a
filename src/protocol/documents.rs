//! The documents that describe the protocols.

/// Their numbers, by which sections are cited (`001 1.1.2`), and their titles.
pub const DOCUMENTS: &[(&str, &str)] = &[
    ("000", "the protocol of Q3Master"),
    ("001", "packets of master server protocols, collected by Andre' Schulz"),
    ("002", "server query protocol of the id Tech 4 engine"),
    ("003", "GameSpy's developer specification"),
    ("004", "dpmaster, technical information"),
    ("005", "QuakeSpasm, its sources, and ProQuake's"),
];
