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
