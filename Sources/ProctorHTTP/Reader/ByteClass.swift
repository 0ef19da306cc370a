import ProctorBase

/// The character classes of RFC 9110 §5.6.2 and RFC 3986 §2; each switch compiles to a bit test.
extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// `tchar`: what methods, field names and most protocol words are made of.
    var isTokenByte: Bool {
        switch self {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// `bchars`: what the boundary of a multipart body may hold, a space not at its end (RFC 2046 §5.1.1).
    package var isBoundaryByte: Bool { isASCIILetter || isASCIIDigit || "'()+_,-./:=? ".utf8.contains(self) }

    /// SP or HTAB, the only whitespace of a well-formed message.
    var isBlank: Bool { self == .space || self == .tab }

    /// The whitespace that RFC 9112 §3 and §4 let a lenient reader split a start line at, bare CR left out.
    var isStartLineBlank: Bool { isBlank || self == 0x0B || self == 0x0C }

    /// CTL: 0x00–0x1F and 0x7F.
    var isControl: Bool { self < 0x20 || self == 0x7F }

    var isUnreserved: Bool {
        switch self {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    var isSubDelimiter: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// `pchar` without percent-escapes.
    var isPathByte: Bool {
        isUnreserved || isSubDelimiter || self == UInt8(ascii: ":") || self == UInt8(ascii: "@")
    }

    /// What a path with its slashes and a query may hold, percent-escapes left out.
    var isPathOrQueryByte: Bool { isPathByte || self == UInt8(ascii: "/") || self == UInt8(ascii: "?") }
}

/// Numbers of fields: digits alone, since what reads text as a number takes signs and spaces too.
extension Collection<UInt8> {
    /// Nil unless all of it is digits, at least one; what `Int` can't hold becomes its greatest number.
    var saturatedNumber: Int? {
        guard !isEmpty else { return nil }
        var number = 0
        for byte in self {
            guard byte.isASCIIDigit else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = tens.addingReportingOverflow(Int(byte & 0x0F))
            // Once there, it stays there: ten times the greatest number is too large again.
            number = isTooLarge || isOver ? .max : sum
        }
        return number
    }
}
