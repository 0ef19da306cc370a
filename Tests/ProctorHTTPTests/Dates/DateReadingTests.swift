import Foundation
import ProctorHTTP
import ProctorTestSupport
import Testing

/// RFC 9110 §5.6.7.
struct DateReadingTests {
    /// 1 January 2026.
    static let now = 1_767_225_600

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

    @Test func `a date of a message comes once`() {
        let date = HTTPField("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect([date].date(of: "date", now: 0) == 784_111_777)
        #expect([date, date].date(of: "Date", now: 0) == nil)
        #expect([HTTPField("Date", "0")].date(of: "Date", now: 0) == nil)
        #expect([HTTPField]().date(of: "Date", now: 0) == nil)
    }
}

struct HTTPDateTests {
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
