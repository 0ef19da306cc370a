/// The tags of recordings: those of YAML 1.1, and those with which PyYAML writes values of Python, of version 2 too.
enum DocumentTags {
    private static let standard = "tag:yaml.org,2002:"

    /// Without the beginning that tags of YAML have: `str`, `python/unicode`.
    static func name(_ tag: String) -> String {
        tag.hasPrefix(standard) ? String(tag.dropFirst(standard.count)) : tag
    }

    /// As it is written in a file.
    static func shown(_ tag: String) -> String { tag.hasPrefix(standard) ? "!!\(name(tag))" : tag }

    static let lists: Set<String> = ["seq", "python/list", "python/tuple"]
    static let mappings: Set<String> = ["map", "python/dict"]
    private static let texts: Set<String> = ["str", "python/str", "python/unicode"]
    private static let base64: Set<String> = ["binary", "!binary", "python/bytes"]
    /// What follows from the letters all the same.
    private static let plain: Set<String> = [
        "int", "float", "bool", "null", "timestamp", "python/int", "python/long", "python/float", "python/bool",
        "python/none",
    ]

    /// The style of a scalar with the tag, whose own style is `style`; nil where the tag is not known.
    static func style(of tag: String, _ style: Node.Style) -> Node.Style? {
        let name = name(tag)
        if tag == "!" { return style }
        if base64.contains(name) { return .base64 }
        // A plain 12 is a text by its tag.
        if texts.contains(name) { return style == .plain ? .doubleQuoted : style }
        return plain.contains(name) ? style : nil
    }
}
