//! Files that are not UTF-8: read, or refused with the encoding named.

use candor::formats::{Format, Layout, decode};

use crate::lists::options;

const SHEET: &str = "sep=;\r\ntitle;due\r\nCafé, später;2026-02-09\r\n";

/// UTF-16 with its byte-order mark.
pub fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(bytes).collect()
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect()
}

#[test]
fn a_sheet_is_read_in_the_encodings_that_spreadsheets_write() {
    let check = |bytes: &[u8], label, guessed| {
        let file = decode(bytes, label).unwrap();
        assert_eq!(file.guessed, guessed);
        let layout = Layout::recognise(&file.text, None).unwrap();
        let reading = layout.read(&file.text, &options()).unwrap();
        assert!(reading.refused.is_empty(), "{:?}", reading.refused);
        assert!(reading.left_out.is_empty(), "{:?}", reading.left_out);
        let entry = &reading.entries[0];
        assert_eq!((entry.line, entry.title.as_str()), (3, "Café, später"));
    };
    check(SHEET.as_bytes(), None, None);
    check(format!("\u{feff}{SHEET}").as_bytes(), None, None);
    check(&utf16(SHEET, u16::to_le_bytes), None, None);
    check(&utf16(SHEET, u16::to_be_bytes), None, None);
    check(&latin1(SHEET), None, Some("windows-1252"));
    check(&latin1(SHEET), Some("latin1"), None);
    // Excel's "Unicode text" has tabs.
    let tabs = SHEET.replace("sep=;\r\n", "\r\n").replace(';', "\t");
    check(&utf16(&tabs, u16::to_le_bytes), None, None);
}

#[test]
fn what_is_not_certain_is_refused_with_its_encoding() {
    let check = |bytes: &[u8], label, words: &str| {
        let error = decode(bytes, label).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    check(
        &utf16(SHEET, u16::to_le_bytes)[2..],
        None,
        "UTF-16 without a byte-order mark",
    );
    let broken = [SHEET.as_bytes(), b"\xff"].concat();
    check(&broken, None, "broken UTF-8: see byte");
    // Russian in Windows-1251.
    let russian =
        b"title;due\n\xca\xf3\xef\xe8\xf2\xfc \xec\xee\xeb\xee\xea\xee \xe8 \xf5\xeb\xe5\xe1;\n";
    check(russian, None, "seems to be windows-1251");
    let read = decode(russian, Some("windows-1251")).unwrap();
    assert!(read.text.contains("Купить молоко и хлеб"), "{}", read.text);
    check(
        b"milk",
        Some("klingon"),
        "no encoding is called \"klingon\"",
    );
    check(
        b"title\n\x81\x8d\n",
        Some("windows-1252"),
        "not windows-1252 text",
    );
    check(b"caf\xe9", Some("utf-8"), "not UTF-8 text");
}

#[test]
fn an_exported_sheet_says_that_it_is_utf_8() {
    let sheet = candor::chat::wire::task_file(Format::Csv, &[]);
    assert!(sheet.starts_with("\u{feff}id,title"), "{sheet}");
}
