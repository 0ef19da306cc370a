import Testing

@testable import ProctorRecorder

struct HeartTests {
    /// Milliseconds, as the heart counts nanoseconds.
    private func at(_ milliseconds: UInt64) -> UInt64 { milliseconds * 1_000_000 }

    @Test func `a silence that was seen is told once it is over`() {
        let heart = Heart(threshold: .milliseconds(100), at: at(0))
        for moment: UInt64 in [20, 60, 101, 120] { #expect(heart.look(at: at(moment)).isEmpty) }
        heart.beat(at: at(250))
        #expect(heart.look(at: at(260)) == [250])
        #expect(heart.look(at: at(270)).isEmpty)
    }

    @Test func `a silence that nobody could see is not told`() {
        let heart = Heart(threshold: .milliseconds(100), at: at(0))
        #expect(heart.look(at: at(400)).isEmpty)
        heart.beat(at: at(410))
        #expect(heart.look(at: at(420)).isEmpty)
    }

    @Test func `beats in time are no silence`() {
        let heart = Heart(threshold: .milliseconds(100), at: at(0))
        for moment: UInt64 in stride(from: 10, to: 1_000, by: 10) {
            heart.beat(at: at(moment))
            #expect(heart.look(at: at(moment + 5)).isEmpty)
        }
    }

    @Test func `a silence that lasts at the end is told then`() {
        let heart = Heart(threshold: .milliseconds(100), at: at(0))
        for moment: UInt64 in [50, 101, 150] { #expect(heart.look(at: at(moment)).isEmpty) }
        #expect(heart.finish(at: at(300)) == [300])
        #expect(heart.finish(at: at(310)).isEmpty)
    }
}
