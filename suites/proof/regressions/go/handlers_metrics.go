package main

import (
	"console/slices"
	"strings"
)

var metricTypes = []string{"ratio", "mean", "event_count_custom", "event_user", "funnel", "composite", "composite_sum",
	"sum", "user_warehouse", "percentile", "latest_value"}

type metricInput struct {
	MetricBody
	DryRun bool `json:"dryRun"`
}

// metricInputLoose is the input of the regression that leaves warehouseNative
// undecoded.
type metricInputLoose struct {
	MetricBody
	WarehouseNative Object `json:"warehouseNative"`
	DryRun          bool   `json:"dryRun"`
}

func (b *MetricBody) validate(sent fields) error {
	err := firstError(
		require(sent, "name", "type"),
		checkName(b.Name, metricPattern, 200),
		checkEnum("type", &b.Type, metricTypes...),
		checkDescription(b.Description),
		checkEnum("directionality", b.Directionality, "increase", "decrease"),
		checkEnum("funnelCountDistinct", b.FunnelCountDistinct, "events", "users"),
	)
	if err != nil {
		return err
	}
	high := 0.999
	if bug("mt_pct") {
		high = 1
	}
	if p := b.Percentile; p != nil && (*p < 0.001 || *p > high) {
		return badRequest("percentile must be 0.001 to 0.999")
	}
	for i, e := range b.MetricEvents {
		_, hasName := e.str("name")
		kind, hasType := e.str("type")
		if !hasName || !hasType {
			return badRequest("metricEvents[%d] needs name and type", i)
		}
		if b.Type == "ratio" && kind != "count" && kind != "count_distinct" && (i == 0 || !bug("mt_ratio_first")) {
			return badRequest("metricEvents[%d] of a ratio metric must use count or count_distinct", i)
		}
	}
	return nil
}

func createMetric(r *request) (*Reply, error) {
	var in metricInput
	var sent fields
	var err error
	if bug("mt_nested_types") {
		var loose metricInputLoose
		sent, err = r.decode(&loose)
		in.MetricBody, in.DryRun = loose.MetricBody, loose.DryRun
	} else {
		sent, err = r.decode(&in)
	}
	if err != nil {
		return nil, err
	}
	if err := in.validate(sent); err != nil {
		return nil, err
	}
	m := &Metric{MetricBody: in.MetricBody, CreatedTime: nowMillis()}
	m.ID = m.Name + "::" + m.Type
	if bug("mt_id_space") {
		m.ID = strings.ReplaceAll(m.Name, " ", "_") + "::" + m.Type
	}
	m.Permalink = "/metrics/" + m.ID
	if w := m.WarehouseNative; w != nil && bug("mt_rollup_nested") {
		// One window for both: the nested one wins.
		if w.CustomRollUpStart != nil {
			m.CustomRollUpStart = w.CustomRollUpStart
		}
		if w.CustomRollUpEnd != nil {
			m.CustomRollUpEnd = w.CustomRollUpEnd
		}
	}
	if m.Directionality == nil && !bug("mt_no_default") {
		increase := "increase"
		m.Directionality = &increase
	}
	m.fillLineage()
	if slices.ContainsFunc(r.store.metrics, func(o *Metric) bool { return o.ID == m.ID }) {
		return nil, &apiError{409, "metric " + m.ID + " exists"}
	}
	if bug("mt_dry_reserve") {
		if r.store.metricIDs[m.ID] {
			return nil, &apiError{409, "metric " + m.ID + " exists"}
		}
		r.store.metricIDs[m.ID] = true
	}
	if !in.DryRun || (bug("mt_dry") && m.Type == "funnel") {
		r.store.metrics = append(r.store.metrics, m)
	}
	return &Reply{Message: "Metric created successfully.", Data: m}, nil
}

func (m *Metric) fillLineage() {
	add := func(list *Strings, v string) {
		if v != "" && !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
	for _, e := range m.MetricEvents {
		name, _ := e.str("name")
		add(&m.Lineage.Events, name)
	}
	for _, e := range m.FunnelEventList.items() {
		add(&m.Lineage.Events, e.Name)
	}
	for _, c := range m.MetricComponentMetrics.items() {
		name, okName := c.str("name")
		kind, okType := c.str("type")
		if okName && okType {
			add(&m.Lineage.Metrics, name+"::"+kind)
		}
	}
}

func listEventMetrics(r *request) (*Reply, error) {
	event := r.PathValue("eventName")
	found := []*Metric{}
	for _, m := range r.store.metrics {
		events := m.Lineage.Events
		if bug("em_first_lineage") && len(events) > 1 {
			events = events[:1]
		}
		match := slices.Contains(events, event)
		if bug("em_prefix") {
			match = slices.ContainsFunc(events, func(e string) bool { return strings.HasPrefix(e, event) })
		}
		if bug("em_inner_join") && m.Owner == nil {
			continue
		}
		if match {
			found = append(found, m)
		}
	}
	data, p, err := paginate(r, "metrics", found)
	if err != nil {
		return nil, err
	}
	if bug("em_total") {
		p.TotalItems = len(r.store.metrics)
	}
	return &Reply{Message: "Metrics listed successfully.", Data: data, Pagination: p}, nil
}
