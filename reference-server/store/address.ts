import { decoded } from '../../contracts/decoded.ts';

/** PostgreSQL addresses, which may contain a password, in the user part or as a parameter. */

/** True if a place is a PostgreSQL address rather than a folder. */
export const isAddress = (place: string): boolean => /^postgres(ql)?:\/\//.test(place);

/** True if a place looks like the address of another service, and so would make an odd folder name. */
export const isForeignAddress = (place: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(place) && !isAddress(place);

const parsed = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined);

/** Returns the passwords of an address, in every spelling. */
export const passwordsOf = (address: string): string[] => {
  const url = parsed(address);
  const given = [url?.password ?? '', url?.searchParams.get('password') ?? ''];
  return [...new Set(given.flatMap(text => [text, decoded(text)]))].filter(text => text !== '');
};

/** Returns an address without its password and parameters, for display. */
export const shownAddress = (address: string): string => {
  const url = parsed(address);
  if (url === undefined) return 'postgres://…';
  return `${url.protocol}//${url.username === '' ? '' : `${url.username}@`}${url.host}${url.pathname}`;
};
