import Foundation
import ProctorProgram
import ProctorScenario

/// A client of Python's own library, in processes that take a program for each line.
struct PythonAdapter: ClientAdapter {
    let name: String
    private let workers: LineWorkers
    private let followsRedirects: Bool

    /// `urllib.request`: redirects are followed by its own handler, or refused as its manual says.
    static let urllib = PythonAdapter(
        name: "python-urllib", workers: LineWorkers(Tools.script("urllib_walker.py")), followsRedirects: true)

    /// `http.client`: takes a request-target, and leaves everything else to its caller.
    static let httpClient = PythonAdapter(
        name: "python-http-client", workers: LineWorkers(Tools.script("http_client_walker.py")),
        followsRedirects: false)

    func version() throws -> String {
        try Tools.version(of: Tools.python)
    }

    func reasonToSkip(_ item: Case, of scenario: Scenario) -> SkipReason? {
        if let reason = item.reasonToSkipWithoutCallbacks { return reason }
        let credentials = item.client.flatMap { $0.onChallenge.compactMap(\.credential) }
        if !followsRedirects, !credentials.isEmpty { return .answersNothing }
        if credentials.contains(where: { $0.token != nil }) { return .knowsNoTokens }
        if !followsRedirects, item.client.contains(where: { $0.session?.proxy != nil }) { return .hasNoProxy }
        if scenario.isCodedUnasked { return .decodesNothing }
        if item.client.contains(where: { $0.session?.resourceTimeout != nil }) { return .boundsNoLoad }
        guard !followsRedirects, scenario.redirects, item.client.contains(where: \.follows) else { return nil }
        return .followsNothing
    }

    func perform(_ steps: [ClientStep]) async throws -> [ClientReport] {
        struct Program: Encodable {
            let steps: [ClientStep]
            let names: [Assignment.NamedHost]
        }
        struct Answer: Decodable { let steps: [ClientReport] }
        let line = try JSONEncoder().encode(Program(steps: steps, names: steps.first?.names ?? []))
        let answer = try await workers.ask([UInt8](line), within: ClientTimes.whole)
        return try JSONDecoder().decode(Answer.self, from: Data(answer)).steps
    }
}

extension Scenario {
    /// Whether a reply sends the client elsewhere, so that RFC 9110 §15.4 speaks of following it.
    fileprivate var redirects: Bool {
        exchanges.contains { exchange in
            exchange.replies.contains { reply in
                guard case .structured(let message) = reply.message else { return false }
                return [301, 302, 303, 307, 308].contains(message.status)
                    && message.headers.contains { String(decoding: $0.name, as: UTF8.self).lowercased() == "location" }
            }
        }
    }
}
