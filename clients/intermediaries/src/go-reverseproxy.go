// A reverse proxy of Go's own: go-reverseproxy LISTEN UPSTREAM.
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
	log.Fatal(http.ListenAndServe(os.Args[1], proxy))
}
