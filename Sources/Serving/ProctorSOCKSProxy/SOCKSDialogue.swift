internal import ProctorBase
internal import ProctorJournal
internal import ProctorSOCKS
internal import ProctorScenario

/// What is said on a connection to a proxy of SOCKS before its tunnel.
struct SOCKSDialogue: SOCKSOpening {
    private let program: SOCKSProgram
    private var reader = SOCKSReader()
    /// Bytes of the client that no message has used yet.
    private var buffer: [UInt8] = []
    /// What the last message leads to, in order.
    private var steps: ArraySlice<SOCKSStep> = []
    /// The version of the request; before it, of the greeting.
    private var version = SOCKSVersion.five

    init(_ program: SOCKSProgram) { self.program = program }

    mutating func store(_ bytes: [UInt8]) { buffer += bytes }

    mutating func nextStep() -> SOCKSStep {
        while true {
            if let step = steps.popFirst() { return step }
            var position = 0
            // The span of a local value, since that of a stored one must not outlive the access.
            let bytes = buffer
            let message = reader.next(bytes.span, at: &position)
            buffer.removeFirst(position)
            switch message {
            case nil: return .receive
            case .violation(let violation)?: steps = refuse(violation)[...]
            case .greeting(let methods)?: steps = select(among: methods)[...]
            case .login(let user, let password)?: steps = judge(user, password)[...]
            case .request(let request)?: steps = beginTunnel(request)[...]
            }
        }
    }

    mutating func finish() -> SOCKSNote? { reader.finish().map(Self.violationNote) }

    func reply(ofStatus status: Int) -> [UInt8] {
        switch status {
        case 200...299: reply(Self.succeeded)
        case 502: reply(Self.hostUnreachable)
        default: reply(Self.generalFailure)
        }
    }

    /// The bytes of a reply with that code of SOCKS 5, in the version of the request.
    private func reply(_ code: UInt8) -> [UInt8] {
        SOCKSWriter.reply(
            SOCKSReply(
                SOCKSCode.code(code, in: version), bound: .ipv4([0, 0, 0, 0]), port: 0, isOfVersion5: version == .five))
    }

    private static let succeeded: UInt8 = 0
    private static let generalFailure: UInt8 = 1
    private static let hostUnreachable: UInt8 = 4
    private static let commandNotSupported: UInt8 = 7
    private static let addressTypeNotSupported: UInt8 = 8

    private static func violationNote(_ violation: SOCKSViolation) -> SOCKSNote {
        SOCKSNote(.violation(ViolationNote(violation), isFatal: violation.isFatal))
    }

    /// Notes a violation; a fatal one is answered as far as there is an answer, and ends the connection.
    private func refuse(_ violation: SOCKSViolation) -> [SOCKSStep] {
        let note = SOCKSStep.note(Self.violationNote(violation))
        guard violation.isFatal else { return [note] }
        switch violation.kind {
        case .badAddressType: return [note] + refuse(Self.addressTypeNotSupported)
        case .badName, .emptyName: return [note] + refuse(Self.generalFailure)
        case .noMethods: return [note, .write(SOCKSWriter.selection(SOCKSMethod.unacceptable)), .close]
        default: return [note, .close]
        }
    }

    private func refuse(_ code: UInt8) -> [SOCKSStep] { [.write(reply(code)), .close] }

    // MARK: Who it is

    private mutating func select(among methods: [UInt8]) -> [SOCKSStep] {
        let wanted = program.users.isEmpty ? SOCKSMethod.none : SOCKSMethod.password
        let speaks = program.versions.contains(5)
        let method =
            speaks
            ? program.method ?? (methods.contains(wanted) ? wanted : SOCKSMethod.unacceptable)
            : SOCKSMethod.unacceptable
        let steps: [SOCKSStep] = [
            .note(SOCKSNote(.greeting(methods: methods.map(SOCKSMethod.text), selected: SOCKSMethod.text(method)))),
            program.selection.map { .send($0, place: "selection") } ?? .write(SOCKSWriter.selection(method)),
        ]
        switch method {
        case SOCKSMethod.password: reader.expectLogin()
        // Behind X'FF' the client has to close the connection (RFC 1928 §3), and no other method is gone through.
        case SOCKSMethod.none: reader.expectRequest()
        default: return steps + [.close]
        }
        return steps
    }

    private mutating func judge(_ user: [UInt8], _ password: [UInt8]) -> [SOCKSStep] {
        let (user, password) = (String(decoding: user, as: UTF8.self), String(decoding: password, as: UTF8.self))
        let isAccepted = program.users.isEmpty || program.users[user] == password
        let steps: [SOCKSStep] = [
            .note(SOCKSNote(.login(user: user, isAccepted: isAccepted))),
            program.login.map { .send($0, place: "login") }
                ?? .write(SOCKSWriter.loginReply(status: isAccepted ? 0 : 1)),
        ]
        // RFC 1929 §2: behind a failure the connection is closed.
        guard isAccepted else { return steps + [.close] }
        reader.expectRequest()
        return steps
    }

    // MARK: The request

    private mutating func beginTunnel(_ request: SOCKSRequest) -> [SOCKSStep] {
        version = request.version
        let isOld = version != .five
        let note = SOCKSStep.note(
            SOCKSNote(
                .request(
                    SOCKSRequestNote(
                        version: version.rawValue, command: request.commandText,
                        addressType: request.destination.kind,
                        host: EscapedText.escape(request.destination.hostText, limit: 300), port: Int(request.port),
                        user: isOld ? EscapedText.escape(request.user, limit: 300) : nil))))
        let isRefused =
            isOld
            && (!program.versions.contains(4)
                || !program.users.isEmpty && program.users[String(decoding: request.user, as: UTF8.self)] == nil)
        if isRefused { return [note] + refuse(Self.generalFailure) }
        guard request.command == SOCKSRequest.connect else { return [note] + refuse(Self.commandNotSupported) }
        defer { buffer = [] }
        return [note, .tunnel(authority: request.authority, rest: buffer)]
    }
}
