import ProctorBase

/// Looks whether a field of a reply sends the client out of `{{base}}`.
struct FieldEscape {
    let field: ReplyField
    /// How many `..` the request's path can bear.
    let folderDepth: Int

    /// Half a sentence; nil when the field stays below the base.
    var reason: String? {
        let name = String(decoding: field.name, as: UTF8.self)
        switch name.lowercased() {
        case "location", "content-location": return reason(field.value.parts[...])
        case "refresh": return reason(Self.after("url=", in: field.value.parts))
        case "link": return Self.linkTargets(in: field.value.parts).lazy.compactMap { reason($0) }.first
        case "set-cookie":
            guard let path = Self.cookiePath(field.value) else { return nil }
            return "the Set-Cookie has the absolute path \"\(path)\""
        default: return nil
        }
    }

    private func reason(_ parts: ArraySlice<Template.Part>) -> String? {
        TargetEscape(name: String(decoding: field.name, as: UTF8.self), folderDepth: folderDepth).reason(parts)
    }

    /// What follows a marker that stands in a literal part, without quotes and spaces before it.
    private static func after(_ marker: String, in parts: [Template.Part]) -> ArraySlice<Template.Part> {
        for (index, part) in parts.enumerated() {
            guard case .literal(let bytes) = part else { continue }
            let text = bytes.map(\.asciiLowercased)
            guard let found = text.firstRange(of: Array(marker.utf8)) else { continue }
            let rest = bytes[found.upperBound...].drop { $0 == 0x20 || $0 == 0x22 || $0 == 0x27 }
            return (rest.isEmpty ? [] : [.literal(Array(rest))]) + parts[(index + 1)...]
        }
        return []
    }

    /// What stands between `<` and `>` (RFC 8288 §3).
    private static func linkTargets(in parts: [Template.Part]) -> [ArraySlice<Template.Part>] {
        var targets: [ArraySlice<Template.Part>] = []
        var current: [Template.Part]?
        for part in parts {
            guard case .literal(let bytes) = part else {
                current?.append(part)
                continue
            }
            var literal: [UInt8] = []
            for byte in bytes {
                if byte == UInt8(ascii: "<"), current == nil {
                    current = []
                    literal = []
                } else if byte == UInt8(ascii: ">"), let open = current {
                    targets.append((open + (literal.isEmpty ? [] : [.literal(literal)]))[...])
                    current = nil
                } else {
                    literal.append(byte)
                }
            }
            if current != nil, !literal.isEmpty { current?.append(.literal(literal)) }
        }
        return targets
    }

    /// The value of a Path attribute that begins with a slash (RFC 6265 §5.2.4).
    private static func cookiePath(_ value: Template) -> String? {
        var bytes: [UInt8] = []
        for case .literal(let literal) in value.parts { bytes += literal }
        for attribute in bytes.split(separator: UInt8(ascii: ";")).dropFirst() {
            let text = String(decoding: attribute, as: UTF8.self).trimmingSpaces
            guard text.lowercased().hasPrefix("path=") else { continue }
            let path = String(text.dropFirst(5)).trimmingSpaces
            if path.hasPrefix("/") { return path }
        }
        return nil
    }
}

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
