// Runs in the browser, behind a line that sets `settings`: the document is given to signed-in resellers alone.
const answer = await fetch('/api/v1/reseller/openapi', { credentials: 'same-origin' })
const body = await answer.json()
if (answer.status === 401) location.assign(`/login?next=${encodeURIComponent('/console/api')}`)
else if (!answer.ok) document.getElementById('app').textContent = body.message
else Scalar.createApiReference('#app', { content: body, ...settings })
