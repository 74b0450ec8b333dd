import '/pages/altcha.js'

const form = document.querySelector('form')
const statusLine = document.querySelector('#status')
const widget = document.querySelector('altcha-widget')
globalThis.$altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker('/pages/altcha-worker.js'))

async function send() {
  const body = Object.fromEntries(new FormData(form))
  const answer = await fetch(form.getAttribute('action'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.ok) {
    form.hidden = true
    statusLine.textContent = form.dataset.done
    return
  }
  const { message, errors = {} } = await answer.json().catch(() => ({}))
  const rest = Object.entries(errors).flatMap(([name, reasons]) => {
    const place = document.querySelector(`#${CSS.escape(`${name}-error`)}`)
    if (!place) return reasons
    place.textContent = reasons.join(' ')
    document.querySelector(`#${CSS.escape(name)}`).setAttribute('aria-invalid', 'true')
    return []
  })
  statusLine.textContent = rest.join(' ') || (Object.keys(errors).length > 0 ? '' : message || form.dataset.failed)
  form.querySelector('[aria-invalid]')?.focus()
  // a proof is used once
  widget.reset()
}

form.addEventListener('submit', event => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  statusLine.textContent = ''
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
  for (const place of form.querySelectorAll('.error')) place.textContent = ''
  send()
    .catch(() => {
      statusLine.textContent = form.dataset.failed
    })
    .finally(() => {
      button.disabled = false
    })
})
