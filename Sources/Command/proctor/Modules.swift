internal import ProctorBase
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorModules
internal import ProctorQUICLink
internal import ProctorScenario
package import ProctorServer

/// The modules of this program beside the core, a row each; what none of them hands over does not exist.
///
/// Package.swift leaves those out that PROCTOR_WITHOUT names, with their folders in `Modules`.
enum Modules: ModuleFolders {
    static let all: [Module] = [
        Module("demands", "the check of demands", demands),
        Module("lookup", "the lookup of scenarios and rules", lookup, verbs: ["list", "search", "explain"]),
        Module("adapter", "the trial of adapters", adapter, verbs: ["adapter"]),
        Module("runs", "the part for runs of a server", runs, verbs: ["journal", "reset", "env"]),
        Module("watch", "the watch", watch, verbs: ["watch"]),
        Module("shells", "the part for shells", shells, verbs: ["completions"]),
        Module(
            "import", "the import", imports, verbs: ["import", "export"],
            calls: [("POST", "import"), ("POST", "runs/RUN/scenario"), ("POST", "shared/scenario")]),
        Module("record", "the recording", record, verbs: ["record"]),
        Module("report", "the report", report, verbs: ["report"]),
        Module("book", "the book", book, verbs: ["docs"], calls: [("GET", "docs")], pages: [PageAddress.bookName]),
        Module(
            "pages", "the part for pages and metrics",
            calls: [
                ("GET", "overview"), ("GET", "metrics"), ("GET", "shared/events"), ("GET", "runs/RUN/events"),
                ("POST", "ui/start"),
            ], pages: ["runs", "shared"]),
        Module(
            "exams", "the part for exams in tests",
            calls: [
                ("POST", "runs/RUN/judge"), ("PUT", "exams/EXAM"), ("POST", "exams/EXAM/sit"),
                ("POST", "exams/EXAM/judge"), ("GET", "exams/EXAM/ledger"), ("GET", "exams/EXAM/records"),
            ]),
        Module("schemas", "the part for JSON Schema and OpenAPI"),
        Module("queries", "the part for XML, XPath and JSONPath"),
        Module("bearer", "the part for Bearer"),
        Module("ntlm", "the part for NTLM and Negotiate"),
        Module("aws4", "the part for Signature Version 4"),
        Module("dns", "the server of DNS"),
        Module("socks", "SOCKS"),
        Module("webhooks", "the part for webhooks"),
        Module("websocket", "the part for WebSockets"),
        Module("scripts", "the part for scripts"),
        Module("events", "the part for event streams"),
        Module("grpc", "the part for gRPC"),
        Module("archives", "the part for MacBinary and BinHex"),
        Module("frames", "the part for frames of HTTP/2 and HTTP/3"),
        Module("http2", "HTTP/2"),
        Module("mcp", "the server of MCP", mcp, verbs: ["mcp"]),
        Module("fuzz", "fuzzing", fuzz, verbs: ["fuzz"]),
        Module("storm", "the part for storms", storm, verbs: ["storm"]),
        Module("via", "the part for intermediaries", via),
        Module("http3", "HTTP/3", http3),
    ]

    /// What the modules of this build hand over, in the order of the list.
    static let present: [ModuleRows] = all.compactMap(\.rows)

    /// Whether this program has the module of that name.
    static func isPresent(_ name: String) -> Bool { all.contains { $0.name == name && $0.rows != nil } }

    /// The module with that command which this program was built without; nil: there is none.
    static func missing(_ verb: String) -> Module? { all.first { $0.rows == nil && $0.verbs.contains(verb) } }
}

/// What the folders of `Modules` hand over: each has the property as an extension of ``Modules``, which goes before the one
/// here, that of a program without the folder.
protocol ModuleFolders {}

extension ModuleFolders {
    static var demands: ModuleRows? { nil }
    static var lookup: ModuleRows? { nil }
    static var adapter: ModuleRows? { nil }
    static var runs: ModuleRows? { nil }
    static var watch: ModuleRows? { nil }
    static var shells: ModuleRows? { nil }
    static var imports: ModuleRows? { nil }
    static var record: ModuleRows? { nil }
    static var report: ModuleRows? { nil }
    static var book: ModuleRows? { nil }
    static var mcp: ModuleRows? { nil }
    static var fuzz: ModuleRows? { nil }
    static var storm: ModuleRows? { nil }
    static var via: ModuleRows? { nil }
    static var http3: ModuleRows? { nil }
}

