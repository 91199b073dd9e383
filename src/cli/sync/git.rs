//! What the name of a source needs of a Git repository. Reads its files, so that no `git` is required.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A repository on a server, such as `github.com/acme/shop`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remote {
    /// Host and path.
    pub(super) name: String,
    /// Web address, if it follows from the remote.
    pub(super) url: Option<String>,
}

/// The root of the repository around a folder.
pub(super) fn root(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned)
}

/// The folders with the state of the repository around a folder, without links. They can have any name: `.git` can be a link
/// to them, or a file that names them.
pub(super) fn folders(folder: &Path) -> Vec<PathBuf> {
    let Some(own) = root(folder).and_then(|root| git_folder(&root)) else { return Vec::new() };
    [shared(&own), own].iter().filter_map(|folder| folder.canonicalize().ok()).collect()
}

/// Whether only a part of the files of a repository is checked out.
pub(super) fn is_sparse(root: &Path) -> bool {
    let Some(folder) = git_folder(root) else { return false };
    let is_set = |file: PathBuf| {
        let text = fs::read_to_string(file).unwrap_or_default().to_lowercase().replace([' ', '\t'], "");
        text.lines().any(|line| line == "sparsecheckout=true")
    };
    is_set(folder.join("config.worktree")) || is_set(shared(&folder).join("config"))
}

/// The remote `origin` of the repository with a root.
pub(super) fn remote(root: &Path) -> Option<Remote> {
    let config = fs::read_to_string(shared(&git_folder(root)?).join("config")).ok()?;
    let mut is_origin = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_origin = line.replace(' ', "") == "[remote\"origin\"]";
        } else if let Some((key, value)) = line.split_once('=').filter(|_| is_origin)
            && key.trim() == "url"
        {
            return parse(value.trim());
        }
    }
    None
}

/// The commit that is checked out.
pub(super) fn commit(root: &Path) -> Option<String> {
    let folder = git_folder(root)?;
    let head = fs::read_to_string(folder.join("HEAD")).ok()?;
    let Some(name) = head.trim().strip_prefix("ref: ") else { return is_commit(head.trim()) };
    let shared = shared(&folder);
    let own = [&folder, &shared].into_iter().find_map(|folder| fs::read_to_string(folder.join(name)).ok());
    if let Some(commit) = own {
        return is_commit(commit.trim());
    }
    let packed = fs::read_to_string(shared.join("packed-refs")).ok()?;
    packed.lines().find_map(|line| is_commit(line.strip_suffix(name)?.trim()))
}

fn is_commit(text: &str) -> Option<String> {
    (text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| text.to_owned())
}

/// The folder with the state of a checkout. In a linked worktree, `.git` is a file that names it.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(git).ok()?;
    Some(root.join(text.trim().strip_prefix("gitdir: ")?))
}

/// The folder that worktrees share.
fn shared(folder: &Path) -> PathBuf {
    let common = fs::read_to_string(folder.join("commondir")).ok();
    common.map_or_else(|| folder.to_owned(), |common| folder.join(common.trim()))
}

/// `https://user:token@host/a/b.git`, `ssh://git@host:22/a/b` or `git@host:a/b`, without anything secret.
fn parse(remote: &str) -> Option<Remote> {
    let (host, path) = match remote.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?,
        None => remote.split_once(':').filter(|(host, _)| host.len() > 1 && !host.contains('/'))?,
    };
    let host = host.rsplit('@').next()?.split(':').next()?.to_lowercase();
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    if host.is_empty() || path.is_empty() {
        return None;
    }
    let name = format!("{host}/{path}");
    let is_local = remote.starts_with("file:");
    Some(Remote { url: (!is_local).then(|| format!("https://{name}")), name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_are_named_by_host_and_path_without_secrets() {
        for (remote, name) in [
            ("https://github.com/acme/shop.git", "github.com/acme/shop"),
            ("https://ada:s3cret@GitHub.com/acme/shop", "github.com/acme/shop"),
            ("https://x-access-token:ghp_1@github.com/acme/shop.git/", "github.com/acme/shop"),
            ("git@github.com:acme/shop.git", "github.com/acme/shop"),
            ("ssh://git@gitlab.example.org:2222/group/sub/shop.git", "gitlab.example.org/group/sub/shop"),
        ] {
            assert_eq!(parse(remote).unwrap().name, name, "{remote}");
            assert_eq!(parse(remote).unwrap().url.unwrap(), format!("https://{name}"));
        }
        for remote in ["", "../shop", "/srv/shop", "C:\\shop", "https://github.com"] {
            assert_eq!(parse(remote), None, "{remote}");
        }
    }

    #[test]
    fn the_repository_around_a_folder_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join(".git/refs/heads")).unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(
            root.join(".git/config"),
            "[core]\n\tbare = false\n[remote \"other\"]\n\turl = x\n[remote \"origin\"]\n\turl = git@h.org:a/b\n",
        )
        .unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let (first, second) = ("1".repeat(40), "2".repeat(40));
        fs::write(root.join(".git/packed-refs"), format!("# pack\n{first} refs/heads/main\n")).unwrap();
        assert_eq!(super::root(&root.join("a/b")), Some(root.clone()));
        assert_eq!(remote(&root).unwrap().name, "h.org/a/b");
        assert_eq!(commit(&root), Some(first));
        fs::write(root.join(".git/refs/heads/main"), format!("{second}\n")).unwrap();
        assert_eq!(commit(&root), Some(second.clone()));
        // A linked worktree.
        fs::create_dir_all(root.join(".git/worktrees/w")).unwrap();
        fs::write(root.join(".git/worktrees/w/HEAD"), &second).unwrap();
        fs::write(root.join(".git/worktrees/w/commondir"), "../..\n").unwrap();
        fs::create_dir(root.join("w")).unwrap();
        fs::write(root.join("w/.git"), format!("gitdir: {}\n", root.join(".git/worktrees/w").display())).unwrap();
        assert_eq!(commit(&root.join("w")), Some(second));
        assert_eq!(remote(&root.join("w")).unwrap().name, "h.org/a/b");
    }
}
