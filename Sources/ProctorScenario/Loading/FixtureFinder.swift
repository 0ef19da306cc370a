import ProctorBase
import ProctorDocument

/// Finds the fixture files below the user's paths.
struct FixtureFinder {
    /// The deepest folder; deeper ones are an error.
    ///
    /// Loops of symbolic links are found before.
    private static let deepestFolder = 32

    /// More files are refused.
    private static let mostFiles = 100_000

    private var files: [FixtureFile] = []
    private var diagnostics: [Diagnostic] = []
    /// Identities of files already found, so that overlapping paths load a file once.
    private var seen: Set<Identity> = []

    /// Files named like scenarios, with repeated ones.
    private var namedCount = 0

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: FileBytes.Status) {
            device = status.device
            inode = status.inode
        }
    }

    /// In the order of the paths, sorted by name within a folder.
    static func files(at paths: [String], diagnostics: inout [Diagnostic]) -> [FixtureFile] {
        var finder = FixtureFinder()
        for path in paths { finder.add(path) }
        finder.checkIdentifiers()
        if finder.files.count > mostFiles {
            let sentence = "there are \(finder.files.count) scenarios; at most \(mostFiles) are loaded"
            finder.diagnostics.append(Diagnostic(path: paths.joined(separator: " "), sentence: sentence))
            finder.files.removeLast(finder.files.count - mostFiles)
        }
        diagnostics += finder.diagnostics
        return finder.files
    }

    private mutating func add(_ path: String) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        do {
            let status = try FileBytes.status(path)
            switch status.kind {
            case .folder:
                let before = (files.count, diagnostics.count, namedCount)
                walk(path, below: "", root: FileBytes.realPath(path), ancestors: [Identity(status)])
                if before.0 == files.count, before.1 == diagnostics.count {
                    let isEmpty = before.2 == namedCount
                    let sentence =
                        isEmpty
                        ? "the folder holds no scenario" : "the folder holds no scenario that is not loaded already"
                    diagnostics.append(
                        Diagnostic(path: path, sentence: sentence, hint: "scenarios are files named *.yaml or *.yml"))
                }
            case .regular: addNamedFile(path, status)
            case .other: diagnostics.append(Diagnostic(path: path, sentence: "expected a regular file or a folder"))
            }
        } catch {
            diagnostics.append(Diagnostic(path: path, sentence: "cannot be read: \(error.text)"))
        }
    }

    private mutating func addNamedFile(_ path: String, _ status: FileBytes.Status) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        guard let stem = Self.stem(of: name) else {
            diagnostics.append(
                Diagnostic(path: path, sentence: "a scenario's file name ends in .yaml or .yml, this one does not"))
            return
        }
        guard seen.insert(Identity(status)).inserted else { return }
        files.append(FixtureFile(id: stem, path: path, folder: folder, root: FileBytes.realPath(folder)))
    }

    /// `a.yaml` as `a`; nil for other files.
    private static func stem(of name: String) -> String? {
        for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
            return String(name.dropLast(suffix.count))
        }
        return nil
    }

    private mutating func walk(_ folder: String, below prefix: String, root: String?, ancestors: [Identity]) {
        let names: [String]
        do {
            names = try FileBytes.names(inFolder: folder)
        } catch {
            diagnostics.append(error)
            return
        }
        for name in names where !name.hasPrefix(".") && !name.hasPrefix("_") {
            let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            guard let status = try? FileBytes.status(path) else {
                // A dangling symbolic link matters only for the name of a scenario.
                if Self.stem(of: name) != nil {
                    diagnostics.append(Diagnostic(path: path, sentence: "is a symbolic link to nothing"))
                }
                continue
            }
            switch status.kind {
            case .folder:
                let identity = Identity(status)
                // A link to a folder that contains it is skipped.
                guard !ancestors.contains(identity) else { continue }
                guard ancestors.count < Self.deepestFolder else {
                    diagnostics.append(
                        Diagnostic(path: path, sentence: "folders are nested deeper than \(Self.deepestFolder) levels"))
                    continue
                }
                walk(path, below: "\(prefix)\(name)/", root: root, ancestors: ancestors + [identity])
            case .regular:
                guard let stem = Self.stem(of: name) else { continue }
                namedCount += 1
                guard seen.insert(Identity(status)).inserted else { continue }
                files.append(FixtureFile(id: prefix + stem, path: path, folder: folder, root: root))
            case .other: continue
            }
        }
    }

    /// Ids are parts of URLs: they must be unique, and none may be a folder of another.
    private mutating func checkIdentifiers() {
        var owners: [String: String] = [:]
        var kept: [FixtureFile] = []
        for file in files {
            if let bad = file.id.unicodeScalars.first(where: { !Self.isPermitted($0) }) {
                let sentence = "the name holds \(quoted(String(bad))); a scenario's path becomes part of a URL"
                diagnostics.append(
                    Diagnostic(path: file.path, sentence: sentence, hint: "use letters, digits, '-', '_', '.' and '~'"))
            } else if let owner = owners[file.id] {
                diagnostics.append(
                    Diagnostic(path: file.path, sentence: "the id \(quoted(file.id)) is taken by \(owner)"))
            } else {
                owners[file.id] = file.path
                kept.append(file)
            }
        }
        for file in kept {
            var id = file.id[...]
            while let slash = id.lastIndex(of: "/") {
                id = id[..<slash]
                guard let owner = owners[String(id)] else { continue }
                diagnostics.append(
                    Diagnostic(
                        path: file.path,
                        sentence: "the id \(quoted(file.id)) lies below \(quoted(String(id))), which is the scenario "
                            + owner,
                        hint: "rename one of them: the two would share addresses"))
            }
        }
        files = kept
    }

    private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "~", "/": true
        default: false
        }
    }
}
