internal import CDuktape

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Runs a proxy auto-configuration file once, within a bound of memory; Duktape has none of time, so ``PACProcess`` gives
/// it a process of its own.
package enum PACEngine {
    /// The most bytes that a script and its values may have.
    package static let memoryByteCount = 32 << 20

    /// What `FindProxyForURL` returned; nil: null, or nothing.
    ///
    /// Throws the error of the script.
    package static func findProxies(
        for url: String, host: String, by script: [UInt8], names: [String: String],
        memoryByteCount: Int = memoryByteCount
    ) throws(PACFailure) -> String? {
        let account = PACMemory(limit: memoryByteCount)
        return try withExtendedLifetime(account) { () throws(PACFailure) in
            guard
                let context = unsafe proctor_duk_create(
                    allocateForPAC, reallocateForPAC, releaseForPAC, Unmanaged.passUnretained(account).toOpaque())
            else { throw PACFailure("the engine of scripts has no memory") }
            defer { unsafe duk_destroy_heap(context) }
            let table = names.sorted { $0.key < $1.key }
                .map { "names[\(quoted($0.key.lowercased()))] = \(quoted($0.value));\n" }
            _ = try unsafe run(Array((PACHelpers.text + "\n" + table.joined()).utf8), in: context)
            _ = try unsafe run(script, in: context)
            return try unsafe run(Array("FindProxyForURL(\(quoted(url)), \(quoted(host)))".utf8), in: context)
        }
    }

    /// nil: the value of the text is null, or nothing.
    private static func run(_ text: [UInt8], in context: OpaquePointer) throws(PACFailure) -> String? {
        let hasFailed = unsafe text.withUnsafeBytes { bytes in
            unsafe proctor_duk_run(context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) != 0
        }
        defer { unsafe duk_pop(context) }
        if !hasFailed, unsafe proctor_duk_is_missing(context) != 0 { return nil }
        var count = 0
        let value = unsafe proctor_duk_text(context, &count)
        let result = unsafe UnsafeBufferPointer(start: value, count: value == nil ? 0 : count)
        let bytes = unsafe result.prefix(textByteLimit).map { UInt8(bitPattern: $0) }
        let shown = String(decoding: bytes, as: UTF8.self)
        guard !hasFailed else { throw PACFailure(shown) }
        return shown
    }

    /// The most bytes of an answer or an error.
    private static let textByteLimit = 65_536

    /// A literal of ECMAScript, whatever the text has.
    private static func quoted(_ text: String) -> String {
        "\""
            + text.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined() + "\""
    }
}

/// Why a file has no answer.
package struct PACFailure: Error, Sendable, Equatable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// The memory of one run; used by one thread.
private final class PACMemory {
    var byteCount = 0
    let limit: Int

    init(limit: Int) { self.limit = limit }
}

/// The size of a block stands before it.
private let headerByteCount = 16

private func account(_ owner: UnsafeMutableRawPointer?) -> PACMemory? {
    unsafe owner.map { unsafe Unmanaged<PACMemory>.fromOpaque($0).takeUnretainedValue() }
}

private func allocateForPAC(_ owner: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
    unsafe reallocateForPAC(owner, nil, count)
}

private func reallocateForPAC(
    _ owner: UnsafeMutableRawPointer?, _ block: UnsafeMutableRawPointer?, _ count: Int
) -> UnsafeMutableRawPointer? {
    guard count > 0 else {
        unsafe releaseForPAC(owner, block)
        return nil
    }
    guard let account = unsafe account(owner) else { return nil }
    let start = unsafe block.map { unsafe $0 - headerByteCount }
    let old = unsafe start?.load(as: Int.self) ?? 0
    guard count <= account.limit, account.byteCount - old <= account.limit - count,
        let new = unsafe realloc(start, count + headerByteCount)
    else { return nil }
    account.byteCount += count - old
    unsafe new.storeBytes(of: count, as: Int.self)
    return unsafe new + headerByteCount
}

private func releaseForPAC(_ owner: UnsafeMutableRawPointer?, _ block: UnsafeMutableRawPointer?) {
    guard let block = unsafe block, let account = unsafe account(owner) else { return }
    let start = unsafe block - headerByteCount
    account.byteCount -= unsafe start.load(as: Int.self)
    unsafe free(start)
}
