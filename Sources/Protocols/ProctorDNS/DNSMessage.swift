/// A message of DNS (RFC 1035 §4.1), as it was read or is to be written.
package struct DNSMessage: Sendable, Equatable {
    package var id: UInt16
    package var flags = DNSFlags()
    package var questions: [DNSQuestion] = []
    package var answers: [DNSRecord] = []
    package var authorities: [DNSRecord] = []
    package var additionals: [DNSRecord] = []

    package init(id: UInt16, flags: DNSFlags = DNSFlags(), questions: [DNSQuestion] = [], answers: [DNSRecord] = []) {
        (self.id, self.flags, self.questions, self.answers) = (id, flags, questions, answers)
    }

    /// A question to a resolver, which is to look further by itself.
    package static func query(_ question: DNSQuestion, id: UInt16) -> DNSMessage {
        DNSMessage(id: id, flags: DNSFlags(wantsRecursion: true), questions: [question])
    }

    /// The most bytes over UDP without an agreement on more (RFC 1035 §4.2.1).
    package static let mostDatagramBytes = 512
}

/// The flags of a message's header, with its response code.
package struct DNSFlags: Sendable, Equatable {
    package var isResponse = false
    /// 0: a standard query.
    package var opcode: UInt8 = 0
    package var isAuthoritative = false
    /// The message was cut to fit its transport; the question is to be asked again over TCP (RFC 2181 §9).
    package var isTruncated = false
    package var wantsRecursion = false
    package var hasRecursion = false
    package var code = DNSCode.noError

    package init(
        isResponse: Bool = false, isTruncated: Bool = false, wantsRecursion: Bool = false, hasRecursion: Bool = false,
        code: DNSCode = .noError
    ) {
        (self.isResponse, self.isTruncated, self.wantsRecursion) = (isResponse, isTruncated, wantsRecursion)
        (self.hasRecursion, self.code) = (hasRecursion, code)
    }
}

/// A response code (RFC 1035 §4.1.1), 0 to 15.
package struct DNSCode: Sendable, Hashable, CustomStringConvertible {
    package let number: UInt8

    package init(_ number: UInt8) { self.number = number }

    package static let noError = DNSCode(0)
    package static let nameError = DNSCode(3)
    package static let serverFailure = DNSCode(2)

    /// The names of IANA's registry.
    package static let words: [(word: String, code: DNSCode)] = [
        ("NOERROR", noError), ("FORMERR", DNSCode(1)), ("SERVFAIL", serverFailure), ("NXDOMAIN", nameError),
        ("NOTIMP", DNSCode(4)), ("REFUSED", DNSCode(5)),
    ]

    /// `NXDOMAIN`, or the number.
    package var description: String { Self.words.first { $0.code == self }?.word ?? String(number) }
}

/// The type of a record.
package struct DNSType: Sendable, Hashable, CustomStringConvertible {
    package let number: UInt16

    package init(_ number: UInt16) { self.number = number }

    package static let a = DNSType(1)
    package static let cname = DNSType(5)
    package static let aaaa = DNSType(28)
    package static let https = DNSType(65)

    package static let words: [(word: String, type: DNSType)] = [
        ("A", a), ("AAAA", aaaa), ("CNAME", cname), ("HTTPS", https),
    ]
    private static let others: [UInt16: String] = [
        2: "NS", 6: "SOA", 12: "PTR", 15: "MX", 16: "TXT", 33: "SRV", 41: "OPT", 64: "SVCB", 255: "ANY",
    ]

    /// `AAAA`, or `TYPE4711` (RFC 3597 §5).
    package var description: String {
        Self.words.first { $0.type == self }?.word ?? Self.others[number] ?? "TYPE\(number)"
    }
}

package struct DNSQuestion: Sendable, Hashable, CustomStringConvertible {
    package var name: DNSName
    package var type: DNSType
    /// 1: the internet.
    package var classNumber: UInt16

    package init(_ name: DNSName, _ type: DNSType, classNumber: UInt16 = 1) {
        (self.name, self.type, self.classNumber) = (name, type, classNumber)
    }

    package var description: String { "\(type) \(name)" }
}

package struct DNSRecord: Sendable, Equatable {
    package var name: DNSName
    package var type: DNSType
    package var classNumber: UInt16 = 1
    /// Seconds for which the record may be kept.
    package var seconds: UInt32
    package var data: Content

    package init(_ name: DNSName, _ type: DNSType, seconds: UInt32, _ data: Content) {
        (self.name, self.type, self.seconds, self.data) = (name, type, seconds, data)
    }

    package enum Content: Sendable, Equatable {
        /// The address in an A record, 4 bytes, or in an AAAA record, 16 bytes.
        case address([UInt8])
        /// The name in a CNAME record.
        case name(DNSName)
        /// The service in an HTTPS record.
        case service(DNSService)
        case other([UInt8])
    }
}

/// The content of an HTTPS record (RFC 9460 §2.2).
package struct DNSService: Sendable, Equatable {
    /// 0: an alias (§2.4.2); else less is preferred.
    package var priority: UInt16
    /// The root stands for the owner of the record, where the priority is not 0.
    package var target: DNSName
    /// In the order of the record.
    package var parameters: [Parameter]

    package struct Parameter: Sendable, Equatable {
        package var key: UInt16
        package var value: [UInt8]

        package init(_ key: UInt16, _ value: [UInt8]) {
            (self.key, self.value) = (key, value)
        }
    }

    /// Numbers of IANA's registry of service parameters.
    package enum Key {
        package static let mandatory: UInt16 = 0
        package static let alpn: UInt16 = 1
        package static let noDefaultALPN: UInt16 = 2
        package static let port: UInt16 = 3
        package static let ipv4Hint: UInt16 = 4
        package static let ipv6Hint: UInt16 = 6
    }

    package init(priority: UInt16, target: DNSName, parameters: [Parameter] = []) {
        (self.priority, self.target, self.parameters) = (priority, target, parameters)
    }

    private func value(_ key: UInt16) -> [UInt8]? { parameters.first { $0.key == key }?.value }

    /// The port in place of the URL's; nil without one (§7.2).
    package var port: UInt16? {
        guard let value = value(Key.port), value.count == 2 else { return nil }
        return UInt16(value[0]) << 8 | UInt16(value[1])
    }

    /// The identifiers of protocols of ``Key/alpn``, cut at one that its length byte does not fit; none without it.
    package var protocols: [[UInt8]] {
        var rest = (value(Key.alpn) ?? [])[...]
        var names: [[UInt8]] = []
        while let length = rest.first.map(Int.init), length > 0, rest.count > length {
            names.append(Array(rest.dropFirst().prefix(length)))
            rest = rest.dropFirst(length + 1)
        }
        return names
    }

    /// Whether the service may be used by a client that knows these keys: all mandatory ones are among them (§8).
    package func isUsable(knowing keys: Set<UInt16>) -> Bool {
        guard let value = value(Key.mandatory) else { return true }
        guard value.count.isMultiple(of: 2), !value.isEmpty else { return false }
        return stride(from: 0, to: value.count, by: 2).allSatisfy { index in
            keys.contains(UInt16(value[index]) << 8 | UInt16(value[index + 1]))
        }
    }
}
