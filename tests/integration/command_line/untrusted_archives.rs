//! Archives that were modified: their entries and sizes are checked before they are read.

use std::{fs, io::Cursor};

use serde_json::json;
use tar::{EntryType, Header};

use super::{WorkDir, restoring::with_backup};

/// An entry of a tar file: its header and its content in blocks.
fn entry(kind: EntryType, path: &str, content: &str) -> Vec<u8> {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_path(path).unwrap();
    header.set_size(content.len() as u64);
    header.set_cksum();
    let mut entry = [header.as_bytes(), content.as_bytes()].concat();
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry
}

fn compress(dir: &WorkDir, name: &str, tar: &[&[u8]]) {
    fs::write(dir.path(name), zstd::encode_all(Cursor::new(tar.concat()), 1).unwrap()).unwrap();
}

#[test]
fn restore_reads_no_extensions_of_entries() {
    let (dir, ..) = with_backup();
    dir.run(&["backup", "--archive", "good.tar.zst", "--with-keys"]).ok();
    let good = zstd::decode_all(fs::File::open(dir.path("good.tar.zst")).unwrap()).unwrap();
    let restore = |reason: &str| {
        let error = dir.run(&["restore", "hostile.tar.zst", "--data-dir", "new"]).expect_error(reason);
        assert!(error.contains("hostile.tar.zst is damaged"), "{error}");
        assert!(!dir.path("new").exists());
    };
    // Each is valid for programs that read extensions. Their size would not be limited.
    for (kind, content) in [
        (EntryType::GNULongName, "manifest.json\0"),
        (EntryType::XHeader, "22 path=manifest.json\n"),
        (EntryType::XGlobalHeader, "22 path=manifest.json\n"),
    ] {
        for path in ["name", "manifest.json"] {
            compress(&dir, "hostile.tar.zst", &[&entry(kind, path, content), &good]);
            restore("it does not begin with a manifest");
        }
    }
    // The same in front of the database.
    let size = usize::try_from(Header::from_byte_slice(&good[..512]).entry_size().unwrap()).unwrap();
    let (manifest, rest) = good.split_at(512 + size.next_multiple_of(512));
    let name = entry(EntryType::GNULongName, "name", "planroom.db\0");
    compress(&dir, "hostile.tar.zst", &[manifest, &name, rest]);
    restore("planroom.db has changed");
    dir.run(&["restore", "good.tar.zst", "--data-dir", "new"]).ok();
}

#[test]
fn restore_rejects_a_database_of_any_size_without_space_for_it() {
    let dir = WorkDir::new();
    for bytes in [u64::MAX, u64::MAX / 5 * 4, 1 << 62] {
        let files = json!([{ "path": "planroom.db", "bytes": bytes, "sha256": "" }]);
        let manifest = json!({ "format": "planroom-archive/1", "version": "9", "schema": 44, "incarnation": null,
                               "lastChange": 0, "createdAt": 0, "files": files });
        let manifest = entry(EntryType::Regular, "manifest.json", &manifest.to_string());
        compress(&dir, "huge.tar.zst", &[&manifest, &[0; 1024]]);
        dir.run(&["restore", "huge.tar.zst", "--data-dir", "new"]).expect_error("restoring this backup requires");
        assert!(!dir.path("new").exists());
    }
}
