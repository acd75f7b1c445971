//! Tests of what a power loss leaves of a file, by what was done to it and what was synced.

#![cfg(test)]

use crate::crash::dice::Dice;
use crate::crash::disk::{Disk, Image, Mercy, parse};
use crate::crash::program::Directory;
use crate::shim::Shim;

fn record(kind: u64, name: &str, offset: usize, data: &[u8]) -> Vec<u8> {
    let head = [kind, name.len() as u64, offset as u64, data.len() as u64];
    let head = head.iter().flat_map(|number| number.to_ne_bytes());
    let name = name.bytes();
    head.chain(name).chain(data.iter().copied()).collect()
}

/// Returns what is left of `a.db` after these records and no mercy.
fn left(records: &[Vec<u8>], mercy: Mercy) -> Option<Vec<u8>> {
    let mut image = Image::default();
    for record in parse(&records.concat()) {
        image.take(record);
    }
    image.left("a.db", mercy, &mut Dice::new(1))
}

#[test]
fn what_is_not_synced_is_lost() {
    let synced = [
        record(1, "a.db", 0, b"abcd"),
        record(1, "a.db", 2, b"xy"),
        record(4, "a.db", 0, b""),
    ];
    let rest = [
        record(1, "a.db", 1, b"-----"),
        record(2, "a.db", 3, b""),
        record(4, "b.db", 0, b""),
    ];
    assert_eq!(left(&synced, Mercy::Nothing).unwrap(), b"abxy");
    let all = [&synced[..], &rest[..]].concat();
    assert_eq!(left(&all, Mercy::Nothing).unwrap(), b"abxy");
    assert_eq!(left(&all, Mercy::Everything).unwrap(), b"a--");
    assert_eq!(left(&rest, Mercy::Nothing), None);
}

#[test]
fn a_removal_lasts_once_its_directory_is_synced() {
    let records = [
        record(1, "a.db", 0, b"abcd"),
        record(4, "a.db", 0, b""),
        record(3, "a.db", 0, b""),
        record(4, "", 0, b""),
    ];
    assert_eq!(left(&records[..3], Mercy::Nothing).unwrap(), b"abcd");
    assert_eq!(left(&records, Mercy::Nothing), None);
}

/// A new file's bytes never land in the one whose name it took.
#[test]
fn an_old_file_and_a_new_one_of_its_name_do_not_mix() {
    let records = [
        record(1, "a.db", 0, b"oldold"),
        record(4, "a.db", 0, b""),
        record(3, "a.db", 0, b""),
        record(1, "a.db", 0, b"new"),
    ];
    let mut image = Image::default();
    for step in parse(&records.concat()) {
        image.take(step);
    }
    let mut dice = Dice::new(1);
    let mut met: Vec<_> = (0..100)
        .map(|_| image.left("a.db", Mercy::Writes, &mut dice))
        .collect();
    met.sort();
    met.dedup();
    assert_eq!(met, [None, Some(b"new".to_vec()), Some(b"oldold".to_vec())]);
}

#[test]
fn a_torn_write_survives_in_whole_sectors() {
    let records = [record(1, "a.db", 700, &[7; 4096])];
    let left = left(&records, Mercy::Sectors).unwrap();
    let (kept, rest) = left.as_chunks::<512>();
    assert!(rest.is_empty() || rest.iter().all(|byte| *byte == 7));
    let whole = |sector: &[u8; 512]| [0, 7].map(|byte| sector.iter().all(|it| *it == byte));
    assert!(kept[2..].iter().all(|sector| whole(sector).contains(&true)));
    assert!(left.iter().filter(|byte| **byte == 7).count() < 4096);
}

#[test]
fn a_record_that_was_cut_is_none() {
    let whole = record(1, "a.db", 0, b"abcd");
    for length in 0..whole.len() {
        assert_eq!(parse(&whole[..length]), []);
    }
    assert_eq!(parse(&whole).len(), 1);
}

#[test]
fn what_is_written_past_the_shim_is_noticed() {
    let home = Directory::new();
    let mut disk = Disk::new(home.path(), Shim::build("tests/crash/powerloss.c"));
    let mut dice = Dice::new(1);
    assert_eq!(disk.lose_power(&mut dice), Ok(0));
    std::fs::write(home.path().join("a.db"), b"abcd").unwrap();
    let complaint = disk.lose_power(&mut dice).unwrap_err();
    assert!(complaint.contains("a.db"), "{complaint}");
}
