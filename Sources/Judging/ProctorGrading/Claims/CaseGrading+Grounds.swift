import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorProgram
import ProctorRules
import ProctorScenario

/// Checks whether a report of the client is credible: which requests had arrived and which replies had begun before it,
/// and what the server had sent.
extension CaseGrading {
    /// Nanoseconds by which times of client and server may differ when both read one clock of one machine.
    ///
    /// A client on another machine reports another clock in its header, and is judged without times.
    static let clockBound: UInt64 = 1_000_000

    /// Why the client's report of a step is no evidence, half a sentence: by what the server sent, or by the control.
    ///
    /// Nil when the report is evidence.
    func reasonUnfounded(_ step: Int) -> String? {
        guard isJudgedByServed(step) else { return nil }
        return reasonEarly(step) ?? reasonUnfitting(step) ?? reasonUncontrolled(step)
    }

    /// Whether a step is a load over the wire whose end the client reached.
    private func isJudgedByServed(_ step: Int) -> Bool {
        stop == nil && item.client.indices.contains(step) && item.client[step].protocolScript == nil
            && item.client[step].bytes.isEmpty && item.client.first?.session?.protocols.isEmpty != false
            && results.untold[step] == nil
    }

    /// Why the server's record alone shows nothing, half a sentence; nil when it decides.
    ///
    /// Conforming requests show that a client conforms only when the client also reached the end of its loads, which
    /// only a trace shows.
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

    /// Why the client's report came too early: it can't know a reply before the reply was sent.
    private func reasonEarly(_ step: Int) -> String? {
        guard trace.isMerged, let record, !mayEndByItself(step), let end = timeOfEnd(step) else { return nil }
        let requests = record.exchanges.filter { isInWindow($0.nanoseconds, ofStep: step) }
        // The time of a request is before that of its reply, so no tolerance is needed.
        let early = "the client told the end of \(name(ofStep: step)) before its request had come"
        // A reply from a cache has no request.
        if results.errorName(ofStep: step) == nil, item.client.first?.session?.cache == nil {
            // A violation is answered too, for example plain HTTP sent to a port that speaks TLS.
            guard !record.exchanges.isEmpty || !record.violations.isEmpty else { return early }
            // Of steps that run together, any may be the first whose request comes.
            let group = group(ofStep: step), count = record.exchanges.count
            let wanted = min(group.lowerBound + group.count { timeOfEnd($0) ?? .max <= end }, count)
            if record.exchanges.count(where: { $0.nanoseconds <= end }) < wanted, count >= item.client.count {
                return early
            }
        }
        // Bytes that wait for no request end a load before the server has read what the client asks.
        let isGreeted = record.greetingNanoseconds.map { $0 < end } ?? false
        guard !requests.isEmpty, results.errorName(ofStep: step) == nil || !isGreeted,
            !mayBeOfStored(step, before: end)
        else { return nil }
        if requests.allSatisfy({ $0.nanoseconds > end }) { return early }
        if results.errorName(ofStep: step) == nil, item.client.first?.session?.cache == nil,
            requests.allSatisfy({ $0.answerNanoseconds == nil }), !isGreeted
        {
            return "the client told that \(name(ofStep: step)) succeeded, and no reply to it was sent"
        }
        let latest = end.addingReportingOverflow(Self.clockBound).partialValue
        if requests.allSatisfy({ $0.answerNanoseconds.map { $0 > latest } ?? false }) {
            return "the client told the end of \(name(ofStep: step)) before its reply had begun"
        }
        return nil
    }

    /// Whether a cache may have answered a step by an earlier reply, and asked the server behind the answer (RFC 5861 §3).
    private func mayBeOfStored(_ step: Int, before end: UInt64) -> Bool {
        guard item.client.first?.session?.cache != nil, results.errorName(ofStep: step) == nil, let record else {
            return false
        }
        return record.exchanges.contains { exchange in
            !isInWindow(exchange.nanoseconds, ofStep: step) && exchange.answerNanoseconds.map { $0 <= end } ?? false
        }
    }

    /// Whether a step may end without a reply, because the program or a time limit ends it.
    private func mayEndByItself(_ step: Int) -> Bool {
        item.client[step].step.canEndLoad || item.client.first?.session?.setup.canEndLoad == true
            || trace.events.contains { $0.lane == .harness && $0.name == .cancel }
            || ["timedOut", "cancelled"].contains(results.errorName(ofStep: step))
    }

    /// The time, by the server's clock, of the first event that reports how a step ended.
    private func timeOfEnd(_ step: Int) -> UInt64? {
        trace.events.first { event in
            guard event.phase == .enter, event.task == step else { return false }
            return switch event.lane {
            case .harness: event.name == .result
            case .handler: event.name == .handler || event.name == .awaited
            case .task: event.name == .complete
            default: false
            }
        }?.nanoseconds
    }

