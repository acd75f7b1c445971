//! Tells whether words say all of what is wanted in one plain way, so that nobody need be asked
//! what they mean (`CANDOR_FAST_PATH`).
//!
//! Not whether they are understood: whatever could be read in a second way, and whatever wants
//! knowledge of the world, is a model's to judge.

use std::ops::Range;

use crate::domain::Lang;
use crate::domain::text::{Text, Token};

use super::grammar::{Class, Grammars};
use super::message_words::MessageWords;
use super::reading::{Act, Addition, Change, Clause, Listing, NewTask, Reading, Target};
use crate::language::words::Words;

impl Reading {
    /// Tells whether it is a no, with nothing beside it but manners: "no thanks".
    pub fn declines(&self) -> bool {
        let mannered = |clause: &Clause| matches!(clause.act, Act::No | Act::Social(_));
        self.clauses.iter().all(mannered) && self.clauses.iter().any(|clause| clause.act == Act::No)
    }

    /// Tells whether every clause is a command that is sure in itself. `message` is what was read.
    pub fn is_certain(&self, message: &str) -> bool {
        if self.clauses.is_empty() || !self.clauses.iter().all(is_sure) {
            return false;
        }
        let grammars = Grammars::load();
        let text = Text::new(message);
        let said = MessageWords {
            words: &Words::new(&text, &grammars.lexicon),
            text: &text,
            grammar: grammars.of(self.lang),
        };
        self.clauses.iter().all(|clause| said.is_plain(clause))
    }
}

/// Classes of words that only a list has.
const LISTED: u64 = Class::ListWord.bit()
    | Class::OpenWord.bit()
    | Class::DoneWord.bit()
    | Class::OverdueWord.bit();

