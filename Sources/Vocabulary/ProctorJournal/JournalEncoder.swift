package import ProctorBase
internal import Synchronization

/// Journal entries as JSON lines, one object and a line feed for each; ``JournalTable`` has their keys.
///
/// The first line of a file is `{"journal":"proctor","version":2,"clock":"monotonic","unit":"ns"}`. Later versions
/// only add keys; a change that an old reader would misread raises the version.
package struct JournalEncoder: Sendable {
    /// 2: a line may name the one that has its content.
    package static let version = 2

    /// The constant parts between the numbers that begin a line, kept here because each is cheaper than a static one.
    private let sequence = JournalEncoder.constants.sequence
    private let nanoseconds = JournalEncoder.constants.nanoseconds
    /// The keys `scenario` and `run` as far as the journal has them.
    private let owner: JSONPiece
    private let ownerAndConnection: JSONPiece
    private let request = JournalEncoder.constants.request
    /// Differs from those of all other encoders of the process.
    let number = JournalEncoder.count.wrappingAdd(1, ordering: .relaxed).newValue

    private static let count = Atomic<UInt32>(0)
    /// Made once: each journal has an encoder.
    private static let constants = (
        sequence: JSONPiece(Array("{\"seq\":".utf8)), nanoseconds: JSONPiece(key: "ns"),
        request: JSONPiece(key: "request")
    )

    /// With names every line has them, for files that hold several runs.
    package init(scenario: String? = nil, run: String? = nil) {
        owner = JSONPiece { json in
            if let scenario { json.member("scenario", scenario) }
            if let run { json.member("run", run) }
        }
        ownerAndConnection = JSONPiece(owner, key: "connection")
    }

    package static func appendHeader(to json: inout JSONText) {
        json.open("{")
        json.member("journal", "proctor")
        json.member("version", version)
        json.member("clock", "monotonic")
        json.member("unit", "ns")
        json.close("}")
        json.lineEnd()
    }

    /// `isOfFile`: the line may name an earlier one of its journal, which has the content of its reply.
    package func append(_ entry: JournalEntry, to json: inout JSONText, isOfFile: Bool = false) {
        func write<Payload, Output>(_ shape: JournalShape<Payload, Output>, _ payload: Payload) {
            appendLineStart(shape.eventPiece, entry.sequence, entry, to: &json)
            shape.write(payload, to: &json)
        }
        switch entry.event {
        case .runBegun(let seed): write(JournalTable.runBegun, seed)
        case .connectionOpened(let origin, let peer, let local):
            write(JournalTable.connectionOpened, (origin, peer, local))
        case .clientHello(let hello): write(JournalTable.clientHello, hello)
        case .secured(let handshake): write(JournalTable.secured, handshake)
        case .handshakeFailed(let moment, let reason): write(JournalTable.handshakeFailed, (moment, reason))
        case .alert(let alert): write(JournalTable.alert, alert)
        case .requestHead(let head, let target): write(JournalTable.requestHead, (head, target))
        case .pipelined(let count): write(JournalTable.pipelined, count)
        case .routed(let origin, let routing): write(JournalTable.routed, (origin, routing))
        case .tunnelOpened(let authority, let origin, let connection):
            write(JournalTable.tunnelOpened, (authority, origin, connection))
        case .cookiesSet(let notes): write(JournalTable.cookiesSet, notes)
        case .cookiesJudged(let verdict): write(JournalTable.cookiesJudged, verdict)
        case .requestBody(let body): write(JournalTable.requestBody, body)
        case .bytesReceived(let received): write(JournalTable.bytesReceived, received)
        case .bytesExpected(let expected): write(JournalTable.bytesExpected, expected)
        case .continueSent: write(JournalTable.continueSent, ())
        case .violation(let violation): write(JournalTable.violation, violation)
        case .frame(let frame): write(JournalTable.frame, frame)
        case .fieldBlock(let block): write(JournalTable.fieldBlock, block)
        case .frameViolation(let violation): write(JournalTable.frameViolation, violation)
        case .webSocket(let note):
            switch note.event {
            case .opened(let name, let extensions): write(JournalTable.webSocketOpened, (name, extensions))
            case .frame(let frame): write(JournalTable.webSocketFrame, frame)
            case .violation(let violation): write(JournalTable.webSocketViolation, violation)
            case .expected(let expected): write(JournalTable.webSocketExpected, expected)
            }
        case .socks(let note):
            switch note.event {
            case .greeting(let methods, let selected): write(JournalTable.socksGreeting, (methods, selected))
            case .login(let user, let isAccepted): write(JournalTable.socksLogin, (user, isAccepted))
            case .request(let request): write(JournalTable.socksRequest, request)
            case .violation(let violation, let isFatal): write(JournalTable.socksViolation, (violation, isFatal))
            }
        case .dns(let note): appendNote(note, of: entry, to: &json)
        case .downstream(let note): appendDownstream(note, of: entry, to: &json)
        case .exchangeChosen(let exchange, let turn): write(JournalTable.exchangeChosen, (exchange, turn))
        case .clockMoved(let note): write(JournalTable.clockMoved, note)
        case .stateChanged(let change): write(JournalTable.stateChanged, change)
        case .stateRefused(let refusal): write(JournalTable.stateRefused, refusal)
        case .missed(let miss): write(JournalTable.missed, miss)
        case .guarded(let verdict): write(JournalTable.guarded, verdict)
        case .webhook(let note): appendWebhook(note, of: entry, to: &json)
        case .described(let note): write(JournalTable.described, note)
        case .effectPlayed(let effect): write(JournalTable.effectPlayed, effect)
        case .slicesKept(let count, let keeping): write(JournalTable.slicesKept, (count, keeping))
        case .syncPassed(let event, let how): write(JournalTable.syncPassed, (event, how))
        case .replyBegun(let reply):
            appendLineStart(JournalTable.replyBegun.eventPiece, entry.sequence, entry, to: &json)
            if isOfFile, reply.isShared, let earlier = reply.earlierEntry(with: self, at: entry.sequence) {
                reply.naming(contentOf: earlier).appendMembers(to: &json)
            } else {
                reply.appendMembers(to: &json)
            }
        case .replySent(let status, let byteCount): write(JournalTable.replySent, (status, byteCount))
        case .replyAborted(let count, let reason, let client): write(JournalTable.replyAborted, (count, reason, client))
        case .replyFailed(let failure): write(JournalTable.replyFailed, failure)
        case .finReceived: write(JournalTable.finReceived, ())
        case .connectionClosed(let party, let how): write(JournalTable.connectionClosed, (party, how))
        case .boundReached(let bound): write(JournalTable.boundReached, bound)
        case .loopHeld(let held): write(JournalTable.loopHeld, held)
        case .turnedAway(let refused): write(JournalTable.turnedAway, refused)
        case .clientReached(let event, let task): write(JournalTable.clientReached, (event, task))
        }
        Self.endLine(&json)
    }

    private func appendNote(_ note: DNSNote, of entry: JournalEntry, to json: inout JSONText) {
        func write<Payload, Output>(_ shape: JournalShape<Payload, Output>, _ payload: Payload) {
            appendLineStart(shape.eventPiece, entry.sequence, entry, to: &json)
            shape.write(payload, to: &json)
        }
        switch note.event {
        case .question(let question): write(JournalTable.dnsQuestion, question)
        case .reply(let question, let text): write(JournalTable.dnsReply, (question, text))
        case .violation(let question, let violation): write(JournalTable.dnsViolation, (question, violation))
        }
    }

    private func appendWebhook(_ note: WebhookNote, of entry: JournalEntry, to json: inout JSONText) {
        func write<Payload, Output>(_ shape: JournalShape<Payload, Output>, _ payload: Payload) {
            appendLineStart(shape.eventPiece, entry.sequence, entry, to: &json)
            shape.write(payload, to: &json)
        }
        switch note.event {
        case .sent(let url, let id, let byteCount, let mistake):
            write(JournalTable.webhookSent, (note, url, id, byteCount, mistake))
        case .answered(let status, let milliseconds, let fault):
            write(JournalTable.webhookAnswered, (note, status, milliseconds, fault))
        case .unanswered(let reason, let fault): write(JournalTable.webhookUnanswered, (note, reason, fault))
        }
    }

    private func appendDownstream(_ note: DownstreamNote, of entry: JournalEntry, to json: inout JSONText) {
        func write<Payload, Output>(_ shape: JournalShape<Payload, Output>, _ payload: Payload) {
            appendLineStart(shape.eventPiece, entry.sequence, entry, to: &json)
            shape.write(payload, to: &json)
        }
        switch note.event {
        case .opened(let peer): write(JournalTable.downstreamOpened, (note.connection, peer))
        case .sent(let bytes, let byteCount, let method):
            write(JournalTable.downstreamSent, (note.connection, bytes, byteCount, method))
        case .received(let bytes, let byteCount):
            write(JournalTable.downstreamReceived, (note.connection, bytes, byteCount))
        case .said(let part): write(JournalTable.downstreamSaid, (note.connection, part))
        case .stoodBetween(let name, let requestVia, let replyVia):
            write(JournalTable.downstreamBetween, (note.connection, name, requestVia, replyVia))
        case .ended(let party, let how): write(JournalTable.downstreamEnded, (note.connection, party, how))
        case .missed(let awaited, let reason):
            write(JournalTable.downstreamMissed, (note.connection, awaited, reason))
        }
    }

    /// Appends the line that stands where entries were dropped, for want of room in memory.
    ///
    /// `entry` is the first one behind the gap; `seq` of the line is that of the last dropped one.
    ///
    ///     {"seq":12,"ns":81230,"ev":"entriesDropped","count":12}
    package func appendDropped(_ count: Int, before entry: JournalEntry, to json: inout JSONText) {
        appendLineStart(
            JournalTable.entriesDropped.eventPiece, max(1, entry.sequence) - 1, entry, isEntry: false, to: &json)
        JournalTable.entriesDropped.write(count, to: &json)
        Self.endLine(&json)
    }

    /// Appends the line that stands in a file where lines could not be written, of whatever journal.
    ///
    ///     {"ev":"linesLost","count":3,"reason":"write: No space left on device (28)"}
    package static func appendLost(_ count: Int, reason: String, to json: inout JSONText) {
        json.open("{")
        json.member("ev", JournalTable.linesLost.name)
        JournalTable.linesLost.write((count, reason), to: &json)
        endLine(&json)
    }

    /// Writes the keys of ``JournalTable/line`` without its closures, because every line has them.
    @inline(never)
    private func appendLineStart(
        _ event: JSONPiece, _ sequence: UInt64, _ entry: JournalEntry, isEntry: Bool = true, to json: inout JSONText
    ) {
        json.append(self.sequence)
        json.number(sequence)
        json.append(nanoseconds)
        json.number(entry.nanoseconds)
        if isEntry, let connection = entry.connection {
            json.append(ownerAndConnection)
            json.number(connection)
        } else {
            json.append(owner)
        }
        if isEntry, let number = entry.request {
            json.append(request)
            json.number(number)
        }
        json.append(event)
    }

    private static func endLine(_ json: inout JSONText) {
        json.close("}")
        json.lineEnd()
    }
}

extension JournalEncoder {
    /// The first line of a file.
    package static var header: [UInt8] {
        var json = JSONText()
        appendHeader(to: &json)
        return json.bytes
    }

    /// The lines of the entries, in order.
    package func lines(_ entries: some Sequence<JournalEntry>) -> [UInt8] {
        var json = JSONText()
        for entry in entries { append(entry, to: &json) }
        return json.bytes
    }
}
