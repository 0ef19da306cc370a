import ProctorEvents
import ProctorRules
import ProctorScenario
import Testing

@testable import ProctorGrading

/// A trace of one family against an expression that is written for several, and what is to come of it.
struct FamilyRow: CustomTestStringConvertible, Sendable {
    let family: CallbackFamily
    /// What the client does.
    let name: String
    /// The expression of `task:` or `download:`, whichever applies to the family.
    let expression: String
    private(set) var trace = ""
    private(set) var outcome = CaseVerdict.Outcome.pass
    /// Rules that must be seen to break.
    private(set) var rules: [Int] = []
    /// The only line that says what was not judged.
    private(set) var notJudged: String?
    private(set) var platform = Platform.neutral

    var testDescription: String { "\(family.rawValue): \(name): \(trace)" }

    /// Reads rows of two lines: outcome with rules and platform, name, and expression; then the trace.
    ///
    ///     fail R42 on silent: a word after a cancel: response(200) data+ complete(cancelled)
    ///       resume response(200) data cancel complete(cancelled)
    ///       not judged: the whole sentence, where there is one
    static func rows(of family: CallbackFamily, _ text: String) -> [Self] {
        var rows: [Self] = []
        for line in text.split(separator: "\n").map(String.init) {
            if line.hasPrefix("  not judged: ") {
                rows[rows.count - 1].notJudged = String(line.dropFirst(14))
            } else if line.hasPrefix("  ") {
                rows[rows.count - 1].trace = String(line.dropFirst(2))
            } else {
                rows.append(Self(family, line.split(separator: ": ", maxSplits: 2).map(String.init)))
            }
        }
        return rows
    }

    private init(_ family: CallbackFamily, _ head: [String]) {
        self.family = family
        (name, expression) = (head[1], head[2])
        for word in head[0].split(separator: " ").map(String.init) {
            switch word {
            case "pass": outcome = .pass
            case "fail": outcome = .fail
            case "hang": outcome = .hang
            case "skip": outcome = .skipped("a refused redirect cancels an NSURLDownload on platform neutral")
            case "on": break
            case "silent": platform = Self.silent
            case "delivering": platform = Self.delivering
            default: rules.append(Int(word.dropFirst()) ?? 0)
            }
        }
    }

