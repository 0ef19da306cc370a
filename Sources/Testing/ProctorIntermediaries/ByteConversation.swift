internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorProgram
internal import ProctorQUICLink
internal import ProctorServing
internal import ProctorTLS

/// Does the acts of a step that sends bytes, and writes into the journal what goes and comes.
///
/// On the thread of its loop.
final class ByteConversation {
    private let address: SocketAddress
    /// Where it listens with TLS; nil: nowhere.
    private let secure: SecureEnd?
    private let loop: EventLoop
    private let journal: Journal
    /// What stands in bytes for `{to}` and `{host}`.
    private let values: [(name: [UInt8], value: [UInt8])]
    private var connections: [DownstreamLine] = []
    private var current = 0
    private var receivedByteCount = 0

    /// How long each thing that is awaited may take.
    private static let patience = Duration.seconds(5)
    /// The most bytes of one step that come.
    private static let receivedByteLimit = 8 << 20

    /// The address at which an intermediary listens with TLS, the root that vouches for its certificate there, in DER, and what
    /// speaks QUIC; nil: HTTP/3 is not spoken.
    struct SecureEnd: Sendable {
        let address: SocketAddress
        let root: [UInt8]
        let quic: (any QUICTransport)?
    }

    init(
        to address: SocketAddress, secure: SecureEnd? = nil, target: String, host: String, journal: Journal,
        on loop: EventLoop
    ) {
        (self.address, self.secure, self.loop, self.journal) = (address, secure, loop, journal)
        values = [(Array("{to}".utf8), Array(target.utf8)), (Array("{host}".utf8), Array(host.utf8))]
    }

    /// Connects as soon as the program listens, wherever it is to; false when it does not within the time, or `isOver` says that it has ended.
    func awaitListeners(within limit: Duration, unless isOver: () -> Bool) async -> Bool {
        for place in [address] + (secure.map { [$0.address] } ?? []) {
            guard await awaitListener(at: place, within: limit, unless: isOver) else { return false }
        }
        return true
    }

    private func awaitListener(
        at address: SocketAddress, within limit: Duration, unless isOver: () -> Bool
    ) async -> Bool {
        let end = Socket.deadline(within: limit.wholeNanoseconds)
        while MonotonicClock.nanoseconds < end, !isOver(), !Task.isCancelled {
            do throws(SocketError) {
                let socket = try await Socket.connect(to: address, on: loop, within: 1_000_000_000)
                socket.close()
                return true
            } catch {
                guard await loop.sleep(for: .milliseconds(5)) else { return false }
            }
        }
        return false
    }

    /// Does all acts, and ends behind the first one that comes to nothing.
    ///
    /// All connections are closed in the end.
    func perform(_ acts: [ByteAct]) async {
        defer {
            for (number, line) in connections.enumerated() where !line.isClosed {
                line.close()
                writeNote(number, .ended(by: .client, how: .closed))
            }
        }
        if acts.first?.opensConnection != true, await !open() { return }
        for act in acts {
            guard await perform(act) else { return }
        }
    }

    /// Tells who stands between, and its Via; each value once.
    func noteBetween(_ name: String) {
        var requestVia: [[UInt8]] = []
        for case .requestHead(let head, _) in journal.snapshot().entries.map(\.event) {
            requestVia += head.fields.values(named: "Via").map { Array($0) }
        }
        func each(_ values: [[UInt8]]) -> [[UInt8]] {
            var seen: Set<[UInt8]> = []
            return values.filter { seen.insert($0).inserted }.prefix(Self.viaLimit).map { Array($0.prefix(1_000)) }
        }
        writeNote(
            0, .stoodBetween(name: name, requestVia: each(requestVia), replyVia: each(connections.flatMap(\.via))))
    }

    /// The most values of Via that are told.
    private static let viaLimit = 20

    private func open(_ speech: ByteAct.Speech = .plain) async -> Bool {
        let number = connections.count
        guard let place = speech.isSecure ? secure?.address : address else {
            writeNote(number, .missed(awaited: "connection", reason: "the intermediary has no TLS"))
            return false
        }
        if speech == .datagrams { return await openQUIC(to: place, number) }
        do throws(SocketError) {
            let socket = try await Socket.connect(to: place, on: loop, within: Self.patience.wholeNanoseconds)
            let line = DownstreamLine(.bytes(socket), speech)
            connections.append(line)
            current = number
            writeNote(number, .opened(peer: place.description))
            if speech.isSecure, let reason = await beginTLS(on: socket, speech) {
                writeNote(number, .missed(awaited: "connection", reason: reason))
                return false
            }
            if let preface = line.streams?.preface() {
                try await socket.write(preface, within: Self.patience.wholeNanoseconds)
            }
            return true
        } catch {
            writeNote(number, .missed(awaited: "connection", reason: "\(error)"))
            return false
        }
    }

