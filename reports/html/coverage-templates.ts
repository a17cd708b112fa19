/** The picture of what was tried, operations × relations, and the cells behind each of its squares. */
export const coverageTemplates = {
  '@tried': `
<section class="card" aria-labelledby="coverage">
<h2 id="coverage">What was tried, and what was not</h2>
<p class="lead"><%= it.headline %></p>
<% if (it.remedies.length > 0) { %><ul class="plain"><% it.remedies.forEach(one => { %><li>→ <%= one %></li><% }) %></ul><% } %>
<p class="detail">Each row is a thing to try, each column an operation. A number is the part, in percent, of its cells that is proven: what was sent was accepted and shown, or refused beside an accepted control. An empty place: there is nothing of the kind to try.</p>
<p class="scale" aria-hidden="true"><span class="share share-0">0</span><span class="share share-1">1–24</span><span class="share share-2">25–49</span><span class="share share-3">50–74</span><span class="share share-4">75–99</span><span class="share share-5">100</span></p>
<div class="wide" tabindex="0" role="region" aria-label="What was tried, by operation">
<table class="matrix shares">
<thead><tr><th scope="col">Tried</th><th scope="col" class="passed">all</th><% it.columns.forEach(one => { %><th scope="col" class="turned"><span><%= one.endpoint %></span></th><% }) %></tr></thead>
<tbody>
<tr><th scope="row">all</th><td></td><% it.columns.forEach(one => { %><td><%= one.percent %></td><% }) %></tr>
<% it.rows.forEach(row => { %><tr><th scope="row" title="<%= row.relation %>"><%= row.what %></th><td class="passed"><%= row.percent %></td><% row.cells.forEach(cell => { %><td><% if (cell !== null) { %><a class="share share-<%= cell.step %>" href="<%= cell.href %>" title="<%= cell.title %>"><%= cell.text %></a><% } %></td><% }) %></tr>
<% }) %></tbody>
</table>
</div>
<ul class="plain detail"><% it.reasons.forEach(one => { %><li>not tried, <%= one %></li><% }) %></ul>
<% it.lists.forEach(list => { %><details class="cells"><summary><%= list.what %> <span class="data detail"><%= list.relation %></span></summary>
<% list.pairs.forEach(pair => { %><h3 id="<%= pair.anchor %>" class="data"><%= pair.endpoint %> <span class="detail"><%= pair.figures %></span></h3>
<dl><% pair.groups.forEach(group => { %><dt><%= group.because %></dt><dd class="data"><%= group.cells %><% if (group.more) { %> <span class="detail"><%= group.more %></span><% } %></dd><% }) %></dl>
<% }) %></details>
<% }) %></section>
`,
} as const;
