//! Files as operators write them, and what is wrong with them.

use super::*;

const PAIRS: &[(&str, &str)] = &[("OPENAI_DEV_KEY", "sk-canary"), ("BROKEN_KEY", "sk canary")];

fn with(
    text: &str,
    pairs: &[(&str, &str)],
) -> (Result<Option<DelegationConfig>, ConfigError>, String) {
    let variables = Variables::from_pairs(PAIRS.iter().chain(pairs).copied());
    let model = ModelChoice::read(&variables).unwrap();
    let mut notes = Vec::new();
    let read = file::parse(text)
        .and_then(|table| DelegationConfig::understand(&table, &variables, &model, &mut notes));
    (read, notes.join("\n"))
}

fn read(text: &str) -> DelegationConfig {
    with(text, &[]).0.unwrap().unwrap()
}

const ONE: &str = "
    [[providers]]
    id = 'worker'
    kind = 'built_in'
";

#[test]
fn the_smallest_file_has_every_default() {
    let settings = read(ONE).settings;
    let provider = &settings.providers[0];
    assert_eq!(
        (settings.providers.len(), provider.id.as_str()),
        (1, "worker")
    );
    assert_eq!(provider.kind, ProviderKind::BuiltIn);
    assert!(provider.enabled && provider.models.is_empty() && provider.max_concurrent.is_none());
    assert_eq!(settings.default_persona, "lace");
    assert_eq!(settings.completion, CompletionPolicy::Reported);
    assert_eq!(settings.authorization, DelegateAuthorization::Intent);
    assert_eq!(settings.foreground_wait.as_millis(), 20_000);
    assert_eq!((settings.max_depth, settings.max_runs_per_user), (1, 10));
    assert!(settings.models.session.is_none() && settings.models.fast.is_none());
    assert!(settings.workspace_roots.is_empty());
}

#[test]
fn every_key_is_read() {
    let delegating = read(
        "
        [[providers]]
        id = 'openai-dev'
        kind = 'openai_compat'
        base_url = 'http://127.0.0.1:1/v1/'
        api_key_env = 'OPENAI_DEV_KEY'
        models = ['gpt-4', 'qwen3:32b']
        max_concurrent = 3

        [[providers]]
        id = 'codex'
        kind = 'acp_stdio'
        command = 'codex acp'
        enabled = false

        [models]
        fast = 'openai-dev:qwen3:32b'
        smart = 'codex:anything'

        [delegation]
        default_persona = 'researcher'
        workspace_roots = ['.', './src/..']
        completion_policy = 'accepted'
        authorization = 'explicit'
        foreground_wait_ms = 0
        max_depth = 3
        max_runs_per_user = 2
        ",
    );
    let settings = &delegating.settings;
    assert_eq!(
        settings.providers[0].base_url.as_deref(),
        Some("http://127.0.0.1:1/v1")
    );
    assert_eq!(settings.providers[0].max_concurrent, Some(3));
    assert_eq!(settings.providers[1].command, ["codex", "acp"]);
    assert!(!settings.providers[1].enabled);
    assert_eq!(
        settings.models.fast.as_ref().unwrap().to_string(),
        "openai-dev:qwen3:32b"
    );
    assert_eq!(settings.models.smart.as_ref().unwrap().provider, "codex");
    assert_eq!(
        settings.workspace_roots,
        [Path::new(".").canonicalize().unwrap()]
    );
    assert_eq!(settings.completion, CompletionPolicy::Accepted);
    assert_eq!(settings.authorization, DelegateAuthorization::Explicit);
    assert_eq!((settings.max_depth, settings.max_runs_per_user), (3, 2));
    assert_eq!(delegating.keys["openai-dev"].expose(), "sk-canary");
    assert!(!format!("{delegating:?}").contains("canary"));
}

#[test]
fn the_chats_own_model_is_a_provider() {
    let chat = [
        ("OPENAI_BASE_URL", "http://host/v1"),
        ("OPENAI_API_KEY", "sk-chat"),
        ("OPENAI_MODEL", "gpt-4"),
        ("OPENAI_PROVIDER_ID", "openai-dev"),
    ];
    let delegating = with(ONE, &chat).0.unwrap().unwrap();
    let settings = &delegating.settings;
    assert_eq!(
        settings.models.session.as_ref().unwrap().to_string(),
        "openai-dev:gpt-4"
    );
    let own = &settings.providers[1];
    assert_eq!(
        (own.id.as_str(), own.models.as_slice()),
        ("openai-dev", &["gpt-4".to_owned()][..])
    );
    assert_eq!(delegating.keys["openai-dev"].expose(), "sk-chat");
    // Where the file has one of its name, it says what is to be said; the key stays at home.
    let file = "
        [[providers]]
        id = 'openai-dev'
        kind = 'openai_compat'
        models = ['fast-model']
        max_concurrent = 1
    ";
    let delegating = with(file, &chat).0.unwrap().unwrap();
    let own = &delegating.settings.providers[0];
    assert_eq!(delegating.settings.providers.len(), 1);
    assert_eq!(own.models, ["fast-model", "gpt-4"]);
    assert_eq!(own.base_url.as_deref(), Some("http://host/v1"));
    assert_eq!(delegating.keys["openai-dev"].expose(), "sk-chat");
    let elsewhere = format!("{file}\nbase_url = 'http://elsewhere/v1'");
    let delegating = with(&elsewhere, &chat).0.unwrap().unwrap();
    assert!(delegating.keys.is_empty());
}

