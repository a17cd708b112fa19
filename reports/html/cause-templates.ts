/** Failures, or warnings, by root cause. */
const causes = `
<% if (it.causes.length > 0) { %><section class="part" aria-labelledby="<%= it.id %>">
<h2 id="<%= it.id %>"><%= it.title %></h2>
<% it.causes.forEach(cause => { %><article class="card cause cause-<%= cause.kind %>" id="<%= cause.anchor %>" aria-labelledby="<%= cause.anchor %>-title" data-item data-verdict="<%= cause.kind %>" data-endpoints="<%= cause.endpoints.join(' ') %>">
<h3 id="<%= cause.anchor %>-title"><%~ include('@sign-read', cause.mark) %> <span class="data"><%= cause.id %></span> <%~ include('@prose', { pieces: cause.titleProse }) %></h3>
<% if (cause.known) { %><p><strong>Known</strong>: <%= cause.known %></p>
<% } %><p><%~ include('@prose', { pieces: cause.prose }) %></p>
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

/** One finding: what was expected and what came, the case, the exchange, and the commands that send it again. */
const finding = `
<details class="finding" id="<%= it.finding.anchor %>" data-item data-verdict="<%= it.kind %>" data-endpoints="<%= it.finding.endpoint %>"<% if (it.open) { %> open<% } %>>
<summary><span class="data strong"><%= it.finding.check %></span> <span class="data"><%~ include('@prose', { pieces: it.finding.brief }) %></span></summary>
<div class="block">
<p><%= it.finding.title %></p>
<dl class="pairs">
<%~ include('@pairs', { pairs: it.finding.pairs }) %></dl>
<% if (it.finding.difference) { %><dl class="difference">
<div class="sent"><dt>Sent</dt><dd class="data"><% if (it.finding.difference.sent) { %><%~ include('@marked', it.finding.difference.sent) %><% } else { %><em>left out</em><% } %></dd></div>
<div class="control"><dt>Accepted control</dt><dd class="data"><%~ include('@marked', it.finding.difference.control) %></dd></div>
</dl>
<% } %><% if (it.finding.accused) { %><p class="detail">The accused value: <code><%= it.finding.accused %></code></p>
<% } %><% if (it.finding.steps.length > 0) { %><ol class="timeline" aria-label="Steps">
<% it.finding.steps.forEach(step => { %><li value="<%= step.number %>"<% if (step.isLast) { %> class="accused"<% } %>><details<% if (step.isLast) { %> open<% } %>><summary><span class="data"><%= step.line %></span><% if (step.shown) { %> <code><%= step.shown %></code><% } %></summary>
<div class="exchange">
<%~ include('@message', { label: 'Request', message: step.request }) %>
<%~ include('@message', { label: 'Answer', message: step.response }) %>
</div></details></li>
<% }) %></ol>
<% } %><% if (it.finding.race.length > 0) { %><h4>What was sent at once, and what was there afterwards</h4>
<ol class="timeline race data">
<% it.finding.race.forEach(line => { %><li><%= line %></li>
<% }) %></ol>
<% } %><% if (it.finding.request) { %><div class="exchange">
<%~ include('@message', { label: 'Request', message: it.finding.request }) %>
<%~ include('@message', { label: 'Answer', message: it.finding.response }) %>
</div>
<% } %><% it.finding.commands.forEach(command => { %><div class="command">
<h4><%= command.label %> <button type="button" data-copy hidden aria-label="Copy: <%= command.label %>, <%= it.finding.check %>">Copy</button></h4>
<pre tabindex="0" role="group" aria-label="<%= command.label %>"><code><%~ include('@lines', { lines: command.lines }) %></code></pre>
</div>
<% }) %><% if (it.finding.elsewhere) { %><p class="detail"><%= it.finding.elsewhere %></p>
<% } %></div>
</details>
`;

/** A request or a response. */
const message = `<div>
<h4><%= it.label %></h4>
<pre tabindex="0" role="group" aria-label="<%= it.label %>"><strong><%= it.message.line %></strong>
<% it.message.headers.forEach(header => { %><span class="faint"><%= header %></span>
<% }) %><% it.message.lines.forEach((line, index) => { %><% if (index > 0) { %>
<% } %><% if (line.accused) { %><mark><%= line.text %></mark><% } else { %><%= line.text %><% } %><% }) %><% if (it.message.note) { %>
<span class="faint"><%= it.message.note %></span><% } %></pre>
<% if (it.message.whole) { %><details><summary class="detail"><%= it.message.whole.title %></summary>
<pre tabindex="0" role="group" aria-label="<%= it.label %>, all of the body"><%~ include('@lines', { lines: it.message.whole.body }) %><% if (it.message.whole.note) { %>
<span class="faint"><%= it.message.whole.note %></span><% } %></pre></details>
<% } %></div>`;

/** Lines of text with line ends between them. */
const lines = `<% it.lines.forEach((line, index) => { %><% if (index > 0) { %>
<% } %><%= line %><% }) %>`;

/** Faults of the suite itself, and what was not tested, by reason. */
const untested = `
<% if (it.faults.length > 0) { %><section class="part" aria-labelledby="faults">
<h2 id="faults">Faults of the suite, not of the target</h2>
<ul class="card plain">
<% it.faults.forEach(fault => { %><li data-item data-verdict="error" data-endpoints="<%= fault.id.split('/')[0] %>"><%~ include('@sign-read', fault.mark) %> <span class="data strong"><%= fault.id %></span> <span class="data"><%= fault.because %></span></li>
<% }) %></ul>
</section><% } %>
<% if (it.untested.length > 0) { %><section class="part" aria-labelledby="untested">
<h2 id="untested">Not tested</h2>
<% it.untested.forEach(reason => { %><article class="card" id="<%= reason.anchor %>" data-item data-verdict="untested" data-endpoints="<%= reason.endpoints.join(' ') %>">
<h3><%~ include('@sign-read', reason.mark) %> <% if (reason.cause) { %>Blocked by <a class="data" href="<%= reason.cause.href %>"><%= reason.cause.text %></a><% } else { %><%= reason.because %><% } %></h3>
<% if (reason.remedy) { %><p>To have it tested: <strong class="data"><%= reason.remedy %></strong></p>
<% } %><% if (reason.alsoBroken.length > 0) { %><p>Mend first what is broken at the same <%= reason.endpoints.length === 1 ? 'endpoint' : 'endpoints' %>: <% reason.alsoBroken.forEach(one => { %><a class="data" href="<%= one.href %>"><%= one.text %></a> <% }) %></p>
<% } %><% if (reason.blockedBy.length > 0) { %><p class="tags"><span class="detail">They wait for:</span> <% reason.blockedBy.forEach(id => { %><span class="tag data"><%= id %></span> <% }) %></p>
<% } %><details<% if (reason.checks.length <= 12) { %> open<% } %>><summary><%= reason.count %></summary><p class="tags"><% reason.checks.forEach(id => { %><span class="tag data"><%= id %></span> <% }) %></p></details>
</article>
<% }) %></section><% } %>
`;

/** The templates of what went wrong: root causes with their findings, faults of the suite, and what was not tested. */
export const causeTemplates = {
  '@causes': causes,
  '@finding': finding,
  '@message': message,
  '@lines': lines,
  '@untested': untested,
} as const;
