//! Sales of a show as CSV (RFC 4180), for spreadsheets.

use api::error::Error;
use csv::{Terminator, WriterBuilder};
use domain::{
    hold::{Hold, OrderId},
    seat_kind::SeatKind,
};
use seating::seat_map::SeatMap;

/// Media type of CSV.
pub const MEDIA_TYPE: &str = "text/csv; charset=utf-8";

/// Mark by which spreadsheets recognize UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Names of the columns. Only a hall with kinds of seats has the last one.
const COLUMNS: [&str; 8] = ["order", "area", "row", "number", "price", "hold", "member", "kind"];

/// Writes sales with a line for each seat.
///
/// # Errors
///
/// Never: it writes to memory.
pub fn write<'a>(sales: impl IntoIterator<Item = &'a Hold>, hall: &SeatMap) -> Result<String, Error> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(BYTE_ORDER_MARK.as_bytes().to_vec());
    let columns = if hall.has_kinds() { COLUMNS.len() } else { COLUMNS.len() - 1 };
    writer.write_record(&COLUMNS[..columns]).map_err(Error::unexpected)?;
    for sale in sales {
        let order = cell(sale.order().map_or("", OrderId::as_str));
        let member = sale.member.map(|member| member.to_string()).unwrap_or_default();
        for number in &sale.seats {
            let Some((area, seat)) = hall.seat(*number as usize) else { continue };
            let area = &hall.areas()[area];
            let numbers = [seat.row.to_string(), seat.number.to_string(), area.price.to_string(), sale.id.to_string()];
            let [row, number, price, hold] = &numbers;
            let kind = seat.kind.map_or("", SeatKind::name);
            let line = [&order, &cell(area.label.as_str()), row, number, price, hold, &member, kind];
            writer.write_record(&line[..columns]).map_err(Error::unexpected)?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| Error::unexpected(error.to_string()))?;
    String::from_utf8(bytes).map_err(Error::unexpected)
}

/// Returns a text as a cell that no spreadsheet takes for a formula.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_texts() {
        for text in ["=1+1", "+1", "-1", "@A1", "\tx", "\rx", "＝1+1", "＋1", "－1", "＠A1"] {
            assert_eq!(cell(text), format!("'{text}"));
        }
        for text in ["", "order-1", "1+1", "1＋1", "'=1"] {
            assert_eq!(cell(text), text);
        }
    }
}
