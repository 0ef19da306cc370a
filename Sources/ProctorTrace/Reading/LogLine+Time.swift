import ProctorBase

/// Time stamps at the beginning of a line.
extension LogLine {
    /// Milliseconds since 1970, or since midnight where there is no date; nil where there is no time.
    ///
    /// Takes `2026-11-20 10:00:00.123+0100`, with `T` and `Z` as well, and `10:00:00.123`, also in brackets.
    var time: Double? {
        var index = byte(at: 0) == UInt8(ascii: "[") ? 1 : 0
        var days = 0
        if let year = digits(4, at: index), byte(at: index + 4) == UInt8(ascii: "-"),
            let month = digits(2, at: index + 5), 1...12 ~= month, byte(at: index + 7) == UInt8(ascii: "-"),
            let day = digits(2, at: index + 8), 1...31 ~= day
        {
            let separator = byte(at: index + 10)
            guard separator == 0x20 || separator == UInt8(ascii: "T") else { return nil }
            days = Self.days(year, month, day)
            index += 11
        }
        guard let hour = digits(2, at: index), byte(at: index + 2) == UInt8(ascii: ":"),
            let minute = digits(2, at: index + 3), byte(at: index + 5) == UInt8(ascii: ":"),
            let second = digits(2, at: index + 6), hour < 24, minute < 60, second < 61
        else { return nil }
        index += 8
        var milliseconds = Double((days * 86_400 + hour * 3_600 + minute * 60 + second) * 1_000)
        if byte(at: index) == UInt8(ascii: ".") || byte(at: index) == UInt8(ascii: ",") {
            index += 1
            var unit = 100.0
            while byte(at: index).isASCIIDigit {
                milliseconds += Double(byte(at: index) - 0x30) * unit
                unit /= 10
                index += 1
            }
        }
        return milliseconds - Double(zone(at: index) * 60_000)
    }

    /// Minutes east of Greenwich; 0 where nothing is said.
    private func zone(at index: Int) -> Int {
        let sign = byte(at: index)
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = digits(2, at: index + 1) else {
            return 0
        }
        let hasColon = byte(at: index + 3) == UInt8(ascii: ":")
        let minutes = hours * 60 + (digits(2, at: index + (hasColon ? 4 : 3)) ?? 0)
        return sign == UInt8(ascii: "-") ? -minutes : minutes
    }

    /// Exactly so many digits.
    private func digits(_ count: Int, at index: Int) -> Int? {
        var value = 0
        for offset in 0..<count {
            let byte = byte(at: index + offset)
            guard byte.isASCIIDigit else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    /// Days from 1970-01-01 in the Gregorian calendar, counting years from March so that a leap day comes last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
