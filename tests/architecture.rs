//! The shape of the house, held by ordinary tests: what may import what, how large a file may
//! be, who may make a receipt, and which words may stand nowhere.
//!
//! A rule is a function from sources to complaints. Every rule is run on the real tree and on
//! planted violations: a rule that catches nothing would be a decoration.

#![cfg(test)]

#[path = "architecture/layers.rs"]
mod layers;
#[path = "architecture/rules.rs"]
mod rules;
#[path = "architecture/source.rs"]
mod source;

use source::{Source, TREE};

/// Function that returns what a rule finds wrong, one line each; nothing when all is well.
type Rule = fn(&[Source]) -> Vec<String>;

/// The real tree keeps the rule.
fn holds(rule: Rule) {
    let found = TREE.iter().any(|source| source.path == "src/lib.rs");
    assert!(found, "the tree was not found: nothing was checked");
    let complaints = rule(&TREE);
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// The rule says `expect` of a file with this path and text: one part per complaint.
fn check(rule: Rule, path: &str, text: &str, expect: &[&str]) {
    check_all(rule, &[(path, text)], expect);
}

fn check_all(rule: Rule, files: &[(&str, &str)], expect: &[&str]) {
    let files: Vec<Source> = files
        .iter()
        .map(|(path, text)| Source::new(path, text))
        .collect();
    let complaints = rule(&files);
    let agree = complaints.len() == expect.len()
        && complaints
            .iter()
            .zip(expect)
            .all(|(said, part)| said.contains(part));
    assert!(agree, "expected {expect:?}, got {complaints:#?}");
}

#[test]
fn doc_comments_open_with_a_noun_or_a_verb() {
    let rule: Rule = rules::vague_openings;
    holds(rule);
    let text = "//!\n\n/// Whether it is so.\n/// It is more.\nfn a() {}\n/// How it is.\nfn c() {}\n/// Tells so.\nfn b() {}";
    check(
        rule,
        "src/a.rs",
        text,
        &[
            "src/a.rs:3: /// Whether it is so.",
            "src/a.rs:6: /// How it is.",
        ],
    );
}

#[test]
fn a_name_is_that_of_three_types_at_most() {
    let rule: Rule = rules::crowded_names;
    holds(rule);
    let paths = ["src/a.rs", "src/b.rs", "src/c.rs", "src/d.rs"];
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (*path, "struct Told;")).collect();
    check_all(rule, &files, &["Told is defined in"]);
}

#[test]
fn imports_go_downward() {
    let rule: Rule = layers::upward;
    holds(rule);
    let up = &["src/store/unit.rs:2: store (layer 3) uses guard (layer 6)"];
    check(
        rule,
        "src/store/unit.rs",
        "//!\nuse crate::guard::Judge;",
        up,
    );
    check(
        rule,
        "src/store/unit.rs",
        "//!\nfn f() -> crate::guard::Kind {",
        up,
    );
    check(
        rule,
        "src/store/unit.rs",
        "//!\nuse super::super::guard::Judge;",
        up,
    );
    check(
        rule,
        "src/turn/frame.rs",
        "use crate::{\n    domain::Task,\n    chat::{ChatService, wire},\n    store::Unit,\n};",
        &["turn (layer 5) uses chat (layer 8)"],
    );
    check(
        rule,
        "src/http/api.rs",
        "use crate::config::Config;",
        &["uses config"],
    );
    check(
        rule,
        "src/chat/driver.rs",
        "use crate::app::run;",
        &["uses app"],
    );
    check(
        rule,
        "src/config/mod.rs",
        "use crate::app::run;",
        &["uses app"],
    );
    check(
        rule,
        "src/helpers/mod.rs",
        "//!",
        &["helpers is in no layer"],
    );
    check(rule, "src/helpers.rs", "//!", &["helpers is in no layer"]);
    // Downward, sideways, into itself, and in words only.
    check(
        rule,
        "src/guard/judge.rs",
        "use crate::store::Receipt;",
        &[],
    );
    check(rule, "src/intent/mod.rs", "use crate::temporal::scan;", &[]);
    check(
        rule,
        "src/store/unit.rs",
        "pub(in crate::store) fn f() {}",
        &[],
    );
    check(
        rule,
        "src/store/unit.rs",
        "/// See [`crate::guard`].\n",
        &[],
    );
    check(rule, "src/app/audit.rs", "use crate::config::Config;", &[]);
    check(rule, "src/main.rs", "use candor::app;", &[]);
}

