//! Messages about agents, and those that only look like it.

use chrono::NaiveDate;

use crate::domain::Lang;
use crate::intent::{Act, Agents, Errand, Reading, Target, read, read_with_agents};

fn agents() -> Agents {
    let names = [
        "lace",
        "researcher",
        "code-investigator",
        "code-reviewer",
        "testing-specialist",
    ];
    Agents {
        names: names.map(str::to_owned).to_vec(),
        default: "lace".to_owned(),
    }
}

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 2, 8).unwrap()
}

fn reading(message: &str) -> Reading {
    read_with_agents(message, today(), Lang::En, &agents())
}

fn words(target: &Target) -> String {
    match target {
        Target::Named(words) => words.clone(),
        Target::It => "(it)".to_owned(),
        other => format!("{other:?}"),
    }
}

/// One errand in a few words: `hand researcher: Research hotels`.
fn told(errand: &Errand) -> String {
    let about = |about: &crate::intent::About| {
        let agent = about.agent.as_deref().unwrap_or("-");
        let what = about.what.as_ref().map_or("-".to_owned(), words);
        format!("{agent}: {what}")
    };
    match errand {
        Errand::Hand(hand) => {
            let agent = if hand.named { hand.agent.as_str() } else { "-" };
            let parts: Vec<String> = hand.parts.iter().map(words).collect();
            let behind = if hand.background { " &" } else { "" };
            format!("hand {agent}: {}{behind}", parts.join(" | "))
        }
        Errand::Ask(what) => format!("ask {}", about(what)),
        Errand::Stop(what) => format!("stop {}", about(what)),
        Errand::Resume { about: what, more } => {
            format!("resume {}: {}", about(what), more.as_deref().unwrap_or("-"))
        }
        Errand::TakeBack(target) => format!("back {}", words(target)),
        Errand::Overview => "overview".to_owned(),
        Errand::Who => "who".to_owned(),
    }
}

fn errands(reading: &Reading) -> Vec<String> {
    let acts = reading.clauses.iter().map(|clause| &clause.act);
    acts.map(|act| match act {
        Act::Errand(errand) => told(errand),
        other => format!("{other:?}")
            .split(['(', ' ', '{'])
            .next()
            .unwrap_or_default()
            .to_owned(),
    })
    .collect()
}

