import ProctorBase
import ProctorEvents
import ProctorProgram

/// Programs in Python: a definition of `load`, and a call of it for each step.
enum ScriptCode {
    /// For each client, the modules that it needs and the text that defines `load`.
    static let pythonAssets: [String: (modules: [String], file: String)] = [
        "requests": (["http.cookiejar", "requests"], "requests.py"),
        "httpx": (["http.cookiejar", "httpx", "ssl"], "httpx.py"),
        "aiohttp": (["aiohttp", "asyncio", "ssl"], "aiohttp.py"),
        "urllib3": (["urllib3"], "urllib3.py"),
        "urllib": (
            ["http.client", "http.cookiejar", "io", "ssl", "urllib.error", "urllib.parse", "urllib.request"],
            "urllib.py"
        ),
        "python-http-client": (["http.client", "io", "ssl"], "http_client.py"),
    ]
    /// Clients whose `load` accepts a Digest credential.
    private static let digestClients: Set = ["requests", "httpx", "urllib"]

    /// Clients that get an open file when the body is a file.
    private static let fileClients: Set = ["urllib", "python-http-client"]

    static func python(_ program: Assignment, _ client: String) -> ClientCode {
        guard let asset = pythonAssets[client] else { preconditionFailure("no text for \(client)") }
        let steps = CodedStep.all(program)
        let places = places(of: program)
        let isStreamed = steps.contains(where: \.isStreamed)
        let modules = (asset.modules + (places.isEmpty ? [] : ["socket"])).sorted()
        var text = modules.map { "import \($0)\n" }.joined()
        text += "\nTRUST = \(program.session.trust == nil ? "None" : "\"ca.pem\"")\n"
        text += "PROXY = \(proxy(of: program.session).map(PythonLiteral.text) ?? "None")\n"
        text += "COOKIES = \(program.session.cookies == .never ? "False" : "True")\n"
        if client == "httpx" { text += "HTTP2 = \(program.protocolName == "h2" ? "True" : "False")\n" }
        if !places.isEmpty {
            let entries = places.map {
                "(\(PythonLiteral.text($0.name)), \($0.port)): (\(PythonLiteral.text($0.host)), \($0.number))"
            }
            text += "PLACES = {\(entries.joined(separator: ", "))}\n\n"
            text += ReproductionScript.asset("places.py")
        } else {
            text += "\n\n"
        }
        if isStreamed { text += ReproductionScript.asset("stream.py") }
        text += ReproductionScript.asset(asset.file)
        for step in steps { text += "load(\(arguments(of: step, client).joined(separator: ", ")))\n" }
        if client == "aiohttp" { text += "asyncio.run(main(loads))\n" }
        return ClientCode(
            file: "client.py", text: text, command: ["python3", "client.py"])
    }

    private static func proxy(of session: SessionSetup) -> String? {
        guard let proxy = session.proxy else { return nil }
        let account = session.proxyUser.map { "\($0):\(session.proxyPassword ?? "")@" } ?? ""
        return "\(session.proxyProtocol?.urlScheme ?? "http")://\(account)\(proxy)"
    }

    private static func arguments(of step: CodedStep, _ client: String) -> [String] {
        var words = [PythonLiteral.text(step.step.method), PythonLiteral.text(step.step.url)]
        if !step.step.headers.isEmpty {
            let fields = step.step.headers.map { field in
                let isASCII = field[1].utf8.allSatisfy { $0 < 0x80 }
                let value = PythonLiteral.text(field[1]) + (isASCII || client == "aiohttp" ? "" : ".encode()")
                return "(\(PythonLiteral.text(field[0])), \(value))"
            }
            words.append("headers=[\(fields.joined(separator: ", "))]")
        }
        if let form = step.step.form {
            words.append("data=[\(pairs(form))]")
        } else if let content = step.content {
            let bytes = PythonLiteral.bytes(content, indentation: 5, now: nil)
            let isFile = step.step.bodyForm == .file && fileClients.contains(client)
            words.append("data=\(step.isStreamed ? "Stream(\(bytes))" : isFile ? "io.BytesIO(\(bytes))" : bytes)")
        }
        if let query = step.step.query { words.append("query=[\(pairs(query))]") }
        if let account = step.account, account.token == nil, digestClients.contains(client) {
            words.append("account=(\(PythonLiteral.text(account.user)), \(PythonLiteral.text(account.password)))")
        }
        if !step.follows { words.append("follow=False") }
        if let seconds = step.seconds { words.append("timeout=\(seconds)") }
        return words
    }

    private static func pairs(_ pairs: [[String]]) -> String {
        pairs.map { "(\(PythonLiteral.text($0[0])), \(PythonLiteral.text($0[1])))" }.joined(separator: ", ")
    }

    static func places(of program: Assignment) -> [(name: String, port: Int, host: String, number: Int)] {
        guard program.session.proxy == nil else { return [] }
        return (program.session.names ?? []).compactMap { entry in
            guard let colon = entry.address.lastIndex(of: ":"), let number = Int(entry.address[colon...].dropFirst())
            else { return nil }
            return (
                entry.name, entry.port, String(entry.address[..<colon].filter { $0 != "[" && $0 != "]" }), number
            )
        }
    }
}
