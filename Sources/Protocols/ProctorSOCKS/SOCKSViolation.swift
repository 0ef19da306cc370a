package import ProctorBase

/// A departure from RFC 1928, RFC 1929 or the documents of SOCKS 4 and 4a.
package typealias SOCKSViolation = MessageViolation<SOCKSViolationKind>

/// The names are stable for ever.
package enum SOCKSViolationKind: String, MessageViolationKind {
    // Of both ends.
    case badVersion = "bad-version"
    case badLoginVersion = "bad-login-version"
    case reservedNotZero = "reserved-not-zero"
    case badAddressType = "bad-address-type"
    case incomplete

    // Of clients.
    case noMethods = "no-methods"
    case methodUnacceptable = "method-unacceptable"
    case emptyUser = "empty-user"
    case emptyPassword = "empty-password"
    case unknownCommand = "unknown-command"
    case emptyName = "empty-name"
    case badName = "bad-name"
    case userTooLong = "user-too-long"
    case nameTooLong = "name-too-long"

    // Of proxies.
    case methodNotOffered = "method-not-offered"
    case unknownCode = "unknown-code"

    package static let table = ContainedTable<Self, MessageViolationRow>("socks-violations") {
        MessageViolationRow($0, limits: ["limit": SOCKSReader.textByteLimit])
    }
}
