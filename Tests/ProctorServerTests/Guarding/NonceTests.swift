import ProctorHTTP
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Nonce counts and the nonces of nonces, without a server.
struct NonceTests {
    @Test func `counts are seen once within the window, and never again below it`() {
        var counts = NonceCounts()
        var seen: Set<UInt32> = [0]
        var random = SplitMix64(seed: 11)
        var highest: UInt32 = 0
        for _ in 0..<20_000 {
            let count = UInt32(truncatingIfNeeded: random.next(in: 0..<40)) + highest - min(highest, 20)
            let isTooOld = highest >= NonceCounts.windowCount && count <= highest - NonceCounts.windowCount
            let isSeen = isTooOld || seen.contains(count)
            #expect(counts.hasSeen(count) == isSeen)
            let wasTaken = counts.use(count)
            #expect(wasTaken == !isSeen)
            seen.insert(count)
            highest = max(highest, count)
            #expect(counts.highest == highest)
        }
    }

    @Test(arguments: [1_023, 1_024, 1_025, 5_000] as [UInt32])
    func `a jump leaves as many places open as the window has`(jump: UInt32) {
        var counts = NonceCounts()
        let early = (1...10 as ClosedRange<UInt32>).map { counts.use($0) }
        #expect(early.allSatisfy { $0 })
        let wasTaken = counts.use(10 + jump)
        #expect(wasTaken)
        let known = counts
        #expect((1...10 as ClosedRange<UInt32>).allSatisfy { known.hasSeen($0) })
        #expect(counts.hasSeen(11) == (jump > NonceCounts.windowCount))
        #expect(!counts.hasSeen(10 + jump - 1))
        let last = [UInt32.max, .max, 0].map { counts.use($0) }
        #expect(last == [true, false, false])
    }

    @Test func `a guard keeps the newest thousand`() {
        var nonces = IssuedNonces()
        let grant = IssuedNonces.Grant(scheme: 0, realm: 0)
        for number in 0..<2_500 {
            nonces.issue(Array("\(number)".utf8), for: grant, at: UInt64(number), useLimit: number == 1_500 ? 2 : nil)
        }
        #expect(nonces.count == IssuedNonces.nonceLimit)
        #expect(nonces[Array("1499".utf8)] == nil)
        #expect(nonces[Array("1500".utf8)]?.grants == [grant])
        var uses = [nonces.use(Array("1499".utf8), count: 1, clientNonce: nil)]
        for count in [1, 1, 2, 3] as [UInt32] {
            uses.append(nonces.use(Array("1500".utf8), count: count, clientNonce: nil))
        }
        #expect(uses.map { $0?.kind } == [.unknownNonce, nil, .replayedNonceCount, nil, .staleNonce])
    }

    @Test func `one that is kept is never forgotten, and neither is it when it is given out again`() {
        var nonces = IssuedNonces()
        let grant = IssuedNonces.Grant(scheme: 0, realm: 0)
        let kept = Array("kept".utf8)
        nonces.issue(kept, for: grant, at: 0, isKept: true)
        for number in 0..<1_200 { nonces.issue(Array("\(number)".utf8), for: grant, at: UInt64(number)) }
        nonces.issue(kept, for: IssuedNonces.Grant(scheme: 1, realm: 0), at: 1)
        for number in 1_200..<2_400 { nonces.issue(Array("\(number)".utf8), for: grant, at: UInt64(number)) }
        #expect(nonces.count == IssuedNonces.nonceLimit + 1)
        #expect(nonces[kept]?.grants.map(\.scheme) == [0, 1])
    }

    @Test func `what changed since a request was judged is asked again`() {
        var nonces = IssuedNonces()
        let nonce = Array("n".utf8)
        let (one, other) = (Array("one".utf8), Array("other".utf8))
        nonces.issue(nonce, for: IssuedNonces.Grant(scheme: 0, realm: 0), at: 1)
        func use(_ count: UInt32, _ clientNonce: [UInt8]) -> CredentialFault.Kind? {
            nonces.use(nonce, count: count, clientNonce: clientNonce, isGapless: true)?.kind
        }
        let uses = [use(2, one), use(1, one), use(2, other), use(3, one), use(2, one)]
        #expect(uses == [.skippedNonceCount, nil, .changedClientNonce, .skippedNonceCount, nil])
    }

    @Test func `a nonce that is no challenge goes on with the session of the one before`() {
        var nonces = IssuedNonces()
        let grant = IssuedNonces.Grant(scheme: 0, realm: 0)
        let (first, second, third) = (Array("first".utf8), Array("second".utf8), Array("third".utf8))
        let clientNonce = Array("c".utf8)
        nonces.issue(first, for: grant, at: 1)
        let use = nonces.use(first, count: 1, clientNonce: clientNonce)
        #expect(use == nil)
        nonces.issue(second, for: grant, at: 2, in: nonces.session(of: first))
        nonces.issue(third, for: grant, at: 3, in: nonces.session(of: second))
        #expect(nonces[first]?.sessionNonce == nil)
        for next in [second, third] {
            #expect(nonces[next]?.sessionNonce == first)
            #expect(nonces[next]?.clientNonce == clientNonce)
        }
        #expect(nonces.session(of: Array("unheard".utf8)) == nil)
        // A challenge with the same text is a new session.
        nonces.issue(third, for: grant, at: 4)
        #expect(nonces[third]?.sessionNonce == nil)
        #expect(nonces[third]?.clientNonce == nil)
    }

    @Test func `a nonce that is given out again keeps the offers of its other schemes`() {
        var nonces = IssuedNonces()
        let text = Array("fixed".utf8)
        let (one, two) = (IssuedNonces.Grant(scheme: 0, realm: 0), IssuedNonces.Grant(scheme: 1, realm: 0))
        nonces.issue(text, for: one, at: 1)
        nonces.issue(text, for: two, at: 1)
        #expect(nonces[text]?.grants == [one, two])
        let first = nonces.use(text, count: 1, clientNonce: nil)
        let next = IssuedNonces.Grant(scheme: 0, realm: 1)
        nonces.issue(text, for: next, at: 2)
        #expect(nonces[text]?.grants == [two, next])
        let second = nonces.use(text, count: 1, clientNonce: nil)
        #expect([first, second] == [nil, nil])
        #expect(nonces.count == 1)
    }
}
