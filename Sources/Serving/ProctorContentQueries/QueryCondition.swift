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

    func prepare(_ content: any JudgedContent) {
        for value in values {
            switch value.query {
            case .xml: _ = content.xml
            case .json: _ = content.json
            }
        }
    }

    func verdict(on content: (any JudgedContent)?, within budget: WorkBudget?) -> Verdict {
        values.all { value in
            switch content.flatMap({ value.query.result(in: $0, within: budget) }) {
            case .success(let found)?: value.condition.verdict(onAnyOf: found, within: budget)
            case .failure?: .undecided
            case nil: .fails
            }
        }
    }

    func differences(in content: (any JudgedContent)?, within budget: WorkBudget?) -> [String] {
        values.compactMap { value in
            let what = "body \(value.query.text)"
            switch content.flatMap({ value.query.result(in: $0, within: budget) }) {
            case .success(let found)?:
                guard value.condition.verdict(onAnyOf: found, within: budget) != .holds else { return nil }
                return NearestExchange.sentence(what, value.condition, Array(found.prefix(5)), budget)
            case .failure(let bound)?: return "\(what): no answer, since \(bound)"
            case nil: return "\(what): \(value.query.misfit(of: content))"
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

    /// What the query finds, or the bound that ended it; nil where the content is not of its language.
    fileprivate func result(in content: any JudgedContent, within budget: WorkBudget?) -> Result<
        [[UInt8]], SpentBudget
    >? {
        switch self {
        case .xml(let path):
            guard case .value(let document) = content.xml else { return nil }
            return Result { () throws(SpentBudget) in try path.result(in: document, within: budget).values }
        case .json(let path):
            guard case .value(let document) = content.json else { return nil }
            return Result { () throws(SpentBudget) in
                try path.places(in: document, within: budget).map { place in
                    if case .text(let text) = document.values[place].kind {
                        text
                    } else {
                        Array(document.text(of: place))
                    }
                }
            }
        }
    }

    /// `wanted XML, got no content`.
    fileprivate func misfit(of content: (any JudgedContent)?) -> String {
        var (language, got) = ("", unreadContent)
        switch self {
        case .xml:
            language = "XML"
            if case .other(let text)? = content?.xml { got = text }
        case .json:
            language = "JSON"
            if case .other(let text)? = content?.json { got = text }
        }
        return "wanted \(language), got \(got)"
    }
}
