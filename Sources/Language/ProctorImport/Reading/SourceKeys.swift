/// The keys of one kind of object in a foreign format: what is read, and what is left out for a reason.
///
/// A key that is neither is told, unless its value is empty.
struct SourceKeys: Sendable {
    private let read: Set<String>
    /// By the key.
    private let ignored: [String: String]
    /// A beginning that the format keeps for extensions, which readers may pass over.
    private let extensions: String?

    /// `read` are names with blanks between; `ignored` are reasons with the names that they are for.
    init(_ read: String, ignored: KeyValuePairs<String, String> = [:], extensions: String? = nil) {
        self.read = Set(read.split(separator: " ").map { String($0) })
        var reasons: [String: String] = [:]
        for (names, reason) in ignored {
            for name in names.split(separator: " ") { reasons[String(name)] = reason }
        }
        (self.ignored, self.extensions) = (reasons, extensions)
    }

    /// Tells the members of an object that are not known here; `what` is the object, as in "the response".
    func check(_ object: SourceValue?, _ what: String, _ remarks: inout ImportRemarks) {
        for (name, value) in object?.members ?? [] where !read.contains(name) && ignored[name] == nil && !value.isEmpty
        {
            if let extensions, name.hasPrefix(extensions) { continue }
            remarks.add(at: value.place, "\(what) has the key \(name), which is not known here, and is left out")
        }
    }
}
