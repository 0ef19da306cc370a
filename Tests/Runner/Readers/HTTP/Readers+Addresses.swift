import ProctorBase
import ProctorHTTP

extension ReaderRunner {
    /// References, URLs, hosts.
    static let addresses: [String: DataReader] = [
        "uri": .whole { input, block in try AddressLines.components(of: input, block) },
        // A reference after one of the steps that RFC 3986 names: `uri-step normalise`.
        "uri-step": .whole { input, block in
            let name = block.words.first ?? ""
            let uri = URIReference(splitting: input)
            let result =
                switch name {
                case "lowercase": uri.lowercasingSchemeAndHost()
                case "uppercase-escapes": uri.uppercasingPercentEscapes()
                case "decode-escapes": uri.decodingUnreservedEscapes()
                case "remove-dots": uri.removingDotSegments()
                case "remove-port": uri.removingDefaultPort()
                case "add-path": uri.addingEmptyPath()
                case "unescape-dots": uri.unescapingDotSegments()
                case "normalise": uri.normalised()
                case "escape": uri.escapingIllegalBytes()
                default: throw RowError(block.line, "unknown step \"\(name)\"")
                }
            if name == "normalise", result.normalised() != result { return ["no fixed point"] }
            if name == "escape", result.escapingIllegalBytes() != result { return ["no fixed point"] }
            return [ByteText.inLine(result.bytes)]
        },
        // A reference resolved: `resolved from http://a/b/c`.
        "resolved": .whole { input, block in
            let base = try URIReference(parsing: Array((block.value(of: "from") ?? "").utf8))
            let target = try URIReference(parsing: input).resolved(against: base)
            if target != URIReference(splitting: target.bytes) { return ["the components differ from the text"] }
            return [ByteText.inLine(target.bytes)]
        },
        "path-without-dots": .whole { input, _ in [ByteText.optional(URIReference.removingDotSegments(input))] },
        // The port that is written, and the one that counts.
        "port": .whole { input, _ in
            let uri = try URIReference(parsing: input)
            return ["\(uri.portNumber.map(String.init) ?? "-") \(uri.effectivePort.map(String.init) ?? "-")"]
        },
        "punycode": .whole { input, _ in [ByteText.optional(Punycode.encode(Parts.text(input)))] },
        // A URL of a client. `typed`: what people type; `from URL`: a Location of a reply.
        "url": .whole { input, block in try AddressLines.url(input, block) },
        // Two URLs with ` | ` between them.
        "two-urls": .whole { input, block in
            let urls = try Parts.exactly(2, input, by: " | ", block).map { try ClientURL($0) }
            return [
                urls[0].isEquivalent(to: urls[1]) ? "equivalent" : "different",
                urls[0].origin == urls[1].origin ? "same origin" : "another origin",
            ]
        },
    ]
}

private enum AddressLines {
    static func components(of input: [UInt8], _ block: Block) throws -> [String] {
        if URIReference(splitting: input).bytes != input { return ["splitting loses bytes"] }
        do throws(URIViolation) {
            let uri = try URIReference(parsing: input)
            if uri.bytes != input { return ["parsing loses bytes"] }
            if (uri.authority == nil) != (uri.host == nil) { return ["an authority without a host"] }
            let parts = [
                ("scheme", uri.scheme), ("userinfo", uri.userinfo), ("host", uri.host), ("port", uri.port),
                ("path", uri.path), ("query", uri.query), ("fragment", uri.fragment),
            ]
            return parts.compactMap { name, part in part.map { "\(name) \(ByteText.optional($0))" } }
        } catch {
            return ["refused \(GrammarText.place(error, block))"]
        }
    }

    static func url(_ input: [UInt8], _ block: Block) throws -> [String] {
        do {
            let url =
                if let base = block.value(of: "from") {
                    try ClientURL(base).resolving(location: input)
                } else if block.has("typed") {
                    try ClientURL(typed: Parts.text(input))
                } else {
                    try ClientURL(input)
                }
            let reference = try URIReference(parsing: url.reference.bytes)
            guard reference == url.reference, try ClientURL(url.text) == url, url.hostField.isSendable,
                url.absoluteTarget == Array("\(url.origin.scheme.rawValue)://\(url.hostField.value)".utf8) + url.target
            else { return ["not canonical"] }
            var lines = [url.text, "Host: \(url.hostField.value)", "target \(ByteText.inLine(url.target))"]
            if let userinfo = url.userinfo { lines.append("userinfo \(userinfo)") }
            if let fragment = url.fragment { lines.append("fragment \(ByteText.optional(fragment))") }
            if url.description != url.text { lines.append("shown \(url.description)") }
            if url.isRespelled { lines.append("respelled") }
            return lines
        } catch let error as ClientURLError {
            return ["refused: \(error)"]
        }
    }
}
