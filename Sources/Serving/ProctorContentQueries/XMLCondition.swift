internal import ProctorBase
internal import ProctorScenario

/// XML that content is equal to, but for white space, prefixes, comments and the order of attributes.
struct XMLCondition: ContentCondition {
    let wanted: XMLDocument
    /// As the fixture writes it.
    let text: String

    var noun: String { "XML" }
    var example: String? { text }

    func verdict(on content: (any JudgedContent)?, within budget: WorkBudget?) -> Verdict {
        guard let content else { return .fails }
        do throws(SpentBudget) {
            guard case .value(let document) = try content.xml(within: budget) else { return .fails }
            return Verdict(try document.difference(from: wanted, within: budget) == nil)
        } catch {
            return .undecided
        }
    }

    func differences(in content: (any JudgedContent)?, within budget: WorkBudget?) -> [String] {
        switch DecodedContent.reading(content, { content throws(SpentBudget) in try content.xml(within: budget) }) {
        case .other(let got): return ["body: wanted XML, got \(got)"]
        case .value(let document):
            do throws(SpentBudget) {
                return try document.difference(from: wanted, within: budget).map { ["body \($0)"] } ?? []
            } catch {
                return ["body: wanted XML; no answer, since \(error)"]
            }
        }
    }
}

extension JudgedContent {
    func xml(within budget: WorkBudget?) throws(SpentBudget) -> DecodedContent<XMLDocument> {
        try value(of: "XML", within: budget) { body throws(LineFault) in try XMLDocument(parsing: body) }
    }
}
