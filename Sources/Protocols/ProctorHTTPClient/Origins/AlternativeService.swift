internal import ProctorHTTP

/// Another place at which an origin can be reached, as its Alt-Svc names it (RFC 7838 §3).
package struct AlternativeService: Sendable, Hashable {
    /// The name of the protocol in ALPN, without its escapes.
    package let protocolName: String
    /// nil for the host of the origin.
    package let host: String?
    package let port: Int
    /// How many seconds it is fresh (§3.1).
    package let maxAge: Int

    /// The time of an alternative without `ma`: 24 hours.
    private static let usualAge = 86_400

    /// One alternative with its parameters, of which unknown ones are passed over (§3.1).
    fileprivate init?(_ cursor: inout FieldCursor) {
        guard let name = cursor.takeToken(), cursor.consume(UInt8(ascii: "=")),
            let authority = cursor.takeQuotedString(), authority.isTerminated,
            let place = Self.place(authority.content), let protocolName = Self.unescaped(name)
        else { return nil }
        var age: Int?
        while true {
            cursor.skipBlanks()
            guard cursor.consume(UInt8(ascii: ";")) else { break }
            cursor.skipBlanks()
            guard let key = cursor.takeToken(), cursor.consume(UInt8(ascii: "=")) else { return nil }
            let value: [UInt8]
            if let quoted = cursor.takeQuotedString() {
                guard quoted.isTerminated else { return nil }
                value = quoted.content
            } else {
                guard let token = cursor.takeToken() else { return nil }
                value = Array(token)
            }
            if key.elementsEqual("ma".utf8) { age = age ?? DeltaSeconds.value(value) }
        }
        self.protocolName = protocolName
        (host, port) = place
        maxAge = age ?? Self.usualAge
    }

    /// `[ uri-host ] ":" port`.
    private static func place(_ authority: [UInt8]) -> (host: String?, port: Int)? {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            let port = DeltaSeconds.value(Array(authority[(colon + 1)...])), 1...65_535 ~= port
        else { return nil }
        guard colon > 0 else { return (nil, port) }
        let text = Array("https://".utf8) + authority + [UInt8(ascii: "/")]
        guard let url = try? ClientURL(text), url.target == [UInt8(ascii: "/")], url.reference.userinfo == nil else {
            return nil
        }
        return (url.origin.host, port)
    }

    /// A name of ALPN is a token with percent-escapes (§3).
    private static func unescaped(_ name: ArraySlice<UInt8>) -> String? {
        PercentText.decode(name, isStrict: true).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

/// What the Alt-Svc fields of one reply say: they take the place of what was said before (RFC 7838 §3.1).
package enum AlternativeServices: Sendable, Equatable {
    /// There are none any more, whatever else the fields name (§3).
    case clear
    /// In the order of preference.
    case services([AlternativeService])

    /// nil without a field; an element against the grammar ends the reading of its line.
    package init?(_ values: [[UInt8]]) {
        guard !values.isEmpty else { return nil }
        var services: [AlternativeService] = []
        for value in values {
            var cursor = FieldCursor(value)
            while !cursor.isAtEnd {
                _ = cursor.consume { $0.isBlank || $0 == UInt8(ascii: ",") }
                guard !cursor.isAtEnd else { break }
                let start = cursor.index
                if let word = cursor.takeToken(), word.elementsEqual("clear".utf8), cursor.current != UInt8(ascii: "=")
                {
                    self = .clear
                    return
                }
                cursor.index = start
                guard let service = AlternativeService(&cursor) else { break }
                services.append(service)
                cursor.skipBlanks()
                guard cursor.isAtEnd || cursor.current == UInt8(ascii: ",") else { break }
            }
        }
        self = .services(services)
    }
}
