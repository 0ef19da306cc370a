import ProctorEvents
import ProctorNotation

extension Finding {
    /// How a value or an end differs from the wanted one, without the values themselves, which differ from case to
    /// case.
    enum Mismatch: Sendable, Equatable {
        /// There is a value where none is permitted.
        case unwanted
        /// There is no value.
        case missing
        /// A number greater than the wanted ones.
        case more
        /// A number less than the wanted ones.
        case less
        /// The part of a request line that differs.
        case part(RequestParts.Difference)
        /// The name of the first violation or fault that was not wanted.
        case kind(String)
        case other
        /// The end of a load differs.
        case end(EndMismatch)
        /// The callback after which, or within which, the client crashed: `in redirect`; nil: before any.
        case place(String?)
    }

    /// How the end of a load differs from an expression, without regard to the events before the end.
    enum EndMismatch: String, Sendable, CaseIterable {
        case successInPlaceOfError = "wanted an error, got ok"
        case errorInPlaceOfSuccess = "wanted ok, got an error"
        case timeout = "wanted ok, got a timeout"
        case otherError = "wanted another error"
        case interim = "an interim response for the final one"
        case openChallenge = "a challenge is not answered"
        case openRedirect = "a redirect is not followed"
        case otherStatus = "wanted another status"
        case noStatus = "no status"
        case noContent = "wanted content, got none"
        case unwantedContent = "wanted no content, got some"

        /// What the `result` of a load contains.
        struct Seen: Equatable {
            /// The event that ends the load: `complete`.
            let terminal: String
            /// The name of the error; nil: the load succeeded.
            let error: String?
            let status: Int?
            let hasContent: Bool
        }

        init(_ seen: Seen, from wanted: [NotationSymbol]) {
            let ends = wanted.filter { $0.name == seen.terminal }
            let mayFail = ends.contains { $0.arguments.isEmpty || $0.arguments.contains { $0 != .exact("ok") } }
            let maySucceed = ends.contains { $0.arguments.isEmpty || $0.arguments.contains(.exact("ok")) }
            func asks(_ name: EventName) -> Bool { wanted.contains { $0.name == name.rawValue } }
            guard seen.error == nil else {
                self = mayFail ? .otherError : seen.error == "timedOut" ? .timeout : .errorInPlaceOfSuccess
                return
            }
            let responses = wanted.filter { $0.name == EventName.response.rawValue }
            let isWanted = responses.contains { symbol in
                symbol.matches(TraceEventSymbol(symbol.name, seen.status.map(String.init)))
            }
            switch seen.status {
            case let status? where 100..<200 ~= status && status != 101: self = .interim
            case _ where !maySucceed: self = .successInPlaceOfError
            case 401 where !isWanted && asks(.challenge), 407 where !isWanted && asks(.challenge): self = .openChallenge
            case let status? where 300..<400 ~= status && !isWanted && asks(.redirect): self = .openRedirect
            case .some where !isWanted && !responses.isEmpty: self = .otherStatus
            default: self = seen.hasContent ? .unwantedContent : .noContent
            }
        }
    }
}
