internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Facts about this machine and the current time for the header of an exam.
enum SystemFacts {
    /// The operating system and the processor: `Linux x86_64`.
    static var name: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "unknown" }
        return "\(text(of: names.sysname)) \(text(of: names.machine))"
    }

    /// The text of a field of `utsname`, a tuple of characters that ends with a zero.
    private static func text<Field>(of field: Field) -> String {
        unsafe withUnsafeBytes(of: field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// The current time in UTC: `2026-11-22T11:20:06Z`.
    static var date: String {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return date(ofSeconds: Int(now.tv_sec))
    }

    /// A time in UTC, from seconds since 1970.
    static func date(ofSeconds seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (days, second) = (seconds / 86_400, seconds % 86_400)
        // Years are counted from March, in eras of 400 years, so that a leap day is at the end of its year.
        let shifted = days + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = era * 400 + yearOfEra + (month < 10 ? 0 : 1)
        let time = "\(two(second / 3_600)):\(two(second % 3_600 / 60)):\(two(second % 60))"
        return "\(year)-\(two(month < 10 ? month + 3 : month - 9))-\(two(day))T\(time)Z"
    }
}
