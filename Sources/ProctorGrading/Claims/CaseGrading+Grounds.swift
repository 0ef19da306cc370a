import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorProgram
import ProctorRules
import ProctorScenario

/// What a report of the client rests on: the requests that had come and the replies that had begun by then, and what the
/// server sent.
extension CaseGrading {
    /// Nanoseconds by which times of client and server may differ: both read one clock of one machine.
    ///
    /// A client elsewhere says in its header that it has another clock, and is judged without times.
    static let clockBound: UInt64 = 1_000_000

    /// Why what the client told of a step can't rest on what the server sent, half a sentence; nil where it can.
    func reasonUnfounded(_ step: Int) -> String? {
        guard isJudgedByServed(step) else { return nil }
        return reasonEarly(step) ?? reasonUnfitting(step) ?? reasonUncontrolled(step)
    }

    /// Whether a step is a load over the wire that the client came to the end of.
    private func isJudgedByServed(_ step: Int) -> Bool {
        stop == nil && item.client.indices.contains(step) && item.client[step].protocolScript == nil
            && item.client.first?.session?.protocols.isEmpty != false && results.untold[step] == nil
    }

    /// Why the server's view alone shows nothing, half a sentence; nil where it decides.
    ///
    /// What a client sent shows that it conforms only where it also came to the end of its loads. Without a trace nobody
    /// can say so.
    func reasonRequestsUnfounded(by steps: [String?]) -> String? {
        guard stop == nil, !trace.events.isEmpty else { return nil }
        for step in item.client.indices {
            let tells = evidence.reports(.harness) && !evidence.reportsLoads
            if tells, item.client[step].protocolScript != nil {
                return "the client reports nothing of the script that it plays"
            }
            if tells, !results.hasEnd(ofStep: step) { return "the client reported no result of \(name(ofStep: step))" }
            if let reason = steps[step] { return reason }
        }
        return nil
    }

    private func name(ofStep step: Int) -> String { item.client.count == 1 ? "the load" : "step \(step)" }

    // MARK: Time

    /// A reply can't be told before it was sent.
    private func reasonEarly(_ step: Int) -> String? {
        guard trace.isMerged, let record, !mayEndByItself(step), let end = timeOfEnd(step) else { return nil }
        let requests = record.requests.filter { isInWindow($0.nanoseconds, ofStep: step) }
        // A request has its time before its reply is written, so that no bound is needed.
        let early = "the client told the end of \(name(ofStep: step)) before its request had come"
        // A reply out of a store has no request.
        if results.errorName(ofStep: step) == nil, item.client.first?.session?.cache == nil {
            // What is no request has an answer too, as one in the clear to a port that speaks TLS.
            guard !record.requests.isEmpty || !record.violations.isEmpty else { return early }
            let countBefore = record.requests.count(where: { $0.nanoseconds <= end })
            if countBefore < min(step + 1, record.requests.count), record.requests.count >= item.client.count {
                return early
            }
        }
        guard !requests.isEmpty else { return nil }
        if requests.allSatisfy({ $0.nanoseconds > end }) { return early }
        let told = end.addingReportingOverflow(Self.clockBound).partialValue
        if requests.allSatisfy({ $0.answerNanoseconds.map { $0 > told } ?? false }) {
            return "the client told the end of \(name(ofStep: step)) before its reply had begun"
        }
        return nil
    }

    /// Whether a step may end without a reply: the program or a time limit ends it.
    private func mayEndByItself(_ step: Int) -> Bool {
        let program = item.client[step]
        let session = item.client.first?.session
        return program.cancelAt != nil || program.timeout != nil || session?.requestTimeout != nil
            || session?.resourceTimeout != nil || session?.endAt != nil
            || trace.events.contains { $0.lane == .harness && $0.name == .cancel }
            || ["timedOut", "cancelled"].contains(results.errorName(ofStep: step))
    }

    /// The time of the first event that tells how a step ended, by the server's clock.
    private func timeOfEnd(_ step: Int) -> UInt64? {
        let end = trace.events.first { event in
            guard event.phase == .enter, event.task == step else { return false }
            return switch event.lane {
            case .harness: event.name == .result
            case .handler: event.name == .handler || event.name == .awaited
            case .task: event.name == .complete
            default: false
            }
        }
        guard case .monotonic(let time)? = end?.time else { return nil }
        return time
    }

