//! The entries of maps. Delve lists one as a row that is named by its key, or as one row for the
//! key and one for the value if both have fields (server.go, `childrenToDAPVariables`): here each
//! is a row with the value, named by the key. Pure.

use dapdock_plugin::prelude::*;

use crate::values;

/// The rows of a `variables` response with one row for each entry of a map.
pub fn merged(rows: Vec<dap::Variable>) -> Vec<dap::Variable> {
    let mut merged = Vec::with_capacity(rows.len());
    let mut key: Option<String> = None;
    let mut is_map = !rows.is_empty();
    for mut row in rows {
        if row.name.starts_with("[key ") {
            key = Some(name_of_key(&row.value, row.type_.as_deref().unwrap_or_default()));
            continue;
        }
        if let Some(key) = key.take().filter(|_| row.name.starts_with("[val ")) {
            row.name = key;
        } else if !named_by_key(&mut row) {
            is_map = false;
        }
        merged.push(row);
    }
    if is_map {
        merged.sort_by(|one, other| {
            values::key_order(&one.name).cmp(&values::key_order(&other.name))
        });
    }
    merged
}

/// Separates the type of the key from that of the value, `string: int`. Of a key with fields Delve
/// refers to those: then the value has none.
fn named_by_key(row: &mut dap::Variable) -> bool {
    let Some((key, value)) = row.type_.as_deref().and_then(|ty| ty.split_once(": ")) else {
        return false;
    };
    let name = name_of_key(&row.name, key);
    if name != row.name && !row.name.contains(" = 0x") {
        row.variables_reference = 0;
        (row.named_variables, row.indexed_variables) = (None, None);
    }
    row.name = name;
    row.type_ = Some(value.to_owned());
    true
}

/// A pointer has the fields of its target, and a mark.
fn name_of_key(text: &str, ty: &str) -> String {
    let plain = values::plain(text, Some(ty));
    if ty.starts_with('*') { format!("*{plain}") } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, ty: &str, value: &str, reference: i64) -> dap::Variable {
        dap::Variable {
            name: name.into(),
            type_: Some(ty.into()),
            value: value.into(),
            variables_reference: reference,
            ..Default::default()
        }
    }

    #[track_caller]
    fn check(rows: Vec<dap::Variable>, expect: &[(&str, &str, &str, i64)]) {
        let merged = merged(rows);
        let found: Vec<_> = merged
            .iter()
            .map(|row| {
                let ty = row.type_.as_deref().unwrap_or_default();
                (row.name.as_str(), ty, row.value.as_str(), row.variables_reference)
            })
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn an_entry_is_a_row_with_its_value() {
        let rows = vec![
            row("main.Pos {X: 3, Y: 4}", "main.Pos: string", "\"b\"", 5),
            row("main.Pos {X: 1, Y: 2}", "main.Pos: string", "\"a\"", 6),
        ];
        check(
            rows,
            &[("{X: 1, Y: 2}", "string", "\"a\"", 0), ("{X: 3, Y: 4}", "string", "\"b\"", 0)],
        );
        let rows = vec![
            row("\"b\"", "string: main.Item", "{n: 1}", 7),
            row("\"a\"", "string: int", "1", 0),
        ];
        check(rows, &[("\"a\"", "int", "1", 0), ("\"b\"", "main.Item", "{n: 1}", 7)]);
        let rows = vec![
            row("[key 0]", "main.Pos", "main.Pos {X: 1}", 7),
            row("[val 0]", "[]int", "[]int len: 1, cap: 1, [5]", 8),
        ];
        check(rows, &[("{X: 1}", "[]int", "[]int len: 1, cap: 1, [5]", 8)]);
        let rows = vec![row("*main.S {N: 2}", "*main.S: int", "4", 9)];
        check(rows, &[("*{N: 2}", "int", "4", 0)]);
    }

    #[test]
    fn numbers_are_in_their_order() {
        let rows = vec![
            row("10", "int: int", "1", 0),
            row("9", "int: int", "2", 0),
            row("7 = 0x7", "uint8: int", "3", 0),
        ];
        check(rows, &[("7", "int", "3", 0), ("9", "int", "2", 0), ("10", "int", "1", 0)]);
    }

    #[test]
    fn other_rows_stay() {
        let rows = vec![row("b", "int", "1", 0), row("a", "main.S", "{n: 1}", 4)];
        check(rows, &[("b", "int", "1", 0), ("a", "main.S", "{n: 1}", 4)]);
    }
}
