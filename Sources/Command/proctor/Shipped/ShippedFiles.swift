internal import ProctorBase

/// The folders that come with the program: `fixtures`, `certs`, `clients` and `packs`.
enum ShippedFiles {
    /// The places where the folders may be.
    enum Place: String {
        /// The folder `../share/proctor` of an installed program.
        case installed
        /// The archive inside the program, unpacked into the user's cache.
        case program
        /// The checkout that the program was built in.
        case checkout
    }

    /// The folder of that name; nil when there is none.
    ///
    /// Throws when the archive inside the program can't be unpacked.
    static func folder(_ name: String) throws(UsageError) -> String? {
        try find(name)?.folder
    }

    /// The folder of that name, and the kind of its place.
    static func find(_ name: String) throws(UsageError) -> (place: Place, folder: String)? {
        if let shortage = RunningProgram.shortage {
            throw UsageError("the files that come with this program can't be found: \(shortage.text)")
        }
        guard var folder = RunningProgram.folder else { return nil }
        // The path has no links, so that its last component can be cut off.
        let prefix = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        if try isFolder("\(prefix)/share/proctor/\(name)") { return (.installed, "\(prefix)/share/proctor/\(name)") }
        if let unpacked = try unpacked.get() {
            return try isFolder("\(unpacked)/\(name)") ? (.program, "\(unpacked)/\(name)") : nil
        }
        while !folder.isEmpty {
            if try isFolder("\(folder)/\(name)") { return (.checkout, "\(folder)/\(name)") }
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        }
        return nil
    }

    private static func isFolder(_ path: String) throws(UsageError) -> Bool {
        do throws(InputFailure) { return try FileKind.certain(of: path) == .folder } catch {
            throw UsageError(error.description)
        }
    }

    /// The folder of the unpacked archive; nil for a program without one.
    ///
    /// It is unpacked when it is first asked for.
    private static let unpacked: Result<String?, UsageError> = {
        guard let program = RunningProgram.path, let archive = AppendedArchive(ofProgram: program) else {
            return .success(nil)
        }
        do throws(UsageError) {
            return .success(try UnpackedFiles(archive: archive).folder())
        } catch {
            return .failure(error)
        }
    }()
}
