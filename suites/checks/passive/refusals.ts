import { covering, notJudged, type PassiveCheck, violated } from '../../protocol/check.ts';

/** Statuses that a server's HTTP layer may answer before the API is asked: JSON is good practice there, no more. */
const beforeTheApi = new Set([405, 413, 414, 431]);

/** Section 1: a refusal on one of the API's routes has no body or a JSON body; elsewhere that is good practice. */
export const refusals: PassiveCheck = {
  kind: 'passive',
  id: 'refusals',
  level: 'MUST',
  title: 'The body of a refusal is JSON',
  detects: "An HTML error page or plain text from a framework's default handler, on which a JSON client chokes.",
  requirements: () => ['reject.body-json', 'robust.error-json-elsewhere'],
  appliesTo: () => true,
  observe(answer) {
    const { body, failure, request } = answer.reply;
    if (answer.success || failure !== null) return notJudged;
    const isRouted = answer.own && !beforeTheApi.has(answer.status);
    const requirement = isRouted ? 'reject.body-json' : 'robust.error-json-elsewhere';
    // A refusal may do without a body; then there is nothing that could be of another format.
    if (request.method === 'HEAD' || body.kind === 'empty') return covering([], []);
    if (body.kind === 'json') return covering([], [requirement]);
    const actual = `status ${answer.status} with a body that ${body.why}`;
    return violated(answer, requirement, 'body', 'an empty body or a JSON body', actual);
  },
};
