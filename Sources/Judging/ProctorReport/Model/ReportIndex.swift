internal import ProctorBase
internal import ProctorHTML

/// The failures by scenario in the compact data of a report; see ``ReportData``.
package struct ReportIndex: Sendable {
    /// How many cases of one kind each client failed in one scenario.
    package struct Line: Sendable, Equatable {
        /// The kind, `must` or `should`.
        package let kind: String
        package var failed: [(client: String, count: Int)] = []
        /// The number of clients that passed every case in which they were judged.
        package var passedCount = 0

        package static func == (left: Line, right: Line) -> Bool {
            left.kind == right.kind && left.passedCount == right.passedCount
                && left.failed.elementsEqual(right.failed, by: ==)
        }
    }

    package let clients: [String]
    private var lines: [String: [Line]] = [:]

    /// Why a file is not the data of a report.
    package struct Fault: Error, Sendable {
        package let sentence: String
    }

    /// The lines for kinds that bind and in which a client was judged; empty for a scenario that the report lacks.
    package func lines(of scenario: String) -> [Line] { lines[scenario] ?? [] }

    /// The path of the page of the scenario's family, below the folder of the report.
    package static func path(of scenario: String) -> String {
        let name = scenario.split(separator: "/").last.map(String.init) ?? scenario
        return "\(SitePath.family(Report.family(of: scenario)))#scenario-\(name)"
    }

    package static let file = SitePath.data
    package static let firstPage = SitePath.index
    /// The beginning of the links above each page's content.
    package static let trail = SitePage.trail.bytes

    package init(parsing bytes: [UInt8]) throws(Fault) {
        let document: JSONDocument
        do throws(LineFault) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw Fault(sentence: "it is no JSON: \(error.sentence) (byte \(error.offset))")
        }
        guard Self.text(document, document.child(of: 0, "format")) == ReportData.format else {
            throw Fault(sentence: "its format is not '\(ReportData.format)'; make the report again")
        }
        clients = Self.list(document, "clients").map { Self.text(document, document.child(of: $0, "name")) ?? "" }
        let kinds = Self.list(document, "kinds").map { Self.text(document, $0) ?? "" }
        let marks = Self.list(document, "marks").map { Array(Self.bytes(document, $0)) }
        var tallies: [String: [Tally]] = [:]
        for (index, row) in Self.list(document, "cases").enumerated() {
            let parts = Array(document.children(of: row))
            guard parts.count >= 3, let scenario = Self.text(document, parts[0]),
                let place = Int(String(decoding: document.text(of: parts[2]), as: UTF8.self)),
                kinds.indices.contains(place), kinds[place] != "observes"
            else { continue }
            var tally = tallies[scenario]?.first { $0.kind == kinds[place] } ?? Tally(kinds[place], clients.count)
            for (client, letters) in marks.enumerated() where client < clients.count && index < letters.count {
                tally.add(letters[index], of: client)
            }
            tallies[scenario, default: []].removeAll { $0.kind == tally.kind }
            tallies[scenario, default: []].append(tally)
        }
        lines = tallies.mapValues { [clients] tallies in tallies.map { $0.line(clients) } }
    }

    // MARK: Reading

    private static func list(_ document: JSONDocument, _ key: String) -> [Int] {
        document.child(of: 0, key).map { Array(document.children(of: $0)) } ?? []
    }

    private static func bytes(_ document: JSONDocument, _ index: Int?) -> [UInt8] {
        guard let index, case .text(let bytes) = document.values[index].kind else { return [] }
        return bytes
    }

    private static func text(_ document: JSONDocument, _ index: Int?) -> String? {
        guard let index, case .text(let bytes) = document.values[index].kind else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The outcomes of one scenario in cases of one kind, by client.
private struct Tally {
    let kind: String
    private var failed: [Int]
    private var passed: [Int]

    init(_ kind: String, _ clientCount: Int) {
        self.kind = kind
        failed = Array(repeating: 0, count: clientCount)
        passed = failed
    }

    mutating func add(_ letter: UInt8, of client: Int) {
        switch letter {
        case UInt8(ascii: "f"), UInt8(ascii: "h"), UInt8(ascii: "c"), UInt8(ascii: "k"): failed[client] += 1
        case UInt8(ascii: "p"), UInt8(ascii: "x"): passed[client] += 1
        default: break
        }
    }

    func line(_ clients: [String]) -> ReportIndex.Line {
        var line = ReportIndex.Line(kind: kind)
        for (client, name) in clients.enumerated() {
            if failed[client] > 0 {
                line.failed.append((name, failed[client]))
            } else if passed[client] > 0 {
                line.passedCount += 1
            }
        }
        return line
    }
}
