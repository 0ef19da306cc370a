// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the one above it knows nothing of libFuzzer. Scripts/fuzz.sh builds and runs it.

// The targets feed parsers that no user of the package sees, so they are compiled as a part of that package. SwiftPM names
// a package after its folder, as an identifier; `packageAccess: false` keeps it from naming this one behind it.
let proctor = (Context.packageDirectory.split(separator: "/").dropLast().last ?? "").lowercased()
    .map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()

let strict: [SwiftSetting] = [
    .unsafeFlags(["-package-name", proctor]),
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// As in the package above.
let hasQUIC = !Context.environment["PROCTOR_QUIC", default: ""].isEmpty

/// A program whose `main` is libFuzzer's.
func fuzzer(_ name: String, of product: String, with support: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: ["FuzzSupport", .product(name: product, package: "proctor")] + support,
        path: "Targets/\(name)", packageAccess: false, swiftSettings: strict)
}

let package = Package(
    name: "proctor-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "proctor", path: "..")],
    targets: [
        .target(name: "FuzzSupport", path: "Targets/FuzzSupport", packageAccess: false, swiftSettings: strict),
        // What the two readers' targets share.
        .target(
            name: "FuzzReading", dependencies: ["FuzzSupport", .product(name: "ProctorReaders", package: "proctor")],
            path: "Targets/FuzzReading", packageAccess: false, swiftSettings: strict),
        fuzzer("FuzzRequestReader", of: "ProctorReaders", with: ["FuzzReading"]),
        fuzzer("FuzzReplyReader", of: "ProctorReaders", with: ["FuzzReading"]),
        fuzzer("FuzzHTTP2", of: "ProctorReaders"),
        fuzzer("FuzzHTTP3", of: "ProctorReaders"),
        fuzzer("FuzzQPACK", of: "ProctorReaders"),
        fuzzer("FuzzQUIC", of: "ProctorReaders"),
        fuzzer("FuzzTLS", of: "ProctorReaders"),
        fuzzer("FuzzWebSocket", of: "ProctorReaders"),
        fuzzer("FuzzSOCKS", of: "ProctorReaders"),
        fuzzer("FuzzNTLM", of: "ProctorReaders"),
        fuzzer("FuzzDNS", of: "ProctorReaders"),
        fuzzer("FuzzNegotiate", of: "ProctorReaders"),
        fuzzer("FuzzScenario", of: "ProctorFuzzed"),
        fuzzer("FuzzURL", of: "ProctorReaders"),
        fuzzer("FuzzFields", of: "ProctorReaders"),
        fuzzer("FuzzCredentials", of: "ProctorFuzzed"),
        fuzzer("FuzzForms", of: "ProctorReaders"),
        fuzzer("FuzzEvents", of: "ProctorReaders"),
        fuzzer("FuzzCookies", of: "ProctorReaders"),
        fuzzer("FuzzNotation", of: "ProctorReaders"),
        fuzzer("FuzzScript", of: "ProctorReaders"),
        fuzzer("FuzzTrace", of: "ProctorReaders"),
        fuzzer("FuzzDecoder", of: "ProctorReaders"),
        fuzzer("FuzzArchives", of: "ProctorReaders"),
        fuzzer("FuzzJSON", of: "ProctorFuzzed"),
        fuzzer("FuzzPointer", of: "ProctorReaders"),
        fuzzer("FuzzExpressions", of: "ProctorReaders"),
        fuzzer("FuzzProtobuf", of: "ProctorReaders"),
        fuzzer("FuzzSchema", of: "ProctorReaders"),
        fuzzer("FuzzImport", of: "ProctorFuzzed"),
        fuzzer("FuzzMarkdown", of: "ProctorReaders"),
    ] + (hasQUIC ? [fuzzer("FuzzQUICPackets", of: "ProctorQUIC")] : [])
)
