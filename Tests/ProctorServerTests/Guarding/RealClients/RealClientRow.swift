import Foundation
import Testing

/// A line of `Docs/auth-clients.md`: what one client made of one feature.
struct RealClientRow: Sendable, CustomTestStringConvertible {
    let client: RealClient
    let feature: RealClientFeature
    /// Result, verdicts and the journal's sentence.
    let cells: [String]

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The rows of the page, as they stand there.
    static let page: [RealClientRow] = (try? lines.map(RealClientRow.init)) ?? []

    static let lines: [String] = {
        let path = "\(Tools.project)/Docs/auth-clients.md"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    }()

    /// Every client with every feature that it has to do with.
    static let wanted: [(client: RealClient, feature: RealClientFeature)] = RealClient.allCases.flatMap { client in
        RealClientFeature.all.filter { client.groups.contains($0.group) }.map { (client, $0) }
    }

    init(_ line: String) throws {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 6, let client = RealClient(rawValue: cells[0].replacing("`", with: "")),
            let feature = RealClientFeature.all.first(where: { $0.name == cells[1] })
        else { throw Failure(description: "no row: \(line)") }
        self.client = client
        self.feature = feature
        self.cells = Array(cells[2...4])
    }

    var testDescription: String { "\(client.rawValue): \(feature.name)" }
}
