//! May this be added, under this title, with these values?

use super::evidence::{Decision, ProposedWhen};
use super::titles::{keeps, plain, said_by_user, takes_up};
use super::{Judge, Verdict, deny, question, unlicensed};
use crate::domain::text::Text;
use crate::domain::{Priority, Task, Title};
use crate::guard::evidence::{Deed, Evidence, Found, Ground, Wanted};
use crate::guard::licence::{Grant, GrantKind, addition_parts};
use crate::guard::values::{self, Calendar};
use crate::intent::Addition;
use crate::resolver::{Among, Words};
use crate::tools::{AddPlan, AddProposal, Plan};
use crate::turn::Refusal;

impl Judge<'_> {
    /// Decides an addition that the words only point at, at these clauses: a title that was shown is
    /// taken over, and one of other words is put to the user.
    pub(super) fn add_of_shown(
        &mut self,
        evidence: &Evidence<'_>,
        title: &Title,
        (at, whole): (Vec<usize>, bool),
        (due, time, repeat, remind): ProposedWhen<'_>,
        priority: Option<Priority>,
    ) -> Decision {
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
            return Decision::Open;
        }
        let mut plan = AddPlan {
            title: title.clone(),
            description: None,
            priority: priority
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
            Err(error) => return Decision::Settled(Verdict::Fail(error)),
        }
        // A day that was not shown is not left out unseen: it is asked about.
        let unseen = due.is_some() && plan.due_date.is_none();
        if unseen {
            self.dropped.pop();
            plan.due_date =
                due.filter(|day| self.due_rule.check(*day, self.situation.today).is_ok());
        }
        let told = ((due, time, repeat, remind), None);
        let unsure = self.new_times(evidence, (&at, &[]), &mut plan, told);
        self.licence.cover_addition(title.as_str());
        let supported = matches!(ground, Ground::Ordered | Ground::Told | Ground::Carried);
        let twin = self.pending_twin(title.as_str());
        let unsaid = unsaid || unsure;
        let runs = supported && whole && !unsaid && !unseen && twin.is_none();
        Decision::Settled(if runs {
            Verdict::Allow(Plan::Add(plan))
        } else {
            Verdict::Confirm(question::ask_add(vec![plan], self.speech))
        })
    }

    pub(super) fn add(&mut self, proposal: AddProposal) -> Verdict {
        let AddProposal {
            title,
            description,
            priority,
            due,
            time,
            repeat,
            remind,
        } = proposal;
        let adds = self.licence.grants.iter().enumerate();
        let open = adds.filter_map(|(index, grant)| match &grant.kind {
            GrantKind::Add { addition, covered } => {
                Some((index, pick_part(addition, covered, title.as_str())?))
            }
            _ => None,
        });
        // The addition whose own words the title takes up, else the first that is still open.
        let Some((index, picked)) = open.min_by_key(|(_, picked)| !picked.named) else {
            let any = |grant: &Grant| matches!(grant.kind, GrantKind::Add { .. });
            if self.licence.grants.iter().any(any) {
                return deny(
                    Refusal::TooMany,
                    "Everything the user asked to add has been added already.",
                );
            }
            return unlicensed("add a task");
        };
        let clause = self.licence.clause_words(index).to_owned();
        let Some(Grant {
            kind: GrantKind::Add { addition, covered },
            ..
        }) = self.licence.grants.get_mut(index)
        else {
            return unlicensed("add a task");
        };
        let part = addition_parts(addition).get(picked.part).copied().cloned();
        let wanted = part.unwrap_or_default();
        // What all parts share stands in each of them: a day of one is not the others'.
        let valued = if covered.len() > 1 {
            &wanted
        } else {
            &addition.whole
        };
        let wanted_due = valued.due.clone();
        let wanted_repeat = valued.repeat.clone();
        let wanted_priority = valued.priority;
        let described = addition.described;
        let words = format!("{clause}\n{}", addition.whole.title);
        let calendar = Calendar {
            today: self.situation.today,
            rule: self.due_rule,
            words: &words,
            lang: self.lang,
        };
        let settled_due = match calendar.due(wanted_due.as_ref(), due.map(Some), None) {
            Ok(settled) => settled,
            Err(error) => return Verdict::Fail(error),
        };
        let settled_priority = match values::priority(wanted_priority, priority) {
            Ok(settled) => settled,
            Err(error) => return Verdict::Fail(error),
        };
        let note = wanted.description.as_deref();
        let settled_note = values::description(note, description.as_deref(), &words);
        let said = said_by_user(title.as_str(), &words)
            && keeps(title.as_str(), &words, &wanted.title)
            && !described;
        if !said && !plain(title.as_str()) {
            return deny(
                Refusal::Contradiction,
                "A title the user did not say must be a few plain words.",
            );
        }
        // Another wording is asked about where most of it is the user's; other words never are.
        if !said && !described && !takes_up(title.as_str(), &wanted.title) {
            return deny(
                Refusal::Unlicensed,
                "The user did not say this title: add the words that they said.",
            );
        }
        for part in &picked.covers {
            if let Some(done) = covered.get_mut(*part) {
                *done = true;
            }
        }
        let due_date = settled_due
            .noted("add_task.due_date", self.dropped)
            .flatten();
        let time = time.or(wanted.time);
        let mut plan = AddPlan {
            due_date,
            due_time: None,
            repeat: None,
            priority: settled_priority
                .noted("add_task.priority", self.dropped)
                .unwrap_or_default(),
            description: settled_note.noted("add_task.description", self.dropped),
            remind: None,
            title,
        };
        let all = self.licence.words.clone();
        let text = Text::new(&all);
        let evidence = self.evidence(&text);
        let named = match evidence.title(plan.title.as_str(), None) {
            Found::InOrder(run) | Found::Scattered(run) => run,
            Found::Missing => Vec::new(),
        };
        let told = ((None, time, repeat.as_ref(), remind), wanted_repeat);
        let at = evidence.clauses_of(&named);
        let unsure = self.new_times(&evidence, (&at, &named), &mut plan, told);
        if !said || unsure {
            return Verdict::Confirm(question::ask_add(vec![plan], self.speech));
        }
        if let Some(twin) = self.pending_twin(plan.title.as_str()) {
            return Verdict::Confirm(question::ask_double(plan, twin, self.speech));
        }
        Verdict::Allow(Plan::Add(plan))
    }

    pub(super) fn pending_twin(&self, title: &str) -> Option<&Task> {
        let twins = self.situation.tasks.titled(title, Among::Pending);
        twins.first().copied()
    }
}

/// The part of an addition that a title takes up.
struct Picked {
    part: usize,
    covers: Vec<usize>,
    named: bool,
}

fn pick_part(addition: &Addition, covered: &[bool], title: &str) -> Option<Picked> {
    if addition.described {
        // "what I need for pancakes": how many is the model's to say, and the user's to confirm.
        return Some(Picked {
            part: 0,
            covers: (0..covered.len()).collect(),
            named: false,
        });
    }
    let said = Words::of(title);
    let parts = addition_parts(addition);
    let open = |index: usize| covered.get(index).is_some_and(|done| !done);
    let taken: Vec<usize> = parts
        .iter()
        .enumerate()
        .filter(|(index, part)| {
            let named = !part.title.trim().is_empty();
            open(*index)
                && named
                && (said.contains_all(&part.title) || Words::of(&part.title).contains_all(title))
        })
        .map(|(index, _)| index)
        .collect();
    if let Some(first) = taken.first() {
        return Some(Picked {
            part: *first,
            covers: taken,
            named: true,
        });
    }
    let first = (0..parts.len()).find(|index| open(*index))?;
    Some(Picked {
        part: first,
        covers: vec![first],
        named: false,
    })
}
