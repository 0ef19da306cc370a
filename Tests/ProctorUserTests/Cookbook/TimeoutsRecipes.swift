import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/timeouts.md.

@Test func `a slow server ends in a time-out`() async throws {
    try await withScenario("read-timeout") { exam in
        var request = URLRequest(url: exam.url("/slow"))
        request.timeoutInterval = 2
        exam.session().dataTask(with: request).resume()
    }
}

private final class Deadline: NSObject, URLSessionDataDelegate {
    private let end = Date(timeIntervalSinceNow: 0.3)

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if Date() > end { dataTask.cancel() }
    }
}

@Test func `the whole load has a limit`() async throws {
    try await withScenario("trickle") { exam in
        exam.session(delegate: Deadline()).dataTask(with: exam.url("/trickle")).resume()
    }
}

@Test func `a steady reply is read to its end`() async throws {
    try await withScenario("slow-and-steady") { exam in
        var request = URLRequest(url: exam.url("/long"))
        request.timeoutInterval = 5
        let body = try await Client(exam).load(request).body
        #expect(body == "1 2 3 4 5")
    }
}

@Test func `the second server is asked`() async throws {
    try await withScenario("connect-timeout") { exam in
        let client = Client(exam)
        var request = URLRequest(url: exam.url("/", origin: "first"))
        request.timeoutInterval = 1
        await #expect(throws: URLError.self) { try await client.load(request) }
        let body = try await client.load(exam.url("/")).body
        #expect(body == "second")
    }
}

private final class Leaver: NSObject, URLSessionDataDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        dataTask.cancel()
    }
}

@Test func `a cancelled load ends its connection`() async throws {
    try await withScenario("cancel") { exam in
        exam.session(delegate: Leaver()).dataTask(with: exam.url("/film")).resume()
    }
}
