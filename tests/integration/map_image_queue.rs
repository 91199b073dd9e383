//! The queue of map images. Each user has a share of the drawing threads, and a canceled request stops its drawing. The tests
//! wait for events, never for time.

use std::{future::poll_fn, pin::Pin, sync::Arc, task::Poll, time::Duration};

use futures_util::FutureExt;
use planroom::{
    blocking::PoolMeter,
    domain::map::drawing::{Format, MapImages},
    error::Error,
    schedule::{self, QueueKey},
};
use serde_json::json;

use crate::support::{TestClient, TestResponse, TestServer, waiting::eventually_in_tasks};

/// The images of a map that takes seconds to draw, because its lines are routed.
const SLOW: &str = "/api/workspaces/slow/image";
const SMALL: &str = "/api/workspaces/w/image.png?width=600";

type Request<'r> = Pin<Box<dyn Future<Output = TestResponse> + 'r>>;

/// Creates ada's workspaces `w`, which is small, and `slow`.
async fn seed_slow(server: &TestServer) -> TestClient<'_> {
    let ada = server.seed_map().await;
    let component = |n: usize| {
        let (x, y) = (n % 20 * 240, n / 20 * 160);
        json!({ "id": format!("c{n}"), "typeId": "service", "name": format!("Service {n}"), "x": x, "y": y })
    };
    let relationship = |n: usize| {
        let (from, to) = (format!("c{}", n % 400), format!("c{}", (n * 7 + 1 + n / 400) % 400));
        json!({ "id": format!("r{n}"), "sourceId": from, "targetId": to, "typeId": "calls", "label": "calls" })
    };
    let model = json!({
        "workspace": { "name": "Slow" },
        "components": (0..400).map(component).collect::<Vec<_>>(),
        "relationships": (0..1_500).map(relationship).collect::<Vec<_>>(),
    });
    ada.put("/api/workspaces/slow/bulk", model).await.ok();
    ada
}

/// A member who can view `w`.
async fn bob(server: &TestServer) -> TestClient<'_> {
    let user = server.seed_member("bob", "acme", "org:member");
    server.grant("w", user, "viewer");
    server.sign_in("bob").await
}

/// The path of a new share link.
async fn link(owner: &TestClient<'_>, workspace: &str) -> String {
    let reply = owner.post(&format!("/api/workspaces/{workspace}/shares"), json!({ "name": "Wiki" })).await.created();
    reply["share"]["url"].as_str().unwrap().trim_start_matches("http://planroom.test").to_owned()
}

/// The load of the drawing threads.
fn drawing_meter(server: &TestServer) -> PoolMeter {
    server.app.map_images().meter()
}

