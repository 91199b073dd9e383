//! Images that are not fetched or are rejected.

use futures_util::{StreamExt, stream::FuturesUnordered};

use super::server_with_host;
use crate::support::{
    TestServer,
    image_host::{FakeImageHost, HostBehavior, PNG},
};

/// Each mask draws the next one twice: twenty of them would block a browser.
const MASKS: &str = "<svg xmlns='http://www.w3.org/2000/svg'><mask id='a'><rect mask='url(#b)'/><rect mask='url(#b)'/></mask>\
                     <mask id='b'><rect width='9' height='9'/></mask><rect mask='url(#a)'/></svg>";

#[tokio::test]
async fn unsafe_images_are_rejected_with_a_reason() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    let bytes = |text: &str| HostBehavior::Bytes(text.into());
    let png = |width: u32, height: u32| {
        let mut bytes = PNG.to_vec();
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        HostBehavior::Bytes(bytes)
    };
    for (name, said, why) in [
        ("html", bytes("<!doctype html><script>alert(1)</script>"), "not a supported image"),
        ("empty", bytes(""), "not a supported image"),
        ("program", bytes("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"), "`script`"),
        ("bomb", png(30_000, 30_000), "too many pixels: 30000 × 30000"),
        ("frame", HostBehavior::Bytes(b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x70\x17\x70\x17\0".into()), "6000 × 6000"),
        ("masks", bytes(MASKS), "nested masks"),
        ("huge", HostBehavior::Bytes([PNG, &vec![0; 1 << 20]].concat()), "larger than 1024 KiB"),
        ("endless", HostBehavior::Endless, "larger than 1024 KiB"),
        ("gone", HostBehavior::Status(410), "its server responded 410"),
        ("broken", HostBehavior::Status(500), "its server responded 500"),
        (
            "elsewhere",
            HostBehavior::Elsewhere("https://example.org/x.png".into()),
            "use the target instead: https://example.org/x.png",
        ),
    ] {
        ada.add_person(name, &host.respond_with(name, said)).await;
        for _ in 0..2 {
            assert_eq!(ada.photo(name).await.expect_error(404, why)["code"], "no_picture", "{name}");
        }
        assert_eq!(host.request_count(name), 1, "reading it again does not fetch it again: {name}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed_even_to_the_same_host() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    let target = host.respond_with("target.png", HostBehavior::Bytes(PNG.into()));
    ada.add_person("grace", &host.respond_with("grace", HostBehavior::Elsewhere(target))).await;
    ada.photo("grace").await.expect_error(404, "redirects are not followed");
    assert_eq!(host.request_count("target.png"), 0);
}

#[tokio::test]
async fn slow_images_of_one_organization_do_not_delay_others() {
    let (server, host) = server_with_host().await;
    server.seed_admin("eve", "other").await;
    let (ada, eve) = (server.sign_in("ada").await, server.sign_in("eve").await);
    let names: Vec<String> = (0..10).map(|n| format!("silent{n}")).collect();
    for name in &names {
        ada.add_person(name, &host.respond_with(name, HostBehavior::Silence)).await;
    }
    eve.add_person("grace", &host.respond_with("grace.png", HostBehavior::Bytes(PNG.into()))).await;
    let wait = futures_util::future::join_all(names.iter().map(|name| ada.photo(name)));
    let look = async {
        while names.iter().map(|name| host.request_count(name)).sum::<usize>() < 2 {
            tokio::task::yield_now().await;
        }
        eve.photo("grace").await
    };
    tokio::select! {
        _ = wait => panic!("ada's pictures never come, and eve's came after them"),
        reply = look => assert_eq!(&*reply.bytes, PNG),
    }
}

#[tokio::test]
async fn pending_images_and_concurrent_requests_per_organization_are_limited() {
    let (server, host) = server_with_host().await;
    server.seed_admin("eve", "other").await;
    let (ada, eve) = (server.sign_in("ada").await, server.sign_in("eve").await);
    let names: Vec<String> = (0..110).map(|n| format!("silent{n}")).collect();
    for name in &names {
        host.respond_with(name, HostBehavior::Silence);
    }
    server.sql(|conn| {
        let sql = "INSERT INTO person (organization_id, id, seq, name, photo_url, revision, created_at, updated_at)
                   SELECT id, ?1, 100, ?1, ?2, 1, 1, 1 FROM organization WHERE slug = 'acme'";
        for name in &names {
            assert_eq!(conn.execute(sql, [name, &host.at(name)]).unwrap(), 1);
        }
    });
    eve.add_person("grace", &host.respond_with("grace.png", HostBehavior::Bytes(PNG.into()))).await;
    let mut replies: FuturesUnordered<_> = names.iter().map(|name| ada.photo(name)).collect();
    // All hundred wait for their hosts; further ones are rejected immediately.
    for _ in 0..10 {
        let refusal = replies.next().await.unwrap();
        refusal.expect_error(404, "it is still on its way");
        assert_eq!(refusal.header("retry-after"), "5");
    }
    let asked = || names.iter().map(|name| host.request_count(name)).sum::<usize>();
    tokio::select! {
        _ = replies.next() => panic!("a picture that never comes was answered"),
        () = async {
            while asked() < 2 {
                tokio::task::yield_now().await;
            }
            assert_eq!(eve.photo("grace").await.bytes, PNG, "others are not affected");
        } => {}
    }
    assert_eq!(asked(), 2);
}

#[tokio::test]
async fn an_unresponsive_host_times_out() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    ada.add_person("grace", &host.respond_with("grace", HostBehavior::Silence)).await;
    ada.photo("grace").await.expect_error(404, "did not respond within 6 s");
}

#[tokio::test]
async fn private_addresses_are_rejected_even_if_allowed_for_the_wiki() {
    let host = FakeImageHost::start().await;
    // Hosts allowed for the wiki are not allowed for URLs written by users.
    let server = TestServer::empty(|config| config.outbound.allow_private = true);
    server.seed_admin("ada", "acme").await;
    let ada = server.sign_in("ada").await;
    let address = host.respond_with("secret.png", HostBehavior::Bytes(PNG.into()));
    let port = address.rsplit(':').next().unwrap();
    for (n, (address, why)) in [
        (address.clone(), "the URL must be https, not `http`"),
        (format!("https://127.0.0.1:{port}"), "private network"),
        (format!("https://localhost:{port}"), "private network"),
        (format!("https://[::ffff:127.0.0.1]:{port}"), "private network"),
        ("https://169.254.169.254/latest/meta-data".into(), "private network"),
        ("https://10.0.0.1/x.png".into(), "private network"),
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("p{n}");
        ada.add_person(&id, &address).await;
        ada.photo(&id).await.expect_error(404, why);
    }
    assert_eq!(host.request_count("secret.png"), 0);
}

#[tokio::test]
async fn on_a_configured_host_only_urls_below_the_base_are_requested() {
    let host = FakeImageHost::start().await;
    let base = host.at("staff");
    let server = TestServer::empty(|config| config.outbound.picture_urls = vec![base]);
    server.seed_admin("ada", "acme").await;
    let ada = server.sign_in("ada").await;
    ada.add_person("within", &host.respond_with("staff/ada.png", HostBehavior::Bytes(PNG.into()))).await;
    assert_eq!(ada.photo("within").await.bytes, PNG);
    for (id, name) in [("beside", "staffer.png"), ("above", "x.png"), ("around", "staff/../x.png")] {
        ada.add_person(id, &host.respond_with(name, HostBehavior::Bytes(PNG.into()))).await;
        ada.photo(id).await.expect_error(404, "the URL must be https, not `http`");
    }
    assert_eq!((host.request_count("x.png"), host.request_count("staffer.png")), (0, 0));
}
