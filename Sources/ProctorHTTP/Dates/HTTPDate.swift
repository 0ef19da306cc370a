/// Dates as HTTP writes them (RFC 9110 §5.6.7).
public enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`: always 29 bytes; seconds outside the years 0000–9999 are clamped to them.
    public static func imfFixdate(unixSeconds: Int) -> [UInt8] {
        let time = CivilTime(unixSeconds: unixSeconds)
        var date: [UInt8] = []
        date.reserveCapacity(29)
        date.append(contentsOf: dayNames[time.weekday].utf8)
        date.append(contentsOf: ", ".utf8)
        append(time.day, width: 2, to: &date)
        date.append(.space)
        date.append(contentsOf: monthNames[time.month - 1].utf8)
        date.append(.space)
        append(time.year, width: 4, to: &date)
        date.append(.space)
        append(time.hour, width: 2, to: &date)
        date.append(UInt8(ascii: ":"))
        append(time.minute, width: 2, to: &date)
        date.append(UInt8(ascii: ":"))
        append(time.second, width: 2, to: &date)
        date.append(contentsOf: " GMT".utf8)
        return date
    }

    static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let longDayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func append(_ number: Int, width: Int, to date: inout [UInt8]) {
        var divisor = width == 4 ? 1000 : 10
        while divisor > 0 {
            date.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}

extension HTTPDate {
    /// Reads any of the three forms that a recipient must know, letter case and every space counted.
    ///
    /// The two digits of the year of an RFC 850 date mean the last such year that begins no more than 50 years behind
    /// `now`. A day of the week that contradicts its date is refused, but not in that form, where it may be the century
    /// that was guessed wrong. Both times are in Unix seconds.
    public static func unixSeconds(of value: [UInt8], now: Int) throws(FieldViolation) -> Int {
        guard let form = Form(value) else { throw FieldViolation(.badDate, at: 0, value) }
        var cursor = DateCursor(bytes: value)
        guard let parts = form.parts(&cursor), cursor.isAtEnd else {
            throw FieldViolation(.badDate, at: 0, value)
        }
        let time =
            parts.hasCentury ? parts.time(in: parts.year) : parts.latest(notBeyond: now)
        guard let time else { throw FieldViolation(.impossibleDate, at: 0, value) }
        if parts.hasCentury, time.weekday != parts.weekday {
            throw FieldViolation(.wrongWeekday, at: 0, value.prefix(3))
        }
        return time.unixSeconds
    }

    /// Which grammar a date follows, by what stands behind the name of its day.
    private enum Form {
        /// `Sun, 06 Nov 1994 08:49:37 GMT`
        case imfFixdate
        /// `Sunday, 06-Nov-94 08:49:37 GMT`
        case rfc850
        /// `Sun Nov  6 08:49:37 1994`
        case asctime

        init?(_ value: [UInt8]) {
            switch value.firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == .space }) {
            case 3?: self = value[3] == .space ? .asctime : .imfFixdate
            case (6...9)?: self = .rfc850
            default: return nil
            }
        }

        /// Nil where a byte is not as the grammar wants it.
        func parts(_ cursor: inout DateCursor) -> DateParts? {
            switch self {
            case .imfFixdate:
                guard let weekday = cursor.name(of: dayNames), cursor.take(", "), let day = cursor.number(2),
                    cursor.take(" "), let month = cursor.name(of: monthNames), cursor.take(" "),
                    let year = cursor.number(4), cursor.take(" "), let clock = cursor.clock(), cursor.take(" GMT")
                else { return nil }
                return DateParts(
                    weekday: weekday, year: year, hasCentury: true, month: month + 1, day: day, clock: clock)
            case .rfc850:
                guard let weekday = cursor.name(of: longDayNames), cursor.take(", "), let day = cursor.number(2),
                    cursor.take("-"), let month = cursor.name(of: monthNames), cursor.take("-"),
                    let year = cursor.number(2), cursor.take(" "), let clock = cursor.clock(), cursor.take(" GMT")
                else { return nil }
                return DateParts(
                    weekday: weekday, year: year, hasCentury: false, month: month + 1, day: day, clock: clock)
            case .asctime:
                guard let weekday = cursor.name(of: dayNames), cursor.take(" "),
                    let month = cursor.name(of: monthNames), cursor.take(" "),
                    let day = cursor.take(" ") ? cursor.number(1) : cursor.number(2), cursor.take(" "),
                    let clock = cursor.clock(), cursor.take(" "), let year = cursor.number(4)
                else { return nil }
                return DateParts(
                    weekday: weekday, year: year, hasCentury: true, month: month + 1, day: day, clock: clock)
            }
        }
    }
}

/// Dates of a message.
extension [HTTPField] {
    /// The moment in Unix seconds; nil where the field is missing, comes more than once or holds no date.
    public func date(of name: String, now: Int) -> Int? {
        guard let value = try? singleValue(of: name) else { return nil }
        return try? HTTPDate.unixSeconds(of: value, now: now)
    }
}
