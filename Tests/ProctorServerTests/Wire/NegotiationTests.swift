import ProctorCoding
import ProctorServer
import Testing

/// What Accept-Encoding gets (RFC 9110 §12.5.3).
struct NegotiationTests {
    struct Row: CustomTestStringConvertible, Sendable {
        /// nil: no field.
        let accepts: String?
        /// nil: 406.
        let coding: String?
        var testDescription: String { "\(accepts ?? "no field") gets \(coding ?? "406")" }
    }

    static let rows: [Row] = [
        Row(accepts: nil, coding: "identity"),
        Row(accepts: "", coding: "identity"),
        Row(accepts: "gzip", coding: "gzip"),
        Row(accepts: "GZIP", coding: "gzip"),
        Row(accepts: "gzip, br", coding: "br"),
        Row(accepts: "gzip;q=1, br;q=0.9", coding: "gzip"),
        Row(accepts: "gzip;q=0.5, br;q=0.500", coding: "br"),
        Row(accepts: "*", coding: "br"),
        Row(accepts: "br;q=0, *", coding: "gzip"),
        Row(accepts: "zstd", coding: "identity"),
        Row(accepts: "identity;q=1, gzip;q=0.1", coding: "identity"),
        Row(accepts: "gzip;q=0, br;q=0", coding: "identity"),
        Row(accepts: "zstd, identity;q=0", coding: nil),
        Row(accepts: "*;q=0", coding: nil),
        Row(accepts: "gzip, *;q=0", coding: "gzip"),
    ]

    @Test(arguments: rows)
    func `the client gets what it likes best`(_ row: Row) async throws {
        let reply = """
            { status: 200, headers: { Vary: Accept-Encoding, Content-Type: text/plain }, body: hello hello hello hello,
              coding: { negotiate: [ br, gzip ] } }
            """
        let request = row.accepts.map { String.request("GET /", "Accept-Encoding: \($0)") } ?? .request("GET /")
        // Every variant is planned twice, and asked for after another one.
        let got = try await withRun(always(reply)) { run in
            var got: [Wire.Received] = []
            for text in [request, .request("GET /", "Accept-Encoding: br"), .request("GET /"), request] {
                got.append(try await exchange(text, with: run.base))
            }
            #expect(got[0] == got[3])
            return got[0].bytes
        }
        let content = Array("hello hello hello hello".utf8)
        let fields = "Vary: Accept-Encoding\r\nContent-Type: text/plain\r\n"
        guard let name = row.coding else {
            let sentence =
                "Accept-Encoding forbids all that there is: br, gzip, and the content as it is (identity)\n"
            let wanted =
                "HTTP/1.1 406 Not Acceptable\r\nVary: Accept-Encoding\r\nContent-Type: text/plain; charset=utf-8\r\n"
                + "Content-Length: \(sentence.utf8.count)\r\n\r\n\(sentence)"
            #expect(String(decoding: got, as: UTF8.self) == wanted)
            return
        }
        let coding = try #require(ContentCoding(rawValue: name))
        let body = coding == .identity ? content : try CodingEncoder.encode(content, steps: [CodingStep(coding)])
        let said = coding == .identity ? "" : "Content-Encoding: \(name)\r\n"
        #expect(got == Array("HTTP/1.1 200 OK\r\n\(fields)\(said)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
    }
}
