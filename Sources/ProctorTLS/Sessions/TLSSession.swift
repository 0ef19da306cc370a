internal import COpenSSL
public import ProctorLoop
public import ProctorTLSWire

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// One connection's TLS: the owner of one `SSL` and of the queue of records that it fills.
///
/// Loop thread only. After the handshake it is to be set as the socket's layer. It holds the socket.
@safe public final class TLSSession: SocketLayer, @unchecked Sendable {
    // Unchecked: every call goes through the socket, which traps off its loop's thread; OpenSSL's callbacks come within one.

    /// What the records go over.
    public let socket: Socket
    /// Told about the first 16 alerts, of both directions, and a fatal one, as they happen; it may not call the session.
    public var onAlert: ((TLSAlert) -> Void)?
    /// Alerts of both directions, told or not.
    public private(set) var alertCount = 0
    /// The newest ticket that the server has given; on the client's side.
    public internal(set) var ticket: TLSTicket?
    /// Chooses the identity for a server that asks after the handshake (RFC 8446 §4.6.2), by its authorities' names in DER.
    ///
    /// nil: the one that was given in the handshake, or the context's.
    public var identityAfterHandshake: (([[UInt8]]) -> ClientIdentity?)?

    /// Owned.
    let ssl: OpaquePointer
    /// What OpenSSL's callbacks point to.
    let server: TLSServerContext?
    let client: TLSClientContext?
    /// What the certificate is to be for.
    let host: String?
    var queue = RecordQueue()
    /// What was received before the session was made, as far as OpenSSL has not taken it.
    private var received: ArraySlice<UInt8>
    /// The peer's FIN was seen.
    var hasPeerEnded = false
    /// Receiving has failed, which the system tells only once.
    private var isBroken = false
    /// How often the call under way may still ask the system for bytes.
    private var receivesLeft = 0
    /// Nothing is queued any more.
    var isMute = false
    var hasSentCloseNotify = false
    /// The sentence of what OpenSSL can't go on after.
    var failure: String?
    var fault: TLSRecordFault?
    var alerts: [TLSAlert] = []
    var labels: FlightLabels?
    /// Where the writing side's keys come from in TLS 1.3, by epoch, where they are kept.
    var secrets: [Int: [UInt8]] = [:]
    /// The end of what was queued last, where labels are kept.
    var lastBlock: [UInt8] = []
    /// What the verification said, and what was answered to it.
    var trust: TLSTrust?
    var isTrustAnswered = false
    var isTrustGiven = false
    /// What a client has shown, be it taken or not.
    var shownChain: [[UInt8]] = []
    /// Whether ``TLSClientQuestions`` are asked in this handshake.
    var asksQuestions = false
    var wasAskedForCertificate = false
    /// Whether OpenSSL could not use the identity that was to be shown, by which the connection has failed; on the
    /// client's side.
    public internal(set) var hasUnusableIdentity = false
    var identityAnswer: IdentityAnswer = .none
    /// Whether the peer's Finished was read, where messages are listened to.
    var hasReadFinished = false
    /// Whether the handshake has come to its end.
    var hasCompleted = false

    enum IdentityAnswer {
        case none
        case given(ClientIdentity?)
    }

    /// A server's side; `received` is what was read of the ClientHello and behind it.
    public init(server context: TLSServerContext, on socket: Socket, received: [UInt8]) {
        self.socket = socket
        server = context
        client = nil
        host = nil
        self.received = received[...]
        unsafe ssl = Self.newSSL(of: context.context)
        if context.setup.canAlert { labels = FlightLabels() }
        unsafe SessionLink.shared.join(ssl, to: self)
        unsafe SSL_set_info_callback(ssl, noteInformation)
        unsafe SSL_set_accept_state(ssl)
    }

    /// A client's side, for the host that is to be proved: a name, which is sent as server_name, or an IP address.
    public init(client context: TLSClientContext, on socket: Socket, host: String?, resuming ticket: TLSTicket? = nil) {
        self.socket = socket
        server = nil
        client = context
        self.host = host
        received = []
        unsafe ssl = Self.newSSL(of: context.context)
        unsafe SessionLink.shared.join(ssl, to: self)
        unsafe SSL_set_info_callback(ssl, noteInformation)
        unsafe SSL_set_connect_state(ssl)
        unsafe context.prepare(ssl, host: host, ticket: ticket)
    }

    deinit {
        unsafe SSL_free(ssl)
    }

    /// Fails where memory has run out only.
    private static func newSSL(of context: SSLContext) -> OpaquePointer {
        guard let ssl = unsafe SSL_new(context.handle) else { preconditionFailure("SSL_new: no memory") }
        return unsafe ssl
    }

    // MARK: What OpenSSL's BIO asks for

    /// A count, 0 for no more, negative for nothing now.
    func receive(into room: UnsafeMutableRawBufferPointer) -> Int {
        if !received.isEmpty {
            let piece = received.prefix(room.count)
            unsafe room.copyBytes(from: piece)
            received = received.dropFirst(piece.count)
            if received.isEmpty { received = [] }
            return piece.count
        }
        guard !hasPeerEnded, !isBroken else { return 0 }
        // A peer that is always ready, but only with what makes answers, must fill neither the loop nor the queue.
        guard receivesLeft > 0, !isQueueOverfull else { return -1 }
        receivesLeft -= 1
        let count = unsafe socket.receiveAtOnce(into: room)
        if count > 0 { return count }
        if count == 0 {
            hasPeerEnded = true
            return 0
        }
        if wouldBlock(count) { return -1 }
        isBroken = true
        return 0
    }

    /// Begins a call of OpenSSL's that may take bytes; what earlier ones left in its queue of errors is forgotten.
    func beginCall() {
        ERR_clear_error()
        receivesLeft = Self.receiveLimit
    }

