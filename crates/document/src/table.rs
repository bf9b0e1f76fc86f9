//! Tables: a column says what it is called, whether it has numbers, and what it has in each row.

use serde_json::Number;

use crate::Text;
use crate::words::decimals;

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words or a number.
    Text(Text),
    /// A bar, as long as this part of the longest one.
    Bar(f64),
}

/// What can stand in a cell.
macro_rules! cells {
    ($($kind:ty, $text:expr;)*) => {
        $(impl From<$kind> for Cell {
            fn from(one: $kind) -> Self {
                Self::Text(Text::from($text(one)))
            }
        })*
    };
}

cells! {
    String, std::convert::identity;
    &String, String::clone;
    &str, str::to_owned;
    u64, |number: u64| number.to_string();
    u32, |number: u32| number.to_string();
    u128, |number: u128| number.to_string();
    usize, |number: usize| number.to_string();
    &Number, decimals;
    Number, |number: Number| decimals(&number);
}

impl From<Text> for Cell {
    fn from(text: Text) -> Self {
        Self::Text(text)
    }
}

/// A dash stands for what there is none of.
impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(one: Option<T>) -> Self {
        one.map_or_else(|| "-".into(), Into::into)
    }
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// The headings of the columns.
    pub heads: Vec<String>,
    /// The columns of numbers, counted from 0.
    pub numbers: Vec<usize>,
    /// The cells, row by row.
    pub rows: Vec<Vec<Cell>>,
    /// The characters of a line of a terminal that does not say how wide it is.
    pub width: Option<usize>,
}

/// A table of rows of a type, to which columns are added one by one.
#[derive(Debug)]
pub struct Rows<'r, R> {
    of: &'r [R],
    table: Table,
}

impl<R> Rows<'_, R> {
    /// A column, if it is shown.
    fn column(mut self, is_shown: bool, head: &str, cell: impl Fn(&R) -> Cell) -> Self {
        if is_shown {
            self.table.heads.push(head.to_owned());
            let rows = self.of.iter().zip(&mut self.table.rows);
            rows.for_each(|(of, row)| row.push(cell(of)));
        }
        self
    }

    /// A column of words.
    pub fn words<C: Into<Cell>>(self, head: &str, cell: impl Fn(&R) -> C) -> Self {
        self.words_if(true, head, cell)
    }

    /// The same, which is there on a condition.
    pub fn words_if<C: Into<Cell>>(self, shown: bool, head: &str, cell: impl Fn(&R) -> C) -> Self {
        self.column(shown, head, |row| cell(row).into())
    }

    /// A column of numbers.
    pub fn number<C: Into<Cell>>(self, head: &str, cell: impl Fn(&R) -> C) -> Self {
        self.number_if(true, head, cell)
    }

    /// The same, which is there on a condition.
    pub fn number_if<C: Into<Cell>>(mut self, shown: bool, head: &str, cell: impl Fn(&R) -> C) -> Self {
        self.table.numbers.extend(shown.then_some(self.table.heads.len()));
        self.words_if(shown, head, cell)
    }

    /// A column of verdicts, in their tones.
    pub fn verdict<C: AsRef<str>>(self, head: &str, cell: impl Fn(&R) -> C) -> Self {
        self.words(head, |row| Text::verdict(cell(row)))
    }

    /// The table, for a terminal that does not say how wide it is with so many characters a line.
    pub fn of_width(self, width: usize) -> Table {
        Table { width: Some(width), ..self.table }
    }
}

impl<R> From<Rows<'_, R>> for Table {
    fn from(rows: Rows<'_, R>) -> Self {
        rows.table
    }
}

/// The first rows, as many as are shown.
pub(crate) fn first<R>(rows: &[R], most: usize) -> &[R] {
    &rows[..rows.len().min(most)]
}

impl Table {
    /// A table of these rows, without columns.
    pub fn of<R>(of: &[R]) -> Rows<'_, R> {
        Rows { of, table: Self { rows: vec![Vec::new(); of.len()], ..Self::default() } }
    }

    /// A table without rows.
    pub(crate) fn new<H: Into<String>>(
        heads: impl IntoIterator<Item = H>,
        numbers: impl IntoIterator<Item = usize>,
    ) -> Self {
        let heads = heads.into_iter().map(Into::into).collect();
        Self { heads, numbers: numbers.into_iter().collect(), ..Self::default() }
    }

    /// Adds a row.
    pub(crate) fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}
