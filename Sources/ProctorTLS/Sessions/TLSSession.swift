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
/// Loop thread only. Retains the socket; set it as the socket's layer after the handshake.
@safe package final class TLSSession: SocketLayer, @unchecked Sendable {
    // Unchecked: every call goes through the socket, which traps off its loop's thread; OpenSSL's callbacks come within
    // such a call.

    package let socket: Socket
    /// Called for the first 16 alerts of both directions and for a fatal one; must not call the session.
    package var onAlert: ((TLSAlert) -> Void)?
    /// Alerts of both directions, with those beyond 16.
    package private(set) var alertCount = 0
    /// On the client: the server's newest ticket.
    package internal(set) var ticket: TLSTicket?
    /// Chooses the identity for a request after the handshake (RFC 8446 §4.6.2) by its authorities' names in DER; nil:
    /// the identity of the handshake, or the context's.
    package var identityAfterHandshake: (([[UInt8]]) -> ClientIdentity?)?

    let ssl: OpaquePointer
    /// Used by OpenSSL's callbacks.
    let server: TLSServerContext?
    let client: TLSClientContext?
    /// The host that the certificate must name.
    let host: String?
    var queue = RecordQueue()
    /// Input from before the session that OpenSSL has not read.
    private var received: ArraySlice<UInt8>
    /// The peer's FIN was seen.
    var hasPeerEnded = false
    /// Receiving failed; the system reports that only once.
    private var isBroken = false
    /// How often the current call may still receive from the system.
    private var receivesLeft = 0
    /// Nothing is queued any more.
    var isMute = false
    var hasSentCloseNotify = false
    /// OpenSSL's fatal error as a sentence.
    var failure: String?
    var fault: TLSRecordFault?
    var alerts: [TLSAlert] = []
    var labels: FlightLabels?
    /// TLS 1.3 secrets of the writing side by epoch, when kept.
    var secrets: [Int: [UInt8]] = [:]
    /// The end of the last queued record, when labels are kept.
    var lastBlock: [UInt8] = []
    /// The result of the verification and the answer to it.
    var trust: TLSTrust?
    var isTrustAnswered = false
    var isTrustGiven = false
    /// The client's chain, accepted or not.
    var shownChain: [[UInt8]] = []
    /// Whether ``TLSClientQuestions`` are asked in this handshake.
    var asksQuestions = false
    var wasAskedForCertificate = false
    /// On the client: whether the connection failed because OpenSSL could not use the identity.
    package internal(set) var hasUnusableIdentity = false
    var identityAnswer: IdentityAnswer = .none
    /// Whether the peer's Finished was read, when messages are observed.
    var hasReadFinished = false
    /// Whether the handshake has come to its end.
    var hasCompleted = false

    enum IdentityAnswer {
        case none
        case given(ClientIdentity?)
    }

    /// A server's side; `received` are the bytes read so far, from the ClientHello on.
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

    /// A client's side; `host` is a name, which is sent as server_name, or an IP address.
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

    /// Traps only when memory has run out.
    private static func newSSL(of context: SSLContext) -> OpaquePointer {
        guard let ssl = unsafe SSL_new(context.handle) else { preconditionFailure("SSL_new: no memory") }
        return unsafe ssl
    }

    // MARK: Callbacks of the BIO

    /// A count, 0 at the end, negative for nothing now.
    func receive(into room: UnsafeMutableRawBufferPointer) -> Int {
        if !received.isEmpty {
            let piece = received.prefix(room.count)
            unsafe room.copyBytes(from: piece)
            received = received.dropFirst(piece.count)
            if received.isEmpty { received = [] }
            return piece.count
        }
        guard !hasPeerEnded, !isBroken else { return 0 }
        // A peer that always sends what needs answers must fill neither the loop nor the queue.
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

    /// Queues records, and puts a requested fault into the first one.
    func enqueue(_ bytes: UnsafeRawBufferPointer) {
        guard !isMute else { return }
        let start = queue.count
        unsafe queue.append(bytes)
        if labels != nil { lastBlock = unsafe Array(bytes.suffix(16)) }
        // In a handshake OpenSSL writes partial records; `play` damages the record there.
        if fault != nil, unsafe SSL_in_init(ssl) == 0 { spoilRecord(at: start) }
    }

    // MARK: Callbacks of OpenSSL

    func note(_ alert: TLSAlert) {
        alertCount += 1
        // A fatal alert is always reported; it comes once.
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
            // Reads more received data without a system call.
            guard total < room.count, unsafe SSL_has_pending(ssl) == 1 else { return .moved(total) }
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to socket: Socket) -> LayerOutcome {
        if let failure { return .failed(failure) }
        // After a deliberate cut, further data is dropped.
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

    /// 0 after at least one byte, otherwise the `errno`.
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
        // True makes the caller read, which waits until the peer takes its answers.
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

    /// The most unsent plaintext.
    static let queueLimit = 64 << 10
    /// With less room the queue waits, so that records do not become small.
    static let leastRoom = 16 << 10
}

/// Whether a negative `errno` means "would block".
func wouldBlock(_ result: Int) -> Bool {
    result == -Int(EAGAIN) || result == -Int(EWOULDBLOCK)
}