    /// Answers that the peer does not take, as to messages that it sends all the time, stand in the queue.
    var isQueueOverfull: Bool { queue.count > 2 * Self.queueLimit }

    private static let receiveLimit = 16

    /// Takes records over, and puts the fault that was asked for into the first of them.
    func enqueue(_ bytes: UnsafeRawBufferPointer) {
        guard !isMute else { return }
        let start = queue.count
        unsafe queue.append(bytes)
        if labels != nil { lastBlock = unsafe Array(bytes.suffix(16)) }
        // In a handshake the flight's player finds the record; OpenSSL writes there in other pieces.
        if fault != nil, unsafe SSL_in_init(ssl) == 0 { spoilRecord(at: start) }
    }

    // MARK: What OpenSSL's callbacks tell

    func note(_ alert: TLSAlert) {
        alertCount += 1
        // What ends the connection is told in any case, and comes once.
        guard alert.isFatal || alerts.count < Self.alertLimit else { return }
        alerts.append(alert)
        onAlert?(alert)
    }

    /// A line of a key log.
    func note(secret line: [UInt8]) {
        (server?.keyLog ?? client?.keyLog)?.append(line)
        guard labels != nil, let parts = SecretLine(line) else { return }
        if let epoch = parts.serverEpoch { secrets[epoch] = parts.secret }
    }

    private static let alertLimit = 16
}

extension TLSSession {
    /// As ``SocketLayer/read(into:from:)``.
    public func read(into room: UnsafeMutableRawBufferPointer, from socket: Socket) -> LayerOutcome {
        if let failure { return .failed(failure) }
        guard !isQueueOverfull else { return .wantsToSend }
        beginCall()
        var total = 0
        while true {
            var count = 0
            ERR_clear_error()
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[total...])
            let result = unsafe SSL_read_ex(ssl, rest.baseAddress, rest.count, &count)
            guard result == 1 else {
                let outcome = outcome(of: result)
                // What is wrong is told by the next read.
                return total > 0 ? .moved(total) : outcome
            }
            total += count
            // More of what has come already; the system is not asked again.
            guard total < room.count, unsafe SSL_has_pending(ssl) == 1 else { return .moved(total) }
        }
    }

    /// As ``SocketLayer/write(_:to:)``.
    public func write(_ bytes: UnsafeRawBufferPointer, to socket: Socket) -> LayerOutcome {
        if let failure { return .failed(failure) }
        // What was cut off on purpose swallows the rest.
        guard !isMute else { return .moved(bytes.count) }
        let room = Self.queueLimit - queue.count
        guard room >= min(bytes.count, Self.leastRoom) else { return .wantsToSend }
        var count = 0
        beginCall()
        let result = unsafe SSL_write_ex(ssl, bytes.baseAddress, min(bytes.count, room), &count)
        return result == 1 ? .moved(count) : outcome(of: result)
    }

    /// What a failed call means.
    private func outcome(of result: Int32) -> LayerOutcome {
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return isQueueOverfull ? .wantsToSend : .wantsToReceive
        case SSL_ERROR_WANT_WRITE: return .wantsToSend
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_SYSCALL where hasPeerEnded: return .ended
        case SSL_ERROR_SYSCALL: return .broken
        default:
            let sentence = OpenSSLErrors.takeSentence()
            failure = sentence
            return .failed(sentence)
        }
    }

    /// As ``SocketLayer/flush(to:)``.
    public func flush(to socket: Socket) -> Int32 {
        while queue.count > 0 {
            let code = Self.sendSome(of: &queue, upTo: .max, over: socket)
            if code == 0 { continue }
            if wouldBlock(Int(-code)) { return 0 }
            queue.cut(to: 0)
            return code
        }
        return 0
    }

    /// 0 for at least one byte, otherwise the `errno`.
    static func sendSome(of queue: inout RecordQueue, upTo offset: Int, over socket: Socket) -> Int32 {
        let count = min(queue.count, offset - queue.sentByteCount)
        let sent = unsafe socket.sendAtOnce(UnsafeRawBufferPointer(rebasing: queue.unsent.prefix(count)))
        guard sent > 0 else { return sent == 0 ? EPIPE : Int32(clamping: -sent) }
        queue.didSend(sent)
        return 0
    }

    /// As ``SocketLayer/unsentByteCount``.
    public var unsentByteCount: Int { queue.count }

    /// As ``SocketLayer/sendCloseNotify()``.
    public func sendCloseNotify() {
        guard !hasSentCloseNotify, !isMute, failure == nil, unsafe SSL_in_init(ssl) == 0 else { return }
        hasSentCloseNotify = true
        ERR_clear_error()
        unsafe SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// As ``SocketLayer/hasInput(from:)``.
    public func hasInput(from socket: Socket) -> Bool {
        if failure != nil { return true }
        if unsafe SSL_pending(ssl) > 0 { return true }
        // Not quiet at all: reading waits until the peer takes its answers.
        guard !isQueueOverfull else { return true }
        var byte: UInt8 = 0
        var count = 0
        beginCall()
        let result = unsafe SSL_peek_ex(ssl, &byte, 1, &count)
        guard result != 1 else { return true }
        switch outcome(of: result) {
        case .wantsToReceive, .wantsToSend: return false
        default: return true
        }
    }

    /// Plaintext that waits to be sent, at most.
    static let queueLimit = 64 << 10
    /// A queue with less room than that waits, so that records are not made small.
    static let leastRoom = 16 << 10
}

/// Whether a negative `errno` says no more than that.
func wouldBlock(_ result: Int) -> Bool {
    result == -Int(EAGAIN) || result == -Int(EWOULDBLOCK)
}
