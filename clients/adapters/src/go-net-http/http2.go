//go:build go1.24

package main

import "net/http"

const abilityOfHTTP2 = " h2 prior-knowledge"

// speakHTTP2 makes the transport speak HTTP/2 alone, by ALPN over TLS and by prior knowledge without.
func speakHTTP2(transport *http.Transport) {
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetHTTP2(true)
	transport.Protocols.SetUnencryptedHTTP2(true)
}
