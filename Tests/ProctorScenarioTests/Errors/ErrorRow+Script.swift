extension ErrorRow {
    /// What a scripted URLProtocol cannot do; each mistake is shown at the word that is wrong.
    static let scriptRows: [ErrorRow] = [
        ErrorRow(
            "protocol calls that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client:
                      url: /a
                      protocol:
                        - finsh
                        - finish now
                        - "await-stop "
                        - [response 200]
                        - { call: finish, thread: main }
                        - { thread: other }
                        - { call: respond 200, tread: other }
                  b: { client: { url: /a, protocol: response 200 } }
                """#,
            messages: [
                #"8:11 unknown protocol call "finsh"; did you mean "finish"?"#,
                #"9:18 "finish" stands alone, found "finish now""#,
                #"10:23 "await-stop" stands alone, found "await-stop ""#,
                #"11:11 expected a protocol call as text, found a list"#,
                #"12:35 unknown thread "main"; permitted: client, other"#,
                #"13:11 a protocol call needs the key "call""#,
                #"14:19 unknown protocol call "respond"; did you mean "response"?"#,
                #"14:32 unknown key "tread" in a protocol call; did you mean "thread"?"#,
                #"15:37 expected protocol calls as a list, found "response 200""#,
            ]),
        ErrorRow(
            "scripted responses that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client:
                      url: /a
                      protocol:
                        - response
                        - response 99
                        - response 0200
                        - response +200
                        - response 200 html
                        - response 200 text/html text/plain
                        - response 200 memory allowed
                        - response 200  text/html
                        - "response 200 text/html not-alowed"
                """#,
            messages: [
                #"8:19 expected "response" with a status from 100 to 999, found nothing"#,
                #"9:20 expected "response" with a status from 100 to 999, found "99""#,
                #"10:20 expected "response" with a status from 100 to 999, found "0200""#,
                #"11:20 expected "response" with a status from 100 to 999, found "+200""#,
                #"12:24 after the status come at most one content type like text/plain and one of allowed, memory, not-allowed; found "html""#,
                #"13:34 after the status come at most one content type like text/plain and one of allowed, memory, not-allowed; found "text/plain""#,
                #"14:31 after the status come at most one content type like text/plain and one of allowed, memory, not-allowed; found "allowed""#,
                #"15:24 after the status come at most one content type like text/plain and one of allowed, memory, not-allowed; found """#,
                #"16:35 after the status come at most one content type like text/plain and one of allowed, memory, not-allowed; found "not-alowed""#,
            ]),
        ErrorRow(
            "scripted failures and challenges that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client:
                      url: /a
                      protocol:
                        - fail
                        - fail 1004
                        - fail -100000
                        - fail timedout
                        - fail ok
                        - fail My Domain#1
                        - fail NSPOSIXErrorDomain#
                        - fail NSPOSIXErrorDomain#+5
                        - fail A#99999999999
                        - challenge
                        - challenge basci
                """#,
            messages: [
                #"8:15 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found nothing; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"9:16 expected a code of NSURLErrorDomain from -99999 to -1, found 1004"#,
                #"10:16 expected a code of NSURLErrorDomain from -99999 to -1, found -100000"#,
                #"11:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "timedout"; did you mean "timedOut"?"#,
                #"12:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "ok"; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"13:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "My Domain#1"; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"14:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "NSPOSIXErrorDomain#"; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"15:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "NSPOSIXErrorDomain#+5"; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"16:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "A#99999999999"; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"17:20 "challenge" needs a kind; permitted: basic, digest, ntlm, negotiate, form, default, serverTrust, clientCert"#,
                #"18:21 unknown kind of challenge "basci"; did you mean "basic"?"#,
            ]),
        ErrorRow(
            "scripted redirects and waits that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client:
                      url: /a
                      protocol:
                        - redirect
                        - redirect 302
                        - redirect 200 /b
                        - redirect 0302 /b
                        - redirect //b
                        - redirect 307 http://example.com/
                        - redirect /b c
                        - redirect "{{bsae}}/b"
                        - 'redirect 307 {{bsae}}/b'
                        - wait
                        - wait 0ms
                        - block 11m
                        - block 300
                """#,
            messages: [
                #"8:19 "redirect" needs a URL"#,
                #"9:23 "redirect" needs a URL"#,
                #"10:20 expected a status of a redirect from 300 to 399, found 200"#,
                #"11:20 expected a status of a redirect from 300 to 399, found 0302"#,
                #"12:20 the redirect target "//b" is not on this machine; begin with /, {{base}}, {{origin}} or {{origin.NAME}}"#,
                #"13:24 the redirect target "http://example.com/" is not on this machine; begin with /, {{base}}, {{origin}} or {{origin.NAME}}"#,
                #"14:20 the redirect target "/b c" holds a space; write %20"#,
                #"15:21 unknown late-bound name "bsae"; did you mean "base"?"#,
                #"16:25 unknown late-bound name "bsae"; did you mean "base"?"#,
                #"17:15 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found """#,
                #"18:16 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0ms""#,
                #"19:17 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "11m""#,
                #"20:17 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "300""#,
            ]),
    ]
}
