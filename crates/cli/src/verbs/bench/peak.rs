//! How much memory a run takes, where the system tells.

/// The memory of the process before a run.
pub(super) struct Before {
    kilobytes: u64,
}

/// Forgets the peak so far. Nothing where the system does not tell.
pub(super) fn begin() -> Option<Before> {
    // Writing 5 resets the peak (Linux, proc_pid_clear_refs).
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let kilobytes = kilobytes("VmRSS:")?;
    Some(Before { kilobytes })
}

impl Before {
    /// What the peak of the run lies above the beginning.
    pub(super) fn megabytes(&self) -> f64 {
        let peak = kilobytes("VmHWM:").unwrap_or(self.kilobytes);
        peak.saturating_sub(self.kilobytes) as f64 / 1024.0
    }
}

fn kilobytes(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}
