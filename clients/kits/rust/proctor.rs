//! The frame of an adapter for Proctor: assignments on standard input, traces on standard output (Docs/clients/adapters.md).
//!
//! Put `#[path = "…/proctor.rs"] mod proctor;` into your program; it needs the crates libc and serde_json. An [`Adapter`] says what its
//! client is called and does the steps; `proctor::main(&adapter)` is the whole program.

use serde_json::{json, Map, Value};
use std::collections::BTreeSet;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Bytes of a body that are told: in base64 they fit a line of 1 MiB.
pub const BODY_LIMIT: usize = 640 << 10;
/// Bytes of a body that is sent.
const UPLOAD_LIMIT: usize = 256 << 20;
/// How long before the deadline an adapter gives up.
const MARGIN: Duration = Duration::from_millis(200);
const USAGE: i32 = 64;
const UNREAD: i32 = 74;

/// The program asks for what the client can't be told.
pub struct Unimplemented {
    pub task: usize,
    pub reason: String,
}

impl Unimplemented {
    pub fn step(task: usize, key: &str, reason: &str) -> Self {
        Unimplemented { task, reason: format!("steps[{task}].{key}: {reason}") }
    }
}

/// A client without callbacks.
pub trait Adapter {
    fn client(&self) -> &'static str;
    fn version(&self) -> String;
    fn revision(&self) -> &'static str {
        "1"
    }
    /// Words with spaces between them.
    fn abilities(&self) -> &'static str;
    fn facts(&self) -> &'static str;
    /// Names of events at which the client can be cancelled.
    fn moments(&self) -> &'static [&'static str] {
        &[]
    }
    /// Does all steps; `trace` is told of them.
    fn run(&self, assignment: &Value, trace: &Trace) -> Result<(), Unimplemented>;
}

fn nanoseconds() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    #[cfg(target_os = "macos")]
    let clock = libc::CLOCK_MONOTONIC_RAW;
    #[cfg(not(target_os = "macos"))]
    let clock = libc::CLOCK_MONOTONIC;
    // SAFETY: the structure is ours, and outlives the call.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as i64 * 1_000_000_000 + time.tv_nsec as i64
}

fn write(text: &str) {
    let mut output = io::stdout().lock();
    if output.write_all(text.as_bytes()).and_then(|_| output.flush()).is_err() {
        leave(UNREAD);
    }
}

/// Ends the process without waiting for threads of the client.
fn leave(code: i32) -> ! {
    // SAFETY: nothing of this process is needed any more.
    unsafe { libc::_exit(code) }
}

#[derive(Default)]
struct Lines {
    count: u64,
    open: BTreeSet<usize>,
    is_over: bool,
}

impl Lines {
    fn write(&mut self, event: &str, task: usize, key: &str, value: Value) {
        if self.is_over {
            return;
        }
        match event {
            "resume" => self.open.insert(task),
            "result" => self.open.remove(&task),
            _ => false,
        };
        self.count += 1;
        let mut line = json!({
            "seq": self.count, "ns": nanoseconds(), "lane": "harness", "task": task, "ev": event });
        if !value.is_null() {
            line[key] = value;
        }
        write(&format!("{line}\n"));
    }
}

/// Writes lines of lane `harness`, from any thread; each has left the process when the call returns.
pub struct Trace(Arc<Mutex<Lines>>);

impl Trace {
    pub fn say(&self, event: &str, task: usize) {
        self.lines().write(event, task, "facts", Value::Null);
    }

    pub fn result(&self, task: usize, facts: Map<String, Value>) {
        self.lines().write("result", task, "facts", Value::Object(facts));
    }

    fn lines(&self) -> std::sync::MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn watch(&self, end: Instant, is_many: bool) {
        let lines = Arc::clone(&self.0);
        std::thread::spawn(move || {
            std::thread::sleep(end.saturating_duration_since(Instant::now()));
            let mut lines = lines.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if lines.is_over {
                return;
            }
            for task in lines.open.clone() {
                let text = "the step had not ended at the deadline";
                lines.write("result", task, "facts", json!({ "error": "timedOut", "domain": "adapter", "message": text }));
            }
            if is_many {
                write("\n");
            }
            leave(0);
        });
    }
}

/// The bytes of a step's body; None where it has none.
pub fn content(step: &Value) -> Result<Option<Vec<u8>>, Unimplemented> {
    let body = match step.get("body") {
        Some(body) => body,
        None => return Ok(None),
    };
    let data = match body["base64"].as_str() {
        Some(text) => decode(text),
        None => body["text"].as_str().unwrap_or("").as_bytes().to_vec(),
    };
    let count = if data.is_empty() { 0 } else { body["count"].as_u64().map_or(data.len(), |count| count as usize) };
    if count > UPLOAD_LIMIT {
        return Err(Unimplemented { task: 0, reason: format!("a body has at most {UPLOAD_LIMIT} bytes, not {count}") });
    }
    Ok(Some(data.iter().copied().cycle().take(count).collect()))
}

/// Whether the length of a step's body is not to be known.
pub fn is_streamed(step: &Value) -> bool {
    let form = step["bodyForm"].as_str().unwrap_or("");
    step.get("body").is_some() && (form.ends_with("stream") || form.ends_with("pair"))
}

/// Adds the length of a body, and the body itself where `body` is all of it.
pub fn add_body(facts: &mut Map<String, Value>, body: &[u8], count: usize) {
    facts.insert("bytes".into(), json!(count));
    if body.len() != count || count > BODY_LIMIT {
        return;
    }
    match std::str::from_utf8(body) {
        Ok(text) if !text.contains('\0') => facts.insert("body".into(), json!(text)),
        _ => facts.insert("bodyBase64".into(), json!(encode(body))),
    };
}

