internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file of one object of JSON a line, behind a first line that says what the objects are.
///
/// It is read as foreign bytes: what can't be read is left out and named.
struct StorageFile {
    let path: String
    /// What the objects are: `cookies`, `cache`, `credentials`, `hsts` or `download`.
    let kind: StaticString

    /// The most bytes of a file; what would pass it is not written, and a longer file is not read.
    static let byteLimit = 64 << 20
    /// The most objects of a file.
    static let objectLimit = 10_000
    private static let version = 1

    /// Replaces the file at once by the objects that `write` writes, each in a line of its own.
    func replace<Item>(
        with items: [Item], _ write: (Item, inout JSONText) -> Void
    ) throws(CallFailure) {
        var bytes = header
        for item in items.prefix(Self.objectLimit) {
            var line = JSONText()
            line.object { write(item, &$0) }
            line.lineEnd()
            guard Self.byteLimit - bytes.count >= line.byteCount else { continue }
            bytes += line.bytes
        }
        try Self.replace(path, by: bytes)
    }

    /// Writes a new file that only this user may read, and puts it in the place of the one at `path`.
    static func replace(_ path: String, by bytes: [UInt8]) throws(CallFailure) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let (temporary, descriptor) = try NewFile.open(in: folder, named: "new-")
        let failure = FullWrite.write(bytes, to: descriptor).failure
        _ = close(descriptor)
        if let failure {
            _ = unsafe unlink(temporary)
            throw failure
        }
        guard unsafe rename(temporary, path) == 0 else {
            let failure = CallFailure.system("rename \(path)")
            _ = unsafe unlink(temporary)
            throw failure
        }
    }

    private var header: [UInt8] {
        var line = JSONText()
        line.object { line in
            line.member("storage", "proctor-reference")
            line.member("version", Self.version)
            line.member("kind", "\(kind)")
        }
        line.lineEnd()
        return line.bytes
    }

    /// The objects of the file that `read` can read, in order; none where there is no file.
    ///
    /// `problems` gets a sentence for each line that was left out, with the file and the line.
    func objects<Item>(
        _ problems: inout [String], _ read: (StoredObject) throws(StorageProblem) -> Item
    ) -> [Item] {
        guard unsafe access(path, F_OK) == 0 else { return [] }
        guard let bytes = OpenFile.content(of: path, upTo: Self.byteLimit) else {
            problems.append(
                "\(path): it is no file of at most \(Self.byteLimit) bytes that can be read; nothing of it is used")
            return []
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let first = lines.first, Array(first) == header.dropLast() else {
            problems.append(
                "\(path):1: expected \(String(decoding: header.dropLast(), as: UTF8.self)); nothing of the file is used"
            )
            return []
        }
        var items: [Item] = []
        for (number, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            guard items.count < Self.objectLimit else {
                problems.append("\(path):\(number + 1): more than \(Self.objectLimit) objects; the rest is not used")
                break
            }
            do throws(StorageProblem) {
                items.append(try read(try StoredObject(Array(line))))
            } catch {
                // A damaged file may have a fault in each line.
                if problems.count < Self.mostProblems {
                    problems.append("\(path):\(number + 1): \(error.sentence); this object is left out")
                }
            }
        }
        return items
    }

    private static let mostProblems = 20
}

/// Why a line of a file can't be used.
struct StorageProblem: Error {
    let sentence: String
}

/// An object of a file, whose members are checked when they are asked for.
struct StoredObject {
    private let members: [String: JSONTree]

    init(_ line: [UInt8]) throws(StorageProblem) {
        let tree: JSONTree
        do throws(LineFault) {
            tree = try JSONTree.read(line.span)
        } catch {
            throw StorageProblem(sentence: "byte \(error.offset): \(error.sentence)")
        }
        try self.init(tree)
    }

    private init(_ tree: JSONTree) throws(StorageProblem) {
        guard case .object(let members) = tree else { throw StorageProblem(sentence: "expected an object") }
        self.members = members
    }

    /// The text under the key, or the bytes of the base64 text under the key with `Base64` behind it.
    func bytes(_ key: String) throws(StorageProblem) -> [UInt8] {
        if case .text(let bytes)? = members[key] { return bytes }
        guard case .text(let text)? = members["\(key)Base64"] else {
            throw StorageProblem(sentence: "expected a text \"\(key)\", or \"\(key)Base64\"")
        }
        do throws(EncodedTextError) {
            return try Base64Text.decode(text)
        } catch {
            throw StorageProblem(sentence: "\"\(key)Base64\", byte \(error.offset): \(error.sentence)")
        }
    }

    func text(_ key: String) throws(StorageProblem) -> String {
        guard let text = String(validating: try bytes(key), as: UTF8.self) else {
            throw StorageProblem(sentence: "expected UTF-8 in \"\(key)\"")
        }
        return text
    }

    /// A whole number from 0 on.
    func number(_ key: String) throws(StorageProblem) -> Int {
        guard case .number(let number)? = members[key], let value = number.unsigned.flatMap({ Int(exactly: $0) }) else {
            throw StorageProblem(sentence: "expected a whole number from 0 on in \"\(key)\"")
        }
        return value
    }

    func has(_ key: String) -> Bool { members[key] != nil || members["\(key)Base64"] != nil }

    func flag(_ key: String) throws(StorageProblem) -> Bool {
        guard case .flag(let flag)? = members[key] else {
            throw StorageProblem(sentence: "expected true or false in \"\(key)\"")
        }
        return flag
    }

    func objects(_ key: String) throws(StorageProblem) -> [StoredObject] {
        guard case .list(let list)? = members[key] else {
            throw StorageProblem(sentence: "expected a list of objects in \"\(key)\"")
        }
        var objects: [StoredObject] = []
        for item in list { objects.append(try StoredObject(item)) }
        return objects
    }
}