    /// Whether a time is after the begin of a step, and before the begin of the next step that does not run together
    /// with it.
    func isInWindow(_ time: UInt64, ofStep step: Int) -> Bool {
        time.addingReportingOverflow(Self.clockBound).partialValue >= timeOfBegin(step) ?? 0
            && time < timeOfBegin(group(ofStep: step).upperBound) ?? .max
    }

    /// The steps that run together with a step, itself among them.
    private func group(ofStep step: Int) -> Range<Int> {
        let begins = item.client.indices.filter { $0 == 0 || !item.client[$0].isTogether }
        return (begins.last { $0 <= step } ?? 0)..<(begins.first { $0 > step } ?? item.client.count)
    }

    /// The begin of a step; a load without task events begins with the first call to its URLProtocol.
    private func timeOfBegin(_ step: Int) -> UInt64? {
        let begin = trace.events.first { $0.lane == .harness && $0.name == .resume && $0.task == step }
        return (begin ?? trace.events.first { $0.lane == .proto && $0.task == step })?.nanoseconds
    }

    // MARK: The end of a load and the served replies

    /// Findings for steps whose end the case claims without an expression, and whose end contradicts what was served.
    func endFindings() -> [Finding] {
        item.claims.compactMap { claim in
            guard case .end(let step) = claim.saying, item.endExpression(ofStep: step) == nil, isJudgedByServed(step),
                reasonEarly(step) == nil,
                let (wanted, got, reason) = unfittingEnd(step)
            else { return nil }
            return Finding(
                subject: .result(step: step),
                sentence: "\(name(ofStep: step)) ended with \(got), wanted \(wanted): \(reason)",
                plain: "\(loadName(step)) ended with \(got); wanted \(wanted): \(reason)", wanted: wanted, got: got,
                location: item.location)
        }
    }

    /// Why the end of a step shows that the client did not read the reply, half a sentence; nil when it may have.
    ///
    /// nil also when the case has an expression for the end.
    private func reasonUnfitting(_ step: Int) -> String? {
        guard item.endExpression(ofStep: step) == nil, let (_, got, reason) = unfittingEnd(step) else { return nil }
        return "\(name(ofStep: step)) ended with \(got), and \(reason)"
    }

    /// An end that contradicts what was served (RFC 9112 §8); nil when the end fits.
    ///
    /// A load whose replies were all sent completely, and can't be refused for any reason, must succeed; a load whose
    /// reply the server cut before its announced end must fail. Content is not checked here: ``BodyCheck`` compares it
    /// in every case.
    private func unfittingEnd(_ step: Int) -> (wanted: String, got: String, reason: String)? {
        guard !mayEndByItself(step), item.client[step].onResponse == .allow, results.hasEnd(ofStep: step) else {
            return nil
        }
        if let error = results.errorName(ofStep: step) {
            guard isServedPlainly(step), !expectsError(ofStep: step) else { return nil }
            return (
                "success", "\(EventText.printable(error))",
                "every reply went out whole, as a plain success (RFC 9112 §8, RFC 9110 §15.3)"
            )
        }
        guard let record, trace.isMerged, record.isReadable, item.client.first?.session?.cache == nil,
            let last = record.exchanges.last(where: { isInWindow($0.nanoseconds, ofStep: step) }),
            let sent = last.abortedByteCount, last.reply?.fields != nil, !last.hasBytesOfEffects,
            results.measure("status", ofStep: step) == .untold
                || results.measure("status", ofStep: step).number == last.status.map(Double.init),
            let announced = last.contentLength, sent < announced
        else { return nil }
        return (
            "an error", "success",
            "the server sent \(Plural.count(sent, "byte")) of a reply whose content has \(announced) (RFC 9112 §8)"
        )
    }

    /// Whether a fact of the case says that a step ends with an error, as where the content of a plain success tells one.
    func expectsError(ofStep step: Int) -> Bool {
        item.facts.contains { $0.name == .client(step: step, "error") && $0.expected == .not(nil) }
    }

    /// Whether all requests that may belong to a step were served plainly.
    private func isServedPlainly(_ step: Int) -> Bool {
        guard let record, record.isReadable, record.exchanges.count >= item.client.count else { return false }
        if record.exchanges.allSatisfy(\.isServedPlainly) { return true }
        guard trace.isMerged, item.client.first?.session?.cache == nil else { return false }
        let requests = record.exchanges.filter { isInWindow($0.nanoseconds, ofStep: step) }
        return !requests.isEmpty && requests.allSatisfy(\.isServedPlainly)
    }

    // MARK: What a client must offer

    /// Why a case about what a client must offer shows nothing, half a sentence; nil when a reply had it.
    var reasonUnoffered: String? {
        guard let offered = item.offered, let record, !record.exchanges.isEmpty else { return nil }
        switch offered {
        case .codings:
            let isCoded = record.exchanges.contains {
                $0.reply?.fields?.values(named: "Content-Encoding").isEmpty == false
            }
            return isCoded ? nil : "no reply had a coding, since the client offers none that the server has"
        case .compression:
            // Some fixtures agree to what was not offered.
            let isCompressed = record.exchanges.contains {
                $0.head.fields.namesDeflate && $0.reply?.fields?.namesDeflate == true
            }
            return isCompressed
                ? nil
                : "no WebSocket was compressed, since the client offers no permessage-deflate that the server accepts"
        }
    }

