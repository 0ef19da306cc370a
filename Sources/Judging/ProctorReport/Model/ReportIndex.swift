internal import ProctorBase
internal import ProctorHTML

/// The failures by scenario in the compact data of a report; see ``ReportData``.
package struct ReportIndex: Sendable {
    /// How many cases of one kind each client failed in one scenario.
    package struct Line: Sendable {
        /// The kind, `must` or `should`.
        package let kind: String
        package let failed: [(client: String, count: Int)]
        /// The number of clients that passed every case in which they were judged.
        package let passedCount: Int
    }

    package let clients: [String]
    private let lines: [String: [Line]]

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
        let data: JSONTree
        do throws(LineFault) {
            let line = bytes.last == 0x0A ? Array(bytes.dropLast()) : bytes
            data = try JSONTree.read(line.span)
        } catch {
            throw Fault(sentence: "it is no JSON: \(error.sentence) (byte \(error.offset))")
        }
        guard data["format"].string == ReportData.format else {
            throw Fault(sentence: "its format is not '\(ReportData.format)'; make the report again")
        }
        let clients = data["clients"].items.map { $0["name"].string ?? "" }
        let kinds = data["kinds"].items.map { $0.string ?? "" }
        let marks = data["marks"].items.map { Array(($0.string ?? "").utf8) }
        // By scenario, and then by kind, the outcomes of each client.
        var tallies: [String: [[Tally]]] = [:]
        let none = kinds.map { _ in clients.map { _ in Tally() } }
        for (index, row) in data["cases"].items.enumerated() {
            let cells = row.items
            guard cells.count >= 3, let scenario = cells[0].string, case .number(let number) = cells[2],
                let kind = number.integer, kinds.indices.contains(kind)
            else { continue }
            for (client, letters) in zip(clients.indices, marks) where index < letters.count {
                tallies[scenario, default: none][kind][client].add(letters[index])
            }
        }
        self.clients = clients
        lines = tallies.mapValues { ofKinds in
            zip(kinds, ofKinds).filter { $0.0 != "observes" }.map { kind, ofClients in
                Line(
                    kind: kind,
                    failed: zip(clients, ofClients).compactMap { client, tally in
                        tally.failedCount > 0 ? (client, tally.failedCount) : nil
                    }, passedCount: ofClients.count { $0.failedCount == 0 && $0.hasPassed })
            }.filter { !$0.failed.isEmpty || $0.passedCount > 0 }
        }
    }
}

/// The outcomes of one client in the cases of one kind of a scenario.
private struct Tally {
    var failedCount = 0
    var hasPassed = false

    mutating func add(_ letter: UInt8) {
        if "fhck".utf8.contains(letter) { failedCount += 1 }
        if "px".utf8.contains(letter) { hasPassed = true }
    }
}
