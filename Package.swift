// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same strictness; a warning is an error.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

func module(_ name: String, on dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
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
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "proctor", targets: ["proctor"]),
        // The server for use inside a test process, with what its interface speaks of.
        .library(
            name: "ProctorServer",
            targets: [
                "ProctorServer", "ProctorGrading", "ProctorScenario", "ProctorCoding", "ProctorTLS", "ProctorTrace",
            ]),
        // Recorders for tests, on any platform with Foundation; no C library.
        .library(name: "ProctorRecorder", targets: ["ProctorRecorder", "ProctorTrace"]),
        // The server and the recorders for swift-testing and XCTest.
        .library(
            name: "ProctorTesting",
            targets: ["ProctorTesting", "ProctorRecorder", "ProctorGrading", "ProctorScenario", "ProctorTrace"]),
        .executable(name: "proctor-client-urlsession", targets: ["proctor-client-urlsession"]),
        // A client that obeys every rule: sessions, the old shapes, and a URLProtocol for http and https.
        .library(name: "ProctorReference", targets: ["ProctorReference", "ProctorHTTP", "ProctorTLS"]),
        .executable(name: "proctor-client-reference", targets: ["proctor-client-reference"]),
        // HTTP knowledge without I/O.
        .library(name: "ProctorHTTP", targets: ["ProctorHTTP"]),
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

        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

        // Arrows only point down; Docs/architecture.md says what each one is for.
        module("ProctorBase", on: []),
        module("ProctorHTTP", on: ["ProctorBase"]),
        module("ProctorCrypto", on: ["ProctorBase", "ProctorHTTP", "COpenSSL"]),
        module("ProctorDocument", on: ["ProctorBase", "CYAML"]),
        module("ProctorLoop", on: ["ProctorBase", "CUV"]),
        module("ProctorTLS", on: ["ProctorBase", "ProctorDocument", "ProctorLoop", "COpenSSL"]),
        module("ProctorTrace", on: ["ProctorBase", "ProctorHTTP"]),
        module("ProctorCoding", on: ["ProctorBase", "CZlib", "CBrotli", "CZstd"]),
        module(
            "ProctorScenario", on: ["ProctorBase", "ProctorHTTP", "ProctorCoding", "ProctorDocument", "ProctorTrace"]),
        module(
            "ProctorGrading", on: ["ProctorBase", "ProctorHTTP", "ProctorScenario", "ProctorTrace", "ProctorDocument"]),
        module(
            "ProctorServer",
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorCrypto", "ProctorCoding", "ProctorDocument", "ProctorLoop",
                "ProctorTLS", "ProctorScenario", "ProctorTrace", "ProctorGrading",
            ]),
        module("ProctorRecorder", on: ["ProctorBase", "ProctorHTTP", "ProctorTrace"]),
        module(
            "ProctorExam",
            on: ["ProctorBase", "ProctorTrace", "ProctorScenario", "ProctorGrading", "ProctorServer"]),
        .executableTarget(
            name: "proctor",
            dependencies: [
                "ProctorBase", "ProctorDocument", "ProctorExam", "ProctorGrading", "ProctorLoop", "ProctorScenario",
                "ProctorServer", "ProctorTLS", "ProctorTrace",
            ],
            swiftSettings: strict),
        module(
            "ProctorTesting",
            on: [
                "ProctorBase", "ProctorDocument", "ProctorRecorder", "ProctorTrace", "ProctorScenario",
                "ProctorGrading", "ProctorServer",
            ]),
        // What every adapter in Swift does around its client.
        module("ProctorAdapter", on: ["ProctorBase", "ProctorTrace"]),
        .executableTarget(
            name: "proctor-client-urlsession",
            dependencies: ["ProctorAdapter", "ProctorBase", "ProctorRecorder", "ProctorTrace"],
            swiftSettings: strict),
        module(
            "ProctorReference",
            on: ["ProctorBase", "ProctorHTTP", "ProctorCrypto", "ProctorCoding", "ProctorLoop", "ProctorTLS"]),
        // The reference client sits the exam; also broken on purpose, one rule at a time.
        module(
            "ProctorReferenceAdapter",
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorLoop", "ProctorTrace", "ProctorRecorder", "ProctorReference",
            ]),
        .executableTarget(
            name: "proctor-client-reference",
            dependencies: ["ProctorAdapter", "ProctorBase", "ProctorReferenceAdapter", "ProctorTrace"],
            swiftSettings: strict),

        tests(of: "ProctorBase"),
        tests(of: "ProctorHTTP", with: ["ProctorBase"]),
        tests(of: "ProctorCrypto", with: ["ProctorBase", "ProctorHTTP"]),
        tests(of: "ProctorDocument", with: ["ProctorBase"]),
        tests(of: "ProctorLoop", with: ["ProctorBase"]),
        tests(of: "ProctorTLS", with: ["ProctorBase", "ProctorDocument", "ProctorLoop", "COpenSSL"]),
        tests(of: "ProctorTrace", with: ["ProctorBase", "ProctorHTTP"]),
        tests(of: "ProctorCoding", with: ["ProctorBase"]),
        tests(
            of: "ProctorScenario",
            with: ["ProctorBase", "ProctorHTTP", "ProctorCoding", "ProctorDocument", "ProctorTrace"]),
        tests(
            of: "ProctorGrading",
            with: ["ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorScenario", "ProctorTrace"]),
        tests(
            of: "ProctorServer",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorCrypto", "ProctorCoding", "ProctorDocument", "ProctorLoop",
                "ProctorTLS", "ProctorScenario", "ProctorTrace", "ProctorGrading",
            ]),
        tests(
            of: "ProctorRecorder", with: ["ProctorBase", "ProctorHTTP", "ProctorTrace", "proctor-client-urlsession"]),
        tests(
            of: "ProctorExam",
            with: [
                "ProctorBase", "ProctorTrace", "ProctorScenario", "ProctorGrading", "ProctorServer",
                "ProctorRecorder", "proctor-client-urlsession",
            ],
            resources: [.copy("urlsession-linux.tsv")]),
        tests(of: "ProctorTesting", with: ["ProctorRecorder", "ProctorTrace", "ProctorGrading"]),
        tests(
            of: "ProctorReference", with: ["ProctorBase", "ProctorHTTP", "ProctorCoding", "ProctorLoop", "ProctorTLS"]),
        tests(
            of: "ProctorReferenceAdapter",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorTrace", "ProctorScenario", "ProctorGrading", "ProctorServer",
                "ProctorRecorder", "ProctorReference", "ProctorExam", "proctor-client-reference",
            ]),
        .testTarget(
            name: "ProctorCLITests", dependencies: ["proctor", "ProctorBase", "ProctorTrace", "ProctorTestSupport"],
            swiftSettings: strict),

        // What the tests share: how a program is run, and how long is waited.
        .target(
            name: "ProctorTestSupport", dependencies: ["ProctorBase"], path: "Tests/Support", swiftSettings: strict),
        .testTarget(
            name: "ProctorTestSupportTests", dependencies: ["ProctorTestSupport"], swiftSettings: strict),
    ]
)
