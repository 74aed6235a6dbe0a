//! Cases that many families have: malformed, over-long and random datagrams, and floods. Afterwards
//! servers and clients get answers as before.

/// The cases of a game. `$game` begins their ids, `$base` has their preconditions. `survives` sends
/// datagrams and checks that the target answers as before; `messages` are cut short; some datagrams
/// begin with one of `longest` and `noise`; a flood has `$flood` heartbeats; `long_values` registers
/// a server with long settings.
macro_rules! robust_cases {
    (
        $game:literal, $base:expr, survives: $survives:expr, messages: $messages:expr,
        longest: $longest:expr, noise: $noise:expr,
        heartbeat: $heartbeat:expr, $heartbeats:literal, $flood:expr
        $(, long_values: $long_values:expr)? $(,)?
    ) => {{
        use $crate::Case;
        use $crate::shared::malformed;

        const SHARED: &[Case] = &[
            Case {
                id: concat!($game, "robust/cut-short"),
                title: "a client sends every beginning of every message, the empty one included",
                run: |ctx| $survives(ctx, &malformed::truncations(&$messages)),
                ..$base
            },
            $(Case {
                id: concat!($game, "robust/long-values"),
                title: "a server registers with a key and values of a thousand bytes",
                harsh: true,
                run: $long_values,
                ..$base
            },)?
            Case {
                id: concat!($game, "robust/longest"),
                title: "a client sends datagrams of 65,507 bytes",
                requires: concat!($game, "robust/cut-short"),
                harsh: true,
                run: |ctx| $survives(ctx, &malformed::longest(&$longest)),
                ..$base
            },
            Case {
                id: concat!($game, "robust/noise"),
                title: "a client sends hundreds of datagrams of random bytes",
                requires: concat!($game, "robust/cut-short"),
                exclusive: true,
                harsh: true,
                run: |ctx| $survives(ctx, &malformed::noise(&$noise)),
                ..$base
            },
            Case {
                id: concat!($game, "robust/many-heartbeats"),
                title: concat!("a client sends ", $heartbeats),
                exclusive: true,
                harsh: true,
                run: |ctx| $survives(ctx, &vec![$heartbeat; $flood]),
                ..$base
            },
        ];
        SHARED
    }};
}
pub(crate) use robust_cases;