#[test]
fn modules_stand_in_no_circle() {
    let rule: Rule = layers::circles;
    holds(rule);
    check_all(
        rule,
        &[
            ("src/intent/mod.rs", "use crate::resolver::Words;"),
            ("src/resolver/mod.rs", "use crate::temporal::scan;"),
            ("src/temporal/mod.rs", "fn f(verb: crate::intent::Verb) {}"),
        ],
        &["intent → resolver → temporal → intent"],
    );
    check_all(
        rule,
        &[
            (
                "src/intent/mod.rs",
                "use crate::resolver::Words;\nuse crate::temporal::scan;",
            ),
            ("src/resolver/mod.rs", "use crate::temporal::scan;"),
        ],
        &[],
    );
}

#[test]
fn no_source_file_is_longer_than_600_lines() {
    let rule: Rule = rules::too_long;
    holds(rule);
    check(
        rule,
        "src/guard/x.rs",
        &"//!\n".repeat(601),
        &["has 601 lines"],
    );
    check(rule, "src/guard/x.rs", &"//!\n".repeat(600), &[]);
}

#[test]
fn every_file_says_what_it_is_for() {
    let rule: Rule = rules::unexplained;
    holds(rule);
    check(
        rule,
        "src/guard/x.rs",
        "use std::fmt;\n//! Late.",
        &["does not begin with"],
    );
    check(rule, "tests/x.rs", "", &["does not begin with"]);
    check(rule, "src/guard/x.rs", "//!\n", &["does not begin with"]);
    check(rule, "src/guard/x.rs", "//! Verdicts.\n", &[]);
    check(rule, "prompts/system.md", "You turn words into calls.", &[]);
}

#[test]
fn only_the_store_makes_receipts() {
    let rule: Rule = rules::forged_receipts;
    holds(rule);
    let check = |path, text, expect: &[&str]| check(rule, path, text, expect);
    check(
        "src/guard/x.rs",
        "let r = Receipt::mint(draft);",
        &["src/guard/x.rs:1"],
    );
    check(
        "src/http/x.rs",
        ".map(store::Receipt::from_row)",
        &["src/http/x.rs:1"],
    );
    check(
        "src/chat/x.rs",
        "let r = Receipt { facts };",
        &["src/chat/x.rs:1"],
    );
    check(
        "src/chat/x.rs",
        "let r = Receipt\n{ facts };",
        &["src/chat/x.rs:1"],
    );
    check(
        "src/tools/x.rs",
        "struct Receipt {}\nimpl Clone for Receipt {",
        &[":1", ":2"],
    );
    check(
        "src/store/x.rs",
        "impl Default for Receipt {",
        &["src/store/x.rs:1"],
    );
    let derived = "#[derive(Debug, Clone)]\npub struct Receipt {\n    facts: Facts,\n}";
    check("src/store/receipt.rs", derived, &["src/store/receipt.rs:1"]);
    let open = "#[derive(Debug)]\npub struct Receipt {\n    pub facts: Facts,\n}";
    check("src/store/receipt.rs", open, &["src/store/receipt.rs:2"]);
    check("src/store/group.rs", "drafts.map(Receipt::mint)", &[]);
    check("src/guard/x.rs", "fn first(&self) -> &Receipt {", &[]);
    check(
        "src/guard/x.rs",
        "// Receipt::mint is not ours to call\n",
        &[],
    );
}

#[test]
fn replies_are_made_from_receipts_and_not_from_the_log() {
    let rule: Rule = rules::spoken_from_the_log;
    holds(rule);
    let text = "let proof = Proof::Logged(&logged);";
    check(rule, "src/chat/driver.rs", text, &["src/chat/driver.rs:1"]);
    check(
        rule,
        "src/guard/compose.rs",
        text,
        &["src/guard/compose.rs:1"],
    );
    check(rule, "src/guard/account/read.rs", text, &[]);
}

