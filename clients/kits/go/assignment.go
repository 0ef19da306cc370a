package proctor

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"unicode/utf8"
)

// BodyLimit is how many bytes of a body are told (in base64 they fit a line of 1 MiB), uploadLimit how many are sent.
const BodyLimit, uploadLimit = 640 << 10, 256 << 20

// Assignment has the keys of Docs/adapters.md that a client without callbacks can be told.
type Assignment struct {
	Version, Deadline   int
	Scenario, Case, Run string
	Steps               []Step
	Session             struct {
		Cookies, Trust, Proxy, OwnScheme                    string
		RequestTimeout, ResourceTimeout, ConnectionsPerHost int
		Identity                                            *struct{ Certificate, Key string }
		Names                                               []Name
	}
}

type Step struct {
	Method, URL, BodyForm, OnResponse, OnBodyStream string
	Headers, Form, Query                            [][2]string
	FieldNames                                      []string
	Body                                            *Body
	OnRedirect, OnChallenge                         []Answer
	RedirectCount, ChallengeCount                   *int
	CancelAt                                        Moment
	Timeout                                         int
	Together                                        bool
}

type Answer struct {
	Answer, Method, URL string
	Headers             [][2]string
}

type Body struct {
	Text, Base64 string
	Count        *int
}

type Name struct {
	Name, Address string
	Port          int
}

type Moment struct {
	Event string
	Count int
}

// needs are the abilities that parts of a program take: a key, and behind it the word.
var needs = strings.Fields(`
	endAt session-end cache cache without callbacks challengeMethods callbacks proxy proxy trust trust
	connectionsPerHost connection-limit requestTimeout time-limit-silence resourceTimeout time-limit-total
	ownScheme own-scheme identity identity protocols url-protocol onCanAuthenticate callbacks
	onCredentialStorage callbacks onShouldDecode callbacks onCanonicalize callbacks download callbacks
	answerAfter answer-later cancelAt cancel suspendAt suspend resume resume producesResumeData resume
	together several-loads timeout time-limit-silence schedule scheduling protocolScript url-protocol
	form encodes-values query encodes-values byHand store-access`)

// refuse finds what the client lacks; the rest the exam finds by itself.
func (a Adapter) refuse(text []byte) error {
	var all struct {
		Session map[string]any
		Steps   []map[string]any
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for task, part := range append([]map[string]any{all.Session}, all.Steps...) {
		for at := 0; at < len(needs); at += 2 {
			value := part[needs[at]]
			if value != nil && value != false && !slices.Contains(a.Abilities, needs[at+1]) {
				path := "session"
				if task > 0 {
					path = fmt.Sprintf("steps[%d]", task-1)
				}
				reason := fmt.Sprintf("%s.%s: %s lacks %s", path, needs[at], a.Client, needs[at+1])
				return Unimplemented{max(0, task-1), reason}
			}
		}
	}
	return nil
}

// Met are the answers that a right client comes to: all where the case does not say how many it meets.
func Met(answers []Answer, count *int) []Answer {
	if count == nil || *count > len(answers) {
		return answers
	}
	return answers[:*count]
}

// IsStreamed says that the length of the body is not to be known.
func (s *Step) IsStreamed() bool {
	return strings.HasSuffix(s.BodyForm, "stream") || strings.HasSuffix(s.BodyForm, "pair")
}

// Content is the bytes of a body.
func (b *Body) Content() ([]byte, error) {
	data, err := []byte(b.Text), error(nil)
	if b.Base64 != "" {
		data, err = base64.StdEncoding.DecodeString(b.Base64)
	}
	if b.Count == nil || len(data) == 0 {
		return data, err
	} else if *b.Count > uploadLimit {
		return nil, fmt.Errorf("a body has at most %d bytes, not %d", uploadLimit, *b.Count)
	}
	return slices.Repeat(data, *b.Count/len(data)+1)[:*b.Count], err
}

// AddBody adds the count of bytes, and the body itself where it is whole.
func AddBody(facts Facts, body []byte, count int) {
	facts["bytes"] = count
	if len(body) == count && utf8.Valid(body) && !slices.Contains(body, 0) {
		facts["body"] = string(body)
	} else if len(body) == count {
		facts["bodyBase64"] = base64.StdEncoding.EncodeToString(body)
	}
}

// Place is where a host and its port stand, for net.Dial; false for names that nobody is to look up.
func (one *Assignment) Place(host string, port int) (network, address string, isKnown bool) {
	plain := strings.TrimSuffix(strings.ToLower(host), ".")
	for _, entry := range one.Session.Names {
		if entry.Name == plain && entry.Port == port {
			if path, isPath := strings.CutPrefix(entry.Address, "unix:"); isPath {
				return "unix", path, true
			}
			return "tcp", entry.Address, true
		}
	}
	if plain == "localhost" {
		host = "127.0.0.1"
	}
	return "tcp", net.JoinHostPort(host, fmt.Sprint(port)), net.ParseIP(host) != nil
}
