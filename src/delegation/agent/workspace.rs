//! The files an agent may see: one folder, opened once, and nothing outside it.
//!
//! Every path goes through the folder's handle (cap-std), which resolves it component by
//! component: `..`, absolute paths and links that lead out are refused by the system call
//! itself, not by looking at the text. Reading is all there is; nothing is ever written.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use serde_json::{Value, json};

use super::glob::FileGlobs;
use super::own_files::OwnFiles;
use crate::domain::{Details, ErrorType, ToolError, masked, put_member};

/// The most that one call gives out, in bytes.
const OUTPUT_MAX: usize = 16 << 10;
/// The most entries of a listing.
const ENTRIES_MAX: usize = 500;
/// Greatest depth of a listing.
const DEPTH_MAX: usize = 12;
/// Entries that are looked at for one listing; beyond, it says that it is not whole.
const SEEN_MAX: usize = 20_000;

/// The files of one run.
#[derive(Debug)]
pub struct Workspace {
    dir: Dir,
    root: PathBuf,
    /// The program's own files, which are not among them.
    own: Vec<PathBuf>,
    globs: FileGlobs,
    max_files: Option<u32>,
    /// The different files that were read.
    read: BTreeSet<PathBuf>,
}

impl Workspace {
    /// The folder at `wanted`, which must be one of `roots` or lie below one (C-17); without
    /// one, the first root. `own` are files that no agent sees, wherever they lie.
    ///
    /// # Errors
    /// `permission` for a folder elsewhere, `not_found` for one that is not there.
    pub fn open(
        (roots, own): (&[PathBuf], &[PathBuf]),
        wanted: Option<&Path>,
        globs: &[String],
        max_files: Option<u32>,
    ) -> Result<Self, ToolError> {
        let root = root(roots, wanted)?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority());
        let dir = dir.map_err(|_| {
            ToolError::new(ErrorType::NotFound, "The workspace folder can't be opened")
        })?;
        Ok(Self {
            dir,
            root,
            own: own.to_vec(),
            globs: FileGlobs::new(globs),
            max_files,
            read: BTreeSet::new(),
        })
    }

    /// Returns its path, without symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads one file: `{path, content, size}`.
    ///
    /// # Errors
    /// What is wrong with the path or the file (D-159, D-160, D-186).
    pub fn read(&mut self, path: &str) -> Result<Value, ToolError> {
        if path.trim().is_empty() {
            let error = fault(
                ErrorType::Validation,
                "Missing required parameter: path",
                path,
            );
            return Err(suggesting(error, "Provide a file path to read"));
        }
        let action = FileAction::Read;
        let failed = |error: std::io::Error| action.failed(&error, path);
        let (within, real) = self.find(path, action)?;
        let meta = self.dir.metadata(&real).map_err(failed)?;
        // A pipe or a device would be waited for.
        if !meta.is_file() {
            let words = "Failed to read file: it is not a file";
            return Err(fault(ErrorType::Execution, words, path));
        }
        // `.env` and its like hold keys: no listing shows them, and none is read.
        if hidden(&real) || hidden(&within) {
            return Err(action.hidden(path));
        }
        let own = OwnFiles::look(&self.own);
        if own.hold(&self.dir, &real, &meta, &self.root.join(&real)) {
            let words = format!("'{}' is one of candor's own files", shown(path));
            return Err(fault(ErrorType::Permission, words, path));
        }
        if !self.globs.allow(&slashed(&real)) {
            let words = format!("'{}' is not among the files of this task", shown(path));
            return Err(fault(ErrorType::Permission, words, path));
        }
        if let Some(max) = self.max_files
            && self.read.len() >= max as usize
            && !self.read.contains(&real)
        {
            let words = format!("The limit of {max} different files is reached");
            return Err(fault(ErrorType::Limit, words, path));
        }
        let file = self.dir.open(&real).map_err(failed)?;
        let mut bytes = Vec::new();
        let limit = u64::try_from(OUTPUT_MAX + 4).unwrap_or(u64::MAX);
        file.take(limit).read_to_end(&mut bytes).map_err(failed)?;
        self.read.insert(real.clone());
        let no_text = || {
            let words = "Failed to read file: it is not text";
            fault(ErrorType::Execution, words, path)
        };
        let text = readable(&bytes).ok_or_else(no_text)?;
        let size = meta.len();
        let mut data = json!({"path": slashed(&real), "content": masked(text), "size": size});
        let given = u64::try_from(text.len()).unwrap_or(u64::MAX);
        if given < size {
            put_member(
                &mut data,
                "notice",
                format!("cut: the first {given} of {size} bytes"),
            );
        }
        Ok(data)
    }

    /// Lists the files below a folder: `{files: [{path, size}], notice?}`. Links are not
    /// followed; what begins with a dot and the program's own files are left out.
    ///
    /// # Errors
    /// What is wrong with the folder.
    pub fn list(&self, path: Option<&str>) -> Result<Value, ToolError> {
        Ok(self.walk(path.unwrap_or("."), false)?.told())
    }

    /// Tells whether all files below a folder may be opened by whoever searches it: none of them is
    /// the program's own, not even where no listing looks.
    pub fn is_searchable(&self, path: &str) -> bool {
        let walked = self.walk(path, true);
        walked.is_ok_and(|walk| walk.whole && !walk.met_own)
    }

    fn walk(&self, path: &str, everywhere: bool) -> Result<FileWalk<'_>, ToolError> {
        let asked = match path.trim() {
            "" => ".",
            asked => asked,
        };
        let action = FileAction::List;
        let (_, real) = self.find(asked, action)?;
        if hidden(&real) {
            return Err(action.hidden(asked));
        }
        let mut walk = FileWalk {
            globs: &self.globs,
            root: &self.root,
            own: OwnFiles::look(&self.own),
            everywhere,
            files: Vec::new(),
            looked_at: 0,
            whole: true,
            met_own: false,
        };
        let dir = match real.as_os_str().is_empty() {
            true => self.dir.try_clone(),
            false => self.dir.open_dir(&real),
        };
        let dir = dir.map_err(|error| action.failed(&error, asked))?;
        walk.folder(&dir, &real, 0);
        Ok(walk)
    }

    /// The path as it was given, and as it is without links.
    fn find(&self, path: &str, action: FileAction) -> Result<(PathBuf, PathBuf), ToolError> {
        let within = lexical(path.trim()).ok_or_else(|| action.outside(path))?;
        let real = self.dir.canonicalize(&within);
        let real = real.map_err(|error| action.failed(&error, path))?;
        Ok((within, real))
    }
}

