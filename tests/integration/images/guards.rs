//! What is not fetched, and what is refused when it comes.

use futures_util::{StreamExt, stream::FuturesUnordered};

use super::hosted;
use crate::support::{
    Stage,
    pictures::{PNG, PictureHost, Said},
};

/// Each mask is drawn twice for the next: twenty of these keep a browser busy for longer than anybody waits.
const MASKS: &str = "<svg xmlns='http://www.w3.org/2000/svg'><mask id='a'><rect mask='url(#b)'/><rect mask='url(#b)'/></mask>\
                     <mask id='b'><rect width='9' height='9'/></mask><rect mask='url(#a)'/></svg>";

#[tokio::test]
async fn what_is_no_harmless_picture_is_refused_and_the_reason_told() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    let bytes = |text: &str| Said::Bytes(text.into());
    let png = |width: u32, height: u32| {
        let mut bytes = PNG.to_vec();
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        Said::Bytes(bytes)
    };
    for (name, said, why) in [
        ("html", bytes("<!doctype html><script>alert(1)</script>"), "no picture of a kind that is shown"),
        ("empty", bytes(""), "no picture of a kind that is shown"),
        ("program", bytes("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"), "`script`"),
        ("bomb", png(30_000, 30_000), "too many pixels: 30000 × 30000"),
        ("frame", Said::Bytes(b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x70\x17\x70\x17\0".into()), "6000 × 6000"),
        ("masks", bytes(MASKS), "masks within masks"),
        ("huge", Said::Bytes([PNG, &vec![0; 1 << 20]].concat()), "larger than 1024 KiB"),
        ("endless", Said::Endless, "larger than 1024 KiB"),
        ("gone", Said::Status(410), "its server answers 410"),
        ("broken", Said::Status(500), "its server answers 500"),
        (
            "elsewhere",
            Said::Elsewhere("https://example.org/x.png".into()),
            "give that one instead: https://example.org/x.png",
        ),
    ] {
        ada.add_person(name, &host.says(name, said)).await;
        for _ in 0..2 {
            assert_eq!(ada.photo(name).await.refused(404, why)["code"], "no_picture", "{name}");
        }
        assert_eq!(host.asked(name), 1, "looking again does not have it fetched again: {name}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_not_even_to_the_same_host() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    let target = host.says("target.png", Said::Bytes(PNG.into()));
    ada.add_person("grace", &host.says("grace", Said::Elsewhere(target))).await;
    ada.photo("grace").await.refused(404, "leads on to another, which is not followed");
    assert_eq!(host.asked("target.png"), 0);
}

#[tokio::test]
async fn nobody_waits_behind_the_pictures_of_another_organization_that_do_not_come() {
    let (stage, host) = hosted().await;
    stage.seed_admin("eve", "other").await;
    let (ada, eve) = (stage.sign_in("ada").await, stage.sign_in("eve").await);
    let names: Vec<String> = (0..10).map(|n| format!("silent{n}")).collect();
    for name in &names {
        ada.add_person(name, &host.says(name, Said::Silence)).await;
    }
    eve.add_person("grace", &host.says("grace.png", Said::Bytes(PNG.into()))).await;
    let wait = futures_util::future::join_all(names.iter().map(|name| ada.photo(name)));
    let look = async {
        while names.iter().map(|name| host.asked(name)).sum::<usize>() < 2 {
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
async fn an_organization_has_at_most_a_hundred_pictures_on_their_way_and_two_requests_for_them() {
    let (stage, host) = hosted().await;
    stage.seed_admin("eve", "other").await;
    let (ada, eve) = (stage.sign_in("ada").await, stage.sign_in("eve").await);
    let names: Vec<String> = (0..110).map(|n| format!("silent{n}")).collect();
    for name in &names {
        host.says(name, Said::Silence);
    }
    stage.sql(|conn| {
        let sql = "INSERT INTO person (organization_id, id, seq, name, photo_url, revision, created_at, updated_at)
                   SELECT id, ?1, 100, ?1, ?2, 1, 1, 1 FROM organization WHERE slug = 'acme'";
        for name in &names {
            assert_eq!(conn.execute(sql, [name, &host.at(name)]).unwrap(), 1);
        }
    });
    eve.add_person("grace", &host.says("grace.png", Said::Bytes(PNG.into()))).await;
    let mut replies: FuturesUnordered<_> = names.iter().map(|name| ada.photo(name)).collect();
    // None of the hundred can be answered before its host is given up; those beyond are refused at once.
    for _ in 0..10 {
        let refusal = replies.next().await.unwrap();
        refusal.refused(404, "it is still on its way");
        assert_eq!(refusal.header("retry-after"), "5");
    }
    let asked = || names.iter().map(|name| host.asked(name)).sum::<usize>();
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
async fn a_host_that_says_nothing_is_given_up() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    ada.add_person("grace", &host.says("grace", Said::Silence)).await;
    ada.photo("grace").await.refused(404, "does not answer within 6 s");
}

#[tokio::test]
async fn this_machine_and_private_networks_are_not_asked_whatever_the_wiki_may() {
    let host = PictureHost::start().await;
    // What the operator allows for the wiki is not allowed to whoever writes an address into a row.
    let stage = Stage::empty(|config| config.outbound.allow_private = true);
    stage.seed_admin("ada", "acme").await;
    let ada = stage.sign_in("ada").await;
    let address = host.says("secret.png", Said::Bytes(PNG.into()));
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
        ada.photo(&id).await.refused(404, why);
    }
    assert_eq!(host.asked("secret.png"), 0);
}

#[tokio::test]
async fn of_a_configured_host_only_what_is_below_its_base_is_asked() {
    let host = PictureHost::start().await;
    let base = host.at("staff");
    let stage = Stage::empty(|config| config.outbound.picture_urls = vec![base]);
    stage.seed_admin("ada", "acme").await;
    let ada = stage.sign_in("ada").await;
    ada.add_person("within", &host.says("staff/ada.png", Said::Bytes(PNG.into()))).await;
    assert_eq!(ada.photo("within").await.bytes, PNG);
    for (id, name) in [("beside", "staffer.png"), ("above", "x.png"), ("around", "staff/../x.png")] {
        ada.add_person(id, &host.says(name, Said::Bytes(PNG.into()))).await;
        ada.photo(id).await.refused(404, "the URL must be https, not `http`");
    }
    assert_eq!((host.asked("x.png"), host.asked("staffer.png")), (0, 0));
}
