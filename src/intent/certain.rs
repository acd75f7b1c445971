//! Whether words say all of what is wanted in one plain way, so that nobody need be asked what
//! they mean (`CANDOR_FAST_PATH`).
//!
//! Not whether they are understood: whatever could be read in a second way, and whatever wants
//! knowledge of the world, is a model's to judge.

use std::ops::Range;

use crate::domain::Lang;
use crate::domain::text::{Text, Token};

use super::grammar::words::Words;
use super::grammar::{Class, Grammar, Grammars};
use super::reading::{Act, Addition, Change, Clause, NewTask, Reading, Target};

impl Reading {
    /// Whether every clause is a command that is sure in itself. `message` is what was read.
    pub fn is_certain(&self, message: &str) -> bool {
        if self.clauses.is_empty() || !self.clauses.iter().all(is_sure) {
            return false;
        }
        let grammars = Grammars::load();
        let Some(tongue) = grammars.iter().find(|tongue| tongue.lang == self.lang) else {
            return false;
        };
        let text = Text::new(message);
        let said = Said {
            words: &Words::new(&text, &grammars.lexicon),
            text: &text,
            grammar: tongue.grammar(&grammars.lexicon),
        };
        self.clauses.iter().all(|clause| said.is_plain(clause))
    }
}

/// What a plain English question for the list is made of: with any other word it may be
/// about something else. Not in the grammar's file, which says what language a word is a sign of.
const ASKING: &str = "a about active added again agenda ahead all am an and any anything are at available back be \
    bring by can check chore chores completed content contents could count current currently did \
    display do does done dos due else entire everything far find finished for friday from full \
    get give go got had has have hear hello hey hi high how i i'm i've if important in included \
    incomplete is it item items just kindly know late left let let's like list listed lists look \
    low made many may me medium might monday month much my need needs next not note notes now \
    number of off ok okay on open or our out outstanding over overdue pending please pls \
    priority pull put read recite remaining remember reminder reminders repeat right rundown \
    saturday saved say see should show showing so some something still stuff sunday supposed \
    task tasks tell thanks that the there there's these they thing things this those through \
    thursday to to-do to-dos today todo todos tomorrow tonight trying tuesday u unfinished up \
    urgent us view want wanted was we we've wednesday week weekend were what what're what's \
    whats when whether which whole will with would wrote yes yet you your";

/// Of a question whether something is on a list: whose list it is.
const OWN: [&str; 4] = ["my", "our", "i", "we"];

/// The words of a message, for those that the acts don't tell of.
struct Said<'a> {
    text: &'a Text<'a>,
    words: &'a Words,
    grammar: &'a Grammar,
}

