internal import ProctorHTTP
internal import ProctorScenario

extension RequestPattern {
    /// False also for a body that was not kept whole.
    func matchesBody(of request: RequestView) -> Bool {
        switch body {
        case nil: return true
        case .exact(let source):
            guard let got = request.body else { return false }
            return source.equals(got, request.decoded)
        case .form(let items):
            guard case .value(let pairs) = request.decoded?.form else { return false }
            return Self.match(items, pairs.map { ($0.name[...], $0.value[...]) }) != nil
        case .parts(let wanted):
            guard case .value(let parts) = request.decoded?.parts, parts.count == wanted.count else { return false }
            return zip(wanted, parts).allSatisfy { $0.matches($1, request.decoded) }
        }
    }
}

extension PartPattern {
    fileprivate func matches(_ part: FormData.Part, _ decoded: DecodedBody?) -> Bool {
        guard part.name == name else { return false }
        for (pattern, value) in [(fileName, part.fileName), (contentType, part.contentType)] {
            guard let pattern else { continue }
            guard let value, pattern.matches(value) else { return false }
        }
        return body.map { $0.equals(part.content, decoded) } ?? true
    }
}

extension ByteSource {
    /// Whether these are its bytes; generated ones are not made for it, and a sidecar file is read.
    func equals(_ bytes: [UInt8], _ decoded: DecodedBody?) -> Bool {
        switch self {
        case .literal(let wanted): return wanted == bytes
        case .template(let template):
            return (template.literalBytes ?? decoded?.context.map { template.rendered(in: $0) }) == bytes
        case .repeated(let unit, let byteCount):
            guard bytes.count == byteCount, !unit.isEmpty else { return false }
            return bytes.indices.allSatisfy { bytes[$0] == unit[$0 % unit.count] }
        case .pattern(let pattern, let byteCount):
            return bytes.count == byteCount && bytes.indices.allSatisfy { bytes[$0] == pattern.byte(at: $0) }
        case .file(let file):
            guard let decoded else { return file.byteCount == bytes.count && file.wholeBytes == bytes }
            return decoded.equals(file, bytes)
        }
    }
}
