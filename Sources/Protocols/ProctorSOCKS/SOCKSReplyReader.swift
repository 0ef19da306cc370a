import ProctorBase

/// What a proxy of SOCKS sends before the tunnel.
package enum SOCKSProxyMessage: Sendable, Hashable {
    /// The method that it has selected (RFC 1928 §3).
    case selection(UInt8)
    /// 0: user and password are right (RFC 1929 §2).
    case login(status: UInt8)
    case reply(SOCKSReply)
    /// A violation, which stands before the message that has it; behind a fatal one comes nothing.
    case violation(SOCKSViolation)
}

/// The reply to a request (RFC 1928 §6).
package struct SOCKSReply: Sendable, Hashable {
    package var code: UInt8
    /// What the proxy is bound to; nil where the version has no meaning for it.
    package var bound: SOCKSAddress
    package var port: UInt16
    package var isOfVersion5: Bool

    package init(_ code: UInt8, bound: SOCKSAddress, port: UInt16, isOfVersion5: Bool) {
        (self.code, self.bound, self.port, self.isOfVersion5) = (code, bound, port, isOfVersion5)
    }

    package var hasSucceeded: Bool { code == (isOfVersion5 ? 0 : 90) }
}

/// Reads what a proxy of SOCKS 4, 4a and 5 sends, whatever pieces it comes in; waits for nothing.
package struct SOCKSReplyReader: Sendable {
    private var message = MessageBytes()
    private var expected: Expected?
    private var unread: ArraySlice<SOCKSProxyMessage> = []

    /// What the proxy has to send next.
    package enum Expected: Sendable, Hashable {
        /// After a greeting that has offered these methods.
        case selection(among: [UInt8])
        case login
        case reply(SOCKSVersion)
    }

    package init() {}

    package mutating func expect(_ expected: Expected) { self.expected = expected }

    package var isWithinMessage: Bool { !message.isEmpty }

    /// The next message in `bytes` from `position` on, which moves behind what was read; nil: no message is complete, or
    /// none is expected.
    package mutating func next(_ bytes: Span<UInt8>, at position: inout Int) -> SOCKSProxyMessage? {
        if let message = unread.popFirst() { return message }
        while position < bytes.count, let expected {
            message.append(bytes[position])
            position += 1
            do throws(SOCKSViolation) {
                guard let read = try readMessage(expected) else { continue }
                message.beginNext()
                unread = read[...]
            } catch {
                unread = [.violation(error)]
            }
            self.expected = nil
            return unread.popFirst()
        }
        return nil
    }

    /// The violation of a proxy that leaves before what it has to send is complete.
    package func finish() -> SOCKSViolation? {
        expected == nil ? nil : message.violation(.incomplete, at: message.count)
    }

    private func readMessage(_ expected: Expected) throws(SOCKSViolation) -> [SOCKSProxyMessage]? {
        switch expected {
        case .selection(let offered):
            guard message[0] == 5 else { throw message.violation(.badVersion, at: 0) }
            guard message.count == 2 else { return nil }
            let method = message[1]
            guard method == SOCKSMethod.unacceptable || offered.contains(method) else {
                throw message.violation(.methodNotOffered, at: 1)
            }
            return [.selection(method)]
        case .login:
            guard message[0] == 1 else { throw message.violation(.badLoginVersion, at: 0) }
            return message.count == 2 ? [.login(status: message[1])] : nil
        case .reply(.five):
            guard message[0] == 5 else { throw message.violation(.badVersion, at: 0) }
            guard let (bound, port, _) = try message.address(at: 3) else { return nil }
            var read: [SOCKSProxyMessage] = []
            if message[1] > 8 { read.append(.violation(message.violation(.unknownCode, at: 1))) }
            if message[2] != 0 { read.append(.violation(message.violation(.reservedNotZero, at: 2))) }
            return read + [.reply(SOCKSReply(message[1], bound: bound, port: port, isOfVersion5: true))]
        case .reply:
            guard message[0] == 0 else { throw message.violation(.badVersion, at: 0) }
            guard message.count == 8 else { return nil }
            let isKnown = 90...93 ~= message[1]
            return (isKnown ? [] : [.violation(message.violation(.unknownCode, at: 1))]) + [
                .reply(
                    SOCKSReply(
                        message[1], bound: .ipv4(message[4..<8]), port: message.number(at: 2), isOfVersion5: false))
            ]
        }
    }
}
