internal import ProctorBase
internal import ProctorEvents
internal import ProctorProgram

/// What of an assignment a command line can be told.
struct CommandAssignment {
    let template: CommandTemplate
    let assignment: Assignment
    /// The abilities of the client, declared and shown by placeholders.
    let abilities: Set<Ability>

    private var step: Assignment.Step { assignment.steps[0] }
    private var has: Set<CommandTemplate.Placeholder> { template.placeholders }

    /// Why the command can't do the case, half a sentence that names the key; nil when it can.
    var obstacle: String? {
        if assignment.hasLaunches { return "launch: a command is not started again with what it kept" }
        guard assignment.steps.count == 1 else {
            return "steps: one command is one load, and the case has \(assignment.steps.count)"
        }
        if step.method == "HEAD", !has.contains(.head) {
            return "method: nothing tells the command HEAD; write [-I {head}], with the option in place of -I"
        }
        // What is told to send a content sends it by POST.
        let isPostOfContent = step.method == "POST" && step.body != nil && !has.isDisjoint(with: [.body, .bodyFile])
        if step.method != "GET", step.method != "HEAD", !isPostOfContent, !has.contains(.method) {
            return "method: the command has no {method}"
        }
        if !step.headers.isEmpty, !has.contains(.header) {
            return "headers: the command has no {header}; write [-H {header}], with the option in place of -H"
        }
        if step.body != nil, has.isDisjoint(with: [.body, .bodyFile]) {
            return "body: the command has neither {body} nor {body-file}"
        }
        if !has.contains(.bodyFile), step.body != nil, step.body.flatMap(\.plainText) == nil {
            return "body: {body} is a word of a command line, and these hold no NUL and no bytes that are no text"
        }
        if !step.fieldNames.isEmpty { return "fieldNames: a command tells no field of the reply" }
        if !has.contains(.url), step.url.hasPrefix("https:"), !has.contains(.ca) {
            return "url: {host} and {port} do not tell that the URL is of https; write {url}, or [--cacert {ca}]"
        }
        if step.url.utf8.contains(0) { return "url: words of a command line hold no NUL" }
        let session = assignment.session
        if (session.names != nil || session.proxy != nil) && !has.contains(.proxy) && !abilities.contains(.proxy) {
            let key =
                session.proxy == nil ? "session.names: the names of the case are reached by a proxy" : "session.proxy"
            return "\(key): the command has no {proxy}; one that reads http_proxy and https_proxy has --ability proxy"
        }
        if session.proxyProtocol != nil || session.pac != nil {
            return "session.proxyProtocol: a command is told proxies of HTTP/1.1 without TLS alone"
        }
        return obstacleOfAnswers
    }

    private var obstacleOfAnswers: String? {
        let session = assignment.session
        guard let beforehand else { return "onRedirect, onChallenge: a command is told nothing while it runs" }
        if let credential = beforehand.credential, step.challengeCount != 0 {
            guard has.isSuperset(of: [.user, .password]), credential.token == nil else {
                return "onChallenge: the command has no {user} and {password}"
            }
            if credential.user.contains(":"), template.joinsCredential {
                return "onChallenge: a user with a colon can't stand in one word with its password"
            }
            if step.redirectCount ?? 0 > 0 {
                return
                    "onChallenge: a command has one credential, and nothing says for which of the origins behind a redirect"
            }
        }
        if session.cookies == .never, abilities.contains(.cookieJar) {
            return "session.cookies: a command is not told to keep none"
        }
        return nil
    }

    private var beforehand: Beforehand? {
        Beforehand(step, hasProxy: assignment.session.proxy != nil, judgesServers: assignment.session.trust != nil)
    }

    /// The command with the case filled in; files of it stand in `folder`.
    func words(folder: String) throws(CallFailure) -> [String] {
        let files = CommandFiles(
            output: "\(folder)/out", body: "\(folder)/body", authority: assignment.session.trust)
        if let body = step.body, has.contains(.bodyFile) {
            try NewFile.write(body.bytes.span, to: files.body, mode: 0o600)
        }
        return words(files)
    }

