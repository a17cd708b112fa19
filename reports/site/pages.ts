import { tool } from '../../contracts/report/tool.ts';
import { escapedHtml, htmlFrame, renderer } from '../html/document.ts';
import { style } from '../html/style.ts';
import type { Implementation } from './history.ts';
import { hostRedactor, redactedView } from './submission.ts';
import { historyView, indexView, toldOf } from './view.ts';

/** What the pages need besides the style of the reports. */
const siteStyle = `${style}
.site td, .site th { padding: .3rem; }
.site td.text, .site th.text { text-align: left; white-space: nowrap; font-weight: 400; }
.site td.drop { background: var(--code); outline: 2px solid var(--fail); outline-offset: -2px; }
.fall { display: block; color: var(--fail); font-weight: 700; font-size: .75rem; line-height: 1; }
.falls { list-style: none; padding: 0; } .falls li { padding: .3rem 0; border-top: 1px solid var(--line); }
.falls .fall, .detail .fall { display: inline; font-size: 1rem; }
ul.card.falls { padding: .4rem 1rem; } .falls li:first-child { border-top: 0; }
.card.wide { background-color: var(--card); }
.site .source { display: block; font-size: .75rem; color: var(--faint); max-width: 22rem; white-space: normal; }
.wide:focus-visible { outline-offset: -2px; }
`;

/** A fall in a cell, for those who see it and for those who do not. */
const cell = `<td<% if (it.drop) { %> class="drop"<% } %>><%~ include('@sign-read', it.mark) %><% if (it.drop) { %><span class="fall" aria-hidden="true">▼</span><span class="unseen">, <%= it.drop %></span><% } %></td>`;

const heads = `<% it.columns.forEach(column => { %><th scope="col" class="turned"><span><%= column.id %></span></th><% }) %>`;

const legendPart = `<%~ include('@legend', it) %><p class="detail"><span class="fall" aria-hidden="true">▼</span> worse than in the run before it that tells of the same</p>`;

const index = `<header class="top"><p class="kicker">Console Management API</p>
<h1><%= it.title %></h1><p class="lead"><%= it.lead %></p></header>
<main>
<section aria-labelledby="matrix"><h2 id="matrix">Implementations × endpoints</h2>
<%~ include('@site-legend', it) %>
<p class="cue detail">Scroll sideways for all endpoints.</p>
<div class="card wide" tabindex="0" role="region" aria-labelledby="matrix"><table class="matrix site">
<thead><tr><th scope="col">Implementation</th><th scope="col" class="text">Verdict</th><th scope="col" class="text">Coverage</th><th scope="col" class="text">Judged by</th><th scope="col" class="text">Last run</th><%~ include('@heads', it) %></tr></thead>
<tbody>
<% it.rows.forEach(row => { %><tr><th scope="row"><a href="<%= row.href %>"><%= row.name %></a><% if (row.release) { %> <span class="detail"><%= row.release %></span><% } %></th><td><%~ include('@sign-read', row.verdict) %></td><td class="text"><%= row.coverage %></td><td class="text"><%= row.set %></td><td class="text"><%= row.when %></td><% row.cells.forEach(one => { %><%~ include('@cell', one) %><% }) %></tr>
<% }) %></tbody></table></div></section>
<% if (it.partial.length > 0) { %><section class="part" aria-labelledby="partial"><h2 id="partial">What was not run</h2><ul class="card falls">
<% it.partial.forEach(one => { %><li><a class="strong" href="<%= one.href %>"><%= one.name %></a>: <%= one.text %></li>
<% }) %></ul></section>
<% } %><section class="part" aria-labelledby="drops"><h2 id="drops">Drops</h2>
<% if (it.drops.length === 0) { %><p>Nothing got worse from one run to the next.</p>
<% } else { %><ul class="card falls">
<% it.drops.forEach(drop => { %><li><span class="fall" aria-hidden="true">▼</span> <a href="<%= drop.href %>"><%= drop.when %></a> <span class="strong"><%= drop.name %></span>: <%= drop.text %></li>
<% }) %></ul><% if (it.moreDrops) { %><p class="detail"><%= it.moreDrops %></p><% } %>
<% } %></section>
</main>
<%~ include('@site-footer', it) %>`;

