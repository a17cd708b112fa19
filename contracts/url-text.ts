/**
 * Returns a text percent-encoded for a URL. Lone surrogates become U+FFFD, as in the URL standard; `encodeURIComponent`
 * would throw. They occur in targets, recordings and journals.
 */
export const urlText = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