impl Said<'_> {
    /// Whether no word of `clause` hints at something else than the list.
    fn is_plain(&self, clause: &Clause) -> bool {
        let english = self.grammar.lang == Lang::En;
        match &clause.act {
            Act::List(listing) => self.asks_plainly(clause, listing.query.as_deref(), english),
            Act::Add(addition) => !self.goes_elsewhere(&addition.whole),
            // "apaga", "lösch": what deletes a task there puts out a lamp, too.
            Act::Change(_) => english || self.speaks_of_list(clause),
            _ => true,
        }
    }

    /// "what tasks can you complete", "play the list": every word must be one that asks for the list,
    /// but those of what is looked for; and that must be looked for in a list of the user's own.
    fn asks_plainly(&self, clause: &Clause, query: Option<&str>, english: bool) -> bool {
        let mut inner = 0..0;
        if let Some(query) = query {
            let said = self.text.raw.get(clause.bytes.clone()).unwrap_or_default();
            let Some(at) = said.find(query) else {
                return false;
            };
            inner.start = clause.bytes.start + at;
            inner.end = inner.start + query.len();
            let own = |at: usize| OWN.contains(&self.folded(at));
            if english && !self.of(&clause.bytes).any(own) {
                return false;
            }
        }
        let queried: Vec<usize> = self.of(&inner).collect();
        let mut asking = self.of(&clause.bytes).filter(|at| !queried.contains(at));
        asking.all(|at| match self.words.list.get(at) {
            Some(_) if english => ASKING.split(' ').any(|word| word == self.folded(at)),
            Some(word) => self.grammar.knows(word.id),
            None => false,
        })
    }

    /// "this song to Sunday Morning", "Anna to my favourites": a title that may end in the name of
    /// what something is to be added to.
    fn goes_elsewhere(&self, task: &NewTask) -> bool {
        let mut title = self.of(&task.bytes);
        let Some(first) = title.next() else {
            return false;
        };
        const POINTS: [&str; 4] = ["this", "that", "these", "those"];
        const OWNS: [&str; 9] = [
            "my", "our", "his", "her", "their", "the", "this", "that", "your",
        ];
        let follows = |at: usize| {
            let named = self.raw(at).starts_with(char::is_uppercase);
            named || OWNS.contains(&self.folded(at))
        };
        let thing = POINTS.contains(&self.folded(first));
        thing
            || title.any(|at| matches!(self.folded(at), "to" | "onto" | "into") && follows(at + 1))
    }

    fn speaks_of_list(&self, clause: &Clause) -> bool {
        self.of(&clause.bytes).any(|at| {
            let word = self.words.list.get(at);
            self.grammar.is(Class::ListWord, word)
        })
    }

    /// The words within `bytes`, by their numbers.
    fn of(&self, bytes: &Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let bytes = bytes.clone();
        (0..self.words.list.len()).filter(move |at| {
            let token = self.token(*at);
            token
                .is_some_and(|token| bytes.start <= token.span.start && token.span.end <= bytes.end)
        })
    }

    fn token(&self, at: usize) -> Option<&Token> {
        let word = self.words.list.get(at)?;
        self.text.tokens.get(word.token as usize)
    }

    fn folded(&self, at: usize) -> &str {
        self.token(at).map_or("", |token| self.text.folded(token))
    }

    fn raw(&self, at: usize) -> &str {
        let span = self.token(at).map(|token| token.span.clone());
        span.and_then(|span| self.text.raw.get(span))
            .unwrap_or_default()
    }
}

fn is_sure(clause: &Clause) -> bool {
    clause.notes.is_empty()
        && match &clause.act {
            Act::Add(addition) => is_one_task(addition),
            Act::Change(change) => is_one_change(change),
            Act::List(listing) => !listing.unasked,
            Act::Undo => true,
            _ => false,
        }
}

/// One title that nothing could be parted from.
fn is_one_task(addition: &Addition) -> bool {
    let named = |task: &NewTask| !task.title.is_empty();
    let one = addition.parts.len() == 1;
    one && !addition.split && !addition.described && named(&addition.whole)
}

/// One task that is named by its words or its place.
fn is_one_change(change: &Change) -> bool {
    let named = matches!(change.targets.whole, Target::Named(_) | Target::Position(_));
    named && change.targets.parts.len() == 1 && change.splits.is_empty()
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use crate::domain::Lang;
    use crate::intent::read;

    #[track_caller]
    fn check(message: &str, certain: bool) {
        let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
        let reading = read(message, today, Lang::En);
        assert_eq!(
            reading.is_certain(message),
            certain,
            "{message}: {reading:?}"
        );
    }

    #[test]
    fn one_plain_command_is_certain() {
        check("add call the plumber tomorrow", true);
        check("delete Read book", true);
        check("what's on my list?", true);
        check("undo", true);
    }

    #[test]
    fn a_question_for_the_list_has_no_other_words() {
        check("what do I have to do this week?", true);
        check("is oat milk on my shopping list", false);
        check("is oat milk on my list", true);
        check("what jobs can you complete on my list", false);
        check("play the list", false);
        check("clear up the list and show it", false);
    }

    #[test]
    fn what_may_belong_to_another_list_is_not() {
        check("add this ballad to Summer Evenings", false);
        check("add Peter Grey to my list of best friends", false);
        check("add walk to the shop", false);
        check("add reply to mum", true);
    }

    #[test]
    fn in_other_languages_a_change_says_what_it_is_about() {
        check("lösch Milch kaufen", false);
        check("lösche Milch kaufen von der Liste", true);
        check("füge Milch kaufen hinzu", true);
    }

    #[test]
    fn what_has_a_second_reading_or_is_no_command_is_not() {
        check("add milk and eggs", false);
        check("add what I need for pancakes", false);
        check("delete it", false);
        check("we're out of milk", false);
        check("thanks!", false);
        check("don't delete Read book", false);
        check("", false);
    }
}
