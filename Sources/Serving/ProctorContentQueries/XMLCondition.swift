internal import ProctorBase
internal import ProctorScenario

/// XML that content is equal to, but for white space, prefixes, comments and the order of attributes.
struct XMLCondition: ContentCondition {
    let wanted: XMLDocument
    /// As the fixture writes it.
    let text: String

    var noun: String { "XML" }
    var example: String? { text }

    func prepare(_ content: any JudgedContent) { _ = content.xml }

    func verdict(on content: (any JudgedContent)?, within budget: WorkBudget?) -> Verdict {
        guard case .value(let document) = content?.xml else { return .fails }
        guard budget == nil || (try? budget?.spend(document.nodes.count)) != nil else { return .undecided }
        return Verdict(document.difference(from: wanted) == nil)
    }

    func differences(in content: (any JudgedContent)?, within budget: WorkBudget?) -> [String] {
        switch content?.xml ?? .other(unreadContent) {
        case .other(let got): ["body: wanted XML, got \(got)"]
        case .value(let document): document.difference(from: wanted).map { ["body \($0)"] } ?? []
        }
    }
}

extension JudgedContent {
    var xml: DecodedContent<XMLDocument> {
        value(of: "XML") { body throws(LineFault) in try XMLDocument(parsing: body) }
    }
}
