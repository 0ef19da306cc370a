internal import ProctorBase

/// A mistake with a proxy of SOCKS (RFC 1928, RFC 1929), by the label of its breakage in `faults.tsv`.
package enum SOCKSFault: String, Sendable, CaseIterable {
    case ignoresCode = "socks-code-ignored"
    case ignoresUnacceptable = "socks-unacceptable-ignored"
    case ignoresRefusedLogin = "socks-refusal-ignored"
    case offersNoPassword = "socks-no-password"
    case looksUpNames = "socks-looks-up"
    case sendsNames = "socks-sends-names"
    case forgetsUser = "socks-forgets-user"
    case reservedNotZero = "socks-reserved"
    case loginVersion5 = "socks-login-version"
    case goesStraight = "socks-goes-straight"
}

/// What a client says to a proxy of SOCKS for one tunnel, without I/O.
package struct SOCKSConversation: Sendable {
    private var request: SOCKSRequest
    private let account: Account?
    private let fault: SOCKSFault?
    private var reader = SOCKSReplyReader()

    /// User and password of RFC 1929.
    package struct Account: Sendable {
        let user: [UInt8]
        let password: [UInt8]

        package init(user: [UInt8], password: [UInt8]) {
            (self.user, self.password) = (user, password)
        }
    }

    /// Why there is no tunnel, as half a sentence whose subject is the proxy.
    package struct Refusal: Error, Equatable {
        package let sentence: String
        /// Whether it is about the host, and the proxy was not asked.
        package let isOfHost: Bool

        package init(sentence: String, isOfHost: Bool = false) {
            (self.sentence, self.isOfHost) = (sentence, isOfHost)
        }
    }

    package enum Step: Sendable, Equatable {
        /// More bytes are needed.
        case wait
        case send([UInt8])
        /// The next byte is the server's.
        case done
    }

    package init(_ request: SOCKSRequest, account: Account?, _ fault: SOCKSFault? = nil) {
        (self.request, self.account, self.fault) = (request, account, fault)
        if fault == .forgetsUser { self.request.user = [] }
    }

    package mutating func firstMessage() -> [UInt8] {
        guard request.version == .five else { return requestMessage() }
        let offersPassword = account != nil && fault != .offersNoPassword
        let methods = offersPassword ? [SOCKSMethod.none, SOCKSMethod.password] : [SOCKSMethod.none]
        reader.expect(.selection(among: methods))
        return SOCKSWriter.greeting(methods: methods)
    }

    private mutating func requestMessage() -> [UInt8] {
        reader.expect(.reply(request.version))
        var bytes = SOCKSWriter.request(request)
        if fault == .reservedNotZero, request.version == .five { bytes[2] = 1 }
        return bytes
    }

    /// Reads the next byte of the proxy.
    package mutating func read(_ byte: UInt8) throws(Refusal) -> Step {
        var position = 0
        let bytes = [byte]
        while let message = reader.next(bytes.span, at: &position) {
            switch message {
            case .violation(let violation):
                if violation.isFatal { throw Refusal(sentence: "\(violation.sentence) (\(violation.section))") }
            case .selection(let method): return .send(try messageBehind(method))
            case .login(let status):
                guard status == 0 || fault == .ignoresRefusedLogin else {
                    throw Refusal(sentence: "it refuses the user (RFC 1929 §2)")
                }
                return .send(requestMessage())
            case .reply(let reply):
                guard reply.hasSucceeded || fault == .ignoresCode else {
                    throw Refusal(sentence: "it replies \(SOCKSCode.text(reply.code))")
                }
                return .done
            }
        }
        return .wait
    }

    private mutating func messageBehind(_ method: UInt8) throws(Refusal) -> [UInt8] {
        switch method {
        case SOCKSMethod.none: return requestMessage()
        case SOCKSMethod.password:
            reader.expect(.login)
            var bytes = SOCKSWriter.login(user: account?.user ?? [], password: account?.password ?? [])
            if fault == .loginVersion5 { bytes[0] = 5 }
            return bytes
        default:
            guard fault == .ignoresUnacceptable else {
                throw Refusal(sentence: "no method is acceptable to it (RFC 1928 §3)")
            }
            return requestMessage()
        }
    }
}
