//! Grounds that the words give for a deed: what commands it, what implies it, and what forbids it.

use super::clauses::{Clause, Standing};
use super::cues::{Cue, Deed, Hit, begins, end_of};
use super::values::OF_A_TASK;
use super::{Evidence, Ground};
use crate::domain::Task;
use crate::guard::talk::is_function_word;

/// Proposal of a model, and where the words speak of it.
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
    /// A value is taken away.
    pub clears: bool,
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
            clears: false,
        }
    }
}

/// Result of weighing the cues of some clauses.
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
    /// Something else is commanded than to take the latest change back.
    other_than_undo: bool,
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
    /// Tells how the words stand to what is wanted.
    pub fn ground(&self, wanted: &Wanted<'_>) -> Ground {
        let (deed, task) = (wanted.deed, wanted.task);
        let reached = wanted.at.iter().flat_map(|at| self.governing(*at, wanted));
        let mut governing: Vec<usize> = reached.collect();
        governing.sort_unstable();
        governing.dedup();
        let of = |at: &usize| self.clauses.get(*at);
        let clauses: Vec<&Clause> = governing.iter().filter_map(of).collect();
        let own: Vec<&Clause> = wanted.at.iter().filter_map(of).collect();
        let duty = |clause: &&Clause| self.is_anothers_duty(clause);
        if deed == Deed::Add && clauses.iter().any(duty) {
            return Ground::Forbidden;
        }
        if self.unwants(wanted, &own) {
            return Ground::Doubtful;
        }
        let gone = |clause: &&Clause| clause.is_forbidden() || clause.corrected;
        if !own.is_empty() && own.iter().all(gone) {
            return Ground::Forbidden;
        }
        if task.is_some_and(|task| {
            // "instead of the move put boxes and van": the one that is replaced may go.
            let replaced = deed == Deed::Delete && own.iter().any(|clause| clause.splits());
            self.is_excepted(task.id) || self.is_passed_over(task.id, deed) && !replaced
        }) {
            return Ground::Forbidden;
        }
        if let Some(task) = task.filter(|task| deed == Deed::Update && self.is_in_a_new(task)) {
            // "don't let me forget the present": it may be the one that is there.
            return if self.is_whole_of_a_new(task) {
                Ground::Doubtful
            } else {
                Ground::Contradicted
            };
        }
        if deed == Deed::Add && self.is_a_part(wanted.title) {
            return Ground::Ordered;
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
        let ground = if found.ordered && (!found.forbidden || self.orders_value(wanted)) {
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
            self.implied(wanted, &own, &clauses, &found)
        };
        if deed == Deed::Delete && ground != Ground::Ordered && self.is_unreal(&own, &clauses) {
            return Ground::Forbidden;
        }
        let alternative = task.is_some() && self.is_one_of_two(&own);
        match ground {
            Ground::Ordered | Ground::Told | Ground::Carried if alternative => Ground::Doubtful,
            ground => ground,
        }
    }

    /// "I nearly cancelled the trip", "if I sold the van, what would I get", "he says delete it, I don't
    /// believe him": of what did not come about nothing is to go, unless words beside these say so.
    fn is_unreal(&self, own: &[&Clause], clauses: &[&Clause]) -> bool {
        let order = |hit: &Hit| hit.cue == Cue::Order(Deed::Delete);
        let unreal = |clause: &Clause| {
            let mut hits = clause.hits.iter();
            let first = hits.clone().find(|hit| order(hit));
            let first = first.map_or(usize::MAX, |hit| hit.at);
            hits.any(|hit| hit.cue == Cue::Unreal && hit.at <= first)
        };
        let heard = own.iter().any(|clause| clause.has(Cue::Hearsay));
        let doubted = heard && self.clauses.iter().any(|clause| clause.has(Cue::Unreal));
        // "I used to love the gym, but it's time to drop it" goes on.
        let goes_on = |clause: &&Clause| {
            let more = [Cue::Told(Deed::Delete), Cue::Order(Deed::Delete), Cue::It];
            more.iter().any(|cue| clause.has(*cue)) && !clause.has(Cue::Unreal)
        };
        let unreal = !own.is_empty() && own.iter().all(|clause| unreal(clause));
        doubted || unreal && !clauses.iter().any(goes_on)
    }

    /// "not the bread", "i don't want the eggs", of what was just added: it may be meant to go.
    fn unwants(&self, wanted: &Wanted<'_>, own: &[&Clause]) -> bool {
        let added = self.carried.deed == Some(Deed::Add)
            && wanted
                .task
                .is_some_and(|task| self.focus.contains(&task.id));
        let denies = |clause: &&Clause| {
            let asked = clause.is_foreign() || clause.is_question();
            clause.has(Cue::Negation) && !clause.orders() && !asked
        };
        wanted.deed == Deed::Delete && added && !own.is_empty() && own.iter().all(denies)
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
                // "split it into clear the shelf and sweep": an order behind that is a part's.
                Cue::Order(_) if deed != Deed::Add && self.is_of_a_part(hit, clause) => {}
                Cue::Split if deed == Deed::Delete => found.doubtful |= clause.splits(),
                _ if deed == Deed::Add && self.takes_a_reminder_off(hit, clause) => {}
                Cue::Order(order) if self.accepts(wanted, order, hit, clause) => {
                    let standing = clause.order(hit, deed).max(self.of_governed(hit, clause));
                    match standing.max(self.of_a_part(deed, hit, clause, task)) {
                        Standing::Free => found.ordered = true,
                        Standing::Doubtful => found.doubtful = true,
                        Standing::Forbidden => found.forbidden = true,
                    }
                }
                // "bring the invoice back", which is gone: it may be meant to be added again.
                Cue::Order(Deed::Undo | Deed::Reopen)
                    if deed == Deed::Add && self.orders_nothing_known(clause) =>
                {
                    found.doubtful |= clause.order(hit, deed) != Standing::Forbidden;
                }
                // "Shauna called me, so scratch that": it may be meant to go.
                Cue::Order(Deed::Undo) if deed == Deed::Delete && clause.has(Cue::Retract) => {
                    found.doubtful |= clause.order(hit, deed) == Standing::Free;
                }
                Cue::Order(order) => {
                    let orders = clause.order(hit, deed) == Standing::Free;
                    found.other |= orders;
                    found.other_than_undo |= orders && !matches!(order, Deed::Undo | Deed::Reopen);
                }
                Cue::Told(told) if told == deed && own.is_empty() => {
                    let new = deed == Deed::Add && self.orders_nothing_known(clause);
                    let mut standing = clause.report(hit, deed, new);
                    if deed == Deed::Update && self.is_disputed(clause) {
                        standing = standing.max(Standing::Doubtful);
                    }
                    found.report(standing.max(self.of_another(deed, hit, clause, task)));
                }
                // "delete mat karo": it takes in the order that it forbids.
                Cue::Negation
                    if end_of(Cue::Order(deed), self.text, hit.at)
                        .is_some_and(|end| end < hit.end) =>
                {
                    found.forbidden = true;
                }
                // "no need to chase him": what is not to be done may be meant to go.
                Cue::Negation
                    if deed == Deed::Delete
                        && !hit.open
                        && !clause.orders()
                        && !begins(Cue::Order(deed), self.text, hit.end) =>
                {
                    // "won't be baking the bread"
                    let mut behind = hit.end..clause.tokens.end;
                    let said = behind.find(|at| !is_function_word(self.text.word(*at)));
                    let mut mentions = self.mentions.iter();
                    found.doubtful |= mentions.any(|mention| {
                        task.is_some_and(|task| mention.task == task.id)
                            && said.is_some_and(|at| mention.tokens.contains(&at))
                    });
                }
                // "haven't finished it yet" asks for no tick.
                Cue::Told(Deed::Reopen) if deed == Deed::Complete => {
                    let mut words = hit.at..hit.end;
                    found.untold |= words.any(|at| begins(Cue::Denial, self.text, at));
                }
                // "I finished it" asks for no deletion.
                Cue::Told(Deed::Complete) if deed == Deed::Delete => {
                    found.other |= clause.report(hit, Deed::Complete, false) == Standing::Free;
                }
                _ => {}
            }
        }
    }

    /// Tells whether the commands in a clause are of no task that there is, nor of one spoken of: "gotta
    /// cancel netflix", where no task is netflix, is a need.
    fn orders_nothing_known(&self, clause: &Clause) -> bool {
        let points = |order: &Hit, hit: &Hit| {
            hit.at == order.end && matches!(hit.cue, Cue::It | Cue::Them | Cue::All)
        };
        let orders = |hit: &&Hit| matches!(hit.cue, Cue::Order(_));
        let mut orders = clause.hits.iter().filter(orders);
        let mut named = self.mentions.iter().flat_map(|mention| &mention.tokens);
        !named.any(|at| clause.tokens.contains(at))
            && !orders.any(|order| clause.hits.iter().any(|hit| points(order, hit)))
    }

    /// Tells whether a command of one kind supports a deed: "add a note", "remove the date" and "set …
    /// done" are about values.
    fn accepts(&self, wanted: &Wanted<'_>, order: Deed, hit: &Hit, clause: &Clause) -> bool {
        // "cancel date night" takes no date away.
        let named = |part: &Hit| self.mentions.iter().any(|m| m.tokens.contains(&part.at));
        let clears = || clause.clears_by(hit, named);
        // "nimm die Uhrzeit weg", "poubelles: plus de rappel"
        let taken_off = || {
            let mut valued = wanted.values.iter().filter_map(|at| self.clauses.get(*at));
            wanted.clears && valued.any(|valued| valued.tokens == clause.tokens)
        };
        let deed = wanted.deed;
        match deed {
            Deed::Delete => order == Deed::Delete && !clears(),
            _ if deed == order => true,
            Deed::Update => {
                order == Deed::Add || order == Deed::Delete && (clears() || taken_off())
            }
            // "set it done"
            Deed::Complete => {
                let done = |told: &Hit| told.cue == Cue::Told(Deed::Complete) && told.end > hit.end;
                order == Deed::Update && clause.hits.iter().any(done)
            }
            Deed::Reopen => order == Deed::Undo,
            Deed::Undo => order == Deed::Reopen,
            Deed::Add => false,
        }
    }

    /// Finds what no cue says: a new value that stands beside the task, or the deed of the turn
    /// before.
    fn implied(
        &self,
        wanted: &Wanted<'_>,
        own: &[&Clause],
        clauses: &[&Clause],
        found: &Weighed,
    ) -> Ground {
        let deed = wanted.deed;
        // "yes please, and add eggs": what goes on with a yes orders something else.
        let accepts = self.takes_up_an_offer() && wanted.at == [0];
        let other = found.other && !accepts;
        let valued = !wanted.values.is_empty();
        let denies = |clause: &Clause| clause.has(Cue::Negation);
        let declines = self.carried.declined || self.clauses.iter().any(denies);
        let answers = self.carried.answers && self.carried.deed == Some(deed);
        let questioned = !own.is_empty() && own.iter().all(|clause| clause.is_question());
        // "the check is not on the 18th" takes up no question about the 18th.
        let refused = |clause: &Clause| clause.negates(|hit| self.denies_another_day(hit));
        let values = || wanted.values.iter().filter_map(|at| self.clauses.get(*at));
        if answers && deed == Deed::Update && values().any(refused) {
            return Ground::Forbidden;
        }
        // What a clause tells of its own takes up no question, nor does what is not done yet: "i'll call
        // her in a minute".
        let waits = |clause: &&Clause| {
            clause.has(Cue::Undone)
                || clause.has(Cue::Negation)
                || clause.has(Cue::Future) && !clause.is_request()
        };
        let told = |at: &usize| self.tells_more(*at);
        let apart = deed == Deed::Complete && (wanted.at.iter().any(told) || own.iter().any(waits));
        // "I was thinking about it" takes nothing up.
        let doubts = [Cue::Wish, Cue::Hearsay, Cue::Condition];
        let thought = |clause: &&Clause| doubts.iter().any(|cue| clause.has(*cue));
        let thinks = own.iter().any(thought);
        if answers
            && !questioned
            && !apart
            && (deed != Deed::Add || !thinks)
            && !other
            && (valued || !declines)
        {
            return Ground::Carried;
        }
        if let Some(told) = self.told_value(wanted) {
            return told;
        }
        let denied = matches!(deed, Deed::Delete | Deed::Complete)
            && wanted.at.iter().any(|at| {
                // "do nothing": what denies and points at nothing takes up nothing.
                let nothing = |clause: &Clause| {
                    !clause.has(Cue::It) && !clause.corrects() && clause.denies_alone(self.text)
                };
                // "milk isn't done yet"
                let open =
                    |clause: &Clause| deed == Deed::Complete && clause.has(Cue::Told(Deed::Reopen));
                let named = self.names_any(*at);
                let denies = |clause: &Clause| match named {
                    true => self.denies_what_it_names(clause) || open(clause),
                    false => nothing(clause),
                };
                self.clauses.get(*at).is_some_and(denies)
            });
        // "I'll call her later", "haven't been there" ask for no tick.
        let open = |clause: &&Clause| {
            let against = [Cue::Undone, Cue::Future, Cue::Later, Cue::Condition];
            // "he is ill"
            let state = |hit: &Hit| {
                let mut hits = clause.hits.iter();
                hits.any(|other| other.cue == Cue::Copula && other.end == hit.at)
            };
            let mut hits = clause.hits.iter();
            let says = hits.any(|hit| against.contains(&hit.cue) && !state(hit));
            says && !clause.is_request() && !clause.has(Cue::Told(Deed::Add))
        };
        let unfinished = deed == Deed::Complete && !own.is_empty() && own.iter().all(open);
        if questioned || denied || unfinished {
            return Ground::Forbidden;
        }
        let goes_on = clauses.iter().any(|clause| clause.has(Cue::Carry));
        if self.carried.deed == Some(deed) && goes_on && !other {
            return Ground::Carried;
        }
        // "no wait, the dentist", "undo that, I meant the dentist"
        let another = wanted
            .task
            .is_some_and(|task| !self.focus.contains(&task.id));
        let corrects = self.clauses.iter().any(Clause::corrects);
        if self.carried.deed == Some(deed)
            && another
            && corrects
            && !found.other_than_undo
            && !self.focus.is_empty()
        {
            return Ground::Carried;
        }
        // "mixing on track 2 is done. track 3 too"
        let first = wanted.at.iter().min().copied().unwrap_or_default();
        if self.carries(wanted.at) && self.speaks_for(deed, first) {
            return Ground::Carried;
        }
        let asked = self.of_answered(|answered| answered.speaks_for(deed, usize::MAX));
        // What is named nowhere here is not taken up beside an order for something else.
        let orders_else = |clause: &Clause| {
            let mut hits = clause.hits.iter();
            let other = |hit: &Hit| matches!(hit.cue, Cue::Order(order) if order != deed);
            !clause.is_foreign() && hits.any(other)
        };
        let named = !own.is_empty();
        let taken_up = !thinks
            && !apart
            && (named || deed != Deed::Delete && !self.clauses.iter().any(orders_else));
        if asked == Some(true) && !other && !declines && taken_up {
            return Ground::Carried;
        }
        // "I have to finish it": what is still to be done may be done or not.
        let need = |clause: &&Clause| clause.has(Cue::Told(Deed::Add)) && !clause.has(Cue::Carry);
        if deed == Deed::Complete && own.iter().any(need) {
            return Ground::Doubtful;
        }
        // "Sam says he'll mend the gate": what is to come, or may be, is not done.
        let open = [Cue::Future, Cue::Hearsay, Cue::Condition];
        let to_come =
            |clause: &&Clause| open.iter().any(|cue| clause.has(*cue)) && !clause.is_request();
        if deed == Deed::Complete && named && own.iter().all(to_come) {
            return Ground::Forbidden;
        }
        // A word that commands in another language commands nothing here.
        if other && !self.is_unread() {
            Ground::Contradicted
        } else {
            Ground::None
        }
    }

    /// Tells how a new value that stands beside a task is told of it; `None` where there is none.
    fn told_value(&self, wanted: &Wanted<'_>) -> Option<Ground> {
        let deed = wanted.deed;
        if wanted.values.is_empty() || deed != Deed::Update {
            return None;
        }
        let values = || wanted.values.iter().filter_map(|at| self.clauses.get(*at));
        let old = |hit: &Hit| {
            let due = wanted.task.and_then(|task| task.due_date);
            due.is_some_and(|due| self.denies_day(hit, due, OF_A_TASK))
                || self.denies_another_day(hit)
                || hit.cue == Cue::Negation && self.contrasts(hit)
        };
        let mention = wanted
            .task
            .and_then(|task| self.mentions.iter().find(|m| m.task == task.id));
        let subject = |hit: &Hit| {
            let first = mention.and_then(|mention| mention.tokens.first());
            first.is_some_and(|first| *first < hit.at)
        };
        let harmless = |hit: &Hit| match hit.cue {
            Cue::Hearsay => self.is_news(hit),
            // "the fitting will be on the 24th", "electricity i'll do thursday": what is to
            // come is told of the task; "I will pay rent tomorrow" tells of the user.
            Cue::Future => subject(hit),
            _ => old(hit),
        };
        let another = |clause: &Clause| {
            mention.is_some_and(|mention| self.is_of_another(mention, clause, deed))
        };
        let doubted = |clause: &Clause| {
            let old = clause.has(Cue::Meant) && self.has_value(clause);
            another(clause) || old || self.is_day_of(clause) || self.is_disputed(clause)
        };
        let standings = values().map(|clause| match doubted(clause) {
            true => clause.value(harmless).max(Standing::Doubtful),
            false => clause.value(harmless),
        });
        Some(match standings.min().unwrap_or(Standing::Free) {
            Standing::Free => Ground::Told,
            Standing::Doubtful => Ground::Doubtful,
            Standing::Forbidden => Ground::Forbidden,
        })
    }

    /// Tells whether a value is rejected where it is told, or not settled, or right behind: "demo on
    /// tuesday is impossible", "the client wants it on tuesday, i said no".
    fn is_disputed(&self, clause: &Clause) -> bool {
        let place = self.clause_at(clause.tokens.start);
        let next = place.and_then(|at| self.clauses.get(at + 1));
        // "friday now, thursday is impossible" rejects another.
        let rejects = |next: &Clause| next.rejects(self.text) && !self.has_value(next);
        clause.has(Cue::Rejects) && self.has_value(clause) || next.is_some_and(rejects)
    }

    /// Tells whether a clause denies what it names, or a deed: "the tap doesn't drip anymore" denies
    /// something else of the tap.
    fn denies_what_it_names(&self, clause: &Clause) -> bool {
        let named = |at: usize| self.mentions.iter().any(|m| m.tokens.contains(&at));
        let cued = |at: usize| clause.hits.iter().any(|hit| hit.covers(at) && hit.tells());
        let other = |negation: &Hit| {
            let mut before = clause.tokens.start..negation.at;
            let word = self.words.iter().find(|word| word.token == negation.end);
            let said = word.is_some_and(|word| !word.is_light() && !is_function_word(&word.said));
            before.any(named) && said && !named(negation.end) && !cued(negation.end)
        };
        let mut hits = clause.hits.iter();
        hits.any(|hit| hit.cue == Cue::Negation && !other(hit))
    }

    /// "she said the 21st works" is news of somebody; "the manual says", "Bob wants me to" is none.
    fn is_news(&self, hearsay: &Hit) -> bool {
        hearsay.end == hearsay.at + 1
    }

    /// Tells whether a clause that holds a value orders it of what was named before: "that one can't
    /// slide, so mark it top priority".
    fn orders_value(&self, wanted: &Wanted<'_>) -> bool {
        let clauses = wanted.values.iter().filter_map(|at| self.clauses.get(*at));
        let mut valued = clauses.filter(|clause| clause.has(Cue::It));
        wanted.deed == Deed::Update
            && valued.any(|clause| {
                let mut hits = clause.hits.iter();
                hits.any(|hit| match hit.cue {
                    Cue::Order(Deed::Update) => clause.order(hit, Deed::Update) == Standing::Free,
                    _ => false,
                })
            })
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

    /// Tells how the words stand to taking the latest change back.
    pub fn undoes(&self) -> Ground {
        let at = self.every_clause();
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
