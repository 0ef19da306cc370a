/// What the fields that requests and replies have in common say about connection and content.
struct FieldMeaning: Sendable {
    private(set) var contentLength: ContentLengthField?
    private(set) var transferCodings: TransferCodings?
    private(set) var options = ConnectionOptions()
    /// Where the first Upgrade line stands.
    private(set) var upgrade: Int?
    private var seenSingletons: UInt32 = 0

    /// Takes one known field; those of one direction alone say nothing here.
    mutating func take(
        _ field: KnownField, _ place: FieldValue, _ value: Span<UInt8>, lengthLimit: Int, findings: inout Findings
    ) throws(Violation) {
        switch field {
        case .contentLength:
            var length = contentLength ?? ContentLengthField()
            try length.take(value, place, limit: lengthLimit, findings: &findings)
            contentLength = length
        case .transferEncoding:
            var codings = transferCodings ?? TransferCodings(line: place.line)
            try codings.take(value, place, findings: &findings)
            transferCodings = codings
        case .connection: options.take(value, place, findings: &findings)
        case .upgrade: upgrade = upgrade ?? place.line
        case .singleton(let bit):
            if seenSingletons & bit != 0 {
                findings.note(.duplicateField, at: place.line, value.excerpt(0..<value.count))
            }
            seenSingletons |= bit
        case .host, .te, .expect: break
        }
    }

    /// Notes an Upgrade that Connection does not name.
    func checkUpgrade(_ findings: inout Findings) {
        if let upgrade, !options.upgrade { findings.note(.upgradeWithoutConnection, at: upgrade) }
    }

    /// What version and Connection say; close wins over keep-alive (RFC 9112 §9.3).
    func keepsConnection(_ version: HTTPVersion) -> Bool {
        !options.close && (version.hasHTTP11Semantics || options.keepAlive)
    }
}

/// Where a field line and its value stand in the head.
struct FieldValue {
    let entry: FieldSection.Entry

    init(_ entry: FieldSection.Entry) { self.entry = entry }

    var line: Int { entry.raw.lowerBound }

    /// An unfolded value stands nowhere; its line is named instead.
    var value: Int { entry.isUnfolded ? line : entry.value.lowerBound }

    func offset(of element: Range<Int>) -> Int { entry.isUnfolded ? line : value + element.lowerBound }
}
