import Foundation
import ProctorTestSupport
import ProctorTrace

/// What an adapter wrote, read by nobody's code but this.
struct Report {
    struct Header: Decodable {
        let trace: String
        let version: Int
        let client: String
        let lanes: [String]
        let abilities: [String]?
        let `case`: String?
    }

    struct Line: Decodable {
        let seq: Int
        let ns: UInt64
        let lane: String
        let task: Int?
        let ev: String
        let arg: String?
        let phase: String?
        let queue: String?
        let thread: String?
        let family: String?
        let facts: [String: Fact]?

        /// As an expression writes it.
        var symbol: String { arg.map { "\(ev)(\($0))" } ?? ev }

        func text(_ key: String) -> String? {
            if case .text(let text)? = facts?[key] { return text }
            return nil
        }

        func number(_ key: String) -> Int? {
            if case .number(let number)? = facts?[key] { return number }
            return nil
        }
    }

    enum Fact: Decodable, Equatable {
        case text(String)
        case number(Int)
        case flag(Bool)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    let status: Int32
    let header: Header?
    let lines: [Line]
    let errors: String

    init(_ outcome: ChildProcess.Outcome) throws {
        status = outcome.status
        errors = outcome.err
        let rows = outcome.out.split(separator: "\n").map { Data($0.utf8) }
        header = try rows.first.map { try JSONDecoder().decode(Header.self, from: $0) }
        lines = try rows.dropFirst().map { try JSONDecoder().decode(Line.self, from: $0) }
    }

    /// Beginnings of callbacks and acts in a lane, in order; a run of the same event is written once.
    func lane(_ name: String, task: Int? = nil) -> String {
        var symbols: [String] = []
        for line in lines where line.lane == name && line.phase != "exit" {
            if let task, line.task ?? 0 != task { continue }
            if symbols.last != line.symbol { symbols.append(line.symbol) }
        }
        return symbols.joined(separator: " ")
    }

    func first(_ symbol: String, lane: String) -> Line? {
        lines.first { $0.lane == lane && $0.symbol == symbol && $0.phase != "exit" }
    }

    func result(of step: Int = 0) -> Line? {
        lines.first { $0.ev == "result" && $0.task ?? 0 == step }
    }
}
