//! Decisions on what an agent asks leave for.
//!
//! An agent of this protocol has tools of its own and asks before it uses one. Nobody sits
//! beside it, so the run's bounds answer: it may use the tools that the run offers it, think,
//! and read what its persona may read inside its workspace. Everything else is refused: writing,
//! commands, the network, and whatever does not say what it touches.

use std::path::{Path, PathBuf};

use agent_client_protocol::v1::schema::{
    PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest,
    SelectedPermissionOutcome, ToolKind,
};
use serde_json::Value;

use crate::delegation::agent::Workspace;
use crate::llm::ToolSpec;

/// Answer to a request for leave.
#[derive(Debug)]
pub struct Permission {
    /// Outcome that the agent is told.
    pub outcome: RequestPermissionOutcome,
    /// True when leave is granted.
    pub granted: bool,
    /// Request and what came of it, for the timeline.
    pub note: String,
}

/// Decides whether an agent may do what it asks leave for.
pub fn judge(
    asked: &RequestPermissionRequest,
    tools: &[ToolSpec],
    workspace: Option<&mut Workspace>,
) -> Permission {
    let fields = &asked.tool_call.fields;
    let title = fields.title.as_deref().unwrap_or("something");
    let own = is_offered(asked, tools);
    let reads = |name: &str| tools.iter().any(|tool| tool.name == name);
    let refused = match fields.kind {
        _ if own => None,
        Some(ToolKind::Think) => None,
        Some(ToolKind::Read) if reads("read_file") => outside(asked, workspace, false),
        Some(ToolKind::Search) if reads("list_files") => outside(asked, workspace, true),
        Some(ToolKind::Read | ToolKind::Search) => Some("it has no files to read"),
        Some(ToolKind::Edit | ToolKind::Delete | ToolKind::Move) => Some("it may not write"),
        Some(ToolKind::Execute) => Some("it may not run commands"),
        Some(ToolKind::Fetch) => Some("it may not use the network"),
        _ => Some("it is none of the tools of its run"),
    };
    let wanted = match refused {
        None => [
            PermissionOptionKind::AllowOnce,
            PermissionOptionKind::AllowAlways,
        ],
        Some(_) => [
            PermissionOptionKind::RejectOnce,
            PermissionOptionKind::RejectAlways,
        ],
    };
    let option = wanted
        .iter()
        .find_map(|kind| asked.options.iter().find(|option| option.kind == *kind));
    let outcome = match option {
        Some(option) => RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(
            option.option_id.clone(),
        )),
        None => RequestPermissionOutcome::Cancelled,
    };
    Permission {
        granted: refused.is_none() && option.is_some(),
        outcome,
        note: match refused {
            None => format!("Allowed: {title}"),
            Some(why) => format!("Refused: {title} ({why})"),
        },
    }
}

/// One of the run's own tools, by the name of the call: `mcp__candor__report_result`.
fn is_offered(asked: &RequestPermissionRequest, tools: &[ToolSpec]) -> bool {
    let fields = &asked.tool_call.fields;
    let harmless = matches!(fields.kind, None | Some(ToolKind::Other));
    let touches = fields
        .locations
        .as_ref()
        .is_some_and(|list| !list.is_empty());
    let Some(name) = fields.name.as_deref().or(fields.title.as_deref()) else {
        return false;
    };
    let ours = |tool: &ToolSpec| {
        let before = name.strip_suffix(tool.name);
        before.is_some_and(|before| {
            matches!(
                before,
                "" | "candor" | "mcp__candor__" | "candor__" | "candor/" | "candor." | "candor:"
            )
        })
    };
    harmless && !touches && tools.iter().any(ours)
}

/// Tells why what it wants to read is not for it; nothing said is nothing allowed.
fn outside(
    asked: &RequestPermissionRequest,
    workspace: Option<&mut Workspace>,
    folders: bool,
) -> Option<&'static str> {
    let Some(workspace) = workspace else {
        return Some("it has no files to read");
    };
    let places = places(asked);
    if places.is_empty() {
        return Some("it does not say which file");
    }
    let root = workspace.root().to_owned();
    for place in places {
        let inner = match place.is_absolute() {
            true => place.strip_prefix(&root).map(Path::to_owned).ok(),
            false => Some(place),
        };
        let Some(inner) = inner.as_deref().and_then(Path::to_str) else {
            return Some("outside the workspace");
        };
        // The same door as the run's own tool, with the same count of files.
        let file = workspace.read(inner);
        let fits = file.is_ok() || (folders && workspace.is_searchable(inner));
        if !fits {
            return Some("outside what its run may read");
        }
    }
    None
}

/// The paths that a call says it touches.
fn places(asked: &RequestPermissionRequest) -> Vec<PathBuf> {
    const NAMES: [&str; 7] = [
        "path",
        "file_path",
        "filePath",
        "abs_path",
        "absPath",
        "directory",
        "uri",
    ];
    let fields = &asked.tool_call.fields;
    let mut places: Vec<PathBuf> = Vec::new();
    for location in fields.locations.iter().flatten() {
        places.push(location.path.clone());
    }
    if let Some(Value::Object(input)) = &fields.raw_input {
        for name in NAMES {
            if let Some(path) = input.get(name).and_then(Value::as_str) {
                let plain = path.strip_prefix("file://").unwrap_or(path);
                places.push(PathBuf::from(plain));
            }
        }
    }
    places
}

#[cfg(test)]
mod tests;
