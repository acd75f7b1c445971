//! Bodies of the routes about delegation.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::delegation::HandoverRequest;
use crate::domain::{Assignee, Routing};
use crate::http::code::Code;
use crate::http::problem::Problem;
use crate::store::RunOptions;

/// The longest prompt, in characters.
const PROMPT_MAX: usize = 20_000;
/// The longest answer, in characters.
const ANSWER_MAX: usize = 5_000;

/// `POST /tasks/{id}/delegate`
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::http) struct HandoverBody {
    #[serde(alias = "assignTo")]
    assign_to: Option<String>,
    provider: Option<String>,
    resume: Option<String>,
    prompt: Option<String>,
    expected_response: Option<String>,
    run_in_background: bool,
    description: Option<String>,
    workspace_root: Option<String>,
    files_include_glob: Vec<String>,
    max_files: Option<u32>,
    time_budget_ms: Option<u64>,
    summarize: bool,
}

/// `POST /delegations/{handle}/cancel`
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::http) struct ReasonBody {
    reason: Option<String>,
}

/// `POST /delegations/{handle}/answer`
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct AnswerBody {
    /// Words that the agent is told, 1 to 5000 characters.
    #[schema(min_length = 1, max_length = 5000)]
    text: String,
}

/// `POST /admin/cleanup`
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct CleanupBody {
    #[schema(schema_with = crate::http::openapi::limits::milliseconds)]
    pub(super) max_age_ms: u64,
}

impl ReasonBody {
    /// The reason on one line, bounded.
    pub(super) fn reason(&self) -> Option<String> {
        let reason = crate::domain::shown(self.reason.as_deref()?);
        let reason: String = reason.chars().take(200).collect();
        (!reason.is_empty()).then_some(reason)
    }
}

impl AnswerBody {
    /// The answer.
    ///
    /// # Errors
    /// 422 for one that is blank or too long.
    pub(super) fn text(self) -> Result<String, Problem> {
        let length = self.text.chars().count();
        if self.text.trim().is_empty() || length > ANSWER_MAX {
            let fault = format!("text: must have 1 to {ANSWER_MAX} characters, and not be blank.");
            return Err(Problem::new(Code::InvalidDelegation, fault));
        }
        Ok(self.text)
    }
}

impl HandoverBody {
    /// Makes the handover that is asked for.
    ///
    /// # Errors
    /// 422 that names the field.
    pub(super) fn into_handover(self, key: Option<String>) -> Result<HandoverRequest, Problem> {
        let invalid = |name: &str, fault: String| {
            Problem::new(Code::InvalidDelegation, format!("{name}: {fault}."))
        };
        let blank = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let assignee = blank(self.assign_to).map(|text| {
            let parsed = text.parse::<Assignee>();
            parsed.map_err(|fault| invalid("assign_to", fault.to_string()))
        });
        let routing = blank(self.provider).map(|text| {
            let parsed = text.parse::<Routing>();
            parsed.map_err(|fault| invalid("provider", fault.to_string()))
        });
        let text = |name: &str, text: Option<String>| match blank(text) {
            Some(text) if text.chars().count() > PROMPT_MAX => Err(invalid(
                name,
                format!("at most {PROMPT_MAX} characters are read"),
            )),
            text => Ok(text),
        };
        if self.files_include_glob.len() > 50 {
            return Err(invalid(
                "files_include_glob",
                "at most 50 patterns".to_owned(),
            ));
        }
        for (name, number) in [
            ("max_files", self.max_files.map(u64::from)),
            ("time_budget_ms", self.time_budget_ms),
        ] {
            if number == Some(0) {
                return Err(invalid(name, "must be at least 1".to_owned()));
            }
        }
        Ok(HandoverRequest {
            assignee: assignee.transpose()?,
            routing: routing.transpose()?,
            resume: blank(self.resume),
            prompt: text("prompt", self.prompt)?,
            expected_response: text("expected_response", self.expected_response)?,
            background: self.run_in_background,
            workspace_root: blank(self.workspace_root),
            options: RunOptions {
                description: blank(self.description),
                files_include_glob: self.files_include_glob,
                max_files: self.max_files,
                time_budget_ms: self.time_budget_ms,
                summarize: self.summarize,
                ..RunOptions::default()
            },
            key,
        })
    }
}
