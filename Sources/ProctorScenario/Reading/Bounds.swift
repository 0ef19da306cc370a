internal import ProctorCoding

/// What one fixture may ask for, where several rows or messages say it; each bound stands in the message that refuses more.
enum Bounds {
    static let origins = 64
    static let connectionEffects = 1000
    static let exchanges = 1000
    /// With names and without.
    static let guards = 64
    static let replies = 1000
    static let cases = 200
    static let steps = 100
    static let facts = 1000
    static let fields = 1000
    /// Of a value that is generated.
    static let fieldByteCount = 16 << 20
    static let interim = 1000
    static let effects = 1000
    static let chunks = 65_536
    static let slices = 65_536
    /// As many as are undone again.
    static let codings = DecodingChain.depthBound
    static let parts = 1000
    static let answers = 1000
    static let protocolCalls = 1000
    static let specs = 100
    static let times = 1...1_000_000
    static let status = 100...999
    /// 1 TiB.
    static let bodyByteCount = 1 << 40
    /// Ten minutes.
    static let waitNanoseconds = 600_000_000_000
    /// The largest index of a connection, request or step.
    static let index = 0...999_999
}
