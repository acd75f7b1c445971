//! Notes of a reply: what of the words a task has no place for.

use chrono::NaiveTime;

use super::{Composition, Draft, NoteKey, SuccessProof, Wording};
use crate::domain::{parse_time_of_day, text::Text};
use crate::guard::question::one_list;
use crate::guard::reminders::changes_reminder;
use crate::guard::talk::is_function_word;
use crate::intent::Note;
use crate::locales::localized;
use crate::resolver::{Words, title_words};
use crate::temporal::{times_told, whiles_told};
use crate::turn::ValueKind;

impl Draft {
    pub(super) fn note(&mut self, note: &Note, from: &Composition<'_>, wording: &Wording) {
        let key = NoteKey::from(note);
        // The line of what was left out tells it, with its task.
        if (from.ledger.left_out.iter()).any(|left| tells_of(note, left.value)) {
            return;
        }
        // What was not written has no time that could ring.
        let answered = !matches!(note, Note::ListName(_)) || from.prose.is_some();
        if from.understood && !self.receipts && answered {
            return;
        }
        // A "medication list" that was written down is none of ours.
        if let Note::ListName(list) = note
            && from.proofs.iter().any(|proof| wrote(*proof, list))
        {
            return;
        }
        // Each repetition that goes on too long is told.
        let known = from.noted.contains(&key) && !matches!(note, Note::RepeatEnd);
        if known || self.noted.contains(&key) {
            return;
        }
        if matches!(note, Note::RepeatEnd) && !from.proofs.iter().any(repeats_without_end) {
            return;
        }
        // A time that is a reminder's is not lost, and rings.
        let reminds = |proof: &SuccessProof<'_>| changes_reminder(proof.facts());
        let timed = matches!(note, Note::TimeOfDay | Note::Alarm);
        if timed && from.proofs.iter().any(reminds) {
            return;
        }
        let speech = from.speech;
        let told = || keeps_times(from, wording) || self.tells_a_number_of(from.message);
        if wording.keeps_times() && matches!(note, Note::TimeOfDay) && told() {
            return;
        }
        let text = match note {
            Note::Alarm if wording.keeps_times() => localized!(speech, "note-no-reminder"),
            Note::TimeOfDay if wording.keeps_times() => localized!(speech, "note-no-time"),
            Note::TimeOfDay | Note::Alarm
                if wording.version >= 4 && !self.tells_a_number_of(from.message) =>
            {
                localized!(speech, "note-day-only")
            }
            Note::TimeOfDay | Note::Alarm => localized!(speech, "note-time-in-title"),
            Note::Recurrence if !wording.keeps_times() => localized!(speech, "note-one-task"),
            Note::Recurrence => localized!(speech, "note-no-such-repetition"),
            Note::RepeatEnd => localized!(speech, "note-no-repeat-end"),
            Note::ListName(list) => one_list(list, speech),
        };
        self.noted.push(key);
        self.notes.push(text);
    }

    /// Tells whether some number of the message, as its time of day, stands in what was written.
    fn tells_a_number_of(&self, message: &str) -> bool {
        let numbers = |text: &str| -> Vec<String> {
            let text = Text::new(text);
            let words = (0..text.tokens.len()).map(|at| text.word(at).to_owned());
            words
                .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
                .collect()
        };
        let said = numbers(message);
        let mut told = self.lines.iter().flat_map(|line| numbers(&line.text));
        said.is_empty() || told.any(|number| said.contains(&number))
    }
}

/// Tells whether words stand in the title or the note that a row has.
fn wrote(proof: SuccessProof<'_>, words: &str) -> bool {
    let words: Vec<String> = title_words(words)
        .into_iter()
        .filter(|word| !is_function_word(word))
        .collect();
    let row = proof.facts().after.as_ref();
    row.is_some_and(|task| {
        let note = task.description.as_deref().unwrap_or_default();
        let mut written = [task.title.as_str(), note].map(Words::of).into_iter();
        written.any(|written| words.iter().all(|word| written.contains(word)))
    })
}

fn repeats_without_end(proof: &SuccessProof<'_>) -> bool {
    let row = proof.facts().after.as_ref();
    let rule = row.and_then(|task| task.repeat.as_ref());
    rule.is_some_and(|rule| rule.end().is_none())
}

/// Tells whether a note is about values of this kind.
const fn tells_of(note: &Note, value: ValueKind) -> bool {
    match note {
        Note::TimeOfDay | Note::Alarm => matches!(value, ValueKind::Time | ValueKind::Reminder),
        Note::Recurrence => matches!(value, ValueKind::Repetition),
        Note::RepeatEnd | Note::ListName(_) => false,
    }
}

/// Tells whether every time of day that the words name came to stand in a row, or in what is asked.
/// Rows of older receipts have none. Of a question only its text is kept, and so its text tells.
fn keeps_times(from: &Composition<'_>, wording: &Wording) -> bool {
    let text = Text::new(from.message);
    let waits = wording.keeps_whiles() && !whiles_told(&text).is_empty();
    let told = |time: NaiveTime| !times_told(&text, time).is_empty() || waits;
    let kept = from.proofs.iter().filter(|proof| {
        let row = proof.facts().after.as_ref();
        let time = row.and_then(|task| task.due_time);
        time.is_some_and(|time| told(time.time()))
    });
    let asked = from.asked.filter(|_| wording.keeps_whiles());
    let asked = asked.iter().flat_map(|asked| {
        let clock = |c: char| !c.is_ascii_digit() && c != ':';
        let times = asked.text.split(clock).filter(|part| part.len() == 5);
        times
            .filter_map(parse_time_of_day)
            .filter(|time| told(*time))
    });
    let notes = from.clauses.iter().flat_map(|clause| &clause.notes);
    let named = notes.filter(|note| matches!(note, Note::TimeOfDay));
    let kept = kept.count() + asked.count();
    kept > 0 && kept >= named.count()
}
