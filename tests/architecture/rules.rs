//! Rules for what may be written where: receipts, SQL, clocks, variables, and words that may stand
//! nowhere.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use crate::source::{Source, line_of};

/// The most lines that a file of the program may have.
const LINES_MAX: usize = 600;

/// The most files in which one name may be that of a type.
const HOMES_MAX: usize = 3;

/// Files that nobody reads to the end.
pub fn too_long(sources: &[Source]) -> Vec<String> {
    let lines = |source: &Source| source.text.lines().count();
    sources
        .iter()
        .filter(|source| source.is_rust() && source.is_under("src/"))
        .filter(|source| lines(source) > LINES_MAX)
        .map(|source| format!("{} has {} lines", source.path, lines(source)))
        .collect()
}

/// Files that do not begin by saying what they are for.
pub fn unexplained(sources: &[Source]) -> Vec<String> {
    let says = |source: &Source| {
        let first = source.text.lines().next().unwrap_or_default();
        let words = first.strip_prefix("//!");
        words.is_some_and(|words| !words.trim().is_empty())
    };
    sources
        .iter()
        .filter(|source| source.is_rust() && !says(source))
        .map(|source| format!("{} does not begin with `//!` and its purpose", source.path))
        .collect()
}

/// Doc comments that open with a pronoun, or in the program with an adverb: the first word of one is
/// a noun or a verb.
pub fn vague_openings(sources: &[Source]) -> Vec<String> {
    const PRONOUNS: &str = "What|Whether|Who|Which|It|They";
    const ADVERBS: &str = "How|Where|When|Why|Whose|Whatever|Whoever|That|Those|These";
    let opens = |words: &str| Regex::new(&format!(r"^\s*//[/!]\s+(?:{words})\b")).unwrap();
    let vague = opens(PRONOUNS);
    let adverbial = opens(ADVERBS);
    let comment = Regex::new(r"^\s*//[/!]").unwrap();
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|source| source.is_rust()) {
        let mut within = false;
        for (index, line) in source.text.lines().enumerate() {
            let opens = vague.is_match(line) || is_program(source) && adverbial.is_match(line);
            if opens && !within {
                complaints.push(format!("{}:{}: {}", source.path, index + 1, line.trim()));
            }
            within = comment.is_match(line);
        }
    }
    complaints
}

/// Tells whether a file is of the program, and holds no tests alone.
fn is_program(source: &Source) -> bool {
    source.is_under("src/") && !source.path.contains("/tests") && !source.path.ends_with("tests.rs")
}

/// Type names that stand in more than [`HOMES_MAX`] files of the program: nobody knows which is meant.
pub fn crowded_names(sources: &[Source]) -> Vec<String> {
    let defined =
        Regex::new(r"(?m)^\s*(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait) (\w+)").unwrap();
    let mut homes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for source in sources.iter().filter(|source| is_program(source)) {
        for name in defined.captures_iter(&source.code) {
            let files = homes.entry(name[1].to_owned()).or_default();
            files.insert(&source.path);
        }
    }
    let crowded = homes.iter().filter(|(_, files)| files.len() > HOMES_MAX);
    crowded
        .map(|(name, files)| format!("{name} is defined in {files:?}"))
        .collect()
}

/// Ways to a receipt that do not lead through a commit.
pub fn forged_receipts(sources: &[Source]) -> Vec<String> {
    let outside = |source: &Source| source.is_under("src/") && !source.is_under("src/store/");
    let made = Regex::new(r"\bReceipt::(?:mint|from_row)\b").unwrap();
    let mut complaints = found(sources, &made, outside);
    let built = Regex::new(r"\bReceipt\s*\{").unwrap();
    for source in sources.iter().filter(|source| outside(source)) {
        for hit in built.find_iter(&source.code) {
            // `fn first() -> &Receipt {` builds none.
            let before = &source.code[..hit.start()];
            let statement = before.rsplit(['{', '}', ';', '(', ',']).next();
            if !statement.unwrap_or_default().contains("->") {
                complaints.push(complaint(source, &source.code, hit.start(), hit.as_str()));
            }
        }
    }
    let doors = [
        r"\bimpl\b[^{;]*\b(?:Clone|Copy|Default|Deserialize|From|FromRow)\b[^{;]*\bfor\s+Receipt\b",
        r"#\[derive\([^)]*\b(?:Clone|Copy|Default|Deserialize|FromRow)\b[^)]*\)\]\s*pub struct Receipt\b",
        r"\bstruct Receipt\s*\{[^}]*\bpub\b",
    ];
    let doors = Regex::new(&doors.join("|")).unwrap();
    let inside = found(sources, &doors, |source| source.is_under("src/store/"));
    complaints.extend(inside);
    complaints
}

