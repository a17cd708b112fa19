import type { ReportedFinding } from '../text/finding-text.ts';
import { singleQuoted } from '../text/shell.ts';
import { type Judgement, wantedJson } from './judgement.ts';
import type { ShellParts } from './shell-parts.ts';

/** The pages of a list are read at most so often, and the list, for what was created may be shown late. */
const most = { pages: 200, readings: 3 } as const;

/**
 * Lines that walk the list of the accused answer: `whole` is run on each page, and may return; the pages are counted so
 * that a list without an end ends the script.
 */
const walkLines = (sendPage: string, whole: readonly string[]): Judgement => [
  'walk() {',
  '  query= pages=0 items=0',
  `  while [ $pages -lt ${most.pages} ]; do`,
  `    ${sendPage}`,
  '    case $status in 2??) ;; *) unknown "status $status" ;; esac',
  '    items=$((items + $(jq ".data | length" "$work/answer"))) || unknown "the answer is no list"',
  ...whole.map(line => `    ${line}`),
  `    next=$(jq -r '.pagination.nextPage // "" | tostring' "$work/answer")`,
  // Of a link only the query is followed.
  `    case $next in *\\?*) query="?\${next#*\\?}" ;; *) return 1 ;; esac`,
  '    pages=$((pages + 1))',
  '  done',
  '  unknown "the list has no end"',
  '}',
];

/**
 * Returns how a script tells whether what it created is listed, or counted, on all pages of the list together; undefined
 * where the finding does not say which metric that is. `sendPage` is the line that reads the page of `$query`.
 */
export function judgeListed(finding: ReportedFinding, parts: ShellParts, sendPage: string): Judgement | undefined {
  if (finding.pointer === '/pagination/totalItems')
    return [
      ...walkLines(sendPage, []),
      'walk',
      `if jq -e --argjson items "$items" '.pagination.totalItems == $items' "$work/answer" >/dev/null 2>&1; then gone; else there; fi`,
    ];
  const id = finding.fault?.kind === 'missing' ? wantedJson(finding) : undefined;
  if (id === undefined) return undefined;
  const filter = singleQuoted('[.data[].id] | index($expected[0]) != null');
  return [
    `{ ${parts.written(id)}; } >"$work/expected"`,
    ...walkLines(sendPage, [
      `if jq -e --slurpfile expected "$work/expected" ${filter} "$work/answer" >/dev/null 2>&1; then return 0; fi`,
    ]),
    'readings=0',
    'until walk; do',
    '  readings=$((readings + 1))',
    `  [ $readings -lt ${most.readings} ] || there`,
    '  sleep 1',
    'done',
  ];
}
