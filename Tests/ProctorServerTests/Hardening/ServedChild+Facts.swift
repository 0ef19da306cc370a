import Foundation
import ProctorTestSupport
import Testing

/// What the system knows of the child; only Linux tells.
extension ServedChild {
    /// Open descriptors; 0 where the system does not tell.
    var descriptorCount: Int { OpenDescriptors.count(of: process) }

    /// Bytes that belong to this process alone; 0 where the system does not tell.
    var privateByteCount: Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8) else { return 0 }
        return text.split(separator: "\n").filter { $0.hasPrefix("Private_") }
            .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
            .reduce(0) { $0 + $1 * 1_024 }
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
    /// By how much memory has grown; 0 under a sanitizer, which keeps what was freed.
    let byteCount: Int

    /// What may stay in memory: a standing journal's 4 MiB, and room for what an allocator keeps.
    private static let allowance = 8 << 20

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
                let before = child.privateByteCount
                try attack(child)
                _ = child.descriptorCount(wanting: descriptorCount)
                growth = min(growth, child.privateByteCount - before)
            }
            let last = try child.answer()
            return Aftermath(
                answers: [first, last],
                descriptorCount: child.descriptorCount(wanting: descriptorCount) - descriptorCount,
                byteCount: Sanitizer.isOn ? 0 : growth)
        }
    }

    func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(answers == ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK"], sourceLocation: sourceLocation)
        #expect(descriptorCount == 0, sourceLocation: sourceLocation)
        #expect(byteCount <= Self.allowance, sourceLocation: sourceLocation)
    }
}

/// Makes memory a poor measure.
enum Sanitizer {
    static let isOn: Bool = {
        let program = unsafe dlopen(nil, RTLD_NOW)
        return unsafe dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
    }()
}
