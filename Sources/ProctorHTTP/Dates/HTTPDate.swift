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
