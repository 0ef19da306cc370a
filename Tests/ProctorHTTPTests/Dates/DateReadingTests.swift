import Foundation
import ProctorHTTP
import ProctorTestSupport
import Testing

/// RFC 9110 §5.6.7.
struct DateReadingTests {
    /// 1 January 2026.
    static let now = 1_767_225_600

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `the three forms of the RFC are one moment`(_ value: String) throws {
        #expect(try HTTPDate.unixSeconds(of: bytes(value), now: Self.now) == 784_111_777)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Wed Nov 16 08:49:37 1994", 784_975_777),
        // A leap second is the moment of the second behind it.
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ])
    func `moments all over the calendar are read`(_ value: String, _ seconds: Int) throws {
        #expect(try HTTPDate.unixSeconds(of: bytes(value), now: Self.now) == seconds)
    }

    @Test func `what is written is read back, in every form`() throws {
        let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        var random = SeededGenerator(seed: 6)
        for _ in 0..<3_000 {
            let seconds = Int.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let written = HTTPDate.imfFixdate(unixSeconds: seconds)
            #expect(try HTTPDate.unixSeconds(of: written, now: Self.now) == seconds)
            let words = text(written).split(separator: " ").map(String.init)
            let day = words[1].hasPrefix("0") ? " \(words[1].dropFirst())" : words[1]
            let asctime = "\(words[0].dropLast()) \(words[2]) \(day) \(words[4]) \(words[3])"
            #expect(try HTTPDate.unixSeconds(of: bytes(asctime), now: Self.now) == seconds)
            let long = days.first { $0.hasPrefix(words[0].dropLast()) } ?? ""
            let rfc850 = "\(long), \(words[1])-\(words[2])-\(words[3].suffix(2)) \(words[4]) GMT"
            // Within 49 years of the moment its two digits are enough.
            let near = max(-62_000_000_000, seconds - 1_500_000_000 + Int(random.next() % 3_000_000_000))
            if near < 253_000_000_000 - 1_700_000_000 {
                #expect(try HTTPDate.unixSeconds(of: bytes(rfc850), now: near) == seconds, "\(rfc850) at \(near)")
            }
        }
    }

    @Test(arguments: [
        ("Monday, 01-Jan-76 00:00:00 GMT", 2076), ("Monday, 01-Jan-77 00:00:00 GMT", 1977),
        ("Monday, 02-Jan-76 00:00:00 GMT", 1976), ("Monday, 01-Jan-76 00:00:01 GMT", 1976),
        ("Monday, 01-Jan-26 00:00:00 GMT", 2026), ("Monday, 01-Jan-25 00:00:00 GMT", 2025),
        ("Monday, 01-Jan-00 00:00:00 GMT", 2000), ("Monday, 29-Feb-72 00:00:00 GMT", 2072),
    ])
    func `two digits of a year are the latest one no more than 50 years on`(_ value: String, _ year: Int) throws {
        let seconds = try HTTPDate.unixSeconds(of: bytes(value), now: Self.now)
        #expect(text(HTTPDate.imfFixdate(unixSeconds: seconds)).contains(" \(year) "))
    }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun,06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun Nov 06 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37 +0000", "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT",
        "Sun, 0x Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun", "Sun,", "Sun ", "Sunday,",
        "\u{FF}\u{FF}\u{FF}, ",
    ])
    func `what is no date is refused with what would be one`(_ value: String) throws {
        let error = try #require(throws: FieldViolation.self) {
            try HTTPDate.unixSeconds(of: bytes(value), now: Self.now)
        }
        #expect(error.kind == .badDate)
        #expect(error.sentence.contains("Sun, 06 Nov 1994 08:49:37 GMT"))
    }

    @Test(arguments: [
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Oct 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 30 Feb 2000 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun Nov  0 08:49:37 1994",
        "Sunday, 29-Feb-01 08:49:37 GMT",
    ])
    func `a moment that there is not is refused`(_ value: String) throws {
        let error = try #require(throws: FieldViolation.self) {
            try HTTPDate.unixSeconds(of: bytes(value), now: Self.now)
        }
        #expect(error.kind == .impossibleDate)
    }

    @Test func `a day of the week that contradicts its date is refused, but not where the century was guessed`() throws
    {
        for value in ["Mon, 06 Nov 1994 08:49:37 GMT", "Mon Nov  6 08:49:37 1994"] {
            let error = try #require(throws: FieldViolation.self) {
                try HTTPDate.unixSeconds(of: bytes(value), now: Self.now)
            }
            #expect(error.kind == .wrongWeekday)
            #expect(error.detail == bytes("Mon"))
        }
        #expect(try HTTPDate.unixSeconds(of: bytes("Monday, 06-Nov-94 08:49:37 GMT"), now: Self.now) == 784_111_777)
    }

    @Test func `whatever now is, reading ends`() {
        for now in [Int.min, -1, 0, Int.max] {
            _ = try? HTTPDate.unixSeconds(of: bytes("Sunday, 06-Nov-94 08:49:37 GMT"), now: now)
        }
        #expect(throws: FieldViolation.self) {
            try HTTPDate.unixSeconds(of: bytes("Sunday, 06-Nov-94 08:49:37 GMT"), now: .min)
        }
    }

    @Test func `a date of a message comes once`() {
        let date = HTTPField("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect([date].date(of: "date", now: 0) == 784_111_777)
        #expect([date, date].date(of: "Date", now: 0) == nil)
        #expect([HTTPField("Date", "0")].date(of: "Date", now: 0) == nil)
        #expect([HTTPField]().date(of: "Date", now: 0) == nil)
    }
}

