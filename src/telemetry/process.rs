//! Figures that the system gives of this process.

use std::fs;

/// Bytes of memory in use and files open, where the system tells (Linux).
pub(super) fn usage() -> (Option<u64>, Option<u64>) {
    let status = fs::read_to_string("/proc/self/status").ok();
    let memory = status.as_deref().and_then(resident);
    // The listing itself is one of them.
    let files = fs::read_dir("/proc/self/fd").ok();
    let files = files.map(|files| (files.count() as u64).saturating_sub(1));
    (memory, files)
}

fn resident(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_from_the_systems_words() {
        let text = "Name:\tcandor\nVmRSS:\t   20480 kB\nThreads:\t4\n";
        assert_eq!(resident(text), Some(20_971_520));
        assert_eq!(resident("Name:\tcandor\n"), None);
        assert_eq!(resident("VmRSS:\tmuch\n"), None);
    }
}
