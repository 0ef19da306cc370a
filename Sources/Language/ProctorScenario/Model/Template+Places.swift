extension Template {
    /// The template for a field value, in which a late-bound value must not end the line.
    package var inField: Template {
        Template(
            parts: parts.map { part in
                if case .value(let value, _) = part { .value(value, .field) } else { part }
            })
    }

    /// Whether the content, or its length, may differ between requests or over time.
    package var isOfOneRequest: Bool {
        parts.contains { part in
            switch part {
            case .now, .capture, .value: true
            case .base, .origin, .authority, .host, .port, .literal: false
            }
        }
    }
}

/// Finds which late-bound parts of JSON text stand inside JSON strings; reads the text from its first byte.
struct JSONPlaces {
    private var isInText = false
    private var isEscaped = false

    package mutating func follow(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if isInText, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText.toggle()
            }
        }
    }

    /// The next part of the text, with the escapes for its late-bound values.
    mutating func placed(_ template: Template) -> Template {
        var parts: [Template.Part] = []
        for part in template.parts {
            switch part {
            case .literal(let bytes):
                follow(bytes)
                parts.append(part)
            case .capture(let name): parts.append(isInText ? .value(.capture(name), .jsonText) : part)
            case .value(let value, _): parts.append(.value(value, escape(of: value)))
            case .base, .origin, .authority, .host, .port, .now: parts.append(part)
            }
        }
        return Template(parts: parts)
    }

    private func escape(of value: LateValue) -> LateEscape {
        if isInText { return .jsonText }
        if case .json = value { return .jsonValue }
        // Outside a string, only a value that is JSON is valid, and escapes would change it.
        return .none
    }
}

extension [BodyPiece] {
    /// Whether the escapes of JSON change any late value, in ``inJSON``.
    package var hasJSONEscapes: Bool {
        contains { piece in
            guard case .bytes(.template(let template)) = piece else { return false }
            return template.parts.contains { part in
                if case .value(_, let escape) = part { escape == .jsonText || escape == .jsonValue } else { false }
            }
        }
    }

    /// The pieces as JSON, with escaped values; bytes of files are not searched for quotes.
    package var inJSON: [BodyPiece] {
        var places = JSONPlaces()
        return map { piece in
            switch piece {
            case .bytes(.literal(let bytes)): places.follow(bytes)
            case .bytes(.template(let template)): return .bytes(.template(places.placed(template)))
            case .bytes(.file), .bytes(.repeated), .bytes(.pattern), .effect: break
            }
            return piece
        }
    }
}
