/// The remarks of one import or export in their order; the first 1,000 are kept, and the number of the others.
package struct ImportRemarks: Sendable {
    /// As many are kept.
    package static let bound = 1_000

    private var kept: [ImportRemark] = []
    private var lostCount = 0

    package init() {}

    package mutating func append(_ remark: ImportRemark) { add { remark } }

    package mutating func add(at place: String, _ sentence: String) { add { ImportRemark(at: place, sentence) } }

    /// Makes the remark, with its place, only where it is kept: for lists of millions.
    package mutating func add(_ remark: () -> ImportRemark) {
        if kept.count < Self.bound { kept.append(remark()) } else { lostCount += 1 }
    }

    package mutating func append(contentsOf remarks: some Sequence<ImportRemark>) {
        for remark in remarks { append(remark) }
    }

    package static func += (left: inout ImportRemarks, right: ImportRemarks) {
        left.append(contentsOf: right.kept)
        left.lostCount += right.lostCount
    }

    package static func + (left: ImportRemarks, right: ImportRemarks) -> ImportRemarks {
        var sum = left
        sum += right
        return sum
    }
}

extension ImportRemarks: Sequence {
    /// The kept ones, and one that says how many others there were.
    package func makeIterator() -> IndexingIterator<[ImportRemark]> {
        guard lostCount > 0 else { return kept.makeIterator() }
        let last = ImportRemark(at: "and more", "\(lostCount) remarks are not told; at most \(Self.bound) are")
        return (kept + [last]).makeIterator()
    }

    package var isEmpty: Bool { kept.isEmpty }
}
