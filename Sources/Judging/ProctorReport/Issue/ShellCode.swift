import ProctorBase
import ProctorEvents
import ProctorProgram

/// Command lines of curl.
enum ShellCode {
    static func curl(_ program: Assignment) -> ClientCode {
        let session = program.session
        // What curl keeps of a run is gone at the next one.
        let lists = ["alt-svc", "hsts"].filter { program.needs?.contains($0) ?? false }
        var lines = lists.isEmpty ? [] : ["rm -f \(lists.joined(separator: " "))"]
        var words = ["curl", "-q"]
        for (index, step) in CodedStep.all(program).enumerated() {
            if index > 0 { words.append("--next") }
            words += ["-s", "-o", "/dev/null", "--globoff"]
            words += ["-w", "%{http_code} %{url_effective}, %{size_download} bytes, exit code %{exitcode}\\n"]
            // Over TLS, the protocol is negotiated by ALPN also with this option.
            if program.protocolName == "h2" { words.append("--http2-prior-knowledge") }
            if let proxy = session.proxy {
                words += ["--proxy", "\(session.proxyProtocol?.urlScheme ?? "http")://\(proxy)", "--noproxy", ""]
                if let user = session.proxyUser {
                    words += ["--proxy-user", "\(user):\(session.proxyPassword ?? "")"]
                }
                if session.proxyProtocol?.isSecured == true, session.trust != nil {
                    words += ["--proxy-cacert", "ca.pem"]
                }
            } else {
                words += ["--noproxy", "*"]
                for place in ScriptCode.places(of: program) {
                    for name in [place.name, place.name + "."] {
                        let host = place.host.contains(":") ? "[\(place.host)]" : place.host
                        words += ["--connect-to", "\(name):\(place.port):\(host):\(place.number)"]
                    }
                }
            }
            if let limit = session.limit(for: .timeLimitTotal) { words += ["-m", "\(Double(limit) / 1_000)"] }
            if session.trust != nil { words += ["--cacert", "ca.pem"] }
            if let seconds = step.seconds {
                let whole = "\(Int(max(1, seconds.rounded(.up))))"
                words += ["--connect-timeout", whole, "--speed-limit", "1", "--speed-time", whole]
            }
            if session.cookies != .never { words += ["-b", ""] }
            for list in lists { words += ["--\(list)", list] }
            if step.follows { words.append("-L") }
            words += account(step, hasProxy: session.proxy != nil)
            words += methodAndBody(step, index, &lines)
            for field in step.step.headers {
                words += ["-H", field[1].isEmpty ? "\(field[0]);" : "\(field[0]): \(field[1])"]
            }
            if !step.step.headers.contains(where: { $0[0].lowercased() == "accept-encoding" }) {
                words.append("--compressed")
            }
            words += ["--url", step.step.url]
        }
        // curl reads one streamed body, from its standard input.
        let streamed = CodedStep.all(program).firstIndex { $0.isStreamed }
        lines.append(
            words.map(ShellWords.quote).joined(separator: " ") + (streamed.map { " < body-\($0)" } ?? ""))
        return ClientCode(
            file: "client.sh", text: lines.joined(separator: "\n") + "\n", command: ["sh", "client.sh"])
    }

    private static func account(_ step: CodedStep, hasProxy: Bool) -> [String] {
        guard let account = step.account else { return [] }
        if let token = account.token { return ["--anyauth", "--oauth2-bearer", token] }
        let typed = "\(account.user):\(account.password)"
        return ["--anyauth", "-u", typed] + (hasProxy ? ["--proxy-anyauth", "-U", typed] : [])
    }

    /// The arguments that the adapter of curl uses; a body is in a file, which a line before them makes.
    private static func methodAndBody(_ step: CodedStep, _ index: Int, _ lines: inout [String]) -> [String] {
        let method = step.step.method
        if let form = step.step.form {
            return (method == "POST" ? [] : ["-X", method])
                + form.flatMap { ["--data-urlencode", "\($0[0])=\($0[1])"] }
        }
        if let query = step.step.query {
            return (method == "GET" ? [] : ["-X", method]) + ["-G"]
                + query.flatMap { ["--data-urlencode", "\($0[0])=\($0[1])"] }
        }
        guard let content = step.content else {
            switch method {
            case "GET": return []
            case "HEAD": return ["-I"]
            case "POST": return ["--data-binary", ""]
            default: return ["-X", method]
            }
        }
        let file = "body-\(index)"
        let literal = PythonLiteral.bytes(content, indentation: 1, now: nil)
        lines.append("python3 -c \(ShellWords.quote("open(\"\(file)\", \"wb\").write(\(literal))"))")
        let path = step.step.url.drop { $0 != "/" }.dropFirst(2)
        if step.isStreamed { return ["-X", method, "-T", "-"] }
        if method == "PUT", path.contains("/"), path.last != "/" { return ["-T", file] }
        return (method == "POST" ? [] : ["-X", method]) + ["--data-binary", "@\(file)"]
    }
}
