import ProctorBase

/// A delegate method, or a call on or by a URLProtocol, with its neutral event.
package struct MethodName: Sendable, Equatable {
    /// nil for a method that no rule and no expression uses.
    package let event: EventName?
    package let lane: Lane
    /// nil for methods of a session.
    package let family: CallbackFamily?
    /// Whether no other family has it; the methods of URLSession's task delegate belong to all kinds of tasks.
    package let isOfOneFamily: Bool
    /// The Objective-C selector, then the Swift name, then other accepted spellings.
    package let spellings: [String]
    let meaning: Meaning

    /// What the name leaves open, or adds to the event.
    enum Meaning: Sendable, Equatable {
        case plain
        case success
        case failure
        /// `willSendRequest`: a redirect only where there is a response; a log that does not say has none (R7).
        case rewrite
        /// A redirect, unless the log says that there was no response (R7).
        case redirection
        /// Swift's `didBecome`, of a download or of a stream.
        case becoming
        /// Swift's `connection(_:didReceive:)`: of a response, of data or of a challenge.
        case receiving
        /// Swift's `download(_:didReceive:)`: of a response or of a challenge.
        case receivingNoData
        case scope(String)
        case answering(String)

        fileprivate init?(_ text: String) {
            let words = text.split(separator: " ").map(String.init)
            switch (words.first, words.last) {
            case ("success", _): self = .success
            case ("failure", _): self = .failure
            case ("rewrite", _): self = .rewrite
            case ("redirection", _): self = .redirection
            case ("becoming", _): self = .becoming
            case ("receiving", _): self = .receiving
            case ("receivingNoData", _): self = .receivingNoData
            case ("scope", let scope?): self = .scope(scope)
            case ("answering", let answer?): self = .answering(answer)
            default: return nil
            }
        }
    }
}

extension MethodName {
    /// Every method of every family, in the order of Docs/judging/methods.md.
    ///
    /// The spellings with `connnection` and `Reponse` stand in old notes that many people copy from. A line that names a
    /// synchronous request stands for its return, and one that names a queued request for the call of its block. The
    /// methods of a challenge's sender are answers and no callbacks; Swift's `cancel(_:)` is left out, because any type
    /// may have a method of that name.
    package static let all: [MethodName] = TableCells.rows(of: "methods").map { MethodName($0) }

    package static func named(_ name: String) -> MethodName? {
        let bytes = Array(name.utf8)
        return NameTables.methods.find(bytes.span, 0..<bytes.count).map { NameTables.method(at: $0) }
    }

    /// The spelling or neutral name that is nearest to an unknown word; slow, so that callers bound the number of
    /// calls.
    package static func nearestName(to name: String) -> String? {
        // A word of very different length is no typing error, and is not compared.
        let count = name.utf8.count
        let isNear = { (candidate: String) in abs(candidate.utf8.count - count) <= 3 }
        return NearestName.find(name, in: EventVocabulary.kinds.lazy.map(\.name).filter(isNear))
            ?? NearestName.find(name, in: all.lazy.flatMap(\.spellings).filter(isNear))
    }
}

extension MethodName {
    fileprivate init(_ cells: TableCells) {
        event = cells.valueIfAny("event") { EventName(rawValue: $0) }
        lane = cells.value("lane") { Lane(rawValue: $0) }
        family = cells.valueIfAny("family") { CallbackFamily(rawValue: $0) }
        isOfOneFamily = family != nil && cells.text("also of others") == nil
        spellings = cells["spellings"].split(separator: " ").map(String.init)
        meaning = cells.valueIfAny("meaning", Meaning.init) ?? .plain
    }

    /// The dispositions that a test gives to URLSession's completion handlers, by their names in both languages.
    static let dispositions: [(word: String, answer: String)] = [
        ("NSURLSessionAuthChallengeUseCredential", "use"), ("useCredential", "use"),
        ("NSURLSessionAuthChallengePerformDefaultHandling", "default"), ("performDefaultHandling", "default"),
        ("NSURLSessionAuthChallengeCancelAuthenticationChallenge", "cancel"),
        ("cancelAuthenticationChallenge", "cancel"),
        ("NSURLSessionAuthChallengeRejectProtectionSpace", "reject"), ("rejectProtectionSpace", "reject"),
    ]
}
