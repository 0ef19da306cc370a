import ProctorBase
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// A recorded run in a form that a script can repeat: journal and sent bytes in one order, by connection.
struct PlayedRun {
    private(set) var connections: [PlayedConnection] = []
    /// The requests, in the order in which their heads arrived.
    private(set) var requests: [PlayedRequest] = []
    /// Why the run can't be repeated completely, each a sentence.
    private(set) var obstacles: [String] = []

    /// The profiles of certificates that a script does not make, so that it can't tell what clients make of them.
    private(set) var unmadeProfiles: [String] = []

    /// The shortest pause in milliseconds that is repeated; a shorter one is the server's usual delay.
    private static let shortestWait = 30
    /// Profiles of certificates that a script can make with a few lines.
    private static let profiles: Set = ["valid", "no-san", "self-signed", "untrusted-root", "wrong-host", "expired"]

    /// The length of a frame's header (RFC 9113 §4.1).
    private static let frameHeadByteCount = 9

    /// Whether requests arrived in frames of HTTP/2, which a script can't read.
    var isMultiplexed: Bool { requests.contains(where: \.isMultiplexed) }

    private struct Event {
        let nanoseconds: UInt64
        let connection: Int
        let action: Action
    }

    private enum Action {
        case request(Int)
        case content(isThere: Bool)
        case bytes(Int)
        case received(Int)
        case secured(HandshakeNote?)
        case effect(EffectVerb?)
        case sliced
        case tape(WireTape.Event)
    }

    private struct Ends: Hashable {
        let peer: String
        let local: String
    }

