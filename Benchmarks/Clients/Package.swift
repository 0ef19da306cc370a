// swift-tools-version: 6.2
import PackageDescription

// Programs that make sequential GETs, to be measured side by side, and one that sleeps on a loop; a package of its own, so that nobody who uses the
// project builds them.
let package = Package(
    name: "proctor-bench-clients",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "proctor", path: "../..")],
    targets: [
        .executableTarget(
            name: "reference-gets", dependencies: [.product(name: "ProctorReference", package: "proctor")],
            path: "ReferenceGets", swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        // The loop is part of what the reference client stands on.
        .executableTarget(
            name: "loop-beats", dependencies: [.product(name: "ProctorReference", package: "proctor")],
            path: "LoopBeats", swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "urlsession-gets", path: "URLSessionGets",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
