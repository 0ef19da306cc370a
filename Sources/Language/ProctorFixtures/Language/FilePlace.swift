internal import ProctorBase
internal import ProctorDocument

/// Where in a tree of YAML a place of the file is.
enum FilePlace {
    /// The keys that lead to the last value that begins at or before the place; empty for what is no YAML.
    ///
    /// An item of a list has the keys of the list.
    static func keys(at place: SourceLocation, in file: [UInt8]) -> [String] {
        guard let root = Document.parse(file, file: place.file).root else { return [] }
        var keys: [String] = []
        descend(root, [], to: place, &keys)
        return keys
    }

    private static func descend(_ node: Node, _ path: [String], to place: SourceLocation, _ keys: inout [String]) {
        for entry in node.entries ?? [] where !isBehind(entry.keyNode.location, place) {
            keys = path + [entry.key]
            descend(entry.value, path + [entry.key], to: place, &keys)
        }
        for item in node.items ?? [] where !isBehind(item.location, place) {
            keys = path
            descend(item, path, to: place, &keys)
        }
    }

    private static func isBehind(_ location: SourceLocation, _ place: SourceLocation) -> Bool {
        (location.line, location.column) > (place.line, place.column)
    }
}
