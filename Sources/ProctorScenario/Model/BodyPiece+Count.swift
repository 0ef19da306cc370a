extension [BodyPiece] {
    /// Bytes of all pieces, if that is known before a reply is made.
    public var byteCount: Int? {
        var sum = 0
        for case .bytes(let source) in self {
            guard let count = source.byteCount else { return nil }
            sum += count
        }
        return sum
    }
}
