internal import Foundation
internal import ProctorBase
internal import ProctorProgram

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

enum AssignmentReader {
    struct Problem: Error {
        let text: String
    }

    /// The greatest size of an assignment in bytes: a body of 32 MiB takes 43 MiB in base64.
    static let limit = 64 << 20

    static func assignment(_ data: Data) throws(Problem) -> Assignment {
        guard !data.isEmpty else {
            throw Problem(text: "standard input is empty; expected an assignment, one JSON object")
        }
        let version = try decoded(VersionOnly.self, from: data).version
        guard version == Assignment.currentVersion else {
            throw Problem(
                text: "the assignment has version \(version); this program knows \(Assignment.currentVersion)")
        }
        let assignment = try decoded(Assignment.self, from: data)
        if let fault = fault(of: assignment) { throw Problem(text: fault) }
        return assignment
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, from data: Data) throws(Problem) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            let sentence = (error as? DecodingError)?.sentence ?? "\(error)"
            throw Problem(text: "the assignment can't be read: \(sentence)")
        }
    }

    private struct VersionOnly: Decodable {
        let version: Int
    }

    private static func fault(of assignment: Assignment) -> String? {
        if assignment.steps.isEmpty { return "the assignment has no steps; expected at least one" }
        guard 100...600_000 ~= assignment.deadline else {
            return "deadline: \(assignment.deadline) is out of range; expected 100 to 600000 milliseconds"
        }
        if let storage = assignment.storage, !storage.hasPrefix("/") || storage.utf8.contains(0) {
            return "storage: expected the absolute path of a folder"
        }
        let earlierSteps = assignment.earlierSteps ?? 0
        guard 0...1_000 ~= earlierSteps else {
            return "earlierSteps: \(earlierSteps) is out of range; expected 0 to 1000"
        }
        for (index, step) in assignment.steps.enumerated() {
            if let earlier = step.resume, !(0..<earlierSteps + index).contains(earlier) {
                return "steps[\(index)].resume: \(earlier) is no earlier step"
            }
        }
        return nil
    }
}

extension DecodingError {
    fileprivate var sentence: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.path(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            "\(Self.path(context.codingPath)) is no \(type)"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is no JSON" : "\(Self.path(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "the whole" }
        return keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}

enum Streams {
    static func write(_ text: String) { _ = FullWrite.write(Array(text.utf8), to: 1) }

    static func complain(_ text: String, as program: String) {
        _ = FullWrite.write(Array("\(program): \(text)\n".utf8), to: 2)
    }

    static func readAll(from descriptor: Int32, limit: Int) throws(AssignmentReader.Problem) -> Data {
        var data = Data()
        while try readSome(from: descriptor, into: &data, limit: limit) {}
        return data
    }

    /// Appends the available bytes to `data`; false at the end.
    fileprivate static func readSome(
        from descriptor: Int32, into data: inout Data, limit: Int
    ) throws(AssignmentReader.Problem) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe FileCalls.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 {
                let code = errno
                if code == EINTR { continue }
                let failure = CallFailure.system("read", code: code)
                throw AssignmentReader.Problem(text: "standard input can't be read: \(failure)")
            }
            data += buffer.prefix(count)
            guard data.count <= limit else {
                throw AssignmentReader.Problem(text: "an assignment has at most \(limit) bytes")
            }
            return count > 0
        }
    }
}

struct LineReader {
    private var rest = Data()
    /// The number of bytes of `rest` that contain no line feed, so that a long line in many pieces is searched only
    /// once.
    private var searchedByteCount = 0

    /// The next line without its line feed; nil at the end.
    mutating func next(limit: Int) throws(AssignmentReader.Problem) -> Data? {
        while true {
            if let end = rest.lineFeed(from: searchedByteCount) {
                let line = Data(rest.prefix(end))
                rest = Data(rest.dropFirst(end + 1))
                searchedByteCount = 0
                return line
            }
            searchedByteCount = rest.count
            guard try Streams.readSome(from: 0, into: &rest, limit: limit) else {
                defer { self = LineReader() }
                return rest.isEmpty ? nil : rest
            }
        }
    }
}

extension Data {
    /// The offset of the first line feed at or after `start`.
    fileprivate func lineFeed(from start: Int) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let lineFeed = unsafe memchr(base + start, 0x0A, bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(lineFeed) - base
        }
    }
}
