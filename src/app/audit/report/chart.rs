//! Bars as inline SVG: no script, no address, readable in light and dark, and told in words to
//! who can't see them. The tables of the page hold the same figures.

use std::fmt::Write;

use super::html::escaped;

/// Width of a chart, in its own units.
const WIDTH: f64 = 720.0;

/// Height of the columns.
const COLUMNS: f64 = 160.0;

/// Height of one lying bar.
const BAR: f64 = 26.0;

/// Most columns that can still be told apart.
const MOST: usize = 60;

/// One bar.
pub(super) struct ChartBar {
    /// Name of the thing counted.
    pub(super) name: String,
    /// Its length.
    pub(super) value: f64,
    /// The value in words.
    pub(super) label: String,
}

/// Lying bars, one below the other.
pub(super) fn bars(title: &str, bars: &[ChartBar]) -> String {
    let most = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let height = BAR * bars.len() as f64 + 4.0;
    let mut svg = opening(title, &words(bars), height);
    for (row, bar) in bars.iter().enumerate() {
        let y = BAR * row as f64;
        let length = scaled(bar.value, most, WIDTH * 0.5);
        let (name, label) = (escaped(&cut(&bar.name)), escaped(&bar.label));
        let (text, middle, end) = (WIDTH * 0.32, y + 17.0, WIDTH * 0.33 + length + 6.0);
        // Writing to a string does not fail.
        let _ = write!(
            svg,
            "<text x=\"{text:.0}\" y=\"{middle:.0}\" text-anchor=\"end\">{name}</text>\
             <rect x=\"{:.0}\" y=\"{:.0}\" width=\"{length:.1}\" height=\"18\" rx=\"2\"/>\
             <text x=\"{end:.1}\" y=\"{middle:.0}\">{label}</text>",
            WIDTH * 0.33,
            y + 4.0,
        );
    }
    svg.push_str("</svg>");
    svg
}

/// Standing columns over time; neighbours are put together where there are too many.
pub(super) fn columns(title: &str, days: &[ChartBar]) -> String {
    let size = days.len().div_ceil(MOST).max(1);
    let columns: Vec<ChartBar> = days.chunks(size).map(together).collect();
    let most = columns.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let mut svg = opening(title, &words(&columns), COLUMNS + 24.0);
    let step = WIDTH / columns.len().max(1) as f64;
    for (place, column) in columns.iter().enumerate() {
        let height = scaled(column.value, most, COLUMNS);
        let _ = write!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\">\
             <title>{}: {}</title></rect>",
            step * place as f64 + step * 0.1,
            COLUMNS - height,
            step.min(60.0) * 0.8,
            escaped(&column.name),
            escaped(&column.label),
        );
    }
    let y = COLUMNS + 18.0;
    if let (Some(first), Some(last)) = (days.first(), days.last()) {
        let _ = write!(
            svg,
            "<text x=\"0\" y=\"{y:.0}\">{}</text>",
            escaped(&first.name)
        );
        if days.len() > 1 {
            let last = escaped(&last.name);
            let _ = write!(
                svg,
                "<text x=\"{WIDTH:.0}\" y=\"{y:.0}\" text-anchor=\"end\">{last}</text>"
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

fn together(days: &[ChartBar]) -> ChartBar {
    let value: f64 = days.iter().map(|day| day.value).sum();
    let name = match days {
        [first, .., last] => format!("{} to {}", first.name, last.name),
        _ => days.iter().map(|day| day.name.as_str()).collect(),
    };
    ChartBar {
        name,
        value,
        label: format!("{value:.0}"),
    }
}

fn opening(title: &str, words: &str, height: f64) -> String {
    format!(
        "<svg role=\"img\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" aria-label=\"{}\">\
         <desc>{}</desc>",
        escaped(title),
        escaped(words)
    )
}

/// The chart, said.
fn words(bars: &[ChartBar]) -> String {
    let said: Vec<String> = bars
        .iter()
        .map(|bar| format!("{}: {}", bar.name, bar.label))
        .collect();
    said.join("; ")
}

fn scaled(value: f64, most: f64, length: f64) -> f64 {
    if most > 0.0 {
        (value / most * length).max(1.0)
    } else {
        0.0
    }
}

/// A name that fits beside its bar.
fn cut(name: &str) -> String {
    if name.chars().count() <= 34 {
        return name.to_owned();
    }
    name.chars().take(33).chain(['…']).collect()
}
