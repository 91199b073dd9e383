//! Resources of the machine or container: memory and file descriptors.

use std::{fs, path::Path};

/// The memory limit in bytes: that of the process's control group or a parent group, otherwise the total memory.
/// `None` if neither can be read.
pub fn memory_limit() -> Option<u64> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limit = group_limit(Path::new("/sys/fs/cgroup"), &own);
    let all = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_memory(&text));
    [limit, all].into_iter().flatten().min()
}

/// Makes the kernel give this process memory in pages of 4 KiB. It would otherwise give the allocator 2 MiB for each part
/// of its memory that is used for the first time: an idle server took 27 MiB instead of 11.
pub fn use_small_pages() {
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(true) {
        tracing::debug!(%error, "cannot disable transparent huge pages; the server takes more memory");
    }
}

/// Maximum number of open files and connections of this process. `None` without a limit.
pub fn open_file_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

/// What this process has used.
#[derive(Debug, Clone, Copy)]
pub struct ProcessUsage {
    /// CPU time in seconds.
    pub cpu_seconds: f64,
    /// Resident memory in bytes.
    pub resident_bytes: u64,
    /// When the process started, in seconds since the Unix epoch.
    pub started_at: f64,
}

/// What this process has used. `None` if `/proc` cannot be read.
pub fn process_usage() -> Option<ProcessUsage> {
    let own = fs::read_to_string("/proc/self/stat").ok()?;
    let system = fs::read_to_string("/proc/stat").ok()?;
    usage(&own, &system, rustix::param::clock_ticks_per_second(), rustix::param::page_size() as u64)
}

fn usage(own: &str, system: &str, ticks_per_second: u64, page_size: u64) -> Option<ProcessUsage> {
    // The second field is the name of the executable, which may contain spaces and parentheses. The fields after it are
    // numbered from 3 in proc(5).
    let fields: Vec<&str> = own.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<u32>().ok().map(f64::from);
    let whole = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let per_second = f64::from(u32::try_from(ticks_per_second).ok()?);
    let boot: u32 = system.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    Some(ProcessUsage {
        cpu_seconds: (number(14)? + number(15)?) / per_second,
        resident_bytes: whole(24)? * page_size,
        started_at: f64::from(boot) + number(22)? / per_second,
    })
}

/// The lowest limit on the path from the root group to the process's group, for cgroup v2 and v1.
fn group_limit(root: &Path, own: &str) -> Option<u64> {
    let limits = own.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (base, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            list if list.split(',').any(|one| one == "memory") => (root.join("memory"), "memory.limit_in_bytes"),
            _ => return Vec::new(),
        };
        let own = base.join(path.trim_start_matches('/'));
        // In a container the path may be that of the host. In this case the root of the mount is the process's group.
        let groups = own.ancestors().take_while(|group| group.starts_with(&base)).chain([base.as_path()]);
        groups.filter_map(|group| fs::read_to_string(group.join(file)).ok()?.trim().parse().ok()).collect()
    });
    // cgroup v1 represents "no limit" as a number close to the maximum.
    limits.filter(|limit: &u64| *limit < 1 << 60).min()
}

/// `MemTotal` of `/proc/meminfo`.
fn total_memory(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_limit_of_all_parent_groups_applies() {
        let root = tempfile::tempdir().unwrap();
        let group = root.path().join("system.slice/planroom.service");
        fs::create_dir_all(&group).unwrap();
        fs::write(root.path().join("system.slice/memory.max"), "536870912\n").unwrap();
        fs::write(group.join("memory.max"), "max\n").unwrap();
        assert_eq!(group_limit(root.path(), "0::/system.slice/planroom.service\n"), Some(512 << 20));
        assert_eq!(group_limit(root.path(), "0::/other\n"), None);
        fs::write(root.path().join("memory.max"), "268435456\n").unwrap();
        assert_eq!(group_limit(root.path(), "0::/../of/the/host\n"), Some(256 << 20));
    }

    #[test]
    fn version_1_of_control_groups_is_supported() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("memory/docker")).unwrap();
        fs::write(root.path().join("memory/memory.limit_in_bytes"), "9223372036854771712\n").unwrap();
        assert_eq!(group_limit(root.path(), "4:cpu,memory:/docker\n1:name=systemd:/x\n"), None);
        fs::write(root.path().join("memory/docker/memory.limit_in_bytes"), "1048576\n").unwrap();
        assert_eq!(group_limit(root.path(), "4:cpu,memory:/docker\n"), Some(1 << 20));
    }

    #[test]
    fn the_usage_of_the_process_is_read() {
        let own = "7 (a) b) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 9 0 1000 4096 25 18446744073709551615 1";
        let found = usage(own, "cpu 1 2\nbtime 1700000000\n", 100, 4_096).unwrap();
        assert!((found.cpu_seconds - 3.0).abs() < 1e-9, "{found:?}");
        assert!((found.started_at - 1_700_000_010.0).abs() < 1e-6, "{found:?}");
        assert_eq!(found.resident_bytes, 25 * 4_096);
        assert!(process_usage().is_some_and(|found| found.resident_bytes > 1 << 20));
    }

    #[test]
    fn the_memory_of_the_machine_is_read() {
        assert_eq!(total_memory("MemFree: 1 kB\n"), None);
        assert_eq!(total_memory("MemTotal:        2048 kB\nMemFree: 1 kB\n"), Some(2 << 20));
        assert!(memory_limit().is_some_and(|bytes| bytes > 1 << 20));
    }
}
