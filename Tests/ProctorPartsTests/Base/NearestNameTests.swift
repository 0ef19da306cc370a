import Testing

@testable import ProctorBase

struct NearestNameTests {
    /// The whole table, as in a textbook.
    private func tableDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for row in left.indices.map({ $0 + 1 }) {
            var cells = [row]
            for column in right.indices.map({ $0 + 1 }) {
                let (one, other) = (left[row - 1], right[column - 1])
                var cost = min(rows[row - 1][column] + 1, cells[column - 1] + 1)
                cost = min(cost, rows[row - 1][column - 1] + (one == other ? 0 : 1))
                if row > 1, column > 1, one == right[column - 2], left[row - 2] == other {
                    cost = min(cost, rows[row - 2][column - 2] + 1)
                }
                cells.append(cost)
            }
            rows.append(cells)
        }
        return rows[left.count][right.count]
    }

    @Test func `of two names over three letters the distance is that of the whole table, up to every limit`() {
        var state: UInt64 = 7
        func random(below bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        for _ in 0..<3_000 {
            let left = (0..<random(below: 12)).map { _ in UInt8(97 + random(below: 3)) }
            var right = left
            for _ in 0..<random(below: 5) where !right.isEmpty {
                let place = random(below: UInt64(right.count))
                switch random(below: 4) {
                case 0: right.remove(at: place)
                case 1: right.insert(UInt8(97 + random(below: 3)), at: place)
                case 2: right[place] = UInt8(97 + random(below: 3))
                default: right.swapAt(place, max(0, place - 1))
                }
            }
            let distance = tableDistance(left, right)
            for limit in 0...4 {
                let found = NearestName.editDistance(left, right, upTo: limit)
                #expect(found == (distance <= limit ? distance : nil), "\(left) \(right) up to \(limit)")
            }
        }
    }

    @Test func `endless names cost nothing`() {
        let long = String(repeating: "x", count: 1_000_000)
        #expect(NearestName.find(long, in: [long + "y"]) == long + "y")
        #expect(NearestName.find(long, in: ["status"]) == nil)
    }
}
