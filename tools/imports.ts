/** A specifier that is a literal, or null for a dynamic import of something computed. */
type Specifier = string | null;

const statements = [
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s+(['"])(?<name>[^'"]+)\1/gm,
  /^\s*import\s+(['"])(?<name>[^'"]+)\1/gm,
  /\bimport\(\s*(?:(['"])(?<name>[^'"]+)\1|[^)'"])/g,
  /\brequire\(\s*(['"])(?<name>[^'"]+)\1/g,
] as const;

/**
 * What a source imports: statically, for its types, or while it runs. Formatted sources only: a statement begins its
 * line.
 */
export function importsOf(source: string): readonly Specifier[] {
  return statements.flatMap(pattern => [...source.matchAll(pattern)].map(match => match.groups?.name ?? null));
}

/** The path of a relative specifier from the root of the repository; `..` at the front when it leads out. */
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

/** The files that import themselves by way of others: each circle once, as the files on it. */
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