/// Polls the requests until the `expected` numbers of drawings are running and waiting.
async fn start(server: &TestServer, requests: &mut [Request<'_>], expected: (usize, usize)) {
    let meter = drawing_meter(server);
    poll_fn(|cx| {
        for request in requests.iter_mut() {
            assert!(
                request.as_mut().poll(cx).is_pending(),
                "a response arrived before {expected:?} drawings were running and waiting"
            );
        }
        cx.waker().wake_by_ref();
        if (meter.running(), meter.waiting()) == expected { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

fn assert_pending(requests: &mut [Request<'_>]) {
    assert!(
        requests.iter_mut().all(|request| request.now_or_never().is_none()),
        "all requests should still be pending"
    );
}

/// Slow images that differ from each other.
fn slow<'r>(client: &'r TestClient<'_>, path: &str, count: usize) -> Vec<Request<'r>> {
    let paths = (0..count).map(|n| {
        let (theme, legend, detail) = (["light", "dark"][n % 2], n / 2 % 2 == 0, n / 4);
        format!("{path}.png?theme={theme}&legend={legend}&width={}", [600, 1_200][detail])
    });
    paths.map(|path| Box::pin(async move { client.get(&path).await }) as Request<'r>).collect()
}

async fn wait_until_idle(server: &TestServer) {
    let meter = drawing_meter(server);
    let load = || (meter.running(), meter.waiting());
    eventually_in_tasks(|| if load() == (0, 0) { Ok(()) } else { Err(load()) }).await;
}

/// The entity tag of an image, without drawing it.
async fn tag_of(client: &TestClient<'_>, path: &str) -> String {
    let reply = client.header("if-none-match", "*").get(path).await;
    assert_eq!(reply.status, 304, "{reply}");
    reply.header("etag").trim_matches('"').to_owned()
}

#[tokio::test]
async fn a_client_that_disconnects_stops_its_drawing() {
    let server = TestServer::new().await;
    let ada = seed_slow(&server).await;
    let stranger = server.anonymous();
    let shared = link(&ada, "slow").await;
    for (client, path) in [
        (&ada, format!("{SLOW}.png?width=2400")),
        (&ada, format!("{SLOW}.svg")),
        (&ada, format!("{SLOW}.pdf")),
        (&stranger, format!("{shared}/image.png?card=true")),
    ] {
        let tag = tag_of(client, &path).await;
        let mut request: [Request<'_>; 1] = [Box::pin(client.get(&path))];
        start(&server, &mut request, (1, 0)).await;
        drop(request);
        wait_until_idle(&server).await;
        assert_eq!(server.app.map_images().cached(&tag), None, "{path}: the drawing was not stopped");
    }
}

#[tokio::test]
async fn a_drawing_stops_at_the_deadline_of_its_request() {
    let component = |n: i32| drawing::map::Component {
        key: format!("c{n}"),
        name: "Service".to_owned(),
        x: f64::from(n % 20) * 240.0,
        y: f64::from(n / 20) * 160.0,
        ..Default::default()
    };
    let relationship = |n: i32| drawing::map::Relationship {
        key: format!("r{n}"),
        from: format!("c{}", n % 400),
        to: format!("c{}", (n * 7 + 1) % 400),
        ..Default::default()
    };
    let (components, relationships) = ((0..400).map(component).collect(), (0..1_500).map(relationship).collect());
    let map = Arc::new(drawing::map::Map { components, relationships, ..Default::default() });
    let (images, thread) = MapImages::start(Vec::new(), Duration::from_millis(20)).unwrap();
    for format in [Format::Png(None), Format::PngWithin(600), Format::Pdf] {
        let image = images.draw("tag".to_owned(), Arc::clone(&map), drawing::Options::default(), format);
        let drawn = schedule::scope(QueueKey::User(1), image).await;
        assert!(matches!(drawn, Err(Error::Cancelled)), "{format:?}");
        assert_eq!(images.cached("tag"), None);
    }
    drop(images);
    thread.join().unwrap();
}

#[tokio::test]
async fn a_user_with_many_slow_images_leaves_a_thread_and_queue_slots_for_others() {
    let server = TestServer::new().await;
    let ada = seed_slow(&server).await;
    let bob = bob(&server).await;
    let mut ada_requests = slow(&ada, SLOW, 5);
    start(&server, &mut ada_requests, (1, 4)).await;
    let refused = ada.get(SMALL).await;
    refused.expect_error(429, "");
    assert!(!refused.header("retry-after").is_empty());
    assert_eq!(bob.get(SMALL).await.status, 200);
    assert_pending(&mut ada_requests);
}

#[tokio::test]
async fn readers_of_share_links_and_users_do_not_wait_for_each_other() {
    let server = TestServer::new().await;
    let ada = seed_slow(&server).await;
    let (small, shared) = (link(&ada, "w").await, link(&ada, "slow").await);
    let stranger = server.anonymous();
    let mut ada_requests = slow(&ada, SLOW, 2);
    start(&server, &mut ada_requests, (1, 1)).await;
    assert_eq!(stranger.get(&format!("{small}/image.png?width=600")).await.status, 200);
    assert_pending(&mut ada_requests);
    drop(ada_requests);
    wait_until_idle(&server).await;

    // Strangers at different addresses share the queue of share links.
    let others = [1, 2].map(|n| stranger.from([198, 51, 100, n]));
    let mut stranger_requests: Vec<Request<'_>> = Vec::new();
    for (other, theme) in others.iter().zip(["light", "dark"]) {
        let path = format!("{shared}/image.png?theme={theme}");
        stranger_requests.push(Box::pin(async move { other.get(&path).await }));
    }
    start(&server, &mut stranger_requests, (1, 1)).await;
    assert_eq!(ada.get(SMALL).await.status, 200);
    assert_pending(&mut stranger_requests);
}

#[tokio::test]
async fn readers_of_several_share_links_leave_a_thread_for_users() {
    let server = TestServer::new().await;
    let ada = seed_slow(&server).await;
    let links = [link(&ada, "slow").await, link(&ada, "slow").await, link(&ada, "slow").await];
    let stranger = server.anonymous();
    let other = stranger.from([198, 51, 100, 1]);
    // Two links at one address, and another link at another address.
    let readers = [(&stranger, &links[0]), (&stranger, &links[1]), (&other, &links[2])];
    let mut requests: Vec<Request<'_>> = Vec::new();
    for (reader, link) in readers {
        let path = format!("{link}/image.png?width=2400");
        requests.push(Box::pin(async move { reader.get(&path).await }));
    }
    start(&server, &mut requests, (1, 2)).await;
    assert_eq!(ada.get(SMALL).await.status, 200);
    assert_pending(&mut requests);
}
