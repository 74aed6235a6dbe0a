//! How many servers the lists of each master have.

use maud::{Markup, html};

use super::{WIDTH, figure, picture, scaled};
use crate::left_out::LeftOut;
use analysis::ExchangeStatistics;

/// How many masters have a row.
const MASTERS: usize = 40;

/// A row for each master: the shortest, the median and the longest list.
pub(super) fn chart(exchanges: &ExchangeStatistics, left_out: &mut LeftOut) -> Markup {
    let count = exchanges.masters().len();
    if count == 0 {
        return html! {};
    }
    left_out.add_part(
        "masters with lists",
        (count.min(MASTERS) as u64, count as u64),
        "by address",
    );
    let ranges = exchanges.masters().filter_map(|(_, lists)| lists.servers.range());
    let most = ranges.map(|(_, max)| max).max().unwrap_or(0);
    let table = html! {
        table {
            thead {
                tr {
                    @for name in ["master", "game"] { th scope="col" { (name) } }
                    th.plot scope="col" { div.axis { span { "0" } span { (most) " servers" } } }
                    @for name in ["lists", "fewest", "median", "most"] { th scope="col" { (name) } }
                }
            }
            tbody {
                @for (master, lists) in exchanges.masters().take(MASTERS) {
                    @let (min, max) = lists.servers.range().unwrap_or_default();
                    @let median = lists.servers.percentile(50).unwrap_or_default();
                    tr {
                        th scope="row" { (master) }
                        td { (lists.game.id) }
                        td.plot { (range([min, median, max], most)) }
                        td.n { (lists.servers.count()) }
                        @for number in [min, median, max] { td.n { (number) } }
                    }
                }
            }
        }
    };
    let note = "a bar is from the shortest to the longest list, the mark is the median";
    figure("list-sizes", "Servers in lists", note, &table)
}

fn range([min, median, max]: [u64; 3], most: u64) -> Markup {
    let [min, median, max] = [min, median, max].map(|of| scaled(of, most, WIDTH));
    let shapes = html! {
        rect class="axis" x="0" y="7.5" width=(WIDTH) height="1" {}
        rect class="bar" x=(min) y="5" width=((max - min).max(2)) height="6" {}
        rect class="median" x=(median.saturating_sub(2)) y="1" width="3" height="14" {}
    };
    picture(16, &shapes)
}
