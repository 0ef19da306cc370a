import FuzzSupport
import ProctorHTTP

/// Input: a base and a reference, one line each.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let base = input.section(endingWith: UInt8(ascii: "\n"))
    let reference = input.remaining
    // Any bytes can be split, and what was split can be put together.
    let anyBase = URIReference(splitting: base)
    let anyReference = URIReference(splitting: reference)
    checkParts(anyBase)
    checkParts(anyReference)
    checkParts(anyReference.resolved(against: anyBase))
    checkParts(anyReference.normalised())
    guard let reference = parsed(reference) else { return 0 }
    checkNormalisation(of: reference)
    guard let base = parsed(base), base.scheme != nil else { return 0 }
    checkResolution(of: reference, against: base)
    return 0
}

/// The error of bytes that are none must point into them.
private func parsed(_ bytes: [UInt8]) -> URIReference? {
    do {
        let reference = try URIReference(parsing: bytes)
        check(reference.bytes == bytes, "parsing changed \(shown(bytes))")
        return reference
    } catch {
        check(0...bytes.count ~= error.offset, "offset \(error.offset) outside \(shown(bytes))")
        check(!error.sentence.isEmpty, "no sentence for \(shown(bytes))")
        return nil
    }
}

/// The components and their delimiters are the reference, with nothing left out.
private func checkParts(_ reference: URIReference) {
    var bytes: [UInt8] = []
    if let scheme = reference.scheme { bytes += scheme + ":".utf8 }
    if let authority = reference.authority {
        bytes += "//".utf8
        var parts: [UInt8] = []
        if let userinfo = reference.userinfo { parts += userinfo + "@".utf8 }
        parts += reference.host ?? []
        if let port = reference.port { parts += ":".utf8 + port }
        check(parts.elementsEqual(authority), "the authority of \(shown(reference.bytes)) has other parts")
        bytes += authority
    }
    bytes += reference.path
    if let query = reference.query { bytes += "?".utf8 + query }
    if let fragment = reference.fragment { bytes += "#".utf8 + fragment }
    check(bytes == reference.bytes, "\(shown(reference.bytes)) was put together as \(shown(bytes))")
    check(
        URIReference(splitting: bytes) == reference, "\(shown(bytes)) is split otherwise than when it was made")
    if let port = reference.portNumber { check(0...65_535 ~= port, "port \(port) of \(shown(bytes))") }
}

private func checkNormalisation(of reference: URIReference) {
    let steps: [(String, (URIReference) -> URIReference)] = [
        ("lowercasing", { $0.lowercasingSchemeAndHost() }), ("uppercasing", { $0.uppercasingPercentEscapes() }),
        ("decoding", { $0.decodingUnreservedEscapes() }), ("dots", { $0.removingDotSegments() }),
        ("port", { $0.removingDefaultPort() }), ("path", { $0.addingEmptyPath() }), ("all", { $0.normalised() }),
    ]
    for (name, step) in steps {
        let once = step(reference)
        let twice = step(once)
        check(
            twice == once,
            "\(name): \(shown(reference.bytes)) gives \(shown(once.bytes)), and that \(shown(twice.bytes))")
        check(
            parsed(once.bytes) == once, "\(name): \(shown(reference.bytes)) gives \(shown(once.bytes)), which is none")
    }
    let all = reference.normalised()
    for (name, step) in steps {
        check(step(all) == all, "\(name) changes the normalised \(shown(all.bytes)) to \(shown(step(all).bytes))")
    }
}

private func checkResolution(of reference: URIReference, against base: URIReference) {
    let target = reference.resolved(against: base)
    let story = "\(shown(reference.bytes)) against \(shown(base.bytes)) gives \(shown(target.bytes))"
    checkParts(target)
    check(parsed(target.bytes) == target, "\(story), which is no reference")
    check(target.scheme != nil, "\(story), without a scheme")
    check(reference.fragment == nil || target.fragment == reference.fragment, "\(story), another fragment")
    check(reference.fragment != nil || target.fragment == nil, "\(story), the base's fragment")
    if reference.path.isEmpty, reference.scheme == nil, reference.authority == nil { return }
    let again = target.resolved(against: base)
    check(again == target, "\(story), and that again \(shown(again.bytes))")
    let segments = target.path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    check(
        !segments.dropFirst().contains { $0.elementsEqual("..".utf8) }
            && !segments.dropFirst(2).contains { $0.elementsEqual(".".utf8) },
        "\(story), with dot segments")
}
