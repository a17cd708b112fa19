/** One finding: what was expected and what came, the case, the exchange, and the commands that show it again. */
export const finding = `
<details class="finding" id="<%= it.finding.anchor %>" data-item data-verdict="<%= it.kind %>" data-endpoints="<%= it.finding.endpoint %>"<% if (it.open) { %> open<% } %>>
<summary><span class="data strong"><%= it.finding.check %></span> <span class="data"><%= it.finding.brief %></span></summary>
<div class="block">
<p><%= it.finding.title %></p>
<dl class="pairs">
<div><dt>Expected</dt><dd class="data"><%= it.finding.expected %></dd></div>
<div><dt>Got</dt><dd class="data got"><%= it.finding.got %></dd></div>
<% if (it.finding.case) { %><div><dt>Case</dt><dd class="data"><%= it.finding.case %></dd></div>
<% } %><% if (it.finding.differs) { %><div><dt>Differs</dt><dd class="data"><%= it.finding.differs %></dd></div>
<% } %></dl>
<% if (it.finding.difference) { %><dl class="difference">
<div class="sent"><dt>Sent</dt><dd class="data"><% if (it.finding.difference.sent) { %><%~ include('@marked', it.finding.difference.sent) %><% } else { %><em>left out</em><% } %></dd></div>
<div class="control"><dt>Accepted control</dt><dd class="data"><%~ include('@marked', it.finding.difference.control) %></dd></div>
</dl>
<% } %><% if (it.finding.request) { %><div class="exchange">
<%~ include('@message', { label: 'Request', check: it.finding.check, message: it.finding.request }) %>
<%~ include('@message', { label: 'Answer', check: it.finding.check, message: it.finding.response }) %>
</div>
<% } %><% it.finding.commands.forEach(command => { %><div class="command">
<h4><%= command.label %> <button type="button" data-copy hidden aria-label="Copy: <%= command.label %>, <%= it.finding.check %>">Copy</button></h4>
<pre tabindex="0" role="group" aria-label="<%= command.label %>"><code><%~ include('@lines', { lines: command.lines }) %></code></pre>
</div>
<% }) %><% if (it.finding.elsewhere) { %><p class="detail"><%= it.finding.elsewhere %></p>
<% } %></div>
</details>
`;

/** A value with the part marked in which it differs. */
export const marked = `<%= it.before %><mark><%= it.odd %></mark><%= it.after %>`;

/** A request or a response. */
export const message = `<div>
<h4><%= it.label %></h4>
<pre tabindex="0" role="group" aria-label="<%= it.label %>"><strong><%= it.message.line %></strong>
<% it.message.headers.forEach(header => { %><span class="faint"><%= header %></span>
<% }) %><% if (it.message.body.length > 0) { %><%~ include('@lines', { lines: it.message.body }) %><% } %><% if (it.message.note) { %>
<span class="faint"><%= it.message.note %></span><% } %></pre>
</div>`;

/** Lines of text with line ends between them. */
export const lines = `<% it.lines.forEach((line, index) => { %><% if (index > 0) { %>
<% } %><%= line %><% }) %>`;
