public import Foundation
internal import ProctorBase
public import ProctorEvents
public import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Talks to a Proctor server elsewhere, so that a test on a device can be set, synchronised and graded by it.
///
/// Docs/control-api.md describes the calls. Safe from any thread; each call takes ``timeout`` at most.
public struct ControlClient: Sendable {
    /// Of the shared port, as the server's ready line says it: `http://192.0.2.7:8088`.
    public let base: URL
    /// What the server was started with, where it asks for one.
    public let token: String?
    /// For one call, its answer included.
    public let timeout: Duration

    /// Does not talk to anybody yet.
    public init(base: URL, token: String? = nil, timeout: Duration = .seconds(30)) {
        self.base = base
        self.token = token
        self.timeout = timeout
    }

    /// Opens an isolated life of a scenario, with ports of its own.
    ///
    /// A run without calls is forgotten after `lifeSeconds`, 600 where nothing else is said.
    public func createRun(of scenario: String, lifeSeconds: Int? = nil) async throws(ControlFailure) -> ControlRun {
        try await decode(ControlRun.self, from: send(.createRun(of: scenario, lifeSeconds: lifeSeconds)))
    }

    /// What a client under test has to do in a case, with the addresses of the run in it.
    public func assignment(of caseName: String, in run: String) async throws(ControlFailure) -> Assignment {
        try await decode(Assignment.self, from: send(.assignment(of: caseName, in: run)))
    }

    /// Lets the server judge what a recorder wrote, together with what the server saw itself.
    public func grade(
        _ events: [TraceEvent], header: TraceHeader, of caseName: String, in run: String
    ) async throws(ControlFailure) -> ControlVerdict {
        var lines = TraceWriter.line(header)
        for event in events { lines += TraceWriter.line(event) }
        return try await grade(trace: lines, of: caseName, in: run)
    }

    /// The same for a trace that is written already, as JSON lines.
    public func grade(
        trace: [UInt8], of caseName: String, in run: String
    ) async throws(ControlFailure) -> ControlVerdict {
        try await decode(ControlVerdict.self, from: send(.grade(trace, of: caseName, in: run)))
    }

    /// Tells the server that the client saw an event, `count` times; when it returns, what waits for it goes on.
    ///
    /// A count of 0 says that the client will report, so that replies wait for it in full. ``ControlReports`` reports what a
    /// recorder writes down by itself.
    public func reached(
        _ event: EventName, task: Int = 0, count: Int = 1, in run: String
    ) async throws(ControlFailure) {
        _ = try await send(.reached(event, task: task, count: count, in: run))
    }

    /// Closes the ports of a run.
    public func deleteRun(_ run: String) async throws(ControlFailure) {
        _ = try await send(.deleteRun(run))
    }
}

extension ControlClient {
    /// Bytes an answer has at most.
    private static let limit = 64 << 20

    /// One exchange with the server; the content of an answer that is no refusal.
    private func send(_ message: ControlMessage) async throws(ControlFailure) -> Data {
        let root = base.absoluteString.hasSuffix("/") ? String(base.absoluteString.dropLast()) : base.absoluteString
        guard let url = URL(string: root + message.target) else {
            throw .unreachable("'\(base)' is no base of a server")
        }
        var request = URLRequest(url: url)
        request.httpMethod = message.method
        request.httpBody = message.content.map { Data($0) }
        request.timeoutInterval = max(1, (Double(timeout.wholeNanoseconds) / 1e9).rounded(.up))
        if message.content != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await load(request).get()
        guard data.count <= Self.limit else { throw .unreadable("the answer has more than \(Self.limit) bytes") }
        guard let status = (response as? HTTPURLResponse)?.statusCode else {
            throw .unreadable("the answer is none of HTTP")
        }
        guard 200..<300 ~= status else { throw Self.refusal(status, data) }
        return data
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(ControlFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            let start = String(decoding: data.prefix(200), as: UTF8.self)
            throw .unreadable("the answer is no \(type): \(error); it begins with '\(start)'")
        }
    }

    /// With a handler and a session of its own: `async` methods of URLSession on Linux can lock up when cancelled.
    private func load(_ request: URLRequest) async -> Result<(Data, URLResponse?), ControlFailure> {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = [:]
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        return await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request) { data, response, error in
                if let error {
                    let reason = "\(ErrorFacts(error).name): \(error.localizedDescription)"
                    continuation.resume(returning: .failure(.unreachable(reason)))
                } else {
                    continuation.resume(returning: .success((data ?? Data(), response)))
                }
            }
            task.resume()
        }
    }

    private static func refusal(_ status: Int, _ data: Data) -> ControlFailure {
        struct Refusal: Decodable {
            struct Reason: Decodable {
                let code: String
                let message: String
            }
            let error: Reason
        }
        guard let reason = try? JSONDecoder().decode(Refusal.self, from: data).error else {
            return .refused(status: status, code: "", message: String(decoding: data.prefix(200), as: UTF8.self))
        }
        return .refused(status: status, code: reason.code, message: reason.message)
    }
}

/// A run as the control API describes it.
public struct ControlRun: Sendable, Equatable, Codable {
    /// What other calls name it by.
    public let run: String
    /// The id of the scenario.
    public let scenario: String
    /// The URL of the scenario's first origin, without a slash at its end.
    public let base: String
    /// The URLs of all origins, by name.
    public let origins: [String: String]
}

/// What the server thinks of a trace.
public struct ControlVerdict: Sendable, Equatable, Codable {
    /// `pass`, `fail`, `hang`, `crash`, `known`, `fixed`, `observed`, `unimplemented`, `skipped` or `setup-failed`.
    public let outcome: String
    /// The findings and the timeline, for a person.
    public let text: String
}

/// Why a call of the control API brought nothing.
public enum ControlFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// There was no answer.
    case unreachable(String)
    /// The server said no; `code` is for programs and stays, `message` is for people.
    case refused(status: Int, code: String, message: String)
    /// The answer is not what the call gives.
    case unreadable(String)

    /// One sentence, as a test would show it.
    public var description: String {
        switch self {
        case .unreachable(let reason): "the server did not answer: \(reason)"
        case .refused(let status, let code, let message): "the server refused (\(status) \(code)): \(message)"
        case .unreadable(let reason): reason
        }
    }
}
