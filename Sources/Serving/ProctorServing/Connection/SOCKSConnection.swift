internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorSOCKS
internal import ProctorScenario

/// What is said on a connection to a proxy of SOCKS before its tunnel; on the loop's thread only.
///
/// The request becomes a CONNECT of HTTP/1.1, which the exchanges of the proxy answer like any other.
final class SOCKSOpening {
    private let program: SOCKSProgram
    /// Owns this object.
    private unowned let connection: Connection
    private var reader = SOCKSReader()
    private var buffer: [UInt8] = []
    /// MonotonicClock nanoseconds by which all has to be said; nil before the first byte.
    private var deadline: UInt64?
    /// Of the request; before it, of the greeting.
    private(set) var version = SOCKSVersion.five

    init(_ program: SOCKSProgram, _ connection: Connection) {
        self.program = program
        self.connection = connection
    }

    /// Returns when a request for CONNECT has come, which the connection's input then has.
    func run() async throws(ConnectionEnd) {
        buffer = Array(connection.input.buffer.unread)
        connection.input.replaceKept(with: [])
        while true {
            switch try await nextMessage() {
            case .violation(let violation): try await refuse(violation)
            case .greeting(let methods): try await select(among: methods)
            case .login(let user, let password): try await judge(user, password)
            case .request(let request): return try await beginTunnel(request)
            }
        }
    }

    /// The bytes of a reply with that code of SOCKS 5, in the version of the request.
    func reply(_ code: UInt8) -> [UInt8] {
        SOCKSWriter.reply(
            SOCKSReply(
                SOCKSCode.code(code, in: version), bound: .ipv4([0, 0, 0, 0]), port: 0, isOfVersion5: version == .five))
    }

    /// The bytes of the reply that says what a page with this status says of a CONNECT.
    func reply(ofStatus status: Int) -> [UInt8] { reply(status == 502 ? Self.hostUnreachable : Self.generalFailure) }

    private static let generalFailure: UInt8 = 1
    private static let hostUnreachable: UInt8 = 4
    private static let commandNotSupported: UInt8 = 7
    private static let addressTypeNotSupported: UInt8 = 8

    // MARK: Messages

    private func nextMessage() async throws(ConnectionEnd) -> SOCKSClientMessage {
        while true {
            var position = 0
            // The span of a local value, since that of a stored one must not outlive the access.
            let bytes = buffer
            let message = reader.next(bytes.span, at: &position)
            buffer.removeFirst(position)
            if let message { return message }
            try await receive()
        }
    }

    private func receive() async throws(ConnectionEnd) {
        let bounds = connection.bounds
        let now = MonotonicClock.nanoseconds
        let limit = deadline.map { $0 > now ? $0 - now : 0 } ?? bounds.idle
        var isOpen: Void?
        do throws(SocketError) {
            isOpen = try await connection.socket.read(within: limit) { bytes in
                for index in bytes.indices { buffer.append(bytes[index]) }
            }
        } catch {
            throw ConnectionEnd(error)
        }
        if deadline == nil { deadline = MonotonicClock.nanoseconds &+ bounds.head }
        guard isOpen == nil else { return }
        if let violation = reader.finish() { append(violation) }
        throw .peerClosed
    }

    private func write(_ event: SOCKSNote.Event) { connection.journals.append(.socks(SOCKSNote(event))) }

    private func append(_ violation: SOCKSViolation) {
        write(
            .violation(
                SOCKSViolationNote(
                    kind: violation.kind.rawValue, offset: violation.offset, isFatal: violation.isFatal,
                    section: violation.section, sentence: violation.sentence)))
    }

    /// Notes a violation; a fatal one is answered as far as there is an answer, and ends the connection.
    private func refuse(_ violation: SOCKSViolation) async throws(ConnectionEnd) {
        append(violation)
        guard violation.isFatal else { return }
        switch violation.kind {
        case .badAddressType: try await refuse(Self.addressTypeNotSupported)
        case .badName, .emptyName: try await refuse(Self.generalFailure)
        case .noMethods: try await write(SOCKSWriter.selection(SOCKSMethod.unacceptable))
        default: break
        }
        throw .serverCloses
    }

