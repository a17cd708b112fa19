/** Failures, or warnings, by root cause. */
export const causes = `
<% if (it.causes.length > 0) { %><section class="part" aria-labelledby="<%= it.id %>">
<h2 id="<%= it.id %>"><%= it.title %></h2>
<% it.causes.forEach(cause => { %><article class="card cause cause-<%= cause.kind %>" id="<%= cause.anchor %>" aria-labelledby="<%= cause.anchor %>-title" data-item data-verdict="<%= cause.kind %>" data-endpoints="<%= cause.endpoints.join(' ') %>">
<h3 id="<%= cause.anchor %>-title"><%~ include('@sign-read', cause.mark) %> <%~ include('@prose', { pieces: cause.prose }) %></h3>
<p class="detail"><span class="data strong"><%= cause.requirement %></span><% if (cause.section) { %>, section <%= cause.section %><% } %>, <%= cause.level %>. <%= cause.extent %></p>
<p class="tags"><% cause.endpoints.forEach(endpoint => { %><span class="tag data"><%= endpoint %></span> <% }) %></p>
<% cause.first.forEach((finding, index) => { %><%~ include('@finding', { finding, kind: cause.kind, open: cause.open && index === 0 }) %><% }) %>
<% if (cause.others.length > 0) { %><details data-group><summary><%= cause.others.length %> more of the same cause</summary>
<% cause.others.forEach(finding => { %><%~ include('@finding', { finding, kind: cause.kind, open: false }) %><% }) %></details><% } %>
<% if (cause.more > 0) { %><p class="detail"><%= cause.more %> more in the journal.</p><% } %>
<% if (cause.blocked.length > 0) { %><p class="detail">Kept from being tested by it: <% cause.blocked.forEach(id => { %><span class="tag data"><%= id %></span> <% }) %></p><% } %>
</article>
<% }) %></section><% } %>
`;
