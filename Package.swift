// swift-tools-version: 6.2
import PackageDescription

/// A warning is an error where PROCTOR_WERROR is set, as CI and the Makefile do.
///
/// Elsewhere a newer compiler with new warnings still builds the package.
let warnings: [SwiftSetting] =
    Context.environment["PROCTOR_WERROR", default: ""].isEmpty ? [] : [.treatAllWarnings(as: .error)]

/// `make test-all` sets PROCTOR_TESTS; without it, tests that need programs of other languages are not even compiled.
let testsAreWide = !Context.environment["PROCTOR_TESTS", default: ""].isEmpty

/// HTTP/3 needs libngtcp2 0.12, which few systems have; PROCTOR_QUIC says that this one does.
let hasQUIC = !Context.environment["PROCTOR_QUIC", default: ""].isEmpty

/// The modules of the program that can be left out, and what only they stand on; each has a folder of the program's
/// `Modules`, and a row in Modules.swift there.
let programModules: [(name: String, folder: String, dependencies: [Target.Dependency])] = [
    ("demands", "Demands", ["ProctorDemands"]),
    ("lookup", "Lookup", []),
    ("adapter", "Adapter", []),
    ("runs", "Runs", []),
    ("watch", "Watch", []),
    ("shells", "Shells", []),
    ("import", "Import", ["ProctorImport", "ProctorProving"]),
    ("record", "Record", ["ProctorGateway"]),
    ("report", "Report", ["ProctorReport"]),
    ("book", "Book", ["ProctorBook", "ProctorMarkdown"]),
    ("mcp", "MCP", ["ProctorMCP"]),
    ("fuzz", "Fuzz", ["ProctorFuzz"]),
    ("storm", "Storm", ["ProctorStorm"]),
    ("via", "Via", ["ProctorIntermediaries"]),
]

/// Those that serve and judge parts of scenarios, in a test's process too; `ServerModules` has a row for each.
let serverModules: [(name: String, dependencies: [Target.Dependency])] = [
    ("schemas", ["ProctorDescriptions"]),
    ("queries", ["ProctorContentQueries"]),
    ("pages", ["ProctorPages"]),
    ("exams", ["ProctorExamCalls"]),
    ("bearer", ["ProctorBearer"]),
    ("ntlm", ["ProctorNegotiation"]),
    ("aws4", ["ProctorAWS4"]),
    ("dns", ["ProctorNameServer"]),
    ("socks", ["ProctorSOCKSProxy"]),
    ("webhooks", ["ProctorWebhooks"]),
    ("websocket", ["ProctorWebSocketServing"]),
    ("scripts", ["ProctorScripting", "ProctorScript"]),
    ("events", ["ProctorEventStreams"]),
    ("grpc", ["ProctorGRPC", "ProctorProtobuf"]),
    ("archives", ["ProctorArchives"]),
    ("frames", ["ProctorFrames", "ProctorFrameGrading"]),
    ("via", ["ProctorDownstream"]),
    ("http2", ["ProctorHTTP2Serving"]),
]

/// HTTP/3, which a program has where there is QUIC.
let quicModules: [(name: String, dependencies: [Target.Dependency])] = [
    ("http3", ["ProctorHTTP3Serving", "ProctorQUIC"])
]

/// PROCTOR_WITHOUT=import,book leaves modules out of the program; recordings and mutants are written as an import is, the
/// lookup and the report name demands, and MCP tells of the book and of rules.
let leftOut: Set<String> = {
    var names = Set(Context.environment["PROCTOR_WITHOUT", default: ""].split(separator: ",").map(String.init))
    if names.contains("import") { names.formUnion(["record", "fuzz"]) }
    if names.contains("demands") { names.formUnion(["lookup", "report"]) }
    if !names.isDisjoint(with: ["book", "lookup"]) { names.insert("mcp") }
    return names
}()

let keptModules = programModules.filter { !leftOut.contains($0.name) }
let keptQUICModules = quicModules.filter { hasQUIC && !leftOut.contains($0.name) }
let keptServerModules = serverModules.filter { !leftOut.contains($0.name) }

/// Every target is held to the same strictness.
let strict: [SwiftSetting] =
    warnings + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .strictMemorySafety(),
    ]

/// The folders of `Sources`, from below: a module stands on those of its own folder and of the ones before it.
enum Folder: String {
    case libraries = "Libraries"
    case ground = "Ground"
    case protocols = "Protocols"
    case vocabulary = "Vocabulary"
    case language = "Language"
    case judging = "Judging"
    case serving = "Serving"
    case clients = "Clients"
    case testing = "Testing"
    case command = "Command"

    func path(of target: String) -> String { "Sources/\(rawValue)/\(target)" }
}

func library(_ name: String, pkgConfig: String, apt: [String], brew: [String]) -> Target {
    .systemLibrary(
        name: name, path: Folder.libraries.path(of: name), pkgConfig: pkgConfig,
        providers: [.apt(apt), .brew(brew)])
}

func module(
    _ name: String, in folder: Folder, on dependencies: [Target.Dependency], exclude: [String] = [],
    settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: folder.path(of: name), exclude: exclude,
        swiftSettings: strict + settings)
}

func program(
    _ name: String, in folder: Folder, on dependencies: [Target.Dependency], exclude: [String] = [],
    settings: [SwiftSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: folder.path(of: name), exclude: exclude,
        swiftSettings: strict + settings)
}

func tests(
    of name: String, with dependencies: [Target.Dependency] = [], resources: [Resource] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "ProctorTestSupport"] + dependencies,
        exclude: exclude, resources: resources, swiftSettings: strict)
}

