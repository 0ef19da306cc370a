internal import ProctorBase

extension XMLDocument {
    /// The first place in which this document differs from the wanted one, with both sides; nil where they are equal.
    ///
    /// Equal are documents but for prefixes, the order of attributes, comments, and white space: runs of it are one blank,
    /// and none counts beside a tag.
    func difference(from wanted: XMLDocument, within budget: WorkBudget?) throws(SpentBudget) -> String? {
        try difference(0, from: wanted, 0, at: "", within: budget)
    }

    // Recursion is as deep as the document, which is bounded.
    private func difference(
        _ index: Int, from wanted: XMLDocument, _ wantedIndex: Int, at path: String, within budget: WorkBudget?
    ) throws(SpentBudget) -> String? {
        guard case .element(let name, let attributes) = nodes[index].kind,
            case .element(let wantedName, let wantedAttributes) = wanted.nodes[wantedIndex].kind
        else { return nil }
        guard name == wantedName else {
            return sentence(path.isEmpty ? "/" : path, "the element \(words(wantedName))", "\(words(name))")
        }
        let path = path + "/" + EscapedText.escape(name.local, limit: 80)
        try budget?.spend(attributes.count + wantedAttributes.count)
        var given: [Name: [UInt8]] = [:]
        for attribute in attributes {
            try budget?.spend(Self.stepCount(ofText: attribute.value))
            given[attribute.name] = attribute.value
        }
        for attribute in wantedAttributes {
            let value = given.removeValue(forKey: attribute.name)
            guard value != attribute.value else { continue }
            return sentence(path + "/@" + words(attribute.name), quote(attribute.value), value.map(quote) ?? "none")
        }
        if let other = attributes.first(where: { given[$0.name] != nil }) {
            return sentence(path + "/@" + words(other.name), "none", quote(other.value))
        }
        let (mine, theirs) = (try parts(of: index, budget), try wanted.parts(of: wantedIndex, budget))
        for position in 0..<max(mine.count, theirs.count) {
            switch (position < mine.count ? mine[position] : nil, position < theirs.count ? theirs[position] : nil) {
            case (.element(let one)?, .element(let other)?):
                if let inner = try difference(one, from: wanted, other, at: path, within: budget) { return inner }
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

    private func parts(of index: Int, _ budget: WorkBudget?) throws(SpentBudget) -> [Part] {
        var parts: [Part] = []
        for child in try children(of: index, within: budget) {
            guard case .text(let text) = nodes[child].kind else {
                parts.append(.element(child))
                continue
            }
            try budget?.spend(Self.stepCount(ofText: text))
            let words = text.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            if !words.isEmpty { parts.append(.text(Array(words.joined(separator: [0x20])))) }
        }
        return parts
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
        guard name.namespace != .none else { return local }
        return "\(local) of \(EscapedText.escape(name.namespace.bytes, limit: 80))"
    }

    private func quote(_ bytes: [UInt8]) -> String { QuotedText.quote(EscapedText.escape(bytes, limit: 80)) }
}
