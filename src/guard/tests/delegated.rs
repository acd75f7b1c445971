//! Work goes to an agent as far as the words hand it over, and no further: by table.

use super::Scene;
use super::licensed::{acts, named, tasks};
use crate::domain::DelegateAuthorization;
use crate::domain::{Assignee, Lang, NewAgent, RunHandle, Tool};
use crate::guard::{ErrandPlan, Judge, Verdict};
use crate::intent::{Act, Errand, Hand, Target, Topic};
use crate::temporal::DueRule;
use crate::tools::{
    CancelCall, DelegateCall, DelegateItem, NewValues, Proposal, ResumeTarget, RunWords,
};
use crate::turn::Refusal;

/// The words that hand these over to the researcher, whom they name or leave out.
fn handing(targets: Vec<Target>, words: &str, by_name: bool) -> Scene {
    let whole = match targets.as_slice() {
        [one] => one.clone(),
        _ => named("all of these words"),
    };
    let hand = Hand {
        whole,
        parts: targets,
        agent: "researcher".to_owned(),
        named: by_name,
        firm: true,
        background: false,
    };
    acts(vec![Act::Errand(Errand::Hand(hand))], tasks(), words)
}

fn to(persona: &str) -> Option<Assignee> {
    Some(Assignee::New(NewAgent {
        persona: persona.to_owned(),
        model: None,
    }))
}

fn item(title: &str, assignee: Option<Assignee>) -> DelegateItem {
    DelegateItem {
        title: title.to_owned(),
        prompt: "Do it.".to_owned(),
        expected_response: None,
        priority: None,
        description: None,
        must_exist: false,
        assignee,
    }
}

fn call(items: Vec<DelegateItem>, resume: Option<ResumeTarget>) -> Proposal {
    Proposal::Delegate(Box::new(DelegateCall {
        items,
        assign_to: None,
        routing: None,
        background: false,
        resume,
        share_session: false,
        share_context: false,
        work: None,
        workspace_root: None,
        files_include_glob: Vec::new(),
        max_files: None,
        time_budget_ms: None,
        summarize: false,
        dry_run: false,
    }))
}

fn one(title: &str) -> Proposal {
    call(vec![item(title, to("researcher"))], None)
}

/// Returns what comes of a call: how many tasks it hands over, or why it does not.
fn judged(
    scene: &mut Scene,
    proposal: Proposal,
    errands: DelegateAuthorization,
) -> Result<usize, String> {
    let mut licence = scene.licence.clone();
    let runs = crate::store::KnownRuns::default();
    let verdict = Judge {
        licence: &mut licence,
        situation: scene.situation(),
        due_rule: DueRule::Year,
        lang: Lang::En,
        speech: Lang::En,
        undoable: &[],
        ask_first: false,
        dropped: &mut Vec::new(),
        runs: &runs,
        standing: crate::guard::Standing::default(),
        errands,
    }
    .judge(proposal);
    scene.licence = licence;
    match verdict {
        Verdict::Errand(plan) => match *plan {
            ErrandPlan::Delegate(plan) => Ok(plan.existing.len()),
            other => Err(format!("{other:?}")),
        },
        Verdict::Deny(Refusal::Unlicensed, _) => Err("unlicensed".to_owned()),
        Verdict::Deny(Refusal::TooMany, _) => Err("too many".to_owned()),
        Verdict::Deny(Refusal::WrongTarget, _) => Err("another task".to_owned()),
        Verdict::Deny(Refusal::Contradiction, _) => Err("contradiction".to_owned()),
        other => Err(format!("{other:?}")),
    }
}

fn plain(scene: &mut Scene, proposal: Proposal) -> Result<usize, String> {
    judged(scene, proposal, DelegateAuthorization::default())
}

fn refused(why: &str) -> Result<usize, String> {
    Err(why.to_owned())
}

fn letter() -> Scene {
    let words = "delegate Dentist letter to the researcher";
    handing(vec![named("Dentist letter")], words, true)
}

#[test]
fn nothing_is_handed_over_that_nobody_asked_for() {
    let auto = DelegateAuthorization::Auto;
    let gone_on = || {
        let run = RunHandle::parse("run-1").expect("a handle");
        call(
            vec![item("Dentist letter", to("researcher"))],
            Some(ResumeTarget::Run(run)),
        )
    };
    for words in ["hello", "delete Dentist letter", "what are my tasks?"] {
        let mut scene = Scene::new(words, tasks());
        for proposal in [one("Dentist letter"), one("Find hotels"), gone_on()] {
            assert_eq!(
                plain(&mut scene, proposal),
                refused("unlicensed"),
                "{words}"
            );
        }
    }
    // Where the model may decide, it decides about the list and the user's words alone.
    let mut scene = Scene::new("find hotels in Rome", tasks());
    assert_eq!(judged(&mut scene, one("Dentist letter"), auto), Ok(1));
    assert_eq!(judged(&mut scene, one("Find hotels in Rome"), auto), Ok(1));
    let invented = judged(&mut scene, one("Sell the house"), auto);
    assert_eq!(invented, refused("contradiction"));
    assert_eq!(judged(&mut scene, gone_on(), auto), refused("unlicensed"));
    // A question what can be done hands nothing over, whoever may decide.
    let mut asks = acts(vec![Act::Help(Topic::General)], tasks(), "what can you do?");
    let answer = judged(&mut asks, one("Dentist letter"), auto);
    assert_eq!(answer, refused("unlicensed"));
}

