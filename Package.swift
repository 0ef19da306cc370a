// swift-tools-version: 6.2
import PackageDescription

/// A warning is an error where PROCTOR_WERROR is set, as CI and the Makefile do.
///
/// Elsewhere a newer compiler with new warnings still builds the package.
let warnings: [SwiftSetting] =
    Context.environment["PROCTOR_WERROR", default: ""].isEmpty ? [] : [.treatAllWarnings(as: .error)]

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

func module(
    _ name: String, on dependencies: [Target.Dependency], resources: [Resource]? = nil, settings: [SwiftSetting] = []
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict + settings)
}

func tests(
    of name: String, with dependencies: [Target.Dependency] = [], resources: [Resource] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "ProctorTestSupport"] + dependencies,
        exclude: exclude, resources: resources, swiftSettings: strict)
}

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
                "ProctorServer", "ProctorHTTP2", "ProctorGrading", "ProctorScenario", "ProctorScript", "ProctorCoding",
                "ProctorTLS",
                "ProctorTLSWire", "ProctorJournal", "ProctorRules", "ProctorNotation", "ProctorEvents",
            ]),
        // Recorders for tests, on any platform with Foundation; no C library.
        .library(name: "ProctorRecorder", targets: ["ProctorRecorder", "ProctorProgram", "ProctorEvents"]),
        // The rules of callback order for traces from anywhere; no C library.
        .library(name: "ProctorRules", targets: ["ProctorRules", "ProctorNotation", "ProctorEvents"]),
        // The server and the recorders for swift-testing and XCTest.
        .library(
            name: "ProctorTesting",
            targets: [
                "ProctorTesting", "ProctorHarness", "ProctorRecorder", "ProctorGrading", "ProctorScenario",
                "ProctorJournal", "ProctorRules", "ProctorNotation", "ProctorProgram", "ProctorEvents",
            ]),
        // The same with a server in another process, or on another machine; no C library.
        .library(
            name: "ProctorRemoteTesting",
            targets: ["ProctorRemoteTesting", "ProctorHarness", "ProctorRecorder", "ProctorProgram", "ProctorEvents"]),
        .executable(name: "proctor-client-urlsession", targets: ["proctor-client-urlsession"]),
        // A client that obeys every rule: sessions, and a URLProtocol for http and https.
        .library(
            name: "ProctorReference", targets: ["ProctorReference", "ProctorHTTP", "ProctorTLS", "ProctorTLSWire"]),
        .executable(name: "proctor-client-reference", targets: ["proctor-client-reference"]),
    ],
    targets: [
        // C libraries of the system, one shim header each.
        .systemLibrary(
            name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"]), .brew(["libuv"])]),
        .systemLibrary(
            name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),

        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        // One pkg-config name is all that can be said here; the module map links the decoder.
        .systemLibrary(
            name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),

        // Its coder of field blocks alone (HPACK).
        .systemLibrary(
            name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),

        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
        .systemLibrary(
            name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),

        // Arrows only point down; Docs/architecture.md says what each one is for.
        // Apple's systems have a span of an array only since 2025; Array+Span.swift is one for those before.
        module(
            "ProctorBase", on: [],
            settings: [.enableExperimentalFeature("Lifetimes", .when(platforms: [.macOS, .iOS]))]),
        module("ProctorHTTP", on: ["ProctorBase"]),
        // HTTP/2 without I/O: frames, field blocks, and what one end of a connection may receive.
        module("ProctorHTTP2", on: ["ProctorBase", "ProctorHTTP", "CNGHTTP2"]),
        // HTML with escaped values, and the style sheets and scripts of all pages, which the binary contains.
        module("ProctorHTML", on: [], resources: [.embedInCode("Assets")]),
        module("ProctorCrypto", on: ["ProctorBase", "ProctorHTTP", "COpenSSL"]),
        module("ProctorDocument", on: ["ProctorBase", "CYAML"]),
        // Scripts of Lua in a sandbox.
        module("ProctorScript", on: ["ProctorBase", "CLua"]),
        // Regular expressions, within bounds.
        module("ProctorRegex", on: ["ProctorBase", "CPCRE2"]),
        module("ProctorLoop", on: ["ProctorBase", "CUV"]),
        // TLS on the wire, without a C library.
        module("ProctorTLSWire", on: ["ProctorBase"]),
        module("ProctorTLS", on: ["ProctorBase", "ProctorDocument", "ProctorLoop", "ProctorTLSWire", "COpenSSL"]),
        // What clients report: the vocabulary, traces and the names of methods.
        module("ProctorEvents", on: ["ProctorBase"]),
        // Expressions over events.
        module("ProctorNotation", on: ["ProctorBase", "ProctorEvents"]),
        // The universal rules of callback order.
        module("ProctorRules", on: ["ProctorBase", "ProctorEvents", "ProctorNotation"]),
        // What the server saw and did.
        module("ProctorJournal", on: ["ProctorBase", "ProctorHTTP", "ProctorEvents"]),
        // What a client is told to do.
        module("ProctorProgram", on: ["ProctorBase", "ProctorEvents"]),
        module("ProctorCoding", on: ["ProctorBase", "CZlib", "CBrotli", "CZstd"]),
        module(
            "ProctorScenario",
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorHTTP2", "ProctorDocument", "ProctorTLSWire", "ProctorRegex",
                "ProctorCoding", "ProctorEvents", "ProctorNotation", "ProctorRules", "ProctorJournal",
                "ProctorProgram", "ProctorScript",
            ]),
        module(
            "ProctorGrading",
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorCrypto", "ProctorDocument", "ProctorEvents", "ProctorNotation",
                "ProctorRules", "ProctorJournal", "ProctorProgram", "ProctorScenario",
            ]),
        // Exams of many clients as static pages.
        module(
            "ProctorReport",
            on: [
                "ProctorBase", "ProctorHTML", "ProctorHTTP", "ProctorEvents", "ProctorRules", "ProctorJournal",
                "ProctorProgram", "ProctorScenario", "ProctorGrading",
            ],
            // What the reproductions of failures are made of.
            resources: [.embedInCode("Reproduction")]),
        module(
            "ProctorServer",
            on: [
                "ProctorBase", "ProctorHTML", "ProctorHTTP", "ProctorHTTP2", "ProctorCrypto", "ProctorDocument",
                "ProctorLoop",
                "ProctorTLSWire", "ProctorTLS", "ProctorRegex", "ProctorCoding", "ProctorEvents", "ProctorNotation",
                "ProctorJournal",
                "ProctorProgram", "ProctorScenario", "ProctorGrading", "ProctorReport",
            ]),
        module("ProctorRecorder", on: ["ProctorBase", "ProctorEvents", "ProctorProgram"]),
        module(
            "ProctorExam",
            on: [
                "ProctorBase", "ProctorLoop", "ProctorEvents", "ProctorRules", "ProctorProgram", "ProctorScenario",
                "ProctorGrading", "ProctorServer",
            ]),
        .executableTarget(
            name: "proctor",
            dependencies: [
                "ProctorBase", "ProctorCoding", "ProctorDocument", "ProctorEvents", "ProctorExam", "ProctorGrading",
                "ProctorJournal", "ProctorLoop", "ProctorProgram", "ProctorRegex", "ProctorReport", "ProctorRules",
                "ProctorScenario", "ProctorScript", "ProctorServer", "ProctorTLS",
            ],
            swiftSettings: strict),
        // An exam inside a test, whoever serves its scenario.
        module("ProctorHarness", on: ["ProctorBase", "ProctorEvents", "ProctorProgram", "ProctorRecorder"]),
        module(
            "ProctorTesting",
            on: [
                "ProctorBase", "ProctorDocument", "ProctorEvents", "ProctorRules", "ProctorJournal", "ProctorProgram",
                "ProctorScenario", "ProctorGrading", "ProctorServer", "ProctorRecorder", "ProctorHarness",
            ]),
        module(
            "ProctorRemoteTesting",
            on: ["ProctorBase", "ProctorEvents", "ProctorProgram", "ProctorRecorder", "ProctorHarness"]),
        // What every adapter in Swift does around its client.
        module("ProctorAdapter", on: ["ProctorBase", "ProctorProgram"]),
        .executableTarget(
            name: "proctor-client-urlsession",
            dependencies: ["ProctorAdapter", "ProctorBase", "ProctorProgram", "ProctorRecorder"],
            swiftSettings: strict),
        module(
            "ProctorReference",
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorHTTP2", "ProctorCrypto", "ProctorLoop", "ProctorTLSWire",
                "ProctorTLS",
                "ProctorCoding",
            ]),
        // The reference client sits the exam; also broken on purpose, one rule at a time.
        module(
            "ProctorReferenceAdapter",
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorLoop", "ProctorEvents", "ProctorProgram", "ProctorRecorder",
                "ProctorReference",
            ]),
        .executableTarget(
            name: "proctor-client-reference",
            dependencies: [
                "ProctorAdapter", "ProctorBase", "ProctorProgram", "ProctorRecorder", "ProctorReferenceAdapter",
                "ProctorRules",
            ],
            swiftSettings: strict),

        tests(of: "ProctorBase"),
        tests(of: "ProctorHTML"),
        tests(of: "ProctorHTTP", with: ["ProctorBase"]),
        tests(of: "ProctorHTTP2", with: ["ProctorBase", "ProctorHTTP"]),
        tests(of: "ProctorCrypto", with: ["ProctorBase", "ProctorHTTP"]),
        tests(of: "ProctorDocument", with: ["ProctorBase"]),
        tests(of: "ProctorScript", with: ["ProctorBase"]),
        tests(of: "ProctorRegex", with: ["ProctorBase"]),
        tests(of: "ProctorLoop", with: ["ProctorBase", "CUV"]),
        tests(of: "ProctorTLSWire", with: ["ProctorBase"]),
        tests(of: "ProctorTLS", with: ["ProctorBase", "ProctorDocument", "ProctorLoop", "ProctorTLSWire", "COpenSSL"]),
        tests(of: "ProctorEvents", with: ["ProctorBase", "ProctorNotation"]),
        tests(of: "ProctorNotation", with: ["ProctorEvents"]),
        tests(of: "ProctorRules", with: ["ProctorEvents", "ProctorNotation"]),
        tests(of: "ProctorJournal", with: ["ProctorBase", "ProctorHTTP", "ProctorEvents"]),
        tests(of: "ProctorProgram", with: ["ProctorEvents"]),
        tests(of: "ProctorCoding", with: ["ProctorBase"]),
        tests(
            of: "ProctorScenario",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorTLSWire", "ProctorCoding", "ProctorEvents",
                "ProctorNotation", "ProctorJournal", "ProctorProgram", "ProctorScript",
            ]),
        tests(
            of: "ProctorGrading",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorEvents", "ProctorNotation", "ProctorRules",
                "ProctorJournal", "ProctorProgram", "ProctorScenario",
            ]),
        tests(of: "ProctorReport", with: ["ProctorBase", "ProctorCoding", "ProctorScenario", "ProctorGrading"]),
        tests(
            of: "ProctorServer",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorHTTP2", "ProctorCrypto", "ProctorLoop", "ProctorTLSWire",
                "ProctorTLS",
                "ProctorCoding", "ProctorEvents", "ProctorNotation", "ProctorJournal", "ProctorProgram",
                "ProctorScenario", "ProctorGrading", "ProctorHTML",
            ]),
        tests(
            of: "ProctorRecorder",
            with: ["ProctorBase", "ProctorEvents", "ProctorRules", "ProctorProgram", "proctor-client-urlsession"]),
        tests(
            of: "ProctorExam",
            with: [
                "ProctorBase", "ProctorEvents", "ProctorRules", "ProctorJournal", "ProctorProgram", "ProctorScenario",
                "ProctorGrading", "ProctorServer", "ProctorRecorder", "proctor-client-urlsession",
            ],
            resources: [.copy("urlsession-linux.tsv")]),
        tests(
            of: "ProctorTesting",
            with: ["ProctorEvents", "ProctorRules", "ProctorJournal", "ProctorGrading", "ProctorRecorder"]),
        tests(
            of: "ProctorRemoteTesting",
            with: ["ProctorBase", "ProctorEvents", "ProctorProgram", "ProctorRecorder", "ProctorHarness", "proctor"]),
        tests(
            of: "ProctorReference",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorHTTP2", "ProctorLoop", "ProctorTLSWire", "ProctorTLS",
                "ProctorCoding",
            ]),
        tests(
            of: "ProctorReferenceAdapter",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorEvents", "ProctorRules", "ProctorJournal", "ProctorProgram",
                "ProctorScenario", "ProctorGrading", "ProctorServer", "ProctorRecorder", "ProctorExam",
                "ProctorReference", "proctor-client-reference",
            ]),
        // Compiled as a package of a user's: what it calls must be public.
        .testTarget(
            name: "ProctorUserTests",
            dependencies: [
                "ProctorHTTP", "ProctorDocument", "ProctorEvents", "ProctorRules", "ProctorJournal", "ProctorScenario",
                "ProctorGrading", "ProctorServer", "ProctorRecorder", "ProctorTesting", "ProctorRemoteTesting",
                "ProctorReference",
            ],
            packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "ProctorCLITests",
            dependencies: ["proctor", "ProctorBase", "ProctorEvents", "ProctorRules", "ProctorTestSupport"],
            swiftSettings: strict),

        // What the tests share: how a program is run, and how long is waited.
        .target(
            name: "ProctorTestSupport", dependencies: ["ProctorBase"], path: "Tests/Support", swiftSettings: strict),
        .testTarget(
            name: "ProctorTestSupportTests", dependencies: ["ProctorTestSupport"], swiftSettings: strict),
    ]
)
