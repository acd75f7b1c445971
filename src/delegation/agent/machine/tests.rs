//! Runs of every kind, and what no run may do whatever its model does.

use proptest::prelude::*;

use super::*;

const NO_TIME: Duration = Duration::ZERO;
const LIMITS: RunLimits = RunLimits {
    turns: 25,
    budget: None,
    timeout: Duration::from_secs(600),
};

fn machine() -> AgentMachine {
    AgentMachine::new(LIMITS, "openai-dev (fast-model)")
}

fn answer(text: Option<&str>, calls: &[&str], finish: &str) -> ModelAnswer {
    let call = |name: &&str| RawCall {
        id: (*name).to_owned(),
        name: (*name).to_owned(),
        arguments: "{}".to_owned(),
    };
    ModelAnswer {
        text: text.map(str::to_owned),
        calls: calls.iter().map(call).collect(),
        model: "openai-dev (fast-model)".to_owned(),
        finish: finish.to_owned(),
        usage: None,
    }
}

fn ask(choice: ToolChoice, nudge: bool, hurry: bool) -> AgentStep {
    AgentStep::Ask {
        choice,
        nudge,
        hurry,
    }
}

fn failure(step: AgentStep) -> RunFault {
    match step {
        AgentStep::Fail(failure) => failure,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_asks_until_it_reports() {
    let mut run = machine();
    assert_eq!(run.next(NO_TIME), ask(ToolChoice::Auto, false, false));
    let calls = answer(Some("Let me look."), &["list_files"], "tool_calls");
    assert_eq!(
        run.answered(&calls, NO_TIME),
        AgentStep::Run(calls.calls.clone())
    );
    assert_eq!(run.next(NO_TIME), ask(ToolChoice::Auto, false, false));
    let report = answer(None, &["report_result"], "tool_calls");
    assert!(matches!(run.answered(&report, NO_TIME), AgentStep::Run(_)));
    assert_eq!(run.turns, 2);
}

#[test]
fn text_alone_is_told_once_that_it_does_not_count() {
    for text in [
        Some("All done, I booked it!"),
        Some("[tool_use: report_result({\"outcome\":\"completed\"})]"),
        Some("<tool_call><name>report_result</name></tool_call>"),
        Some("```json\n{\"name\":\"report_result\",\"arguments\":{}}\n```"),
        None,
    ] {
        let mut run = machine();
        run.next(NO_TIME);
        let said = answer(text, &[], "stop");
        let nudged = ask(ToolChoice::Named("report_result"), true, false);
        assert_eq!(run.answered(&said, NO_TIME), nudged, "{text:?}");
        let failure = failure(run.answered(&said, NO_TIME));
        assert_eq!(failure.error_type, ErrorType::Execution);
        assert_eq!(
            failure.error,
            "sub-agent finished without calling report_result"
        );
        assert_eq!(failure.unreported_output.as_deref(), text);
    }
}

#[test]
fn a_server_that_knows_no_named_tool_is_asked_for_any() {
    let mut run = machine();
    run.next(NO_TIME);
    run.answered(&answer(Some("Done."), &[], "stop"), NO_TIME);
    let refused = ModelError::Status(400);
    let asked = run.unanswered(&refused, NO_TIME);
    assert_eq!(asked, ask(ToolChoice::Required, false, false));
    let failure = failure(run.unanswered(&refused, NO_TIME));
    assert_eq!(failure.error_type, ErrorType::Unavailable);
}

#[test]
fn an_answer_that_may_not_be_whole_fails_the_run() {
    let mut run = machine();
    run.next(NO_TIME);
    let odd = answer(Some("Done"), &["report_result"], "paused");
    let failed = failure(run.answered(&odd, NO_TIME));
    assert_eq!(failed.error_type, ErrorType::Execution);
    let mut run = machine();
    run.next(NO_TIME);
    let cut = ModelError::Malformed("cut before its end");
    let failed = failure(run.unanswered(&cut, NO_TIME));
    assert_eq!(failed.error_type, ErrorType::Limit);
}

#[test]
fn passing_faults_are_repeated_three_times() {
    let down = ModelError::Status(500);
    let mut run = machine();
    run.next(NO_TIME);
    for pause in PAUSES {
        assert_eq!(run.unanswered(&down, NO_TIME), AgentStep::Rest(pause));
        assert_eq!(run.next(NO_TIME), ask(ToolChoice::Auto, false, false));
    }
    let failed = failure(run.unanswered(&down, NO_TIME));
    assert_eq!(failed.error_type, ErrorType::Unavailable);
    assert!(
        failed.error.ends_with("Provider: openai-dev (fast-model)"),
        "{failed:?}"
    );
    // An answer between them renews the patience; a server's own wait is kept to.
    let mut run = machine();
    run.next(NO_TIME);
    assert!(matches!(
        run.unanswered(&ModelError::Unreachable, NO_TIME),
        AgentStep::Rest(_)
    ));
    run.next(NO_TIME);
    run.answered(&answer(None, &["list_files"], "stop"), NO_TIME);
    run.next(NO_TIME);
    for _ in 0..3 {
        let busy = ModelError::RateLimited {
            retry_after: Some(2),
        };
        let rest = AgentStep::Rest(Duration::from_secs(2));
        assert_eq!(run.unanswered(&busy, NO_TIME), rest);
        run.next(NO_TIME);
    }
    for lasting in [
        ModelError::Unauthorized,
        ModelError::NoSuchModel,
        ModelError::Status(400),
    ] {
        let mut run = machine();
        run.next(NO_TIME);
        let failed = failure(run.unanswered(&lasting, NO_TIME));
        assert_eq!(failed.error_type, ErrorType::Unavailable, "{lasting:?}");
    }
}

#[test]
fn a_budget_is_said_once_and_ends_the_run_at_half_as_much_again() {
    let limits = RunLimits {
        budget: Some(Duration::from_millis(300)),
        ..LIMITS
    };
    let at = Duration::from_millis;
    let mut run = AgentMachine::new(limits, "openai-dev (fast-model)");
    assert_eq!(run.next(at(0)), ask(ToolChoice::Auto, false, false));
    let calls = answer(None, &["list_files"], "tool_calls");
    run.answered(&calls, at(299));
    assert_eq!(run.next(at(300)), ask(ToolChoice::Auto, false, true));
    run.answered(&calls, at(350));
    assert_eq!(run.next(at(360)), ask(ToolChoice::Auto, false, false));
    assert_eq!(run.left(at(400)), at(50));
    run.answered(&calls, at(440));
    let failed = failure(run.next(at(450)));
    assert_eq!(
        (failed.error_type, failed.error.as_str()),
        (ErrorType::Timeout, "not finished within 450 ms")
    );
    assert_eq!(LIMITS.deadline(), Duration::from_secs(600));
    let long = RunLimits {
        budget: Some(Duration::from_secs(900)),
        ..LIMITS
    };
    assert_eq!(long.deadline(), Duration::from_secs(600));
}

#[test]
fn a_model_that_never_ends_is_stopped_after_its_turns() {
    let mut run = machine();
    run.next(NO_TIME);
    let calls = answer(None, &["list_files"], "tool_calls");
    for turn in 1..=25 {
        assert!(matches!(run.answered(&calls, NO_TIME), AgentStep::Run(_)));
        let step = run.next(NO_TIME);
        if turn < 25 {
            assert!(matches!(step, AgentStep::Ask { .. }), "{turn}: {step:?}");
        } else {
            assert_eq!(failure(step).error_type, ErrorType::Limit);
        }
    }
}

/// Event of a model or its tools that may come at one step.
#[derive(Debug, Clone)]
enum Event {
    Answer(bool, u8, &'static str),
    Fault(ModelError),
    Reports(bool),
}

fn any_event() -> impl Strategy<Value = Event> {
    let finish = prop::sample::select(vec!["stop", "tool_calls", "weird"]);
    let fault = prop::sample::select(vec![
        ModelError::Unreachable,
        ModelError::Status(500),
        ModelError::Status(400),
        ModelError::Malformed("cut before its end"),
        ModelError::RateLimited {
            retry_after: Some(5),
        },
        ModelError::Timeout,
    ]);
    prop_oneof![
        4 => (any::<bool>(), 0_u8..3, finish).prop_map(|(text, calls, end)| Event::Answer(text, calls, end)),
        2 => fault.prop_map(Event::Fault),
        1 => any::<bool>().prop_map(Event::Reports),
    ]
}

proptest! {
    /// Checks that, whatever a model does, the run ends, completes only by an accepted report, is
    /// nudged and hurried at most once, and never asks more often than it may.
    #[test]
    fn every_run_ends_and_none_completes_by_words(
        events in prop::collection::vec(any_event(), 1..200),
        budget in prop::option::of(1_u64..2000),
        turns in 1_u32..6,
    ) {
        let limits = RunLimits { turns, budget: budget.map(Duration::from_millis), timeout: Duration::from_secs(60) };
        let mut run = AgentMachine::new(limits, "p (m)");
        let (mut nudges, mut hurries, mut asks, mut accepted) = (0, 0, 0, false);
        let mut elapsed = Duration::ZERO;
        let mut step = run.next(elapsed);
        let mut events = events.into_iter().cycle();
        for _ in 0..2000 {
            elapsed += Duration::from_millis(7);
            step = match step {
                AgentStep::Ask { nudge, hurry, .. } => {
                    (nudges, hurries, asks) = (nudges + u32::from(nudge), hurries + u32::from(hurry), asks + 1);
                    match events.next().unwrap() {
                        Event::Answer(text, calls, end) => {
                            let calls = vec!["read_file"; calls.into()];
                            run.answered(&answer(text.then_some("done!"), &calls, end), elapsed)
                        }
                        Event::Fault(error) => run.unanswered(&error, elapsed),
                        Event::Reports(_) => run.answered(&answer(None, &["report_result"], "stop"), elapsed),
                    }
                }
                AgentStep::Rest(pause) => {
                    elapsed += pause;
                    run.next(elapsed)
                }
                AgentStep::Run(ref calls) => {
                    prop_assert!(!calls.is_empty());
                    accepted = matches!(events.next().unwrap(), Event::Reports(true));
                    if accepted {
                        break;
                    }
                    run.next(elapsed)
                }
                AgentStep::Fail(_) => break,
            };
        }
        prop_assert!(matches!(step, AgentStep::Fail(_)) != accepted);
        prop_assert!(nudges <= 1 && hurries <= 1);
        prop_assert!(run.turns <= turns && asks <= turns * 5 + 5);
    }
}
