import { decoded } from '../../contracts/decoded.ts';

/** Addresses of PostgreSQL, which may hold a password, in the user's part or as a parameter. */

/** Whether a place is the address of a PostgreSQL, and not a folder. */
export const isAddress = (place: string): boolean => /^postgres(ql)?:\/\//.test(place);

/** Whether a place looks like the address of some other service, which would make an odd folder. */
export const isForeignAddress = (place: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(place) && !isAddress(place);

const parsed = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined);

/** The passwords of an address, in every spelling. */
export const passwordsOf = (address: string): string[] => {
  const url = parsed(address);
  const given = [url?.password ?? '', url?.searchParams.get('password') ?? ''];
  return [...new Set(given.flatMap(text => [text, decoded(text)]))].filter(text => text !== '');
};

/** An address as it may be shown: without its password, and without parameters. */
export const shownAddress = (address: string): string => {
  const url = parsed(address);
  if (url === undefined) return 'postgres://…';
  return `${url.protocol}//${url.username === '' ? '' : `${url.username}@`}${url.host}${url.pathname}`;
};
