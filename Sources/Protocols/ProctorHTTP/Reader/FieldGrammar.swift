import ProctorBase

/// A grammar of field values that RFC 9110 defines.
///
/// Nothing is kept of a value, and nothing is allocated but for dates. Several lines of a list are checked one by one.
package enum FieldGrammar: String, Sendable {
    /// `*`, or a list of entity tags (§13.1.1).
    case entityTags = "entity-tags"
    /// A strong entity tag, or a date (§13.1.5).
    case strongTagOrDate = "strong-tag-or-date"
    /// An IMF-fixdate, which is all that a sender may write (§5.6.7).
    case date
    case ranges
    case contentRange = "content-range"
    /// Products with their versions, and comments (§10.1.5).
    case products
    case mediaType = "media-type"
    case mediaRanges = "media-ranges"
    /// Tokens with parameters, of which a weight is one (§10.1.4, §12.5.2).
    case weightedTokens = "weighted-tokens"
    case languageRanges = "language-ranges"
    case languages
    case tokens
    /// Names of protocols, each with a version where it has one (§7.8).
    case protocols
    case routes
    /// Names with values or without (RFC 9111 §5.2).
    case directives
    /// A URI or a reference, without fragment and without userinfo (§4.2.4, §10.1.3).
    case reference
    case mailbox
    case number

    /// How far a value matches a grammar.
    package enum Reading: String, Sendable {
        case whole, malformed
        /// A list whose elements are right, but for empty ones (§5.6.1).
        case emptyElement = "empty-element"
    }

    package func reading(of value: Span<UInt8>) -> Reading {
        var cursor = ValueCursor()
        let isRead: Bool
        switch self {
        case .entityTags:
            if value.count == 1, value[0] == UInt8(ascii: "*") { return .whole }
            return cursor.readList(value) { $0.skipEntityTag($1) }
        case .mediaRanges: return cursor.readList(value) { $0.skipMediaType($1) }
        case .weightedTokens: return cursor.readList(value) { $0.skipToken($1) && $0.skipParameters($1) }
        case .languageRanges: return cursor.readList(value) { $0.skipLanguage($1) && $0.skipParameters($1) }
        case .languages: return cursor.readList(value) { $0.skipLanguage($1) }
        case .tokens: return cursor.readList(value) { $0.skipToken($1) }
        case .protocols: return cursor.readList(value) { $0.skipProduct($1) }
        case .routes: return cursor.readList(value) { $0.skipRoute($1) }
        case .directives: return cursor.readList(value) { $0.skipDirective($1) }
        case .ranges: return cursor.readRanges(value)
        case .date: return HTTPDate.isWritten(value) ? .whole : .malformed
        case .reference: return URIReference.isFieldValue(value) ? .whole : .malformed
        case .strongTagOrDate:
            if HTTPDate.isWritten(value) { return .whole }
            isRead = value.count > 0 && value[0] == UInt8(ascii: "\"") && cursor.skipEntityTag(value)
        case .contentRange: isRead = cursor.skipContentRange(value)
        case .products: isRead = cursor.skipProducts(value)
        case .mediaType: isRead = cursor.skipMediaType(value)
        case .mailbox: isRead = cursor.skipMailbox(value)
        case .number: isRead = cursor.skipNumber(value)
        }
        return isRead && cursor.index == value.count ? .whole : .malformed
    }
}

extension ValueCursor {
    /// A list, which may be empty as a whole (RFC 9110 §5.6.1).
    fileprivate mutating func readList(
        _ value: Span<UInt8>, of skipElement: (inout ValueCursor, Span<UInt8>) -> Bool
    ) -> FieldGrammar.Reading {
        var hasEmptyElement = false
        guard value.count > 0 else { return .whole }
        while true {
            skipBlanks(value)
            if next(value) == nil || next(value) == UInt8(ascii: ",") {
                hasEmptyElement = true
            } else {
                guard skipElement(&self, value) else { return .malformed }
                skipBlanks(value)
            }
            guard index < value.count else { return hasEmptyElement ? .emptyElement : .whole }
            guard skip(UInt8(ascii: ","), value) else { return .malformed }
        }
    }

    /// `;name=value`, any number of times; an empty one is permitted (RFC 9110 §5.6.6), and `q` is a weight (§12.4.2).
    fileprivate mutating func skipParameters(_ value: Span<UInt8>) -> Bool {
        while true {
            let start = index
            skipBlanks(value)
            guard skip(UInt8(ascii: ";"), value) else {
                index = start
                return true
            }
            skipBlanks(value)
            let name = index
            guard skipToken(value) else { continue }
            let isWeight = index == name + 1 && value[name] | 0x20 == UInt8(ascii: "q")
            guard skip(UInt8(ascii: "="), value),
                isWeight ? skipWeight(value) : skipToken(value) || skipQuotedString(value)
            else { return false }
        }
    }

