import FuzzSupport
import ProctorHTTP

/// Input: lines; a letter that says what is done (`s` a Set-Cookie field comes, `a` a Cookie field goes, `w` time passes),
/// a letter for the place, and the field's value.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var course = Course()
    let input = unsafe FuzzInput(start, count).remaining
    for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).prefix(64) {
        var line = FuzzInput(line)
        let (act, place) = (line.byte(), places[Int(line.byte()) % places.count])
        switch act {
        case UInt8(ascii: "s"): course.set(line.remaining, by: place)
        case UInt8(ascii: "w"): course.seconds += line.number()
        default: course.ask(line.remaining, at: place)
        }
    }
    return 0
}

private let places: [CookieURL] = [
    ("home.example.org", "/a/b/page", false), ("home.example.org", "/a/b/page", true), ("home.example.org", "/", false),
    ("example.org", "/a", false), ("sibling.example.org", "/a/b", true), ("127.0.0.1", "/a/", false),
    ("[::1]", "", true),
    ("localhost", "/a/bc", false), ("example.com", "/a/b", false),
].map { CookieURL(isSecure: $0.2, host: $0.0, path: Array($0.1.utf8)) }

/// One user agent by each edition, and the judge that watches them.
private struct Course {
    var judge = CookieJudge()
    var stores = CookieEdition.allCases.map { CookieStore(edition: $0) }
    /// As they were before the last response.
    lazy var late = stores
    /// Far from every date that a fuzzer writes first.
    var seconds = 1_800_000_000

    mutating func set(_ field: [UInt8], by place: CookieURL) {
        let violations = SetCookie.violations(of: field)
        check(violations.count <= 64, "\(violations.count) violations")
        for violation in violations { check(violation, in: field) }
        for edition in CookieEdition.allCases {
            guard let read = SetCookie(parsing: field, edition: edition) else { continue }
            check(read.name.count + read.value.count <= field.count, "more than came of \(shown(field))")
        }
        let notes = judge.set([field], by: place, at: seconds)
        check(notes.count == 1 && notes[0].field == field, "no note of \(shown(field))")
        late = stores
        for index in stores.indices {
            _ = stores[index].setCookie(field, from: place, at: seconds)
            check(stores[index].cookies.count <= 64, "\(stores[index].cookies.count) cookies of 64 fields")
        }
        askStores(at: place)
    }

    mutating func ask(_ field: [UInt8], at place: CookieURL) {
        for violation in CookieField.violations(of: field) { check(violation, in: field) }
        let verdict = judge.judge([field], to: place, at: seconds)
        check(verdict.sent == [field], "another field than was sent")
        for difference in verdict.differences { check(!difference.sentence.isEmpty, "a difference without a sentence") }
        askStores(at: place)
    }

    /// Who follows an edition differs from it in nothing.
    private mutating func askStores(at place: CookieURL) {
        for index in stores.indices {
            let field = stores[index].field(for: place, at: seconds)
            let verdict = judge.judge(field.map { [$0] } ?? [], to: place, at: seconds)
            check(
                verdict.conformsTo.contains(stores[index].edition),
                "\(stores[index].edition) sends \(shown(field ?? [])): \(verdict.differences.map(\.sentence))")
        }
        askLate(at: place)
    }

    /// Who has not read the last response yet differs in nothing that it does not explain.
    private mutating func askLate(at place: CookieURL) {
        for index in late.indices {
            let field = late[index].field(for: place, at: seconds)
            let verdict = judge.judge(
                field.map { [$0] } ?? [], to: place, at: seconds, undecided: [judge.responseCount])
            check(
                verdict.conformsTo.contains(late[index].edition),
                "\(late[index].edition) sends late \(shown(field ?? [])): \(verdict.differences.map(\.sentence))")
        }
    }

    private func check(_ violation: CookieViolation, in field: [UInt8]) {
        FuzzSupport.check(0...field.count ~= violation.offset, "offset \(violation.offset) outside \(shown(field))")
        FuzzSupport.check(!violation.sentence.isEmpty, "no sentence for \(shown(field))")
    }

    private func check(_ holds: Bool, _ sentence: @autoclosure () -> String) { FuzzSupport.check(holds, sentence()) }
}
