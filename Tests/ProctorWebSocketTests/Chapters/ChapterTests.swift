import ProctorWebSocket
import Testing

/// What Autobahn's chapters ask, by behaviour; the numbers at the beginning of a name are theirs.
@Suite struct ChapterTests {
    static let rows =
        FrameRows.rows + FragmentRows.rows + TextRows.rows + CloseRows.rows + LimitRows.rows
        + CompressionRows.rows

    @Test(arguments: rows) func `frames make these events for either end`(_ row: Row) {
        for role in WebSocketRole.allCases { #expect(row.found(by: role) == row.wanted(to: role), "\(role)") }
    }

    @Test func `the names of rows differ`() {
        #expect(Set(Self.rows.map(\.name)).count == Self.rows.count)
        #expect(Self.rows.count >= 200)
    }

    @Test func `every violation of the rows has its section, place and sentence`() {
        var kinds: Set<WebSocketViolation.Kind> = [
            .maskMissing, .maskPresent, .endedWithinFrame, .endedWithinMessage, .endedWithoutClose,
        ]
        for row in Self.rows where row.frames.count < 100 {
            for violation in row.events(to: .server).violations {
                kinds.insert(violation.kind)
                #expect(violation.section.hasPrefix("RFC ") && violation.offset >= 0)
                #expect(violation.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
                #expect(violation.description.contains("at byte \(violation.offset)"))
            }
        }
        #expect(Set(WebSocketViolation.Kind.allCases).subtracting(kinds).map(\.rawValue) == [])
    }
}
