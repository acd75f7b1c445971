//! How the words stand to a deed: what commands it, what implies it, and what forbids it.

use super::clauses::{Clause, Standing};
use super::cues::{Cue, Deed, Hit};
use super::target::Mention;
use super::words::{Word, words};
use super::{Evidence, Ground};
use crate::domain::{Task, text::Text};
use crate::intent::tells_another;

/// What a model proposes, and where the words speak of it.
#[derive(Debug, Clone, Copy)]
pub(in crate::guard) struct Wanted<'w> {
    pub deed: Deed,
    /// The clauses that name the task, or the words of a new one.
    pub at: &'w [usize],
    /// The task that is to be changed.
    pub task: Option<&'w Task>,
    /// The tokens of a new task's title.
    pub title: &'w [usize],
    /// The clauses in which new values stand.
    pub values: &'w [usize],
}

impl<'w> Wanted<'w> {
    /// A deed and nothing else.
    pub const fn deed(deed: Deed, at: &'w [usize]) -> Self {
        Self {
            deed,
            at,
            task: None,
            title: &[],
            values: &[],
        }
    }
}

/// What the cues of some clauses come to.
#[derive(Debug, Default)]
struct Weighed {
    ordered: bool,
    told: bool,
    doubtful: bool,
    /// A command of it is forbidden.
    forbidden: bool,
    /// A report of it is none.
    untold: bool,
    /// Something else is commanded.
    other: bool,
}

impl Weighed {
    const fn report(&mut self, standing: Standing) {
        match standing {
            Standing::Free => self.told = true,
            Standing::Doubtful => self.doubtful = true,
            Standing::Forbidden => self.untold = true,
        }
    }
}

