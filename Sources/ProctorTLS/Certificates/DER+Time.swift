extension DER {
    /// Seconds of a day; all dates of certificates are whole days.
    static let day: Int64 = 86_400

    /// UTCTime up to 2049, GeneralizedTime from then on (RFC 5280 §4.1.2.5).
    static func time(_ seconds: Int64) -> [UInt8] {
        let text = digits(seconds)
        return text.count == 14 && text.prefix(4) >= "1950" && text.prefix(4) < "2050"
            ? element(0x17, Array((text.dropFirst(2) + "Z").utf8)) : generalizedTime(seconds)
    }

    /// With four digits of the year, whatever it is (RFC 6960 §4.2.2.1).
    static func generalizedTime(_ seconds: Int64) -> [UInt8] { element(0x18, Array((digits(seconds) + "Z").utf8)) }

    /// `YYYYMMDDhhmmss` of seconds since 1970, UTC.
    private static func digits(_ seconds: Int64) -> String {
        let day = seconds >= 0 ? seconds / Self.day : (seconds - Self.day + 1) / Self.day
        let second = seconds - day * Self.day
        // Days are counted from 1 March of year 0, so that a leap day is the last one of its year.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let parts = [
            month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, second / 3_600, second / 60 % 60, second % 60,
        ]
        return padded(year, 4) + parts.map { padded($0, 2) }.joined()
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
