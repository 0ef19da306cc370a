import ProctorHTTP
import ProctorImport

/// Changes of the content, of its framing and of the bytes of a whole reply; each reply still ends.
extension MutationKind {
    static let ofContent: [MutationKind] = [
        MutationKind("chunks") { _, draws in
            draws.pick(chunks).map { text, framing in
                Step(text: text) { reply in
                    reply.changeFields { $0.removeAll(named: "content-length") }
                    reply["framing"] = framing
                    reply["then"] = .text("close")
                }
            }
        },
        MutationKind("until-close") { _, _ in
            Step(text: "the content ends with the connection") { reply in
                reply.changeFields { $0.removeAll(named: "content-length") }
                reply["framing"] = .text("close")
            }
        },
        MutationKind("length") { reply, draws in
            guard let body = reply.plainBody, reply["framing"] == nil, reply["coding"] == nil else { return nil }
            let count = body.utf8.count
            let values = [
                "\(count + 1)", "\(max(0, count - 1))", "0", "+\(count)", "0\(count)", "\(count), \(count)",
                "\(count).0", "0x\(count)",
                "-1", "", "\(count) ", "\(count)x", "18446744073709551616",
            ]
            return draws.pick(values).map { value in
                Step(text: "the Content-Length is \"\(value)\" of \(count) bytes, and the connection ends behind them")
                { reply in
                    reply.changeFields { fields in
                        fields.removeAll(named: "content-length")
                        fields.append(.init("Content-Length", .text(value)))
                    }
                    reply["then"] = .text("close")
                }
            }
        },
        MutationKind("length-beside-chunks") { _, draws in
            let value = draws.pick(["0", "3", "1000000"]) ?? "0"
            return Step(text: "a Content-Length of \(value) stands beside chunks") { reply in
                reply.changeFields { fields in
                    fields.removeAll(named: "content-length")
                    fields.append(.init("Content-Length", .text(value)))
                }
                reply["framing"] = .text("chunked")
                reply["then"] = .text("close")
            }
        },
        MutationKind("coding") { _, draws in
            draws.pick(codings).map { text, coding in
                Step(text: text) { reply in
                    guard reply["coding"] == nil else { return }
                    reply.changeFields { $0.removeAll(named: "content-length") }
                    reply["coding"] = coding
                }
            }
        },
        MutationKind("no-content") { reply, _ in
            guard reply["body"] != nil else { return nil }
            return Step(text: "the reply has no content") { $0["body"] = nil }
        },
        MutationKind("slices") { _, draws in
            draws.pick(["every byte", "mid-crlf"]).map { word in
                Step(text: "the reply is cut into writes: \(word)") { $0["slice"] = .text(word) }
            }
        },
    ]

    private static let chunks: [(String, YAMLTree)] = {
        func style(_ sizes: [String], _ more: [YAMLTree.Member] = []) -> YAMLTree {
            .map([.init("chunked", .list(sizes.map { .plain($0) }))] + more)
        }
        return [
            ("the content comes in one chunk", .text("chunked")), ("each chunk has one byte", style(["1"])),
            ("chunks have 1, 2 and 3 bytes", style(["1", "2", "3"])),
            ("chunks have extensions", style(["2"], [.init("extensions", .text(";a=b;c=\"d\""))])),
            ("a chunk's size has a space behind it", style(["2"], [.init("extensions", .text(" "))])),
            (
                "sizes of chunks have capitals and zeros before them",
                style(["11"], [.init("digits", .text("upper")), .init("width", .plain("8"))])
            ),
            ("sizes of chunks have 20 digits", style(["2"], [.init("width", .plain("20"))])),
            ("the last chunk is missing", style(["2"], [.init("last", .text("missing"))])),
        ]
    }()

