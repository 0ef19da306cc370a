internal import ProctorBase
package import ProctorDocument
internal import ProctorSchema

/// What an OpenAPI description of 3.0 or 3.1 says of the requests of a service and of its replies.
package final class APIDescription: Sendable {
    /// The file as the scenario names it, for messages.
    package let file: String
    /// The paths of its servers' URLs, without a slash at their end; `""` where requests have no path before theirs.
    let basePaths: [String]
    /// Paths without parameters first, in the order of the file otherwise.
    let paths: [PathItem]
    /// How many paths could not be read, so that a request of no known path may be of one of them.
    let unreadPathCount: Int
    let place: Place
    /// What could not be read, each with its place, as warnings; it is open to messages that it is about.
    package let openings: [Diagnostic]

    init(
        file: String, basePaths: [String], paths: [PathItem], unreadPathCount: Int, place: Place, openings: [Diagnostic]
    ) {
        (self.file, self.basePaths, self.paths, self.unreadPathCount) = (file, basePaths, paths, unreadPathCount)
        (self.place, self.openings) = (place, openings)
    }

    /// The most paths of a description.
    package static let pathBound = 5_000

    /// A place in the description.
    struct Place: Sendable, Equatable {
        let pointer: String
        let location: SourceLocation
    }

    struct PathItem: Sendable {
        let template: PathTemplate
        let place: Place
        let operations: [Operation]
        /// The path with its query or fragment, of which a request's path shows nothing, so that it is open; else nil.
        let open: String?
    }

    struct Operation: Sendable {
        /// In capital letters.
        let method: String
        /// `POST /orders/{id}`, for messages.
        let name: String
        let place: Place
        let parameters: [Parameter]
        let body: RequestBody?
        let responses: [Response]
        let responsesPlace: Place
        /// Sets of schemes of which one must be met; an empty list asks for nothing.
        let security: [[SecurityScheme]]
        let securityPlace: Place
        /// What of it could not be read that a request is about: `parameter a: the reason`.
        let openings: [String]
        /// The responses whose status could not be read.
        let unreadResponses: [String]
    }

    struct Parameter: Sendable {
        enum Location: String, Sendable, CaseIterable { case path, query, header, cookie }

        enum Style: String, Sendable, CaseIterable {
            case matrix, label, simple, form, spaceDelimited, pipeDelimited, deepObject
        }

        let name: String
        let location: Location
        let isRequired: Bool
        let style: Style
        let explodes: Bool
        let value: Value?
        let place: Place

        enum Value: Sendable {
            /// Text in the parameter's style.
            case styled(JSONSchema.Entry, ValueKind)
            /// Content of a media type, which is JSON.
            case json(JSONSchema.Entry)
        }
    }

    struct RequestBody: Sendable {
        let isRequired: Bool
        let contents: [Media]
        let place: Place
    }

    struct Response: Sendable {
        /// `200`, `4XX` or `default`.
        let status: String
        let headers: [Parameter]
        let contents: [Media]
        let place: Place
        /// What of it could not be read.
        let openings: [String]
    }

    struct Media: Sendable {
        /// In lower case, without parameters: `application/json`, `text/*`.
        let range: String
        /// nil: any content.
        let schema: JSONSchema.Entry?
        let kind: ValueKind
        let place: Place
        /// Why content of that range is not judged; nil: it is.
        let open: String?
    }

    enum SecurityScheme: Sendable {
        case key(name: String, in: Parameter.Location, scheme: String)
        /// An Authorization field of a scheme such as `bearer`.
        case authorization(String, scheme: String)
        /// Nothing in a request shows it.
        case unseen(scheme: String)
    }
}

/// A path with parameters in braces: `/orders/{id}`.
struct PathTemplate: Sendable {
    let text: String
    /// The pieces of each segment.
    private let segments: [[Piece]]

    private enum Piece: Sendable, Equatable {
        case literal([UInt8])
        case parameter(String)
    }

    /// nil where a brace has no partner.
    init?(_ text: String) {
        self.text = text
        var segments: [[Piece]] = []
        for segment in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            var pieces: [Piece] = []
            var rest = Array(segment)[...]
            while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
                guard let close = rest[open...].firstIndex(of: UInt8(ascii: "}")) else { return nil }
                if open > rest.startIndex { pieces.append(.literal(Array(rest[..<open]))) }
                // Two parameters without text between them could not be told apart.
                if case .parameter? = pieces.last { return nil }
                pieces.append(.parameter(String(decoding: rest[(open + 1)..<close], as: UTF8.self)))
                rest = rest[(close + 1)...]
            }
            if rest.contains(UInt8(ascii: "}")) { return nil }
            if !rest.isEmpty { pieces.append(.literal(Array(rest))) }
            segments.append(pieces)
        }
        self.segments = segments
    }

    var names: [String] {
        segments.joined().compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// The values of the parameters, still percent-encoded; nil for another path.
    func match(_ path: ArraySlice<UInt8>) -> [String: [UInt8]]? {
        guard path.first == UInt8(ascii: "/") else { return nil }
        let given = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard given.count == segments.count else { return nil }
        var values: [String: [UInt8]] = [:]
        for (pieces, segment) in zip(segments, given) {
            guard Self.match(pieces[...], segment, &values) else { return nil }
        }
        return values
    }

    /// The text between two literals is as short as can be.
    private static func match(
        _ pieces: ArraySlice<Piece>, _ text: ArraySlice<UInt8>, _ values: inout [String: [UInt8]]
    ) -> Bool {
        var (pieces, rest) = (pieces, text)
        while let piece = pieces.popFirst() {
            switch piece {
            case .literal(let bytes):
                guard rest.starts(with: bytes) else { return false }
                rest = rest.dropFirst(bytes.count)
            case .parameter(let name):
                var end = rest.endIndex
                if case .literal(let next)? = pieces.first {
                    // The last literal stands at the end of the segment.
                    let ends = pieces.count == 1 ? [rest.endIndex - next.count] : Array(rest.indices)
                    guard let match = ends.first(where: { $0 > rest.startIndex && rest[$0...].starts(with: next) })
                    else {
                        return false
                    }
                    end = match
                }
                guard end > rest.startIndex else { return false }
                values[name] = Array(rest[..<end])
                rest = rest[end...]
            }
        }
        return rest.isEmpty
    }
}
