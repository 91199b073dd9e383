//! Metrics for monitoring systems, in the `OpenMetrics` text format that Prometheus reads.
//!
//! Requests and commits are recorded where they happen ([`HttpMetrics`], [`Duration`s in a `Histogram`](Histogram)).
//! Everything else (queues, sizes, counters that exist anyway) is read when the metrics are requested, by a [`Source`].
//! Labels have a bounded set of values: routes are templates, statuses are classes, and nothing contains what a client
//! chooses.

use std::{
    fmt::{self, Debug},
    sync::Arc,
    time::Duration,
};

pub use prometheus_client::metrics::{counter::Counter, histogram::Histogram};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text},
    metrics::{MetricType, counter::ConstCounter, family::Family, gauge::ConstGauge},
    registry::{Registry, Unit},
};

/// Content type of [`Metrics::text`].
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the buckets for durations, in seconds.
const BUCKETS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// Methods that are counted by name. Clients can send any other word.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/// The label value for everything outside a fixed list.
const OTHER: &str = "other";

/// A histogram of durations in seconds.
pub fn durations() -> Histogram {
    Histogram::new(BUCKETS)
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Endpoint {
    method: &'static str,
    route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    method: &'static str,
    route: String,
    status: &'static str,
}

/// Counts of HTTP requests. Clones share them.
#[derive(Debug, Clone)]
pub struct HttpMetrics {
    requests: Family<Outcome, Counter>,
    durations: Family<Endpoint, Histogram, fn() -> Histogram>,
    rate_limited: Counter,
}

impl Default for HttpMetrics {
    fn default() -> Self {
        Self {
            requests: Family::default(),
            durations: Family::new_with_constructor(durations),
            rate_limited: Counter::default(),
        }
    }
}

/// In the extensions of a response: the request was rejected because this server is a standby. That is not a failure of
/// the server although the status is 503, so it is counted as the class `standby` and not as `5xx`.
#[derive(Debug, Clone, Copy)]
pub struct RefusedByStandby;

/// The label value for the status of a response with [`RefusedByStandby`].
const STANDBY: &str = "standby";

impl HttpMetrics {
    /// Records a response. `route` is the template of the route, none for unknown paths.
    pub fn record(
        &self,
        method: &str,
        route: Option<&str>,
        status: u16,
        refused: Option<RefusedByStandby>,
        elapsed: Duration,
    ) {
        let method = METHODS.into_iter().find(|known| *known == method).unwrap_or(OTHER);
        let route = route.unwrap_or(OTHER);
        let class = if refused.is_some() { STANDBY } else { status_class(status) };
        let outcome = Outcome { method, route: route.to_owned(), status: class };
        self.requests.get_or_create(&outcome).inc();
        let endpoint = Endpoint { method, route: outcome.route };
        self.durations.get_or_create(&endpoint).observe(elapsed.as_secs_f64());
        if status == 429 {
            self.rate_limited.inc();
        }
    }
}

fn status_class(status: u16) -> &'static str {
    match status / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

/// Something whose values are read when metrics are requested.
pub trait Source: Debug + Send + Sync + 'static {
    /// Writes the values.
    fn read(&self, values: &mut Values<'_>) -> fmt::Result;
}

/// Receives the values of a [`Source`].
#[derive(Debug)]
pub struct Values<'a>(DescriptorEncoder<'a>);

