import ProctorTestSupport
import Testing

@testable import ProctorBase

struct PairingTests {
    /// Against all assignments, which are few.
    @Test func `members of both sides get partners whenever they can`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let (rows, columns) = (Int.random(in: 0...4, using: &generator), Int.random(in: 0...4, using: &generator))
            let fits = (0..<rows).map { _ in (0..<columns).map { _ in Int.random(in: 0...2, using: &generator) == 0 } }
            var pairing = Pairing(fits: fits, secondCount: columns)
            let isAll = fits.indices.allSatisfy { pairing.pair(first: $0) }
            #expect(isAll == Self.hasAssignment(fits, 0, []))
            for (first, second) in pairing.secondOfFirst.enumerated() {
                guard let second else { continue }
                #expect(fits[first][second] && pairing.firstOfSecond[second] == first)
            }
        }
    }

    private static func hasAssignment(_ fits: [[Bool]], _ row: Int, _ used: Set<Int>) -> Bool {
        guard row < fits.count else { return true }
        return fits[row].indices.contains { column in
            fits[row][column] && !used.contains(column) && hasAssignment(fits, row + 1, used.union([column]))
        }
    }
}
