import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/caching.md.

@Test func `a copy is asked about by its ETag`() async throws {
    try await withScenario("etag") { exam in
        let client = Client(exam)
        let (copy, _) = try await client.load(exam.url("/page"))
        var request = URLRequest(url: exam.url("/page"), cachePolicy: .reloadIgnoringLocalCacheData)
        request.setValue(copy.value(forHTTPHeaderField: "ETag"), forHTTPHeaderField: "If-None-Match")
        let (reply, _) = try await client.load(request)
        #expect(reply.statusCode == 304)
    }
}

@Test func `a change of an old version is made again`() async throws {
    try await withScenario("lost-update") { exam in
        let client = Client(exam)
        func put(_ tag: String, _ text: String) async throws -> Int {
            let fields = ["If-Match": tag]
            return try await client.load(exam.url("/page"), method: "PUT", fields: fields, body: text).reply.statusCode
        }
        var status = try await put("\"v1\"", "mine")
        if status == 412 {
            let (page, text) = try await client.load(exam.url("/page"))
            status = try await put(page.value(forHTTPHeaderField: "ETag") ?? "", text + " and mine")
        }
        #expect(status == 204)
    }
}

@Test func `a fresh copy is not asked again`() async throws {
    try await withScenario("fresh-copy") { exam in
        let client = Client(exam)
        var copies: [String: (body: String, until: ContinuousClock.Instant)] = [:]
        for path in ["/fresh", "/fresh", "/stale", "/stale"] {
            if let copy = copies[path], ContinuousClock.now < copy.until { continue }
            let request = URLRequest(url: exam.url(path), cachePolicy: .reloadIgnoringLocalCacheData)
            let (reply, text) = try await client.load(request)
            let control = reply.value(forHTTPHeaderField: "Cache-Control") ?? ""
            let lifetime = Int(control.split(separator: "=").last ?? "") ?? 0
            let left = lifetime - (Int(reply.value(forHTTPHeaderField: "Age") ?? "") ?? 0)
            copies[path] = (text, ContinuousClock.now + .seconds(left))
        }
        #expect(copies["/fresh"]?.body == "fresh" && copies["/stale"]?.body == "stale")
    }
}
