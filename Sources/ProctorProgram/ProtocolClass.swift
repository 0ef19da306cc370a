/// A URLProtocol class that a loading system asks whether it takes a request.
///
/// A request that it takes is answered by the step's script, else by a response 200 whose content is the class's name.
public struct ProtocolClass: Sendable, Equatable {
    /// Its name in the trace.
    public let name: String
    /// The requests that it takes.
    public let takes: Takes
    /// Where the loading system finds it.
    public let place: Place

    /// Which requests a class takes.
    public enum Takes: Sendable, Equatable {
        case all, none, http, https
        /// Those whose path is this one, or begins with it where it ends in `*`.
        case path(String)

        /// Reads `all`, `none`, `http`, `https` or a path that begins with a slash; nil for other text.
        public init?(_ text: String) {
            switch text {
            case "all": self = .all
            case "none": self = .none
            case "http": self = .http
            case "https": self = .https
            default:
                guard text.hasPrefix("/"), !text.dropLast().contains("*") else { return nil }
                self = .path(text)
            }
        }

        /// As ``init(_:)`` reads it.
        public var text: String {
            switch self {
            case .all: "all"
            case .none: "none"
            case .http: "http"
            case .https: "https"
            case .path(let text): text
            }
        }

        /// The permitted words of a schema: a regular expression.
        package static let pattern = "^(all|none|https?|/[^*]*\\*?)$"
    }

    /// Where a class is registered.
    public enum Place: String, Sendable, CaseIterable {
        /// In the configuration of the assignment's session.
        case session
        /// With the whole process, by `registerClass`; only the shared session asks it.
        case global
    }

    /// Makes a class of the session.
    public init(_ name: String, takes: Takes = .all, place: Place = .session) {
        self.name = name
        self.takes = takes
        self.place = place
    }

    /// Whether it takes a request; `scheme` in any case.
    public func takes(scheme: String?, path: String) -> Bool {
        switch takes {
        case .all: true
        case .none: false
        case .http: scheme?.lowercased() == "http"
        case .https: scheme?.lowercased() == "https"
        case .path(let pattern):
            pattern.hasSuffix("*") ? path.hasPrefix(pattern.dropLast()) : path == pattern
        }
    }

    /// A loading system needs a class of its own for each, and Swift makes none while it runs.
    public static let mostCount = 4
}
