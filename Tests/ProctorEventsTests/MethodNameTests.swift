import ProctorEvents
import Testing

struct MethodNameTests {
    @Test func `no spelling stands for two methods, and none is a neutral name`() {
        let spellings = MethodName.all.flatMap(\.spellings)
        #expect(Set(spellings).count == spellings.count)
        for spelling in spellings { #expect(EventVocabulary.kind(named: spelling) == nil) }
    }

    @Test func `every spelling is found, and belongs to a lane of its event`() throws {
        for method in MethodName.all {
            #expect(!method.spellings.isEmpty)
            for spelling in method.spellings {
                #expect(MethodName.named(spelling) == method, "\(spelling)")
                #expect(MethodName.named(spelling + "x") == nil && MethodName.named("x" + spelling) == nil)
                #expect(MethodName.named(String(spelling.dropLast())) == nil || spelling.hasSuffix(")"))
            }
            guard let event = method.event else { continue }
            #expect(EventVocabulary.kind(named: event.rawValue)?.lanes.contains(method.lane) == true, "\(method)")
        }
    }

    @Test func `every spelling is read as an event and as a line of a log`() {
        for method in MethodName.all {
            for spelling in method.spellings {
                let read = TraceVerifier.read([Array("{\"ev\":\"\(spelling)\"}\n".utf8)], 1_000)
                let log = TraceVerifier.read([Array("-[MyProtocol \(spelling)]\n".utf8)], 1_000)
                #expect(read.errors.isEmpty)
                guard let event = method.event else {
                    #expect(read.events.isEmpty && read.skippedLineCount == 1)
                    #expect(log.events.isEmpty && log.skippedLineCount == 1)
                    continue
                }
                // What the argument leaves open is resolved below.
                let isOpen = spelling.hasSuffix("(_:didReceive:)") && spelling.hasPrefix("connection")
                #expect(read.events.map(\.name) == [isOpen ? .response : event], "\(spelling)")
                #expect(log.events.map(\.name) == [isOpen ? .response : event], "\(spelling)")
                for seen in [read, log] {
                    #expect(seen.events.first?.lane == method.lane)
                    let isGuessed = !method.isOfOneFamily && event != .complete
                    #expect(seen.events.first?.family == (isGuessed ? nil : method.family))
                    #expect(seen.events.first?.facts.text(.sel) == spelling)
                }
            }
        }
    }

    @Test func `every event of a delegate or a protocol has a method`() {
        // An event source and a sequence have no delegate.
        let known = Set(MethodName.all.compactMap { $0.event } + [.esOpen, .esEvent, .esError, .trailers])
        for kind in EventVocabulary.kinds
        where !Set(kind.lanes).isDisjoint(with: [.task, .session, .proto, .protocolClient]) {
            #expect(known.contains(kind.event), "\(kind.name)")
        }
    }
}
