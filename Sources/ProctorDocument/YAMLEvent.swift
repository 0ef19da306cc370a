/// What libyaml's parser says next, with the places already turned into byte offsets.
enum YAMLEvent {
    case scalar(String, Node.Style, anchor: String?, tag: String?, offset: Int)
    case sequenceStart(anchor: String?, tag: String?, offset: Int)
    case sequenceEnd
    case mappingStart(anchor: String?, tag: String?, offset: Int)
    case mappingEnd
    case alias(String, offset: Int)
    case documentStart(offset: Int)
    case documentEnd
    case streamStart
    case streamEnd
}

/// What libyaml says when it cannot go on.
struct YAMLFailure: Error {
    /// Half a sentence, like `did not find expected key`.
    let problem: String
    let problemOffset: Int
    /// Half a sentence, like `while parsing a block mapping`.
    let context: String?
    let contextOffset: Int
}
