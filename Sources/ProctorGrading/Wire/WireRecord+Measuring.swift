import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorScenario

extension WireRecord {
    /// The value of a fact, with the sequence of the journal entry that shows it.
    func measure(_ name: FactName) -> (value: Measurement, sequence: UInt64?) {
        switch name {
        case .requestCount: return (Measurement(requests.count), requests.last?.sequence)
        case .connectionCount: return (Measurement(connections.count), connections.last?.sequence)
        case .wire(let index, let fact):
            guard requests.indices.contains(index) else { return (.absent, nil) }
            return (measure(fact, of: index), requests[index].sequence)
        case .connection(let index, let fact):
            guard connections.indices.contains(index) else { return (.absent, nil) }
            return (measure(fact, of: connections[index]), connections[index].sequence)
        case .guarding(let name, let fact):
            let seen = verdicts.filter { name == nil || $0.verdict.guardName == name }
            return (GuardTally(seen.map(\.verdict)).measure(fact), seen.last?.sequence)
        case .handshakeCount: return (Measurement(completedHandshakeCount), nil)
        case .handshakeFailureCount: return (Measurement(failedHandshakeCount), nil)
        case .tls(let index, let fact):
            guard let handshake = handshake(index) else { return (.absent, nil) }
            return (handshake.measure(fact), handshake.sequence)
        case .tunnelCount: return (Measurement(tunnels.count), tunnels.last)
        case .http2ConnectionCount: return (Measurement(http2Connections.count), nil)
        case .streamCount: return (Measurement(streams.count), streams.last?.sequence)
        case .stream(let index, let fact): return measure(fact, ofStream: index)
        case .http2(let index, let fact): return measure(fact, ofConnection: index)
        case .client: return (.untold, nil)
        }
    }

    private func measure(_ fact: FactName.WireFact, of index: Int) -> Measurement {
        let request = requests[index]
        switch fact {
        case .method: return .text(Array(request.head.methodBytes))
        case .target: return .text(request.target)
        case .version: return Measurement(request.head.version.text)
        case .body: return Self.measure(request.content)
        case .bodyLength:
            guard let body = request.content else { return .notKept("the body was not read") }
            return Measurement(body.byteCount)
        case .connection: return Measurement(request.connection)
        case .origin: return origin(of: index).map { Measurement($0) } ?? .absent
        case .violations:
            let kinds = request.violations.map(\.kind.rawValue) + request.frameViolations.map(\.kind)
            return kinds.isEmpty ? .absent : .list(kinds.map { Array($0.utf8) })
        case .fieldNames: return .list(request.head.fields.map { Array($0.name) })
        case .gap:
            guard index > 0 else { return .absent }
            let nanoseconds = request.nanoseconds.subtractingReportingOverflow(requests[index - 1].nanoseconds)
            return .number(nanoseconds.overflow ? 0 : Double(nanoseconds.partialValue) / 1e6)
        case .guardOutcome: return request.guardOutcome
        case .guardFaults: return request.guardFaults
        case .credentials(let name, let isProxy): return request.credential(name, isProxy: isProxy)
        case .framing: return request.framing
        case .cookieNames: return request.cookieNames
        case .cookie(let name): return request.cookie(name)
        case .targetForm: return request.targetForm
        case .authority: return request.authority
        case .chunks: return request.chunks
        case .chunkLines: return request.chunkLines
        case .withheld: return request.withheld
        case .opaque: return request.opaqueBytes
        case .opaqueLength: return request.opaqueLength
        case .reply(.status): return request.replyStatus
        case .reply(.body): return request.replyBody
        case .reply(.bodyLength): return request.replyBodyLength
        case .replyHeader(let name): return request.replyHeader(name)
        case .trailer(let name): return request.trailer(name)
        case .form(let name): return request.form(name)
        case .query(let name): return request.query(name)
        case .partCount: return request.partCount
        case .part(let index, let fact): return request.part(index, fact)
        case .stream: return request.head.stream.map { Measurement(Int($0)) } ?? .absent
        case .reused: return isReused(index)
        case .coalesced: return isCoalesced(index)
        case .header(let name):
            return Measurement(ofValues: request.head.fields.values(named: Array(name.utf8)).map { Array($0) })
        }
    }

