internal import ProctorBase
internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorReplies
internal import ProctorScript

/// What a library sees while it is loaded: no request, and no state, which Lua refuses before it asks.
final class LibraryHost: ScriptHost {
    func write(_ property: RequestProperty, to values: ValueBuffer) { values.none() }
    var body: [UInt8]? { nil }
    func nextRandom() -> UInt64 { 0 }

    func use(_ key: ScriptKey, to act: ScriptKey.Act) -> Result<ScriptValue, ScriptFailure> {
        .failure(ScriptFailure("a library that is loaded has no keys of a run"))
    }

    func state(_ scope: ScriptScope, _ name: [UInt8]) -> [UInt8]? { nil }
    func setState(_ scope: ScriptScope, _ name: [UInt8], to value: [UInt8]?) -> String? { Self.refusal }

    func addToState(_ scope: ScriptScope, _ name: [UInt8], _ number: Int64) -> Result<Int64, ScriptFailure> {
        .failure(ScriptFailure(Self.refusal))
    }

    func takeFromState(_ scope: ScriptScope, _ name: [UInt8]) -> Result<[UInt8]?, ScriptFailure> {
        .failure(ScriptFailure(Self.refusal))
    }

    var hasMessages: Bool { false }
    func joinChannel(_ name: [UInt8]) -> String? { Self.refusal }

    func sendToChannel(_ name: [UInt8], _ message: ScriptMessage) -> Result<Int64, ScriptFailure> {
        .failure(ScriptFailure(Self.refusal))
    }

    private static let refusal = "a library that is loaded changes no state"
}

// What is the same for every script.
extension ScriptHost {
    func hash(_ function: String, _ bytes: [UInt8]) -> [UInt8]? { OpenSSLDigest.hash(function, of: bytes) }

    func unixTime() -> Double { WallClock.unixSeconds }
    func monotonicTime() -> Double { Double(MonotonicClock.nanoseconds) / 1e9 }

    func httpDate(_ unixSeconds: Int64) -> [UInt8]? {
        // From the year 1 to the year 9999.
        guard -62_135_596_800...253_402_300_799 ~= unixSeconds else { return nil }
        return HTTPDate.imfFixdate(unixSeconds: Int(unixSeconds))
    }
}
