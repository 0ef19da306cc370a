import Foundation
import ProctorTestSupport
import Testing

@testable import ProctorBase
@testable import ProctorServer

/// Ids by the thousand; what is found for each target stands in Tests/Data/readers/matching/ids.md.
struct NearestIDTests {
    /// The ids of the shipped fixtures.
    private static let shipped: [String] = {
        let root = "\(Tools.project)/fixtures"
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }()

    /// So the bound of comparisons loses no slip of the finger that anybody makes here.
    @Test(.wide) func `every shipped id is found with two of its letters swapped, and with one left out`() throws {
        let ids = Self.shipped
        try #require(ids.count > 1_000)
        let nearest = NearestID(ids)
        for (position, id) in ids.enumerated() where position % 3 == 0 {
            var letters = Array(id.utf8)
            let place = position % (letters.count - 1)
            letters.swapAt(place, place + 1)
            for slip in [letters, Array(id.utf8.dropFirst())] {
                let found = try #require(nearest.find(slip) { ids[$0] }, "\(id)")
                let limit = NearestName.editDistance(slip, Array(id.utf8), upTo: 3) ?? 3
                let distance = NearestName.editDistance(slip, Array(ids[found].utf8), upTo: limit)
                #expect(found == position || distance != nil, "\(id): \(ids[found])")
            }
        }
    }

    @Test func `no name has more than the bound of ids compared, and a foreign one hardly any`() {
        let ids = (0..<100_000).map { "family\($0 % 97)/scenario-\($0)" }
        let nearest = NearestID(ids)
        for name in [ids[0], "family1/scenario-1000x", "yfamily1/scenario-10", String(repeating: "a", count: 8_192)] {
            #expect(nearest.candidates(for: NearestName.folded(name.utf8)).count <= NearestID.comparisonLimit)
        }
        let shipped = NearestID(Self.shipped)
        let foreign = ["index.php", "wp-login.php", "api/v1/users/12345", String(repeating: "abc/", count: 2_000)]
        for name in foreign {
            let candidates = shipped.candidates(for: NearestName.folded(name.utf8))
            #expect(candidates.count < Self.shipped.count / 40, "\(name.prefix(20))")
        }
    }

    @Test func `ten thousand mounted ids are all found, each as itself`() {
        let ids = (0..<10_000).map { "family\($0 % 97)/scenario-\($0)" }
        let table = MountTable(ids: ids)
        for (position, id) in ids.enumerated() {
            let found = table.find(Array("/\(id)/x".utf8).span)
            #expect(found?.position == position && found?.end == id.utf8.count + 1)
        }
        #expect(table.find(Array("/family1/scenario-2".utf8).span) == nil)
    }
}
