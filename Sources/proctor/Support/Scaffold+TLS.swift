extension Scaffold {
    /// A scenario over https.
    static let secured = """
        # One sentence on what the scenario shows; it stands in the catalogue.
        summary: A server with a valid certificate is trusted
        # Where the behaviour is written down: a text, or a list of them.
        spec: RFC 8446

        origins:
          main:
            scheme: https
            # What is wrong with the certificate, or valid; 'proctor ca profiles' lists the names.
            certificate: valid
            # What else is special about TLS there; every key may be left out:
            # tls: { versions: 1.2, client-certificate: request, resumption: off }
            # Something can happen in a handshake:
            # connections: [ { at: handshake certificate, do: alert handshake_failure } ]

        exchanges:
          - request: GET /secret
            reply:
              status: 200
              headers: { Content-Type: text/plain }
              body: "ok\\n"

        # What a client is told to do, and what must then be seen.
        cases:
          trusted:
            # must, should, or observes for what the specification leaves open.
            kind: should
            # The client judges the server by the authority of proctor; 'trust' takes it whatever it shows.
            client: { url: /secret, onChallenge: default }
            # The requests that must arrive, in this order and no others.
            wire: request(GET /secret)
            # The callbacks that a delegate must see.
            task: challenge(serverTrust) response(200) data+ complete(ok)
            # What became of the handshake; there are tls[0].alert, tls[0].cipher and others too.
            facts: { body: "ok\\n", tls.handshakes: 1, tls.failures: 0, "tls[0].certificate": valid }

        """
}
