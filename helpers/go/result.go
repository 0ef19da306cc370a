package proctor

import "encoding/json"

// Result is what the client made of the reply to a step: Result{"status": 200, "body": body}, or Result{"error": "connectionLost"}.
// A body is a string or a []byte.
type Result map[string]any

// MarshalJSON writes content that may be no text in base64.
func (r Result) MarshalJSON() ([]byte, error) {
	facts := map[string]any{}
	for name, fact := range r {
		if body, isBytes := fact.([]byte); isBytes {
			fact = map[string]any{"base64": body}
		}
		facts[name] = fact
	}
	return json.Marshal(facts)
}
