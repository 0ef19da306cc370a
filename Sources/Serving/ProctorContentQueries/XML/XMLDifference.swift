internal import ProctorBase

extension XMLDocument {
    /// The first place in which this document differs from the wanted one, with both sides; nil where they are equal.
    ///
    /// Equal are documents but for prefixes, the order of attributes, comments, and white space: runs of it are one blank,
    /// and none counts beside a tag.
    func difference(from wanted: XMLDocument) -> String? {
        difference(0, from: wanted, 0, at: "")
    }

    // Recursion is as deep as the document, which is bounded.
    private func difference(_ index: Int, from wanted: XMLDocument, _ wantedIndex: Int, at path: String) -> String? {
        guard case .element(let name, let attributes) = nodes[index].kind,
            case .element(let wantedName, let wantedAttributes) = wanted.nodes[wantedIndex].kind
        else { return nil }
        guard name == wantedName else {
            return sentence(path.isEmpty ? "/" : path, "the element \(words(wantedName))", "\(words(name))")
        }
        let path = path + "/" + EscapedText.escape(name.local, limit: 80)
        for attribute in wantedAttributes {
            let given = attributes.first { $0.name == attribute.name }
            guard given?.value != attribute.value else { continue }
            return sentence(
                path + "/@" + words(attribute.name), quote(attribute.value), given.map { quote($0.value) } ?? "none")
        }
        if let other = attributes.first(where: { one in !wantedAttributes.contains { $0.name == one.name } }) {
            return sentence(path + "/@" + words(other.name), "none", quote(other.value))
        }
        let (mine, theirs) = (parts(of: index), wanted.parts(of: wantedIndex))
        for position in 0..<max(mine.count, theirs.count) {
            switch (position < mine.count ? mine[position] : nil, position < theirs.count ? theirs[position] : nil) {
            case (.element(let one)?, .element(let other)?):
                if let inner = difference(one, from: wanted, other, at: path) { return inner }
            case (.text(let one)?, .text(let other)?):
                if one != other { return sentence(path, quote(other), quote(one)) }
            case (let one, let other):
                return sentence(
                    path, other.map { wanted.words($0) } ?? "nothing more", one.map(words) ?? "nothing more")
            }
        }
        return nil
    }

    private enum Part {
        case element(Int)
        case text([UInt8])
    }

    private func parts(of index: Int) -> [Part] {
        children(of: index).compactMap { child in
            guard case .text(let text) = nodes[child].kind else { return .element(child) }
            let words = text.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            return words.isEmpty ? nil : .text(Array(words.joined(separator: [0x20])))
        }
    }

    private func sentence(_ path: String, _ wanted: String, _ got: String) -> String {
        "\(path): wanted \(wanted), got \(got)"
    }

    private func words(_ part: Part) -> String {
        switch part {
        case .text(let text): quote(text)
        case .element(let index):
            if case .element(let name, _) = nodes[index].kind { "the element \(words(name))" } else { "text" }
        }
    }

    private func words(_ name: Name) -> String {
        let local = EscapedText.escape(name.local, limit: 80)
        return name.namespace.isEmpty ? local : "\(local) of \(EscapedText.escape(name.namespace, limit: 80))"
    }

    private func quote(_ bytes: [UInt8]) -> String { QuotedText.quote(EscapedText.escape(bytes, limit: 80)) }
}
