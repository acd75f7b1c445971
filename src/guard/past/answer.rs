//! The answer to a question about the past or the present, in lines that receipts and rows bear out.

use std::cmp::Ordering;

use chrono::NaiveDate;

use super::lines::{none_of, none_then, on_list, overtaken, stands, still_on_list, yes_no};
use super::question::{Asked, Aspect, Deed, Quantity, Question, QuestionPart};
use super::records::{Records, Subject, attests, ids, is_so, sets, turned};
use super::words::{may_name, points};
use super::{PastAnswer, PastContext, TOLD_MAX, latest_changes};
use crate::domain::text::fold;
use crate::domain::{Lang, Task, TaskId};
use crate::guard::lines::receipt_line;
use crate::guard::phrases::{all_quoted, quoted, title};
use crate::intent::Target;
use crate::locales::localized;
use crate::resolver::{Among, Reference, Resolution};
use crate::store::ReceiptEntry;
use crate::turn::SuccessProof;

/// Data that an answer is made of.
pub(super) struct Answering<'a> {
    pub records: &'a Records<'a>,
    pub context: PastContext<'a>,
}

/// Answer about one thing that was asked.
struct Said<'a> {
    /// True when it is so; none where that can't be told.
    yes: Option<bool>,
    /// Name of what it is said of.
    name: String,
    text: String,
    /// The text tells a receipt.
    receipt: bool,
    entries: Vec<&'a ReceiptEntry>,
}

impl Said<'_> {
    fn plain(yes: Option<bool>, name: String, text: String) -> Self {
        Self {
            yes,
            name,
            text,
            receipt: false,
            entries: Vec::new(),
        }
    }
}

impl<'a> Answering<'a> {
    fn speech(&self) -> Lang {
        self.context.speech
    }

    /// "what did you just do?": the changes of the latest turn that made any.
    pub fn latest(&self) -> PastAnswer {
        let changes = latest_changes(self.records.here());
        if changes.is_empty() {
            return only(localized!(self.speech(), "past-nothing"));
        }
        self.list(None, &changes)
    }

    pub fn did_that_work(&self) -> PastAnswer {
        let speech = self.speech();
        let changes = latest_changes(self.records.here());
        if self.context.frame.worked != Some(true) || changes.is_empty() {
            return only(localized!(speech, "past-no-effect"));
        }
        self.list(Some(localized!(speech, "past-yes")), &changes)
    }

    /// Lists what was done so, as far back as the question goes: of any change the latest turn.
    pub fn every(&self, deed: Deed, question: &Question) -> PastAnswer {
        let at_all = matches!(deed, Deed::Any | Deed::Update(Aspect::Any));
        if at_all && !question.of_all {
            return self.latest();
        }
        // "what did you change today?": an addition is a change of the list.
        let deed = if at_all { Deed::Any } else { deed };
        let found = self.done_on(deed, question.on);
        match (found.as_slice(), question.on) {
            ([], Some(on)) => only(none_then(on, self.speech())),
            ([], None) if at_all => only(localized!(self.speech(), "past-nothing")),
            ([], None) => only(none_of(deed, self.speech())),
            _ => self.list(None, &found),
        }
    }

    /// Tells of what was done so, as many as are asked for, oldest first.
    pub fn asked(&self, asked: Asked, question: &Question) -> PastAnswer {
        let deed = question.deed.unwrap_or(Deed::Any);
        let at_all = matches!(deed, Deed::Any | Deed::Update(Aspect::Any));
        if !question.parts.is_empty() {
            return self.known(question);
        }
        if asked == Asked::Which || at_all && asked == Asked::Last {
            return self.every(deed, question);
        }
        let found = self.done_on(deed, question.on);
        let count = found.len();
        let keep = match asked {
            Asked::HowMany | Asked::Which => 0..count,
            Asked::First => 0..count.min(1),
            Asked::Last => count.saturating_sub(1)..count,
        };
        let told = found.get(keep).unwrap_or_default();
        if told.is_empty() {
            return only(match question.on {
                Some(on) => none_then(on, self.speech()),
                None => none_of(deed, self.speech()),
            });
        }
        let counted = asked == Asked::HowMany;
        let head = counted.then(|| localized!(self.speech(), "past-counted", count = count));
        self.list(head, told)
    }

    fn is_of_day(&self, entry: &ReceiptEntry, on: Option<(NaiveDate, NaiveDate)>) -> bool {
        let day = self.records.day(entry.receipt.facts().at);
        on.is_none_or(|(from, to)| from <= day && day <= to)
    }

