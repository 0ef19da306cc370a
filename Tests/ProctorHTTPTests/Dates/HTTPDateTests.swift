import Foundation
import ProctorHTTP
import Testing

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