struct HTTPDateTests {
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (Int.min, "Sat, 01 Jan 0000 00:00:00 GMT"), (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `a moment is written as an IMF-fixdate`(_ seconds: Int, _ expected: String) {
        #expect(text(HTTPDate.imfFixdate(unixSeconds: seconds)) == expected)
    }

    @Test func `Foundation writes the same for days all over the calendar`() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for step in 0..<2000 {
            // 1900 to 2199, in steps of some 55 days that fall on every hour.
            let seconds = -2_208_988_800 + step * 4_733_917
            let expected = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
            #expect(text(HTTPDate.imfFixdate(unixSeconds: seconds)) == expected)
        }
    }
}

/// RFC 6265 §5.1.1; the facts of each row follow from the step that it names.
struct CookieDateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let seconds: Int?
        let step: String

        init(_ text: String, _ seconds: Int?, step: String) {
            self.text = text
            self.seconds = seconds
            self.step = step
        }

        var testDescription: String { "\(text) (\(step))" }
    }

    static let november = 784_111_777
    static let june = 1_623_233_894

    static let spellings: [Row] = [
        Row("Sun, 06 Nov 1994 08:49:37 GMT", november, step: "RFC 6265 §3.1, an IMF-fixdate"),
        Row("Wed, 09 Jun 2021 10:18:14 GMT", june, step: "RFC 6265 §3.1"),
        Row("Sunday, 06-Nov-94 08:49:37 GMT", november, step: "the form of RFC 850"),
        Row("Sun Nov  6 08:49:37 1994", november, step: "asctime"),
        Row("Sun, 06-Nov-1994 08:49:37 GMT", november, step: "the form of Netscape"),
        Row("6 nov 1994 8:49:37", november, step: "step 1: tokens alone; times and days of one digit"),
        Row("08:49:37 06 NOVEMBER 1994", november, step: "step 2: any order, months by their first three letters"),
        Row("1994 Nov 6 08:49:37", november, step: "step 2.2: four digits are no day, so they are the year"),
        Row("94 Nov 6 08:49:37", nil, step: "step 2.2: 94 is taken for the day"),
        Row("6 94 Nov 08:49:37", november, step: "step 2.2: the day before the year"),
        Row("6/Nov/1994 08:49:37", november, step: "step 1: a slash is a delimiter"),
        Row("6-Nov-1994-08:49:37", november, step: "step 1: a hyphen is a delimiter"),
        Row("(6),{Nov};[1994]@08:49:37", november, step: "step 1: brackets and signs are delimiters"),
        Row("\t6\tNov\t1994\t08:49:37\t", november, step: "step 1: the tab is a delimiter"),
        Row("6th Nov 1994 08:49:37", november, step: "the grammar of day-of-month: what is no digit may follow"),
        Row("6 Nov 1994AD 08:49:37", november, step: "the grammar of year: what is no digit may follow"),
        Row("6 Nov 1994 08:49:37PM", november, step: "the grammar of time: what is no digit may follow"),
        Row("6 Nov 1994 08:49:37.5", november, step: "step 1: a full stop is a delimiter"),
        Row("6 Nov 1994 08:49:37 -0800", november, step: "zones are not read; four digits are no second year"),
        Row("6 Nov 1994 08:49:37 7 Dec 1995 09:00:00", november, step: "step 2: the first of each counts"),
        Row("Thu, 01 Jan 1970 00:00:00 GMT", 0, step: "the epoch"),
        Row("1 Jan 70 00:00:00", 0, step: "step 3: 70–99 lie in the 1900s"),
        Row("31 Dec 99 23:59:59", 946_684_799, step: "step 3"),
        Row("1 Jan 00 00:00:00", 946_684_800, step: "step 4: 0–69 lie in the 2000s"),
        Row("31 Dec 69 23:59:59", 3_155_759_999, step: "step 4"),
        Row("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400, step: "step 6: a leap day"),
        Row("1 Jan 1601 00:00:00", -11_644_473_600, step: "step 5: 1601 is the first year"),
        Row("31 Dec 9999 23:59:59", 253_402_300_799, step: "four digits"),
        Row("1 Jan 2038 03:14:08", 2_145_928_448, step: "beyond 31 bits"),
        Row("Son, 06 Nov 1994 08:49:37 GMT", november, step: "names of days are not read"),
        Row("Mon, 06 Nov 1994 08:49:37 GMT", november, step: "a wrong day of the week does not matter"),
    ]

    @Test(arguments: spellings)
    func `a date is read as its section says`(_ row: Row) {
        #expect(CookieDate.unixSeconds(bytes(row.text)) == row.seconds)
    }

    static let refused: [Row] = [
        Row("", nil, step: "step 5: nothing found"), Row("   ", nil, step: "step 5"), Row("0", nil, step: "step 5"),
        Row("never", nil, step: "step 5"), Row("-1", nil, step: "step 5"),
        Row("Nov 1994 08:49:37", nil, step: "step 5: no day"),
        Row("6 1994 08:49:37", nil, step: "step 5: no month"),
        Row("6 Nov 08:49:37", nil, step: "step 5: no year"),
        Row("6 Nov 1994", nil, step: "step 5: no time"),
        Row("0 Nov 1994 08:49:37", nil, step: "step 5: days begin with 1"),
        Row("32 Nov 1994 08:49:37", nil, step: "step 5: days end with 31"),
        Row("006 Nov 1994 08:49:37", nil, step: "the grammar of day-of-month: two digits at most"),
        Row("6 No 1994 08:49:37", nil, step: "the grammar of month: three letters"),
        Row("6 11 1994 08:49:37", nil, step: "months are names"),
        Row("6 Nov 1600 08:49:37", nil, step: "step 5: before 1601"),
        Row("6 Nov 0094 08:49:37", november, step: "step 3 looks at the number, not at its digits"),
        Row("6 Nov 100 08:49:37", nil, step: "step 5: 100 is no short year and before 1601"),
        Row("6 Nov 1 08:49:37", nil, step: "the grammar of year: two digits at least"),
        Row("6 Nov 19940 08:49:37", nil, step: "the grammar of year: four digits at most"),
        Row("6 Nov 99999999999999999999 08:49:37", nil, step: "the grammar of year, beyond any integer"),
        Row("99999999999999999999 Nov 1994 08:49:37", nil, step: "the grammar of day-of-month, beyond any integer"),
        Row("6 Nov 1994 24:00:00", nil, step: "step 5: hours end with 23"),
        Row("6 Nov 1994 08:60:00", nil, step: "step 5: minutes end with 59"),
        Row("6 Nov 1994 08:49:60", nil, step: "step 5: there is no leap second"),
        Row("6 Nov 1994 08:49", nil, step: "the grammar of time: three fields"),
        Row("6 Nov 1994 008:49:37", nil, step: "the grammar of time: two digits at most"),
        Row("6 Nov 1994 08:49:377", nil, step: "the grammar of time: two digits at most"),
        Row("6 Nov 1994 08: 49:37", nil, step: "step 1: a space parts tokens"),
        Row("6 Nov 1994 :49:37", nil, step: "the grammar of time: a digit at least"),
        Row("31 Nov 1994 08:49:37", nil, step: "step 6: no such date"),
        Row("29 Feb 1900 08:49:37", nil, step: "step 6: no leap year"),
        Row("30 Feb 2000 08:49:37", nil, step: "step 6: no such date"),
        Row("6\u{0}Nov\u{0}1994 08:49:37", nil, step: "step 1: a control character parts nothing"),
        Row("6\u{E9}Nov 1994 08:49:37", nil, step: "step 1: a byte beyond ASCII parts nothing"),
    ]

    @Test(arguments: refused)
    func `what its section does not take for a date is none`(_ row: Row) {
        #expect(CookieDate.unixSeconds(bytes(row.text)) == row.seconds)
    }

    @Test func `every form of HTTP is read as the moment it was written for`() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<2_000 {
            let seconds = Int.random(in: -11_644_473_600...253_402_300_799, using: &random)
            #expect(CookieDate.unixSeconds(HTTPDate.imfFixdate(unixSeconds: seconds)) == seconds)
        }
    }
}
