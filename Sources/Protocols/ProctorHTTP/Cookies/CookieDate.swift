import ProctorBase

/// Reads the date of an Expires attribute as leniently as RFC 6265 §5.1.1 requires.
///
/// Weekdays, time zones and other words are skipped, so every form of RFC 9110 §5.6.7 is read.
package enum CookieDate {
    /// nil without day, month, year and time, for an impossible date or time, and before 1601.
    ///
    /// Years of two digits mean 1970–2069; no leap seconds.
    package static func unixSeconds(_ text: [UInt8]) -> Int? {
        var finder = Finder()
        for token in text.split(whereSeparator: \.isCookieDateDelimiter) { finder.readToken(token) }
        return finder.unixSeconds
    }

    /// The parts found so far; each token is tried as time, day, month and year, in this order.
    private struct Finder {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?

        mutating func readToken(_ token: ArraySlice<UInt8>) {
            if time == nil, let value = Self.time(token) {
                time = value
            } else if day == nil, let value = Self.number(token, digits: 1...2) {
                day = value
            } else if month == nil, let value = Self.month(token) {
                month = value
            } else if year == nil, let value = Self.number(token, digits: 2...4) {
                year = value
            }
        }

        var unixSeconds: Int? {
            guard let time, let day, let month, var year, time.second <= 59 else { return nil }
            if (70...99).contains(year) { year += 1900 }
            if (0...69).contains(year) { year += 2000 }
            guard year >= 1601 else { return nil }
            return CivilTime(
                year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)?
                .unixSeconds
        }

        /// A number of so many digits at the start of the token, not followed by a digit; the rest is ignored.
        static func number(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
            let number = token.prefix { $0.isASCIIDigit }
            return digits.contains(number.count) ? number.saturatedNumber : nil
        }

        static func time(_ token: ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
            let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let hour = whole(fields[0]), let minute = whole(fields[1]),
                let second = number(fields[2], digits: 1...2)
            else { return nil }
            return (hour, minute, second)
        }

        private static func whole(_ field: ArraySlice<UInt8>) -> Int? {
            field.count <= 2 ? field.saturatedNumber : nil
        }

        static func month(_ token: ArraySlice<UInt8>) -> Int? {
            guard token.count >= 3 else { return nil }
            let start = token.prefix(3).cookieLowercased
            return HTTPDate.monthNames.firstIndex { $0.utf8.map(\.asciiLowercased) == start }.map { $0 + 1 }
        }
    }
}

extension UInt8 {
    /// Separates the tokens of a cookie-date.
    fileprivate var isCookieDateDelimiter: Bool {
        switch self {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
