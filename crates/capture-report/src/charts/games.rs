//! Messages over time by game, and the shares of games.

use maud::{Markup, html};

use super::{HEIGHT, WIDTH, axis, bar, figure, picture, scaled};
use crate::tables::ReportTables;
use crate::time_span::TimeSpan;
use analysis::{GameCounts, SessionStatistics};
use text::{counted, duration, grouped, percent};

/// How many games have a row of their own over time.
const GAMES: usize = 8;
/// How many bars a row has at most.
const BARS: i64 = 120;

/// A row of bars for each game, all on the same scale.
pub(super) fn over_time(statistics: &SessionStatistics, span: TimeSpan) -> Markup {
    let games = statistics.games.games();
    let buckets = statistics.games.buckets();
    let width = buckets.width();
    // Bars of whole buckets.
    let all = buckets.at(span.last) - buckets.at(span.first) + 1;
    let joined = (all + BARS - 1) / BARS;
    let count = usize::try_from((all + joined - 1) / joined).unwrap_or(1);
    let first = buckets.at(span.first);
    let rows: Vec<_> =
        games.iter().take(GAMES).map(|game| (game, bars(game, first, joined, count))).collect();
    let most = rows.iter().flat_map(|(_, bars)| bars).copied().max().unwrap_or(0);
    let others = games.len().saturating_sub(GAMES);
    let others = if others > 0 { format!("; {others} more games below") } else { String::new() };
    let note = format!(
        "a bar is {}; the tallest has {}{others}",
        duration(joined.saturating_mul(width)),
        counted(most, "message")
    );
    let table = html! {
        table {
            thead { tr { th scope="col" { "game" } th.plot scope="col" { (axis(span)) } th scope="col" { "messages" } } }
            tbody {
                @for (game, bars) in &rows {
                    tr {
                        th scope="row" { (game.game.id) }
                        td.plot { (columns(bars, most)) }
                        td.n { (game.messages) }
                    }
                }
            }
        }
    };
    figure("over-time", "Messages over time", &note, &table)
}

/// The number of messages of a game in each bar of so many buckets.
fn bars(game: &GameCounts, first: i64, joined: i64, count: usize) -> Vec<u64> {
    let mut bars = vec![0; count];
    for (bucket, messages) in game.over_time.iter() {
        let at = usize::try_from((bucket - first) / joined).unwrap_or(0);
        if let Some(bar) = bars.get_mut(at) {
            *bar += u64::from(messages);
        }
    }
    bars
}

fn columns(bars: &[u64], most: u64) -> Markup {
    let each = WIDTH as f64 / bars.len().max(1) as f64;
    let shapes = bars.iter().enumerate().filter(|(_, count)| **count > 0);
    let shapes = html! {
        @for (at, count) in shapes {
            @let height = scaled(*count, most, HEIGHT);
            rect class="bar" x={ (format!("{:.2}", at as f64 * each)) } y=(HEIGHT - height)
                width={ (format!("{:.2}", (each * 0.9).max(0.5))) } height=(height) {}
        }
    };
    picture(HEIGHT, &shapes)
}

/// The messages, bytes, flows and servers of each game.
pub(super) fn shares(statistics: &SessionStatistics, tables: &ReportTables) -> Markup {
    let games = statistics.games.games();
    let of = |game: &GameCounts| {
        let [servers, flows] = tables.servers_and_flows(game.game.id);
        [game.messages, game.bytes, flows, servers]
    };
    let rows: Vec<_> = games.iter().map(|game| (game.game, of(game))).collect();
    let sums: [u64; 4] =
        std::array::from_fn(|at| rows.iter().filter_map(|(_, counts)| counts.get(at)).sum());
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "game" }
                    @for name in ["messages", "bytes", "flows", "servers"] {
                        th scope="col" { (name) }
                    }
                }
            }
            tbody {
                @for (game, counts) in rows {
                    tr data-game=(game.id) {
                        th scope="row" { (game.title) " " small { (game.id) } }
                        @for (count, all) in counts.into_iter().zip(sums) {
                            td.share {
                                data value=(count) { (grouped(count)) }
                                " " small { (percent(count, all)) }
                                (bar(count, all))
                            }
                        }
                    }
                }
            }
        }
    };
    figure("shares", "Shares of games", "", &table)
}
