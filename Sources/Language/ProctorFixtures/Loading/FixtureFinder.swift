import ProctorBase
import ProctorDocument
import ProctorScenario

/// Finds the fixture files at the user's paths and below them.
struct FixtureFinder {
    /// The most levels of folders; deeper folders are an error.
    ///
    /// Loops of symbolic links are found by other means.
    private static let deepestFolder = 32

    /// The most files; further ones are refused.
    private static let mostFiles = 100_000

    /// The most folders that are listed; listing one takes about 20 µs.
    static let mostFolders = 50_000

    private var files: [FixtureFile] = []
    private var diagnostics: [Diagnostic] = []
    /// Files that were named or found through a link, so that overlapping paths load a file once.
    private var seen: Set<Place> = []
    /// Folders that were listed completely.
    private var walked: Set<Identity> = []
    /// The folders that are being listed, outermost first, with the name of the current entry in each.
    private var open: [(folder: Identity, reached: String)] = []

    /// The rank of the path that is being searched.
    private var rank = 0

    /// Scenarios that another one with the same id replaces.
    private var replaced: [ScenarioFiles.Replacement] = []

    /// The number of files with the name of a scenario, repeated ones included.
    private var namedCount = 0

    /// The number of listed folders, below all paths.
    private var folderCount = 0

