//! A model's closing sentences, cut into clauses: what each says was done, to what, how often.
//!
//! English alone is read; a clause in another language has no word of effect and is left to
//! whoever judges what can't be told.

use std::sync::LazyLock;

use regex::Regex;

use super::words::list;

/// An act that a clause speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Add,
    Delete,
    Complete,
    Reopen,
    Update,
    Undo,
    Read,
    /// "Crossed off": deleted or done.
    Away,
    /// "Scheduled": added or changed.
    Plan,
    /// "All set": anything.
    Any,
    /// "Sent an email": nothing that a todo list can do.
    Outside,
}

/// One clause.
#[derive(Debug, Default)]
pub(super) struct ReplyClause {
    /// Its text in lower case, titles taken out.
    pub(super) text: String,
    /// The words of that.
    pub(super) words: Vec<String>,
    /// Words that are no function words, no effects and no words for tasks in general.
    pub(super) content: Vec<String>,
    /// Known titles that stand in it, in lower case.
    pub(super) titles: Vec<String>,
    /// Quotes that are no known titles.
    pub(super) quoted: Vec<String>,
    /// The act that it speaks of.
    pub(super) effect: Option<Effect>,
    /// Another clause of the sentence says something else.
    pub(super) shared: bool,
    /// A line of a list.
    pub(super) item: bool,
    /// A question, an offer, a wish.
    pub(super) asks: bool,
    /// "I'll": not now.
    pub(super) promises: bool,
    /// "Could not", "nothing", "failed".
    pub(super) negated: bool,
    /// "No such task".
    pub(super) absent: bool,
    /// "Already".
    pub(super) already: bool,
    /// "All", "everything".
    pub(super) all: bool,
    /// "Them", "these".
    pub(super) several: bool,
    /// "Your list is empty."
    pub(super) empty: bool,
    /// "3 tasks".
    pub(super) count: Option<usize>,
}

/// Stands for a known title while the text is cut.
const MARK: char = '\u{E000}';

/// Borders between two clauses, beside the end of a sentence.
static BREAK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:,?\s+(?:but|however|although|though|while|whereas)\s+)|(?:[;\u{2013}\u{2014}]\s*)|(?:,?\s*(?:and\s+)?(?:\bplease\b|\blet me know\b|\bfeel free\b|\bif you\b|\bjust say\b|\bwould you\b|\bdo you\b))").ok()
});
static JOINT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\s*,\s*(?:and|then|also)?\s*|\s+(?:and|then)\s+(?:also\s+)?").ok()
});
static COUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?:[a-z-]+\s+){0,2}?(?:tasks?|items?|to-?dos?|entries)\b").ok()
});
static EMPTY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\blist is (?:now |currently |completely )?empty\b|\bno (?:more |remaining |open |pending )?tasks (?:left|remaining|on your|in your|at the moment|right now)\b|\b(?:have|are) no (?:more |remaining )?tasks\b|\bnothing (?:left )?on your list\b|\bempty list\b").ok()
});
static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new("[\"\u{201C}\u{AB}]([^\"\u{201C}\u{201D}\u{AB}\u{BB}]{1,255})[\"\u{201D}\u{BB}]")
        .ok()
});

/// The clauses of `text`, `titles` being every title it may name, in lower case, longest first.
pub(super) fn clauses(text: &str, titles: &[String]) -> Vec<ReplyClause> {
    let mut found = Vec::new();
    for line in text.lines() {
        let plain: String = line
            .replace(['*', '_', '`', '#'], "")
            .replace('\u{2019}', "'");
        let plain = plain.trim().to_lowercase();
        let (item, plain) = unbulleted(&plain);
        let (masked, named) = mask(plain, titles);
        let mut named = named.into_iter();
        for (sentence, question) in sentences(&masked) {
            let parts = parts(sentence, item);
            let shared = parts.len() > 1;
            for part in parts {
                let marks = part.chars().filter(|c| *c == MARK).count();
                let titles: Vec<String> = named.by_ref().take(marks).collect();
                found.push(read(&part, titles, question, shared, item));
            }
        }
    }
    found
}

fn unbulleted(line: &str) -> (bool, &str) {
    let bulleted = line.trim_start_matches(['-', '\u{2022}']);
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match numbered.strip_prefix(['.', ')']) {
        Some(rest) if numbered.len() < line.len() => (true, rest.trim()),
        _ if bulleted.len() < line.len() && bulleted.starts_with(' ') => (true, bulleted.trim()),
        _ => (false, line),
    }
}

