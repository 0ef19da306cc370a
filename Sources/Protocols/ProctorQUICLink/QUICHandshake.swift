internal import COpenSSL
internal import ProctorBase
package import ProctorTLS
internal import ProctorTLSWire

/// Where bytes of the handshake and keys of packets belong (RFC 9001 §2.1); early data is not offered.
package enum QUICLevel: Int, Sendable, Comparable {
    case initial, handshake, application

    package static func < (left: QUICLevel, right: QUICLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The connection to which a handshake belongs; called while a function of ``QUICHandshake`` runs.
package protocol QUICHandshakeOwner: AnyObject {
    /// A message for CRYPTO frames of a level.
    func sendMessage(_ message: [UInt8], at level: QUICLevel)
    /// The traffic secret of one direction; false if the keys can't be used.
    func installSecret(_ secret: [UInt8], _ suite: PacketSuite, at level: QUICLevel, isSending: Bool) -> Bool
    /// The peer's transport parameters; false if they are wrong.
    func receiveParameters(_ bytes: [UInt8]) -> Bool
    /// Ours; a server's, once the client's have come.
    func ownParameters() -> [UInt8]
}

/// TLS 1.3 without records, as QUIC uses it (RFC 9001 §4); either end.
///
/// OpenSSL believes that it reads and writes records: what came is wrapped in records of our own, and what it writes is
/// taken from its message callback before it becomes one. Of one thread at a time.
@safe package final class QUICHandshake {
    package let ssl: OpaquePointer
    /// nil on a server.
    package let client: TLSClientContext?
    package let host: String?
    private let keyLog: KeyLog?
    /// Kept, since OpenSSL's callbacks have its address.
    private let context: AnyObject
    private unowned let owner: any QUICHandshakeOwner
    /// The level of the messages that OpenSSL writes and reads next.
    private var writing = QUICLevel.initial
    private var reading = QUICLevel.initial
    private var recordKeys: RecordKeys?
    /// On a client, until its secret for Handshake packets is known.
    private var clientSecret: ClientHandshakeSecret?
    private var isClientSecretInstalled = false
    private var sequence: UInt64 = 0
    private var parameters: UnsafeMutableBufferPointer<UInt8>
    private var alert: UInt8?
    private var hasFailed = false
    private var hasParameters = false
    /// Whether the handshake waits for an answer of the owner.
    private var isAsking = false
    package var trust: TLSTrust?
    package var isTrustAnswered = false
    package var isTrustGiven = false
    package var wasAskedForCertificate = false
    package var hasUnusableIdentity = false
    package private(set) var identityAnswer = TLSSession.IdentityAnswer.none

    /// What came of bytes that were read.
    package enum Outcome: Sendable, Equatable {
        case goesOn
        case completed
        /// The client waits for ``answerTrust(_:)``.
        case asksForTrust(TLSTrust)
        /// The client waits for ``answerIdentity(_:)``; the names of authorities that the server accepts, in DER.
        case asksForIdentity([[UInt8]])
        /// The alert that ends the connection, and why (RFC 9001 §4.8).
        case failed(alert: UInt8, reason: String)
    }

    /// The server's end; nil if there is no memory.
    package convenience init?(_ context: QUICServerContext, owner: any QUICHandshakeOwner) {
        self.init(context.context, of: context, client: nil, host: nil, keyLog: context.keyLog, owner: owner)
        unsafe SSL_set_accept_state(ssl)
    }

    /// The client's end, which ``start()`` begins; `host` is a name, which is sent as server_name, or an IP address.
    ///
    /// nil if there is no memory.
    package convenience init?(_ context: QUICClientContext, host: String, owner: any QUICHandshakeOwner) {
        self.init(
            context.tls.context, of: context, client: context.tls, host: host, keyLog: context.tls.keyLog, owner: owner)
        clientSecret = ClientHandshakeSecret()
        unsafe SSL_set_connect_state(ssl)
        unsafe context.tls.prepare(ssl, host: host, ticket: nil)
    }

    private init?(
        _ settings: SSLContext, of context: AnyObject, client: TLSClientContext?, host: String?, keyLog: KeyLog?,
        owner: any QUICHandshakeOwner
    ) {
        guard let ssl = unsafe SSL_new(settings.handle) else { return nil }
        guard let input = unsafe BIO_new(BIO_s_mem()), let output = unsafe BIO_new(BIO_s_null()) else {
            unsafe SSL_free(ssl)
            return nil
        }
        (self.context, self.client, self.host, self.keyLog) = (context, client, host, keyLog)
        unsafe self.ssl = unsafe ssl
        self.owner = owner
        unsafe parameters = .allocate(capacity: 0)
        unsafe SSL_set_bio(ssl, input, output)
        unsafe OtherHandshakes.join(ssl, to: self)
        unsafe SSL_set_msg_callback(ssl, noteQUICMessage)
    }

    deinit {
        unsafe SSL_free(ssl)
        unsafe parameters.deallocate()
    }

    static func find(_ ssl: OpaquePointer?) -> QUICHandshake? {
        unsafe OtherHandshakes.find(ssl) as? QUICHandshake
    }

    /// The name of the server that the client asks for; nil if it names none.
    package var serverName: String? {
        unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { unsafe String(cString: $0) }
    }

    package var applicationProtocol: String? {
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &start, &count)
        guard count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// What was agreed on, once it is over.
    package var agreement: QUICAgreement {
        let suite = unsafe SSL_get_current_cipher(ssl).flatMap { unsafe SSL_CIPHER_standard_name($0) }
        return QUICAgreement(
            applicationProtocol: applicationProtocol, serverName: serverName,
            cipherSuite: unsafe suite.map { unsafe String(cString: $0) } ?? "",
            group: unsafe TLSNames.negotiatedGroup(of: ssl).map(TLSNames.group))
    }

    package var isCompleted: Bool { unsafe SSL_is_init_finished(ssl) == 1 }

    // MARK: What came

    /// Reads bytes of CRYPTO frames, in the order of their level.
    package func receive(_ bytes: [UInt8], at level: QUICLevel) -> Outcome {
        guard !hasFailed else { return .failed(alert: alert ?? 80, reason: "the handshake has failed before") }
        guard level == reading else {
            return fail(10, "bytes of the \(level) level came where those of the \(reading) level belong")
        }
        if level == .initial { clientSecret?.messages += bytes }
        ERR_clear_error()
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.mostInRecord))
            rest = rest.dropFirst(part.count)
            guard let record = record(of: part), enqueueRecord(record) else {
                return fail(80, "no record could be made")
            }
        }
        return isAsking ? .goesOn : advance()
    }

    /// Sends the ClientHello.
    package func start() -> Outcome { advance() }

    /// Goes on with a handshake that waits, whether or not the server is trusted.
    package func answerTrust(_ isTrusted: Bool) -> Outcome {
        (isTrustAnswered, isTrustGiven, isAsking) = (true, isTrusted, false)
        return advance()
    }

    /// Goes on with a handshake that waits, with this identity or none.
    package func answerIdentity(_ identity: ClientIdentity?) -> Outcome {
        (identityAnswer, isAsking) = (.given(identity), false)
        return advance()
    }

    private func advance() -> Outcome {
        ERR_clear_error()
        let wasCompleted = isCompleted
        var byte: UInt8 = 0
        let result = unsafe wasCompleted ? SSL_read(ssl, &byte, 1) : SSL_do_handshake(ssl)
        if result != 1 {
            switch unsafe SSL_get_error(ssl, result) {
            case SSL_ERROR_WANT_READ: break
            case SSL_ERROR_WANT_RETRY_VERIFY:
                guard let trust else { return fail(80, "the server's certificate has no verdict") }
                isAsking = true
                return .asksForTrust(trust)
            case SSL_ERROR_WANT_X509_LOOKUP:
                isAsking = true
                return .asksForIdentity(authorities)
            default: return fail(alert ?? UInt8(SSL_AD_INTERNAL_ERROR), OpenSSLErrors.takeSentence())
            }
        }
        guard !hasFailed else { return .failed(alert: alert ?? 80, reason: "keys could not be installed") }
        guard !wasCompleted, isCompleted else { return .goesOn }
        // missing_extension and no_application_protocol (RFC 9001 §8.1, §8.2).
        guard hasParameters else { return fail(109, "the peer sent no transport parameters (RFC 9001 §8.2)") }
        if let client {
            guard let name = applicationProtocol, client.setup.applicationProtocols.contains(name) else {
                return fail(
                    120,
                    "the server chose \(applicationProtocol.map { "the protocol \"\($0)\"" } ?? "no protocol") by ALPN, where "
                        + "\(client.setup.applicationProtocols.joined(separator: " or ")) was offered (RFC 9001 §8.1)")
            }
        }
        return .completed
    }

    /// Below the most that a record may hold, 2^14 bytes.
    private static let mostInRecord = 8_192

    private func fail(_ alert: UInt8, _ reason: String) -> Outcome {
        hasFailed = true
        self.alert = alert
        return .failed(alert: alert, reason: reason)
    }

    /// A plain record before the first keys, and a sealed one after.
    private func record(of part: [UInt8]) -> [UInt8]? {
        let type = UInt8(SSL3_RT_HANDSHAKE)
        guard reading > .initial else { return RecordKeys.head(type, .tls12, byteCount: part.count) + part }
        defer { sequence += 1 }
        return recordKeys?.seal(part, type: type, sequence: sequence, lastBlock: [])
    }

    private func enqueueRecord(_ record: [UInt8]) -> Bool {
        unsafe BIO_write(SSL_get_rbio(ssl), record, Int32(clamping: record.count)) == Int32(clamping: record.count)
    }

    // MARK: OpenSSL's callbacks

    /// A line of a key log: the secret of one direction and level.
    func recordSecret(line: [UInt8]) {
        keyLog?.append(line)
        guard let line = SecretLine(line), let (level, isClients) = Self.use(of: line.label) else { return }
        let isSending = isClients == (client != nil)
        let cipher = unsafe SSL_get_pending_cipher(ssl) ?? SSL_get_current_cipher(ssl)
        guard let suite = unsafe PacketSuite(UInt16(truncatingIfNeeded: SSL_CIPHER_get_protocol_id(cipher))) else {
            return hasFailed = true
        }
        if isSending {
            writing = level
        } else {
            reading = level
            sequence = 0
            recordKeys = unsafe RecordKeys.Suite(cipher).flatMap {
                RecordKeys(suite: $0, trafficSecret: line.secret, updates: 0)
            }
        }
        if isSending, level == .handshake, isClientSecretInstalled { return }
        if !owner.installSecret(line.secret, suite, at: level, isSending: isSending) { hasFailed = true }
        guard let schedule = clientSecret.take(),
            let secret = unsafe schedule.derive(of: ssl, suite, beside: line.secret)
        else { return }
        isClientSecretInstalled = true
        if !owner.installSecret(secret, suite, at: .handshake, isSending: true) { hasFailed = true }
    }

    private static func use(of label: String) -> (QUICLevel, isClients: Bool)? {
        switch label {
        case "CLIENT_HANDSHAKE_TRAFFIC_SECRET": (.handshake, true)
        case "SERVER_HANDSHAKE_TRAFFIC_SECRET": (.handshake, false)
        case "CLIENT_TRAFFIC_SECRET_0": (.application, true)
        case "SERVER_TRAFFIC_SECRET_0": (.application, false)
        default: nil
        }
    }

    func recordMessage(_ type: Int32, _ bytes: [UInt8]) {
        switch type {
        case SSL3_RT_HANDSHAKE:
            if writing == .initial { clientSecret?.messages += bytes }
            owner.sendMessage(bytes, at: writing)
        case SSL3_RT_ALERT where bytes.count == 2: alert = bytes[1]
        default: break
        }
    }

    func receiveParameters(_ bytes: [UInt8]) -> Bool {
        hasParameters = true
        return owner.receiveParameters(bytes)
    }

    /// The memory lives until the next call, as OpenSSL asks.
    func ownParameters() -> UnsafeMutableBufferPointer<UInt8> {
        let bytes = owner.ownParameters()
        unsafe parameters.deallocate()
        unsafe parameters = .allocate(capacity: bytes.count)
        unsafe _ = parameters.initialize(fromContentsOf: bytes)
        return unsafe parameters
    }
}

extension QUICHandshake: TLSClientEnd {
    package var asksQuestions: Bool { true }
    package var hasCompleted: Bool { isCompleted }
    package var identityAfterHandshake: (([[UInt8]]) -> ClientIdentity?)? { nil }
}

/// The callback of SSL_set_msg_callback, for messages that are written.
private func noteQUICMessage(
    _ isWritten: Int32, _ version: Int32, _ type: Int32, _ bytes: UnsafeRawPointer?, _ count: Int,
    _ ssl: OpaquePointer?, _ argument: UnsafeMutableRawPointer?
) {
    guard isWritten == 1, let handshake = unsafe QUICHandshake.find(ssl) else { return }
    handshake.recordMessage(type, unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count)))
}
