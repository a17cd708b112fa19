package main

import (
	"console/slices"
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	namePattern       = regexp.MustCompile(`^[a-zA-Z0-9_\-. ]*$`)
	experimentPattern = regexp.MustCompile(`^[a-zA-Z0-9_\- ]*$`)
	metricPattern     = regexp.MustCompile(`^[a-zA-Z0-9_.\-()/ %:]*$`)
	idPattern         = regexp.MustCompile(`^[a-zA-Z0-9_\-.]*$`)
	loosePattern      = regexp.MustCompile(`[a-zA-Z0-9_\-. ]+`)
)

func checkName(s string, re *regexp.Regexp, maxLen int) error {
	if n := utf8.RuneCountInString(s); n < 3 || n > maxLen {
		return badRequest("name must have 3 to %d characters", maxLen)
	}
	if !re.MatchString(s) {
		return badRequest("name must match %s", re)
	}
	return nil
}

func checkDescription(s string) error {
	if utf8.RuneCountInString(s) > 1000 {
		return badRequest("description must have at most 1000 characters")
	}
	return nil
}

func checkEnum(field string, v *string, allowed ...string) error {
	if v != nil && !slices.Contains(allowed, *v) {
		return badRequest("%s must be one of %s", field, strings.Join(allowed, ", "))
	}
	return nil
}

func require(sent fields, names ...string) error {
	for _, n := range names {
		if !sent[n] {
			return badRequest("%s is required", n)
		}
	}
	return nil
}

// firstError returns the first non-nil error.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
