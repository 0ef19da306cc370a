// build: GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS=-p=1 go build -o OUT IN
// Loads a URL with go-retryablehttp, which tries four times in all: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

func main() {
	client, follows := retryablehttp.NewClient(), false
	client.Logger, client.RetryMax, client.RetryWaitMin, client.RetryWaitMax = nil, 3, 100*time.Millisecond, time.Second
	// The last reply in place of an error that has none.
	client.ErrorHandler = retryablehttp.PassthroughErrorHandler
	var body interface{}
	fields := http.Header{}
	for _, word := range os.Args[3:] {
		name, value, _ := strings.Cut(word, ": ")
		switch {
		case word == "+follow":
			follows = true
		case word[0] == '@':
			content, _ := os.ReadFile(word[1:])
			body = content
		default:
			fields.Add(name, value)
		}
	}
	if !follows {
		client.HTTPClient.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	request, failure := retryablehttp.NewRequest(os.Args[1], os.Args[2], body)
	if failure != nil {
		log.Fatal(failure)
	}
	request.Header = fields
	reply, failure := client.Do(request)
	if failure != nil {
		log.Fatal(failure)
	}
	defer reply.Body.Close()
	if _, failure = io.Copy(os.Stdout, reply.Body); failure != nil {
		log.Fatal(failure)
	}
}
