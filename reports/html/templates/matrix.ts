/** The matrix endpoint × check, in a box of its own that can be scrolled sideways, and the legend of its signs. */
export const matrix = `
<section class="card" aria-labelledby="matrix">
<h2 id="matrix">Endpoints and checks</h2>
<% if (it.matrix.rows.length === 0) { %><p>No endpoint was tested: the run planned no check.</p><% } else { %>
<ul class="legend" aria-label="Signs">
<% it.legend.forEach(one => { %><li><%~ include('@sign', one) %><%= one.word %></li>
<% }) %></ul>
<div class="wide" tabindex="0" role="region" aria-label="Matrix of endpoints and checks">
<table class="matrix">
<thead><tr><th scope="col">Endpoint</th><th scope="col" class="passed">Passed</th><% it.matrix.columns.forEach(column => { %><th scope="col" class="turned" title="<%= column.title %>"><span><%= column.check %></span></th><% }) %></tr></thead>
<tbody>
<% it.matrix.rows.forEach(row => { %><tr><th scope="row"><%~ include('@sign-read', row.verdict) %> <span class="data"><%= row.endpoint %></span></th><td class="passed"><%= row.passed %></td><% row.cells.forEach(cell => { %><td><% if (cell === null) { %><span class="unseen">does not apply</span><% } else if (cell.href) { %><a href="<%= cell.href %>" title="<%= cell.id %>: <%= cell.mark.word %>"><%~ include('@sign', cell.mark) %><span class="unseen"><%= cell.id %>: <%= cell.mark.word %></span></a><% } else { %><span title="<%= cell.id %>: <%= cell.mark.word %>"><%~ include('@sign-read', cell.mark) %></span><% } %></td><% }) %></tr>
<% }) %></tbody>
</table>
</div>
<p class="detail">A sign that is a link leads to what was found, or to the reason why nothing could be. An empty place: the check does not apply to the endpoint.</p>
<% } %></section>
`;
