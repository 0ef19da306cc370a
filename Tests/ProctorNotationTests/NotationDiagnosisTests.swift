import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// What a person reads when a trace does not satisfy an expression.
struct NotationDiagnosisTests {
    static func diagnose(_ notation: String, _ events: String) throws -> NotationDiagnosis {
        try #require(try Notation(parsing: notation, lane: .task).diagnosis(of: trace(events)))
    }

    @Test func `a refused event is shown with what was wanted, a caret and where it would stand`() throws {
        let diagnosis = try Self.diagnose(
            "challenge(basic) response(200) data+ complete(ok)", "response(200) data complete(ok)")
        #expect(
            diagnosis.description == """
                  matched : (nothing)
                  then got: response(200)   [event 1]
                  wanted  : challenge(basic)
                  in      : challenge(basic) response(200) data+ complete(ok)
                            ^
                  later   : response(200) would be accepted after challenge(basic)
                """)
        #expect(diagnosis.sentence == "got response(200), wanted challenge(basic)")
    }

    @Test func `each place that would take an event has its caret`() throws {
        let diagnosis = try Self.diagnose("(response(200) data*){3} complete(ok)", "response(200) data×4 complete(ok)")
        #expect(
            diagnosis.lines(note: "+365 ms").joined(separator: "\n") == """
                  matched : response(200) data×4
                  then got: complete(ok)   [event 6] +365 ms
                  wanted  : response(200) or data
                  in      : (response(200) data*){3} complete(ok)
                             ^             ^
                """)
    }

    @Test func `a trace that ends too early tells what is missing and how much of it`() throws {
        let diagnosis = try Self.diagnose("(response(200) data*){3} complete(ok)", "response(200) data×4")
        #expect(
            diagnosis.description == """
                  matched : response(200) data×4
                  then got: the end of the trace   [after 5 events]
                  wanted  : response(200) or data
                  in      : (response(200) data*){3} complete(ok)
                             ^             ^
                  missing : 2 of 3 (response(200) data*), complete(ok)
                """)
        #expect(diagnosis.missing.map(\.turns) == [2, nil])
        #expect(diagnosis.missing.map(\.total) == [3, nil])
        #expect(diagnosis.sentence == "the trace ended, missing 2 of 3 (response(200) data*), complete(ok)")
    }

    @Test func `what is missing is the shortest way to the end`() throws {
        let missing = { try Self.diagnose($0, $1).missing.map(\.description) }
        #expect(try missing("response (data | fileReady) complete", "response") == ["(data | fileReady)", "complete"])
        #expect(try missing("response data? complete", "response") == ["complete"])
        #expect(try missing("(response & metrics) complete", "response") == ["metrics", "complete"])
        #expect(try missing("data{50}", "data×8") == ["42 of 50 data"])
        #expect(try missing("data+ complete", "") == ["data", "complete"])
        #expect(try missing("data{2,}", "data") == ["1 of 2 data"])
        #expect(try missing("response response data | response complete", "response") == ["complete"])
    }

    @Test func `a caret stands below the event and not its parentheses`() throws {
        let diagnosis = try Self.diagnose("((response(200)))? (data | (metrics)) # x", "complete")
        #expect(diagnosis.wanted.map(\.offsets) == [[2], [20], [28]])
        #expect(diagnosis.missing.map(\.description) == ["(data | (metrics))"])
    }

    @Test func `the end can be wanted`() throws {
        let diagnosis = try Self.diagnose("response data*", "response data complete")
        #expect(diagnosis.endIsWanted)
        #expect(diagnosis.sentence == "got complete, wanted data or the end")
        let over = try Self.diagnose("response", "response data")
        #expect(
            over.description == """
                  matched : response
                  then got: data   [event 2]
                  wanted  : the end
                """)
    }

    @Test func `only the last five groups of a long trace are shown`() throws {
        let diagnosis = try Self.diagnose(
            "(response data*)* complete", "response data×3 response×2 data response data×50000 metrics")
        #expect(diagnosis.hiddenGroupCount == 1)
        #expect(
            diagnosis.description == """
                  matched : … data×3 response×2 data response data×50000
                  then got: metrics   [event 50009]
                  wanted  : response or data or complete
                  in      : (response data*)* complete
                             ^        ^       ^
                """)
    }

    @Test func `an expression of several lines shows the lines with carets`() throws {
        let diagnosis = try Self.diagnose(
            "needBodyStream challenge(basic)\nneedBodyStream   # again\nresponse(200)\t| complete(error)",
            "needBodyStream challenge(basic) needBodyStream data")
        #expect(
            diagnosis.description == """
                  matched : needBodyStream challenge(basic) needBodyStream
                  then got: data   [event 4]
                  wanted  : response(200)
                  in      : response(200) | complete(error)
                            ^
                """)
        let start = try Self.diagnose("response(200)\n| complete(error)", "data")
        #expect(
            start.description == """
                  matched : (nothing)
                  then got: data   [event 1]
                  wanted  : response(200) or complete(error)
                  in      : response(200)
                            ^
                            | complete(error)
                              ^
                """)
    }

    @Test func `many wanted events are cut`() throws {
        let diagnosis = try Self.diagnose(
            "created | delayed | waiting | redirect | data | metrics | fileReady | progress", "complete")
        #expect(
            diagnosis.sentence
                == "got complete, wanted created or delayed or waiting or redirect or data or metrics or 2 more")
    }

    @Test func `a control character in an argument of the client is not printed`() throws {
        let notation = try Notation(parsing: "complete(ok)", lane: .task)
        let diagnosis = try #require(notation.diagnosis(of: [TraceEventSymbol("complete", "a\u{1B}[2Jb\n")]))
        #expect(diagnosis.sentence == "got complete(a?[2Jb?), wanted complete(ok)")
    }

    @Test func `an accepted trace has no diagnosis`() throws {
        #expect(try Notation(parsing: "response data*", lane: .task).diagnosis(of: trace("response data")) == nil)
    }
}
