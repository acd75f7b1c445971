//! A page of `/metrics`, parsed: names, labels, values.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::server::Server;

/// Figures that stood there at one moment.
pub struct Page {
    pub text: String,
    samples: Vec<(String, BTreeMap<String, String>, f64)>,
}

impl Page {
    pub async fn of(server: &Server) -> Self {
        let reply = server.get("/metrics").await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let kind = "text/plain; version=0.0.4; charset=utf-8";
        assert_eq!(reply.headers["content-type"], kind);
        let lines = reply.text.lines();
        let lines = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
        let samples = lines.map(sample).collect();
        Self {
            text: reply.text,
            samples,
        }
    }

    /// The value of one sample; fails when it is not there.
    pub fn value(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let found: Vec<f64> = self.all(name, labels);
        assert_eq!(found.len(), 1, "{name} {labels:?}:\n{}", self.text);
        found[0]
    }

    /// The sum of all samples with these labels.
    pub fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        self.all(name, labels).iter().sum()
    }

    fn all(&self, name: &str, labels: &[(&str, &str)]) -> Vec<f64> {
        let has = |known: &BTreeMap<String, String>| {
            let mut labels = labels.iter();
            labels.all(|(name, value)| known.get(*name).is_some_and(|it| it == value))
        };
        let samples = self.samples.iter();
        let found = samples.filter(|(known, labels, _)| known == name && has(labels));
        found.map(|(_, _, value)| *value).collect()
    }

    /// Every name of a sample, and which labels it has.
    pub fn names(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, labels, _) in &self.samples {
            let known = names.entry(name).or_default();
            known.extend(labels.keys().map(String::as_str));
        }
        names
    }

    /// Every value of a label.
    pub fn labels(&self) -> BTreeSet<&str> {
        let samples = self.samples.iter();
        let labels = samples.flat_map(|(_, labels, _)| labels.values());
        labels.map(String::as_str).collect()
    }
}

fn sample(line: &str) -> (String, BTreeMap<String, String>, f64) {
    let (head, value) = line.rsplit_once(' ').expect(line);
    let value = match value {
        "+Inf" => f64::INFINITY,
        value => value.parse().expect(line),
    };
    let Some((name, labels)) = head.split_once('{') else {
        return (head.to_owned(), BTreeMap::new(), value);
    };
    let labels = labels.strip_suffix('}').expect(line);
    // No value of ours holds a quote or a comma beside a quote.
    let labels = labels.split("\",").map(|label| {
        let (name, value) = label.split_once("=\"").expect(line);
        (name.to_owned(), value.trim_end_matches('"').to_owned())
    });
    (name.to_owned(), labels.collect(), value)
}
