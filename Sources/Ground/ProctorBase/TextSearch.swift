// Functions that `_StringProcessing` also has. One use of that module links all of it, 1.2 MB.

extension Collection<UInt8> {
    /// The first place of `part`; nil if there is none or `part` is empty.
    package func firstRange(ofBytes part: some Collection<UInt8>) -> Range<Index>? {
        guard let first = part.first else { return nil }
        var start = startIndex
        while let candidate = self[start...].firstIndex(of: first) {
            if let end = endOfMatch(of: part, at: candidate) { return candidate..<end }
            start = index(after: candidate)
        }
        return nil
    }

    private func endOfMatch(of part: some Collection<UInt8>, at start: Index) -> Index? {
        var index = start
        for byte in part {
            guard index != endIndex, self[index] == byte else { return nil }
            formIndex(after: &index)
        }
        return index
    }
}

extension [UInt8] {
    /// Whether `part` occurs; the time and the steps are those of ``firstOffset(ofBytes:within:)``.
    package func contains(bytes part: [UInt8], within budget: WorkBudget?) throws(SpentBudget) -> Bool {
        try firstOffset(ofBytes: part, within: budget) != nil
    }

    /// Where `part` occurs first, found in time linear in both lengths (the algorithm of Knuth, Morris and Pratt).
    ///
    /// 16 bytes count as one step of the budget.
    package func firstOffset(ofBytes part: [UInt8], within budget: WorkBudget?) throws(SpentBudget) -> Int? {
        guard !part.isEmpty else { return 0 }
        let stretch = 1_024
        try budget?.spend(part.count / 16)
        // For each prefix of `part`: the length of the longest proper prefix that is also its suffix.
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
            if known == part.count { return index + 1 - part.count }
        }
        return nil
    }
}

extension StringProtocol {
    /// The first place of the bytes of `part`; nil if there is none or `part` is empty.
    package func firstRange(ofText part: some StringProtocol) -> Range<Index>? {
        utf8.firstRange(ofBytes: part.utf8)
    }

    /// Whether the bytes of `part` occur; true for an empty part.
    package func contains(text part: some StringProtocol) -> Bool {
        part.isEmpty || firstRange(ofText: part) != nil
    }

    /// A copy in which `other` replaces every `part`, searched from the start.
    package func replacing(text part: some StringProtocol, with other: some StringProtocol) -> String {
        var copy = ""
        var rest = self[...]
        while let match = rest.firstRange(ofText: part) {
            copy += rest[..<match.lowerBound]
            copy += other
            rest = rest[match.upperBound...]
        }
        return copy + rest
    }
}