/// The tests that only `make test-all` compiles and runs.
let wideTests: [Target] = [
    // Compiled as a package of a user's: what it calls must be public.
    .testTarget(
        name: "ProctorUserTests",
        dependencies: [
            "ProctorHTTP", "ProctorDocument", "ProctorEvents", "ProctorRules", "ProctorJournal", "ProctorScenario",
            "ProctorFixtures",
            "ProctorGrading", "ProctorServer", "ProctorProgram", "ProctorRecorder", "ProctorAssignments",
            "ProctorTesting", "ProctorClientTesting", "ProctorRemoteTesting", "ProctorReference", "ProctorDialling",
        ],
        exclude: ["Cookbook/fixtures"], packageAccess: false, swiftSettings: strict),
    // The reference client: by itself, and at exams, whole and broken on purpose.
    tests(
        of: "ProctorReferenceStorage", with: ["ProctorBase", "ProctorHTTP", "ProctorHTTPClient", "ProctorReference"]),
    tests(of: "ProctorPAC", with: ["ProctorBase"]),
    tests(of: "ProctorDialling", with: ["ProctorBase", "ProctorHTTP", "ProctorLoop", "ProctorDNS"]),
    tests(
        of: "ProctorReference",
        with: [
            "ProctorBase", "ProctorHTTP", "ProctorHTTPClient", "ProctorHTTP2", "ProctorLoop", "ProctorTLSWire",
            "ProctorTLS",
            "ProctorCoding", "ProctorWebSocket", "ProctorDialling",
        ]),
    tests(
        of: "ProctorReferenceAdapter",
        with: [
            "ProctorBase", "ProctorHTTP", "ProctorHTTPClient", "ProctorEvents", "ProctorRules", "ProctorJournal",
            "ProctorProgram",
            "ProctorScenario", "ProctorFixtures", "ProctorGrading", "ProctorServer", "ProctorRecorder",
            "ProctorAssignments", "ProctorExam",
            "ProctorModules", "ProctorReference", "ProctorDialling", "ProctorReport", "proctor-client-reference",
            "proctor",
        ]),
    // What starts programs and waits for them: adapters, exams, commands; and the book, which is read whole.
    tests(
        of: "ProctorBook",
        with: [
            "ProctorBase", "ProctorHTML", "ProctorMarkdown", "ProctorScenario", "ProctorFixtures", "ProctorRules",
            "ProctorEvents", "ProctorGrading",
        ]),
    tests(
        of: "ProctorRecorder",
        with: [
            "ProctorAssignments", "ProctorBase", "ProctorEvents", "ProctorRules", "ProctorProgram",
            "proctor-client-urlsession",
        ]),
    tests(
        of: "ProctorExam",
        with: [
            "ProctorBase", "ProctorEvents", "ProctorRules", "ProctorJournal", "ProctorProgram", "ProctorScenario",
            "ProctorFixtures",
            "ProctorGrading", "ProctorServer", "ProctorModules", "ProctorRecorder", "ProctorAssignments",
            "ProctorExamClients", "ProctorReport", "proctor-client-urlsession",
        ],
        resources: [.copy("urlsession-linux.tsv")]),
    tests(
        of: "ProctorRemoteTesting",
        with: [
            "ProctorAssignments", "ProctorBase", "ProctorClientTesting", "ProctorEvents", "ProctorProgram",
            "ProctorRecorder", "ProctorHarness", "proctor",
        ]),
    .testTarget(
        name: "ProctorCLITests",
        dependencies: ["proctor", "ProctorBase", "ProctorTestSupport"],
        swiftSettings: strict),
    // Helpers, kits and recipes of other languages, packs, browsers and the steps of CI, by the programs of the system.
    .testTarget(
        name: "ProctorOutsideTests", dependencies: ["proctor", "ProctorBase", "ProctorTestSupport"],
        swiftSettings: strict),
]

/// What HTTP/3 stands on; without it nothing of ngtcp2 is looked for.
let quicTargets: [Target] = [
    library("CNGTCP2", pkgConfig: "libngtcp2", apt: ["libngtcp2-dev"], brew: ["libngtcp2"]),
    // QUIC, both ends: UDP ports, connections and their streams; and HTTP/3 over them.
    module(
        "ProctorQUIC", in: .protocols,
        on: [
            "ProctorBase", "ProctorHTTP", "ProctorHTTP3", "ProctorLoop", "ProctorQUICLink", "ProctorQUICWire",
            "ProctorTLS",
            "CNGTCP2",
        ]),
    tests(
        of: "ProctorQUIC",
        with: [
            "ProctorBase", "ProctorHTTP", "ProctorHTTP3", "ProctorLoop", "ProctorQUICLink", "ProctorQUICWire",
            "ProctorTLS",
            "ProctorTLSWire",
        ]),
]