/// A folder below a root, found without following a link out of it.
fn root(roots: &[PathBuf], wanted: Option<&Path>) -> Result<PathBuf, ToolError> {
    let Some(wanted) = wanted else {
        let first = roots.first().cloned();
        return first.ok_or_else(|| {
            let words = "No workspace is configured: workspace_roots of candor.toml is empty";
            ToolError::new(ErrorType::Permission, words)
        });
    };
    let text = wanted.to_string_lossy();
    let refused = || {
        let words = format!(
            "Refusing to work outside the workspace roots: {}",
            shown(&text)
        );
        fault(ErrorType::Permission, words, &text)
    };
    if text.contains('\0') {
        return Err(refused());
    }
    let joined = match (wanted.is_absolute(), roots.first()) {
        (false, Some(first)) => first.join(wanted),
        _ => wanted.to_owned(),
    };
    // The same words whether it is missing or elsewhere: what lies outside is nobody's business.
    let real = joined.canonicalize().map_err(|_| refused())?;
    let below = roots.iter().any(|root| real.starts_with(root));
    (below && real.is_dir()).then_some(real).ok_or_else(refused)
}

/// The path where its text is one that can lie inside.
fn lexical(path: &str) -> Option<PathBuf> {
    if path.contains('\0') {
        return None;
    }
    let path = Path::new(path);
    let mut depth = 0_i32;
    for part in path.components() {
        match part {
            Component::Prefix(_) | Component::RootDir => return None,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            Component::Normal(_) => depth += 1,
        }
        if depth < 0 {
            return None;
        }
    }
    Some(path.to_owned())
}

/// Tells whether a part of the path begins with a dot.
fn hidden(path: &Path) -> bool {
    path.components().any(|part| match part {
        Component::Normal(name) => name.to_string_lossy().starts_with('.'),
        _ => false,
    })
}

struct FileWalk<'a> {
    globs: &'a FileGlobs,
    root: &'a Path,
    own: OwnFiles,
    /// Looks at hidden files and folders as well, and at files that the globs leave out.
    everywhere: bool,
    files: Vec<(String, u64)>,
    looked_at: usize,
    whole: bool,
    /// Came by one of the program's own files.
    met_own: bool,
}

