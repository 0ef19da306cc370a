public import ProctorBase

/// A value of a YAML file and where it stands; scalars are text, whatever they look like.
public struct Node: Sendable {
    /// What the value is, by its form alone.
    public let content: Content
    /// The file the node was read from.
    public let source: SourceFile
    /// Of the first byte of the value (of the quote, or of `|` and `>`).
    let offset: Int

    /// The three forms of YAML; entries and items are in the order of the file.
    public enum Content: Sendable {
        case scalar(String, Style)
        case sequence([Node])
        case mapping([Entry])
    }

    /// How a scalar was written; quotes and blocks always mean text.
    public enum Style: Sendable, Equatable {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    /// A key and its value.
    public struct Entry: Sendable {
        /// The text of the key, whatever it looks like.
        public let key: String
        /// For the place of messages about the key.
        public let keyNode: Node
        /// What stands after the colon; null when nothing does.
        public let value: Node
    }

    /// Where the value begins.
    public var location: SourceLocation { source.location(at: offset) }

    /// True for plain `null`, `~` and nothing at all; a quoted "null" is text.
    public var isNull: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return text.isEmpty || text == "~" || text == "null"
    }

    /// The text of a scalar that is not null.
    public var text: String? {
        guard case .scalar(let text, _) = content, !isNull else { return nil }
        return text
    }

    /// The text of a plain scalar that is not null; only such a one can be a number or `true` and `false`.
    public var plainText: String? {
        guard case .scalar(_, .plain) = content else { return nil }
        return text
    }

    /// The items of a list.
    public var items: [Node]? {
        guard case .sequence(let items) = content else { return nil }
        return items
    }

    /// The entries of a mapping, in the order of the file.
    public var entries: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// What a message says was found.
    public var found: String {
        switch content {
        case .scalar where isNull: "nothing"
        case .scalar(let text, .plain): "\(quoted(text))"
        case .scalar(let text, _): "the text \(quoted(text))"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// Text in double quotes, with control characters escaped and long text cut; for messages.
public func quoted(_ text: String) -> String {
    var result = "\""
    var count = 0
    for scalar in text.unicodeScalars {
        count += 1
        if count > 60 {
            result += "…"
            break
        }
        switch scalar {
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case "\"": result += "\\\""
        default:
            if scalar.isControl {
                result += scalar.escape
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
    return result + "\""
}
