import Foundation
import ProctorTestWire
import Testing

@testable import ProctorJournal
@testable import ProctorReplies
@testable import ProctorServer
@testable import ProctorServing

/// A journal as Server-Sent Events: whole, resumed, with gaps, and to its end.
struct EventStreamTests {
    /// One event as it came.
    private struct Event {
        let name: String
        let id: Int?
        let json: [String: Any]

        /// nil for a comment and for `retry`.
        init?(_ block: Substring) throws {
            var (name, id, data) = ("message", Int?.none, "")
            for line in block.split(separator: "\n") {
                if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
                if line.hasPrefix("id: ") { id = Int(line.dropFirst(4)) }
                if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
            }
            guard !data.isEmpty else { return nil }
            (self.name, self.id) = (name, id)
            json = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
        }

        static func all(in text: String) throws -> [Event] {
            try text.replacing("\r\n", with: "\n").split(separator: "\n\n").compactMap { try Event($0) }
        }
    }

    /// Follows the journal of a run in HTTP/1.0, where the end of the connection ends the stream; `act` is called when
    /// the first event is there and has to end the run.
    private func follow(
        _ path: String, on server: Server, fields: String = "", _ act: @escaping @Sendable () throws -> Void
    ) async throws -> [Event] {
        let text = try await talk(to: server.base) { wire in
            try wire.send("GET /__proctor/\(path) HTTP/1.0\r\nHost: 127.0.0.1\r\n\(fields)\r\n")
            let head = try wire.readHead()
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"))
            #expect(head.contains("Cache-Control: no-store\r\n") && !head.contains("Content-Length"))
            let beginning = try wire.read(12)
            try act()
            return String(decoding: beginning, as: UTF8.self) + (try wire.readToEnd().text)
        }
        return try Event.all(in: text)
    }

