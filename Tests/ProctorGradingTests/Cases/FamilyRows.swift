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
    /// Of `task:` or `download:`, whichever speaks for the family.
    let expression: String
    let trace: String
    let outcome: CaseVerdict.Outcome
    /// Rules that must be seen to break.
    var rules: [Int] = []
    /// Of the only line that says what was not judged.
    var notJudged: String?
    var platform = Platform.neutral

    var testDescription: String { "\(family.rawValue): \(name): \(trace)" }

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
enum Asked {
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
    static let connections = [
        FamilyRow(
            family: .connection, name: "plain", expression: Asked.plain,
            trace: "resume canonicalize askCredStore canonicalize response(200) data data complete(ok)", outcome: .pass),
        FamilyRow(
            family: .connection, name: "followed", expression: Asked.followed,
            trace: """
                resume canonicalize redirect(302) answer(follow){to=redirect} canonicalize response(200) data complete(ok)
                """, outcome: .pass),
        FamilyRow(
            family: .connection, name: "changed", expression: Asked.followed,
            trace: "resume redirect(302) answer(change){to=redirect} response(200) data complete(ok)", outcome: .pass),
        FamilyRow(
            family: .connection, name: "refused", expression: Asked.refused,
            trace: "resume redirect(302) answer(refuse){to=redirect} response(302) data complete(ok)", outcome: .pass),
        FamilyRow(
            family: .connection, name: "refused, and followed all the same", expression: Asked.refused,
            trace: "resume redirect(302) answer(refuse){to=redirect} response(200) data complete(ok)", outcome: .fail,
            rules: [5]),
        FamilyRow(
            family: .connection, name: "cancelled in redirect", expression: Asked.cancelledInRedirect,
            trace: "resume canonicalize redirect(302) cancel", outcome: .pass),
        FamilyRow(
            family: .connection, name: "a word after a cancel in redirect", expression: Asked.cancelledInRedirect,
            trace: "resume redirect(302) cancel complete(cancelled)", outcome: .fail, rules: [6]),
        FamilyRow(
            family: .connection, name: "cancelled in data", expression: Asked.cancelledInData,
            trace: "resume response(200) data cancel", outcome: .pass),
        FamilyRow(
            family: .connection, name: "cancelled before it began", expression: "complete(cancelled)", trace: "cancel",
            outcome: .pass),
        FamilyRow(
            family: .connection, name: "cancelled with all others", expression: Asked.cancelledInData,
            trace: "resume response(200) data invalidate(cancel)", outcome: .pass),
        FamilyRow(
            family: .connection, name: "a word after a cancel, which is a hint", expression: Asked.cancelledInData,
            trace: "resume response(200) data cancel complete(cancelled)", outcome: .pass, rules: [42]),
        FamilyRow(
            family: .connection, name: "a word after a cancel that promises silence", expression: Asked.cancelledInData,
            trace: "resume response(200) data cancel complete(cancelled)", outcome: .fail, rules: [42],
            platform: silent),
        FamilyRow(
            family: .connection, name: "another end after a cancel", expression: Asked.cancelledInData,
            trace: "resume response(200) data cancel complete(ok)", outcome: .fail),
        FamilyRow(
            family: .connection, name: "two ends after a cancel", expression: Asked.cancelledInData,
            trace: "resume response(200) data cancel complete(cancelled) complete(cancelled)", outcome: .fail,
            rules: [39]),
        FamilyRow(
            family: .connection, name: "silence where an end is asked for", expression: Asked.plain,
            trace: "resume response(200) data cancel", outcome: .fail),
        FamilyRow(
            family: .connection, name: "silence that nothing excuses", expression: Asked.cancelledInData,
            trace: "resume response(200) data", outcome: .hang, rules: [45]),
        FamilyRow(
            family: .connection, name: "fails", expression: Asked.failed,
            trace: "resume response(200) data complete(connectionLost)", outcome: .pass),
        FamilyRow(
            family: .connection, name: "data first", expression: Asked.plain,
            trace: "resume canonicalize data response(200) complete(ok)", outcome: .fail, rules: [25]),
        FamilyRow(
            family: .connection, name: "canonicalised after the response", expression: Asked.plain,
            trace: "resume response(200) canonicalize data complete(ok)", outcome: .pass, rules: [7]),
        FamilyRow(
            family: .connection, name: "as often as the case says", expression: "canonicalize \(Asked.plain)",
            trace: "resume canonicalize response(200) data complete(ok)", outcome: .pass),
        FamilyRow(
            family: .connection, name: "more often than the case says", expression: "canonicalize \(Asked.plain)",
            trace: "resume canonicalize canonicalize response(200) data complete(ok)", outcome: .fail),
        FamilyRow(
            family: .connection, name: "what it has no callback for",
            expression: "informational(103) response(200) data+ metrics complete(ok)",
            trace: "resume response(200) data complete(ok)", outcome: .pass),
        FamilyRow(
            family: .connection, name: "what it has a callback for", expression: "needBodyStream \(Asked.plain)",
            trace: "resume response(200) data complete(ok)", outcome: .fail),
        FamilyRow(
            family: .connection, name: "what it cannot do",
            expression: "response(200) becameDownload progress* fileReady complete(ok)",
            trace: "resume response(200) data complete(ok)", outcome: .pass,
            notJudged: "task: the trace is of an NSURLConnection, which has no becameDownload, fileReady"),
        FamilyRow(
            family: .connection, name: "what it need not do",
            expression: "response(200) (data+ | becameDownload) complete(ok)",
            trace: "resume response(404) data complete(ok)", outcome: .fail),
    ]

