// What the standard library's module for regular expressions also has; a use of that one links all of it, 1.2 MB.

extension Collection<UInt8> {
    /// Where `part` first stands; nil where it does not, and where it is empty.
    package func firstRange(ofBytes part: some Collection<UInt8>) -> Range<Index>? {
        guard let first = part.first else { return nil }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first) {
            if let end = end(of: part, at: found) { return found..<end }
            start = index(after: found)
        }
        return nil
    }

    private func end(of part: some Collection<UInt8>, at start: Index) -> Index? {
        var index = start
        for byte in part {
            guard index != endIndex, self[index] == byte else { return nil }
            formIndex(after: &index)
        }
        return index
    }
}

extension [UInt8] {
    /// Whether `part` stands anywhere, found in a time that is linear in both whatever they hold: as
    /// Knuth, Morris and Pratt search.
    ///
    /// A step of the budget is 16 bytes.
    package func contains(bytes part: [UInt8], within budget: WorkBudget?) throws(SpentBudget) -> Bool {
        guard !part.isEmpty else { return true }
        let stretch = 1_024
        try budget?.spend(part.count / 16)
        // For each beginning of `part` how much of its end is also its beginning.
        var borders: [Int] = []
        borders.reserveCapacity(part.count)
        var known = 0
        for (index, byte) in part.enumerated() {
            while index > 0, known > 0, part[known] != byte { known = borders[known - 1] }
            if index > 0, part[known] == byte { known += 1 }
            borders.append(known)
        }
        known = 0
        for (index, byte) in enumerated() {
            if index % stretch == 0 { try budget?.spend(stretch / 16) }
            while known > 0, part[known] != byte { known = borders[known - 1] }
            if part[known] == byte { known += 1 }
            if known == part.count { return true }
        }
        return false
    }
}

extension StringProtocol {
    /// Where the bytes of `part` first stand; nil where they do not, and where it is empty.
    package func firstRange(ofText part: some StringProtocol) -> Range<Index>? {
        utf8.firstRange(ofBytes: part.utf8)
    }

    /// Whether the bytes of `part` stand anywhere; true for an empty part.
    package func contains(text part: some StringProtocol) -> Bool {
        part.isEmpty || firstRange(ofText: part) != nil
    }

    /// A copy with every `part`, from the start on, in another text's place.
    package func replacing(text part: some StringProtocol, with other: some StringProtocol) -> String {
        var copy = ""
        var rest = self[...]
        while let found = rest.firstRange(ofText: part) {
            copy += rest[..<found.lowerBound]
            copy += other
            rest = rest[found.upperBound...]
        }
        return copy + rest
    }
}
