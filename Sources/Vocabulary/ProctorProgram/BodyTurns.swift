extension Assignment {
    /// What has to come before a source of content gives its next piece of ``byteCount`` bytes.
    package enum BodyTurns: String, Sendable, CaseIterable, AssignmentWord {
        /// As much content of the response as was given before: the server answers each piece.
        case echoed
        /// One piece more of it than was given before: the server speaks first.
        case spoken

        /// The bytes of a piece, of the content of the request and of that of the response.
        package static let byteCount = 1_000
    }
}
