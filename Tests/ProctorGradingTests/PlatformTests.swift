import Foundation
import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorFixtures
import ProctorGrading
import ProctorRules
import Testing

/// Platforms: read from YAML, and the files that come with the project.
struct PlatformTests {
    private func platform(_ text: String) throws -> Platform {
        let (platform, diagnostics) = Platform.parse(Array(text.utf8), file: "p.yaml")
        #expect(diagnostics.map(\.description) == [])
        return try #require(platform)
    }

    private func mistakes(_ text: String) -> [String] {
        let (platform, diagnostics) = Platform.parse(Array(text.utf8), file: "p.yaml")
        #expect(platform == nil)
        return diagnostics.map(\.description)
    }

    @Test func `a platform holds what its file says`() throws {
        let platform = try platform(
            """
            platform: here
            redirectLimit: 7
            metrics: anyOrder
            informational: true
            cancelledChallenge: userCancelledAuthentication
            nilRedirectOfDownload: deliver
            redirectBody: stripped
            silentRetry: false
            uploadTotals: cumulative
            legacyCancel: silent
            families: [US, urlProtocol]
            rules: { R31: failure, r12: observation }
            """)
        var expected = Platform(name: "here")
        expected.redirectLimit = 7
        expected.metrics = .anyOrder
        expected.reportsInformational = true
        expected.cancelledChallengeOutcome = "userCancelledAuthentication"
        expected.refusedDownloadRedirect = .deliver
        expected.redirectBody = .stripped
        expected.retriesSilently = false
        expected.uploadTotals = .cumulative
        expected.legacyCancel = .silent
        expected.families = [.sessionData, .urlProtocol]
        expected.weights = [RuleNumber(31): .failure, RuleNumber(12): .observation]
        #expect(platform == expected)
    }

    @Test func `values that a file leaves out stay neutral`() throws {
        #expect(try platform("platform: neutral\nrules:\n") == Platform.neutral)
    }

    @Test func `everything that is wrong with a file is told with its place`() {
        #expect(
            mistakes(
                """
                platfrom: x
                metrics: maybe
                """) == [
                    #"p.yaml:1:1: error: unknown key "platfrom" in a platform; did you mean "platform"?"#,
                    #"p.yaml:1:1: error: a platform needs the key "platform""#,
                ])
        #expect(
            mistakes(
                """
                platform: x
                redirectLimit: -1
                metrics: requird
                informational: "yes"
                cancelledChallenge: ok
                families: [US, UX]
                rules: { R99: failure, R12: fail, twelve: failure }
                silentretry: true
                """) == [
                    "p.yaml:2:16: error: redirect limit is -1; permitted is 0 ... 1000",
                    #"p.yaml:3:10: error: unknown promise of metrics "requird"; did you mean "required"?"#,
                    #"p.yaml:4:16: error: expected a switch as true or false, found the text "yes""#,
                    #"p.yaml:5:21: error: "ok" is not the name of one error; write cancelled"#,
                    #"p.yaml:6:16: error: unknown family "UX"; did you mean "US"?"#,
                    #"p.yaml:7:10: error: unknown rule "R99"; rules are \#(Rules.span)"#,
                    #"p.yaml:7:29: error: unknown weight "fail"; permitted: failure, observation, harnessFault"#,
                    #"p.yaml:7:35: error: unknown rule "twelve"; rules are \#(Rules.span)"#,
                    #"p.yaml:8:1: error: unknown key "silentretry" in a platform; did you mean "silentRetry"?"#,
                ])
    }

    @Test func `a file that is no mapping gives no platform`() {
        #expect(mistakes("- US\n") == ["p.yaml:1:1: error: expected a platform as a mapping, found a list"])
        #expect(
            mistakes("platform: x\nfamilies: US\nrules: [R1]\n") == [
                #"p.yaml:2:11: error: expected families as a list, found "US""#,
                "p.yaml:3:8: error: expected rules as a mapping from number to weight, found a list",
            ])
        #expect(mistakes("platform: x\nfamilies: []\n") == ["p.yaml:2:11: error: a platform has at least one family"])
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

    @Test(arguments: ["curl", "wget"]) func `every code has a name that traces know`(client: String) throws {
        let table = try Self.table(client)
        #expect(table.client == client)
        let names = (1...255).compactMap { table.result(ofExit: $0).error }.filter { !$0.hasPrefix("\(client)#") }
        #expect(names.count >= 5)
        for name in names { #expect(URLErrorName.names.contains(name), "\(name)") }
    }

    @Test func `codes say what the manuals say`() throws {
        let curl = try Self.table("curl")
        #expect(curl.result(ofExit: 0).error == nil && curl.result(ofExit: 22).error == nil)
        #expect(curl.result(ofExit: 18).error == "connectionLost" && curl.result(ofExit: 99).error == "curl#99")
        let wget = try Self.table("wget")
        #expect(wget.result(ofExit: 8).error == nil && wget.result(ofExit: 7).error == "badServerResponse")
    }
}
