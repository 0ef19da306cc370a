import Foundation
import ProctorTestSupport
import Testing

/// What `proctor serve` prints of requests.
struct RequestLogTests {
    @Test func `a standard error that nobody reads stops no reply, and what was dropped is counted`() async throws {
        let python = try #require(Project.tool("python3"))
        let folder = try TestFolder(Fixtures.files)
        let count = 6_000
        let script = """
            import json, re, signal, socket, subprocess, sys
            server = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            ready = json.loads(server.stdout.readline())
            count, answered = int(sys.argv[1]), 0
            client = socket.create_connection(("127.0.0.1", ready["port"]), 60)
            request = b"GET /plain/hello/ HTTP/1.1\\r\\nHost: 127.0.0.1:%d\\r\\n\\r\\n" % ready["port"]
            for start in range(0, count, 100):
                client.sendall(request * 100)
                got = b""
                while got.count(b"hello\\n") < 100: 
                    piece = client.recv(65536)
                    if not piece: sys.exit("cut off after %d" % answered)
                    got += piece
                answered += 100
            # Only now is anything read; the last request comes after what waited.
            import threading
            lines = []
            reader = threading.Thread(target=lambda: lines.extend(server.stderr)); reader.start()
            server.send_signal(signal.SIGINT)
            client.close()
            code = server.wait(60); reader.join(60)
            text = b"".join(lines).decode()
            printed = len(re.findall("  GET /  200  ", text))
            dropped = sum(int(n) for n in re.findall(r"\\((\\d+) requests? more, which", text))
            print(code, answered, printed + dropped, printed >= 1000, dropped > 0)
            """
        let outcome = try await Child.run(
            ["-c", script, "\(count)", Child.binary, "serve", "\(folder.path)/fixtures", "--port", "0", "--log"],
            program: python)
        #expect(outcome.out == "0 \(count) \(count) True True\n", "\(outcome.err.suffix(2_000))")
    }
}
