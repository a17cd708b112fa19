import { archiveBody, environmentsBody, gateBody } from './bodies.ts';
import { type Fields, isFields } from './checks.ts';
import { type Call, checked, done, missing, type Operation, only } from './outcome.ts';

/** Environments, gates and dynamic configs (sections 4.1, 4.5, 4.6, 4.7 and 4.10). */

const environmentFields = ['name', 'isProduction', 'requiresReview', 'requiresReleasePipeline'];

/** An id that no environment has. */
function unused({ environments }: Call['state']): string {
  let number = environments.size + 1;
  while (environments.has(`env-${number}`)) number += 1;
  return `env-${number}`;
}

/** Section 4.1: known environments are changed, unknown ones are added; the answer has them all. */
export const updateEnvironments: Operation = ({ state, body }) =>
  checked(body, environmentsBody(), () => {
    const sent = Array.isArray(body.environments) ? body.environments.filter(isFields) : [];
    for (const environment of sent) {
      const named = [...state.environments.values()].find(({ name }) => name === environment.name);
      const id = String(environment.id ?? named?.id ?? unused(state));
      const before = state.environments.get(id) ?? {
        isProduction: false,
        requiresReview: false,
        requiresReleasePipeline: false,
      };
      state.environments.set(id, { ...before, id, ...only(environment, environmentFields) });
    }
    return done('Environments updated successfully.', { environments: [...state.environments.values()] });
  });

const gateFields =
  'name isEnabled description rules tags type idType creatorID creatorEmail team measureMetricLifts monitoringMetrics reviewSettings'.split(
    ' ',
  );

function changeGate({ state, names }: Call, change: Fields) {
  const [id = ''] = names;
  const before = state.gates.get(id);
  if (before === undefined) return missing('gate');
  const taken = [...state.gates.values()].some(other => other.id !== id && other.name === change.name);
  if (taken) return { status: 409, reason: 'another gate has this name' };
  const now = state.now();
  const counts = { version: Number(before.version) + 10, checksPerHour: now % 1000, etag: `W/"${now}"` };
  const gate = { ...before, ...change, ...counts, lastModifiedTime: now };
  state.gates.set(id, gate);
  return done('Gate updated successfully.', gate);
}

/** Section 4.6: the app is sent as text and given back in an array (section 2.3). */
export const patchGate: Operation = call =>
  checked(call.body, gateBody(), () => {
    const { targetApps } = call.body;
    const apps = targetApps === undefined ? {} : { targetApps: [targetApps] };
    return changeGate(call, { ...only(call.body, gateFields), ...apps });
  });

/** Section 4.7. */
export const disableGate: Operation = call => changeGate(call, { isEnabled: false });

function changeConfig({ state, names }: Call, message: string, change: Fields) {
  const [id = ''] = names;
  const versions = state.configs.get(id);
  const [newest] = versions ?? [];
  if (versions === undefined || newest === undefined) return missing('dynamic config');
  const config = { ...newest, ...change, lastModifiedTime: state.now(), version: Number(newest.version) + 10 };
  state.configs.set(id, [config, ...versions]);
  return done(message, config);
}

/** Section 4.5. */
export const disableConfig: Operation = call => changeConfig(call, 'Switched off.', { isEnabled: false });

/** Section 4.10. */
export const archiveConfig: Operation = call =>
  checked(call.body, archiveBody(), () => changeConfig(call, 'Put away.', { isArchived: true }));
