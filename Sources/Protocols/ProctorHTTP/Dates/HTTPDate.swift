import ProctorBase

/// Dates as HTTP writes them (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`: always 29 bytes; clamped to the years 0000–9999.
    package static func imfFixdate(unixSeconds: Int) -> [UInt8] {
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
    /// Reads the three forms that a recipient must accept, with exact case and spaces.
    ///
    /// The two digits of an RFC 850 year mean the latest such year at most 50 years after `now`. A wrong weekday is
    /// refused, except in that form, where the century may be wrong. Both times are in Unix seconds.
    package static func unixSeconds(of value: [UInt8], now: Int) throws(FieldViolation) -> Int {
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

    /// The grammar of a date, decided by what follows the weekday.
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

        /// nil if a byte does not match the grammar.
        func parts(_ cursor: inout DateCursor) -> DateParts? {
            switch self {
            case .imfFixdate, .rfc850:
                let hasCentury = self == .imfFixdate
                let mark = hasCentury ? " " : "-"
                guard let weekday = cursor.name(of: hasCentury ? dayNames : longDayNames), cursor.consume(", "),
                    let day = cursor.number(2), cursor.consume(mark), let month = cursor.name(of: monthNames),
                    cursor.consume(mark), let year = cursor.number(hasCentury ? 4 : 2), cursor.consume(" "),
                    let clock = cursor.clock(), cursor.consume(" GMT")
                else { return nil }
                return DateParts(
                    weekday: weekday, year: year, hasCentury: hasCentury, month: month + 1, day: day, clock: clock)
            case .asctime:
                guard let weekday = cursor.name(of: dayNames), cursor.consume(" "),
                    let month = cursor.name(of: monthNames), cursor.consume(" "),
                    let day = cursor.consume(" ") ? cursor.number(1) : cursor.number(2), cursor.consume(" "),
                    let clock = cursor.clock(), cursor.consume(" "), let year = cursor.number(4)
                else { return nil }
                return DateParts(
                    weekday: weekday, year: year, hasCentury: true, month: month + 1, day: day, clock: clock)
            }
        }
    }
}

/// Dates of a message.
extension [HTTPField] {
    /// In Unix seconds; nil if the field is missing, repeated or unreadable.
    package func date(of name: String, now: Int) -> Int? {
        guard let value = try? singleValue(of: name) else { return nil }
        return try? HTTPDate.unixSeconds(of: value, now: now)
    }

    /// The date in Unix seconds, read without regard to case; nil if the field is missing, repeated or unreadable.
    ///
    /// The calculations of a cache match a date so (RFC 9111 §4.2).
    package func dateInAnyCase(of name: String, now: Int) -> Int? {
        guard let value = try? singleValue(of: name) else { return nil }
        return try? HTTPDate.unixSeconds(of: HTTPDate.inUsualCase(value), now: now)
    }
}

extension HTTPDate {
    /// The date with its words as they are usually written: `sun, 06 NOV 1994 08:49:37 gmt` with `Sun`, `Nov` and `GMT`.
    fileprivate static func inUsualCase(_ value: [UInt8]) -> [UInt8] {
        var written = value.map(\.asciiLowercased)
        let zone = written.suffix(3).elementsEqual("gmt".utf8) ? written.count - 3 : written.count
        for index in written.indices where written[index].isASCIILetter {
            if index >= zone || index == 0 || !written[index - 1].isASCIILetter { written[index] &= ~0x20 }
        }
        return written
    }
}

/// The numbers of a date, not yet checked.
struct DateParts {
    let weekday: Int
    let year: Int
    /// The year has four digits.
    let hasCentury: Bool
    let month: Int
    let day: Int
    let clock: (hour: Int, minute: Int, second: Int)

    func time(in year: Int) -> CivilTime? {
        CivilTime(year: year, month: month, day: day, hour: clock.hour, minute: clock.minute, second: clock.second)
    }

    /// The latest year with these two digits at most 50 years after `now` (RFC 9110 §5.6.7).
    ///
    /// For 29 February only leap years count: 2100 is none.
    func latest(notBeyond now: Int) -> CivilTime? {
        var limit = CivilTime(unixSeconds: now)
        limit.year += 50
        let century = limit.year / 100 * 100
        for candidate in [century, century - 100, century - 200] {
            guard let time = time(in: candidate + year) else { continue }
            if time.order <= limit.order { return time }
        }
        return nil
    }
}

extension CivilTime {
    /// Sorts as the dates do, also for a 29 February 50 years later.
    fileprivate var order: Int {
        ((((year * 12 + month) * 31 + day) * 24 + hour) * 60 + minute) * 61 + second
    }
}

/// Reads a date; a failed read leaves the date invalid.
struct DateCursor {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func consume(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    mutating func name(of names: [String]) -> Int? {
        for (number, name) in names.enumerated() where consume(name) { return number }
        return nil
    }

    /// Reads exactly this many digits, at most four.
    mutating func number(_ digitCount: Int) -> Int? {
        guard bytes.count - index >= digitCount, let number = bytes[index..<index + digitCount].saturatedNumber else {
            return nil
        }
        index += digitCount
        return number
    }

    mutating func clock() -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = number(2), consume(":"), let minute = number(2), consume(":"), let second = number(2) else {
            return nil
        }
        return (hour, minute, second)
    }
}
