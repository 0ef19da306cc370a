internal import ProctorBase
internal import ProctorDocument
import ProctorProgram

let envCommand = Command(
    name: "env",
    // A shell that evaluates the output must not continue without a proxy, since it would then resolve the names
    // itself.
    whenMisused: { arguments, output in
        if arguments.contains("--shell") { output.out("false\n") }
    }
) { arguments, context in
    do {
        return try await EnvironmentOfRun(arguments, context.environment).print(to: context)
    } catch let error as UsageError {
        throw error
    } catch {
        if arguments.has("--shell") { context.output.out("false\n") }
        throw error
    }
}

private struct EnvironmentOfRun {
    let run: String
    let query: String
    let server: String
    let client: ControlConnection
    let form: EnvironmentListing.Form

    init(_ arguments: ParsedArguments, _ environment: [String: String]) throws(UsageError) {
        guard arguments.operands.isEmpty else {
            throw UsageError("'env' takes no operands; name the run with --run RUN")
        }
        guard let run = arguments["--run"] else {
            throw UsageError("'env' needs --run RUN; 'proctor journal' lists the runs of a server")
        }
        guard !run.isEmpty, run.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }) else {
            throw UsageError(
                "--run takes the id of a run, as r1, not '\(run)'; 'proctor journal' lists the runs of a server")
        }
        guard !(arguments.has("--shell") && arguments.has("--json")) else {
            throw UsageError("'env' writes one form: --shell or --json")
        }
        self.run = run
        // The server reports a misspelt name, so the name is not checked here.
        query = arguments["--case"].map { "?case=\(PercentEncoding.encode($0))" } ?? ""
        server = ControlConnection.server(of: arguments, environment)
        client = try ControlConnection(arguments, environment: environment)
        form = arguments.has("--shell") ? .shell : arguments.has("--json") ? .json : .plain
    }

    func print(to context: CommandContext) async throws -> ExitCode {
        let reply = try await client.send(.environment(of: run, query: query)).accepted()
        let members = reply.member("environment")?.entries ?? []
        var listing = EnvironmentListing(
            variables: members.compactMap { entry in entry.value.text.map { (entry.key, $0) } })
        listing.addProxyConfiguration(of: run + "/proxy.pac" + query, at: server)
        context.output.out(listing.text(as: form))
        return .success
    }
}

private struct EnvironmentListing {
    var variables: [(name: String, value: String)]

    enum Form { case plain, shell, json }

    /// Does nothing when no proxy is used.
    mutating func addProxyConfiguration(of path: String, at server: String) {
        guard variables.contains(where: { $0.name == "http_proxy" }) else { return }
        let base = server.hasPrefix("http://") ? server : "http://\(server)"
        let root = base.hasSuffix("/") ? String(base.dropLast()) : base
        variables.append(("PROCTOR_PAC", "\(root)/__proctor/runs/\(path)"))
    }

    func text(as form: Form) -> String {
        switch form {
        case .plain: return variables.map { "\($0.name)=\($0.value)\n" }.joined()
        case .shell: return variables.map { "export \($0.name)=\(Self.quoted($0.value))\n" }.joined()
        case .json:
            var json = JSONText()
            json.object { json in for (name, value) in variables { json.member(named: name, value) } }
            json.lineEnd()
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    private static func quoted(_ value: String) -> String {
        "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
