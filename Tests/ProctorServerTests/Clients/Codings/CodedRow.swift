import ProctorCoding
import ProctorScenario
import Testing

/// A reply of `fixtures/coding` whose content is coded, with what is to be thought of it.
struct CodedRow: Sendable, CustomTestStringConvertible {
    let scenario: Scenario
    let path: String
    /// The first one was applied first.
    let steps: [CodingStep]
    /// What a client has to offer to get it; empty: everybody gets it.
    let accepted: String
    /// Whether the head tells of the coding.
    let isSaid: Bool
    /// Before it was coded.
    let content: [UInt8]

    var testDescription: String { "\(scenario.id) \(accepted)" }

    /// Whether every decoder of the codings has to take it.
    var isWellFormed: Bool {
        steps.allSatisfy { step in
            !step.hasWrongChecksum && !step.gzip.hasWrongLength && step.missingByteCount == 0 && step.trailing.isEmpty
        }
    }

    /// Every 200 that answers a GET and whose connection comes to its proper end; one for each coding that is offered.
    static let all: [CodedRow] = ClientCase.library.scenarios.filter { $0.id.hasPrefix("coding/") }
        .flatMap { scenario in scenario.exchanges.flatMap { rows(scenario, $0) } }

    private static func rows(_ scenario: Scenario, _ exchange: Exchange) -> [CodedRow] {
        guard let reply = exchange.replies.first, reply.effects.isEmpty,
            case .structured(let message) = reply.message, message.status == 200,
            let coding = message.coding, coding.place == .content,
            exchange.request.methods?.contains(Array("GET".utf8)) ?? true, let path = exchange.request.target.exactBytes
        else { return [] }
        let context = TemplateContext(base: [], authorities: [])
        let content = message.body.flatMap { piece in
            if case .bytes(let source) = piece { (try? source.bytes(in: context)) ?? [] } else { [UInt8]() }
        }
        func row(_ steps: [CodingStep], accepted: String) -> CodedRow {
            let isSaid =
                coding.label != .absent
                || message.headers.contains { $0.name.elementsEqual("Content-Encoding".utf8) }
            return CodedRow(
                scenario: scenario, path: String(decoding: path, as: UTF8.self), steps: steps, accepted: accepted,
                isSaid: isSaid, content: content)
        }
        return switch coding.plan {
        case .apply(let steps): [row(steps, accepted: "")]
        case .negotiate(let steps): steps.map { row([$0], accepted: $0.coding.rawValue) }
        }
    }
}