    private func openQUIC(to place: SocketAddress, _ number: Int) async -> Bool {
        let end = DatagramEnd(on: loop)
        connections.append(DownstreamLine(.datagrams(end), .datagrams))
        current = number
        guard let secure, let quic = secure.quic else {
            return miss("connection", "the intermediary has no HTTP/3")
        }
        let reason = await end.open(
            to: place, root: secure.root, by: quic, within: Self.patience.wholeNanoseconds)
        guard let reason else {
            writeNote(number, .opened(peer: "\(place) (HTTP/3)"))
            return true
        }
        return miss("connection", reason)
    }

    /// Makes the handshake; the reason where it fails.
    private func beginTLS(on socket: Socket, _ speech: ByteAct.Speech) async -> String? {
        var setup = TLSClientSetup(anchors: secure.map { [$0.root] } ?? [])
        let name = speech == .streams ? "h2" : "http/1.1"
        setup.applicationProtocols = [name]
        do {
            let session = TLSSession(client: try TLSClientContext(setup), on: socket, host: "127.0.0.1")
            try await session.handshake(within: Self.patience.wholeNanoseconds)
            socket.layer = session
            let agreed = session.report.applicationProtocol.map { String(decoding: $0, as: UTF8.self) }
            guard speech != .streams || agreed == name else {
                return "ALPN agreed on \(agreed ?? "nothing"), where \(name) was offered"
            }
            return nil
        } catch {
            return "no TLS: \(error)"
        }
    }

    private func perform(_ act: ByteAct) async -> Bool {
        if case .connect(let speech) = act { return await open(speech) }
        guard connections.indices.contains(current) else { return false }
        let line = connections[current]
        switch act {
        case .connect: break
        case .use(let number):
            current = number
            return connections.indices.contains(number)
        case .send(let bytes, let isHead):
            if isHead, await isOver(line) { guard await open(line.speech) else { return false } }
            await send(filled(bytes.literal), isHead: isHead, on: connections[current])
        case .frame(let frame): return await send(frame, on: line)
        case .receive(let awaited): return await receive(awaited, on: line)
        case .seen(let count): return await awaitRequests(count)
        case .wait(let milliseconds): _ = await loop.sleep(for: .milliseconds(milliseconds))
        case .endSending: line.socket?.halfClose()
        case .reset:
            line.reset()
            noteEnd(of: line, by: .client, .reset)
        case .close:
            line.close()
            noteEnd(of: line, by: .client, .closed)
        }
        return true
    }

    /// Whether a request has to go over another connection, since the peer has ended this one between two replies, or said so (RFC 9112 §9.3).
    private func isOver(_ line: DownstreamLine) async -> Bool {
        if line.isClosed || line.isLast { return true }
        guard !line.awaitsReply, line.socket?.isQuiet == false else { return false }
        await read(from: line, within: 0)
        return line.isClosed
    }

    private func send(_ bytes: [UInt8], isHead: Bool, on line: DownstreamLine) async {
        let method = isHead ? bytes.prefix { $0 != 0x20 && $0 != 0x0D } : []
        if isHead { line.expectReply(to: Array(method)) }
        line.noteSent(bytes, method: isHead ? Array(method) : nil)
        writeNote(
            current,
            .sent(
                Array(bytes.prefix(DownstreamNote.keptByteLimit)), byteCount: bytes.count,
                method: isHead ? String(decoding: method, as: UTF8.self) : nil))
        // A peer that reads no more may have sent its reply before.
        do throws(SocketError) { try await line.socket?.write(bytes, within: Self.patience.wholeNanoseconds) } catch {}
    }

    private func send(_ frame: ByteAct.Frame, on line: DownstreamLine) async -> Bool {
        if case .datagrams(let end) = line.carrier {
            switch end.write(frame, fill: filled) {
            case .success(let part): writeNote(current, .said(part))
            case .failure(let fault): return miss("frame", fault.reason)
            }
            return true
        }
        guard let streams = line.streams else { return miss("frame", "the connection speaks no HTTP/2") }
        guard let (bytes, part) = streams.write(frame, fill: filled) else { return miss("frame", "without memory") }
        writeNote(current, .said(part))
        do throws(SocketError) { try await line.socket?.write(bytes, within: Self.patience.wholeNanoseconds) } catch {}
        return true
    }

