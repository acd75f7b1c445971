//! Properties that hold for every message, whatever it says.

use proptest::prelude::*;

use super::*;

/// Words that patterns are made of, so that random messages come close to real ones.
const WORDS: [&str; 48] = [
    "add", "delete", "milk", "and", "then", ",", ".", "the", "list", "my", "on", "to", "it",
    "tomorrow", "friday", "\"", "'", "mark", "as", "done", "what's", "is", "?", "don't", "remind",
    "me", "first", "2", "all", "with", "high", "priority", "füge", "hinzu", "lösche", "doodh",
    "karo", "🍎", "l'école", "ß", "è", "at", "5pm", "every", "\n", "no", "yes", "—",
];

fn sound(message: &str) {
    let reading = read(message, today(), Lang::En);
    let mut end = 0;
    for clause in &reading.clauses {
        let bytes = &clause.bytes;
        assert!(
            bytes.start >= end,
            "clauses overlap in {message:?}: {reading:?}"
        );
        assert!(
            message.get(bytes.clone()).is_some(),
            "{bytes:?} in {message:?}"
        );
        end = bytes.end;
        let tasks: Vec<&NewTask> = match &clause.act {
            Act::Add(added) => added.parts.iter().chain([&added.whole]).collect(),
            Act::Wish(task) | Act::Noun(task) => vec![task],
            _ => Vec::new(),
        };
        for task in tasks {
            assert!(
                message.get(task.bytes.clone()).is_some(),
                "{task:?} in {message:?}"
            );
        }
    }
    assert_eq!(reading, read(message, today(), Lang::En));
}

proptest! {
    #[test]
    fn any_text_reads_soundly(message in any::<String>()) {
        sound(&message);
    }

    #[test]
    fn any_order_of_words_reads_soundly(
        words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..24)
    ) {
        sound(&words.join(" "));
    }
}

#[test]
fn a_long_message_reads_soundly() {
    for word in WORDS {
        sound(&format!("{word} ").repeat(600));
    }
    sound(&"add milk and delete bread, ".repeat(80));
}

#[test]
fn a_title_is_written_as_the_user_wrote_it() {
    for (message, title) in [
        ("add Café Zürich, 8–9", "Café Zürich, 8–9"),
        ("Add  “Read  THE Book”", "Read  THE Book"),
        ("please add İstanbul", "İstanbul"),
    ] {
        let reading = read(message, today(), Lang::En);
        let Act::Add(added) = &reading.clauses[0].act else {
            panic!("{reading:?}");
        };
        assert_eq!(added.whole.title, title);
        assert_eq!(&message[added.whole.bytes.clone()], title);
    }
}
