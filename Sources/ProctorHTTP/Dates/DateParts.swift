import ProctorBase

/// The numbers of a date, before it is known whether there is such a moment.
struct DateParts {
    /// 0 is Sunday.
    let weekday: Int
    let year: Int
    /// The year has four digits.
    let hasCentury: Bool
    let month: Int
    let day: Int
    let clock: (hour: Int, minute: Int, second: Int)

    func time(in year: Int) -> CivilTime? {
        CivilTime(
            year: year, month: month, day: day, hour: clock.hour, minute: clock.minute, second: clock.second)
    }

    /// In the latest year with these two digits that is no more than 50 years behind `now` (RFC 9110 §5.6.7).
    ///
    /// A 29 February is looked for in the centuries that have one: the year 2100 has none, and 2000 has.
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
    /// Compares as the moments do, also for a 29 February 50 years on.
    fileprivate var order: Int {
        ((((year * 12 + month) * 31 + day) * 24 + hour) * 60 + minute) * 61 + second
    }
}

/// Walks a date; what can't be taken leaves a date that is none.
struct DateCursor {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func take(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    /// The index of the name that stands here.
    mutating func name(of names: [String]) -> Int? {
        for (number, name) in names.enumerated() where take(name) { return number }
        return nil
    }

    /// Exactly so many digits; at most four.
    mutating func number(_ digitCount: Int) -> Int? {
        guard bytes.count - index >= digitCount, let number = bytes[index..<index + digitCount].saturatedNumber else {
            return nil
        }
        index += digitCount
        return number
    }

    /// A time of day like `08:49:37`.
    mutating func clock() -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2) else {
            return nil
        }
        return (hour, minute, second)
    }
}
