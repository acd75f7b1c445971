//! The report as one page that needs nothing else: no script, no address, no font.

use std::fmt::Write;

use super::chart::{ChartBar, bars, columns};
use super::tally::{LogTally, NamedCounts};
use super::text::{by_rate, parts};
use crate::terminal::plain;

const STYLE: &str = "\
:root{color-scheme:light dark;--bar:#2f6f9f;--soft:#d9dee3;--ground:#fff;--ink:#1c2126;--bad:#a3261b}
@media (prefers-color-scheme:dark){:root{--bar:#78b4de;--soft:#3a424a;--ground:#15191d;--ink:#e6e9ec;--bad:#ff9a8d}}
body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;\
background:var(--ground);color:var(--ink)}
h1{margin-bottom:0}h2{margin-top:2.5rem}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1rem;margin:1.5rem 0}
dl div{border:1px solid var(--soft);border-radius:6px;padding:.6rem .8rem}
dt{font-size:.85rem}dd{margin:0;font-size:1.5rem;font-variant-numeric:tabular-nums}
.bad{color:var(--bad)}
svg{width:100%;height:auto}rect{fill:var(--bar)}svg text{fill:currentColor;font-size:14px}
table{border-collapse:collapse;margin:1rem 0;width:100%}caption{text-align:left;font-weight:600}
th,td{text-align:right;padding:.2rem .6rem;border-bottom:1px solid var(--soft);\
font-variant-numeric:tabular-nums}
th:first-child,td:first-child{text-align:left;overflow-wrap:anywhere}";

/// The page.
pub(super) fn page(tally: &LogTally, covers: &str) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>candor audit report</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n\
         <main>\n<h1>Audit report</h1>\n<p>{}</p>\n",
        escaped(covers)
    );
    tiles(tally, &mut page);
    charts(tally, &mut page);
    models(tally, &mut page);
    for (name, counts) in parts(tally) {
        table(name, counts, &mut page);
    }
    wrong(tally, &mut page);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn tiles(tally: &LogTally, page: &mut String) {
    page.push_str("<dl>\n");
    for (name, count, bad) in [
        ("Users", tally.users as u64, false),
        ("Turns", tally.turns, false),
        ("Receipts", tally.receipts(), false),
        ("Ghost attempts stopped", tally.ghosts(), false),
        ("Sentences proven", tally.sentences.proven, false),
        (
            "Sentences unproven",
            tally.sentences.unproven,
            tally.sentences.unproven > 0,
        ),
        ("Events", tally.events, false),
        ("Erasures", tally.erasures, false),
    ] {
        let class = if bad { " class=\"bad\"" } else { "" };
        // Writing to a string does not fail.
        let _ = writeln!(page, "<div><dt>{name}</dt><dd{class}>{count}</dd></div>");
    }
    page.push_str("</dl>\n");
}

fn charts(tally: &LogTally, page: &mut String) {
    let over_time = |count: fn(&super::tally::DayTally) -> u64| {
        let days = tally.days.iter().map(|(day, counted)| ChartBar {
            name: day.to_string(),
            value: count(counted) as f64,
            label: count(counted).to_string(),
        });
        days.collect::<Vec<_>>()
    };
    if !tally.days.is_empty() {
        page.push_str("<h2>Turns by day</h2>\n");
        page.push_str(&columns("Turns by day", &over_time(|day| day.turns)));
    }
    if tally.ghosts() > 0 {
        page.push_str("\n<h2>Ghost attempts stopped, by day</h2>\n");
        let title = "Ghost attempts stopped, by day";
        page.push_str(&columns(title, &over_time(|day| day.ghosts)));
        page.push_str("\n<h2>Ghost attempts stopped, by kind</h2>\n");
        let kinds = tally.ghosts_by_kind.iter().map(|(kind, count)| ChartBar {
            name: kind.clone(),
            value: *count as f64,
            label: count.to_string(),
        });
        let title = "Ghost attempts stopped, by kind";
        page.push_str(&bars(title, &kinds.collect::<Vec<_>>()));
    }
    page.push('\n');
}