    private static let codings: [(String, YAMLTree)] = {
        func option(_ name: String, _ key: String, _ value: YAMLTree) -> YAMLTree {
            [name: [key: value]]
        }
        func says(_ name: String, _ value: YAMLTree) -> YAMLTree {
            ["apply": .text(name), "says": value]
        }
        return [
            ("the content is coded by gzip", .text("gzip")), ("the content is coded by deflate", .text("deflate")),
            ("the content is coded by raw deflate", option("deflate", "format", .text("raw"))),
            ("the content is coded by gzip twice", .list([.text("gzip"), .text("gzip")])),
            ("the content is coded by gzip, as the field x-gzip says", says("gzip", .text("x-gzip"))),
            ("the content is coded by gzip, as the field GZIP says", says("gzip", .text("GZIP"))),
            ("the content is coded by gzip, and no field says so", says("gzip", .null)),
            ("the content is coded by gzip, and the field says deflate", says("gzip", .text("deflate"))),
            ("the checksum of gzip is wrong", option("gzip", "checksum", .text("wrong"))),
            ("the length of gzip is wrong", option("gzip", "length", .text("wrong"))),
            ("the last 4 bytes of gzip are missing", option("gzip", "missing", .plain("4"))),
            ("bytes stand behind the content of gzip", option("gzip", "trailing", .text("junk"))),
        ]
    }()

    static let ofBytes: [MutationKind] = [
        MutationKind("line-ends") { reply, draws in
            guard reply.isPlain, let body = reply.plainBody else { return nil }
            let ends = [("LF", "\n"), ("CR LF, but LF behind the status line", ""), ("CR CR LF", "\r\r\n")]
            return draws.pick(ends).map { name, end in
                Step(text: "the lines of the head end with \(name)") { reply in
                    var lines = headLines(of: reply, body)
                    let first = lines.removeFirst() + (end.isEmpty ? "\n" : end)
                    let rest = end.isEmpty ? "\r\n" : end
                    reply.becomeRaw(first + lines.map { $0 + rest }.joined() + rest + body)
                }
            }
        },
        MutationKind("folded") { reply, _ in
            guard reply.isPlain, let body = reply.plainBody else { return nil }
            return Step(text: "a field X-Folded goes on in a second line") { reply in
                let lines = headLines(of: reply, body) + ["X-Folded: a", " b"]
                reply.becomeRaw(lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
            }
        },
        MutationKind("odd-line") { reply, draws in
            guard reply.isPlain, let body = reply.plainBody else { return nil }
            return draws.pick(["no colon here", ": no name", "X Y: a space in the name", "HTTP/1.1 200 OK"]).map {
                line in
                Step(text: "a line of the head is \"\(line)\"") { reply in
                    let lines = headLines(of: reply, body) + [line]
                    reply.becomeRaw(lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
                }
            }
        },
        MutationKind("before-the-head") { reply, draws in
            guard reply.isPlain, let body = reply.plainBody else { return nil }
            return draws.pick([("an empty line", "\r\n"), ("a space", " "), ("an LF", "\n")]).map { name, bytes in
                Step(text: "\(name) comes before the status line") { reply in
                    let lines = headLines(of: reply, body)
                    reply.becomeRaw(bytes + lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
                }
            }
        },
    ]

    /// The head as the server would send it, without line ends.
    private static func headLines(of reply: ReplyTree, _ body: String) -> [String] {
        let reason = reply["reason"]?.word ?? StatusPhrase.registered(reply.status) ?? ""
        var lines = ["\(reply["version"]?.word ?? "HTTP/1.1") \(reply.status) \(reason)"]
        lines += reply.fields.map { "\($0.key): \($0.value.word ?? "")" }
        if !reply.fields.contains(where: { ["content-length", "transfer-encoding"].contains($0.key.lowercased()) }) {
            lines.append("Content-Length: \(body.utf8.count)")
        }
        return lines
    }
}

extension [YAMLTree.Member] {
    fileprivate mutating func removeAll(named name: String) { removeAll { $0.key.lowercased() == name } }
}
