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

    static let all = ofTheClient + ofFoundation

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
        KnownDifference(
            "auth/basic#remembered-for-the-session",
            because: "credentials are kept when the client learns authentication (issue 7)"),
        // What a URLProtocol cannot know or take.
        KnownDifference(
            "redirect/loop#ends", [.urlProtocol],
            because: "each followed redirect is another object's (R51); the loading system counts them and gives up"),
        KnownDifference(
            "redirect/loop-of-two#ends", [.urlProtocol],
            because: "each followed redirect is another object's (R51); the loading system counts them and gives up"),
        KnownDifference(
            "redirect/keeps-the-connection#follow", [.urlProtocol],
            because: "the object that follows starts before the first one is stopped, which holds its connection"),
        KnownDifference(
            "auth/basic-with-a-body#request-with-a-stream", [.urlProtocol],
            because: "a URLProtocol has nobody to ask for another stream"),
        KnownDifference(
            "redirect/307-streamed-body-is-asked-for-again#follow", [.urlProtocol],
            because: "a URLProtocol has nobody to ask for another stream"),
    ]

    static func of(_ verdict: CaseVerdict, as shape: ReferenceShape) -> KnownDifference? {
        all.first { $0.id == verdict.id.description && $0.shapes.contains(shape) }
    }
}
