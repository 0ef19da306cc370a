package import ProctorBase

/// A format that can be asked for (validation §7.3, and the registry of OpenAPI).
package enum SchemaFormat: String, Sendable, CaseIterable {
    case dateTime = "date-time"
    case date, time, duration, email, hostname, ipv4, ipv6, uri
    case uriReference = "uri-reference"
    case uuid
    case jsonPointer = "json-pointer"
    case relativeJSONPointer = "relative-json-pointer"
    case regex, int32, int64, byte

    /// Whether a value has the format; one of another type has every format of texts, or of numbers.
    package func holds(for kind: JSONDocument.Kind) -> Bool {
        switch (self, kind) {
        case (.int32, .number(let number)): number.isWhole && number.whole.map { Int32(exactly: $0) != nil } ?? false
        case (.int64, .number(let number)): number.isWhole && number >= Self.least64 && number <= Self.most64
        case (.int32, _), (.int64, _): true
        case (_, .text(let bytes)): holds(for: bytes)
        default: true
        }
    }

    private static let least64 = JSONDecimal("-9223372036854775808".utf8) ?? .zero
    private static let most64 = JSONDecimal("9223372036854775807".utf8) ?? .zero

    private func holds(for bytes: [UInt8]) -> Bool {
        switch self {
        case .dateTime:
            // The letter may be small (RFC 3339 §5.6).
            bytes.count > 11 && bytes[10] | 0x20 == UInt8(ascii: "t") && TimeText.isDate(bytes[..<10])
                && TimeText.isTime(bytes[11...])
        case .date: TimeText.isDate(bytes[...])
        case .time: TimeText.isTime(bytes[...])
        case .duration: TimeText.isDuration(bytes)
        case .email: AddressText.isEmail(bytes)
        case .hostname: AddressText.isHost(bytes[...])
        case .ipv4: AddressText.isIPv4(bytes[...])
        case .ipv6: AddressText.isIPv6(bytes[...])
        case .uri: AddressText.isURI(bytes, isReference: false)
        case .uriReference: AddressText.isURI(bytes, isReference: true)
        case .uuid: AddressText.isUUID(bytes)
        case .jsonPointer: (try? JSONPointer(String(decoding: bytes, as: UTF8.self))) != nil
        case .relativeJSONPointer: AddressText.isRelativePointer(bytes)
        case .regex: (try? SchemaPattern(String(decoding: bytes, as: UTF8.self))) != nil
        case .byte: (try? Base64Text.decode(bytes)) != nil
        case .int32, .int64: true
        }
    }

    private static let table = ContainedTable<Self, (noun: String, source: String)>("schema-formats") {
        ($0["noun"], $0["source"])
    }

    /// What it is, with its article.
    package var noun: String { Self.table[self].noun }

    /// The document that says what it is.
    package var source: String { Self.table[self].source }
}

