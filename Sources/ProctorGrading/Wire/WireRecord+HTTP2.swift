import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

extension WireRecord {
    /// A frame that an expression can name.
    struct FrameEvent {
        let sequence: UInt64
        let nanoseconds: UInt64
        let name: EventName
        let argument: String?

        /// nil for any other frame.
        init?(_ frame: FrameNote, _ entry: JournalEntry) {
            let isAcknowledgement = frame.party == .client && frame.flags.contains("ACK")
            switch (frame.type, frame.detail) {
            case ("RST_STREAM", .code(let code)):
                (name, argument) = (frame.party == .client ? .reset : .resetSent, code)
            case ("GOAWAY", .goAway(_, let code, _)):
                (name, argument) = (frame.party == .client ? .goaway : .goawaySent, code)
            case ("SETTINGS", _) where isAcknowledgement: (name, argument) = (.settingsAcknowledged, nil)
            case ("PING", _) where isAcknowledgement: (name, argument) = (.pingAcknowledged, nil)
            default: return nil
            }
            sequence = entry.sequence
            nanoseconds = entry.nanoseconds
        }

        var symbol: TraceEventSymbol { TraceEventSymbol(name.rawValue, argument) }
    }

    /// The events of an expression that names these: the requests, and the frames that it names, in their order.
    func symbols(named names: Set<String>) -> [(symbol: TraceEventSymbol, sequence: UInt64)] {
        let asked = requests.map { ($0.symbol, $0.sequence) }
        let frames = frameEvents.filter { names.contains($0.name.rawValue) }
        guard !frames.isEmpty else { return asked }
        return (asked + frames.map { ($0.symbol, $0.sequence) }).sorted { $0.1 < $1.1 }
    }
}

// MARK: Facts

extension WireRecord {
    /// Indexes into ``connections`` of those whose client spoke HTTP/2, in order.
    var http2Connections: [Int] { connections.indices.filter { connections[$0].http2.isSpokenByClient } }

    func measure(_ fact: FactName.StreamFact, ofStream index: Int) -> (value: Measurement, sequence: UInt64?) {
        guard streams.indices.contains(index) else { return (.absent, nil) }
        let stream = streams[index]
        let request = connections[stream.connection].requests.first { requests[$0].head.stream == stream.id }
        let value = stream.measure(fact, request: request, body: request.flatMap { requests[$0].content })
        return (value, stream.sequence)
    }

    func measure(_ fact: FactName.HTTP2Fact, ofConnection index: Int) -> (value: Measurement, sequence: UInt64?) {
        let spoken = http2Connections
        guard spoken.indices.contains(index) else { return (.absent, nil) }
        let connection = connections[spoken[index]]
        let violations = frameViolations.filter { $0.connection == spoken[index] }.map(\.violation.kind)
        return (connection.http2.measure(fact, violations: violations), connection.http2.sequence)
    }

    /// What the connection speaks; absent where neither side said anything of it.
    func speech(of connection: SeenConnection) -> Measurement {
        if connection.http2.isSpoken { return Measurement(ApplicationProtocol.h2.rawValue) }
        return connection.requests.isEmpty ? .absent : Measurement(ApplicationProtocol.http11.rawValue)
    }

    func streamCount(of connection: SeenConnection) -> Measurement {
        Measurement(streams.count { connections[$0.connection].number == connection.number })
    }

    func isReused(_ request: Int) -> Measurement {
        Measurement(earlierRequests(before: request).isEmpty ? "false" : "true")
    }

    /// Whether a request for another authority came on the connection before (RFC 9113 §9.1.1).
    func isCoalesced(_ request: Int) -> Measurement {
        let own = requests[request].authorityOfHost
        return Measurement(
            earlierRequests(before: request).contains { requests[$0].authorityOfHost != own } ? "true" : "false")
    }

    private func earlierRequests(before request: Int) -> some Sequence<Int> & Collection {
        connections[requests[request].connection].requests.prefix { $0 < request }
    }

    /// Why a stream or a connection of HTTP/2 has no value, half a sentence; nil where it was there.
    func reasonWithoutHTTP2(_ name: FactName) -> String? {
        switch name {
        case .stream(let index, _) where index >= streams.count:
            "\(Plural.count(streams.count, "stream")) \(streams.count == 1 ? "was" : "were") opened"
        case .http2(let index, _) where index >= http2Connections.count:
            "\(Plural.count(http2Connections.count, "connection")) spoke HTTP/2"
        default: nil
        }
    }
}

extension WireRecord.SeenRequest {
    /// The value of Host, which is `:authority` on a stream, in lower case.
    fileprivate var authorityOfHost: String? {
        head.fields.values(named: Array("host".utf8)).first.map { String(decoding: $0, as: UTF8.self).lowercased() }
    }
}

/// Gathers streams and connections of HTTP/2 from the entries of a journal.
struct FrameGathering {
    /// Streams in the order in which they were first named, also such that only have a priority.
    private var streams: [SeenStream] = []
    private var indexes: [Key: Int] = [:]

    private struct Key: Hashable {
        let connection: Int
        let stream: UInt32
    }

    /// The streams that the client opened, in order.
    var opened: [SeenStream] {
        streams.filter { $0.sequence != nil }.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    }

    /// Takes a frame; true where the client opened a stream with it.
    mutating func take(_ frame: FrameNote, at sequence: UInt64, on connection: Int) -> Bool {
        if case .priorityUpdate(let stream, let value) = frame.detail, frame.party == .client {
            update(stream, on: connection) { $0.take(priority: value) }
        }
        guard frame.stream != 0 else { return false }
        var isOpened = false
        update(frame.stream, on: connection) { stream in
            let wasOpen = stream.sequence != nil
            stream.take(frame, at: sequence)
            isOpened = !wasOpen && stream.sequence != nil
        }
        return isOpened
    }

    mutating func take(_ block: FieldBlockNote, on connection: Int) {
        update(block.stream, on: connection) { $0.take(block) }
    }

    private mutating func update(_ stream: UInt32, on connection: Int, _ change: (inout SeenStream) -> Void) {
        let key = Key(connection: connection, stream: stream)
        let index = indexes[key] ?? streams.count
        if index == streams.count {
            indexes[key] = index
            streams.append(SeenStream(stream, on: connection))
        }
        change(&streams[index])
    }
}
