//! An adapter of Proctor for reqwest of Rust, which stands on hyper (Docs/clients/adapters.md).
//!
//! What it is told, so that it neither gets help nor is hindered:
//!
//! - A blocking `Client` for each choice of redirects and limits, which are choices of a client and not of a request; all share the jar, and
//!   each has its own connections. By itself it gives up after 30 s: that limit is lifted.
//! - It can't be told addresses with ports: a `Proxy::custom` leads names to `namesProxy`, and loopback addresses nowhere; it is asked at
//!   each redirect. Where there is no such proxy, a port that nobody listens at stands for it, so that no name is looked up.
//! - The URL as a text; `query` and `form` encode pairs.
//! - `Policy::limited(10)`, its own, or `Policy::none()`. A `Jar`, or none.
//! - The certificates of a file as the only roots; an `Identity` of PKCS #12.
//! - A streamed body is `Body::new`, which can't be sent again.
//! - HTTP/2 by ALPN as it comes; where HTTP/2 is wanted without TLS, `http2_prior_knowledge`, which it speaks to a proxy too: there such a
//!   load is `unimplemented`, and so is one to a name.
//! - `timeout` for the whole load; it has no limit of silence. To cancel is to drop the response: at its head, or behind a read of the body.
//!
//! It answers no challenges. As Debian builds it, it undoes no codings: a step whose content is coded is `unimplemented`.

#[path = "../../../../kits/rust/proctor.rs"]
mod proctor;

use proctor::{Trace, Unimplemented, BODY_LIMIT};
use reqwest::blocking::{Body, Client, Response};
use reqwest::cookie::Jar;
use reqwest::{redirect::Policy, Certificate, Identity, Method, Proxy, Url};
use serde_json::{json, Map, Value};
use std::collections::HashMap;
use std::error::Error;
use std::io::{Cursor, Read};
use std::sync::Arc;
use std::time::Duration;

const NAME: &str = "rust-reqwest";
const NOBODY: &str = "127.0.0.1:9";

struct Reqwest;

/// Why a load ended without a response.
enum Failure {
    Cancelled,
    Of(Box<dyn Error + Send>),
}

impl<E: Error + Send + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Of(Box::new(error))
    }
}

/// The clients of an assignment, by what they are told for good.
struct Clients<'a> {
    session: &'a Value,
    wants_h2: bool,
    jar: Option<Arc<Jar>>,
    made: HashMap<(bool, bool), Client>,
}

impl Clients<'_> {
    fn get(&mut self, step: &Value) -> Result<Client, Failure> {
        let follows = step["beforehand"]["follow"] == true;
        let is_plain = self.begins_h2(step).is_some();
        if let Some(client) = self.made.get(&(follows, is_plain)) {
            return Ok(client.clone());
        }
        let client = self.make(follows, is_plain)?;
        self.made.insert((follows, is_plain), client.clone());
        Ok(client)
    }

    fn make(&self, follows: bool, is_plain: bool) -> Result<Client, Failure> {
        let limit = self.session["resourceTimeout"].as_u64().map(Duration::from_millis);
        let mut builder = Client::builder().timeout(limit).proxy(self.ways());
        builder = builder.redirect(if follows { Policy::limited(10) } else { Policy::none() });
        if is_plain {
            builder = builder.http2_prior_knowledge();
        }
        if let Some(jar) = &self.jar {
            builder = builder.cookie_provider(Arc::clone(jar));
        }
        if let Some(path) = self.session["trust"].as_str() {
            builder = builder.tls_built_in_root_certs(false);
            let text = std::fs::read_to_string(path)?;
            for one in text.split_inclusive("-----END CERTIFICATE-----").filter(|one| one.contains("-----BEGIN")) {
                builder = builder.add_root_certificate(Certificate::from_pem(one.trim_start().as_bytes())?);
            }
        }
        if let Some(path) = self.session["identity"]["pkcs12"].as_str() {
            let passphrase = self.session["identity"]["passphrase"].as_str().unwrap_or("");
            builder = builder.identity(Identity::from_pkcs12_der(&std::fs::read(path)?, passphrase)?);
        }
        Ok(builder.build()?)
    }

    /// The URL of a step that is to be done over HTTP/2 without TLS.
    fn begins_h2(&self, step: &Value) -> Option<Url> {
        let url = step["url"].as_str().and_then(|text| Url::parse(text).ok())?;
        (self.wants_h2 && url.scheme() == "http").then_some(url)
    }

    /// Whether HTTP/2 without TLS would go to a proxy, at once or behind a redirect to a name.
    fn speaks_to_proxy(&self, step: &Value) -> bool {
        let has_way = |name| self.session[name].is_string();
        self.begins_h2(step).map_or(false, |url| is_name(&url) || has_way("proxy") || has_way("namesProxy"))
    }

    /// The proxy of the assignment for all hosts, or that of the names for names.
    fn ways(&self) -> Proxy {
        let url = |way: &str| Url::parse(&format!("http://{way}")).ok();
        let for_all = self.session["proxy"].as_str().and_then(url);
        let for_names = self.session["namesProxy"].as_str().or(Some(NOBODY)).and_then(url);
        Proxy::custom(move |wanted| {
            for_all.clone().or_else(|| for_names.clone().filter(|_| is_name(wanted)))
        })
    }
}

