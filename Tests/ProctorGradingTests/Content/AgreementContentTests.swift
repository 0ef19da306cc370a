import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Facts of one trace against one another, places among requests, and bytes that the journal has by their hash alone.
struct AgreementContentTests {
    private static func result(_ body: String, bytes: Int? = nil, _ more: EventFacts = []) -> EventFacts {
        EventFacts(
            [
                EventFact(.status, .integer(200)), EventFact(.bytes, .integer(bytes ?? body.utf8.count)),
                EventFact(.body, .text(body)),
            ] + Array(more))
    }

    @Test func `bytes behind the first 64 KiB are compared by the hash of the content`() throws {
        let whole = Array(repeating: UInt8(ascii: "a"), count: 70_000)
        // Of 70,000 letters a (FIPS 180-4).
        let hash = "66915c0872933db504e7578828dd85b7e74a4e0a061f9756793b89c4151bd4b5"
        func findings(_ body: [UInt8]) throws -> [Finding] {
            var trial = ContentTrial()
            trial.report(.resume)
            try trial.exchange(
                "GET /a", 200,
                whole: SentContent(byteCount: 70_000, kept: Array(whole.prefix(65_536)), sha256: hash))
            trial.report(.response, "200")
            trial.report(.complete, "ok")
            trial.report(.result, Self.result(String(decoding: body, as: UTF8.self)))
            return try trial.findings().filter { $0.field == "body" }
        }
        #expect(try findings(whole).isEmpty)
        let wrong = try findings(Array(whole.prefix(65_536)) + Array(repeating: UInt8(ascii: "0"), count: 4_464))
        #expect(wrong.map(\.wanted) == ["other bytes behind byte 65535"])
    }

    @Test func `windows let out what the client knew of, and grow with the server's updates`() {
        var windows = SentWindows()
        func frame(_ party: JournalEvent.Party, _ type: String, _ detail: FrameNote.Detail?, _ flags: [String] = [])
            -> FrameNote
        {
            FrameNote(
                by: party, type: type, flags: flags, stream: type == "SETTINGS" ? 0 : 3, byteCount: 4, offset: 0,
                detail: detail)
        }
        windows.record(frame(.server, "SETTINGS", .settings([SettingNote("INITIAL_WINDOW_SIZE", 10)])), at: 1, 100)
        #expect(windows[3, before: 5]?.byteCount(before: 0) == nil)
        windows.record(frame(.client, "SETTINGS", .settings([]), ["ACK"]), at: 2, 200)
        windows.record(frame(.server, "WINDOW_UPDATE", .increment(30)), at: 6, 900)
        #expect(windows[3, before: 2]?.byteCount(before: 0) == nil)
        #expect(windows[3, before: 5]?.byteCount(before: 899) == 10)
        #expect(windows[3, before: 5]?.byteCount(before: 900) == 40)
        #expect(windows[5, before: 5]?.byteCount(before: 900) == 10)
    }
}
