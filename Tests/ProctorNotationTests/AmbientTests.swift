import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// `with:`, the expression that is interleaved up to the terminal event.
struct AmbientTests {
    @Test func `ambient events may stand anywhere before the end`() throws {
        for events in [
            "response data complete", "bodySent×2 response data complete", "response bodySent data bodySent complete",
        ] {
            #expect(try accepts("response data complete", events, with: "bodySent*"), "\(events)")
        }
    }

    @Test func `after the terminal event the ambient is closed`() throws {
        #expect(try !accepts("response complete", "response complete bodySent", with: "bodySent*"))
    }

    @Test func `an owed ambient event refuses the terminal event and is missing`() throws {
        let ambient = try Notation(parsing: "bodySent metrics", lane: .task)
        let notation = try Notation(parsing: "response complete", lane: .task)
        let diagnosis = try #require(notation.diagnosis(of: trace("response bodySent complete"), ambient: ambient))
        #expect(diagnosis.got == TraceEventSymbol("complete"))
        #expect(diagnosis.missing.map(\.description) == ["complete", "metrics"])
        #expect(diagnosis.missing.map(\.isAmbient) == [false, true])
        #expect(diagnosis.sentence == "got complete, but before it must come metrics")
        #expect(
            diagnosis.description == """
                  matched : response
                  then got: complete   [event 3]
                  wanted  : metrics (ambient), before it
                  in      : response complete
                                     ^
                """)
        #expect(try accepts("response complete", "bodySent response metrics complete", with: "bodySent metrics"))
    }

    @Test func `order within the ambient is kept`() throws {
        #expect(
            try accepts("response complete", "bodySent response bodySent metrics complete", with: "bodySent* metrics?"))
        #expect(try !accepts("response complete", "metrics response bodySent complete", with: "bodySent* metrics?"))
        #expect(try accepts("response complete", "metrics response bodySent complete", with: "bodySent* & metrics?"))
    }

    @Test func `a trace without terminal event is accepted when nothing is owed`() throws {
        #expect(try accepts("response? complete?", "bodySent response bodySent", with: "bodySent*"))
        #expect(try !accepts("response? complete?", "response", with: "bodySent+"))
    }

    @Test func `an event that both name may be read either way`() throws {
        #expect(try accepts("data response data complete", "data×3 response data complete", with: "data{2}"))
        #expect(try !accepts("data response data complete", "data response data complete", with: "data{2}"))
        #expect(try accepts("data response data complete", "data response data×3 complete", with: "data{2}"))
    }

    @Test func `a family may name other terminal events`() throws {
        let notation = try Notation(parsing: "response fileReady metrics", lane: .task)
        let ambient = try Notation(parsing: "progress*", lane: .task)
        let events = trace("progress response fileReady progress metrics")
        #expect(notation.diagnosis(of: events, ambient: ambient) == nil)
        #expect(notation.diagnosis(of: events, ambient: ambient, terminals: ["fileReady", "complete"]) != nil)
    }

    @Test func `ambient events are in neither line of a diagnosis`() throws {
        let notation = try Notation(parsing: "response(200) data+ complete(ok)", lane: .task)
        let ambient = try Notation(parsing: "bodySent*", lane: .task)
        let diagnosis = try #require(
            notation.diagnosis(of: trace("bodySent×3 response(200) bodySent complete(ok)"), ambient: ambient))
        #expect(
            diagnosis.description == """
                  matched : response(200)
                  then got: complete(ok)   [event 6]
                  wanted  : data
                  in      : response(200) data+ complete(ok)
                                          ^
                  later   : complete(ok) would be accepted after data
                """)
    }

    @Test func `a terminal event in the ambient is a typing error`() throws {
        try Notation(parsing: "bodySent* metrics?", lane: .task).checkAsAmbient()
        let wrong = try Notation(parsing: "bodySent* complete?", lane: .task)
        let error = #expect(throws: NotationError.self) { try wrong.checkAsAmbient() }
        #expect(error?.offset == 10)
        #expect(
            error?.sentence
                == "'complete' ends the lane, so it cannot be interleaved; write it in the lane's own expression")
    }
}
