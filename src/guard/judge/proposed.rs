//! The values of a proposal against the words: what they support is kept, the rest left out or put
//! right.

use chrono::NaiveDate;

use super::Judge;
use super::titles::plain;
use crate::domain::{Cause, Details, ErrorType, Priority, Task, Title, ToolError};
use crate::guard::evidence::{Cue, Days, Deed, Evidence, Found, Ground, Wanted};
use crate::guard::values;
use crate::intent::Verb;
use crate::tools::{NewValues, PlannedValues};

impl Judge<'_> {
    /// Notes what else was read in the words that a change is grounded in, and is none of its own.
    pub(super) fn cover_read(
        &mut self,
        evidence: &Evidence<'_>,
        wanted: &Wanted<'_>,
        (verb, ground): (Verb, Ground),
        (named, taken_out): (bool, bool),
    ) {
        let Some(task) = wanted.task else { return };
        let (update, done) = (verb == Verb::Update, verb == Verb::Complete);
        let licensed = matches!(ground, Ground::Ordered | Ground::Told);
        let at = evidence.spans(wanted.at);
        if taken_out {
            // "remove Sarah from Picnic with Sarah" deletes nothing.
            self.licence.cover(Verb::Delete, task.id);
        }
        if ground == Ground::Told {
            // What was read in these words as a change of no task that there is was none.
            self.licence.cover_clauses(&at);
        }
        if licensed && update {
            let title = task.title.as_str();
            let tells = |words: &str| evidence.says_values_of(words, title);
            self.licence.cover_named(title, &at, tells);
        }
        if licensed && wanted.clears {
            let spans = evidence.spans(wanted.values);
            let ends = evidence.completes_nothing(wanted.values);
            self.licence.cover_taken_off(task.id, &spans, ends);
        }
        if licensed && done {
            let spans = evidence.spans(&evidence.crossing_out());
            self.licence.cover_crossed_out(task.id, &spans);
        }
        if update && ground != Ground::None {
            // "scratch that, tuesday" deletes nothing.
            let spans = evidence.spans(&evidence.correcting());
            self.licence.cover_pronouns(Verb::Delete, &spans);
        }
        if ground == Ground::Ordered && named {
            let spans = evidence.spans(&evidence.reach(wanted.deed, wanted.at));
            self.licence.cover_pronouns(verb, &spans);
        }
    }

    /// The values that the words support, the clauses in which they stand by themselves, and
    /// whether one was left to the model.
    pub(super) fn values_by_evidence(
        &mut self,
        evidence: &Evidence<'_>,
        task: &Task,
        at: &[usize],
        proposed: &NewValues,
    ) -> Result<(PlannedValues, Vec<usize>, bool), ToolError> {
        let mut values = PlannedValues::default();
        let (mut valued, mut unsaid) = (Vec::new(), false);
        match proposed.due {
            None => {}
            Some(None) => {
                let clearing = evidence.clearing_at(at, Cue::DateName);
                if clearing.is_empty() {
                    self.dropped.push("update_task.due_date".to_owned());
                } else {
                    values.due_date = Some(None);
                    valued.extend(clearing);
                }
            }
            Some(Some(day)) => {
                let title = proposed.title.as_ref().map(Title::as_str);
                let reach = evidence.reach(Deed::Update, at);
                let days = evidence.days(Some(task), &reach, title);
                // What a model repeats of the task as it is is no value of the words.
                let repeated = task.due_date == Some(day)
                    && days.supporting(day).is_some_and(|at| at.is_empty());
                if !repeated
                    && let Some(at) =
                        self.day_by_evidence(evidence, &days, day, "update_task.due_date")?
                {
                    unsaid |= days.supporting(day).is_none() || days.is_doubtful(day);
                    values.due_date = Some(Some(day));
                    valued.extend(at);
                    // "no longer due on Friday": the day stands there to be taken away.
                    unsaid |= evidence.clears();
                    // "move it to this week", of what is in it or behind it
                    match (evidence.present_stretch(day), task.due_date) {
                        (Some((first, last)), Some(due)) if first <= due && due <= last => {
                            values.due_date = Some(Some(due));
                        }
                        (Some(_), Some(due)) => unsaid |= day < due,
                        _ => {}
                    }
                }
            }
        }
        if let Some(repeat) = &proposed.repeat {
            let found = match repeat {
                Some(rule) => evidence.repeat_at(rule, at),
                None => evidence.ending_at(),
            };
            if found.is_empty() {
                if repeat.is_some()
                    && let Some(said) = evidence.impossible_repeat()
                {
                    return Err(no_such_repetition(said));
                }
                self.dropped.push("update_task.repeat".to_owned());
            } else {
                values.repeat = Some(repeat.clone());
                valued.extend(found);
            }
        }
        if proposed.time == Some(None) {
            let clearing = evidence.clearing_at(at, Cue::TimeName);
            if clearing.is_empty() {
                self.dropped.push("update_task.due_time".to_owned());
            } else {
                values.due_time = Some(None);
                valued.extend(clearing);
            }
        } else {
            let first = values.repeat.iter().flatten().next();
            let first = first.and_then(|rule| rule.first(self.situation.today));
            // A rule gives the day where there is none.
            let mut day = values.due_date.or(first.map(Some));
            let left_out = proposed.due.flatten().filter(|_| day.is_none());
            let strays = self.strays(left_out, task.due_date);
            let time = proposed.time.flatten().filter(|_| !strays);
            if proposed.time.is_some() && time.is_none() {
                self.dropped.push("update_task.due_time".to_owned());
            }
            if let Some((time, at, far)) = self.changed_time(evidence, (task, at), time, &mut day) {
                values.due_time = Some(Some(time));
                values.due_date = day.filter(|_| first.is_none()).or(values.due_date);
                valued.extend(at);
                unsaid |= far;
            }
        }
        // "change bins to tuesdays": a day that the new rule does not have is over.
        if let Some(Some(rule)) = &values.repeat
            && values.due_date.is_none()
            && task
                .due_date
                .is_some_and(|due| rule.first(due) != Some(due))
        {
            values.due_date = rule.first(self.situation.today).map(Some);
        }
        if let Some(priority) = proposed.priority {
            // A model fills in "medium" beside what it means to change.
            let alone = *proposed
                == NewValues {
                    priority: Some(priority),
                    ..NewValues::default()
                };
            let mut found = evidence.priority_at(priority, at);
            // "remove the priority of it"
            if priority == Priority::Medium && found.is_empty() {
                found = evidence.takes_off(Cue::LevelName);
            }
            if !found.is_empty() {
                values.priority = Some(priority);
                valued.extend(found);
            } else if evidence.is_unread() && (priority != Priority::Medium || alone) {
                values.priority = Some(priority);
                unsaid = true;
            } else if priority != Priority::Medium {
                not_contradicted(evidence, at, priority)?;
                self.dropped.push("update_task.priority".to_owned());
            }
        }
        if let Some(remind) = proposed.remind {
            let day = values.due_date.unwrap_or(task.due_date);
            let remind = self.on_its_day(remind, proposed.bare_remind, day);
            let along = Self::goes_along(task, &values, remind);
            let told = |judge: &mut Self| judge.reminder_told(evidence, (task, &values), remind);
            let found = if along { Vec::new() } else { told(self) };
            if !found.is_empty() {
                unsaid |= self.is_far_reminder(evidence, task, at, remind);
                values.remind = Some(remind);
                valued.extend(found);
            }
        }
        let mut named = evidence.named_at(task.id);
        if let Some(title) = &proposed.title {
            let same = crate::domain::text::fold(title.as_str())
                == crate::domain::text::fold(task.title.as_str());
            match evidence.title(title.as_str(), Some(task.title.as_str())) {
                _ if same && title.as_str() == task.title.as_str() => {}
                Found::Scattered(_) if evidence.puts_right(title.as_str(), task.title.as_str()) => {
                    values.title = Some(title.clone());
                }
                Found::InOrder(run)
                    if evidence.takes_in_the_order(&run) || evidence.are_noted(&run) =>
                {
                    self.dropped.push("update_task.title".to_owned());
                }
                Found::InOrder(run) if !evidence.drops_a_negation(title.as_str(), &run) => {
                    unsaid |= evidence.is_cut_short(&run, title.as_str());
                    named.extend(run);
                    values.title = Some(title.clone());
                }
                Found::InOrder(_) | Found::Scattered(_) => {
                    values.title = Some(title.clone());
                    unsaid = true;
                }
                Found::Missing if evidence.leaves_words() && plain(title.as_str()) => {
                    values.title = Some(title.clone());
                    unsaid = true;
                }
                Found::Missing => self.dropped.push("update_task.title".to_owned()),
            }
        }
        // A note that keeps the old one adds the rest.
        let fresh = |note: &str| {
            let old = task.description.as_deref().filter(|old| !old.is_empty());
            let behind = old.and_then(|old| note.strip_prefix(old));
            let behind = behind.filter(|rest| !rest.starts_with(char::is_alphanumeric));
            let before = old.and_then(|old| note.strip_suffix(old));
            let before = before.filter(|rest| !rest.ends_with(char::is_alphanumeric));
            behind.or(before).unwrap_or(note).to_owned()
        };
        match &proposed.description {
            None => {}
            Some(None) if evidence.clears() => values.description = Some(None),
            Some(Some(note)) if evidence.note_drops_a_negation(&fresh(note)) => {
                let text = "description leaves out a negation of the user's words: keep it";
                return Err(ToolError::new(ErrorType::Validation, text));
            }
            // "sorry, bx-202"
            Some(Some(note))
                if task
                    .description
                    .as_deref()
                    .is_some_and(|old| evidence.puts_right(note, old)) =>
            {
                values.description = Some(Some(note.clone()));
            }
            Some(Some(note)) if evidence.note(&fresh(note), &named) => {
                values.description = Some(Some(note.clone()));
                valued.extend(evidence.noted_at(&fresh(note)));
            }
            Some(_) => self.dropped.push("update_task.description".to_owned()),
        }
        Ok((values, valued, unsaid))
    }

    /// The clauses that support a day, if any; an error that names both when they name another. Words
    /// that are not read may mean any day, and none of their clauses supports it.
    pub(super) fn day_by_evidence(
        &mut self,
        evidence: &Evidence<'_>,
        days: &Days,
        day: NaiveDate,
        name: &str,
    ) -> Result<Option<Vec<usize>>, ToolError> {
        let unread = || evidence.is_unread().then(Vec::new);
        let Some(at) = days.supporting(day).or_else(unread) else {
            if days.said {
                let said: Vec<String> = days
                    .all()
                    .into_iter()
                    .take(3)
                    .map(|day| day.to_string())
                    .collect();
                let said = said.join(" or ");
                let text = format!(
                    "{day} disagrees with the user's words, which can mean {said}; use the user's own words"
                );
                return Err(
                    ToolError::new(ErrorType::Validation, format!("due_date {text}"))
                        .with(Details {
                            parameter: Some("due_date".to_owned()),
                            value: Some(day.to_string().into()),
                            constraint: Some(text),
                            suggestion: Some(format!("Use {said}")),
                            ..Details::default()
                        })
                        .because([Cause::OtherDay]),
                );
            }
            self.dropped.push(name.to_owned());
            return Ok(None);
        };
        self.due_rule.check(day, self.situation.today)?;
        Ok(Some(at))
    }

    /// The proposed day of a new task, where the words at these clauses support it outside the numbers of
    /// its title, or are not read; and whether none of them does.
    pub(super) fn new_day(
        &mut self,
        evidence: &Evidence<'_>,
        (at, title): (&[usize], &[usize]),
        due: Option<NaiveDate>,
    ) -> Result<(Option<NaiveDate>, bool), ToolError> {
        let Some(day) = due else {
            return Ok((None, false));
        };
        if evidence.is_number_of(title, day) {
            self.dropped.push("add_task.due_date".to_owned());
            return Ok((None, false));
        }
        let days = evidence.days(None, at, None);
        let found = self.day_by_evidence(evidence, &days, day, "add_task.due_date")?;
        let unsaid = found.is_some() && days.supporting(day).is_none();
        Ok((found.map(|_| day), unsaid))
    }
}

/// An error for words whose repetition no rule says.
fn no_such_repetition(said: &str) -> ToolError {
    let value = said.to_owned();
    let text =
        format!("repeat: no rule says \"{said}\": leave it out, or ask the user for the days");
    ToolError::new(ErrorType::Validation, text).because([Cause::NoRepetition { value }])
}

/// An error that names both levels, where the words say another one than was proposed.
pub(super) fn not_contradicted(
    evidence: &Evidence<'_>,
    at: &[usize],
    proposed: Priority,
) -> Result<(), ToolError> {
    let levels = [Priority::High, Priority::Medium, Priority::Low];
    let said = levels.into_iter().find(|level| {
        let found = evidence.priority_at(*level, at);
        found.iter().any(|clause| at.contains(clause))
    });
    match said.filter(|said| *said != proposed) {
        Some(said) => Err(values::other_priority(proposed, said)),
        None => Ok(()),
    }
}