#[test]
fn words_are_read_by_one_engine() {
    let rule: Rule = rules::second_engines;
    holds(rule);
    let text = "//!\nstruct CueLexicon;\nstatic WORDS: HashMap<String, Vec<Cue>> = x;\nfn fold(a: &str) {}\nenum Pattern {}";
    let path = "src/guard/evidence/x.rs";
    let lines = [2, 3, 4, 5].map(|line| format!("{path}:{line}"));
    check(rule, path, text, &lines.each_ref().map(String::as_str));
    check(rule, "src/language/x.rs", text, &[]);
}

#[test]
fn words_of_a_language_stand_in_its_folder() {
    let rule: Rule = rules::words_in_code;
    holds(rule);
    let text = "//!\nconst NEGATIONS: [&str; 3] = [\"not\", \"nicht\", \"pas\"];\nfn f(word: &str) -> bool {\n    [\"don't\", \"all right\",\n        \"no\",\n    ].contains(&word)\n}\n#[cfg(test)]\nmod tests {\n    const A: [&str; 3] = [\"a\", \"b\", \"c\"];\n}";
    let path = "src/guard/talk/x.rs";
    let found = [2, 4].map(|line| format!("{path}:{line}"));
    check(rule, path, text, &found.each_ref().map(String::as_str));
    check(rule, "src/store/x.rs", text, &[]);
}

#[test]
fn sql_stays_in_the_store() {
    let rule: Rule = rules::stray_sql;
    holds(rule);
    check(
        rule,
        "src/guard/x.rs",
        "use sqlx::SqlitePool;",
        &["src/guard/x.rs:1"],
    );
    check(rule, "src/store/rows.rs", "use sqlx::Row;", &[]);
    check(
        rule,
        "src/logging.rs",
        "const F: &str = \"sqlx=warn\";",
        &[],
    );
    let rule: Rule = rules::assembled_sql;
    holds(rule);
    let text = "sqlx::query(AssertSqlSafe(text))";
    check(rule, "src/store/rows.rs", text, &["src/store/rows.rs:1"]);
    check(rule, "tests/x.rs", text, &["tests/x.rs:1"]);
}

#[test]
fn what_only_decides_counts_nothing() {
    let rule: Rule = rules::counted_decisions;
    holds(rule);
    let text = "if let Some(meters) = crate::telemetry::meters() {";
    check(rule, "src/guard/x.rs", text, &["src/guard/x.rs:1"]);
    check(
        rule,
        "src/turn/x.rs",
        "use opentelemetry::Context;",
        &["src/turn/x.rs:1"],
    );
    check(rule, "src/chat/machine/tally.rs", text, &[]);
}

#[test]
fn the_machine_of_a_turn_only_asks_for_effects() {
    let rule: Rule = rules::acting_machine;
    holds(rule);
    for text in [
        "tokio::spawn(work);",
        "let began = Instant::now();",
        "use crate::store::Store;",
        "use crate::store::{\n    Receipt, Store,\n    Unit };",
        "fn f(model: &dyn LanguageModel) {",
        "let text = std::fs::read(path);",
    ] {
        let check_at = |path, expect: &[&str]| check(rule, path, text, expect);
        check_at("src/chat/machine/calls.rs", &["src/chat/machine/calls.rs:"]);
        check_at("src/chat/machine/agents/begin.rs", &["begin.rs:"]);
        check_at("src/chat/machine/tests/mod.rs", &[]);
        check_at("src/chat/driver.rs", &[]);
    }
    let text = "use crate::store::{StoreError, Unit};";
    check(rule, "src/chat/machine/calls.rs", text, &[]);
}

#[test]
fn no_lint_is_silenced_without_a_reason() {
    let rule: Rule = rules::silenced_lints;
    holds(rule);
    check(
        rule,
        "src/guard/x.rs",
        "#[allow(dead_code)]",
        &["src/guard/x.rs:1"],
    );
    check(rule, "tests/x.rs", "\n#![allow(unused)]", &["tests/x.rs:2"]);
    check(
        rule,
        "src/x.rs",
        "#[cfg_attr(test, allow(unused))]",
        &["src/x.rs:1"],
    );
    check(rule, "src/x.rs", "#[expect(unused, reason = \"why\")]", &[]);
    check(rule, "src/x.rs", "fn allow(x: u8) {}", &[]);
}