fn is_name(url: &Url) -> bool {
    url.domain().map_or(false, |host| host.trim_end_matches('.') != "localhost")
}

fn pairs(value: &Value) -> Vec<(&str, &str)> {
    let list = value.as_array().into_iter().flatten();
    list.map(|pair| (pair[0].as_str().unwrap_or(""), pair[1].as_str().unwrap_or(""))).collect()
}

struct Load<'a> {
    step: &'a Value,
    task: usize,
    trace: &'a Trace,
    facts: Map<String, Value>,
    body: Vec<u8>,
    count: usize,
    pieces: u64,
}

impl Load<'_> {
    fn perform(&mut self, client: Result<Client, Failure>, content: Option<Vec<u8>>) -> Result<(), Failure> {
        let step = self.step;
        let method = Method::from_bytes(step["method"].as_str().unwrap_or("").as_bytes())?;
        let mut request = client?.request(method, step["url"].as_str().unwrap_or(""));
        for (name, value) in pairs(&step["headers"]) {
            request = request.header(name, value);
        }
        if step.get("query").is_some() {
            request = request.query(&pairs(&step["query"]));
        }
        if step.get("form").is_some() {
            request = request.form(&pairs(&step["form"]));
        } else if let Some(bytes) = content {
            request = request.body(if proctor::is_streamed(step) { Body::new(Cursor::new(bytes)) } else { Body::from(bytes) });
        }
        let mut response = request.send()?;
        self.head(&response);
        if self.is_moment(&["response"], 1) || step["onResponse"] == "cancel" {
            return Err(self.cancel());
        }
        let mut piece = vec![0; if step.get("cancelAt").is_some() { 1 } else { 64 << 10 }];
        loop {
            let count = response.read(&mut piece)?;
            if count == 0 {
                return Ok(());
            }
            self.count += count;
            self.pieces += 1;
            if self.count <= BODY_LIMIT {
                self.body.extend(&piece[..count]);
            }
            if self.is_moment(&["data", "progress"], self.pieces) {
                return Err(self.cancel());
            }
        }
    }

    fn head(&mut self, response: &Response) {
        let find = |name: &str| response.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        self.facts.insert("url".into(), json!(response.url().as_str()));
        self.facts.insert("status".into(), json!(response.status().as_u16()));
        if let Some(mime) = find("content-type").and_then(|value| proctor::mime(&value)) {
            self.facts.insert("mime".into(), json!(mime));
        }
        if let Some(coding) = find("content-encoding") {
            self.facts.insert("coding".into(), json!(coding));
        }
        proctor::add_fields(&mut self.facts, self.step, find);
    }

    fn is_moment(&self, events: &[&str], count: u64) -> bool {
        let moment = &self.step["cancelAt"];
        moment["count"].as_u64() == Some(count) && events.iter().any(|event| moment["event"] == *event)
    }

    fn cancel(&self) -> Failure {
        self.trace.say("cancel", self.task);
        Failure::Cancelled
    }

    fn run(mut self, client: Result<Client, Failure>) -> Result<(), Unimplemented> {
        let content = proctor::content(self.step)?;
        let failure = self.perform(client, content).err();
        if let Some(coding) = self.facts.remove("coding").filter(|coding| coding != "identity") {
            let reason = format!("{NAME} undoes no coding, and the content is coded ({coding})");
            return Err(Unimplemented::step(self.task, "url", &reason));
        }
        match failure {
            Some(Failure::Cancelled) => self.add_error("cancelled", "the response was dropped"),
            Some(Failure::Of(error)) => {
                let text = chain(error.as_ref());
                self.add_error(name(error.as_ref(), &text), &text);
            }
            None => {}
        }
        proctor::add_body(&mut self.facts, &self.body, self.count);
        self.trace.result(self.task, self.facts);
        Ok(())
    }

    fn add_error(&mut self, name: &str, message: &str) {
        let message: String = message.chars().take(2000).collect();
        self.facts.extend([("error", name), ("domain", NAME), ("message", &message)].map(|(key, value)| (key.into(), json!(value))));
    }
}

