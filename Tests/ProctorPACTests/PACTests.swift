import ProctorBase
import Testing

@testable import ProctorPAC

struct `The answer of an auto-configuration file` {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String?
        let entries: [PACEntry]
        var unknown: [String] = []
        var testDescription: String { text ?? "nothing" }
    }

    @Test(arguments: [
        Row(text: nil, entries: [.direct]),
        Row(text: "", entries: [.direct]),
        Row(text: " ; ;", entries: [.direct]),
        Row(text: "DIRECT", entries: [.direct]),
        Row(text: "PROXY a:8080", entries: [.proxy(.http, host: "a", port: 8080)]),
        Row(
            text: "PROXY a; SOCKS b; SOCKS5 c:1;HTTPS d\t; http [::1]:9 ;DIRECT",
            entries: [
                .proxy(.http, host: "a", port: 80), .proxy(.socks4, host: "b", port: 1080),
                .proxy(.socks5, host: "c", port: 1), .proxy(.https, host: "d", port: 443),
                .proxy(.http, host: "[::1]", port: 9), .direct,
            ]),
        Row(text: "QUIC a:1; DIRECT", entries: [.direct], unknown: ["QUIC a:1"]),
        Row(
            text: "PROXY;PROXY a:0;PROXY a:65536;PROXY a:b;PROXY :1;PROXY a b;DIRECT x;PROXY u@a:1;PROXY []:1",
            entries: [.direct],
            unknown: [
                "PROXY", "PROXY a:0", "PROXY a:65536", "PROXY a:b", "PROXY :1", "PROXY a b", "DIRECT x", "PROXY u@a:1",
                "PROXY []:1",
            ]),
    ])
    func `ways are read in their order, and the rest is passed over`(row: Row) {
        let answer = PACAnswer(row.text)
        #expect(answer.entries == row.entries && answer.unknown == row.unknown)
    }

    @Test func `every beginning of a text is read, and the most entries are bounded`() {
        let text = "PROXY a:80; SOCKS [::1]:1080; DIRECT"
        for count in 0...text.count {
            let answer = PACAnswer(String(text.prefix(count)))
            #expect(!answer.entries.isEmpty && answer.entries.count <= 3)
        }
        #expect(PACAnswer(String(repeating: "DIRECT;", count: 1_000)).entries.count == PACAnswer.entryLimit)
    }
}

struct `An auto-configuration file` {
    private func find(
        _ body: String, url: String = "http://www.lab.test:8080/a?b", host: String = "www.lab.test",
        names: [String: String] = ["www.lab.test": "10.1.2.3"]
    ) throws -> String? {
        try PACEngine.findProxies(
            for: url, host: host, by: Array("function FindProxyForURL(url, host) { \(body) }".utf8), names: names)
    }

