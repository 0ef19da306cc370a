import ProctorTestSupport
import Testing

/// Programs for the system's python, whose hashlib computes Digest a second time.
enum PythonHashes {
    static func run(_ program: String, _ input: String) async throws -> String {
        let outcome = try await ChildProcess.run(
            ["/usr/bin/python3", "-E", "-s", "-B", "-c", program], input: Array(input.utf8))
        try #require(outcome.status == 0, "\(outcome.err)")
        return outcome.out
    }

    /// Lines of `algorithm qop user realm password method uri nonce nc cnonce content`, text in hexadecimal digits.
    ///
    /// Gives lines of `response userhash rspauth`. Written from RFC 7616 alone.
    static let digest = """
        import hashlib, sys
        names = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}
        reply = b"the content of the reply"
        for line in sys.stdin:
            algorithm, qop, *rest = line.rstrip("\\n").split(" ")
            user, realm, password, method, uri, nonce, nc, cnonce, content = map(bytes.fromhex, rest)
            def h(*parts):
                return hashlib.new(names[algorithm.replace("-sess", "")], b":".join(parts)).hexdigest().encode()
            a1 = h(user, realm, password)
            if algorithm.endswith("-sess"): a1 = h(a1, nonce, cnonce)
            def respond(method, content):
                a2 = h(method, uri, h(content)) if qop == "auth-int" else h(method, uri)
                return h(a1, nonce, a2) if qop == "none" else h(a1, nonce, nc, cnonce, qop.encode(), a2)
            print(respond(method, content).decode(), h(user, realm).decode(), respond(b"", reply).decode())
        """
}
