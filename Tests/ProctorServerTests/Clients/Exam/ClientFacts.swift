import Foundation
import ProctorScenario

/// The facts that only the client can tell, as far as these clients do: status, URL and body.
struct ClientFacts {
    let reports: [ClientReport]
    let context: TemplateContext

    /// One sentence for each fact that does not hold.
    func failures(of item: Case) -> [String] {
        item.facts.compactMap { fact in
            guard case .client(let step, let name) = fact.name, reports.indices.contains(step),
                let told = value(of: name, reports[step]), let wanted = text(fact.expected), told != wanted
            else { return nil }
            let error = reports[step].error.map { "; the client says: \($0)" } ?? ""
            return "\(fact.name.text): wanted \"\(wanted)\", the client tells \"\(told)\"\(error)"
        }
    }

    private func value(of fact: FactName.ClientFact, _ report: ClientReport) -> String? {
        switch fact {
        case .status: report.status.map(String.init) ?? "no response"
        case .url: report.url
        case .body: report.body.map { String(decoding: $0, as: UTF8.self) }
        case .bodyLength: String(report.byteCount)
        case .mime, .suggestedName, .expectedLength, .error: nil
        }
    }

    private func text(_ expected: Fact.Expectation) -> String? {
        guard case .text(let template) = expected else { return nil }
        return String(decoding: template.rendered(in: context), as: UTF8.self)
    }
}
