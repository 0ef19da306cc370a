import Foundation
import ProctorScenario
import ProctorTestSupport

@testable import ProctorProgram

/// The curl tool, with all steps of a case in one process, so that connections are kept.
///
/// - A body is `--data-binary`, as the manual says for POST; other methods add `-X`, which curl then says to every
///   redirect too. PUT is `-T`, HEAD is `-I`, and a streamed body is `-T -`.
/// - `--globoff`: brackets and braces of a URL are curl's own language, not the case's. `--path-as-is` is not given: what
///   curl makes of dot segments is asked.
/// - `--compressed`: what curl knows to undo is offered, and undone.
/// - A time-out is `--connect-timeout`, and a speed of less than a byte a second for that long; a limit for the whole
///   load is `-m`.
/// - A redirect is followed with `-L` and curl's own limit (50), and is not followed without it.
/// - A credential is `--anyauth --user`, a token `--oauth2-bearer`; through a proxy `-x`, `--proxy-anyauth`, `--proxy-user`.
/// - The authority of the run is `--cacert`, a client identity `--cert` and `--key`.
/// - Names stand where `--connect-to` says; a resolver that nobody can reach is asked for others. Names beyond ASCII need a
///   locale of UTF-8.
/// - `--proto` and `--proto-redir` keep it at HTTP and HTTPS, whatever a Location says.
struct CurlAdapter: ClientAdapter {
    let name = "curl"

    func version() throws -> String {
        try Tools.version(of: Tools.curl)
    }

    func reasonToSkip(_ item: Case, of scenario: Scenario) -> SkipReason? {
        item.reasonToSkipWithoutCallbacks
    }

    func perform(_ steps: [ClientStep]) async throws -> [ClientReport] {
        var arguments = [Tools.curl]
        var outputs: [String?] = []
        var input: [UInt8] = []
        for (number, step) in steps.enumerated() {
            if number > 0 { arguments.append("--next") }
            let output = step.method == "HEAD" ? nil : try Self.outputPath(number)
            outputs.append(output)
            arguments += Self.arguments(for: step, output: output ?? "/dev/null", isFirst: number == 0)
            if step.isStreamed, let file = step.bodyFile { input = try Self.contents(file) }
        }
        defer {
            for case let output? in outputs { try? FileManager.default.removeItem(atPath: output) }
        }
        let outcome = try await ChildProcess.run(
            arguments, environment: ["LC_ALL": "C.UTF-8"], input: input, within: ClientTimes.whole)
        let lines = outcome.output.split(separator: UInt8(ascii: "\n"))
        return try zip(lines, outputs).map { line, output in
            try Self.report(JSONDecoder().decode(Transfer.self, from: Data(line)), output)
        }
    }

    private static func arguments(for step: ClientStep, output: String, isFirst: Bool) -> [String] {
        // -q, which leaves the user's own settings out, counts only in the first place.
        var arguments = isFirst ? ["-q"] : []
        arguments += [
            "-s", "--globoff", "--proto", "=http,https", "--proto-redir", "=http,https", "--compressed", "-m",
            "\(step.limit)", "-o", output, "-w", "%{json}\\n",
        ]
        if let silence = step.silence {
            arguments += ["--connect-timeout", "\(silence)", "--speed-limit", "1", "--speed-time", "\(silence)"]
        }
        if step.follow { arguments.append("-L") }
        if let trust = step.trust { arguments += ["--cacert", trust] }
        if let certificate = step.certificate, let key = step.key {
            arguments += ["--cert", certificate, "--key", key]
        }
        arguments += credentials(of: step)
        arguments += methodAndBody(of: step)
        for header in step.headers { arguments += ["-H", header.joined(separator: ": ")] }
        return arguments + [step.url]
    }

    private static func credentials(of step: ClientStep) -> [String] {
        var arguments = step.proxy.map { ["-x", $0, "--noproxy", ""] } ?? ["--noproxy", "*"]
        // Port 1 (tcpmux) has no server.
        arguments += ["--doh-url", "https://127.0.0.1:1/"]
        for host in step.names {
            for name in [host.name, "\(host.name)."] {
                arguments += ["--connect-to", "\(name):\(host.port):\(host.address)"]
            }
        }
        if let user = step.user, let password = step.password {
            arguments += ["--anyauth", "--user", "\(user):\(password)"]
            if step.proxy != nil { arguments += ["--proxy-anyauth", "--proxy-user", "\(user):\(password)"] }
        }
        // By itself curl sends what stands in a URL as Basic, unasked.
        if step.user == nil, step.url.split(separator: "/").dropFirst().first?.contains("@") ?? false {
            arguments.append("--anyauth")
        }
        if let token = step.token { arguments += ["--oauth2-bearer", token] }
        return arguments
    }

    private static func methodAndBody(of step: ClientStep) -> [String] {
        switch (step.method, step.bodyFile) {
        case ("GET", nil): []
        case ("HEAD", nil): ["-I"]
        case (_, _?) where step.isStreamed: ["-X", step.method, "-T", "-"]
        case ("PUT", let file?): ["-T", file]
        case ("POST", let file?): ["--data-binary", "@\(file)"]
        case ("POST", nil): ["--data-binary", ""]
        case (let method, let file?): ["-X", method, "--data-binary", "@\(file)"]
        case (let method, nil): ["-X", method]
        }
    }

    /// What `%{json}` tells of a transfer, as far as it is used.
    private struct Transfer: Decodable {
        let http_code: Int
        let url_effective: String
        let exitcode: Int
        let errormsg: String?
    }

    private static func report(_ transfer: Transfer, _ output: String?) throws -> ClientReport {
        // curl makes no file for a response without content, and with -I its file would hold the head. What it counts as
        // downloaded is still coded.
        let size = output.flatMap { try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int } ?? 0
        let body = try output.flatMap { size > 0 && size <= 1 << 16 ? Data(try contents($0)) : nil }
        return ClientReport(
            status: transfer.http_code == 0 ? nil : transfer.http_code, url: transfer.url_effective,
            byteCount: size, body: size == 0 ? Data() : body,
            error: transfer.exitcode == 0 ? nil : "\(transfer.exitcode): \(transfer.errormsg ?? "")")
    }

    private static func contents(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func outputPath(_ number: Int) throws -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("proctor-curl-\(UUID().uuidString)-\(number)")
            .path
    }
}