#[test]
fn without_a_provider_there_is_nothing_and_that_is_said() {
    let (read, notes) = with("[delegation]\nmax_depth = 2", &[]);
    assert!(
        read.unwrap().is_none() && notes.contains("no [[providers]]"),
        "{notes}"
    );
    let (read, notes) = with("", &[]);
    assert!(read.unwrap().is_none() && notes.is_empty(), "{notes}");
    assert!(with("[delegation]\nmax_depth = 9", &[]).0.is_err());
}

#[test]
fn a_wrong_value_stops_the_start_with_one_line() {
    let check = |text: &str, expect: &str| {
        let line = with(text, &[]).0.unwrap_err().to_string();
        assert!(
            line.starts_with("candor.toml: ") && line.contains(expect),
            "{line}"
        );
        assert!(
            line.contains("; accepted: ") && !line.contains('\n'),
            "{line}"
        );
        assert!(!line.contains("canary"), "{line}");
    };
    // `|` ends a line; `A` begins a provider, `U` one that could be used, and `R` the rules.
    let cases = r#"
        provider = 1 => provider is not a key; did you mean providers?
        providers = 1 => providers is not a list of tables
        [[providers]]|kind = 'built_in' => [[providers]] 1 id is missing
        [[providers]]|id = 'a b'|kind = 'built_in' => id can't be one
        [[providers]]|id = 'auto'|kind = 'built_in' => a meaning of its own
        [[providers]]|id = 'a' => [[providers]] 1 kind is missing; accepted: openai_compat
        [[providers]]|id = 'a'|kind = 'openai' => kind = "openai" is not one of its words
        A => base_url is missing
        A|base_url = 'host'|models=['m'] => base_url can't be one
        A|base_url = 'http://me:canary@h/v1' => a user name
        A|base_url = 'http://h/v1' => models is missing
        A|base_url = 'http://h/v1'|models = [1] => models holds what is not text
        A|api_key = 'sk-canary' => a secret does not belong into it; accepted: api_key_env
        A|max_concurent = 3 => max_concurent is not a key; did you mean max_concurrent?
        U|api_key_env = 'NO_SUCH' => api_key_env = "NO_SUCH": it is not set
        U|api_key_env = 'BROKEN_KEY' => no header can carry
        U|api_key_env = 'sk-canary' => is not the name of a variable
        U|max_concurrent = 0 => out of its range
        U|enabled = 'yes' => neither true nor false
        [[providers]]|id='a'|kind='acp_stdio' => command is missing
        ONE|command = ['x'] => command has no meaning for kind = "built_in"
        ONE|ONE => the id of an earlier one
        ONE|[models]|fast = 'gpt-4' => [models] fast names no provider
        ONE|[models]|fast = 'x:gpt-4' => which is not configured
        ONE|[models]|quick = 'x:y' => [models] quick is not a key
        R|default_persona = 'Bob' => default_persona can't be one
        R|default_persnoa = 'bob' => did you mean default_persona?
        R|workspace_roots = ['/no/such'] => no such folder
        R|workspace_roots = '/' => is not a list
        R|completion_policy = 'never' => accepted: reported, verified, accepted
        R|authorization = 'all' => accepted: intent, explicit, auto
        R|foreground_wait_ms = '20s' => is not a whole number
        R|max_depth = 4 => accepted: 1 to 3
        R|max_runs_per_user = 0 => out of its range
    "#;
    for case in cases.trim().lines() {
        let (file, expect) = case.trim().split_once(" => ").unwrap();
        let lines = file.split('|').map(|line| match line {
            "A" => "[[providers]]\nid = 'a'\nkind = 'openai_compat'",
            "U" => {
                "[[providers]]\nid = 'a'\nkind = 'openai_compat'\n\
                 base_url = 'http://h/v1'\nmodels = ['m']"
            }
            "R" => "[[providers]]\nid = 'worker'\nkind = 'built_in'\n[delegation]",
            "ONE" => ONE,
            line => line,
        });
        check(&lines.collect::<Vec<_>>().join("\n"), expect);
    }
}

#[test]
fn the_files_of_the_document_are_accepted() {
    let document = include_str!("../../../docs/DELEGATION.md");
    let files: Vec<_> = document.split("```toml\n").skip(1).collect();
    assert_eq!(files.len(), 3);
    for file in files {
        let file = file.split("```").next().unwrap();
        let file = file
            .replace("/srv/notes", ".")
            .replace("[\"notes\"]", "[\".\"]");
        let (read, notes) = with(&file, &[("ANTHROPIC_API_KEY", "sk-canary")]);
        assert!(
            read.unwrap().is_some() && notes.is_empty(),
            "{file} {notes}"
        );
    }
}