/// Receipts of the log where replies are made: they are for computing one again.
pub fn spoken_from_the_log(sources: &[Source]) -> Vec<String> {
    let logged = Regex::new(r"\bLogged\b").unwrap();
    let homes = ["src/store/", "src/guard/account/", "src/turn/ledger.rs"];
    found(sources, &logged, |source| {
        source.is_under("src/") && !homes.iter().any(|home| source.is_under(home))
    })
}

/// Databases spoken to outside the store.
pub fn stray_sql(sources: &[Source]) -> Vec<String> {
    let sqlx = Regex::new(r"\bsqlx\b").unwrap();
    found(sources, &sqlx, |source| {
        source.is_under("src/") && !source.is_under("src/store/")
    })
}

/// Second engines of words: `src/domain/text.rs` alone cuts a text into words, and of the intent reader
/// and the guard none keeps tables of words or reads and fits patterns and phrases: `src/language` does.
pub fn second_engines(sources: &[Source]) -> Vec<String> {
    let engine = Regex::new(
        r"\b(?:struct|enum) (?:\w*Lexicon|\w*Matcher|PhraseBook|Phrase|Pattern|Token)\b|\bfn (?:fold|tokenize)\b|\b(?:Hash|BTree)Map<\s*(?:String|&'static str)\b",
    )
    .unwrap();
    found(sources, &engine, |source| {
        let readers = ["src/intent/", "src/guard/"];
        is_program(source) && readers.iter().any(|reader| source.is_under(reader))
    })
}

/// Lists of words of a natural language in what reads and judges words: they stand in `src/languages`, so
/// that a new language need only have its own. Endings of words, of hosts and of units are no such words.
pub fn words_in_code(sources: &[Source]) -> Vec<String> {
    let other = [
        ("src/guard/evidence/words.rs", 3),
        ("src/guard/talk/marks.rs", 1),
        ("src/temporal/remind.rs", 5),
    ];
    let readers = Regex::new("^src/(?:chat|guard|intent|resolver|temporal|turn)/").unwrap();
    let comment = Regex::new("(?m)^ *//.*$").unwrap();
    let list = Regex::new(r#"\[\s*(?:"[a-z' ]+"\s*,?\s*){3,}\]"#).unwrap();
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|source| is_program(source)) {
        let program = source.text.split("#[cfg(test)]\nmod").next().unwrap();
        let program = comment.replace_all(program, "");
        let known = other.iter().find(|(path, _)| *path == source.path);
        let lists = list
            .find_iter(&program)
            .filter(|_| readers.is_match(&source.path));
        let lists = lists.skip(known.map_or(0, |(_, count)| *count));
        complaints.extend(lists.map(|hit| complaint(source, &program, hit.start(), hit.as_str())));
    }
    complaints
}

/// Figures and spans in the parts that only decide: they are counted where decisions take effect.
pub fn counted_decisions(sources: &[Source]) -> Vec<String> {
    let pure = [
        "domain", "intent", "resolver", "temporal", "audit", "formats", "tools", "turn", "guard",
    ];
    let telemetry = Regex::new(r"\b(?:telemetry|metrics|opentelemetry)::").unwrap();
    found(sources, &telemetry, |source| {
        let mut pure = pure.iter();
        pure.any(|folder| source.is_under(&format!("src/{folder}/")))
    })
}

/// Things that the machine of a turn does by itself: it asks its driver for effects, and waits for
/// nothing else.
pub fn acting_machine(sources: &[Source]) -> Vec<String> {
    let acts = [
        r"\b(?:tokio|reqwest|thread|fs)::",
        r"\bInstant::now\b|\bTurnServices\b",
        r"\bstore::(?:\w+::)*Store\b|[{,]\s*Store\s*[,}]",
        r"\bLanguageModel\b|\bAgentRunner\b|\bReminderChannels\b",
    ];
    let acts = Regex::new(&acts.join("|")).unwrap();
    found(sources, &acts, |source| {
        source.is_under("src/chat/machine/") && is_program(source)
    })
}

/// Statements put together at run time: all SQL is text of the program.
pub fn assembled_sql(sources: &[Source]) -> Vec<String> {
    let assertion = Regex::new(r"\bAssertSqlSafe\b").unwrap();
    found(sources, &assertion, |_| true)
}

/// Lints switched off instead of expected, with a reason.
pub fn silenced_lints(sources: &[Source]) -> Vec<String> {
    let allow = Regex::new(r"#!?\[\s*(?:cfg_attr\([^\]]*)?\ballow\s*\(").unwrap();
    found(sources, &allow, |_| true)
}

