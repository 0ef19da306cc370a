import ProctorBase

/// Journal entries as JSON lines, one object and a line feed for each; ``JournalTable`` has their keys.
///
/// The first line of a file is `{"journal":"proctor","version":1,"clock":"monotonic","unit":"ns"}`. Later versions
/// only add keys; a change that an old reader would misread raises the version.
package struct JournalEncoder: Sendable {
    package static let version = 1

    private let scenario: String?
    private let run: String?

    /// With names every line has them, for files that hold several runs.
    package init(scenario: String? = nil, run: String? = nil) {
        self.scenario = scenario
        self.run = run
    }

    package static func appendHeader(to bytes: inout [UInt8]) {
        appendLine(to: &bytes) { json in
            json.member("journal", "proctor")
            json.member("version", version)
            json.member("clock", "monotonic")
            json.member("unit", "ns")
        }
    }

    package func append(_ entry: JournalEntry, to bytes: inout [UInt8]) {
        Self.appendLine(to: &bytes) { json in
            func write<Payload, Output>(_ shape: JournalShape<Payload, Output>, _ payload: Payload) {
                JournalTable.line.write(
                    JournalLineStart(
                        sequence: entry.sequence, nanoseconds: entry.nanoseconds, scenario: scenario, run: run,
                        connection: entry.connection, request: entry.request, event: shape.name), to: &json)
                shape.write(payload, to: &json)
            }
            switch entry.event {
            case .connectionOpened(let origin, let peer, let local):
                write(JournalTable.connectionOpened, (origin, peer, local))
            case .clientHello(let hello): write(JournalTable.clientHello, hello)
            case .secured(let handshake): write(JournalTable.secured, handshake)
            case .handshakeFailed(let moment, let reason): write(JournalTable.handshakeFailed, (moment, reason))
            case .alert(let alert): write(JournalTable.alert, alert)
            case .requestHead(let head, let target): write(JournalTable.requestHead, (head, target))
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
            case .exchangeChosen(let exchange, let turn): write(JournalTable.exchangeChosen, (exchange, turn))
            case .missed(let miss): write(JournalTable.missed, miss)
            case .guarded(let verdict): write(JournalTable.guarded, verdict)
            case .effectPlayed(let action, let position): write(JournalTable.effectPlayed, (action, position))
            case .slicesKept(let count, let keeping): write(JournalTable.slicesKept, (count, keeping))
            case .syncPassed(let event, let how): write(JournalTable.syncPassed, (event, how))
            case .replyBegun(let reply): write(JournalTable.replyBegun, reply)
            case .replySent(let status, let byteCount): write(JournalTable.replySent, (status, byteCount))
            case .replyAborted(let byteCount, let reason): write(JournalTable.replyAborted, (byteCount, reason))
            case .connectionClosed(let party, let how): write(JournalTable.connectionClosed, (party, how))
            case .boundReached(let bound): write(JournalTable.boundReached, bound)
            case .clientReached(let event, let task): write(JournalTable.clientReached, (event, task))
            }
        }
    }

    /// Appends the line that stands where entries were dropped, for want of room in memory.
    ///
    /// `entry` is the first one behind the gap; `seq` of the line is that of the last dropped one.
    ///
    ///     {"seq":12,"ns":81230,"ev":"entriesDropped","count":12}
    package func appendDropped(_ count: Int, before entry: JournalEntry, to bytes: inout [UInt8]) {
        Self.appendLine(to: &bytes) { json in
            JournalTable.line.write(
                JournalLineStart(
                    sequence: max(1, entry.sequence) - 1, nanoseconds: entry.nanoseconds, scenario: scenario, run: run,
                    connection: nil, request: nil, event: JournalTable.entriesDropped.name), to: &json)
            JournalTable.entriesDropped.write(count, to: &json)
        }
    }

    /// Appends the line that stands in a file where lines could not be written, of whatever journal.
    ///
    ///     {"ev":"linesLost","count":3,"reason":"write: No space left on device (28)"}
    package static func appendLost(_ count: Int, reason: String, to bytes: inout [UInt8]) {
        appendLine(to: &bytes) { json in
            json.member("ev", JournalTable.linesLost.name)
            JournalTable.linesLost.write((count, reason), to: &json)
        }
    }

    private static func appendLine(to bytes: inout [UInt8], _ members: (inout JSONText) -> Void) {
        var json = JSONText(appendingTo: take(&bytes))
        json.open("{")
        members(&json)
        json.close("}")
        json.lineEnd()
        bytes = json.bytes
    }

    /// Takes the array out, so that it is not copied when it grows.
    private static func take(_ bytes: inout [UInt8]) -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}
