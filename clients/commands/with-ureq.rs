// build: cargo
// Loads a URL with ureq: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE.
use std::{env, fs, io, process};

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let follows = words.iter().any(|word| word == "+follow");
    let agent = ureq::AgentBuilder::new().redirects(if follows { 5 } else { 0 }).build();
    let mut request = agent.request(&words[0], &words[1]);
    let mut body = None;
    for word in words[2..].iter().filter(|word| *word != "+follow") {
        match word.strip_prefix('@') {
            Some(file) => body = Some(fs::read(file).unwrap()),
            None => {
                let (name, value) = word.split_once(": ").unwrap();
                request = request.set(name, value);
            }
        }
    }
    let result = match body {
        Some(body) => request.send_bytes(&body),
        None => request.call(),
    };
    let reply = match result {
        Ok(reply) | Err(ureq::Error::Status(_, reply)) => reply,
        Err(failure) => {
            eprintln!("{failure}");
            process::exit(1)
        }
    };
    io::copy(&mut reply.into_reader(), &mut io::stdout()).unwrap();
}
