//! Cause of a failed call, told to the user.

use serde_json::Value;

use super::{Composition, Wording};
use crate::domain::{Cause, DueWindow, ErrorType, Lang, TITLE_MAX, Tool, ToolError};
use crate::guard::delegation::told_of_agents;
use crate::guard::phrases::quoted;
use crate::locales::{listed_day, localized};
use crate::turn::LedgerEntry;

/// Tells why a call failed, in words of the server's own: what a model wrote into its arguments is
/// repeated to the user only where the user said it.
pub(in crate::guard) fn cause(error: &ToolError, said: &str, speech: Lang) -> String {
    let Some(cause) = error.causes.first() else {
        return localized!(speech, "cause-invalid");
    };
    let told = |value: &str| !value.is_empty() && crate::resolver::covers(value, said);
    let of_value = |value: &str, known, unknown| match told(value) {
        true => localized!(speech, known, value = value),
        false => localized!(speech, unknown),
    };
    match cause {
        Cause::TitleEmpty => localized!(speech, "cause-title-empty"),
        Cause::TitleLong { length } => localized!(
            speech,
            "cause-title-long",
            length = *length,
            most = TITLE_MAX
        ),
        Cause::TitleControl => localized!(speech, "cause-title-wrong"),
        Cause::OtherTitle => localized!(speech, "cause-other-title"),
        Cause::NoTask => localized!(speech, "cause-no-task"),
        Cause::NotADay { value } => of_value(value, "cause-no-day", "cause-not-a-day"),
        Cause::DayPast(window) => outside("cause-day-past", *window, speech),
        Cause::DayFar(window) => outside("cause-day-far", *window, speech),
        Cause::OtherDay => localized!(speech, "cause-other-date"),
        Cause::OtherTime => localized!(speech, "cause-other-time"),
        Cause::OtherPriority => localized!(speech, "cause-other-priority"),
        Cause::NotOneOf {
            parameter,
            value,
            options,
        } => {
            let word = |word: &String| localized!(speech, "option-word", word = word.as_str());
            let values: Vec<String> = options.iter().map(word).collect();
            let (value_said, values) = (told(value), values.join(", "));
            match parameter.as_str() {
                _ if value_said => {
                    let value = value.as_str();
                    localized!(speech, "cause-not-one-of", value = value, values = values)
                }
                "priority" => localized!(speech, "cause-wrong-priority", values = values),
                "status" | "status_filter" => {
                    localized!(speech, "cause-wrong-status", values = values)
                }
                _ => localized!(speech, "cause-invalid"),
            }
        }
        Cause::NoTime { value } => of_value(value, "cause-no-time", "cause-not-a-time"),
        Cause::NoRepetition { value } => {
            of_value(value, "cause-no-repetition", "cause-not-a-repetition")
        }
        Cause::RepetitionPast => localized!(speech, "cause-repetition-past"),
        Cause::NoReminderTime { value } => of_value(value, "cause-no-time", "cause-not-a-time"),
        Cause::ReminderPast => localized!(speech, "cause-reminder-past"),
        Cause::ReminderFar => localized!(speech, "cause-reminder-far"),
        // These are whole sentences, and told by themselves.
        _ => localized!(speech, "cause-invalid"),
    }
}

/// `2026-02-01 is in the past: due dates run from 2026-02-08 to 2026-12-31`
fn outside(id: &str, DueWindow { day, from, to }: DueWindow, speech: Lang) -> String {
    let shown = |day| listed_day(day, speech);
    localized!(
        speech,
        id,
        day = shown(day),
        from = shown(from),
        to = shown(to)
    )
}

