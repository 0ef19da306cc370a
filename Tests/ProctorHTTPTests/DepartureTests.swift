import Foundation
import ProctorHTTP
import Testing

/// The table of departures that are tolerated, and the page that is written from it.
struct DepartureTests {
    @Test func `each sign stands once, so that a judge's word names one departure`() {
        let signs = Departure.allCases.flatMap(\.row.signs)
        for (index, sign) in signs.enumerated() { #expect(signs.firstIndex(of: sign) == index) }
        #expect(Departure.allCases.allSatisfy { !$0.row.signs.isEmpty })
    }

    @Test func `what is a failure by itself is no departure to tolerate`() {
        #expect(Departure(.obsFold) == .requestGrammar && Departure(.badPercentEscape) == .requestGrammar)
        for kind in [Violation.Kind.requestAfterClose, .unansweredRequest, .badHost, .bareCR] {
            #expect(Departure(kind) == nil)
        }
        #expect(Departure(frameViolation: "reserved-bit") == .frameBits)
        #expect(Departure(frameViolation: "wrong-length") == nil)
        #expect(Departure(CredentialFault(.wrongPassword, "", section: "RFC 7617 §2")) == nil)
        #expect(Departure(CredentialFault(.wrongQuoting, "", section: "RFC 7616 §3.9.2")) == nil)
    }

    /// `PROCTOR_RECORD=tolerances make test ARGS="--filter DepartureTests"` writes the table anew.
    @Test func `the table of the documentation is the table of the code`() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../Docs/judging/verdicts.md").standardized
        let page = try String(contentsOf: path, encoding: .utf8)
        let (begin, end) = ("<!-- begin tolerances -->\n", "<!-- end tolerances -->")
        let parts = page.components(separatedBy: begin)
        try #require(parts.count == 2)
        let rest = parts[1].components(separatedBy: end)
        try #require(rest.count == 2)
        let table = Self.table
        if ProcessInfo.processInfo.environment["PROCTOR_RECORD"] == "tolerances" {
            try Data((parts[0] + begin + table + end + rest[1]).utf8).write(to: path)
        } else {
            #expect(rest[0] == table)
        }
    }

    private static var table: String {
        let rows = Departure.allCases.map { departure in
            let row = departure.row
            let signs = row.signs.map { sign in
                switch sign {
                case .credential(let kind, _): "credential `\(kind.rawValue)`"
                case .cookies(let kind): "cookies `\(kind.rawValue)`"
                case .violationsReadOver: "a violation that is [read over](violations.md)"
                case .frame(let name): "frames `\(name)`"
                case .repetition: "a request that came before"
                case .toldFact(let name): "the fact `\(name)` of a callback"
                }
            }
            let names = signs.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            return "| `\(departure.rawValue)` | \(row.section) | \(row.departure) | \(row.meaning) | "
                + "\(names.joined(separator: ", ")) | `\(row.owner)` |\n"
        }
        return "| name | section | the client | read as | told by | a case about it |\n|---|---|---|---|---|---|\n"
            + rows.joined()
    }
}
