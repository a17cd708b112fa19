/** Longer messages than this are no requests of the log, whose parts are all cut. */
const longest = 4 * 1024 * 1024;

/** Reads the data of server-sent events from the pieces of a text (HTML Living Standard, section 9.2). */
export const eventReader = (listener: (data: string) => void): ((piece: string) => void) => {
  let rest = '';
  let data: string[] = [];
  const line = (text: string): void => {
    if (text === '') {
      if (data.length > 0) listener(data.join('\n'));
      data = [];
    } else if (text.startsWith('data:')) data.push(text.slice(text.startsWith('data: ') ? 6 : 5));
  };
  return piece => {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > longest) rest = '';
    for (const one of lines) line(one);
  };
};