    static let connectionDownloads = [
        FamilyRow(
            family: .connectionDownload, name: "plain", expression: Asked.file,
            trace: "resume canonicalize askCredStore progress progress fileReady", outcome: .pass),
        FamilyRow(
            family: .connectionDownload, name: "followed", expression: Asked.fileAfterRedirect,
            trace: "resume redirect(302) answer(follow){to=redirect} canonicalize progress fileReady", outcome: .pass),
        FamilyRow(
            family: .connectionDownload, name: "changed", expression: Asked.fileAfterRedirect,
            trace: "resume redirect(302) answer(change){to=redirect} progress fileReady", outcome: .pass),
        FamilyRow(
            family: .connectionDownload, name: "refused", expression: Asked.fileAfterRedirect,
            trace: "resume redirect(302) answer(refuse){to=redirect} progress fileReady", outcome: .pass),
        FamilyRow(
            family: .connectionDownload, name: "cancelled in redirect", expression: Asked.cancelledInRedirect,
            trace: "resume redirect(302) cancel", outcome: .pass),
        FamilyRow(
            family: .connectionDownload, name: "cancelled in progress", expression: Asked.cancelledInProgress,
            trace: "resume progress cancel", outcome: .pass),
        FamilyRow(
            family: .connectionDownload, name: "a word after a cancel that promises silence",
            expression: Asked.cancelledInProgress,
            trace: "resume progress cancel complete(cancelled)", outcome: .fail, rules: [42], platform: silent),
        FamilyRow(
            family: .connectionDownload, name: "a file after a cancel", expression: Asked.cancelledInProgress,
            trace: "resume progress cancel fileReady", outcome: .fail, rules: [42]),
        FamilyRow(
            family: .connectionDownload, name: "silence where a file is asked for", expression: Asked.file,
            trace: "resume progress cancel", outcome: .fail),
        FamilyRow(
            family: .connectionDownload, name: "silence that nothing excuses", expression: Asked.file,
            trace: "resume progress",
            outcome: .hang, rules: [45]),
        FamilyRow(
            family: .connectionDownload, name: "no file, but an end", expression: Asked.file,
            trace: "resume progress complete(ok)",
            outcome: .fail),
        FamilyRow(
            family: .connectionDownload, name: "an end after the file", expression: Asked.file,
            trace: "resume progress fileReady complete(ok)", outcome: .fail, rules: [39]),
        FamilyRow(
            family: .connectionDownload, name: "fails", expression: Asked.noFile,
            trace: "resume progress complete(connectionLost)",
            outcome: .pass),
        FamilyRow(
            family: .connectionDownload, name: "a file where a failure is asked for", expression: Asked.noFile,
            trace: "resume progress fileReady", outcome: .fail),
        FamilyRow(
            family: .connectionDownload, name: "progress after the file", expression: Asked.file,
            trace: "resume fileReady progress",
            outcome: .fail, rules: [40]),
        FamilyRow(
            family: .connectionDownload, name: "what it cannot tell", expression: "response(200) \(Asked.file)",
            trace: "resume progress fileReady", outcome: .pass,
            notJudged: "download: the trace is of a download of NSURLConnection, which has no response"),
    ]

