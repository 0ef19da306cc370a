import ProctorBase
import ProctorDocument

extension ScenarioReader {
    private static let byteForms = ["text", "hex", "base64", "file", "repeat", "pattern", "macbinary", "binhex"]

    /// Bytes in any of their forms; `what` is the noun of the message: `a body`.
    func bytes(_ node: Node, _ what: String, scope: TemplateScope) -> ByteSource? {
        if let text = node.text {
            return TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text)).map { ByteSource($0) }
        }
        guard let entries = node.entries else {
            sink.report(
                node,
                "expected \(what) as text or as a mapping with one of \(Self.byteForms.joined(separator: ", ")), "
                    + "found \(node.found)", hint: node.items == nil ? nil : JSONHint.text(node))
            return nil
        }
        if entries.allSatisfy({ NearestName.find($0.key, in: Self.byteForms + ["times", "bytes"]) == nil }) {
            sink.report(
                node, "expected \(what), found a mapping with none of \(Self.byteForms.joined(separator: ", "))",
                hint: JSONHint.text(node))
            return nil
        }
        guard let reader = MappingReader(node, what, keys: Self.byteForms + ["times", "bytes"], sink: sink),
            reader.entries.count == node.entries?.count
        else { return nil }
        let forms = reader.entries.filter { Self.byteForms.contains($0.key) }
        guard forms.count == 1, let form = forms.first else {
            sink.report(
                node, "\(what) needs exactly one of \(Self.byteForms.joined(separator: ", ")), found \(forms.count)")
            return nil
        }
        for entry in reader.entries where entry.key == "times" || entry.key == "bytes" {
            guard form.key == "repeat" || form.key == "pattern" && entry.key == "bytes" else {
                sink.report(entry.keyNode, "\(quoted(entry.key)) does not go with \(quoted(form.key))")
                return nil
            }
        }
        switch form.key {
        case "text": return sink.text(form.value, "text").map { .literal(Array($0.utf8)) }
        case "hex": return encoded(form.value, "hexadecimal digits", HexText.decode)
        case "base64": return encoded(form.value, "base64", Base64Text.decode)
        case "file": return sidecar(form.value).map { .file($0) }
        case "repeat": return repeated(form.value, reader)
        case "macbinary": return macBinary(form.value).map { .literal($0) }
        case "binhex": return binHex(form.value).map { .literal($0) }
        default: return pattern(form.value, reader)
        }
    }

    private func encoded(
        _ node: Node, _ what: String, _ decode: ([UInt8]) throws(EncodedTextError) -> [UInt8]
    ) -> ByteSource? {
        guard let text = sink.text(node, what) else { return nil }
        do {
            return .literal(try decode(Array(text.utf8)))
        } catch {
            sink.report(node.location(ofTextOffset: error.offset), error.sentence)
            return nil
        }
    }

    private func repeated(_ node: Node, _ reader: MappingReader) -> ByteSource? {
        guard let unit = sink.nonEmptyText(node, "the text to repeat").map({ Array($0.utf8) }) else { return nil }
        switch (reader["times"], reader["bytes"]) {
        case (let times?, nil):
            let most = Bounds.bodyByteCount / unit.count
            return sink.integer(times, "times", in: 0...most).map { .repeated(unit: unit, byteCount: $0 * unit.count) }
        case (nil, let bytes?):
            return byteCount(bytes).map { .repeated(unit: unit, byteCount: $0) }
        default:
            sink.report(reader.node, "\"repeat\" needs one of \"times\" and \"bytes\" beside it")
            return nil
        }
    }

    private func pattern(_ node: Node, _ reader: MappingReader) -> ByteSource? {
        let pattern = sink.choice(node, "a pattern", among: OffsetPattern.self)
        guard let count = reader["bytes"] else {
            sink.report(reader.node, "\"pattern\" needs \"bytes\" beside it")
            return nil
        }
        guard let byteCount = byteCount(count), let pattern else { return nil }
        return .pattern(pattern, byteCount: byteCount)
    }

    private func byteCount(_ node: Node) -> Int? { sink.integer(node, "bytes", in: 0...Bounds.bodyByteCount) }

    /// A file beside the fixture; only looked at, not read.
    func sidecar(_ node: Node) -> SidecarFile? {
        guard let name = sink.nonEmptyText(node, "a file name") else { return nil }
        guard let folder = file.folder, let root = file.root else {
            sink.report(node, "a scenario that is not in a file cannot name files")
            return nil
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !parts.contains(".."), !name.utf8.contains(0) else {
            sink.report(
                node, "the file \(quoted(name)) escapes the folder of the fixture",
                hint: "name a file beside the fixture or below, without ..")
            return nil
        }
        let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        do {
            let status = try FileBytes.status(path)
            guard status.kind == .regular else {
                sink.report(node, "the file \(quoted(name)) is not a regular file")
                return nil
            }
            guard let real = FileBytes.realPath(path), root == "/" || real.hasPrefix(root + "/") else {
                sink.report(
                    node, "the file \(quoted(name)) escapes the folder of the fixtures by a symbolic link",
                    hint: "copy it below \(root)")
                return nil
            }
            guard FileBytes.isReadable(path) else {
                sink.report(node, "the file \(quoted(name)) cannot be read by this user")
                return nil
            }
            guard status.byteCount <= Bounds.bodyByteCount else {
                sink.report(
                    node,
                    "the file \(quoted(name)) has \(status.byteCount) bytes; "
                        + "at most \(Bounds.bodyByteCount) are permitted")
                return nil
            }
            // A file that was written anew makes another scenario: what was loaded is what is sent.
            fingerprint.mix("\(path) \(status.identity)".utf8)
            return SidecarFile(
                path: path, byteCount: status.byteCount, location: node.location,
                loaded: SidecarFile.Loaded(realPath: real, identity: status.identity))
        } catch {
            sink.report(node, "the file \(quoted(name)) cannot be used: \(error.text)", hint: "looked for \(path)")
            return nil
        }
    }
}
