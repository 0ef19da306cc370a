// swift-tools-version: 6.2
import PackageDescription

// Programs that make sequential GETs, to be measured side by side; a package of its own, so that nobody who uses the
// project builds them.
let package = Package(
    name: "proctor-bench-clients",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "proctor", path: "../..")],
    targets: [
        .executableTarget(
            name: "reference-gets", dependencies: [.product(name: "ProctorReference", package: "proctor")],
            path: "ReferenceGets", swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "urlsession-gets", path: "URLSessionGets",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
