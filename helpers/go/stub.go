package proctor

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Reply is other keys of a reply (Docs/format/replies.md): Reply{"effects": …}, Reply{"events": …}, Reply{"websocket": …}.
type Reply map[string]any

// Headers are field lines of a reply by their names; a name with a list of values comes several times.
type Headers map[string]any

type jsonContent struct{ value any }

// JSON is the content of a reply, with Content-Type: application/json unless the reply has another.
func JSON(value any) any { return jsonContent{value} }

// Stub is one exchange of a test; what says more of it gives the stub back. The words are those of all helpers (Docs/use/stubs.md).
type Stub struct {
	// Stubs are all stubs of its test, whose URL, Client, Must and On are its own too, so that a test of one stub needs no other name.
	*Stubs
	request          string
	replies          []any
	patterns, beside map[string]any
	// place is FILE:LINE of the test, which failures name.
	place string
}

// caller is FILE:LINE of who called the function that asks, "" where it is unknown.
func caller() string {
	_, file, line, isKnown := runtime.Caller(2)
	if !isKnown {
		return ""
	}
	if folder, err := os.Getwd(); err == nil {
		if near, err := filepath.Rel(folder, file); err == nil && !strings.HasPrefix(near, "..") {
			file = near
		}
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// checked is the value of a key; it panics with the place of the test where JSON has no form for it.
func checked(place, key string, value any) any {
	if _, err := json.Marshal(value); err != nil {
		panic(fmt.Sprintf("%s: %s has no form in JSON: %v", place, key, err))
	}
	return value
}

// Having adds a pattern to what is asked, by a key of Docs/format/requests.md: "json", "headers", "cookies", "query", "form", "body".
func (s *Stub) Having(key string, pattern any) *Stub {
	s.patterns[key] = checked(caller(), key, pattern)
	return s
}

// Reply adds a reply: its status, and any of a string or a []byte, which is its content, JSON(…), Headers{…}, and Reply{…} with other keys
// of a reply. Of several each is sent once, in turn, and the last one stays; without any the reply is an empty 200. Without a status it is
// 200, or what a "websocket" or a "script" says.
func (s *Stub) Reply(parts ...any) *Stub {
	reply, fields, isJSON, isTyped := Reply{}, Headers{}, false, false
	for _, part := range parts {
		switch value := part.(type) {
		case int:
			reply["status"] = value
		case string:
			reply["body"] = value
		case []byte:
			reply["body"] = map[string]any{"base64": value}
		case jsonContent:
			reply["body"], isJSON = map[string]any{"json": checked(caller(), "JSON(…)", value.value)}, true
		case Headers:
			for name, field := range value {
				fields[name] = field
				isTyped = isTyped || strings.EqualFold(name, "Content-Type")
			}
		case Reply:
			for key, member := range value {
				reply[key] = checked(caller(), key, member)
			}
		default:
			panic(fmt.Sprintf("%s: a reply has a status, a string, bytes, JSON(…), Headers{…} and Reply{…}, found %T; for JSON write proctor.JSON(…)",
				caller(), part))
		}
	}
	if isJSON && !isTyped {
		fields["Content-Type"] = "application/json"
	}
	if len(fields) > 0 {
		reply["headers"] = fields
	}
	s.replies = append(s.replies, reply)
	return s
}

// Times says that exactly so many requests come, 1 to 1,000,000: one more finds no exchange, and one that does not come fails the test.
func (s *Stub) Times(count int) *Stub { return s.Setting("times", map[string]int{"exactly": count}) }

// AtLeast says that so many requests come, 1 to 1,000,000, or more.
func (s *Stub) AtLeast(count int) *Stub {
	return s.Setting("times", map[string]int{"at-least": count})
}

// Optional says that no request need come.
func (s *Stub) Optional() *Stub { return s.Setting("optional", true) }

// Setting sets another key of an exchange (Docs/format/requests.md), as "reads".
func (s *Stub) Setting(key string, value any) *Stub {
	s.beside[key] = checked(caller(), key, value)
	return s
}

// Requests are the requests that this stub has answered so far, in the order in which they came.
func (s *Stub) Requests() (found []Request) {
	s.t.Helper()
	if s.run == nil {
		return nil
	}
	for _, request := range s.run.Requests() {
		if request.Stub == s {
			found = append(found, request)
		}
	}
	return found
}

// MarshalJSON writes the exchange as a fixture has it.
func (s *Stub) MarshalJSON() ([]byte, error) {
	fixture := map[string]any{"request": s.request, "reply": s.replies}
	if len(s.replies) == 0 {
		fixture["reply"] = []any{Reply{}}
	}
	if s.place != "" {
		fixture["place"] = s.place
	}
	if len(s.patterns) > 0 {
		method, target, _ := strings.Cut(s.request, " ")
		path, query, hasQuery := strings.Cut(target, "?")
		request := map[string]any{"method": method, "path": path}
		if hasQuery {
			request["query"] = query
		}
		for key, value := range s.patterns {
			request[key] = value
		}
		fixture["request"] = request
	}
	for key, value := range s.beside {
		fixture[key] = value
	}
	return json.Marshal(fixture)
}

// Stubs are the stubs of one test, at ports of their own.
type Stubs struct {
	t     testing.TB
	stubs []*Stub
	// opening is held while the run is opened: clients of a test may run on several goroutines, and the first of them opens it for all.
	opening sync.Mutex
	run     *TestRun
	// origin has keys of Docs/format/origins.md.
	origin map[string]any
}

// New is for the stubs of a test, which fails by a request that none of them expects, and by one that never comes:
//
//	items := proctor.New(t).On("GET /items").Reply(200, proctor.JSON([]int{1})).Times(2)
//	items.Must(http.Get(items.URL("/items"))).Want(200, proctor.JSON([]int{1}))
func New(t testing.TB) *Stubs {
	stubs := &Stubs{t: t}
	// A test that leads no client to its stubs fails, as one whose client does not come.
	t.Cleanup(func() {
		t.Helper()
		if len(stubs.stubs) > 0 && stubs.run == nil && !t.Failed() && !t.Skipped() {
			t.Error("proctor: the stubs of the test were never served: no URL was asked for")
		}
	})
	return stubs
}

// On begins a stub: what is asked, as "GET /items". All stubs of a test stand before its first URL, which opens their ports.
func (s *Stubs) On(request string) *Stub {
	s.t.Helper()
	if s.run != nil {
		s.t.Fatal("proctor: all stubs of a test stand before its first URL, which opens their ports")
	}
	stub := &Stub{Stubs: s, request: request, patterns: map[string]any{}, beside: map[string]any{}, place: caller()}
	s.stubs = append(s.stubs, stub)
	return stub
}

// Origin says what the stubs' server is, by a key of Docs/format/origins.md: "scheme" "https", "host" "api.example.org".
func (s *Stubs) Origin(key string, value any) *Stubs {
	s.t.Helper()
	if s.run != nil {
		s.t.Fatal("proctor: what the stubs' server is stands before the first URL, which opens their ports")
	}
	if s.origin == nil {
		s.origin = map[string]any{}
	}
	s.origin[key] = value
	return s
}

// Run is the run of the stubs, which is opened when it is first asked for.
func (s *Stubs) Run() *TestRun {
	s.t.Helper()
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.run == nil {
		if len(s.stubs) == 0 {
			s.t.Fatal(`proctor: there is no stub yet: stubs.On("GET /items").Reply(200)`)
		}
		s.run = expect(s.t, s.origin, s.stubs)
	}
	return s.run
}

// URL is the URL of a path at the stubs.
func (s *Stubs) URL(path string) string {
	s.t.Helper()
	return s.Run().URL(path)
}

// WSURL is the same for a WebSocket: ws:, or wss: where the stubs speak TLS.
func (s *Stubs) WSURL(path string) string {
	s.t.Helper()
	return s.Run().WSURL(path)
}

// Client is a new client of net/http that trusts the server's authority and reaches the stubs by their name.
func (s *Stubs) Client() *http.Client {
	s.t.Helper()
	return s.Run().Client()
}

// Requests are all requests that came to the stubs so far, also those that none expected.
func (s *Stubs) Requests() []Request {
	s.t.Helper()
	return s.Run().Requests()
}

// Verify judges the stubs now, when what is under way has come to its end; without it they are judged when the test has passed.
func (s *Stubs) Verify() Verdict {
	s.t.Helper()
	return s.Run().Verdict("")
}
