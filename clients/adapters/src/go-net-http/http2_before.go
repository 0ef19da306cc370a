//go:build !go1.24

package main

import "net/http"

// abilityOfHTTP2 is empty: net/http spoke no HTTP/2 without TLS.
const abilityOfHTTP2 = ""

func speakHTTP2(*http.Transport) {}
