/// One label beyond ASCII in letters of ASCII (RFC 3492), without `xn--`.
package enum Punycode {
    private static let base = 36
    private static let tMin = 1
    private static let tMax = 26
    private static let skew = 38
    private static let damp = 700
    private static let initialBias = 72
    private static let initialScalar: UInt32 = 0x80
    /// The number of bytes of a DNS label (RFC 1035 §2.3.4) after `xn--`.
    private static let longest = 59

    /// nil for a label that would be too long.
    package static func encode(_ label: String) -> [UInt8]? {
        let scalars = label.unicodeScalars.map(\.value)
        guard scalars.count <= longest else { return nil }
        var output = scalars.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
        let basicCount = output.count
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (scalar, delta, bias, handled) = (initialScalar, 0, initialBias, basicCount)
        while handled < scalars.count {
            guard let next = scalars.filter({ $0 >= scalar }).min() else { return nil }
            delta += Int(next - scalar) * (handled + 1)
            scalar = next
            for value in scalars {
                if value < scalar { delta += 1 }
                guard value == scalar else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            scalar += 1
        }
        return output.count <= longest ? output : nil
    }

    /// The label; nil for a text that no label is encoded as.
    package static func decode(_ text: some Sequence<UInt8>) -> String? {
        let text = Array(text)
        guard text.count <= longest, text.allSatisfy({ $0 < 0x80 }) else { return nil }
        let hyphen = text.lastIndex(of: UInt8(ascii: "-"))
        var scalars = text[..<(hyphen ?? 0)].map { UInt32($0) }
        var rest = text[(hyphen.map { $0 + 1 } ?? 0)...]
        var (scalar, index, bias) = (Int(initialScalar), 0, initialBias)
        while !rest.isEmpty {
            let start = index
            var (weight, position) = (1, base)
            while true {
                guard let value = rest.popFirst().flatMap(value), weight < 1 << 40 else { return nil }
                index += value * weight
                let threshold = min(max(position - bias, tMin), tMax)
                if value < threshold { break }
                weight *= base - threshold
                position += base
            }
            bias = adapt(index - start, count: scalars.count + 1, isFirst: start == 0)
            scalar += index / (scalars.count + 1)
            index %= scalars.count + 1
            guard scalar <= 0x10FFFF else { return nil }
            scalars.insert(UInt32(scalar), at: index)
            index += 1
        }
        var label = String.UnicodeScalarView()
        for value in scalars {
            guard let scalar = Unicode.Scalar(value) else { return nil }
            label.append(scalar)
        }
        return String(label)
    }

    private static func value(_ digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    /// One number of variable length (§3.3).
    private static func append(_ number: Int, bias: Int, to output: inout [UInt8]) {
        var rest = number
        var position = base
        while true {
            let threshold = min(max(position - bias, tMin), tMax)
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
        output.append(digit(rest))
    }

    private static func adapt(_ number: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? number / damp : number / 2
        delta += delta / count
        var steps = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            steps += base
        }
        return steps + (base - tMin + 1) * delta / (delta + skew)
    }

    /// a…z are 0…25, and 0…9 are 26…35 (§5).
    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? Int(UInt8(ascii: "a")) + value : Int(UInt8(ascii: "0")) + value - 26)
    }
}