    private func refuse(_ code: UInt8) async throws(ConnectionEnd) -> Never {
        try await write(reply(code))
        throw .serverCloses
    }

    private func write(_ bytes: [UInt8]) async throws(ConnectionEnd) { try await connection.output.write(bytes) }

    // MARK: Who it is

    private func select(among methods: [UInt8]) async throws(ConnectionEnd) {
        let wanted = program.users.isEmpty ? SOCKSMethod.none : SOCKSMethod.password
        let speaks = program.versions.contains(5)
        let method =
            speaks
            ? program.method ?? (methods.contains(wanted) ? wanted : SOCKSMethod.unacceptable)
            : SOCKSMethod.unacceptable
        write(.greeting(methods: methods.map(SOCKSMethod.text), selected: SOCKSMethod.text(method)))
        try await send(program.selection, or: SOCKSWriter.selection(method), at: "selection")
        switch method {
        case SOCKSMethod.password: reader.expectLogin()
        // Behind X'FF' the client has to close the connection (RFC 1928 §3), and no other method is gone through.
        case SOCKSMethod.none: reader.expectRequest()
        default: throw .serverCloses
        }
    }

    private func judge(_ user: [UInt8], _ password: [UInt8]) async throws(ConnectionEnd) {
        let (user, password) = (String(decoding: user, as: UTF8.self), String(decoding: password, as: UTF8.self))
        let isAccepted = program.users.isEmpty || program.users[user] == password
        write(.login(user: user, isAccepted: isAccepted))
        try await send(program.login, or: SOCKSWriter.loginReply(status: isAccepted ? 0 : 1), at: "login")
        // RFC 1929 §2: behind a failure the connection is closed.
        guard isAccepted else { throw .serverCloses }
        reader.expectRequest()
    }

    /// Sends bytes of the fixture with the effects between them, or the usual ones.
    private func send(_ pieces: [BodyPiece]?, or usual: [UInt8], at place: String) async throws(ConnectionEnd) {
        guard let pieces else { return try await write(usual) }
        for piece in pieces {
            let action: Effect.Action
            switch piece {
            case .bytes(let source): action = connection.bound(.send(source))
            case .effect(let effect):
                action = connection.bound(effect)
                connection.journals.append(.effectPlayed(action.row.played(at: place)))
            }
            var cursor = ReplyCursor()
            try await cursor.perform(action, on: connection)
            if connection.output.isHalfClosed {
                try await connection.late.awaitPeer()
                throw .serverEnded(.closed)
            }
        }
    }

    // MARK: The request

    private func beginTunnel(_ request: SOCKSRequest) async throws(ConnectionEnd) {
        version = request.version
        let isOld = version != .five
        let host = request.destination.hostText
        write(
            .request(
                SOCKSRequestNote(
                    version: version.rawValue, command: request.commandText,
                    addressType: request.destination.kind, host: EscapedText.escape(host, limit: 300),
                    port: Int(request.port),
                    user: isOld ? EscapedText.escape(request.user, limit: 300) : nil)))
        if isOld, !program.versions.contains(4) { try await refuse(Self.generalFailure) }
        if isOld, !program.users.isEmpty, program.users[String(decoding: request.user, as: UTF8.self)] == nil {
            try await refuse(Self.generalFailure)
        }
        guard request.command == SOCKSRequest.connect else { try await refuse(Self.commandNotSupported) }
        let authority = request.authority
        let head = Array("CONNECT ".utf8) + authority + Array(" HTTP/1.1\r\nHost: ".utf8) + authority
        connection.input.read((head + Array("\r\n\r\n".utf8)).span, until: .head)
        let rest = buffer
        buffer = []
        connection.input.store(rest.span)
    }
}