    private static func measure(_ body: RequestBody?) -> Measurement {
        guard let body else { return .notKept("the body was not read") }
        guard body.kept.count == body.byteCount else {
            return .notKept("the journal kept \(body.kept.count) of \(body.byteCount) bytes of it")
        }
        return .text(body.kept)
    }

    private func measure(_ fact: FactName.ConnectionFact, of connection: SeenConnection) -> Measurement {
        switch fact {
        case .requests: return Measurement(connection.requests.count)
        case .closedBy:
            // The end of the run ends connections that neither side closed.
            guard let end = connection.end, end.how != .stopped else { return .absent }
            return Measurement(end.by.rawValue)
        case .end: return connection.end.map { Measurement($0.how.rawValue) } ?? .absent
        case .speech: return speech(of: connection)
        case .streams: return streamCount(of: connection)
        }
    }

    /// Why the fact's request, stream or connection of HTTP/2 never came, half a sentence.
    ///
    /// nil where it came, or where the fact is about none.
    func reasonNeverCame(_ name: FactName) -> String? {
        switch name {
        case .wire(let index, _) where index >= requests.count: "request \(index) never came"
        case .stream(let index, _) where index >= streams.count: "stream \(index) was never opened"
        case .http2(let index, _) where index >= http2Connections.count:
            "connection \(index) of HTTP/2 never came"
        default: nil
        }
    }

    /// Why a fact has no value, or counts nothing, half a sentence.
    func reasonForAbsence(of name: FactName) -> String? {
        switch name {
        case .wire(let index, _) where index >= requests.count:
            "\(Plural.count(requests.count, "request")) came" + (failedHandshakes.map { ", and \($0)" } ?? "")
        case .requestCount, .handshakeCount: failedHandshakes
        case .stream, .http2: reasonWithoutHTTP2(name)
        case .tls(let index, let fact):
            handshake(index).map { $0.reasonForAbsence(of: fact) }
                ?? "\(Plural.count(handshakes.count, "handshake")) \(handshakes.count == 1 ? "was" : "were") begun"
        case .connection(let index, _) where index >= connections.count:
            "\(Plural.count(connections.count, "connection")) \(connections.count == 1 ? "was" : "were") opened"
        case .wire(let index, .guardOutcome), .wire(let index, .guardFaults):
            requests[index].verdicts.isEmpty ? "no guard was asked for it" : nil
        case .wire(let index, .credentials(let name, let isProxy)):
            requests[index].reasonForAbsence(ofCredential: name, isProxy: isProxy)
        case .wire(let index, .cookieNames): requests[index].reasonForAbsence(ofCookie: nil)
        case .wire(let index, .cookie(let name)): requests[index].reasonForAbsence(ofCookie: name)
        case .wire(let index, .reply), .wire(let index, .replyHeader):
            requests[index].reply == nil ? "no reply to it began" : nil
        case .wire(let index, .authority): "its target \(WireText.quoted(requests[index].target)) names none"
        case .tunnelCount:
            requests.contains(where: \.isConnect)
                ? "CONNECT came, and no tunnel was opened" : "no proxy was sent CONNECT"
        case .guarding(let name, let fact):
            GuardTally(verdicts.map(\.verdict).filter { name == nil || $0.guardName == name }).reasonForAbsence(
                of: fact, guardName: name)
        default: nil
        }
    }
}

/// The value of a fact, as far as journal and client show it.
enum Measurement: Equatable {
    case absent
    case text([UInt8])
    case list([[UInt8]])
    case number(Double)
    /// Something else is in its place, which has no such value; half a sentence says what.
    case unknown(String)
    /// The fact was not kept or not read; the reason is half a sentence.
    case notKept(String)
    /// The side that could show the fact did not report.
    case untold

