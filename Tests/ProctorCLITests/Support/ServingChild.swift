import Foundation

/// A `proctor serve` that runs until it is told to end; killed with its owner at the latest.
final class ServingChild: @unchecked Sendable {
    private let process = Process()
    private let streams: Folder
    /// The ready line as it stands on standard output.
    let ready: [String: any Sendable]

    /// Starts on a free port and waits for the ready line.
    init(_ folder: Folder, _ arguments: [String] = []) throws {
        streams = try Folder()
        process.executableURL = URL(fileURLWithPath: Child.binary)
        process.arguments = ["serve", "\(folder.path)/fixtures", "--port", "0"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try streams.create("out")
        process.standardError = try streams.create("err")
        try process.run()
        let (streams, process) = (streams, process)
        try wait(for: "the ready line") {
            if !process.isRunning { throw Timeout(description: "serve ended: \(try streams.text("err"))") }
            return try streams.text("out").contains("\n")
        }
        let line = Data(try streams.text("out").utf8)
        ready = try JSONSerialization.jsonObject(with: line) as? [String: any Sendable] ?? [:]
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var base: String { ready["base"] as? String ?? "" }
    var id: Int32 { process.processIdentifier }

    func out() throws -> String { try streams.text("out") }
    func err() throws -> String { try streams.text("err") }

    /// Sends a signal and waits for the end; returns the exit status.
    func end(_ signal: Int32 = SIGTERM) throws -> Int32 {
        kill(process.processIdentifier, signal)
        try process.waitUntilExit(within: 20)
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    /// Sends a signal until the process has ended.
    func endAtLast(_ signal: Int32) throws -> Int32 {
        let process = process
        try wait(for: "the end") {
            kill(process.processIdentifier, signal)
            return !process.isRunning
        }
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    /// Descriptors that are open now.
    var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd"))?.count ?? 0
    }

    /// The most memory that was ever in use.
    var peakByteCount: Int {
        let text = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
    }
}

/// Asks with curl; standard output is the body.
func curl(_ arguments: String...) async throws -> Child.Outcome {
    try await Child.run(["-sS", "--max-time", "15"] + arguments, program: "/usr/bin/curl")
}
