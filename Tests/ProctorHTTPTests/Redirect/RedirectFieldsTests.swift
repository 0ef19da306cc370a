import ProctorHTTP
import Testing

struct RedirectFieldsTests {
    private func next(_ names: [String], keepsContent: Bool = true, isSameOrigin: Bool = true) -> [String] {
        RedirectFields.next(
            names.map { HTTPField($0, "x") }, keepsContent: keepsContent, isSameOrigin: isSameOrigin
        ).map(\.name)
    }

    @Test func `inside one origin the caller's fields go along`() {
        let names = ["Authorization", "Cookie", "Accept", "X-Trace", "Content-Type", "Content-Length", "Referer"]
        #expect(next(names) == names)
    }

    @Test func `fields of the connection and the proxy are made anew`() {
        #expect(
            next([
                "HOST", "connection", "Keep-Alive", "TE", "Transfer-Encoding", "Upgrade", "Proxy-Authorization",
                "Proxy-Connection", "X-End",
            ]) == ["X-End"])
    }

    @Test func `a field that Connection names is one of them`() {
        let fields = [HTTPField("Connection", "close, x-hop"), HTTPField("X-Hop", "1"), HTTPField("X-End", "2")]
        #expect(
            RedirectFields.next(fields, keepsContent: true, isSameOrigin: true) == [HTTPField("X-End", "2")])
    }

    @Test func `fields that speak of the content go with it`() {
        let names = [
            "Content-Type", "content-language", "Content-Length", "Content-Encoding", "Content-Location", "Digest",
            "Last-Modified", "Expect", "Trailer", "X-Trace",
        ]
        #expect(next(names, keepsContent: false) == ["X-Trace"])
        #expect(next(names, keepsContent: true) == names)
    }

    @Test func `to another origin goes only what can be no secret`() {
        #expect(
            next(
                [
                    "Authorization", "Cookie", "X-Api-Key", "Accept", "ACCEPT-language", "Content-Type", "Range",
                    "Referer",
                ],
                isSameOrigin: false) == ["Accept", "ACCEPT-language", "Content-Type", "Range"])
        #expect(next(["Content-Type", "Accept"], keepsContent: false, isSameOrigin: false) == ["Accept"])
    }

    @Test func `values and order stay`() {
        let fields = [HTTPField(name: "X-B", bytes: [0xFF]), HTTPField("X-A", "1"), HTTPField("x-b", "2")]
        #expect(RedirectFields.next(fields, keepsContent: true, isSameOrigin: true) == fields)
    }
}
