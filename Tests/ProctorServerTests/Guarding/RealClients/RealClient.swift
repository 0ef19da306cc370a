import Foundation
import ProctorGrading
import ProctorTestSupport

/// A client with one way to give it a credential.
enum RealClient: String, Sendable, CaseIterable {
    case curlBasic = "curl --basic"
    case curlDigest = "curl --digest"
    case curlAny = "curl --anyauth"
    case curlBearer = "curl --oauth2-bearer"
    case curlProxyBasic = "curl --proxy-basic"
    case curlProxyDigest = "curl --proxy-digest"
    case curlProxyAny = "curl --proxy-anyauth"
    case wget = "wget --user"
    case wgetUnasked = "wget --auth-no-challenge"
    case requestsBasic = "requests HTTPBasicAuth"
    case requestsDigest = "requests HTTPDigestAuth"
    case requestsProxy = "requests HTTPProxyAuth"
    case aiohttp = "aiohttp BasicAuth"
    case urllibBasic = "urllib HTTPBasicAuthHandler"
    case urllibDigest = "urllib HTTPDigestAuthHandler"

    /// Which features it has something to do with.
    var groups: Set<RealClientFeature.Group> {
        switch self {
        case .curlBasic, .wgetUnasked, .requestsBasic: [.basic]
        case .curlDigest: [.digest]
        case .requestsDigest: [.digest, .either]
        case .curlAny: [.basic, .digest, .either]
        case .curlBearer: [.bearer]
        case .curlProxyBasic: [.proxyBasic, .connectBasic]
        case .curlProxyDigest: [.proxyDigest, .connectDigest]
        case .curlProxyAny: [.proxyBasic, .proxyDigest, .connectBasic, .connectDigest]
        case .wget: [.basic, .digest, .either, .proxyBasic]
        case .requestsProxy: [.proxyBasic]
        case .aiohttp: [.basic, .proxyBasic]
        case .urllibBasic: [.basic, .either, .proxyBasic]
        case .urllibDigest: [.digest, .proxyDigest]
        }
    }

    /// The program, or Python's module, and the version that the page is written for.
    var writtenFor: (product: String, version: String) {
        switch self {
        case .wget, .wgetUnasked: ("wget", "1.21")
        case .requestsBasic, .requestsDigest, .requestsProxy: ("requests", "2.28")
        case .aiohttp: ("aiohttp", "3.8")
        case .urllibBasic, .urllibDigest: ("python3", "3.11")
        default: ("curl", "7.88")
        }
    }

    /// nil where it is not installed.
    func version() throws -> String? {
        switch writtenFor.product {
        case "requests", "aiohttp":
            let outcome = try ChildProcess.runNow([
                Tools.python, "-E", "-s", "-B", "-c", "import \(writtenFor.product) as m; print(m.__version__)",
            ])
            return outcome.status == 0 ? outcome.out.trimmingCharacters(in: .whitespacesAndNewlines) : nil
        case "python3": return try Tools.version(of: Tools.python)
        case "wget":
            guard RangeClient.Program.wget.isInstalled else { return nil }
            return try RangeClient.Program.wget.version()
        default: return try Tools.version(of: Tools.curl)
        }
    }

    // MARK: Commands

    /// One process that does all loads of a feature; nothing of it asks for a name or a file of the user's.
    func words(_ feature: RealClientFeature, base: String, folder: String) throws -> [String] {
        let url = (feature.isTunnel ? "https://lab.test" : feature.isProxy ? "http://lab.test" : base) + feature.target
        let password = feature.given ?? feature.password
        switch writtenFor.product {
        case "curl": return curl(feature, url, base, password)
        case "wget": return wget(feature, url, base, password, folder)
        default:
            let task = Task(
                client: rawValue, url: url, user: feature.user, password: password, count: feature.count,
                method: feature.body == nil ? "GET" : "POST", body: feature.body, proxy: feature.isProxy ? base : nil)
            return Tools.script("auth_client.py", [String(decoding: try JSONEncoder().encode(task), as: UTF8.self)])
        }
    }

    private struct Task: Encodable {
        let client, url, user, password: String
        let count: Int
        let method: String
        let body, proxy: String?
    }

    private func curl(_ feature: RealClientFeature, _ url: String, _ base: String, _ password: String) -> [String] {
        var words = [Tools.curl, "-q", "-sS", "--path-as-is", "-m", "\(ClientTimes.step)"]
        words.append(String(rawValue.dropFirst("curl ".count)))
        if self == .curlBearer {
            words.append(password)
        } else {
            words += [feature.isProxy ? "--proxy-user" : "--user", "\(feature.user):\(password)"]
        }
        words += feature.isProxy ? ["-x", base] : ["--noproxy", "*"]
        if let body = feature.body { words += ["--data-binary", body] }
        return words + (0..<feature.count).flatMap { _ in ["-o", "/dev/null", url] }
    }

    private func wget(
        _ feature: RealClientFeature, _ url: String, _ base: String, _ password: String, _ folder: String
    ) -> [String] {
        var words = [
            RangeClient.Program.wget.path, "--no-config", "--no-hsts", "-nv", "--tries=1", "-T", "\(ClientTimes.step)",
            "-O", "\(folder)/file",
        ]
        if self == .wgetUnasked { words.append("--auth-no-challenge") }
        if feature.isProxy {
            words += ["-e", "use_proxy=yes", "-e", "http_proxy=\(base)"]
            words += ["--proxy-user=\(feature.user)", "--proxy-password=\(password)"]
        } else {
            words += ["--no-proxy", "--user=\(feature.user)", "--password=\(password)"]
        }
        if let body = feature.body { words.append("--post-data=\(body)") }
        return words + Array(repeating: url, count: feature.count)
    }
}
