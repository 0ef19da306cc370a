import Foundation
import ProctorBase
import ProctorTestSupport
import ProctorTestWire
import Testing

/// The built `proctor`, serving one scenario, so that its descriptors and memory can be seen from outside.
///
/// Not an exit test: that blocks a thread of the pool for as long as its child lives. For one thread.
struct ServedChild {
    let base: String
    let process: pid_t

    /// The parts of the ready line that matter here.
    private struct ReadyLine: Decodable {
        let base: String
        let pid: pid_t
    }

    /// Serves `yaml` as the scenario `one` for the time of `body`, which runs on a thread; the child must end well.
    static func serve<Result: Sendable>(
        _ yaml: String, _ body: @escaping @Sendable (ServedChild) throws -> Result
    ) async throws -> Result {
        try await onThread {
            let folder = "/tmp/proctor-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data(yaml.utf8).write(to: URL(fileURLWithPath: "\(folder)/one.yaml"))
            // Else a file that is read behind the ready line would be counted among the descriptors of an idle server.
            let process = try ChildProcess([BuiltProduct.proctor, "serve", folder, "--port", "0", "--check-first"])
            let line = try process.readLine()
            let ready = try JSONDecoder().decode(ReadyLine.self, from: Data(line))
            let result = try body(ServedChild(base: ready.base, process: ready.pid))
            process.send(signal: SIGTERM)
            let status = try process.waitUntilExit()
            guard status == 0 else { throw WireFailure("the child ended with status \(status): \(process.err)", 0) }
            return result
        }
    }
}

/// What the system knows of the child; only Linux tells.
extension ServedChild {
    /// Open descriptors; 0 where the system does not tell.
    var descriptorCount: Int { OpenDescriptors.count(of: process) }

    /// Bytes of the process that are no file's; 0 where the system does not tell.
    ///
    /// Pages of the program are left out: they count as private or shared by how many other tests run the same program now.
    var anonymousByteCount: Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Anonymous:") }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }.map { $0 * 1_024 } ?? 0
    }

    /// The descriptors left when no more than `count` are, or after a patient while.
    func descriptorCount(wanting count: Int) -> Int {
        let start = ContinuousClock.now
        while descriptorCount > count, ContinuousClock.now - start < Patience.whole { usleep(2_000) }
        return descriptorCount
    }

    /// The status line that an honest request is answered with.
    func answer() throws -> String {
        let wire = try Wire(to: base)
        defer { wire.close() }
        try wire.send(.request("GET /one/1", "Connection: close"))
        return try wire.readToEnd().text.split(separator: "\r\n").first.map(String.init) ?? ""
    }
}

/// What an attack left behind.
struct Aftermath: Sendable {
    /// Before and after it.
    let answers: [String]
    /// Not given back.
    let descriptorCount: Int
    /// By how much memory has grown.
    let byteCount: Int

    /// What may stay in memory: a standing journal's 4 MiB, and room for what an allocator keeps.
    ///
    /// A sanitizer keeps all.
    private static let allowance = Sanitizer.isOn ? 1 << 40 : 8 << 20

    /// Runs `attack` against a child that serves `yaml`, and looks at what is different afterwards.
    ///
    /// With `again` an attack was made before: an allocator keeps what a crowd has needed, but once. How much it is depends on how many
    /// of the crowd are there at a time, thus on the machine; so a growth beyond the allowance is counted only if two more attacks repeat it,
    /// as a leak does.
    static func of(
        _ yaml: String, again: Bool = false, _ attack: @escaping @Sendable (ServedChild) throws -> Void
    ) async throws -> Aftermath {
        try await ServedChild.serve(yaml) { child in
            let idle = child.descriptorCount
            if again { try attack(child) }
            // The first request makes what is kept.
            let first = try child.answer()
            let descriptorCount = child.descriptorCount(wanting: idle)
            var growth = Int.max
            for _ in 0..<3 where growth > allowance {
                let before = child.anonymousByteCount
                try attack(child)
                _ = child.descriptorCount(wanting: descriptorCount)
                growth = min(growth, child.anonymousByteCount - before)
            }
            let last = try child.answer()
            return Aftermath(
                answers: [first, last],
                descriptorCount: child.descriptorCount(wanting: descriptorCount) - descriptorCount,
                byteCount: growth)
        }
    }

    func expectNothing(sourceLocation: Testing.SourceLocation = #_sourceLocation) {
        #expect(answers == ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK"], sourceLocation: sourceLocation)
        #expect(descriptorCount == 0, sourceLocation: sourceLocation)
        #expect(byteCount <= Self.allowance, sourceLocation: sourceLocation)
    }
}

/// Makes memory a poor measure.
enum DescriptorLimit {
    #if canImport(Darwin)
        private static let resource = RLIMIT_NOFILE
    #else
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif

    /// Asks for so many, for this process and the children it starts from now on; false when they are not to be had.
    static func raise(to count: Int) -> Bool {
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        guard limit.rlim_cur < rlim_t(count) else { return true }
        limit.rlim_cur = rlim_t(count)
        return unsafe setrlimit(resource, &limit) == 0
    }

    /// Waits, bounded, until so many can be opened here: other tests of this process hold some too.
    static func waitForRoom(for count: Int) async throws {
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        let most = Int(clamping: limit.rlim_cur)
        let end = MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds
        while most - OpenDescriptors.count(of: getpid()) < count, MonotonicClock.nanoseconds < end {
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
