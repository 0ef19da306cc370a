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
            name: "FuzzReading", dependencies: ["FuzzSupport", .product(name: "ProctorServer", package: "proctor")],
            path: "Targets/FuzzReading", packageAccess: false, swiftSettings: strict),
        fuzzer("FuzzRequestReader", of: "ProctorServer", with: ["FuzzReading"]),
        fuzzer("FuzzReplyReader", of: "ProctorServer", with: ["FuzzReading"]),
        fuzzer("FuzzHTTP2", of: "ProctorServer"),
        fuzzer("FuzzHTTP3", of: "ProctorServer"),
        fuzzer("FuzzQPACK", of: "ProctorServer"),
        fuzzer("FuzzQUIC", of: "ProctorFuzzed"),
        fuzzer("FuzzTLS", of: "ProctorServer"),
        fuzzer("FuzzWebSocket", of: "ProctorServer"),
        fuzzer("FuzzSOCKS", of: "ProctorServer"),
        fuzzer("FuzzNTLM", of: "ProctorServer"),
        fuzzer("FuzzDNS", of: "ProctorServer"),
        fuzzer("FuzzNegotiate", of: "ProctorServer"),
        fuzzer("FuzzScenario", of: "ProctorServer"),
        fuzzer("FuzzURL", of: "ProctorServer"),
        fuzzer("FuzzFields", of: "ProctorFuzzed"),
        fuzzer("FuzzCredentials", of: "ProctorFuzzed"),
        fuzzer("FuzzForms", of: "ProctorServer"),
        fuzzer("FuzzEvents", of: "ProctorServer"),
        fuzzer("FuzzCookies", of: "ProctorServer"),
        fuzzer("FuzzNotation", of: "ProctorServer"),
        fuzzer("FuzzScript", of: "ProctorServer"),
        fuzzer("FuzzTrace", of: "ProctorServer"),
        fuzzer("FuzzDecoder", of: "ProctorServer"),
        fuzzer("FuzzArchives", of: "ProctorServer"),
        fuzzer("FuzzJSON", of: "ProctorServer"),
        fuzzer("FuzzPointer", of: "ProctorServer"),
        fuzzer("FuzzExpressions", of: "ProctorServer"),
        fuzzer("FuzzProtobuf", of: "ProctorServer"),
        fuzzer("FuzzSchema", of: "ProctorServer"),
        fuzzer("FuzzImport", of: "ProctorFuzzed"),
        fuzzer("FuzzMarkdown", of: "ProctorFuzzed"),
    ] + (hasQUIC ? [fuzzer("FuzzQUICPackets", of: "ProctorQUIC")] : [])
)
