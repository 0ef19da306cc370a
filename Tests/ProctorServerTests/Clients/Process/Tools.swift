import Foundation
import ProctorTestSupport

/// Where this project and the programs that its tests drive are found.
enum Tools {
    /// The folder that holds `fixtures`, `clients` and `Tests`.
    static let project: String = {
        // .../Tests/ProctorServerTests/Clients/Process/Tools.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(5).joined(separator: "/")
    }()

    /// The system's own, which has the packages that `Scripts/install-packages.sh test` installs; else the first of PATH.
    static let python = path(of: "python3", preferring: "/usr/bin/python3")
    static let curl = path(of: "curl", preferring: "/usr/bin/curl")
    static let wget = path(of: "wget", preferring: "/usr/bin/wget")

    /// A Python script of `Tests/Clients`, started so that it leaves nothing behind.
    static func script(_ name: String, _ arguments: [String] = []) -> [String] {
        [python, "-E", "-s", "-B", "\(project)/Tests/Clients/\(name)"] + arguments
    }

    /// Runs a program to its end and returns what it printed.
    static func output(of arguments: [String], within limit: Duration) async throws -> [UInt8] {
        try await ChildProcess.run(arguments, within: limit).output
    }

    /// The number in `curl 7.88.1 (x86_64…)`, `Python 3.11.2` or `GNU Wget 1.21.3 built on linux-gnu.`.
    static func version(of program: String) throws -> String {
        let text = try ChildProcess.runNow([program, "--version"]).out
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.first { $0.first?.isNumber == true }.map(String.init) ?? ""
    }

    /// `preferred` where it is there, else the first of PATH; else `preferred` all the same.
    static func path(of name: String, preferring preferred: String) -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return ([preferred] + folders.map { "\($0)/\(name)" })
            .first { FileManager.default.isExecutableFile(atPath: $0) } ?? preferred
    }
}

/// How long a client may take for a step, in seconds of the clock, and for all of a case.
enum ClientTimes {
    static var step: Int { Patience.seconds }
    static let whole = Duration.seconds(180)
}
