public import Foundation
internal import ProctorBase
public import ProctorEvents
public import ProctorProgram
package import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Calls the control API of a remote Proctor server, to open runs, synchronise them and have a test on a device graded.
///
/// Docs/use/control.md describes the calls. Any thread may use it; each call takes ``timeout`` at most.
public struct ControlClient: Sendable {
    /// The URL of the server's shared port, from its ready line: `http://192.0.2.7:8088`.
    public let base: URL
    /// The token with which the server was started; nil: it has none.
    package let token: String?
    /// The time limit of one call, including its response.
    package let timeout: Duration
    /// The clock of the traces that are sent.
    package var clock = RecordingClock.system

    /// Makes a client; it connects only with its first call.
    public init(base: URL, token: String? = nil, timeout: Duration = .seconds(30)) {
        (self.base, self.token, self.timeout) = (base, token, timeout)
    }

    /// Opens a separate run of a scenario, with its own ports.
    ///
    /// The server closes a run after `lifeSeconds` without calls, 600 by default.
    public func createRun(of scenario: String, lifeSeconds: Int? = nil) async throws(ControlFailure) -> ControlRun {
        try await decode(ControlRun.self, from: send(.createRun(of: scenario, lifeSeconds: lifeSeconds)))
    }

    /// Opens a separate run of a scenario that is given as text, YAML or JSON.
    ///
    /// Its id is `inline` unless `id` is given; the message of the refusal contains the mistakes of the text.
    package func createRun(
        ofText text: String, id: String? = nil, lifeSeconds: Int? = nil
    ) async throws(ControlFailure) -> ControlRun {
        try await decode(
            ControlRun.self, from: send(.createRun(ofText: Array(text.utf8), id: id, lifeSeconds: lifeSeconds)))
    }

    /// The assignment of a case, with the addresses of the run.
    ///
    /// Certificates and keys are `data:` URLs instead of paths on the server's machine; ``AssignmentRunner`` reads
    /// both.
    public func assignment(of caseName: String, in run: String) async throws(ControlFailure) -> Assignment {
        try await decode(Assignment.self, from: send(.assignment(of: caseName, in: run)))
    }

    /// Has the server grade the events of a recorder, together with its own journal.
    ///
    /// When the server has another clock (``sharesClock()``), the header says `isMonotonic` false, and the order
    /// between callbacks and wire is not judged.
    public func grade(
        _ events: [TraceEvent], header: TraceHeader, of caseName: String, in run: String
    ) async throws(ControlFailure) -> ControlVerdict {
        try await grade(trace: lines(events, header: header), of: caseName, in: run)
    }

    private func lines(_ events: [TraceEvent], header: TraceHeader) async throws(ControlFailure) -> [UInt8] {
        var header = header
        if header.isMonotonic { header.isMonotonic = try await sharesClock() }
        var lines = TraceWriter.line(header)
        for event in events { lines += TraceWriter.line(event) }
        return lines
    }

    /// Whether the server's journal uses the clock of traces that are recorded here, as on one machine.
    ///
    /// A server on loopback that reports no clock is assumed to use this one.
    package func sharesClock() async throws(ControlFailure) -> Bool {
        let start = clock.now()
        let health = try await decode(ControlHealth.self, from: send(.health))
        guard let theirs = health.clock else {
            return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(base.host ?? "")
        }
        return clock.isSame(asOneThatReads: theirs.ns, identity: theirs.id, since: start)
    }

    /// Has the server grade a trace, and returns the parts of its report.
    ///
    /// `caseName` is nil for a scenario without cases. `hung` is the time after which the client was still running;
    /// `settle` is the longest wait for the ends of its connections.
    package func report(
        _ trace: [UInt8], of caseName: String?, in run: String, hung: Int?, settle: Int?
    ) async throws(ControlFailure) -> ControlReport {
        let message = ControlMessage.judge(trace, of: caseName, in: run, hung: hung, settle: settle)
        return try await decode(ControlReport.self, from: send(message))
    }

    /// The journal of a run so far, JSON lines (Docs/judging/journal.md).
    package func journal(of run: String) async throws(ControlFailure) -> [UInt8] {
        Array(try await send(.journal(of: run, after: 0, wait: 0)))
    }

    /// The certificate of the server's private authority, PEM.
    package func authority() async throws(ControlFailure) -> String {
        String(decoding: try await send(.authority), as: UTF8.self)
    }

    /// Sets the ledger (YAML) with which the run is graded from now on; the message of a refusal contains its mistakes.
    package func setLedger(_ text: String, of run: String) async throws(ControlFailure) {
        _ = try await send(.setLedger(Array(text.utf8), of: run))
    }

    /// Sets the platform (YAML) for which the run is graded from now on; the message of a refusal contains its
    /// mistakes.
    package func setPlatform(_ text: String, of run: String) async throws(ControlFailure) {
        _ = try await send(.setPlatform(Array(text.utf8), of: run))
    }

    /// Has the server grade a trace of JSON lines, together with its own journal.
    package func grade(
        trace: [UInt8], of caseName: String, in run: String
    ) async throws(ControlFailure) -> ControlVerdict {
        try await decode(ControlVerdict.self, from: send(.grade(trace, of: caseName, in: run)))
    }

    /// Tells the server that the client saw an event `count` times; replies that wait for it continue.
    ///
    /// A count of 0 announces later reports, so that replies wait for them for the full time. ``ControlReports``
    /// reports the events of a recorder automatically.
    package func reached(
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
    /// The greatest size of a response in bytes.
    private static let limit = 64 << 20

    /// Sends one request; returns the content of a response that is no refusal.
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

    /// Uses a handler and a session of its own: `async` methods of URLSession on Linux can deadlock when cancelled.
    private func load(_ request: URLRequest) async -> Result<(Data, URLResponse?), ControlFailure> {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = [:]
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        return await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request) { data, response, error in
                if let error {
                    let reason = "\(EventDetail(error).argument ?? ""): \(error.localizedDescription)"
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

/// Why a call of the control API failed.
public enum ControlFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// No response arrived; the text says why.
    case unreachable(String)
    /// The server refused the call; `code` is stable and for programs, `message` is a sentence.
    case refused(status: Int, code: String, message: String)
    /// The response can't be read as one of the call; the text says why.
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
