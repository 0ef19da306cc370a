/// A moment in UTC by the proleptic Gregorian calendar.
struct CivilTime: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour = 0
    var minute = 0
    /// 0–60; 60 is a leap second and equals the next second.
    var second = 0

    /// Clamps seconds outside the years 0–9999.
    init(unixSeconds: Int) {
        let seconds = min(max(unixSeconds, Self.firstSecond), Self.lastSecond)
        let (days, secondOfDay) = Self.floorDivide(seconds, by: 86_400)
        (year, month, day) = Self.date(daysSinceEpoch: days)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// nil for an impossible date or time, and outside the years 0–9999.
    init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.dayCount(month, of: year),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        (self.year, self.month, self.day, self.hour, self.minute) = (year, month, day, hour, minute)
        self.second = second
    }

    var unixSeconds: Int { daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second }

    /// 0 is Sunday.
    var weekday: Int {
        // 1 January 1970 was a Thursday.
        Self.floorDivide(daysSinceEpoch + 4, by: 7).remainder
    }

    private static let firstSecond = -62_167_219_200
    private static let lastSecond = 253_402_300_799

    private static func dayCount(_ month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Counts years from 1 March, so that a leap day is the last day of its year, in eras of 400 years of 146,097 days.
    private static func date(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private var daysSinceEpoch: Int {
        let (era, yearOfEra) = Self.floorDivide(month <= 2 ? year - 1 : year, by: 400)
        let monthFromMarch = month <= 2 ? month + 9 : month - 3
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
