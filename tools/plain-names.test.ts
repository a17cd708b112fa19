import { expect, test } from 'vitest';
import { named } from './plain-names.fixture.ts';
import { load } from './plain-names-hooks.ts';

const loadedBy = async (source: string | Buffer): Promise<unknown> => {
  const context: Parameters<typeof load>[1] = {
    conditions: [],
    format: 'module',
    importAttributes: {},
    importAssertions: {},
  };
  const { source: loaded } = await load('file:///of-a-test.ts', context, () => ({ format: 'module', source }));
  return loaded;
};

test('a module is loaded as it is, but for the property that keeps the name of a function', async () => {
  const naming = 'var __name=(target,value)=>__defProp(target,"name",{value,configurable:true});';
  expect(await loadedBy(`${naming}const one=__name(()=>1,"one");`)).toBe(
    'var __name=target=>target;const one=__name(()=>1,"one");',
  );
  expect(await loadedBy('const one=1;')).toBe('const one=1;');
  expect(await loadedBy(Buffer.from(naming))).toEqual(Buffer.from(naming));
});

// Elsewhere vitest loads the module, and its functions keep their names.
test.runIf(process.execArgv.includes('--import=tsx/esm'))('tsx writes that property as it is looked for', () => {
  expect(named()).toEqual({ arrow: '', declared: 'declared', class: 'Named' });
});
