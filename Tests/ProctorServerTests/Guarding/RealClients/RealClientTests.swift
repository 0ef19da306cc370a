import Foundation
import ProctorGrading
import ProctorTestSupport
import Testing

/// Programs and libraries that people use answer challenges; what comes of it stands in `Docs/auth-clients.md`.
struct `Clients that answer challenges` {
    @Test(arguments: RealClientRow.page)
    func `a client does what the page says`(row: RealClientRow) async throws {
        let (product, writtenFor) = row.client.writtenFor
        guard let version = try row.client.version() else {
            try Test.cancel("no \(product); Scripts/install-packages.sh test installs it")
        }
        let walk = try await RealClientWalk.take(row.client, row.feature)
        guard walk.cells != row.cells else { return }
        let isTheOne = version == writtenFor || version.hasPrefix(writtenFor + ".")
        let note = isTheOne ? "" : "the page is written for \(writtenFor), this is \(version)\n"
        Issue.record(
            "\(note)the page says \(row.cells), seen: \(walk.cells)\n\(walk.account)",
            severity: isTheOne ? .error : .warning)
    }

    @Test func `the page has a row for every client and every feature that it has to do with`() throws {
        let rows = try RealClientRow.lines.map(RealClientRow.init)
        let told = rows.map(\.testDescription)
        let wanted = RealClientRow.wanted.map { "\($0.client.rawValue): \($0.feature.name)" }
        #expect(told == wanted)
    }
}
