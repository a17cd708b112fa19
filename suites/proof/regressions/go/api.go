package main

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

const apiPrefix = "/console/v1"

// apiError is an error with the HTTP status it is answered with.
type apiError struct {
	Status  int    `json:"status"`
	Message string `json:"message"`
}

func (e *apiError) Error() string { return e.Message }

func badRequest(format string, args ...any) error {
	return &apiError{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

func notFound(kind, id string) error {
	return &apiError{http.StatusNotFound, fmt.Sprintf("%s %q not found", kind, id)}
}

// Reply is the envelope of every successful answer.
type Reply struct {
	Message    string      `json:"message,omitempty"`
	Data       any         `json:"data"`
	Pagination *Pagination `json:"pagination,omitempty"`
}

// request is one call with its body already read.
type request struct {
	*http.Request
	store  *Store
	body   []byte
	values map[string]string
}

// PathValue is the value of a segment that stands in braces.
func (r *request) PathValue(name string) string { return r.values[name] }

type handler func(r *request) (*Reply, error)

// endpoint is one operation; segments in braces are path parameters.
type endpoint struct {
	method   string
	segments []string
	handle   handler
}

type api struct {
	store     *Store
	key       string
	endpoints []endpoint
	seenMu    sync.Mutex
	seen      map[string]bool
}

// newAPI registers the operations. (No ServeMux: it finds
// qualifying_events/{name} and {id}/enable_groups ambiguous.)
func newAPI(store *Store, key string) http.Handler {
	a := &api{store: store, key: key}
	a.route("POST /environments", updateEnvironments)
	a.route("GET /dynamic_configs/{id}/versions", listConfigVersions)
	a.route("PUT /dynamic_configs/{id}/disable", disableConfig)
	a.route("PUT /dynamic_configs/{id}/archive", archiveConfig)
	a.route("PATCH /gates/{id}", patchGate)
	a.route("PUT /gates/{id}/disable", disableGate)
	a.route("GET /experiments/qualifying_events", listQualifyingEvents)
	a.route("POST /experiments/qualifying_events/{name}", updateQualifyingEvent)
	a.route("POST /experiments/{id}", updateExperiment)
	a.route("POST /experiments/{id}/enable_groups", enableGroups)
	a.route("POST /metrics", createMetric)
	a.route("GET /segments", listSegments)
	a.route("POST /prompts/{id}/versions", createPromptVersion)
	a.route("GET /events/{eventName}", listEvents)
	a.route("GET /events/{eventName}/metrics", listEventMetrics)
	return a
}

func (a *api) route(pattern string, h handler) {
	method, path, _ := strings.Cut(pattern, " ")
	a.endpoints = append(a.endpoints, endpoint{method, strings.Split(apiPrefix+path, "/"), h})
}

// match returns the path values when the path is that of e.
func (e *endpoint) match(segments []string) (map[string]string, bool) {
	if len(segments) != len(e.segments) {
		return nil, false
	}
	values := map[string]string{}
	for i, want := range e.segments {
		if strings.HasPrefix(want, "{") {
			value, err := url.PathUnescape(segments[i])
			if err != nil || value == "" {
				return nil, false
			}
			values[strings.Trim(want, "{}")] = value
		} else if want != segments[i] {
			return nil, false
		}
	}
	return values, true
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	public := bug("auth_route") && strings.HasSuffix(r.URL.Path, "/metrics") && r.Method == http.MethodGet
	if bug("auth_cached") {
		a.seenMu.Lock()
		if a.seen == nil {
			a.seen = map[string]bool{}
		}
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		who := host + " " + r.Method + " " + r.URL.Path
		public = a.seen[who] && r.Header.Get("SERVICE-API-KEY") == ""
		if a.authorized(r.Header.Get("SERVICE-API-KEY")) {
			a.seen[who] = true
		}
		a.seenMu.Unlock()
	}
	if !public && !a.authorized(r.Header.Get("SERVICE-API-KEY")) {
		writeError(w, &apiError{http.StatusUnauthorized, "missing or wrong SERVICE-API-KEY"})
		return
	}
	segments := strings.Split(r.URL.EscapedPath(), "/")
	status := http.StatusNotFound
	for _, e := range a.endpoints {
		values, ok := e.match(segments)
		if !ok {
			continue
		}
		if e.method == r.Method {
			a.serve(w, r, values, e.handle)
			return
		}
		status = http.StatusMethodNotAllowed
	}
	writeError(w, &apiError{status, "no such endpoint"})
}

// serve runs h with the store locked until its answer is marshalled, so that
// answers are consistent snapshots.
func (a *api) serve(w http.ResponseWriter, hr *http.Request, values map[string]string, h handler) {
	body, err := io.ReadAll(http.MaxBytesReader(w, hr.Body, 4<<20))
	if err != nil {
		writeError(w, badRequest("cannot read body"))
		return
	}
	out, err := a.run(h, &request{hr, a.store, body, values})
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, out)
}

func (a *api) run(h handler, r *request) ([]byte, error) {
	if r.Method == http.MethodGet || (bug("gp_race") && r.Method == http.MethodPatch) {
		a.store.mu.RLock()
		defer a.store.mu.RUnlock()
	} else {
		a.store.mu.Lock()
		defer a.store.mu.Unlock()
	}
	reply, err := h(r)
	if err != nil {
		return nil, err
	}
	return json.Marshal(reply)
}

func (a *api) authorized(sent string) bool {
	if bug("auth_prefix") {
		return sent != "" && strings.HasPrefix(a.key, sent)
	}
	if bug("auth_fold") {
		return strings.EqualFold(sent, a.key)
	}
	return subtle.ConstantTimeCompare([]byte(sent), []byte(a.key)) == 1
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func writeError(w http.ResponseWriter, err error) {
	var ae *apiError
	if !errors.As(err, &ae) {
		ae = &apiError{http.StatusInternalServerError, "internal error"}
	}
	body, _ := json.Marshal(ae)
	writeJSON(w, ae.Status, body)
}

// fields is the set of top-level keys a body carried.
type fields map[string]bool

// decode reads a JSON object into dst: exact key names at every level, no
// null where the type has none, no trailing data.
func (r *request) decode(dst any) (fields, error) {
	body := bytes.TrimSpace(r.body)
	if len(body) == 0 {
		return nil, badRequest("a JSON body is required")
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(body, &top); err != nil || top == nil {
		return nil, badRequest("body must be a JSON object")
	}
	clean, err := normalize(typeOf(dst), body, "", false)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(clean, dst); err != nil {
		var te *json.UnmarshalTypeError
		if errors.As(err, &te) {
			return nil, badRequest("%s has the wrong type (%s)", te.Field, te.Value)
		}
		return nil, badRequest("invalid body: %v", err)
	}
	sent := fields{}
	for k := range top {
		sent[k] = true
	}
	return sent, nil
}

// Pagination is the paging part of list answers.
type Pagination struct {
	ItemsPerPage int     `json:"itemsPerPage"`
	PageNumber   int     `json:"pageNumber"`
	TotalItems   int     `json:"totalItems"`
	NextPage     *string `json:"nextPage"`
	PreviousPage *string `json:"previousPage"`
	All          string  `json:"all"`
}

const defaultLimit = 10

func pageParams(q url.Values) (page, limit int, err error) {
	page, limit = 1, defaultLimit
	for name, dst := range map[string]*int{"page": &page, "limit": &limit} {
		if !q.Has(name) {
			continue
		}
		n, err := strconv.Atoi(q.Get(name))
		if err != nil || n < 1 || n > 1<<30 {
			return 0, 0, badRequest("%s must be a positive integer", name)
		}
		*dst = n
	}
	return page, limit, nil
}

// paginate cuts the requested page out of items.
func paginate[T any](r *request, kind string, items []T) (List[T], *Pagination, error) {
	page, limit, err := pageParams(r.URL.Query())
	if err != nil {
		return nil, nil, err
	}
	if bug("sg_default_limit") && kind == "segments" && r.URL.Query().Has("page") && !r.URL.Query().Has("limit") {
		limit = 5
	}
	total := len(items)
	path := r.URL.EscapedPath()
	link := func(p, l int) *string {
		s := fmt.Sprintf("%s?page=%d&limit=%d", path, p, l)
		return &s
	}
	start := min(total, (page-1)*limit)
	if bug("ver_off_by_one") && kind == "versions" && page > 1 {
		start = min(total, (page-1)*limit-1)
	}
	if bug("ql_zero_based") && kind == "qualifying_events" && r.URL.Query().Has("page") {
		start = min(total, page*limit)
	}
	end := min(total, start+limit)
	p := &Pagination{ItemsPerPage: limit, PageNumber: page, TotalItems: total, All: *link(1, max(total, 1))}
	if bug("sg_items_per_page") && kind == "segments" {
		p.ItemsPerPage = end - start
	}
	more := page*limit < total
	if bug("ver_next_on_full") && kind == "versions" {
		more = page*limit <= total
	}
	if bug("sg_pages_floor") && kind == "segments" {
		more = page < total/limit
	}
	if more {
		p.NextPage = link(page+1, limit)
		if bug("ql_next_limit") && kind == "qualifying_events" {
			p.NextPage = link(page+1, defaultLimit)
		}
	}
	if page > 1 {
		p.PreviousPage = link(page-1, limit)
		if bug("ev_prev_self") && kind == "events" {
			p.PreviousPage = link(page, limit)
		}
	}
	return List[T](items[start:end:end]), p, nil
}

func min(a, b int) int {
	if b < a {
		return b
	}
	return a
}

func max(a, b int) int { return a + b - min(a, b) }

func nowMillis() int64 { return time.Now().UnixMilli() }
