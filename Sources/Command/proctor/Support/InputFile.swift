internal import ProctorBase
internal import ProctorEvents

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Why a command ends with ``ExitCode/failure``, the sentence that is printed.
struct InputFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// An error that was printed already, in lines of its own, and ends the command with ``ExitCode/failure``.
struct PrintedFailure: Error {}

extension FolderList {
    /// The names in a folder that need not be there: none where it is missing or may not be read.
    ///
    /// What says nothing of the folder, such as a descriptor that the system has not, is thrown.
    static func namesIfAny(in folder: String) throws(InputFailure) -> [String] {
        do throws(CallFailure) {
            return try names(in: folder)
        } catch {
            guard error.isTransient else { return [] }
            throw InputFailure("\(folder) can't be read: \(error.text)")
        }
    }
}

/// A file that is read in parts from its beginning; `-` is standard input.
struct InputFile: ~Copyable {
    let name: String
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)

    init(_ path: String) throws(InputFailure) {
        name = Self.name(of: path)
        if path == "-" {
            descriptor = STDIN_FILENO
            return
        }
        let opened = FileCalls.open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else {
            let failure = CallFailure.system("open")
            throw InputFailure("\(path) can't be read: \(failure.text)")
        }
        descriptor = opened
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// Passes the next bytes to `body`; false at the end of the file.
    mutating func next<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws -> Bool {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe FileCalls.read(descriptor, bytes.baseAddress, bytes.count)
        }
        guard count >= 0 else {
            let failure = CallFailure.system("read")
            throw InputFailure("\(name) can't be read: \(failure.text)")
        }
        guard count > 0 else { return false }
        try body(buffer.span.extracting(first: count))
        return true
    }

    static func name(of path: String) -> String { path == "-" ? "standard input" : path }

    /// The trace that a command line names, as its operand or with `--trace`.
    static func tracePath(of arguments: ParsedArguments, command: String) throws(UsageError) -> String {
        guard let operand = arguments.operands.first else {
            if let path = arguments["--trace"] { return path }
            throw UsageError("'\(command)' needs a trace: proctor \(command) FILE, or - for standard input")
        }
        guard arguments.operands.count == 1, arguments["--trace"] == nil else {
            throw UsageError("'\(command)' takes one trace, as its operand or with --trace: proctor \(command) FILE")
        }
        return operand
    }

    /// The whole trace; trace and journal can't both be standard input.
    static func trace(at path: String, besideJournal journal: String?, within budget: WorkBudget) throws -> Trace {
        guard path != "-" || journal != "-" else {
            throw UsageError("standard input can't be both the trace and the journal")
        }
        var file = try InputFile(path)
        do {
            return try Trace(file: file.name, within: budget) { try file.next($0) }
        } catch let spent as SpentBudget {
            throw InputFailure("\(file.name) was not read to its end: \(spent); give a shorter trace")
        }
    }

    /// All bytes of the file; a file with more than `limit` bytes is refused.
    static func bytes(of path: String, limit: Int = 1 << 30) throws -> [UInt8] {
        var file = try InputFile(path)
        var bytes: [UInt8] = []
        while try file.next({ bytes.append($0) }) {
            guard bytes.count <= limit else {
                throw InputFailure("\(file.name) has more than \(limit) bytes, which is the limit")
            }
        }
        return bytes
    }
}
