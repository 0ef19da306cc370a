internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorPAC
internal import ProctorProgram
internal import ProctorReference
internal import ProctorSOCKS

/// The ways to each URL by the auto-configuration file of an assignment.
///
/// As browsers do it: a file that can't be had, that has an error, or that does not end in time, leads to a server
/// directly.
struct PACRouting: Sendable {
    private let process: PACProcess
    /// nil: the file can't be had.
    private let script: [UInt8]?
    private let names: [String: String]
    private let fault: Fault?

    /// A deliberate fault with the answers of a file, by the label of its breakage.
    enum Fault: String, Sendable, CaseIterable {
        case goesDirectly = "pac-goes-directly"
        case reversesWays = "pac-last-way-first"
        case triesFirstAlone = "pac-first-way-alone"
    }

    /// How long the file may take to come.
    private static let timeLimit = Duration.seconds(3)

    /// Loads the file, by the names of the assignment and through no proxy.
    init(
        _ url: String, of assignment: Assignment, by command: [String], breaking: Breakage?
    ) async throws(CallFailure) {
        process = PACProcess(command: command)
        fault = breaking?.asFault()
        names = (assignment.session.names ?? []).reduce(into: [:]) { names, named in
            names[named.name] = named.address.prefix { $0 != ":" }.description
        }
        var configuration = try ReferenceConfiguration(assignment, breaking: nil)
        configuration.requestTimeout = Self.timeLimit
        configuration.resourceTimeout = Self.timeLimit
        configuration.collectedByteLimit = PACQuestion.scriptByteLimit
        let session = try ReferenceSession(configuration: configuration)
        let loaded = try? await session.data(for: ClientRequest(method: "GET", typed: url))
        session.finishTasksAndInvalidate()
        let content = loaded.flatMap { $0.response.status == 200 ? $0.content : nil }
        // The mark of UTF-8 is no part of a script.
        script = content.map { $0.starts(with: [0xEF, 0xBB, 0xBF]) ? Array($0.dropFirst(3)) : $0 }
    }

    /// Asks the file about a URL; blocks the thread for up to two seconds.
    func findRoutes(_ url: ClientURL) -> [ProxyRoute] {
        guard let script, fault != .goesDirectly else { return [.direct] }
        let question = PACQuestion(
            url: Self.text(of: url), host: url.origin.host, script: script, names: names)
        guard let answer = try? process.findProxies(for: question) else { return [.direct] }
        let routes = answer.entries.map(Self.route)
        return switch fault {
        case .reversesWays: routes.reversed()
        case .triesFirstAlone: Array(routes.prefix(1))
        case .goesDirectly, nil: routes
        }
    }

    /// The URL as the file is told: without user and fragment, and of `https` without path and query, which are not for
    /// everybody who wrote a file.
    private static func text(of url: ClientURL) -> String {
        let target = url.origin.scheme == .https ? "/" : String(decoding: url.target, as: UTF8.self)
        return "\(url.origin.scheme.rawValue)://\(url.origin.authority)\(target)"
    }

    private static func route(_ entry: PACEntry) -> ProxyRoute {
        guard case .proxy(let kind, let host, let port) = entry else { return .direct }
        switch kind {
        case .http: return .proxy(Origin(scheme: .http, host: host, port: port))
        case .https: return .proxy(Origin(scheme: .https, host: host, port: port))
        case .socks4, .socks5:
            let address = UInt16(exactly: port).flatMap { SocketAddress(host: host, port: $0) }
            return .socks(
                SOCKSProxy(
                    address, speaksVersion4: kind == .socks4, looksUpNames: false, user: nil, password: nil))
        }
    }
}
