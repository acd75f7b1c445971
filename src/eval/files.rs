//! Scenario files: found in files and folders, parsed, and refused with the place of the fault.

use std::path::{Path, PathBuf};

use super::input::BadInput;
use super::scenario::Scenario;

/// Description of a scenario file, for whoever gave another.
const WANTED: &str = "a YAML file of scenarios (`candor eval schema` prints its schema)";

/// Reads the scenarios of files and folders, in the order of their names.
///
/// # Errors
/// When a path can't be read, holds no scenario, or a file is not one; file and place are named.
pub fn load(paths: &[PathBuf]) -> Result<Vec<Scenario>, BadInput> {
    let mut scenarios = Vec::new();
    for path in paths {
        let files = files(path)?;
        if files.is_empty() {
            let fault = format!("holds no .yaml file; wanted is {WANTED}");
            return Err(BadInput::of(path, fault));
        }
        for file in files {
            scenarios.extend(parse(&file, &BadInput::read(&file, WANTED)?)?);
        }
    }
    Ok(scenarios)
}

fn files(path: &Path) -> Result<Vec<PathBuf>, BadInput> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |error: std::io::Error| BadInput::of(path, format!("can't be read ({error})"));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let yaml = path
            .extension()
            .is_some_and(|end| end == "yaml" || end == "yml");
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if yaml {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// One scenario, or a list of them.
fn parse(file: &Path, text: &str) -> Result<Vec<Scenario>, BadInput> {
    let content = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with(['#', '%']) && line != "---"
    };
    let Some(first) = text.lines().find(content) else {
        return Err(BadInput::of(file, format!("is empty; wanted is {WANTED}")));
    };
    let parsed = if first.trim_start().starts_with(['-', '[']) {
        serde_saphyr::from_str::<Vec<Scenario>>(text)
    } else {
        serde_saphyr::from_str::<Scenario>(text).map(|scenario| vec![scenario])
    };
    let scenarios = parsed.map_err(|error| {
        let place = error.location().map(|at| (at.line(), at.column()));
        let words = error.without_snippet().to_string();
        // The place is named in front.
        let words = words.split(" at line ").next().unwrap_or_default();
        BadInput::at(file, place, format!("{words}; wanted is {WANTED}"))
    })?;
    match scenarios.iter().find(|scenario| scenario.turns.is_empty()) {
        Some(scenario) => {
            let fault = format!("the scenario {:?} has no turns", scenario.name);
            Err(BadInput::of(file, fault))
        }
        None => Ok(scenarios),
    }
}
