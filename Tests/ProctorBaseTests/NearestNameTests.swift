import Testing

@testable import ProctorBase

struct NearestNameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let candidates: [String]
        let nearest: String?
        var testDescription: String { "\"\(name)\" among \(candidates)" }
    }

    static let rows = [
        Row(name: "statsu", candidates: ["status", "reason"], nearest: "status"),
        Row(name: "STATUS", candidates: ["status"], nearest: "status"),
        Row(name: "header", candidates: ["headers", "reader"], nearest: "headers"),
        Row(name: "bdy", candidates: ["body"], nearest: "body"),
        Row(name: "xyz", candidates: ["body", "status"], nearest: nil),
        Row(name: "at", candidates: ["do"], nearest: nil),
        Row(name: "x", candidates: ["y"], nearest: nil),
        Row(name: "", candidates: ["y"], nearest: nil),
        Row(name: "", candidates: [""], nearest: ""),
        Row(name: "anything", candidates: [], nearest: nil),
        Row(name: "cat", candidates: ["bat", "hat"], nearest: "bat"),
        Row(
            name: "redirect/302-post-becomes-gte", candidates: ["redirect/302-post-becomes-get"],
            nearest: "redirect/302-post-becomes-get"),
        Row(name: "abcdefghijkl", candidates: ["abcdefghxxxx"], nearest: nil),
        Row(name: "abcdefghijkl", candidates: ["abcdefghixxx"], nearest: "abcdefghixxx"),
    ]

    @Test(arguments: rows)
    func `the nearest name is found, or none`(row: Row) {
        #expect(NearestName.find(row.name, in: row.candidates) == row.nearest)
    }

    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abd", 1),
        ("abc", "ab", 1), ("ab", "abc", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func `the distance counts insertions, deletions, substitutions and swaps`(
        left: String, right: String, distance: Int
    ) {
        #expect(NearestName.editDistance(Array(left.utf8), Array(right.utf8)) == distance)
        #expect(NearestName.editDistance(Array(right.utf8), Array(left.utf8)) == distance)
    }

    @Test func `endless names cost nothing`() {
        let long = String(repeating: "x", count: 1_000_000)
        #expect(NearestName.find(long, in: [long + "y"]) == long + "y")
        #expect(NearestName.find(long, in: ["status"]) == nil)
    }
}
