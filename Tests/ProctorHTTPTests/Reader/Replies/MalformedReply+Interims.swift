import ProctorHTTP

extension MalformedReply {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    private static let hint = "HTTP/1.1 103 Early Hints\r\n\r\n◆"

    static let interims: [MalformedReply] = [
        .init("a 100 in HTTP/1.0", "HTTP/1.0 ▸100 Continue\r\n\r\n◆" + ok, .interimInHTTP10),
        .init(
            "a 101 in HTTP/1.0", "HTTP/1.0 ▸101 OK\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", .interimInHTTP10,
            thenEnds: true),
        .init(
            "too many interim replies", hint + hint + "▸" + hint + ok, .tooManyInterimReplies,
            limits: ReplyLimits(interimCount: 2)),
        .init(
            "an interim reply where none is taken", "▸HTTP/1.1 100 Continue\r\n\r\n", .tooManyInterimReplies,
            limits: ReplyLimits(interimCount: 0)),
        .init(
            "too many interim replies to a second request", hint + ok + "◆" + hint + "▸" + hint, .tooManyInterimReplies,
            to: ["GET", "GET"], limits: ReplyLimits(interimCount: 1)),
        .init("a 101 without Upgrade", "HTTP/1.1 101 OK\r\n▸\r\n", .switchingWithoutUpgrade),
        .init(
            "a 101 with its option, but no Upgrade", "HTTP/1.1 101 OK\r\nConnection: upgrade\r\n▸\r\n",
            .switchingWithoutUpgrade),
        .init(
            "a 101 without Upgrade, and LF ends the head", "HTTP/1.1 101 OK\r\n▸▸\n", .bareLF, .switchingWithoutUpgrade),
        .init(
            "a 101 whose Upgrade lacks its option", "HTTP/1.1 101 OK\r\n▸Upgrade: x\r\n\r\nhello",
            .upgradeWithoutConnection, thenEnds: true),
        .init(
            "a length with a 100", "HTTP/1.1 100 Continue\r\n▸Content-Length: 0\r\n\r\n◆" + ok,
            .contentLengthWithoutContent),
        .init(
            "chunks with a 103", "HTTP/1.1 103 OK\r\n▸Transfer-Encoding: chunked\r\n\r\n◆" + ok,
            .transferEncodingWithoutContent),
        .init(
            "content behind a 103", "HTTP/1.1 103 OK\r\n▸Content-Length: 5\r\n\r\n◆▸hello" + ok,
            .contentLengthWithoutContent, .missingStatusLine),
        .init(
            "a bad field in an interim reply", "HTTP/1.1 102 OK\r\n▸nonsense\r\n\r\n" + ok, .missingColon),
        .init(
            "departures in interim and final reply", "HTTP/1.1 102▸\r\n\r\n◆HTTP/1.1 204▸\r\n\r\n",
            .missingSpaceBeforeReason, .missingSpaceBeforeReason),
    ]

    static let endings: [MalformedReply] = [
        .init("the peer leaves after one byte", "H▸", .incompleteHead, thenEnds: true),
        .init("the peer leaves in what could be a banner", "22▸", .incompleteHead, thenEnds: true),
        .init("the peer leaves in the status line", "HTTP/1.1 20▸", .incompleteHead, thenEnds: true),
        .init("the peer leaves behind the status line", "HTTP/1.1 200 OK\r\n▸", .incompleteHead, thenEnds: true),
        .init("the peer leaves in a field", "HTTP/1.1 200 OK\r\nContent-Le▸", .incompleteHead, thenEnds: true),
        .init("the peer leaves before the last LF", "HTTP/1.1 200 OK\r\nX: y\r\n\r▸", .incompleteHead, thenEnds: true),
        .init("the peer leaves in an empty line", "\r▸", .incompleteHead, thenEnds: true),
        .init(
            "the peer leaves in a head behind an empty line", "▸\r\nHTTP▸", .emptyLineBeforeReply, .incompleteHead,
            thenEnds: true),
        .init(
            "the peer leaves in the second reply", ok + "◆HTTP/1.1▸", .incompleteHead, to: ["GET", "GET"],
            thenEnds: true),
        .init("the peer leaves behind an interim reply", hint + "▸", .missingFinalReply, thenEnds: true),
        .init(
            "the peer leaves behind an interim reply and an empty line", hint + "▸\r\n▸", .emptyLineBeforeReply,
            .missingFinalReply, thenEnds: true),
        .init(
            "the peer leaves in a head behind an interim reply", hint + "HTTP/1.1 200 O▸", .incompleteHead,
            thenEnds: true),
        .init(
            "the peer leaves before the content", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n▸", .incompleteContent,
            thenEnds: true),
        .init(
            "the peer leaves in the content", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell▸", .incompleteContent,
            thenEnds: true),
        .init(
            "the peer leaves in the content of a closing reply",
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhell▸", .incompleteContent, thenEnds: true
        ),
    ]
}
