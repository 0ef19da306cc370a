package client

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	neturl "net/url"
	"strings"
	"sync"
	"testing"

	"proctor.test/proctor"
)

func TestGoroutinesShareTheStubs(t *testing.T) {
	items := proctor.New(t).On("GET /items").Reply(200, proctor.JSON([]int{})).Times(5)
	var all sync.WaitGroup
	urls := make([]string, 5)
	for at := range urls {
		all.Add(1)
		go func(at int) {
			defer all.Done()
			urls[at] = items.URL("/items")
			reply, err := http.Get(urls[at])
			if err != nil {
				t.Error(err)
				return
			}
			io.Copy(io.Discard, reply.Body)
			reply.Body.Close()
		}(at)
	}
	all.Wait()
	for _, url := range urls {
		if url != urls[0] {
			t.Errorf("%s and %s", url, urls[0])
		}
	}
}

func TestWhatJSONHasNoFormFor(t *testing.T) {
	defer func() {
		told := fmt.Sprint(recover())
		if !strings.Contains(told, "items_test.go:") || !strings.Contains(told, "JSON(…) has no form in JSON: json: unsupported type: chan int") {
			t.Error(told)
		}
	}()
	(&proctor.Stub{}).Reply(200, proctor.JSON(map[string]any{"a": make(chan int)}))
}

func TestContentThatCameCoded(t *testing.T) {
	stubs := proctor.New(t)
	items := stubs.On("POST /items").Having("json", map[string]string{"name": "desk"}).Reply(201)
	var coded bytes.Buffer
	packed := gzip.NewWriter(&coded)
	packed.Write([]byte(`{"name":"desk"}`))
	packed.Close()
	request, _ := http.NewRequest("POST", items.URL("/items"), bytes.NewReader(coded.Bytes()))
	request.Header.Set("Content-Encoding", "gzip")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if came := items.Requests()[0]; came.Text() != `{"name":"desk"}` || !bytes.Equal(came.CodedBody, coded.Bytes()) {
		t.Errorf("%q, coded %q", came.Body, came.CodedBody)
	}
}

func TestHowARequestEnded(t *testing.T) {
	for _, end := range []string{"read", "left", "reset"} {
		t.Run(end, func(t *testing.T) {
			place, do, told := "body 2", "stall", "lo"
			if end == "read" {
				place, do, told = "body 4", "wait 1ms", "long"
			}
			effect := map[string]string{"at": place, "do": do}
			items := proctor.New(t).On("GET /items").Reply(200, "long", proctor.Reply{"effects": []any{effect}})
			url, _ := neturl.Parse(items.URL("/items"))
			client, err := net.Dial("tcp", url.Host)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(client, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", url.Path, url.Host)
			heard, piece := "", make([]byte, 1000)
			for !strings.HasSuffix(heard, told) {
				count, err := client.Read(piece)
				if err != nil {
					t.Fatal(err)
				}
				heard += string(piece[:count])
			}
			if end == "reset" {
				client.(*net.TCPConn).SetLinger(0)
			}
			client.Close()
			for items.Requests()[0].End == "" {
			}
			if came := items.Requests()[0].End; came != end {
				t.Errorf("the request was %q", came)
			}
		})
	}
}
