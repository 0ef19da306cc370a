import ProctorBase
import ProctorDemands
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorProgram
import ProctorScenario

/// A report about one failed case for the project of a client: Markdown, and files that reproduce the failure.
package struct IssuePage {
    /// Files to be written into one folder; the first is the server, the second the client.
    package let files: [(name: String, text: String)]
    /// Parts of the case that the script does not reproduce, each a sentence; empty when it reproduces all.
    package let obstacles: [String]

    private let subject: IssueSubject
    private let run: PlayedRun
    private let departures: [ShownDeparture]
    private let results: [ClientResult]
    private let code: ClientCode?

    private static let shownContent = 400
    /// The most bytes of a script; a case that needs more gets none.
    private static let scriptLimit = 256 << 10

    package init(_ subject: IssueSubject) {
        self.subject = subject
        run = PlayedRun(subject)
        let finder = DepartureFinder(subject, run)
        departures = finder.departures
        results = finder.results
        // A command of its own does not do what the program of a shipped client does.
        code = subject.command == nil ? ClientCode(subject.program, for: subject.client.client) : nil
        var obstacles =
            run.obstacles + CodedStep.shortfalls(subject.program, ofAdapter: subject.command?.isAdapter ?? false)
        if departures.isEmpty {
            obstacles.append(
                "what is wrong shows neither in a request nor in a result, so that the script can't mark it")
        }
        let script = ReproductionScript(
            title: "Plays the bytes of \(subject.record.id) to \(subject.client.client).", run: run,
            departures: departures, subject: subject, code: code
        ).text
        if script.utf8.count > Self.scriptLimit {
            obstacles.append("the replies are too long for a script")
        } else if !run.connections.isEmpty {
            files = [("server.py", script)] + (code.map { [($0.file, $0.text)] } ?? [])
            self.obstacles = obstacles
            return
        } else {
            obstacles.append("the client made no connection")
        }
        files = code.map { [($0.file, $0.text)] } ?? []
        self.obstacles = obstacles
    }

    /// The Markdown; `hasFiles`: the files are beside the text, otherwise the text contains them.
    package func markdown(hasFiles: Bool) -> String {
        var parts = ["# \(headline)", who, "## What was done\n\n\(done)", "## What came\n\n\(came)"]
        parts.append("## What should have come\n\n\(demanded)")
        parts.append("## The bytes\n\n\(bytes)")
        parts.append("## Other clients\n\n\(others)")
        parts.append("## To see it again\n\n\(again(hasFiles: hasFiles))")
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var name: String { subject.client.clientName ?? subject.client.client }

    private var headline: String {
        let reason = subject.verdict.sentence ?? departures.first?.reason ?? subject.record.reason
        return "\(subject.client.client): \(Self.line(reason))"
    }

    private var who: String {
        var words = "\(name) \(subject.client.clientVersion ?? "(version unknown)")"
        if let system = subject.client.system { words += " on \(system)" }
        let summary = subject.record.summary.map { ": \($0)" } ?? ""
        if let command = subject.command {
            words += command.isAdapter ? ", driven by an adapter" : ""
            words += ". Its command is `\(Self.line(command.text))`"
        }
        return "\(words). Found by the case `\(subject.record.id)` of Proctor\(summary)."
    }

    // MARK: The program and the result

    private var done: String {
        let session = subject.program.session
        var words: [String] = []
        if session.cookies == .never { words.append("without cookies") }
        if let proxy = session.proxy { words.append("through the proxy \(proxy)") }
        if session.trust != nil { words.append("trusting one authority alone") }
        for place in ScriptCode.places(of: subject.program).prefix(4) {
            words.append("with \(place.name):\(place.port) at \(place.host):\(place.number)")
        }
        let steps = CodedStep.all(subject.program)
        var lines = ["One session of \(name)\(words.isEmpty ? "" : ", " + words.joined(separator: ", ")), loads:", ""]
        for (index, step) in steps.prefix(12).enumerated() {
            var line = "\(index + 1). `\(step.step.method) \(Self.line(step.step.url))`"
            if !step.step.headers.isEmpty {
                line += " with " + step.step.headers.map { "`\($0[0]): \(Self.line($0[1]))`" }.joined(separator: ", ")
            }
            if let content = step.content { line += ", content of \(Plural.count(content.count, "byte"))" }
            if step.step.form != nil { line += ", content is a form" }
            if step.isStreamed { line += ", whose length is not told" }
            if let account = step.account {
                line += ", for challenges `\(account.token ?? "\(account.user):\(account.password)")`"
            }
            if let seconds = step.seconds { line += ", giving up after \(seconds) s of silence" }
            line += step.follows ? "; redirects are followed" : "; redirects are not followed"
            lines.append(line)
        }
        if steps.count > 12 { lines.append("\(steps.count - 12) more steps follow.") }
        return lines.joined(separator: "\n")
    }

    private var came: String {
        var lines =
            departures.isEmpty
            ? ["- \(Self.line(subject.record.reason))"] : departures.map { "- \(Self.line($0.reason))" }.unique
        for (index, result) in results.enumerated() {
            var line = ResultWords.came(result, step: index, of: results.count)
            if result.isError { line += ", `\(Self.line(result.message ?? ""))`" }
            if let url = result.url { line += "; its URL is `\(Self.line(url))`" }
            lines.append("- \(line)")
        }
        return lines.joined(separator: "\n")
    }

    private var demanded: String {
        var lines: [String] = []
        let failures = zip(subject.verdict.findings, subject.record.findings).filter {
            $0.0.weight == .failure || $0.0 == subject.verdict.findings.root
        }
        for (finding, record) in failures {
            guard let quote = QuotedSentence.quotation(for: finding, sections: record.spec.map(\.section)) else {
                continue
            }
            lines.append("- \(Self.linked(quote.section)): \u{201C}\(quote.text)\u{201D}")
        }
        for demand in subject.demands {
            lines.append(
                "- \(Self.linked(demand.section)): \(Self.line(demand.text)) (in the words of this report)")
        }
        let root = failures.first { $0.0 == subject.verdict.findings.root } ?? failures.first
        let sections = root?.1.spec ?? subject.record.spec
        let demanded = subject.demands.map(\.section)
        lines += sections.map(\.section).filter { !demanded.contains($0) }.map { "- see \(Self.linked($0))" }
        // A case without a section says at least what it is about.
        if lines.isEmpty, let summary = subject.record.summary { return "- \(Self.line(summary))" }
        return lines.unique.joined(separator: "\n")
    }

    private static func linked(_ section: String) -> String {
        SpecLink.address(of: section).map { "[\(section)](\($0))" } ?? section
    }

    private var others: String {
        guard !subject.others.isEmpty else { return "No records of other clients are at hand." }
        let groups = Dictionary(grouping: subject.others) { other in
            switch other.outcome {
            case "pass", "observed": "pass"
            case "fail", "known", "hang", "crash": "fail"
            default: "were not judged, for they lack what it needs"
            }
        }
        return ["pass", "fail", "were not judged, for they lack what it needs"].compactMap { word in
            groups[word].map { "- \(word): \($0.map(\.title).joined(separator: ", "))" }
        }.joined(separator: "\n")
    }

    // MARK: Bytes

    private var bytes: String {
        run.connections.enumerated().map { number, connection in
            var lines = ["Connection \(number + 1), to \(connection.place); `>` is the client:", "", "```text"]
            for step in connection.steps { lines += self.lines(of: step) }
            return (lines + ["```"]).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private func lines(of step: PlayStep) -> [String] {
        switch step {
        case .request(let number):
            let request = run.requests[number]
            let wrong = departures.compactMap { departure -> (line: [UInt8], reason: String)? in
                guard case .line(number, let line) = departure.place else { return nil }
                return (line, departure.reason)
            }
            var lines = request.lines.flatMap { line in
                let text = "> \(PythonLiteral.shown(line))"
                let marks = wrong.filter { $0.line == Array(line) }.map { "  ^^^ \(Self.line($0.reason))" }
                return [text] + marks
            }
            if !request.content.isEmpty {
                lines += [">"] + Self.shown(request.content, mark: "> ")
            }
            return lines
        case .content: return []
        case .bytes(let count): return ["> (\(Plural.count(count, "byte")) that are no request)"]
        case .received(let count): return ["> (frames of HTTP/2, up to byte \(count))"]
        case .send(let bytes, let isCut):
            return Self.shown(bytes, mark: "< ") + (isCut ? ["< (the record of TLS is broken off)"] : [])
        case .slices(let pieces):
            return Self.shown(Array(pieces.joined()), mark: "< ") + ["< (in \(pieces.count) pieces, one by one)"]
        case .wait(let milliseconds): return ["< (after \(milliseconds) ms)"]
        case .tls(let handshake): return ["  (TLS \(handshake.version) begins)"]
        case .stall: return ["< (nothing more, and no end)"]
        case .finish(let closeNotify):
            return ["< (FIN\(run.speaksTLS ? closeNotify ? " behind close_notify" : " without close_notify" : ""))"]
        case .close: return ["< (closed)"]
        case .reset: return ["< (reset)"]
        }
    }

    private static func shown(_ bytes: [UInt8], mark: String) -> [String] {
        let headEnd = PythonLiteral.endOfHead(bytes)
        let kept = bytes.prefix(headEnd + shownContent)
        var lines = kept.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            mark + PythonLiteral.shown(line.last == 0x0D ? line.dropLast() : line)
        }
        if lines.last == mark { lines.removeLast() }
        if kept.count < bytes.count { lines.append("\(mark)… (\(bytes.count - kept.count) more bytes)") }
        return lines
    }

    // MARK: Again

    private func again(hasFiles: Bool) -> String {
        var parts: [String] = []
        if !obstacles.isEmpty {
            parts.append(
                "Not reproduced by `server.py`:\n\n" + obstacles.map { "- \($0)" }.joined(separator: "\n"))
        }
        guard files.contains(where: { $0.name == "server.py" }) else {
            return (parts + files.map(block)).joined(separator: "\n\n")
        }
        var needs = "`server.py` needs Python 3.9 or later and nothing else"
        if run.speaksTLS || subject.program.session.trust != nil {
            needs += " but the command `openssl`, by which it makes a certificate (`ca.pem` signs it)"
        }
        parts.append(
            "\(needs). It plays the server's bytes as they were, runs the client, and marks what is wrong. It exits with 0 "
                + "where the departure shows, with 1 where it does not, and with 2 where it could not be tried.")
        parts.append(calls.joined(separator: "\n"))
        if hasFiles {
            parts.append(files.map { "- [\($0.name)](\($0.name))" }.joined(separator: "\n"))
        } else {
            parts += files.map(block)
        }
        return parts.joined(separator: "\n\n")
    }

    /// How the script is called, a row each.
    private var calls: [String] {
        let own = code?.command ?? subject.command?.words.map(Self.shown)
        let line = own.map {
            "| `python3 server.py --run` | `\(Self.line($0.map(ShellWords.quote).joined(separator: " ")))` |"
        }
        let files = subject.program.session.trust == nil ? "" : ", and `{ca}` for the file of the authority to trust"
        let mine =
            "| `python3 server.py -- COMMAND` | a command of yours, such as another version, in which `{url}` stands for the "
            + "URL\(files): `python3 server.py -- curl -s {url}` |"
        let alone = "| `python3 server.py` | nothing; it waits for a client, until ^C |"
        return ["| call | runs |", "|---|---|"] + [line, mine, alone].compactMap(\.self)
    }

    private static func shown(_ word: [IssueCommand.Piece]) -> String {
        word.map { piece in
            switch piece {
            case .text(let text): text
            case .file(.output): "{out}"
            case .file(.body): "{body-file}"
            case .file(.authority): "{ca}"
            }
        }.joined()
    }

    private func block(_ file: (name: String, text: String)) -> String {
        let language = file.name.hasSuffix(".py") ? "python" : "sh"
        return "`\(file.name)`:\n\n```\(language)\n\(file.text)```"
    }

    /// The text in one line, without characters that Markdown or a block would interpret.
    private static func line(_ text: String) -> String {
        PrintableText.sanitize(text.replacing(text: "\n", with: " ").replacing(text: "`", with: "'"), limit: 500)
    }
}

extension PlayedRun {
    var speaksTLS: Bool {
        connections.contains { $0.steps.contains { if case .tls = $0 { true } else { false } } }
    }
}

extension PythonLiteral {
    /// The bytes for a person; bytes that are not printable as `\xHH`.
    static func shown(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            if 0x20...0x7E ~= byte {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += EscapedText.escape([byte])
            }
        }
        return text
    }

    /// The offset at which the content of a message begins; 0 when it has no head.
    static func endOfHead(_ bytes: [UInt8]) -> Int {
        guard bytes.starts(with: "HTTP/".utf8) else { return 0 }
        var index = 0
        while index + 4 <= bytes.count {
            if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
                return index + 4
            }
            index += 1
        }
        return 0
    }
}
