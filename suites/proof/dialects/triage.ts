import { dialects } from '../../../reference-server/index.ts';
import { judged } from './judged.fixture.ts';

const [pattern = '', runs = '1', full = ''] = process.argv.slice(2);
for (const dialect of dialects.filter(d => new RegExp(pattern).test(d.id))) {
  const t = performance.now();
  try {
    const { records, accusations, damage } = await judged(dialect, 1, ['test', 'more'].slice(0, Number(runs)));
    const ms = Math.round(performance.now() - t);
    const outcomes = records.map(r => r.end.outcome + (r.end.because ?? '')).join();
    const verdicts = records.map(r => JSON.stringify([...r.verdicts.values()]));
    const same = new Set(verdicts).size === 1 ? '' : `DIFFER ${verdicts.join(' / ')}`;
    const marks = [dialect.accused && 'A', dialect.damages && 'D'].filter(Boolean).join('');
    const bad =
      accusations.length > 0 !== (dialect.accused !== undefined) ||
      damage.length > 0 !== (dialect.damages !== undefined);
    console.log(
      `${bad ? '!!' : 'ok'} ${dialect.id} [${marks}] ${ms} ms ${outcomes} accused ${accusations.length} damaged ${damage.length} ${same}`,
    );
    const show = (l: string) =>
      console.log(full ? l.slice(0, 1500) : l.split('\n').slice(0, 2).join(' | ').slice(0, 330));
    if (bad || full) {
      accusations.slice(0, full ? 9 : 3).forEach(show);
      damage.slice(0, 4).forEach(show);
    }
  } catch (e) {
    console.log('!!', dialect.id, 'THROWS', e);
  }
}
