/// Independent programs that check coded bytes.
public enum Judge {
    /// What a program said.
    public struct Verdict: Sendable {
        /// Whether it ended with 0.
        public let isTaken: Bool
        /// Whether the program lacks a module for the check.
        public let isUnknown: Bool
        /// The decoded bytes, up to the first error.
        public let content: [UInt8]
        /// Whole standard error.
        public let complaint: String
    }

    /// The command-line program of a coding, by its registered name; for deflate, which has none, python's zlib.
    ///
    /// A program that this machine does not have is not taken.
    public static func tool(_ coding: String, isRaw: Bool = false, _ coded: [UInt8]) async throws -> Verdict {
        switch coding {
        case "gzip", "x-gzip": try await run(["/usr/bin/env", "gzip", "-dc"], coded)
        case "deflate": try await python(isRaw ? raw : zlib, coded)
        case "br": try await run(["/usr/bin/env", "brotli", "-dc"], coded)
        case "identity": try await run(["/usr/bin/env", "cat"], coded)
        default: try await run(["/usr/bin/env", coding, "-dc"], coded)
        }
    }

    /// Whole input to whole output, with everything that is left over refused; the system's own python is run.
    public static func python(_ program: String, _ coded: [UInt8]) async throws -> Verdict {
        try await run(["/usr/bin/python3", "-E", "-s", "-B", "-c", program], coded)
    }

    /// For ``python(_:_:)``; fails by an exception.
    public static let gzip = "import gzip,sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))"
    /// For ``python(_:_:)``; needs a module that does not come with python, and is unknown where it is not there.
    public static let brotli = """
        import sys
        try: import brotli
        except ImportError: sys.exit(77)
        sys.stdout.buffer.write(brotli.decompress(sys.stdin.buffer.read()))
        """
    /// For ``python(_:_:)``: deflate with its header.
    public static let zlib = deflate(15)
    /// For ``python(_:_:)``: deflate without its header.
    public static let raw = deflate(-15)

    private static func deflate(_ bits: Int) -> String {
        """
        import zlib,sys
        d = zlib.decompressobj(\(bits))
        sys.stdout.buffer.write(d.decompress(sys.stdin.buffer.read()) + d.flush())
        sys.exit(0 if d.eof and not d.unused_data else 1)
        """
    }

    /// Any program that reads standard input to its end.
    public static func run(_ words: [String], _ input: [UInt8]) async throws -> Verdict {
        let outcome = try await ChildProcess.run(words, input: input)
        return Verdict(
            isTaken: outcome.status == 0, isUnknown: outcome.status == 77, content: outcome.output,
            complaint: outcome.err)
    }
}