    func words(_ files: CommandFiles) -> [String] {
        let values = values(files)
        var words: [String] = []
        for part in template.parts {
            switch part {
            case .word(let word): words.append(fill(word, values, turn: 0))
            case .group(let group):
                let needed = group.flatMap(\.placeholders)
                let count = needed.map { values[$0]?.count ?? 0 }.min() ?? 0
                for turn in 0..<count {
                    for word in group where word.contains(where: { !$0.isMark }) {
                        words.append(fill(word, values, turn: turn))
                    }
                }
            }
        }
        return words
    }

    private func fill(
        _ word: CommandTemplate.Word, _ values: [CommandTemplate.Placeholder: [String]], turn: Int
    ) -> String {
        word.map { piece in
            switch piece {
            case .text(let text): text
            case .placeholder(let placeholder):
                values[placeholder].map { $0[min(turn, $0.count - 1)] } ?? ""
            }
        }.joined()
    }

    /// The values of all placeholders that the case has; of `header` one for each field.
    private func values(_ files: CommandFiles) -> [CommandTemplate.Placeholder: [String]] {
        let session = assignment.session
        var values: [CommandTemplate.Placeholder: [String]] = [.url: [step.url], .method: [step.method]]
        let parts = CommandURL(step.url)
        (values[.host], values[.port], values[.target]) = ([parts.host], [parts.port], [parts.target])
        values[.out] = [files.output]
        if !step.headers.isEmpty { values[.header] = step.headers.map { $0.joined(separator: ": ") } }
        if let body = step.body {
            values[.body] = body.plainText.map { [$0] }
            values[.bodyFile] = [files.body]
        }
        if let path = files.authority { values[.ca] = [path] }
        if let identity = session.identity { (values[.cert], values[.key]) = ([identity.certificate], [identity.key]) }
        if let proxy { values[.proxy] = ["http://\(proxy)"] }
        if let credential = beforehand?.credential {
            (values[.user], values[.password]) = ([credential.user], [credential.password])
        }
        if beforehand?.follow == true { values[.follow] = [""] }
        if step.method == "HEAD" {
            values[.head] = [""]
            // Where an option says HEAD, the group of the method would say it twice.
            if has.contains(.head) { values[.method] = nil }
        }
        return values
    }

    private var proxy: String? {
        assignment.session.proxy ?? (assignment.session.names == nil ? nil : assignment.session.namesProxy)
    }

    /// Variables by which a client finds a proxy that its options do not name.
    ///
    /// An option of a proxy, of the case or of the user's own, would lose to a list of exceptions, so there is none then.
    var environment: [String: String] {
        guard let proxy, !has.contains(.proxy) else { return ["no_proxy": "", "NO_PROXY": ""] }
        let exceptions = assignment.session.proxy == nil ? "localhost,127.0.0.1,127.0.0.0/8,::1" : ""
        var variables = ["no_proxy": exceptions, "NO_PROXY": exceptions]
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY"] { variables[name] = "http://\(proxy)" }
        return variables
    }
}

extension CommandTemplate.Piece {
    /// Whether it stands for nothing.
    fileprivate var isMark: Bool { self == .placeholder(.follow) || self == .placeholder(.head) }
}

extension Assignment.Bytes {
    /// All bytes, with the repetitions that `count` asks for.
    fileprivate var bytes: [UInt8] {
        let unit = text.map { Array($0.utf8) } ?? base64.flatMap { try? Base64Text.decode(Array($0.utf8)) } ?? []
        guard let count, !unit.isEmpty else { return unit }
        return (0..<count).map { unit[$0 % unit.count] }
    }

    /// The bytes as a word of a command line; nil where they can't be one.
    fileprivate var plainText: String? {
        guard (count ?? 0) <= Self.longestWord else { return nil }
        let bytes = bytes
        return bytes.count > Self.longestWord || bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Linux permits 128 KiB in one word (MAX_ARG_STRLEN).
    private static let longestWord = 100_000
}
