package main

import (
	"console/slices"
	"encoding/json"
	"strings"
	"time"
)

// apps are the target apps of a request: a string or an array of strings.
type apps Strings

// UnmarshalJSON implements json.Unmarshaler.
func (a *apps) UnmarshalJSON(raw []byte) error {
	var one string
	if err := json.Unmarshal(raw, &one); err == nil {
		*a = apps{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(a))
}

type gatePatch struct {
	Name               string         `json:"name"`
	IsEnabled          bool           `json:"isEnabled"`
	Description        string         `json:"description"`
	Rules              []Object       `json:"rules"`
	Tags               Strings        `json:"tags"`
	Type               string         `json:"type"`
	IDType             string         `json:"idType"`
	TargetApps         apps           `json:"targetApps"`
	CreatorID          *string        `json:"creatorID" null:"ok"`
	CreatorEmail       *string        `json:"creatorEmail" null:"ok"`
	Team               *string        `json:"team" null:"ok"`
	TeamID             *string        `json:"teamID" null:"ok"`
	MeasureMetricLifts bool           `json:"measureMetricLifts"`
	MonitoringMetrics  List[Object]   `json:"monitoringMetrics"`
	ReviewSettings     ReviewSettings `json:"reviewSettings"`
	ReleasePipelineID  *string        `json:"releasePipelineID" null:"ok"`
	RolloutStrategy    Object         `json:"gradual_rollout_strategy"`
}

func (p *gatePatch) validate(sent fields) error {
	if sent["name"] {
		if err := checkName(p.Name, namePattern, 100); err != nil {
			return err
		}
		if bug("gp_else_if") {
			return nil
		}
	}
	if bug("gp_desc_bytes") && len(p.Description) > 1000 {
		return badRequest("description must have at most 1000 characters")
	}
	if err := checkDescription(p.Description); err != nil {
		return err
	}
	if sent["type"] {
		return checkEnum("type", &p.Type, "PERMANENT", "TEMPORARY")
	}
	return nil
}

func patchGate(r *request) (*Reply, error) {
	g, err := r.store.gate(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	var p gatePatch
	sent, err := r.decode(&p)
	if err != nil {
		return nil, err
	}
	if bug("gp_partial_write") && sent["description"] {
		g.Description = p.Description
	}
	if err := p.validate(sent); err != nil {
		return nil, err
	}
	next := *g
	if sent["name"] {
		next.Name = p.Name
		if bug("gp_rename_id") {
			next.ID = strings.ReplaceAll(strings.ToLower(p.Name), " ", "_")
		}
	}
	if sent["isEnabled"] {
		next.IsEnabled = p.IsEnabled
		if bug("gp_status_flip") {
			next.Status = "In Progress"
			if p.IsEnabled {
				next.Status = "Launched"
			}
		}
	}
	if sent["description"] && (p.Description != "" || !bug("gp_empty_desc")) {
		next.Description = p.Description
	}
	if sent["rules"] {
		next.Rules = p.Rules
	}
	if sent["tags"] {
		if bug("gp_tags_alias") {
			next.Tags = append(next.Tags[:0], p.Tags...)
		} else if bug("gp_tags_merge") {
			next.Tags = slices.Clone(next.Tags)
			for _, t := range p.Tags {
				if !slices.Contains(next.Tags, t) {
					next.Tags = append(next.Tags, t)
				}
			}
		} else {
			next.Tags = p.Tags
		}
	}
	if sent["type"] {
		next.Type = p.Type
	}
	if sent["idType"] {
		next.IDType = p.IDType
	}
	if sent["targetApps"] {
		next.TargetApps = Strings(p.TargetApps)
	}
	if sent["creatorID"] {
		next.CreatorID = p.CreatorID
	}
	if sent["creatorEmail"] || (bug("gp_creator_clears") && sent["creatorID"]) {
		next.CreatorEmail = p.CreatorEmail
	}
	if sent["team"] && (p.Team != nil || !bug("gp_team_null")) {
		next.Team = p.Team
	}
	if sent["teamID"] {
		next.TeamID = p.TeamID
	}
	if sent["measureMetricLifts"] || bug("gp_reset_absent") {
		next.MeasureMetricLifts = p.MeasureMetricLifts
	}
	if sent["monitoringMetrics"] {
		next.MonitoringMetrics = p.MonitoringMetrics
	}
	if sent["reviewSettings"] {
		next.ReviewSettings = p.ReviewSettings
	}
	if sent["releasePipelineID"] {
		next.ReleasePipelineID = p.ReleasePipelineID
	}
	next.touch()
	if bug("gp_race") {
		time.Sleep(4 * time.Millisecond) // the audit log of that branch
	}
	*g = next
	return &Reply{Message: "Gate updated successfully.", Data: g}, nil
}

func disableGate(r *request) (*Reply, error) {
	id := r.PathValue("id")
	g, err := r.store.gate(id)
	if err != nil {
		return nil, err
	}
	if bug("gd_prefix") {
		for _, other := range r.store.gates {
			if strings.HasPrefix(other.ID, id) {
				other.IsEnabled = false
			}
		}
	}
	next := *g
	next.IsEnabled = false
	if bug("gd_toggle") {
		next.IsEnabled = !g.IsEnabled
	}
	next.touch()
	*g = next
	if bug("gd_message") {
		return &Reply{Message: "Gate disabled successfully.", Data: g}, nil
	}
	return &Reply{Message: "Gate updated successfully.", Data: g}, nil
}

func (g *Gate) touch() {
	g.Version++
	g.LastModifiedTime = nowMillis()
	g.Rules = slices.Clip(g.Rules)
}
