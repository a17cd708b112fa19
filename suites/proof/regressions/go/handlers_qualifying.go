package main

import (
	"console/slices"
	"encoding/json"
	"net/url"
)

type qualifyingBody struct {
	SQL                 string             `json:"sql"`
	TimestampColumn     string             `json:"timestampColumn"`
	IDTypeMapping       List[IDMapping]    `json:"idTypeMapping"`
	Name                json.RawMessage    `json:"name"`
	Description         *string            `json:"description"`
	Tags                Strings            `json:"tags"`
	TimestampAsDay      *bool              `json:"timestampAsDay"`
	SourceType          *string            `json:"sourceType"`
	TableName           *string            `json:"tableName"`
	DatePartitionColumn *string            `json:"datePartitionColumn"`
	CustomFieldMapping  List[FieldMapping] `json:"customFieldMapping"`
	IsReadOnly          *bool              `json:"isReadOnly"`
	IsVerified          *bool              `json:"isVerified"`
	DisableCURE         *bool              `json:"disableCURE"`
	Owner               *Owner             `json:"owner"`
	Team                *string            `json:"team" null:"ok"`
	TeamID              *string            `json:"teamID" null:"ok"`
	DryRun              bool               `json:"dryRun"`
	SkipValidation      bool               `json:"skip_validation"`
	AllColumns          Strings            `json:"all_columns"`
	ColumnTypes         Strings            `json:"column_types"`
}

func (b *qualifyingBody) validate(sent fields) error {
	err := firstError(
		require(sent, "sql", "timestampColumn", "idTypeMapping"),
		checkEnum("sourceType", b.SourceType, "table", "query"),
	)
	if err != nil {
		return err
	}
	if b.SQL == "" || b.TimestampColumn == "" {
		return badRequest("sql and timestampColumn must not be empty")
	}
	for i, m := range b.IDTypeMapping {
		if (m.ServiceUnitID == "" || m.Column == "") && (i == 0 || !bug("qe_second_mapping")) {
			return badRequest("idTypeMapping[%d] needs serviceUnitID and column", i)
		}
	}
	for i, m := range b.CustomFieldMapping {
		if m.Key == "" || m.Formula == "" {
			return badRequest("customFieldMapping[%d] needs key and formula", i)
		}
	}
	if b.SkipValidation || (bug("qe_skip_false") && sent["skip_validation"]) {
		if bug("qe_skip_cols") {
			return require(sent, "all_columns")
		}
		if err := require(sent, "all_columns", "column_types"); err != nil {
			return err
		}
		if len(b.AllColumns) != len(b.ColumnTypes) {
			return badRequest("column_types must align with all_columns")
		}
	}
	return nil
}

func updateQualifyingEvent(r *request) (*Reply, error) {
	q, err := r.store.qualifyingEvent(r.PathValue("name"))
	if err != nil {
		return nil, err
	}
	var in qualifyingBody
	sent, err := r.decode(&in)
	if err != nil {
		return nil, err
	}
	if err := in.validate(sent); err != nil && !(bug("qe_dry_no_validation") && in.DryRun) {
		return nil, err
	}
	if bug("qe_noop_by_sql") && in.SQL == q.SQL {
		return &Reply{Message: "Qualifying event updated successfully.", Data: *q}, nil
	}
	next := *q
	next.SQL, next.TimestampColumn, next.IDTypeMapping = in.SQL, in.TimestampColumn, in.IDTypeMapping
	if bug("qe_map_by_column") {
		next.IDTypeMapping = uniqueColumns(in.IDTypeMapping)
	}
	if bug("qe_append_mapping") {
		next.IDTypeMapping = slices.Clone(q.IDTypeMapping)
		for _, m := range in.IDTypeMapping {
			if !slices.Contains(next.IDTypeMapping, m) {
				next.IDTypeMapping = append(next.IDTypeMapping, m)
			}
		}
	}
	set(&next.Description, in.Description)
	set(&next.TimestampAsDay, in.TimestampAsDay)
	set(&next.SourceType, in.SourceType)
	set(&next.TableName, in.TableName)
	set(&next.DatePartitionColumn, in.DatePartitionColumn)
	set(&next.IsReadOnly, in.IsReadOnly)
	set(&next.IsVerified, in.IsVerified)
	set(&next.DisableCURE, in.DisableCURE)
	if sent["tags"] {
		next.Tags = in.Tags
	}
	if sent["customFieldMapping"] {
		next.CustomFieldMapping = in.CustomFieldMapping
	}
	if sent["owner"] {
		next.Owner = in.Owner
	}
	if sent["team"] {
		next.Team = in.Team
	}
	if sent["teamID"] {
		next.TeamID = in.TeamID
	}
	if in.SkipValidation {
		next.columns, next.columnTypes = in.AllColumns, in.ColumnTypes
	}
	if bug("qe_rename") {
		var name string
		if err := json.Unmarshal(in.Name, &name); err == nil && name != "" {
			next.Name = name
		}
	}
	reply := &Reply{Message: "Qualifying event updated successfully.", Data: next}
	if in.DryRun && !(bug("qe_dry") && in.SkipValidation) {
		return reply, nil
	}
	*q = next
	return reply, nil
}

