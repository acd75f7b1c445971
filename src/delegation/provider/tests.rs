//! Tests of how providers stand: full, failed, disabled, gone.

use super::*;
use crate::domain::{CompletionPolicy, DelegateAuthorization};

fn settings(providers: Vec<ProviderSettings>) -> DelegationSettings {
    DelegationSettings {
        providers,
        models: crate::delegation::RoutingModels::default(),
        default_persona: "lace".to_owned(),
        workspace_roots: Vec::new(),
        own_files: Vec::new(),
        completion: CompletionPolicy::Reported,
        authorization: DelegateAuthorization::Intent,
        foreground_wait: Duration::ZERO,
        max_depth: 1,
        max_runs_per_user: 1,
    }
}

fn server(id: &str) -> ProviderSettings {
    ProviderSettings {
        id: id.to_owned(),
        kind: ProviderKind::OpenAiCompat,
        base_url: Some("http://127.0.0.1:9/v1".to_owned()),
        command: Vec::new(),
        env: crate::delegation::EnvironmentVariables::default(),
        api_key_env: None,
        models: vec!["gpt-4".to_owned()],
        max_concurrent: Some(1),
        enabled: true,
    }
}

#[test]
fn places_are_counted_and_given_back() {
    let providers = ProviderPool::new(&settings(vec![server("a")]), |_| None).unwrap();
    let providers = Arc::new(providers);
    assert!(providers.full().is_empty());
    let slot = providers.enter("a");
    assert_eq!(providers.full(), ["a"]);
    assert_eq!(providers.status()[0].free, Some(0));
    drop(slot);
    assert!(providers.full().is_empty());
    drop(providers.enter("gone"));
}

#[test]
fn what_failed_is_passed_over_until_it_goes_well() {
    let providers = ProviderPool::new(&settings(vec![server("a")]), |_| None).unwrap();
    let healthy = || providers.status()[0].healthy;
    assert!(healthy());
    providers.note("a", false);
    assert!(!healthy());
    providers.note("a", true);
    assert!(healthy());
}

#[test]
fn models_are_named_by_their_provider_and_hide_the_key() {
    let mut disabled = server("b");
    disabled.enabled = false;
    let settings = settings(vec![server("openai-dev"), disabled]);
    let providers = ProviderPool::new(&settings, |_| Some("sk-canary")).unwrap();
    let model = providers.model("openai-dev", "fast-model").unwrap();
    assert_eq!(model.name(), "openai-dev (fast-model)");
    assert!(!format!("{providers:?}").contains("canary"));
    for (id, why) in [("b", "disabled"), ("c", "not configured")] {
        let error = providers.model(id, "m").unwrap_err();
        assert_eq!(error.error_type, ErrorType::Unavailable);
        assert!(error.error.contains(why), "{error}");
    }
}