#[test]
fn time_and_chance_are_arguments() {
    let rule: Rule = rules::hidden_inputs;
    holds(rule);
    let check = |path, text, expect: &[&str]| check(rule, path, text, expect);
    check(
        "src/chat/x.rs",
        "let now = Utc::now();",
        &["domain/clock.rs"],
    );
    check(
        "src/chat/x.rs",
        "chrono::Local::now()",
        &["domain/clock.rs"],
    );
    check("src/http/x.rs", "SystemTime::now()", &["domain/clock.rs"]);
    check("src/chat/x.rs", "Uuid::new_v4()", &["domain/ids.rs"]);
    check("src/chat/x.rs", "Uuid::now_v7()", &["domain/ids.rs"]);
    check("src/app.rs", "std::env::var_os(\"NO_COLOR\")", &["config"]);
    check(
        "src/app.rs",
        "use std::env;\nenv::vars()",
        &["src/app.rs:2"],
    );
    check("src/domain/clock.rs", "Utc::now()", &[]);
    check("src/config/variables.rs", "std::env::vars_os()", &[]);
    check("src/chat/x.rs", "Instant::now()", &[]);
    check("tests/x.rs", "SystemTime::now()", &[]);
}

#[test]
fn nothing_points_at_the_machine_it_was_made_on() {
    let rule: Rule = rules::machine_words;
    holds(rule);
    // Put together here, so that this file does not break the rule it tests.
    let path = |first: &str| format!("see /{first}/x for more");
    check(rule, "README.md", &path("tmp"), &["README.md:1"]);
    check(
        rule,
        "src/x.rs",
        &format!("// {}", path("root")),
        &["src/x.rs:1"],
    );
    check(
        rule,
        "tests/x.rs",
        &format!("\n\"/{}\"", "work"),
        &["tests/x.rs:2"],
    );
    check(
        rule,
        "README.md",
        &["crates", "io"].join("."),
        &["README.md:1"],
    );
    check(
        rule,
        "src/x.rs",
        &["registry", "npmjs", "org"].join("."),
        &["src/x.rs:1"],
    );
    check(
        rule,
        "README.md",
        "src/work/mod.rs and /workspace, root and :root",
        &[],
    );
    check(rule, "Cargo.lock", &["crates", "io-index"].join("."), &[]);
}

#[test]
fn the_documents_point_at_what_is_there() {
    let rule: Rule = rules::stale_pointers;
    holds(rule);
    let check = |readme: &str, expect: &[&str]| {
        let files = [
            ("README.md", readme),
            ("src/guard/judge.rs", "//! Verdicts.\nfn a_test() {}"),
        ];
        check_all(rule, &files, expect);
    };
    check(
        "in `src/guard/judges.rs`",
        &["src/guard/judges.rs is not there"],
    );
    check(
        "\n`src/guard/judge.rs::no_test`",
        &["README.md:2: src/guard/judge.rs has no no_test"],
    );
    check(
        "`src/guard/judge.rs::a_test`, `src/guard/`, `src/guard` and `cargo run`",
        &[],
    );
    let page = ("docs/GUARD.md", "see `docs/GUARDS.md`");
    check_all(rule, &[page], &["docs/GUARDS.md is not there"]);
}

#[test]
fn no_regular_expression_asks_for_a_unicode_word_boundary() {
    let rule: Rule = rules::unicode_boundaries;
    holds(rule);
    let slow = &["src/guard/prose/words.rs:2: \\b without"];
    check(
        rule,
        "src/guard/prose/words.rs",
        "//!\nfn f() { Regex::new(r\"\\bdone\") }",
        slow,
    );
    let fast = "//!\nfn f() { Regex::new(r\"(?-u:\\b)done\") }";
    check(rule, "src/guard/prose/words.rs", fast, &[]);
}
