internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A connection that carries the requests of many transfers, each on a stream; loop thread only.
protocol SharedConnection: AnyObject, Sendable {
    var destination: Destination { get }
    /// The number among all connections of the pool, from 1.
    var number: Int { get }
    var pool: ConnectionPool { get }
    var places: StreamPlaces { get }
    var peer: SocketAddress { get }
    /// nil over a Unix socket.
    var localPort: UInt16? { get }
    /// nil for a connection without TLS.
    var secured: SecuredConnection? { get }
    var rules: StreamRules { get }

    /// How many streams may be opened now, reservations included.
    var streamRoom: Int { get }
    /// Whether the server permits an extended CONNECT (RFC 8441 §3); nil before its SETTINGS have come.
    var permitsExtendedConnect: Bool? { get }

    /// Sends the field section of a request on a new stream; returns its id.
    func open(
        _ stream: SharedStream, _ fields: [HeaderField], method: [UInt8], endsStream: Bool
    ) throws(RequestRefusal) -> UInt64
    /// How many bytes of content may go out on the stream now.
    func room(on number: UInt64) -> Int
    /// Sends content within that room.
    func send(_ content: ArraySlice<UInt8>, on number: UInt64, endsStream: Bool)
    /// Sends the fields behind the content, which end the request.
    func sendTrailers(_ fields: [HeaderField], on number: UInt64)
    /// Whether bytes of the stream are queued that have not gone out; then the stream is told once more of them may have.
    func hasUnsent(on number: UInt64) -> Bool
    /// Lets the server send as many bytes more: the transfer has read them.
    func credit(_ byteCount: Int, on number: UInt64)
    /// Content that came on a stream is not read any more.
    func drop(_ byteCount: Int, on number: UInt64)
    /// Ends a stream that the transfer no longer needs, if it is still open.
    func cancel(_ stream: SharedStream, _ number: UInt64)
    /// Resets a stream whose server sent more than this client's limits permit; the sentence says what.
    func refuse(_ stream: SharedStream, _ sentence: String)
    /// Sends what is queued.
    func flush()
    /// The first request has gone out, or was given up: what the server sends is read from now on.
    func startReading()
    /// Ends every stream with this failure, and the connection.
    func lose(_ failure: StreamFailure)
    /// Ends the connection in peace; no stream may be open.
    func close()
}

/// What the specification of a protocol calls the parts of its connections, for messages.
struct StreamRules: Sendable {
    /// The protocol's ALPN name.
    let protocolName: String
    let version: HTTPVersion
    /// Where requests that were not processed are told of.
    let unprocessed: String
    /// The end of a reply.
    let end: String

    static let http2 = StreamRules(
        protocolName: "h2", version: .http2, unprocessed: "RFC 9113 §8.7", end: "END_STREAM (RFC 9113 §8.1)")
    static let http3 = StreamRules(
        protocolName: "h3", version: .http3, unprocessed: "RFC 9114 §5.2", end: "the end of its stream (RFC 9114 §4.1)")
}

/// Why a request can't be sent on a connection.
enum RequestRefusal: Error {
    /// The connection permits no more streams.
    case noPlace
    /// The server takes no such request; the reason is a sentence.
    case unwanted(String)
}

/// The streams of one shared connection, and reservations of them; loop thread only.
final class StreamPlaces {
    /// Streams with an id, whose transfer has not ended.
    var streams: [UInt64: SharedStream] = [:]
    /// Reservations of streams without an id yet.
    var reserved: [ObjectIdentifier: SharedStream] = [:]
    fileprivate(set) var openedCount = 0
    /// The server's GOAWAY, as part of a sentence.
    var goAway: String?
    /// Whether no further stream may be opened; the connection ends with its last stream.
    fileprivate(set) var isRetired = false
    fileprivate(set) var isClosed = false
    /// Since when no stream is open, in MonotonicClock nanoseconds; nil while a stream is open.
    var idleSince: UInt64?
    /// Origins whose requests the server answered with 421 (RFC 9110 §15.5.20).
    fileprivate var misdirected: Set<Origin> = []

