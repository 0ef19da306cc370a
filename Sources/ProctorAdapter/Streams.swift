internal import Foundation
internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Standard input, output and error, without buffers.
enum Streams {
    static func write(_ text: String) { _ = FullWrite.write(Array(text.utf8), to: 1) }

    /// One line on standard error.
    static func complain(_ text: String, as program: String) {
        _ = FullWrite.write(Array("\(program): \(text)\n".utf8), to: 2)
    }

    /// Everything up to the end.
    static func readAll(from descriptor: Int32, limit: Int) -> Result<Data, AssignmentReader.Problem> {
        var data = Data()
        while true {
            switch readSome(from: descriptor, into: &data, limit: limit) {
            case .success(true): break
            case .success(false): return .success(data)
            case .failure(let problem): return .failure(problem)
            }
        }
    }

    /// What is there now, behind what was read before; false at the end.
    fileprivate static func readSome(
        from descriptor: Int32, into data: inout Data, limit: Int
    ) -> Result<Bool, AssignmentReader.Problem> {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                let code = errno
                if code == EINTR { continue }
                let failure = CallFailure.system("read", code: code)
                return .failure(AssignmentReader.Problem(text: "standard input can't be read: \(failure)"))
            }
            data += buffer.prefix(count)
            guard data.count <= limit else {
                return .failure(AssignmentReader.Problem(text: "an assignment has at most \(limit) bytes"))
            }
            return .success(count > 0)
        }
    }
}

/// The lines of standard input, one after the other.
struct LineReader {
    private var rest = Data()

    /// Without its line feed; nil at the end.
    mutating func next(limit: Int) -> Result<Data, AssignmentReader.Problem>? {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                let line = Data(rest[..<end])
                rest = Data(rest[(end + 1)...])
                return .success(line)
            }
            switch Streams.readSome(from: 0, into: &rest, limit: limit) {
            case .success(true): break
            case .success(false):
                defer { rest = Data() }
                return rest.isEmpty ? nil : .success(rest)
            case .failure(let problem): return .failure(problem)
            }
        }
    }
}
