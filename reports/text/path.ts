/** Returns the path and query of an address. */
export const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '');
