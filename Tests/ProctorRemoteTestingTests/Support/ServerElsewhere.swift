import Foundation
import ProctorTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `proctor serve` in a process of its own, with the shipped fixtures; it ends with its owner.
final class ServerElsewhere: Sendable {
    private let process: ChildProcess
    /// The URL of its shared port.
    let base: String
    private let token: String?

    private init(_ process: ChildProcess, base: String, token: String?) {
        self.process = process
        self.base = base
        self.token = token
    }

    private struct Ready: Decodable {
        let base: String
    }

    static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("fixtures").path

    /// Starts on a free port and waits for the ready line.
    static func start(token: String? = nil) async throws -> ServerElsewhere {
        try await onThread {
            let words =
                [BuiltProduct.proctor, "serve", fixtures, "--port", "0", "--ephemeral-ca"]
                + (token.map { ["--token", $0] } ?? [])
            let process = try ChildProcess(words)
            let line = try process.readLine()
            let ready = try JSONDecoder().decode(Ready.self, from: Data(line))
            return ServerElsewhere(process, base: ready.base, token: token)
        }
    }

    /// Ends it at once.
    func kill() { process.kill() }

    /// The ids of the runs that have ports of their own.
    func openRuns() async throws -> [String] {
        struct List: Decodable {
            struct Item: Decodable {
                let run: String
                let standing: Bool?
            }
            let runs: [Item]
        }
        var request = URLRequest(url: try #require(URL(string: "\(base)/__proctor/runs")))
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let data = try await Self.load(request)
        return try JSONDecoder().decode(List.self, from: data).runs.filter { $0.standing != true }.map(\.run)
    }

    private static func load(_ request: URLRequest) async throws -> Data {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        return try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: request) { data, _, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: data ?? Data())
                }
            }.resume()
        }
    }
}

/// What an exam outside of a test throws, as text; empty where it throws nothing.
func thrown(_ exam: @escaping @Sendable () async throws -> Void) async -> String {
    await Task.detached {
        do {
            try await exam()
            return ""
        } catch {
            return "\(error)"
        }
    }.value
}

/// Refuses every redirect.
final class RefusingDelegate: NSObject, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

/// Never answers the question about a redirect.
final class SilentDelegate: NSObject, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {}
}
