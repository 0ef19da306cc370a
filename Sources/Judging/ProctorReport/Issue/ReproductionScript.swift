import ProctorBase
import ProctorHTML

/// One Python file without further packages that repeats a recorded run, and reports whether the departure occurs
/// again.
struct ReproductionScript {
    let title: String
    let run: PlayedRun
    let departures: [ShownDeparture]
    /// The command that runs the client, as a list of words; empty without a command.
    let command: [String]
    /// Whether the client must trust an authority, which the script makes.
    let hasAuthority: Bool
    /// The time of the recording, in seconds since 1970.
    let moment: Int

    var text: String {
        let speaksTLS = run.speaksTLS || hasAuthority
        let steps = run.connections.map { "    (\(place($0.place)), [\n\(lines(of: $0.steps))    ]),\n" }.joined()
        let facts = departures.compactMap { departure in literal(departure).map { "    \($0),\n" } }.joined()
        var modules = ["os", "re", "socket", "struct", "subprocess", "sys", "threading", "time"]
        if speaksTLS { modules += ["functools", "ssl"] }
        if steps.contains(text: "date(") { modules.append("email.utils") }
        let imports = modules.sorted().map { "import \($0)\n" }.joined()
        let date =
            steps.contains(text: "date(")
            ? """
            def date(seconds):
                return email.utils.formatdate(time.time() + seconds, usegmt=True).encode()



            """ : ""
        return """
            #!/usr/bin/env python3
            \"\"\"\(title.replacing(text: "\\", with: "\\\\").replacing(text: "\"\"\"", with: "'''"))

            python3 server.py        plays the recorded connections, and marks what is wrong about the requests that come
            python3 server.py --run  also runs the client, or the command that stands behind it, tells whether the departure shows, and
                                     exits with 0 if so
            \"\"\"

            \(imports)
            \(date)# Where each recorded connection came, and what was done on it.
            CONNECTIONS = [
            \(steps)]
            # What is wrong: where it shows, what came there, and why that is wrong.
            DEPARTURES = [
            \(facts)]
            CLIENT = [\(command.map(LiteralText.text).joined(separator: ", "))]


            \(speaksTLS ? Self.asset("tls.py") : "")\(Self.marked(Self.asset("player.py"), "# tls", keeping: speaksTLS))
            """
    }

    /// The text of a file of the folder `CFiles/Reproduction`.
    static func asset(_ name: String) -> String {
        String(decoding: ContainedFile.bytes(of: "Reproduction/\(name)"), as: UTF8.self)
    }

    /// The text without the lines `mark` and `end`, and without the text between them unless it is kept.
    static func marked(_ text: String, _ mark: String, keeping isKept: Bool) -> String {
        var isMarked = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            switch line.drop(while: { $0 == "\t" }) {
            case mark[...]:
                isMarked = true
                return false
            case "# end", "// end":
                isMarked = false
                return false
            default: return isKept || !isMarked
            }
        }
        return lines.joined(separator: "\n")
    }

    private func place(_ text: String) -> String {
        let colon = text.lastIndex(of: ":") ?? text.endIndex
        let host = text[..<colon].filter { $0 != "[" && $0 != "]" }
        return "(\(LiteralText.text(String(host))), \(text[colon...].dropFirst()))"
    }

    private func lines(of steps: [PlayStep]) -> String {
        steps.compactMap { literal($0).map { "        (\($0)),\n" } }.joined()
    }

    /// The Python literal of a step; nil for a step that a script of HTTP/1.1 can't observe.
    private func literal(_ step: PlayStep) -> String? {
        switch step {
        case .request where run.isMultiplexed, .content where run.isMultiplexed: return nil
        case .request(let number):
            let name = LiteralText.escaped(run.requests[number].name)
            return "\"request\", \(LiteralText.text(name))"
        case .content: return "\"content\","
        case .bytes(let count): return "\"bytes\", \(count)"
        case .received(let count): return "\"received\", \(count)"
        case .send(let bytes, let isCut):
            return "\"send\", \(LiteralText.bytes(bytes, indentation: 17, now: moment))\(isCut ? ", True" : "")"
        case .slices(let pieces): return "\"slices\", [\(pieces.map { LiteralText.bytes($0) }.joined(separator: ", "))]"
        case .wait(let milliseconds): return "\"wait\", \(Double(milliseconds) / 1_000)"
        case .tls(let handshake):
            let names = handshake.names.map { LiteralText.text($0) + ", " }.joined()
            let version = handshake.version == "1.3" ? "TLSv1_3" : "TLSv1_2"
            let speech = handshake.protocolName.map(LiteralText.text) ?? "None"
            return "\"tls\", \"\(handshake.profile)\", (\(names)), \"\(version)\", \(speech)"
        case .stall: return "\"stall\","
        case .finish(let closeNotify): return "\"finish\", \(closeNotify ? "True" : "False")"
        case .close: return "\"close\","
        case .reset: return "\"reset\","
        }
    }

    private func literal(_ departure: ShownDeparture) -> String? {
        let reason = LiteralText.text(departure.reason)
        switch departure.place {
        case .line(let request, let line): return "(\"line\", \(request), \(LiteralText.bytes(line)), \(reason))"
        case .without(let request, let field):
            return "(\"without\", \(request), \(LiteralText.bytes(Array(field.utf8))), \(reason))"
        case .content(let request, let content):
            return "(\"content\", \(request), \(LiteralText.bytes(content, indentation: 8, now: nil)), \(reason))"
        case .requests(let names):
            return "(\"requests\", 0, [\(names.map { LiteralText.bytes($0) }.joined(separator: ", "))], \(reason))"
        case .result(let step, let result):
            let status = result.status ?? 0
            let url = result.url.map(LiteralText.text) ?? "None"
            let facts = "\(status), \(url), \(result.byteCount), \(result.isError ? "True" : "False")"
            return "(\"result\", \(step), (\(facts)), \(reason))"
        case .hang: return "(\"hang\", 0, None, \(reason))"
        case .serverName(let number, let name):
            return "(\"server name\", \(number), \(name.map(LiteralText.text) ?? "None"), \(reason))"
        }
    }
}
