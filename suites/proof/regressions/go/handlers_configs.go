package main

import (
	"console/slices"
	"encoding/json"
	"fmt"
	"strings"
)

func listConfigVersions(r *request) (*Reply, error) {
	id := r.PathValue("id")
	if _, err := r.store.config(id); err != nil {
		return nil, err
	}
	versions := slices.Clone(r.store.configs[id])
	slices.Reverse(versions)
	data, p, err := paginate(r, "versions", versions)
	if err != nil {
		return nil, err
	}
	if bug("ver_lazy_rules") {
		// Rules are joined in one batch of ten.
		for i := 10; i < len(data); i++ {
			c := *data[i]
			c.Rules = nil
			data[i] = &c
		}
	}
	if bug("ver_prev_first") && r.URL.Query().Has("page") && p.PreviousPage == nil {
		p.PreviousPage = ptr(fmt.Sprintf("%s?page=%d&limit=%d", r.URL.EscapedPath(), p.PageNumber-1, p.ItemsPerPage))
	}
	if bug("ver_default_string") {
		type row struct {
			*DynamicConfig
			DefaultValue string `json:"defaultValue"`
		}
		rows := List[row]{}
		for _, c := range data {
			raw, _ := json.Marshal(c.DefaultValue)
			rows = append(rows, row{c, string(raw)})
		}
		return &Reply{Message: "Dynamic config versions listed successfully.", Data: rows, Pagination: p}, nil
	}
	return &Reply{Message: "Dynamic config versions listed successfully.", Data: data, Pagination: p}, nil
}

// addVersion appends a version of config id, edited by edit.
func (s *Store) addVersion(id string, edit func(c *DynamicConfig)) (*DynamicConfig, error) {
	cur, err := s.config(id)
	if err != nil {
		return nil, err
	}
	next := cur
	if !bug("ver_alias") {
		c := *cur
		next = &c
	}
	edit(next)
	next.Version++
	next.LastModifiedTime = nowMillis()
	s.configs[id] = append(s.configs[id], next)
	return next, nil
}

func disableConfig(r *request) (*Reply, error) {
	id := r.PathValue("id")
	if cur, err := r.store.config(id); err == nil && !cur.IsEnabled && bug("dis_no_message") {
		return &Reply{Data: cur}, nil
	}
	c, err := r.store.addVersion(id, func(c *DynamicConfig) { c.IsEnabled = false })
	if err != nil {
		return nil, err
	}
	if bug("dis_time_string") {
		type answer struct {
			*DynamicConfig
			LastModifiedTime int64 `json:"lastModifiedTime,string"`
		}
		return &Reply{Message: "Dynamic config updated successfully.", Data: answer{c, c.LastModifiedTime}}, nil
	}
	if bug("dis_data_array") {
		return &Reply{Message: "Dynamic config updated successfully.", Data: List[*DynamicConfig]{c}}, nil
	}
	if bug("dis_pass_fraction") {
		out := *c
		out.Rules = slices.Clone(c.Rules)
		for i := range out.Rules {
			out.Rules[i].PassPercentage /= 100
		}
		return &Reply{Message: "Dynamic config updated successfully.", Data: out}, nil
	}
	return &Reply{Message: "Dynamic config updated successfully.", Data: c}, nil
}

type archiveBody struct {
	ForceArchive  bool   `json:"forceArchive"`
	ArchiveReason string `json:"archiveReason"`
}

func archiveConfig(r *request) (*Reply, error) {
	var body archiveBody
	if bug("arc_lenient_body") {
		_ = json.Unmarshal(r.body, &body)
	} else if len(r.body) > 0 {
		if _, err := r.decode(&body); err != nil {
			return nil, err
		}
	}
	id := r.PathValue("id")
	if bug("arc_raw_path") {
		segments := strings.Split(r.URL.EscapedPath(), "/")
		id = segments[len(segments)-2]
	}
	c, err := r.store.addVersion(id, func(c *DynamicConfig) { c.IsEnabled = false })
	if err != nil {
		return nil, err
	}
	if bug("arc_purges_history") {
		r.store.configs[id] = []*DynamicConfig{c}
	}
	out := *c
	if bug("arc_desc_reason") && body.ArchiveReason != "" {
		out.Description = body.ArchiveReason
	}
	return &Reply{Message: "Dynamic config archived successfully.", Data: out}, nil
}
