@testable import ProctorHTTP2

/// Field sections: requests, responses and trailers (RFC 9113 §8).
enum MessageRows {
    static let rows: [Row] = requests + responses + trailers + lengths

    private static let base = Row.Step.request
    private static let missing = "pseudo-field-missing P stream 9113 §8.3"
    private static let twice = "pseudo-field-twice P stream 9113 §8.3"
    private static let unknown = "pseudo-field-unknown P stream 9113 §8.3"
    private static let bad = "bad-pseudo-field P stream 9113 §8.3.1"
    private static let name = "bad-field-name P stream 9113 §8.2.1"
    private static let value = "bad-field-value P stream 9113 §8.2.1"
    private static let connection = "connection-specific-field P stream 9113 §8.2.2"
    private static let extra = "connect-with-extra-fields P stream 9113 §8.5"

    private static let requests: [Row] = {
        let cases: [(String, [String])] = [
            (base, []), ("", [missing, missing, missing]),
            (":scheme=https|:path=/", [missing]), (":method=GET|:path=/", [missing]),
            (":method=GET|:scheme=https", [missing]),
            (":method=GET|:scheme=https|:path=/", []), (":method=GET|:scheme=https|:path=/|host=a", []),
            (":path=/|:scheme=https|:method=GET", []),
            (base + "|:method=GET", [twice]), (base + "|:path=/x", [twice]), (base + "|:scheme=http", [twice]),
            (base + "|:authority=a", [twice]),
            (base + "|:status=200", [unknown]), (base + "|:x=y", [unknown]), (base + "|:Method=GET", [unknown]),
            (base + "|:=", [unknown]),
            (":method=GET|:scheme=https|x=y|:path=/", ["pseudo-field-misplaced P stream 9113 §8.3"]),
            (":method=GET|:scheme=https|:path=/|x=y|:authority=a", ["pseudo-field-misplaced P stream 9113 §8.3"]),
            (base + "|X-A=b", ["upper-case-name P stream 9113 §8.2.1"]), (base + "|x-a=B", []),
            (base + "|=b", [name]), (base + "|x a=b", [name]), (base + "|x:a=b", [name]), (base + "|x\u{7F}=b", [name]),
            (base + "|x\u{0}=b", [name]), (base + "|x\u{FF}=b", [name]), (base + "|x!#$%&'*+-.^_`~9=b", []),
            (base + "|x(=b", [name]),
            (base + "|x=a\u{0}b", [value]), (base + "|x=a\rb", [value]), (base + "|x=a\nb", [value]),
            (base + "|x= a", [value]), (base + "|x=a ", [value]), (base + "|x=\ta", [value]),
            (base + "|x=a\t", [value]),
            (base + "|x= ", [value]), (base + "|x=a b\tc", []), (base + "|x=", []), (base + "|x=\u{80}\u{FF}", []),
            (base + "|connection=close", [connection]), (base + "|proxy-connection=x", [connection]),
            (base + "|keep-alive=5", [connection]), (base + "|transfer-encoding=chunked", [connection]),
            (base + "|upgrade=h2c", [connection]),
            (base + "|te=trailers", []), (base + "|te=gzip", ["bad-te P stream 9113 §8.2.2"]),
            (base + "|te=trailers, gzip", ["bad-te P stream 9113 §8.2.2"]),
            (base + "|host=a", []), (base + "|host=b", ["host-differs-from-authority P stream 9113 §8.3.1"]),
            (":method=GE T|:scheme=https|:path=/", [bad]), (":method=|:scheme=https|:path=/", [bad]),
            (":method=get|:scheme=https|:path=/", []),
            (":method=GET|:scheme=1x|:path=/", [bad]), (":method=GET|:scheme=|:path=/", [bad]),
            (":method=GET|:scheme=ftp|:path=", []),
            (":method=GET|:scheme=https|:path=", [bad]), (":method=GET|:scheme=https|:path=x", [bad]),
            (":method=GET|:scheme=https|:path=*", [bad]), (":method=OPTIONS|:scheme=https|:path=*", []),
            (":method=GET|:scheme=https|:path=//", []), (":method=GET|:scheme=https|:path=/ ", [value]),
            (":method=GET|:scheme=https|:path=/|:authority=u@a", [bad]),
            (":method=GET|:scheme=https|:path=/\u{0}", [value]),
            (":method=CONNECT|:authority=a:443", []), (":method=CONNECT", [missing]),
            (":method=CONNECT|:authority=a:443|:scheme=https", [extra]),
            (":method=CONNECT|:authority=a:443|:path=/", [extra]),
            (
                ":method=CONNECT|:authority=a|:scheme=https|:path=/|:protocol=websocket",
                ["protocol-not-enabled P stream 8441 §4"]
            ),
            (base + "|cookie=a|cookie=b", []),
        ]
        var rows = cases.map { fields, expected in
            Row("request \(fields.debugDescription)", .server, [.head(1, fields)], expected)
        }
        let enabled = Row.Step.ourSet(.enableConnectProtocol, 1)
        rows.append(
            Row(
                "an extended CONNECT", .server,
                enabled + [
                    .head(1, ":method=CONNECT|:authority=a|:scheme=https|:path=/|:protocol=websocket", ends: false)
                ]))
        rows.append(
            Row(
                "an extended CONNECT without :path", .server,
                enabled + [.head(1, ":method=CONNECT|:authority=a|:scheme=https|:protocol=websocket", ends: false)],
                [missing]))
        return rows
    }()