/// Puts a mark for every known title, whole words only; the titles in the order of the marks.
fn mask(line: &str, titles: &[String]) -> (String, Vec<String>) {
    let mut masked = String::with_capacity(line.len());
    let mut named = Vec::new();
    let mut rest = line;
    let mut before = ' ';
    while let Some(next) = rest.chars().next() {
        // What is quoted is one name: a title inside a longer one is not meant.
        if matches!(next, '"' | '\u{201C}' | '\u{AB}')
            && let Some(quote) = quoted(rest)
            && !titles.iter().any(|title| inner(quote) == title)
        {
            masked.push_str(quote);
            before = ' ';
            rest = rest.get(quote.len()..).unwrap_or_default();
            continue;
        }
        let fits = |title: &&String| {
            let after = rest.strip_prefix(title.as_str()).map(|r| r.chars().next());
            !before.is_alphanumeric()
                && after.is_some_and(|c| !c.is_some_and(char::is_alphanumeric))
        };
        let title = titles.iter().find(fits);
        let length = title.map_or(next.len_utf8(), String::len);
        match title {
            Some(title) => {
                masked.push(MARK);
                named.push(title.clone());
            }
            None => masked.push(next),
        }
        before = next;
        rest = rest.get(length..).unwrap_or_default();
    }
    (masked, named)
}

/// The quotation that `text` begins with, marks included.
fn quoted(text: &str) -> Option<&str> {
    let found = QUOTED.as_ref()?.find(text)?;
    (found.start() == 0).then_some(found.as_str())
}

fn inner(quote: &str) -> &str {
    const MARKS: [char; 5] = ['"', '\u{201C}', '\u{201D}', '\u{AB}', '\u{BB}'];
    quote
        .trim_matches(MARKS)
        .trim()
        .trim_end_matches(['.', ',', '!'])
}

fn sentences(line: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = matches!(c, '.' | '!' | '?')
            && chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        if ends {
            found.push((line.get(start..at).unwrap_or_default(), c == '?'));
            start = at + c.len_utf8();
        }
    }
    found.push((line.get(start..).unwrap_or_default(), false));
    found.retain(|(text, _)| !text.trim().is_empty());
    found
}

/// The clauses of a sentence; of a clause with several effects, one part for each.
fn parts(sentence: &str, item: bool) -> Vec<String> {
    let Some(breaks) = BREAK.as_ref().filter(|_| !item) else {
        return vec![sentence.to_owned()];
    };
    let mut parts = Vec::new();
    let mut start = 0;
    for found in breaks.find_iter(sentence) {
        parts.push(sentence.get(start..found.start()).unwrap_or_default());
        start = found.start();
    }
    parts.push(sentence.get(start..).unwrap_or_default());
    parts.into_iter().flat_map(by_effect).collect()
}

