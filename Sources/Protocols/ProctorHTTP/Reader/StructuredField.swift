import ProctorBase

/// The types of structured fields (RFC 9651 §3), and whether a value is one of its type.
///
/// Nothing is kept of a value. Several lines of a field are checked one by one: a sender parts them where a member ends.
package enum StructuredField: Sendable {
    case item, list, dictionary

    /// Whether the value is read by the algorithm of §4.2; an empty list or dictionary is one.
    package func isValid(_ value: Span<UInt8>) -> Bool {
        var cursor = ValueCursor()
        cursor.skipSpaces(value)
        let isRead =
            switch self {
            case .item: cursor.readItem(value)
            case .list: cursor.readMembers(value, named: false)
            case .dictionary: cursor.readMembers(value, named: true)
            }
        cursor.skipSpaces(value)
        return isRead && cursor.index == value.count
    }
}

/// Reading by RFC 9651; each function returns whether what its name says was there.
extension ValueCursor {
    fileprivate mutating func skipSpaces(_ value: Span<UInt8>) { _ = skipAll(value) { $0 == 0x20 } }

    /// A list (§4.2.1) or a dictionary (§4.2.2).
    fileprivate mutating func readMembers(_ value: Span<UInt8>, named: Bool) -> Bool {
        guard index < value.count else { return true }
        while true {
            if named {
                guard readKey(value) else { return false }
                guard skip(UInt8(ascii: "="), value) ? readMember(value) : readParameters(value) else {
                    return false
                }
            } else {
                guard readMember(value) else { return false }
            }
            skipBlanks(value)
            guard index < value.count else { return true }
            guard skip(UInt8(ascii: ","), value) else { return false }
            skipBlanks(value)
            guard index < value.count else { return false }
        }
    }

    /// An item or an inner list (§4.2.1.1, §4.2.1.2).
    private mutating func readMember(_ value: Span<UInt8>) -> Bool {
        guard skip(UInt8(ascii: "("), value) else { return readItem(value) }
        while true {
            skipSpaces(value)
            if skip(UInt8(ascii: ")"), value) { return readParameters(value) }
            guard readItem(value), next(value) == 0x20 || next(value) == UInt8(ascii: ")") else { return false }
        }
    }

    /// A bare item with its parameters (§4.2.3).
    fileprivate mutating func readItem(_ value: Span<UInt8>) -> Bool { readBareItem(value) && readParameters(value) }

    /// Parameters (§4.2.3.2), which may be none.
    private mutating func readParameters(_ value: Span<UInt8>) -> Bool {
        while skip(UInt8(ascii: ";"), value) {
            skipSpaces(value)
            guard readKey(value), !skip(UInt8(ascii: "="), value) || readBareItem(value) else { return false }
        }
        return true
    }

    /// A key (§4.2.3.3).
    private mutating func readKey(_ value: Span<UInt8>) -> Bool {
        guard let first = next(value), first == UInt8(ascii: "*") || first.isLowerCaseLetter else { return false }
        return skipAll(value) {
            $0.isLowerCaseLetter || $0.isASCIIDigit || "_-.*".utf8.contains($0)
        } > 0
    }

    private mutating func readBareItem(_ value: Span<UInt8>) -> Bool {
        guard let first = next(value) else { return false }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return readNumber(value, isDate: false)
        case UInt8(ascii: "\""): return readString(value)
        case UInt8(ascii: ":"): return readByteSequence(value)
        case UInt8(ascii: "?"):
            index += 1
            return skip(UInt8(ascii: "0"), value) || skip(UInt8(ascii: "1"), value)
        case UInt8(ascii: "@"):
            index += 1
            return readNumber(value, isDate: true)
        case UInt8(ascii: "%"): return readDisplayString(value)
        default:
            guard first == UInt8(ascii: "*") || first.isASCIILetter else { return false }
            return skipAll(value) { $0.isTokenByte || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") } > 0
        }
    }

    /// An integer of up to 15 digits, or a decimal of up to 12 and 3 (§4.2.4); a date is an integer (§4.2.9).
    private mutating func readNumber(_ value: Span<UInt8>, isDate: Bool) -> Bool {
        _ = skip(UInt8(ascii: "-"), value)
        let digits = skipAll(value, where: \.isASCIIDigit)
        guard !isDate, skip(UInt8(ascii: "."), value) else { return 1...15 ~= digits }
        return 1...12 ~= digits && 1...3 ~= skipAll(value, where: \.isASCIIDigit)
    }

    private mutating func readString(_ value: Span<UInt8>) -> Bool {
        index += 1
        while let byte = next(value) {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard skip(UInt8(ascii: "\""), value) || skip(UInt8(ascii: "\\"), value) else { return false }
            case 0x20...0x7E: continue
            default: return false
            }
        }
        return false
    }

    /// Base64 between colons (§4.2.7); padding may be left out.
    private mutating func readByteSequence(_ value: Span<UInt8>) -> Bool {
        index += 1
        let count = skipAll(value) { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2B || $0 == 0x2F }
        let padding = skipAll(value) { $0 == UInt8(ascii: "=") }
        return count % 4 != 1 && padding <= 2 && skip(UInt8(ascii: ":"), value)
    }

    /// Percent-escapes have small letters (§4.2.10).
    private mutating func readDisplayString(_ value: Span<UInt8>) -> Bool {
        index += 1
        guard skip(UInt8(ascii: "\""), value) else { return false }
        while let byte = next(value) {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "%"):
                for _ in 0..<2 {
                    guard let digit = next(value), "0123456789abcdef".utf8.contains(digit) else { return false }
                    index += 1
                }
            case 0x20...0x7E: continue
            default: return false
            }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isLowerCaseLetter: Bool { isASCIILetter && self & 0x20 != 0 }
}

extension StructuredField {
    /// The type of a field of requests; nil for every other name.
    init?(ofRequestField name: Span<UInt8>) {
        switch name.count {
        // RFC 9218 §4, RFC 9421 §4, RFC 9530, RFC 9842 §2, RFC 9297 §3.4.
        case 8 where name.equalsIgnoringCase("priority"): self = .dictionary
        case 9 where name.equalsIgnoringCase("signature"): self = .dictionary
        case 11 where name.equalsIgnoringCase("repr-digest"): self = .dictionary
        case 13 where name.equalsIgnoringCase("dictionary-id"): self = .item
        case 14 where name.equalsIgnoringCase("content-digest"): self = .dictionary
        case 15 where name.equalsIgnoringCase("signature-input"): self = .dictionary
        case 16 where name.equalsIgnoringCase("accept-signature"): self = .dictionary
        case 16 where name.equalsIgnoringCase("want-repr-digest"): self = .dictionary
        case 16 where name.equalsIgnoringCase("capsule-protocol"): self = .item
        case 19 where name.equalsIgnoringCase("want-content-digest"): self = .dictionary
        case 20 where name.equalsIgnoringCase("available-dictionary"): self = .item
        default: return nil
        }
    }
}
