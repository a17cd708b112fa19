import { expect, test } from 'vitest';
import { reportSchema } from '../../contracts/report/report.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { type ExampleName, examples } from '../testing/examples.ts';
import { reportOf } from '../testing/runs.ts';
import { json } from './json.ts';

test.each(Object.keys(examples) as ExampleName[])(
  'a run that is %s is one JSON document in the shape of its schema',
  name => {
    let text = '';
    const reporting = json({ write: more => (text += more), colour: false, interactive: false });
    for (const event of examples[name]) reporting.event(event);
    expect(text).toBe('');
    const report = reportOf(examples[name]);
    reporting.end(report);
    expect(JSON.parse(text)).toEqual(report);
    expect(validatorFor(reportSchema)(JSON.parse(text))).toEqual([]);
    expect(Buffer.from(text).toString()).toBe(text);
  },
);
