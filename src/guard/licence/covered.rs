//! Parts of a licence that have been dealt with: each order once.

use std::ops::Range;

use super::{
    Grant, GrantKind, Licence, Meaning, Need, Part, Situation, addition_parts, none_such, tool_of,
};
use crate::domain::{Lang, TaskId, Title};
use crate::guard::{names_a_value, talk};
use crate::intent::{Addition, Target, Values, Verb};
use crate::resolver::{Missing, covers};
use crate::tools::{ChangePlan, Plan, PlannedValues};

impl Licence {
    /// Notes that these words were added; false where each of them was before.
    pub fn spend(&mut self, tokens: &[usize]) -> bool {
        let fresh = tokens.is_empty() || tokens.iter().any(|token| !self.spent.contains(token));
        if fresh {
            self.spent.extend(tokens);
        }
        fresh
    }

    /// Tells whether one of these words was added before.
    pub fn has_spent(&self, tokens: &Range<usize>) -> bool {
        self.spent.iter().any(|token| tokens.contains(token))
    }

    /// Notes that a change was allowed; false where it does again what one before it did.
    pub fn allow(&mut self, plan: &ChangePlan) -> bool {
        let fresh = !self.allowed.iter().any(|before| plan.repeats(before));
        if fresh {
            self.allowed.push(plan.clone());
        }
        fresh
    }

    /// Notes that this was written as the words ask for it: what was read as a listing of it, "chuck
    /// eggs on my list", was none.
    pub fn cover_written(&mut self, written: &str) {
        let words = self.words.clone();
        for grant in &mut self.grants {
            let said = words.get(grant.bytes.clone()).unwrap_or_default();
            if let GrantKind::List { covered, .. } = &mut grant.kind {
                *covered |= covers(written, said);
            }
        }
    }

    /// Notes that what the words ask to be listed was told.
    pub fn cover_listings(&mut self) {
        for grant in &mut self.grants {
            if let GrantKind::List { covered, .. } = &mut grant.kind {
                *covered = true;
            }
        }
    }

    /// Notes that this was done to a task, or asked about.
    pub fn cover(&mut self, done: Verb, id: TaskId) {
        let means = |part: &Part| match &part.meaning {
            Meaning::One(one) => *one == id,
            Meaning::Set(ids) => ids.contains(&id),
            Meaning::Many(found) => found.iter().any(|found| found.id == id),
            Meaning::Nothing { .. } | Meaning::Unnamed => false,
        };
        // What names nothing stands for any task, unless another part means this one.
        let meant = self.grants.iter().any(|grant| match &grant.kind {
            GrantKind::Change { verb, parts, .. } => *verb == done && parts.iter().any(means),
            _ => false,
        });
        for grant in &mut self.grants {
            // "put it back": the model may name what it was.
            if let GrantKind::Undo { covered } = &mut grant.kind {
                *covered |= !meant && matches!(done, Verb::Reopen | Verb::Update);
            }
            let GrantKind::Change { verb, parts, .. } = &mut grant.kind else {
                continue;
            };
            // "called Margaret, you can take that one off": marked as done it is off.
            let ends = done == Verb::Complete && *verb == Verb::Delete;
            for part in parts.iter_mut() {
                let points = matches!(part.target, Target::It | Target::Other);
                let nothing = matches!(part.meaning, Meaning::Nothing { .. } | Meaning::Unnamed);
                if *verb != done {
                    // What is gone needs nothing else: "Kessler paid, forget the invoice". What no
                    // reading ordered is what the words were understood to mean: "strike the rent, it's
                    // paid".
                    let gone = done == Verb::Delete || !meant && *verb != Verb::Update;
                    part.touched |= gone && means(part) || ends && points && nothing;
                    continue;
                }
                if means(part) || nothing && !meant {
                    part.touched = true;
                    part.done.push(id);
                }
            }
        }
    }

    /// Notes that a change was made, or asked about: words that became its note or its title are
    /// no task of their own.
    pub fn cover_change(&mut self, change: &ChangePlan) {
        self.cover(change.verb, change.task);
        if change.verb == Verb::Reopen && change.values != PlannedValues::default() {
            self.cover(Verb::Update, change.task);
        }
        let title = change.values.title.as_ref().map(Title::as_str);
        let note = change
            .values
            .description
            .as_ref()
            .and_then(Option::as_deref);
        for words in [title, note].into_iter().flatten() {
            self.cover_additions(words, false);
        }
    }

    /// Notes that an addition or a change was made of the words at these places: what was read there
    /// as a change of no task that there is was none.
    pub fn cover_clauses(&mut self, spans: &[Range<usize>]) {
        self.touch_within(spans, |_, part| {
            matches!(part.meaning, Meaning::Nothing { .. })
        });
    }

