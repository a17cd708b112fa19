/**
 * A text as a part of a URL: percent-encoded, and half of a surrogate pair as U+FFFD, as the URL standard has it, where
 * `encodeURIComponent` would throw. Targets, recordings and journals hold such texts.
 */
export const urlText = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