/// Adds what `find` gives for each field that the program asks for; None for no field.
pub fn add_fields(facts: &mut Map<String, Value>, step: &Value, find: impl Fn(&str) -> Option<String>) {
    if let Some(names) = step["fieldNames"].as_array().filter(|names| !names.is_empty()) {
        let lines = names.iter().filter_map(Value::as_str).filter_map(|name| find(name).map(|value| format!("{name}: {value}")));
        facts.insert("header".into(), json!(lines.collect::<Vec<_>>().join("\n")));
    }
}

/// The media type alone; None where there is none.
pub fn mime(content_type: &str) -> Option<String> {
    let plain = content_type.split(';').next().unwrap_or("").trim().to_lowercase();
    (!plain.is_empty()).then_some(plain)
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let number = group.iter().fold(0u32, |number, byte| number << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let sign = if place > group.len() { '=' } else { ALPHABET[(number >> (18 - 6 * place)) as usize & 63] as char };
            text.push(sign);
        }
    }
    text
}

fn decode(text: &str) -> Vec<u8> {
    let signs: Vec<u32> = text.bytes().filter_map(|sign| ALPHABET.iter().position(|one| *one == sign)).map(|at| at as u32).collect();
    let mut bytes = Vec::new();
    for group in signs.chunks(4) {
        let number = group.iter().fold(0, |number, sign| number << 6 | sign) << (6 * (4 - group.len()));
        bytes.extend((1..group.len()).map(|place| (number >> (24 - 8 * place)) as u8));
    }
    bytes
}

fn refuse(adapter: &impl Adapter, assignment: &Value) -> Result<(), Unimplemented> {
    let abilities: BTreeSet<&str> = adapter.abilities().split_whitespace().collect();
    let client = adapter.client();
    for word in assignment["needs"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !abilities.contains(word) {
            return Err(Unimplemented { task: 0, reason: format!("needs: {client} has no {word}") });
        }
    }
    for (task, step) in assignment["steps"].as_array().into_iter().flatten().enumerate() {
        let cannot = |key: &str, reason: &str| Err(Unimplemented::step(task, key, &format!("{client} {reason}")));
        let count = step["challengeCount"].as_u64().map_or(usize::MAX, |count| count as usize);
        let is_used = step["onChallenge"].as_array().into_iter().flatten().take(count).any(|one| one["answer"] == "use");
        if is_used && !["basic", "digest", "bearer"].iter().any(|word| abilities.contains(word)) {
            return cannot("onChallenge", "answers no challenge");
        }
        if step.get("beforehand").is_none() {
            return cannot("beforehand", "is told no such answers before a load");
        }
        let event = step["cancelAt"]["event"].as_str();
        let is_late = event == Some("response") && step["cancelAt"]["count"].as_u64() > Some(1);
        if event.map_or(false, |event| is_late || !adapter.moments().contains(&event)) {
            return cannot("cancelAt", "can't be cancelled then");
        }
        // A question in whose callback the load is cancelled is not answered.
        let answer = if event == Some("response") { "allow" } else { step["onResponse"].as_str().unwrap_or("allow") };
        if !["allow", "cancel"].contains(&answer) {
            return cannot("onResponse", &format!("can't say {answer}"));
        }
        if step.get("download").is_some() {
            return cannot("download", "decides nothing about a file");
        }
    }
    Ok(())
}

fn perform(adapter: &impl Adapter, text: &str, is_many: bool) {
    let began = Instant::now();
    let assignment: Value = serde_json::from_str(text).unwrap_or(Value::Null);
    let steps = assignment["steps"].as_array().map_or(0, Vec::len);
    let deadline = assignment["deadline"].as_u64().unwrap_or(0);
    if assignment["version"] != 1 || steps == 0 || deadline == 0 || !assignment["session"].is_object() {
        eprintln!("{} adapter: standard input has no assignment of version 1", adapter.client());
        leave(USAGE);
    }
    let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    let mut header = json!({
        "trace": "proctor", "version": 1, "client": adapter.client(), "clientVersion": adapter.version(), "adapter": adapter.client(),
        "adapterVersion": adapter.revision(), "clock": "monotonic", "unit": "ns", "lanes": ["harness"],
        "facts": words(adapter.facts()), "abilities": words(adapter.abilities()) });
    for key in ["scenario", "case", "run"] {
        if let Some(value) = assignment.get(key) {
            header[key] = value.clone();
        }
    }
    write(&format!("{header}\n"));
    let trace = Trace(Arc::default());
    trace.watch(began + Duration::from_millis(deadline).saturating_sub(MARGIN).max(Duration::from_millis(100)), is_many);
    if let Err(error) = refuse(adapter, &assignment).and_then(|_| adapter.run(&assignment, &trace)) {
        trace.lines().write("unimplemented", error.task, "arg", json!(error.reason));
    }
    trace.lines().is_over = true;
}

/// The whole program; gives its exit code.
pub fn main(adapter: &impl Adapter) -> i32 {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words == ["--version"] {
        write(&format!("{} {}\n", adapter.client(), adapter.version()));
        return 0;
    }
    if let Some(word) = words.first() {
        eprintln!("{} adapter: unknown argument '{word}'; expected none or --version", adapter.client());
        return USAGE;
    }
    let is_many = std::env::var("PROCTOR_ASSIGNMENTS").map_or(false, |value| value == "many");
    let mut input = io::stdin().lock();
    let mut text = String::new();
    if !is_many {
        let _ = input.read_to_string(&mut text);
        perform(adapter, &text, is_many);
        return 0;
    }
    while input.read_line(&mut text).map_or(false, |count| count > 0) {
        perform(adapter, &text, is_many);
        write("\n");
        text.clear();
    }
    0
}
