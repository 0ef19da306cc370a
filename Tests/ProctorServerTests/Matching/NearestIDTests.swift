import Foundation
import Testing

@testable import ProctorBase
@testable import ProctorServer

struct NearestIDTests {
    /// The ids of the shipped fixtures.
    private static let shipped: [String] = {
        let root = "\(Tools.project)/fixtures"
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }()

    private func nearest(_ name: String, of ids: [String]) -> String? {
        NearestID(ids).find(name.utf8) { ids[$0] }.map { ids[$0] }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let nearest: String?
        var testDescription: String { "\"\(name)\"" }
    }

    @Test(arguments: [
        Row(name: "plain/gte", nearest: "plain/get"), Row(name: "PLAIN/GET", nearest: "plain/get"),
        Row(name: "plain/got", nearest: "plain/get"), Row(name: "plain/gett", nearest: "plain/get"),
        Row(name: "lain/get", nearest: "plain/get"), Row(name: "plain/post", nearest: "plain/put"),
        Row(name: "x", nearest: nil), Row(name: "", nearest: nil), Row(name: "something/else", nearest: nil),
        Row(name: String(repeating: "l", count: 99), nearest: String(repeating: "l", count: 98)),
    ])
    func `the nearest id is found, or none`(row: Row) {
        let ids = [String(repeating: "l", count: 98), "plain/delete", "plain/get", "plain/put"]
        #expect(nearest(row.name, of: ids) == row.nearest)
    }

    @Test func `without ids nothing is near`() {
        #expect(nearest("a", of: []) == nil && nearest("", of: []) == nil)
    }

    /// So the bound of comparisons loses no slip of the finger that anybody makes here.
    @Test func `every shipped id is found with two of its letters swapped, and with one left out`() throws {
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
            #expect(shipped.candidates(for: NearestName.folded(name.utf8)).count < 40, "\(name.prefix(20))")
        }
    }

    @Test func `a path that is longer than every id is not looked at`() throws {
        let catalogue = Catalogue([try scenario(always("{ status: 200 }"), id: "plain/get")])
        #expect(catalogue.nearestID(to: "plain/gettt") == "plain/get")
        #expect(catalogue.nearestID(to: "plain/get" + String(repeating: "t", count: 8_192)) == nil)
    }
}