/// What an error and all that caused it say, the outermost first.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(one) = cause {
        text = format!("{text}: {one}");
        cause = one.source();
    }
    text
}

/// What the texts say, in the order in which they are looked for.
const TEXTS: [(&str, &str); 23] = [
    ("certificate has expired", "serverCertificateHasBadDate"), ("certificate is not yet valid", "serverCertificateNotYetValid"),
    ("certificate verify failed", "serverCertificateUntrusted"), ("alert certificate required", "clientCertificateRequired"),
    ("alert bad certificate", "clientCertificateRejected"), ("alert certificate revoked", "clientCertificateRejected"),
    ("alert certificate expired", "clientCertificateRejected"), ("alert unknown ca", "clientCertificateRejected"),
    ("alert unsupported certificate", "clientCertificateRejected"), ("unexpected eof", "connectionLost"), ("SSL", "secureConnectionFailed"),
    ("ssl", "secureConnectionFailed"), ("unsuccessful tunnel", "cannotConnect"), ("proxy authentication", "cannotConnect"),
    ("onnection reset", "connectionLost"), ("Connection refused", "cannotConnect"), ("Broken pipe", "connectionLost"),
    ("connection closed", "connectionLost"), ("end of file before message length", "connectionLost"),
    ("unexpected EOF", "connectionLost"), ("URL scheme is not allowed", "unsupportedURL"), ("invalid HTTP", "badServerResponse"),
    ("nvalid", "badServerResponse"),
];

fn name(error: &(dyn Error + 'static), text: &str) -> &'static str {
    let own = error.downcast_ref::<reqwest::Error>();
    if own.map_or(false, reqwest::Error::is_timeout) || text.contains("operation timed out") {
        return "timedOut";
    }
    if own.map_or(false, reqwest::Error::is_redirect) && text.contains("too many redirects") {
        return "tooManyRedirects";
    }
    if own.map_or(false, reqwest::Error::is_builder) {
        return if text.contains("scheme") { "unsupportedURL" } else { "badURL" };
    }
    TEXTS.iter().find(|(words, _)| text.contains(words)).map_or("unknown", |(_, name)| name)
}

impl proctor::Adapter for Reqwest {
    fn client(&self) -> &'static str {
        NAME
    }
    fn version(&self) -> String {
        option_env!("REQWEST_VERSION").unwrap_or("0.11").into()
    }
    fn abilities(&self) -> &'static str {
        "methods repeated-fields verbatim-urls encodes-values fragment redirects redirect-refuse cookie-jar cookies-from-addresses \
         challenge-default proxy proxy-tunnel trust identity upload-stream response-answers cancel time-limit-total several-loads h2 prior-knowledge"
    }
    fn facts(&self) -> &'static str {
        "url status mime bytes body error message header"
    }
    fn moments(&self) -> &'static [&'static str] {
        &["response", "data", "progress"]
    }

    fn run(&self, assignment: &Value, trace: &Trace) -> Result<(), Unimplemented> {
        let session = &assignment["session"];
        let needs_h2 = assignment["needs"].as_array().map_or(false, |words| words.contains(&json!("h2")));
        let mut clients = Clients {
            session,
            wants_h2: assignment["protocol"] == "h2" || needs_h2,
            jar: (session["cookies"] != "never").then(Arc::default),
            made: HashMap::new(),
        };
        let steps: Vec<&Value> = assignment["steps"].as_array().into_iter().flatten().collect();
        for (task, step) in steps.iter().enumerate() {
            if clients.speaks_to_proxy(step) {
                return Err(Unimplemented::step(task, "url", &format!("{NAME} speaks no HTTP/2 to a proxy, and names are reached by one")));
            }
            if step["method"] == "CONNECT" {
                return Err(Unimplemented::step(task, "method", &format!("{NAME} keeps CONNECT for its tunnels")));
            }
        }
        let mut task = 0;
        while task < steps.len() {
            let beside = steps[task + 1..].iter().take_while(|step| step["together"] == true).count();
            // Those that begin together have a thread each.
            std::thread::scope(|scope| {
                let mut running = Vec::new();
                for (task, step) in steps.iter().enumerate().skip(task).take(1 + beside) {
                    let client = clients.get(step);
                    trace.say("resume", task);
                    let load = Load { step, task, trace, facts: Map::new(), body: Vec::new(), count: 0, pieces: 0 };
                    if beside == 0 {
                        return load.run(client);
                    }
                    running.push(scope.spawn(|| load.run(client)));
                }
                running.into_iter().map(|thread| thread.join().expect("a load does not panic")).collect()
            })?;
            task += 1 + beside;
        }
        Ok(())
    }
}

fn main() {
    std::process::exit(proctor::main(&Reqwest));
}
