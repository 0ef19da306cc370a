internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// Every reply that a guard can send, numbered: the fixture's, or the server's with a line of text.
struct GuardReplies: Sendable {
    let all: [Reply]
    private let refusalCount: Int
    private let end: Int
    /// For the server's own refusals; a fixture's refusal is sent unchanged.
    private let own: [OwnReply: Int]
    private let faults: [CredentialFault.Kind: Int]

    /// `own` are those of the schemes that modules judge, `asking` is the first refusal; nil: the usual one.
    init(_ rules: Guard, own replies: [OwnReply], asking: OwnReply?) {
        func ours(_ status: Int, _ text: String) -> Reply {
            Self.reply(
                status, "text/plain; charset=utf-8", "the guard \(GuardVerdict.shown(rules.name)) \(text)\n",
                at: rules.location)
        }
        func ours(_ reply: OwnReply) -> Reply {
            switch reply.content {
            case .sentence(let text): ours(reply.status, text)
            case .document(let document): Self.reply(reply.status, document.type, document.text, at: rules.location)
            }
        }
        var all = rules.refusals
        var own: [OwnReply: Int] = [:]
        var faults: [CredentialFault.Kind: Int] = [:]
        if all.isEmpty {
            let status = rules.isProxy ? 407 : 401
            all = [asking.map { ours($0) } ?? ours(status, "asks for credentials")]
            for reply in replies where own[reply] == nil {
                own[reply] = all.count
                all.append(ours(reply))
            }
            for kind in CredentialFault.Kind.allCases {
                faults[kind] = all.count
                all.append(ours(asking?.status ?? status, "refuses this credential: \(kind.rawValue)"))
            }
        }
        refusalCount = max(1, rules.refusals.count)
        self.own = own
        self.faults = faults
        end = all.count
        all.append(rules.end?.reply ?? ours(403, "asks no more"))
        self.all = all
    }

    /// The index in `all` of the reply at a turn; after the last turn, of the last one.
    ///
    /// The server's own text names the first fault.
    func refusal(turn: Int, reply: OwnReply? = nil, fault: CredentialFault.Kind? = nil) -> Int {
        reply.flatMap { own[$0] } ?? fault.flatMap { faults[$0] } ?? min(turn, refusalCount - 1)
    }

    /// The index of the reply when the guard sends no more challenges.
    var gaveUp: Int { end }

    private static func reply(_ status: Int, _ type: String, _ text: String, at location: SourceLocation) -> Reply {
        let type = ReplyField(
            name: Array("Content-Type".utf8), value: Template(parts: [.literal(Array(type.utf8))]), location: location)
        let message = StructuredReply(
            status: status, reason: nil, version: "HTTP/1.1", headers: [type],
            body: [.bytes(.literal(Array(text.utf8)))], framing: .length, trailers: [], interim: [])
        return Reply(message: .structured(message), effects: [], location: location)
    }
}
