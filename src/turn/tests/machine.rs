//! The machine ends, within its bounds, whatever the model answers.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::llm::ToolChoice;
use crate::turn::{
    CALLS_MAX, FAILURES_MAX, MissingTool, ROUNDS_MAX, RoundMachine, RoundReport, RoundStep,
};

/// One answer of a model, as the machine is told of it.
#[derive(Debug, Clone, Copy)]
enum Answer {
    /// No call; `due` says that one is expected.
    Talk { due: bool },
    /// Calls were run.
    Calls { report: RoundReport, open: bool },
}

fn answers() -> impl Strategy<Value = Answer> {
    let calls = (0..4_u32, any::<bool>(), any::<bool>());
    prop_oneof![
        any::<bool>().prop_map(|due| Answer::Talk { due }),
        calls.prop_map(|(failed, asked, open)| Answer::Calls {
            report: RoundReport { failed, asked },
            open,
        }),
    ]
}

fn missing_tool() -> impl Strategy<Value = MissingTool> {
    prop::sample::select(vec![
        MissingTool::Reject,
        MissingTool::Retry,
        MissingTool::Engine,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(5),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_turn_ends_within_its_bounds(
        missing in missing_tool(),
        script in prop::collection::vec(answers(), 1..40),
    ) {
        let mut machine = RoundMachine::new(missing);
        let mut step = machine.begin();
        // A model that never stops: its script starts again.
        let mut script = script.iter().cycle();
        let (mut asked, mut forced, mut failures) = (0, 0, 0);
        while step != RoundStep::Settle {
            asked += 1;
            forced += u32::from(step != RoundStep::Ask(ToolChoice::Auto));
            prop_assert!(asked <= ROUNDS_MAX, "{asked} questions to the model");
            prop_assert!(failures < FAILURES_MAX, "asked again after {failures} failures");
            let Some(answer) = script.next() else { break };
            step = match *answer {
                Answer::Talk { due } => {
                    let next = machine.without_calls(due);
                    let told = match (due, missing, forced, asked < ROUNDS_MAX) {
                        (true, MissingTool::Retry, 0, true) => RoundStep::Ask(ToolChoice::Required),
                        (true, MissingTool::Engine, 0, true) => RoundStep::AskEngine,
                        _ => RoundStep::Settle,
                    };
                    prop_assert_eq!(next, told);
                    next
                }
                Answer::Calls { report, open } => {
                    failures += report.failed;
                    let next = machine.after_calls(report, open);
                    let mend = report.failed > 0 || open;
                    let may = !report.asked
                        && forced == 0
                        && failures < FAILURES_MAX
                        && asked < ROUNDS_MAX;
                    let told = if mend && may {
                        RoundStep::Ask(ToolChoice::Auto)
                    } else {
                        RoundStep::Settle
                    };
                    prop_assert_eq!(next, told);
                    next
                }
            };
        }
        prop_assert!(forced <= 1, "{forced} forced tries");
    }
}

#[test]
fn the_bounds_of_a_turn_are_three_failures_six_questions_and_thirty_two_calls() {
    assert_eq!((FAILURES_MAX, ROUNDS_MAX, CALLS_MAX), (3, 6, 32));
    let mut machine = RoundMachine::new(MissingTool::Reject);
    assert_eq!(machine.begin(), RoundStep::Ask(ToolChoice::Auto));
    let read = RoundReport::default();
    let again = (0..100).take_while(|_| machine.after_calls(read, true) != RoundStep::Settle);
    assert_eq!(again.count(), 5);
}