fn models(tally: &LogTally, page: &mut String) {
    if tally.models.is_empty() {
        return;
    }
    page.push_str("<h2>Models by ghost rate</h2>\n");
    let rates = by_rate(tally).into_iter().map(|(name, model)| ChartBar {
        name: name.clone(),
        value: model.ghost_rate,
        label: format!("{:.1} %", 100.0 * model.ghost_rate),
    });
    let title = "Share of turns in which a model claimed what was not so";
    page.push_str(&bars(title, &rates.collect::<Vec<_>>()));
    page.push_str(
        "\n<table>\n<caption>Models</caption>\n<thead><tr><th scope=\"col\">Model</th>\
         <th scope=\"col\">Turns</th><th scope=\"col\">Ghosts</th><th scope=\"col\">Ghost rate</th>\
         <th scope=\"col\">Missed</th><th scope=\"col\">Refused</th><th scope=\"col\">Failed</th>\
         </tr></thead>\n<tbody>\n",
    );
    for (name, model) in by_rate(tally) {
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{:.1} %</td><td>{}</td>\
             <td>{}</td><td>{}</td></tr>",
            escaped(name),
            model.turns,
            model.ghosts,
            100.0 * model.ghost_rate,
            model.missed_calls,
            model.refused_calls,
            model.failed_calls
        );
    }
    page.push_str("</tbody>\n</table>\n");
}

fn table(name: &str, counts: &NamedCounts, page: &mut String) {
    if counts.is_empty() {
        return;
    }
    let mut title = name.to_owned();
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let _ = write!(page, "<table>\n<caption>{title}</caption>\n<tbody>\n");
    for (name, count) in counts {
        let name = escaped(name);
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{name}</th><td>{count}</td></tr>"
        );
    }
    page.push_str("</tbody>\n</table>\n");
}

fn wrong(tally: &LogTally, page: &mut String) {
    if tally.turns_that_do_not_hold.is_empty() {
        return;
    }
    page.push_str(
        "<h2 class=\"bad\">Turns whose reply is not what the log says</h2>\n\
         <p><code>candor audit show TURN</code> says of each sentence what it is worth.</p>\n<ul>\n",
    );
    for turn in &tally.turns_that_do_not_hold {
        let _ = writeln!(page, "<li><code>{turn}</code></li>");
    }
    page.push_str("</ul>\n");
}

/// Text that is text, whoever wrote it.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tally::{DayTally, ModelTally};
    use super::*;

    #[test]
    fn whoever_names_a_model_writes_no_markup() {
        let evil = "<img src=x onerror=alert(1)>\"'&\u{202e}\u{1b}[2J";
        let mut tally = LogTally::default();
        let model = ModelTally {
            turns: 4,
            ghost_turns: 1,
            ghost_rate: 0.25,
            ..ModelTally::default()
        };
        tally.models.insert(evil.to_owned(), model);
        tally.failed_calls_by_type.insert(evil.to_owned(), 3);
        tally.ghosts_by_kind.insert(evil.to_owned(), 2);
        let day = DayTally {
            turns: 4,
            ghosts: 2,
            ..DayTally::default()
        };
        tally.days.insert(chrono::NaiveDate::MIN, day);
        let page = page(&tally, evil);
        assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"));
        assert!(!page.contains("<img") && !page.contains(['\u{202e}', '\u{1b}']));
        assert!(page.contains("25.0 %") && page.matches("<svg").count() == 4);
    }

    #[test]
    fn an_empty_period_makes_an_empty_page() {
        let page = page(&LogTally::default(), "the whole log");
        assert!(page.contains("<dd>0</dd>") && !page.contains("<svg"));
        assert_eq!(page.matches("<table").count(), 0);
    }

    #[test]
    fn many_days_are_put_together() {
        let days: Vec<ChartBar> = (0..365)
            .map(|day| ChartBar {
                name: format!("day {day}"),
                value: f64::from(day % 7),
                label: String::new(),
            })
            .collect();
        let svg = columns("Turns", &days);
        assert!((30..=60).contains(&svg.matches("<rect").count()));
        assert!(svg.contains("day 0 to day 6: 21") && svg.contains(">day 364</text>"));
    }
}
