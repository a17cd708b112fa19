/**
 * Freezes a JSON value at every depth and returns it, so that nobody who is handed a stored value can change it behind the store's
 * back. Values are at most as deep as a request may be (200 levels).
 */
export const freeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
  return value;
};