/// Dates and times of RFC 3339.
enum TimeText {
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.count < 5, bytes.allSatisfy(\.isASCIIDigit) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], let year = number(parts[0]), let month = number(parts[1]),
            let day = number(parts[2]), 1...12 ~= month
        else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return 1...days[month - 1] ~= day
    }

    /// A time with its offset.
    static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let mark = bytes.dropFirst(8).firstIndex(where: { "Zz+-".utf8.contains($0) }) else { return false }
        let clock = bytes[..<mark]
        let fields = clock.prefix(8).split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard fields.map(\.count) == [2, 2, 2], let hour = number(fields[0]), let minute = number(fields[1]),
            let second = number(fields[2]), hour < 24, minute < 60, second < 61
        else { return false }
        let fraction = clock.dropFirst(8)
        guard
            fraction.isEmpty
                || (fraction.count > 1 && fraction.first == UInt8(ascii: ".")
                    && fraction.dropFirst().allSatisfy(\.isASCIIDigit))
        else { return false }
        var shift = 0
        if bytes[mark] | 0x20 == UInt8(ascii: "z") {
            guard mark == bytes.endIndex - 1 else { return false }
        } else {
            let parts = bytes[(mark + 1)...].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.map(\.count) == [2, 2], let hours = number(parts[0]), let minutes = number(parts[1]),
                hours < 24,
                minutes < 60
            else { return false }
            shift = (hours * 60 + minutes) * (bytes[mark] == UInt8(ascii: "+") ? -1 : 1)
        }
        // A leap second stands at the end of a day of UTC.
        return second < 60 || ((hour * 60 + minute + shift) % 1440 + 1440) % 1440 == 1439
    }

    /// ABNF of RFC 3339 appendix A.
    static func isDuration(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == UInt8(ascii: "P") else { return false }
        let parts = bytes.dropFirst().split(separator: UInt8(ascii: "T"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let dates = units(parts[0]) else { return false }
        if parts.count == 1 { return dates == "W" || (!dates.isEmpty && "YMD".contains(text: dates)) }
        guard let times = units(parts[1]), !times.isEmpty, "HMS".contains(text: times) else { return false }
        return dates.isEmpty || "YMD".contains(text: dates)
    }

    /// The letters behind the numbers; nil where a number is missing.
    private static func units(_ bytes: ArraySlice<UInt8>) -> String? {
        var units = ""
        var digits = 0
        for byte in bytes {
            if byte.isASCIIDigit {
                digits += 1
            } else {
                guard digits > 0 else { return nil }
                digits = 0
                units.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return digits == 0 ? units : nil
    }
}

/// Names and addresses of the net.
enum AddressText {
    static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return bytes.count <= 253
            && labels.allSatisfy { label in
                1...63 ~= label.count && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
                    // Reserved but for A-labels (RFC 5891 §4.2.3.1).
                    && (!label.dropFirst(2).starts(with: "--".utf8)
                        || label.prefix(4).map(\.asciiLowercased).elementsEqual("xn--".utf8) && ALabel.isValid(label))
            }
    }

    static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                1...3 ~= part.count && part.allSatisfy(\.isASCIIDigit) && (part.count == 1 || part.first != 0x30)
                    && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } < 256
            }
    }

    static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
        var groups = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var count = 0
        guard groups.count > 2 else { return false }
        let hasIPv4Tail = groups.last?.contains(UInt8(ascii: ".")) == true
        if hasIPv4Tail, let last = groups.last {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            count += 2
        }
        // Nothing before the first or behind the last colon is only part of `::`.
        var gaps = 0
        for (position, group) in groups.enumerated() {
            if group.isEmpty {
                let isEdge = position == 0 || (position == groups.count - 1 && !hasIPv4Tail)
                let neighbour = position == 0 ? 1 : position - 1
                if isEdge {
                    guard groups.indices.contains(neighbour), groups[neighbour].isEmpty else { return false }
                } else {
                    gaps += 1
                }
            } else {
                guard group.count <= 4, group.allSatisfy({ $0.hexadecimalValue != nil }) else { return false }
                count += 1
            }
        }
        return gaps == 0 ? count == 8 : gaps == 1 && count < 8
    }

    static func isUUID(_ bytes: [UInt8]) -> Bool {
        bytes.count == 36
            && bytes.indices.allSatisfy { index in
                [8, 13, 18, 23].contains(index)
                    ? bytes[index] == UInt8(ascii: "-") : bytes[index].hexadecimalValue != nil
            }
    }

    static func isEmail(_ bytes: [UInt8]) -> Bool {
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let (local, domain) = (bytes[..<at], bytes[(at + 1)...])
        let isQuoted = local.count > 1 && local.first == UInt8(ascii: "\"") && local.last == UInt8(ascii: "\"")
        if isQuoted {
            var isEscaped = false
            for byte in local.dropFirst().dropLast() {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte
                    == UInt8(ascii: "\"") || byte < 0x20 || byte > 0x7E
                {
                    return false
                }
            }
            if isEscaped { return false }
        } else {
            let atoms = local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let marks = Array("!#$%&'*+-/=?^_`{|}~".utf8)
            guard
                atoms.allSatisfy({ atom in
                    !atom.isEmpty && atom.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || marks.contains($0) }
                })
            else { return false }
        }
        guard domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]") else { return isHost(domain) }
        let literal = domain.dropFirst().dropLast()
        return literal.starts(with: "IPv6:".utf8) ? isIPv6(literal.dropFirst(5)) : isIPv4(literal)
    }

    static func isRelativePointer(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.prefix(while: \.isASCIIDigit)
        guard !digits.isEmpty, digits.count == 1 || digits.first != 0x30 else { return false }
        let rest = bytes.dropFirst(digits.count)
        return rest.elementsEqual("#".utf8) || (try? JSONPointer(String(decoding: rest, as: UTF8.self))) != nil
    }

    // MARK: URIs

    /// RFC 3986: the characters that each part may have, percent-encoding, and what stands between brackets.
    static func isURI(_ bytes: [UInt8], isReference: Bool) -> Bool {
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
        let uri = SchemaReference(String(decoding: bytes, as: UTF8.self))
        guard isReference || uri.scheme != nil else { return false }
        if let scheme = uri.scheme {
            let isScheme = scheme.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
            guard isScheme else { return false }
        } else if uri.authority == nil, uri.path.prefix(while: { $0 != "/" }).contains(":") {
            // The first segment of a relative path has no colon (§4.2).
            return false
        }
        let parts = [(uri.path, ":@/"), (uri.query ?? "", ":@/?"), (uri.fragment ?? "", ":@/?")]
        guard parts.allSatisfy({ has($0.0, besides: $0.1) }) else { return false }
        return uri.authority.map { isAuthority($0) } ?? true
    }

    private static func isAuthority(_ text: String) -> Bool {
        var host = text[...]
        if let at = host.lastIndex(of: "@") {
            guard has(String(host[..<at]), besides: ":") else { return false }
            host = host[host.index(after: at)...]
        }
        var port = ""[...]
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return false }
            let literal = Array(host[host.index(after: host.startIndex)..<end].utf8)
            guard isIPv6(literal[...]) || isFutureAddress(literal) else { return false }
            port = host[host.index(after: end)...]
        } else {
            let colon = host.firstIndex(of: ":") ?? host.endIndex
            guard has(String(host[..<colon]), besides: "") else { return false }
            port = host[colon...]
        }
        return port.isEmpty || (port.hasPrefix(":") && port.dropFirst().utf8.allSatisfy(\.isASCIIDigit))
    }

    private static func isFutureAddress(_ bytes: [UInt8]) -> Bool {
        guard bytes.first.map({ $0 | 0x20 }) == UInt8(ascii: "v"), let dot = bytes.firstIndex(of: UInt8(ascii: ".")),
            dot > 1, dot < bytes.count - 1
        else { return false }
        return bytes[1..<dot].allSatisfy { $0.hexadecimalValue != nil }
            && has(String(decoding: bytes[(dot + 1)...], as: UTF8.self), besides: ":")
    }

    /// Whether there are only unreserved characters, sub-delimiters, percent-encoded bytes and these.
    private static func has(_ text: String, besides others: String) -> Bool {
        let marks = Array("-._~!$&'()*+,;=".utf8) + others.utf8
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.popFirst()?.hexadecimalValue != nil, rest.popFirst()?.hexadecimalValue != nil else {
                    return false
                }
            } else if !byte.isASCIILetter, !byte.isASCIIDigit, !marks.contains(byte) {
                return false
            }
        }
        return true
    }
}
