package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// List is a slice that never marshals as null.
type List[T any] []T

// MarshalJSON implements json.Marshaler.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(l))
}

// items returns the elements of a list that may be absent: a field of type
// *List is left out of an answer when it is nil, and [] when it is empty.
func (l *List[T]) items() []T {
	if l == nil {
		return nil
	}
	return *l
}

// Strings is a list of strings.
type Strings = List[string]

// Object is a JSON object kept verbatim (numbers are not re-formatted).
type Object map[string]json.RawMessage

// MarshalJSON implements json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) {
	if o == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string]json.RawMessage(o))
}

// str returns the string under key, and whether it is a non-empty string.
func (o Object) str(key string) (string, bool) {
	var s string
	if err := json.Unmarshal(o[key], &s); err != nil || s == "" {
		return "", false
	}
	return s, true
}

func typeOf(dst any) reflect.Type { return reflect.TypeOf(dst).Elem() }

var (
	rawType         = reflect.TypeOf(json.RawMessage(nil))
	unmarshalerType = reflect.TypeOf((*json.Unmarshaler)(nil)).Elem()
)

// normalize rewrites raw so that only keys spelt exactly as the json tags of
// t survive (encoding/json matches them case-insensitively) and rejects null
// where the field is not tagged null:"ok".
func normalize(t reflect.Type, raw json.RawMessage, path string, nullOK bool) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if t == rawType {
		return raw, nil
	}
	if string(raw) == "null" {
		if nullOK {
			return raw, nil
		}
		return nil, badRequest("%s must not be null", path)
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(unmarshalerType) {
		return raw, nil
	}
	switch t.Kind() {
	case reflect.Struct:
		var in map[string]json.RawMessage
		if err := json.Unmarshal(raw, &in); err != nil {
			return nil, badRequest("%s must be an object", path)
		}
		out := map[string]json.RawMessage{}
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			v, ok := in[name]
			if name == "" || name == "-" || !ok {
				continue
			}
			clean, err := normalize(f.Type, v, join(path, name), f.Tag.Get("null") == "ok")
			if err != nil {
				return nil, err
			}
			out[name] = clean
		}
		return json.Marshal(out)
	case reflect.Slice:
		var in []json.RawMessage
		if err := json.Unmarshal(raw, &in); err != nil {
			return nil, badRequest("%s must be an array", path)
		}
		for i, v := range in {
			clean, err := normalize(t.Elem(), v, path+"["+strconv.Itoa(i)+"]", false)
			if err != nil {
				return nil, err
			}
			in[i] = clean
		}
		return json.Marshal(in)
	}
	return raw, nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
