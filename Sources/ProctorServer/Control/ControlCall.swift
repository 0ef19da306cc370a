internal import ProctorBase
internal import ProctorHTTP

/// A call of the control API, as method and path say it; documented in Docs/control-api.md.
enum ControlCall: Equatable {
    case health
    case listScenarios
    case scenario(String)
    case createRuns
    case listRuns
    case run(String)
    case deleteRun(String)
    case resetRun(String)
    case journal(String)
    case verdict(String)
    case assignment(String)
    case grade(String)
    case reached(String)
    case environment(String)
    case proxyConfiguration(String)
    /// The run that stands for a scenario.
    case standing(String)
    case resetStanding(String)

    /// Everything of the control API lies below this path.
    static let prefix = "/__proctor"

    /// Reads `/__proctor/…`; `path` is without query.
    init(method: String, path: String) throws(ControlError) {
        let segments = path.dropFirst(Self.prefix.count).split(separator: "/").map(String.init)
        let calls = Self.calls(at: segments)
        guard !calls.isEmpty else { throw .unknownPath(path) }
        // HEAD is GET without the content.
        let wanted = method == "HEAD" ? "GET" : method
        guard let call = calls.first(where: { $0.method == wanted }) else {
            throw .methodNotAllowed(method, allowed: calls.map(\.method))
        }
        self = call.call
    }

    private static func calls(at segments: [String]) -> [(method: String, call: ControlCall)] {
        switch segments.first {
        case "health" where segments.count == 1: [("GET", .health)]
        case "scenarios" where segments.count == 1: [("GET", .listScenarios)]
        case "scenarios": [("GET", .scenario(segments.dropFirst().joined(separator: "/")))]
        case "standing" where segments.count > 1: standing(segments.dropFirst())
        case "runs" where segments.count == 1: [("GET", .listRuns), ("POST", .createRuns)]
        case "runs" where segments.count == 2: [("GET", .run(segments[1])), ("DELETE", .deleteRun(segments[1]))]
        case "runs" where segments.count == 3: parts(of: segments[1], segments[2])
        default: []
        }
    }

    /// The call that resets ends like an id may end.
    private static func standing(_ segments: ArraySlice<String>) -> [(method: String, call: ControlCall)] {
        let whole = [(method: "GET", call: ControlCall.standing(segments.joined(separator: "/")))]
        guard segments.last == "reset", segments.count > 1 else { return whole }
        return whole + [("POST", .resetStanding(segments.dropLast().joined(separator: "/")))]
    }

    private static func parts(of run: String, _ name: String) -> [(method: String, call: ControlCall)] {
        switch name {
        case "journal": [("GET", .journal(run))]
        case "verdict": [("GET", .verdict(run))]
        case "assignment": [("GET", .assignment(run))]
        case "grade": [("POST", .grade(run))]
        case "reset": [("POST", .resetRun(run))]
        case "reached": [("POST", .reached(run))]
        case "environment": [("GET", .environment(run))]
        case "proxy.pac": [("GET", .proxyConfiguration(run))]
        default: []
        }
    }
}
