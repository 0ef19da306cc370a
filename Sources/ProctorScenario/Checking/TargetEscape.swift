import ProctorBase

/// Looks whether a reference that a client follows leads out of `{{base}}`.
struct TargetEscape {
    /// What holds the reference, for the sentence: `Location`.
    let name: String
    /// How many `..` the request's path can bear.
    let folderDepth: Int

    /// Half a sentence; nil when the reference stays below the base.
    func reason(_ parts: ArraySlice<Template.Part>) -> String? {
        for part in parts {
            switch part {
            case .origin: return "the \(name) contains {{origin}}"
            case .authority: return "the \(name) contains {{authority}}"
            case .host: return "the \(name) contains {{host}}"
            case .port: return "the \(name) contains {{port}}"
            case .literal, .base, .now, .capture: continue
            }
        }
        guard let first = parts.first else { return nil }
        switch first {
        case .base:
            let path = Self.path(parts.dropFirst())
            return Self.climbs(path, from: 0) ? "the \(name) climbs above {{base}}" : nil
        case .literal(let bytes):
            let shown = String(decoding: bytes, as: UTF8.self)
            if bytes.first == UInt8(ascii: "/") { return "the \(name) \"\(shown)\" is an absolute path" }
            if Self.hasScheme(bytes) { return nil }
            guard Self.climbs(Self.path(parts), from: folderDepth) else { return nil }
            return "the \(name) \"\(shown)\" climbs above {{base}}"
        case .origin, .authority, .host, .port, .now, .capture: return nil
        }
    }

    /// The literal text up to `?` or `#`; what is late-bound counts as one character of a segment.
    private static func path(_ parts: ArraySlice<Template.Part>) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            guard case .literal(let literal) = part else {
                bytes.append(UInt8(ascii: "x"))
                continue
            }
            bytes += literal
        }
        return Array(bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    /// Whether `..` segments (percent-encoded ones too, which clients resolve) go above the start.
    private static func climbs(_ path: [UInt8], from depth: Int) -> Bool {
        var depth = depth
        var segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // `{{base}}/a` begins with a slash that opens no folder.
        if path.first == UInt8(ascii: "/") { segments.removeFirst() }
        for segment in segments {
            let text = String(decoding: segment, as: UTF8.self).lowercased()
            switch text {
            case "..", ".%2e", "%2e.", "%2e%2e": depth -= 1
            case ".", "%2e": continue
            default: depth += 1
            }
            if depth < 0 { return true }
        }
        return false
    }

    private static func hasScheme(_ bytes: [UInt8]) -> Bool {
        guard bytes.first?.isASCIILetter == true else { return false }
        let scheme = bytes.prefix {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
        }
        return scheme.count < bytes.count && bytes[scheme.count] == UInt8(ascii: ":")
    }
}
