package main

import (
	"console/slices"
	"fmt"
)

type environmentInput struct {
	ID                      *string `json:"id"`
	Name                    *string `json:"name"`
	IsProduction            *bool   `json:"isProduction"`
	RequiresReview          *bool   `json:"requiresReview"`
	RequiresReleasePipeline *bool   `json:"requiresReleasePipeline"`
	RequiredReviewGroupID   *string `json:"requiredReviewGroupID" null:"ok"`
}

type environmentsBody struct {
	Environments []environmentInput `json:"environments"`
}

// updateEnvironments updates the environments named by id (else by name),
// adds those with a new name, and answers the full resulting set.
func updateEnvironments(r *request) (*Reply, error) {
	var body environmentsBody
	sent, err := r.decode(&body)
	if err != nil {
		return nil, err
	}
	if err := require(sent, "environments"); err != nil {
		return nil, err
	}
	envs := slices.Clone(r.store.environments)
	var touched []int
	for i, in := range body.Environments {
		at := -1
		switch {
		case in.ID != nil:
			at = slices.IndexFunc(envs, func(e Environment) bool { return e.ID == *in.ID })
			if at < 0 {
				return nil, badRequest("environments[%d]: no environment with id %q", i, *in.ID)
			}
		case in.Name != nil:
			at = slices.IndexFunc(envs, func(e Environment) bool { return e.Name == *in.Name })
		}
		if in.Name == nil && in.ID == nil || in.Name != nil && *in.Name == "" {
			return nil, badRequest("environments[%d] needs an id or a name", i)
		}
		if at < 0 {
			envs = append(envs, Environment{ID: fmt.Sprintf("env_%d", len(envs)+1), Name: *in.Name})
			at = len(envs) - 1
		}
		in.apply(&envs[at])
		if bug("env_single_production") && in.IsProduction != nil && *in.IsProduction {
			for j := range envs {
				envs[j].IsProduction = j == at
			}
		}
		touched = append(touched, at)
	}
	if bug("env_loopvar") {
		// The flags of the last element end up in every element of the call.
		for _, at := range touched {
			last := envs[touched[len(touched)-1]]
			envs[at].IsProduction, envs[at].RequiresReview = last.IsProduction, last.RequiresReview
		}
	}
	answer := slices.Clone(envs)
	if bug("env_only_touched") {
		answer = answer[:0]
		for _, at := range touched {
			answer = append(answer, envs[at])
		}
	}
	if bug("env_not_stored") {
		for i, e := range r.store.environments {
			envs[i].RequiresReleasePipeline = e.RequiresReleasePipeline
		}
	}
	r.store.environments = envs
	return &Reply{
		Message: "Environments updated successfully.",
		Data:    map[string]any{"environments": List[Environment](answer)},
	}, nil
}

func (in *environmentInput) apply(e *Environment) {
	set(&e.Name, in.Name)
	set(&e.IsProduction, in.IsProduction)
	if !bug("env_false_ignored") || in.RequiresReview != nil && *in.RequiresReview {
		set(&e.RequiresReview, in.RequiresReview)
	}
	set(&e.RequiresReleasePipeline, in.RequiresReleasePipeline)
	if bug("env_copy_paste") {
		set(&e.RequiresReleasePipeline, in.RequiresReview)
	}
	set(&e.RequiredReviewGroupID, in.RequiredReviewGroupID)
}

// set stores *v in dst when v was sent.
func set[T any](dst *T, v *T) {
	if v != nil {
		*dst = *v
	}
}