/// A module beside the core.
struct Module: Sendable {
    /// As PROCTOR_WITHOUT names it.
    let name: String
    /// As messages name it.
    let noun: String
    /// nil: the program was built without it.
    let rows: ModuleRows?
    /// Its commands, control calls and pages: who asks a program without the module for one of them is told so.
    let verbs: [String]
    let calls: [(method: String, path: String)]
    let pages: [String]

    /// One without a folder registers with the core itself, if it is there.
    init(
        _ name: String, _ noun: String, _ rows: ModuleRows? = nil, verbs: [String] = [],
        calls: [(method: String, path: String)] = [], pages: [String] = []
    ) {
        (self.name, self.noun, self.verbs, self.calls, self.pages) = (name, noun, verbs, calls, pages)
        self.rows = rows ?? (ServerModules.names.contains(name) ? ModuleRows() : nil)
    }
}

/// What a module hands over to the program.
struct ModuleRows: Sendable {
    var commands: [Command] = []
    /// C libraries that it alone uses.
    var libraries: [LibraryVersion] = []
    /// What the module, and its flags of `serve`, make of a server that stays.
    var serve: @Sendable (ParsedArguments, inout ServerConfiguration) throws(UsageError) -> Void = { _, _ in }
    /// For every server of the program.
    var configure: @Sendable (inout ServerConfiguration) -> Void = { _ in }
    var examForms: [ExamForm] = []
    var examEndings: [ExamEnding] = []
    var examClients: [ExamClientForm] = []
    /// What speaks QUIC as a client.
    var quic: (any QUICTransport)?
    /// What is wrong with scenarios that load, for `check` of these paths.
    var faults: @Sendable ([Scenario], _ paths: [String]) -> [Diagnostic] = { _, _ in [] }
    /// Lines for a search that found no scenario.
    var search: @Sendable (_ words: String) throws -> [String] = { _ in [] }
    /// What `proctor list --names pages` prints; nil: there are no pages.
    var pageNames: (@Sendable () throws -> [String])?
    /// The chapter about a rule.
    var chapter: @Sendable (RuleNumber) -> String? = { _ in nil }
}

/// A form in which the results of an exam are written into the file that a flag names.
struct ExamForm: Sendable {
    /// Its name, as `--junit`.
    let flag: String
    /// Whether the file is written while the exam goes on too, at most once a second.
    var isLive = false
    let text: @Sendable (ExamResults) -> String
}

/// What a flag wants to be done once an exam is over.
struct ExamEnding: Sendable {
    let flag: String
    /// Refuses, before any client is run, what can't be done then.
    var check: @Sendable (ParsedArguments) throws -> Void = { _ in }
    /// False after an error, which was printed.
    let finish: @Sendable (ParsedArguments, EndedExam) throws -> Bool
}

/// Clients that a flag names, beside those of `--client`, `--adapter` and `--command`.
struct ExamClientForm: Sendable {
    let flag: String
    let clients: @Sendable (ParsedArguments, _ fixturePaths: [String], CommandContext) async throws -> [ExamClient]
}

/// An exam that is over.
struct EndedExam {
    let files: ExamFiles
    let fixtures: ScenarioFiles
    let output: Output
}

extension ServerConfiguration {
    /// The default, with what the modules of this program want of every server.
    package static var ofProgram: ServerConfiguration {
        var configuration = ServerConfiguration()
        for rows in Modules.present { rows.configure(&configuration) }
        return configuration
    }

    /// Adds what the modules serve, and refusals for those that this program was built without.
    mutating func addModules(_ arguments: ParsedArguments) throws(UsageError) {
        for module in Modules.all {
            if let rows = module.rows {
                try rows.serve(arguments, &self)
            } else {
                calls += module.calls.map { ControlCall($0.method, $0.path, without: module.noun) }
                pages += module.pages.map { ServedPage($0, without: module.noun) }
            }
        }
    }
}
