internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The archive of files that `make dist` appends to the program: gzip, then 64 bytes that locate it.
///
/// The 64 bytes are a signature, the archive's byte count (64 bits, little-endian), and its SHA-256.
struct AppendedArchive {
    private static let signature = Array("\nproctor files 1\n".utf8) + [UInt8](repeating: 0, count: 7)
    private static let trailerByteCount = 64

    private let program: String
    private let start: Int
    let byteCount: Int
    /// The SHA-256; its first 16 hexadecimal digits are the name of the folder of unpacked files.
    let digest: [UInt8]

    /// nil for a program without an archive, or one that can't be read.
    init?(ofProgram path: String) {
        guard let bytes = try? FilePiece.read(path, fromEnd: Self.trailerByteCount),
            bytes.starts(with: Self.signature)
        else { return nil }
        let rest = bytes.dropFirst(Self.signature.count)
        let stated = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let byteCount = Int(exactly: stated), let size = try? FilePiece.byteCount(of: path),
            byteCount <= size - Self.trailerByteCount
        else { return nil }
        program = path
        start = size - Self.trailerByteCount - byteCount
        self.byteCount = byteCount
        digest = Array(rest.dropFirst(8))
    }

    func read() throws(CallFailure) -> [UInt8] {
        try FilePiece.read(program, from: start, byteCount: byteCount)
    }
}

/// Reads bytes of a file at an offset.
private enum FilePiece {
    static func byteCount(of path: String) throws(CallFailure) -> Int {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .system("stat") }
        return Int(status.st_size)
    }

    static func read(_ path: String, fromEnd byteCount: Int) throws(CallFailure) -> [UInt8] {
        let size = try Self.byteCount(of: path)
        return try read(path, from: max(0, size - byteCount), byteCount: min(byteCount, size))
    }

    static func read(_ path: String, from start: Int, byteCount: Int) throws(CallFailure) -> [UInt8] {
        let descriptor = FileCalls.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var count = 0
        while count < byteCount {
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe FileCalls.pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + count }, byteCount - count, start + count)
            }
            guard result >= 0 else { throw .system("pread") }
            guard result > 0 else { throw CallFailure(call: "pread", code: EIO, text: "the file became shorter") }
            count += result
        }
        return bytes
    }
}