// uniqueColumns indexes mappings by column, the last one winning.
func uniqueColumns(in []IDMapping) []IDMapping {
	var out []IDMapping
	for _, m := range in {
		i := slices.IndexFunc(out, func(o IDMapping) bool { return o.Column == m.Column })
		if i < 0 {
			out = append(out, m)
		} else {
			out[i] = m
		}
	}
	return out
}

func listQualifyingEvents(r *request) (*Reply, error) {
	all := make([]QualifyingEvent, 0, len(r.store.qualifying))
	for _, q := range r.store.qualifying {
		all = append(all, *q)
	}
	data, p, err := paginate(r, "qualifying_events", all)
	if err != nil {
		return nil, err
	}
	if bug("ql_stale") || bug("ql_cache_page") {
		data = r.store.cachedPage(r.URL.Query(), data)
	}
	if bug("ql_shared_view") {
		return &Reply{Message: "Qualifying events listed successfully.", Data: updateViews(data), Pagination: p}, nil
	}
	return &Reply{Message: "Qualifying events listed successfully.", Data: data, Pagination: p}, nil
}

// cachedPage is the page cache of the regressions: never invalidated
// (ql_stale), or keyed by page without the limit (ql_cache_page).
func (s *Store) cachedPage(q url.Values, data List[QualifyingEvent]) List[QualifyingEvent] {
	key := q.Get("page") + "|" + q.Get("limit")
	if bug("ql_cache_page") {
		key = q.Get("page")
	}
	s.cacheMu.Lock()
	defer s.cacheMu.Unlock()
	hit, ok := s.qeCache[key]
	fresh := ok && (bug("ql_stale") || slices.EqualFunc(hit, s.qualifying[:min(len(hit), len(s.qualifying))],
		func(a QualifyingEvent, b *QualifyingEvent) bool { return a.SQL == b.SQL }))
	if fresh {
		return hit
	}
	s.qeCache[key] = slices.Clone(data)
	return data
}

// updateViews are the fields that an update answers.
func updateViews(list []QualifyingEvent) any {
	type view struct {
		Name            string          `json:"name"`
		Description     string          `json:"description"`
		Tags            Strings         `json:"tags"`
		SQL             string          `json:"sql"`
		TimestampColumn string          `json:"timestampColumn"`
		TimestampAsDay  bool            `json:"timestampAsDay"`
		IDTypeMapping   List[IDMapping] `json:"idTypeMapping"`
		SourceType      string          `json:"sourceType"`
		TableName       string          `json:"tableName"`
	}
	out := List[view]{}
	for _, q := range list {
		out = append(out, view{q.Name, q.Description, q.Tags, q.SQL, q.TimestampColumn, q.TimestampAsDay, q.IDTypeMapping, q.SourceType, q.TableName})
	}
	return out
}
