internal import ProctorCoding

/// What one fixture may ask for; each bound stands in the message that refuses more.
enum Bounds {
    static let origins = 64
    static let connectionEffects = 1000
    static let exchanges = 1000
    /// With names and without.
    static let guards = 64
    /// Of one guard.
    static let accounts = 100
    static let tokens = 100
    static let schemes = 16
    /// Of one scheme that is offered only.
    static let messages = 100
    static let domain = 100
    static let scopes = 100
    static let overrides = 100
    /// A realm, a name, a token and the like.
    static let guardTextByteCount = 16_384
    static let failures = 0...1_000_000
    static let seeds = 0...Int.max
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
    static let chunkDigits = 1...64
    static let chunkExtensionByteCount = 16_384
    static let slices = 65_536
    /// As many as are undone again.
    static let codings = DecodingChain.depthBound
    static let trailingByteCount = 65_536
    /// A name, a comment or the extra field of a gzip header.
    static let gzipTextByteCount = 65_535
    static let parts = 1000
    /// Of a target or a field line, of a head, and of the number of its field lines, where an origin says them itself.
    static let lineByteCount = 16...1 << 20
    static let headByteCount = 64...4 << 20
    static let fieldLines = 0...10_000
    /// Of one step of a script on a connection that is no HTTP any more.
    static let expectedByteCount = 1...1 << 20
    static let receiveBuffer = 256...1 << 20
    /// Of what OpenSSL is told.
    static let cipherTextByteCount = 4_096
    /// Of the groups for Diffie-Hellman over finite fields.
    static let dhBits = [512, 768, 1024, 2048, 3072, 4096]
    /// Of a file of certificates, and of one with a key.
    static let pemByteCount = 1 << 20
    static let applicationProtocols = 100
    static let answers = 1000
    static let protocolCalls = 1000
    static let edges = 100
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
