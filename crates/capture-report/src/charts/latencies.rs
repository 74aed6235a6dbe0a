//! The time from a request to its first response.

use maud::{Markup, html};

use super::{bar, figure};
use analysis::{ExchangeStatistics, NumberBin};
use text::{duration, grouped};

/// How many bins the histogram has at most.
const BINS: usize = 16;
/// The percentiles of each kind, with their names.
const PERCENTILES: [(u64, &str); 4] =
    [(50, "median"), (90, "90 %"), (99, "99 %"), (100, "longest")];

/// A histogram of all exchanges, and the percentiles of each kind.
pub(super) fn chart(exchanges: &ExchangeStatistics) -> Markup {
    let all = &exchanges.all.latency;
    let rows = exchanges.rows();
    if rows.is_empty() {
        return html! {};
    }
    let bins = all.latency_bins(BINS);
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0);
    let table = html! {
        @if !bins.is_empty() {
            table.histogram {
                thead { tr { th scope="col" { "latency" } th.plot scope="col" {} th scope="col" { "exchanges" } } }
                tbody {
                    @for bin in &bins {
                        tr {
                            th scope="row" { (label(bin)) }
                            td.plot { (bar(bin.count, most)) }
                            td.n { (grouped(bin.count)) }
                        }
                    }
                }
            }
        }
        table.latencies {
            thead {
                tr {
                    @for name in ["kind", "answered", "of"] { th scope="col" { (name) } }
                    @for (_, name) in PERCENTILES { th scope="col" { (name) } }
                }
            }
            tbody {
                @for (kind, of) in rows {
                    tr {
                        th scope="row" { (kind) }
                        td.n { (of.latency.count()) }
                        td.n { (of.due()) }
                        @for (percent, _) in PERCENTILES {
                            td.n {
                                @if let Some(nanos) = of.latency.percentile(percent) {
                                    data value=(nanos) { (text(nanos)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    figure("latencies", "Time to the first response", "percentiles are within 1 %", &table)
}

fn label(bin: &NumberBin) -> String {
    match bin.from {
        0 => format!("under {}", text(bin.to)),
        from => format!("{} to {}", text(from), text(bin.to)),
    }
}

fn text(nanos: u64) -> String {
    duration(i64::try_from(nanos).unwrap_or(i64::MAX))
}
