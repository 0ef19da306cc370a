import ProctorBase

extension MethodName {
    /// Every method of every family, in the order of Docs/trace-format.md.
    public static let all: [MethodName] =
        ofSessions + ofSessionTasks + ofConnections + ofDownloads + ofProtocols + ofSenders

    /// The method of that exact spelling.
    public static func named(_ name: String) -> MethodName? {
        let bytes = Array(name.utf8)
        return NameTables.methods.find(bytes.span, 0..<bytes.count).map { NameTables.method(at: $0) }
    }

    /// The spelling, or neutral name, that somebody probably meant to write; takes long enough not to be asked often.
    public static func nearestName(to name: String) -> String? {
        // What differs more in length is no slip of the finger, and not worth a comparison.
        let count = name.utf8.count
        let isNear = { (candidate: String) in abs(candidate.utf8.count - count) <= 3 }
        return NearestName.find(name, in: EventVocabulary.kinds.lazy.map(\.name).filter(isNear))
            ?? NearestName.find(name, in: all.lazy.flatMap(\.spellings).filter(isNear))
    }
}
