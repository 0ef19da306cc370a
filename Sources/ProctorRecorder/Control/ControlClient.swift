public import Foundation
public import ProctorTrace

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
    /// A run nobody asks about is forgotten after `lifeSeconds`, 600 where nothing else is said.
    public func createRun(of scenario: String, lifeSeconds: Int? = nil) async throws(ControlFailure) -> ControlRun {
        let body = NewRun(scenario: scenario, lifeSeconds: lifeSeconds)
        return try await decode(ControlRun.self, from: call("POST", ["runs"], body: encode(body)))
    }

    /// What a client under test has to do in a case, with the addresses of the run in it.
    public func assignment(of caseName: String, in run: String) async throws(ControlFailure) -> Assignment {
        let path = ["runs", run, "assignment"]
        return try await decode(Assignment.self, from: call("GET", path, query: ["case": caseName]))
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
        let path = ["runs", run, "grade"]
        let answer = try await call("POST", path, query: ["case": caseName], body: Data(trace))
        return try decode(ControlVerdict.self, from: answer)
    }

    /// Tells the server that the client saw an event, `count` times; when it returns, what waits for it goes on.
    ///
    /// A count of 0 says that the client will report, so that replies wait for it in full. ``ControlReports`` reports what a
    /// recorder writes down by itself.
    public func reached(
        _ event: EventName, task: Int = 0, count: Int = 1, in run: String
    ) async throws(ControlFailure) {
        let body = Reached(event: event.rawValue, task: task, count: count)
        _ = try await call("POST", ["runs", run, "reached"], body: encode(body))
    }

    /// Closes the ports of a run.
    public func deleteRun(_ run: String) async throws(ControlFailure) {
        _ = try await call("DELETE", ["runs", run])
    }

    private struct NewRun: Encodable {
        let scenario: String
        let lifeSeconds: Int?
    }

    private struct Reached: Encodable {
        let event: String
        let task: Int
        let count: Int
    }
}
