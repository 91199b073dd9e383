//! Tests of the cache of bundles.

use super::*;
use crate::db::Incarnation;

fn state(pk: i64) -> BundleVersion {
    BundleVersion {
        incarnation: Incarnation::default(),
        pk,
        revision: 1,
        directory_revision: 1,
        role: Some(AccessLevel::Viewer),
        is_protected: false,
        access_requests: None,
        access_requested_at: None,
        content: Content::Workspace(Included::default()),
    }
}

#[test]
fn a_bundle_of_a_quarter_of_the_cache_size_is_cached() {
    let bundles = Bundles::new(1 << 20);
    for pk in 1..=3 {
        bundles.keep(state(pk), Form::Json, vec![0; 1 << 18].into(), None);
    }
    for pk in 1..=3 {
        assert!(bundles.get(&state(pk), Form::Json).is_some(), "{pk}");
    }
}

#[test]
fn all_forms_count_and_are_evicted_together() {
    let bundles = Bundles::new(1 << 20);
    let json = bundles.keep(state(1), Form::Json, vec![b' '; 1_000].into(), None);
    let gzip = bundles.gzip(&json).unwrap();
    let others =
        [Included { notes: true, ..Included::default() }, Included { notes: true, views: true, decisions: true }];
    let [with_notes, with_all] = others
        .map(|included| BundleVersion { content: Content::Workspace(included), ..state(1) })
        .map(|state| bundles.keep(state, Form::Json, vec![b' '; 2_000].into(), None));
    let sizes = [&json, &gzip, &with_notes, &with_all].map(|bundle| bundle.bytes.len() + 200);
    assert_eq!(bundles.bytes(), sizes.iter().sum::<usize>() as u64);
    assert!(Arc::ptr_eq(&gzip, &bundles.gzip(&json).unwrap()), "it is made once");
    let mut after = Vec::new();
    after.extend(bundles.on_write(1));
    for work in after {
        work();
    }
    assert_eq!(bundles.bytes(), 0);
}
