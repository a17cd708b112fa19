/** Faults of the suite itself, and what was not tested, by reason. */
export const gaps = `
<% if (it.faults.length > 0) { %><section class="part" aria-labelledby="faults">
<h2 id="faults">Faults of the suite, not of the target</h2>
<ul class="card plain">
<% it.faults.forEach(fault => { %><li data-item data-verdict="error" data-endpoints="<%= fault.id.split('/')[0] %>"><%~ include('@sign-read', { kind: 'error', sign: 'E', word: 'fault of the suite' }) %> <span class="data strong"><%= fault.id %></span> <span class="data"><%= fault.because %></span></li>
<% }) %></ul>
</section><% } %>
<% if (it.gaps.length > 0) { %><section class="part" aria-labelledby="gaps">
<h2 id="gaps">Not tested</h2>
<% it.gaps.forEach(gap => { %><article class="card" id="<%= gap.anchor %>" data-item data-verdict="untested" data-endpoints="<%= gap.endpoints.join(' ') %>">
<h3><%~ include('@sign-read', { kind: 'untested', sign: '?', word: 'not tested' }) %> <% if (gap.cause) { %>Blocked by <a class="data" href="<%= gap.cause.href %>"><%= gap.cause.text %></a><% } else { %><%= gap.because %><% } %></h3>
<% if (gap.remedy) { %><p>To have it tested: <strong class="data"><%= gap.remedy %></strong></p>
<% } %><% if (gap.alsoBroken.length > 0) { %><p>Mend first what is broken at the same <%= gap.endpoints.length === 1 ? 'endpoint' : 'endpoints' %>: <% gap.alsoBroken.forEach(one => { %><a class="data" href="<%= one.href %>"><%= one.text %></a> <% }) %></p>
<% } %><% if (gap.inTheWay.length > 0) { %><p class="tags"><span class="detail">They wait for:</span> <% gap.inTheWay.forEach(id => { %><span class="tag data"><%= id %></span> <% }) %></p>
<% } %><details<% if (gap.checks.length <= 12) { %> open<% } %>><summary><%= gap.count %></summary><p class="tags"><% gap.checks.forEach(id => { %><span class="tag data"><%= id %></span> <% }) %></p></details>
</article>
<% }) %></section><% } %>
`;
