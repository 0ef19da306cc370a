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

func tests(of name: String, with dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "ProctorTestSupport"] + dependencies,
        resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "proctor",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "proctor", targets: ["proctor"]),
        // The server for use inside a test process, with what its interface speaks of.
        .library(
            name: "ProctorServer", targets: ["ProctorServer", "ProctorGrading", "ProctorScenario", "ProctorTrace"]),
        // HTTP knowledge without I/O.
        .library(name: "ProctorHTTP", targets: ["ProctorHTTP"]),
    ],
    targets: [
        // C libraries of the system, one shim header each.
        .systemLibrary(
            name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"]), .brew(["libuv"])]),
        .systemLibrary(
            name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),

        // Arrows only point down; Docs/architecture.md says what each one is for.
        module("ProctorBase", on: []),
        module("ProctorHTTP", on: ["ProctorBase"]),
        module("ProctorDocument", on: ["ProctorBase", "CYAML"]),
        module("ProctorLoop", on: ["ProctorBase", "CUV"]),
        module("ProctorTrace", on: ["ProctorBase", "ProctorHTTP"]),
        module("ProctorScenario", on: ["ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorTrace"]),
        module(
            "ProctorGrading", on: ["ProctorBase", "ProctorHTTP", "ProctorScenario", "ProctorTrace", "ProctorDocument"]),
        module(
            "ProctorServer",
            on: [
                "ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorLoop", "ProctorScenario", "ProctorTrace",
                "ProctorGrading",
            ]),
        .executableTarget(
            name: "proctor",
            dependencies: [
                "ProctorBase", "ProctorDocument", "ProctorGrading", "ProctorLoop", "ProctorScenario", "ProctorServer",
            ],
            swiftSettings: strict),

        tests(of: "ProctorBase"),
        tests(of: "ProctorHTTP", with: ["ProctorBase"]),
        tests(of: "ProctorDocument", with: ["ProctorBase"]),
        tests(of: "ProctorLoop", with: ["ProctorBase"]),
        tests(of: "ProctorTrace", with: ["ProctorBase", "ProctorHTTP"]),
        tests(of: "ProctorScenario", with: ["ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorTrace"]),
        tests(
            of: "ProctorGrading",
            with: ["ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorScenario", "ProctorTrace"]),
        tests(
            of: "ProctorServer",
            with: [
                "ProctorBase", "ProctorHTTP", "ProctorDocument", "ProctorLoop", "ProctorScenario", "ProctorTrace",
                "ProctorGrading",
            ]),
        .testTarget(
            name: "ProctorCLITests", dependencies: ["proctor", "ProctorBase", "ProctorTestSupport"],
            swiftSettings: strict),

        // What the tests share: how a program is run, and how long is waited.
        .target(
            name: "ProctorTestSupport", dependencies: ["ProctorBase"], path: "Tests/Support", swiftSettings: strict),
        .testTarget(
            name: "ProctorTestSupportTests", dependencies: ["ProctorTestSupport"], swiftSettings: strict),
    ]
)
