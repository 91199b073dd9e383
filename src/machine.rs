//! Resource limits of the machine or container: memory and file descriptors.

use std::{fs, path::Path};

/// The memory limit in bytes: that of the process's control group or a parent group, otherwise the total memory.
/// `None` if neither can be read.
pub fn memory_limit() -> Option<u64> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limit = group_limit(Path::new("/sys/fs/cgroup"), &own);
    let all = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_memory(&text));
    [limit, all].into_iter().flatten().min()
}

/// Maximum number of open files and connections of this process. `None` without a limit.
pub fn open_file_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
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
    fn the_memory_of_the_machine_is_read() {
        assert_eq!(total_memory("MemFree: 1 kB\n"), None);
        assert_eq!(total_memory("MemTotal:        2048 kB\nMemFree: 1 kB\n"), Some(2 << 20));
        assert!(memory_limit().is_some_and(|bytes| bytes > 1 << 20));
    }
}
