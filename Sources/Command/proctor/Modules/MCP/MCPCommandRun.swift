internal import ProctorBase
internal import ProctorExam
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorMCP
internal import ProctorProgram
internal import ProctorScenario

/// A command that runs against a run of its own, and what came of it.
struct MCPCommandRun {
    private let tools: MCPTools
    private let arguments: MCPArguments
    private let command: [String]

    private static let usualSeconds = 60
    /// The most bytes of each stream that are shown.
    private static let shownByteCount = 8 << 10
    /// The most bytes of content that are judged, as of `proctor run`.
    private static let contentByteLimit = 512 << 10

    init(_ tools: MCPTools, _ arguments: MCPArguments) {
        (self.tools, self.arguments) = (tools, arguments)
        command = arguments.words("command") ?? []
    }

    func text() async throws -> String {
        let run = try await tools.newRun(arguments)
        let name = run["run"].string ?? ""
        let cases = run["cases"].items.compactMap(\.string)
        let item = arguments.text("case") ?? (cases.count == 1 ? cases[0] : nil)
        if item == nil, !cases.isEmpty {
            throw MCPRefusal("say which 'case' to judge by: \(cases.joined(separator: ", "))")
        }
        let given = try await tools.ask(.environment(of: name, for: item))["environment"].texts
        let isLoad = command.contains { $0.contains(text: CommandLoad.mark) }
        let url = isLoad ? try await url(of: item, in: name) : nil
        let words = try command.map { try fill($0, run, url: url, given) }
        let environment = self.environment(given, run, item)
        if let reason = ProgramSearch.reasonNotToRun(words[0], environment: environment) {
            throw MCPRefusal("the command can't be run: \(reason)")
        }
        let seconds = arguments.number("seconds") ?? Self.usualSeconds
        let start = MonotonicClock.nanoseconds
        let outcome = await WatchedChild(
            command: words, environment: environment, deadline: .seconds(seconds)
        ).run()
        let milliseconds = (MonotonicClock.nanoseconds &- start) / 1_000_000
        // A command may end before the server has noted the end of its reply.
        var judged = try await tools.verdict([], of: item, in: name, settle: 1_000)
        if isLoad { judged = try await tools.verdict(results(of: outcome, in: name), of: item, in: name) }
        var lines = [judged.text, "", "the command \(Self.phrase(outcome.ending)) after \(milliseconds) ms"]
        lines += Self.shown(outcome.output, as: "standard output")
        lines += Self.shown(outcome.errorOutput, as: "standard error")
        lines.append("read_journal of run \(name) has every event")
        return lines.joined(separator: "\n")
    }

    /// The URL of the case's only step.
    private func url(of item: String?, in run: String) async throws -> String {
        guard let item else {
            throw MCPRefusal("{{url}} is for the load of a case, and the scenario has none; write {{base}}")
        }
        let steps = try await tools.ask(.assignment(of: item, in: run))["steps"].items
        guard steps.count == 1, let url = steps[0]["url"].string else {
            throw MCPRefusal("{{url}} is for a case of one step, and \(item) has \(steps.count); write {{base}}")
        }
        return url
    }

    private func fill(
        _ word: String, _ run: JSONTree, url: String?, _ given: [String: String]
    ) throws(MCPRefusal) -> String {
        var unknown: String?
        let origins = run["origins"].texts
        let text = MarkedText(word).filled { mark in
            let value: String?
            switch mark {
            case "base": value = run["base"].string
            case "url": value = url
            case "ca": value = given["PROCTOR_CA"]
            default:
                let parts = mark.split(separator: ".", maxSplits: 1).map(String.init)
                let address = origins[parts.count > 1 ? parts[1] : "main"]
                switch parts[0] {
                case "origin": value = address
                case "authority":
                    value = address.flatMap { text in
                        text.firstRange(ofText: "://").map { String(text[$0.upperBound...]) }
                    }
                default: value = nil
                }
            }
            if value == nil { unknown = mark }
            return value
        }
        if let unknown {
            throw MCPRefusal(
                "the run has nothing for {{\(unknown)}}; there are {{base}}, {{url}}, {{ca}} of a run with https, and "
                    + origins.keys.sorted().map { "{{origin.\($0)}}, {{authority.\($0)}}" }.joined(separator: ", "))
        }
        return text
    }

    /// The environment as `proctor run` has it: the addresses, and proxies where the case is about one.
    ///
    /// What makes common clients trust the authority is left out, since trust is a part of what is judged.
    private func environment(_ given: [String: String], _ run: JSONTree, _ item: String?) -> [String: String] {
        var variables = tools.context.environment
        for (name, value) in given where name.hasPrefix("PROCTOR_") || name.lowercased().hasSuffix("_proxy") {
            variables[name] = value
        }
        variables["PROCTOR_SCENARIO"] = run["scenario"].string
        variables["PROCTOR_CASE"] = item
        return variables
    }

    /// What the command made of the reply, as `judge` takes it; empty where that is unknown.
    private func results(of outcome: WatchedChild.Outcome, in run: String) async throws -> [UInt8] {
        guard case .exited(let code) = outcome.ending else { return [] }
        let files = ClientFiles(fixturePaths: tools.library.own, output: tools.context.output)
        let table: ErrorTable
        do {
            table = try files.errors(nil, ofProgram: AdapterName.name(of: command))
        } catch is PrintedFailure {
            return []
        }
        var content = CommandResult.Content()
        content.append(outcome.output.span)
        let reply = try await tools.client.send(.journal(of: run, after: 0, wait: 0))
        let entries = try JournalLines(Array(reply.text.utf8), file: "journal of \(run)").entries
        let result = CommandResult(error: table.error(ofExit: Int(code)), content: content)
        guard let settled = result.settled(by: entries) else { return [] }
        var json = JSONText()
        json.object { json in
            json.objects("results", of: [settled]) { json, settled in
                if let error = settled.error { json.member("error", error) }
                guard let content = settled.content else { return }
                if content.byteCount > Self.contentByteLimit {
                    json.member("bytes", content.byteCount)
                } else {
                    json.member(named: "body", orBase64: content.bytes)
                }
            }
        }
        return json.bytes
    }

    private static func phrase(_ ending: WatchedChild.Ending) -> String {
        switch ending {
        case .notStarted(let failure): "could not be run: \(failure.text)"
        case .exited(let code): "exited with \(code)"
        case .signalled(let signal): "was ended by signal \(signal)"
        case .hung: "had not ended, and was killed"
        case .outputTooLong(let limit): "wrote more than \(limit) bytes to standard output, and was killed"
        case .errorOutputTooLong(let limit): "wrote more than \(limit) bytes to standard error, and was killed"
        case .refused: "was killed"
        case .disconnected(let reason): reason
        }
    }

    private static func shown(_ bytes: [UInt8], as stream: String) -> [String] {
        guard !bytes.isEmpty else { return [] }
        let text = String(decoding: bytes.prefix(shownByteCount), as: UTF8.self)
        let rest = bytes.count > shownByteCount ? ", the first \(shownByteCount) of them" : ""
        return ["\(stream), \(Plural.count(bytes.count, "byte"))\(rest):", text]
    }
}