    /// Notes that a change was made of what the words at these places name: a pronoun that orders the
    /// same there, "gym is full, delete it", means no task of an earlier turn.
    pub fn cover_pronouns(&mut self, done: Verb, spans: &[Range<usize>]) {
        self.touch_within(spans, |verb, part| {
            let points = matches!(
                part.target,
                Target::It | Target::They { .. } | Target::Other
            );
            verb == done && points
        });
    }

    /// Notes that a task was changed by the words at these places: what was read there as an addition
    /// of words of its title, "put the licence down for friday", and of values, which `tells` tells,
    /// was none.
    pub fn cover_named(
        &mut self,
        title: &str,
        spans: &[Range<usize>],
        tells: impl Fn(&str) -> bool,
    ) {
        let own = crate::resolver::Words::of(title);
        for grant in &mut self.grants {
            let GrantKind::Add { addition, covered } = &mut grant.kind else {
                continue;
            };
            let bytes = &grant.bytes;
            let within = |span: &Range<usize>| span.start < bytes.end && bytes.start < span.end;
            let mut words = crate::resolver::title_words(&addition.whole.title);
            words.retain(|word| !crate::resolver::opens(word));
            let named = !words.is_empty() && words.iter().all(|word| own.contains(word));
            if (named || tells(&addition.whole.title)) && spans.iter().any(within) {
                covered.fill(true);
            }
        }
    }

    /// Notes that the latest change was taken back: "bring gym back" orders no more of a task that was
    /// gone.
    pub fn cover_returned(&mut self) {
        for grant in &mut self.grants {
            if let GrantKind::Change { verb, parts, .. } = &mut grant.kind
                && *verb == Verb::Reopen
            {
                for part in parts.iter_mut() {
                    part.touched |= matches!(part.meaning, Meaning::Nothing { .. });
                }
            }
        }
    }

    /// Notes that words which were read as a deletion dismissed the latest change: "cancel that, mum found one".
    pub fn cover_dismissed(&mut self) {
        for grant in &mut self.grants {
            if let GrantKind::Change { verb, parts, .. } = &mut grant.kind
                && *verb == Verb::Delete
            {
                parts.iter_mut().for_each(|part| part.touched = true);
            }
        }
    }

    /// Notes that a task was completed by words that order its deletion as well: "cross it out".
    pub fn cover_crossed_out(&mut self, task: TaskId, spans: &[Range<usize>]) {
        self.cover_pronouns(Verb::Delete, spans);
        self.touch_within(spans, |verb, part| {
            verb == Verb::Delete && part.meaning == Meaning::One(task)
        });
    }

    /// Notes that words at these places took a value off a task: what was read there as its deletion, or
    /// as that of a thing of the value's name, was none; and as its completion neither, where `ends` tells
    /// that they order none.
    pub fn cover_taken_off(&mut self, task: TaskId, spans: &[Range<usize>], ends: bool) {
        self.touch_within(spans, |verb, part| {
            let value = match &part.meaning {
                Meaning::One(id) => *id == task,
                Meaning::Set(_) | Meaning::Unnamed => true,
                Meaning::Nothing { .. } => names_a_value(&part.words(Lang::En)),
                Meaning::Many(found) => found.iter().any(|found| found.id == task),
            };
            value && (verb == Verb::Delete || ends && verb == Verb::Complete)
        });
    }

    fn touch_within(&mut self, spans: &[Range<usize>], meant: impl Fn(Verb, &Part) -> bool) {
        for grant in &mut self.grants {
            let GrantKind::Change { verb, parts, .. } = &mut grant.kind else {
                continue;
            };
            let bytes = &grant.bytes;
            let within = |span: &Range<usize>| span.start < bytes.end && bytes.start < span.end;
            for part in parts.iter_mut().filter(|part| meant(*verb, part)) {
                part.touched |= spans.iter().any(within);
            }
        }
    }

    /// Notes that a task of that title was added, or asked about. What was read as a change of no task
    /// that there is, in words of that title, was none; a pronoun of an update means the new one.
    pub fn cover_addition(&mut self, title: &str) {
        self.cover_additions(title, true);
        let own = crate::resolver::Words::of(title);
        // Nothing was read as an addition: what was read of these words was another's.
        let unread = self.additions().next().is_none();
        for grant in &mut self.grants {
            let GrantKind::Change {
                verb,
                parts,
                values,
            } = &mut grant.kind
            else {
                continue;
            };
            // "turn groceries into milk and eggs": the new titles are tasks of their own.
            let parted = values.title.as_ref().is_some_and(|new| covers(title, new));
            for part in parts.iter_mut() {
                part.touched |= parted;
                let nothing = matches!(part.meaning, Meaning::Nothing { .. } | Meaning::Unnamed);
                part.touched |= (nothing || unread && part.target != Target::It)
                    && match &part.target {
                        Target::Named(words) => own.contains_all(words),
                        Target::It => *verb == Verb::Update,
                        _ => false,
                    };
            }
        }
    }

