extension Template {
    /// The text as the value of a field, where a late-bound value must not end the line.
    var inField: Template {
        Template(
            parts: parts.map { part in
                if case .value(let value, _) = part { .value(value, .field) } else { part }
            })
    }

    /// Whether the content, or its length, differs by request or by time.
    package var isOfOneRequest: Bool {
        parts.contains { part in
            switch part {
            case .now, .capture, .value: true
            case .base, .origin, .authority, .host, .port, .literal: false
            }
        }
    }
}

/// Finds out which late-bound parts of JSON stand inside its strings, from its first byte on.
struct JSONPlaces {
    private var isInText = false
    private var isEscaped = false

    mutating func note(_ bytes: some Sequence<UInt8>) {
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

    /// The next text, with the escapes of its values.
    mutating func placed(_ template: Template) -> Template {
        var parts: [Template.Part] = []
        for part in template.parts {
            switch part {
            case .literal(let bytes):
                note(bytes)
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
        // Outside of a string only JSON makes sense, and an escape would break it.
        return .none
    }
}

extension [BodyPiece] {
    /// The pieces as JSON, where values are escaped; bytes of files are not searched for quotes.
    var inJSON: [BodyPiece] {
        var places = JSONPlaces()
        return map { piece in
            switch piece {
            case .bytes(.literal(let bytes)): places.note(bytes)
            case .bytes(.template(let template)): return .bytes(.template(places.placed(template)))
            case .bytes(.file), .bytes(.repeated), .bytes(.pattern), .effect: break
            }
            return piece
        }
    }
}