pub(super) fn failure_text(
    entry: &LedgerEntry,
    error: &ToolError,
    from: &Composition<'_>,
    wording: &Wording,
) -> String {
    let (said, speech) = (from.words, from.speech);
    let of_agents = error.causes.first();
    if let Some(told) = of_agents.and_then(|cause| told_of_agents(cause, speech)) {
        return told;
    }
    match error.causes.first() {
        Some(Cause::RenamedSince { title }) => {
            return localized!(speech, "renamed-since", name = quoted(title));
        }
        Some(Cause::ChangedSince { title }) => {
            return localized!(speech, "undo-overtaken", name = quoted(title));
        }
        Some(Cause::AgentStopped) => return localized!(speech, "undo-stopped"),
        _ if error.error_type != ErrorType::Validation => return error.error.clone(),
        _ => {}
    }
    let argument = |name: &str| {
        let text = entry.arguments.get(name).and_then(Value::as_str);
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        // Only what the user said is said back.
        let text = text.filter(|text| crate::resolver::covers(text, said));
        text.map(|text| quoted(&text.chars().take(80).collect::<String>()))
    };
    let the_task = || localized!(speech, "the-task");
    let (verb, what) = match entry.tool {
        Some(Tool::AddTask) => ("add", argument("title").unwrap_or_else(the_task)),
        Some(Tool::DeleteTask) => ("delete", argument("task").unwrap_or_else(the_task)),
        Some(Tool::CompleteTask) => ("complete", argument("task").unwrap_or_else(the_task)),
        Some(Tool::UpdateTask) => ("update", argument("task").unwrap_or_else(the_task)),
        Some(Tool::Delegate) => ("delegate", the_task()),
        Some(Tool::TaskOutput) => ("read", localized!(speech, "the-result")),
        Some(Tool::CancelDelegation) => ("cancel", localized!(speech, "the-delegation")),
        Some(Tool::ListTasks) => ("list", localized!(speech, "the-tasks")),
        _ => ("do", localized!(speech, "that")),
    };
    let cause = (wording.cause)(error, said, speech);
    localized!(speech, "could-not", verb = verb, what = what, cause = cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(causes: Cause, said: &str, speech: Lang) -> String {
        let error = ToolError::new(ErrorType::Validation, "fault of a call").because([causes]);
        cause(&error, said, speech)
    }

    #[test]
    fn a_refused_repetition_or_reminder_has_a_cause_of_its_own() {
        let invalid = |lang| localized!(lang, "cause-invalid");
        for lang in Lang::ALL {
            let value = || "hourly".to_owned();
            for cause in [
                Cause::NoRepetition { value: value() },
                Cause::RepetitionPast,
                Cause::NoReminderTime { value: value() },
                Cause::NoTime { value: value() },
                Cause::ReminderPast,
                Cause::ReminderFar,
                Cause::OtherTitle,
            ] {
                let text = told(cause.clone(), "", lang);
                assert_ne!(text, invalid(lang), "{cause:?}");
                assert!(!text.contains("hourly"), "{text}");
            }
        }
        let past = told(Cause::ReminderPast, "", Lang::De);
        assert_eq!(past, "Der Zeitpunkt der Erinnerung ist schon vorbei");
        let value = "stündlich".to_owned();
        let said = told(
            Cause::NoRepetition { value },
            "stündlich wiederholen",
            Lang::De,
        );
        assert_eq!(said, "'stündlich' geht als Wiederholung nicht");
    }

    #[test]
    fn the_values_that_there_are_stand_in_the_language_of_the_reply() {
        let priority = Cause::NotOneOf {
            parameter: "priority".to_owned(),
            value: "sehr hoch".to_owned(),
            options: ["low", "medium", "high"].map(str::to_owned).to_vec(),
        };
        let text = told(priority.clone(), "", Lang::De);
        assert_eq!(
            text,
            "Diese Priorität gibt es nicht, nur niedrig, mittel, hoch"
        );
        let text = told(priority.clone(), "sehr hoch", Lang::It);
        assert_eq!(text, "'sehr hoch' non è tra bassa, media, alta");
        let text = told(priority, "", Lang::En);
        assert_eq!(text, "the priority is not one of low, medium, high");
    }

    #[test]
    fn an_error_keeps_its_causes_in_the_log_and_not_for_the_model() {
        let error = ToolError::new(ErrorType::Validation, "fault").because([Cause::ReminderPast]);
        let logged = serde_json::to_string(&error).unwrap();
        let read: ToolError = serde_json::from_str(&logged).unwrap();
        assert_eq!(read.causes, [Cause::ReminderPast]);
        assert!(error.to_wire().get("causes").is_none());
    }
}
