package import ProctorOpenAPI

/// An OpenAPI description and what of a scenario is held against it.
package struct DescribedService: Sendable {
    package let description: APIDescription
    /// The index of the origin that it describes; nil: all of them.
    package let origin: Int?
    /// Whether the scenario's own replies are held against it too.
    package let judgesReplies: Bool

    package init(description: APIDescription, origin: Int?, judgesReplies: Bool) {
        self.description = description
        self.origin = origin
        self.judgesReplies = judgesReplies
    }
}