    // MARK: The control

    /// Why missing cookies show nothing: a cookie store that does not work also sends no forbidden cookie.
    ///
    /// nil where the application changes the store itself, which the server can't see.
    var reasonCookiesLost: String? {
        guard item.client.first?.session?.cookies != .never, !item.needs.contains(.storeAccess),
            let last = record?.cookieVerdicts.last(where: \.note.expectsCookies)?.note, last.sent.isEmpty,
            let expected = last.expected
        else { return nil }
        let text = EventText.printable(String(decoding: expected.prefix(Self.cookieLimit), as: UTF8.self))
        return "the last request of which the server expected a cookie (\(text)) had none"
    }

    /// The most bytes of a cookie in a reason.
    private static let cookieLimit = 60

    /// Why a failed load shows nothing: a client that fails every load also fails the loads that must fail.
    private func reasonUncontrolled(_ step: Int) -> String? {
        results.errorName(ofStep: step) == nil ? nil : evidence.failedControls[.load]
    }
}

extension CaseGrading {
    /// Why the case shows nothing, half a sentence: a fact of `given:` is not so, such as the success beside a refusal.
    var reasonNotGiven: String? {
        guard !item.given.isEmpty else { return nil }
        let own = record?.requestsOfClientItself(besides: Set(item.contraryOrigins))
        let counted =
            if let own, !own.isEmpty, let entries = evidence.journal {
                WireRecord(entries, hasOwnURLs: item.hasOwnURLs, without: own)
            } else { record }
        let check = FactCheck(
            record: counted, client: results, context: context, namesErrors: abilities.include(.foundation),
            untolerated: item.untolerated)
        return item.given.lazy.compactMap { fact -> String? in
            switch check.check(fact) {
            case .holds: nil
            case .undecided(let reason): "the case rests on \(fact.name.text), of which nothing is known: \(reason)"
            case .fails(let wanted, let got, _, _):
                "the case rests on \(fact.name.text), which is to be \(wanted) and was \(EventText.printable(got, limit: 200))"
            }
        }.first
    }
}

extension CaseGrading {
    /// Why callbacks of a step came before the reply that they report, half a sentence; nil when none did.
    ///
    /// Each redirect reports another reply; so does each challenge of HTTP, unless it directly follows a challenge.
    func reasonEarlyCallbacks(_ step: Int) -> String? {
        guard trace.isMerged, stop == nil, !trace.isOfProtocol, let record, item.client.indices.contains(step),
            item.client[step].protocolScript == nil, item.client.first?.session?.cache == nil,
            item.client.first?.session?.protocols.isEmpty != false
        else { return nil }
        let begun = record.exchanges.filter { isInWindow($0.nanoseconds, ofStep: step) }.map {
            $0.answerNanoseconds ?? 0
        }
        .sorted()
        guard !begun.isEmpty else { return nil }
        var count = 0
        var isAfterChallenge = false
        for event in trace.events where event.lane == .task && event.task == step && event.phase == .enter {
            guard let time = event.nanoseconds else { continue }
            var needed: Int?
            switch event.name {
            case .redirect: (count, needed) = (count + 1, count + 1)
            // When the program rejects a protection space, the client asks about the next challenge of the same reply.
            case .challenge where !event.isOfTLS:
                (count, needed) = isAfterChallenge ? (count, count) : (count + 1, count + 1)
            case .response, .data: needed = max(1, count)
            case .complete where event.argument == "ok": needed = max(1, count)
            default: break
            }
            isAfterChallenge = event.name == .challenge
            guard let needed else { continue }
            let latest = time.addingReportingOverflow(Self.clockBound).partialValue
            if begun.count(where: { $0 <= latest }) < min(needed, begun.count) {
                return "\(EventText.symbol(event)) came before the reply that it tells had begun"
            }
        }
        return nil
    }
}

extension CookieVerdict {
    /// Whether each edition expects a cookie in the request, whichever of the latest replies the client has read.
    fileprivate var expectsCookies: Bool {
        undecidedCount == 0 && expected != nil && (otherwise.map { $0.expected != nil } ?? true)
    }
}

extension FieldSection {
    /// Whether Sec-WebSocket-Extensions lists permessage-deflate (RFC 7692 §7).
    fileprivate var namesDeflate: Bool {
        values(named: "Sec-WebSocket-Extensions").contains { value in
            value.split(separator: UInt8(ascii: ",")).contains { element in
                element.drop { $0 == UInt8(ascii: " ") }.starts(with: "permessage-deflate".utf8)
            }
        }
    }
}
