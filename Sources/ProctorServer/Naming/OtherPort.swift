internal import ProctorBase
internal import ProctorScenario

/// A declared host that is asked for with a port, or for a scheme, that it is not declared with.
///
/// One rule holds at the shared port and at every front door. A target says the port that the origin is declared with,
/// or none where that is the scheme's own. So does Host, and there the port that the connection came to stands for the
/// scheme's own as well: a URL that leads here has to say it. At the port of one name nothing stands for anything.
struct OtherPort: Equatable {
    /// As it is declared: in lower case, without a point at its end.
    let host: String
    /// Nothing else of the host is declared where this is not nil.
    let onlyScheme: Scheme?
    /// Ascending; at least one.
    let ports: [Int]

    /// `declared` is all that there is of the host; `scheme` is nil for a tunnel, which says none.
    ///
    /// nil for a host that nobody declares.
    init?(_ host: String, declared: [(scheme: Scheme, port: Int)], for scheme: Scheme?) {
        guard let first = declared.first else { return nil }
        let fitting = declared.filter { scheme == nil || $0.scheme == scheme }
        self.host = host
        onlyScheme = fitting.isEmpty ? first.scheme : nil
        ports = Array(Set((fitting.isEmpty ? declared : fitting).map(\.port))).sorted()
    }

    /// What would have been right: half a sentence, behind "wanted".
    var wanted: String {
        let texts = ports.prefix(Self.limit).map(String.init)
        let more = ports.count > Self.limit ? ["\(ports.count - Self.limit) others"] : []
        let list = texts + more
        let text = list.count == 1 ? list[0] : "\(list.dropLast().joined(separator: ", ")) or \(list[list.count - 1])"
        guard let onlyScheme else { return "\(host) as it is declared, with port \(text)" }
        return "\(host) as it is declared, for \(onlyScheme.rawValue) with port \(text)"
    }

    private static let limit = 10

    /// The port that the one which Host says stands for, where it is the one that the connection came to; nil: none.
    ///
    /// `connected` is nil for a Unix socket.
    static func standIn(for said: Int?, _ scheme: Scheme, cameTo connected: Int?) -> Int? {
        said != nil && said == connected ? scheme.defaultPort : nil
    }
}
