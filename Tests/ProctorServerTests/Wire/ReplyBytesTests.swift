import Foundation
import ProctorServer
import ProctorTestWire
import Testing

/// The exact bytes of a fixture's reply.
struct ReplyBytesTests {
    @Test func `now is an HTTP-date of the moment of the reply, shifted as the fixture says`() async throws {
        let reply = "{ status: 200, headers: [ A: \"{{now}}\", B: \"{{now + 1h}}\", C: \"{{now - 30s}}\" ] }"
        let before = Int(time(nil))
        let (first, after) = try await withRun(always(reply)) { run in
            (try await exchange(.request("GET /"), with: run.base).text, Int(time(nil)))
        }
        let candidates = (before...after).map { seconds in
            "HTTP/1.1 200 OK\r\nA: \(date(seconds))\r\nB: \(date(seconds + 3600))\r\nC: \(date(seconds - 30))\r\n"
                + "Content-Length: 0\r\n\r\n"
        }
        #expect(candidates.contains(first))
    }

    private func date(_ seconds: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}