/// Clocks, dice and variables read where nobody passed them in.
pub fn hidden_inputs(sources: &[Source]) -> Vec<String> {
    let rules = [
        (r"\b(Utc|Local|SystemTime)::now\b", "src/domain/clock.rs"),
        (r"\bUuid::(new_v4|now_v7)\b", "src/domain/ids.rs"),
        (r"\benv::(var|var_os|vars|vars_os)\b", "src/config/"),
    ];
    let mut complaints = Vec::new();
    for (words, home) in rules {
        let words = Regex::new(words).unwrap();
        let strays = found(sources, &words, |source| {
            source.is_under("src/") && !source.is_under(home)
        });
        complaints.extend(
            strays
                .into_iter()
                .map(|line| format!("{line}: only in {home}")),
        );
    }
    complaints
}

/// Paths of somebody's machine, and hosts that packages come from.
pub fn machine_words(sources: &[Source]) -> Vec<String> {
    let words = [
        r#"(?:^|[\s"'`(=:<,])/(?:work|tmp|root|home)(?:/|[\s"'`),;:]|$)"#,
        r"\b(?:crates|docker|ghcr)\.io\b",
        r"\b(?:npmjs|pypi|pythonhosted|rubygems|unpkg|jsdelivr)\.\w",
    ];
    let words = Regex::new(&format!("(?m){}", words.join("|"))).unwrap();
    let mut complaints = Vec::new();
    // A lock file names where each package comes from, and nobody writes it by hand.
    let locks = ["Cargo.lock", "fuzz/Cargo.lock"];
    let written = |source: &&Source| !locks.contains(&source.path.as_str());
    for source in sources.iter().filter(written) {
        for hit in words.find_iter(&source.text) {
            let begin = hit.start() + hit.as_str().len() - hit.as_str().trim_start().len();
            complaints.push(complaint(source, &source.text, begin, hit.as_str()));
        }
    }
    complaints
}

/// Files, folders and tests (`file::test`) that the documents name and that are not there.
pub fn stale_pointers(sources: &[Source]) -> Vec<String> {
    let words = r"`((?:src|tests|prompts|migrations|scripts|docs)/[\w./-]*)(?:::(\w+))?`";
    let words = Regex::new(words).unwrap();
    let mut complaints = Vec::new();
    // The change log names what was there then.
    let documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];
    let documented = |source: &&Source| {
        let page = source.is_under("docs/") && source.path.ends_with(".md");
        page || documents.contains(&source.path.as_str())
    };
    for document in sources.iter().filter(documented) {
        for pointer in words.captures_iter(&document.text) {
            let path = &pointer[1];
            let folder = format!("{}/", path.trim_end_matches('/'));
            let file = sources.iter().find(|source| source.path == *path);
            let wrong = match (file, pointer.get(2)) {
                (Some(file), Some(test)) if !has_function(file, test.as_str()) => {
                    format!("{path} has no {}", test.as_str())
                }
                (Some(_), _) => continue,
                (None, None) if sources.iter().any(|source| source.is_under(&folder)) => continue,
                (None, _) => format!("{path} is not there"),
            };
            let at = pointer.get(0).map_or(0, |whole| whole.start());
            complaints.push(format!(
                "{}:{}: {wrong}",
                document.path,
                line_of(&document.text, at)
            ));
        }
    }
    complaints
}

fn has_function(file: &Source, name: &str) -> bool {
    // Tests of properties are written inside a macro; their names stand in the code all the same.
    let words = Regex::new(&format!(r"\bfn {name}\b")).unwrap();
    words.is_match(&file.code)
}

/// Where the code of the files that `looked_at` picks matches.
fn found(sources: &[Source], words: &Regex, looked_at: impl Fn(&Source) -> bool) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|source| looked_at(source)) {
        for hit in words.find_iter(&source.code) {
            complaints.push(complaint(source, &source.code, hit.start(), hit.as_str()));
        }
    }
    complaints
}

fn complaint(source: &Source, text: &str, at: usize, words: &str) -> String {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}:{}: {words}", source.path, line_of(text, at))
}

/// In what reads a message: a Unicode word boundary costs a thousandfold on one accented letter,
/// since the matcher leaves its fast automaton. `(?-u:\b)` does not, and the text is folded before.
pub fn unicode_boundaries(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let readers = ["domain", "guard", "intent", "resolver", "temporal"];
    let reads = |source: &&Source| {
        let mut folders = readers.iter();
        folders.any(|folder| source.is_under(&format!("src/{folder}/")))
    };
    let code = sources.iter().filter(reads);
    for source in code.filter(|source| source.is_rust() && source.text.contains("Regex")) {
        for sign in [r"\b", r"\B"] {
            for (at, _) in source.text.match_indices(sign) {
                let before = source.text.get(..at);
                if !before.is_some_and(|text| text.ends_with("(?-u:")) {
                    let line = line_of(&source.text, at);
                    complaints.push(format!("{}:{line}: {sign} without (?-u:…)", source.path));
                }
            }
        }
    }
    complaints
}
