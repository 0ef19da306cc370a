public import Foundation
internal import ProctorBase
public import ProctorEvents
public import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Talks to a remote Proctor server, so that it can direct, synchronise and grade a test on a device.
///
/// Docs/control-api.md describes the calls. Any thread may use it; each call takes ``timeout`` at most.
public struct ControlClient: Sendable {
    /// The URL of the server's shared port, from its ready line: `http://192.0.2.7:8088`.
    public let base: URL
    /// The token that the server was started with; nil: it has none.
    public let token: String?
    /// The time limit of one call, its answer included.
    public let timeout: Duration

    /// Makes a client; it connects only with its first call.
    public init(base: URL, token: String? = nil, timeout: Duration = .seconds(30)) {
        self.base = base
        self.token = token
        self.timeout = timeout
    }

    /// Opens a separate run of a scenario, with its own ports.
    ///
    /// The server closes a run after `lifeSeconds` without calls, 600 by default.
    public func createRun(of scenario: String, lifeSeconds: Int? = nil) async throws(ControlFailure) -> ControlRun {
        try await decode(ControlRun.self, from: send(.createRun(of: scenario, lifeSeconds: lifeSeconds)))
    }

    /// The assignment of a case, with the addresses of the run.
    public func assignment(of caseName: String, in run: String) async throws(ControlFailure) -> Assignment {
        try await decode(Assignment.self, from: send(.assignment(of: caseName, in: run)))
    }

    /// Lets the server grade the events of a recorder, together with its own journal.
    public func grade(
        _ events: [TraceEvent], header: TraceHeader, of caseName: String, in run: String
    ) async throws(ControlFailure) -> ControlVerdict {
        var lines = TraceWriter.line(header)
        for event in events { lines += TraceWriter.line(event) }
        return try await grade(trace: lines, of: caseName, in: run)
    }

    /// Lets the server grade a trace of JSON lines, together with its own journal.
    public func grade(
        trace: [UInt8], of caseName: String, in run: String
    ) async throws(ControlFailure) -> ControlVerdict {
        try await decode(ControlVerdict.self, from: send(.grade(trace, of: caseName, in: run)))
    }

    /// Tells the server that the client saw an event, `count` times; replies that wait for it continue.
    ///
    /// A count of 0 announces later reports, so that replies wait for them in full. ``ControlReports`` reports the
    /// events of a recorder by itself.
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
    /// The greatest size of an answer in bytes.
    private static let limit = 64 << 20

    /// One exchange; returns the content of an answer that is no refusal.
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

    /// With a handler and its own session: `async` methods of URLSession on Linux can deadlock when cancelled.
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
    /// The id of the run in other calls.
    public let run: String
    /// The id of the scenario.
    public let scenario: String
    /// The URL of the scenario's first origin, without a slash at its end.
    public let base: String
    /// The URLs of all origins, by name.
    public let origins: [String: String]
}

/// The server's verdict about a trace.
public struct ControlVerdict: Sendable, Equatable, Codable {
    /// `pass`, `fail`, `hang`, `crash`, `known`, `fixed`, `observed`, `unimplemented`, `skipped` or `setup-failed`.
    public let outcome: String
    /// The findings and the timeline as text.
    public let text: String
}

/// Why a call of the control API failed.
public enum ControlFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// No answer came; the text says why.
    case unreachable(String)
    /// The server refused; `code` is stable and for programs, `message` is a sentence.
    case refused(status: Int, code: String, message: String)
    /// The answer does not fit the call; the text says why.
    case unreadable(String)

    /// The failure as a sentence.
    public var description: String {
        switch self {
        case .unreachable(let reason): "the server did not answer: \(reason)"
        case .refused(let status, let code, let message): "the server refused (\(status) \(code)): \(message)"
        case .unreadable(let reason): reason
        }
    }
}
