import ProctorEvents
import Testing

struct URLErrorNameTests {
    @Test func `names and codes belong to one another`() {
        #expect(Set(URLErrorName.names).count == URLErrorName.names.count)
        for name in URLErrorName.names {
            let error = URLErrorName.code(named: name)
            #expect(error?.domain == "NSURLErrorDomain")
            #expect(error.map { URLErrorName.name(domain: $0.domain, code: $0.code) } == name)
        }
    }

    @Test(arguments: [
        (-999, "cancelled"), (-1001, "timedOut"), (-1005, "connectionLost"), (-1004, "cannotConnect"),
        (-1003, "cannotFindHost"),
        (-1011, "badServerResponse"), (-1000, "badURL"), (-1002, "unsupportedURL"), (-1007, "tooManyRedirects"),
        (-1012, "userCancelledAuthentication"), (-1013, "userAuthenticationRequired"), (-1100, "noFile"),
        (-1103, "tooLarge"),
        (-1200, "secureConnectionFailed"), (-1202, "serverCertificateUntrusted"), (-1021, "requestBodyStreamExhausted"),
        (-1016, "cannotDecodeContentData"), (-1017, "cannotParseResponse"), (-1009, "notConnected"), (-1, "unknown"),
    ])
    func `the codes of URLError have names`(_ code: Int, _ name: String) {
        #expect(URLErrorName.name(domain: "NSURLErrorDomain", code: code) == name)
    }

    @Test func `an error without a name is written as domain and code`() throws {
        #expect(URLErrorName.name(domain: "NSURLErrorDomain", code: -4) == "NSURLErrorDomain#-4")
        #expect(URLErrorName.name(domain: "NSPOSIXErrorDomain", code: -999) == "NSPOSIXErrorDomain#-999")
        let error = try #require(URLErrorName.code(named: "a#b#12"))
        #expect(error.domain == "a#b" && error.code == 12)
        #expect(URLErrorName.code(named: "networkConnectionLost")?.code == -1005)
        for text in ["ok", "", "#1", "a#", "a#x", "Cancelled", "a#99999999999999999999"] {
            #expect(URLErrorName.code(named: text) == nil, "\(text)")
        }
    }

    @Test func `authentication methods have short names`() {
        #expect(ChallengeKind.name(authenticationMethod: "NSURLAuthenticationMethodHTTPDigest") == "digest")
        #expect(
            ChallengeKind.name(authenticationMethod: "NSURLAuthenticationMethodHTTPBasic", isProxy: true)
                == "proxyBasic")
        #expect(ChallengeKind.name(authenticationMethod: "mine") == "mine")
        #expect(Set(ChallengeKind.names).count == 8)
    }
}
