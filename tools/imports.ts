/** A literal specifier, or null for a dynamic import of a computed one. */
type Specifier = string | null;

const statements = [
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s+(['"])(?<name>[^'"]+)\1/gm,
  /^\s*import\s+(['"])(?<name>[^'"]+)\1/gm,
  /\bimport\(\s*(?:(['"])(?<name>[^'"]+)\1|[^)'"])/g,
  /\brequire\(\s*(['"])(?<name>[^'"]+)\1/g,
] as const;

/**
 * Returns the imports of a source: static, of types, and dynamic. The source must be formatted: each statement begins a
 * line.
 */
export function importsOf(source: string): readonly Specifier[] {
  return statements.flatMap(pattern => [...source.matchAll(pattern)].map(match => match.groups?.name ?? null));
}

/** Returns the path of a relative specifier from the root of the repository; it begins with `..` if it leads out. */
export function resolved(file: string, specifier: string): string {
  const parts = file.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') {
      if (parts.length === 0 || parts.at(-1) === '..') parts.push('..');
      else parts.pop();
    } else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Finds circular imports. Returns each circle once, as the files in it. */
export function circles(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const done = new Set<string>();
  const found: (readonly string[])[] = [];
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push(path.slice(at));
    if (at >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return found;
}
