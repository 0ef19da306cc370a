import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/retries.md.

@Test func `waits as long as a 429 asks for`() async throws {
    try await withScenario("retry-after-429") { exam in
        let client = Client(exam)
        var (reply, body) = try await client.load(exam.url("/items"))
        while reply.statusCode == 429 {
            let seconds = reply.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
            try await Task.sleep(for: .seconds(seconds ?? 1))
            (reply, body) = try await client.load(exam.url("/items"))
        }
        #expect(body == "ok")
    }
}

@Test func `waits until the date of Retry-After`() async throws {
    try await withScenario("retry-after-date") { exam in
        let client = Client(exam)
        let dates = DateFormatter()
        dates.locale = Locale(identifier: "en_US_POSIX")
        dates.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        var (reply, body) = try await client.load(exam.url("/items"))
        while reply.statusCode == 503 {
            let back = try #require(reply.value(forHTTPHeaderField: "Retry-After").flatMap(dates.date(from:)))
            try await Task.sleep(for: .seconds(max(0, back.timeIntervalSinceNow)))
            (reply, body) = try await client.load(exam.url("/items"))
        }
        #expect(body == "ok")
    }
}

@Test func `tries three times`() async throws {
    try await withScenario("fails-twice") { exam in
        let client = Client(exam)
        var (reply, body) = try await client.load(exam.url("/job"))
        for _ in 1..<3 where reply.statusCode == 503 {
            (reply, body) = try await client.load(exam.url("/job"))
        }
        #expect(body == "done")
    }
}

@Test func `gives up after three tries`() async throws {
    try await withScenario("gives-up") { exam in
        let client = Client(exam)
        var reply = try await client.load(exam.url("/job")).reply
        for _ in 1..<3 where reply.statusCode == 503 { reply = try await client.load(exam.url("/job")).reply }
        #expect(reply.statusCode == 503)
    }
}

@Test func `backs off`() async throws {
    try await withScenario("backoff") { exam in
        let client = Client(exam)
        var (reply, body) = try await client.load(exam.url("/job"))
        for pause in [100, 1000] where reply.statusCode == 503 {
            try await Task.sleep(for: .milliseconds(pause))
            (reply, body) = try await client.load(exam.url("/job"))
        }
        #expect(body == "done")
    }
}

@Test func `a POST is not sent again`() async throws {
    try await withScenario("post-once") { exam in
        await #expect(throws: URLError.self) {
            try await Client(exam).load(exam.url("/orders"), method: "POST", body: "lamp")
        }
    }
}

@Test func `a retry has the key of the first try`() async throws {
    try await withScenario("idempotency-key") { exam in
        let client = Client(exam)
        let key = ["Idempotency-Key": UUID().uuidString]
        for wanted in [503, 201] {
            let (reply, _) = try await client.load(exam.url("/orders"), method: "POST", fields: key, body: "lamp")
            #expect(reply.statusCode == wanted)
        }
    }
}
