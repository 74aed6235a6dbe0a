//! The preconditions of a family whose servers register with a challenge.

/// The items of a module of preconditions: the target answers, it challenges a new server, it lists
/// one; and bases of cases that need the second and the third. `$game` begins their ids.
macro_rules! preconditions {
    (
        $game:literal, $service:expr, $role:ty,
        answers: $requests:expr, else $no_answer:literal,
        asked: else $not_asked:literal,
        listed: $listed:expr, else $not_listed:literal
    ) => {
        use $crate::{CASE, Case, Precondition};

        /// The target answers any request.
        pub static ANSWERS: Precondition = Precondition {
            id: concat!($game, "answers"),
            otherwise: $no_answer,
            needs: &[],
            check: |ctx| ctx.expect_any_answer($service, &$requests),
        };

        /// The target answers a heartbeat with a challenge.
        pub static CHALLENGED: Precondition = Precondition {
            id: concat!($game, "asked"),
            otherwise: $not_asked,
            needs: &[&ANSWERS],
            check: $crate::shared::registration::heartbeat_answered::<$role>,
        };

        /// A server that registers is listed.
        pub static LISTED: Precondition = Precondition {
            id: concat!($game, "listed"),
            otherwise: $not_listed,
            needs: &[&CHALLENGED],
            check: $listed,
        };

        /// A case that needs [`CHALLENGED`].
        pub const CHALLENGED_CASE: Case = Case { needs: &[&CHALLENGED], ..CASE };

        /// A case that needs [`LISTED`].
        pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
    };
}
pub(crate) use preconditions;
