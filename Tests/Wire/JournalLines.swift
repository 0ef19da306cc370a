import ProctorBase
import ProctorHTTP
package import ProctorJournal
import ProctorScenario
import ProctorTestSupport

extension Journal {
    /// Every entry as a short line, as soon as the journal ends as wanted; as it is after a patient while otherwise.
    package func lines(until isComplete: ([String]) -> Bool) async throws -> [String] {
        let start = ContinuousClock.now
        while true {
            let lines = lines
            if isComplete(lines) || ContinuousClock.now - start > Patience.whole { return lines }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Waits until so many connections have ended.
    package func lines(untilClosed count: Int = 1) async throws -> [String] {
        try await lines { lines in lines.count { $0.contains(" closed by ") } >= count }
    }

    /// Without the beginnings of replies, which their ends say enough of, and without bytes that no request holds.
    package var lines: [String] {
        snapshot().entries.filter { $0.event.begun == nil && $0.event.received == nil }.map(\.line)
    }

    /// Bytes that no request holds, in order.
    package var received: [ReceivedBytes] { snapshot().entries.compactMap(\.event.received) }

    /// The replies that began, interim ones too, in order.
    package var begunReplies: [SentReply] { snapshot().entries.compactMap(\.event.begun) }
}

extension JournalEntry {
    /// `c0 r0 sent 200 45`.
    package var line: String {
        let owner = [connection.map { "c\($0)" }, request.map { "r\($0)" }].compactMap(\.self)
        return (owner + [event.line]).joined(separator: " ")
    }
}

extension JournalEvent {
    fileprivate var begun: SentReply? {
        if case .replyBegun(let reply) = self { reply } else { nil }
    }

    fileprivate var received: ReceivedBytes? {
        if case .bytesReceived(let received) = self { received } else { nil }
    }

    fileprivate var line: String {
        switch self {
        case .runBegun(let seed): "begun \(seed)"
        case .connectionOpened(let origin, _, _): "opened \(origin)"
        case .clientHello(let hello): "hello \(hello.serverName ?? "-") \(hello.versions.joined(separator: ","))"
        case .secured(let handshake): "secured \(handshake.version) \(handshake.certificate)"
        case .handshakeFailed(let moment, let reason): "handshake failed at \(moment): \(reason)"
        case .alert(let alert): "alert \(alert.name) by \(alert.party.rawValue)"
        case .requestHead(let head, let target): "head \(head.method) \(EscapedText.escape(target))"
        case .routed(let origin, let routing): "routed to \(origin) by \(routing.rawValue)"
        case .tunnelOpened(let authority, let origin, _): "tunnel to \(authority) (\(origin))"
        case .cookiesSet(let notes): "cookies set: \(notes.map(\.outcome.rawValue).joined(separator: " "))"
        case .cookiesJudged(let verdict):
            (["cookies"] + verdict.differences.map(\.kind.rawValue)).joined(separator: " ")
        case .described(let note):
            "described \(note.message.rawValue) "
                + (note.faults.isEmpty
                    ? "open \(note.open.count)" : note.faults.map { "\($0.part) \($0.pointer)" }.joined(separator: "|"))
        case .requestBody(let body):
            "body \(body.byteCount) \(body.isWithheld ? "withheld" : body.isComplete ? "complete" : "cut")"
        case .bytesReceived(let received): "received \(received.byteCount) \(received.kind.rawValue)"
        case .bytesExpected(let expected):
            "expected \(expected.byteCount): \(expected.outcome.rawValue) at \(expected.metByteCount)"
        case .continueSent: "continue"
        case .violation(let violation): "violation \(violation.kind.rawValue) at \(violation.offset)"
        case .dns(let note): note.sentence
        case .downstream(let note): note.sentence
        case .socks(let note): note.sentence
        case .frame(let frame): "frame \(frame.type) \(frame.stream) by \(frame.party.rawValue)"
        case .fieldBlock(let block): "block \(block.kind.rawValue) \(block.stream) by \(block.party.rawValue)"
        case .frameViolation(let violation): "frame violation \(violation.kind) at \(violation.offset)"
        case .webSocket(let note): "ws \(note.sentence)"
        case .exchangeChosen(let exchange, let turn): "exchange \(exchange) turn \(turn)"
        case .missed(let miss): "missed, nearest \(miss.nearestExchange.map { "\($0)" } ?? "none")"
        case .guarded(let verdict):
            (["guard", verdict.guardName, verdict.outcome.rawValue] + verdict.faults.map(\.kind.rawValue))
                .joined(separator: " ")
        case .effectPlayed(let effect): "effect \(effect)"
        case .replyBegun(let reply): "begins \(reply.status.map { "\($0)" } ?? "raw")"
        case .replySent(let status, let byteCount): "sent \(status.map { "\($0)" } ?? "raw") \(byteCount)"
        case .replyFailed(let failure): "failed: \(failure.reason)"
        case .webhook(let note): note.sentence
        case .clockMoved(let note):
            "clock \(note.unixSeconds)\(note.isFrozen ? " frozen" : "") by \(note.cause.rawValue)"
        case .stateChanged(let change):
            "state \(EscapedText.escape(change.name))" + (change.value.map { " \(EscapedText.escape($0))" } ?? "")
        case .stateRefused(let refusal): "refused state \(EscapedText.escape(refusal.name))"
        case .replyAborted(let sentByteCount, let reason, _): "aborted \(sentByteCount): \(reason)"
        case .pipelined(let count): "pipelined behind \(count)"
        case .slicesKept(let count, let keeping): "slices \(count) by \(keeping.rawValue)"
        case .syncPassed(let event, let how): "sync \(event): \(how.rawValue)"
        case .boundReached(let bound): "bound of \(bound.kind.rawValue): \(bound.count)"
        case .loopHeld(let held): held.sentence
        case .turnedAway(let refused): "turned away: \(refused.kind.rawValue) beyond \(refused.limit)"
        case .clientReached(let event, let task): "reached \(event) of task \(task)"
        case .finReceived: "FIN received"
        case .connectionClosed(let by, let how): "closed by \(by.rawValue): \(how.rawValue)"
        }
    }
}
