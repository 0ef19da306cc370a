import ProctorBase
import ProctorGrading
import ProctorHTML
import ProctorProgram
import ProctorScenario

/// One Python file without further packages that repeats a recorded run, and reports whether the departure occurs
/// again.
struct ReproductionScript {
    let title: String
    let run: PlayedRun
    let departures: [ShownDeparture]
    let subject: IssueSubject
    /// The client's file beside the script; nil: none.
    let code: ClientCode?

    private var program: Assignment { subject.program }
    private var command: IssueCommand? { subject.command }

    /// Whether the client must trust an authority, which the script makes.
    private var hasAuthority: Bool { program.session.trust != nil }

    var text: String {
        let speaksTLS = run.speaksTLS || hasAuthority
        let steps = run.connections.map { "    (\(place($0.place)), [\n\(lines(of: $0.steps))    ]),\n" }.joined()
        let facts = departures.compactMap { departure in literal(departure).map { "    \($0),\n" } }.joined()
        var modules = [
            "json", "os", "re", "shlex", "signal", "socket", "struct", "subprocess", "sys", "tempfile", "threading",
            "time",
        ]
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

            \(usage)
            With a client it exits with 0 where the departure shows, with 1 where it does not, and with 2 where it could not be tried.
            \"\"\"

            \(imports)
            HERE = os.path.dirname(os.path.abspath(__file__))
            FILES = tempfile.TemporaryDirectory()
            # Files of a command: the content that it writes, the content of its request, the authority that it trusts.
            OUT, BODY, CA = os.path.join(FILES.name, "out"), os.path.join(FILES.name, "body"), os.path.join(HERE, "ca.pem")

            \(date)# Where each recorded connection came, and what was done on it.
            CONNECTIONS = [
            \(steps)]
            # Where a client connects that does not reach the names of the case by a proxy.
            OTHER_PLACES = [\(otherPlaces.joined(separator: ", "))]
            # What is wrong: where it shows, what came there, and why that is wrong.
            DEPARTURES = [
            \(facts)]
            \(client)

            \(speaksTLS ? Self.asset("tls.py") : "")\(Self.marked(Self.asset("player.py"), "# tls", keeping: speaksTLS))
            """
    }

    private var usage: String {
        let known = command != nil || code != nil
        return
            "python3 server.py             plays the recorded connections, and marks what is wrong about the requests\n"
            + (known
                ? "python3 server.py --run       also runs the client, and tells whether the departure shows\n" : "")
            + "python3 server.py -- COMMAND  the same by a command of yours, in which {url} stands for the URL"
    }

    /// What the script knows of the client.
    private var client: String {
        let loads = CodedStep.all(program).map { step in
            let content = PythonLiteral.bytes(step.content ?? [], indentation: 5, now: nil)
            return "    (\(PythonLiteral.text(step.step.url)), \(content)),\n"
        }
        let own = code.map { $0.command.map { [IssueCommand.Piece.text($0)] } } ?? command?.words ?? []
        let variables = (command?.environment ?? [:]).sorted { $0.key < $1.key }.map {
            "\(PythonLiteral.text($0.key)): \(PythonLiteral.text($0.value))"
        }
        let codes = ([0] + (command?.harmlessCodes ?? [])).map(String.init).joined(separator: ", ")
        return """
            # The URL of each load, and the content of its request.
            LOADS = [
            \(loads.joined())]
            # The command of the client, and the folder in which it is run.
            CLIENT = [\(own.map(word).joined(separator: ", "))]
            FOLDER = \(code == nil ? "None" : "HERE")
            ENVIRONMENT = {\(variables.joined(separator: ", "))}
            # The exit codes that tell no failed load.
            FINE_EXITS = (\(codes),)
            # What an adapter of Proctor has on standard input.
            PROGRAM = \(assignment)
            # Certificates that this script does not make.
            UNMADE = [\(run.unmadeProfiles.unique.map(PythonLiteral.text).joined(separator: ", "))]
            # Whether a client that makes no request can be right.
            IS_SILENT_RIGHT = \(subject.permitsNoRequest ? "True" : "False")

            """
    }

    private func word(_ pieces: [IssueCommand.Piece]) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): PythonLiteral.text(text)
            case .file(let file): file.rawValue
            }
        }.joined(separator: " + ")
    }

    /// The assignment without what only Proctor's server has; empty for a command line.
    private var assignment: String {
        if let command, !command.isAdapter { return "\"\"" }
        var program = program
        (program.run, program.awaited) = (nil, nil)
        guard hasAuthority else { return PythonLiteral.text(String(decoding: program.json, as: UTF8.self)) }
        program.session.trust = Self.trustMark
        let text = PythonLiteral.text(String(decoding: program.json, as: UTF8.self))
        return "\(text).replace(\"\(Self.trustMark)\", CA)"
    }

    /// Stands for the path of the authority's file in an assignment.
    private static let trustMark = "{the file of the authority}"

    /// The text of a file of the folder `CFiles/Reproduction`.
    static func asset(_ name: String) -> String {
        String(decoding: ContainedFile.bytes(of: "Reproduction/\(name)"), as: UTF8.self)
    }

    /// The text without the lines `mark` and `# end`, and without the text between them unless it is kept.
    static func marked(_ text: String, _ mark: String, keeping isKept: Bool) -> String {
        var isMarked = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            switch line {
            case mark[...]:
                isMarked = true
                return false
            case "# end":
                isMarked = false
                return false
            default: return isKept || !isMarked
            }
        }
        return lines.joined(separator: "\n")
    }

    private var otherPlaces: [String] {
        let known = Set(run.connections.map { place($0.place) })
        let places = ScriptCode.places(of: program).map { place("\($0.host):\($0.number)") }
        return places.unique.filter { !known.contains($0) }
    }

    private func place(_ text: String) -> String {
        let colon = text.lastIndex(of: ":") ?? text.endIndex
        let host = text[..<colon].filter { $0 != "[" && $0 != "]" }
        return "(\(PythonLiteral.text(String(host))), \(text[colon...].dropFirst()))"
    }

    private func lines(of steps: [PlayStep]) -> String {
        steps.compactMap { literal($0).map { "        (\($0)),\n" } }.joined()
    }

    /// The Python literal of a step; nil for a step that a script of HTTP/1.1 can't observe.
    private func literal(_ step: PlayStep) -> String? {
        switch step {
        case .request where run.isMultiplexed, .content where run.isMultiplexed: return nil
        case .request(let number):
            let name = PythonLiteral.escaped(run.requests[number].name)
            return "\"request\", \(PythonLiteral.text(name))"
        case .content: return "\"content\","
        case .bytes(let count): return "\"bytes\", \(count)"
        case .received(let count): return "\"received\", \(count)"
        case .send(let bytes, let isCut):
            return
                "\"send\", \(PythonLiteral.bytes(bytes, indentation: 17, now: subject.moment))\(isCut ? ", True" : "")"
        case .slices(let pieces):
            return "\"slices\", [\(pieces.map { PythonLiteral.bytes($0) }.joined(separator: ", "))]"
        case .wait(let milliseconds): return "\"wait\", \(Double(milliseconds) / 1_000)"
        case .tls(let handshake):
            let names = handshake.names.map { PythonLiteral.text($0) + ", " }.joined()
            let version = handshake.version == "1.3" ? "TLSv1_3" : "TLSv1_2"
            let speech = handshake.protocolName.map(PythonLiteral.text) ?? "None"
            return "\"tls\", \"\(handshake.profile)\", (\(names)), \"\(version)\", \(speech)"
        case .stall: return "\"stall\","
        case .finish(let closeNotify): return "\"finish\", \(closeNotify ? "True" : "False")"
        case .close: return "\"close\","
        case .reset: return "\"reset\","
        }
    }

    private func literal(_ departure: ShownDeparture) -> String? {
        let reason = PythonLiteral.text(departure.reason)
        switch departure.place {
        case .line(let request, let line): return "(\"line\", \(request), \(PythonLiteral.bytes(line)), \(reason))"
        case .without(let request, let field):
            return "(\"without\", \(request), \(PythonLiteral.bytes(Array(field.utf8))), \(reason))"
        case .content(let request, let content):
            return "(\"content\", \(request), \(PythonLiteral.bytes(content, indentation: 8, now: nil)), \(reason))"
        case .requests(let names):
            return "(\"requests\", 0, [\(names.map { PythonLiteral.bytes($0) }.joined(separator: ", "))], \(reason))"
        case .result(let step, let result):
            let status = result.status.map(String.init) ?? (result.tellsStatus ? "0" : "None")
            let count = result.byteCount.map(String.init) ?? "None"
            let url = result.url.map(PythonLiteral.text) ?? "None"
            let facts = "\(status), \(url), \(count), \(result.isError ? "True" : "False")"
            return "(\"result\", \(step), (\(facts)), \(reason))"
        case .hang: return "(\"hang\", 0, None, \(reason))"
        case .serverName(let number, let name):
            return "(\"server name\", \(number), \(name.map(PythonLiteral.text) ?? "None"), \(reason))"
        }
    }
}
