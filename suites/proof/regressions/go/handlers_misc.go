package main

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

func listSegments(r *request) (*Reply, error) {
	data, p, err := paginate(r, "segments", r.store.segments)
	if err != nil {
		return nil, err
	}
	if bug("sg_rules_array") {
		type row struct {
			Segment
			Rules []*SegmentRules `json:"rules,omitempty"`
		}
		rows := List[row]{}
		for _, s := range data {
			one := row{Segment: s}
			if s.Rules != nil {
				one.Rules = []*SegmentRules{s.Rules}
			}
			rows = append(rows, one)
		}
		return &Reply{Message: "Segments listed successfully.", Data: rows, Pagination: p}, nil
	}
	return &Reply{Message: "Segments listed successfully.", Data: data, Pagination: p}, nil
}

func (v *PromptVersion) validate() error {
	if v.Name != nil {
		var re *regexp.Regexp = namePattern
		if bug("pv_unanchored") {
			re = loosePattern
		}
		if err := checkName(*v.Name, re, 100); err != nil {
			return err
		}
	}
	if v.ID != nil && (!idPattern.MatchString(*v.ID) || utf8.RuneCountInString(*v.ID) == 0) {
		return badRequest("id must match %s", idPattern)
	}
	if v.Description != nil && len([]rune(*v.Description)) > 255 && bug("pv_desc_255") {
		return badRequest("description must have at most 255 characters")
	}
	if v.Description != nil {
		return checkDescription(*v.Description)
	}
	return nil
}

func createPromptVersion(r *request) (*Reply, error) {
	id := r.PathValue("id")
	versions, ok := r.store.prompts[id]
	if !ok {
		return nil, notFound("prompt", id)
	}
	var v PromptVersion
	if _, err := r.decode(&v); err != nil {
		return nil, err
	}
	if err := v.validate(); err != nil {
		return nil, err
	}
	if v.ID == nil {
		generated := fmt.Sprintf("%s_v%d", id, len(versions)+1)
		v.ID = &generated
	}
	if bug("pv_zero_drop") {
		for _, p := range []**float64{&v.Temperature, &v.TopP, &v.FrequencyPenalty, &v.PresencePenalty} {
			if *p != nil && **p == 0 {
				*p = nil
			}
		}
	}
	if bug("pv_html") {
		for i, m := range v.Prompts.items() {
			v.Prompts.items()[i].Content = html.EscapeString(m.Content)
		}
	}
	if bug("pv_id_path") {
		v.ID = &id
	}
	r.store.prompts[id] = append(versions, v)
	return &Reply{Message: "Prompt version created successfully.", Data: v}, nil
}

var eventName atomic.Value

func listEvents(r *request) (*Reply, error) {
	name := r.PathValue("eventName")
	if bug("ev_double_unescape") {
		if s, err := url.QueryUnescape(name); err == nil {
			name = s
		}
	}
	if bug("ev_shared_state") {
		// The handler keeps the name in a field of its own while it waits for the log.
		eventName.Store(name)
		time.Sleep(5 * time.Millisecond)
		name = eventName.Load().(string)
	}
	found := []EventRecord{}
	for _, e := range r.store.events {
		if e.Name == name {
			found = append(found, e)
		}
	}
	data, p, err := paginate(r, "events", found)
	if err != nil {
		return nil, err
	}
	if bug("ev_value_number") {
		type row struct {
			EventRecord
			Value any `json:"value"`
		}
		rows := List[row]{}
		for _, e := range data {
			one := row{e, e.Value}
			if n, err := strconv.ParseFloat(e.Value, 64); err == nil {
				one.Value = n
			}
			rows = append(rows, one)
		}
		return &Reply{Message: "Event values listed successfully.", Data: rows, Pagination: p}, nil
	}
	return &Reply{Message: "Event values listed successfully.", Data: data, Pagination: p}, nil
}
