class Named {}
function declared(): void {}

/** Returns the names that functions of each form have where `plain-names.ts` was imported. */
export function named() {
  const arrow = (): void => {};
  return { arrow: arrow.name, declared: declared.name, class: Named.name };
}
