internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorProgram

/// Does the acts of a step that sends bytes, and writes into the journal what goes and comes.
///
/// On the thread of its loop.
final class ByteConversation {
    private let address: SocketAddress
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

    init(to address: SocketAddress, target: String, host: String, journal: Journal, on loop: EventLoop) {
        (self.address, self.loop, self.journal) = (address, loop, journal)
        values = [(Array("{to}".utf8), Array(target.utf8)), (Array("{host}".utf8), Array(host.utf8))]
    }

    /// Connects as soon as the program listens; false when it does not within the time, or `isOver` says that it has ended.
    func awaitListener(within limit: Duration, unless isOver: () -> Bool) async -> Bool {
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
                line.socket.close()
                writeNote(number, .ended(by: .client, how: .closed))
            }
        }
        if acts.first != .connect, await !open() { return }
        for act in acts {
            guard await perform(act) else { return }
        }
    }

    private func open() async -> Bool {
        let number = connections.count
        do throws(SocketError) {
            let socket = try await Socket.connect(to: address, on: loop, within: Self.patience.wholeNanoseconds)
            connections.append(DownstreamLine(socket))
            current = number
            writeNote(number, .opened(peer: address.description))
            return true
        } catch {
            writeNote(number, .missed(awaited: "connection", reason: "\(error)"))
            return false
        }
    }

    private func perform(_ act: ByteAct) async -> Bool {
        guard act != .connect else { return await open() }
        guard connections.indices.contains(current) else { return false }
        let line = connections[current]
        switch act {
        case .connect: return await open()
        case .use(let number):
            current = number
            return connections.indices.contains(number)
        case .send(let bytes, let isHead):
            if isHead, await isOver(line) { guard await open() else { return false } }
            await send(filled(bytes.literal), isHead: isHead, on: connections[current])
        case .receive(let awaited): return await receive(awaited, on: line)
        case .wait(let milliseconds): _ = await loop.sleep(for: .milliseconds(milliseconds))
        case .endSending: line.socket.halfClose()
        case .reset:
            line.socket.reset()
            noteEnd(of: line, by: .client, .reset)
        case .close:
            line.socket.close()
            noteEnd(of: line, by: .client, .closed)
        }
        return true
    }

    /// Whether a request has to go over another connection, since the peer has ended this one between two replies, or said so (RFC 9112 §9.3).
    private func isOver(_ line: DownstreamLine) async -> Bool {
        if line.isClosed || line.isLast { return true }
        guard !line.awaitsReply, !line.socket.isQuiet else { return false }
        await read(from: line, within: 0)
        return line.isClosed
    }

    private func send(_ bytes: [UInt8], isHead: Bool, on line: DownstreamLine) async {
        let method = isHead ? bytes.prefix { $0 != 0x20 && $0 != 0x0D } : []
        if isHead { line.expectReply(to: Array(method)) }
        writeNote(
            current,
            .sent(
                Array(bytes.prefix(DownstreamNote.keptByteLimit)), byteCount: bytes.count,
                method: isHead ? String(decoding: method, as: UTF8.self) : nil))
        // A peer that reads no more may have sent its reply before.
        do throws(SocketError) { try await line.socket.write(bytes, within: Self.patience.wholeNanoseconds) } catch {}
    }

    /// Reads until one more of these has come; false when it does not come.
    private func receive(_ awaited: ByteAct.Awaited, on line: DownstreamLine) async -> Bool {
        line.want(awaited)
        let end = Socket.deadline(within: Self.patience.wholeNanoseconds)
        while !line.has(awaited) {
            let now = MonotonicClock.nanoseconds
            guard !line.isClosed else { return miss(awaited, "the connection had ended") }
            guard now < end else { return miss(awaited, "within \(Self.patience.components.seconds) s") }
            guard receivedByteCount < Self.receivedByteLimit else {
                return miss(awaited, "and more than \(Self.receivedByteLimit) bytes did")
            }
            await read(from: line, within: end - now)
        }
        return true
    }

    /// Reads once, and writes down what came; a time-out is nothing.
    private func read(from line: DownstreamLine, within limit: UInt64) async {
        let number = connections.firstIndex { $0 === line } ?? current
        do throws(SocketError) {
            let bytes = try await line.socket.read(within: limit) { span in span.indices.map { span[$0] } }
            guard let bytes else {
                line.socket.close()
                line.finish()
                return noteEnd(of: line, by: .server, .closed)
            }
            receivedByteCount += bytes.count
            writeNote(number, .received(bytes, byteCount: bytes.count))
            line.receive(bytes)
        } catch {
            guard error != .timedOut else { return }
            line.socket.close()
            noteEnd(of: line, by: .server, .reset)
        }
    }

    private func miss(_ awaited: ByteAct.Awaited, _ reason: String) -> Bool {
        writeNote(current, .missed(awaited: awaited.rawValue, reason: reason))
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
    let socket: Socket
    var isClosed = false
    private var reader = ReplyReader()
    private var came: [ByteAct.Awaited: Int] = [:]
    private var wanted: [ByteAct.Awaited: Int] = [:]
    /// Whether bytes behind the last reply are none of HTTP.
    private var isTunnel = false
    /// Whether the last reply said that it is the last one.
    private(set) var isLast = false

    init(_ socket: Socket) { self.socket = socket }

    func expectReply(to method: [UInt8]) { reader.expectReply(to: method) }

    var awaitsReply: Bool { reader.expectedCount > 0 }

    func want(_ awaited: ByteAct.Awaited) {
        // Bytes are those from now on.
        wanted[awaited] = awaited == .bytes ? (came[.bytes] ?? 0) + 1 : (wanted[awaited] ?? 0) + 1
    }

    func has(_ awaited: ByteAct.Awaited) -> Bool {
        if awaited == .end { return isClosed }
        return (came[awaited] ?? 0) >= (wanted[awaited] ?? 0)
    }

    func receive(_ bytes: [UInt8]) {
        if isTunnel { return count(.bytes) }
        var offset = 0
        while let event = reader.next(bytes.span, at: &offset) { count(event) }
    }

    func finish() {
        while let event = reader.finish() { count(event) }
    }

    private func count(_ event: ReplyEvent) {
        switch event {
        case .head(let head) where head.isInterim: count(.interim)
        case .head(let head):
            count(.head)
            isLast = !head.keepsConnection
            if head.framing == .tunnel {
                isTunnel = true
                count(.reply)
            }
        case .end: if !isTunnel { count(.reply) }
        // What can't be read is no reply; who awaits one is told so by the end of the wait.
        case .content: if isTunnel { count(.bytes) }
        case .chunk, .trailers, .violation, .refused: break
        }
    }

    private func count(_ awaited: ByteAct.Awaited) { came[awaited, default: 0] += 1 }
}

extension Assignment.Bytes {
    fileprivate var literal: [UInt8] {
        text.map { Array($0.utf8) } ?? base64.flatMap { try? Base64Text.decode(Array($0.utf8)) } ?? []
    }
}
