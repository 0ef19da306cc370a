import ProctorBase
import ProctorDocument
import ProctorScenario

/// A 1xx reply with more than its status.
struct InterimKeys: Sendable {
    let status = Key("status", Shape<Int>.integer("an interim status", in: 100...199), isRequired: true)
    let reason = Key("reason", Shape<String>.line("a reason"))
    let headers = Key("headers", Shape<[ReplyField]>.fields("headers"))
}

/// The portions in which a reply is sent.
struct PaceKeys: Sendable {
    let portion = PortionKeys()
    let of = UsualKey("of", Shape<Pace.Scope>.choice("a part of a reply"), usual: .body)
}

extension ScenarioReader {
    /// The use of a reply, which sets its defaults.
    enum ReplyKind: Equatable {
        /// A reply of an exchange, without defaults.
        case own
        /// The reply to unsatisfiable ranges, with the default status 416 (RFC 9110 §15.5.17).
        case ofRanges
        /// A reply of a guard, with a default status; `raw` is permitted only when the guard adds no field.
        case guarding(status: Int, takesRaw: Bool)

        /// The noun in messages.
        var description: String {
            switch self {
            case .own: "a reply"
            case .ofRanges: "the reply to ranges that are not there"
            case .guarding: "a guard's reply, which takes no turn"
            }
        }

        /// The default status; nil: a status is required.
        var status: Int? {
            switch self {
            case .own: nil
            case .ofRanges: 416
            case .guarding(let status, _): status
            }
        }
    }

    /// Reports ranges in a reply that changes the state.
    func checkRanges(of message: Reply.Message?, _ keys: Mapping<ReplyKeys>, areSet: Bool) {
        if case .structured(let structured)? = message, structured.honours.contains(.ranges), areSet,
            let entry = keys.entry(\.honours)
        {
            sink.report(
                entry.keyNode,
                "\"honours: ranges\" does not go with \"sets\": the change would be made though the answer is a 416",
                hint: "answer with ranges in an exchange that sets nothing, or leave ranges out")
        }
    }
}