    /// 0 to 1 with at most three digits behind the point (RFC 9110 §12.4.2).
    private mutating func skipWeight(_ value: Span<UInt8>) -> Bool {
        let isOne = skip(UInt8(ascii: "1"), value)
        guard isOne || skip(UInt8(ascii: "0"), value) else { return false }
        guard skip(UInt8(ascii: "."), value) else { return true }
        return skipAll(value) { isOne ? $0 == UInt8(ascii: "0") : $0.isASCIIDigit } <= 3
    }

    /// `type/subtype` with its parameters, either of which is `*` in a range (RFC 9110 §8.3.1, §12.5.1).
    fileprivate mutating func skipMediaType(_ value: Span<UInt8>) -> Bool {
        skipToken(value) && skipSlashToken(value) && skipParameters(value)
    }

    /// The second half of `type/subtype` or `name/version`.
    private mutating func skipSlashToken(_ value: Span<UInt8>) -> Bool {
        skip(UInt8(ascii: "/"), value) && skipToken(value)
    }

    /// `[W/]"…"` (RFC 9110 §8.8.3).
    fileprivate mutating func skipEntityTag(_ value: Span<UInt8>) -> Bool {
        if skip(UInt8(ascii: "W"), value), !skip(UInt8(ascii: "/"), value) { return false }
        guard skip(UInt8(ascii: "\""), value) else { return false }
        _ = skipAll(value, where: \.isEntityTagByte)
        return skip(UInt8(ascii: "\""), value)
    }

    /// `en-GB`, or `*` of a range (RFC 4647 §2.1, RFC 5646 §2.1).
    fileprivate mutating func skipLanguage(_ value: Span<UInt8>) -> Bool {
        if skip(UInt8(ascii: "*"), value) { return true }
        guard 1...8 ~= skipAll(value, where: \.isASCIILetter) else { return false }
        while skip(UInt8(ascii: "-"), value) {
            guard 1...8 ~= skipAll(value, where: { $0.isASCIILetter || $0.isASCIIDigit }) else { return false }
        }
        return true
    }

    /// `name` or `name="value"`.
    fileprivate mutating func skipDirective(_ value: Span<UInt8>) -> Bool {
        guard skipToken(value) else { return false }
        return !skip(UInt8(ascii: "="), value) || skipToken(value) || skipQuotedString(value)
    }

    /// `name` or `name/version` (RFC 9110 §10.1.5, §7.8).
    fileprivate mutating func skipProduct(_ value: Span<UInt8>) -> Bool {
        skipToken(value) && (next(value) != UInt8(ascii: "/") || skipSlashToken(value))
    }

    fileprivate mutating func skipProducts(_ value: Span<UInt8>) -> Bool {
        guard skipProduct(value) else { return false }
        while skipAll(value, where: \.isBlank) > 0 {
            guard next(value) == UInt8(ascii: "(") ? skipComment(value) : skipProduct(value) else { return false }
        }
        return true
    }

