/// A URLProtocol class that the loading system asks, by `canInit(with:)`, whether it loads a request.
///
/// A request that the class loads is answered by the step's script, else by a response 200 whose content is the class's
/// name.
package struct ProtocolClass: Sendable, Equatable {
    /// The name of the class in the trace.
    package let name: String
    /// The requests that the class loads.
    package let takes: Takes
    /// Where the loading system finds it.
    package let place: Place

    /// Which requests a class loads.
    package enum Takes: Sendable, Equatable {
        case all, none, http, https
        /// Requests with this path; where it ends in `*`, requests whose path begins with the text before the star.
        case path(String)

        /// Reads `all`, `none`, `http`, `https` or a path that begins with a slash; nil for other text.
        package init?(_ text: String) {
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

        /// The text that ``init(_:)`` reads.
        package var text: String {
            switch self {
            case .all: "all"
            case .none: "none"
            case .http: "http"
            case .https: "https"
            case .path(let text): text
            }
        }

        /// A regular expression for the permitted texts, for a JSON schema.
        package static let pattern = "^(all|none|https?|/[^*]*\\*?)$"
    }

    /// Where a class is registered.
    package enum Place: String, Sendable, CaseIterable {
        /// In the configuration of the assignment's session.
        case session
        /// For the whole process, by `registerClass`; only the shared session uses it.
        case global
    }

    /// Makes a class that is listed in the session's configuration.
    package init(_ name: String, takes: Takes = .all, place: Place = .session) {
        (self.name, self.takes, self.place) = (name, takes, place)
    }

    /// Whether the class loads a request; `scheme` in any letter case.
    package func takes(scheme: String?, path: String) -> Bool {
        switch takes {
        case .all: true
        case .none: false
        case .http: scheme?.lowercased() == "http"
        case .https: scheme?.lowercased() == "https"
        case .path(let pattern):
            pattern.hasSuffix("*") ? path.hasPrefix(pattern.dropLast()) : path == pattern
        }
    }

    /// The most classes of an assignment: each needs a Swift class of its own, and Swift makes no classes at run time.
    package static let mostCount = 4
}
