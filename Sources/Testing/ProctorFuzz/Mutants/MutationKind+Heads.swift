import ProctorBase
import ProctorImport

/// Changes of the status line and of the fields.
extension MutationKind {
    static let ofStatusLines: [MutationKind] = [
        MutationKind("status") { reply, draws in
            let other = statuses.filter { $0 != reply.status }
            return draws.pick(other).map { status in
                Step(text: "the status \(reply.status) is \(status)") { $0["status"] = .plain("\(status)") }
            }
        },
        MutationKind("reason") { _, draws in
            draws.pick(["", "It is 404 Not Found", "ok ok ok", "\u{E9}t\u{E9}"]).map { reason in
                Step(text: "the reason is \"\(reason)\"") { $0["reason"] = .text(reason) }
            }
        },
        MutationKind("version") { _, draws in
            draws.pick(["HTTP/1.0", "HTTP/1.2", "HTTP/1.9", "http/1.1", "HTTP/01.1"]).map { version in
                Step(text: "the version is \(version)") { $0["version"] = .text(version) }
            }
        },
        MutationKind("interim") { _, draws in
            let replies: [(String, YAMLTree)] = [
                ("100", .plain("100")), ("102", .plain("102")), ("103", .plain("103")), ("199", .plain("199")),
                (
                    "103 with fields",
                    [
                        "status": .plain("103"),
                        "headers": ["Link": .text("</a.css>; rel=preload"), "Location": .text("/no")],
                    ]
                ),
            ]
            let count = draws.number(below: 3) + 1
            let chosen = (0..<count).compactMap { _ in draws.pick(replies) }
            return Step(text: "interim replies come before it: \(chosen.map(\.0).joined(separator: ", "))") { reply in
                guard reply["interim"] == nil else { return }
                reply["interim"] = .list(chosen.map(\.1))
            }
        },
    ]

    private static let statuses = [
        200, 201, 203, 204, 205, 206, 226, 299, 300, 301, 302, 303, 304, 305, 306, 307, 308, 399, 400, 401, 404, 405,
        407,
        410, 413, 421, 425, 429, 451, 499, 500, 503, 511, 599, 600, 999,
    ]

    static let ofFields: [MutationKind] = [
        MutationKind("field-removed") { reply, draws in
            field(of: reply, &draws).map { index, field in
                Step(text: "the field \(field.key) is left out") {
                    $0.changeFields { $0.remove(at: index, named: field.key) }
                }
            }
        },
        MutationKind("field-repeated") { reply, draws in
            guard let (index, field) = field(of: reply, &draws), let value = field.value.word else { return nil }
            let other = draws.pick([value, "\(value)x", "", "1"]) ?? value
            let isFirst = draws.number(below: 2) == 0
            let place = isFirst ? "before" : "behind"
            return Step(text: "the field \(field.key) comes again \(place) it, with the value \"\(other)\"") {
                $0.changeFields { fields in
                    guard fields.indices.contains(index) else { return }
                    fields.insert(.init(field.key, .text(other)), at: isFirst ? index : index + 1)
                }
            }
        },
        MutationKind("field-name") { reply, draws in
            guard let (index, field) = field(of: reply, &draws) else { return nil }
            let names = [
                field.key.lowercased(), field.key.uppercased(), "\(field.key) ", " \(field.key)",
                field.key.replacing(text: "-", with: "_"),
            ]
            return draws.pick(names.filter { $0 != field.key }).map { name in
                Step(text: "the field \(field.key) is spelled \"\(name)\"") {
                    $0.changeFields { fields in
                        guard fields.indices.contains(index) else { return }
                        fields[index] = .init(name, fields[index].value)
                    }
                }
            }
        },
        MutationKind("field-value") { reply, draws in
            guard let (index, field) = field(of: reply, &draws), let value = field.value.word else { return nil }
            let values = [
                "", "  \(value)", "\(value)  ", "\t\(value)\t", "\"\(value)\"", "\(value), \(value)", ",\(value)",
                "\(value),",
                "\(value);", value.uppercased(), "\(value)\u{A0}", "'\(value)'",
            ]
            return draws.pick(values.filter { $0 != value && !$0.contains(text: "{{BASE") }).map { other in
                Step(text: "the field \(field.key) has the value \"\(other)\"") { $0.setField(index, .text(other)) }
            }
        },
        MutationKind("field-order") { reply, _ in
            guard reply.fields.count > 1 else { return nil }
            return Step(text: "the fields come in the other order") { $0.changeFields { $0.reverse() } }
        },
        MutationKind("field-added") { _, draws in
            guard let field = draws.pick(added) else { return nil }
            let isFirst = draws.number(below: 2) == 0
            return Step(text: "\(isFirst ? "the first" : "the last") field is \(field.0): \(field.1)") {
                $0.changeFields { $0.insert(.init(field.0, .text(field.1)), at: isFirst ? 0 : $0.count) }
            }
        },
        MutationKind("location") { reply, draws in
            let index = reply.fields.firstIndex { $0.key.lowercased() == "location" }
            guard let index, let value = reply.fields[index].value.word else { return nil }
            return draws.pick(locations(of: value)).map { other in
                Step(text: "the Location is \"\(other)\"") { $0.setField(index, .text(other)) }
            }
        },
    ]

