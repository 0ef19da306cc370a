extension CaseVerdict {
    /// One JSON object on one line, with a line feed: what a ``CaseRecord`` of the verdict alone says.
    package var json: [UInt8] { json(text: nil) }

    /// The verdict as JSON; `text`, for a person, becomes the key `text`, and `report` the key of that name.
    package func json(text: String?, report: VerdictReport? = nil) -> [UInt8] {
        CaseRecord(self).json(text: text, report: report)
    }
}

extension Finding.Subject {
    var word: String {
        switch self {
        case .expression: "expression"
        case .fact: "fact"
        case .miss: "miss"
        case .violation, .frameViolation: "violation"
        case .opaque: "opaque"
        case .credential: "credential"
        case .cookies: "cookies"
        case .rule: "rule"
        case .grammar: "grammar"
        case .content: "content"
        case .edge: "edge"
        case .ending: "ending"
        case .unreportedRule: "unreportedRule"
        case .result: "result"
        case .slices: "slices"
        case .bound: "bound"
        case .state: "state"
        case .reply: "reply"
        case .tolerated: "tolerated"
        case .unasked: "unasked"
        }
    }
}