    /// Whether a time lies between the begin of a step and that of the next one that does not run together with it.
    private func isInWindow(_ time: UInt64, ofStep step: Int) -> Bool {
        if let begin = timeOfBegin(step), time.addingReportingOverflow(Self.clockBound).partialValue < begin {
            return false
        }
        let next = item.client.indices.dropFirst(step + 1).first { !item.client[$0].isTogether }
        guard let next, let end = timeOfBegin(next) else { return true }
        return time < end
    }

    /// A load whose task says nothing begins with the first question to its URLProtocol.
    private func timeOfBegin(_ step: Int) -> UInt64? {
        let begin =
            trace.events.first { $0.lane == .harness && $0.name == .resume && $0.task == step }
            ?? trace.events.first { $0.lane == .proto && $0.task == step }
        guard case .monotonic(let time)? = begin?.time else { return nil }
        return time
    }

    // MARK: The end and what was served

    /// Steps whose end the case claims without saying it, and whose end does not fit what was served.
    func endFindings() -> [Finding] {
        item.claims.compactMap { claim in
            guard case .end(let step) = claim.saying, item.endExpression(ofStep: step) == nil, isJudgedByServed(step),
                reasonEarly(step) == nil,
                let (wanted, got, reason) = unfittingEnd(step)
            else { return nil }
            return Finding(
                subject: .result(step: step),
                sentence: "\(name(ofStep: step)) ended with \(got), wanted \(wanted): \(reason)", wanted: wanted,
                got: got,
                location: item.location)
        }
    }

    /// Why the end of a step shows that the client did not take part, half a sentence; nil where it fits, and where the case
    /// says how the step ends.
    private func reasonUnfitting(_ step: Int) -> String? {
        guard item.endExpression(ofStep: step) == nil, let (_, got, reason) = unfittingEnd(step) else { return nil }
        return "\(name(ofStep: step)) ended with \(got), and \(reason)"
    }

    /// A load whose replies all went out whole, and give no reason to refuse them, ends complete; one whose reply the server did
    /// not send to its announced end does not (RFC 9112 §8).
    ///
    /// Content is no part of it: ``BodyCheck`` compares that in every case.
    private func unfittingEnd(_ step: Int) -> (wanted: String, got: String, reason: String)? {
        guard !mayEndByItself(step), item.client[step].onResponse == .allow, results.hasEnd(ofStep: step) else {
            return nil
        }
        if let error = results.errorName(ofStep: step) {
            guard isServedPlainly(step) else { return nil }
            return (
                "success", "\(EventText.printable(error))",
                "every reply went out whole, as a plain success (RFC 9112 §8, RFC 9110 §15.3)"
            )
        }
        guard let record, trace.isMerged, record.isReadable, item.client.first?.session?.cache == nil,
            let last = record.requests.last(where: { isInWindow($0.nanoseconds, ofStep: step) }),
            let sent = last.abortedByteCount, let reply = last.reply, let fields = reply.fields,
            !last.hasBytesOfEffects, results.measure(.status, ofStep: step).number == reply.status.map(Double.init),
            let announced = ContentExchange.contentLength(of: [HTTPField](fields)), sent < announced
        else { return nil }
        return (
            "an error", "success",
            "the server sent \(Plural.count(sent, "byte")) of a reply whose content has \(announced) (RFC 9112 §8)"
        )
    }

    /// Whether all requests that a step may have had its reply to were served plainly.
    private func isServedPlainly(_ step: Int) -> Bool {
        guard let record, record.isReadable, record.requests.count >= item.client.count else { return false }
        if record.requests.allSatisfy(\.isServedPlainly) { return true }
        guard trace.isMerged, item.client.first?.session?.cache == nil else { return false }
        let requests = record.requests.filter { isInWindow($0.nanoseconds, ofStep: step) }
        return !requests.isEmpty && requests.allSatisfy(\.isServedPlainly)
    }

    // MARK: Codings

    /// Why a case about content codings shows nothing, half a sentence; nil where a reply had one.
    var reasonUncoded: String? {
        guard item.isAboutOfferedCodings, let record, !record.requests.isEmpty,
            !record.requests.contains(where: { $0.reply?.fields?.values(named: "Content-Encoding").isEmpty == false })
        else { return nil }
        return "no reply had a coding, since the client offers none that the server has"
    }

    // MARK: The control

    /// A jar that has stopped working leaves out what it must not send too.
    ///
    /// The server knows nothing of what the application does to a store.
    var reasonCookiesLost: String? {
        guard item.client.first?.session?.cookies != .never, !item.needs.contains(.storeAccess),
            let last = record?.cookieVerdicts.last(where: \.verdict.expectsCookies)?.verdict, last.sent.isEmpty,
            let expected = last.expected
        else { return nil }
        let text = EventText.printable(String(decoding: expected.prefix(Self.cookieLimit), as: UTF8.self))
        return "the last request of which the server expected a cookie (\(text)) had none"
    }

