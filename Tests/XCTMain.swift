import Foundation
import Testing
import XCTest

@testable import ProctorTestingTests

/// Runs the tests that `swift test` asks for, on systems other than Apple's.
///
/// With this file SwiftPM looks for no tests of XCTest by itself, for which it would need an index of all that is compiled; and it
/// runs those of Swift Testing only where it is told to, as `make test` does.
@main
private enum TestRunner {
    static func main() async {
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        let hint =
            "proctor: these are the tests of XCTest alone; make test, or swift test --enable-swift-testing, runs the others\n"
        FileHandle.standardError.write(Data(hint.utf8))
        XCTMain([XCTestTests.entry])
    }
}
