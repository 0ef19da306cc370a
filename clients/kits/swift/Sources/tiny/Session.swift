import Foundation
import ProctorEvents
import ProctorProgram

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// URLSession as an asynchronous client: the template for your own, which puts its calls where the comments say.
struct Session: AsyncClient {
    static let header = TraceHeader(
        client: "session", clientVersion: "1", lanes: [.harness],
        facts: [.status, .url, .mime, .bytes, .body, .error, .message],
        abilities: [.methods, .redirects, .redirectRefuse, .challengeDefault, .severalLoads, .cancel],
        adapter: "session", adapterVersion: "1")

    private let session: URLSession
    private let loads = Loads()

    /// Your client is made here: for AsyncHTTPClient `HTTPClient(eventLoopGroupProvider: .singleton, configuration: …)`.
    ///
    /// The configuration has what `setup` says: `trust` is a file of PEM (NIOSSL: `tlsConfiguration.trustRoots = .file(…)`,
    /// swift-certificates: `Certificate(pemEncoded:)` of each), `proxy` a host and a port. On Linux URLSession takes no authorities
    /// of its caller, so this client lacks the ability `trust`.
    init(_ setup: SessionSetup) async throws {
        if setup.proxy != nil { throw SessionRefusal(reason: "proxy: this client is told none") }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: loads, delegateQueue: nil)
    }

    func refusal(of step: Assignment.Step) -> String? {
        if step.task != .data, step.task != .async { return "task: this client has loads alone" }
        if step.bodyForm != .data { return "bodyForm: content is given as bytes" }
        if step.timeout != nil { return "timeout: not driven yet" }
        return URL(string: step.url) == nil ? "url: Foundation takes no such URL" : nil
    }

    /// Your load: for AsyncHTTPClient `let reply = try await client.execute(request, deadline: …)`, then
    /// `course.receivedHead(…)`, and `return try await course.facts(reading: reply.body)`.
    func load(_ step: Assignment.Step, _ course: LoadCourse) async throws -> [EventFact] {
        guard let url = URL(string: step.url) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = step.method
        for field in step.headers { request.addValue(field[1], forHTTPHeaderField: field[0]) }
        request.httpBody = step.content
        let task = session.dataTask(with: request)
        let (heads, parts) = loads.begin(task, followsRedirects: step.followsRedirects ?? true)
        return try await withTaskCancellationHandler {
            for try await head in heads {
                course.receivedHead([
                    EventFact(.status, .integer((head as? HTTPURLResponse)?.statusCode ?? 0)),
                    EventFact(.url, .text(head.url?.absoluteString ?? "")),
                    EventFact(.mime, .text(head.mimeType ?? "")),
                ])
            }
            // A stream of Swift ends when its task is cancelled, and throws nothing.
            try Task.checkCancellation()
            let facts = try await course.facts(reading: parts)
            try Task.checkCancellation()
            return facts
        } onCancel: {
            task.cancel()
        }
    }

    /// Your errors by the words of the trace: for AsyncHTTPClient `HTTPClientError.connectTimeout` is `timedOut`.
    static func word(for error: any Error) -> String {
        if error is CancellationError { return "cancelled" }
        return switch (error as? URLError)?.code {
        case .cancelled: "cancelled"
        case .timedOut: "timedOut"
        case .cannotConnectToHost: "cannotConnect"
        case .cannotFindHost: "cannotFindHost"
        case .networkConnectionLost: "connectionLost"
        case .serverCertificateUntrusted: "serverCertificateUntrusted"
        case .secureConnectionFailed: "secureConnectionFailed"
        case .badServerResponse, .cannotParseResponse: "badServerResponse"
        default: "unknown"
        }
    }

    /// For AsyncHTTPClient `try? await client.shutdown()`.
    func close() async { session.invalidateAndCancel() }
}
