package kit // A test with the kit at XPK_URL: npx xpk exec -- go test kit_test.go

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

type answer struct { // what the test reads from responses
	Status          int `json:"-"`
	ID, Path, State string
	IDs             map[string]map[string]string
	Tokens          map[string]string // ready-made tokens; to log in instead, use golang.org/x/oauth2
}

func call(t *testing.T, method, path, token, body string) (result answer) {
	request, _ := http.NewRequest(method, os.Getenv("XPK_URL")+path, strings.NewReader(body))
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}}
	response, err := http.DefaultClient.Do(request)
	equal(t, err, nil)
	result.Status, _ = response.StatusCode, json.NewDecoder(response.Body).Decode(&result)
	return
}
func equal(t *testing.T, actual, expected any) {
	if actual != expected {
		t.Fatalf("expected %v, got %v", expected, actual)
	}
}
func TestAnAssignmentReachesTheEndpoint(t *testing.T) {
	received, control, key := make(chan [2]string, 1000), os.Getenv("XPK_CONTROL_TOKEN"), []byte("the secret of this subscription")
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { // Test your own endpoint in its place.
		body, _ := io.ReadAll(r.Body)
		received <- [2]string{r.Header.Get("webhook-id") + "." + r.Header.Get("webhook-timestamp") + "." + string(body), r.Header.Get("webhook-signature")}
	}))
	url := strings.Replace(server.URL, "127.0.0.1", strings.Fields(os.Getenv("EVENTS_HOST") + " 127.0.0.1")[0], 1)
	world := call(t, "POST", "/_control/worlds", control, `{"decisions": {"events.delivery.signature": "standard-webhooks"}}`)
	call(t, "POST", world.Path+"/_control/subscriptions", control, `{"destinationUrl": "`+url+`", "secret": "whsec_`+base64.StdEncoding.EncodeToString(key)+`"}`)
	body := `{"targetType": "PHONE_NUMBER", "targetValue": "+12065550103", "experienceId": "` + world.IDs["experiences"]["concierge"] + `"}`
	assignment := call(t, "POST", world.Path+"/experience/assignments", world.Tokens["full"], body)
	equal(t, assignment.Status, 201)
	event := <-received
	equal(t, strings.Contains(event[0], assignment.ID), true)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(event[0]))
	equal(t, event[1], "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	call(t, "POST", world.Path+"/_control/faults", control, `{"fault": "problem", "operation": "getUser", "status": 429, "times": 1}`)
	readUser := func() int { return call(t, "GET", world.Path+"/users/2065550001", world.Tokens["full"], "").Status }
	equal(t, [2]int{readUser(), readUser()}, [2]int{429, 200})
	call(t, "POST", world.Path+"/_control/reset", control, `{"to": "seed"}`)
	equal(t, call(t, "GET", world.Path+"/experience/assignments/"+assignment.ID, world.Tokens["full"], "").Status, 404)
	check := call(t, "POST", world.Path+"/_control/checks", control, `{"check": "webhook", "url": "`+url+`"}`).ID
	equal(t, call(t, "GET", world.Path+"/_control/checks/"+check+"?waitMs=120000", control, "").State, "passed")
}
