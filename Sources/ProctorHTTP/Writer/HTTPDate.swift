/// Dates as HTTP writes them (RFC 9110 §5.6.7).
public enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`: always 29 bytes; seconds outside the years 0000–9999 are clamped to them.
    public static func imfFixdate(unixSeconds: Int) -> [UInt8] {
        let seconds = min(max(unixSeconds, firstSecond), lastSecond)
        let (days, secondOfDay) = floorDivide(seconds, by: 86_400)
        let (year, month, day) = civilDate(daysSinceEpoch: days)

        var date: [UInt8] = []
        date.reserveCapacity(29)
        // 1 January 1970 was a Thursday.
        date.append(contentsOf: dayNames[floorDivide(days + 4, by: 7).remainder].utf8)
        date.append(contentsOf: ", ".utf8)
        append(day, width: 2, to: &date)
        date.append(.space)
        date.append(contentsOf: monthNames[month - 1].utf8)
        date.append(.space)
        append(year, width: 4, to: &date)
        date.append(.space)
        append(secondOfDay / 3600, width: 2, to: &date)
        date.append(UInt8(ascii: ":"))
        append(secondOfDay / 60 % 60, width: 2, to: &date)
        date.append(UInt8(ascii: ":"))
        append(secondOfDay % 60, width: 2, to: &date)
        date.append(contentsOf: " GMT".utf8)
        return date
    }

    private static let firstSecond = -62_167_219_200
    private static let lastSecond = 253_402_300_799
    private static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Year, month and day in the proleptic Gregorian calendar.
    ///
    /// Years are counted from 1 March, so that the leap day is the last day of its year, and in
    /// eras of 400 years, which all have 146,097 days.
    private static func civilDate(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func append(_ number: Int, width: Int, to date: inout [UInt8]) {
        var divisor = width == 4 ? 1000 : 10
        while divisor > 0 {
            date.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
