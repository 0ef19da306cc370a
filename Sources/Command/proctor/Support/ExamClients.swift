internal import ProctorBase
internal import ProctorExam
internal import ProctorExamClients
internal import ProctorGrading
internal import ProctorScenario

/// A client in an exam: its adapter, its ledger and its platform.
struct ExamClient: Sendable {
    /// The name in records and reports.
    let name: String
    /// The adapter and its arguments; empty for a client that can't be run.
    var command: [String]
    /// How many words of the command name the adapter; the others are arguments of it.
    var wordCount = 1
    /// The name of a ledger in `clients/`, or a file; nil: none.
    var ledger: String?
    /// The platform; nil: that of the ledger.
    var platform: String?
    /// The line of `--version`; nil when it was not requested.
    var version: String?
    /// Why the client can't be run, a sentence that says how to install what is missing; nil when it can.
    var absence: String?
    /// The command line that is the client; nil: the command is an adapter.
    var commandLine: CommandClient?
    /// What runs the client in place of an adapter, where a module has handed it over; nil: the command is an adapter or a command line.
    var runner: (any AdapterlessClient)?
    /// A command line of the same program that shows more abilities; nil where none is known.
    var widerCommand: String?
    /// Where its adapter connects; nil when the adapter is started here.
    var port: AdapterPortOptions?
}

/// The shipped clients by name: those that are built with Proctor, the programs in `clients/adapters`, and the rows of
/// `clients/commands.tsv`.
struct ExamClients {
    let fixturePaths: [String]
    let environment: [String: String]
    /// The folder of the programs that are built with Proctor; nil: beside the running program, and in PATH.
    let programFolder: String?
    /// What installs releases of PyPI; nil without `--versions`.
    var releases: ReleaseClients?

    /// The longest time for `--version`, since an adapter may be built at its first start.
    private static let patience = Duration.seconds(300)

    private struct BuiltIn {
        let name: String
        let program: String
        let arguments: [String]
        var ledger: String?
        var platform: String?
    }

    private static let shapes = [
        "connection", "connection-download", "download", "connection-sync", "connection-queued", "url-protocol",
        "sequence",
    ]

    private static let builtIns: [BuiltIn] = {
        let reference = "proctor-client-reference"
        let session = "proctor-client-urlsession"
        var list = [BuiltIn(name: "reference", program: reference, arguments: [], platform: "reference")]
        list += shapes.map {
            BuiltIn(name: "reference-\($0)", program: reference, arguments: ["--as", $0], platform: "reference")
        }
        #if canImport(Darwin)
            list.append(BuiltIn(name: "urlsession", program: session, arguments: [], platform: "darwin-network"))
        #else
            list.append(BuiltIn(name: "urlsession", program: session, arguments: [], ledger: "urlsession-corelibs"))
        #endif
        list.append(BuiltIn(name: "urlsession-protocols", program: session, arguments: ["--drive-protocols"]))
        return list
    }()

    /// The client of that name, with its version; throws when there is no such client.
    func client(named name: String) async throws -> ExamClient {
        var client = try await clientWithoutVersion(name)
        guard client.absence == nil, client.commandLine == nil else { return client }
        // An adapter accepts --version only without other arguments; --as selects a shape of the same client.
        let child = WatchedChild(
            command: client.command.prefix(client.wordCount) + ["--version"],
            environment: Adapter(command: client.command, environment: environment).environment,
            deadline: Self.patience)
        let outcome = await child.run()
        let said = Self.lastLine(of: outcome.errorOutput) ?? Self.lastLine(of: outcome.output)
        switch outcome.ending {
        case .exited(0): client.version = Self.firstLine(of: outcome.output)
        // A shell and env exit with 127 for a program that does not exist.
        case .exited(69), .exited(127): client.absence = said ?? "its adapter does not say what is missing"
        case .exited(let code):
            throw UsageError(
                "the adapter of \(name) is broken: --version exits with \(code)\(said.map { ": \($0)" } ?? "")")
        case .notStarted(let failure):
            throw UsageError("the adapter of \(name), '\(client.command[0])', can't be run: \(failure.text)")
        case .signalled, .hung, .outputTooLong, .errorOutputTooLong, .refused, .disconnected:
            throw UsageError("the adapter of \(name) is broken: --version does not end with 0 within 300 s")
        }
        return client
    }

