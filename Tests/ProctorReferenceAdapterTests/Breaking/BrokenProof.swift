import ProctorEvents
import ProctorReferenceAdapter
import ProctorRules
import Testing

/// Where a broken variant shows: a case that the whole client passes.
struct BrokenProof: Sendable, CustomTestStringConvertible {
    let rule: Int
    /// Of a second way to break it.
    var letter = ""
    /// `SCENARIO#CASE`, of the library or of ``OwnScenario``.
    let id: String
    /// Another API than the variant's, in which it shows too.
    var shape: ReferenceShape?
    /// Whose weights turn what is inferred into a failure.
    var platform = Platform.neutral
    var isDownload = false
    /// Milliseconds; nil: the case's own.
    var deadline: Int?

    var testDescription: String { "\(label) in \(id)\(shape.map { " as \($0.rawValue)" } ?? "")" }

    var label: String { "R\(rule)\(letter)" }

    init(
        _ rule: Int, letter: String = "", _ id: String, as shape: ReferenceShape? = nil, isDownload: Bool = false,
        deadline: Int? = nil
    ) {
        self.rule = rule
        self.letter = letter
        self.id = id
        self.shape = shape
        self.isDownload = isDownload
        self.deadline = deadline
    }

    /// On a platform where the rule, which is our own conclusion there, counts.
    static func inferred(
        _ rule: Int, letter: String = "", _ id: String, as shape: ReferenceShape? = nil, isDownload: Bool = false
    ) -> BrokenProof {
        var proof = BrokenProof(rule, letter: letter, id, as: shape, isDownload: isDownload)
        proof.platform.weights[RuleNumber(rule)] = .failure
        return proof
    }

    /// The rule has a constant, which a platform sets.
    static func platform(
        _ rule: Int, letter: String = "", _ id: String, _ change: (inout Platform) -> Void
    ) -> BrokenProof {
        var proof = BrokenProof(rule, letter: letter, id)
        change(&proof.platform)
        return proof
    }

    /// Rules that findings name beside that of the variant, by its label: none of them is a rule that a monitor finds broken.
    static let consequences: [String: Set<RuleNumber>] = [
        // The checks of content name the rule about the fact; no monitor sees what the server sent.
        "data-of-another-task": [RuleNumber(30)],
        "h2-metrics-say-http-1.1": [RuleNumber(41)],
        // The progress is made up, and so is the length of the body.
        "R24": [RuleNumber(23)],
        // The pieces behind the last response are no longer those that the result has.
        "R26": [RuleNumber(30)],
        // The early byte is made up.
        "R28": [RuleNumber(30)],
        // What is told of the progress before the resumption counts from another offset.
        "R36": [RuleNumber(34)],
        // What comes behind the end of the load is no part of its result.
        "R40": [RuleNumber(30)],
        // Which of two threads is first decides whether the redirect that the other delegate is told of counts as unanswered.
        "R55": [RuleNumber(8)],
        // A credential that stands in another field was not sent, and cannot have failed.
        "proxy-credential-in-the-other-field": [RuleNumber(17)],
        // The load waits for no answer about a redirect that no server asked for.
        "rewriting-told-as-a-redirect": [RuleNumber(8)],
        // What is announced is held against the next request, which is a part of R7 that only an exam can judge.
        "announces-another-url": [RuleNumber(7)],
        // The request is on the wire before its load is told to start.
        "starts-when-made": [RuleNumber(42)],
        // Bytes of a file are counted as they were sent.
        "decodes-what-it-may-not": [RuleNumber(34)],
    ]

