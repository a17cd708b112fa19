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
<h3><%~ include('@sign-read', { kind: 'untested', sign: '?', word: 'not tested' }) %> <% if (gap.blockedBy && gap.blockedBy.href) { %>Blocked by <a href="<%= gap.blockedBy.href %>"><%= gap.blockedBy.text %></a><% } else { %><%= gap.because %><% } %></h3>
<% if (gap.remedy) { %><p>To have it tested: <strong class="data"><%= gap.remedy %></strong></p>
<% } %><% if (gap.blockedBy && !gap.blockedBy.href) { %><p class="detail">In the way: <span class="data"><%= gap.blockedBy.text %></span></p>
<% } %><p class="tags"><span class="detail"><%= gap.count %>:</span> <% gap.checks.forEach(id => { %><span class="tag data"><%= id %></span> <% }) %></p>
</article>
<% }) %></section><% } %>
`;