    /// Bytes of a cookie in a reason.
    private static let cookieLimit = 60

    /// A client that fails every load also fails those that it must.
    private func reasonUncontrolled(_ step: Int) -> String? {
        results.errorName(ofStep: step) == nil ? nil : evidence.failedLoad
    }
}

extension CaseGrading {
    /// Why callbacks of a step came before what they tell, half a sentence; nil where none did.
    ///
    /// Each redirect tells a reply of its own, and so does a challenge of HTTP behind another callback.
    func reasonEarlyCallbacks(_ step: Int) -> String? {
        guard trace.isMerged, stop == nil, !trace.isOfProtocol, let record, item.client.indices.contains(step),
            item.client[step].protocolScript == nil, item.client.first?.session?.cache == nil,
            item.client.first?.session?.protocols.isEmpty != false
        else { return nil }
        let begun = record.requests.filter { isInWindow($0.nanoseconds, ofStep: step) }.map {
            $0.answerNanoseconds ?? 0
        }
        .sorted()
        guard !begun.isEmpty else { return nil }
        var count = 0
        var isAfterChallenge = false
        for event in trace.events where event.lane == .task && event.task == step && event.phase == .enter {
            guard case .monotonic(let time)? = event.time else { continue }
            var needed: Int?
            switch event.name {
            case .redirect: (count, needed) = (count + 1, count + 1)
            // Where the program rejects a space, the next one of the same reply is asked about.
            case .challenge where !event.isOfTLS:
                (count, needed) = isAfterChallenge ? (count, count) : (count + 1, count + 1)
            case .response, .data: needed = max(1, count)
            case .complete where event.argument == "ok": needed = max(1, count)
            default: break
            }
            isAfterChallenge = event.name == .challenge
            guard let needed else { continue }
            let told = time.addingReportingOverflow(Self.clockBound).partialValue
            if begun.count(where: { $0 <= told }) < min(needed, begun.count) {
                return "\(EventText.of(event)) came before the reply that it tells had begun"
            }
        }
        return nil
    }
}

extension CookieVerdict {
    /// Whether each edition expects a cookie of the request, whatever the client has read of the latest replies.
    fileprivate var expectsCookies: Bool {
        undecidedCount == 0 && expected != nil && (otherwise.map { $0.expected != nil } ?? true)
    }
}

extension WireRecord.SeenRequest {
    /// When the first byte of an answer may have gone out; nil where none did.
    ///
    /// Replies without an entry of their own, as those of effects, may have begun as soon as the request had come.
    fileprivate var answerNanoseconds: UInt64? {
        if hasBytesOfEffects || !interim.isEmpty || !frameViolations.isEmpty || !violations.isEmpty {
            return nanoseconds
        }
        return replyNanoseconds ?? (isReplySent ? nanoseconds : nil)
    }
}

extension WireRecord {
    /// Whether every request could be read, and has an entry.
    fileprivate var isReadable: Bool {
        !requests.isEmpty && violations.isEmpty && frameViolations.isEmpty && misses.isEmpty && gapAfter == nil
    }
}

extension WireRecord.SeenRequest {
    /// Bytes of a head that every client takes.
    private static let usualHead = 6 << 10

    fileprivate var isServedPlainly: Bool {
        guard isReplySent, !isReplyCut, !hasBytesOfEffects, interim.isEmpty, abortedByteCount == nil, let reply,
            let status = reply.status, let fields = reply.fields, let content = reply.content,
            reply.codedContent == nil, 200..<300 ~= status, !head.hasMethod("CONNECT"),
            reply.headByteCount.map({ $0 <= Self.usualHead }) ?? false
        else { return false }
        let lines = [HTTPField](fields)
        let isPlain = lines.allSatisfy { $0.bytes.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 } }
        guard isPlain, !lines.contains(named: "Content-Encoding"), !lines.contains(named: "Transfer-Encoding"),
            !lines.contains(named: "Content-Range"), MediaType(of: lines)?.isMixedReplace != true
        else { return false }
        let lengths = lines.all(named: "Content-Length")
        guard lengths.count <= 1 else { return false }
        guard let length = lengths.first, !head.hasMethod("HEAD") else { return true }
        return Int(String(decoding: length.bytes, as: UTF8.self)) == content.byteCount
    }
}
