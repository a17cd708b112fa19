import type { LoadHook } from 'node:module';

/**
 * How tsx makes every named function keep its name: by a property that is defined each time such a function is created,
 * which is for each answer and each field. tsx has no option that turns this off.
 */
const naming = 'var __name=(target,value)=>__defProp(target,"name",{value,configurable:true});';

/**
 * Leaves that property out: whole runs take about 7 % less processor time. Classes and declared functions keep their
 * names; arrow functions become anonymous, also in stack traces.
 */
export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context);
  const { source } = loaded;
  return typeof source === 'string'
    ? { ...loaded, source: source.replace(naming, 'var __name=target=>target;') }
    : loaded;
};