impl FileWalk<'_> {
    fn folder(&mut self, dir: &Dir, at: &Path, depth: usize) {
        let Ok(entries) = dir.entries() else {
            self.whole = false;
            return;
        };
        let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
        entries.sort_by_key(cap_std::fs::DirEntry::file_name);
        for entry in entries {
            self.looked_at += 1;
            if self.files.len() >= ENTRIES_MAX || self.looked_at > SEEN_MAX {
                self.whole = false;
                return;
            }
            let name = entry.file_name();
            if name.to_string_lossy().starts_with('.') && !self.everywhere {
                continue;
            }
            let path = at.join(&name);
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                if depth >= DEPTH_MAX {
                    self.whole = false;
                    continue;
                }
                if let Ok(below) = entry.open_dir() {
                    self.folder(&below, &path, depth + 1);
                }
            } else if kind.is_file() && (self.everywhere || self.globs.allow(&slashed(&path))) {
                let Ok(meta) = entry.metadata() else {
                    continue;
                };
                let place = self.root.join(&path);
                if self.own.hold(dir, Path::new(&name), &meta, &place) {
                    self.met_own = true;
                } else {
                    self.files.push((slashed(&path), meta.len()));
                }
            }
        }
    }

    fn told(self) -> Value {
        let mut bytes = 0;
        let mut files = Vec::new();
        let mut whole = self.whole;
        for (path, size) in &self.files {
            bytes += path.len() + 32;
            if bytes > OUTPUT_MAX {
                whole = false;
                break;
            }
            files.push(json!({"path": masked(path), "size": size}));
        }
        let mut told = json!({ "files": files });
        if !whole {
            put_member(&mut told, "notice", "cut: there are more files");
        }
        told
    }
}

/// The text of the first bytes of a file: cut between two characters.
fn readable(bytes: &[u8]) -> Option<&str> {
    let kept = bytes.get(..OUTPUT_MAX.min(bytes.len()))?;
    if kept.contains(&0) {
        return None;
    }
    match std::str::from_utf8(kept) {
        Ok(text) => Some(text),
        // Only its last character may be cut off.
        Err(error) if error.error_len().is_none() && bytes.len() > OUTPUT_MAX => {
            std::str::from_utf8(kept.get(..error.valid_up_to())?).ok()
        }
        Err(_) => None,
    }
}

fn slashed(path: &Path) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

fn shown(path: &str) -> String {
    crate::domain::shown(path).chars().take(200).collect()
}

/// Action on a path, as faults name it.
#[derive(Debug, Clone, Copy)]
enum FileAction {
    Read,
    List,
}

impl FileAction {
    const fn pick(self, read: &'static str, list: &'static str) -> &'static str {
        match self {
            Self::Read => read,
            Self::List => list,
        }
    }

    fn outside(self, path: &str) -> ToolError {
        let words = format!(
            "Refusing to {} outside project root: {}. Use a relative path within the project.",
            self.pick("read", "list"),
            shown(path)
        );
        fault(ErrorType::Permission, words, path)
    }

    fn hidden(self, path: &str) -> ToolError {
        let done = self.pick("read", "listed");
        let words = format!(
            "'{}' is hidden: nothing that begins with a dot is {done}",
            shown(path)
        );
        fault(ErrorType::Permission, words, path)
    }

    /// The fault of the file system: its kind, and nothing of the machine's paths.
    fn failed(self, error: &std::io::Error, path: &str) -> ToolError {
        use std::io::ErrorKind;
        match (error.kind(), self) {
            // The system's own refusal has a number; that of a path that leads out has none.
            (ErrorKind::PermissionDenied, _) if error.raw_os_error().is_none() => {
                self.outside(path)
            }
            (ErrorKind::NotFound | ErrorKind::NotADirectory, Self::Read) => {
                let words = format!("File not found: {}", shown(path));
                let error = fault(ErrorType::NotFound, words, path);
                suggesting(error, "Use list_files to find available files")
            }
            (ErrorKind::NotFound | ErrorKind::NotADirectory, Self::List) => {
                let words = format!("Folder not found: {}", shown(path));
                fault(ErrorType::NotFound, words, path)
            }
            (kind, _) => {
                let what = self.pick("read file", "list folder");
                fault(
                    ErrorType::Execution,
                    format!("Failed to {what}: {kind}"),
                    path,
                )
            }
        }
    }
}

/// An error of the parameter `path`.
fn fault(error_type: ErrorType, words: impl Into<String>, path: &str) -> ToolError {
    ToolError::new(error_type, words).with(Details {
        parameter: Some("path".to_owned()),
        value: Some(shown(path).into()),
        ..Details::default()
    })
}

fn suggesting(mut error: ToolError, suggestion: &str) -> ToolError {
    error.details.suggestion = Some(suggestion.to_owned());
    error
}

#[cfg(test)]
mod tests;
