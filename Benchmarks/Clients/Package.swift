// swift-tools-version: 6.2
import PackageDescription

// Programs that make sequential GETs, to be measured side by side, and one that sleeps on a loop; a package of its own,
// so that users of the project do not build them.

// The loop, and the thread on which a session loads, are for the modules of the package alone, so such a program is compiled as a
// part of that. SwiftPM names a package after its folder, as an identifier; `packageAccess: false` keeps it from naming this package behind it.
let proctor = (Context.packageDirectory.split(separator: "/").dropLast(2).last ?? "").lowercased()
    .map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()

let inside: [SwiftSetting] = [
    .unsafeFlags(["-package-name", proctor]), .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
]

let package = Package(
    name: "proctor-bench-clients",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "proctor", path: "../..")],
    targets: [
        .executableTarget(
            name: "reference-gets", dependencies: [.product(name: "ProctorReference", package: "proctor")],
            path: "ReferenceGets", packageAccess: false, swiftSettings: inside),
        // The loop is part of what the reference client stands on.
        .executableTarget(
            name: "loop-beats", dependencies: [.product(name: "ProctorReference", package: "proctor")],
            path: "LoopBeats", packageAccess: false, swiftSettings: inside),
        .executableTarget(
            name: "urlsession-gets", path: "URLSessionGets",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