impl Values<'_> {
    /// A value that can go up and down.
    pub fn gauge(&mut self, name: &str, help: &str, value: u64) -> fmt::Result {
        let gauge = ConstGauge::new(whole(value));
        gauge.encode(self.0.encode_descriptor(name, &sentence(help), None, MetricType::Gauge)?)
    }

    /// Like [`Self::gauge`], in seconds.
    pub fn seconds(&mut self, name: &str, help: &str, value: f64) -> fmt::Result {
        let gauge = ConstGauge::new(value);
        gauge.encode(self.0.encode_descriptor(name, &sentence(help), Some(&Unit::Seconds), MetricType::Gauge)?)
    }

    /// Like [`Self::gauge`], in bytes.
    pub fn bytes(&mut self, name: &str, help: &str, value: u64) -> fmt::Result {
        let gauge = ConstGauge::new(whole(value));
        gauge.encode(self.0.encode_descriptor(name, &sentence(help), Some(&Unit::Bytes), MetricType::Gauge)?)
    }

    /// A value per `label`.
    pub fn gauges<'v>(
        &mut self,
        name: &str,
        help: &str,
        label: &'static str,
        values: impl IntoIterator<Item = (&'v str, u64)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, &sentence(help), None, MetricType::Gauge)?;
        for (of, value) in values {
            ConstGauge::new(whole(value)).encode(family.encode_family(&[(label, of)])?)?;
        }
        Ok(())
    }

    /// A count since the start.
    pub fn counter(&mut self, name: &str, help: &str, value: u64) -> fmt::Result {
        ConstCounter::new(value).encode(self.0.encode_descriptor(name, &sentence(help), None, MetricType::Counter)?)
    }

    /// Like [`Self::counter`], in seconds.
    pub fn counted_seconds(&mut self, name: &str, help: &str, value: f64) -> fmt::Result {
        let unit = Some(&Unit::Seconds);
        ConstCounter::new(value).encode(self.0.encode_descriptor(name, &sentence(help), unit, MetricType::Counter)?)
    }

    /// A count per `label`.
    pub fn counters<'v>(
        &mut self,
        name: &str,
        help: &str,
        label: &'static str,
        values: impl IntoIterator<Item = (&'v str, u64)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, &sentence(help), None, MetricType::Counter)?;
        for (of, value) in values {
            ConstCounter::new(value).encode(family.encode_family(&[(label, of)])?)?;
        }
        Ok(())
    }

    /// A histogram of durations.
    pub fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) -> fmt::Result {
        histogram.encode(self.0.encode_descriptor(
            name,
            &sentence(help),
            Some(&Unit::Seconds),
            MetricType::Histogram,
        )?)
    }
}

/// The registry adds a period to the help of its metrics, so the others get one too.
fn sentence(help: &str) -> String {
    format!("{help}.")
}

fn whole(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[derive(Debug)]
struct FromSource<S>(S);

impl<S: Source> Collector for FromSource<S> {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        self.0.read(&mut Values(encoder))
    }
}

/// All metrics of an instance. Clones share them.
#[derive(Debug, Clone)]
pub struct Metrics(Arc<Registry>);

impl Metrics {
    /// The metrics of requests, of `instance`, whose names get the prefix `planroom_`, and of `process`, whose names are
    /// those that all Prometheus clients use.
    pub fn new(http: &HttpMetrics, instance: impl Source, process: impl Source) -> Self {
        let mut all = Registry::default();
        all.register_collector(Box::new(FromSource(process)));
        let own = all.sub_registry_with_prefix("planroom");
        own.register("http_requests", "HTTP requests by route template and status class", http.requests.clone());
        own.register_with_unit(
            "http_request_duration",
            "Time until the response began, by route template",
            Unit::Seconds,
            http.durations.clone(),
        );
        let help = "Requests rejected with 429 (Too Many Requests)";
        own.register("http_rate_limited", help, http.rate_limited.clone());
        own.register_collector(Box::new(FromSource(instance)));
        Self(Arc::new(all))
    }

    /// All metrics as text.
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.0)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Nothing;

    impl Source for Nothing {
        fn read(&self, _: &mut Values<'_>) -> fmt::Result {
            Ok(())
        }
    }

    #[test]
    fn clients_cannot_create_label_values() {
        let http = HttpMetrics::default();
        for n in 0..50 {
            http.record(&format!("METHOD{n}"), None, 600 + n, None, Duration::from_millis(2));
        }
        http.record("GET", Some("/api/workspaces/{id}"), 429, None, Duration::from_millis(2));
        let text = Metrics::new(&http, Nothing, Nothing).text().unwrap();
        let of = |prefix: &str| text.lines().filter(|line| line.starts_with(prefix)).collect::<Vec<_>>();
        assert_eq!(of("planroom_http_requests_total{").len(), 2, "{text}");
        assert!(text.contains(
            "planroom_http_requests_total{method=\"GET\",route=\"/api/workspaces/{id}\",status=\"4xx\"} 1\n"
        ));
        assert!(text.contains("planroom_http_requests_total{method=\"other\",route=\"other\",status=\"5xx\"} 50\n"));
        assert_eq!(of("planroom_http_rate_limited_total"), ["planroom_http_rate_limited_total 1"]);
        assert!(text.contains("le=\"0.0025\",method=\"GET\""), "{text}");
        assert!(text.ends_with("# EOF\n"));
    }
}