    private static let responses: [Row] = {
        let cases: [(String, [String])] = [
            (":status=200", []), (":status=599", []), (":status=999", []), ("", [missing]), ("x=y", [missing]),
            (":status=200|:status=200", [twice]), (":status=20", [bad]), (":status=2000", [bad]),
            (":status=2x0", [bad]),
            (":status=000", [bad]), (":status=", [bad]), (":status=+20", [bad]),
            (":status=200|:method=GET", [unknown]), (":status=200|:path=/", [unknown]),
            ("x=y|:status=200", ["pseudo-field-misplaced P stream 9113 §8.3"]),
            (":status=200|connection=close", [connection]),
            (":status=200|X=y", ["upper-case-name P stream 9113 §8.2.1"]),
            (":status=200|x=a\nb", [value]),
        ]
        var rows = cases.map { fields, expected in
            Row("response \(fields.debugDescription)", .client, [.ourHead(1), .head(1, fields)], expected)
        }
        rows.append(
            Row("101", .client, [.ourHead(1), .head(1, ":status=101", ends: false), .head(1, ":status=200")], [bad]))
        return rows
    }()

    private static let trailers: [Row] = {
        let cases: [(String, [String])] = [
            ("x=y", []), ("", []), (":path=/", ["pseudo-field-in-trailers P stream 9113 §8.1"]),
            (":status=200|x=y", ["pseudo-field-in-trailers P stream 9113 §8.1"]),
            ("X=y", ["upper-case-name P stream 9113 §8.2.1"]), ("connection=x", [connection]), ("x=a\u{0}", [value]),
        ]
        return cases.map { fields, expected in
            Row(
                "trailers \(fields.debugDescription)", .server, [.head(1, ends: false), .data(1), .head(1, fields)],
                expected)
        }
    }()

    private static let lengths: [Row] = {
        let wrong = "content-length-differs P stream 9113 §8.1.1"
        func row(_ name: String, _ fields: String, _ count: Int?, _ expected: [String]) -> Row {
            let head = base + "|" + fields
            let steps: [Row.Step] =
                count.map { [.head(1, head, ends: false), .data(1, $0, ends: true)] } ?? [.head(1, head)]
            return Row("content-length: \(name)", .server, steps, expected)
        }
        return [
            row("that fits", "content-length=5", 5, []), row("too small", "content-length=4", 5, [wrong]),
            row("too large", "content-length=6", 5, [wrong]), row("0 without content", "content-length=0", nil, []),
            row("without content", "content-length=1", nil, [wrong]),
            row("twice alike", "content-length=5|content-length=5", 5, []),
            row("twice, different", "content-length=5|content-length=6", 5, [wrong]),
            row("no number", "content-length=x", 5, [wrong]),
            row("with a sign", "content-length=+5", 5, [wrong]), row("empty", "content-length=", 5, [wrong]),
            row("beyond every number", "content-length=99999999999999999999", 5, [wrong]),
            row("0 with content", "content-length=0", 1, [wrong]),
            Row(
                "content-length: padding is no content", .server,
                [.head(1, base + "|content-length=2", ends: false), .data(1, 2, ends: true, padding: 9)]),
            Row(
                "content-length: too much, said once", .server,
                [.head(1, base + "|content-length=1", ends: false), .data(1, 2), .data(1, 2), .data(1, 0, ends: true)],
                [wrong]),
            Row(
                "content-length: ended by trailers", .server,
                [.head(1, base + "|content-length=3", ends: false), .data(1, 2), .head(1, "x=y")], [wrong]),
        ]
    }()
}
