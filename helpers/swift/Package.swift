// swift-tools-version: 5.9
import PackageDescription

// `make dist` puts proctor.artifactbundle.zip beside this file.
let package = Package(
    name: "proctor-program",
    products: [.plugin(name: "ProctorCommand", targets: ["ProctorCommand"])],
    targets: [
        .binaryTarget(name: "proctor", path: "proctor.artifactbundle.zip"),
        .plugin(
            name: "ProctorCommand",
            capability: .command(
                intent: .custom(verb: "proctor", description: "Run proctor, a test server for HTTP clients")),
            dependencies: ["proctor"]),
    ]
)