#[test]
fn what_is_handed_over_is_the_task_that_was_named() {
    assert_eq!(plain(&mut letter(), one("Dentist letter")), Ok(1));
    let other = plain(&mut letter(), one("Plumber invoice"));
    assert_eq!(other, refused("another task"));
    let two = ["Dentist letter", "Plumber invoice"];
    let both = two.map(|title| item(title, to("researcher"))).to_vec();
    assert_eq!(
        plain(&mut letter(), call(both.clone(), None)),
        refused("too many")
    );
    // Once; the words name it once.
    let mut scene = letter();
    assert_eq!(plain(&mut scene, one("Dentist letter")), Ok(1));
    assert_eq!(
        plain(&mut scene, one("Dentist letter")),
        refused("unlicensed")
    );
    // Two that are named go together, or one after the other, and no third.
    let words = "delegate Dentist letter and Plumber invoice to the researcher";
    let pair = || handing(two.map(named).to_vec(), words, true);
    assert_eq!(plain(&mut pair(), call(both, None)), Ok(2));
    let mut scene = pair();
    assert_eq!(plain(&mut scene, one("Dentist letter")), Ok(1));
    assert_eq!(plain(&mut scene, one("Plumber invoice")), Ok(1));
    assert_eq!(
        plain(&mut scene, one("Plumber invoice")),
        refused("unlicensed")
    );
    // What is on no list is added under the user's words.
    let words = "delegate finding hotels to the researcher";
    let new = || handing(vec![named("finding hotels")], words, true);
    assert_eq!(plain(&mut new(), one("Finding hotels")), Ok(1));
    assert_eq!(
        plain(&mut new(), one("Sell the house")),
        refused("contradiction")
    );
}

#[test]
fn it_goes_to_the_agent_that_was_named() {
    let as_to = |assignee| call(vec![item("Dentist letter", assignee)], None);
    assert_eq!(plain(&mut letter(), as_to(to("researcher"))), Ok(1));
    assert_eq!(plain(&mut letter(), as_to(None)), Ok(1));
    for other in [to("code-reviewer"), Some(Assignee::User)] {
        let verdict = plain(&mut letter(), as_to(other.clone()));
        assert_eq!(verdict, refused("contradiction"), "{other:?}");
    }
    let unnamed = || {
        let words = "have somebody do Dentist letter";
        handing(vec![named("Dentist letter")], words, false)
    };
    assert_eq!(plain(&mut unnamed(), as_to(to("code-reviewer"))), Ok(1));
    let explicit = DelegateAuthorization::Explicit;
    let verdict = judged(&mut unnamed(), one("Dentist letter"), explicit);
    assert_eq!(verdict, refused("unlicensed"));
    assert_eq!(
        judged(&mut letter(), one("Dentist letter"), explicit),
        Ok(1)
    );
    // New work goes on with no earlier agent.
    let run = RunHandle::parse("run-1").expect("a handle");
    let resumed = call(
        vec![item("Dentist letter", to("researcher"))],
        Some(ResumeTarget::Run(run)),
    );
    assert_eq!(plain(&mut letter(), resumed), refused("contradiction"));
}

#[test]
fn an_agent_is_stopped_and_a_task_taken_back_by_words_for_it_alone() {
    let stop = || {
        Proposal::Cancel(CancelCall {
            which: RunWords::default(),
            reason: None,
        })
    };
    let back = |priority| Proposal::Change {
        tool: Tool::UpdateTask,
        reference: "Dentist letter".to_owned(),
        values: NewValues {
            take_back: true,
            priority,
            ..NewValues::default()
        },
    };
    for mut scene in [
        letter(),
        Scene::new("hello", tasks()),
        Scene::new("set Dentist letter to high", tasks()),
    ] {
        assert_eq!(plain(&mut scene, stop()), refused("unlicensed"));
        assert_eq!(plain(&mut scene, back(None)), refused("unlicensed"));
    }
    let taken = || {
        let errand = Errand::TakeBack(named("Dentist letter"));
        acts(
            vec![Act::Errand(errand)],
            tasks(),
            "take Dentist letter back",
        )
    };
    let verdict = taken().judge(back(None));
    assert!(matches!(verdict, Verdict::Allow(_)), "{verdict:?}");
    let high = Some(crate::domain::Priority::High);
    assert_eq!(plain(&mut taken(), back(high)), refused("contradiction"));
}
