import Testing

@testable import ProctorEvents
@testable import ProctorNotation

struct EventVocabularyTests {
    @Test func `every event has its own name and every lane has events`() {
        #expect(Set(EventVocabulary.kinds.map(\.name)).count == EventVocabulary.kinds.count)
        for lane in Lane.allCases { #expect(!EventVocabulary.names(in: lane).isEmpty) }
    }

    @Test func `the wire has requests, the replies to them, and frames`() {
        #expect(
            EventVocabulary.names(in: .wire) == ["request", "replied", "closed"]
                + EventVocabulary.frames.map(\.rawValue))
        #expect(EventVocabulary.kind(named: "request")?.lanes == [.wire])
    }

    @Test func `every name can be written in an expression of its lanes and no other`() {
        for kind in EventVocabulary.kinds {
            for lane in Lane.allCases {
                let isLegal = (try? Notation(parsing: kind.name, lane: lane)) != nil
                #expect(isLegal == kind.lanes.contains(lane), "\(kind.name) in \(lane)")
            }
        }
    }

    @Test func `ambient are the events that come with every load, and what a URLProtocol is asked as a class`() {
        #expect(
            EventVocabulary.ambientNames == [
                "created", "delayed", "waiting", "bodySent", "willCache", "metrics", "p.canInit", "p.canonical",
                "p.cacheEquivalent",
            ])
    }

}