let package = Package(
    name: "proctor",
    // The recorder's half is linked into the test targets of apps; the rest is for machines where tests run.
    platforms: [.macOS(.v15), .iOS(.v16)],
    products: [
        .executable(name: "proctor", targets: ["proctor"]),
        // The server for use inside a test process, with what its interface speaks of.
        .library(
            name: "ProctorServer",
            targets: [
                "ProctorServer", "ProctorModules", "ProctorHTTP2", "ProctorHTTP3", "ProctorWebSocket",
                "ProctorSOCKS", "ProctorNTLM",
                "ProctorNegotiate",
                "ProctorDNS",
                "ProctorGrading", "ProctorFixtures",
                "ProctorScenario",
                "ProctorCoding",
                "ProctorTLS",
                "ProctorTLSWire", "ProctorJournal", "ProctorRules", "ProctorNotation", "ProctorEvents",
            ]),
        // Recorders for tests, on any platform with Foundation; no C library.
        .library(
            name: "ProctorRecorder",
            targets: ["ProctorRecorder", "ProctorAssignments", "ProctorProgram", "ProctorEvents"]),
        // The rules of callback order for traces from anywhere; no C library.
        .library(name: "ProctorRules", targets: ["ProctorRules", "ProctorNotation", "ProctorEvents"]),
        // For Fuzz: readers that need no server, and those that do.
        .library(
            name: "ProctorReaders",
            targets: [
                "ProctorHTTP2", "ProctorHTTP3", "ProctorHTTPClient", "ProctorTLS", "ProctorQUICLink",
                "ProctorWebSocket",
                "ProctorSOCKS", "ProctorNTLM", "ProctorNegotiate", "ProctorDNS", "ProctorCoding", "ProctorForkedFiles",
                "ProctorRegex", "ProctorScript", "ProctorSchema", "ProctorMarkdown", "ProctorEvents", "ProctorNotation",
                "ProctorProtobuf",
            ]),
        .library(
            name: "ProctorFuzzed",
            targets: ["ProctorModules", "ProctorBearer", "ProctorHTTPClient", "ProctorProving", "ProctorImport"]),
        // The server and the recorders for swift-testing and XCTest.
        .library(
            name: "ProctorTesting",
            targets: [
                "ProctorTesting", "ProctorClientTesting", "ProctorHarness", "ProctorRecorder", "ProctorAssignments",
                "ProctorGrading", "ProctorFixtures", "ProctorScenario", "ProctorJournal", "ProctorRules",
                "ProctorNotation", "ProctorProgram", "ProctorEvents",
            ]),
        // The same with a server in another process, or on another machine; no C library.
        .library(
            name: "ProctorRemoteTesting",
            targets: [
                "ProctorRemoteTesting", "ProctorClientTesting", "ProctorHarness", "ProctorRecorder",
                "ProctorAssignments", "ProctorProgram", "ProctorEvents",
            ]),
        .executable(name: "proctor-client-urlsession", targets: ["proctor-client-urlsession"]),
        // A client that obeys every rule: sessions, and a URLProtocol for http and https.
        .library(
            name: "ProctorReference",
            targets: ["ProctorReference", "ProctorDialling", "ProctorHTTP", "ProctorTLS", "ProctorTLSWire"]),
        .executable(name: "proctor-client-reference", targets: ["proctor-client-reference"]),
    ] + (hasQUIC ? [.library(name: "ProctorQUIC", targets: ["ProctorQUIC"])] : []),
    targets: [
        // C libraries of the system, one shim header each.
        library("CUV", pkgConfig: "libuv", apt: ["libuv1-dev"], brew: ["libuv"]),
        library("CYAML", pkgConfig: "yaml-0.1", apt: ["libyaml-dev"], brew: ["libyaml"]),

        library("CZlib", pkgConfig: "zlib", apt: ["zlib1g-dev"], brew: ["zlib"]),
        // One pkg-config name is all that can be said here; the module map links the decoder.
        library("CBrotli", pkgConfig: "libbrotlienc", apt: ["libbrotli-dev"], brew: ["brotli"]),
        library("CZstd", pkgConfig: "libzstd", apt: ["libzstd-dev"], brew: ["zstd"]),

        // Its coder of field blocks alone (HPACK).
        library("CNGHTTP2", pkgConfig: "libnghttp2", apt: ["libnghttp2-dev"], brew: ["libnghttp2"]),

        library("COpenSSL", pkgConfig: "openssl", apt: ["libssl-dev"], brew: ["openssl@3"]),
        library("CLua", pkgConfig: "lua5.4", apt: ["liblua5.4-dev"], brew: ["lua@5.4"]),
        // The module map links its tables of GitHub.
        library(
            "CMarkdown", pkgConfig: "libcmark-gfm", apt: ["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"],
            brew: ["cmark-gfm"]),
        // Of the reference client's program alone.
        library("CDuktape", pkgConfig: "duktape", apt: ["duktape-dev"], brew: ["duktape"]),
        library("CPCRE2", pkgConfig: "libpcre2-8", apt: ["libpcre2-dev"], brew: ["pcre2"]),

        // Arrows only point down; Docs/inside/modules.md says what each one is for.
        // Apple's systems have a span of an array only since 2025; Array+Span.swift is one for those before.
        module(
            "ProctorBase", in: .ground, on: ["CFiles"],
            settings: [.enableExperimentalFeature("Lifetimes", .when(platforms: [.macOS, .iOS]))]),
        module("ProctorHTTP", in: .protocols, on: ["ProctorBase"]),
        // What clients alone make of replies: caching, other services of an origin, names of files, answers of Digest.
        module("ProctorHTTPClient", in: .protocols, on: ["ProctorBase", "ProctorHTTP"]),
        // HTTP/2 without I/O: frames, field blocks, and what one end of a connection may receive.
        module("ProctorHTTP2", in: .protocols, on: ["ProctorBase", "ProctorHTTP", "CNGHTTP2"]),
        // HTTP/3 and QPACK without I/O: frames, field sections, and what one end of a connection may receive.
        module("ProctorHTTP3", in: .protocols, on: ["ProctorBase", "ProctorHTTP", "ProctorQUICWire"]),
        // The files that the program contains: tables, style sheets and scripts of all pages, the sandbox of Lua, and what
        // the reproductions of failures are made of.
        .target(
            name: "CFiles", path: Folder.ground.path(of: "CFiles"),
            exclude: ["Pages", "Reproduction", "Scripts", "Tables"]),
        // HTML with escaped values.
        module("ProctorHTML", in: .ground, on: ["ProctorBase"]),
        // Markdown as a tree of values, as HTML and as text for a terminal.
        module("ProctorMarkdown", in: .ground, on: ["ProctorBase", "ProctorHTML", "CMarkdown"]),
        module("ProctorCrypto", in: .protocols, on: ["ProctorBase", "ProctorHTTP", "COpenSSL"]),
        // Keys that follow from a seed, and signatures by them.
        module("ProctorSigning", in: .protocols, on: ["ProctorBase", "ProctorCrypto", "COpenSSL"]),
        module("ProctorDocument", in: .ground, on: ["ProctorBase", "CYAML"]),
        // Scripts of Lua in a sandbox.
        module("ProctorScript", in: .ground, on: ["ProctorBase", "CLua"]),
        // Regular expressions, within bounds.
        module("ProctorRegex", in: .ground, on: ["ProctorBase", "CPCRE2"]),
        // JSON Schema 2020-12 without I/O, with comparison of values and the regular expressions of ECMAScript.
        module("ProctorSchema", in: .ground, on: ["ProctorBase", "ProctorDocument", "ProctorRegex"]),
        module("ProctorLoop", in: .ground, on: ["ProctorBase", "CUV"]),
        // TLS on the wire, without a C library.
        module("ProctorTLSWire", in: .protocols, on: ["ProctorBase"]),
        module(
            "ProctorTLS", in: .protocols,
            on: ["ProctorBase", "ProctorDocument", "ProctorLoop", "ProctorTLSWire", "COpenSSL"]),
        // Headers, first packets and transport parameters of QUIC, without a C library.
        module("ProctorQUICWire", in: .protocols, on: ["ProctorBase", "ProctorTLSWire"]),
        // Handshakes and keys of QUIC, and its connections as HTTP/3 knows them.
        module(
            "ProctorQUICLink", in: .protocols,
            on: ["ProctorBase", "ProctorLoop", "ProctorQUICWire", "ProctorTLSWire", "ProctorTLS", "COpenSSL"]),
        // What clients report: the vocabulary, traces and the names of methods.
        module("ProctorEvents", in: .vocabulary, on: ["ProctorBase"]),
        // Expressions over events.
        module("ProctorNotation", in: .vocabulary, on: ["ProctorBase", "ProctorEvents"]),
        // The universal rules of callback order.
        module("ProctorRules", in: .vocabulary, on: ["ProctorBase", "ProctorEvents", "ProctorNotation"]),
        // What the server saw and did.
        module("ProctorJournal", in: .vocabulary, on: ["ProctorBase", "ProctorHTTP", "ProctorEvents"]),
        // What a client is told to do.
        module("ProctorProgram", in: .vocabulary, on: ["ProctorBase", "ProctorEvents"]),
        module("ProctorCoding", in: .ground, on: ["ProctorBase", "CZlib", "CBrotli", "CZstd", "COpenSSL"]),
        // Files of the classic Mac OS, packed as MacBinary and BinHex.
        module("ProctorForkedFiles", in: .ground, on: ["ProctorBase", "ProctorCoding"]),
        // WebSocket without I/O: frames, messages, compression, and what is wrong with a handshake.
        module(
            "ProctorWebSocket", in: .protocols, on: ["ProctorBase", "ProctorHTTP", "ProctorCrypto", "ProctorCoding"]),
        // SOCKS 4, 4a and 5 without I/O: messages of both ends, read and written.
        module("ProctorSOCKS", in: .protocols, on: ["ProctorBase", "ProctorLoop"]),
        // DNS without I/O: messages of both ends, read and written.
        module("ProctorDNS", in: .protocols, on: ["ProctorBase"]),
        // Messages of Protocol Buffers by a descriptor: read as JSON, and written.
        module("ProctorProtobuf", in: .protocols, on: ["ProctorBase", "ProctorHTTP"]),
        // What an OpenAPI description says of a request and of a reply, without I/O.
        module(
            "ProctorOpenAPI", in: .language,
            on: ["ProctorBase", "ProctorDocument", "ProctorSchema", "ProctorHTTP"]),
        // NTLM without I/O: messages read, written, computed and judged.
        module("ProctorNTLM", in: .protocols, on: ["ProctorBase", "ProctorHTTP", "ProctorCrypto"]),
        // SPNEGO and Negotiate without I/O: tokens read and written, and both ends of a negotiation.
        module("ProctorNegotiate", in: .protocols, on: ["ProctorBase", "ProctorHTTP", "ProctorCrypto", "ProctorNTLM"]),
        // What a scenario is.
        module(
            "ProctorScenario", in: .language,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorTLSWire",
                "ProctorRegex",
                "ProctorCoding", "ProctorEvents", "ProctorNotation", "ProctorRules",
                "ProctorJournal", "ProctorProgram",
            ]),
        // The language of fixture files: read, checked, loaded, documented.
        module(
            "ProctorFixtures", in: .language,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorTLSWire",
                "ProctorRegex",
                "ProctorCoding", "ProctorEvents", "ProctorNotation",
                "ProctorRules", "ProctorJournal", "ProctorProgram", "ProctorScenario",
            ]),
        // MacBinary and BinHex as bytes of fixtures: their keys.
        module(
            "ProctorArchives", in: .language,
            on: [
                "ProctorBase", "ProctorCoding", "ProctorDocument", "ProctorFixtures", "ProctorForkedFiles",
                "ProctorScenario",
            ]),
        // HTTP/2 and HTTP/3 in scenarios: their keys, and what a scenario loses over them.
        module(
            "ProctorFrames", in: .language,
            on: [
                "ProctorBase", "ProctorDocument", "ProctorFixtures", "ProctorHTTP", "ProctorJournal",
                "ProctorNotation", "ProctorProgram", "ProctorScenario", "ProctorTLSWire",
            ]),
        // JSON Schema and OpenAPI as keys of the language: read, checked, and judged by a run's journal.
        module(
            "ProctorDescriptions", in: .language,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorSchema", "ProctorOpenAPI", "ProctorJournal",
                "ProctorScenario", "ProctorFixtures",
            ]),
        // What documents demand of clients, and the musts of a library that rest on it.
        module(
            "ProctorDemands", in: .language,
            on: [
                "ProctorBase", "ProctorDocument", "ProctorEvents", "ProctorHTTP", "ProctorNotation", "ProctorProgram",
                "ProctorRules", "ProctorScenario",
            ]),
        // What others have recorded or described, as scenarios, and the way back.
        module(
            "ProctorImport", in: .language,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorCoding", "ProctorDocument", "ProctorEvents", "ProctorJournal",
                "ProctorRegex", "ProctorScenario", "ProctorTLSWire",
            ]),
        module(
            "ProctorGrading", in: .judging,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorCoding", "ProctorCrypto", "ProctorDocument", "ProctorEvents",
                "ProctorNotation", "ProctorRules", "ProctorJournal", "ProctorProgram",
                "ProctorScenario",
            ]),
        // The facts of frames of HTTP/2 and HTTP/3.
        module(
            "ProctorFrameGrading", in: .judging,
            on: ["ProctorBase", "ProctorGrading", "ProctorHTTP", "ProctorJournal", "ProctorScenario"]),
        // What came back to a client that sends given bytes, and what was changed between it and the server.
        module(
            "ProctorDownstream", in: .judging,
            on: ["ProctorBase", "ProctorGrading", "ProctorHTTP", "ProctorJournal", "ProctorScenario"]),
        // Exams of many clients as static pages.
        module(
            "ProctorReport", in: .judging,
            on: [
                "ProctorBase", "ProctorHTML", "ProctorHTTP", "ProctorEvents", "ProctorRules", "ProctorJournal",
                "ProctorProgram", "ProctorScenario", "ProctorGrading", "ProctorDemands", "ProctorDocument",
            ]),
        // Calls of tests in other languages: runs judged at once, and exams whose cases they set.
        module(
            "ProctorExamCalls", in: .serving,
            on: [
                "ProctorBase", "ProctorLoop", "ProctorDocument", "ProctorEvents", "ProctorJournal", "ProctorProgram",
                "ProctorScenario", "ProctorFixtures", "ProctorGrading", "ProctorReplies", "ProctorServing",
                "ProctorServer",
            ]),
        // The pages of a server for browsers, and its lists, streams and metrics.
        module(
            "ProctorPages", in: .serving,
            on: [
                "ProctorBase", "ProctorHTML", "ProctorHTTP", "ProctorLoop", "ProctorEvents", "ProctorNotation",
                "ProctorJournal", "ProctorScenario", "ProctorGrading", "ProctorReplies", "ProctorServing",
                "ProctorServer",
            ]),
        // The documents of the project as a book, its search, and its pages in a folder.
        module(
            "ProctorBook", in: .serving,
            on: [
                "ProctorBase", "ProctorHTML", "ProctorMarkdown", "ProctorDocument", "ProctorEvents", "ProctorRules",
                "ProctorScenario", "ProctorFixtures", "ProctorReplies", "ProctorServing", "ProctorServer",
            ]),
        // What a request is answered with: matching, guards, the state of a run, plans of replies.
        module(
            "ProctorReplies", in: .serving,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorCrypto", "ProctorRegex",
                "ProctorCoding", "ProctorEvents", "ProctorJournal",
                "ProctorScenario",
            ]),
        // XML, XPath and JSONPath as conditions on content.
        module(
            "ProctorContentQueries", in: .serving,
            on: [
                "ProctorBase", "ProctorDocument", "ProctorFixtures", "ProctorReplies", "ProctorScenario",
                "ProctorSchema",
            ]),
        // NTLM and Negotiate as schemes of guards.
        module(
            "ProctorNegotiation", in: .serving,
            on: [
                "ProctorBase", "ProctorCrypto", "ProctorDocument", "ProctorFixtures", "ProctorHTTP", "ProctorNTLM",
                "ProctorNegotiate", "ProctorReplies", "ProctorScenario",
            ], exclude: ["Language"]),
        // Bearer as a scheme of guards, and its tokens.
        module(
            "ProctorBearer", in: .serving,
            on: [
                "ProctorBase", "ProctorDocument", "ProctorFixtures", "ProctorHTTP", "ProctorReplies", "ProctorScenario",
            ], exclude: ["Language"]),
        // Signature Version 4 of AWS as a scheme of guards.
        module(
            "ProctorAWS4", in: .serving,
            on: [
                "ProctorBase", "ProctorCrypto", "ProctorDocument", "ProctorFixtures", "ProctorHTTP", "ProctorReplies",
                "ProctorScenario",
            ], exclude: ["Language"]),
        // The server of DNS of a run.
        module(
            "ProctorNameServer", in: .serving,
            on: [
                "ProctorBase", "ProctorDNS", "ProctorDocument", "ProctorFixtures", "ProctorGrading", "ProctorJournal",
                "ProctorLoop", "ProctorReplies", "ProctorScenario", "ProctorServing",
            ]),
        // Proxies of SOCKS: their keys, what they say before a tunnel, and the facts of it.
        module(
            "ProctorSOCKSProxy", in: .serving,
            on: [
                "ProctorBase", "ProctorDocument", "ProctorFixtures", "ProctorGrading", "ProctorJournal", "ProctorSOCKS",
                "ProctorScenario",
            ]),
        // Streams of server-sent events as the content of replies: their keys, and what a client tells of one.
        module(
            "ProctorEventStreams", in: .serving,
            on: [
                "ProctorBase", "ProctorCoding", "ProctorDocument", "ProctorEvents", "ProctorFixtures", "ProctorGrading",
                "ProctorHTTP", "ProctorJournal", "ProctorProgram", "ProctorRules", "ProctorScenario",
            ]),
        // The list of modules that serve and judge parts of scenarios.
        module(
            "ProctorModules", in: .serving,
            on: ["ProctorBase", "ProctorGrading"] + keptServerModules.flatMap(\.dependencies),
            settings: keptServerModules.map { .define("PROCTOR_\($0.name.uppercased())") }),
        // Connections: TLS and HTTP/1.1, which play what replies are planned, on streams of modules above too.
        module(
            "ProctorServing", in: .serving,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorLoop",
                "ProctorTLSWire",
                "ProctorTLS", "ProctorCoding", "ProctorJournal", "ProctorProgram",
                "ProctorScenario", "ProctorReplies",
            ]),
        // The connections of HTTP/2.
        module(
            "ProctorHTTP2Serving", in: .serving,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorHTTP2", "ProctorJournal", "ProctorLoop", "ProctorReplies",
                "ProctorScenario", "ProctorServing",
            ]),
        // The connections of HTTP/3, over whatever library of QUIC.
        module(
            "ProctorHTTP3Serving", in: .serving,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorHTTP3", "ProctorJournal", "ProctorLoop",
                "ProctorQUICLink", "ProctorQUICWire", "ProctorReplies", "ProctorScenario", "ProctorServing",
                "ProctorTLS",
                "ProctorTLSWire",
            ]),
        // The server's end of the Model Context Protocol, without I/O.
        module("ProctorMCP", in: .serving, on: ["ProctorBase"]),
        // A port that hands requests on to a server of this machine, and writes both sides down.
        module(
            "ProctorGateway", in: .serving,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorHTTP2", "ProctorImport", "ProctorJournal", "ProctorLoop",
                "ProctorScenario", "ProctorServing", "ProctorTLS",
            ]),
        // What was imported, held against its source without a socket.
        module(
            "ProctorProving", in: .serving,
            on: [
                "ProctorBase", "ProctorCoding", "ProctorDocument", "ProctorHTTP", "ProctorSchema", "ProctorJournal",
                "ProctorOpenAPI", "ProctorScenario", "ProctorFixtures", "ProctorImport", "ProctorReplies",
                "ProctorServer",
            ]),
        // Requests of the server to a listener of the client, behind a reply.
        module(
            "ProctorWebhooks", in: .serving,
            on: [
                "ProctorBase", "ProctorCrypto", "ProctorDocument", "ProctorFixtures", "ProctorHTTP", "ProctorJournal",
                "ProctorLoop", "ProctorReplies", "ProctorScenario", "ProctorServing",
            ]),
        // WebSockets that replies open: their keys, the handshake, and what is sent and expected on them.
        module(
            "ProctorWebSocketServing", in: .serving,
            on: [
                "ProctorBase", "ProctorCoding", "ProctorDocument", "ProctorEvents", "ProctorFixtures", "ProctorGrading",
                "ProctorHTTP", "ProctorJournal", "ProctorLoop", "ProctorProgram", "ProctorReplies", "ProctorScenario",
                "ProctorServing", "ProctorWebSocket",
            ]),
        // Calls of gRPC by a descriptor: their keys, and what a run does with them.
        module(
            "ProctorGRPC", in: .serving,
            on: [
                "ProctorBase", "ProctorCoding", "ProctorDocument", "ProctorFixtures", "ProctorHTTP", "ProctorJournal",
                "ProctorProtobuf", "ProctorReplies", "ProctorScenario",
            ]),
        // Scripts of Lua: their keys, and what a run does with them.
        module(
            "ProctorScripting", in: .serving,
            on: [
                "ProctorBase", "ProctorCrypto", "ProctorDocument", "ProctorFixtures", "ProctorHTTP", "ProctorJournal",
                "ProctorReplies", "ProctorScenario", "ProctorScript", "ProctorSigning",
            ]),
        // The server: its runs and its shared port, with catalogue, pages and control API.
        module(
            "ProctorServer", in: .serving,
            on: [
                "ProctorBase", "ProctorHTML", "ProctorHTTP", "ProctorCrypto", "ProctorDocument", "ProctorLoop",
                "ProctorTLS", "ProctorEvents", "ProctorNotation", "ProctorRules", "ProctorJournal", "ProctorProgram",
                "ProctorScenario", "ProctorFixtures", "ProctorGrading", "ProctorReplies", "ProctorServing",
            ]),
        module("ProctorRecorder", in: .clients, on: ["ProctorBase", "ProctorEvents", "ProctorProgram"]),
        // Client programs run with URLSession, and URLProtocols driven and scripted.
        module(
            "ProctorAssignments", in: .clients,
            on: ["ProctorBase", "ProctorEvents", "ProctorProgram", "ProctorRecorder"]),
        module(
            "ProctorExam", in: .testing,
            on: [
                "ProctorBase", "ProctorCrypto", "ProctorLoop", "ProctorEvents", "ProctorRules", "ProctorJournal",
                "ProctorProgram",
                "ProctorScenario", "ProctorGrading", "ProctorServing", "ProctorServer",
            ]),
        // What takes an exam without being started as an adapter: adapters over the network, command lines.
        module(
            "ProctorExamClients", in: .testing,
            on: [
                "ProctorBase", "ProctorEvents", "ProctorExam", "ProctorGrading", "ProctorJournal", "ProctorLoop",
                "ProctorProgram", "ProctorScenario",
            ]),
        // Intermediaries under exam: recipes, programs that are started with a configuration, and a client that sends given bytes.
        module(
            "ProctorIntermediaries", in: .testing,
            on: [
                "ProctorBase", "ProctorDocument", "ProctorEvents", "ProctorExam", "ProctorGrading", "ProctorHTTP",
                "ProctorHTTP2", "ProctorHTTP3", "ProctorJournal", "ProctorLoop", "ProctorProgram", "ProctorQUICLink",
                "ProctorScenario", "ProctorServing", "ProctorTLS",
            ]),
        // Mutants of scenarios by a seed, and what divides clients about them.
        module(
            "ProctorFuzz", in: .testing,
            on: [
                "ProctorBase", "ProctorDocument", "ProctorEvents", "ProctorExam", "ProctorFixtures", "ProctorGrading",
                "ProctorHTTP", "ProctorImport", "ProctorJournal", "ProctorReplies", "ProctorScenario",
            ]),
        // Loads at once with faults by a seed, what holds whatever happens, and schedules taken apart.
        module(
            "ProctorStorm", in: .testing,
            on: [
                "ProctorBase", "ProctorDocument", "ProctorEvents", "ProctorExam", "ProctorFixtures", "ProctorGrading",
                "ProctorHTTP", "ProctorJournal", "ProctorReplies", "ProctorRules", "ProctorScenario",
            ]),
        program(
            "proctor", in: .command,
            on: [
                "ProctorBase", "ProctorCoding", "ProctorDocument", "ProctorEvents", "ProctorExam",
                "ProctorExamClients", "ProctorGrading",
                "ProctorHTML", "ProctorHTTP", "ProctorJournal", "ProctorLoop", "ProctorModules", "ProctorProgram",
                "ProctorQUICLink", "ProctorRegex", "ProctorReplies",
                "ProctorRules", "ProctorScenario", "ProctorFixtures", "ProctorServer",
                "ProctorServing", "ProctorTLS",
            ] + (keptModules.flatMap(\.dependencies) + keptQUICModules.flatMap(\.dependencies)),
            exclude: programModules.filter { leftOut.contains($0.name) }.map { "Modules/\($0.folder)" }
                + (keptQUICModules.isEmpty ? ["Modules/HTTP3"] : [])),
        // An exam inside a test, whoever serves its scenario.
        module(
            "ProctorHarness", in: .testing, on: ["ProctorBase", "ProctorEvents", "ProctorProgram", "ProctorRecorder"]),
        // What a client does inside an exam: its program with URLSession, a load of a URLProtocol.
        module(
            "ProctorClientTesting", in: .testing,
            on: ["ProctorEvents", "ProctorProgram", "ProctorRecorder", "ProctorAssignments", "ProctorHarness"]),
        module(
            "ProctorTesting", in: .testing,
            on: [
                "ProctorBase", "ProctorCoding", "ProctorDocument", "ProctorHTTP", "ProctorEvents", "ProctorRules",
                "ProctorJournal",
                "ProctorProgram", "ProctorScenario", "ProctorFixtures", "ProctorGrading", "ProctorServer",
                "ProctorModules", "ProctorRecorder", "ProctorHarness",
            ]),
        module(
            "ProctorRemoteTesting", in: .testing,
            on: [
                "ProctorAssignments", "ProctorBase", "ProctorEvents", "ProctorProgram", "ProctorRecorder",
                "ProctorHarness",
            ]),
        // What every adapter in Swift does around its client.
        module("ProctorAdapter", in: .clients, on: ["ProctorBase", "ProctorProgram"]),
        program(
            "proctor-client-urlsession", in: .clients,
            on: ["ProctorAdapter", "ProctorAssignments", "ProctorBase", "ProctorProgram", "ProctorRecorder"]),
        // The addresses of a name: asked for, sorted and tried (RFC 8305).
        module(
            "ProctorDialling", in: .clients, on: ["ProctorBase", "ProctorHTTP", "ProctorLoop", "ProctorDNS"]),
        module(
            "ProctorReference", in: .clients,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorHTTPClient", "ProctorHTTP2", "ProctorHTTP3", "ProctorCrypto",
                "ProctorLoop", "ProctorTLSWire", "ProctorTLS", "ProctorQUICLink", "ProctorCoding",
                "ProctorForkedFiles", "ProctorWebSocket", "ProctorSOCKS", "ProctorNegotiate",
                "ProctorDialling",
            ]),
        // What the reference client keeps in files from one launch to the next.
        module(
            "ProctorReferenceStorage", in: .clients,
            on: ["ProctorBase", "ProctorHTTP", "ProctorHTTPClient", "ProctorReference"]),
        // Auto-configuration files of proxies, run in a process of their own.
        module("ProctorPAC", in: .clients, on: ["ProctorBase", "CDuktape"]),
        // The reference client sits the exam; also broken on purpose, one rule at a time.
        module(
            "ProctorReferenceAdapter", in: .clients,
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorHTTPClient", "ProctorLoop", "ProctorEvents", "ProctorProgram",
                "ProctorRecorder", "ProctorAssignments", "ProctorReference", "ProctorReferenceStorage",
                "ProctorSOCKS", "ProctorNTLM", "ProctorNegotiate",
                "ProctorPAC", "ProctorDialling",
            ]),
        program(
            "proctor-client-reference", in: .clients,
            on: [
                "ProctorAdapter", "ProctorAssignments", "ProctorBase", "ProctorPAC", "ProctorProgram",
                "ProctorRecorder",
                "ProctorReferenceAdapter",
                "ProctorRules",
            ] + (hasQUIC ? ["ProctorQUIC", "ProctorReference"] : []),
            settings: hasQUIC ? [.define("PROCTOR_QUIC")] : []),

        // What pages of data can't show of small modules, a folder for each.
        .testTarget(
            name: "ProctorPartsTests",
            dependencies: [
                "ProctorTestSupport", "ProctorTestWire", "ProctorBase", "ProctorDocument", "ProctorRegex",
                "ProctorSchema", "ProctorScript", "ProctorEvents", "ProctorProgram", "ProctorHTTP",
                "ProctorHTTPClient", "ProctorHTTP2", "ProctorCrypto", "ProctorNotation", "ProctorCoding",
                "ProctorForkedFiles",
            ],
            swiftSettings: strict),
        tests(of: "ProctorHTTP", with: ["ProctorBase"]),
        tests(of: "ProctorDocument", with: ["ProctorBase"]),
        tests(of: "ProctorLoop", with: ["ProctorBase", "CUV"]),
        tests(of: "ProctorTLS", with: ["ProctorBase", "ProctorDocument", "ProctorLoop", "ProctorTLSWire", "COpenSSL"]),
        tests(of: "ProctorEvents", with: ["ProctorBase", "ProctorNotation"]),
        tests(of: "ProctorRules", with: ["ProctorEvents", "ProctorNotation"]),
        tests(of: "ProctorJournal", with: ["ProctorBase", "ProctorHTTP", "ProctorEvents"]),
        tests(
            of: "ProctorFixtures",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorTLSWire", "ProctorCoding", "ProctorEvents",
                "ProctorNotation", "ProctorScenario", "ProctorJournal", "ProctorProgram", "ProctorScript", "ProctorDNS",
                "ProctorModules", "ProctorDemands", "ProctorScripting", "ProctorTestLanguage",
            ]),
        tests(of: "ProctorImport", with: ["ProctorBase", "ProctorDocument"]),
        tests(
            of: "ProctorGrading",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorEvents", "ProctorNotation", "ProctorRules",
                "ProctorJournal", "ProctorProgram", "ProctorScenario", "ProctorFixtures", "ProctorReport",
                "ProctorModules", "ProctorFrameGrading",
            ]),
        tests(of: "ProctorReport", with: ["ProctorBase", "ProctorCoding", "ProctorScenario", "ProctorGrading"]),
        tests(
            of: "ProctorServer",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorHTTPClient", "ProctorHTTP2", "ProctorCrypto", "ProctorNTLM",
                "ProctorLoop", "ProctorDNS",
                "ProctorTLSWire", "ProctorTLS",
                "ProctorCoding", "ProctorWebSocket", "ProctorEvents", "ProctorNotation", "ProctorJournal",
                "ProctorProgram",
                "ProctorScript", "ProctorScenario", "ProctorFixtures", "ProctorGrading", "ProctorHTML",
                "ProctorReport", "ProctorPages", "ProctorReplies", "ProctorServing", "ProctorModules",
                "ProctorTestWire", "ProctorHTTP2Serving", "ProctorHTTP3Serving", "ProctorQUICLink",
            ]),
        tests(
            of: "ProctorTesting",
            with: [
                "ProctorBase", "ProctorClientTesting", "ProctorEvents", "ProctorRules", "ProctorJournal",
                "ProctorFixtures", "ProctorGrading", "ProctorProgram", "ProctorRecorder",
            ]),

        // What the tests share: how a program is run, and how long is waited.
        .target(
            name: "ProctorTestSupport", dependencies: ["ProctorBase"], path: "Tests/Support", swiftSettings: strict),
        // Clients that send bytes and frames as they are, and a journal as short lines.
        .target(
            name: "ProctorTestWire",
            dependencies: [
                "ProctorTestSupport", "ProctorBase", "ProctorHTTP", "ProctorHTTP2", "ProctorWebSocket",
                "ProctorJournal",
                "ProctorScenario", "ProctorScript",
            ],
            path: "Tests/Wire", swiftSettings: strict),
        // What the data of the fixture language makes: its JSON Schema, and the tables of the pages in Docs/format.
        .target(
            name: "ProctorTestLanguage",
            dependencies: [
                "ProctorTestSupport", "ProctorAWS4", "ProctorArchives", "ProctorBase", "ProctorBearer", "ProctorCoding",
                "ProctorDescriptions", "ProctorDocument", "ProctorNegotiation",
                "ProctorEvents", "ProctorEventStreams", "ProctorFixtures", "ProctorFrames", "ProctorGRPC",
                "ProctorHTTP",
                "ProctorNameServer", "ProctorProgram", "ProctorRules", "ProctorScenario",
                "ProctorSchema", "ProctorSOCKSProxy", "ProctorWebhooks", "ProctorWebSocketServing",
            ],
            path: "Tests/Language", swiftSettings: strict),
        // Runs the tests that are pages of Markdown (Tests/Data).
        .executableTarget(
            name: "proctor-data",
            dependencies: [
                "proctor", "ProctorTestSupport", "ProctorTestWire", "ProctorTestLanguage", "ProctorBase", "ProctorHTML",
                "ProctorMarkdown", "ProctorBearer", "ProctorHTTP", "ProctorHTTPClient",
                "ProctorHTTP2", "ProctorHTTP3", "ProctorDocument", "ProctorEvents", "ProctorNotation", "ProctorRules",
                "ProctorProgram", "ProctorDemands",
                "ProctorJournal", "ProctorScenario", "ProctorFixtures", "ProctorImport", "ProctorGrading",
                "ProctorReplies", "ProctorProving",
                "ProctorServing", "ProctorServer", "ProctorCoding", "ProctorForkedFiles", "ProctorCrypto", "ProctorDNS",
                "ProctorNegotiate",
                "ProctorNTLM", "ProctorOpenAPI", "ProctorProtobuf", "ProctorRegex", "ProctorReport", "ProctorSchema",
                "ProctorScript",
                "ProctorSOCKS", "ProctorTLS", "ProctorTLSWire", "ProctorQUICWire", "ProctorWebSocket", "ProctorLoop",
                "ProctorExam",
                "ProctorExamClients", "ProctorStorm", "ProctorBook", "ProctorModules", "ProctorHTTP2Serving",
            ] + (hasQUIC ? ["ProctorHTTP3Serving", "ProctorQUIC"] : []),
            path: "Tests/Runner", swiftSettings: strict + (hasQUIC ? [.define("PROCTOR_QUIC")] : [])),
    ] + (hasQUIC ? quicTargets : []) + (testsAreWide ? wideTests : [])
)
