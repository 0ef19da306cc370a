internal import CFiles

/// A file of the folder `CFiles` that the program contains.
package enum ContainedFile {
    /// The whole file with that path below `CFiles`; a name that stands nowhere is an error of the caller's.
    package static func bytes(of name: String) -> [UInt8] {
        guard let file = unsafe proctor_file_named(name) else { preconditionFailure("no file \(name) in CFiles") }
        return unsafe Array(UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count))
    }

    /// The chapters of a file of text, each below its line `--- # NAME`, which begins a document of YAML too; texts end in one
    /// line feed.
    package static func chapters(of file: String) -> [(name: String, text: String)] {
        var chapters: [(name: String, text: String)] = []
        let mark = "--- # "
        for line in String(decoding: bytes(of: file), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropLast() {
            if line.hasPrefix(mark) {
                chapters.append((String(line.dropFirst(mark.count)), ""))
            } else if !chapters.isEmpty {
                chapters[chapters.count - 1].text += "\(line)\n"
            }
        }
        return chapters
    }

    /// One chapter; a name that stands nowhere is an error of the caller's.
    package static func chapter(_ name: String, of file: String) -> String {
        guard let chapter = chapters(of: file).first(where: { $0.name == name }) else {
            preconditionFailure("no chapter \(name) in \(file) of CFiles")
        }
        return chapter.text
    }
}