    /// What the verdict must say in each case.
    func check(_ verdict: CaseVerdict) {
        #expect(verdict.outcome == outcome, "\(verdict)")
        let (broken, wanted) = (Set(verdict.brokenRules), Set(rules.map { RuleNumber($0) }))
        #expect(broken.isSuperset(of: wanted), "\(verdict.brokenRules)")
        #expect(verdict.notJudged == notJudged.map { [$0] } ?? [])
        // In a passed case a broken rule may only be an observation.
        if outcome == .pass { #expect(verdict.failures.isEmpty && broken == wanted) }
    }

    /// Those of the neutral platform that differ where the fields say so.
    static let silent = platform("silent") { $0.legacyCancel = .silent }
    static let delivering = platform("delivering") { $0.refusedDownloadRedirect = .deliver }

    private static func platform(_ name: String, _ change: (inout Platform) -> Void) -> Platform {
        var platform = Platform(name: name)
        change(&platform)
        return platform
    }
}

/// What the expressions of most cases ask for.
enum Wanted {
    static let plain = "response(200) data+ complete(ok)"
    static let followed = "redirect(302) response(200) data+ complete(ok)"
    static let refused = "redirect(302) response(302) data* complete(ok)"
    static let cancelledInRedirect = "redirect(302) complete(cancelled)"
    static let cancelledInData = "response(200) data+ complete(cancelled)"
    static let failed = "response(200) data* complete(error)"
    static let file = "progress* fileReady complete(ok)"
    static let fileAfterRedirect = "redirect(302) progress* fileReady complete(ok)"
    static let cancelledInProgress = "progress+ complete(cancelled)"
    static let noFile = "progress* complete(error)"
}

extension FamilyRow {
    static let connections = rows(
        of: .connection,
        """
        pass: plain: \(Wanted.plain)
          resume canonicalize askCredStore canonicalize response(200) data data complete(ok)
        pass: followed: \(Wanted.followed)
          resume canonicalize redirect(302) answer(follow){to=redirect} canonicalize response(200) data \
          complete(ok)
        pass: changed: \(Wanted.followed)
          resume redirect(302) answer(change){to=redirect} response(200) data complete(ok)
        pass: refused: \(Wanted.refused)
          resume redirect(302) answer(refuse){to=redirect} response(302) data complete(ok)
        fail R5: refused, and followed all the same: \(Wanted.refused)
          resume redirect(302) answer(refuse){to=redirect} response(200) data complete(ok)
        pass: cancelled in redirect: \(Wanted.cancelledInRedirect)
          resume canonicalize redirect(302) cancel
        fail R6: a word after a cancel in redirect: \(Wanted.cancelledInRedirect)
          resume redirect(302) cancel complete(cancelled)
        pass: cancelled in data: \(Wanted.cancelledInData)
          resume response(200) data cancel
        pass: cancelled before it began: complete(cancelled)
          cancel
        pass: cancelled with all others: \(Wanted.cancelledInData)
          resume response(200) data invalidate(cancel)
        pass R42: a word after a cancel, which is a hint: \(Wanted.cancelledInData)
          resume response(200) data cancel complete(cancelled)
        fail R42 on silent: a word after a cancel that promises silence: \(Wanted.cancelledInData)
          resume response(200) data cancel complete(cancelled)
        fail: another end after a cancel: \(Wanted.cancelledInData)
          resume response(200) data cancel complete(ok)
        fail R39: two ends after a cancel: \(Wanted.cancelledInData)
          resume response(200) data cancel complete(cancelled) complete(cancelled)
        fail: silence where an end is asked for: \(Wanted.plain)
          resume response(200) data cancel
        hang R45: silence that nothing excuses: \(Wanted.cancelledInData)
          resume response(200) data
        pass: fails: \(Wanted.failed)
          resume response(200) data complete(connectionLost)
        fail R25: data first: \(Wanted.plain)
          resume canonicalize data response(200) complete(ok)
        pass R7: canonicalised after the response: \(Wanted.plain)
          resume response(200) canonicalize data complete(ok)
        pass: as often as the case says: canonicalize \(Wanted.plain)
          resume canonicalize response(200) data complete(ok)
        fail: more often than the case says: canonicalize \(Wanted.plain)
          resume canonicalize canonicalize response(200) data complete(ok)
        pass: what it has no callback for: informational(103) response(200) data+ metrics complete(ok)
          resume response(200) data complete(ok)
        fail: what it has a callback for: needBodyStream \(Wanted.plain)
          resume response(200) data complete(ok)
        pass: what it cannot do: response(200) becameDownload progress* fileReady complete(ok)
          resume response(200) data complete(ok)
          not judged: task: the trace is of an NSURLConnection, which has no becameDownload, fileReady
        fail: what it need not do: response(200) (data+ | becameDownload) complete(ok)
          resume response(404) data complete(ok)
        """)

    static let connectionDownloads = rows(
        of: .connectionDownload,
        """
        pass: plain: \(Wanted.file)
          resume canonicalize askCredStore progress progress fileReady
        pass: followed: \(Wanted.fileAfterRedirect)
          resume redirect(302) answer(follow){to=redirect} canonicalize progress fileReady
        pass: changed: \(Wanted.fileAfterRedirect)
          resume redirect(302) answer(change){to=redirect} progress fileReady
        pass: refused: \(Wanted.fileAfterRedirect)
          resume redirect(302) answer(refuse){to=redirect} progress fileReady
        pass: cancelled in redirect: \(Wanted.cancelledInRedirect)
          resume redirect(302) cancel
        pass: cancelled in progress: \(Wanted.cancelledInProgress)
          resume progress cancel
        fail R42 on silent: a word after a cancel that promises silence: \(Wanted.cancelledInProgress)
          resume progress cancel complete(cancelled)
        fail R42: a file after a cancel: \(Wanted.cancelledInProgress)
          resume progress cancel fileReady
        fail: silence where a file is asked for: \(Wanted.file)
          resume progress cancel
        hang R45: silence that nothing excuses: \(Wanted.file)
          resume progress
        fail: no file, but an end: \(Wanted.file)
          resume progress complete(ok)
        fail R39: an end after the file: \(Wanted.file)
          resume progress fileReady complete(ok)
        pass: fails: \(Wanted.noFile)
          resume progress complete(connectionLost)
        fail: a file where a failure is asked for: \(Wanted.noFile)
          resume progress fileReady
        fail R40: progress after the file: \(Wanted.file)
          resume fileReady progress
        pass: what it cannot tell: response(200) \(Wanted.file)
          resume progress fileReady
          not judged: download: the trace is of a download of NSURLConnection, which has no response
        """)

