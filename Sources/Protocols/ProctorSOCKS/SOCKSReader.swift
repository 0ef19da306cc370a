import ProctorBase

/// What a client of SOCKS sends before its tunnel, one message after the other.
package enum SOCKSClientMessage: Sendable, Hashable {
    /// The methods that a client of SOCKS 5 offers (RFC 1928 §3).
    case greeting(methods: [UInt8])
    /// User and password (RFC 1929 §2).
    case login(user: [UInt8], password: [UInt8])
    case request(SOCKSRequest)
    /// A violation, which stands before the message that has it; behind a fatal one comes nothing.
    case violation(SOCKSViolation)
}

/// Reads what a client of SOCKS 4, 4a and 5 sends, whatever pieces it comes in; waits for nothing.
///
/// Behind a greeting it reads on when ``expectLogin()`` or ``expectRequest()`` has said what follows. Bytes behind the
/// request are left to the caller.
package struct SOCKSReader: Sendable {
    private var message = MessageBytes()
    private var stage = Stage.opening
    private var unread: ArraySlice<SOCKSClientMessage> = []

    private enum Stage {
        /// Next: greeted, over.
        case opening
        /// The server has to select a method; next: login, request.
        case greeted
        /// Next: greeted.
        case login
        /// Next: over.
        case request
        case over
    }

    /// The most bytes of a user or name of SOCKS 4, which its document leaves open.
    package static let textByteLimit = 255

    package init() {}

    /// Whether the request, or a violation that ends all reading, was read.
    package var isOver: Bool { stage == .over && unread.isEmpty }

    /// Whether a message has begun and is not complete.
    package var isWithinMessage: Bool { !message.isEmpty }

    package mutating func expectLogin() { if stage == .greeted { stage = .login } }
    package mutating func expectRequest() { if stage == .greeted { stage = .request } }

    /// The next message in `bytes` from `position` on, which moves behind what was read; nil: no message is complete, or
    /// the caller has to say what is expected.
    package mutating func next(_ bytes: Span<UInt8>, at position: inout Int) -> SOCKSClientMessage? {
        if let message = unread.popFirst() { return message }
        while position < bytes.count, stage != .greeted, stage != .over {
            message.append(bytes[position])
            position += 1
            do throws(SOCKSViolation) {
                guard let read = try readMessage() else { continue }
                message.beginNext()
                unread = read[...]
            } catch {
                stage = .over
                unread = [.violation(error)]
            }
            return unread.popFirst()
        }
        return nil
    }

    /// The violation of a client that leaves within a message; nil where it may leave.
    package func finish() -> SOCKSViolation? {
        isWithinMessage && stage != .over ? message.violation(.incomplete, at: message.count) : nil
    }

    /// nil: it is not complete.
    private mutating func readMessage() throws(SOCKSViolation) -> [SOCKSClientMessage]? {
        switch stage {
        case .opening:
            switch message[0] {
            case 4: return try readOldRequest()
            case 5: return try readGreeting()
            default: throw message.violation(.badVersion, at: 0)
            }
        case .login: return try readLogin()
        case .request: return try readRequest()
        case .greeted, .over: return nil
        }
    }

    private mutating func readGreeting() throws(SOCKSViolation) -> [SOCKSClientMessage]? {
        guard message.count >= 2 else { return nil }
        let count = Int(message[1])
        guard count > 0 else { throw message.violation(.noMethods, at: 1) }
        guard message.count == 2 + count else { return nil }
        let methods = message[2..<2 + count]
        stage = .greeted
        guard let index = methods.firstIndex(of: SOCKSMethod.unacceptable) else { return [.greeting(methods: methods)] }
        return [
            .violation(message.violation(.methodUnacceptable, at: 2 + index)), .greeting(methods: methods),
        ]
    }

    private mutating func readLogin() throws(SOCKSViolation) -> [SOCKSClientMessage]? {
        guard message[0] == 1 else { throw message.violation(.badLoginVersion, at: 0) }
        guard message.count >= 2 else { return nil }
        let userEnd = 2 + Int(message[1])
        guard message.count > userEnd else { return nil }
        let end = userEnd + 1 + Int(message[userEnd])
        guard message.count == end else { return nil }
        var read: [SOCKSClientMessage] = []
        if userEnd == 2 { read.append(.violation(message.violation(.emptyUser, at: 1))) }
        if end == userEnd + 1 { read.append(.violation(message.violation(.emptyPassword, at: userEnd))) }
        stage = .greeted
        return read + [.login(user: message[2..<userEnd], password: message[userEnd + 1..<end])]
    }

    private mutating func readRequest() throws(SOCKSViolation) -> [SOCKSClientMessage]? {
        guard message[0] == 5 else { throw message.violation(.badVersion, at: 0) }
        guard let (address, port, _) = try message.address(at: 3) else { return nil }
        var read: [SOCKSClientMessage] = []
        if !(1...3 ~= message[1]) { read.append(.violation(message.violation(.unknownCommand, at: 1))) }
        if message[2] != 0 { read.append(.violation(message.violation(.reservedNotZero, at: 2))) }
        if case .name(let name) = address { try checkName(name, at: 5) }
        stage = .over
        return read + [.request(SOCKSRequest(.five, command: message[1], address, port: port))]
    }

    /// SOCKS 4: version, command, port, address, user, NUL; 4a: an address 0.0.0.x, and a name with NUL behind the user.
    private mutating func readOldRequest() throws(SOCKSViolation) -> [SOCKSClientMessage]? {
        let userStart = 8
        guard message.count > userStart else { return nil }
        let text = message.bytes[userStart...]
        guard let userEnd = text.firstIndex(of: 0) else {
            guard text.count <= Self.textByteLimit else {
                throw message.violation(.userTooLong, at: userStart + Self.textByteLimit)
            }
            return nil
        }
        let address = message[4..<8]
        let hasName = address[..<3].allSatisfy { $0 == 0 } && address[3] != 0
        var destination = SOCKSAddress.ipv4(address)
        if hasName {
            let name = message.bytes[(userEnd + 1)...]
            guard let end = name.firstIndex(of: 0) else {
                guard name.count <= Self.textByteLimit else {
                    throw message.violation(.nameTooLong, at: userEnd + 1 + Self.textByteLimit)
                }
                return nil
            }
            let bytes = message[userEnd + 1..<end]
            try checkName(bytes, at: userEnd + 1)
            destination = .name(bytes)
        }
        var read: [SOCKSClientMessage] = []
        if !(1...2 ~= message[1]) { read.append(.violation(message.violation(.unknownCommand, at: 1))) }
        stage = .over
        return read + [
            .request(
                SOCKSRequest(
                    hasName ? .fourWithName : .four, command: message[1], destination, port: message.number(at: 2),
                    user: message[userStart..<userEnd]))
        ]
    }

    /// Letters, digits, `-`, `.` and `_`, and bytes above ASCII, which are no separators of any text.
    private func checkName(_ name: [UInt8], at start: Int) throws(SOCKSViolation) {
        guard !name.isEmpty else { throw message.violation(.emptyName, at: start == 5 ? 4 : start) }
        for (index, byte) in name.enumerated() {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...0xFF: continue
            default: throw message.violation(.badName, at: start + index)
            }
        }
    }
}