    /// Changes of this conversation, oldest first.
    fn done_on(&self, deed: Deed, on: Option<(NaiveDate, NaiveDate)>) -> Vec<&'a ReceiptEntry> {
        let of = |entry: &&ReceiptEntry| {
            attests(entry.receipt.facts(), deed) && self.is_of_day(entry, on)
        };
        let mut found: Vec<&ReceiptEntry> = self.records.here().filter(of).collect();
        found.reverse();
        found
    }

    /// The answer to a question with a yes or a no in it.
    pub fn did(&self, mut question: Question, target: &Target) -> PastAnswer {
        let counts = matches!(
            question.quantity,
            Some(Quantity::All | Quantity::Count(_) | Quantity::Some)
        );
        if question.parts.is_empty() && !counts {
            question.parts = self.spoken_of(&question, target);
        }
        let filtered = matches!(target, Target::Set(set) if set.completed.is_some()
            || set.due.is_some() || set.priority.is_some() || set.query.is_some() || set.list.is_some()
            || !set.without.is_empty());
        let deed = question.deed.unwrap_or(Deed::Any);
        match (question.parts.is_empty(), question.quantity, target) {
            (false, ..) if question.whole || self.is_pointed(&question, target) => {
                self.answer(&question)
            }
            (false, ..) => self.known(&question),
            (true, Some(Quantity::All), _) if question.whole && !filtered => self.all(&question),
            // "did you do both?": what was asked for, no receipt tells.
            (true, Some(Quantity::Count(count)), _) if question.whole && deed != Deed::Any => {
                self.counted(deed, count)
            }
            (true, None | Some(Quantity::It | Quantity::They), Target::Named(words))
                if is_strange(words, &question) =>
            {
                self.unknown(words, deed)
            }
            (true, Some(Quantity::It), _) | (true, None, Target::It | Target::Missing) => {
                self.any(deed)
            }
            (true, Some(Quantity::Some | Quantity::They), _) => self.any(deed),
            (true, None, Target::Named(words)) if may_name(words) => self.unknown(words, deed),
            (true, ..) => self.any(deed),
        }
    }

    fn is_pointed(&self, question: &Question, target: &Target) -> bool {
        let pointed = matches!(target, Target::It | Target::Other | Target::Position(_));
        pointed && (question.whole || question.deed.is_some())
    }

    /// The tasks that a pronoun or a place means.
    fn spoken_of(&self, question: &Question, target: &Target) -> Vec<QuestionPart> {
        let resolver = self.context.situation.resolver();
        let one = |found: Resolution| match found {
            Resolution::One(id) => Some(id),
            _ => None,
        };
        let named = |words: &str| Vec::from_iter(one(resolver.resolve(words, Among::All)));
        let pointed = |reference: &Reference<'_>| {
            // A task that is gone is in focus still.
            let focus = || match self.context.frame.focus.as_slice() {
                [id] => Some(*id),
                _ => None,
            };
            let found = resolver.resolve_reference(reference, Among::All);
            Vec::from_iter(one(found).or_else(focus))
        };
        let ids = match (target, question.quantity) {
            (Target::Named(words), _) if is_strange(words, question) => named(words),
            (Target::Position(place), _) => pointed(&Reference::Position(*place)),
            (Target::Other, _) => pointed(&Reference::Other),
            (Target::It, _) | (_, Some(Quantity::It)) => pointed(&Reference::It),
            (Target::They { count: None }, _) | (_, Some(Quantity::They)) => self.group(),
            (Target::Named(words), _) => named(words),
            _ => Vec::new(),
        };
        let deed = question.deed.unwrap_or(Deed::Any);
        let part = |id: TaskId| {
            let name = self.records.known.get(id)?.title.as_str().to_owned();
            let subject = Subject {
                ids: vec![id],
                name,
                whole: true,
            };
            Some(QuestionPart {
                deed,
                subject,
                value: question.value,
            })
        };
        ids.into_iter().filter_map(part).collect()
    }

    /// Returns what "them" means: the tasks of the latest turn, else those that were changed last.
    fn group(&self) -> Vec<TaskId> {
        let mut ids = self.context.frame.focus.clone();
        if ids.is_empty() {
            let changes = latest_changes(self.records.here());
            let of = changes.iter().filter_map(|e| e.receipt.facts().task_id);
            ids = of.collect();
        }
        ids.dedup();
        ids
    }

    fn answer(&self, question: &Question) -> PastAnswer {
        let said: Vec<Said<'a>> = question
            .parts
            .iter()
            .flat_map(|part| {
                if question.state {
                    self.is(part)
                } else {
                    vec![self.was(part, question.on)]
                }
            })
            .collect();
        self.told(&said, question.told)
    }

    /// Tells what is so, from the rows of a name.
    fn is(&self, part: &QuestionPart) -> Vec<Said<'a>> {
        let rows = self.records.rows(&part.subject);
        if part.deed == Deed::Delete || rows.is_empty() {
            return vec![self.is_gone(part, &rows)];
        }
        let speech = self.speech();
        let state = |row: &&'a Task| {
            let name = title(row.title.as_str());
            let (yes, text) = match (part.deed, part.value) {
                (Deed::Update(_) | Deed::Any, Some(value)) => {
                    (is_so(row, value), stands(row, value, speech))
                }
                _ => (row.status.is_completed(), self.standing(row)),
            };
            Said::plain(Some(yes), name, text)
        };
        rows.iter().map(state).collect()
    }

    /// Tells whether a task is done, and how it came to be open again.
    fn standing(&self, row: &Task) -> String {
        let (name, speech) = (title(row.title.as_str()), self.speech());
        if row.status.is_completed() {
            return localized!(speech, "past-is-done", name = name);
        }
        let mut about = self.records.about(&[row.id]);
        let turned = about.find(|entry| turned(entry.receipt.facts(), true));
        let time = turned.map(|entry| self.records.time(entry.receipt.facts().at, speech));
        match time {
            None => localized!(speech, "past-is-pending", name = name),
            Some(at) => localized!(speech, "past-is-reopened", name = name, when = at),
        }
    }

    fn is_gone(&self, part: &QuestionPart, rows: &[&'a Task]) -> Said<'a> {
        let name = title(&part.subject.name);
        let yes = (part.deed == Deed::Delete).then_some(rows.is_empty());
        if let Some(row) = rows.first() {
            return Said::plain(yes, name, on_list(row, self.speech()));
        }
        let mut gone = self.records.about(&part.subject.ids);
        let found = gone.find(|entry| entry.receipt.facts().after.is_none());
        self.receipt_said(yes, name, found)
    }

    fn receipt_said(
        &self,
        yes: Option<bool>,
        name: String,
        found: Option<&'a ReceiptEntry>,
    ) -> Said<'a> {
        let text = match found {
            Some(entry) => self.line(entry),
            None => {
                let name = quoted(&name);
                localized!(self.speech(), "past-nothing-on-record", name = name)
            }
        };
        Said {
            yes,
            name,
            text,
            receipt: found.is_some(),
            entries: found.into_iter().collect(),
        }
    }

    /// Tells what was done, from the receipts of a name.
    fn was(&self, part: &QuestionPart, on: Option<(NaiveDate, NaiveDate)>) -> Said<'a> {
        let about: Vec<&'a ReceiptEntry> = self.records.about(&part.subject.ids).collect();
        let fits = |entry: &&&'a ReceiptEntry| {
            let facts = entry.receipt.facts();
            attests(facts, part.deed)
                && part.value.is_none_or(|value| sets(facts, value))
                && self.is_of_day(entry, on)
        };
        let name = title(&part.subject.name);
        let found = about.iter().filter(fits);
        // Of several the latest that still stands, else the latest.
        let stands = found
            .clone()
            .find(|entry| self.records.overtaken(entry).is_none());
        if let Some(entry) = stands.or_else(|| found.clone().next()) {
            let mut said = self.receipt_said(Some(true), name, Some(entry));
            let left = self.records.rows(&part.subject);
            if let (Deed::Delete, Some(row)) = (part.deed, left.first())
                && entry.receipt.facts().task_id != Some(row.id)
            {
                let name = said.name.as_str();
                let another =
                    localized!(self.speech(), "past-another-on-list", name = quoted(name));
                said.text = self.and_then(&said.text, &another);
            }
            return said;
        }
        self.was_not(part, &about)
    }

    fn was_not(&self, part: &QuestionPart, about: &[&'a ReceiptEntry]) -> Said<'a> {
        let (name, speech) = (title(&part.subject.name), self.speech());
        let rows = self.records.rows(&part.subject);
        let alike = |entry: &&&'a ReceiptEntry| match part.deed {
            // Another value was set, or it was done on another day.
            deed @ Deed::Update(_) => attests(entry.receipt.facts(), deed),
            deed => attests(entry.receipt.facts(), deed) && entry.undone_by.is_none(),
        };
        if let Some(entry) = about.iter().find(alike) {
            let mut said = self.receipt_said(Some(false), name, Some(entry));
            said.receipt = false;
            said.text = self.last_change(&said.name, entry);
            return said;
        }
        let (yes, text) = match (part.deed, rows.first()) {
            (Deed::Complete, Some(row)) => (row.status.is_completed(), self.standing(row)),
            (Deed::Add, Some(row)) => (true, on_list(row, speech)),
            (Deed::Delete, Some(row)) => (false, still_on_list(row, speech)),
            _ => (
                false,
                localized!(speech, "past-not-that", name = quoted(&name)),
            ),
        };
        let mut said = Said::plain(Some(yes), name, text);
        let last = about.iter().find(|entry| self.records.is_here(entry));
        if let Some(entry) = last.filter(|_| !yes) {
            let change = self.last_change(&said.name, entry);
            said.text = format!("{} {change}", said.text);
            said.entries.push(entry);
        }
        said
    }

    /// Tells what is known of the tasks of a question that was not read whole.
    fn known(&self, question: &Question) -> PastAnswer {
        let said = question.parts.iter().flat_map(|part| {
            if question.state {
                return self.is(part);
            }
            let name = title(&part.subject.name);
            let known = |entry: &&'a ReceiptEntry| {
                self.records.is_here(entry) || !attests(entry.receipt.facts(), Deed::Add)
            };
            let last = self.records.about(&part.subject.ids).find(known);
            let mut said = self.receipt_said(None, name, last);
            let row = self.records.rows(&part.subject).first().copied();
            match (last, row) {
                (Some(entry), _) => said.text = self.last_change(&said.name, entry),
                (None, Some(row)) => said.text = on_list(row, self.speech()),
                (None, None) => {}
            }
            vec![said]
        });
        self.told(&said.collect::<Vec<_>>(), true)
    }

    fn last_change(&self, name: &str, entry: &ReceiptEntry) -> String {
        let (name, line) = (quoted(name), self.line(entry));
        localized!(self.speech(), "past-last-change", name = name, line = line)
    }

    /// "did you delete everything?", "is everything done?": the rows tell.
    fn all(&self, question: &Question) -> PastAnswer {
        let speech = self.speech();
        let deed = question.deed.unwrap_or(Deed::Any);
        let tasks = self.records.tasks;
        let total = tasks.len();
        let open = tasks.iter().filter(|t| !t.status.is_completed()).count();
        let (yes, text) = match deed {
            Deed::Delete if total == 0 => (true, localized!(speech, "past-list-empty")),
            Deed::Delete => (
                false,
                localized!(speech, "past-still-listed", count = total),
            ),
            Deed::Complete if total == 0 => return only(localized!(speech, "list-empty")),
            Deed::Complete => {
                let done = total - open;
                let text = localized!(speech, "past-done-of", done = done, count = total);
                (open == 0, text)
            }
            _ => return self.every(deed, &Question::default()),
        };
        let entries = match question.state {
            true => Vec::new(),
            false => self.done_on(deed, None),
        };
        let head = yes_no(yes, speech);
        self.list(Some(format!("{head}. {text}")), &entries)
    }

    /// "did you delete both?", "did you add three tasks?": so many receipts of it.
    fn counted(&self, deed: Deed, count: usize) -> PastAnswer {
        let speech = self.speech();
        let stands = |entry: &&ReceiptEntry| self.records.overtaken(entry).is_none();
        let all: Vec<&ReceiptEntry> = self
            .done_on(deed, None)
            .into_iter()
            .filter(stands)
            .collect();
        let turn = all.last().map(|entry| entry.receipt.facts().turn_id);
        let latest = all
            .iter()
            .filter(|e| Some(e.receipt.facts().turn_id) == turn);
        let latest: Vec<&ReceiptEntry> = latest.copied().collect();
        let of = if latest.len() == count { latest } else { all };
        if of.is_empty() {
            return self.none(deed);
        }
        let head = match of.len().cmp(&count) {
            Ordering::Equal => Some(localized!(speech, "past-yes")),
            Ordering::Less => Some(localized!(speech, "past-only", count = of.len())),
            // More of them than were asked about: which are meant can't be told.
            Ordering::Greater => None,
        };
        self.list(head, &of)
    }

    /// Of what nobody can tell: what of the kind was done in this conversation.
    fn any(&self, deed: Deed) -> PastAnswer {
        let found = self.done_on(deed, None);
        if found.is_empty() && matches!(deed, Deed::Update(Aspect::Any)) {
            // "did you change anything?": an addition is a change of the list.
            return self.latest();
        }
        match found.as_slice() {
            [] if deed == Deed::Update(Aspect::Reminder) => self.reminded(&Target::Missing),
            [] => self.none(deed),
            found => self.list(None, found),
        }
    }

    fn none(&self, deed: Deed) -> PastAnswer {
        let speech = self.speech();
        only(format!(
            "{}. {}",
            yes_no(false, speech),
            none_of(deed, speech)
        ))
    }

    /// Words that name no task that is, or that receipts tell of. Those cut out of the middle of such a
    /// title may mean it.
    fn unknown(&self, words: &str, deed: Deed) -> PastAnswer {
        let said = fold(words);
        // "it back"
        if points(&said) {
            return self.latest();
        }
        let mut known = self.records.known.iter();
        if known.any(|task| fold(task.title.as_str()).contains(&said)) {
            return self.any(deed);
        }
        if let Some(question) = Question::of_named(words, self.records, deed) {
            return self.known(&question);
        }
        let name = quoted(words);
        only(localized!(self.speech(), "past-unknown", name = name))
    }

    fn and_then(&self, before: &str, after: &str) -> String {
        localized!(
            self.speech(),
            "past-and-then",
            before = before,
            after = after
        )
    }

    /// A receipt's line, with its time and what came of it.
    fn line(&self, entry: &ReceiptEntry) -> String {
        let speech = self.speech();
        let line = receipt_line(SuccessProof::Receipt(&entry.receipt), speech);
        let at = self.records.time(entry.receipt.facts().at, self.speech());
        let mut about = localized!(speech, "past-at", when = at);
        if !self.records.is_here(entry) {
            about.push_str(&format!(", {}", localized!(speech, "past-elsewhere")));
        }
        if let Some((later, deed)) = self.records.overtaken(entry) {
            let facts = later.receipt.facts();
            let at = self.records.time(facts.at, speech);
            about = self.and_then(&about, &overtaken(deed, facts, &at, speech));
        }
        format!("{line} ({about})")
    }

    /// Lists them, of many the latest.
    fn list(&self, head: Option<String>, entries: &[&'a ReceiptEntry]) -> PastAnswer {
        let earlier = entries.len().saturating_sub(TOLD_MAX);
        let entries = entries.get(earlier..).unwrap_or_default();
        let lines = entries
            .iter()
            .map(|entry| match self.records.overtaken(entry) {
                Some(_) => self.line(entry),
                None => receipt_line(SuccessProof::Receipt(&entry.receipt), self.speech()),
            });
        PastAnswer {
            lines: head.into_iter().chain(lines).collect(),
            receipts: ids(entries.iter().copied()),
        }
    }

    /// Puts together what is said of each thing that was asked.
    fn told(&self, said: &[Said<'a>], plain: bool) -> PastAnswer {
        let speech = self.speech();
        let receipts = ids(said.iter().flat_map(|one| one.entries.iter().copied()));
        let texts = said.iter().map(|one| one.text.clone());
        let lines = match said {
            _ if plain || said.iter().any(|one| one.yes.is_none()) => texts.collect(),
            [one] => {
                let (answer, line) = (yes_no(one.yes == Some(true), speech), one.text.as_str());
                vec![match one.receipt {
                    true => localized!(speech, "past-receipt", answer = answer, line = line),
                    false => format!("{answer}. {line}"),
                }]
            }
            [first, ..] if said.iter().all(|one| one.yes == first.yes) => {
                let id = if first.yes == Some(true) {
                    "past-yes"
                } else {
                    "past-no"
                };
                head(localized!(speech, id), texts)
            }
            _ => {
                let names = |yes: bool| {
                    let of = said.iter().filter(|one| one.yes == Some(yes));
                    all_quoted(of.map(|one| one.name.as_str()))
                };
                let (yes, no) = (names(true), names(false));
                head(localized!(speech, "past-partly", yes = yes, no = no), texts)
            }
        };
        PastAnswer { lines, receipts }
    }
}

/// Tells whether words may be a title, and not all of them are the question's: in "hai eliminato la
/// barca?" the article is no pronoun.
fn is_strange(words: &str, question: &Question) -> bool {
    !question.read && may_name(words)
}

fn head(first: String, texts: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(first).chain(texts).collect()
}

fn only(line: String) -> PastAnswer {
    PastAnswer {
        lines: vec![line],
        receipts: Vec::new(),
    }
}