    static let downloads = [
        FamilyRow(
            family: .download, name: "plain", expression: Asked.file,
            trace: """
                resume downloadBegin canonicalize response(200) destination(a) destinationCreated progress complete(ok)
                """, outcome: .pass),
        FamilyRow(
            family: .download, name: "decoded", expression: Asked.file,
            trace: """
                resume downloadBegin response(200) progress shouldDecode(application/gzip) destination(a) \
                destinationCreated progress complete(ok)
                """, outcome: .pass),
        FamilyRow(
            family: .download, name: "followed", expression: Asked.fileAfterRedirect,
            trace: """
                resume downloadBegin canonicalize redirect(302) answer(follow){to=redirect} canonicalize \
                response(200) progress complete(ok)
                """, outcome: .pass),
        FamilyRow(
            family: .download, name: "changed", expression: Asked.fileAfterRedirect,
            trace: """
                resume downloadBegin redirect(302) answer(change){to=redirect} response(200) progress complete(ok)
                """, outcome: .pass),
        FamilyRow(
            family: .download, name: "refused, which cancels", expression: Asked.fileAfterRedirect,
            trace: "resume downloadBegin redirect(302) answer(refuse){to=redirect}",
            outcome: .skipped("a refused redirect cancels an NSURLDownload on platform neutral"),
            notJudged: "download: a refused redirect cancels an NSURLDownload on platform neutral"),
        FamilyRow(
            family: .download, name: "refused, which delivers", expression: Asked.fileAfterRedirect,
            trace: """
                resume downloadBegin redirect(302) answer(refuse){to=redirect} response(302) progress complete(ok)
                """, outcome: .pass, platform: delivering),
        FamilyRow(
            family: .download, name: "refused, and cancelled where it should be delivered",
            expression: Asked.fileAfterRedirect,
            trace: "resume downloadBegin redirect(302) answer(refuse){to=redirect}",
            outcome: .hang, rules: [45], platform: delivering),
        FamilyRow(
            family: .download, name: "cancelled in redirect", expression: Asked.cancelledInRedirect,
            trace: "resume downloadBegin redirect(302) cancel", outcome: .pass),
        FamilyRow(
            family: .download, name: "a word after a cancel in redirect", expression: Asked.cancelledInRedirect,
            trace: "resume downloadBegin redirect(302) cancel complete(cancelled)", outcome: .pass, rules: [6]),
        FamilyRow(
            family: .download, name: "cancelled in progress", expression: Asked.cancelledInProgress,
            trace: "resume downloadBegin response(200) progress cancel", outcome: .pass),
        FamilyRow(
            family: .download, name: "another end after a cancel", expression: Asked.cancelledInProgress,
            trace: "resume downloadBegin response(200) progress cancel complete(ok)", outcome: .fail, rules: [42]),
        FamilyRow(
            family: .download, name: "silence where an end is asked for", expression: Asked.file,
            trace: "resume downloadBegin response(200) progress cancel", outcome: .fail),
        FamilyRow(
            family: .download, name: "silence that nothing excuses", expression: Asked.file,
            trace: "resume downloadBegin response(200) progress", outcome: .hang, rules: [45]),
        FamilyRow(
            family: .download, name: "fails", expression: Asked.noFile,
            trace: "resume downloadBegin response(200) progress complete(connectionLost)", outcome: .pass),
        FamilyRow(
            family: .download, name: "fails where a file is asked for", expression: Asked.file,
            trace: "resume downloadBegin response(200) progress complete(connectionLost)", outcome: .fail),
        FamilyRow(
            family: .download, name: "progress first", expression: Asked.file,
            trace: "resume downloadBegin progress response(200) complete(ok)", outcome: .fail, rules: [37]),
        FamilyRow(
            family: .download, name: "redirected too late", expression: Asked.fileAfterRedirect,
            trace: "resume downloadBegin response(200) redirect(302) progress complete(ok)", outcome: .fail, rules: [3]),
        FamilyRow(
            family: .download, name: "resumed", expression: "downloadResumed(5) \(Asked.file)",
            trace: "resume downloadBegin downloadResumed(5) progress complete(ok)", outcome: .pass),
        FamilyRow(
            family: .download, name: "not resumed", expression: "downloadResumed(5) \(Asked.file)",
            trace: "resume downloadBegin response(200) progress complete(ok)", outcome: .fail),
        FamilyRow(
            family: .download, name: "resumed unasked", expression: Asked.file,
            trace: "resume downloadBegin downloadResumed(5) progress complete(ok)", outcome: .fail),
        FamilyRow(
            family: .download, name: "a response that the case names", expression: "response(206) \(Asked.file)",
            trace: "resume downloadBegin response(200) progress complete(ok)", outcome: .fail),
    ]

    /// For which nothing is taken out and nothing counts as seen.
    static let tasks = [
        FamilyRow(
            family: .sessionData, name: "silence after a cancel", expression: Asked.cancelledInData,
            trace: "resume response(200) answer(allow){to=response} data cancel", outcome: .hang, rules: [45]),
        FamilyRow(
            family: .sessionData, name: "no metrics", expression: "response(200) data+ metrics complete(ok)",
            trace: "resume response(200) answer(allow){to=response} data complete(ok)", outcome: .fail),
        FamilyRow(
            family: .sessionData, name: "canonicalised", expression: Asked.plain,
            trace: "resume canonicalize response(200) answer(allow){to=response} data complete(ok)", outcome: .fail),
        FamilyRow(
            family: .sessionDownload, name: "no file", expression: Asked.file, trace: "resume progress complete(ok)",
            outcome: .fail,
            rules: [35]),
        FamilyRow(
            family: .sessionDownload, name: "no end", expression: Asked.file, trace: "resume progress fileReady",
            outcome: .hang,
            rules: [45]),
    ]
}
