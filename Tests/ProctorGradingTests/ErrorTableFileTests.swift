import Foundation
import ProctorGrading
import ProctorTrace
import Testing

/// The tables of exit codes in `clients/errors`.
struct ErrorTableFileTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../clients/errors").standardized

    private static func table(_ client: String) throws -> ErrorTable {
        let file = folder.appendingPathComponent("\(client).yaml")
        let (table, diagnostics) = ErrorTable.parse([UInt8](try Data(contentsOf: file)), file: file.lastPathComponent)
        return try #require(table, "\(diagnostics)")
    }

    @Test(arguments: ["curl", "wget"])
    func `every code has a name that traces know`(client: String) throws {
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
