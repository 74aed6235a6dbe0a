//! Tables of a test suite that are data: CSV files, built into the program.

use std::sync::OnceLock;

/// What is read from a CSV file.
pub trait FromCsv: Sized {
    /// All values of a file, in their order.
    fn parse_csv(csv: &str) -> csv::Result<Vec<Self>>;
}

/// A CSV file, which is read once.
pub struct CsvTable<T> {
    csv: &'static str,
    rows: OnceLock<Vec<T>>,
}

impl<T: FromCsv> CsvTable<T> {
    /// The table in the text of a CSV file.
    pub const fn new(csv: &'static str) -> Self {
        Self { csv, rows: OnceLock::new() }
    }

    /// All its values; a test sees that each table can be read.
    pub fn rows(&self) -> &[T] {
        self.rows.get_or_init(|| self.parse_rows().unwrap_or_default())
    }

    pub(crate) fn parse_rows(&self) -> csv::Result<Vec<T>> {
        T::parse_csv(self.csv)
    }
}

/// The table of a CSV file beside the source, with rows of this type.
macro_rules! csv_table {
    ($row:ty, $file:literal) => {{
        static TABLE: $crate::CsvTable<$row> = $crate::CsvTable::new(include_str!($file));
        &TABLE
    }};
}
pub(crate) use csv_table;