const history = `<header class="top"><p class="kicker"><a href="index.html"><%= it.title %></a></p>
<h1><%~ include('@sign', it.verdict) %><span><%= it.name %></span></h1><p class="lead">Last run: <%= it.verdict.word %>. <%= it.lead %></p></header>
<main>
<section aria-labelledby="runs"><h2 id="runs">Runs, the newest first</h2>
<%~ include('@site-legend', it) %>
<p class="cue detail">Scroll sideways for all endpoints.</p>
<div class="card wide" tabindex="0" role="region" aria-labelledby="runs"><table class="matrix site">
<thead><tr><th scope="col">Run</th><th scope="col" class="text">Verdict</th><th scope="col" class="text">Coverage</th><%~ include('@heads', it) %><th scope="col" class="text">What it is</th></tr></thead>
<tbody>
<% it.rows.forEach(row => { %><tr id="<%= row.id %>"><th scope="row"><%= row.when %></th><td><%~ include('@sign-read', row.verdict) %></td><td class="text"><%= row.coverage %></td><% row.cells.forEach(one => { %><%~ include('@cell', one) %><% }) %><td class="text"><% row.drops.forEach(drop => { %><span class="got">▼ <%= drop %></span><br><% }) %><%= row.about %><span class="source data"><%= row.source %></span></td></tr>
<% }) %></tbody></table></div><% if (it.moreRuns) { %><p class="detail"><%= it.moreRuns %></p><% } %></section>
<% if (it.facts.length > 0) { %><section class="part" aria-labelledby="result"><h2 id="result">The last result</h2><ul class="card falls">
<% it.facts.forEach(fact => { %><li><span class="strong"><%= fact.name %></span> <%= fact.text %></li>
<% }) %><% it.contradictions.forEach(text => { %><li><span class="got">✕ <%= text %></span></li>
<% }) %><% it.omissions.forEach(text => { %><li>Not the whole: <%= text %></li>
<% }) %><% it.notes.forEach(text => { %><li><span class="detail"><%= text %></span></li>
<% }) %></ul><h3>Do it again</h3><pre class="card"><% it.again.forEach(line => { %><%= line %>
<% }) %></pre></section>
<% } %><section class="part" aria-labelledby="causes"><h2 id="causes">What is wrong in the last run</h2>
<% if (it.causes.length === 0) { %><p>No failure.</p>
<% } else { %><ul class="card falls">
<% it.causes.forEach(cause => { %><li><span class="strong"><%= cause.id %></span> <%= cause.text %> <span class="detail"><%= cause.at %></span></li>
<% }) %></ul><% if (it.moreCauses) { %><p class="detail"><%= it.moreCauses %></p><% } %>
<% } %></section>
</main>
<%~ include('@site-footer', it) %>`;

/** The templates of the pages. */
export const siteTemplates = {
  '@site-index': index,
  '@site-history': history,
  '@cell': cell,
  '@heads': heads,
  '@site-legend': legendPart,
  '@site-footer': `<footer><p class="detail">Written by <%= it.tool %>. These pages need no network and run no script.</p></footer>`,
} as const;

const render = renderer(siteTemplates);

/** What a page may load: the style beside it, and nothing else. */
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'";

const page = (title: string, body: string): string =>
  htmlFrame({
    policy,
    title: escapedHtml(title),
    style: '<link rel="stylesheet" href="style.css">',
    body: `${body}\n`,
  });

/**
 * Returns the files of a site over many runs, by name: `index.html` with the matrix of implementations and endpoints and
 * all drops, a page with the history of each implementation, and `style.css`. All that comes from a run is escaped; no
 * page needs a script or another place. Redacted, they name no host.
 */
export function sitePages(
  title: string,
  implementations: readonly Implementation[],
  isRedacted = false,
): ReadonlyMap<string, string> {
  const redact = isRedacted ? hostRedactor(implementations) : (text: string) => text;
  const told = toldOf(implementations.map(one => ({ ...one, name: redact(one.name) })));
  const by = { tool: `${tool.name} ${tool.version}` };
  return new Map([
    ['style.css', siteStyle],
    ['index.html', page(title, render('@site-index', { ...redactedView(indexView(title, told), redact), ...by }))],
    ...told.map((one): [string, string] => [
      one.file,
      page(
        `${one.name}: ${title}`,
        render('@site-history', { ...redactedView(historyView(title, one), redact), ...by }),
      ),
    ]),
  ]);
}
