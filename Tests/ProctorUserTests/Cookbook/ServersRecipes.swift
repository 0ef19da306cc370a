import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/servers.md.

@Test func `polls until the job is done`() async throws {
    try await withScenario("polling") { exam in
        let client = Client(exam)
        while try await client.load(exam.url("/jobs/1")).reply.statusCode == 202 {
            try await Task.sleep(for: .milliseconds(500))
        }
    }
}

@Test func `all pages are read`() async throws {
    try await withScenario("pages") { exam in
        let client = Client(exam)
        var items: [Substring] = []
        var next: URL? = exam.url("/items")
        while let url = next {
            let (reply, body) = try await client.load(url)
            items += body.split(separator: " ").map { $0 }
            let link = reply.value(forHTTPHeaderField: "Link")?.split(separator: ">").first?.dropFirst()
            next = link.flatMap { URL(string: String($0)) }
        }
        #expect(items == ["a", "b", "c", "d", "e"])
    }
}

@Test func `a note is posted, read and deleted`() async throws {
    try await withScenario("notes") { exam in
        let client = Client(exam)
        let (reply, _) = try await client.load(exam.url("/notes"), method: "POST", body: "milk")
        let note = try #require(reply.value(forHTTPHeaderField: "Location").flatMap(URL.init(string:)))
        let body = try await client.load(note).body
        #expect(body == "milk")
        _ = try await client.load(note, method: "DELETE")
        let gone = try await client.load(note).reply
        #expect(gone.statusCode == 404)
    }
}

@Test func `the server adds`() async throws {
    try await withScenario("script") { exam in
        let client = Client(exam)
        for (numbers, wanted) in [("[1, 2, 39]", "{\"sum\":42}"), ("[101]", "too much")] {
            let (_, body) = try await client.load(exam.url("/sum"), method: "POST", body: numbers)
            #expect(body == wanted)
        }
    }
}

@Test func `a client persists`() async throws {
    // It fails twice with this seed.
    try await withScenario("by-chance", seed: 13) { exam in
        let client = Client(exam)
        while try await client.load(exam.url("/flaky")).reply.statusCode == 503 {}
    }
}

@Test func `the token of the form goes back`() async throws {
    try await withScenario("in-order") { exam in
        let client = Client(exam)
        let form = try await client.load(exam.url("/form")).reply
        let token = try #require(form.value(forHTTPHeaderField: "X-Token"))
        let body = try await client.load(exam.url("/form"), method: "POST", fields: ["X-Token": token]).body
        #expect(body == "thanks")
    }
}

@Test func `events go on where they ended`() async throws {
    try await withScenario("events") { exam in
        let client = Client(exam)
        var fields: [String: String] = [:]
        var data: [Substring] = []
        while data.count < 3 {
            for line in try await client.load(exam.url("/events"), fields: fields).body.split(separator: "\n") {
                if line.hasPrefix("id: ") { fields["Last-Event-ID"] = String(line.dropFirst(4)) }
                if line.hasPrefix("data: ") { data.append(line.dropFirst(6)) }
            }
        }
        #expect(data == ["one", "two", "three"])
    }
}

@Test func `the circuit opens after three failures`() async throws {
    try await withScenario("circuit-breaker") { exam in
        let client = Client(exam)
        var failures = 0
        for _ in 1...5 where failures < 3 {
            if try await client.load(exam.url("/price")).reply.statusCode >= 500 { failures += 1 }
        }
        #expect(failures == 3)
    }
}

@Test func `the page is loaded and nothing else`() async throws {
    try await withScenario("unexpected") { exam in
        let body = try await Client(exam).load(exam.url("/page")).body
        #expect(body == "page")
    }
}
