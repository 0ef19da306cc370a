import ProctorGrading
import ProctorReferenceAdapter

/// A case that the reference client does not pass in some shape, and why.
struct KnownDifference {
    let id: String
    let shapes: Set<ReferenceShape>
    let reason: String

    init(_ id: String, _ shapes: Set<ReferenceShape> = [.session], because reason: String) {
        self.id = id
        self.shapes = shapes
        self.reason = reason
    }

    static let all = ofTheClient + ofChallenges + ofFoundation

    private static let ofChallenges = [
        "digest/body-sent-again#file", "digest/body-sent-again#stream-of-the-request",
        "flow/body-sent-again#request-with-a-stream", "flow/body-sent-again-to-a-guard#file",
        "proxy/body-sent-again#file",
    ].map {
        KnownDifference("auth/\($0)", [.urlProtocol], because: "a URLProtocol has nobody to ask for another stream")
    }

    /// The name for a file is not the URLProtocol's to say: Foundation makes it of the response, and on Linux it does not
    /// read all that a server may write.
    #if canImport(FoundationNetworking)
        private static let ofFoundation = [
            "name-in-both-forms", "name-in-utf-8", "name-is-missing", "name-that-climbs",
        ].map { KnownDifference("body/\($0)#get", [.urlProtocol], because: "Foundation names the file") }
    #else
        private static let ofFoundation: [KnownDifference] = []
    #endif

    private static let ofTheClient: [KnownDifference] = [
        KnownDifference(
            "shape/get#main-queue",
            because: "the main thread belongs to the program; the client calls back on threads of its own"),
        // What a URLProtocol cannot know or take.
        KnownDifference(
            "canonical/equal-spellings-share-a-credential#next-load", [.urlProtocol],
            because: "credentials for later loads are the loading system's"),
        KnownDifference(
            "canonical/equal-spellings-in-the-cache#get", [.urlProtocol], because: "the cache is the loading system's"),
        KnownDifference(
            "redirect/loop#ends", [.urlProtocol],
            because: "each followed redirect is another object's (R51); the loading system counts them and gives up"),
        KnownDifference(
            "redirect/loop-of-two#ends", [.urlProtocol],
            because: "each followed redirect is another object's (R51); the loading system counts them and gives up"),
        KnownDifference(
            "host/loop-between-hosts#ends", [.urlProtocol],
            because: "each followed redirect is another object's (R51); the loading system counts them and gives up"),
        KnownDifference(
            "tls/redirect/loop-between-schemes#ends", [.urlProtocol],
            because: "each followed redirect is another object's (R51); the loading system counts them and gives up"),
        KnownDifference(
            "redirect/keeps-the-connection#follow", [.urlProtocol],
            because: "the object that follows starts before the first one is stopped, which holds its connection"),
        KnownDifference(
            "tls/redirect/same-origin#keeps-the-connection", [.urlProtocol],
            because: "the object that follows starts before the first one is stopped, which holds its connection"),
        KnownDifference(
            "auth/proxy/redirect-to-another-origin#asked-once", [.urlProtocol],
            because: "each followed redirect is another object's, which knows no credential of the first"),
        KnownDifference(
            "redirect/307-streamed-body-is-asked-for-again#follow", [.urlProtocol],
            because: "a URLProtocol has nobody to ask for another stream"),
    ]

    static func of(_ verdict: CaseVerdict, as shape: ReferenceShape) -> KnownDifference? {
        all.first { $0.id == verdict.id.description && $0.shapes.contains(shape) }
    }
}
