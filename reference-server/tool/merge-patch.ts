import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';

/** Applies a JSON merge patch (RFC 7396, section 2). */
export const merged = (target: Json | undefined, patch: Json): Json => {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else
      Object.defineProperty(result, name, {
        value: merged(Object.hasOwn(result, name) ? result[name] : undefined, value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return result;
};
