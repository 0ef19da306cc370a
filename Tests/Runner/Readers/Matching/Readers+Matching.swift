import Foundation
import ProctorBase
import ProctorDocument
import ProctorFixtures
import ProctorHTTP
import ProctorJournal
import ProctorScenario

@testable import ProctorReplies
@testable import ProctorServer

extension ReaderRunner {
    static let matching: [String: DataReader] = [
        // `REQUEST OF AN EXCHANGE // REQUEST`. Words: `sni NAME`, `alpn NAME`, `identity NAME`, of a connection with TLS.
        "match": .text { text, block in try MatchReading(text, block).lines() },
        // `ID, ID // TARGET`: where a target leads.
        "mounted-id": .text { text, _ in
            let (ids, target) = text.cut(at: " // ")
            let all = ids.components(separatedBy: ", ")
            let found = MountTable(ids: all).find(Array((target ?? "").utf8).span)
            return found.map { [all[$0.position], String((target ?? "").dropFirst($0.end))].filter { !$0.isEmpty } }
                ?? ["none"]
        },
        // `ID, ID // TEXT`
        "nearest-id": .whole { input, _ in
            let (ids, name) = String(decoding: input, as: UTF8.self).cut(at: " // ")
            let all = ids == "-" ? [] : ids.components(separatedBy: ", ")
            return [NearestID(all).find((name ?? "").utf8) { all[$0] }.map { all[$0] } ?? "none"]
        },
    ]
}

/// Whether an exchange takes a request, and what it says of the differences where it does not.
private struct MatchReading {
    private let scenario: CompiledScenario
    private let request: [UInt8]
    private let security: SecurityFacts?

    init(_ text: String, _ block: Block) throws {
        let (pattern, request) = text.cut(at: " // ", last: true)
        guard let request else { throw TextError("expected REQUEST OF AN EXCHANGE // REQUEST") }
        self.request = try ShortRequest.bytes(request, line: block.line)
        let secured = pattern.contains("tls:")
        let origins = secured ? "origins: { main: { scheme: https, tls: { client-certificate: request } } }\n" : ""
        let yaml = "summary: s\n\(origins)exchanges: [{ request: \(pattern), reply: { status: 200 } }]\n"
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(yaml.utf8), id: "test/one", file: "test/one.yaml", folder: nil)
        guard let scenario else { throw TextError(diagnostics.map(\.description).joined(separator: "\n")) }
        self.scenario = CompiledScenario(scenario, checkHashes: { _ in })
        let facts = ["sni", "alpn", "identity"].map { block.value(of: $0).map { Array($0.utf8) } }
        security =
            facts.contains { $0 != nil }
            ? SecurityFacts(serverName: facts[0], applicationProtocol: facts[1], identity: facts[2]) : nil
    }

    /// Asked at once, and as a stage does it before its lock is taken.
    func lines() throws -> [String] {
        let plain = try view(nil)
        let verdict = scenario.exchanges[0].verdict(on: plain)
        let request = try view(scenario.comparison(for: plain.head) ?? Comparison())
        let headHolds = scenario.exchanges[0].matchesHead(of: request)
        let isCompared =
            scenario.compare(request, origin: 0, headsAlone: true)
            && scenario.compare(request, origin: 0, headsAlone: false)
        scenario.prepare(request, origin: 0)
        let compared = scenario.exchanges[0].verdict(on: request)
        if verdict == .holds {
            return compared == .holds && isCompared && headHolds ? ["holds"] : ["holds, but compared \(compared)"]
        }
        let miss = NearestExchange(request: plain, origin: 0).miss(in: scenario, isUsedUp: { _ in false }, next: nil)
        let told = miss.nearestExchange == nil ? ["not near"] : miss.differences
        return (compared == .holds ? ["compared holds"] : []) + told
    }

    private func view(_ comparison: Comparison?) throws -> RequestView {
        var reader = RequestReader()
        var offset = 0
        guard case .head(let head)? = reader.next(request.span, at: &offset) else { throw TextError("no request head") }
        let body = Array(request[offset...])
        let decoding = DecodedBody(head, body: body, gap: nil) {
            TemplateContext(base: Array("http://127.0.0.1:7".utf8), authorities: [Array("127.0.0.1:7".utf8)])
        }
        return RequestView(
            head: head, target: head.target, body: body, decoding: decoding, security: security, comparison: comparison)
    }
}