    private static func field(of reply: ReplyTree, _ draws: inout Draws) -> (Int, YAMLTree.Member)? {
        draws.pick(Array(reply.fields.enumerated())).map { ($0.offset, $0.element) }
    }

    /// Fields that say how a reply is to be read; none of them asks for more than is sent.
    private static let added: [(String, String)] = [
        ("Connection", "close"), ("Connection", "keep-alive, Content-Type"), ("Content-Encoding", "identity"),
        ("Content-Encoding", "gzip"), ("Content-Encoding", "x-unknown"), ("Content-Encoding", ""),
        ("Content-Type", "text/html; charset=utf-16"), ("Content-Type", "multipart/mixed; boundary=x"),
        ("Content-Location", "/elsewhere"), ("Content-Range", "bytes 0-0/1"),
        ("Content-Disposition", "attachment; filename=a"),
        ("Location", "/elsewhere"), ("Location", ""), ("Refresh", "0; url=/elsewhere"), ("Retry-After", "0"),
        ("WWW-Authenticate", "Basic realm=\"x\""), ("WWW-Authenticate", "Unknown"), ("Set-Cookie", "a=b; Path=/"),
        ("Trailer", "X-T"), ("Upgrade", "h2c"), ("Keep-Alive", "timeout=0"), ("Age", "-1"), ("Date", "yesterday"),
        ("X-Long", String(repeating: "x", count: 9_000)), ("X-Empty", ""), ("Vary", "*"), ("Alt-Svc", "clear"),
    ]

    /// Other spellings of the same or of a near place.
    private static func locations(of value: String) -> [String] {
        let base = "{{base}}"
        let path = value.hasPrefix(base) ? String(value.dropFirst(base.count)) : value
        guard path.hasPrefix("/") else {
            return ["\(value)#part", "\(value)?", " \(value)", "\(value) ", "", "./\(value)"]
        }
        return [
            path, String(path.dropFirst()), ".\(path)", "/x/..\(path)", "/.\(path)", "//{{authority}}\(path)",
            "HTTP://{{authority}}\(path)", "http:{{base}}\(path)", "http:/\(path)", "http://{{authority}}:\(path)",
            "http:\(path)",
            "http://user@{{authority}}\(path)", "{{base}}\(path)#part", "{{base}}\(path)?", "?x=1", "#part", "",
            " {{base}}\(path)", "{{base}}\(path) ", "{{base}}\(path)/%2e%2e\(path)", "{{base}}\\\(path.dropFirst())",
            "{{base}}\(path) x", "{{base}}\(path)%", "{{base}}\(path)\u{E9}", "<{{base}}\(path)>", "{{base}}/\(path)",
        ]
    }
}

extension ReplyTree {
    mutating func changeFields(_ change: (inout [YAMLTree.Member]) -> Void) {
        var fields = fields
        change(&fields)
        self.fields = fields
    }

    mutating func setField(_ index: Int, _ value: YAMLTree) {
        changeFields { if $0.indices.contains(index) { $0[index] = .init($0[index].key, value) } }
    }
}

extension [YAMLTree.Member] {
    /// Another mutation may have moved the field.
    fileprivate mutating func remove(at index: Int, named name: String) {
        if indices.contains(index), self[index].key == name { remove(at: index) }
    }
}
