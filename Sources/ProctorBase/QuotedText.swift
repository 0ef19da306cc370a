/// A value between quotes, for a sentence.
public enum QuotedText {
    /// In double quotes, or in single ones where it holds a double one itself, as an entity-tag does.
    public static func of(_ text: String) -> String {
        text.contains("\"") ? "'\(text)'" : "\"\(text)\""
    }
}