    /// One for each variant, in the order of the rules.
    static let all: [BrokenProof] = [
        BrokenProof(1, "plain/get#get"),
        BrokenProof(2, "plain/204#get"),
        BrokenProof(3, "redirect/302-get-stays-get#follow"),
        BrokenProof(4, "redirect/302-get-stays-get#follow"),
        BrokenProof(5, "redirect/302-get-stays-get#refuse"),
        .platform(5, letter: "b", "redirect/302-get-stays-get#refuse@download") {
            $0.refusedDownloadRedirect = .deliver
        },
        BrokenProof(6, "cancel/in-redirect#no-answer"),
        .inferred(6, letter: "b", "cancel/in-redirect#no-answer@download"),
        .inferred(7, "plain/get#get"),
        BrokenProof(8, "cancel/redirect-never-answered#answered-late"),
        .platform(9, "redirect/loop#ends") { $0.redirectLimit = 20 },
        BrokenProof(10, "auth/basic/every-answer#answered-later"),
        BrokenProof(11, "auth/basic/every-answer#never-answered"),
        BrokenProof(12, "auth/basic/every-answer#use"),
        BrokenProof(13, "auth/basic/every-answer#default"),
        BrokenProof(14, "auth/basic/every-answer#cancel"),
        BrokenProof(15, "auth/negotiation/basic-and-digest-in-one-line#reject-the-first"),
        .inferred(16, "auth/negotiation/no-usable-challenge#no-header"),
        .inferred(16, letter: "b", "auth/negotiation/no-usable-challenge#no-header@download"),
        BrokenProof(17, "auth/basic/every-answer#wrong-three-times-then-right"),
        .inferred(17, letter: "b", "auth/basic/realm-changes#wrong-twice"),
        BrokenProof(18, "auth/basic/every-answer#use"),
        BrokenProof(18, letter: "b", "auth/basic/every-answer#use"),
        BrokenProof(18, letter: "c", "tls/cert/valid#trust"),
        BrokenProof(19, "plain/get#get"),
        BrokenProof(19, letter: "b", "auth/basic/old-questions#cannot"),
        BrokenProof(19, letter: "c", "auth/basic/old-questions#both"),
        BrokenProof(20, "auth/basic/every-answer#use"),
        BrokenProof(20, letter: "b", "tls/cert/valid#unasked"),
        BrokenProof(21, "shape/upload#upload-stream"),
        BrokenProof(22, "auth/flow/body-sent-again#data-task"),
        .inferred(23, "upload/arithmetic#data"),
        .inferred(24, "shape/upload#data-task"),
        .inferred(24, letter: "b", "plain/get#get"),
        .inferred(24, letter: "c", "plain/get#get"),
        BrokenProof(25, "plain/get#get"),
        BrokenProof(26, "plain/multipart-mixed-replace#get"),
        BrokenProof(27, "plain/103-before-the-answer#get"),
        BrokenProof(28, "cancel/redirect-never-answered#answered-late"),
        BrokenProof(29, "cancel/in-response#by-the-disposition"),
        .inferred(30, "plain/get#get"),
        BrokenProof(31, "plain/204#get"),
        BrokenProof(32, "plain/get#get"),
        .inferred(33, "plain/get#get"),
        .inferred(34, "shape/get#download"),
        BrokenProof(35, "shape/get#download"),
        BrokenProof(35, letter: "b", "shape/get#download"),
        BrokenProof(36, "shape/get#download"),
        BrokenProof(37, "shape/get#download"),
        BrokenProof(38, "cancel/in-progress#producing-resume-data"),
        BrokenProof(39, "plain/get#get"),
        BrokenProof(40, "plain/get#get"),
        BrokenProof(41, "plain/get#get"),
        BrokenProof(42, "cancel/before-resume#data"),
        BrokenProof(43, "plain/get#get"),
        BrokenProof(44, "plain/404#get"),
        BrokenProof(45, "plain/get#get", deadline: 4_000),
        BrokenProof(46, "plain/get#get"),
        BrokenProof(47, "plain/get#get"),
        BrokenProof(47, letter: "b", "shape/schedule#another-thread"),
        BrokenProof(48, "plain/get#get"),
        BrokenProof(49, "plain/get#get"),
        BrokenProof(50, "cancel/in-response#cancel"),
        .inferred(51, "redirect/302-get-stays-get#follow"),
        BrokenProof(52, "plain/get#get"),
        .inferred(52, letter: "b", "protocol/cache-key#class-calls-at-once"),
        .inferred(52, letter: "c", "protocol/cache-key#empty-path"),
        BrokenProof(54, "shape/get#handler"),
        BrokenProof(55, "shape/redirect#both-delegates"),
        BrokenProof(55, letter: "b", "redirect/without-the-method#data"),
        BrokenProof(56, "plain/get#get"),
        BrokenProof(57, "ws/order/open-then-close#order"),
        BrokenProof(57, letter: "b", "ws/order/open-then-close#order"),
        BrokenProof(59, "coding/decoded-on-disk#left"),
        BrokenProof(59, letter: "b", "coding/decoded-on-disk#plain-is-not-asked-about"),
        BrokenProof(59, letter: "c", "coding/decoded-on-disk#left"),
        BrokenProof(60, "protocol/declines#the-loader-takes-over"),
        .inferred(61, "plain/get#get"),
        BrokenProof(62, "shape/queued#result"),
        BrokenProof(62, letter: "b", "shape/queued#result"),
        BrokenProof(63, "shape/queued#result"),
        BrokenProof(64, "shape/queued#connection-breaks"),
        BrokenProof(65, "plain/get#get"),
        BrokenProof(67, "sse/204-ends-it#again"),
        BrokenProof(68, "sse/204-ends-it#again"),
        BrokenProof(69, "sse/204-ends-it#again"),
        BrokenProof(70, "sse/204-ends-it#again"),
        BrokenProof(70, letter: "b", "sse/closed-in-an-event#first"),
    ]

    /// Where variants show, too: in what the rules are about, beside the plainest page.
    static let further: [BrokenProof] = [
        BrokenProof(10, "auth/basic/every-answer#answered-later", as: .connection),
        BrokenProof(10, "own/digest#use"),
        BrokenProof(12, "own/digest#at-once"),
        BrokenProof(12, "own/proxy#use"),
        BrokenProof(12, "auth/basic/every-answer#use", as: .connection),
        BrokenProof(13, "own/proxy#default"),
        BrokenProof(13, "own/digest#use-none"),
        BrokenProof(14, "own/digest#cancel"),
        BrokenProof(15, "auth/negotiation/digest-before-basic#reject-the-first"),
        .inferred(16, "own/proxy#no-challenge"),
        .inferred(16, "auth/negotiation/no-usable-challenge#unknown-scheme"),
        BrokenProof(17, "own/digest#wrong-twice"),
        BrokenProof(17, "own/proxy#wrong-twice"),
        BrokenProof(20, "own/digest#use"),
        BrokenProof(22, "own/digest#with-a-body"),
        BrokenProof(26, "multipart/parts-with-pauses#get"),
        BrokenProof(27, "interim/several-different#get"),
        BrokenProof(32, "cache/fresh-is-not-asked-for-again#twice"),
        .inferred(34, "range/resume-after-a-close#resume"),
        BrokenProof(35, "range/resume-after-a-close#resume"),
        BrokenProof(36, "range/resume-after-a-close#resume"),
        BrokenProof(37, "coding/x-gzip-file#download"),
        BrokenProof(47, letter: "b", "shape/schedule#another-mode"),
        BrokenProof(62, "shape/synchronous#result", as: .connectionSync),
        BrokenProof(64, "shape/synchronous#connection-breaks", as: .connectionSync),
    ]

    /// Rules that no trace of this client can break, and why.
    static let exceptions: [Int: String] = [
        53: "about the test's own code: it is the program that answers, not the client",
        58: "of stream tasks, which this client does not have",
        66: "of background sessions, which this client does not have",
    ]
}