impl Evidence<'_> {
    /// The clauses whose deed reaches the words in clause `at`: its own, else those it is joined
    /// to, and behind it those that speak of it with a pronoun.
    pub(super) fn governing(&self, at: usize, wanted: &Wanted<'_>) -> Vec<usize> {
        let mut found = vec![at];
        // What is added may begin with any command: "brain dump: call mom, finish the report".
        let orders = |at: usize| {
            let clause = self.clauses.get(at);
            clause.is_some_and(|clause| match wanted.deed {
                Deed::Add => clause.has(Cue::Order(Deed::Add)) || clause.has(Cue::Told(Deed::Add)),
                _ => clause.orders(),
            })
        };
        if !orders(at) {
            let mut back = at;
            while back > 0 && self.clauses.get(back).is_some_and(Clause::goes_on) {
                back -= 1;
                found.push(back);
                if orders(back) {
                    break;
                }
            }
            // "not paid the rent and bought milk": what it says itself is not said again.
            let says = |clause: &Clause| {
                clause.has(Cue::Told(wanted.deed))
                    || wanted.deed == Deed::Complete
                        && (clause.has(Cue::Undone) || clause.has(Cue::Negation))
            };
            let says = self.clauses.get(at).is_some_and(says);
            let mut next = at + 1;
            let sentence = self.clauses.get(at).map(|clause| clause.sentence);
            let reached = found.iter().any(|at| orders(*at));
            while !reached
                && !says
                && self
                    .clauses
                    .get(next)
                    .is_some_and(|clause| Some(clause.sentence) == sentence && clause.goes_on())
            {
                let own = self.names_any(next);
                if !own || !orders(next) {
                    found.push(next);
                }
                if orders(next) {
                    break;
                }
                next += 1;
            }
        }
        for (later, clause) in self.clauses.iter().enumerate().skip(at + 1) {
            let points = clause.has(Cue::It) || clause.has(Cue::Them);
            if self.names_any(later) {
                break;
            }
            if points && !found.contains(&later) {
                found.push(later);
            }
        }
        found
    }

    /// The clauses that speak of an update of what these name.
    pub fn reach(&self, at: &[usize]) -> Vec<usize> {
        let wanted = Wanted::deed(Deed::Update, at);
        let mut found: Vec<usize> = at
            .iter()
            .flat_map(|at| self.governing(*at, &wanted))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// How the words stand to what is wanted.
    pub fn ground(&self, wanted: &Wanted<'_>) -> Ground {
        let (deed, task) = (wanted.deed, wanted.task);
        let reached = wanted.at.iter().flat_map(|at| self.governing(*at, wanted));
        let mut governing: Vec<usize> = reached.collect();
        governing.sort_unstable();
        governing.dedup();
        let of = |at: &usize| self.clauses.get(*at);
        let clauses: Vec<&Clause> = governing.iter().filter_map(of).collect();
        let own: Vec<&Clause> = wanted.at.iter().filter_map(of).collect();
        let gone = |clause: &&Clause| clause.is_forbidden() || clause.corrected;
        if !own.is_empty() && own.iter().all(gone) {
            return Ground::Forbidden;
        }
        if task.is_some_and(|task| self.is_excepted(task.id)) {
            return Ground::Forbidden;
        }
        let mut found = Weighed::default();
        for clause in &clauses {
            self.weigh(wanted, clause, &mut found);
        }
        if deed == Deed::Add
            && own
                .iter()
                .any(|clause| self.is_line_of(clause, wanted.title))
        {
            found.told = true;
        }
        let ground = if found.ordered && !found.forbidden {
            Ground::Ordered
        } else if found.forbidden && !(found.told && deed != Deed::Delete) {
            Ground::Forbidden
        } else if found.told {
            Ground::Told
        } else if found.doubtful {
            Ground::Doubtful
        } else if found.untold {
            Ground::Forbidden
        } else {
            self.implied(wanted, &own, &clauses, found.other)
        };
        let alternative = task.is_some() && self.is_one_of_two(&own);
        match ground {
            Ground::Ordered | Ground::Told | Ground::Carried if alternative => Ground::Doubtful,
            ground => ground,
        }
    }

    /// Adds what the cues of one clause say.
    fn weigh(&self, wanted: &Wanted<'_>, clause: &Clause, found: &mut Weighed) {
        let (deed, task) = (wanted.deed, wanted.task);
        let done = task.filter(|_| deed == Deed::Complete);
        let own = done
            .into_iter()
            .flat_map(|task| self.own_reports(clause, task));
        let own: Vec<Hit> = own.collect();
        for hit in &own {
            let standing = clause.report(hit, deed, true);
            found.report(standing.max(self.of_another(deed, hit, clause, task)));
        }
        for hit in &clause.hits {
            match hit.cue {
                _ if wanted.title.contains(&hit.at) && matches!(hit.cue, Cue::Order(_)) => {}
                Cue::Order(order) if accepts(deed, order, hit, clause) => {
                    let standing = clause.order(hit, deed);
                    match standing.max(self.of_a_part(deed, hit, clause, task)) {
                        Standing::Free => found.ordered = true,
                        Standing::Doubtful => found.doubtful = true,
                        Standing::Forbidden => found.forbidden = true,
                    }
                }
                Cue::Order(_) => found.other |= clause.order(hit, deed) == Standing::Free,
                Cue::Told(told) if told == deed && own.is_empty() => {
                    let standing = clause.report(hit, deed, false);
                    found.report(standing.max(self.of_another(deed, hit, clause, task)));
                }
                // "I finished it" asks for no deletion.
                Cue::Told(Deed::Complete) if deed == Deed::Delete => {
                    found.other |= clause.report(hit, Deed::Complete, false) == Standing::Free;
                }
                _ => {}
            }
        }
    }

    /// Reports by the verb of the title itself: "guest emailed" for *Email guest*.
    fn own_reports(&self, clause: &Clause, task: &Task) -> Vec<Hit> {
        let title = words(&Text::new(task.title.as_str()));
        // "Call mom", "Oma anrufen".
        let last = title.iter().skip(1).next_back();
        let verbs: Vec<&Word> = title
            .first()
            .into_iter()
            .chain(last.filter(|word| word.is_light()))
            .collect();
        let past = |word: &&Word| {
            clause.tokens.contains(&word.token)
                && verbs
                    .iter()
                    .any(|verb| word.said != verb.said && word.is_form_of(verb))
                && !word.said.ends_with("ing")
                && !word.said.ends_with('s')
        };
        let hits = self.words.iter().filter(past).map(|word| Hit {
            cue: Cue::Told(Deed::Complete),
            at: word.token,
            end: word.token + 1,
            open: false,
        });
        hits.collect()
    }

    /// Whether a clause is a line of a list: what it says is the title, and it begins with a verb.
    fn is_line_of(&self, clause: &Clause, title: &[usize]) -> bool {
        let (Some(first), false) = (title.first(), clause.is_question()) else {
            return false;
        };
        let verb = self.words.iter().find(|word| word.token == *first);
        let orders = clause
            .hits
            .iter()
            .any(|hit| matches!(hit.cue, Cue::Order(_)) && hit.at == *first);
        let against = [
            Cue::Wish,
            Cue::Hearsay,
            Cue::Condition,
            Cue::Negation,
            Cue::Future,
        ];
        let spoken = |at: &usize| {
            self.words
                .iter()
                .any(|word| word.token == *at && !title.contains(at))
        };
        clause.opens_at() == *first
            && (orders || verb.is_some_and(Word::is_light))
            && !against.iter().any(|cue| clause.has(*cue))
            && clause.tokens.clone().filter(spoken).count() <= 2
    }

    /// What no cue says: a new value that stands beside the task, or the deed of the turn before.
    fn implied(
        &self,
        wanted: &Wanted<'_>,
        own: &[&Clause],
        clauses: &[&Clause],
        other: bool,
    ) -> Ground {
        let deed = wanted.deed;
        let valued = !wanted.values.is_empty();
        let declines = self.clauses.iter().any(|clause| clause.has(Cue::Negation));
        let answers = self.carried.answers && self.carried.deed == Some(deed);
        let questioned = !own.is_empty() && own.iter().all(|clause| clause.is_question());
        if answers && !questioned && !other && (valued || !declines) {
            return Ground::Carried;
        }
        if valued && deed == Deed::Update {
            let values = wanted.values.iter().filter_map(|at| self.clauses.get(*at));
            return match values.map(Clause::value).min().unwrap_or(Standing::Free) {
                Standing::Free => Ground::Told,
                Standing::Doubtful => Ground::Doubtful,
                Standing::Forbidden => Ground::Forbidden,
            };
        }
        let denied = matches!(deed, Deed::Delete | Deed::Complete)
            && wanted.at.iter().any(|at| {
                let clause = self.clauses.get(*at);
                clause.is_some_and(|clause| clause.has(Cue::Negation)) && self.names_any(*at)
            });
        if questioned || denied {
            return Ground::Forbidden;
        }
        if self.carried.deed == Some(deed) && clauses.iter().any(|clause| clause.has(Cue::Carry)) {
            return Ground::Carried;
        }
        if other {
            Ground::Contradicted
        } else {
            Ground::None
        }
    }

    /// "milk or eggs": nobody said which.
    fn is_one_of_two(&self, own: &[&Clause]) -> bool {
        let named = |at: usize| self.names_any(at);
        self.clauses.iter().enumerate().any(|(at, clause)| {
            let pair =
                clause.is_alternative() && !clause.orders() && named(at) && at > 0 && named(at - 1);
            let before = at.checked_sub(1).and_then(|at| self.clauses.get(at));
            let mine = own.iter().any(|own| {
                own.tokens == clause.tokens || before.is_some_and(|b| b.tokens == own.tokens)
            });
            pair && mine
        })
    }

    /// A deletion that waits for a day, or that leaves the task out: "delete it tomorrow",
    /// "delete not milk but eggs".
    fn of_a_part(&self, deed: Deed, hit: &Hit, clause: &Clause, task: Option<&Task>) -> Standing {
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
        if mention.is_some_and(|mention| self.is_of_another(mention, clause, deed)) {
            return Standing::Doubtful;
        }
        // "cancel it and reschedule it": what goes on is not to be gone.
        let goes_on = self.clauses.iter().any(|other| {
            other.sentence == clause.sentence
                && other.tokens.start >= clause.tokens.end
                && other.has(Cue::Order(Deed::Update))
                && other.has(Cue::It)
        });
        if deed == Deed::Delete && goes_on {
            return Standing::Doubtful;
        }
        if deed != Deed::Delete || clause.has(Cue::Item) {
            return Standing::Free;
        }
        let named = |token: usize| mention.is_some_and(|mention| mention.tokens.contains(&token));
        let scan = crate::temporal::scan(self.text, self.today, self.lang);
        let dated = scan.dates.iter().any(|found| {
            clause.tokens.contains(&found.core.start)
                && !found.core.clone().any(named)
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

    /// Whether the words around a name make it another thing's: "Bob's Read book", "my Read book
    /// account", "renew gym membership" for *Renew driving licence*.
    fn is_of_another(&self, mention: &Mention, clause: &Clause, deed: Deed) -> bool {
        let (Some(first), Some(last)) = (mention.tokens.first(), mention.tokens.last()) else {
            return false;
        };
        let inside = |at: usize| clause.tokens.contains(&at);
        let others = |at: &usize| {
            inside(*at) && !mention.tokens.contains(at) && {
                let word = self.text.word(*at);
                let cue = |hit: &Hit| hit.cue == Cue::Other && hit.at == *at;
                let own = [
                    "it's", "that's", "let's", "what's", "here's", "there's", "he's", "she's",
                    "how's",
                ];
                (word.ends_with("'s") || word.ends_with("’s")) && !own.contains(&word)
                    || clause.hits.iter().any(cue)
            }
        };
        if (first.saturating_sub(1)..*last).any(|at| others(&at)) {
            return true;
        }
        if deed != Deed::Delete {
            return false;
        }
        let scan = crate::temporal::scan(self.text, self.today, self.lang);
        let says = |at: &usize| {
            let content = self
                .words
                .iter()
                .any(|word| word.token == *at && !word.is_light());
            let cued = clause
                .hits
                .iter()
                .any(|hit| !hit.open && hit.at <= *at && *at < hit.end);
            let dated = scan.dates.iter().any(|found| found.core.contains(at));
            inside(*at) && content && !cued && !dated
        };
        let behind = (last + 1..clause.tokens.end)
            .take_while(|at| says(at))
            .count();
        let named = mention.tokens.len();
        behind > 0 && (mention.whole || behind > named)
    }

    /// What speaks for a report being of another deed, or of another's: "emailed mom" and "mom
    /// called" complete no "Call mom".
    fn of_another(&self, deed: Deed, hit: &Hit, clause: &Clause, task: Option<&Task>) -> Standing {
        let Some(task) = task.filter(|_| deed == Deed::Complete) else {
            return Standing::Free;
        };
        let title = task.title.as_str();
        let own = words(&Text::new(title));
        let verb = |token: usize| {
            let mut said = self.words.iter().filter(|word| word.token == token);
            said.any(|word| own.iter().any(|own| own.is_form_of(word)))
        };
        let mention = self.mentions.iter().find(|mention| mention.task == task.id);
        if mention.is_some_and(|mention| {
            self.is_of_another(mention, clause, deed) || self.is_outdone(mention, clause)
        }) || self.is_for_another(clause, &own)
        {
            return Standing::Doubtful;
        }
        // "the vet phoned" against *Phone the vet*; "plants watered" says who did it by nothing.
        const BOUND: [&str; 14] = [
            "the", "my", "our", "your", "his", "her", "their", "der", "die", "das", "mein",
            "meine", "il", "mi",
        ];
        let subject = mention.is_some_and(|mention| {
            let first = mention.tokens.iter().copied().find(|at| *at < hit.at);
            let bound = first
                .and_then(|first| first.checked_sub(1))
                .is_some_and(|at| BOUND.contains(&self.text.word(at)));
            bound && mention.tokens.contains(&hit.at.wrapping_sub(1))
        });
        if subject && verb(hit.at) {
            return Standing::Doubtful;
        }
        let mut hits = clause.hits.iter();
        let person = hits.any(|other| other.cue == Cue::Person && other.end == hit.at);
        let inside = |at: &usize| {
            let named = mention.is_some_and(|mention| mention.tokens.contains(at));
            clause.tokens.contains(at) && !named
        };
        let before = hit.at.checked_sub(1).filter(inside);
        let name = before.is_some_and(|at| {
            matches!(
                crate::resolver::part(self.text.word(at)),
                Some(crate::resolver::Part::Name)
            )
        });
        // "mom called" against "Call mom"; "fed the cat" says who did it by nothing.
        if (person || name) && (verb(hit.at) || name || !clause.has(Cue::It)) {
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
        let said = self.text.slice(clause.tokens.clone());
        if tells_another(said, title, self.lang) {
            return Standing::Doubtful;
        }
        Standing::Free
    }

    /// Whether more words of the clause name another task: "made Sarah call mom" for *Picnic with
    /// Sarah*.
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

    /// Whether a report tells for whom it was done, and the title does not.
    fn is_for_another(&self, clause: &Clause, title: &[Word]) -> bool {
        clause.hits.iter().any(|hit| {
            let word = self.text.word(hit.at);
            let first = hit.at.saturating_sub(2).max(clause.tokens.start);
            hit.cue == Cue::Person
                && !title.iter().any(|own| own.said == word)
                && (first..hit.at).any(|at| self.text.word(at) == "for")
        })
    }

    /// How the words stand to taking the latest change back.
    pub fn undoes(&self) -> Ground {
        let at: Vec<usize> = (0..self.clauses.len()).collect();
        let deeds = [Deed::Undo, Deed::Reopen];
        let grounds = deeds.map(|deed| self.ground(&Wanted::deed(deed, &at)));
        let first = [
            Ground::Forbidden,
            Ground::Ordered,
            Ground::Told,
            Ground::Doubtful,
        ];
        let found = first.into_iter().find(|ground| grounds.contains(ground));
        found.unwrap_or(Ground::None)
    }
}

/// Whether a command of one kind supports a deed: "add a note", "remove the date" and "set … done"
/// are about values.
fn accepts(deed: Deed, order: Deed, hit: &Hit, clause: &Clause) -> bool {
    match deed {
        _ if deed == order => true,
        Deed::Update => {
            matches!(order, Deed::Add) || (order == Deed::Delete && clause.clears_by(hit))
        }
        Deed::Complete => order == Deed::Update && clause.has(Cue::Told(Deed::Complete)),
        Deed::Reopen => order == Deed::Undo,
        Deed::Undo => order == Deed::Reopen,
        Deed::Add | Deed::Delete => false,
    }
}
