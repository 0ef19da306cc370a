import Foundation
import ProctorBase

/// Runs pages, several rows at a time.
struct Suite: Sendable {
    let runners: [String: any RowRunner]
    /// Rows at a time.
    let width: Int
    let isRecording: Bool

    struct Result: Sendable {
        let row: Row
        let mismatches: [Mismatch]
        /// Why it could not be run, with the line.
        let trouble: RowError?
        let duration: Duration

        var isPass: Bool { mismatches.isEmpty && trouble == nil }
    }

    /// Runs all rows, tells each result as it comes, and returns them in the order of the pages.
    func run(_ rows: [(kind: String, row: Row)], tell: @escaping @Sendable (Result) -> Void) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { group in
            var results = [Result?](repeating: nil, count: rows.count)
            var next = 0
            func start() {
                guard next < rows.count else { return }
                let index = next
                next += 1
                group.addTask { (index, await run(rows[index].row, of: rows[index].kind)) }
            }
            for _ in 0..<width { start() }
            while let (index, result) = await group.next() {
                tell(result)
                results[index] = result
                start()
            }
            return results.compactMap(\.self)
        }
    }

    @concurrent private func run(_ row: Row, of kind: String) async -> Result {
        let start = ContinuousClock.now
        var check = Check(isRecording: isRecording)
        var trouble: RowError?
        do {
            guard let runner = runners[kind] else {
                let known = runners.keys.sorted().joined(separator: ", ")
                throw RowError(row.line, "no runner reads pages of \"\(kind)\"; runners: \(known)")
            }
            try await runner.run(row, &check)
            if check.count == 0 { throw RowError(row.line, "nothing is compared here, so this row can't fail") }
        } catch let error as RowError {
            trouble = error
        } catch {
            trouble = RowError(row.line, "\(error)")
        }
        return Result(
            row: row, mismatches: check.mismatches, trouble: trouble, duration: ContinuousClock.now - start)
    }
}