    var isEmpty: Bool { streams.isEmpty && reserved.isEmpty }

    var afterGoAway: String { goAway.map { " after its \($0)" } ?? "" }

    /// Marks the connection as closed; false if it was closed before.
    func markClosed() -> Bool {
        guard !isClosed else { return false }
        (isClosed, isRetired) = (true, true)
        return true
    }
}

extension SharedConnection {
    var loop: EventLoop { pool.loop }

    var isRetired: Bool { places.isRetired }

    var isClosed: Bool { places.isClosed }

    var idleSince: UInt64? { places.idleSince }

    /// Whether one more stream may be opened now.
    var hasRoom: Bool { !places.isRetired && places.reserved.count < streamRoom }

    /// Whether requests to this origin may be sent on this connection, as far as the server has answered.
    func mayServe(_ origin: Origin) -> Bool { !places.isRetired && !places.misdirected.contains(origin) }

    /// The server answered a request to the origin with 421 (RFC 9110 §15.5.20).
    ///
    /// A connection that was opened for that origin has no further use, and may stand in the place of the next one.
    func misdirect(_ origin: Origin) {
        places.misdirected.insert(origin)
        if origin == destination.origin { retire() }
    }

    /// Reserves a stream; the caller has checked ``hasRoom``.
    func reserve() -> SharedStream {
        places.openedCount += 1
        places.idleSince = nil
        let stream = SharedStream(on: self, isReused: places.openedCount > 1)
        places.reserved[ObjectIdentifier(stream)] = stream
        return stream
    }

    /// Permits no new streams; the connection ends with its last one.
    func retire() {
        places.isRetired = true
        closeIfDone()
        pool.placesHaveChanged(on: self)
    }

    func release(_ stream: SharedStream) {
        places.reserved[ObjectIdentifier(stream)] = nil
        startReading()
        if let number = stream.number, places.streams.removeValue(forKey: number) != nil {
            cancel(stream, number)
            flush()
        }
        closeIfDone()
        guard !isClosed else { return }
        if places.isEmpty {
            places.idleSince = MonotonicClock.nanoseconds
            secured?.keepTicket(of: destination)
        }
        pool.placesHaveChanged(on: self)
    }

    private func closeIfDone() {
        if places.isRetired, places.isEmpty { close() }
    }

    /// Ends every stream with this failure, and permits no further one.
    func failStreams(with failure: StreamFailure) {
        let streams = places.streams.sorted { $0.key < $1.key }.map(\.value)
        let reserved = places.reserved.values
        places.isRetired = true
        places.streams = [:]
        places.reserved = [:]
        for stream in streams { stream.fail(failure) }
        for stream in reserved {
            stream.fail(.unprocessed("\(peer) ended the connection before the request was sent", isUnsent: true))
        }
    }

    /// Handles GOAWAY: the server has not processed the streams that `isLost` names; the others continue.
    func goAway(_ words: String, lastIs last: String, isLost: (UInt64) -> Bool) {
        places.goAway = words
        for (number, stream) in places.streams.filter({ isLost($0.key) }).sorted(by: { $0.key < $1.key }) {
            places.streams[number] = nil
            stream.fail(
                .unprocessed("\(peer) sent \(words) with \(last), and this was stream \(number)", isUnsent: false))
        }
        for stream in places.reserved.values {
            stream.fail(.unprocessed("\(peer) sent \(words) before the request", isUnsent: true))
        }
        places.reserved = [:]
        retire()
    }

    /// Resumes streams that wait for a window, for room in the output, or for the server's SETTINGS.
    func wakeSenders() {
        for stream in places.streams.values { stream.roomHasGrown() }
        for stream in places.reserved.values { stream.roomHasGrown() }
    }
}
