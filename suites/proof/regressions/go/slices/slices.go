// Package slices has what the server uses of the standard library's package of that name, which Go 1.19 lacks.
package slices

// Clone copies the elements into a slice of its own; nil stays nil.
func Clone[S ~[]E, E any](s S) S {
	if s == nil {
		return nil
	}
	return append(S{}, s...)
}

// Clip removes unused capacity.
func Clip[S ~[]E, E any](s S) S { return s[:len(s):len(s)] }

// IndexFunc returns the first index that satisfies f, or -1.
func IndexFunc[S ~[]E, E any](s S, f func(E) bool) int {
	for i := range s {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

// ContainsFunc reports whether an element satisfies f.
func ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool { return IndexFunc(s, f) >= 0 }

// Contains reports whether v is in s.
func Contains[S ~[]E, E comparable](s S, v E) bool {
	return ContainsFunc(s, func(e E) bool { return e == v })
}

// Delete removes s[i:j] in place.
func Delete[S ~[]E, E any](s S, i, j int) S { return append(s[:i], s[j:]...) }

// EqualFunc compares two slices, element by element.
func EqualFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](a S1, b S2, eq func(E1, E2) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !eq(a[i], b[i]) {
			return false
		}
	}
	return true
}

// Reverse reverses the elements in place.
func Reverse[S ~[]E, E any](s S) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}
