const form = document.querySelector('form')
const [shows, says, told] = ['#shows', '#says', '#told'].map(id => document.querySelector(id))
// read before each use: it stays in this page, and leaves it in a body alone
const token = () => location.hash.slice(1)
const refusals = JSON.parse(form.dataset.refusals ?? '{}')

const post = (url, body) => fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
const wordsOf = async answer => {
  const { message, errors, code } = await answer.json().catch(() => ({}))
  const reasons = Object.values(errors ?? {}).flat()
  return refusals[code] || reasons.join(' ') || message || form.dataset.failed
}

const moment = text => new Date(text).toLocaleString(document.documentElement.lang, { dateStyle: 'long', timeStyle: 'short' })
const filled = (text, data) =>
  text.replace(/\{(\w+)\}/g, (_, name) => {
    if (name.endsWith('_at')) return moment(data[name])
    return data[name] ?? (name.endsWith('_by_name') ? form.dataset.somebody : '')
  })

const end = words => {
  form.hidden = true
  says.hidden = true
  told.textContent = words
}

async function lookUp() {
  const answer = await post(form.dataset.lookup, { token: token() })
  if (!answer.ok) return end(await wordsOf(answer))
  const { data } = await answer.json()
  if (form.dataset.shows) {
    shows.textContent = filled(form.dataset.shows, data)
    shows.hidden = false
  } else says.append(` ${data.team_name} (${data.email})`)
  if (data[form.dataset.doneWhen]) return end(filled(form.dataset.already, data))
  for (const field of document.querySelectorAll('[data-newcomer]')) {
    field.hidden = data.has_account
    field.querySelector('input').disabled = data.has_account
  }
}

async function send() {
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
  const inQuery = form.dataset.token === 'query'
  const url = inQuery ? `${form.getAttribute('action')}?token=${encodeURIComponent(token())}` : form.getAttribute('action')
  const answer = await post(url, inQuery ? {} : { ...fields, token: token() })
  if (answer.ok) end(form.dataset.done)
  else told.textContent = await wordsOf(answer)
}

const failed = () => {
  told.textContent = form.dataset.failed
}
form.addEventListener('submit', event => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  send()
    .catch(failed)
    .finally(() => {
      button.disabled = false
    })
})
if (token() === '') end(form.dataset.open)
else if (form.dataset.lookup) lookUp().catch(failed)
