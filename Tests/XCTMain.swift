import Testing
import XCTest

@testable import ProctorTestingTests

/// Runs the tests that `swift test` asks for, on systems other than Apple's.
///
/// With this file SwiftPM looks for no tests of XCTest by itself, for which it would need an index of all that is compiled.
@main
private enum TestRunner {
    static func main() async {
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain([XCTestTests.entry])
    }
}