impl MessageWords<'_> {
    /// Tells whether no word of `clause` hints at something else than the list.
    fn is_plain(&self, clause: &Clause) -> bool {
        let english = self.grammar.lang == Lang::En;
        match &clause.act {
            Act::List(listing) => self.asks_plainly(clause, listing),
            Act::Add(addition) => {
                !self.goes_elsewhere(&addition.whole) && !self.only_joins(&addition.whole)
            }
            // "apaga", "lösch": what deletes a task there puts out a lamp, too.
            Act::Change(_) => english || self.any(clause, |at| self.is(Class::ListWord, at)),
            _ => true,
        }
    }

    /// "what's on tonight" may ask for a programme: something has to say that a list is meant. What
    /// is looked for must be looked for in a list of the user's own: "is oat milk on the menu".
    fn asks_plainly(&self, clause: &Clause, listing: &Listing) -> bool {
        if !listing.plain || self.grammar.lang != Lang::En {
            return listing.plain;
        }
        if self.any(clause, |at| self.is_anothers(at)) {
            return false;
        }
        let is_own = |at| self.is(Class::Own, at);
        let Some(query) = &listing.query else {
            return self.any(clause, |at| is_own(at) || self.tells_list(at));
        };
        let said = self.text.raw.get(clause.bytes.clone()).unwrap_or_default();
        let Some(at) = said.find(query) else {
            return false;
        };
        let start = clause.bytes.start + at;
        let queried = start..start + query.len();
        let asks = |token: &Token| !queried.contains(&token.span.start);
        self.any(clause, |at| is_own(at) && self.token(at).is_some_and(asks))
    }

    /// "their list", "my notes on physics", "what am I supposed to do now": of others, of a subject, of
    /// what is right.
    fn is_anothers(&self, at: usize) -> bool {
        let said = self.folded(at);
        let after = |words: &[&str], by: usize| words.contains(&self.folded(at + by));
        match said {
            "note" | "notes" => after(&["on", "about"], 1),
            "supposed" | "meant" => after(&["do"], 2),
            _ => self.is(Class::Others, at),
        }
    }

    /// "tasks", "left", "overdue"; but "to" and "do" stand anywhere.
    fn tells_list(&self, at: usize) -> bool {
        let classes = self
            .words
            .list
            .get(at)
            .map_or(0, |word| self.grammar.classes(word.id));
        self.folded(at) == "due"
            || classes & LISTED != 0 && classes & (Class::Inner.bit() | Class::Doing.bit()) == 0
    }

    /// "this song to Sunday Morning", "Anna to my favourites": a title that may end in the name of
    /// what something is to be added to.
    fn goes_elsewhere(&self, task: &NewTask) -> bool {
        let mut title = self.of(&task.bytes);
        let Some(first) = title.next() else {
            return false;
        };
        let follows = |at: usize| {
            let named = self.written(at..at + 1).starts_with(char::is_uppercase);
            named || self.is(Class::Owner, at)
        };
        let thing = self.is(Class::Pointing, first);
        thing
            || title.any(|at| matches!(self.folded(at), "to" | "onto" | "into") && follows(at + 1))
    }

    /// Tells whether a title has no word that names a thing: "remind me about '".
    fn only_joins(&self, task: &NewTask) -> bool {
        self.of(&task.bytes).all(|at| self.is(Class::Inner, at))
    }

    fn any(&self, clause: &Clause, is: impl Fn(usize) -> bool) -> bool {
        self.of(&clause.bytes).any(is)
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
    let one = addition.parts.len() == 1 && !addition.described;
    one && !addition.whole.title.is_empty()
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
    fn a_title_of_words_that_join_is_not_certain() {
        check("remind me about '", false);
        check("add about", false);
        check("add 5", true);
        check("add ☕", true);
    }

    #[test]
    fn a_question_for_the_list_has_no_other_words() {
        for plain in [
            "what do I have to do this week?",
            "could you show me my tasks please",
            "what's due tomorrow",
            "what's left",
            "how many tasks do I have left?",
            "anything overdue?",
            "read me my to do list",
            "what do I still have to do today",
        ] {
            check(plain, true);
        }
        check("is oat milk on my shopping list", false);
        check("is oat milk on my list", true);
        check("what jobs can you complete on my list", false);
        check("play the list", false);
        check("clear up the list and show it", false);
    }

    /// Questions in the words of a list, about something else.
    #[test]
    fn what_only_sounds_like_a_question_for_the_list_is_not() {
        for near in [
            "what's on the list of candidates",
            "show me the list of emperors",
            "show my photos",
            "show my messages",
            "list the rivers of Africa",
            "list my contacts",
            "read me the headlines",
            "which tasks could you complete by yourself",
            "what tasks does a nurse have",
            "what are the tasks of a mayor",
            "what chores can a toddler do",
            "what's due at the library",
            "what is due diligence",
            "what's due to happen today",
            "what's next on the radio",
            "what's next for the company",
            "what's left in the fridge",
            "what's left of the Roman wall",
            "how many things are there in the universe",
            "how many items fit in a trolley",
            "how many tasks can a robot do",
            "what do I have to do to get a visa",
            "what do I need to buy a house",
            "what do I need for pancakes",
            "what should I do about my boss",
            "what should I do today in Lisbon",
            "do I have any allergies",
            "do I have mail",
            "do I need a visa",
            "have I got milk",
            "is milk on the menu",
            "is milk good for cats",
            "is it on my way",
            "is there anything on television tonight",
            "is there anything to do in Lisbon today",
            "anything to do in town this weekend",
            "anything good on tonight",
            "what's on tonight",
            "what's on at the cinema today",
            "what's happening today",
            "what's my balance",
            "what's my next appointment",
            "what is the agenda of the council",
            "show me everything about cats",
            "show all flights for today",
            "show me the list of songs I like",
            "show me how to do my tasks",
            "give me things to do today in Lisbon",
            "find tasks for children",
            "what have I done to you",
            "what did I do wrong",
            "what's urgent",
            "which ones are poisonous",
            "what's on my calendar today",
            "what's on my bank statement",
            "what's on the wine list",
            "what's on everybody's bucket list",
            "who is on the guest list",
            "open the list of winners",
            "what does my list of symptoms mean",
            "are there any tasks an octopus can solve",
            "what is a to do list",
            "how do reminders work",
            "what do I do if it rains",
            "what do I want to be",
            "what's on their list",
            "what's on his to do list",
            "find my notes on physics",
            "what am I supposed to do now",
        ] {
            check(near, false);
        }
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