    /// A comment with those inside of it (RFC 9110 §5.6.5).
    private mutating func skipComment(_ value: Span<UInt8>) -> Bool {
        var depth = 0
        while let byte = next(value) {
            index += 1
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return true }
            case UInt8(ascii: "\\"):
                guard let escaped = next(value), !escaped.isControl || escaped == .tab else { return false }
                index += 1
            case .tab, 0x20...0x7E, 0x80...: continue
            default: return false
            }
        }
        return false
    }

    /// `1.1 host:80 (comment)` (RFC 9110 §7.6.3).
    fileprivate mutating func skipRoute(_ value: Span<UInt8>) -> Bool {
        guard skipProduct(value), skipAll(value, where: \.isBlank) > 0,
            skipAll(value, where: { $0.isTokenByte || ":[]".utf8.contains($0) }) > 0
        else { return false }
        let end = index
        if skipAll(value, where: \.isBlank) > 0, next(value) == UInt8(ascii: "(") { return skipComment(value) }
        index = end
        return true
    }

    /// `bytes=0-4, 8-`; ranges of other units are any text between commas (RFC 9110 §14.1.1).
    fileprivate mutating func readRanges(_ value: Span<UInt8>) -> FieldGrammar.Reading {
        guard skipToken(value) else { return .malformed }
        let isOfBytes = value.extracting(0..<index).equalsIgnoringCase("bytes")
        guard skip(UInt8(ascii: "="), value), index < value.count, !value[index].isBlank else { return .malformed }
        return readList(value) { cursor, value in
            isOfBytes
                ? cursor.skipRange(value) : cursor.skipAll(value) { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") } > 0
        }
    }

    /// `0-4`, `8-` or `-3`; a last position before the first is invalid (RFC 9110 §14.1.1).
    private mutating func skipRange(_ value: Span<UInt8>) -> Bool {
        let first = index
        let hasFirst = skipNumber(value), dash = index
        guard skip(UInt8(ascii: "-"), value) else { return false }
        guard skipNumber(value) else { return hasFirst }
        return !hasFirst || Self.isAscending(value.extracting(first..<dash), value.extracting(dash + 1..<index))
    }

    /// Whether a number of any length is not after another one.
    private static func isAscending(_ first: Span<UInt8>, _ last: Span<UInt8>) -> Bool {
        var (one, other) = (0, 0)
        while one < first.count, first[one] == UInt8(ascii: "0") { one += 1 }
        while other < last.count, last[other] == UInt8(ascii: "0") { other += 1 }
        guard first.count - one == last.count - other else { return first.count - one < last.count - other }
        while one < first.count {
            if first[one] != last[other] { return first[one] < last[other] }
            (one, other) = (one + 1, other + 1)
        }
        return true
    }

    /// `bytes 0-4/10`, with `*` for an unknown length or for no range (RFC 9110 §14.4).
    fileprivate mutating func skipContentRange(_ value: Span<UInt8>) -> Bool {
        guard skipToken(value), skip(.space, value) else { return false }
        if skip(UInt8(ascii: "*"), value) { return skip(UInt8(ascii: "/"), value) && skipNumber(value) }
        let first = index
        guard skipNumber(value), case let dash = index, skip(UInt8(ascii: "-"), value), skipNumber(value),
            Self.isAscending(value.extracting(first..<dash), value.extracting(dash + 1..<index)),
            skip(UInt8(ascii: "/"), value)
        else { return false }
        return skip(UInt8(ascii: "*"), value) || skipNumber(value)
    }

    /// `name@host`, or a phrase and the same in angle brackets (RFC 5322 §3.4).
    fileprivate mutating func skipMailbox(_ value: Span<UInt8>) -> Bool {
        if skipAddress(value) { return true }
        index = 0
        while next(value) != UInt8(ascii: "<") {
            guard skipQuotedString(value) || skipAll(value, where: { $0.isAtomByte || $0.isBlank }) > 0 else {
                return false
            }
        }
        return skip(UInt8(ascii: "<"), value) && skipAddress(value) && skip(UInt8(ascii: ">"), value)
    }

    private mutating func skipAddress(_ value: Span<UInt8>) -> Bool {
        guard skipQuotedString(value) || skipAll(value, where: \.isAtomByte) > 0, skip(UInt8(ascii: "@"), value) else {
            return false
        }
        guard skip(UInt8(ascii: "["), value) else { return skipAll(value, where: \.isAtomByte) > 0 }
        return skipAll(value) { 0x21...0x5A ~= $0 || 0x5E...0x7E ~= $0 } > 0 && skip(UInt8(ascii: "]"), value)
    }
}

extension UInt8 {
    /// `etagc` (RFC 9110 §8.8.3).
    var isEntityTagByte: Bool { self == 0x21 || 0x23...0x7E ~= self || self >= 0x80 }

    /// `atext` or a point (RFC 5322 §3.2.3).
    fileprivate var isAtomByte: Bool {
        isASCIILetter || isASCIIDigit || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(self)
    }
}

extension HTTPDate {
    /// Whether a sender may write it so: an IMF-fixdate, while the other forms of §5.6.7 have other lengths.
    fileprivate static func isWritten(_ value: Span<UInt8>) -> Bool {
        value.count == 29 && (try? unixSeconds(of: value.array, now: 0)) != nil
    }
}

extension URIReference {
    /// Whether a field may hold the reference: legal bytes, no fragment (RFC 9110 §8.7, §10.1.3), no userinfo (§4.2.4).
    fileprivate static func isFieldValue(_ value: Span<UInt8>) -> Bool {
        let ranges = split(value)
        guard ranges.fragment == nil, ranges.userinfo == nil else { return false }
        var index = 0
        while index < value.count {
            let byte = value[index]
            if byte == UInt8(ascii: "%") {
                guard HostSyntax.isEscape(value, at: index) else { return false }
            } else if !byte.isPathOrQueryByte, !"[]".utf8.contains(byte) {
                return false
            }
            index += 1
        }
        return true
    }
}
