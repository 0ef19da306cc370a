public import Foundation
internal import ProctorAssignments
internal import ProctorHarness
package import ProctorRecorder

/// A running `proctor serve` in another process, or on another machine.
public struct RemoteServer: Sendable {
    /// nil: PROCTOR_SERVER and PROCTOR_TOKEN name the server.
    private let place: Place?
    /// The clock of this machine; another one in tests.
    private let clock: RecordingClock

    private enum Place: Sendable {
        case text(String, token: String?)
        case url(URL, token: String?)
    }

    /// The server that PROCTOR_SERVER names, with the token in PROCTOR_TOKEN.
    ///
    /// The environment variables of a scheme or a test plan are set in simulators and on devices; `xcodebuild test`
    /// passes those whose names begin with `TEST_RUNNER_`.
    public static var environment: RemoteServer { RemoteServer(place: nil, clock: .system) }

    /// The server at the `base` of its ready line: `http://192.0.2.7:8088`; `token` is the one given to `serve
    /// --token`.
    public static func server(_ url: URL, token: String? = nil) -> RemoteServer {
        RemoteServer(place: .url(url, token: token), clock: .system)
    }

    /// The server at the `base` of its ready line: `http://192.0.2.7:8088`; `token` is the one given to `serve
    /// --token`.
    public static func server(_ url: String, token: String? = nil) -> RemoteServer {
        RemoteServer(place: .text(url, token: token), clock: .system)
    }

    /// Returns the same server, for a recorder that takes the times of its events from another clock.
    package func recording(by clock: RecordingClock) -> RemoteServer { RemoteServer(place: place, clock: clock) }

    /// A client of the server's control API; the error says what to do.
    func client() throws(ExamFailure) -> ControlClient {
        let (text, token) = try address()
        guard let url = URL(string: text), url.scheme == "http" || url.scheme == "https", url.host != nil else {
            throw ExamFailure(
                "'\(text)' is no URL of a server; the ready line of proctor serve has it as base, such as "
                    + "http://127.0.0.1:8088")
        }
        var client = ControlClient(base: url, token: token)
        client.clock = clock
        return client
    }

    private func address() throws(ExamFailure) -> (text: String, token: String?) {
        switch place {
        case .url(let url, let token): return (url.absoluteString, token)
        case .text(let text, let token): return (text, token)
        case nil:
            let variables = ProcessInfo.processInfo.environment
            guard let text = variables["PROCTOR_SERVER"], !text.isEmpty else {
                throw ExamFailure(
                    "no server is named: start one with proctor serve, and say on: .server(URL, token:), or set "
                        + "PROCTOR_SERVER (such as http://127.0.0.1:8088) and PROCTOR_TOKEN")
            }
            return (text, variables["PROCTOR_TOKEN"].flatMap { $0.isEmpty ? nil : $0 })
        }
    }

    var recordingClock: RecordingClock { clock }
}