    @Test func `the events of a run are its entries, its verdicts as they change, and its end`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            let control = server.base
            let events = try await follow("runs/\(id)/events", on: server) {
                _ = try exchangeNow(.request("GET /"), with: base)
                _ = try callNow("DELETE /runs/\(id)", at: control)
            }
            #expect(events.first?.name == "open" && events.first?.json["run"] as? String == id)
            #expect(events.last?.name == "end" && events.last?.json["why"] as? String == "run-ended")
            let entries = events.filter { $0.name == "message" }
            #expect(entries.count >= 5 && entries.map(\.id) == Array(1...entries.count))
            #expect(entries.allSatisfy { $0.json["seq"] as? Int == $0.id && $0.json["run"] as? String == id })
            let verdicts = events.filter { $0.name == "verdict" && $0.json["case"] as? String == "both" }
            #expect(verdicts.count >= 1 && verdicts.allSatisfy { $0.json["verdict"] as? String == "fail" })
            #expect(verdicts.allSatisfy { $0.json["timeline"] == nil })
        }
    }

    @Test func `a trace that was judged is told with its callbacks and its verdict`() async throws {
        let trace = """
            {"trace":"proctor","version":1,"client":"mine","clock":"other","lanes":["task"]}
            {"ms":1.5,"lane":"task","ev":"response","arg":"200"}
            {"ms":2,"lane":"task","ev":"complete","arg":"ok"}
            """
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            let control = server.base
            _ = try await exchange(.request("GET /"), with: base)
            _ = try await call("POST /runs/\(id)/grade", on: server, body: trace)
            let events = try await follow("runs/\(id)/events", on: server) {
                _ = try callNow("DELETE /runs/\(id)", at: control)
            }
            let told = try #require(events.first { $0.name == "trace" }?.json)
            let trace = try #require(told["trace"] as? [String: Any])
            #expect(told["number"] as? Int == 1 && trace["clock"] as? String == "other")
            let callbacks = try #require(trace["events"] as? [[String: Any]])
            #expect(callbacks.map { $0["text"] as? String } == ["response(200)", "complete(ok)"])
            #expect(callbacks.first?["words"] as? String == "the response with status 200")
            #expect(callbacks.first?["lane"] as? String == "task" && callbacks.first?["ms"] as? Double == 1.5)
            #expect((trace["verdict"] as? [String: Any])?["outcome"] as? String == "fail")
        }
    }

    @Test func `a stream that broke off goes on behind the last event`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            _ = try await exchange(.request("GET /"), with: base)
            let control = server.base
            let events = try await follow("runs/\(id)/events", on: server, fields: "Last-Event-ID: 3\r\n") {
                _ = try callNow("DELETE /runs/\(id)", at: control)
            }
            #expect(events.first { $0.name == "message" }?.id == 4)
            #expect(!events.contains { $0.name == "gap" })
        }
    }

    @Test(arguments: ["x", "-1", "", "99999999999999999999"])
    func `an id that no event has is refused`(id: String) async throws {
        try await withControl { server in
            let (run, _) = try await makeRun("plain/turns", on: server)
            let reply = try await call("GET /runs/\(run)/events", on: server, fields: ["Last-Event-ID: \(id)"])
            let message = try reply.error.message
            #expect(reply.status == 400 && message.contains("Last-Event-ID"))
        }
    }

    @Test func `what the full journal has dropped is told where it is missing`() async throws {
        try await withControl(configure: { $0.limits.journal = Journal.Limits(entryCount: 5) }) { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            _ = try await exchange(.request("GET /"), with: base)
            _ = try await exchange(.request("GET /"), with: base)
            let control = server.base
            let events = try await follow("runs/\(id)/events", on: server) {
                _ = try callNow("DELETE /runs/\(id)", at: control)
            }
            let gap = try #require(events.first { $0.name == "gap" })
            let first = try #require(events.first { $0.name == "message" }?.id)
            #expect(gap.json["dropped"] as? Int == first - 1 && gap.json["thinned"] as? Int == 0)
            #expect(gap.id == first - 1)
        }
    }

    @Test func `a reset is told, and what follows it has the next numbers`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            let control = server.base
            let events = try await follow("runs/\(id)/events", on: server) {
                _ = try exchangeNow(.request("GET /"), with: base)
                _ = try callNow("POST /runs/\(id)/reset", at: control)
                _ = try exchangeNow(.request("GET /"), with: base)
                _ = try callNow("DELETE /runs/\(id)", at: control)
            }
            let begins = events.filter { $0.name == "reset" || $0.name == "open" }
            let epochs = begins.compactMap { $0.json["epoch"] as? Int }
            #expect(epochs == [0, 1] || epochs == [1])
            #expect(!events.contains { $0.name == "gap" })
            let numbers = events.filter { $0.name == "message" }.compactMap(\.id)
            #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        }
    }

    @Test func `a reader that is far behind gets the newest entries, and how many were left out`() throws {
        let journal = Journal(
            encoder: JournalEncoder(), limits: Journal.Limits(entryCount: 7_000, byteCount: 64 << 20), file: nil)
        for _ in 0..<6_500 { journal.append(connection: 0, .continueSent) }
        var stream = JournalStream(journal, of: nil, after: 100, server: 1)
        var events: [Event] = []
        var part = stream.nextPart(isStopping: false)
        events += try Event.all(in: String(decoding: part.bytes, as: UTF8.self))
        while part.hasMore {
            part = stream.nextPart(isStopping: false)
            events += try Event.all(in: String(decoding: part.bytes, as: UTF8.self))
        }
        let gap = try #require(events.first { $0.name == "gap" })
        #expect(gap.json["thinned"] as? Int == 5_900 && gap.json["dropped"] as? Int == 0)
        #expect(events.filter { $0.name == "message" }.map(\.id) == Array(6_001...6_500))
        #expect(stream.nextPart(isStopping: false).bytes.isEmpty)
        #expect(stream.nextPart(isStopping: true).isLast)
    }

    @Test func `the number of an earlier server's entry begins the journal from the start`() throws {
        let journal = Journal(encoder: JournalEncoder(), limits: Journal.Limits(), file: nil)
        journal.append(connection: 0, .continueSent)
        var stream = JournalStream(journal, of: nil, after: 900, server: 1)
        let events = try Event.all(in: String(decoding: stream.nextPart(isStopping: false).bytes, as: UTF8.self))
        // The reader sees by `server` that what it has is of another start, and asks once more.
        #expect(events.map(\.name) == ["open"])
        let next = try Event.all(in: String(decoding: stream.nextPart(isStopping: false).bytes, as: UTF8.self))
        #expect(next.map(\.id) == [1])
    }

    @Test func `in HTTP/1.1 a stream comes in chunks, and a HEAD gets its head alone`() async throws {
        try await withControl { server in
            let head = try await call("HEAD /shared/events", on: server)
            #expect(head.field("Transfer-Encoding") == "chunked" && head.body.isEmpty)
            let (id, _) = try await makeRun("plain/turns", on: server)
            let control = server.base
            let text = try await talk(to: server.base) { wire in
                try wire.send(controlRequest("GET /runs/\(id)/events"))
                #expect(try wire.readHead().contains("\r\nTransfer-Encoding: chunked\r\n"))
                let beginning = try wire.read(12)
                _ = try callNow("DELETE /runs/\(id)", at: control)
                wire.finish()
                return String(decoding: beginning, as: UTF8.self) + (try wire.readToEnd().text)
            }
            #expect(text.hasSuffix("\r\n0\r\n\r\n") && text.contains("event: end\n"))
        }
    }

    @Test func `the streams that are open at a time are bounded`() {
        let count = StreamCount()
        for _ in 0..<StreamCount.limit { #expect(count.enter()) }
        #expect(!count.enter())
        count.decrement()
        #expect(count.enter())
    }

    @Test func `a server that stops ends its streams at once`() throws {
        let journal = Journal(encoder: JournalEncoder(), limits: Journal.Limits(), file: nil)
        var stream = JournalStream(journal, of: nil, after: 0, server: 1)
        let part = stream.nextPart(isStopping: true)
        #expect(part.isLast)
        let events = try Event.all(in: String(decoding: part.bytes, as: UTF8.self))
        #expect(events.map(\.name) == ["open", "end"] && events[1].json["why"] as? String == "server-stopped")
    }
}