    @Test(arguments: [
        (#"url === "http://www.lab.test:8080/a?b" && host === "www.lab.test""#, "true"),
        (#"isPlainHostName("www")"#, "true"), ("isPlainHostName(host)", "false"),
        (#"dnsDomainIs(host, ".lab.test")"#, "true"), (#"dnsDomainIs(host, ".lab.tes")"#, "false"),
        (#"localHostOrDomainIs("www", "www.lab.test")"#, "true"),
        (#"localHostOrDomainIs("ww", "www.lab.test")"#, "false"),
        ("dnsDomainLevels(host)", "2"), ("dnsResolve(host)", "10.1.2.3"), (#"dnsResolve("other.test")"#, "null"),
        ("isResolvable(host)", "true"), (#"isResolvable("other.test")"#, "false"),
        (#"isInNet(host, "10.1.0.0", "255.255.0.0")"#, "true"), (#"isInNet(host, "10.2.0.0", "255.255.0.0")"#, "false"),
        (#"isInNet("200.1.2.3", "200.0.0.0", "255.0.0.0")"#, "true"), ("myIpAddress()", "127.0.0.1"),
        (#"shExpMatch(url, "*lab.test*")"#, "true"), (#"shExpMatch(host, "www.?ab.test")"#, "true"),
        (#"shExpMatch("axb", "a.b")"#, "false"),
        (#"weekdayRange("SUN", "SAT")"#, "true"), (#"weekdayRange("XYZ")"#, "false"),
        (#"timeRange(0, 23)"#, "true"), ("timeRange(0, 0, 0, 23, 59, 59)", "true"), ("timeRange(1, 2, 3)", "false"),
        (#"dateRange("JAN", "DEC")"#, "true"), ("dateRange(1, 31)", "true"), (#"dateRange(1970, 2037, "GMT")"#, "true"),
        (#"dateRange(1, "JAN", 1970, 31, "DEC", 1971)"#, "false"), ("typeof alert(1)", "undefined"),
    ])
    func `the functions of the document do what it says`(expression: String, value: String) throws {
        #expect(try find("return String(\(expression));") == value)
    }

    @Test func `nothing, an error, a missing function and what is no script are told apart`() throws {
        #expect(try find("return null;") == nil)
        #expect(try find("") == nil)
        #expect(try find("return 7;") == "7")
        for script in ["", "function (", "throw new Error('x')", "function FindProxyForURL() { return nobody; }"] {
            let failure = #expect(throws: PACFailure.self) {
                try PACEngine.findProxies(for: "http://a/", host: "a", by: Array(script.utf8), names: [:])
            }
            #expect(failure?.sentence.isEmpty == false)
        }
    }

    @Test func `no text of a URL or a name can end its literal`() throws {
        let odd = "http://a/\"\\\n\u{2028}é'"
        #expect(try find("return url;", url: odd) == odd)
        #expect(try find(#"return dnsResolve("x\"y");"#, names: ["x\"y": "1.2.3.4"]) == "1.2.3.4")
    }

    @Test func `an array that grows without end meets the bound of memory`() {
        let failure = #expect(throws: PACFailure.self) {
            try PACEngine.findProxies(
                for: "http://a/", host: "a",
                by: Array("function FindProxyForURL() { var a = []; for (;;) a.push('x' + a.length); }".utf8),
                names: [:], memoryByteCount: 4 << 20)
        }
        #expect(failure?.sentence.contains("alloc") == true)
    }
}

struct `The process that runs a file` {
    private let question = PACQuestion(url: "http://a/", host: "a", script: Array("x".utf8), names: ["n": "1", "": ""])

    @Test func `a question is read back, and no part of it is one`() {
        let bytes = question.bytes
        #expect(PACQuestion(bytes) == question)
        for count in 0..<bytes.count {
            if let part = PACQuestion(Array(bytes.prefix(count))) { #expect(part != question) }
        }
        #expect(PACQuestion(bytes + Array("1\nx".utf8)) == nil)
        #expect(PACQuestion(Array("-1\n".utf8)) == nil && PACQuestion(Array("99999999999999999999\n".utf8)) == nil)
    }

    @Test func `a file that does not end is given up in time`() {
        let start = MonotonicClock.nanoseconds
        let process = PACProcess(command: ["/bin/sh", "-c", "sleep 100"], timeLimit: .milliseconds(300))
        let failure = #expect(throws: PACFailure.self) { try process.findProxies(for: question) }
        #expect(failure?.sentence.contains("has not answered within") == true)
        #expect(MonotonicClock.nanoseconds - start < 30_000_000_000)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let command: String
        let entries: [PACEntry]?
        var testDescription: String { command }
    }

    @Test(arguments: [
        Row(command: "cat >/dev/null; printf '=PROXY a:1'", entries: [.proxy(.http, host: "a", port: 1)]),
        Row(command: "cat >/dev/null; printf 0", entries: [.direct]),
        Row(command: "cat >/dev/null; printf '!it threw'", entries: nil),
        Row(command: "cat >/dev/null", entries: nil), Row(command: "exit 3", entries: nil),
        Row(command: "cat >/dev/null; yes", entries: nil),
    ])
    func `what it says is an answer or a failure`(row: Row) {
        let process = PACProcess(command: ["/bin/sh", "-c", row.command], timeLimit: .seconds(30))
        #expect((try? process.findProxies(for: question).entries) == row.entries)
    }

    @Test func `a file that is too long is not run`() {
        let long = PACQuestion(
            url: "", host: "", script: [UInt8](repeating: 0x20, count: PACQuestion.scriptByteLimit + 1))
        let failure = #expect(throws: PACFailure.self) {
            try PACProcess(command: ["/bin/false"]).findProxies(for: long)
        }
        #expect(failure?.sentence.contains("1048576") == true)
    }
}
