internal import COpenSSL
package import ProctorLoop
package import ProctorTLSWire

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// One connection's TLS; owns one `SSL` and its queue of records.
///
/// Loop thread only. It retains the socket; set it as the socket's layer after the handshake.
@safe package final class TLSSession: SocketLayer, @unchecked Sendable {
    // Unchecked: every call goes through the socket, which traps off its loop's thread; OpenSSL calls its callbacks
    // within such a call.

    package let socket: Socket
    /// Called for the first 16 alerts of both directions and for a fatal one; it must not call the session.
    package var onAlert: ((TLSAlert) -> Void)?
    /// The number of all alerts of both directions, including those after the first 16.
    package private(set) var alertCount = 0
    /// On the client: the server's newest ticket.
    package internal(set) var ticket: TLSTicket?
    /// Chooses the identity for a request after the handshake (RFC 8446 §4.6.2) by the names of authorities in DER.
    ///
    /// nil means the identity of the handshake, or that of the context.
    package var identityAfterHandshake: (([[UInt8]]) -> ClientIdentity?)?

    package let ssl: OpaquePointer
    /// Used by OpenSSL's callbacks.
    let server: TLSServerContext?
    package let client: TLSClientContext?
    /// The host that the certificate must name.
    package let host: String?
    var queue = RecordQueue()
    /// Input that was read before the session existed, and that OpenSSL has not read.
    private var received: ArraySlice<UInt8>
    /// Whether the peer's FIN was received.
    var hasPeerEnded = false
    /// Whether receiving failed, which the system reports only once.
    private var isBroken = false
    /// How often the current call may still receive from the system.
    private var receivesLeft = 0
    /// Whether no more bytes are queued.
    var isMute = false
    var hasSentCloseNotify = false
    /// OpenSSL's fatal error as a sentence.
    var failure: String?
    var fault: TLSRecordFault?
    var alerts: [TLSAlert] = []
    var labels: FlightLabels?
    /// TLS 1.3 secrets of the sending side by epoch, if they are kept.
    var secrets: [Int: [UInt8]] = [:]
    /// The end of the last queued record, if record labels are kept.
    var lastBlock: [UInt8] = []
    /// The result of the verification, and the decision on it.
    package var trust: TLSTrust?
    package var isTrustAnswered = false
    package var isTrustGiven = false
    /// The client's chain, accepted or not.
    var shownChain: [[UInt8]] = []
    /// Whether this handshake has ``TLSClientQuestions``.
    package var asksQuestions = false
    package var wasAskedForCertificate = false
    /// On the client: whether the connection failed because OpenSSL could not use the identity.
    package var hasUnusableIdentity = false
    package var identityAnswer: IdentityAnswer = .none
    /// Whether the peer's Finished was read, if messages are observed.
    var hasReadFinished = false
    /// Whether the handshake is complete.
    package var hasCompleted = false

    package enum IdentityAnswer {
        case none
        case given(ClientIdentity?)
    }

    /// The server's side; `received` are the bytes read so far, from the ClientHello on.
    package init(server context: TLSServerContext, on socket: Socket, received: [UInt8]) {
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

    /// The client's side; `host` is a name, which is sent as server_name, or an IP address.
    package init(client context: TLSClientContext, on socket: Socket, host: String?, resuming ticket: TLSTicket? = nil)
    {
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

    /// Traps only if memory has run out.
    private static func newSSL(of context: SSLContext) -> OpaquePointer {
        guard let ssl = unsafe SSL_new(context.handle) else { preconditionFailure("SSL_new: no memory") }
        return unsafe ssl
    }

    // MARK: Callbacks of the BIO

    /// Returns a count, 0 at the end, or a negative number if there are no bytes now.
    func receive(into room: UnsafeMutableRawBufferPointer) -> Int {
        if !received.isEmpty {
            let piece = received.prefix(room.count)
            unsafe room.copyBytes(from: piece)
            received = received.dropFirst(piece.count)
            if received.isEmpty { received = [] }
            return piece.count
        }
        guard !hasPeerEnded, !isBroken else { return 0 }
        // A peer that always sends messages which need an answer must fill neither the loop nor the queue.
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

    /// Prepares a call of OpenSSL that may receive; clears its error queue.
    func beginCall() {
        ERR_clear_error()
        receivesLeft = Self.receiveLimit
    }

    /// Whether unsent answers fill the queue, for example to a peer that only sends key updates.
    var isQueueOverfull: Bool { queue.count > 2 * Self.queueLimit }

    private static let receiveLimit = 16

    /// Queues records, and applies a requested fault to the first one.
    func enqueue(_ bytes: UnsafeRawBufferPointer) {
        guard !isMute else { return }
        let start = queue.count
        unsafe queue.append(bytes)
        if labels != nil { lastBlock = unsafe Array(bytes.suffix(16)) }
        // OpenSSL writes partial records in a handshake; there `sendFlight` damages the record.
        if fault != nil, unsafe SSL_in_init(ssl) == 0 { spoilRecord(at: start) }
    }

    // MARK: Callbacks of OpenSSL

    func recordAlert(_ alert: TLSAlert) {
        alertCount += 1
        // A fatal alert is always reported; there is only one.
        guard alert.isFatal || alerts.count < Self.alertLimit else { return }
        alerts.append(alert)
        onAlert?(alert)
    }

    /// A line of a key log.
    func recordSecret(line: [UInt8]) {
        (server?.keyLog ?? client?.keyLog)?.append(line)
        guard labels != nil, let parts = SecretLine(line) else { return }
        if let epoch = parts.serverEpoch { secrets[epoch] = parts.secret }
    }

    private static let alertLimit = 16
}

extension TLSSession {
    package func read(into room: UnsafeMutableRawBufferPointer, from socket: Socket) -> LayerOutcome {
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
                // The next read reports the error.
                return total > 0 ? .moved(total) : outcome
            }
            total += count
            // Reads more received data if that needs no system call.
            guard total < room.count, unsafe SSL_has_pending(ssl) == 1 else { return .moved(total) }
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to socket: Socket) -> LayerOutcome {
        if let failure { return .failed(failure) }
        // After a deliberate truncation further data is dropped.
        guard !isMute else { return .moved(bytes.count) }
        let room = Self.queueLimit - queue.count
        guard room >= min(bytes.count, Self.leastRoom) else { return .wantsToSend }
        var count = 0
        beginCall()
        let result = unsafe SSL_write_ex(ssl, bytes.baseAddress, min(bytes.count, room), &count)
        return result == 1 ? .moved(count) : outcome(of: result)
    }

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

    package func flush(to socket: Socket) -> Int32 {
        while queue.count > 0 {
            let code = Self.sendSome(of: &queue, upTo: .max, over: socket)
            if code == 0 { continue }
            if wouldBlock(Int(-code)) { return 0 }
            queue.cut(to: 0)
            return code
        }
        return 0
    }

    /// Returns 0 if at least one byte was sent, otherwise the `errno`.
    static func sendSome(of queue: inout RecordQueue, upTo offset: Int, over socket: Socket) -> Int32 {
        let count = min(queue.count, offset - queue.sentByteCount)
        let sent = unsafe socket.sendAtOnce(UnsafeRawBufferPointer(rebasing: queue.unsent.prefix(count)))
        guard sent > 0 else { return sent == 0 ? EPIPE : Int32(clamping: -sent) }
        queue.didSend(sent)
        return 0
    }

    package var unsentByteCount: Int { queue.count }

    package func sendCloseNotify() {
        guard !hasSentCloseNotify, !isMute, failure == nil, unsafe SSL_in_init(ssl) == 0 else { return }
        hasSentCloseNotify = true
        ERR_clear_error()
        unsafe SSL_shutdown(ssl)
        ERR_clear_error()
    }

    package func hasInput(from socket: Socket) -> Bool {
        if failure != nil { return true }
        if unsafe SSL_pending(ssl) > 0 { return true }
        // True makes the caller read, which waits until the peer reads the answers to it.
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

    /// The most unsent plaintext in bytes.
    static let queueLimit = 64 << 10
    /// With less room a write waits, so that records do not become small.
    static let leastRoom = 16 << 10
}

/// Whether a negative `errno` means that the call would block.
func wouldBlock(_ result: Int) -> Bool {
    result == -Int(EAGAIN) || result == -Int(EWOULDBLOCK)
}
