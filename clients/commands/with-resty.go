// build: GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS=-p=1 go build -o OUT IN
// Loads a URL with resty: METHOD URL, then +follow, +retry, @FILE with the content, and fields as NAME: VALUE.
package main

import (
	"log"
	"os"
	"strings"
	"time"

	"github.com/go-resty/resty"
)

func main() {
	client := resty.New()
	request, follows := client.R(), false
	for _, word := range os.Args[3:] {
		name, value, _ := strings.Cut(word, ": ")
		switch {
		case word == "+follow":
			follows = true
		case word == "+retry":
			client.SetRetryCount(3).SetRetryWaitTime(100 * time.Millisecond).SetRetryMaxWaitTime(time.Second)
			client.AddRetryCondition(func(reply *resty.Response, failure error) bool { return failure != nil || reply.StatusCode() == 503 })
		case word[0] == '@':
			body, _ := os.ReadFile(word[1:])
			request.SetBody(body)
		default:
			request.Header.Add(name, value)
		}
	}
	if follows {
		client.SetRedirectPolicy(resty.FlexibleRedirectPolicy(10))
	} else {
		client.SetRedirectPolicy(resty.NoRedirectPolicy())
	}
	reply, failure := request.Execute(os.Args[1], os.Args[2])
	if failure != nil && (follows || reply.StatusCode() < 300 || reply.StatusCode() > 399) {
		log.Fatal(failure)
	}
	os.Stdout.Write(reply.Body())
}