    /// Tells whether the words were read as an order to add this and nothing else.
    pub fn adds(&self, title: &str) -> bool {
        let own = crate::resolver::Words::of(title);
        self.additions().any(|addition| {
            let mut parts = addition_parts(addition).into_iter();
            parts.any(|part| own.contains_all(&part.title))
        })
    }

    /// Tells whether the words ask to add what they only describe: "what I need for pancakes".
    pub fn describes_additions(&self) -> bool {
        self.additions().any(|addition| addition.described)
    }

    fn additions(&self) -> impl Iterator<Item = &Addition> {
        self.grants.iter().filter_map(|grant| match &grant.kind {
            GrantKind::Add { addition, .. } => Some(addition),
            _ => None,
        })
    }

    /// Covers the additions that words name; a lone one, where `lone`, whatever they are.
    fn cover_additions(&mut self, words: &str, lone: bool) {
        let own = crate::resolver::Words::of(words);
        for grant in &mut self.grants {
            let GrantKind::Add { addition, covered } = &mut grant.kind else {
                continue;
            };
            let parts = addition_parts(addition);
            let lone = lone && parts.len() == 1;
            for (done, part) in covered.iter_mut().zip(&parts) {
                let mut words = crate::resolver::title_words(&part.title).into_iter();
                // "add a note: chapters 3 and 4" adds no "a".
                let noted = part
                    .description
                    .as_deref()
                    .is_some_and(|note| own.contains_all(note));
                *done |= lone || noted || words.any(|word| own.contains(&word));
            }
        }
    }
}

impl Licence {
    /// Place of the order that a plan carries out.
    pub fn bytes_of(&self, plan: &Plan) -> Option<Range<usize>> {
        let orders = |grant: &&Grant| match (&grant.kind, plan) {
            (GrantKind::Change { verb, parts, .. }, Plan::Change(change)) => {
                *verb == change.verb && parts.iter().any(|part| part.done.contains(&change.task))
            }
            (GrantKind::Add { covered, .. }, Plan::Add(_)) => covered.contains(&true),
            (GrantKind::Undo { .. }, Plan::Undo(_)) => true,
            _ => false,
        };
        let grant = self.grants.iter().find(orders)?;
        Some(grant.bytes.clone())
    }
}

impl Part {
    pub(super) fn need(
        &self,
        verb: Verb,
        values: &Values,
        situation: &Situation<'_>,
        speech: Lang,
    ) -> Need {
        match &self.meaning {
            Meaning::One(_) => Need::Call(tool_of(verb)),
            Meaning::Many(candidates) => Need::Which {
                verb,
                words: self.words(speech),
                candidates: candidates.clone(),
                values: values.clone(),
            },
            Meaning::Set(tasks) if tasks.is_empty() => Need::Absent {
                verb,
                words: self.kind_words(verb, speech),
                why: none_such(situation),
                nearest: Vec::new(),
            },
            Meaning::Set(tasks) => Need::All {
                verb,
                tasks: tasks.clone(),
                values: values.clone(),
            },
            Meaning::Nothing { why, nearest } => match (&self.target, why) {
                // "it" with nothing in focus names nothing: ask which is meant.
                (Target::It | Target::They { .. } | Target::Other, _)
                | (_, Missing::NoFocus | Missing::NothingShown)
                    if !situation.tasks.is_empty() =>
                {
                    self.unnamed(verb, values)
                }
                _ => {
                    let words = self.words(speech);
                    if talk::names_nothing(&words) && !situation.tasks.is_empty() {
                        return self.unnamed(verb, values);
                    }
                    Need::Absent {
                        verb,
                        words,
                        why: *why,
                        nearest: nearest.clone(),
                    }
                }
            },
            Meaning::Unnamed if situation.tasks.is_empty() => Need::Absent {
                verb,
                words: String::new(),
                why: Missing::EmptyList,
                nearest: Vec::new(),
            },
            Meaning::Unnamed => self.unnamed(verb, values),
        }
    }

    fn unnamed(&self, verb: Verb, values: &Values) -> Need {
        Need::Unnamed {
            verb,
            list: match &self.target {
                Target::Set(set) => set.list.clone(),
                _ => None,
            },
            values: values.clone(),
        }
    }
}