    /// The id of the only scenario to find, so that no folder beside its path is listed; nil: all scenarios.
    private let wanted: String?

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: FileBytes.Status) {
            device = status.device
            inode = status.inode
        }
    }

    /// The identity of a file: its folder and its name, by whatever path it was found.
    ///
    /// An inode does not identify it: in an overlay file system, a folder may list another inode than that of the file.
    private struct Place: Hashable {
        let folder: Identity
        let name: String

        init(folder: Identity, name: String) {
            (self.folder, self.name) = (folder, name)
        }

        /// Follows symbolic links; nil when the file no longer exists.
        init?(of path: String) {
            guard let real = FileBytes.realPath(path), let slash = real.lastIndex(of: "/"),
                let folder = try? FileBytes.status(slash == real.startIndex ? "/" : String(real[..<slash]))
            else { return nil }
            self.init(folder: Identity(folder), name: String(real[real.index(after: slash)...]))
        }
    }

    private let folderLimit: Int

    private init(wanted: String?, folderLimit: Int = FixtureFinder.mostFolders) {
        (self.wanted, self.folderLimit) = (wanted, folderLimit)
    }

    /// Finds the file of that id; does not report errors in paths and names.
    static func find(_ id: String, at paths: [FixturePath]) -> ScenarioFiles {
        var finder = FixtureFinder(wanted: id)
        finder.add(paths)
        return ScenarioFiles(
            files: finder.file(of: id).map { [$0] } ?? [], diagnostics: [],
            replaced: finder.replaced.filter { $0.id == id })
    }

    /// Finds all files, one for each id.
    static func find(_ paths: [FixturePath], folderLimit: Int = FixtureFinder.mostFolders) -> ScenarioFiles {
        var finder = FixtureFinder(wanted: nil, folderLimit: folderLimit)
        finder.add(paths)
        if finder.files.count > mostFiles {
            let sentence = "there are \(finder.files.count) scenarios; at most \(mostFiles) are loaded"
            finder.diagnostics.append(Diagnostic(path: paths.map(\.path).joined(separator: " "), sentence: sentence))
            finder.files.removeLast(finder.files.count - mostFiles)
        }
        return ScenarioFiles(files: finder.files, diagnostics: finder.diagnostics, replaced: finder.replaced)
    }

    private mutating func add(_ paths: [FixturePath]) {
        // Of several files with one id the first is used, since the sort is stable.
        for path in paths.sorted(by: { $0.rank < $1.rank }) { add(path) }
        checkIdentifiers()
    }

    private mutating func add(_ place: FixturePath) {
        rank = place.rank
        let path = place.path.count > 1 && place.path.hasSuffix("/") ? String(place.path.dropLast()) : place.path
        do {
            let status = try FileBytes.status(path)
            switch status.kind {
            case .folder:
                let before = (files.count, diagnostics.count, namedCount)
                walk(path, below: place.prefix, root: FileBytes.realPath(path), ancestors: [Identity(status)])
                if folderCount > folderLimit {
                    let count = Plural.count(files.count, "scenario")
                    diagnostics.append(
                        Diagnostic(
                            path: path,
                            sentence:
                                "more than \(folderLimit) folders stand below it, which is the bound; \(count) were "
                                + "found in those",
                            hint: "name the folder of the fixtures alone"))
                    // Each further path may list the same number of folders.
                    folderCount = 0
                }
                // A path with a higher rank may contain only files that were found before.
                if before.0 == files.count, before.1 == diagnostics.count, rank == 0 || before.2 == namedCount {
                    let isEmpty = before.2 == namedCount
                    let sentence =
                        isEmpty
                        ? "the folder holds no scenario" : "the folder holds no scenario that is not loaded already"
                    diagnostics.append(
                        Diagnostic(path: path, sentence: sentence, hint: "scenarios are files named *.yaml or *.yml"))
                }
            case .regular: addNamedFile(path, below: place.prefix)
            case .other: diagnostics.append(Diagnostic(path: path, sentence: "expected a regular file or a folder"))
            }
        } catch {
            diagnostics.append(Diagnostic(unreadable: path, error))
        }
    }

    private mutating func addNamedFile(_ path: String, below prefix: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        guard let stem = Self.stem(of: name) else {
            diagnostics.append(
                Diagnostic(path: path, sentence: "a scenario's file name ends in .yaml or .yml, this one does not"))
            return
        }
        if let wanted, wanted != prefix + stem { return }
        addFile(path, id: prefix + stem, in: folder, FileBytes.realPath(folder))
    }

    /// The name without its extension, `a` for `a.yaml`; nil for other files.
    private static func stem(of name: String) -> String? {
        let bytes = name.utf8
        for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) && bytes.count > suffix.utf8.count {
            return String(name[..<bytes.index(bytes.endIndex, offsetBy: -suffix.utf8.count)])
        }
        return nil
    }

    private mutating func walk(_ folder: String, below prefix: String, root: String?, ancestors: [Identity]) {
        folderCount += 1
        guard folderCount <= folderLimit else { return }
        let entries: [FolderList.Entry]
        do {
            entries = try FileBytes.entries(inFolder: folder).filter { Self.isVisible($0.name) }
        } catch {
            diagnostics.append(error)
            return
        }
        let start = folder == "/" ? folder : folder + "/"
        guard let identity = ancestors.last else { return }
        let isNew = !walked.contains(identity)
        open.append((identity, ""))
        defer {
            open.removeLast()
            // When one scenario is wanted, the other files of the folder were not added.
            if wanted == nil { walked.insert(identity) }
        }
        for entry in entries.sorted(by: { $0.name < $1.name }) {
            let stem = Self.stem(of: entry.name)
            let isFile = entry.kind.isRegular
            guard isFile ? stem != nil : true, isOnTheWay(entry.name, stem, below: prefix) else { continue }
            let path = start + entry.name
            // The folder's entry is enough for a regular file; what a link or a mount point refers to is inspected.
            if isFile, let stem {
                namedCount += 1
                guard isNew, seen.isEmpty || !seen.contains(Place(folder: identity, name: entry.name)) else { continue }
                files.append(file(prefix + stem, path, in: folder, root))
                continue
            }
            open[open.count - 1].reached = entry.name
            let status: FileBytes.Status
            do throws(CallFailure) {
                status = try FileBytes.status(path)
            } catch {
                if error.isTransient {
                    diagnostics.append(Diagnostic(unreadable: path, error))
                } else if stem != nil {
                    // A symbolic link to nothing is an error only when it has the name of a scenario.
                    diagnostics.append(Diagnostic(path: path, sentence: "is a symbolic link to nothing"))
                }
                continue
            }
            switch status.kind {
            case .folder:
                let child = Identity(status)
                // A link to a folder that contains the link is skipped.
                guard !ancestors.contains(child) else { continue }
                guard ancestors.count < Self.deepestFolder else {
                    diagnostics.append(
                        Diagnostic(path: path, sentence: "folders are nested deeper than \(Self.deepestFolder) levels"))
                    continue
                }
                walk(path, below: "\(prefix)\(entry.name)/", root: root, ancestors: ancestors + [child])
            case .regular:
                guard let stem else { continue }
                addFile(path, id: prefix + stem, in: folder, root)
            case .other: continue
            }
        }
    }

    /// Adds a file that was named or found through a link, unless it was found before.
    private mutating func addFile(_ path: String, id: String, in folder: String, _ root: String?) {
        namedCount += 1
        if let place = Place(of: path) {
            if Self.isVisible(place.name), hasPassed(place) { return }
            guard seen.insert(place).inserted else { return }
        }
        files.append(file(id, path, in: folder, root))
    }

    private func file(_ id: String, _ path: String, in folder: String, _ root: String?) -> FixtureFile {
        FixtureFile(id: id, path: path, folder: folder, root: root, rank: rank)
    }

    /// Whether the listing of the file's own folder has found the file already.
    private func hasPassed(_ place: Place) -> Bool {
        walked.contains(place.folder) || open.contains { $0.folder == place.folder && place.name < $0.reached }
    }

    private static func isVisible(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        return first != UInt8(ascii: ".") && first != UInt8(ascii: "_")
    }

    /// Whether an entry is the wanted file, or a folder on its path.
    private func isOnTheWay(_ name: String, _ stem: String?, below prefix: String) -> Bool {
        guard let wanted else { return true }
        return stem.map { prefix + $0 == wanted } ?? false || wanted.hasPrefix("\(prefix)\(name)/")
    }

    /// Reports ids that occur twice, and ids that are a folder of another id, since ids are parts of URLs.
    ///
    /// Sorts the files by id; of several with the same id, the one that was found first is kept.
    private mutating func checkIdentifiers() {
        // The sort is stable, so the file that was found first comes first.
        files.sort { $0.id < $1.id }
        // Files are reached by index: a copy of one retains all its strings.
        var (owner, left) = (nil as Int?, Set<Int>())
        for index in files.indices {
            if let bad = Self.forbidden(in: files[index].id) {
                left.insert(index)
                let sentence = "the name holds \(quoted(String(bad))); a scenario's path becomes part of a URL"
                diagnostics.append(
                    Diagnostic(
                        path: files[index].path, sentence: sentence,
                        hint: "use letters, digits, '-', '_', '.' and '~'"))
            } else if let owner, files[owner].id == files[index].id {
                left.insert(index)
                let (file, owner) = (files[index], files[owner])
                if file.rank > owner.rank {
                    replaced.append(ScenarioFiles.Replacement(id: file.id, path: file.path, successor: owner.path))
                    continue
                }
                diagnostics.append(
                    Diagnostic(path: file.path, sentence: "the id \(quoted(file.id)) is taken by \(owner.path)"))
            } else {
                owner = index
            }
        }
        if !left.isEmpty { files = files.enumerated().filter { !left.contains($0.offset) }.map(\.element) }
        // Files of one folder are adjacent, and their ids have the same prefixes.
        var folder: Substring = ""
        var owners: [FixtureFile] = []
        var given: Set<String> = []
        for index in files.indices {
            let own = Self.folder(of: files[index].id)
            if own != folder {
                folder = own
                owners = Self.prefixes(of: own).compactMap(self.file)
            }
            guard !owners.isEmpty else { continue }
            let file = files[index]
            for owner in owners {
                guard owner.rank == file.rank else {
                    let (kept, left) = owner.rank < file.rank ? (owner, file) : (file, owner)
                    if given.insert(left.id).inserted {
                        replaced.append(
                            ScenarioFiles.Replacement(id: left.id, path: left.path, successor: kept.path))
                    }
                    continue
                }
                diagnostics.append(
                    Diagnostic(
                        path: file.path,
                        sentence: "the id \(quoted(file.id)) lies below \(quoted(owner.id)), which is the scenario "
                            + owner.path,
                        hint: "rename one of them: the two would share addresses"))
            }
        }
        if !given.isEmpty { files.removeAll { given.contains($0.id) } }
    }

    /// The file of that id, among files sorted by id.
    private func file(of id: String) -> FixtureFile? {
        var (low, high) = (0, files.count)
        while low < high {
            let middle = (low + high) / 2
            if files[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < files.count && files[low].id == id ? files[low] : nil
    }

    private static let slash = UInt8(ascii: "/")

    /// `a/b` of `a/b/c`; empty for an id without a folder.
    private static func folder(of id: String) -> Substring {
        var (count, end) = (0, 0)
        for byte in id.utf8 {
            if byte == slash { end = count }
            count += 1
        }
        return id[..<id.utf8.index(id.startIndex, offsetBy: end)]
    }

    /// `a/b/c` as `a/b/c`, `a/b` and `a`; nothing for an empty path.
    private static func prefixes(of path: Substring) -> [String] {
        var prefixes: [String] = []
        var rest = path
        while !rest.isEmpty {
            prefixes.append(String(rest))
            rest = rest.utf8.lastIndex(of: slash).map { rest[..<$0] } ?? ""
        }
        return prefixes
    }

    /// The first character that is not permitted in an id.
    private static func forbidden(in id: String) -> Unicode.Scalar? {
        guard !id.utf8.allSatisfy(isPermitted) else { return nil }
        return id.unicodeScalars.first { scalar in !(UInt8(exactly: scalar.value).map(isPermitted) ?? false) }
    }

    private static func isPermitted(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, slash: true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"): true
        default: false
        }
    }
}
