import ProctorBase
import ProctorEvents
import ProctorProgram

/// A program that performs an assignment with a client, in the client's own language.
struct ClientCode {
    /// The name of the file beside the script: `client.py`.
    let file: String
    let text: String
    /// The command that runs the file.
    let command: [String]
}

extension ClientCode {
    /// nil for a client that is neither curl nor one of Python's.
    init?(_ program: Assignment, for client: String) {
        if client == "curl" {
            self = ShellCode.curl(program)
        } else if ScriptCode.pythonAssets[client] != nil {
            self = ScriptCode.python(program, client)
        } else {
            return nil
        }
    }
}

/// A step in the form that all languages use.
struct CodedStep {
    let step: Assignment.Step
    let follows: Bool
    let account: Assignment.Credential?
    /// Seconds without bytes after which the client gives up; nil: the client's default.
    let seconds: Double?

    static func all(_ program: Assignment) -> [CodedStep] {
        program.steps.map { step in
            let beforehand = Beforehand(
                step, hasProxy: program.session.proxy != nil, judgesServers: program.session.trust != nil)
            let idle = step.limit(for: .timeLimitSilence) ?? program.session.limit(for: .timeLimitSilence)
            return CodedStep(
                step: step, follows: beforehand?.follow ?? true, account: beforehand?.credential,
                seconds: idle.map { Double($0) / 1_000 })
        }
    }

    /// The bytes of the body; nil: none.
    var content: [UInt8]? {
        guard let body = step.body else { return nil }
        let unit =
            body.base64.flatMap { text in try? Base64Text.decode(Array(text.utf8)) } ?? Array((body.text ?? "").utf8)
        guard let count = body.count, !unit.isEmpty else { return unit }
        return Array((0..<count).lazy.map { unit[$0 % unit.count] })
    }

    var isStreamed: Bool {
        switch step.bodyForm {
        case .data, .file: false
        case .stream, .requestStream, .requestFileStream, .boundPair, .requestBoundPair: true
        }
    }

    /// Sentences about parts of an assignment that no command does by itself; an adapter is told most of them.
    static func shortfalls(_ program: Assignment, ofAdapter isAdapter: Bool) -> [String] {
        var sentences: [String] = []
        let session = program.session
        if session.identity != nil {
            sentences.append("the client shows a certificate of its own, which has to be made first")
        }
        if program.hasLaunches { sentences.append("the client ends and starts again with its storage") }
        guard !isAdapter else { return sentences }
        if session.httpsProxy != nil { sentences.append("https has a proxy of its own") }
        if session.noProxy != nil { sentences.append("the client reaches some hosts without the proxy") }
        if session.netrc != nil { sentences.append("credentials stand in a .netrc file") }
        if session.baseURL != nil { sentences.append("the client resolves the URL against a base URL") }
        if let scheme = session.ownScheme {
            sentences.append("URLs have the scheme \(scheme), which the program registers")
        }
        if (session.names ?? []).contains(where: { $0.address.hasPrefix("unix:") }) {
            sentences.append("a name stands on a Unix socket")
        }
        for (index, step) in program.steps.enumerated() {
            let place = program.steps.count > 1 ? "step \(index + 1): " : ""
            if Beforehand(step, hasProxy: session.proxy != nil, judgesServers: session.trust != nil) == nil {
                sentences.append("\(place)redirects or challenges are answered one by one, each in another way")
            }
            if step.cancelAt != nil {
                sentences.append("\(place)the program cancels the load (at \(step.cancelAt?.word ?? ""))")
            }
            if step.onResponse == .cancel { sentences.append("\(place)the program cancels the load at the response") }
            if step.session != nil {
                sentences.append("\(place)the load has another proxy, trust or identity than the session")
            }
            if step.resume != nil { sentences.append("\(place)an earlier download goes on") }
            if step.isTogether { sentences.append("\(place)the load begins while the one before is under way") }
        }
        return sentences
    }
}
