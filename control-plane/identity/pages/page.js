const form = document.querySelector('form')
const [shows, says, statusLine] = ['#shows', '#says', '#status'].map(id => document.querySelector(id))
// read before each use: it stays in this page, and leaves it in a body alone
const token = () => location.hash.slice(1).replace(/^t=/, '')
const [refusals, terms] = [form.dataset.refusals, form.dataset.terms].map(text => JSON.parse(text ?? '{}'))

const post = (url, body) =>
  fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
/** What the API says of a refusal: beside the fields that it names, and the rest below the form. */
const showRefusal = async answer => {
  const { message, errors = {}, code } = await answer.json().catch(() => ({}))
  const rest = Object.entries(errors).flatMap(([name, reasons]) => {
    const field = [...form.querySelectorAll('input:enabled')].find(input => input.name === name)
    if (!field) return reasons
    field.setAttribute('aria-invalid', 'true')
    document.querySelector(`#${field.id}-error`).textContent = reasons.join(' ')
    return []
  })
  form.querySelector('[aria-invalid]')?.focus()
  const isShown = Object.keys(errors).length > 0 && rest.length === 0
  return refusals[code] || rest.join(' ') || (isShown ? '' : message || form.dataset.failed)
}
const clearRefusal = () => {
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
  for (const words of form.querySelectorAll('.error')) words.textContent = ''
  statusLine.textContent = ''
}

// as `contract/figures.ts` writes a moment, in the zone of the browser
const { lang } = document.documentElement
const day = { day: 'numeric', month: 'long', year: 'numeric' }
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' }
const moment = text => new Date(text).toLocaleString(lang === 'de' ? 'de-DE' : 'en-GB', { ...day, ...time })
const filled = (text, data) =>
  text.replace(/\{(\w+)\}/g, (_, name) => {
    if (name.endsWith('_at')) return moment(data[name])
    return terms[data[name]] ?? data[name] ?? (name.endsWith('_by_name') ? form.dataset.someone : '')
  })

const end = words => {
  form.hidden = true
  says.hidden = true
  statusLine.textContent = words
}

// the address is that of our own sign-in, which the API made
const goElsewhere = url => {
  end('')
  const part = document.querySelector('#elsewhere')
  part.querySelector('a').href = url
  part.hidden = false
}

async function lookUp() {
  const answer = await post(form.dataset.lookup, { token: token() })
  if (!answer.ok) return end(await showRefusal(answer))
  const { data } = await answer.json()
  shows.textContent = filled(form.dataset.shows, data)
  shows.hidden = false
  if (data[form.dataset.doneWhen]) return end(filled(form.dataset.already, data))
  if (data.sign_in_url) return goElsewhere(data.sign_in_url)
  // who has an account is asked for its password, and a newcomer for a new one
  const who = data.has_account === null ? 'unknown' : data.has_account ? 'member' : 'newcomer'
  for (const part of form.querySelectorAll(`[data-of]:not([data-of~=${who}])`)) {
    part.hidden = true
    part.querySelector('input').disabled = true
  }
  form.querySelector('input:enabled')?.focus()
}

async function send() {
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
  // an account that is made here begins with the language and the zone of the browser
  const own = form.dataset.leadsTo && { language: lang, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }
  const inQuery = form.dataset.token === 'query'
  const url = inQuery
    ? `${form.getAttribute('action')}?token=${encodeURIComponent(token())}`
    : form.getAttribute('action')
  const answer = await post(url, inQuery ? {} : { ...fields, ...own, token: token() })
  if (!answer.ok) {
    statusLine.textContent = await showRefusal(answer)
    return
  }
  end(form.dataset.done)
  // the app is for who is signed in; the link stays for who comes back to this page
  if (form.dataset.leadsTo) location.assign(form.dataset.leadsTo)
  const next = document.querySelector('#next')
  if (next) next.hidden = false
}

const failed = () => {
  statusLine.textContent = form.dataset.failed
}
form.addEventListener('submit', event => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  clearRefusal()
  send()
    .catch(failed)
    .finally(() => {
      button.disabled = false
    })
})
if (token() === '') end(form.dataset.open)
else if (form.dataset.lookup) lookUp().catch(failed)
else form.querySelector('input')?.focus()
