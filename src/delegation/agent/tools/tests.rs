//! Calls in every shape, and what is wrong with them.

use super::*;

const WHO: &str = "openai-dev (fast-model)";

fn read(name: &str, arguments: &str) -> Result<ToolRequest, ToolError> {
    let files = ["read_file".to_owned(), "list_files".to_owned()];
    let call = RawCall {
        id: "a".to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let own = ["run-7", "agent-abc123"];
    read_call(&call, &specs(&files, true, (false, false)), own, WHO).map(|(_, asked)| asked)
}

#[test]
fn files_are_offered_to_a_persona_with_a_workspace_alone() {
    let names = |persona: &[&str], workspace| {
        let persona: Vec<_> = persona.iter().map(|it| (*it).to_owned()).collect();
        let specs = specs(&persona, workspace, (false, false));
        specs
            .iter()
            .map(|spec| spec.name)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(
        names(&["read_file", "web_search"], true),
        "report_result add_note read_file"
    );
    assert_eq!(names(&["read_file"], false), "report_result add_note");
    for spec in AgentTool::ALL.map(AgentTool::spec) {
        let (required, properties) = (&spec.parameters["required"], &spec.parameters["properties"]);
        let count = properties.as_object().unwrap().len();
        assert_eq!(required.as_array().unwrap().len(), count, "{}", spec.name);
    }
}

#[test]
fn calls_are_read_in_their_shapes() {
    let report = read(
        "report_result",
        r#"{"outcome":"completed","result":"Two hotels.","evidence":["r1"],"summary":null}"#,
    );
    let ToolRequest::Report(report) = report.unwrap() else {
        panic!()
    };
    assert_eq!(
        (report.outcome, report.text.as_str()),
        (ReportOutcome::Completed, "Two hotels.")
    );
    assert_eq!(report.evidence, [1]);
    let json = r#"{"name":"report_result","arguments":{"outcome":"rejected","result":"No.","result_json":"{\"a\":1}"}}"#;
    let ToolRequest::Report(report) = read("task_complete", json).unwrap() else {
        panic!()
    };
    assert_eq!(report.json, Some(json!({"a": 1})));
    assert_eq!(
        read("task_add_note", r#"{"text":"half way"}"#).unwrap(),
        ToolRequest::Note("half way".to_owned())
    );
    assert_eq!(
        read("read_file", r#"{"path":"a.md"}"#).unwrap(),
        ToolRequest::Read {
            path: "a.md".to_owned()
        }
    );
    assert_eq!(
        read("read_file", "{}").unwrap(),
        ToolRequest::Read {
            path: String::new()
        }
    );
    assert_eq!(
        read("list_files", r#"{"path":" "}"#).unwrap(),
        ToolRequest::List { path: None }
    );
}

#[test]
fn every_fault_is_named_at_once_and_who_called() {
    let check = |name: &str, arguments: &str, expect: &[&str]| {
        let error = read(name, arguments).unwrap_err();
        assert_eq!(error.error_type, ErrorType::Validation, "{error}");
        assert!(
            error.error.starts_with("Tool call validation failed for '"),
            "{error}"
        );
        assert!(
            error.error.ends_with("Provider: openai-dev (fast-model)"),
            "{error}"
        );
        for part in expect {
            assert!(error.error.contains(part), "{part}: {error}");
        }
    };
    check("report_result", "{", &["arguments are not valid JSON"]);
    check("report_result", "[]", &["not a JSON object"]);
    check(
        "report_result",
        "{}",
        &[
            "/outcome: Missing",
            "/result: Missing required parameter 'result'",
        ],
    );
    check(
        "report_result",
        r#"{"outcome":"done","result":"   ","x":1}"#,
        &[
            "neither completed nor",
            "/result: Missing",
            "additionalProperties 'x' not allowed",
        ],
    );
    let long = json!({"outcome": "completed", "result": "x".repeat(32_001)}).to_string();
    check(
        "report_result",
        &long,
        &["too long: 32001 characters, at most 32000"],
    );
    check(
        "report_result",
        r#"{"outcome":"completed","result":"x","result_json":"{","evidence":"r1"}"#,
        &["/result_json: is not JSON", "/evidence: expected a list"],
    );
    check("add_note", r#"{"note":""}"#, &["/note: Missing"]);
    check("read_file", r#"{"path":7}"#, &["/path: expected text"]);
}

#[test]
fn it_reports_on_its_own_run_alone() {
    let report = |run: &str| {
        let arguments = json!({"outcome": "completed", "result": "Done.", "run": run});
        read("report_result", &arguments.to_string())
    };
    assert!(report("run-7").is_ok() && report("agent-abc123").is_ok());
    assert_eq!(
        report("run-8").unwrap_err().error_type,
        ErrorType::Permission
    );
}

#[test]
fn what_it_does_not_have_does_nothing() {
    for name in ["delegate", "delete_task", "complete_task", "add_task", ""] {
        let error = read(name, "{}").unwrap_err();
        assert_eq!(error.error_type, ErrorType::Unsupported, "{error}");
        assert!(error.error.contains("report_result, add_note"), "{error}");
    }
}
