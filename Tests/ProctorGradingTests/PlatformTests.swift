import Foundation
import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorFixtures
import ProctorGrading
import ProctorRules
import Testing

/// The files of platforms that come with the project.
struct PlatformTests {
    private func platform(_ text: String) throws -> Platform {
        let (platform, diagnostics) = Platform.parse(Array(text.utf8), file: "p.yaml")
        #expect(diagnostics.map(\.description) == [])
        return try #require(platform)
    }

    // MARK: The files

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "clients/platforms")
    private static let names = [
        "corelibs-6.3", "darwin-classic", "darwin-legacy", "darwin-network", "gnustep", "reference-guide",
        "reference",
    ]

    @Test func `there are no other files`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.sorted() == Self.names.map { "\($0).yaml" })
    }

    @Test(arguments: names) func `a platform of the project can be read and has the name of its file`(name: String)
        throws
    {
        let bytes = Array(try Data(contentsOf: Self.folder.appending(path: "\(name).yaml")))
        let (platform, diagnostics) = Platform.parse(bytes, file: name)
        #expect(diagnostics.map(\.description) == [])
        #expect(platform?.name == name)
        let text = String(decoding: bytes, as: UTF8.self)
        // Darwin was never recorded here, and its files say so; the reference client is our own.
        #expect(text.contains("not from a recording") == (name != "corelibs-6.3" && !name.hasPrefix("reference")))
    }

    @Test func `the platforms of the reference client differ in what a refused redirect does to a download`() throws {
        func shipped(_ name: String) throws -> Platform {
            try platform(String(contentsOf: Self.folder.appending(path: "\(name).yaml"), encoding: .utf8))
        }
        var (one, other) = (try shipped("reference"), try shipped("reference-guide"))
        #expect(one.refusedDownloadRedirect == .cancel && other.refusedDownloadRedirect == .deliver)
        other.refusedDownloadRedirect = .cancel
        one.name = other.name
        #expect(one == other)
    }

    @Test func `the platform that was recorded has the values of the recordings`() throws {
        let bytes = Array(try Data(contentsOf: Self.folder.appending(path: "corelibs-6.3.yaml")))
        let platform = try #require(Platform.parse(bytes, file: "corelibs-6.3.yaml").platform)
        #expect(platform.redirectLimit == 20)
        #expect(platform.metrics == .absent)
        #expect(platform.lacks == [.metrics, .trustQuestion, .identityQuestion])
        #expect(
            platform.families == [.sessionData, .sessionDownload, .sessionHandler, .webSocket, .urlProtocol, .proto])
        #expect(platform.retriesSilently)
    }
}

/// The tables of exit codes in `clients/errors`.
struct ErrorTableFileTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../clients/errors"
    ).standardized

    private static func table(_ client: String) throws -> ErrorTable {
        let file = folder.appendingPathComponent("\(client).yaml")
        let (table, diagnostics) = ErrorTable.parse([UInt8](try Data(contentsOf: file)), file: file.lastPathComponent)
        return try #require(table, "\(diagnostics)")
    }

    @Test(arguments: ["curl", "wget", "wget2"]) func `every code has a name that traces know`(client: String) throws {
        let table = try Self.table(client)
        #expect(table.client == client)
        let names = (1...255).compactMap { table.error(ofExit: $0) }.filter { !$0.hasPrefix("\(client)#") }
        #expect(names.count >= 5)
        for name in names { #expect(URLErrorName.names.contains(name), "\(name)") }
    }

    @Test func `codes say what the manuals say`() throws {
        let curl = try Self.table("curl")
        #expect(curl.error(ofExit: 0) == nil && curl.error(ofExit: 22) == nil)
        #expect(curl.error(ofExit: 18) == "connectionLost" && curl.error(ofExit: 99) == "curl#99")
        let wget = try Self.table("wget")
        #expect(wget.error(ofExit: 8) == nil && wget.error(ofExit: 7) == "badServerResponse")
    }
}