    private func clientWithoutVersion(_ name: String) async throws -> ExamClient {
        if let builtIn = Self.builtIns.first(where: { $0.name == name }) {
            var client = ExamClient(name: name, command: [], ledger: builtIn.ledger, platform: builtIn.platform)
            if let path = path(of: builtIn.program) {
                client.command = [path] + builtIn.arguments
            } else {
                client.absence =
                    "\(builtIn.program) is not built: swift build --product \(builtIn.program), and say where it stands "
                    + "with --client-programs FOLDER"
            }
            return client
        }
        let folders = try ClientFiles.folders(for: fixturePaths)
        for folder in folders {
            let programs = try Self.programs(in: "\(folder)/adapters", environment: environment)
            guard programs.contains(name) else { continue }
            let hasLedger = try FolderList.namesIfAny(in: folder).contains("\(name).yaml")
            return ExamClient(
                name: name, command: ["\(folder)/adapters/\(name)"], ledger: hasLedger ? "\(folder)/\(name).yaml" : nil)
        }
        for folder in folders {
            if let client = try await CommandTable(in: folder).client(named: name, environment: environment) {
                return client
            }
        }
        let names = try self.names(in: folders)
        if let parts = ReleaseClients.parts(of: name) {
            // The list of packages has names that are no clients by themselves.
            if let releases { return try releases.client(named: name, parts, in: folders) }
            if names.contains(parts.client) {
                throw UsageError("'\(name)' is a release of PyPI; --versions installs it and asks it")
            }
        }
        let all = names.joined(separator: ", ")
        let looked = folders.map { "\($0)/adapters" }.joined(separator: ", and in ")
        throw UsageError(
            "there is no client '\(name)'; \(NearestName.hint(for: name, in: names, else: "there are \(all)")) "
                + "(looked in \(looked))")
    }

    /// The names of all clients that can be run, sorted; the folders are those of ``ClientFiles``.
    func names(in folders: [String]) throws -> [String] {
        let programs = try folders.flatMap { try Self.programs(in: "\($0)/adapters", environment: environment) }
        let rows = try folders.flatMap { try CommandTable(in: $0).rows.map(\.name) }
        return Set(Self.builtIns.map(\.name) + programs + rows).sorted()
    }

    private func path(of program: String) -> String? {
        if let programFolder {
            // Without links: a build that goes on beside the exam removes SwiftPM's link `.build/debug` for a moment.
            let folder = AbsolutePath.withoutLinks(programFolder) ?? programFolder
            let path = "\(folder)/\(program)"
            return ProgramSearch.reasonNotToRun(path, environment: environment) == nil ? path : nil
        }
        if let folder = RunningProgram.folder {
            let path = "\(folder)/\(program)"
            if ProgramSearch.reasonNotToRun(path, environment: environment) == nil { return path }
        }
        return ProgramSearch.reasonNotToRun(program, environment: environment) == nil ? program : nil
    }

    /// Executable files without an extension; modules that they share have one.
    private static func programs(in folder: String, environment: [String: String]) throws -> [String] {
        let names = try FolderList.namesIfAny(in: folder).filter { !$0.contains(".") }.sorted()
        return names.filter { ProgramSearch.reasonNotToRun("\(folder)/\($0)", environment: environment) == nil }
    }

    private static func firstLine(of bytes: [UInt8]) -> String? { lines(of: bytes).first }
    private static func lastLine(of bytes: [UInt8]) -> String? { lines(of: bytes).last }

    private static func lines(of bytes: [UInt8]) -> [String] {
        bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { line in
            PrintableText.sanitize(String(decoding: line, as: UTF8.self), limit: RecordBounds.line)
        }
    }
}