fn by_effect(clause: &str) -> Vec<String> {
    let words = words(clause);
    let verbs = words.iter().filter(|word| verb(word).is_some()).count();
    let Some(joint) = JOINT.as_ref().filter(|_| verbs > 1) else {
        return vec![clause.to_owned()];
    };
    let mut parts: Vec<String> = Vec::new();
    let mut open = String::new();
    for piece in joint.split(clause) {
        let acts = self::words(piece).iter().any(|word| verb(word).is_some());
        match parts.last_mut() {
            // "Deleted A and B": what has no verb belongs to the verb before it.
            Some(last) if !acts => {
                last.push_str(" , ");
                last.push_str(piece);
            }
            _ if acts => parts.push(format!("{open}{piece}")),
            _ => {
                open.push_str(piece);
                open.push_str(" , ");
                continue;
            }
        }
        open.clear();
    }
    if parts.is_empty() {
        parts.push(open);
    }
    parts
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .map(|word| word.trim_matches('\'').to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

fn read(part: &str, titles: Vec<String>, question: bool, shared: bool, item: bool) -> ReplyClause {
    let text = part
        .replace(MARK, " ")
        .trim()
        .trim_matches(',')
        .trim()
        .to_owned();
    let words = words(&text);
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    let quoted = QUOTED.as_ref().map_or_else(Vec::new, |quoted| {
        let found = quoted.captures_iter(part).filter_map(|c| c.get(1));
        let texts = found.map(|quote| quote.as_str().trim().to_owned());
        texts.filter(|quote| !quote.contains(MARK)).collect()
    });
    let counted = COUNT.as_ref().and_then(|count| count.captures(&text));
    let generic = |word: &String| !list("plain").contains(&word.as_str()) && verb(word).is_none();
    let opens = words
        .first()
        .is_some_and(|word| list("asks").contains(&word.as_str()));
    let effect = effect(&words, &text);
    ReplyClause {
        effect,
        content: words.iter().filter(|word| generic(word)).cloned().collect(),
        asks: (question && opens) || says(list("offers")),
        promises: has(&["i'll", "will", "going", "shall"]),
        negated: has(list("negations")) || words.iter().any(|word| word.ends_with("n't")),
        absent: says(&[
            "no task",
            "no such",
            "not found",
            "find",
            "exist",
            "not on your list",
        ]),
        already: has(&["already"]),
        all: has(&["all", "everything", "every", "entire"]) && !says(&["all set", "all done"]),
        several: has(&["them", "these", "those", "tasks", "items"]),
        empty: EMPTY.as_ref().is_some_and(|empty| empty.is_match(&text)),
        count: counted
            .and_then(|c| c.get(1))
            .and_then(|n| number(n.as_str()))
            .or_else(|| (has(&["both"]) && effect.is_some()).then_some(2)),
        text,
        words,
        titles,
        quoted,
        shared,
        item,
    }
}

fn number(word: &str) -> Option<usize> {
    const WORDS: [&str; 10] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let spelt = WORDS
        .iter()
        .position(|known| *known == word)
        .map(|at| at + 1);
    spelt.or_else(|| word.parse().ok())
}

/// Finds the act that a clause speaks of: its first word of effect, read with what stands around it.
fn effect(words: &[String], text: &str) -> Option<Effect> {
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let found = words.iter().find_map(|word| verb(word));
    let of_a_value = has(&[
        "date",
        "deadline",
        "priority",
        "note",
        "description",
        "title",
        "name",
    ]);
    let open = has(&["pending", "incomplete", "open", "undone"]) || text.contains("not done");
    match found {
        Some(Effect::Delete | Effect::Add) if of_a_value && text.contains(" the ") => {
            Some(Effect::Update)
        }
        Some(Effect::Add | Effect::Update) if has(&["back"]) => Some(Effect::Undo),
        Some(Effect::Update) if text.contains("all set") => Some(Effect::Any),
        Some(Effect::Update) if has(&["list"]) && !of_a_value => Some(Effect::Any),
        Some(Effect::Update) if has(&["reminder", "alarm", "notification"]) => {
            Some(Effect::Outside)
        }
        Some(Effect::Complete) if open && has(&["marked", "mark"]) => Some(Effect::Reopen),
        Some(Effect::Complete) if of_a_value && has(&["marked", "mark"]) => Some(Effect::Update),
        Some(Effect::Complete) if has(&["deleted", "removed"]) => Some(Effect::Delete),
        // "Done!", "All done."
        Some(Effect::Complete)
            if words
                .iter()
                .all(|word| ["all", "done"].contains(&word.as_str())) =>
        {
            Some(Effect::Any)
        }
        Some(other) => Some(other),
        None if ["taken care", "sorted", "handled", "all good to go"]
            .iter()
            .any(|it| text.contains(it)) =>
        {
            Some(Effect::Any)
        }
        None if text.contains("off your list") || text.contains("off the list") => {
            Some(Effect::Away)
        }
        None if text.contains("is now on your list") => Some(Effect::Add),
        None => None,
    }
}

/// The effect that a word stands for.
fn verb(word: &str) -> Option<Effect> {
    Some(match word {
        "added" | "add" | "created" | "create" | "adding" => Effect::Add,
        "deleted" | "delete" | "removed" | "remove" | "erased" | "dropped" | "cleared" | "gone"
        | "discarded" | "deleting" | "removing" => Effect::Delete,
        "completed" | "complete" | "finished" | "done" | "marked" | "mark" | "checked"
        | "ticked" => Effect::Complete,
        "crossed" => Effect::Away,
        "reopened" | "reopen" | "unmarked" => Effect::Reopen,
        "updated" | "update" | "changed" | "change" | "renamed" | "rename" | "set" | "moved"
        | "move" | "rescheduled" | "edited" | "adjusted" | "bumped" | "postponed" | "pushed"
        | "prioritized" | "prioritised" | "raised" | "lowered" => Effect::Update,
        "undone" | "undid" | "undo" | "restored" | "restore" | "reverted" | "reversed" => {
            Effect::Undo
        }
        "scheduled" => Effect::Plan,
        "saved" => Effect::Any,
        "emailed" | "notified" | "booked" | "paid" | "bought" | "ordered" | "texted" | "phoned"
        | "messaged" => Effect::Outside,
        _ => return None,
    })
}
