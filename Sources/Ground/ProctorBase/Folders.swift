#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

package enum FolderList {
    /// The names in no particular order, without `.` and `..`.
    package static func names(in folder: String) throws(CallFailure) -> [String] {
        try entries(in: folder).map(\.name)
    }

    /// What the folder's own list says about a file, without a `stat` of the file.
    package struct Entry: Sendable {
        package let name: String
        package let kind: Kind

        package enum Kind: Sendable {
            case regular
            case folder
            /// A symbolic link, another kind of file, or a kind that the file system does not report.
            case unclear

            package var isRegular: Bool {
                if case .regular = self { true } else { false }
            }
        }
    }

    /// The entries in no particular order, without `.` and `..`.
    package static func entries(in folder: String) throws(CallFailure) -> [Entry] {
        guard let stream = unsafe opendir(folder) else { throw .system("opendir") }
        defer { unsafe closedir(stream) }
        var entries: [Entry] = []
        while true {
            // NULL means the end or a failure, which errno alone tells apart.
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw .system("readdir") }
                return entries
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            guard name != ".", name != ".." else { continue }
            let kind: Entry.Kind =
                switch unsafe Int(entry.pointee.d_type) {
                case Int(DT_REG): .regular
                case Int(DT_DIR): .folder
                default: .unclear
                }
            entries.append(Entry(name: name, kind: kind))
        }
    }
}

package enum TemporaryFolder {
    /// `TMPDIR`, or `/tmp` where that is missing or empty: an empty path would mean the root.
    package static var path: String { path(ofVariable: unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }) }

    /// Makes a folder that no other process has, and that only this user may read; returns its path.
    ///
    /// `beginning` is its path without the six letters at its end; the caller removes the folder. Thread: any.
    package static func make(_ beginning: String) throws(CallFailure) -> String {
        var template = Array("\(beginning)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw .system("mkdtemp \(beginning)XXXXXX") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `value` is the value of TMPDIR.
    static func path(ofVariable value: String?) -> String {
        if let value, !value.isEmpty { value } else { "/tmp" }
    }
}