    /// Waits until the server has noted so many heads of requests.
    private func awaitRequests(_ count: Int) async -> Bool {
        let end = Socket.deadline(within: Self.patience.wholeNanoseconds)
        while true {
            let entries = journal.snapshot().entries
            let came = entries.count { if case .requestHead = $0.event { true } else { false } }
            guard came < count else { return true }
            let now = MonotonicClock.nanoseconds
            guard now < end, !Task.isCancelled else {
                return miss(
                    "seen", "the server had \(Plural.count(came, "request")) of \(count) after \(Self.patienceText)")
            }
            await journal.waitForEntry(
                after: entries.last?.sequence ?? 0, on: loop, within: .nanoseconds(Int64(clamping: end - now)))
        }
    }

    /// Reads until one more of these has come; false when it does not come.
    private func receive(_ awaited: ByteAct.Awaited, on line: DownstreamLine) async -> Bool {
        var line = line
        line.want(awaited)
        let end = Socket.deadline(within: Self.patience.wholeNanoseconds)
        while !line.has(awaited) {
            let now = MonotonicClock.nanoseconds
            if line.isClosed, let request = line.unanswered, await open(line.speech) {
                line = connections[current]
                line.want(awaited)
                await send(request, isHead: true, on: line)
            }
            guard !line.isClosed else { return miss(awaited.rawValue, "the connection had ended") }
            if awaited != .end, let refusal = line.refusal {
                return miss(awaited.rawValue, "what came can't be read: \(refusal)")
            }
            guard now < end else { return miss(awaited.rawValue, "within \(Self.patienceText)") }
            guard receivedByteCount < Self.receivedByteLimit else {
                return miss(awaited.rawValue, "and more than \(Self.receivedByteLimit) bytes did")
            }
            await read(from: line, within: end - now)
        }
        return true
    }

    /// Reads once, and writes down what came; a time-out is nothing.
    private func read(from line: DownstreamLine, within limit: UInt64) async {
        let number = connections.firstIndex { $0 === line } ?? current
        let socket: Socket
        switch line.carrier {
        case .bytes(let carrier): socket = carrier
        case .datagrams(let end): return await read(from: line, end, number, within: limit)
        }
        do throws(SocketError) {
            let bytes = try await socket.read(within: limit) { span in span.indices.map { span[$0] } }
            guard let bytes else {
                socket.close()
                line.finish()
                return noteEnd(of: line, by: .server, .closed)
            }
            receivedByteCount += bytes.count
            if let streams = line.streams {
                let (parts, answer) = streams.read(bytes)
                for part in parts {
                    writeNote(number, .said(part))
                    line.receive(part)
                }
                if !answer.isEmpty { try await socket.write(answer, within: Self.patience.wholeNanoseconds) }
            } else {
                writeNote(number, .received(bytes, byteCount: bytes.count))
                line.receive(bytes)
            }
        } catch {
            guard error != .timedOut else { return }
            socket.close()
            noteEnd(of: line, by: .server, .reset)
        }
    }

    private func read(from line: DownstreamLine, _ end: DatagramEnd, _ number: Int, within limit: UInt64) async {
        guard let parts = await end.read(within: limit) else {
            end.close()
            return noteEnd(of: line, by: .server, end.ending ?? .closed)
        }
        for part in parts {
            receivedByteCount += part.byteCount
            writeNote(number, .said(part))
            line.receive(part)
        }
    }

    private static let patienceText = "\(patience.components.seconds) s"

    private func miss(_ awaited: String, _ reason: String) -> Bool {
        writeNote(current, .missed(awaited: awaited, reason: reason))
        return false
    }

    private func noteEnd(of line: DownstreamLine, by party: JournalEvent.Party, _ how: JournalEvent.Ending) {
        line.isClosed = true
        writeNote(connections.firstIndex { $0 === line } ?? current, .ended(by: party, how: how))
    }

    private func writeNote(_ connection: Int, _ event: DownstreamNote.Event) {
        journal.append(connection: nil, .downstream(DownstreamNote(connection: connection, event)))
    }

    private func filled(_ bytes: [UInt8]) -> [UInt8] {
        var filled: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "{"), let known = values.first(where: { rest.starts(with: $0.name) }) {
                filled += known.value
                rest = rest.dropFirst(known.name.count)
            } else {
                filled.append(byte)
                rest = rest.dropFirst()
            }
        }
        return filled
    }
}

