/// About what clients disagree, each with the groups of those that agree.
package struct Disagreement: Sendable, Equatable {
    /// Sorted groups of names, by aspect.
    private let groups: [Aspect: [[String]]]

    package enum Aspect: String, Sendable, CaseIterable {
        case end, status, url, content, requests
    }

    /// A client that does not tell an aspect belongs to no group of it.
    package init(_ answers: [ClientAnswer]) {
        let compared = answers.filter { if case .none = $0.end { false } else { true } }
        var groups: [Aspect: [[String]]] = [:]
        for aspect in Aspect.allCases {
            let values = compared.compactMap { answer in aspect.value(of: answer).map { (answer.client, $0) } }
            let byValue = Dictionary(grouping: values, by: \.1).values.map { $0.map(\.0).sorted() }
            if byValue.count > 1 { groups[aspect] = byValue.sorted { $0[0] < $1[0] } }
        }
        self.groups = groups
    }

    private init(groups: [Aspect: [[String]]]) { self.groups = groups }

    package var isEmpty: Bool { groups.isEmpty }

    /// In the order of ``Aspect``.
    package var aspects: [Aspect] { Aspect.allCases.filter { groups[$0] != nil } }

    /// Without those whose groups the other one has too.
    func without(_ other: Disagreement) -> Disagreement {
        Disagreement(groups: groups.filter { other.groups[$0.key] != $0.value })
    }

    /// Whether each of the other's aspects divides the clients here in the same way.
    func holds(_ other: Disagreement) -> Bool {
        other.groups.allSatisfy { groups[$0.key] == $0.value }
    }

    /// `status: curl | wget`.
    package var text: String {
        aspects.map { aspect in
            "\(aspect.rawValue): " + (groups[aspect] ?? []).map { $0.joined(separator: ", ") }.joined(separator: " | ")
        }.joined(separator: "; ")
    }
}

extension Disagreement.Aspect {
    /// nil: the client does not tell, or its load did not come so far.
    fileprivate func value(of answer: ClientAnswer) -> String? {
        switch self {
        case .end: answer.word
        case .status: answer.status.map(String.init)
        case .url: answer.url
        case .content: answer.content
        case .requests: answer.requests.joined(separator: "\n")
        }
    }
}
