//! Evidence that a deed is another's, of another thing or of a part of it.

use super::Evidence;
use super::clauses::{Clause, Standing};
use super::cues::{Cue, Deed, Hit, begins};
use super::target::{Mention, best};
use super::words::{Word, is_infinitive, words};
use crate::domain::{Lang, Task, TaskId, text::Text};
use crate::guard::talk::is_function_word;
use crate::intent::tells_another;
use crate::resolver::{Among, Part, part};
use crate::temporal::Found;

impl Evidence<'_> {
    /// A deletion or completion that waits for a day, or that leaves the task out: "delete it
    /// tomorrow", "delete not milk but eggs".
    pub(super) fn of_a_part(
        &self,
        deed: Deed,
        hit: &Hit,
        clause: &Clause,
        task: Option<&Task>,
    ) -> Standing {
        let Some(task) = task else {
            return Standing::Free;
        };
        let mention = self.mentions.iter().find(|mention| mention.task == task.id);
        let first = mention.and_then(|mention| mention.tokens.first().copied());
        let negated = clause.hits.iter().any(|other| {
            let between = hit.end <= other.at && first.is_some_and(|first| other.at < first);
            matches!(other.cue, Cue::Negation)
                && between
                && clause.tokens.contains(&first.unwrap_or_default())
        });
        if negated {
            return Standing::Forbidden;
        }
        let ends = matches!(deed, Deed::Delete | Deed::Complete);
        let another = |mention: &Mention| {
            self.is_of_another(mention, clause, deed)
                || ends && self.is_beside_another(mention, hit)
        };
        if mention.is_some_and(another) {
            return Standing::Doubtful;
        }
        // "cancel it and reschedule it": what goes on is not to be gone, unless something was added
        // that "it" may be.
        let behind = self.clauses.iter().filter(|other| {
            other.sentence == clause.sentence && other.tokens.start >= clause.tokens.end
        });
        let goes_on = behind
            .take_while(|other| !other.has(Cue::Order(Deed::Add)) || other.has(Cue::It))
            .any(|other| other.has(Cue::Order(Deed::Update)) && other.has(Cue::It));
        if deed == Deed::Delete && goes_on {
            return Standing::Doubtful;
        }
        let waits = matches!(deed, Deed::Delete | Deed::Complete);
        if !waits || deed == Deed::Delete && clause.has(Cue::Item) {
            return Standing::Free;
        }
        let named = |token: usize| mention.is_some_and(|mention| mention.tokens.contains(&token));
        let scan = &self.scan;
        let dated = scan.dates.iter().any(|found| {
            clause.tokens.contains(&found.core.start)
                && !found.core.clone().any(named)
                && (deed == Deed::Delete || found.span.0 > self.today)
                && task
                    .due_date
                    .is_none_or(|due| due < found.span.0 || found.span.1 < due)
        });
        let put_off = clause
            .hits
            .iter()
            .any(|other| other.cue == Cue::Later && other.at > hit.at);
        let later = put_off
            || clause.has(Cue::Retract)
            || clause.has(Cue::Future) && !clause.has(Cue::Request);
        if dated || later {
            Standing::Doubtful
        } else {
            Standing::Free
        }
    }

    /// Tells whether what sounds like an order to add is a reminder that another order takes off: "cancel the
    /// reminder for milk".
    pub(super) fn takes_a_reminder_off(&self, hit: &Hit, clause: &Clause) -> bool {
        let before = |other: &Hit| other.cue == Cue::Order(Deed::Delete) && other.end <= hit.at;
        let noun = hit.cue == Cue::Order(Deed::Add) && begins(Cue::Remind, self.text, hit.at);
        noun && clause.hits.iter().any(before)
    }

    /// A command that the words before it govern, "Tom tried to cancel lunch", orders nothing for
    /// certain, unless they are the user's request or need.
    pub(super) fn of_governed(&self, hit: &Hit, clause: &Clause) -> Standing {
        let governs = |other: &Hit| {
            other.cue == Cue::Told(Deed::Add) && (other.end == hit.at || other.end + 1 == hit.at)
        };
        // "hör auf, X zu wiederholen": the order is the whole of it.
        let within = |other: &Hit| {
            let orders = matches!(other.cue, Cue::Order(_));
            orders && other.at < hit.at && hit.end <= other.end
        };
        let mut hits = self.clauses.iter().flat_map(|clause| &clause.hits);
        if clause.opens_at() >= hit.at
            || clause.is_request()
            || clause.hits.iter().any(governs)
            || hits.any(within)
        {
            return Standing::Free;
        }
        if self.is_said_by_another(hit, clause) {
            return Standing::Doubtful;
        }
        let marked = |other: &Hit| other.cue == Cue::Infinitive && other.end == hit.at;
        let romance = matches!(self.lang, Lang::Es | Lang::Fr | Lang::It | Lang::Pt);
        if clause.hits.iter().any(marked) || romance && is_infinitive(self.text.word(hit.at)) {
            Standing::Doubtful
        } else {
            Standing::Free
        }
    }

    /// Tells whether the user corrects which task the latest deed was for, and names another than
    /// `done`: "oops no, that was the caterer"; and whether more than one word says so.
    pub fn means_another(&self, done: TaskId, deed: Deed) -> Option<bool> {
        let own = || self.clauses.iter().filter(|clause| !clause.is_foreign());
        let others = |hit: &Hit| match hit.cue {
            Cue::Order(order) => order != deed && !matches!(order, Deed::Reopen | Deed::Undo),
            _ => false,
        };
        if !own().any(Clause::corrects) || own().flat_map(|clause| &clause.hits).any(others) {
            return None;
        }
        let named = best(&self.mentions, Among::All).into_iter().any(|mention| {
            let at = mention
                .tokens
                .first()
                .and_then(|token| self.clause_at(*token));
            let clause = at.and_then(|at| self.clauses.get(at));
            let plain = |clause: &Clause| !clause.has(Cue::Carry) && !clause.is_question();
            mention.task != done && clause.is_some_and(plain)
        });
        let against = [Cue::Correct, Cue::Negation, Cue::Undone, Cue::Retract];
        let hits = own().flat_map(|clause| &clause.hits);
        let said = hits.filter(|hit| against.contains(&hit.cue));
        let words: usize = said.map(|hit| hit.end - hit.at).sum();
        named.then_some(words > 1)
    }

    /// Tells whether the words around a name make it another thing's: "Bob's Read book", "my Read
    /// book account", "renew gym membership" for *Renew driving licence*.
    pub(super) fn is_of_another(&self, mention: &Mention, clause: &Clause, deed: Deed) -> bool {
        let (Some(first), Some(last)) = (mention.tokens.first(), mention.tokens.last()) else {
            return false;
        };
        let scan = &self.scan;
        let inside = |at: usize| clause.tokens.contains(&at);
        let others = |at: &usize| {
            inside(*at) && !mention.tokens.contains(at) && {
                let word = self.text.word(*at);
                // "my new name" is the user's own.
                let mine = || matches!(self.text.word(at.wrapping_sub(1)), "my" | "our");
                let fresh = word == "new" && deed == Deed::Complete && mine();
                let cue = |hit: &Hit| hit.cue == Cue::Other && hit.at == *at && !fresh;
                let dated = scan.dates.iter().any(|found| found.core.contains(at));
                let name = word.strip_suffix('s').is_some_and(is_name);
                (name || word.ends_with("'s") || word.ends_with("’s"))
                    && !begins(Cue::NoOwner, self.text, *at)
                    && !dated
                    || clause.hits.iter().any(cue)
            }
        };
        // "their demo is on tuesday", where the title tells of nobody.
        let theirs = deed == Deed::Update
            && !clause.orders()
            && first
                .checked_sub(1)
                .is_some_and(|at| begins(Cue::Theirs, self.text, at))
            && !self.tells_of_a_person(mention.task);
        if theirs
            || (first.saturating_sub(1)..*last).any(|at| others(&at))
            || self.is_owned(mention, clause)
        {
            return true;
        }
        // "ana's birthday is on the 22nd" for *Buy gift for Ana*; "the order's urgent" is it.
        // In "the physio's coming" it is a verb.
        let verb = self.text.word(last + 1).ends_with("ing");
        let owner = self.text.word(*last).ends_with("'s") && !verb && {
            let is = |cue: Cue| matches!(cue, Cue::Copula | Cue::Told(Deed::Update));
            let mut hits = clause.hits.iter();
            hits.any(|hit| is(hit.cue) && hit.at > *last)
        };
        // Words behind a name that make a compound of it: English alone joins them so.
        let told = deed == Deed::Update
            && self.lang == Lang::En
            && !clause.orders()
            && (owner || !clause.has(Cue::Told(Deed::Update)));
        if deed != Deed::Delete && !told {
            return false;
        }
        let says = |at: &usize| {
            let content = self
                .words
                .iter()
                .any(|word| word.token == *at && !word.is_light());
            let cued = clause.hits.iter().any(|hit| {
                (hit.tells() || hit.cue == Cue::Person)
                    && !hit.open
                    && hit.at <= *at
                    && *at < hit.end
            });
            let dated = scan.dates.iter().any(|found| found.core.contains(at));
            inside(*at) && content && !cued && !dated
        };
        let behind = (last + 1..clause.tokens.end)
            .take_while(|at| says(at))
            .count();
        let named = mention.tokens.len();
        match deed {
            // "the curtain shop's sale ends on the 15th" for *Order curtains*.
            Deed::Update => behind > usize::from(!owner),
            _ => behind > 0 && (mention.whole || behind > named),
        }
    }

    /// Tells whether a title names somebody.
    fn tells_of_a_person(&self, task: TaskId) -> bool {
        let title = self
            .tasks
            .get(task)
            .map(|task| Text::new(task.title.as_str()));
        title.is_some_and(|title| {
            let person = |at| begins(Cue::Person, &title, at) || is_name(title.word(at));
            (0..title.tokens.len()).any(person)
        })
    }

    /// Tells whether somebody who is not in the title owns what it names: "il medico di papà", "ammi
    /// ka doctor".
    fn is_owned(&self, mention: &Mention, clause: &Clause) -> bool {
        // An article far behind names nothing: "le loyer de mon frère c'est le 12".
        let said = |at: &&usize| !is_function_word(self.text.word(**at));
        let mut said = mention.tokens.iter().filter(said);
        let Some(first) = said.next() else {
            return false;
        };
        let last = said.next_back().unwrap_or(first);
        let person = |at: usize| {
            let name = is_name(self.text.word(at));
            let mut hits = clause.hits.iter();
            clause.tokens.contains(&at)
                && !mention.tokens.contains(&at)
                && (name || hits.any(|hit| hit.cue == Cue::Person && hit.at == at))
        };
        let of = |at: usize| begins(Cue::Of, self.text, at) && clause.tokens.contains(&at);
        let behind = last + 2 + usize::from(begins(Cue::Determiner, self.text, last + 2));
        of(last + 1) && person(behind)
            || first
                .checked_sub(2)
                .is_some_and(|at| of(at + 1) && person(at))
    }

    /// Weighs what speaks for a report being of another deed, or of another's: "emailed mom" and
    /// "mom called" complete no "Call mom".
    pub(super) fn of_another(
        &self,
        deed: Deed,
        hit: &Hit,
        clause: &Clause,
        task: Option<&Task>,
    ) -> Standing {
        let mention = task.and_then(|task| self.mentions.iter().find(|m| m.task == task.id));
        if deed == Deed::Update && mention.is_some_and(|m| self.is_of_another(m, clause, deed)) {
            return Standing::Doubtful;
        }
        let Some(task) = task.filter(|_| deed == Deed::Complete) else {
            return Standing::Free;
        };
        let title = task.title.as_str();
        let own = words(&Text::new(title));
        let verb = |token: usize| {
            let mut said = self.words.iter().filter(|word| word.token == token);
            said.any(|word| own.iter().any(|own| own.is_form_of(word)))
        };
        if mention.is_some_and(|mention| {
            self.is_of_another(mention, clause, deed) || self.is_outdone(mention, clause)
        }) || self.is_for_another(clause, &own)
        {
            return Standing::Doubtful;
        }
        if mention.is_some_and(|mention| self.is_of_some(mention, clause, title)) {
            return Standing::Doubtful;
        }
        // "the vet phoned" against *Phone the vet*; "plants watered" says who did it by nothing, and
        // "hab das Auto gewaschen" by its verb.
        let mine = |other: &Hit| other.cue == Cue::Me && other.end < hit.at;
        let mine = clause.hits.iter().any(mine);
        let subject = mention.filter(|_| !mine).is_some_and(|mention| {
            let first = mention.tokens.iter().copied().find(|at| *at < hit.at);
            let bound = first
                .and_then(|first| first.checked_sub(1))
                .is_some_and(|at| begins(Cue::Determiner, self.text, at));
            bound && mention.tokens.contains(&hit.at.wrapping_sub(1))
        });
        if subject && verb(hit.at) {
            return Standing::Doubtful;
        }
        if self.is_by_another(hit, clause, &own, mention)
            || self.asks_after(hit, clause, mention)
            || !verb(hit.at)
                && (self.is_of_a_day_to_come(clause, mention, task)
                    || self.happens(hit, clause, title)
                    || self.is_another_deed(hit, clause, title, mention)
                    || self.is_about(hit, title, mention))
        {
            return Standing::Doubtful;
        }
        // "finished reading about Paris" is another deed than *Book flight to Paris*.
        let deeds = own.first().is_some_and(Word::is_light);
        let other = self.words.iter().any(|word| {
            clause.tokens.contains(&word.token)
                && word.token >= hit.end
                && word.said.ends_with("ing")
                && word.is_light()
                && !own.iter().any(|own| own.is_form_of(word))
        });
        if deeds && other {
            return Standing::Doubtful;
        }
        if self.lang == Lang::En && self.is_done_by_the_named(hit, clause, &own) {
            return Standing::Doubtful;
        }
        if self.is_one_part(task) {
            return Standing::Doubtful;
        }
        let mut hits = clause.hits.iter();
        let before = |other: &Hit| other.end == hit.at && !self.is_titled_at(other.at);
        let person = hits.any(|other| other.cue == Cue::Person && before(other));
        let inside = |at: &usize| {
            let named = mention.is_some_and(|mention| mention.tokens.contains(at));
            clause.tokens.contains(at) && !named
        };
        let before = hit.at.checked_sub(1).filter(inside);
        let name = before.is_some_and(|at| is_name(self.text.word(at)));
        // "mom called" against "Call mom"; "fed the cat" says who did it by nothing.
        if (person || name) && (verb(hit.at) || name || !clause.has(Cue::It)) {
            return Standing::Doubtful;
        }
        // "no keys picked up": what is said before a thing without a pause denies it.
        let denied = mention.and_then(|mention| mention.tokens.first());
        let denied = denied.is_some_and(|first| {
            let mut hits = clause.hits.iter();
            hits.any(|no| no.cue == Cue::Halt && no.end == *first && hit.at > *first)
        });
        // "went to renew the passport" is on its way.
        let going = hit.end > hit.at + 1
            && begins(Cue::Infinitive, self.text, hit.end - 1)
            && own
                .first()
                .is_some_and(|verb| verb.said == self.text.word(hit.end));
        if denied || going {
            return Standing::Doubtful;
        }
        // "I got Sarah to call mom": the deed itself is not past.
        let bare = own
            .first()
            .filter(|word| word.is_light())
            .is_some_and(|own| {
                let mut said = self.words.iter();
                said.any(|word| {
                    word.said == own.said
                        && clause.tokens.contains(&word.token)
                        && word.token >= hit.end
                })
            });
        let exact = mention.is_some_and(|mention| {
            mention.exact
                && mention
                    .tokens
                    .first()
                    .is_some_and(|first| *first == hit.end)
        });
        if bare && !exact && hit.end == hit.at + 1 {
            return Standing::Forbidden;
        }
        if tells_another(self.text.slice(clause.tokens.clone()), title, self.lang) {
            return Standing::Doubtful;
        }
        Standing::Free
    }

    /// Tells whether "did the groceries" goes on with what they did: it may ask, though no mark says so.
    fn asks_after(&self, hit: &Hit, clause: &Clause, mention: Option<&Mention>) -> bool {
        let last = mention.and_then(|mention| mention.tokens.last());
        let cued = |at: usize| {
            let mut hits = clause.hits.iter();
            hits.any(|other| other.cue != Cue::Happens && other.covers(at))
        };
        // "did the groceries this morning" tells when.
        let dated = self.dated(clause);
        let goes_on = |last: usize| {
            let mut words = self.words.iter();
            words.any(|word| {
                let behind = last < word.token && clause.tokens.contains(&word.token);
                let more = !word.is_light() && !word.is_number() && !cued(word.token);
                behind && more && !dated.contains(&word.token)
            })
        };
        let mine = |other: &Hit| other.cue == Cue::Me && other.end == hit.at;
        begins(Cue::MayAsk, self.text, hit.at)
            && !clause.hits.iter().any(mine)
            && last.is_some_and(|last| goes_on(*last))
    }

    /// Tells whether a title stands here as it is written, with words before this one: "dinner with Tom
    /// went great" tells of no deed of Tom's.
    pub(super) fn is_titled_at(&self, at: usize) -> bool {
        let mut exact = self.mentions.iter().filter(|mention| mention.exact);
        exact.any(|mention| {
            let before = mention.tokens.first().is_some_and(|first| *first < at);
            before && mention.tokens.contains(&at)
        })
    }

    /// Tells whether more words of the clause name another task: "made Sarah call mom" for *Picnic
    /// with Sarah*.
    fn is_outdone(&self, mention: &Mention, clause: &Clause) -> bool {
        let inside = |other: &Mention| other.tokens.iter().all(|at| clause.tokens.contains(at));
        let mut others = self.mentions.iter().filter(|other| inside(other));
        others.any(|other| {
            other.task != mention.task
                && other.tokens.len() > mention.tokens.len()
                && !mention.whole
                && !other.tokens.iter().any(|at| mention.tokens.contains(at))
        })
    }

    /// Tells whether the deed was for or about what the title names, where the title says no such:
    /// "bought paper for the essay" for *Essay*.
    fn is_about(&self, hit: &Hit, title: &str, mention: Option<&Mention>) -> bool {
        let determined = |at: &usize| begins(Cue::Determiner, self.text, *at);
        let title = Text::new(title);
        let titled = |word: &str| (0..title.tokens.len()).any(|own| title.word(own) == word);
        // "bought paint for the fence": no painting is told of.
        let object = |at: &usize| {
            let behind = (hit.end..=*at).find(|at| !determined(at)) == Some(*at);
            behind && title.tokens.len() > 1 && title.word(0) == self.text.word(*at)
        };
        let mut tokens = mention
            .map(|mention| mention.tokens.iter())
            .into_iter()
            .flatten();
        let Some(first) = tokens.find(|at| !object(at)) else {
            return false;
        };
        let Some(at) = (0..*first).rev().find(|at| !determined(at)) else {
            return false;
        };
        begins(Cue::About, self.text, at) && !hit.covers(at) && !titled(self.text.word(at))
    }

    /// Tells whether a report tells for whom it was done, and the title does not; "for 4 people" tells
    /// for how many.
    fn is_for_another(&self, clause: &Clause, title: &[Word]) -> bool {
        clause.hits.iter().any(|hit| {
            let word = self.text.word(hit.at);
            let first = hit.at.saturating_sub(2).max(clause.tokens.start);
            let number = hit.at.checked_sub(1).and_then(|at| self.number(at));
            let counted = number.is_some_and(|number| number > 1);
            hit.cue == Cue::Person
                && !counted
                && !title.iter().any(|own| own.said == word)
                && (first..hit.at).any(|at| self.text.word(at) == "for")
        })
    }

    /// Tells whether a day to come stands in a report, which is not the one on which the task is due:
    /// "got book club tomorrow".
    fn is_of_a_day_to_come(&self, clause: &Clause, mention: Option<&Mention>, task: &Task) -> bool {
        let scan = &self.scan;
        let named = |at: usize| mention.is_some_and(|mention| mention.tokens.contains(&at));
        scan.dates.iter().any(|found| {
            clause.tokens.contains(&found.core.start)
                && found.span.0 > self.today
                && task.due_date != Some(found.day)
                && !found.core.clone().any(named)
        })
    }

    /// Tells whether every day in a clause is that of another thing: "I write it about the meeting of the
    /// 17th", "comprar ingresso do show do dia 21".
    pub(super) fn is_day_of(&self, clause: &Clause) -> bool {
        let scan = &self.scan;
        let within = |found: &&Found| clause.tokens.contains(&found.core.start);
        let mut dates = scan.dates.iter().filter(within);
        let of_a_thing = |found: &Found| {
            let mut before = (clause.tokens.start..found.core.start).rev();
            let of = before.find(|at| !begins(Cue::Determiner, self.text, *at));
            let thing = of.and_then(|at| at.checked_sub(1));
            of.is_some_and(|at| begins(Cue::Of, self.text, at))
                && thing.is_some_and(|at| {
                    let mut mentions = self.mentions.iter();
                    !is_function_word(self.text.word(at))
                        && !mentions.any(|mention| mention.tokens.contains(&at))
                })
        };
        let first = dates.next();
        first.is_some_and(&of_a_thing) && dates.all(of_a_thing)
    }

    /// Tells whether a report tells of what happens to a thing, "the bill arrived", and not of the
    /// arrival that a title waits for: "toner came" for *Order toner*.
    fn happens(&self, report: &Hit, clause: &Clause, title: &str) -> bool {
        let overlaps = |hit: &Hit| hit.at < report.end && report.at < hit.end;
        let awaited = awaits(&Text::new(title));
        let mut hits = clause.hits.iter();
        hits.any(|hit| {
            let arrives = awaited && begins(Cue::Arrives, self.text, hit.at);
            // "dropped them back" tells more than "dropped".
            let longer = report.at == hit.at && report.end > hit.end;
            hit.cue == Cue::Happens && overlaps(hit) && !arrives && !longer
        })
    }
}

/// Tells whether a title waits for an arrival, by its first word or its last: "Order toner", "Toner
/// bestellen".
pub(super) fn awaits(title: &Text<'_>) -> bool {
    let last = title.tokens.len().saturating_sub(1);
    begins(Cue::Awaits, title, 0) || begins(Cue::Awaits, title, last)
}

/// Tells whether a word is somebody's name.
pub(super) fn is_name(word: &str) -> bool {
    matches!(part(word), Some(Part::Name))
}
