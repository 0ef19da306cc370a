internal import Foundation
internal import ProctorBase
internal import ProctorEvents
public import ProctorProgram

/// One load that a client is to make in an exam: what is asked, how questions are answered, and how the client is set up.
@dynamicMemberLookup
public struct ExamLoad: Sendable {
    /// The step of the case's assignment; its properties can be read on the load too.
    public let step: Assignment.Step
    /// How the client is set up for all loads of the case.
    public let session: SessionSetup
    private let kept: Locked<[any Sendable]>

    init(_ step: Assignment.Step, _ session: SessionSetup, kept: Locked<[any Sendable]>) {
        (self.step, self.session, self.kept) = (step, session, kept)
    }

    /// A property of ``step``: method, URL, fields, answers.
    public subscript<Value>(dynamicMember path: KeyPath<Assignment.Step, Value>) -> Value { step[keyPath: path] }

    private var beforehand: Beforehand? {
        Beforehand(step, hasProxy: session.proxy != nil, judgesServers: session.trust != nil)
    }

    /// Whether redirects are followed; `onRedirect` has the answers where they differ.
    public var follows: Bool { beforehand?.follow ?? (step.onRedirect.first == .follow) }

    /// The one credential for all challenges; nil: none.
    public var credential: Assignment.Credential? { beforehand?.credential }

    /// The bytes of the request's content; nil: none.
    public var content: [UInt8]? {
        guard let body = step.body else { return nil }
        let bytes = body.base64.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? Array((body.text ?? "").utf8)
        guard let count = body.count, !bytes.isEmpty else { return bytes }
        return (0..<count).map { bytes[$0 % bytes.count] }
    }

    /// What `make` gave at the first load of the case, for all its loads.
    public func once<Client: Sendable>(_ make: () throws -> Client) rethrows -> Client {
        if let client = kept.withLock({ $0.first as? Client }) { return client }
        let client = try make()
        kept.withLock { $0 = [client] }
        return client
    }

    /// An error for a client that can't be told a part of the program; thrown, it skips the case with the reason.
    public func cannot(_ reason: String) -> any Error { Cannot(reason: reason) }

    struct Cannot: Error {
        let reason: String
    }
}

/// What came of a load, as its client tells it.
public struct ExamResult: Sendable {
    let facts: EventFacts

    /// The final response; `url` is where redirects have led, and `fields` are as the client tells them.
    public init(status: Int, fields: [(name: String, value: String)] = [], url: String? = nil, content: [UInt8] = []) {
        var facts: [EventFact] = [EventFact(.status, .integer(status)), EventFact(.bytes, .integer(content.count))]
        if let url { facts.append(EventFact(.url, .text(url))) }
        let type = fields.first { $0.name.lowercased() == "content-type" }?.value.prefix { $0 != ";" }
        if let mime = type?.filter({ !$0.isWhitespace }).lowercased(), !mime.isEmpty {
            facts.append(EventFact(.mime, .text(mime)))
        }
        if content.count <= Self.contentLimit {
            let text = content.contains(0) ? nil : String(validating: content, as: UTF8.self)
            facts.append(
                text.map { EventFact(.body, .text($0)) }
                    ?? EventFact(.bodyBase64, .text(Base64Text.encode(content))))
        }
        self.facts = EventFacts(facts)
        self.fields = fields
    }

    /// A failure by its name, as `timedOut` or `connectionLost` (Docs/judging/traces.md).
    public init(error: String, message: String? = nil) {
        facts = [EventFact(.error, .text(error)), EventFact(.message, .text(message ?? error))]
        fields = []
    }

    /// What a client threw: an error of Foundation by its own name, and any other one as `unknown`.
    init(_ error: any Error) {
        let foundation = error as NSError
        let isNamed = foundation.domain == URLErrorName.domain
        self.init(
            error: isNamed ? URLErrorName.name(domain: foundation.domain, code: foundation.code) : "unknown",
            message: "\(error)")
    }

    private let fields: [(name: String, value: String)]

    /// The facts of the result, with the fields that the program has looked up.
    func facts(lookingUp names: [String]) -> EventFacts {
        guard !names.isEmpty else { return facts }
        let lines = names.compactMap { name in
            let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
            return values.isEmpty ? nil : "\(name): \(values.joined(separator: ", "))"
        }
        return EventFacts(facts + [EventFact(.header, .text(lines.joined(separator: "\n")))])
    }

    /// The most bytes of content that a verdict is told; of more, the number alone counts.
    private static let contentLimit = 640 << 10
}
