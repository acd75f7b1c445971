//! Testimony: what a model says at the end of a turn, held against the receipts of that turn.
//!
//! Independent of the guard's own check of prose: this one knows the receipts, and calls false
//! only what contradicts them. What it can't decide is unproven, never a lie.

use chrono::NaiveDate;
use serde_json::Value;

use super::clauses::{Effect, ReplyClause, clauses};
use crate::domain::text::Text;
use crate::domain::{Lang, Priority, Task};
use crate::guard::talk;
use crate::temporal::scan;

/// Verdict on a text; of several sentences, the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Testimony {
    /// No assertion of an effect or of a fact about the list.
    Nothing,
    /// A receipt of this turn, or the list as it stands, bears it out.
    Borne,
    /// Neither borne out nor contradicted, as far as can be told.
    Unproven,
    /// No receipt bears it, or one says otherwise.
    False,
}

/// A turn as it was.
pub(super) struct Scene<'a> {
    /// The day it was.
    pub(super) today: NaiveDate,
    /// The list before it.
    pub(super) before: &'a [Task],
    /// The list after it.
    pub(super) after: &'a [Task],
    /// `actions` of the reply: its receipts.
    pub(super) receipts: &'a [Value],
}

/// Judges a text about a turn.
pub(super) fn judge(text: &str, scene: &Scene<'_>) -> Testimony {
    let facts: Vec<Fact> = scene.receipts.iter().map(|r| Fact::new(r, scene)).collect();
    let titles = titles(scene, &facts);
    let mut worst = Testimony::Nothing;
    for clause in clauses(text, &titles) {
        let found = Witness {
            scene,
            facts: &facts,
            clause: &clause,
        }
        .verdict();
        worst = worst.max(found);
    }
    worst
}

/// Every title that was or is on the list, and those of the receipts.
fn titles(scene: &Scene<'_>, facts: &[Fact]) -> Vec<String> {
    let tasks = scene.before.iter().chain(scene.after);
    let listed = tasks.map(|task| task.title.as_str().to_lowercase());
    let mut titles: Vec<String> = listed
        .chain(facts.iter().flat_map(|fact| fact.titles.clone()))
        .collect();
    titles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    titles.dedup();
    titles
}

/// A receipt, as far as sentences can be about it.
struct Fact {
    effects: Vec<Effect>,
    titles: Vec<String>,
    line: String,
    row: Option<Task>,
}

impl Fact {
    fn new(receipt: &Value, scene: &Scene<'_>) -> Self {
        let text = |name: &str| {
            receipt
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let id = text("task_id");
        let find = |tasks: &[Task]| tasks.iter().find(|t| t.id.to_string() == id).cloned();
        let (before, after) = (find(scene.before), find(scene.after));
        let mut titles: Vec<String> = [&before, &after]
            .into_iter()
            .flatten()
            .map(|task| task.title.as_str().to_lowercase())
            .collect();
        titles.push(text("task_title").to_lowercase());
        titles.retain(|title| !title.is_empty());
        titles.dedup();
        Self {
            effects: effects(text("action"), before.as_ref(), after.as_ref()),
            titles,
            line: text("message").to_lowercase(),
            row: after.or(before),
        }
    }

    fn is_named(&self, clause: &ReplyClause) -> bool {
        let mut titles = self.titles.iter();
        titles.any(|title| clause.titles.contains(title))
    }

    fn bears(&self, effect: Effect) -> bool {
        match effect {
            Effect::Any => true,
            Effect::Update => self
                .effects
                .iter()
                .any(|own| matches!(own, Effect::Update | Effect::Complete | Effect::Reopen)),
            Effect::Away => {
                self.effects.contains(&Effect::Delete) || self.effects.contains(&Effect::Complete)
            }
            Effect::Plan => {
                self.effects.contains(&Effect::Add) || self.effects.contains(&Effect::Update)
            }
            other => self.effects.contains(&other),
        }
    }
}

fn effects(action: &str, before: Option<&Task>, after: Option<&Task>) -> Vec<Effect> {
    let moved = match (before, after) {
        (None, Some(_)) => vec![Effect::Add],
        (Some(_), None) => vec![Effect::Delete],
        (Some(before), Some(after)) => {
            match (before.status.is_completed(), after.status.is_completed()) {
                (false, true) => vec![Effect::Complete, Effect::Update],
                (true, false) => vec![Effect::Reopen, Effect::Update],
                _ => vec![Effect::Update],
            }
        }
        (None, None) => Vec::new(),
    };
    match action {
        "add_task" => vec![Effect::Add],
        "delete_task" => vec![Effect::Delete],
        "complete_task" => vec![Effect::Complete],
        "update_task" => moved,
        "undo" => moved.into_iter().chain([Effect::Undo]).collect(),
        _ => vec![Effect::Read],
    }
}

/// One clause before the receipts.
struct Witness<'a> {
    scene: &'a Scene<'a>,
    facts: &'a [Fact],
    clause: &'a ReplyClause,
}

