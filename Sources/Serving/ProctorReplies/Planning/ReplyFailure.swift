/// Why a reply can't be made, or its content not be read.
package enum ReplyFailure: Error {
    /// The content can't be read; the reason, as half a sentence.
    case sourceFailed(String)
    /// The reply can't be made, and nothing of it was sent; the reason, as a sentence without a subject.
    case unanswerable(String)
}
