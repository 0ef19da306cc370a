internal import Foundation
internal import ProctorProgram

/// Reads the one object on standard input.
enum AssignmentReader {
    /// What is wrong with an input, for a person.
    struct Problem: Error {
        let text: String
    }

    /// Bytes an assignment has at most: a body of 32 MiB in base64, and all that is around it.
    static let limit = 64 << 20

    static func read(from descriptor: Int32) -> Result<Assignment, Problem> {
        Streams.readAll(from: descriptor, limit: limit).flatMap(assignment)
    }

    static func assignment(_ data: Data) -> Result<Assignment, Problem> {
        guard !data.isEmpty else {
            return .failure(Problem(text: "standard input is empty; expected an assignment, one JSON object"))
        }
        do {
            let version = try JSONDecoder().decode(VersionOnly.self, from: data).version
            guard version == Assignment.currentVersion else {
                return .failure(
                    Problem(
                        text: "the assignment has version \(version); this program knows \(Assignment.currentVersion)"))
            }
            let assignment = try JSONDecoder().decode(Assignment.self, from: data)
            return fault(of: assignment).map(Result.failure) ?? .success(assignment)
        } catch let error as DecodingError {
            return .failure(Problem(text: "the assignment can't be read: \(error.sentence)"))
        } catch {
            return .failure(Problem(text: "the assignment can't be read: \(error)"))
        }
    }

    private struct VersionOnly: Decodable {
        let version: Int
    }

    private static func fault(of assignment: Assignment) -> Problem? {
        if assignment.steps.isEmpty { return Problem(text: "the assignment has no steps; expected at least one") }
        guard 100...600_000 ~= assignment.deadline else {
            return Problem(
                text: "deadline: \(assignment.deadline) is out of range; expected 100 to 600000 milliseconds")
        }
        for (index, step) in assignment.steps.enumerated() {
            if let earlier = step.resume, !(0..<index).contains(earlier) {
                return Problem(text: "steps[\(index)].resume: \(earlier) is no earlier step")
            }
        }
        return nil
    }
}

extension DecodingError {
    /// Where it is, and what was expected.
    fileprivate var sentence: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.path(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            "\(Self.path(context.codingPath)) is no \(type)"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is no JSON" : "\(Self.path(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "the whole" }
        return keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