    static let downloads = rows(
        of: .download,
        """
        pass: plain: \(Wanted.file)
          resume downloadBegin canonicalize response(200) destination(a) destinationCreated progress complete(ok)
        pass: decoded: \(Wanted.file)
          resume downloadBegin response(200) progress shouldDecode(application/gzip) destination(a) \
          destinationCreated progress complete(ok)
        pass: followed: \(Wanted.fileAfterRedirect)
          resume downloadBegin canonicalize redirect(302) answer(follow){to=redirect} canonicalize \
          response(200) progress complete(ok)
        pass: changed: \(Wanted.fileAfterRedirect)
          resume downloadBegin redirect(302) answer(change){to=redirect} response(200) progress complete(ok)
        skip: refused, which cancels: \(Wanted.fileAfterRedirect)
          resume downloadBegin redirect(302) answer(refuse){to=redirect}
          not judged: download: a refused redirect cancels an NSURLDownload on platform neutral
        pass on delivering: refused, which delivers: \(Wanted.fileAfterRedirect)
          resume downloadBegin redirect(302) answer(refuse){to=redirect} response(302) progress complete(ok)
        hang R45 on delivering: refused, and cancelled where it should be delivered: \(Wanted.fileAfterRedirect)
          resume downloadBegin redirect(302) answer(refuse){to=redirect}
        pass: cancelled in redirect: \(Wanted.cancelledInRedirect)
          resume downloadBegin redirect(302) cancel
        pass R6: a word after a cancel in redirect: \(Wanted.cancelledInRedirect)
          resume downloadBegin redirect(302) cancel complete(cancelled)
        pass: cancelled in progress: \(Wanted.cancelledInProgress)
          resume downloadBegin response(200) progress cancel
        fail R42: another end after a cancel: \(Wanted.cancelledInProgress)
          resume downloadBegin response(200) progress cancel complete(ok)
        fail: silence where an end is asked for: \(Wanted.file)
          resume downloadBegin response(200) progress cancel
        hang R45: silence that nothing excuses: \(Wanted.file)
          resume downloadBegin response(200) progress
        pass: fails: \(Wanted.noFile)
          resume downloadBegin response(200) progress complete(connectionLost)
        fail: fails where a file is asked for: \(Wanted.file)
          resume downloadBegin response(200) progress complete(connectionLost)
        fail R37: progress first: \(Wanted.file)
          resume downloadBegin progress response(200) complete(ok)
        fail R3: redirected too late: \(Wanted.fileAfterRedirect)
          resume downloadBegin response(200) redirect(302) progress complete(ok)
        pass: resumed: downloadResumed(5) \(Wanted.file)
          resume downloadBegin downloadResumed(5) progress complete(ok)
        fail: not resumed: downloadResumed(5) \(Wanted.file)
          resume downloadBegin response(200) progress complete(ok)
        fail: resumed unasked: \(Wanted.file)
          resume downloadBegin downloadResumed(5) progress complete(ok)
        fail: a response that the case names: response(206) \(Wanted.file)
          resume downloadBegin response(200) progress complete(ok)
        """)

    /// Families for which no event is taken out and none counts as seen.
    static let tasks =
        rows(
            of: .sessionData,
            """
            hang R45: silence after a cancel: \(Wanted.cancelledInData)
              resume response(200) answer(allow){to=response} data cancel
            fail: no metrics: response(200) data+ metrics complete(ok)
              resume response(200) answer(allow){to=response} data complete(ok)
            fail: canonicalised: \(Wanted.plain)
              resume canonicalize response(200) answer(allow){to=response} data complete(ok)
            """)
        + rows(
            of: .sessionDownload,
            """
            fail R35: no file: \(Wanted.file)
              resume progress complete(ok)
            hang R45: no end: \(Wanted.file)
              resume progress fileReady
            """)
}
