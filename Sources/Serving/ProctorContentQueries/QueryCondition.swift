internal import ProctorBase
internal import ProctorReplies
internal import ProctorScenario

/// Conditions on what queries of one language find in content, all of which must hold; null is for what is not found.
struct QueryCondition: ContentCondition {
    /// Never empty.
    let values: [Value]

    struct Value: Sendable {
        let query: Query
        let condition: ValueCondition
    }

    enum Query: Sendable {
        case xml(XPath)
        case json(JSONPath)
    }

    var noun: String { "a query of XPath or JSONPath" }
    var example: String? { nil }

    func verdict(on content: (any JudgedContent)?, within budget: WorkBudget?) -> Verdict {
        values.all { value in
            switch value.query.result(in: content, within: budget) {
            case .values(let found): value.condition.verdict(onAnyOf: found, within: budget)
            case .noAnswer: .undecided
            case .misfit: .fails
            }
        }
    }

    func differences(in content: (any JudgedContent)?, within budget: WorkBudget?) -> [String] {
        values.compactMap { value in
            let what = "body \(value.query.text)"
            switch value.query.result(in: content, within: budget) {
            case .values(let found):
                guard value.condition.verdict(onAnyOf: found, within: budget) != .holds else { return nil }
                return NearestExchange.sentence(what, value.condition, Array(found.prefix(5)), budget)
            case .noAnswer(let bound): return "\(what): no answer, since \(bound)"
            case .misfit(let sentence): return "\(what): \(sentence)"
            }
        }
    }
}

extension QueryCondition.Query {
    fileprivate var text: String {
        switch self {
        case .xml(let path): path.text
        case .json(let path): path.text
        }
    }

    fileprivate enum Result {
        case values([[UInt8]])
        /// The content is not of the query's language: `wanted XML, got no content`.
        case misfit(String)
        case noAnswer(SpentBudget)
    }

    fileprivate func result(in content: (any JudgedContent)?, within budget: WorkBudget?) -> Result {
        guard let content else { return .misfit(misfit(unreadContent)) }
        do throws(SpentBudget) {
            switch self {
            case .xml(let path):
                switch try content.xml(within: budget) {
                case .other(let got): return .misfit(misfit(got))
                case .value(let document): return .values(try path.result(in: document, within: budget).values)
                }
            case .json(let path):
                switch try content.json(within: budget) {
                case .other(let got): return .misfit(misfit(got))
                case .value(let document): return .values(try path.texts(in: document, within: budget))
                }
            }
        } catch {
            return .noAnswer(error)
        }
    }

    private func misfit(_ got: String) -> String {
        switch self {
        case .xml: "wanted XML, got \(got)"
        case .json: "wanted JSON, got \(got)"
        }
    }
}