    /// The values in any form; a number is its decimal text.
    var values: [[UInt8]] {
        switch self {
        case .absent, .unknown, .notKept, .untold: []
        case .text(let bytes): [bytes]
        case .list(let values): values
        case .number(let value): [Array(WireText.number(value).utf8)]
        }
    }

    /// The value as a number, or the number that its text spells.
    var number: Double? {
        switch self {
        case .number(let value): value
        case .text(let bytes): Double(String(decoding: bytes, as: UTF8.self))
        case .absent, .list, .unknown, .notKept, .untold: nil
        }
    }

    var shown: String {
        switch self {
        case .absent: "nothing"
        case .text(let bytes): WireText.quoted(bytes)
        case .list(let values): "[\(values.map { WireText.quoted($0) }.joined(separator: ", "))]"
        case .number(let value): WireText.number(value)
        case .unknown(let reason), .notKept(let reason): reason
        case .untold: "no report of it"
        }
    }

    init(_ text: String) { self = .text(Array(text.utf8)) }

    init(_ count: Int) { self = .number(Double(count)) }

    /// Absent where there is no value; one value is a text, several are a list.
    init(ofValues values: [[UInt8]]) {
        self = values.isEmpty ? .absent : values.count == 1 ? .text(values[0]) : .list(values)
    }
}

struct GuardTally {
    private let verdicts: [GuardVerdict]

    init(_ verdicts: [GuardVerdict]) { self.verdicts = verdicts }

    private var credentials: [GuardVerdict] { verdicts.filter(\.isOfCredential) }

    func measure(_ fact: FactName.GuardFact) -> Measurement {
        switch fact {
        case .attempts: Measurement(credentials.count)
        case .failures: Measurement(credentials.count(where: \.isRefusal))
        case .challenges: Measurement(verdicts.count(where: \.asks))
        case .scheme: credentials.last?.scheme.map { Measurement($0.lowercased()) } ?? .absent
        case .user: credentials.last?.user.map { Measurement($0) } ?? .absent
        case .nc: Measurement(ofValues: verdicts.compactMap(\.nonceCount).map { Array(String($0).utf8) })
        case .faults: Measurement(ofValues: verdicts.flatMap(\.faults).map { Array($0.kind.rawValue.utf8) })
        }
    }

    /// Half a sentence; nil where there was something to measure.
    func reasonForAbsence(of fact: FactName.GuardFact, guardName: String?) -> String? {
        if verdicts.isEmpty {
            return guardName.map { "guard \(WireText.quoted($0.utf8)) was not asked" } ?? "no guard was asked"
        }
        switch fact {
        case .attempts, .scheme, .user: return credentials.isEmpty ? "no credential came" : nil
        case .nc: return credentials.isEmpty ? "no credential came" : "no credential had a nonce count"
        case .failures, .challenges, .faults: return nil
        }
    }
}

extension GuardVerdict {
    /// Whether the verdict judges a credential: requests on an already admitted connection need none.
    var isOfCredential: Bool { scheme != nil || !faults.isEmpty || outcome == .refused || outcome == .stale }

    /// Whether a credential was wrong; one with an old nonce is not.
    var isRefusal: Bool { isOfCredential && (outcome == .refused || outcome == .gaveUp) }

    /// Whether the reply asks for a credential, or for its next message.
    var asks: Bool {
        switch outcome {
        case .challenged, .refused, .stale, .continued: true
        case .admitted, .gaveUp: false
        }
    }
}

extension WireRecord.SeenRequest {
    /// The outcome of the last guard: no guard is asked behind the first that does not admit the request.
    var guardOutcome: Measurement { verdicts.last.map { Measurement($0.outcome.rawValue) } ?? .absent }

    var guardFaults: Measurement {
        Measurement(ofValues: verdicts.last.map { $0.faults.map { Array($0.kind.rawValue.utf8) } } ?? [])
    }
}
