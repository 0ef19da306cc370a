// swift-tools-version: 6.2
import PackageDescription

// An adapter for a client of one's own, on the public product ProctorRecorder: no C library is needed.
let package = Package(
    name: "tiny",
    platforms: [.macOS(.v15)],
    // Outside of this checkout: .package(url: …) of the repository.
    dependencies: [.package(name: "proctor", path: "../../..")],
    targets: [
        .executableTarget(name: "tiny", dependencies: [.product(name: "ProctorRecorder", package: "proctor")])
    ]
)
