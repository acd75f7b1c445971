//! Faults of a turn that hands work over: nobody comes to an end, the program does, or a read fails.

use std::time::Duration;

use serde_json::json;

use super::{Fate, Stage, calls, says};
use crate::chat::ChatError;
use crate::chat::delegation::DelegateAgents;
use crate::chat::machine::effects::Waited;
use crate::delegation::{
    DelegationSettings, PersonaRegistry, ProviderKind, ProviderStatus, RoutingModels, WaitOutcome,
};
use crate::domain::{CompletionPolicy, DelegateAuthorization};
use crate::store::RollbackCause;

fn agents() -> DelegateAgents {
    let settings = DelegationSettings {
        providers: Vec::new(),
        models: RoutingModels::default(),
        default_persona: "lace".to_owned(),
        workspace_roots: Vec::new(),
        own_files: Vec::new(),
        completion: CompletionPolicy::Reported,
        authorization: DelegateAuthorization::Intent,
        foreground_wait: Duration::from_secs(9),
        max_depth: 1,
        max_runs_per_user: 1,
    };
    DelegateAgents::new(settings, PersonaRegistry::default())
}

/// "delegate … to lace", and a model that does so.
fn handing() -> Stage {
    let hand = json!({
        "tasks": [{ "title": "Research hotels", "prompt": "Compare." }],
        "assign_to": "new:lace",
    });
    let stage = Stage::new("delegate Research hotels to lace", &[]);
    let mut stage = stage.speaking([calls(&[("delegate", hand)]), says("It is under way.")]);
    stage.rules.agents = Some(agents());
    stage.world.providers.push(ProviderStatus {
        id: "openai".to_owned(),
        kind: ProviderKind::OpenAiCompat,
        models: vec!["small".to_owned()],
        enabled: true,
        healthy: true,
        free: None,
    });
    stage
}

const BEGUN: &str = "Waiting for a free agent: Research hotels (lace, agent-";

#[test]
fn a_run_is_committed_before_anybody_is_woken_and_waited_for_in_bounds() {
    let asked = [
        "recall",
        "load",
        "runs",
        "model",
        "providers",
        "commit",
        "alive",
        "load",
        "runs",
        "wake",
        "await",
        "load",
        "runs",
        "commit",
        "wake",
    ];
    let ends = [
        Waited::Done(WaitOutcome::StillRunning),
        Waited::Late,
        Waited::Ending,
        Waited::Stopped,
    ];
    for end in ends {
        let mut stage = handing();
        stage.world.waits.push_back(end);
        let told = stage.reply().unwrap();
        assert!(told.starts_with(BEGUN), "{told}");
        assert_eq!(stage.world.asked, asked);
        assert_eq!(stage.world.titles(), ["Research hotels"]);
    }
}

#[test]
fn a_run_that_was_not_committed_is_neither_woken_nor_waited_for() {
    let mut stage = handing().committing([Fate::Unknown { written: true }]);
    assert_eq!(stage.reply(), Err(ChatError::Unconfirmed));
    let asked = ["recall", "load", "runs", "model", "providers", "commit"];
    assert_eq!(stage.world.asked, asked);
    let full = RollbackCause::Storage("disk full".to_owned());
    let mut stage = handing().committing([Fate::RolledBack(full)]);
    assert_eq!(
        stage.reply(),
        Err(ChatError::Storage("disk full".to_owned()))
    );
    assert_eq!(stage.world.asked, asked);
}

#[test]
fn a_run_that_can_not_be_read_back_was_begun_all_the_same() {
    let mut stage = handing().reading([true, true, true, true, false]);
    stage.world.waits.push_back(Waited::Late);
    assert_eq!(stage.reply(), Err(ChatError::Unconfirmed));
    assert_eq!(stage.world.asked.last(), Some(&"load"));
    assert_eq!(stage.world.titles(), ["Research hotels"]);
}
