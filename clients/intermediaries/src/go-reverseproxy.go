// A reverse proxy of Go's own: go-reverseproxy LISTEN UPSTREAM TLS-LISTEN PEM.
package main

import (
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"time"
)

func main() {
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: os.Args[2]})
	proxy.Transport = &http.Transport{
		DisableCompression:    true,
		ResponseHeaderTimeout: 2 * time.Second,
		MaxIdleConnsPerHost:   8,
	}
	go func() { log.Fatal(http.ListenAndServeTLS(os.Args[3], os.Args[4], os.Args[4], proxy)) }()
	log.Fatal(http.ListenAndServe(os.Args[1], proxy))
}