    init(_ subject: IssueSubject) {
        var events: [Event] = []
        var numbers: [Ends: Int] = [:]
        var connectionOf: [Int: Int] = [:]
        var endings: [Int: (JournalEvent.Party, JournalEvent.Ending)] = [:]
        for entry in subject.evidence.journal ?? [] {
            guard let journalConnection = entry.connection else { continue }
            if case .connectionOpened(_, let peer, let local) = entry.event {
                let ends = Ends(peer: peer, local: local)
                let number = numbers[ends] ?? connections.count
                if numbers[ends] == nil { connections.append(PlayedConnection(place: local)) }
                numbers[ends] = number
                connectionOf[journalConnection] = number
            }
            guard let number = connectionOf[journalConnection] else { continue }
            if case .connectionClosed(let party, let how) = entry.event { endings[number] = (party, how) }
            for action in actions(of: entry, on: number) {
                events.append(Event(nanoseconds: entry.nanoseconds, connection: number, action: action))
            }
        }
        for entry in subject.tape {
            guard let number = numbers[Ends(peer: entry.peer, local: entry.local)] else { continue }
            if entry.event == .cut {
                obstacles.append("the replies are longer than the \(WireTape.byteLimit) bytes that are kept")
            }
            events.append(Event(nanoseconds: entry.nanoseconds, connection: number, action: .tape(entry.event)))
        }
        let order = events.enumerated().sorted {
            ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset)
        }
        for number in connections.indices {
            let own = order.map(\.element).filter { $0.connection == number }
            let ending = endings[number]
            let isEndedByServer = ending.map { $0.0 == .server && $0.1 != .stopped } ?? false
            connections[number].steps = steps(
                own, names: names(at: connections[number].place, in: subject.scenario), endsItself: isEndedByServer)
        }
        for origin in subject.scenario.origins where origin.transport == .unix {
            obstacles.append("the origin \(origin.name) listens on a Unix socket, which the script does not")
        }
        obstacles = obstacles.unique
    }

    private mutating func actions(of entry: JournalEntry, on connection: Int) -> [Action] {
        switch entry.event {
        case .requestHead(let head, _):
            requests.append(
                PlayedRequest(connection: connection, head: head.bytes, isMultiplexed: head.isMultiplexed))
            return [.request(requests.count - 1)]
        case .requestBody(let body):
            guard let last = requests.lastIndex(where: { $0.connection == connection }) else { return [] }
            requests[last].content = Self.content(of: body)
            return [.content(isThere: body.isComplete && (body.byteCount > 0 || !body.chunkLines.isEmpty))]
        case .frame(let frame) where frame.party == .client && !frame.isOfHTTP3:
            return [.received(frame.offset + (Self.frameHeadByteCount + frame.byteCount) * frame.count)]
        case .bytesReceived(let received): return [.bytes(received.byteCount)]
        case .secured(let note):
            if !Self.profiles.contains(note.certificate) {
                unmadeProfiles.append(note.certificate)
                obstacles.append(
                    "the server's certificate is of the profile \(note.certificate) of Proctor (certs/\(note.certificate).yaml); "
                        + "the script makes a valid one")
            }
            return [.secured(note)]
        case .handshakeFailed: return [.secured(nil)]
        case .alert(let alert) where alert.party == .server && alert.number != 0:
            obstacles.append(
                "the server sends the alert \(alert.name) of TLS, which the module ssl of Python can't be told to")
            return []
        case .effectPlayed(let effect):
            if effect.verb == .badMAC {
                obstacles.append("the server spoils a record of TLS, which the script does not")
            }
            return [.effect(effect.verb)]
        case .slicesKept(let count, _): return count > 1 ? [.sliced] : []
        default: return []
        }
    }

    /// The content as it was on the wire.
    private static func content(of body: RequestBody) -> [UInt8] {
        guard !body.chunkLines.isEmpty else { return body.kept }
        let end: [UInt8] = [0x0D, 0x0A]
        var content: [UInt8] = []
        var rest = body.kept[...]
        for (index, line) in body.chunkLines.enumerated() {
            content += line + end
            guard index < body.chunks.count else { continue }
            content += rest.prefix(body.chunks[index]) + end
            rest = rest.dropFirst(body.chunks[index])
        }
        for trailer in body.trailers { content += trailer + end }
        return content + end
    }

    /// The names in the certificate at an address.
    private func names(at place: String, in scenario: Scenario) -> [String] {
        let host = String(place[..<(place.lastIndex(of: ":") ?? place.endIndex)].filter { $0 != "[" && $0 != "]" })
        let named = scenario.origins.compactMap(\.hostName)
        return (named + [host, "localhost"]).unique
    }

    private func steps(_ events: [Event], names: [String], endsItself: Bool) -> [PlayStep] {
        var steps: [PlayStep] = []
        let isSliced = events.contains { if case .sliced = $0.action { true } else { false } }
        var last = events.first?.nanoseconds ?? 0
        var isCut = false
        for event in events {
            switch event.action {
            case .request(let number): steps.append(.request(number))
            case .content(let isThere): if isThere { steps.append(.content) }
            case .bytes(let count): steps.append(.bytes(count))
            case .received(let count):
                if case .received? = steps.last { steps.removeLast() }
                steps.append(.received(count))
            case .secured(let note):
                steps.append(
                    .tls(
                        PlayedHandshake(
                            profile: note?.certificate ?? "valid",
                            names: ((note?.serverName).map { [$0] } ?? []) + names, version: note?.version ?? "1.3",
                            protocolName: note?.applicationProtocol)))
            case .effect(.truncateRecord): isCut = true
            case .effect(.stall): steps.append(.stall)
            case .effect, .sliced: continue
            case .tape(let action):
                let wait = Int(event.nanoseconds &- last) / 1_000_000
                let isSent = if case .sent = action { true } else { false }
                if isSent || endsItself, wait >= Self.shortestWait { steps.append(.wait(wait / 10 * 10)) }
                switch action {
                case .sent(let bytes):
                    if !isSliced, case .send(let before, isCut: false)? = steps.last, !isCut {
                        steps[steps.count - 1] = .send(before + bytes, isCut: false)
                    } else {
                        steps.append(.send(bytes, isCut: isCut))
                    }
                case .halfClosed(let closeNotify):
                    if endsItself, !steps.isEnded { steps.append(.finish(closeNotify: closeNotify)) }
                case .closed: if endsItself, !steps.isEnded { steps.append(.close) }
                case .reset: if endsItself, !steps.isEnded { steps.append(.reset) }
                case .cut: break
                }
            }
            last = event.nanoseconds
        }
        return steps.withSlices
    }
}

extension [PlayStep] {
    fileprivate var isEnded: Bool {
        switch last {
        case .finish, .close, .reset: true
        default: false
        }
    }

    /// The steps, in which adjacent writes are slices of one step.
    fileprivate var withSlices: [PlayStep] {
        reduce(into: []) { steps, step in
            guard case .send(let bytes, isCut: false) = step else { return steps.append(step) }
            switch steps.last {
            case .send(let before, isCut: false): steps[steps.count - 1] = .slices([before, bytes])
            case .slices(let pieces): steps[steps.count - 1] = .slices(pieces + [bytes])
            default: steps.append(step)
            }
        }
    }
}
