import { covering, notJudged, type PassiveCheck, violated } from '../../protocol/check.ts';

/** Statuses that a server may send before the API sees the request: a JSON body is only good practice there. */
const beforeTheApi = new Set([405, 413, 414, 431]);

/** A percent sign without two digits: such a path is no URI (RFC 3986 section 2.1), and HTTP servers refuse it. */
const brokenEscape = /%(?![\dA-F]{2})/i;

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
    // A body does not go with the method GET: a gateway may refuse it by itself (RFC 9110, section 9.3.1).
    const hasOddBody = request.method === 'GET' && request.body !== undefined;
    const isRouted = answer.own && !hasOddBody && !beforeTheApi.has(answer.status);
    const requirement = isRouted ? 'reject.body-json' : 'robust.error-json-elsewhere';
    // Without a body there is no format to judge.
    if (request.method === 'HEAD' || body.kind === 'empty') return covering([], []);
    if (answer.status === 400 && brokenEscape.test(request.path)) return covering([], []);
    if (body.kind === 'json') return covering([], [requirement]);
    const actual = `status ${answer.status} with a body that ${body.why}`;
    return violated(answer, requirement, 'body', 'an empty body or a JSON body', actual);
  },
};
