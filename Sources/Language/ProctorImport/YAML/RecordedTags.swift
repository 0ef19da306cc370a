internal import ProctorDocument

/// The tags of recordings: those of YAML 1.1, and those with which PyYAML writes values of Python, of version 2 too.
enum RecordedTags {
    static let lists: Set<String> = ["seq", "python/list", "python/tuple"]
    /// A `BytesIO` is read as the mapping of its state; nothing is made.
    static let mappings: Set<String> = ["map", "python/dict", "python/object/new:_io.BytesIO"]
    private static let texts: Set<String> = ["str", "python/str", "python/unicode"]
    private static let base64: Set<String> = ["binary", "!binary", "python/bytes"]
    /// What follows from the letters all the same.
    private static let plain: Set<String> = [
        "int", "float", "bool", "null", "timestamp", "python/int", "python/long", "python/float", "python/bool",
        "python/none",
    ]

    /// What a tag says that a scalar is.
    enum Scalar {
        /// Bytes in base64.
        case bytes
        /// Text, also where the letters are those of a number.
        case text
        /// What follows from the letters.
        case plain
    }

    /// nil where the tag of a scalar is not known.
    static func scalar(_ tag: String) -> Scalar? {
        let name = DocumentTags.name(tag)
        if base64.contains(name) { return .bytes }
        if texts.contains(name) { return .text }
        return name == "!" || plain.contains(name) ? .plain : nil
    }
}
