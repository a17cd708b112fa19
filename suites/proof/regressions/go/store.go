package main

import (
	"console/slices"
	"sync"
)

// Store holds all entities in memory; mu guards everything.
type Store struct {
	mu           sync.RWMutex
	environments []Environment
	gates        []*Gate
	configs      map[string][]*DynamicConfig // oldest version first
	experiments  []*Experiment
	qualifying   []*QualifyingEvent
	segments     []Segment
	metrics      []*Metric
	prompts      map[string][]PromptVersion
	events       []EventRecord

	cacheMu  sync.Mutex
	qeCache  map[string][]QualifyingEvent
	expCache map[string]Experiment

	metricIDs map[string]bool // the unique index of mt_dry_reserve
}

func (s *Store) gate(id string) (*Gate, error) {
	i := slices.IndexFunc(s.gates, func(g *Gate) bool { return g.ID == id })
	if i < 0 {
		return nil, notFound("gate", id)
	}
	return s.gates[i], nil
}

func (s *Store) experiment(id string) (*Experiment, error) {
	i := slices.IndexFunc(s.experiments, func(e *Experiment) bool { return e.ID == id })
	if i < 0 {
		return nil, notFound("experiment", id)
	}
	return s.experiments[i], nil
}

func (s *Store) qualifyingEvent(name string) (*QualifyingEvent, error) {
	i := slices.IndexFunc(s.qualifying, func(q *QualifyingEvent) bool { return q.Name == name })
	if i < 0 {
		return nil, notFound("qualifying event", name)
	}
	return s.qualifying[i], nil
}

func (s *Store) config(id string) (*DynamicConfig, error) {
	versions := s.configs[id]
	if len(versions) == 0 {
		return nil, notFound("dynamic config", id)
	}
	return versions[len(versions)-1], nil
}
