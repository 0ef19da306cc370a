/// A departure from RFC 1928, RFC 1929 or the documents of SOCKS 4 and 4a.
package struct SOCKSViolation: Error, Sendable, Hashable {
    package let kind: Kind
    /// Bytes from the first one that this end of the connection has sent.
    package let offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The names are stable for ever.
    package enum Kind: String, Sendable, CaseIterable {
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
    }

    /// Whether nothing behind it can be read.
    package var isFatal: Bool {
        switch kind {
        case .reservedNotZero, .methodUnacceptable, .emptyUser, .emptyPassword, .unknownCommand, .unknownCode: false
        case .badVersion, .badLoginVersion, .badAddressType, .incomplete, .noMethods, .emptyName, .badName,
            .userTooLong, .nameTooLong, .methodNotOffered:
            true
        }
    }

    /// The section of the document, or the document.
    package var section: String {
        switch kind {
        case .badVersion, .noMethods, .methodUnacceptable, .methodNotOffered, .incomplete: "RFC 1928 §3"
        case .badLoginVersion, .emptyUser, .emptyPassword: "RFC 1929 §2"
        case .reservedNotZero, .unknownCommand: "RFC 1928 §4"
        case .badAddressType, .emptyName, .badName: "RFC 1928 §5"
        case .unknownCode: "RFC 1928 §6"
        case .userTooLong, .nameTooLong: "SOCKS 4 and 4a"
        }
    }

    /// What is wrong, for a person.
    package var sentence: String {
        switch kind {
        case .badVersion:
            "the version is none that belongs here: 4 or 5 begins, 5 stays 5, and a reply of SOCKS 4 has 0"
        case .badLoginVersion: "the version of the user and password is not 1"
        case .reservedNotZero: "a reserved field is not 0"
        case .badAddressType: "the type of the address is not 1 (IPv4), 3 (name) or 4 (IPv6)"
        case .incomplete: "the connection ends within a message"
        case .noMethods: "no method is offered; the field has 1 to 255"
        case .methodUnacceptable: "255 is offered as a method, which says that none is acceptable"
        case .emptyUser: "the user has no byte; the field has 1 to 255"
        case .emptyPassword: "the password has no byte; the field has 1 to 255"
        case .unknownCommand: "the command is not CONNECT, BIND or, in SOCKS 5, UDP ASSOCIATE"
        case .emptyName: "the name has no byte"
        case .badName: "the name has a byte that no domain name has"
        case .userTooLong: "the user has more than \(SOCKSReader.textByteLimit) bytes, the limit of this reader"
        case .nameTooLong: "the name has more than \(SOCKSReader.textByteLimit) bytes, the limit of this reader"
        case .methodNotOffered: "the proxy selects a method that was not offered"
        case .unknownCode: "the code of the reply has no meaning"
        }
    }
}
