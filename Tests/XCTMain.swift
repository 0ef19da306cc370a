import Testing
import XCTest

@testable import ProctorTestingTests

/// Where the tests begin on Linux. SwiftPM would write this file by the compiler's index, which takes a fourteenth of a build;
/// with a file of this name it needs none. Apple's systems find tests at run time, and pass over it.
@main
struct Runner {
    static func main() async {
        let words = CommandLine.arguments
        if words.indices.contains(where: { words[$0...].starts(with: ["--testing-library", "swift-testing"]) }) {
            await Testing.__swiftPMEntryPoint() as Never
        }
        XCTMain([testCase(XCTestTests.all)])
    }
}
