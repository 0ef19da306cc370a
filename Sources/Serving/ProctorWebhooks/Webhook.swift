internal import ProctorBase
internal import ProctorScenario

/// One request to the listener, as the fixture has it.
struct Webhook: Sendable {
    let target: ByteSource
    /// nil: `msg_N`, where N is its number in the run.
    let id: ByteSource?
    let fields: [ReplyField]
    let content: ByteSource
    let signing: Signing?
    /// Before the first try.
    let delay: Duration?
    /// The waits before further tries, as long as none had a 2xx.
    let retries: [Duration]
    /// How often it is sent, whatever the answers are.
    let count: Int
    let mistake: WireMistake?
    let wanted: WantedAnswer
    /// The most time from the first byte to the end of the answer.
    let limit: Duration

    static let usualLimit = Duration.seconds(5)

    /// How it is signed.
    struct Signing: Sendable {
        let form: SignatureForm
        let secret: ByteSource
        let mistake: SignatureMistake?
    }

    /// Whether the fixture itself says host and port of the listener, whatever the request has.
    var namesListener: Bool {
        guard case .template(let template) = target else { return true }
        guard case .literal(let start)? = template.parts.first else { return false }
        return start.dropFirst(ListenerURL.scheme.count).contains { "/?#".utf8.contains($0) }
    }

    var lateUse: LateUse {
        var use = LateUse()
        for source in [target, id, content, signing?.secret].compactMap(\.self) { use.addSource(source) }
        use.addFields(fields)
        return use
    }
}

/// What is done to the message on its way.
enum WireMistake: String, CaseIterable, Sendable {
    /// Half of the content is sent, and the connection is closed.
    case cutBody = "cut-body"
    /// Content-Length leaves the last bytes of the content out.
    case shortLength = "short-length"
    /// The connection is closed as soon as all is sent, and no answer is read.
    case leaves
    /// All is as it should be, in two pieces with a pause between them.
    case twoPieces = "two-pieces"
    /// All is as it should be, in chunks instead of a length.
    case chunked

    /// The answer that a right listener gives.
    func wanted(isSigned: Bool) -> WantedAnswer {
        switch self {
        case .cutBody, .leaves: .any
        case .shortLength: isSigned ? .family(4) : .any
        case .twoPieces, .chunked: .family(2)
        }
    }
}

/// Which answers of the listener are right.
enum WantedAnswer: Sendable, Equatable {
    /// Any one, and none.
    case any
    /// The first digit of the status.
    case family(Int)
    case status(Int)

    static let pattern = "any|[1-5]xx|[1-5][0-9]{2}"

    init?(_ text: String) {
        if text == "any" {
            self = .any
        } else if text.utf8.count == 3, let digit = text.first?.wholeNumberValue, 1...5 ~= digit, text.hasSuffix("xx") {
            self = .family(digit)
        } else if let status = Int(text), 100...599 ~= status {
            self = .status(status)
        } else {
            return nil
        }
    }

    var text: String {
        switch self {
        case .any: "any"
        case .family(let digit): "\(digit)xx"
        case .status(let status): "\(status)"
        }
    }

    func permits(_ status: Int) -> Bool {
        switch self {
        case .any: true
        case .family(let digit): status / 100 == digit
        case .status(let wanted): status == wanted
        }
    }
}