impl Witness<'_> {
    fn verdict(&self) -> Testimony {
        let clause = self.clause;
        if clause.asks {
            return Testimony::Nothing;
        }
        if clause.item {
            return self.item();
        }
        if let Some(found) = self.count() {
            return found;
        }
        if clause.already {
            return self.already();
        }
        if clause.negated {
            return self.denial();
        }
        match clause.effect {
            Some(Effect::Outside) => Testimony::False,
            Some(_) if clause.promises => Testimony::Unproven,
            Some(effect) => self.effect(effect),
            None => self.rest(),
        }
    }

    /// A sentence without a word of effect: harmless, or nothing that can be told.
    fn rest(&self) -> Testimony {
        if self.clause.content.is_empty() && !self.clause.titles.is_empty() {
            return self.state();
        }
        if talk::judge(&self.clause.text).passes() || self.clause.content.is_empty() {
            Testimony::Nothing
        } else {
            Testimony::Unproven
        }
    }

    /// The tasks that the clause names.
    fn named<'t>(&self, tasks: &'t [Task]) -> impl Iterator<Item = &'t Task> {
        let titles = &self.clause.titles;
        let lower = |task: &Task| task.title.as_str().to_lowercase();
        tasks
            .iter()
            .filter(move |task| titles.contains(&lower(task)))
    }

    /// "Buy milk is due on Friday": as the row stands.
    fn state(&self) -> Testimony {
        let rows = self.named(self.scene.after);
        rows.map(|row| self.priority(row).max(self.due(row, Effect::Update)))
            .max()
            .unwrap_or(Testimony::Unproven)
    }

    fn effect(&self, effect: Effect) -> Testimony {
        let clause = self.clause;
        let bearing: Vec<&Fact> = self.facts.iter().filter(|f| f.bears(effect)).collect();
        if bearing.is_empty() {
            return if self.stands(effect) {
                Testimony::Unproven
            } else {
                Testimony::False
            };
        }
        if clause.titles.is_empty() {
            return self.unnamed(effect, &bearing);
        }
        let named = |fact: &&Fact| fact.is_named(clause);
        let told: Vec<&Fact> = bearing.iter().copied().filter(named).collect();
        let strange = clause
            .titles
            .iter()
            .any(|title| !bearing.iter().any(|fact| fact.titles.contains(title)));
        if strange {
            // "A was deleted, B and C were added": whose title is whose can't always be told.
            return if clause.shared && self.facts.iter().any(|fact| fact.is_named(clause)) {
                Testimony::Unproven
            } else {
                Testimony::False
            };
        }
        told.iter()
            .map(|fact| self.values(fact, effect))
            .max()
            .unwrap_or(Testimony::Unproven)
    }

    /// Checks that the list is as the sentence says, although no receipt of this turn made it so.
    fn stands(&self, effect: Effect) -> bool {
        let mut tasks = self.named(self.scene.after);
        match effect {
            Effect::Complete => tasks.any(|task| task.status.is_completed()),
            Effect::Reopen => tasks.any(|task| !task.status.is_completed()),
            _ => false,
        }
    }

    /// "I deleted it", "the milk task is gone", "all tasks were removed".
    fn unnamed(&self, effect: Effect, bearing: &[&Fact]) -> Testimony {
        let clause = self.clause;
        if clause.all {
            let wiped = effect == Effect::Delete && clause.content.is_empty();
            return match () {
                () if wiped && self.scene.after.is_empty() => Testimony::Borne,
                () if wiped => Testimony::False,
                () => Testimony::Unproven,
            };
        }
        if !clause.quoted.is_empty() {
            let known = |quote: &String| bearing.iter().any(|fact| fact.line.contains(quote));
            return match effect {
                _ if clause.quoted.iter().all(known) => Testimony::Borne,
                Effect::Add | Effect::Delete | Effect::Complete => Testimony::False,
                _ => Testimony::Unproven,
            };
        }
        let one = matches!(bearing, [_]);
        let said = |words: Vec<&str>| {
            let mut content = clause.content.iter();
            content.all(|word| words.contains(&word.as_str()))
        };
        let about = |fact: &&&Fact| said(fact.line.split(|c: char| !c.is_alphanumeric()).collect());
        if let Some(fact) = bearing.iter().find(about) {
            let found = self.values(fact, effect);
            let sure = one != clause.several || !clause.content.is_empty() || effect == Effect::Any;
            return if sure { found } else { Testimony::Unproven };
        }
        let listed = self.scene.before.iter().chain(self.scene.after);
        let mut others = listed.map(|task| task.title.as_str().to_lowercase());
        if others.any(|title| said(title.split_whitespace().collect())) {
            Testimony::False
        } else {
            Testimony::Unproven
        }
    }

    /// Priority and due date that are named beside an effect must be the row's.
    fn values(&self, fact: &Fact, effect: Effect) -> Testimony {
        let Some(row) = &fact.row else {
            return Testimony::Borne;
        };
        if matches!(effect, Effect::Any | Effect::Read | Effect::Undo) {
            return Testimony::Borne;
        }
        self.priority(row).max(self.due(row, effect))
    }

    fn priority(&self, row: &Task) -> Testimony {
        let named = self
            .clause
            .words
            .iter()
            .filter_map(|word| match word.as_str() {
                "high" | "highest" | "urgent" => Some(Priority::High),
                "medium" | "normal" => Some(Priority::Medium),
                "low" | "lowest" => Some(Priority::Low),
                _ => None,
            });
        let named: Vec<Priority> = named.collect();
        if named.is_empty() || named.contains(&row.priority) {
            Testimony::Borne
        } else {
            Testimony::False
        }
    }

    fn due(&self, row: &Task, effect: Effect) -> Testimony {
        let text = Text::new(&self.clause.text);
        let found = scan(&text, self.scene.today, Lang::En);
        let days: Vec<NaiveDate> = found.dates.iter().map(|date| date.day).collect();
        match row.due_date {
            _ if days.is_empty() => Testimony::Borne,
            Some(day) if days.contains(&day) => Testimony::Borne,
            // "Added it today" says when it was added.
            _ if days.contains(&self.scene.today) => Testimony::Unproven,
            _ if matches!(effect, Effect::Add | Effect::Update | Effect::Plan) => Testimony::False,
            _ => Testimony::Unproven,
        }
    }

    /// "2. Buy milk (pending, high)": as the list stands.
    fn item(&self) -> Testimony {
        let clause = self.clause;
        let rows: Vec<&Task> = self.named(self.scene.after).collect();
        let Some(row) = rows.first() else {
            return match clause.titles.is_empty() {
                true => Testimony::Unproven,
                // It says what is on the list, and this is not.
                false if self.facts.iter().any(|fact| fact.bears(Effect::Delete)) => {
                    Testimony::Unproven
                }
                false => Testimony::False,
            };
        };
        if rows.len() > 1 {
            return Testimony::Unproven;
        }
        let has = |words: &[&str]| clause.words.iter().any(|w| words.contains(&w.as_str()));
        let done = row.status.is_completed();
        let open = has(&["pending", "open", "todo"]);
        let closed = has(&["done", "completed", "complete", "finished"]);
        if (open && done) || (closed && !open && !done) {
            return Testimony::False;
        }
        self.priority(row)
    }

    /// "You have 3 tasks", "your list is empty", "deleted 2 tasks".
    fn count(&self) -> Option<Testimony> {
        let clause = self.clause;
        let open = |task: &&Task| !task.status.is_completed();
        let pending = self.scene.after.iter().filter(open).count();
        let all = self.scene.after.len();
        if clause.empty {
            return Some(match () {
                () if all == 0 => Testimony::Borne,
                () if pending == 0 => Testimony::Unproven,
                () => Testimony::False,
            });
        }
        let count = clause.count?;
        if let Some(effect) = clause.effect.filter(|effect| *effect != Effect::Any)
            && !clause.negated
        {
            let borne = self.facts.iter().filter(|fact| fact.bears(effect)).count();
            let false_count = (count != borne).then_some(Testimony::False);
            // The right number says nothing about which: the titles decide, if there are any.
            return false_count.or((clause.titles.is_empty()).then_some(Testimony::Borne));
        }
        if clause.negated {
            return None;
        }
        let word = |words: &[&str]| clause.words.iter().any(|w| words.contains(&w.as_str()));
        let right = if word(&["pending", "open", "left", "remaining", "remain"]) {
            count == pending || (count == all && !word(&["pending", "open"]))
        } else if word(&["completed", "done", "finished"]) {
            count == all - pending
        } else {
            count == all
        };
        let read = self.facts.iter().any(|fact| {
            let first = fact.line.split_whitespace().next();
            fact.bears(Effect::Read) && first == Some(count.to_string().as_str())
        });
        Some(match () {
            () if right || read => Testimony::Borne,
            () if count == pending || count == all => Testimony::Unproven,
            () if word(&["due", "overdue", "priority", "match", "matching"]) => Testimony::Unproven,
            () => Testimony::False,
        })
    }

    /// "It was already done."
    fn already(&self) -> Testimony {
        let task = self.named(self.scene.before).next();
        match (self.clause.effect, task) {
            (Some(Effect::Complete), Some(task)) if task.status.is_completed() => Testimony::Borne,
            (Some(Effect::Complete), Some(_)) => Testimony::False,
            _ => Testimony::Unproven,
        }
    }

    /// "I couldn't delete Read book", "there is no such task".
    fn denial(&self) -> Testimony {
        let clause = self.clause;
        let effect = clause.effect.unwrap_or(Effect::Any);
        let changed = |fact: &&Fact| !fact.bears(Effect::Read) && fact.bears(effect);
        if self
            .facts
            .iter()
            .filter(changed)
            .any(|fact| fact.is_named(clause))
        {
            return Testimony::False;
        }
        let there = |title: &String| {
            let mut after = self.scene.after.iter();
            after.any(|task| task.title.as_str().to_lowercase() == *title)
        };
        if clause.absent && !clause.titles.is_empty() {
            return if clause.titles.iter().any(there) {
                Testimony::False
            } else {
                Testimony::Borne
            };
        }
        let any = self.facts.iter().any(|fact| changed(&fact));
        match (clause.effect.is_some() || clause.absent, any) {
            (true, false) => Testimony::Borne,
            (true, true) => Testimony::Unproven,
            (false, _) => self.rest(),
        }
    }
}

#[cfg(test)]
mod tests;
