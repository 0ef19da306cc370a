import ProctorHTTP
import Testing

/// Responses that the client of a request perhaps had not read.
struct CookieUndecidedTests {
    @Test func `changes beyond those that are kept are taken for known`() {
        var judge = CookieJudge()
        let place = CookieURL(CookieJudgeTests.home)
        _ = judge.set([bytes("a=1")], by: place, at: 0)
        for index in 0..<2_100 { _ = judge.set([bytes("b=\(index)")], by: place, at: 0) }
        #expect(judge.judge([bytes("b=2099")], to: place, at: 0, undecided: [1]).conformsTo.isEmpty)
        #expect(!judge.judge([bytes("a=1; b=2098")], to: place, at: 0, undecided: [1, 2101]).conformsTo.isEmpty)
    }
}

enum CookieStory {
    /// 1 January 2026.
    static let start = 1_767_225_600
}

extension CookieURL {
    /// `https://host/path`, what follows `?` left out.
    init(_ url: String) {
        let isSecure = url.hasPrefix("https://")
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        let path = rest.drop { $0 != "/" }.prefix { $0 != "?" }
        self.init(isSecure: isSecure, host: String(rest.prefix { $0 != "/" }), path: bytes(String(path)))
    }
}
