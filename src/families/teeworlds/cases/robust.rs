//! Malformed, over-long and random datagrams, and floods: requests are answered as before.

use super::LISTS;
use super::preconditions::ANSWERS;
use super::roles::TeeClient;
use crate::conform::shared::malformed;
use crate::conform::{CASE, Case, Done, TestContext};
use crate::families::teeworlds::messages;

/// What every case needs.
const ANSWERED_CASE: Case = Case { needs: &[&ANSWERS], ..CASE };
const MARK: &[u8] = &[0xff; 10];

pub(super) static CASES: &[Case] = &[
    Case {
        id: "teeworlds/robust/cut-short",
        title: "a client sends every beginning of every message, the empty one included",
        run: |ctx| {
            let messages = [
                messages::heartbeat(8303),
                messages::old_heartbeat(8303),
                messages::check_response(),
                messages::old_list_request(),
                messages::count_request(),
            ];
            survives(ctx, &malformed::truncations(&messages))
        },
        ..ANSWERED_CASE
    },
    Case {
        id: "teeworlds/robust/longest",
        title: "a client sends datagrams of 65,507 bytes",
        requires: "teeworlds/robust/cut-short",
        harsh: true,
        run: |ctx| {
            let beginnings = [MARK.to_vec(), messages::heartbeat(8303), messages::check_response()];
            survives(ctx, &malformed::longest(&beginnings))
        },
        ..ANSWERED_CASE
    },
    Case {
        id: "teeworlds/robust/noise",
        title: "a client sends hundreds of datagrams of random bytes",
        requires: "teeworlds/robust/cut-short",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let beginnings = [MARK.to_vec(), [MARK, b"bea2"].concat(), [MARK, b"fw!!"].concat()];
            survives(ctx, &malformed::noise(&beginnings))
        },
        ..ANSWERED_CASE
    },
    Case {
        id: "teeworlds/robust/many-heartbeats",
        title: "a client sends two thousand heartbeats",
        exclusive: true,
        harsh: true,
        run: |ctx| survives(ctx, &vec![messages::heartbeat(8303); malformed::FLOOD]),
        ..ANSWERED_CASE
    },
];

/// After these datagrams, requests for the count are answered as before.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    let client = TeeClient::new(ctx)?;
    malformed::survives(ctx, LISTS, datagrams, || client.count().map(drop))
}
