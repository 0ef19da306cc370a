import ProctorCoding
import ProctorTestSupport

extension Judge {
    /// The program for what one step made.
    static func tool(_ step: CodingStep, _ coded: [UInt8]) async throws -> Verdict {
        try await tool(step.coding.rawValue, isRaw: step.isRaw, coded)
    }
}
