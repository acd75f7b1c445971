//! The lists of `words.txt`, by which an evaluation judges what was said.

use std::collections::BTreeMap;
use std::sync::LazyLock;

static LISTS: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut lists = BTreeMap::<_, Vec<_>>::new();
    let mut name = "";
    let lines = include_str!("words.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        match line.strip_suffix(':') {
            Some(next) => name = next,
            None => {
                let words = line.split('|').map(str::trim);
                let words = words.filter(|word| !word.is_empty());
                let list = lists.entry(name).or_default();
                list.extend(words.map(|word| word.strip_suffix('…').unwrap_or(word)));
            }
        }
    }
    lists
});

/// The words of a list.
pub(super) fn list(name: &str) -> &'static [&'static str] {
    LISTS.get(name).map_or(&[], Vec::as_slice)
}
