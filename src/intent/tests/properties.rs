//! tmp
use super::*;
#[test]
fn print_rows() {
    let Ok(file) = std::env::var("ROWS") else { return };
    let hint = Lang::from_hint(&std::env::var("ROWS_LANG").unwrap_or_default());
    for line in std::fs::read_to_string(file).unwrap().lines().filter(|l| !l.is_empty()) {
        let r = read(line, today(), hint);
        println!("ROW {line}  =>  {}{}", if r.lang == hint { String::new() } else { format!("({:?}) ", r.lang) }, short(&r));
    }
}
