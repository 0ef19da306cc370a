import ProctorBase
import ProctorHTTP
import ProctorJournal
package import ProctorScenario

/// The fields that a timeline shows below the heads of requests and replies, because a case names them.
package struct ShownFields: Sendable, Equatable {
    private let ofRequests: Set<String>
    private let ofReplies: Set<String>
    /// Whether the reply fields that decide the next request are shown: Location, and fields with challenges.
    private let showsNextStep: Bool

    /// Whether replies are shown as they were sent: all fields, and the first bytes of the content.
    private(set) var showsReplies = false

    /// Whether all fields of requests are shown.
    private var showsRequests = false

    /// The most bytes of a reply's content that are shown.
    private static let contentLimit = 80

    /// The most lines below one head; further fields are only counted.
    private static let lineLimit = 20

    package init() { (ofRequests, ofReplies, showsNextStep) = ([], [], false) }

    /// Shows the fields that the case's facts and its cookie check name, and those that decide the next request.
    package init(_ case: Case) {
        var requests: Set<String> = `case`.cookies == nil ? [] : ["cookie"]
        var replies: Set<String> = `case`.cookies == nil ? [] : ["set-cookie"]
        for fact in `case`.facts {
            for name in [fact.name] + fact.expected.named {
                requests.formUnion(name.requestFields)
                if let field = name.replyField { replies.insert(field) }
            }
        }
        (ofRequests, ofReplies, showsNextStep) = (requests, replies, true)
    }

    /// Shows, in addition, every reply as it was sent; for failed verdicts.
    package var withReplies: ShownFields {
        var copy = self
        copy.showsReplies = true
        return copy
    }

    /// Whether requests came to the shared port, where `{{base}}` is made of their Host.
    private(set) var isOfSharedPort = false

    /// Says in addition where the Host of a request leads `{{base}}` elsewhere.
    package var ofSharedPort: ShownFields {
        var copy = self
        copy.isOfSharedPort = true
        return copy
    }

    /// Shows every request and every reply with all fields, for a person who asks for all.
    package var whole: ShownFields {
        var copy = withReplies
        copy.showsRequests = true
        return copy
    }

    /// The field lines to show as `Name: value`, in their order.
    func lines(of head: RequestHead) -> [String] {
        if showsRequests { return shownLines(of: head.fields, among: nil) }
        return ofRequests.isEmpty ? [] : shownLines(of: head.fields, among: ofRequests)
    }

    func lines(of reply: SentReply) -> [String] {
        guard let fields = reply.fields, let status = reply.status else { return [] }
        if showsReplies { return shownLines(of: fields, among: nil) + content(of: reply) }
        var names = ofReplies
        if showsNextStep {
            switch status {
            case 300...399: names.insert("location")
            case 401: names.insert("www-authenticate")
            case 407: names.insert("proxy-authenticate")
            default: break
            }
        }
        // The content of an error says why (RFC 9110 §15.5).
        return (names.isEmpty ? [] : shownLines(of: fields, among: names)) + (status < 400 ? [] : content(of: reply))
    }

    private func content(of reply: SentReply) -> [String] {
        guard let kept = reply.content?.kept, !kept.isEmpty else { return [] }
        return [
            "content: \(WireText.quoted(kept.prefix(Self.contentLimit)))" + (kept.count > Self.contentLimit ? " …" : "")
        ]
    }

    /// The lines of fields among `names`, which are in lower case; nil: all fields.
    private func shownLines(of fields: FieldSection, among names: Set<String>?) -> [String] {
        var lines: [String] = []
        for line in fields {
            let name = String(decoding: line.name.map(\.asciiLowercased), as: UTF8.self)
            if names?.contains(name) ?? true {
                lines.append("\(WireText.escaped(line.name)): \(WireText.escaped(line.value))")
            }
        }
        guard lines.count > Self.lineLimit else { return lines }
        let more = Plural.count(lines.count - Self.lineLimit, "more such field")
        return lines.prefix(Self.lineLimit) + ["and \(more)"]
    }
}

extension Fact.Expectation {
    /// The fact to which this one must be equal.
    fileprivate var named: [FactName] { if case .same(let name) = self { [name] } else { [] } }
}

extension FactName {
    /// The request fields from which the fact is measured, in lower case.
    fileprivate var requestFields: [String] { row.fields.map { $0.lowercased() } }

    /// The reply field that the fact names: `wire[0].reply.headers.X`.
    fileprivate var replyField: String? {
        let text = text
        return text.firstRange(ofText: ".reply.headers.").map { text[$0.upperBound...].lowercased() }
    }
}
