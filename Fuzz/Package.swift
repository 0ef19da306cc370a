// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the one above it knows nothing of libFuzzer. Scripts/fuzz.sh builds and runs it.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// A program whose `main` is libFuzzer's.
func fuzzer(_ name: String, of product: String, with support: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: ["FuzzSupport", .product(name: product, package: "proctor")] + support,
        path: "Targets/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "proctor-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "proctor", path: "..")],
    targets: [
        .target(name: "FuzzSupport", path: "Targets/FuzzSupport", swiftSettings: strict),
        // What the two readers' targets share.
        .target(
            name: "FuzzReading", dependencies: ["FuzzSupport", .product(name: "ProctorHTTP", package: "proctor")],
            path: "Targets/FuzzReading", swiftSettings: strict),
        fuzzer("FuzzRequestReader", of: "ProctorHTTP", with: ["FuzzReading"]),
        fuzzer("FuzzReplyReader", of: "ProctorHTTP", with: ["FuzzReading"]),
        fuzzer("FuzzScenario", of: "ProctorServer"),
        fuzzer("FuzzURL", of: "ProctorHTTP"),
        fuzzer("FuzzFields", of: "ProctorHTTP"),
        fuzzer("FuzzCredentials", of: "ProctorHTTP"),
        fuzzer("FuzzForms", of: "ProctorHTTP"),
        fuzzer("FuzzCookies", of: "ProctorHTTP"),
        fuzzer("FuzzNotation", of: "ProctorServer"),
        fuzzer("FuzzTrace", of: "ProctorServer"),
        fuzzer("FuzzDecoder", of: "ProctorServer"),
        fuzzer("FuzzArchives", of: "ProctorServer"),
    ]
)
