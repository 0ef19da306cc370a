/// One request of a source, and what the source says came, to which a made scenario is held.
///
/// Texts are those of the source but for secrets, so they name its own addresses.
package struct SourceClaim: Sendable {
    /// In the source.
    package let place: String
    package var request: RecordedRequest
    /// The name of the origin that is asked.
    package var origin = "main"
    /// The place of the exchange that answers; nil: any.
    package var answeredBy: String?
    /// Nil: any.
    package var status: Int?
    /// Nil: any.
    package var reason: String?
    /// The fields, one for each field line, in the order of the source.
    package var fields: [(name: String, value: FieldValue)] = []
    /// Whether a field that the source does not have is a difference.
    package var hasAllFields = true
    /// Without codings; nil: any.
    package var content: [UInt8]?
    /// The length of content that is not compared; nil: any.
    package var contentByteCount: Int?

    package enum FieldValue: Sendable {
        /// The field has another value in each reply.
        case any
        case equal([UInt8])
        case begins([UInt8])
        /// The field may be missing.
        case leftOut
    }

    package init(at place: String, _ request: RecordedRequest) {
        (self.place, self.request) = (place, request)
    }
}

/// The text of a description, which replies of the made scenario are held to.
package struct SourceDescription: Sendable {
    package let bytes: [UInt8]
    package let file: String
    /// The path before its paths, by its first server; nil: none.
    package let base: String?
    /// Whether runs of the scenario are held to it too.
    package var isExpected = true

    package var isJSON: Bool { bytes.first { $0 > 0x20 } == UInt8(ascii: "{") }

    /// The name beside the scenario; the underscore says that it is none itself.
    package func name(beside scenario: String) -> String { "_\(scenario)\(nameEnding)" }

    package var nameEnding: String { isJSON ? ".openapi.json" : ".openapi.yaml" }
}
