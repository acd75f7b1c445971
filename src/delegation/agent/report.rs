//! Report of an agent, held against its own receipts and the format it was given.
//!
//! Deterministic and fail closed (G-05, G-19): a receipt that is not there counts as one that
//! failed. Nothing here reads the result's words; whether they are true, nobody can check, and
//! so nobody says that they were.

use jsonschema::Validator;
use serde_json::Value;

use super::tools::{AgentTool, refused};
use crate::domain::{ReportOutcome, ToolError};
use crate::store::AgentReport;

/// Number of faults of a format that are told at once.
const FAULTS_MAX: usize = 10;

/// Checks a report by the terms of its run: a summary that was asked for, a format that was given
/// as a JSON schema.
///
/// # Errors
/// `validation`, for the agent.
pub fn check(
    report: &AgentReport,
    summarize: bool,
    schema: Option<&Validator>,
    provider: &str,
) -> Result<(), ToolError> {
    if report.outcome == ReportOutcome::Rejected {
        return Ok(());
    }
    let mut faults = Vec::new();
    if summarize && report.summary.is_none() {
        faults.push((
            "summary".to_owned(),
            "Missing required parameter 'summary'. A summary was asked for.".to_owned(),
        ));
    }
    match (schema, &report.json) {
        (Some(_), None) => faults.push((
            "result_json".to_owned(),
            "Missing required parameter 'result_json'. The expected response is a JSON schema."
                .to_owned(),
        )),
        (Some(schema), Some(json)) => {
            let broken = schema.iter_errors(json).take(FAULTS_MAX);
            faults.extend(broken.map(|error| {
                let at = format!("result_json{}", error.instance_path());
                (at, crate::domain::shown(&error.to_string()))
            }));
        }
        (None, _) => {}
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(refused(AgentTool::ReportResult, faults, None, provider))
}

/// The number of a cited receipt (`r3` is 3). What is no receipt is cited as 0, which no call ever
/// has, so that it contradicts the report.
pub(super) fn cited(evidence: &str) -> u32 {
    let digits = evidence.trim().strip_prefix(['r', 'R']).unwrap_or_default();
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| plain).unwrap_or(0)
}

/// The check that an expected response asks for, if it is a JSON schema and not prose.
pub fn expected_schema(expected: &str) -> Option<Validator> {
    const MARKS: [&str; 7] = [
        "$schema",
        "properties",
        "items",
        "required",
        "enum",
        "anyOf",
        "additionalProperties",
    ];
    const TYPES: [&str; 7] = [
        "object", "array", "string", "number", "integer", "boolean", "null",
    ];
    let value: Value = serde_json::from_str(expected.trim()).ok()?;
    let map = value.as_object()?;
    let typed = map.get("type").and_then(Value::as_str);
    let typed = typed.is_some_and(|word| TYPES.contains(&word));
    if !typed && !MARKS.iter().any(|mark| map.contains_key(*mark)) {
        return None;
    }
    jsonschema::validator_for(&value).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::store::RunMetrics;

    fn report(json: Option<Value>, summary: Option<&str>) -> AgentReport {
        AgentReport {
            outcome: ReportOutcome::Completed,
            text: "Two hotels.".to_owned(),
            json,
            summary: summary.map(str::to_owned),
            evidence: Vec::new(),
            metrics: RunMetrics::default(),
        }
    }

    #[test]
    fn what_is_no_receipt_is_cited_as_one_that_never_was() {
        let check = |cited: &str, expect| assert_eq!(super::cited(cited), expect);
        check("r1", 1);
        check(" R12 ", 12);
        for wrong in [
            "r0",
            "r-1",
            "r+1",
            "1",
            "",
            "receipt",
            "r99999999999999999999",
        ] {
            check(wrong, 0);
        }
    }

    #[test]
    fn only_a_schema_is_checked_and_prose_is_not() {
        for prose in [
            "A table with one row per hotel.",
            "{\"hotel\": \"name\", \"price\": 1}",
            "{\"type\": \"hotel\"}",
            "[1]",
            "{",
            "",
        ] {
            assert!(expected_schema(prose).is_none(), "{prose}");
        }
        let schema = json!({
            "type": "object",
            "properties": {"hotels": {"type": "array", "items": {"type": "string"}}},
            "required": ["hotels"],
        });
        let schema = expected_schema(&schema.to_string()).unwrap();
        let check = |json: Option<Value>| check(&report(json, None), false, Some(&schema), "p (m)");
        assert!(check(Some(json!({"hotels": ["Adler"]}))).is_ok());
        let fault = check(None).unwrap_err().error;
        assert!(
            fault.contains("/result_json: Missing required parameter"),
            "{fault}"
        );
        let fault = check(Some(json!({"hotels": [1]}))).unwrap_err().error;
        assert!(fault.contains("/result_json/hotels/0: "), "{fault}");
        let mut refusal = report(None, None);
        refusal.outcome = ReportOutcome::Rejected;
        assert!(super::check(&refusal, true, Some(&schema), "p (m)").is_ok());
    }

    #[test]
    fn a_summary_that_was_asked_for_must_be_there() {
        let check = |summary| check(&report(None, summary), true, None, "p (m)");
        assert!(check(Some("Two.")).is_ok());
        let fault = check(None).unwrap_err().error;
        assert!(fault.contains("/summary: Missing"), "{fault}");
    }
}
