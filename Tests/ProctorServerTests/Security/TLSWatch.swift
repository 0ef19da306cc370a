import ProctorScenario
import ProctorServer
import ProctorTestSupport

@testable import ProctorProgram

/// A client by python's `ssl` that tells what it saw on the wire below TLS: records, and how the connection ended.
struct TLSWatch {
    /// `handshake` where it did not get further, else `reading`.
    let stage: String
    /// In OpenSSL's words; `-` for none.
    let error: String
    /// `fin`, `reset` or `silent`.
    let end: String
    /// Types of the records that came whole.
    let records: [Int]
    /// Bytes of a record that did not come whole.
    let tailByteCount: Int
    let text: String
    /// `TLSv1.3`, or `-`.
    let version: String
    let isResumed: Bool

    enum Failure: Error { case notReadable(String) }

    /// Asks for `/`, with one more field, until the connection ends or nothing comes for so many seconds, which count only
    /// behind so many records.
    static func run(
        _ run: Run, origin: String = "main", silence: Double = 60, behind recordCount: Int = 0, newest: String = "1.3",
        identity: Bool = false,
        times: Int = 1, field: String = "Connection: close"
    ) async throws -> [TLSWatch] {
        let authority = (run.origin(origin) ?? "").dropFirst("https://".count)
        let parts = authority.split(separator: ":").map(String.init)
        var words = ["/usr/bin/python3", "-E", "-s", "-B", "-c", program, parts[0], parts[1]]
        words += [run.trust ?? "", "\(silence)", "\(recordCount)", newest, "\(times)", field]
        if identity, let item = run.scenario.cases.first, let own = try run.assignment(for: item).session.identity {
            words += [own.certificate, own.key]
        }
        let outcome = try await ChildProcess.run(words)
        let lines = outcome.out.split(separator: "\n").map(String.init)
        guard lines.count == times else { throw Failure.notReadable("\(outcome.out)\n\(outcome.err)") }
        return lines.map { line in
            let words = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            return TLSWatch(
                stage: words[0], error: words[1], end: words[2],
                records: words[3].split(separator: ",").compactMap { Int($0) }, tailByteCount: Int(words[4]) ?? -1,
                text: words[7], version: words[5], isResumed: words[6] == "True")
        }
    }

    private static let program = """
        import socket, ssl, sys
        host, port, ca, silence, least, newest, times, fields = sys.argv[1:9]
        fields = (fields + "\\r\\n").encode() if fields else b""
        context = ssl.create_default_context(cafile=ca)
        context.set_ciphers("ALL:@SECLEVEL=0")
        # Some builds of python take an end without close_notify for one with it.
        context.options &= ~0x80
        if newest == "1.2": context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        context.post_handshake_auth = True
        if len(sys.argv) > 9: context.load_cert_chain(sys.argv[9], sys.argv[10])
        kept = None

        def ends(wire):
            ends = [0]
            while ends[-1] + 5 <= len(wire):
                end = ends[-1] + 5 + int.from_bytes(wire[ends[-1] + 3:ends[-1] + 5], "big")
                if end > len(wire): break
                ends.append(end)
            return ends

        for _ in range(int(times)):
            raw = socket.create_connection((host, int(port)))
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            session = context.wrap_bio(incoming, outgoing, server_hostname=host, session=kept)
            wire, end, error, stage, plain, failed = b"", None, "-", "handshake", b"", False
            while True:
                try:
                    if failed: raise ssl.SSLWantReadError()
                    if stage == "handshake":
                        session.do_handshake()
                        stage = "reading"
                        session.write(b"GET / HTTP/1.1\\r\\nHost: a\\r\\n" + fields + b"\\r\\n")
                    data = session.read(65536)
                    plain += data
                    if data: continue
                    failed = True
                    try: session.unwrap()
                    except ssl.SSLError: pass
                except ssl.SSLWantReadError: pass
                except ssl.SSLError as problem:
                    error, failed = problem.reason or type(problem).__name__, True
                if end is not None: break
                try:
                    # An empty one would take the connection's error away from who reads.
                    if outgoing.pending: raw.sendall(outgoing.read())
                except ConnectionResetError: end = "reset"
                except OSError: pass
                if end is not None: break
                # A crowded machine may take its time until then.
                raw.settimeout(float(silence) if len(ends(wire)) > int(least) else 60)
                try: data = raw.recv(65536)
                except ConnectionResetError: end = "reset"
                except TimeoutError: end = "silent"
                else:
                    if data:
                        wire += data
                        incoming.write(data)
                    else:
                        end = "fin"
                        incoming.write_eof()
                if end in ("reset", "silent") or end and failed: break
            if stage == "reading": kept = session.session
            *starts, position = ends(wire)
            types = [str(wire[start]) for start in starts]
            text = plain.split(b"\\r\\n\\r\\n")[-1].decode()[:200].replace("\\n", " ").replace("|", " ")
            version = session.version() or "-"
            print("|".join([stage, error, end, ",".join(types), str(len(wire) - position), version,
                            str(session.session_reused), text]), flush=True)
            raw.close()
        """
}

extension Run {
    /// The first origin's address for a client that writes bytes of its own.
    var rawBase: String { "http://" + base.dropFirst("https://".count) }
}