/// A connection of a conversation, with what has come on it.
private final class DownstreamLine {
    let carrier: Carrier
    let speech: ByteAct.Speech
    /// nil: HTTP/1.1, or HTTP/3.
    let streams: StreamEnd?
    var isClosed = false
    private var reader = ReplyReader()
    private var came: [ByteAct.Awaited: Int] = [:]
    private var wanted: [ByteAct.Awaited: Int] = [:]
    /// Why no more bytes are read as replies; nil: they are.
    private(set) var refusal: Violation?
    /// Whether bytes behind the last reply are none of HTTP.
    private var isTunnel = false
    /// What was sent since the last head began, with its method, and whether a byte of a reply to it came.
    private var request: (bytes: [UInt8], method: [UInt8], isAnswered: Bool)?
    private var requestCount = 0
    /// The values of Via in replies.
    private(set) var via: [[UInt8]] = []
    /// Whether the last reply said that it is the last one.
    private(set) var isLast = false

    enum Carrier {
        case bytes(Socket)
        case datagrams(DatagramEnd)
    }

    init(_ carrier: Carrier, _ speech: ByteAct.Speech) {
        (self.carrier, self.speech) = (carrier, speech)
        streams = speech == .streams ? StreamEnd() : nil
    }

    /// nil over QUIC.
    var socket: Socket? { if case .bytes(let socket) = carrier { socket } else { nil } }

    func close() {
        switch carrier {
        case .bytes(let socket): socket.close()
        case .datagrams(let end): end.close()
        }
    }

    func reset() {
        switch carrier {
        case .bytes(let socket): socket.reset()
        case .datagrams(let end): end.drop()
        }
    }

    func expectReply(to method: [UInt8]) { reader.expectReply(to: method) }

    func noteSent(_ bytes: [UInt8], method: [UInt8]?) {
        if let method {
            request = (bytes, method, false)
            requestCount += 1
        } else {
            request?.bytes += bytes
        }
    }

    /// The request that a client sends again, once and over another connection, where one that was kept ends in place of a
    /// reply: it is idempotent, and its peer may have ended the connection before it came (RFC 9112 §9.3.1).
    var unanswered: [UInt8]? {
        guard let request, !request.isAnswered, requestCount > 1, streams == nil else { return nil }
        return Self.idempotent.contains(request.method) ? request.bytes : nil
    }

    private static let idempotent = Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].map { Array($0.utf8) })

    var awaitsReply: Bool { reader.expectedCount > 0 }

    func want(_ awaited: ByteAct.Awaited) {
        // Bytes are those from now on.
        wanted[awaited] = awaited == .bytes ? (came[.bytes] ?? 0) + 1 : (wanted[awaited] ?? 0) + 1
        // What ended a stream was awaited, whatever its name.
        if awaited == .reply || awaited == .reset { wanted[.streamEnd, default: 0] += 1 }
    }

    func has(_ awaited: ByteAct.Awaited) -> Bool {
        if awaited == .end { return isClosed }
        return (came[awaited] ?? 0) >= (wanted[awaited] ?? 0)
    }

    func receive(_ bytes: [UInt8]) {
        request?.isAnswered = true
        if isTunnel { return count(.bytes) }
        var offset = 0
        while let event = reader.next(bytes.span, at: &offset) { count(event) }
    }

    func receive(_ part: DownstreamNote.Part) {
        switch part.what {
        case .head:
            let status = part.fields.first { $0.name == Array(":status".utf8) }?.value
            let isInterim = status?.first == UInt8(ascii: "1")
            count(isInterim ? .interim : .head)
            via += part.fields.filter { $0.name == Array("via".utf8) }.map(\.value)
            if !isInterim, part.endsStream { count(.reply) }
        case .content, .trailers: if part.endsStream { count(.reply) }
        case .reset: count(.reset)
        case .goaway: count(.goaway)
        case .settings, .frame, .violation: break
        }
    }

    func finish() {
        guard speech == .plain || speech == .tls else { return }
        while let event = reader.finish() { count(event) }
    }

    private func count(_ event: ReplyEvent) {
        switch event {
        case .head(let head) where head.isInterim: count(.interim)
        case .head(let head):
            count(.head)
            via += head.fields.values(named: "Via").map { Array($0) }
            isLast = !head.keepsConnection
            if head.framing == .tunnel {
                isTunnel = true
                count(.reply)
            }
        case .end: if !isTunnel { count(.reply) }
        case .content: if isTunnel { count(.bytes) }
        case .refused(let violation): refusal = violation
        case .chunk, .trailers, .violation: break
        }
    }

    private func count(_ awaited: ByteAct.Awaited) {
        came[awaited, default: 0] += 1
        if awaited == .reply || awaited == .reset { came[.streamEnd, default: 0] += 1 }
    }
}

extension Assignment.Bytes {
    var literal: [UInt8] {
        text.map { Array($0.utf8) } ?? base64.flatMap { try? Base64Text.decode(Array($0.utf8)) } ?? []
    }
}
