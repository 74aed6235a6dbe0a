//! The work of a table: its rows put into an order, and searched.

use std::sync::Arc;

use super::content::{RowContext, TableContent};
use crate::action::Answer;
use crate::format::{Format, TextDisplay};
use crate::screens::screen::Sort;
use crate::search::SearchQuery;
use crate::work::WorkContext;
use filter::{MatchingRows, RowSorter, SortKey};
use text::TimeDisplay;
use text::Zone;

/// How many rows are read while the session is locked.
const BATCH: usize = 256;

/// The rows that match the filter, in the order of a column.
pub fn arrange<T: TableContent>(
    rows: Option<Arc<MatchingRows>>,
    sort: Option<Sort>,
) -> impl FnOnce(&WorkContext) + Send + 'static {
    move |cx| {
        let len = T::len(&cx.session.lock()).unwrap_or(0);
        let is_shown = |at: &usize| rows.as_ref().is_none_or(|rows| T::is_matching(rows, *at));
        let mut order: Vec<u32> = (0..len).filter(is_shown).map(|at| at as u32).collect();
        if let Some(sort) = sort {
            let Some(sorted) = sorted::<T>(cx, &order, &sort) else {
                return;
            };
            order = sorted;
        }
        cx.answer(Answer::Arranged(order));
    }
}

/// Rows in the order of a column; nothing if the work was stopped.
fn sorted<T: TableContent>(cx: &WorkContext, rows: &[u32], sort: &Sort) -> Option<Vec<u32>> {
    let column = T::COLUMNS.iter().find(|column| column.layout.name == sort.column)?;
    let (mut sorter, zone) = (RowSorter::new(sort.is_descending), Zone::utc());
    for batch in rows.chunks(BATCH) {
        if cx.is_stopped() {
            return None;
        }
        let session = cx.session.lock();
        let context =
            RowContext { session: &session, format: PLAIN, begin: 0, zone: &zone, names: None };
        for at in batch {
            let row = T::brief(&session, *at as usize);
            let key = row.map_or(SortKey::Missing, |row| (column.key)(&row, &context));
            sorter.add_row(&key, *at);
        }
        parking_lot::MutexGuard::unlock_fair(session);
    }
    Some(sorter.finish())
}

/// Keys do not depend on formats.
const PLAIN: Format = Format {
    times: TimeDisplay::Relative,
    texts: TextDisplay::AsSent,
    separators: render::Separators::Hidden,
    message: crate::format::MessageView::Annotated,
    dates: false,
};

/// The first of these rows that contains the text, as it is shown.
pub fn search<T: TableContent>(
    query: SearchQuery,
    rows: Vec<u32>,
    (format, begin, zone): (Format, i64, Zone),
) -> impl FnOnce(&WorkContext) + Send + 'static {
    move |cx| {
        let (mut done, mut text) = (0, String::new());
        for batch in rows.chunks(BATCH) {
            if cx.is_stopped() {
                return;
            }
            let session = cx.session.lock();
            let context = RowContext {
                session: &session,
                format,
                begin,
                zone: &zone,
                // Addresses are found, shown or not.
                names: None,
            };
            let found = batch.iter().find(|at| {
                T::row(&session, **at as usize).is_some_and(|row| {
                    text.clear();
                    for column in T::COLUMNS {
                        text.extend((column.cell)(&row, &context).iter().map(|run| &*run.text));
                        text.push('\n');
                    }
                    query.is_in_row(&text)
                })
            });
            if let Some(at) = found {
                return cx.answer(Answer::Found(Some(*at as usize)));
            }
            parking_lot::MutexGuard::unlock_fair(session);
            done += batch.len();
            cx.answer(Answer::Searching(100 * done / rows.len().max(1)));
        }
        cx.answer(Answer::Found(None));
    }
}
