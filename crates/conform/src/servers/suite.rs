//! The test suite of a kind of server: the cases that every kind has, and groups of cases that some
//! have.

/// The kinds of servers, an entry each: the name of the suite, the beginning of the ids of its cases,
/// its title, the groups of cases, and how it is asked.
macro_rules! tested_servers {
    ($($name:ident $begin:literal $title:literal $file:literal [$($group:ident)*] $kind:expr;)+) => {
        /// All kinds of servers that have cases.
        pub static SERVERS: &[TestedServer] =
            &[$(TestedServer { kind: &$name::KIND, suite: &$name::SUITE }),+];

        /// Their test suites.
        pub(super) static SUITES: &[&TestSuite] = &[$(&$name::SUITE),+];

        $(mod $name {
            use super::*;

            pub(super) static KIND: ServerKind = $kind;

            static ANSWERS: Precondition = Precondition {
                id: concat!($begin, "/answers"),
                otherwise: "the target does not answer what clients ask",
                needs: &[],
                check: |ctx| ctx.expect_any_answer(KIND.service, &[KIND.questions.state()]),
            };

            static ANSWERED: Precondition = Precondition {
                id: concat!($begin, "/answered"),
                otherwise: "the question for the state is not answered as a whole",
                needs: &[&ANSWERS],
                check: |ctx| state::answered(ctx, &KIND),
            };

            /// What most cases have in common.
            const ASKS: Case = Case { needs: &[&ANSWERED], ..CASE };

            pub(super) static SUITE: TestSuite = TestSuite {
                target: Role::Server,
                cases: &[
                    server_cases!(state $begin),
                    server_cases!(malformed $begin),
                    server_cases!(repeated $begin),
                    // A case that is known to end a released server is the last.
                    $(server_cases!($group $begin),)*
                ],
                profiles: &[Profile::new(KIND.service, $title, &[concat!($begin, "/*")])],
                requirements: csv_table!(Requirement, $file),
                answers: &ANSWERS,
                sentinels: &[Sentinel::new(KIND.service, |_| KIND.questions.state())],
                listed_for: "",
                shutdowns: &[],
                control: None,
                traits: &[],
                implementations: csv_table!(Implementation, "requirements/no_implementations.csv"),
            };
        })+
    };
}
pub(super) use tested_servers;

/// A case: the last parts of its id, what is done, and its function. Options follow.
macro_rules! server_case {
    ($begin:literal, $id:literal, $title:literal, $run:path $(, $field:ident: $value:expr)*) => {
        Case {
            id: concat!($begin, "/", $id),
            title: $title,
            run: |ctx| $run(ctx, &KIND),
            $($field: $value,)*
            ..ASKS
        }
    };
}
pub(super) use server_case;

/// The cases of a group.
macro_rules! server_cases {
    (state $begin:literal) => {
        &[
            server_case!($begin, "state/source",
                "a client asks for the state; the answer comes from where it asked", state::source,
                needs: &[&ANSWERS]),
            server_case!($begin, "state/answered", "a client asks for the state", state::answered,
                needs: &[&ANSWERS], decides: &[concat!($begin, "/answered")]),
            server_case!($begin, "state/grammar", "every byte of all answers is read",
                state::grammar),
            server_case!($begin, "state/values",
                "a client looks for the server's name, the map and the places", state::values),
            server_case!($begin, "state/datagram", "the datagrams of all answers are measured",
                state::datagram),
        ]
    };
    (places $begin:literal) => {
        &[server_case!($begin, "state/places", "a client compares players and places",
            state::places)]
    };
    (details $begin:literal) => {
        &[server_case!($begin, "state/details", "a client asks for the players and the settings",
            state::details)]
    };
    (of_masters $begin:literal) => {
        &[server_case!($begin, "masters/answered", "somebody asks what a master asks",
            state::of_masters)]
    };
    (challenge $begin:literal) => {
        &[
            server_case!($begin, "challenge/echoed", "a client asks with one challenge after another",
                challenge::echoed,
                needs: &[&ANSWERS]),
            server_case!($begin, "challenge/of-each-client",
                "two clients ask at the same time, each with its own challenge",
                challenge::of_each_client,
                needs: &[&ANSWERS]),
        ]
    };
    (text_challenge $begin:literal) => {
        &[
            server_case!($begin, "challenge/characters",
                "challenges hold every character that a master's may have", challenge::characters,
                needs: &[&ANSWERS]),
            server_case!($begin, "challenge/absent", "a client asks without a challenge",
                challenge::absent,
                needs: &[&ANSWERS]),
        ]
    };
    (proof $begin:literal) => {
        &[
            server_case!($begin, "proof/wrong", "a client returns another challenge than it was given",
                proof::wrong),
            server_case!($begin, "proof/foreign",
                "a client returns the challenge that another client was given", proof::foreign),
        ]
    };
    (no_amplification $begin:literal) => {
        &[server_case!($begin, "amplification/unproven",
            "clients ask without a challenge, and count the bytes that come back",
            proof::no_amplification)]
    };
    (amplification $begin:literal) => {
        &[server_case!($begin, "amplification/measured",
            "clients ask, and count the bytes that come back", proof::measured_amplification)]
    };
    (padding $begin:literal) => {
        &[
            server_case!($begin, "amplification/no-padding",
                "a client asks for a token without the padding", proof::short_request),
            server_case!($begin, "token/negative",
                "a client asks with the token -1; then another client asks",
                malformed::survives_negative, exclusive: true, harsh: true),
        ]
    };
    (splits $begin:literal) => {
        &[server_case!($begin, "splits/parts", "the parts of long answers are compared",
            splits::whole)]
    };
    (limited $begin:literal) => {
        &[server_case!($begin, "flood/limited", "a client asks 64 times at once",
            repeated::limited, exclusive: true, harsh: true)]
    };
    (unlimited $begin:literal) => {
        &[server_case!($begin, "flood/measured", "a client asks 64 times at once",
            repeated::measured_flood, exclusive: true, harsh: true)]
    };
    (malformed $begin:literal) => {
        &[
            server_case!($begin, "malformed/cut-short", "a client sends every beginning of its questions",
                malformed::unanswered, exclusive: true),
            server_case!($begin, "malformed/unknown", "a client sends requests that no document has",
                malformed::unknown, exclusive: true),
            server_case!($begin, "malformed/own-answers",
                "a client sends the server's answers back to it", malformed::reflected,
                exclusive: true),
            server_case!($begin, "robust/longest",
                "a client sends datagrams of 65,507 bytes; then another client asks",
                malformed::survives_longest, exclusive: true, harsh: true),
            server_case!($begin, "robust/noise",
                "a client sends hundreds of datagrams of random bytes; then another client asks",
                malformed::survives_noise, exclusive: true, harsh: true),
        ]
    };
    (repeated $begin:literal) => {
        &[
            server_case!($begin, "repeated/each-time", "two clients ask three times each",
                repeated::each_time),
            server_case!($begin, "repeated/steady", "three clients compare what they are told",
                repeated::steady),
            server_case!($begin, "flood/over",
                "a client asks 64 times at once; then another client asks, and it asks again",
                repeated::after_flood, exclusive: true, harsh: true),
        ]
    };
}
pub(super) use server_cases;
