//! May this be added, under this title, with these values?

use super::evidence::{DecisionRow, ProposedWhen, row};
use super::proposed::not_contradicted;
use super::titles::plain;
use super::{Judge, Verdict, deny, question, unlicensed};
use crate::domain::text::Text;
use crate::domain::{Priority, Task, Title, ToolError};
use crate::guard::evidence::{Deed, Evidence, Found, Ground, Wanted};
use crate::guard::licence::{Grant, GrantKind};
use crate::resolver::{Among, TaskList};
use crate::tools::{AddProposal, NewTask, Plan};
use crate::turn::Refusal;

impl Judge<'_> {
    /// Decides an addition that the words only point at, at these clauses: a title that was shown is
    /// taken over, and one of other words is put to the user.
    pub(super) fn add_of_shown(
        &mut self,
        evidence: &Evidence<'_>,
        proposal: &AddProposal,
        (at, whole): (Vec<usize>, bool),
    ) -> Verdict {
        let (title, due) = (&proposal.title, proposal.due);
        let ground = evidence.ground(&Wanted::deed(Deed::Add, &at));
        tracing::debug!(
            tool = "add_task",
            ?at,
            ?ground,
            whole,
            "evidence of what was shown"
        );
        self.licence.spans.extend(evidence.spans(&at));
        if ground == Ground::Forbidden {
            return unlicensed("add a task");
        }
        let mut plan = NewTask {
            title: title.clone(),
            description: None,
            priority: proposal
                .priority
                .filter(|level| !evidence.priority_at(*level, &at).is_empty())
                .unwrap_or_default(),
            due_date: None,
            due_time: None,
            repeat: None,
            remind: None,
        };
        let shown = due.filter(|day| {
            let allowed = self.due_rule.check(*day, self.situation.today).is_ok();
            allowed && evidence.was_shown_with_day(title.as_str(), *day)
        });
        let unsaid;
        let stood = |day| Ok((Some(day), false));
        match shown.map_or_else(|| self.new_day(evidence, (&at, &[]), due), stood) {
            Ok(found) => (plan.due_date, unsaid) = found,
            Err(error) => return Verdict::Fail(error),
        }
        // A day that was not shown is not left out unseen: it is asked about.
        let unseen = due.is_some() && plan.due_date.is_none();
        if unseen {
            self.dropped.pop();
            plan.due_date =
                due.filter(|day| self.due_rule.check(*day, self.situation.today).is_ok());
        }
        let told = (when(proposal), None);
        let unsure = self.new_times(evidence, (&at, &[]), &mut plan, told);
        self.licence.cover_addition(title.as_str());
        let supported = matches!(ground, Ground::Ordered | Ground::Told | Ground::Carried);
        let twin = self.pending_twin(title.as_str());
        let unsaid = unsaid || unsure;
        let runs = supported && whole && !unsaid && !unseen && twin.is_none();
        if runs {
            Verdict::Allow(Plan::Add(plan))
        } else {
            Verdict::Confirm(question::ask_add(vec![plan], self.speech))
        }
    }

    /// Decides an addition by the evidence of the words.
    pub(super) fn judge_addition(&mut self, proposal: &AddProposal) -> Verdict {
        let title = &proposal.title;
        let words = self.licence.words.clone();
        let text = Text::new(&words);
        let evidence = self.evidence(&text);
        // A title that is not the user's contradicts their order, where they gave one.
        let adds = |grant: &Grant| matches!(grant.kind, GrantKind::Add { .. });
        let wrong = if self.licence.grants.iter().any(adds) {
            Refusal::Contradiction
        } else {
            Refusal::Unlicensed
        };
        let found = evidence.title(title.as_str(), None);
        let is_plain = plain(title.as_str());
        let shown = || {
            let shown = evidence.shown_title(title.as_str());
            shown.filter(|shown| {
                is_plain || shown.1 && plain(&title.as_str().replace([':', ';'], ","))
            })
        };
        // "split chapter 2 into three", "add what I need for pancakes": the model says what, and the
        // user confirms.
        let left_to_the_model = || {
            let described = || self.licence.describes_additions();
            let at = evidence.splits(title.as_str());
            let split = at.is_some();
            let at = at.or_else(|| described().then(|| evidence.every_clause()));
            let plain = is_plain || split && plain(&title.as_str().replace(':', ","));
            at.filter(|_| plain).map(|at| (at, false))
        };
        if matches!(found, Found::Missing | Found::Scattered(_))
            && let Some(shown) = shown().or_else(left_to_the_model)
        {
            return self.add_of_shown(&evidence, proposal, shown);
        }
        let (run, scattered) = match self.said_title(&evidence, title, found) {
            Ok(said) => said,
            Err(why) => return deny(wrong, why),
        };
        let at = evidence.clauses_of(&run);
        let wanted = Wanted {
            title: &run,
            ..Wanted::deed(Deed::Add, &at)
        };
        let ground = match evidence.ground(&wanted) {
            Ground::None if evidence.accepts_addition(title.as_str()) => Ground::Carried,
            ground => ground,
        };
        tracing::debug!(tool = "add_task", ?at, ?ground, scattered, "evidence");
        let spans = evidence.spans(&at);
        self.licence.spans.extend(spans.iter().cloned());
        let row = row(Deed::Add, ground, true);
        let (plan, unsaid) = match self.new_task(&evidence, (&at, &run), proposal) {
            Ok((plan, unsaid)) => (plan, unsaid || scattered),
            Err(error) => return Verdict::Fail(error),
        };
        let row = match row {
            // "water the cactus", behind "add a task", and "write apples on my list": the words were
            // read as an order to add this.
            DecisionRow::AskUnless | DecisionRow::Open if self.licence.adds(title.as_str()) => {
                DecisionRow::Run
            }
            row => row,
        };
        let row = match row {
            DecisionRow::Run if unsaid => DecisionRow::Ask,
            row => row,
        };
        // A value that fails above spends nothing: the model may call again.
        if matches!(
            row,
            DecisionRow::Run | DecisionRow::Ask | DecisionRow::AskUnless
        ) && !self.licence.spend(&run)
        {
            return deny(
                Refusal::TooMany,
                "What these words ask for has been added already.",
            );
        }
        match row {
            DecisionRow::Refuse => deny(
                Refusal::Unlicensed,
                "The user's words do not ask to add this: they forbid it, ask about it, or quote somebody.",
            ),
            DecisionRow::Open => unlicensed("add a task"),
            DecisionRow::Run => {
                self.licence.cover_addition(title.as_str());
                self.licence.cover_written(title.as_str());
                self.licence.cover_clauses(&spans);
                if let Some(twin) = self.pending_twin(plan.title.as_str()) {
                    let asked = question::ask_double(plan, twin, self.speech);
                    return Verdict::Confirm(asked);
                }
                Verdict::Allow(Plan::Add(plan))
            }
            DecisionRow::Ask | DecisionRow::AskUnless => {
                self.licence.cover_addition(title.as_str());
                Verdict::Confirm(question::ask_add(vec![plan], self.speech))
            }
        }
    }

    /// Notes that a title was denied, where the words have a task split.
    pub(super) fn note_denied_part(&mut self) {
        let words = self.licence.words.clone();
        let text = Text::new(&words);
        let evidence = self.evidence(&text);
        self.licence.denied_part |= evidence.splits_a_task(&evidence.every_clause());
    }

    /// The words of a proposed title in the message, and whether they stand in another order.
    ///
    /// # Errors
    /// With what the model is told of a title that they do not support.
    fn said_title(
        &self,
        evidence: &Evidence<'_>,
        title: &Title,
        found: Found,
    ) -> Result<(Vec<usize>, bool), &'static str> {
        let (run, scattered) = match found {
            Found::InOrder(run) => (run, false),
            Found::Scattered(_) if title.as_str().contains(|c: char| c.is_ascii_digit()) => {
                return Err("The title puts the user's numbers in another order: keep theirs.");
            }
            Found::Scattered(run) => (run, true),
            Found::Missing if !evidence.is_spelt_alike(title.as_str(), "") => {
                return Err(
                    "The title has letters or signs that the user did not write: keep theirs.",
                );
            }
            Found::Missing => {
                return Err("The user did not say this title: add the words that they said.");
            }
        };
        if evidence.takes_in_another_order(&run) {
            return Err("The title takes in what the user orders besides: call the tool for that.");
        }
        if self.is_gone(title.as_str()) && !evidence.orders(Deed::Add) {
            return Err(
                "The user had this task deleted in this turn: their words do not ask for it again.",
            );
        }
        if !scattered && evidence.drops_a_negation(title.as_str(), &run) {
            return Err("The title leaves out a negation of the user's words: keep it.");
        }
        Ok((run, scattered))
    }

    /// The new task with the values that the words support, and whether one of them must be asked about.
    ///
    /// # Errors
    /// When the words name another value.
    fn new_task(
        &mut self,
        evidence: &Evidence<'_>,
        (at, run): (&[usize], &[usize]),
        proposal: &AddProposal,
    ) -> Result<(NewTask, bool), ToolError> {
        let due = proposal.due;
        let (due_date, mut unsaid) = self.new_day(evidence, (at, run), due)?;
        let mut plan = NewTask {
            title: proposal.title.clone(),
            description: None,
            priority: Priority::default(),
            due_date,
            due_time: None,
            repeat: None,
            remind: None,
        };
        let listed = proposal
            .repeat
            .as_ref()
            .is_some_and(|rule| !evidence.weekdays_at(rule).is_empty());
        if due.is_none()
            && !listed
            && let Some((day, clause)) = evidence.only_day(run)
            // "hand in the essay thursday study for maths": it is the other one's.
            && !self.licence.has_spent(&clause)
            && self.due_rule.check(day, self.situation.today).is_ok()
        {
            plan.due_date = Some(day);
        }
        let told = (when(proposal), evidence.only_repeat(run));
        unsaid |= self.new_times(evidence, (at, run), &mut plan, told);
        if let Some(priority) = proposal.priority {
            if !evidence.priority_at(priority, at).is_empty() {
                plan.priority = priority;
            } else if evidence.is_unread() {
                plan.priority = priority;
                unsaid |= priority != Priority::Medium;
            } else if priority != Priority::Medium {
                not_contradicted(evidence, at, priority)?;
                self.dropped.push("add_task.priority".to_owned());
            }
        }
        if let Some(note) = &proposal.description {
            if evidence.note(note, run) {
                plan.description = Some(note.clone());
            } else {
                self.dropped.push("add_task.description".to_owned());
            }
        }
        Ok((plan, unsaid))
    }

    /// Tells whether a task of this title was there when the turn began, and none is left.
    fn is_gone(&self, title: &str) -> bool {
        let titled = |tasks: &TaskList| !tasks.titled(title, Among::All).is_empty();
        self.standing.began.is_some_and(titled) && !titled(self.situation.tasks)
    }

    pub(super) fn pending_twin(&self, title: &str) -> Option<&Task> {
        let twins = self.situation.tasks.titled(title, Among::Pending);
        twins.first().copied()
    }
}

/// Day, time, repetition and reminder of a proposal.
const fn when(proposal: &AddProposal) -> ProposedWhen<'_> {
    (
        proposal.due,
        proposal.time,
        proposal.repeat.as_ref(),
        proposal.remind,
    )
}