#[test]
fn what_is_asked_of_agents_is_read() {
    let table = [
        (
            "delegate Research hotels to the researcher",
            "hand researcher: Research hotels",
        ),
        (
            "Delegate research hotels to an agent, please",
            "hand -: research hotels",
        ),
        (
            "please delegate the hotel research to the researcher",
            "hand researcher: hotel research",
        ),
        (
            "hand Research hotels to an agent",
            "hand -: Research hotels",
        ),
        (
            "hand over Research hotels to the researcher",
            "hand researcher: Research hotels",
        ),
        (
            "could you hand Research hotels over to the researcher?",
            "hand researcher: Research hotels",
        ),
        ("give it to the researcher", "hand researcher: (it)"),
        ("give that to a subagent", "hand -: (it)"),
        (
            "assign Review the payment module to the code reviewer",
            "hand code-reviewer: Review the payment module",
        ),
        (
            "assign the second one to the researcher",
            "hand researcher: Position(Nth(2))",
        ),
        (
            "research hotels and give it to the researcher",
            "hand researcher: research hotels",
        ),
        (
            "research hotels, and hand it over to the researcher",
            "hand researcher: research hotels",
        ),
        (
            "create a task to research hotels and assign it to a new subagent",
            "hand -: research hotels",
        ),
        (
            "add a task Research hotels and give it to the researcher",
            "hand researcher: Research hotels",
        ),
        (
            "let the researcher look into flights to Lisbon",
            "hand researcher: flights to Lisbon",
        ),
        (
            "let the researcher find hotels",
            "hand researcher: find hotels",
        ),
        (
            "have the code investigator find out why the login is slow",
            "hand code-investigator: find out why the login is slow",
        ),
        (
            "ask the researcher to compare phone plans",
            "hand researcher: compare phone plans",
        ),
        (
            "ask the researcher who can fix a roof",
            "hand researcher: who can fix a roof",
        ),
        (
            "can the researcher look into cheap flights?",
            "hand researcher: cheap flights",
        ),
        (
            "i want the researcher to compare prices",
            "hand researcher: compare prices",
        ),
        (
            "delegate Analyze logs and Check metrics to lace",
            "hand lace: Analyze logs | Check metrics",
        ),
        (
            "delegate Research hotels to the researcher in the background",
            "hand researcher: Research hotels &",
        ),
        ("delegate this to the researcher", "hand researcher: (it)"),
        (
            "delegate to the researcher: compare hotels",
            "hand researcher: compare hotels",
        ),
        (
            "get the flights researched by the researcher",
            "hand researcher: flights",
        ),
        ("delegate the hotels", "hand -: hotels"),
        (
            "is the agent done with Research hotels?",
            "ask -: Research hotels",
        ),
        ("is the researcher done?", "ask researcher: -"),
        (
            "has the agent finished Research hotels yet?",
            "ask -: Research hotels",
        ),
        ("how is the agent doing", "ask -: -"),
        (
            "how's the researcher getting on with the hotels?",
            "ask researcher: hotels",
        ),
        ("what did the researcher find?", "ask researcher: -"),
        (
            "what did the researcher find out about hotels?",
            "ask researcher: hotels",
        ),
        ("what is the status of the agent", "ask -: -"),
        ("any news from the researcher?", "ask researcher: -"),
        (
            "stop the agent on Research hotels",
            "stop -: Research hotels",
        ),
        ("stop the researcher", "stop researcher: -"),
        (
            "cancel the delegation of Research hotels",
            "stop -: Research hotels",
        ),
        ("tell the researcher to stop", "stop researcher: -"),
        (
            "stop the agent from working on Research hotels",
            "stop -: Research hotels",
        ),
        (
            "continue with the researcher on Research hotels: also check prices",
            "resume researcher: Research hotels: also check prices",
        ),
        (
            "continue with the agent on Research hotels",
            "resume -: Research hotels: -",
        ),
        ("resume the researcher", "resume researcher: -: -"),
        ("take Research hotels back", "back Research hotels"),
        (
            "take Research hotels back from the agent",
            "back Research hotels",
        ),
        ("who can you delegate to?", "who"),
        ("which agents do you have?", "who"),
        ("what agents are available", "who"),
        ("what have i delegated?", "overview"),
        ("show my delegations", "overview"),
        ("which agents are running?", "overview"),
    ];
    let mut wrong = Vec::new();
    for (message, expected) in table {
        let found = errands(&reading(message));
        if found != [expected] {
            wrong.push(format!("{message}: {found:?} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_stands_beside_it_is_read_as_ever() {
    let found = errands(&reading(
        "add buy milk, and delegate Research hotels to the researcher",
    ));
    assert_eq!(found, ["Add", "hand researcher: Research hotels"]);
    let found = errands(&reading("Thanks! Is the researcher done?"));
    assert_eq!(found, ["Social", "ask researcher: -"]);
}

#[test]
fn what_only_looks_like_it_reads_as_without_agents() {
    for message in [
        "add call the travel agent",
        "add \"delegate the report to the researcher\" to my list",
        "remind me to ask the researcher about the samples",
        "add give the keys to the agent",
        "i need to call my insurance agent tomorrow",
        "delete Research hotels",
        "mark it done anyway",
        "add buy milk and eggs",
        "what can you do?",
        "research hotels",
        "look deeply into the hotels for me",
        "do some thorough research on hotels",
        "stop",
        "cancel it",
        "continue",
        "who are you?",
        "rename Call agent to Call the new agent",
        "the agent called",
        "push the agent meeting to friday",
        "is milk on my list?",
        "how are you doing?",
        "what did you find?",
    ] {
        assert_eq!(
            reading(message),
            read(message, today(), Lang::En),
            "{message}"
        );
    }
}

#[test]
fn other_languages_hand_work_over_too() {
    for (lang, message, expected) in [
        (
            Lang::De,
            "delegiere Hotels vergleichen an den Researcher",
            "hand researcher: Hotels vergleichen",
        ),
        (
            Lang::De,
            "ist der Agent mit Hotels vergleichen fertig?",
            "ask -: Hotels vergleichen",
        ),
        (
            Lang::De,
            "hol Hotels vergleichen von lace zurück",
            "back Hotels vergleichen",
        ),
        (
            Lang::De,
            "ich mache Hotels vergleichen selbst",
            "back Hotels vergleichen",
        ),
        (
            Lang::Es,
            "delega comparar hoteles al researcher",
            "hand researcher: comparar hoteles",
        ),
        (
            Lang::Fr,
            "délègue comparer les hôtels au researcher",
            "hand researcher: comparer les hôtels",
        ),
        (
            Lang::It,
            "delega confronta hotel al researcher",
            "hand researcher: confronta hotel",
        ),
        (
            Lang::Pt,
            "delegue comparar hotéis ao researcher",
            "hand researcher: comparar hotéis",
        ),
        (
            Lang::Ur,
            "hotels ki research researcher ko de do",
            "hand researcher: hotels ki research",
        ),
    ] {
        let found = errands(&read_with_agents(message, today(), lang, &agents()));
        assert_eq!(found, [expected], "{message}");
    }
}

/// Words that the replies say an agent is told to go on with.
#[test]
fn other_languages_go_on_with_an_agent_as_their_replies_say() {
    use crate::locales::localized;
    for lang in Lang::ALL {
        let said = |id| {
            let (persona, question) = ("researcher", "?");
            localized!(
                lang,
                id,
                name = "Hotels",
                who = "lace",
                persona = persona,
                question = question
            )
        };
        let quoted = |text: &str| text.split('"').nth(1).unwrap_or_default().to_owned();
        let goes_on = quoted(&said("run-interrupted"));
        let found = errands(&read_with_agents(&goes_on, today(), lang, &agents()));
        assert_eq!(found, ["resume -: Hotels: -"], "{goes_on}");
        let answers = quoted(&said("run-asks")).replace('…', "the cheap ones");
        let found = errands(&read_with_agents(&answers, today(), lang, &agents()));
        assert_eq!(
            found,
            ["resume researcher: Hotels: the cheap ones"],
            "{answers}"
        );
    }
}

#[test]
fn every_persona_is_known_by_its_spoken_name() {
    for name in agents().names {
        let spoken = name.replace('-', " ");
        let found = errands(&reading(&format!(
            "delegate Research hotels to the {spoken}"
        )));
        assert_eq!(found, [format!("hand {name}: Research hotels")]);
    }
}
